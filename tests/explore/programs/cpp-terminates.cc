// expect: abort
// An exception that nobody catches.
#include <thread>

int main()
{
    std::thread t([] { throw 1; });
    t.join();
    return 0;
}
