// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// What is left by an exception was not done: the next one does it.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static std::atomic<int> attempts, thrown;

static void use()
{
    try {
        std::call_once(flag, [] {
            if (attempts++ == 0)
                throw 1;
        });
    } catch (int) {
        thrown++;
    }
}

int main()
{
    std::thread t(use);
    use();
    t.join();
    assert(attempts == 2 && thrown == 1);
    return 0;
}
