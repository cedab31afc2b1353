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

static unsigned steps_of(const struct plumb_proof_witness *w,
                         struct plumb_proof_plain *p, uint32_t i)
{
    return p ? plumb_proof_plain_steps(p, w->h->op[i].name) : 1;
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
        if (status != PLUMB_OK || w->h->op[i].outcome != PLUMB_OUTCOME_OK ||
            placed[i] == steps_of(w, p, i))
            continue;
        plumb_proof_words_of_operation(w->h, i, words);
        status = plumb_proof_words_fail(
            w->h, i, w->err, "%s returned, but is not in the witness%s", words,
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

/* The step at `at`; `taken` counts those of each operation, unless NULL. */
static enum plumb_status take_effect(const struct plumb_proof_witness *w,
                                     struct plumb_proof_plain *p,
                                     struct plumb_proof_plain_set *states,
                                     uint8_t *taken, uint32_t at)
{
    const uint32_t i = w->order[at];
    const struct plumb_op *const o = w->h->op + i;
    struct plumb_proof_plain_set *const set = states + o->object;
    struct plumb_proof_plain_call call;
    struct plumb_proof_plain_seen seen;
    struct plumb_proof_plain_reply instead;
    enum plumb_status status = plumb_proof_plain_read(
        p, w->h, i, plumb_op_is_pending(o), &call, &seen, w->err);
    if (status != PLUMB_OK)
        return status;
    if (taken)
        call.more = steps_of(w, p, i) - ++taken[i];
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
    const size_t room = w->h->objects * sizeof(struct plumb_proof_plain_set);
    struct plumb_proof_plain_set *const states =
        plumb_base_alloc_zeroed(w->budget, room);
    const bool by_key = p->type->by_key;
    const size_t steps = p->type->steps ? w->h->count : 0;
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
            status = compare_with_first(p, states + i, &same);
        *ends_as_it_began &= same;
        plumb_proof_plain_set_release(p, states + i);
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
    status = plumb_proof_witness_operations(&w, p->type->steps ? p : NULL);
    if (status == PLUMB_OK)
        status = plumb_proof_witness_real_time(&w);
    if (status == PLUMB_OK)
        status = plumb_proof_witness_replay(&w, p, &all, &ignored);
    plumb_proof_plain_free(p);
    return status;
}
