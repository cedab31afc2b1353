// explore:
// expect: no violation
// explore: -- -DUNCAUGHT
// expect: abort

// Both threads throw, and switch while an exception is on its way: in
// destructors that it passes and in handlers.  UNCAUGHT: one has no handler in
// one of the schedules.
#include <atomic>
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

namespace
{

std::atomic<int> passed{ 0 };

struct Guard {
    const int expected;
    ~Guard()
    {
        assert(std::uncaught_exceptions() == expected);
        ++passed;
        assert(std::uncaught_exceptions() == expected);
    }
};

void fail(int depth, const std::string &why)
{
    const Guard guard{ 1 };
    if (depth == 0)
        throw std::runtime_error(why);
    fail(depth - 1, why);
}

void work(const char *why)
{
    try {
        fail(1, why);
        passed = -100; // nobody comes here
    } catch (const std::runtime_error &error) {
        assert(std::uncaught_exceptions() == 0);
        ++passed;
        assert(error.what() == std::string(why));
        try {
            throw 5;
        } catch (int five) {
            ++passed;
            assert(five == 5);
        }
        assert(error.what() == std::string(why));
    }
    const Guard guard{ 0 };
#ifdef UNCAUGHT
    if (passed.load() < 8)
        throw 7;
#endif
}

} // namespace

int main()
{
    std::thread one(work, "the first of them fails"), two(work, "so does two");
    one.join();
    two.join();
    assert(passed.load() == 10);
    return 0;
}
