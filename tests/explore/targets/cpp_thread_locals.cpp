// explore:
// expect: no violation
// explore: -- -DLEAK_POINTER
// expect: use after free

// Objects of threads: made when first used, destroyed when the thread ends.
// LEAK_POINTER: another looks at what such an object owned.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

namespace
{

std::atomic<int> made{ 0 }, destroyed{ 0 };
std::atomic<const std::atomic<int> *> seen{ nullptr };

struct Record {
    std::unique_ptr<std::atomic<int>> value{ new std::atomic<int>(++made) };
    ~Record()
    {
        ++destroyed;
    }
};

thread_local Record record;

void work()
{
    const int own = record.value->load();
    assert(own == 1 || own == 2);
    seen.store(record.value.get());
    assert(record.value->load() == own);
}

void look()
{
    work();
#ifdef LEAK_POINTER
    assert(seen.load()->load() <= 2);
#endif
}

} // namespace

int main()
{
    std::thread one(work), two(look);
    one.join();
    two.join();
    assert(made.load() == 2 && destroyed.load() == 2);
    return 0;
}
