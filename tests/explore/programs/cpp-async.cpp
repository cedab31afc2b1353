// explore:
// expect: no violation
// explore: --strategy dpor
// expect: no violation
// explore: -- -DBROKEN
// expect: abort
//
// A result, or an exception, that another thread leaves in a future.
#include <cassert>
#include <future>
#include <stdexcept>

int main()
{
    std::future<int> good = std::async(std::launch::async, [] { return 3; });
    std::promise<int> promise;
    std::thread t([&] {
        promise.set_exception(
            std::make_exception_ptr(std::runtime_error("no")));
    });
    bool caught = false;
#if defined(BROKEN)
    promise.get_future().get();
#else
    try {
        promise.get_future().get();
    } catch (const std::runtime_error &) {
        caught = true;
    }
    assert(caught);
#endif
    t.join();
    assert(good.get() == 3);
    (void)caught;
}
