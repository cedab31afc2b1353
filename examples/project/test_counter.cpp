/* test_counter.cpp - an object in C++. */
#include <atomic>
#include <plumb/object.h>

static std::atomic<int64_t> count;

static void setup(void)
{
    count = 0;
}

static void inc(plumb_invocation *)
{
    ++count;
}

static void get(plumb_invocation *i)
{
    plumb_return(i, count);
}

PLUMB_OBJECT(.name = "counter", .spec = "counter", .setup = setup,
             .operations = { { "inc", inc }, { "get", get } });
