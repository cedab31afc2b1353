// explore: -- -std=c++20
// expect: no violation
// explore: -- -std=c++20 -DNO_NOTIFY
// expect: deadlock

// std::atomic's own waiting, which calls the system.
#include <atomic>
#include <cassert>
#include <thread>

namespace
{

std::atomic<int> stage{ 0 };

void waits()
{
    stage.wait(0);
    assert(stage.load() == 1);
}

void notifies()
{
    stage.store(1);
#ifndef NO_NOTIFY
    stage.notify_one();
#endif
}

} // namespace

int main()
{
    std::thread one(waits), two(notifies);
    one.join();
    two.join();
    return 0;
}
