/* scheduler.c - see scheduler.h.
 *
 * Invariant: at most one process runs, and control passes from it directly to
 * the next one, in go_to().  `now` has all that an execution changes. */
#include "scheduler.h"

#include "fiber.h"
#include "image.h"
#include "runtime/common/invocation.h"
#include "test_heap.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORKERS = MAX_PROCESSES + 1,
    LEADER = MAX_PROCESSES, /* process 0 before and after the others run */
    VISITS = 8,             /* of a place, without progress: it spins        */
    ALONE = 1000,           /* points of an operation while nobody else runs */
    ROUNDS = 50,            /* everybody spins: how often each is asked again */
    MAX_POINTS = 20000,     /* of an execution                               */
    MAX_CHOICES = 1 << 16
};

/* A process, or the leader. */
struct worker {
    struct fiber fiber;
    char *locals;
    sched_condition *ready; /* NULL: it can go on */
    void *what;
    bool finished;
    bool called;        /* and did not pass a point since                */
    bool parked;        /* it spins: others first, until memory changes  */
    uint64_t parked_at; /* number of changes then                        */
    unsigned yields;    /* since it made progress                        */
    unsigned alone;     /* points it passed since somebody else ran      */
    /* To notice that it spins: points since it made progress, and how often
     * it came by a certain place.  The place is chosen anew after 1, 2, 4, 8
     * ... points, so that it is in the loop some time. */
    unsigned steps, visits;
    const void *mark, *mark_address;
};

struct choice {
    uint16_t options, taken;
};

static struct plan plan;
static struct fiber home; /* scheduler_next() */
static struct worker worker[WORKERS];
static struct choice choice[MAX_CHOICES];
static size_t choices; /* to be repeated; then those of the last execution */
static bool started;

static struct {
    struct worker *self;
    bool parallel;    /* the processes run, and not the leader */
    size_t choices;   /* taken so far */
    uint64_t changes; /* of memory    */
    unsigned rounds;  /* in which everybody only spun */
    struct run run;
} now;

/* ---- choices ---- */

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "schedules: %s\n", what);
    fflush(NULL);
    _Exit(2);
}

unsigned sched_choose(unsigned n)
{
    if (n < 2)
        return 0;
    if (now.choices == MAX_CHOICES || n > UINT16_MAX)
        give_up("an execution has too many choices");
    struct choice *const c = &choice[now.choices];
    if (now.choices == choices) {
        *c = (struct choice){ .options = (uint16_t)n };
        choices++;
    } else if (c->options != n) {
        give_up("an execution cannot be repeated: other choices are open");
    }
    now.choices++;
    return c->taken;
}

/* The next vector of choices in depth-first order. */
static bool choose_anew(void)
{
    while (choices &&
           choice[choices - 1].taken + 1 == choice[choices - 1].options)
        choices--;
    if (!choices)
        return false;
    choice[choices - 1].taken++;
    return true;
}

/* ---- who goes on ---- */

static unsigned number_of(const struct worker *w)
{
    return (unsigned)(w - worker);
}

static unsigned process_of(const struct worker *w)
{
    return w == &worker[LEADER] ? 0 : number_of(w);
}

unsigned sched_self(void)
{
    return process_of(now.self) + 1;
}

bool sched_owns(const void *address)
{
    return fiber_owns(&now.self->fiber, address);
}

static void note_stretch(const void *where)
{
    struct run *const r = &now.run;
    if (r->stretches < MAX_STRETCHES)
        r->stretch[r->stretches] =
            (struct stretch){ process_of(now.self), where };
    r->stretches++;
}

static _Noreturn void leave(enum ending ending, const void *where)
{
    note_stretch(where);
    now.run.ending = ending;
    fiber_switch(&now.self->fiber, &home);
    abort(); /* nobody comes back */
}

void sched_progress(void)
{
    now.changes++;
    now.rounds = 0;
    now.self->steps = now.self->visits = now.self->yields = 0;
}

static bool can_go_on(const struct worker *w)
{
    return !w->finished && (!w->ready || w->ready(w->what));
}

static bool is_awake(const struct worker *w)
{
    return !w->parked || now.changes > w->parked_at;
}

