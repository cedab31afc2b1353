// explore: --races interleave --test 'enq(1) deq() | enq(2) deq()' -- -DNO_REUSE
// expect: no violation
// needs: ck_hp_fifo.h
// explore: --races interleave --init 'enq(1)' --test 'deq() | deq() enq(2) deq()'
// expect: crash
// needs: ck_hp_fifo.h
// explore: --races interleave --init 'enq(1)' --test 'deq() | deq() enq(2) deq()' --preemptions 0
// expect: no violation
// needs: ck_hp_fifo.h
// explore: --races interleave --test 'enq(1) | enq(2) | enq(3) deq() deq()' -- -DFREES
// expect: use after free
// needs: ck_hp_fifo.h
// explore: --races interleave --test 'enq(1) | enq(2) enq(3) deq() deq()' --preemptions 3 -- -DFREES
// expect: use after free
// needs: ck_hp_fifo.h
// explore: --races interleave --test 'enq(1) deq() | enq(2) | enq(3) deq() deq() enq(4)' --preemptions 2
// expect: no violation
// needs: ck_hp_fifo.h
// explore: --races interleave --test 'enq(1) deq() | enq(2) | enq(3) deq() deq() enq(4)' --preemptions 3
// expect: not linearizable
// needs: ck_hp_fifo.h
// label: full
// explore: --races interleave --init 'enq(1)' --test 'deq() | deq() enq(2) deq()' -- -DCK_ASSEMBLY
// expect: crash
// needs: ck_hp_fifo.h
// machine: x86_64
// label: full

/* ck_hp_fifo has two faults, both where its hazard pointers are too late.
 *
 * A deq reads head and tail before it says that it reads head.  If it is held
 * up in between, the head may be taken, freed, used again and be the head once
 * more, now with nothing behind: the comparison of head and tail, with the tail
 * from before, does not notice, the head becomes NULL, and what is read there
 * is a crash.
 *
 * An enq protects the tail it has read, but links its cell behind the tail it
 * reads again (`&fifo->tail->next`), which may be another, unprotected one,
 * and freed by then.  If it is used again instead, and not yet in the queue, the
 * enq returns though nobody can find its item: a deq of the same process then
 * answers empty.  That takes three processes and three preemptions.
 *
 * Cells that nobody has declared hazardous are used again at once, by the same
 * process; FREES: by free() and malloc(); NO_REUSE: never.  Those that are
 * hazardous when they are given back are forgotten. */
#include "ck.h"

#include <ck_hp.h>
#include <ck_hp_fifo.h>
#include <plumb/object.h>
#include <stdlib.h>

static ck_hp_fifo_t fifo;
static ck_hp_t hazards = { .degree = CK_HP_FIFO_SLOTS_COUNT };
static void *slot[CK_PROCESSES][CK_HP_FIFO_SLOTS_COUNT];
static ck_hp_record_t record[CK_PROCESSES];

#ifdef FREES
static ck_hp_fifo_entry_t *get_cell(unsigned process)
{
    (void)process;
    ck_hp_fifo_entry_t *const c = malloc(sizeof *c);
    if (!c)
        abort();
    return c;
}

static void give_back(unsigned process, ck_hp_fifo_entry_t *c)
{
    (void)process;
    free(c);
}
#else
static ck_hp_fifo_entry_t cell[CK_PROCESSES][CK_CELLS];
static ck_hp_fifo_entry_t *spare[CK_PROCESSES];
static unsigned used[CK_PROCESSES];

static ck_hp_fifo_entry_t *get_cell(unsigned process)
{
    ck_hp_fifo_entry_t *const c = spare[process];
    spare[process] = NULL;
    return c ? c : &cell[process][used[process]++];
}

static void give_back(unsigned process, ck_hp_fifo_entry_t *c)
{
#ifndef NO_REUSE
    spare[process] = c;
#else
    (void)process;
    (void)c;
#endif
}
#endif

static bool is_hazardous(const void *c)
{
    for (unsigned p = 0; p < CK_PROCESSES; p++)
        for (unsigned s = 0; s < CK_HP_FIFO_SLOTS_COUNT; s++)
            if (ck_pr_load_ptr(&slot[p][s]) == c)
                return true;
    return false;
}

static void setup(void)
{
    for (unsigned p = 0; p < CK_PROCESSES; p++) {
        record[p].global = &hazards;
        record[p].pointers = slot[p];
    }
    ck_hp_fifo_init(&fifo, get_cell(0));
}

static void enq(plumb_invocation *i)
{
    const unsigned process = plumb_process(i);
    ck_hp_fifo_enqueue_mpmc(&record[process], &fifo, get_cell(process),
                            (void *)(uintptr_t)plumb_arg(i, 0));
    ck_hp_clear(&record[process]);
}

static void deq(plumb_invocation *i)
{
    const unsigned process = plumb_process(i);
    void *value = NULL;
    ck_hp_fifo_entry_t *const c =
        ck_hp_fifo_dequeue_mpmc(&record[process], &fifo, &value);
    ck_hp_clear(&record[process]);
    if (!c) {
        plumb_term(i, "empty");
        return;
    }
    plumb_return(i, (int64_t)(uintptr_t)value);
    if (!is_hazardous(c))
        give_back(process, c);
}

PLUMB_OBJECT(.name = "Q", .spec = "queue", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
