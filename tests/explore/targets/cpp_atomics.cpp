// explore:
// expect: no violation
// explore: -- -DLOST
// expect: assertion

// std::atomic of a number, a pointer and a small struct.
#include <atomic>
#include <cassert>
#include <thread>

namespace
{

struct alignas(8) Pair {
    int first, second;
};

std::atomic<int> count{ 0 };
std::atomic<Pair> pair{ Pair{ 0, 0 } };
std::atomic<const Pair *> newest{ nullptr };
const Pair constant{ 3, 3 };

void work()
{
#ifdef LOST
    count.store(count.load() + 1);
#else
    ++count;
#endif
    Pair seen = pair.load();
    assert(seen.first == seen.second);
    while (!pair.compare_exchange_weak(seen,
                                       Pair{ seen.first + 1, seen.second + 1 }))
        assert(seen.first == seen.second);
    newest.store(&constant);
}

} // namespace

int main()
{
    std::thread one(work), two(work);
    one.join();
    two.join();
    assert(count.load() == 2);
    assert(pair.load().first == 2 && newest.load()->first == 3);
    return 0;
}
