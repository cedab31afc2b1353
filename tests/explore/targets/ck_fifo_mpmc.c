// explore: --races interleave --init 'enq(1) enq(2)' --test 'deq() | deq() enq(3)' -- -mcx16
// expect: not linearizable
// needs: ck_fifo.h
// explore: --races interleave --init 'enq(1) enq(2)' --test 'deq() | deq() enq(3)' --preemptions 0 -- -mcx16
// expect: no violation
// needs: ck_fifo.h
// explore: --races interleave --init 'enq(1) enq(2)' --test 'deq() | deq() enq(3)' -- -mcx16 -DNO_REUSE
// expect: no violation
// needs: ck_fifo.h
// explore: --races interleave --test 'enq(1) deq() | enq(2) deq()' -- -mcx16
// expect: no violation
// needs: ck_fifo.h
// explore: --races interleave --init 'enq(1) enq(2)' --test 'deq() | deq() enq(3)' -- -mcx16 -DCK_ASSEMBLY
// expect: not linearizable
// needs: ck_fifo.h
// machine: x86_64
// explore: --races interleave --test 'enq(1) deq() | enq(2) deq()' -- -mcx16 -DCK_ASSEMBLY
// expect: no violation
// needs: ck_fifo.h
// machine: x86_64
// label: full

/* ck_fifo_mpmc: a deq that has read head and tail is held up; another empties
 * the cell it has seen and enqueues it again, so that its link is NULL.  The
 * first then finds head equal to tail, as they were, and nothing behind: it
 * answers empty, though the queue held something all the time. */
#include "ck.h"

#include <ck_fifo.h>
#include <plumb/object.h>

static ck_fifo_mpmc_t fifo;
static struct ck_fifo_mpmc_entry stub, cell[CK_PROCESSES][CK_CELLS];
static struct ck_fifo_mpmc_entry *spare[CK_PROCESSES];
static unsigned used[CK_PROCESSES];

static void setup(void)
{
    ck_fifo_mpmc_init(&fifo, &stub);
}

static struct ck_fifo_mpmc_entry *get_cell(unsigned process)
{
    struct ck_fifo_mpmc_entry *const c = spare[process];
    spare[process] = NULL;
    return c ? c : &cell[process][used[process]++];
}

static void enq(plumb_invocation *i)
{
    ck_fifo_mpmc_enqueue(&fifo, get_cell(plumb_process(i)),
                         (void *)(uintptr_t)plumb_arg(i, 0));
}

static void deq(plumb_invocation *i)
{
    void *value = NULL;
    struct ck_fifo_mpmc_entry *garbage = NULL;
    if (!ck_fifo_mpmc_dequeue(&fifo, &value, &garbage)) {
        plumb_term(i, "empty");
        return;
    }
    plumb_return(i, (int64_t)(uintptr_t)value);
#ifndef NO_REUSE
    spare[plumb_process(i)] = garbage;
#endif
}

PLUMB_OBJECT(.name = "Q", .spec = "queue", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
