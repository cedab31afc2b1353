// explore: --preemptions all -- -std=c++17
// expect: no violation
// explore: --preemptions all --strategy dpor -- -std=c++17
// expect: no violation
// explore: --strategy dfs -- -std=c++17
// expect: no violation
//
// The standard library of C++ comes to the same models.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static std::shared_mutex s;
static int value;

static int initial()
{
    static int once = 40;
    return once;
}

int main()
{
    std::thread t([] {
        std::unique_lock<std::mutex> lock(m);
        c.wait(lock, [] { return value != 0; });
        value += initial();
    });
    {
        std::lock_guard<std::mutex> lock(m);
        value = 2;
    }
    c.notify_one();
    initial();
    t.join();
    assert(value == 42);
    std::shared_lock<std::shared_mutex> a(s), b(s, std::try_to_lock);
    assert(b.owns_lock());
    std::unique_lock<std::mutex> lock(m);
    assert(
        !c.wait_for(lock, std::chrono::seconds(1), [] { return value == 0; }));
    return 0;
}
