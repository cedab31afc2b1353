// explore: --preemptions all -- -std=c++20
// expect: no violation
// explore: --preemptions all --strategy dpor -- -std=c++20
// expect: no violation
// explore: --strategy dfs -- -std=c++20
// expect: no violation
// explore: -- -std=c++20 -DFAILS
// expect: assertion failed
// says: futex_wake word → wakes 1
//
// An atomic that is waited for without a lock.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> word;

int main()
{
    std::thread t([] {
        word = 1;
        word.notify_one();
    });
    word.wait(0);
    assert(word == 1);
    t.join();
#if defined(FAILS)
    assert(false);
#endif
    return 0;
}
