/* decide.c - plumb_check(): monitors first, then search, and have it verified.
 *
 * A monitor reads the history itself.  What it declines is bound to the
 * specification, split into parts and searched.  What it finds to be a violation
 * is too, to be shrunk and certified: but then only what the monitor blames.
 *
 * Nothing leaves here that src/proof has not accepted.  If it rejects an
 * answer, one of the two is wrong: that is reported as a bug, not as a verdict;
 * if the budget ends before it is done, the answer is "undecided". */
#include "base/fail.h"
#include "base/memory.h"
#include "check/input/cuts.h"
#include "check/input/monitor.h"
#include "check/search/told.h"
#include "decide_parts.h"
#include "shrink.h"
#include <assert.h>
#include <stdio.h>

/* What an answer's pointers point into. */
struct owner {
    struct plumb_base_arena arena;
    struct plumb_base_arena proof; /* of a violation */
    struct plumb_spec_bound bound;
    struct plumb_spec strict; /* the specification, read strictly */
};

struct question {
    const struct plumb_history *h;
    const struct plumb_spec *spec;
    const struct plumb_check_options *options;
};

static struct plumb_spec_ref reference(const struct plumb_spec *spec)
{
    return (struct plumb_spec_ref){ plumb_spec_text(spec),
                                    plumb_spec_user(spec) };
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
    if (word == PLUMB_OK || word == PLUMB_END)
        return word;
    if (word != PLUMB_EINPUT) {
        give_up(answer, word, true);
        return PLUMB_OK;
    }
    char message[sizeof err->message];
    snprintf(message, sizeof message, "%s", err->message);
    return plumb_base_fail(
        err, PLUMB_EBUG, 0, 0,
        "internal error: the verifier rejects the answer: %.180s", message);
}

/* m: what monitors found, or NULL. */
static enum plumb_status prove_linearizable(
    const struct question *q, const struct plumb_check_monitored *m,
    struct plumb_answer *answer, struct plumb_error *err)
{
    const enum plumb_status word = plumb_verify_witness_shared(
        q->h, reference(q->spec), answer->order, answer->order_count,
        m ? m->cut : NULL, m ? m->cuts : 0, q->options->jobs,
        q->options->budget, err);
    return heed(word, answer, err);
}

/* An operation that fails is open until it does: before that it may have taken
 * effect, and explain what nothing else does. */
static void admit_failures(const struct plumb_history *h,
                           struct plumb_answer *answer)
{
    const uint32_t sure = answer->sure;
    for (uint32_t i = 0; i < h->count && h->op[i].call <= sure; i++)
        if (h->op[i].outcome == PLUMB_OUTCOME_FAIL &&
            h->op[i].resp > answer->sure)
            answer->sure = h->op[i].resp;
}

/* Where the certificate is limited the verifier takes longer for each step. */
enum { VERIFIER = 4 };

/* PLUMB_END: the limit of the effort. */
static enum plumb_status prove_violation(const struct plumb_check_case *c,
                                         const struct plumb_check_violation *v,
                                         bool whole,
                                         struct plumb_base_arena *arena,
                                         struct plumb_answer *answer,
                                         struct plumb_error *err)
{
    struct plumb_check_shrunk shrunk;
    const enum plumb_status status =
        plumb_check_shrink(c, v, whole, arena, &shrunk);
    if (status == PLUMB_EBUG)
        return plumb_base_fail(err, PLUMB_EBUG, 0, 0,
                               "internal error: a core is not a violation");
    if (status == PLUMB_END)
        return status;
    if (status != PLUMB_OK) {
        give_up(answer, status, true);
        return PLUMB_OK;
    }
    answer->core = shrunk.core;
    answer->maybe = v->blames ? v->prefix : shrunk.maybe;
    /* A monitor knows: what it does not blame may matter until it returns. */
    answer->sure =
        v->blames && v->sure != PLUMB_NEVER ? v->sure : shrunk.prefix - 1;
    if (answer->maybe > answer->sure)
        answer->maybe = answer->sure;
    admit_failures(c->bound->history, answer);
    answer->minimal = shrunk.minimal;
    answer->certificate = shrunk.certificate;
    answer->certificate_count = shrunk.certificate_count;
    const enum plumb_status word = plumb_verify_violation_within(
        c->bound->history, reference(c->bound->spec), &answer->core,
        answer->certificate, answer->certificate_count, VERIFIER * v->limit,
        c->budget, err);
    return heed(word, answer, err);
}

