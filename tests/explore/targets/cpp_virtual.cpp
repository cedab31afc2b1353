// explore:
// expect: no violation
// explore: -- -DEARLY
// expect: use after free

// Virtual calls on objects that others publish, and their destruction through a
// base.  EARLY destroys before the other has done with it.
#include <atomic>
#include <cassert>
#include <thread>

namespace
{

std::atomic<int> alive{ 0 };

struct Shape {
    Shape()
    {
        ++alive;
    }
    virtual ~Shape()
    {
        --alive;
    }
    virtual int area() const = 0;
};

struct Square : Shape {
    std::atomic<int> side{ 3 };
    int area() const override
    {
        return side * side;
    }
};

struct Tile : Square {
    int area() const override
    {
        return Square::area() + 1;
    }
};

std::atomic<Shape *> published{ nullptr };
std::atomic<bool> done{ false };

void makes()
{
    Shape *const shape = new Tile;
    published.store(shape);
#ifndef EARLY
    while (!done.load())
        std::this_thread::yield();
#endif
    delete shape;
}

void uses()
{
    if (const Shape *const shape = published.load())
        assert(shape->area() == 10);
    done.store(true);
}

} // namespace

int main()
{
    std::thread one(makes), two(uses);
    one.join();
    two.join();
    assert(alive.load() == 0);
    return 0;
}
