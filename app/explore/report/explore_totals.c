/* explore_totals.c - what the jobs of an exploration add up to. */
#include "explore_totals.h"

#include "app/objects/described_object.h"
#include "record/script.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void explore_totals_init(struct explore_totals *t, unsigned wanted)
{
    *t = (struct explore_totals){ .wanted = wanted,
                                  .exhausted = true,
                                  .end = JOB_DONE };
}

/* ---- coverage ---- */

static void add_place(struct job_coverage *sum, uint64_t offset,
                      bool concurrent)
{
    uint32_t low = 0, high = sum->places;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (sum->place[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < sum->places && sum->place[low].offset == offset) {
        sum->place[low].concurrent |= concurrent;
        return;
    }
    assert(sum->places <= JOB_PLACES);
    if (sum->places == JOB_PLACES)
        return;
    memmove(&sum->place[low + 1], &sum->place[low],
            (sum->places - low) * sizeof *sum->place);
    sum->place[low].offset = offset;
    sum->place[low].concurrent = concurrent;
    sum->places++;
}

static void add_coverage(struct job_coverage *sum, const struct job_coverage *c)
{
    for (unsigned i = 0; i < PLUMB_MAX_OPERATIONS; i++) {
        sum->returned[i] += c->returned[i];
        for (unsigned k = 0; k < PLUMB_MAX_OPERATIONS; k++)
            sum->overlaps[i][k] += c->overlaps[i][k];
    }
    sum->failed_swaps += c->failed_swaps;
    sum->preempted += c->preempted;
    sum->interruptible += c->interruptible;
    sum->instrumented += c->instrumented;
    for (uint32_t i = 0; i < c->places; i++)
        add_place(sum, c->place[i].offset, c->place[i].concurrent);
}

static void add_apart(struct explore_totals *t,
                      const struct plumb_record_script *s)
{
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < s->count; k++)
            if (s->step[i].process != s->step[k].process)
                t->apart[s->step[i].operation][s->step[k].operation] = true;
}

static void add_invoked(struct explore_totals *t, const struct exploration *e,
                        const char *text)
{
    struct plumb_object object;
    struct plumb_record_script script;
    struct plumb_error err;
    bool has[PLUMB_MAX_OPERATIONS] = { false };
    if (e->program || !objects_described_object(&e->what, &object) ||
        plumb_record_script_parse(&script, text, &object, &err) != PLUMB_OK)
        return;
    for (size_t i = 0; i < script.count; i++)
        has[script.step[i].operation] = true;
    add_apart(t, &script);
    plumb_record_script_release(&script);
    for (unsigned i = 0; i < PLUMB_MAX_OPERATIONS; i++)
        t->invoked[i] += has[i];
}

/* Of a test with unequal threads, what it had if they were equal. */
static void add_shape(struct explore_totals *t, const struct exploration *e,
                      const struct job *job)
{
    const bool drawn = !e->program && !e->with->test && !e->infers;
    struct explore_scenario *const s = calloc(1, sizeof *s);
    if (!s)
        return;
    memcpy(s->test, job->request.test, sizeof s->test);
    struct explore_scenario_shape shape = explore_scenario_shape(s);
    free(s);
    if (drawn && shape.most > e->with->ops)
        shape.most = e->with->ops;
    if (shape.threads > t->shape.threads)
        t->shape.threads = shape.threads;
    if (shape.most > t->shape.most)
        t->shape.most = shape.most;
    if (t->scenarios == 1 || shape.least < t->shape.least)
        t->shape.least = shape.least;
}