/* ---- by search ---- */

static enum plumb_status out_of_budget(struct plumb_budget *budget,
                                       struct plumb_answer *answer)
{
    const enum plumb_status why = plumb_budget_state(budget);
    give_up(answer, why == PLUMB_OK ? PLUMB_EMEMORY : why, false);
    return PLUMB_OK;
}

/* A violation that a part is found to be, and what is to become of it. */
struct claim {
    const struct question *q;
    const struct plumb_check_case *c;
    struct owner *owner;
    struct plumb_answer *answer;
    struct plumb_error *err;
    enum plumb_status status; /* PLUMB_EBUG: the verifier's word */
};

/* A certificate may take as many times the steps of the part's turns. */
enum { CERTIFICATE = 4 };

static enum plumb_status certify(void *context, uint32_t part,
                                 const struct plumb_check_finding *found,
                                 uint64_t effort)
{
    struct claim *const k = context;
    struct plumb_answer *const answer = k->answer;
    const struct plumb_check_violation v = { .part = part,
                                             .prefix = found->prefix,
                                             .effort = found->steps,
                                             .sure = PLUMB_NEVER,
                                             .blame = found->blame,
                                             .blames = found->blames,
                                             .limit = CERTIFICATE * effort };
    const struct plumb_answer before = *answer;
    plumb_base_arena_release(&k->owner->proof);
    plumb_base_arena_init(&k->owner->proof, k->c->budget);
    answer->verdict = PLUMB_NOT_LINEARIZABLE;
    const enum plumb_status status = prove_violation(
        k->c, &v, k->q->options->no_core, &k->owner->proof, answer, k->err);
    if (status == PLUMB_OK && answer->verdict == PLUMB_NOT_LINEARIZABLE)
        return PLUMB_OK;
    const enum plumb_status why = status == PLUMB_OK ? answer->why : status;
    *answer = before;
    k->status = why == PLUMB_EBUG || why == PLUMB_EINPUT ? why : PLUMB_OK;
    return why;
}

/* An order that goes where the specification knows nothing proves nothing:
 * there must be one that does not. */
static bool avoid_unknown(const struct question *q,
                          const struct plumb_check_case *c, struct owner *owner,
                          struct plumb_answer *answer,
                          struct plumb_check_outcome_of_parts *o)
{
    if (o->verdict != PLUMB_LINEARIZABLE || !o->unknown)
        return true;
    const uint64_t configurations = o->configurations, steps = o->steps;
    const struct plumb_check_turn_rules rules = { .jobs = q->options->jobs,
                                                  .most =
                                                      q->options->most_steps };
    owner->strict = *q->spec;
    owner->strict.strict = true;
    owner->bound.spec = &owner->strict;
    if (!plumb_check_decide_parts(c, &rules, &owner->arena, o))
        return false;
    answer->unknown = o->verdict == PLUMB_NOT_LINEARIZABLE;
    if (answer->unknown)
        o->verdict = PLUMB_UNDECIDED;
    o->configurations += configurations;
    o->steps += steps;
    return true;
}

/* Other parts may have been violations before this one was. */
static void admit_doubt(const struct plumb_check_outcome_of_parts *o,
                        struct plumb_answer *answer)
{
    if (o->verdict == PLUMB_NOT_LINEARIZABLE && o->others < answer->maybe)
        answer->maybe = o->others;
}

