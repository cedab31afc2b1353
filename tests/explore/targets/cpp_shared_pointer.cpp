// explore:
// expect: no violation
// explore: -- -DRAW
// expect: use after free

// Two owners let go at the same time; the last one destroys.  RAW keeps a plain
// pointer past its own reference.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

namespace
{

std::atomic<int> destroyed{ 0 };

struct Thing {
    std::atomic<int> value{ 7 };
    ~Thing()
    {
        ++destroyed;
    }
};

} // namespace

int main()
{
    auto thing = std::make_shared<Thing>();
    auto use = [](std::shared_ptr<Thing> own) {
#ifdef RAW
        Thing *const raw = own.get();
        own.reset();
        assert(raw->value.load() == 7);
#else
        assert(own->value.load() == 7);
#endif
    };
    std::thread one(use, thing), two(use, thing);
    thing.reset();
    one.join();
    two.join();
    assert(destroyed.load() == 1);
    return 0;
}
