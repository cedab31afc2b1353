// explore: --test 'push(1) pop() | push(2) pop()'
// expect: no violation
// explore: --test 'push(1) pop() | push(2) pop()' -- -DHASTY
// expect: not linearizable

// An object in C++ with its harness: a stack behind a lock.  HASTY says that it
// is empty when the lock is taken.
#include <mutex>
#include <vector>

#include <plumb/object.h>

namespace
{

class Stack
{
    std::mutex lock;
    std::vector<int64_t> items;

  public:
    void push(int64_t item)
    {
        const std::lock_guard<std::mutex> guard(lock);
        items.push_back(item);
    }

    bool pop(int64_t *item)
    {
#ifdef HASTY
        const std::unique_lock<std::mutex> guard(lock, std::try_to_lock);
        if (!guard.owns_lock())
            return false;
#else
        const std::lock_guard<std::mutex> guard(lock);
#endif
        if (items.empty())
            return false;
        *item = items.back();
        items.pop_back();
        return true;
    }
};

Stack *stack;

void setup()
{
    stack = new Stack;
}

void teardown()
{
    delete stack;
}

void push(plumb_invocation *i)
{
    stack->push(plumb_arg(i, 0));
}

void pop(plumb_invocation *i)
{
    int64_t item = 0;
    if (stack->pop(&item))
        plumb_return(i, item);
    else
        plumb_term(i, "empty");
}

} // namespace

PLUMB_OBJECT(.name = "S", .spec = "stack", .setup = setup, .teardown = teardown,
             .operations = { { "push", push, { PLUMB_FRESH } },
                             { "pop", pop } });