/* Switch, unless it is who runs already. */
static void go_to(struct worker *next, const void *where)
{
    struct worker *const self = now.self;
    if (next != self) {
        note_stretch(where);
        now.self = next;
        next->alone = 0;
        fiber_switch(&self->fiber, &next->fiber);
    }
    now.self->parked = false;
}

/* Everybody who could go on spins: they are asked in turn, without choices,
 * and if nothing comes of it for long, nothing ever will. */
static struct worker *somebody_who_spins(const void *where)
{
    const unsigned processes = plan.scenario->processes;
    if (++now.rounds <= ROUNDS * processes) {
        const unsigned self = number_of(now.self);
        for (unsigned i = 1; i <= processes; i++) {
            struct worker *const w = &worker[(self + i) % processes];
            if (can_go_on(w) && (!plan.serial || w == now.self)) {
                w->steps = w->visits = 0;
                return w;
            }
        }
    }
    leave(plan.serial ? BLOCKED : STUCK, where);
}

enum manner {
    PREEMPTED, /* the process could go on             */
    YIELDED,   /* it could, but gives way: no preemption */
    BETWEEN,   /* the same, between two operations    */
    WAITING    /* it cannot, or shall not             */
};

static unsigned list_options(enum manner manner, struct worker *option[WORKERS])
{
    unsigned count = 0;
    if (manner != WAITING)
        option[count++] = now.self;
    if (manner == PREEMPTED &&
        (now.run.preemptions >= plan.preemptions || now.rounds))
        return count;
    if (plan.serial && manner != BETWEEN && !now.self->finished)
        return count;
    for (unsigned i = 0; i < plan.scenario->processes; i++)
        if (&worker[i] != now.self && can_go_on(&worker[i]) &&
            is_awake(&worker[i]))
            option[count++] = &worker[i];
    return count;
}

static void let_somebody_go_on(enum manner manner, const void *where)
{
    struct worker *option[WORKERS];
    if (plan.serial && manner == PREEMPTED)
        return;
    const unsigned count = list_options(manner, option);
    if (!count) {
        go_to(somebody_who_spins(where), where);
        return;
    }
    struct worker *const next = option[sched_choose(count)];
    if (manner == PREEMPTED && next != now.self)
        now.run.preemptions++;
    go_to(next, where);
}

/* ---- points ---- */

static bool spins(struct worker *w, const void *where, const void *address)
{
    w->alone++;
    w->steps++;
    if ((w->steps & (w->steps - 1)) == 0) {
        w->mark = where;
        w->mark_address = address;
        w->visits = 0;
    } else if (w->mark == where && w->mark_address == address) {
        w->visits++;
    }
    return w->visits >= VISITS || w->alone >= ALONE;
}

static void park(struct worker *w, const void *where)
{
    w->parked = true;
    w->parked_at = now.changes;
    w->steps = w->visits = w->alone = 0;
    let_somebody_go_on(WAITING, where);
}

static void count_point(const void *where)
{
    if (++now.run.points > MAX_POINTS)
        leave(plan.serial ? BLOCKED : ENDLESS, where);
}

void sched_point(const void *where, const void *address)
{
    struct worker *const self = now.self;
    count_point(where);
    if (!now.parallel)
        return;
    now.run.steps++;
    if (spins(self, where, address)) {
        park(self, where);
        return;
    }
    const bool first = self->called;
    self->called = false;
    if (!first)
        let_somebody_go_on(PREEMPTED, where);
}

void sched_wait(const void *where, sched_condition *ready, void *what)
{
    struct worker *const self = now.self;
    self->ready = ready;
    self->what = what;
    if (ready(what))
        sched_point(where, what);
    while (!ready(what)) {
        count_point(where);
        if (!now.parallel)
            leave(STUCK, where);
        self->called = false;
        let_somebody_go_on(WAITING, where);
    }
    self->ready = NULL;
}

void sched_give_way(const void *where)
{
    struct worker *const self = now.self;
    count_point(where);
    if (!now.parallel)
        return;
    self->called = false;
    if (++self->yields > 1)
        park(self, where);
    else
        let_somebody_go_on(YIELDED, where);
}

void sched_dead_access(const void *where)
{
    if (!now.run.dead_accesses++)
        now.run.dead_where = where;
}

void sched_misuse(const char *what)
{
    give_up(what);
}

/* ---- one execution ---- */

static void note_event(unsigned op, bool is_return)
{
    now.run.event[now.run.events++] =
        (struct event){ .op = (uint8_t)op, .is_return = is_return };
}