static void add_weak_order(struct explore_totals *t, uint32_t offset)
{
    uint32_t low = 0;
    while (low < t->weak_orders && t->weak_order[low] < offset)
        low++;
    if (t->weak_orders == JOB_WEAK_ORDERS ||
        (low < t->weak_orders && t->weak_order[low] == offset))
        return;
    memmove(&t->weak_order[low + 1], &t->weak_order[low],
            (t->weak_orders - low) * sizeof *t->weak_order);
    t->weak_order[low] = offset;
    t->weak_orders++;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void add_serial(struct explore_serial_totals *t,
                       const struct plumb_infer_store *s)
{
    const uint64_t histories = plumb_infer_store_histories(s);
    t->histories = plumb_infer_sum(t->histories, histories);
    t->most = larger(t->most, histories);
    t->stuck = plumb_infer_sum(t->stuck, s->stuck);
    t->blocking += s->stuck > 0;
    t->positions = (uint32_t)larger(t->positions, s->positions);
    t->nanoseconds += s->nanoseconds;
    t->longest = larger(t->longest, s->nanoseconds);
}

void explore_totals_add(struct explore_totals *t, const struct exploration *e,
                        struct job *job, enum job_end end)
{
    t->scenarios++;
    t->executions += atomic_load(&job->progress.executions);
    t->asleep += job->stats.asleep;
    t->states += job->stats.states;
    t->histories += job->histories;
    t->exhausted &= end == JOB_DONE && job->exhausted;
    if (t->end == JOB_DONE)
        t->end = end;
    t->cut |= job->stats.cut > 0;
    t->withheld |= job->stats.withheld > 0;
    t->missed |= job->too_many_points;
    t->leaks += job->leaking > 0;
    t->stuck += job->stuck;
    t->failed += job->failed;
    t->assumed += job->assumed;
    t->complete += job->stats.complete;
    if (!t->unfollowed[0])
        memcpy(t->unfollowed, job->unfollowed, sizeof t->unfollowed);
    add_coverage(&t->coverage, &job->coverage);
    for (unsigned i = 0; i < JOB_WEAK_ORDERS; i++)
        if (job->weak_order[i])
            add_weak_order(t, job->weak_order[i]);
    add_serial(&t->serial, &job->serial);
    add_invoked(t, e, job->request.test);
    add_shape(t, e, job);
}

/* ---- how far it went ---- */

static const char *end_name(enum job_end end)
{
    switch (end) {
    case JOB_TIME:
        return "the time was up";
    case JOB_MEMORY:
        return "the memory was used up";
    case JOB_STOPPED:
        return "interrupted";
    default:
        return NULL;
    }
}

const char *explore_totals_shortfall(const struct explore_totals *t)
{
    const char *const end = end_name(t->end);
    if (end || t->exhausted)
        return end;
    if (t->cut)
        return "schedules of too many steps were given up (--steps)";
    if (t->missed)
        return "too many plain accesses to compare all of them for races";
    return t->withheld ? "unfair schedules were left out (--no-fairness)"
                       : NULL;
}

/* ---- doubt ---- */

/* An operation that was invoked and returned in no execution, or NULL. */
static const char *never_returned(const struct explore_totals *t,
                                  const struct exploration *e)
{
    for (unsigned i = 0; i < e->what.operations; i++)
        if (t->invoked[i] && !t->coverage.returned[i])
            return e->what.operation[i].name;
    return NULL;
}

/* Within the bound and the test, threads could have been preempted. */
static bool could_preempt(const struct explore_totals *t,
                          const struct exploration *e)
{
    const bool bound = !e->with->bounded || e->with->preemptions > 0;
    return bound && !e->program && t->shape.threads > 1 &&
           t->coverage.interruptible;
}

/* "/src/queue.c:12: rdrand %rax" */
static void say_unfollowed(const char *place, char doubt[256])
{
    const size_t length =
        (size_t)(strstr(place, ": ") ? strstr(place, ": ") - place
                                     : (ptrdiff_t)strlen(place));
    const char *const slash = memrchr(place, '/', length);
    const char *const begin = slash ? slash + 1 : place;
    snprintf(doubt, 256, "inline assembly is not seen: %.*s",
             (int)(place + length - begin), begin);
}

void explore_totals_doubt(const struct explore_totals *t,
                          const struct exploration *e, char doubt[256])
{
    /* An object that is compared with itself may wait as it does serially. */
    const char *const name = e->infers ? NULL : never_returned(t, e);
    doubt[0] = '\0';
    if (e->unseen[0])
        snprintf(doubt, 256, "%s", e->unseen);
    else if (t->unfollowed[0])
        say_unfollowed(t->unfollowed, doubt);
    else if (t->undecided[0])
        snprintf(doubt, 256, "%s", t->undecided);
    else if (t->executions == 0)
        snprintf(doubt, 256, "nothing was executed");
    else if (t->assumed && t->assumed == t->complete)
        snprintf(doubt, 256, "an assumption failed in every schedule");
    else if (name)
        snprintf(doubt, 256, "%.80s never returned", name);
    else if (t->coverage.preempted == 0 && could_preempt(t, e))
        snprintf(doubt, 256, "no thread was ever preempted");
}
