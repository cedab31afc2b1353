// explore: --preemptions all -- -std=c++20
// expect: no violation
// explore: --preemptions all --strategy dpor -- -std=c++20
// expect: no violation
// explore: --strategy dfs -- -std=c++20
// expect: no violation
//
// A semaphore of C++ lets as many pass as it has permits.
#include <cassert>
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> permits(0);
static int value;

int main()
{
    std::thread t([] {
        value = 1;
        permits.release();
    });
    permits.acquire();
    assert(value == 1);
    assert(!permits.try_acquire());
    t.join();
    return 0;
}
