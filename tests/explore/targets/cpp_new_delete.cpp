// explore:
// expect: no violation
// explore: -- -DTWICE
// expect: bad free
// explore: -- -DPAST
// expect: out of bounds

// new and delete of objects and arrays in threads.  TWICE: both delete the
// same; PAST: the second one writes behind the end.
#include <atomic>
#include <cassert>
#include <thread>

namespace
{

std::atomic<int> live{ 0 };
std::atomic<char *> shared{ nullptr };

struct Counted {
    Counted()
    {
        ++live;
    }
    ~Counted()
    {
        --live;
    }
};

void work()
{
    Counted *const three = new Counted[3];
    delete[] three;
    delete new Counted;
#if defined(TWICE)
    delete[] shared.load();
#elif defined(PAST)
    static std::atomic<int> last{ 0 };
    shared.load()[last.fetch_add(1)] = 1;
#endif
}

} // namespace

int main()
{
    shared.store(new char[1]);
    std::thread one(work), two(work);
    one.join();
    two.join();
    assert(live.load() == 0);
#ifndef TWICE
    delete[] shared.load();
#endif
    return 0;
}
