/* live_toys.h - long streams of small operations, and what is true after each
 * event by definition.
 *
 * The crowd is every state that a key can be in together with everything that
 * its open operations may have found: whatever is open may take effect at any
 * time.  Nothing here is lazy or clever, and nothing knows the machines. */
#ifndef PLUMB_TESTS_LIVE_TOYS_H
#define PLUMB_TESTS_LIVE_TOYS_H

#include "brute_keyed.h"
#include "effort.h"

#include "base/hash.h"
#include "base/memory.h"
#include "check/live/live.h"
#include "check/live/live_numbers.h"

enum {
    CROWD_SLOTS = 7,
    CROWD_KEYS = 3,
    CROWD_MOST = 40000,
    CROWD_TABLE = 1 << 17
};
#define NOT_YET UINT32_MAX

struct crowd_one {
    uint32_t state;
    uint32_t found[CROWD_SLOTS]; /* the state it took effect in, or NOT_YET */
};

struct crowd {
    const struct toy_type *type;
    struct plumb_check_input_op op[CROWD_SLOTS];
    bool full; /* it is not known any more what is true */
    bool open[CROWD_SLOTS];
    bool blind[CROWD_SLOTS]; /* its answer is always the same */
    uint32_t count;
    struct crowd_one one[CROWD_MOST];
    uint64_t table[CROWD_TABLE]; /* by hash: age << 32 | index */
    uint64_t age;
};

static inline void crowd_add(struct crowd *c, struct crowd_one x)
{
    uint64_t h = plumb_base_hash_bytes(&x, sizeof x) % CROWD_TABLE;
    for (; c->table[h] >> 32 == c->age; h = (h + 1) % CROWD_TABLE)
        if (memcmp(c->one + (uint32_t)c->table[h], &x, sizeof x) == 0)
            return;
    c->full = c->count == CROWD_MOST;
    if (c->full)
        return;
    c->table[h] = c->age << 32 | c->count;
    c->one[c->count++] = x;
}

static inline void crowd_start(struct crowd *c, const struct toy_type *type)
{
    memset(c->open, 0, sizeof c->open);
    c->type = type;
    c->full = false;
    c->count = 0;
    c->age++;
    struct crowd_one x = { .state = type->start };
    for (unsigned i = 0; i < CROWD_SLOTS; i++)
        x.found[i] = NOT_YET;
    crowd_add(c, x);
}

/* Everything that may take effect now. */
static inline void crowd_spread(struct crowd *c)
{
    for (uint32_t i = 0; i < c->count && !c->full; i++)
        for (unsigned s = 0; s < CROWD_SLOTS; s++) {
            if (!c->open[s] || c->one[i].found[s] != NOT_YET)
                continue;
            struct crowd_one next = c->one[i];
            next.found[s] = c->blind[s] ? 0 : next.state;
            next.state = c->type->step(next.state, c->op + s);
            if (next.state != TOY_REFUSES)
                crowd_add(c, next);
        }
}

static inline void crowd_call(struct crowd *c, unsigned slot,
                              const struct plumb_check_input_op *o, bool blind)
{
    c->op[slot] = *o;
    c->open[slot] = true;
    c->blind[slot] = blind;
    crowd_spread(c);
}

/* Those that fit stay: `o` is answered, or NULL: it has not taken effect. */
static inline void crowd_end(struct crowd *c, unsigned slot,
                             const struct plumb_check_input_op *o)
{
    const uint32_t before = c->count;
    c->count = 0;
    c->age++;
    c->open[slot] = false;
    for (uint32_t i = 0; i < before; i++) {
        struct crowd_one x = c->one[i];
        const uint32_t found = x.found[slot];
        const bool fits =
            o ? found != NOT_YET && c->type->step(found, o) != TOY_REFUSES
              : found == NOT_YET;
        x.found[slot] = NOT_YET;
        if (fits)
            crowd_add(c, x);
    }
}

static inline bool crowd_fits(const struct crowd *c, unsigned slot,
                              const struct plumb_check_input_op *o)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->one[i].found[slot] != NOT_YET &&
            c->type->step(c->one[i].found[slot], o) != TOY_REFUSES)
            return true;
    return false;
}

/* ---- a stream ---- */

struct live_toy {
    const struct toy_type *type;
    const struct plumb_check_live_class *class;
    /* Is word i of the operation a value? */
    bool (*is_value)(const struct plumb_check_input_op *o, unsigned i);
    uint32_t cycle;  /* fresh values start again after so many, or 0 */
    uint32_t infos;  /* percent of returns, but at most two */
    uint32_t faults; /* answers that are made up, of 10000 */
    unsigned width;  /* open operations */
    uint64_t from;   /* so many events were before */
};

struct live_toy_counts {
    uint64_t events, violations, declined, streams, fails, lost;
};

