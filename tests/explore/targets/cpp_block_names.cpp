// explore: -- -std=c++20 -DALLOCATOR
// expect: assertion failed
// says: store Slot#1\+64 ← 7
// explore: -- -std=c++20 -DVECTOR
// expect: assertion failed
// says: store Pair#1\[1\].second ← 7
// explore: -- -std=c++20 -DDERIVED
// expect: assertion failed
// says: store Base#1\+16 ← 7
// explore: -- -std=c++20 -DSECOND_BASE
// expect: assertion failed
// says: store heap#1\+8 ← 7
// explore: -- -std=c++20 -DARRAY
// expect: assertion failed
// says: store heap#1\+24 ← 7
// explore: -- -std=c++20 -DUNIQUE
// expect: assertion failed
// says: store Pair#1.second ← 7
// explore: -- -std=c++20 -DSHARED
// expect: assertion failed
// says: store _Sp_counte.*#1(\+24|[.]_M_impl\+8) ← 7
// explore: -- -std=c++20 -DWORDS
// expect: assertion failed
// says: store heap#1\+8 ← 7

// Blocks that operator new allocates: pointers to them tell what they are, and a
// type of the same size does not.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

struct alignas(64) Slot {
    std::atomic<long> turn;
};
struct Ring {
    alignas(64) std::atomic<Slot *> slots;
    alignas(64) std::atomic<long> head;
    alignas(64) std::atomic<long> tail;
};
struct Pair {
    std::atomic<long> first, second;
    ~Pair()
    {
    }
};
struct Base {
    std::atomic<long> base;
    virtual ~Base()
    {
    }
};
struct Derived : Base {
    std::atomic<long> derived, more;
};
struct Left {
    std::atomic<long> left;
};
struct Right {
    std::atomic<long> right;
};
struct Both : Left, Right {
};

std::atomic<Ring *> ring;
std::atomic<Base *> base;
std::atomic<Derived *> derived;
std::atomic<Right *> right;
std::atomic<Pair *> pairs;
std::atomic<void *> any;
std::unique_ptr<Pair> unique;
std::shared_ptr<Pair> shared;
std::atomic<std::vector<Pair> *> vector;

[[gnu::noinline]] void keep(std::shared_ptr<Pair> pointer)
{
    any = pointer.get();
}

static void store()
{
#if defined(ALLOCATOR)
    Ring *const r = new Ring;
    ring = r;
    r->slots = std::allocator<Slot>().allocate(3);
    r->slots.load()[1].turn = 7;
#elif defined(VECTOR)
    vector = new std::vector<Pair>(3);
    for (Pair &p : *vector.load())
        p.second = 7;
#elif defined(DERIVED)
    Derived *const d = new Derived;
    base = d;
    d->derived = 7;
#elif defined(SECOND_BASE)
    Both *const both = new Both;
    right = both;
    both->right = 7;
#elif defined(ARRAY)
    Pair *const p = new Pair[2];
    pairs = p;
    p[1].first = 7;
#elif defined(UNIQUE)
    unique = std::make_unique<Pair>();
    unique->second = 7;
#elif defined(SHARED)
    shared = std::make_shared<Pair>();
    keep(shared);
    shared->second = 7;
#else
    std::atomic<long> *const words = new std::atomic<long>[2];
    any = words;
    words[1] = 7;
#endif
}

int main()
{
    store();
    assert(!"the end");
    return 0;
}
