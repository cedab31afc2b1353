// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// A variable in a function is initialised once, and before anybody uses it.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> made;

struct thing {
    int value;
    thing() : value(0)
    {
        made++;
        value = 3;
    }
    ~thing()
    {
    }
};

static void use()
{
    static thing it;
    assert(it.value == 3);
}

int main()
{
    std::thread t(use);
    use();
    t.join();
    assert(made == 1);
    return 0;
}