struct live_stream {
    const struct live_toy *toy;
    struct plumb_check_live_talk talk;
    struct plumb_check_live_numbers numbers;
    void *machine;
    struct plumb_base_rng *rng;
    struct toy t;        /* what calls and answers are made from */
    struct crowd *crowd; /* by key */
    struct {
        struct plumb_check_input_op op;
        struct plumb_check_live_op live;
        uint32_t key;
        bool open, info;
    } at[CROWD_SLOTS];
    uint64_t events;
    bool lost; /* a crowd is full */
};

static inline bool live_stream_open(struct live_stream *s,
                                    const struct live_toy *toy,
                                    struct plumb_budget *budget,
                                    struct plumb_base_rng *rng)
{
    static struct crowd crowd[CROWD_KEYS];
    memset(s, 0, sizeof *s);
    s->toy = toy;
    s->rng = rng;
    s->crowd = crowd;
    toy_init(&s->t, toy->type);
    for (unsigned i = 0; i < CROWD_KEYS; i++)
        crowd_start(crowd + i, toy->type);
    plumb_check_live_numbers_init(&s->numbers, budget);
    s->talk = (struct plumb_check_live_talk){ .budget = budget,
                                              .numbers = &s->numbers,
                                              .initial = PLUMB_NO_WORD };
    if (toy->type->initial != PLUMB_NO_WORD)
        s->talk.initial = plumb_check_live_number(
            &s->numbers,
            (struct plumb_value){ toy->type->initial, PLUMB_INT, 0 });
    s->events = toy->from;
    s->machine = toy->class->open(&s->talk);
    return s->machine;
}

static inline void live_stream_close(struct live_stream *s)
{
    if (s->machine)
        s->toy->class->close(s->machine);
    plumb_check_live_numbers_release(&s->numbers);
}

/* Words from..to of an operation, as the machine sees them. */
static inline bool live_words(struct live_stream *s, unsigned i, unsigned from,
                              unsigned to)
{
    const struct plumb_check_input_op *const o = &s->at[i].op;
    for (unsigned w = from; w < to; w++) {
        uint32_t word = o->word[w];
        if (s->toy->is_value(o, w) && word != PLUMB_NIL_WORD) {
            word = plumb_check_live_number(
                &s->numbers, (struct plumb_value){ word, PLUMB_INT, 0 });
            if (word == UINT32_MAX)
                return false;
        }
        s->at[i].live.word[w] = word;
    }
    return true;
}

static inline enum plumb_check_live_word live_call(struct live_stream *s,
                                                   unsigned i)
{
    struct plumb_check_input_op o = { .word = { PLUMB_NO_WORD, PLUMB_NO_WORD,
                                                PLUMB_NO_WORD },
                                      .ret = PLUMB_NEVER,
                                      .term = PLUMB_TERM_ANY };
    const uint32_t variants = toy_variants(&s->t, 0, true);
    if (s->toy->cycle)
        s->t.written %= s->toy->cycle;
    assert_true(
        s->toy->type->call(&s->t, &o, plumb_base_rng_below(s->rng, variants)));
    uint32_t key = s->toy->type->keyed ? o.word[0] : 0;
    if (key == PLUMB_NIL_WORD)
        key = CROWD_KEYS - 1;
    s->at[i].op = o;
    s->at[i].key = key;
    s->at[i].open = true;
    s->at[i].info = false;
    s->at[i].live =
        (struct plumb_check_live_op){ .call = ++s->events,
                                      .word = { PLUMB_NO_WORD, PLUMB_NO_WORD,
                                                PLUMB_NO_WORD },
                                      .role = o.role,
                                      .term = PLUMB_TERM_ANY,
                                      .nargs = o.nargs };
    struct plumb_check_input_op answered = o;
    answered.term = PLUMB_TERM_OK;
    crowd_call(s->crowd + key, i, &o,
               !s->toy->type->answer(&s->t, &answered, 1));
    return live_words(s, i, 0, o.nargs)
               ? s->toy->class->call(s->machine, &s->at[i].live)
               : PLUMB_LIVE_NO_ROOM;
}

/* An answer that fits; or sometimes any. */
static inline bool live_answer(struct live_stream *s, unsigned i)
{
    struct plumb_check_input_op o;
    uint32_t variants = 0;
    do {
        o = s->at[i].op;
        o.term = PLUMB_TERM_OK;
    } while (s->toy->type->answer(&s->t, &o, variants) && ++variants);
    const uint32_t from = plumb_base_rng_below(s->rng, variants);
    const bool any = plumb_base_rng_below(s->rng, 10000) < s->toy->faults;
    for (uint32_t v = 0; v < variants; v++) {
        o = s->at[i].op;
        o.term = PLUMB_TERM_OK;
        s->toy->type->answer(&s->t, &o, (from + v) % variants);
        if (!any && !crowd_fits(s->crowd + s->at[i].key, i, &o))
            continue;
        s->at[i].op = o;
        return true;
    }
    return false;
}

