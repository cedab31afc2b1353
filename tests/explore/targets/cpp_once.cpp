// explore:
// expect: no violation
// explore: -- -DBY_HAND
// expect: assertion

// Made once, by std::call_once and by a static of a function.  BY_HAND: by an
// atomic flag that is looked at and raised in two steps.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

namespace
{

std::atomic<int> calls{ 0 }, made{ 0 };
struct Thing {
    int value;
    Thing() : value(40 + ++made)
    {
    }
};

Thing &the_thing()
{
    static Thing thing;
    return thing;
}

#ifdef BY_HAND
void call_once()
{
    static std::atomic<bool> called{ false };
    if (!called.load()) {
        called.store(true);
        ++calls;
    }
}
#else
std::once_flag once;
int plain;

void call_once()
{
    std::call_once(once, [] {
        plain = 1;
        ++calls;
    });
    assert(plain == 1);
}
#endif

void work()
{
    call_once();
    assert(the_thing().value == 41);
}

} // namespace

int main()
{
    std::thread one(work), two(work);
    one.join();
    two.join();
    assert(calls.load() == 1 && made.load() == 1);
    return 0;
}
