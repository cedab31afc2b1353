/* long_run.c - one long history of one object, recorded to a file.
 *
 * All processes run freely: between their operations they share nothing but the
 * object.  The recorder writes down what they do (plumb/record.h), as in any
 * program; the file is there to be read even if the object crashes, or never
 * returns, and this process is killed.
 *
 * The processes that wait for ever are found by the parent, which begins anew
 * with care (menu.h). */
#include "worker.h"

#include "counts.h"
#include "record/menu.h"
#include "runtime/common/invocation.h"
#include "runtime/common/processors.h"
#include "runtime/common/wait.h"
#include <errno.h>
#include <plumb/record.h>
#include <pthread.h>
#include <string.h>

/* Fresh values tell the operations of a process apart up to here. */
#define MOST_OPERATIONS_OF_ONE UINT64_C(9999999999)

enum { MANY_TERMS = 64 };

/* Terms are copied by the operation, the recorder wants texts that stay. */
struct terms {
    char text[MANY_TERMS][PLUMB_ENTRY_TERM];
    unsigned count;
};

struct course {
    const struct worker_long_run *run;
    struct plumb_record_menu menu;
    plumb_recorder *recorder;
    cpu_set_t processors;
    _Atomic bool flawed;
};

/* Aligned: processes must not share a cache line that they write to. */
struct racer {
    _Alignas(CACHE_LINE) struct course *c;
    unsigned number; /* from 0 */
    uint32_t done;
    struct plumb_record_guest guest;
    struct terms terms;
    pthread_t thread;
};

/* ---- one operation ---- */

static bool is_number(const struct plumb_value *v, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (v[i].tag != PLUMB_INT)
            return false;
    return true;
}

/* The values of an entry as the recorder wants them. */
struct values {
    int64_t number[PLUMB_ENTRY_RESULTS];
    struct plumb_value value[PLUMB_ENTRY_RESULTS];
    bool numbers; /* they are nothing else */
};

static void take_values(const struct plumb_record_entry *e, unsigned from,
                        unsigned count, struct values *v)
{
    const struct plumb_value *const value = e->value + from;
    v->numbers = is_number(value, count);
    for (unsigned i = 0; i < count; i++) {
        v->number[i] = (int64_t)value[i].bits;
        v->value[i] = value[i].tag == PLUMB_STR
                          ? plumb_record_text(e->text + value[i].bits)
                          : value[i];
    }
}

static void begin(const struct course *c, const struct plumb_record_entry *e)
{
    const struct plumb_object *const o = c->run->object;
    const char *const name = o->operations[e->operation].name;
    const char *const object = c->run->s->object.name;
    struct values v;
    take_values(e, 0, e->nargs, &v);
    if (v.numbers)
        plumb_record_begin(c->recorder, object, name, v.number, e->nargs);
    else
        plumb_record_begin_values(c->recorder, object, name, v.value, e->nargs);
}

static const char *keep_term(struct terms *t, const char *term)
{
    for (unsigned i = 0; i < t->count; i++)
        if (strcmp(t->text[i], term) == 0)
            return t->text[i];
    if (t->count == MANY_TERMS)
        return NULL;
    memcpy(t->text[t->count], term, PLUMB_ENTRY_TERM);
    return t->text[t->count++];
}

static void end(struct racer *r, const struct plumb_record_entry *e)
{
    plumb_recorder *const recorder = r->c->recorder;
    const char *const term = e->term[0] ? keep_term(&r->terms, e->term) : NULL;
    struct values v;
    if (e->flaws || (e->term[0] && !term) || e->nres > PLUMB_RECORD_VALUES) {
        atomic_store_explicit(&r->c->flawed, true, memory_order_relaxed);
        return;
    }
    take_values(e, e->nargs, e->nres, &v);
    if (v.numbers)
        plumb_record_end(recorder, term, v.number, e->nres);
    else
        plumb_record_end_values(recorder, term, v.value, e->nres);
}

/* False if it blocked. */
static bool invoke(struct racer *r, struct plumb_record_entry *e)
{
    struct worker_shared *const s = r->c->run->s;
    struct worker_tally *const tally = &s->tally[r->number];
    plumb_invocation i = { .entry = e, .process = r->number };
    worker_counts_begin(tally, e->operation, &r->guest.rng);
    tally->calls[e->operation]++;
    begin(r->c, e);
    r->c->run->object->operations[e->operation].run(&i);
    if (e->blocked)
        return false;
    end(r, e);
    /* relaxed: the parent asks only whether anything happens at all */
    atomic_store_explicit(&e->ret, 1, memory_order_relaxed);
    atomic_store_explicit(worker_shared_count(s, 0, r->number), ++r->done,
                          memory_order_relaxed);
    tally->returns[e->operation]++;
    return true;
}

