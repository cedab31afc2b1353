/* witness.c - is this an order in which the operations may have taken effect?
 *
 * Three things, each in one pass.
 *
 * The operations are the right ones: every OK one once, no FAIL one, no pending
 * one twice.  One that takes effect in several steps is there once for each; a
 * pending one may take the first few.
 *
 * Real time: i precedes j iff ret(i) < call(j).  The order is wrong iff some
 * operation b is placed behind an operation a that it precedes, that is, iff
 * ret(b) < call(a) for some a placed before b; and that is so for some such a
 * iff it is so for the one with the largest call.  So going through the order
 * with the largest call so far in hand finds every mistake.  Operations that
 * are not placed never returned, and precede none.
 *
 * Calls and returns that the specification is told of are listed as well: an
 * operation is there for its call, then where it takes effect, and then for its
 * return.  They have to come in the order of their ranks, and operations take
 * effect between those that they were called and returned between.  That is the
 * same rule, as each of them is an interval of one rank; objects are looked at
 * one by one, because what is told of one is nothing to the others.
 *
 * Legality: each object goes through its own operations, with the set of the
 * states it may be in, which is never empty.  witness_shared.c has this done by
 * several threads. */
#include "witness.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/pace.h"
#include "words.h"

static enum plumb_status reject(const struct plumb_proof_witness *w,
                                uint32_t at, const char *why)
{
    char words[PLUMB_WORDS];
    plumb_proof_words_of_operation(w->h, w->order[at], words);
    return plumb_proof_words_fail(w->h, w->order[at], w->err,
                                  "place %lu of the witness: %s %s",
                                  (unsigned long)at + 1, words, why);
}

static bool is_told(const struct plumb_proof_plain *p)
{
    return p && plumb_proof_plain_is_told(p);
}

/* How often it may be listed. */
static unsigned steps_of(const struct plumb_proof_witness *w,
                         struct plumb_proof_plain *p, uint32_t i)
{
    if (!is_told(p))
        return p ? plumb_proof_plain_steps(p, w->h->op[i].name) : 1;
    return 1u + (p->type->call != NULL) +
           (p->type->give_back && w->h->op[i].outcome == PLUMB_OUTCOME_OK);
}

/* And has to be: a call has been made even if nothing comes of it. */
static unsigned least_steps_of(const struct plumb_proof_witness *w,
                               struct plumb_proof_plain *p, uint32_t i)
{
    switch (w->h->op[i].outcome) {
    case PLUMB_OUTCOME_OK:
        return steps_of(w, p, i);
    case PLUMB_OUTCOME_FAIL:
        return 0;
    default:
        return is_told(p) && p->type->call;
    }
}

static enum plumb_status note_places(const struct plumb_proof_witness *w,
                                     struct plumb_proof_plain *p,
                                     uint8_t *placed)
{
    for (uint32_t at = 0; at < w->count; at++) {
        const uint32_t i = w->order[at];
        if (!plumb_base_in_time(w->budget, at))
            return plumb_base_fail_budget(w->budget, w->err);
        if (i >= w->h->count)
            return plumb_base_fail(
                w->err, PLUMB_EINPUT, 0, 0,
                "place %lu of the witness: there is no operation "
                "number %lu",
                (unsigned long)at + 1, (unsigned long)i);
        if (w->h->op[i].outcome == PLUMB_OUTCOME_FAIL)
            return reject(w, at, "failed: it did not take effect");
        if (placed[i] == steps_of(w, p, i))
            return reject(w, at, "takes effect twice");
        placed[i]++;
    }
    return PLUMB_OK;
}

enum plumb_status plumb_proof_witness_operations(
    const struct plumb_proof_witness *w, struct plumb_proof_plain *p)
{
    uint8_t *const placed = plumb_base_alloc_zeroed(w->budget, w->h->count);
    if (!placed)
        return plumb_base_fail_memory(w->err);
    enum plumb_status status = note_places(w, p, placed);
    for (uint32_t i = 0; i < w->h->count && status == PLUMB_OK; i++) {
        char words[PLUMB_WORDS];
        if (!plumb_base_in_time(w->budget, i))
            status = plumb_base_fail_budget(w->budget, w->err);
        if (status != PLUMB_OK || placed[i] >= least_steps_of(w, p, i))
            continue;
        plumb_proof_words_of_operation(w->h, i, words);
        status = plumb_proof_words_fail(
            w->h, i, w->err, "%s %s, but is not in the witness%s", words,
            w->h->op[i].outcome == PLUMB_OUTCOME_OK ? "returned" : "was called",
            placed[i] ? " often enough" : "");
    }
    plumb_base_release(w->budget, placed, w->h->count);
    return status;
}

