// explore:
// expect: no violation in [0-9]+ tests \(up to 2 threads
// explore: -- -DANYONE
// expect: not linearizable
// explore: --spec infer
// expect: no violation

/* A ring for one producer and one consumer, who are the first and the second
 * thread; with ANYONE it is used as if it were for more. */
#include <plumb/object.h>
#include <stdatomic.h>

enum { SIZE = 2 };
static atomic_uint head, tail;
static _Atomic int64_t item[SIZE];

#ifdef ANYONE
#define BY_FIRST  PLUMB_BY_ANY
#define BY_SECOND PLUMB_BY_ANY
#define THREADS   0
#else
#define BY_FIRST  PLUMB_BY_FIRST
#define BY_SECOND PLUMB_BY_SECOND
#define THREADS   2
#endif

static void setup(void)
{
    head = tail = 0;
}

static void enq(plumb_invocation *i)
{
    const unsigned at = tail;
    if (at - head == SIZE) {
        plumb_term(i, "full");
        return;
    }
    item[at % SIZE] = plumb_arg(i, 0);
    tail = at + 1;
}

static void deq(plumb_invocation *i)
{
    const unsigned at = head;
    if (at == tail) {
        plumb_term(i, "empty");
        return;
    }
    plumb_return(i, item[at % SIZE]);
    head = at + 1;
}

PLUMB_OBJECT(.name = "R", .spec = "queue:cap=2", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH }, BY_FIRST },
                             { "deq", deq, { { 0 } }, BY_SECOND } },
             .threads = THREADS);
