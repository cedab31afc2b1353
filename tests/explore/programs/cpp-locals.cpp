// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// Destructors of thread-locals are run at the end of the thread.
#include <cassert>
#include <thread>

static int made, destroyed;

struct local {
    int value = 0;
    local()
    {
        made++;
    }
    ~local()
    {
        destroyed += value;
    }
};
static thread_local local mine;

int main()
{
    std::thread a([] { mine.value = 10; });
    a.join();
    std::thread b([] { mine.value = 100; });
    b.join();
    assert(made == 2 && destroyed == 110);
    return 0;
}