static enum plumb_status reject_late(const struct plumb_proof_witness *w,
                                     uint32_t at, uint32_t before)
{
    char early[PLUMB_WORDS], late[PLUMB_WORDS];
    plumb_proof_words_of_operation(w->h, w->order[at], early);
    plumb_proof_words_of_operation(w->h, w->order[before], late);
    return plumb_proof_words_fail(
        w->h, w->order[at], w->err,
        "place %lu of the witness: %s returned before %s "
        "was called, but comes later",
        (unsigned long)at + 1, early, late);
}

enum plumb_status plumb_proof_witness_real_time(
    const struct plumb_proof_witness *w)
{
    uint32_t last_called = 0; /* the place of the largest call so far */
    for (uint32_t at = 0; at < w->count; at++) {
        const struct plumb_op *const o = w->h->op + w->order[at];
        const struct plumb_op *const a = w->h->op + w->order[last_called];
        if (!plumb_base_in_time(w->budget, at))
            return plumb_base_fail_budget(w->budget, w->err);
        if (plumb_op_ret(o) < a->call)
            return reject_late(w, at, last_called);
        if (o->call > a->call)
            last_called = at;
    }
    return PLUMB_OK;
}

static enum plumb_status reject_step(
    const struct plumb_proof_witness *w, const struct plumb_proof_plain *p,
    uint32_t at, const struct plumb_proof_plain_reply *instead)
{
    char words[PLUMB_WORDS], reply[PLUMB_WORDS];
    if (!instead->term)
        return reject(w, at, "cannot take effect here: it blocks");
    plumb_proof_words_of_operation(w->h, w->order[at], words);
    plumb_proof_words_of_reply(p, instead, reply);
    return plumb_proof_words_fail(w->h, w->order[at], w->err,
                                  "place %lu of the witness: %s cannot take "
                                  "effect here: it would return %s",
                                  (unsigned long)at + 1, words, reply);
}

/* What is known of an object along the order. */
struct object {
    struct plumb_proof_plain_set states;
    uint64_t now; /* the rank of what was told last, as below */
};

/* It is the n-th that is listed of the operation: its moment, and whether that
 * is in time.  Between ranks r and r + 1 lies 4r + 2. */
static bool is_in_time(const struct plumb_proof_plain *p,
                       const struct plumb_op *o, unsigned n,
                       struct object *object,
                       enum plumb_proof_plain_moment *moment)
{
    const uint64_t call = 4 * (uint64_t)o->call;
    const uint64_t ret = 4 * (uint64_t)plumb_op_ret(o);
    uint64_t from = call + 2, to = ret - 1;
    *moment = PLAIN_EFFECT;
    if (n == 0 && p->type->call) {
        *moment = PLAIN_CALL;
        from = to = call;
    } else if (n > (p->type->call ? 1u : 0u)) {
        *moment = PLAIN_RETURN;
        from = to = ret;
    }
    if (to < object->now)
        return false;
    object->now = from > object->now ? from : object->now;
    return true;
}

/* The step at `at`; `taken` counts those of each operation, unless NULL. */
static enum plumb_status take_effect(const struct plumb_proof_witness *w,
                                     struct plumb_proof_plain *p,
                                     struct object *objects, uint8_t *taken,
                                     uint32_t at)
{
    const uint32_t i = w->order[at];
    const struct plumb_op *const o = w->h->op + i;
    struct object *const object = objects + o->object;
    struct plumb_proof_plain_set *const set = &object->states;
    struct plumb_proof_plain_call call;
    struct plumb_proof_plain_seen seen;
    struct plumb_proof_plain_reply instead;
    enum plumb_status status = plumb_proof_plain_read(
        p, w->h, i, plumb_op_is_pending(o), &call, &seen, w->err);
    if (status != PLUMB_OK)
        return status;
    if (plumb_proof_plain_is_told(p)) {
        if (!is_in_time(p, o, taken[i]++, object, &call.moment))
            return reject(w, at, "comes later than calls or returns allow");
    } else if (taken) {
        call.more = steps_of(w, p, i) - ++taken[i];
    }
    if (!set->count)
        status = plumb_proof_plain_set_init(p, set);
    if (status == PLUMB_OK)
        status = plumb_proof_plain_set_step(p, set, &call, &instead);
    if (status != PLUMB_OK)
        return plumb_proof_words_stop(status, w->err);
    return set->count ? PLUMB_OK : reject_step(w, p, at, &instead);
}