static enum plumb_status search_parts(const struct question *q,
                                      const struct plumb_check_case *c,
                                      struct owner *owner,
                                      struct plumb_answer *answer,
                                      struct plumb_error *err)
{
    struct plumb_check_outcome_of_parts o;
    struct claim claim = { q, c, owner, answer, err, PLUMB_OK };
    const struct plumb_check_turn_rules rules = {
        .jobs = q->options->jobs,
        .most = q->options->most_steps,
        .certify = certify,
        .context = &claim,
    };
    if (!plumb_check_decide_parts(c, &rules, &owner->arena, &o) ||
        !avoid_unknown(q, c, owner, answer, &o))
        return out_of_budget(c->budget, answer);
    if (claim.status != PLUMB_OK)
        return claim.status;
    answer->configurations = o.configurations;
    answer->steps = o.steps;
    answer->verdict = o.verdict;
    answer->why = o.why;
    answer->unverified = o.unverified;
    answer->interrupted = o.interrupted;
    answer->order = o.order;
    answer->order_count = o.order_count;
    answer->prefix = o.prefix;
    admit_doubt(&o, answer);
    return o.verdict == PLUMB_LINEARIZABLE
               ? prove_linearizable(q, NULL, answer, err)
               : PLUMB_OK;
}

/* ---- by monitors ---- */

static uint32_t part_with(const struct plumb_check_parts *parts, uint32_t op)
{
    uint32_t p = 0, i = 0;
    while (p < parts->count && parts->part[p].item[i].op != op)
        if (++i == parts->part[p].count) {
            i = 0;
            p++;
        }
    assert(p < parts->count); /* every operation that has effect is in one */
    return p;
}

/* A violation that a monitor has found, shrunk and certified by search. */
static enum plumb_status prove_blame(const struct question *q,
                                     const struct plumb_check_case *c,
                                     struct owner *owner,
                                     struct plumb_answer *answer,
                                     struct plumb_error *err)
{
    const struct plumb_check_monitored *const m = c->monitored;
    const struct plumb_check_violation v = { .part = part_with(&c->parts,
                                                               m->blame[0]),
                                             .prefix = m->maybe,
                                             .sure = m->sure,
                                             .blame = m->blame,
                                             .blames = m->blames };
    answer->verdict = PLUMB_NOT_LINEARIZABLE;
    answer->prefix = m->maybe;
    return prove_violation(c, &v, q->options->no_core, &owner->arena, answer,
                           err);
}

/* What monitors have not decided, or not proved. */
static enum plumb_status go_on(const struct question *q, struct owner *owner,
                               const struct plumb_check_monitored *m,
                               struct plumb_answer *answer,
                               struct plumb_error *err)
{
    const struct plumb_check_options *const o = q->options;
    const bool plain = o->algorithm == PLUMB_ALGORITHM_WING_GONG;
    struct plumb_check_case c = { .bound = &owner->bound,
                                  .algorithm = plain ? PLUMB_ALGORITHM_WING_GONG
                                                     : PLUMB_ALGORITHM_SEARCH,
                                  .monitored = m,
                                  .budget = o->budget };
    const enum plumb_status status =
        plumb_spec_bind(q->h, q->spec, o->budget, &owner->bound, err);
    if (status != PLUMB_OK)
        return status;
    if (!plumb_check_traits_make(c.bound, &owner->arena, &c.traits) ||
        !plumb_check_partition(c.bound, o->whole, &owner->arena, &c.parts))
        return out_of_budget(c.budget, answer);
    answer->parts = c.parts.count;
    if (m && m->verdict == PLUMB_NOT_LINEARIZABLE) {
        answer->algorithm = PLUMB_ALGORITHM_MONITOR;
        return prove_blame(q, &c, owner, answer, err);
    }
    answer->algorithm = m && m->parts ? PLUMB_ALGORITHM_AUTO : c.algorithm;
    return search_parts(q, &c, owner, answer, err);
}

/* All of it was found linearizable: it need not even be bound. */
static enum plumb_status accept(const struct question *q,
                                const struct plumb_check_monitored *m,
                                struct plumb_answer *answer,
                                struct plumb_error *err)
{
    answer->algorithm = PLUMB_ALGORITHM_MONITOR;
    answer->verdict = PLUMB_LINEARIZABLE;
    answer->parts = m->parts;
    answer->order = m->order;
    answer->order_count = m->order_count;
    return prove_linearizable(q, m, answer, err);
}

