/* worker.c - the process that runs an object's histories.
 *
 * Process P1 is the leader and runs in the main thread: it sets the object up,
 * lets the followers go, does its own part, waits for them and tears the
 * object down.  The followers are threads that live as long as the worker.
 *
 *     leader     setup init |  P1  | wait      final teardown | setup ...
 *     follower        wait  |  P2     |             wait        | P2
 *
 * Measuring an object is another loop: measure.c. */
#include "worker.h"

#include "counts.h"
#include "noise.h"
#include "record/menu.h"
#include "runtime/common/gate.h"
#include "runtime/common/invocation.h"
#include "runtime/common/wait.h"
#include <assert.h>
#include <pthread.h>

enum { NEVER = -(1 << 30) }; /* may a careful process invoke what waits */

struct worker {
    struct worker_shared *s;
    const struct plumb_object *object;
    struct plumb_record_menu menu;
    struct worker_script init, final;
    /* Of this history; written by the leader before it begins. */
    bool careful;
    uint64_t producers; /* a bit per process that invokes nothing that waits */
    int credit;         /* how often each of the others may, to begin with   */
    unsigned noise;     /* how often each process pauses, on the average     */
    struct runtime_gate begun; /* the number of the history that may run, + 1 */
    struct runtime_gate done;  /* how many followers have run it              */
};

struct process {
    struct worker *w;
    unsigned number; /* from 0 */
    uint64_t history;
    struct plumb_record_guest guest;
};

/* ---- one process's part of a history ---- */

/* Call the operation of an entry that is ready; false if it blocked. */
static bool invoke(struct process *p, struct plumb_record_entry *e)
{
    struct worker *const w = p->w;
    struct worker_tally *const tally = &w->s->tally[p->number];
    const struct plumb_operation *const o =
        &w->object->operations[e->operation];
    _Atomic uint32_t *const count =
        worker_shared_count(w->s, p->history, p->number);
    plumb_invocation i = { .entry = e, .process = p->number };
    worker_counts_begin(tally, e->operation, &p->guest.rng);
    tally->calls[e->operation]++;
    e->call = plumb_record_stamp_call(&w->s->clock);
    /* release: whoever sees the count sees the entry */
    atomic_fetch_add_explicit(count, 1, memory_order_release);
    if (w->s->with.timed)
        worker_counts_run(o, &i, tally);
    else
        o->run(&i);
    if (e->blocked)
        return false;
    const uint64_t ret = plumb_record_stamp_return(&w->s->clock);
    atomic_store_explicit(&e->ret, ret, memory_order_release);
    tally->returns[e->operation]++;
    return true;
}

static struct plumb_record_entry *next_entry(const struct process *p)
{
    struct worker_shared *const s = p->w->s;
    const uint32_t begun = atomic_load_explicit(
        worker_shared_count(s, p->history, p->number), memory_order_relaxed);
    return worker_shared_entries(s, p->history, p->number) + begun;
}

/* Half as many as on the average, to half more. */
static unsigned draw_length(struct plumb_record_guest *g, unsigned average)
{
    const unsigned half = average / 2;
    return average - half + plumb_base_rng_below(&g->rng, 2 * half + 1);
}

uint64_t worker_seed(const struct worker_shared *s, uint64_t history,
                     unsigned process)
{
    uint64_t seed = s->with.seed;
    seed = plumb_base_splitmix(&seed) ^ history;
    return plumb_base_splitmix(&seed) + process;
}

static bool run_part(struct process *p)
{
    struct worker *const w = p->w;
    const struct worker_conditions *const with = &w->s->with;
    const unsigned length = draw_length(&p->guest, with->operations);
    bool running = true;
    worker_noise_begin(plumb_base_rng_next(&p->guest.rng), w->noise,
                       &w->s->clock);
    for (unsigned n = 0; running && n < length; n++) {
        struct plumb_record_entry *const e = next_entry(p);
        running =
            plumb_record_menu_choose(&w->menu, &p->guest, e) && invoke(p, e);
    }
    w->s->tally[p->number].hooks += worker_noise_end();
    return running;
}

static bool is_producer(const struct worker *w, unsigned process)
{
    return w->producers >> process & 1;
}

static void enter_history(struct process *p, uint64_t history)
{
    p->history = history;
    p->guest.process = p->number;
    p->guest.position = 0;
    p->guest.served = is_producer(p->w, p->number) ? NEVER : p->w->credit;
    p->guest.careful = p->w->careful;
    plumb_base_rng_seed(&p->guest.rng,
                        worker_seed(p->w->s, history, p->number));
}

/* ---- followers ---- */

