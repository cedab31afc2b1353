/* accesses.cc - what C++ adds: virtual tables, std::atomic, exceptions. */
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace
{

struct Shape {
    virtual ~Shape() = default;
    virtual int area() const
    {
        return 0;
    }
    int tag = 1;
};

struct Square : Shape {
    explicit Square(int s) : side(s)
    {
        tag = area();
    }
    int area() const override
    {
        return side * side;
    }
    int side;
};

struct Cube : Square {
    using Square::Square;
    ~Cube() override
    {
        std::printf("cube of %d\n", area());
    }
    int area() const override
    {
        return 6 * Square::area();
    }
};

void virtual_functions()
{
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.push_back(std::make_unique<Shape>());
    shapes.push_back(std::make_unique<Square>(3));
    shapes.push_back(std::make_unique<Cube>(2));
    for (const auto &s : shapes)
        std::printf("%d %d\n", s->area(), s->tag);
}

struct Small {
    std::int32_t a, b;
};

struct Wide {
    std::uint64_t a, b;
};

void structures()
{
    std::atomic<Small> small(Small{ 1, 2 });
    Small seen = small.load();
    bool done = small.compare_exchange_strong(seen, Small{ 3, 4 });
    std::printf("%d %d %d\n", done, small.load().a, small.load().b);
#ifdef __x86_64__
    alignas(16) std::atomic<Wide> wide(Wide{ 5, 6 });
    Wide expected{ 5, 7 };
    done = wide.compare_exchange_strong(expected, Wide{ 8, 9 });
    std::printf("%d %d %d\n", done, int(expected.a), int(expected.b));
    done = wide.compare_exchange_weak(expected, Wide{ 8, 9 });
    std::printf("%d %d\n", done, int(wide.exchange(Wide{ 1, 1 }).b));
#endif
}

void scalars()
{
    std::atomic<int> n(5);
    std::atomic<bool> flag(false);
    std::atomic<const char *> text("abc");
    std::atomic_flag taken = ATOMIC_FLAG_INIT;
    n += 3;
    n ^= 12;
    flag.store(true, std::memory_order_release);
    const bool first = !taken.test_and_set();
    std::printf("%d %d %s %d\n", n.load(), flag.load(), text.exchange("x") + 1,
                first && taken.test_and_set());
}

void threads()
{
    std::atomic<unsigned> n(0);
    const auto work = [&n] {
        for (int i = 0; i < 20000; i++)
            n.fetch_add(1, std::memory_order_relaxed);
    };
    std::thread a(work), b(work);
    a.join();
    b.join();
    std::printf("%u\n", n.load());
}

int thrower(int depth)
{
    const std::string local(std::size_t(depth), 'x');
    if (depth == 0)
        throw std::runtime_error("thrown");
    return thrower(depth - 1) + int(local.size());
}

int once()
{
    static const int made = std::printf("made once\n");
    return made;
}

} // namespace

int main()
{
    virtual_functions();
    structures();
    scalars();
    threads();
    try {
        std::printf("%d\n", thrower(5));
    } catch (const std::exception &e) {
        std::printf("%s\n", e.what());
    }
    std::printf("%d\n", once() + once());
    return 0;
}
