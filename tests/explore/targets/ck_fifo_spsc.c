// explore: --races interleave --test 'deq() deq() | enq(1) enq(2)'
// expect: no violation
// needs: ck_fifo.h
// explore: --races interleave --init 'enq(1)' --test 'deq() deq() | enq(2) enq(3) enq(4)'
// expect: no violation
// needs: ck_fifo.h
// explore: --test 'deq() deq() | enq(1) enq(2)' -- -DCK_ASSEMBLY
// expect: no violation
// needs: ck_fifo.h
// machine: x86_64

/* ck_fifo_spsc, one process at either end; cells come back by recycle(). */
#include "ck.h"

#include <ck_fifo.h>
#include <plumb/object.h>

static ck_fifo_spsc_t fifo;
static ck_fifo_spsc_entry_t cell[CK_CELLS];
static unsigned used;

static ck_fifo_spsc_entry_t *get_cell(void)
{
    ck_fifo_spsc_entry_t *const c = ck_fifo_spsc_recycle(&fifo);
    return c ? c : &cell[used++];
}

static void setup(void)
{
    ck_fifo_spsc_init(&fifo, &cell[used++]);
}

static void enq(plumb_invocation *i)
{
    ck_fifo_spsc_enqueue(&fifo, get_cell(), (void *)(uintptr_t)plumb_arg(i, 0));
}

static void deq(plumb_invocation *i)
{
    void *value = NULL;
    if (ck_fifo_spsc_dequeue(&fifo, &value))
        plumb_return(i, (int64_t)(uintptr_t)value);
    else
        plumb_term(i, "empty");
}

PLUMB_OBJECT(.name = "Q", .spec = "queue", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } },
                             { "deq", deq, .by = PLUMB_BY_FIRST } });
