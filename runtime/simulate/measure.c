/* measure.c - how fast an object is, when nobody looks at what it answers.
 *
 * The processes do their operations in rounds, each on an object of its own:
 *
 *     P1   setup init | operations ...         | teardown | setup init | ...
 *     P2         wait |    operations ...      | wait                  | ...
 *                      ^                       ^
 *                      the first one begins    the last one ends: measured
 *
 * Only what lies inside rounds counts.  There the processes share nothing of
 * ours that changes: each writes to its own entry and tally, and all read
 * `over`.  Reading the clock costs as much as a fast operation, so it is read
 * for one operation in MEASURE_SAMPLE.  The first round finds caches cold and
 * memory not mapped: it does not count, unless it is a long one.
 *
 * Processes are shared out among the processors and stay there
 * (processors.h).
 *
 * Operations that were seen to wait for ever are invoked with care: by a
 * process that has served more often than it was served (menu.h).  This holds
 * at every moment for every process by itself, so a round may be cut short
 * anywhere and nobody is left waiting. */
#include "worker.h"

#include "counts.h"
#include "record/menu.h"
#include "runtime/common/gate.h"
#include "runtime/common/invocation.h"
#include "runtime/common/processors.h"
#include "runtime/common/wait.h"
#include <string.h>

struct gauge {
    struct worker_shared *s;
    const struct plumb_object *object;
    struct plumb_record_menu menu;
    struct worker_script init;
    struct runtime_gate begun;   /* the number of the round that may run, + 1 */
    struct runtime_gate arrived; /* processes that stand at its start         */
    struct runtime_gate done;    /* followers that have run it                */
    cpu_set_t processors; /* those that may be used; empty if not known */
};

/* Aligned: processes must not share a cache line that they write to. */
struct runner {
    _Alignas(CACHE_LINE) struct gauge *g;
    unsigned number; /* from 0 */
    uint32_t done;   /* operations, in all rounds */
    struct plumb_record_guest guest;
};

/* ---- a process's part of a round ---- */

/* One of MEASURE_ENTRIES, of which the others keep neighbours apart. */
static struct plumb_record_entry *entry_of(const struct runner *r)
{
    return worker_shared_entries(r->g->s, 0, r->number);
}

static bool is_over(struct worker_shared *s)
{
    return atomic_load_explicit(&s->over, memory_order_relaxed);
}

/* Call the operation of an entry that is ready; false if it blocked. */
static bool invoke(struct runner *r, struct plumb_record_entry *e, bool timed)
{
    struct gauge *const g = r->g;
    struct worker_tally *const tally = &g->s->tally[r->number];
    const struct plumb_operation *const o =
        &g->object->operations[e->operation];
    plumb_invocation i = { .entry = e, .process = r->number };
    worker_counts_begin(tally, e->operation, &r->guest.rng);
    if (timed)
        worker_counts_run(o, &i, tally);
    else
        o->run(&i);
    /* relaxed: the parent asks only whether anything happens at all */
    atomic_store_explicit(&e->ret, 1, memory_order_relaxed);
    atomic_store_explicit(worker_shared_count(g->s, 0, r->number), ++r->done,
                          memory_order_relaxed);
    tally->calls[e->operation] += !e->blocked;
    return !e->blocked;
}

/* All begin at once: a short round that one process has begun late is one in
 * which nobody meets anybody. */
static void await_the_others(struct gauge *g)
{
    const unsigned all = g->s->with.processes;
    runtime_gate_raise(&g->arrived, all);
    runtime_gate_await(&g->arrived, all);
}

static void run_part(struct runner *r)
{
    struct gauge *const g = r->g;
    struct worker_tally *const tally = &g->s->tally[r->number];
    struct plumb_record_entry *const e = entry_of(r);
    const unsigned length = g->s->with.operations;
    bool running = true;
    await_the_others(g);
    tally->began = runtime_nanoseconds_now();
    for (unsigned n = 1; running && n <= length && (n == 1 || !is_over(g->s));
         n++)
        running = plumb_record_menu_choose(&g->menu, &r->guest, e) &&
                  invoke(r, e, n % MEASURE_SAMPLE == 0);
    tally->ended = runtime_nanoseconds_now();
}

static void enter_round(struct runner *r, uint64_t round)
{
    r->guest =
        (struct plumb_record_guest){ .process = r->number, .careful = true };
    plumb_base_rng_seed(&r->guest.rng, worker_seed(r->g->s, round, r->number));
}

/* ---- followers ---- */