static inline unsigned live_infos(const struct live_stream *s)
{
    unsigned n = 0;
    for (unsigned i = 0; i < CROWD_SLOTS; i++)
        n += s->at[i].open && s->at[i].info;
    return n;
}

static inline enum plumb_check_live_word live_return(
    struct live_stream *s, unsigned i, struct live_toy_counts *counts)
{
    struct crowd *const crowd = s->crowd + s->at[i].key;
    const bool info = plumb_base_rng_chance(s->rng, s->toy->infos);
    s->events++;
    if (plumb_base_rng_chance(s->rng, s->toy->infos) || !live_answer(s, i)) {
        counts->fails++;
        s->at[i].open = false;
        crowd_end(crowd, i, NULL);
        return (s->toy->class->fail)(s->machine, &s->at[i].live);
    }
    if (info && live_infos(s) < 2 && s->toy->width > 2) {
        for (unsigned w = s->at[i].op.nargs; w < PLUMB_INPUT_WORDS; w++)
            s->at[i].op.word[w] = PLUMB_NO_WORD;
        s->at[i].op.term = PLUMB_TERM_ANY;
        s->at[i].info = true;
        return s->toy->class->info(s->machine, &s->at[i].live);
    }
    s->at[i].open = false;
    crowd_end(crowd, i, &s->at[i].op);
    s->at[i].live.term = s->at[i].op.term;
    s->at[i].live.nres = s->at[i].op.nres;
    s->at[i].live.now = s->events;
    return live_words(s, i, s->at[i].op.nargs,
                      s->at[i].op.nargs + s->at[i].op.nres)
               ? s->toy->class->ret(s->machine, &s->at[i].live)
               : PLUMB_LIVE_NO_ROOM;
}

/* One event.  What is true is in the crowd of its key. */
static inline enum plumb_check_live_word live_step(
    struct live_stream *s, struct live_toy_counts *counts, bool *right)
{
    unsigned i = plumb_base_rng_below(s->rng, s->toy->width);
    while (s->at[i].open && s->at[i].info)
        i = plumb_base_rng_below(s->rng, s->toy->width);
    const enum plumb_check_live_word word =
        s->at[i].open ? live_return(s, i, counts) : live_call(s, i);
    s->lost = s->crowd[s->at[i].key].full;
    *right = word == (s->crowd[s->at[i].key].count ? PLUMB_LIVE_GOOD
                                                   : PLUMB_LIVE_VIOLATED);
    counts->events++;
    if (word == PLUMB_LIVE_VIOLATED) {
        assert_non_null(s->talk.reason);
        for (const char *at = s->talk.reason; *at; at++)
            if (*at == '%') {
                const uint32_t w = s->talk.word[*++at - '0'];
                assert_true(w == PLUMB_NIL_WORD || w < s->numbers.count);
            }
    }
    return word;
}

/* Streams of up to `most` events, until there were `events`. */
static inline struct live_toy_counts live_check(const struct live_toy *toy,
                                                uint32_t events, uint32_t most)
{
    struct live_toy_counts counts = { 0 };
    const uint32_t seed = toy_number("TOY_SEED", 1);
    events = toy_number("TOY_EVENTS", SOME_OF(events));
    for (; counts.events < events; counts.streams++) {
        struct plumb_base_rng rng;
        struct live_stream s;
        enum plumb_check_live_word word = PLUMB_LIVE_GOOD;
        plumb_base_rng_seed(&rng, (uint64_t)seed << 40 | counts.streams);
        assert_true(live_stream_open(&s, toy, NULL, &rng));
        while (word == PLUMB_LIVE_GOOD && !s.lost &&
               s.events < toy->from + most) {
            bool right;
            word = live_step(&s, &counts, &right);
            if (!right && !s.lost && word != PLUMB_LIVE_DECLINED)
                fail_msg("%s: seed %u, stream %ju, event %ju: machine says %d",
                         toy->type->name, seed, (uintmax_t)counts.streams,
                         (uintmax_t)s.events, word);
        }
        counts.violations += word == PLUMB_LIVE_VIOLATED;
        counts.declined += word == PLUMB_LIVE_DECLINED;
        counts.lost += s.lost;
        live_stream_close(&s);
    }
    print_message("%s: %ju events in %ju streams, %ju violations, %ju failed "
                  "operations, %ju streams declined, %ju lost\n",
                  toy->type->name, (uintmax_t)counts.events,
                  (uintmax_t)counts.streams, (uintmax_t)counts.violations,
                  (uintmax_t)counts.fails, (uintmax_t)counts.declined,
                  (uintmax_t)counts.lost);
    return counts;
}