/* ---- the way ---- */

static bool has_monitor(const struct question *q)
{
    const enum plumb_algorithm wanted = q->options->algorithm;
    return (wanted == PLUMB_ALGORITHM_AUTO ||
            wanted == PLUMB_ALGORITHM_MONITOR) &&
           plumb_check_monitor_of(q->spec);
}

/* The search is not to tell keys apart, so it has to decide all of them. */
static void forget_keys(struct plumb_check_monitored *m)
{
    m->nothing = true;
    m->left = NULL;
    m->order = NULL;
    m->order_count = m->parts = 0;
}

static enum plumb_status decide(const struct question *q, struct owner *owner,
                                struct plumb_answer *answer,
                                struct plumb_error *err)
{
    const bool alone = q->options->algorithm == PLUMB_ALGORITHM_MONITOR;
    struct plumb_check_monitored m = { .declined =
                                           "this specification has none" };
    if (has_monitor(q)) {
        if (!plumb_check_monitor_history(q->h, q->spec, q->options->jobs,
                                         PLUMB_LEAST_PIECE, &owner->arena,
                                         &m)) {
            give_up(answer, m.why, false);
            return PLUMB_OK;
        }
        if (q->options->whole && m.left)
            forget_keys(&m);
        answer->declined = m.declined;
        answer->monitored = m.parts;
        if (m.verdict == PLUMB_LINEARIZABLE)
            return accept(q, &m, answer, err);
        if (!alone || m.verdict == PLUMB_NOT_LINEARIZABLE)
            return go_on(q, owner, &m, answer, err);
    }
    if (!alone)
        return go_on(q, owner, NULL, answer, err);
    answer->algorithm = PLUMB_ALGORITHM_MONITOR;
    answer->declined = m.declined;
    give_up(answer, PLUMB_OK, false);
    /* What is wrong with the history is said here, too. */
    return plumb_spec_bind(q->h, q->spec, q->options->budget, &owner->bound,
                           err);
}

/* What makes room for many is ended by time, and says that there was none. */
static void blame_time(const struct plumb_budget *budget,
                       struct plumb_answer *answer)
{
    const enum plumb_status state = plumb_budget_state(budget);
    if (state != PLUMB_OK)
        answer->why = state;
}

enum plumb_status plumb_check(const struct plumb_history *h,
                              const struct plumb_spec *spec,
                              const struct plumb_check_options *options,
                              struct plumb_answer *answer,
                              struct plumb_error *err)
{
    assert(h && spec && options && answer && err);
    struct plumb_budget *const budget = options->budget;
    const struct question q = { h, spec, options };
    struct owner *const owner = plumb_base_alloc_zeroed(budget, sizeof *owner);
    *answer = (struct plumb_answer){ .verdict = PLUMB_UNDECIDED };
    if (!owner) {
        give_up(answer, PLUMB_EMEMORY, false);
        return PLUMB_OK;
    }
    plumb_base_arena_init(&owner->arena, budget);
    plumb_base_arena_init(&owner->proof, budget);
    answer->owner = owner;
    enum plumb_status status =
        h->valid ? PLUMB_OK : plumb_history_validate(h, err);
    if (status == PLUMB_OK)
        status = decide(&q, owner, answer, err);
    if (status != PLUMB_EINPUT && status != PLUMB_EBUG && status != PLUMB_OK) {
        give_up(answer, status, false);
        status = PLUMB_OK;
    }
    if (status != PLUMB_OK)
        plumb_answer_release(answer);
    else if (answer->why == PLUMB_EMEMORY)
        blame_time(budget, answer);
    return status;
}

void plumb_answer_release(struct plumb_answer *answer)
{
    struct owner *const owner = answer->owner;
    if (!owner)
        return;
    struct plumb_budget *const budget = owner->arena.budget;
    plumb_spec_bound_release(&owner->bound);
    plumb_base_arena_release(&owner->proof);
    plumb_base_arena_release(&owner->arena);
    plumb_base_release(budget, owner, sizeof *owner);
    answer->owner = NULL;
}
