// number.cpp - an object in C++, and its parts in C.
#include "slow_queue.h"

#include <atomic>
#include <memory>
#include <plumb/object.h>

static std::unique_ptr<std::atomic<int64_t>> number;

static void setup()
{
    number = std::make_unique<std::atomic<int64_t>>(0);
}

static void inc(plumb_invocation *)
{
    number->fetch_add(1);
}

static void get(plumb_invocation *i)
{
    plumb_return(i, number->load());
}

#ifdef WITH_QUEUE
static void reset(plumb_invocation *)
{
    slow_queue_clear();
}
#endif

PLUMB_OBJECT(.spec = "counter", .setup = setup,
             .operations = { { "inc", inc },
                             { "get", get },
#ifdef WITH_QUEUE
                             { "reset", reset },
#endif
             });
