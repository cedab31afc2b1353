/* rising_bound.c - see rising_bound.h. */
#include "rising_bound.h"

#include <assert.h>
#include <stdlib.h>

enum {
    STEPS = 25000000, /* some ten seconds, if operations are short          */
    GROWTH = 2,       /* a round costs so much more than the last, or more  */
    SHARES = 4,       /* a test gets no more than this part of what is left */
    LONGER = 4,       /* executions may become, with more preemptions, ...  */
    MORE_STEPS = 200  /* ... and some steps on top                          */
};

static bool is_wanted(const struct explore_settings *with)
{
    return with->rises && with->bounded && !with->executions && !with->also &&
           !with->automatic && !with->observations;
}

void explore_rising_begin(struct explore_rising *r,
                          const struct explore_settings *with, unsigned most)
{
    *r = (struct explore_rising){ .with = *with,
                                  .done = *with,
                                  .rounds = 1,
                                  .rises = is_wanted(with),
                                  .complete = true,
                                  .left = STEPS };
    if (!r->rises)
        return;
    r->number = calloc(most + 1u, sizeof *r->number);
    r->longest = calloc(most + 1u, sizeof *r->longest);
    r->limit = calloc(most + 1u, sizeof *r->limit);
    r->rises = r->number && r->longest && r->limit;
}

void explore_rising_release(struct explore_rising *r)
{
    free(r->number);
    free(r->longest);
    free(r->limit);
    r->number = NULL;
    r->longest = NULL;
    r->limit = NULL;
    r->rises = false;
}

/* ---- in a round ---- */

bool explore_rising_add(struct explore_rising *r, unsigned number,
                        const struct job *job)
{
    const uint64_t executions =
        atomic_load_explicit(&job->progress.executions, memory_order_relaxed);
    const unsigned i = r->taken;
    if (!r->rises)
        return true;
    if (r->rounds == 1)
        r->number[r->tests++] = number;
    assert(i < r->tests && (r->rounds == 1 || number == i));
    if (r->longest[i] < job->stats.longest)
        r->longest[i] = job->stats.longest;
    r->taken++;
    r->limited |= job->stats.limited;
    r->complete &= job->exhausted;
    r->used += executions * job->stats.longest;
    return r->rounds == 1 || (r->complete && r->used <= r->left);
}

/* ---- from round to round ---- */

bool explore_rising_holds(const struct explore_rising *r)
{
    return r->complete && r->taken == r->tests &&
           (r->rounds == 1 || r->used <= r->left);
}

static void close_round(struct explore_rising *r)
{
    const bool whole = explore_rising_holds(r);
    r->left -= r->used < r->left ? r->used : r->left;
    if (whole) {
        r->done = r->with;
        r->done.bounded &= r->limited;
        r->cost = r->used;
    }
    /* Only of the round without a bound others may follow if it fails. */
    r->rises &= r->done.bounded && (whole || !r->with.bounded) &&
                r->cost <= r->left / GROWTH;
}

static void choose_bound(struct explore_rising *r)
{
    r->with = r->done;
    if (r->rounds > 1 && !r->was_unbounded) {
        r->was_unbounded = true;
        r->with.bounded = false;
        r->with.preemptions = 0;
    } else {
        r->with.preemptions++;
    }
}

/* However much others need: what a test does must not depend on what they did
 * meanwhile. */
static void set_limits(struct explore_rising *r)
{
    const unsigned shares = r->tests < SHARES ? r->tests : SHARES;
    const uint64_t each = r->left / shares;
    for (unsigned i = 0; i < r->tests; i++) {
        const uint32_t steps = r->longest[i] * LONGER + MORE_STEPS;
        r->limit[i].executions = each / (r->longest[i] + 1) + 1;
        r->limit[i].steps = steps < r->with.steps ? steps : r->with.steps;
    }
}

bool explore_rising_next(struct explore_rising *r)
{
    if (!r->rises || !r->tests)
        return false;
    close_round(r);
    if (!r->rises)
        return false;
    choose_bound(r);
    set_limits(r);
    r->rounds++;
    r->taken = 0;
    r->used = 0;
    r->limited = false;
    r->complete = true;
    return true;
}
