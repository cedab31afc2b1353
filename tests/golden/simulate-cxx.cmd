# An object in C++, which throws.
command -v c++ >/dev/null || exit 77
cat >deque.cc <<"END"
#include <deque>
#include <mutex>
#include <plumb/object.h>
#include <stdexcept>

static std::deque<int64_t> items;
static std::mutex lock;

static void setup() { items.clear(); }
static void enq(plumb_invocation *i)
{
    std::lock_guard<std::mutex> guard(lock);
    items.push_back(plumb_arg(i, 0));
}
static void deq(plumb_invocation *i)
{
    std::lock_guard<std::mutex> guard(lock);
    if (items.empty()) {
#ifdef THROWS
        throw std::runtime_error("empty");
#endif
        plumb_term(i, "empty");
        return;
    }
    plumb_return(i, items.FRONT());
    items.pop_front();
}
PLUMB_OBJECT(.name = "D", .spec = "queue", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } },
                             { "deq", deq } });
END
plumb simulate -q -c deque.cc -d --histories 200 -- -DFRONT=front
plumb simulate -q -c deque.cc -d --histories 200 -- -DFRONT=back |
    sed "s/#[0-9]*/#N/"
plumb simulate -q -c deque.cc -d -p1 --histories 200 -- -DFRONT=front \
    -DTHROWS 2>said | sed "s/#[0-9]*/#N/"
grep "what()" said
