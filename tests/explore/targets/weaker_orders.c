// explore: --test 'inc() | get()' -- -DORDER=memory_order_relaxed
// expect: no violation
// says: consistent\. 2 lines ask for weaker
// says: \(weaker_orders\.c:2[1-9], 2[1-9]\); a missing barrier
// explore: --test 'inc() | get()' --strategy dpor -j 3 -- -DORDER=memory_order_relaxed
// expect: no violation
// says: consistent\. 2 lines ask for weaker
// explore: --test 'inc() | get()' -- -DORDER=memory_order_seq_cst
// expect: no violation
// says: Memory was sequentially consistent\.$

/* Memory is sequentially consistent in every execution: a pass names the lines
 * that ask for less.  What runs before all threads does not count. */
#include <plumb/object.h>
#include <stdatomic.h>

static _Atomic int64_t value;

static void inc(plumb_invocation *i)
{
    (void)i;
    atomic_fetch_add_explicit(&value, 1, ORDER);
}
static void get(plumb_invocation *i)
{
    plumb_return(i, atomic_load_explicit(&value, ORDER));
}
static void setup(void)
{
    atomic_store_explicit(&value, 0, memory_order_relaxed);
}

PLUMB_OBJECT(.name = "C", .spec = "counter", .setup = setup,
             .operations = { { "inc", inc }, { "get", get } });