/* ---- shares ---- */

static bool is_of_share(const struct plumb_proof_witness *w,
                        const struct plumb_proof_witness_share *s, bool by_key,
                        uint32_t at)
{
    if (s->shares < 2)
        return true;
    const struct plumb_op *const o = w->h->op + w->order[at];
    uint64_t hash = plumb_base_mix1(o->object);
    if (by_key && o->nargs) {
        const struct plumb_value key = plumb_op_args(w->h, o)[0];
        hash = plumb_base_mix1(hash + (uint64_t)key.tag);
        hash = plumb_base_mix1(hash ^ key.bits);
    }
    return hash % s->shares == s->share;
}

/* Of one object. */
static enum plumb_status compare_with_first(
    struct plumb_proof_plain *p, const struct plumb_proof_plain_set *set,
    bool *same)
{
    *same = true;
    if (!set->count) /* nothing was done to it */
        return PLUMB_OK;
    struct plumb_proof_plain_state *const first = plumb_proof_plain_initial(p);
    if (!first)
        return PLUMB_EMEMORY;
    *same = set->count == 1 &&
            plumb_proof_plain_state_equal(p, set->member[0].state, first);
    plumb_proof_plain_state_free(p, first);
    return PLUMB_OK;
}

enum plumb_status plumb_proof_witness_replay(
    const struct plumb_proof_witness *w, struct plumb_proof_plain *p,
    const struct plumb_proof_witness_share *s, bool *ends_as_it_began)
{
    const size_t room = w->h->objects * sizeof(struct object);
    struct object *const states = plumb_base_alloc_zeroed(w->budget, room);
    const bool by_key = p->type->by_key;
    const bool several = p->type->steps || plumb_proof_plain_is_told(p);
    const size_t steps = several ? w->h->count : 0;
    uint8_t *const taken =
        steps ? plumb_base_alloc_zeroed(w->budget, steps) : NULL;
    enum plumb_status status =
        states && (taken || !steps) ? PLUMB_OK : plumb_base_fail_memory(w->err);
    for (uint32_t at = s->from; at < s->to && status == PLUMB_OK; at++) {
        if (!plumb_base_in_time(w->budget, at))
            status = plumb_base_fail_budget(w->budget, w->err);
        else if (is_of_share(w, s, by_key, at))
            status = take_effect(w, p, states, taken, at);
    }
    *ends_as_it_began = true;
    for (uint32_t i = 0; states && i < w->h->objects; i++) {
        bool same = true;
        if (status == PLUMB_OK && s->returns)
            status = compare_with_first(p, &states[i].states, &same);
        *ends_as_it_began &= same;
        plumb_proof_plain_set_release(p, &states[i].states);
    }
    plumb_base_release(w->budget, states, room);
    plumb_base_release(w->budget, taken, steps);
    return status;
}

enum plumb_status plumb_verify_witness(const struct plumb_history *h,
                                       struct plumb_spec_ref spec,
                                       const uint32_t *order, uint32_t count,
                                       struct plumb_budget *budget,
                                       struct plumb_error *err)
{
    const struct plumb_proof_witness w = { h, order, count, budget, err };
    const struct plumb_proof_witness_share all = { .to = count };
    struct plumb_proof_plain *p;
    bool ignored;
    enum plumb_status status =
        plumb_proof_plain_new(spec, h->symbols, budget, &p, err);
    if (status != PLUMB_OK)
        return status;
    const bool once = !p->type->steps && !plumb_proof_plain_is_told(p);
    status = plumb_proof_witness_operations(&w, once ? NULL : p);
    if (status == PLUMB_OK)
        status = plumb_proof_witness_real_time(&w);
    if (status == PLUMB_OK)
        status = plumb_proof_witness_replay(&w, p, &all, &ignored);
    plumb_proof_plain_free(p);
    return status;
}
