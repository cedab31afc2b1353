// explore: --preemptions all
// expect: abort
// explore: --preemptions all --strategy dpor
// expect: abort
// explore: --strategy dfs
// expect: abort
//
// An exception that nobody catches.
#include <thread>

int main()
{
    std::thread t([] { throw 1; });
    t.join();
    return 0;
}
