/* witness_shared.c - checking an order by several threads.
 *
 * An order is legal if it is legal for each object, and for each key of an
 * object whose keys have nothing to do with each other: threads have shares of
 * these.  If we are told where all objects are as they were at first, threads
 * have stretches from one such place to the next: a stretch that is legal from
 * the first state and ends in it leaves nothing behind.
 *
 * Where a thread finds anything wrong, or does not finish, all is done again by
 * one thread.  So what is said of it does not depend on their number, nor on
 * what we were told. */
#include "witness.h"

#include "base/workers.h"

enum { WORTH_WHILE = 50000 /* operations */ };

struct sharing {
    struct plumb_proof_witness w;
    struct plumb_spec_ref spec;
    const uint32_t *cut;
    uint32_t cuts;
    unsigned shares; /* if there are no cuts */
    struct plumb_proof_plain *plain[PLUMB_MOST_WORKERS]; /* of each thread */
};

static uint32_t count_shares(const struct sharing *s)
{
    return s->cuts ? s->cuts + 1 : s->shares;
}

static struct plumb_proof_witness_share share_of(const struct sharing *s,
                                                 uint32_t i)
{
    if (!s->cuts)
        return (struct plumb_proof_witness_share){ .to = s->w.count,
                                                   .share = i,
                                                   .shares = s->shares };
    return (struct plumb_proof_witness_share){ .from = i ? s->cut[i - 1] : 0,
                                               .to = i < s->cuts ? s->cut[i]
                                                                 : s->w.count,
                                               .returns = i < s->cuts };
}

static bool is_legal(struct sharing *s, unsigned member, uint32_t i,
                     const struct plumb_proof_witness *w)
{
    const struct plumb_proof_witness_share share = share_of(s, i);
    struct plumb_proof_plain **const p = s->plain + member;
    bool back;
    if (!*p &&
        plumb_proof_plain_new(s->spec, w->h->symbols, w->budget, p, w->err))
        return false;
    return plumb_proof_witness_replay(w, *p, &share, &back) == PLUMB_OK && back;
}

/* Task 0 is real time, the others are shares. */
static bool check(void *context, unsigned member, uint32_t task)
{
    struct sharing *const s = context;
    struct plumb_error ignored;
    struct plumb_proof_witness w = s->w;
    w.err = &ignored;
    if (task == 0)
        return plumb_proof_witness_real_time(&w) == PLUMB_OK;
    return is_legal(s, member, task - 1, &w);
}

/* False: something is wrong, or took too long. */
static bool check_together(struct sharing *s, unsigned jobs)
{
    const uint32_t tasks = count_shares(s) + 1;
    if (plumb_proof_witness_operations(&s->w, NULL) != PLUMB_OK)
        return false;
    const bool right = plumb_base_workers_run(jobs, tasks, check, s) == tasks;
    for (unsigned i = 0; i < PLUMB_MOST_WORKERS; i++)
        plumb_proof_plain_free(s->plain[i]);
    return right;
}

/* Do the cuts ascend, within the order? */
static bool are_places(const uint32_t *cut, uint32_t cuts, uint32_t count)
{
    for (uint32_t i = 0; i < cuts; i++)
        if (cut[i] > count || (i && cut[i] < cut[i - 1]))
            return false;
    return true;
}

/* Where calls and returns are told, what matters to an operation is not all in
 * its share. */
static bool is_told(const struct sharing *s)
{
    struct plumb_error ignored;
    struct plumb_proof_plain *p;
    if (plumb_proof_plain_new(s->spec, s->w.h->symbols, s->w.budget, &p,
                              &ignored) != PLUMB_OK)
        return true;
    const bool told = plumb_proof_plain_is_told(p);
    plumb_proof_plain_free(p);
    return told;
}

/* A user's specification may have been written for one thread. */
static bool is_worth_sharing(const struct sharing *s, unsigned jobs)
{
    return jobs > 1 && !s->spec.user && s->w.count >= WORTH_WHILE &&
           !is_told(s);
}

enum plumb_status plumb_verify_witness_shared(
    const struct plumb_history *h, struct plumb_spec_ref spec,
    const uint32_t *order, uint32_t count, const uint32_t *cut, uint32_t cuts,
    unsigned jobs, struct plumb_budget *budget, struct plumb_error *err)
{
    struct sharing s = { .w = { h, order, count, budget, err },
                         .spec = spec,
                         .cut = cut,
                         .cuts = are_places(cut, cuts, count) ? cuts : 0,
                         .shares = plumb_base_workers_size(jobs, count) };
    if (is_worth_sharing(&s, jobs) && check_together(&s, jobs))
        return PLUMB_OK;
    return plumb_verify_witness(h, spec, order, count, budget, err);
}