static void *follow(void *context)
{
    struct process *const p = context;
    struct worker *const w = p->w;
    for (uint64_t history = w->s->first;; history++) {
        runtime_gate_await(&w->begun, (uint32_t)history + 1);
        enter_history(p, history);
        run_part(p);
        runtime_gate_raise(&w->done, w->s->with.processes - 1);
    }
    return NULL;
}

/* ---- the leader ---- */

/* Some processes are to serve the others: what these do at the least is shared
 * out among those that may wait.  With none to serve, each process is on its
 * own (menu.h), and a queue is hardly ever empty. */
static void share_out(struct worker *w, uint64_t random)
{
    const struct worker_conditions *const with = &w->s->with;
    const uint64_t all = with->processes < 64
                             ? (UINT64_C(1) << with->processes) - 1
                             : UINT64_MAX;
    assert(with->processes > 0);
    w->producers = random & all;
    if (w->producers == all)
        w->producers = 0;
    const unsigned serve = (unsigned)__builtin_popcountll(w->producers);
    const unsigned least = with->operations - with->operations / 2;
    assert(serve < with->processes);
    w->credit = (int)(serve * least / (with->processes - serve));
}

/* Pauses cost most of the time.  A fault that needs two of them is found the
 * sooner the more histories have several and the more have none. */
static unsigned draw_noise(unsigned average, uint64_t random)
{
    static const unsigned times[] = { 0, 0, 1, 3 };
    return average * times[random % 4];
}

static void draw_conditions(struct worker *w, uint64_t history)
{
    uint64_t seed = w->s->with.seed + history;
    w->careful = !atomic_load_explicit(&w->s->reckless, memory_order_relaxed);
    w->noise = draw_noise(w->s->with.noise, plumb_base_splitmix(&seed));
    share_out(w, plumb_base_splitmix(&seed));
}

static bool has_slot(const struct worker_shared *s, uint64_t history)
{
    /* acquire: the parent has read what the slot held */
    return atomic_load_explicit(&s->taken, memory_order_acquire) +
               s->with.slots >
           history;
}

/* When the ring is full everybody sleeps until the parent has decided all of
 * it: threads that wait for each other must not share processors with it. */
static void await_slot(struct worker_shared *s, uint64_t history)
{
    worker_set_phase(s, PHASE_IDLE);
    while (!has_slot(s, history))
        runtime_take_a_nap();
    for (unsigned p = 0; p < s->with.processes; p++)
        atomic_store_explicit(worker_shared_count(s, history, p), 0,
                              memory_order_relaxed);
}

static bool run_script(struct process *p, struct worker_script script)
{
    bool running = true;
    for (unsigned n = 0; running && n < script.count; n++) {
        struct plumb_record_entry *const e = next_entry(p);
        *e = script.entry[n];
        running = invoke(p, e);
    }
    return running;
}

static void lead_history(struct process *p, uint64_t history)
{
    struct worker *const w = p->w;
    struct worker_shared *const s = w->s;
    await_slot(s, history);
    worker_set_phase(s, PHASE_SETUP);
    draw_conditions(w, history);
    if (w->object->setup)
        w->object->setup();
    worker_set_phase(s, PHASE_RUNNING);
    enter_history(p, history);
    bool running = run_script(p, w->init);
    runtime_gate_reset(&w->done);
    runtime_gate_set(&w->begun, (uint32_t)history + 1);
    running = running && run_part(p);
    runtime_gate_await(&w->done, s->with.processes - 1);
    if (running)
        run_script(p, w->final);
    worker_set_phase(s, PHASE_TEARDOWN);
    if (w->object->teardown)
        w->object->teardown();
    /* release: whoever sees it sees the whole history */
    atomic_store_explicit(&s->finished, history + 1, memory_order_release);
}

bool worker_start_follower(void *(*run)(void *), void *process)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, process) != 0)
        return false;
    pthread_detach(thread);
    return true;
}

void worker_run(struct worker_shared *s, const struct plumb_object *object,
                struct worker_script init, struct worker_script final)
{
    static struct process process[PLUMB_MAX_PROCESSES];
    struct worker w = {
        .s = s, .object = object, .init = init, .final = final
    };
    plumb_record_menu_init(&w.menu, object, s->with.most);
    w.menu.waiting = s->waiting;
    for (unsigned p = 0; p < s->with.processes; p++)
        process[p] = (struct process){ .w = &w, .number = p };
    for (unsigned p = 1; p < s->with.processes; p++)
        if (!worker_start_follower(follow, &process[p]))
            return;
    for (uint64_t history = s->first;; history++)
        lead_history(&process[0], history);
}
