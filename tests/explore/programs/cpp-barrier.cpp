// explore: -- -std=c++20
// expect: no violation
// explore: -- -std=c++20 -DNO_WAIT
// expect: assertion failed
//
// A barrier with something to be done when all have come, twice.
#include <barrier>
#include <cassert>
#include <thread>

static int left, right, rounds;

static void count() noexcept
{
    rounds++;
}

static std::barrier<void (*)() noexcept> here{2, count};

static void meet()
{
#if !defined(NO_WAIT)
    here.arrive_and_wait();
#endif
}

int main()
{
    std::thread t([] {
        left = 1;
        meet();
        assert(right == 1);
        meet();
        left = 2;
    });
    right = 1;
    meet();
    assert(left == 1);
    meet();
    t.join();
    assert(left == 2);
}
