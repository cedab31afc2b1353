/* walk.h - histories that grow event by event, followed through a frontier.
 *
 * A walk is a draft of the oracle's (tests/oracle/generate.h) with its front:
 * the next event is the call of a free thread or the return of an open one. */
#ifndef PLUMB_TESTS_WALK_H
#define PLUMB_TESTS_WALK_H

#include "samples.h"

#include "check/search/live_configurations.h"

enum { WALK_THREADS = 4 }; /* as many as drafts may have */

struct walk {
    const struct alphabet *alphabet;
    struct plumb_check_configurations *f;
    struct draft draft;
    plumb_check_configuration_set front;
    int open[WALK_THREADS]; /* the operation of a thread, or -1 */
};

static inline void begin_walk(struct walk *w, const struct alphabet *a,
                              struct plumb_check_configurations *f)
{
    memset(w, 0, sizeof *w);
    w->alphabet = a;
    w->f = f;
    w->front = plumb_check_configurations_start(f);
    for (unsigned i = 0; i < WALK_THREADS; i++)
        w->open[i] = -1;
}

static inline struct plumb_check_configurations_word word_of(
    const struct oracle_value *v)
{
    struct plumb_check_configurations_word word = { .value = plumb_nil() };
    if (v->tag == PLUMB_BOOL)
        word.value = plumb_bool(v->text[0] == 't');
    else if (v->tag == PLUMB_INT)
        word.value = plumb_int(strtoll(v->text, NULL, 10));
    else if (v->tag == PLUMB_STR)
        word =
            (struct plumb_check_configurations_word){ plumb_str(0), v->text };
    return word;
}

static inline uint32_t operation_number(struct plumb_check_configurations *f,
                                        const struct alphabet *a,
                                        unsigned thread, unsigned call)
{
    const struct call *const c = &a->call[call];
    struct plumb_check_configurations_word arg[2];
    for (unsigned i = 0; i < c->what.nargs; i++)
        arg[i] = word_of(&c->what.arg[i]);
    return plumb_check_configurations_operation(f, thread, c->name, arg,
                                                c->what.nargs);
}

static inline uint32_t answer_number(struct plumb_check_configurations *f,
                                     uint32_t operation,
                                     const struct oracle_answer *answer)
{
    struct plumb_check_configurations_word result[2];
    for (unsigned i = 0; i < answer->nres; i++)
        result[i] = word_of(&answer->res[i]);
    return plumb_check_configurations_answer(
        f, operation, oracle_term_name(answer->term), result, answer->nres);
}

/* The next event, without looking at what it does. */
static inline void add_event(struct walk *w, unsigned op, bool is_return)
{
    w->draft.event[w->draft.events++] =
        (struct draft_event){ (uint8_t)op, is_return };
    w->open[w->draft.op[op].thread] = is_return ? -1 : (int)op;
}

static inline void walk_call(struct walk *w, unsigned thread, unsigned call)
{
    const unsigned op = w->draft.count++;
    assert_true(op < ORACLE_OPS && w->open[thread] < 0);
    w->draft.op[op] = (struct draft_op){ .call = call,
                                         .thread = thread,
                                         .outcome = PLUMB_OUTCOME_OPEN };
    add_event(w, op, false);
    const uint32_t n = operation_number(w->f, w->alphabet, thread, call);
    if (n == UINT32_MAX)
        fail_msg("%s", plumb_check_configurations_error(w->f)->message);
    w->front = plumb_check_configurations_call(w->f, w->front, n);
}

static inline void walk_return(struct walk *w, unsigned thread,
                               const struct oracle_answer *answer)
{
    const unsigned op = (unsigned)w->open[thread];
    struct draft_op *const o = &w->draft.op[op];
    o->outcome = PLUMB_OUTCOME_OK;
    o->answer = *answer;
    add_event(w, op, true);
    const uint32_t n = operation_number(w->f, w->alphabet, thread, o->call);
    const uint32_t m = answer_number(w->f, n, answer);
    if (m == UINT32_MAX)
        fail_msg("%s", plumb_check_configurations_error(w->f)->message);
    w->front = plumb_check_configurations_return(w->f, w->front, n, m);
}

static inline struct plumb_history walked(const struct walk *w,
                                          struct plumb_builder *b)
{
    struct plumb_history h;
    draft_build(w->alphabet, &w->draft, b, &h);
    return h;
}

/* A random answer that the alphabet has for the open call of `thread`. */
static inline const struct oracle_answer *random_answer(
    struct plumb_base_rng *rng, const struct walk *w, unsigned thread)
{
    const struct alphabet *const a = w->alphabet;
    const unsigned call = w->draft.op[w->open[thread]].call;
    unsigned at = plumb_base_rng_below(rng, a->instances);
    while (a->instance[at].call != call)
        at = (at + 1) % a->instances;
    return &a->instance[at].answer;
}

/* Some event; an answer is tried again if it is a violation, unless `wrong`
 * percent say otherwise.  False: there is none. */
static inline bool walk_on(struct plumb_base_rng *rng, struct walk *w,
                           unsigned ops, unsigned threads, unsigned wrong)
{
    const unsigned thread = plumb_base_rng_below(rng, threads);
    if (w->open[thread] < 0) {
        if (w->draft.count == ops)
            return false;
        walk_call(w, thread, plumb_base_rng_below(rng, w->alphabet->calls));
        return true;
    }
    struct walk next;
    unsigned tries = plumb_base_rng_chance(rng, wrong) ? 1 : 12;
    do {
        next = *w;
        walk_return(&next, thread, random_answer(rng, w, thread));
    } while (next.front == PLUMB_CONFIGURATIONS_NONE && --tries);
    *w = next;
    return true;
}

static inline struct plumb_check_configurations *open_frontier(
    const char *text, struct plumb_spec **spec, struct plumb_budget *budget)
{
    struct plumb_error err;
    if (plumb_spec_parse(text, spec, &err) != PLUMB_OK)
        fail_msg("%s: %s", text, err.message);
    return plumb_check_configurations_open(*spec, budget);
}

#endif