/* ---- a process ---- */

static bool is_over(const struct course *c)
{
    return atomic_load_explicit(&c->run->s->over, memory_order_relaxed) ||
           atomic_load_explicit(&c->flawed, memory_order_relaxed);
}

/* One of two, of which the other keeps neighbours apart. */
static struct plumb_record_entry *entry_of(const struct racer *r)
{
    return worker_shared_entries(r->c->run->s, 0, r->number);
}

static void *race(void *context)
{
    struct racer *const r = context;
    const struct course *const c = r->c;
    struct plumb_record_entry *const e = entry_of(r);
    const uint64_t share = c->run->s->with.operations
                               ? c->run->s->with.operations
                               : MOST_OPERATIONS_OF_ONE;
    bool running = true;
    runtime_processors_take(&c->processors, r->number);
    for (uint64_t n = 0; running && n < share && !is_over(c); n++)
        running =
            plumb_record_menu_choose(&c->menu, &r->guest, e) && invoke(r, e);
    return NULL;
}

static void run_script(struct racer *r, struct worker_script script)
{
    struct plumb_record_entry *const e = entry_of(r);
    for (unsigned n = 0; n < script.count; n++) {
        *e = script.entry[n];
        if (!invoke(r, e))
            return;
    }
}

static void prepare(struct course *c, struct racer *racer)
{
    struct worker_shared *const s = c->run->s;
    plumb_record_menu_init(&c->menu, c->run->object, MOST_OPERATIONS_OF_ONE);
    c->menu.waiting = s->waiting;
    c->menu.unique = s->with.unique;
    for (unsigned p = 0; p < s->with.processes; p++) {
        racer[p] = (struct racer){ .c = c,
                                   .number = p,
                                   .guest = { .process = p, .careful = true } };
        uint64_t seed = s->with.seed;
        plumb_base_rng_seed(&racer[p].guest.rng,
                            plumb_base_splitmix(&seed) + p);
        /* no call is open yet */
        atomic_store_explicit(&entry_of(&racer[p])->ret, 1,
                              memory_order_relaxed);
    }
}

/* ---- the run ---- */

/* P1 is the calling thread, as in `.init` and `.final`. */
static bool run_all(struct racer *racer, unsigned count)
{
    unsigned made = 1;
    while (made < count &&
           pthread_create(&racer[made].thread, NULL, race, &racer[made]) == 0)
        made++;
    if (made < count)
        return false; /* the process ends */
    race(&racer[0]);
    for (unsigned p = 1; p < count; p++)
        pthread_join(racer[p].thread, NULL);
    return true;
}

static bool run_recorded(struct course *c, struct racer *racer)
{
    struct worker_shared *const s = c->run->s;
    const struct plumb_object *const object = c->run->object;
    worker_set_phase(s, PHASE_SETUP);
    if (object->setup)
        object->setup();
    worker_set_phase(s, PHASE_RUNNING);
    run_script(&racer[0], c->run->init);
    const uint64_t began = runtime_nanoseconds_now();
    if (!run_all(racer, s->with.processes)) {
        worker_set_phase(s, PHASE_READY);
        return false;
    }
    s->measured = runtime_nanoseconds_now() - began;
    run_script(&racer[0], c->run->final);
    worker_set_phase(s, PHASE_TEARDOWN);
    if (object->teardown)
        object->teardown();
    return true;
}

enum worker_long_run_end worker_long_run(const struct worker_long_run *run,
                                         int *error)
{
    static struct racer racer[PLUMB_MAX_PROCESSES];
    static struct course c;
    c.run = run;
    c.recorder = plumb_record_open(run->path);
    if (!c.recorder) {
        *error = errno;
        return LONG_RUN_UNWRITTEN;
    }
    if (run->spec)
        plumb_record_spec(c.recorder, run->spec);
    c.processors = runtime_processors_here();
    prepare(&c, racer);
    if (!run_recorded(&c, racer))
        return LONG_RUN_THREADLESS;
    *error = plumb_record_close(c.recorder);
    if (*error)
        return LONG_RUN_UNWRITTEN;
    if (atomic_load(&c.flawed))
        return LONG_RUN_FLAWED;
    worker_set_phase(run->s, PHASE_OVER);
    return LONG_RUN_OVER;
}