/* ---- all small ones ---- */

/* What the machine says of the last event. */
static inline enum plumb_check_live_word live_replay(const struct live_toy *toy,
                                                     const struct toy *t)
{
    static struct live_stream s;
    struct plumb_check_live_op op[TOY_OPS];
    enum plumb_check_live_word word = PLUMB_LIVE_GOOD;
    assert_true(live_stream_open(&s, toy, NULL, NULL));
    for (uint32_t e = 0; e < t->events && word == PLUMB_LIVE_GOOD; e++) {
        const uint32_t i = t->event[e] / 2;
        const struct plumb_check_input_op *const o = t->op + i;
        const bool returns = plumb_check_input_is_return(t->event[e]);
        s.at[0].op = *o;
        s.at[0].live = op[i];
        if (!returns)
            s.at[0].live = (struct plumb_check_live_op){ .call = e + 1,
                                                         .role = o->role,
                                                         .nargs = o->nargs };
        assert_true(live_words(&s, 0, returns ? o->nargs : 0,
                               o->nargs + (returns ? o->nres : 0u)));
        op[i] = s.at[0].live;
        op[i].term = o->term;
        op[i].nres = o->nres;
        op[i].now = e + 1;
        word = returns ? toy->class->ret(s.machine, op + i)
                       : toy->class->call(s.machine, op + i);
    }
    live_stream_close(&s);
    return word;
}

/* Every history of up to `most` operations that is linearizable, and those with
 * one event more. */
static inline void live_check_all(const struct live_toy *toy,
                                  const struct toy *t, uint32_t most,
                                  struct live_toy_counts *counts)
{
    const bool good = toy_is_linearizable(t);
    counts->events++;
    counts->violations += !good;
    toy_claim(t, live_replay(toy, t) ==
                     (good ? PLUMB_LIVE_GOOD : PLUMB_LIVE_VIOLATED));
    for (uint32_t v = 0; good && t->count < most; v++) {
        struct toy next = *t;
        if (!toy_call(&next, v))
            break;
        live_check_all(toy, &next, most, counts);
    }
    for (uint32_t i = 0; good && i < t->count; i++)
        for (uint32_t v = 0; toy_is_open(t, i); v++) {
            struct toy next = *t;
            if (!toy_return(&next, i, v))
                break;
            live_check_all(toy, &next, most, counts);
        }
}

static inline void live_check_every(const struct live_toy *toy, uint32_t most)
{
    struct live_toy_counts counts = { 0 };
    struct toy t;
    toy_init(&t, toy->type);
    live_check_all(toy, &t, toy_number("TOY_MOST", most - (TEST_EFFORT > 1)),
                   &counts);
    print_message("%s: all %ju small ones, %ju violations\n", toy->type->name,
                  (uintmax_t)counts.events, (uintmax_t)counts.violations);
    assert_true(counts.violations > 0);
}

/* ---- memory ---- */

/* A long stream without mistakes needs no more memory than a shorter one. */
static inline void live_memory_is_flat(const struct live_toy *toy,
                                       uint32_t events)
{
    struct live_toy_counts counts = { 0 };
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    struct plumb_base_rng rng;
    struct live_stream s;
    size_t at_half = 0;
    bool right;
    plumb_base_rng_seed(&rng, 7);
    assert_true(live_stream_open(&s, toy, budget, &rng));
    while (s.events < events) {
        assert_int_equal(live_step(&s, &counts, &right), PLUMB_LIVE_GOOD);
        if (s.events == events / 2)
            at_half = plumb_budget_used(budget);
    }
    assert_true(plumb_budget_used(budget) < at_half + 4096);
    assert_true(s.numbers.used < 100);
    live_stream_close(&s);
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_budget_free(budget);
}

/* Whichever allocation fails, it says so, and leaks nothing. */
static inline void live_survives_no_memory(const struct live_toy *toy)
{
    bool failed = true;
    for (size_t nth = 1; failed; nth++) {
        struct live_toy_counts counts = { 0 };
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        struct plumb_base_rng rng;
        struct live_stream s;
        enum plumb_check_live_word word = PLUMB_LIVE_GOOD;
        bool right;
        plumb_base_rng_seed(&rng, 3);
        plumb_base_budget_fail_at(budget, nth);
        if (live_stream_open(&s, toy, budget, &rng))
            while (word == PLUMB_LIVE_GOOD && s.events < 2000)
                word = live_step(&s, &counts, &right);
        failed = plumb_base_budget_has_failed(budget);
        assert_true(!s.machine || failed == (word == PLUMB_LIVE_NO_ROOM));
        live_stream_close(&s);
        assert_int_equal(plumb_budget_used(budget), 0);
        plumb_budget_free(budget);
    }
}

#endif