static void *follow(void *context)
{
    struct runner *const r = context;
    struct worker_shared *const s = r->g->s;
    runtime_processors_take(&r->g->processors, r->number);
    for (uint64_t round = s->first;; round++) {
        runtime_gate_await(&r->g->begun, (uint32_t)round + 1);
        enter_round(r, round);
        run_part(r);
        runtime_gate_raise(&r->g->done, s->with.processes - 1);
    }
    return NULL;
}

/* ---- the leader ---- */

/* Not counted, nor timed. */
static void run_script(struct runner *r, struct worker_script script)
{
    struct plumb_record_entry *const e = entry_of(r);
    struct worker_tally *const tally = &r->g->s->tally[0];
    for (unsigned n = 0; n < script.count; n++) {
        *e = script.entry[n];
        if (!invoke(r, e, false))
            return;
        tally->calls[e->operation]--;
    }
}

/* From the first process's beginning to the last one's end. */
static uint64_t round_time(const struct worker_shared *s)
{
    uint64_t began = UINT64_MAX, ended = 0;
    for (unsigned p = 0; p < s->with.processes; p++) {
        const struct worker_tally *const t = &s->tally[p];
        began = t->began < began ? t->began : began;
        ended = t->ended > ended ? t->ended : ended;
    }
    return ended - began;
}

static void run_round(struct runner *leader, uint64_t round)
{
    struct gauge *const g = leader->g;
    struct worker_shared *const s = g->s;
    worker_set_phase(s, PHASE_SETUP);
    if (g->object->setup)
        g->object->setup();
    worker_set_phase(s, PHASE_RUNNING);
    enter_round(leader, round);
    run_script(leader, g->init);
    runtime_gate_reset(&g->done);
    runtime_gate_reset(&g->arrived);
    runtime_gate_set(&g->begun, (uint32_t)round + 1);
    run_part(leader);
    runtime_gate_await(&g->done, s->with.processes - 1);
    s->measured += round_time(s);
    worker_set_phase(s, PHASE_TEARDOWN);
    if (g->object->teardown)
        g->object->teardown();
    atomic_store_explicit(&s->finished, round + 1, memory_order_release);
}

/* While no process runs. */
static void forget_rounds(struct worker_shared *s)
{
    memset(s->tally, 0, s->with.processes * sizeof *s->tally);
    s->measured = 0;
}

static void prepare(struct gauge *g, struct runner *runner)
{
    struct worker_shared *const s = g->s;
    plumb_record_menu_init(&g->menu, g->object, s->with.operations);
    g->menu.waiting = s->waiting;
    for (unsigned p = 0; p < s->with.processes; p++) {
        runner[p] = (struct runner){ .g = g, .number = p };
        /* no call is open yet */
        atomic_store_explicit(&entry_of(&runner[p])->ret, 1,
                              memory_order_relaxed);
    }
}

/* At least one, and at least one that counts. */
static void run_rounds(struct runner *leader)
{
    struct worker_shared *const s = leader->g->s;
    bool counts;
    uint64_t round = s->first;
    do {
        run_round(leader, round);
        counts =
            round > s->first || is_over(s) || s->measured > s->with.warm_up;
        if (!counts)
            forget_rounds(s);
        round++;
    } while (!counts || !is_over(s));
}

bool worker_measure_run(struct worker_shared *s,
                        const struct plumb_object *object,
                        struct worker_script init)
{
    static struct runner runner[PLUMB_MAX_PROCESSES];
    static struct gauge g;
    g = (struct gauge){ .s = s, .object = object, .init = init };
    prepare(&g, runner);
    g.processors = runtime_processors_here();
    for (unsigned p = 1; p < s->with.processes; p++)
        if (!worker_start_follower(follow, &runner[p]))
            return false;
    runtime_processors_take(&g.processors,
                            0); /* after the others were made: inherited */
    run_rounds(&runner[0]);
    worker_set_phase(s, PHASE_OVER);
    return true;
}

/* ---- what measuring costs ---- */

static void do_nothing(plumb_invocation *i)
{
    (void)i;
}

void worker_measure_nothing(struct worker_shared *s)
{
    static const struct plumb_object nothing = {
        .operations = { { .name = "nothing",
                          .run = do_nothing,
                          .args = { PLUMB_FRESH } } }
    };
    struct gauge g = { .s = s, .object = &nothing };
    struct runner runner = { .g = &g };
    uint64_t fastest = UINT64_MAX;
    prepare(&g, &runner);
    for (unsigned n = 0; n < MEASURE_EMPTY_ROUNDS; n++) {
        forget_rounds(s);
        run_round(&runner, s->first + n);
        fastest = s->measured < fastest ? s->measured : fastest;
    }
    s->measured = fastest;
}