static void perform(unsigned op)
{
    const struct invoked *const i = &plan.scenario->op[op];
    struct worker *const self = now.self;
    plumb_invocation call = {
        .entry = &now.run.entry[op],
        .process = i->process,
    };
    self->called = true;
    note_event(op, false);
    i->operation->run(&call);
    note_event(op, true);
    sched_progress();
    self->alone = 0;
}

static void perform_part(unsigned part)
{
    const struct scenario *const s = plan.scenario;
    for (unsigned i = 0; i < s->length[part]; i++) {
        if (i && now.parallel)
            let_somebody_go_on(plan.serial ? BETWEEN : PREEMPTED, NULL);
        perform(s->first[part] + i);
    }
}

/* All processes have come to their end, or somebody else can go on. */
static bool everybody_finished(void)
{
    for (unsigned i = 0; i < plan.scenario->processes; i++)
        if (!worker[i].finished)
            return false;
    return true;
}

static void be_process(void)
{
    perform_part(number_of(now.self));
    now.self->finished = true;
    if (everybody_finished())
        leave(COMPLETE, NULL);
    let_somebody_go_on(WAITING, NULL);
    abort();
}

static void prepare(void)
{
    if (plan.object->setup)
        plan.object->setup();
    perform_part(BEFORE);
    leave(COMPLETE, NULL);
}

static void conclude(void)
{
    perform_part(AFTER);
    if (plan.object->teardown)
        plan.object->teardown();
    leave(COMPLETE, NULL);
}

static bool run_leader(void (*entry)(void))
{
    struct worker *const w = &worker[LEADER];
    now.parallel = false;
    now.self = w;
    fiber_start(&w->fiber, entry);
    fiber_switch(&home, &w->fiber);
    if (now.run.ending == COMPLETE)
        now.run.stretches--; /* only where it is stuck is of interest */
    return now.run.ending == COMPLETE;
}

static bool run_processes(void)
{
    const unsigned processes = plan.scenario->processes;
    for (unsigned i = 0; i < processes; i++)
        fiber_start(&worker[i].fiber, be_process);
    now.parallel = true;
    now.self = &worker[sched_choose(processes)];
    fiber_switch(&home, &now.self->fiber);
    return now.run.ending == COMPLETE;
}

static void start_afresh(void)
{
    char *block[WORKERS];
    for (unsigned i = 0; i < WORKERS; i++) {
        const struct fiber fiber = worker[i].fiber;
        char *const locals = worker[i].locals;
        worker[i] = (struct worker){ .fiber = fiber, .locals = locals };
        block[i] = locals;
    }
    if (!plan.again || now.run.ending != COMPLETE) {
        image_restore(block, WORKERS);
        test_heap_reset();
    }
    memset(&now, 0,
           offsetof(struct run, event) + offsetof(__typeof__(now), run));
    now.run.stretches = 0;
    for (unsigned i = 0; i < plan.scenario->count; i++)
        now.run.entry[i] = plan.scenario->op[i].entry;
}

bool scheduler_next(const struct run **run)
{
    if (started && !choose_anew())
        return false;
    started = true;
    start_afresh();
    const size_t used = test_heap_used();
    if (run_leader(prepare) && run_processes() && run_leader(conclude))
        now.run.left = test_heap_used() - used;
    if (now.choices != choices)
        give_up("an execution cannot be repeated: it ends early");
    *run = &now.run;
    return true;
}

/* ---- before the first ---- */

static void find_locals(void)
{
    now.self->locals = image_thread_locals();
    fiber_switch(&now.self->fiber, &home);
    abort();
}

bool scheduler_init(const struct plan *given)
{
    plan = *given;
    fiber_adopt(&home);
    if (!test_heap_init())
        return false;
    for (unsigned i = 0; i < WORKERS; i++) {
        now.self = &worker[i];
        if (!fiber_make(&worker[i].fiber)) {
            fprintf(stderr, "schedules: no memory for a process\n");
            return false;
        }
        if (i == LEADER) /* they are one thread */
            worker[i].fiber.thread_pointer = worker[0].fiber.thread_pointer;
        fiber_start(&worker[i].fiber, find_locals);
        fiber_switch(&home, &worker[i].fiber);
    }
    return true;
}
