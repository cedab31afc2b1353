/* decide.c - plumb_check(): bind, split, decide, and have it verified.
 *
 * Nothing leaves here that src/verify has not accepted.  If it rejects an
 * answer, one of the two is wrong: that is reported as a bug, not as a verdict;
 * if the budget ends before it is done, the answer is "undecided". */
#include "base/fail.h"
#include "base/memory.h"
#include "check/decide_parts.h"
#include "check/shrink.h"
#include <assert.h>
#include <stdio.h>

/* What an answer's pointers point into. */
struct owner {
    struct plumb_arena arena;
    struct plumb_bound bound;
};

static struct plumb_spec_ref reference(const struct plumb_spec *spec)
{
    return (struct plumb_spec_ref){ plumb_spec_text(spec),
                                    plumb_spec_user(spec) };
}

static enum plumb_algorithm choose(enum plumb_algorithm wanted)
{
    return wanted == PLUMB_ALGORITHM_AUTO ? PLUMB_ALGORITHM_SEARCH : wanted;
}

static void give_up(struct plumb_answer *answer, enum plumb_status why,
                    bool unverified)
{
    answer->verdict = PLUMB_UNDECIDED;
    answer->why = why;
    answer->unverified = unverified;
}

/* The verifier's word on an answer: accepted, rejected (ours is the bug), or
 * no time for it. */
static enum plumb_status heed(enum plumb_status word,
                              struct plumb_answer *answer,
                              struct plumb_error *err)
{
    if (word == PLUMB_OK)
        return PLUMB_OK;
    if (word != PLUMB_EINPUT) {
        give_up(answer, word, true);
        return PLUMB_OK;
    }
    char message[sizeof err->message];
    snprintf(message, sizeof message, "%s", err->message);
    return plumb_fail(err, PLUMB_EBUG, 0, 0,
                      "internal error: the verifier rejects our answer: %.180s",
                      message);
}

static enum plumb_status prove_linearizable(const struct plumb_case *c,
                                            struct plumb_answer *answer,
                                            struct plumb_error *err)
{
    const enum plumb_status word = plumb_verify_witness(
        c->bound->history, reference(c->bound->spec), answer->order,
        answer->order_count, c->budget, err);
    return heed(word, answer, err);
}

static enum plumb_status prove_violation(const struct plumb_case *c,
                                         const struct plumb_outcome_of_parts *o,
                                         bool whole, struct plumb_arena *arena,
                                         struct plumb_answer *answer,
                                         struct plumb_error *err)
{
    struct plumb_shrunk shrunk;
    const enum plumb_status status = plumb_shrink(
        c, o->violated, o->prefix, o->steps, whole, arena, &shrunk);
    if (status == PLUMB_EBUG)
        return plumb_fail(err, PLUMB_EBUG, 0, 0,
                          "internal error: a core is not a violation");
    if (status != PLUMB_OK) {
        give_up(answer, status, true);
        return PLUMB_OK;
    }
    answer->core = shrunk.core;
    answer->minimal = shrunk.minimal;
    answer->certificate = shrunk.certificate;
    answer->certificate_count = shrunk.certificate_count;
    const enum plumb_status word = plumb_verify_violation(
        c->bound->history, reference(c->bound->spec), &answer->core,
        answer->certificate, answer->certificate_count, c->budget, err);
    return heed(word, answer, err);
}

static enum plumb_status decide(struct owner *owner,
                                const struct plumb_check_options *options,
                                struct plumb_answer *answer,
                                struct plumb_error *err)
{
    struct plumb_outcome_of_parts o;
    struct plumb_case c = { .bound = &owner->bound,
                            .algorithm = choose(options->algorithm),
                            .budget = options->budget };
    answer->algorithm = c.algorithm;
    if (!plumb_traits_make(c.bound, &owner->arena, &c.traits) ||
        !plumb_partition(c.bound, options->whole, &owner->arena, &c.parts) ||
        !plumb_decide_parts(&c, options->jobs, &owner->arena, &o)) {
        const enum plumb_status why = plumb_budget_state(c.budget);
        give_up(answer, why == PLUMB_OK ? PLUMB_EMEMORY : why, false);
        return PLUMB_OK;
    }
    answer->parts = c.parts.count;
    answer->configurations = o.configurations;
    answer->steps = o.steps;
    answer->verdict = o.verdict;
    answer->why = o.why;
    answer->order = o.order;
    answer->order_count = o.order_count;
    answer->prefix = o.prefix;
    switch (o.verdict) {
    case PLUMB_LINEARIZABLE:
        return prove_linearizable(&c, answer, err);
    case PLUMB_NOT_LINEARIZABLE:
        return prove_violation(&c, &o, options->no_core, &owner->arena, answer,
                               err);
    case PLUMB_UNDECIDED:
        break;
    }
    return PLUMB_OK;
}

enum plumb_status plumb_check(const struct plumb_history *h,
                              const struct plumb_spec *spec,
                              const struct plumb_check_options *options,
                              struct plumb_answer *answer,
                              struct plumb_error *err)
{
    assert(h && spec && options && answer && err);
    struct plumb_budget *const budget = options->budget;
    struct owner *const owner = plumb_alloc_zeroed(budget, sizeof *owner);
    *answer = (struct plumb_answer){ .verdict = PLUMB_UNDECIDED };
    if (!owner) {
        give_up(answer, PLUMB_EMEMORY, false);
        return PLUMB_OK;
    }
    plumb_arena_init(&owner->arena, budget);
    answer->owner = owner;
    enum plumb_status status =
        h->valid ? PLUMB_OK : plumb_history_validate(h, err);
    if (status == PLUMB_OK)
        status = plumb_bind(h, spec, budget, &owner->bound, err);
    if (status == PLUMB_OK)
        status = decide(owner, options, answer, err);
    if (status != PLUMB_EINPUT && status != PLUMB_EBUG && status != PLUMB_OK) {
        give_up(answer, status, false);
        status = PLUMB_OK;
    }
    if (status != PLUMB_OK)
        plumb_answer_release(answer);
    return status;
}

void plumb_answer_release(struct plumb_answer *answer)
{
    struct owner *const owner = answer->owner;
    if (!owner)
        return;
    struct plumb_budget *const budget = owner->arena.budget;
    plumb_bound_release(&owner->bound);
    plumb_arena_release(&owner->arena);
    plumb_release(budget, owner, sizeof *owner);
    answer->owner = NULL;
}
