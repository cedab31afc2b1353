// explore: -- -std=c++20
// expect: no violation
// explore: --strategy dpor -- -std=c++20
// expect: no violation
// explore: -- -std=c++20 -DTOO_MANY
// expect: deadlock
//
// A latch and a thread that is joined by its destructor.
#include <cassert>
#include <latch>
#include <thread>

#if defined(TOO_MANY)
static std::latch done{3};
#else
static std::latch done{2};
#endif
static int first, second; // the latch orders them

int main()
{
    std::jthread a([] { first = 1, done.count_down(); });
    std::jthread b([] { second = 2, done.count_down(); });
    done.wait();
    assert(first == 1 && second == 2);
}
