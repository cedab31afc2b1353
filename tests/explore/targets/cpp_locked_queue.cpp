// explore:
// expect: no violation
// explore: --timeout 5 -- -DHASTY
// expect: data race

// A queue of strings behind a mutex, its taker waiting by a condition variable.
// HASTY looks at the queue before it takes the lock.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace
{

class Queue
{
    std::mutex lock;
    std::condition_variable filled;
    std::deque<std::string> items;

  public:
    void put(std::string item)
    {
        const std::lock_guard<std::mutex> guard(lock);
        items.push_back(std::move(item));
        filled.notify_one();
    }

    std::string take()
    {
#ifdef HASTY
        while (items.empty())
            std::this_thread::yield();
#endif
        std::unique_lock<std::mutex> guard(lock);
        filled.wait(guard, [this] { return !items.empty(); });
        std::string item = std::move(items.front());
        items.pop_front();
        return item;
    }
};

} // namespace

int main()
{
    Queue queue;
    std::vector<std::string> taken;
    std::thread putter([&queue] {
        queue.put("a text that is too long to be kept inside the string");
        queue.put("short");
    });
    std::thread taker([&queue, &taken] {
        taken.push_back(queue.take());
        taken.push_back(queue.take());
    });
    putter.join();
    taker.join();
    assert(taken.size() == 2 && taken[0].size() > 40 && taken[1] == "short");
    return 0;
}
