/* test_monitor_queue.c - the monitor of queues against brute force. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "brute_queue.h"
#include "effort.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/rng.h"
#include "check/input/monitor.h"
#include "spec/stores/container.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 24 };

struct history {
    struct plumb_check_input_op op[MOST];
    uint32_t event[2 * MOST];
    uint32_t count, events, values;
    uint64_t roles;
};

/* What was seen, to be sure that the tests meet what they are about. */
static struct {
    uint64_t fine, wrong, explained, declined, inexact;
    uint32_t largest_blame;
} seen;

static struct plumb_spec plain_queue(void)
{
    struct plumb_spec spec;
    memset(&spec, 0, sizeof spec);
    return spec;
}

/* ---- histories ---- */

static uint32_t call(struct history *h, uint32_t role, uint32_t value)
{
    const uint32_t i = h->count++;
    h->op[i] = (struct plumb_check_input_op){
        .call = h->events,
        .ret = PLUMB_NEVER,
        .word = { value, PLUMB_NO_WORD, PLUMB_NO_WORD },
        .role = (uint8_t)role,
        .term = PLUMB_TERM_ANY,
    };
    h->event[h->events++] = 2 * i;
    h->roles |= UINT64_C(1) << role;
    return i;
}

static void respond(struct history *h, uint32_t i, uint32_t term,
                    uint32_t value)
{
    h->op[i].ret = h->events;
    h->op[i].term = (uint8_t)term;
    h->op[i].word[0] = value;
    h->event[h->events++] = 2 * i + 1;
}

static void dump(const struct history *h)
{
    for (uint32_t i = 0; i < h->count; i++) {
        const struct plumb_check_input_op *const o = &h->op[i];
        const char *const name[] = { "add", "remove", "peek" };
        print_message("  %2u: [%2u, %2d] %s %d%s\n", i, o->call, (int)o->ret,
                      name[o->role - PLUMB_ROLE_ADD], (int)o->word[0],
                      o->term == PLUMB_TERM_EMPTY ? " empty" : "");
    }
}

static struct plumb_check_input tape_of(const struct history *h)
{
    return (struct plumb_check_input){ .op = h->op,
                                       .count = h->count,
                                       .event = h->event,
                                       .events = h->events,
                                       .values = h->values,
                                       .initial = PLUMB_NIL_WORD,
                                       .roles = h->roles };
}

/* ---- answers ---- */

static bool is_witness(const struct history *h,
                       const struct plumb_check_monitoring *m)
{
    struct brute b = { .op = h->op, .count = h->count, .end = PLUMB_NEVER - 1 };
    uint32_t latest_call = 0;
    for (uint32_t i = 0; i < m->order_count; i++) {
        const uint32_t op = m->order[i];
        if (op >= h->count || b.done >> op & 1 || !brute_step(&b, op))
            return false;
        b.done |= UINT32_C(1) << op;
        if (h->op[op].call > latest_call)
            latest_call = h->op[op].call;
        if (h->op[op].ret < latest_call)
            return false;
    }
    for (uint32_t i = 0; i < h->count; i++)
        if (!(b.done >> i & 1) && !plumb_check_input_is_pending(&h->op[i]))
            return false;
    return true;
}

static bool is_whole(const struct history *h,
                     const struct plumb_check_monitoring *m)
{
    uint32_t in = 0;
    for (uint32_t i = 0; i < m->blames; i++)
        in |= UINT32_C(1) << m->blame[i];
    for (uint32_t i = 0; i < h->count; i++) {
        const struct plumb_check_input_op *const o = &h->op[i];
        if (in >> i & 1 || o->role == PLUMB_ROLE_PEEK ||
            o->term == PLUMB_TERM_EMPTY)
            continue;
        if (o->role == PLUMB_ROLE_REMOVE && plumb_check_input_is_pending(o)) {
            if (o->call <= m->sure)
                return false;
            continue;
        }
        for (uint32_t j = 0; j < m->blames; j++) {
            const struct plumb_check_input_op *const b = &h->op[m->blame[j]];
            if (b->role != PLUMB_ROLE_PEEK && b->term != PLUMB_TERM_EMPTY &&
                (b->role == PLUMB_ROLE_ADD ||
                 !plumb_check_input_is_pending(b)) &&
                b->word[0] == o->word[0])
                return false;
        }
    }
    return true;
}

static bool is_blame(const struct history *h,
                     const struct plumb_check_monitoring *m)
{
    struct plumb_check_input_op op[MOST];
    for (uint32_t i = 0; i < m->blames; i++) {
        if (m->blame[i] >= h->count || (i && m->blame[i] <= m->blame[i - 1]))
            return false;
        op[i] = h->op[m->blame[i]];
    }
    if (m->blames > seen.largest_blame)
        seen.largest_blame = m->blames;
    return is_whole(h, m) && !brute_is_queue(op, m->blames, m->sure) &&
           !brute_is_queue(op, m->blames, PLUMB_NEVER - 1);
}

static bool is_earliest(const struct history *h,
                        const struct plumb_check_monitoring *m)
{
    if (m->maybe > m->sure || m->sure >= h->events)
        return false;
    seen.inexact += m->maybe != m->sure;
    return !brute_is_queue(h->op, h->count, m->sure) &&
           (m->maybe == 0 || brute_is_queue(h->op, h->count, m->maybe - 1));
}

static bool is_right(const struct history *h,
                     const struct plumb_check_monitoring *m)
{
    const bool is_queue = brute_is_queue(h->op, h->count, PLUMB_NEVER - 1);
    switch (m->verdict) {
    case PLUMB_LINEARIZABLE:
        seen.fine++;
        for (uint32_t i = 0; i < m->order_count; i++)
            if (h->op[m->order[i]].role == PLUMB_ROLE_REMOVE &&
                plumb_check_input_is_pending(&h->op[m->order[i]])) {
                seen.explained++;
                break;
            }
        return is_queue && is_witness(h, m);
    case PLUMB_NOT_LINEARIZABLE:
        seen.wrong++;
        return !is_queue && is_earliest(h, m) && is_blame(h, m);
    case PLUMB_UNDECIDED:
        seen.declined++;
        return m->declined && m->why == PLUMB_OK;
    }
    return false;
}

static void check(const struct history *h)
{
    const struct plumb_spec spec = plain_queue();
    const struct plumb_check_input input = tape_of(h);
    struct plumb_base_arena arena, scratch;
    plumb_base_arena_init(&arena, NULL);
    plumb_base_arena_init(&scratch, NULL);
    struct plumb_check_monitoring m = {
        .input = &input, .spec = &spec, .arena = &arena, .scratch = &scratch
    };
    assert_true(plumb_check_monitor_queue(&m));
    if (!is_right(h, &m)) {
        dump(h);
        print_message("verdict %d, maybe %u, sure %u\n", (int)m.verdict,
                      m.maybe, m.sure);
        for (uint32_t i = 0; i < m.blames; i++)
            print_message("blame %u\n", m.blame[i]);
        for (uint32_t i = 0; i < m.order_count; i++)
            print_message("order %u\n", m.order[i]);
        fail();
    }
    plumb_base_arena_release(&arena);
    plumb_base_arena_release(&scratch);
}

/* ---- all small ones ---- */

struct limits {
    uint32_t ops, open, peeks;
};

static void extend(struct history *h, const struct limits *limit);

static void extend_by_call(struct history *h, const struct limits *limit,
                           uint32_t role)
{
    struct history next = *h;
    call(&next, role, role == PLUMB_ROLE_ADD ? next.values : PLUMB_NO_WORD);
    next.values += role == PLUMB_ROLE_ADD;
    extend(&next, limit);
}

static void extend_by_return(struct history *h, const struct limits *limit,
                             uint32_t i)
{
    struct history next = *h;
    if (h->op[i].role == PLUMB_ROLE_ADD) {
        respond(&next, i, PLUMB_TERM_OK, h->op[i].word[0]);
        extend(&next, limit);
        return;
    }
    respond(&next, i, PLUMB_TERM_EMPTY, PLUMB_NO_WORD);
    extend(&next, limit);
    for (uint32_t v = 0; v < h->values; v++) {
        next = *h;
        respond(&next, i, PLUMB_TERM_OK, v);
        extend(&next, limit);
    }
}

/* `h` ends in an event before which all was well. */
static void extend(struct history *h, const struct limits *limit)
{
    const uint64_t wrong = seen.wrong;
    uint32_t open = 0, peeks = 0;
    check(h);
    if (seen.wrong > wrong)
        return;
    for (uint32_t i = 0; i < h->count; i++) {
        peeks += h->op[i].role == PLUMB_ROLE_PEEK;
        if (!plumb_check_input_is_pending(&h->op[i]))
            continue;
        open++;
        extend_by_return(h, limit, i);
    }
    if (h->count == limit->ops || open == limit->open)
        return;
    extend_by_call(h, limit, PLUMB_ROLE_ADD);
    extend_by_call(h, limit, PLUMB_ROLE_REMOVE);
    if (peeks < limit->peeks)
        extend_by_call(h, limit, PLUMB_ROLE_PEEK);
}

static void all_small(uint32_t ops, uint32_t open, uint32_t peeks)
{
    const struct limits limit = { ops, open, peeks };
    struct history h = { 0 };
    memset(&seen, 0, sizeof seen);
    extend(&h, &limit);
    print_message("%u ops, %u open, %u peeks: %lu fine (%lu explained), %lu "
                  "wrong, %lu declined, %lu inexact\n",
                  ops, open, peeks, (unsigned long)seen.fine,
                  (unsigned long)seen.explained, (unsigned long)seen.wrong,
                  (unsigned long)seen.declined, (unsigned long)seen.inexact);
    assert_true(seen.fine > 0 && seen.wrong > 0);
    assert_int_equal(seen.declined, 0);
    assert_int_equal(seen.inexact, 0);
}

static uint32_t number(const char *name, uint32_t otherwise)
{
    const char *const text = getenv(name);
    return text ? (uint32_t)strtoul(text, NULL, 10) : otherwise;
}

static void agrees_on_all_small_histories(void **state)
{
    (void)state;
    const uint32_t ops = number("PLUMB_TEST_OPS", 4);
    all_small(ops, 2, 1);
    all_small(ops, 3, 2);
}

/* ---- random ones ---- */

struct maker {
    struct plumb_base_rng rng;
    struct history h;
    uint32_t item[MOST], first, last; /* a queue that did these things */
    bool done[MOST];                  /* it took effect, */
    uint32_t answer[MOST];            /* and this was its answer */
    /* In percent: adds, peeks; answers that are made up; the second value is
     * taken for the first, or for nothing; taking effect before the return. */
    uint32_t add, peek, lie, slip, lazy;
    uint32_t slow; /* removes that do not return for now */
    uint32_t most, open;
};

static void swap(uint32_t *a, uint32_t *b)
{
    const uint32_t c = *a;
    *a = *b;
    *b = c;
}

static void take_effect(struct maker *m, uint32_t i)
{
    const struct plumb_check_input_op *const o = &m->h.op[i];
    if (m->done[i])
        return;
    m->done[i] = true;
    m->answer[i] = PLUMB_NO_WORD;
    if (o->role == PLUMB_ROLE_ADD) {
        m->answer[i] = m->item[m->last++] = o->word[0];
        return;
    }
    const bool slip = plumb_base_rng_chance(&m->rng, m->slip);
    if (slip && m->first + 1 < m->last)
        swap(&m->item[m->first], &m->item[m->first + 1]);
    if (m->first < m->last && (!slip || plumb_base_rng_chance(&m->rng, 70))) {
        m->answer[i] = m->item[m->first];
        m->first += o->role == PLUMB_ROLE_REMOVE;
    }
}

static void make_call(struct maker *m)
{
    const bool add = plumb_base_rng_chance(&m->rng, m->add);
    const bool peek = !add && plumb_base_rng_chance(&m->rng, m->peek);
    const uint32_t i = call(&m->h,
                            add    ? PLUMB_ROLE_ADD
                            : peek ? PLUMB_ROLE_PEEK
                                   : PLUMB_ROLE_REMOVE,
                            add ? m->h.values : PLUMB_NO_WORD);
    m->h.values += add;
    m->done[i] = false;
}

static void make_return(struct maker *m, uint32_t i)
{
    take_effect(m, i);
    uint32_t answer = m->answer[i];
    const bool add = m->h.op[i].role == PLUMB_ROLE_ADD;
    if (!add && plumb_base_rng_chance(&m->rng, m->lie)) {
        answer = plumb_base_rng_below(&m->rng, m->h.values + 1);
        if (answer == m->h.values)
            answer = PLUMB_NO_WORD;
    }
    respond(&m->h, i,
            answer == PLUMB_NO_WORD ? PLUMB_TERM_EMPTY : PLUMB_TERM_OK, answer);
}

/* A random open operation, or NO_WORD. */
static uint32_t pick_open(struct maker *m)
{
    uint32_t open[MOST], count = 0;
    for (uint32_t i = 0; i < m->h.count; i++)
        if (plumb_check_input_is_pending(&m->h.op[i]))
            open[count++] = i;
    if (count < m->open && m->h.count < m->most &&
        (count == 0 || plumb_base_rng_chance(&m->rng, 50)))
        return PLUMB_NO_WORD - 1;
    return count ? open[plumb_base_rng_below(&m->rng, count)] : PLUMB_NO_WORD;
}

/* Much that overlaps, peeks at many values, removes that stay open. */
static void tangle(struct maker *m)
{
    m->open = 6 + plumb_base_rng_below(&m->rng, 4);
    m->peek = 30 + plumb_base_rng_below(&m->rng, 50);
    m->slow = 40 + plumb_base_rng_below(&m->rng, 55);
    m->lie = 20 + plumb_base_rng_below(&m->rng, 70);
}

static void make_random(struct maker *m, uint64_t seed)
{
    *m = (struct maker){ .h = { .count = 0 } };
    plumb_base_rng_seed(&m->rng, seed);
    const uint32_t most = number("PLUMB_TEST_MOST", 12);
    m->most = 4 + plumb_base_rng_below(&m->rng, most - 3);
    m->open = 1 + plumb_base_rng_below(&m->rng, 5);
    m->add = 20 + plumb_base_rng_below(&m->rng, 60);
    m->peek = plumb_base_rng_below(&m->rng, 2)
                  ? plumb_base_rng_below(&m->rng, 70)
                  : 0;
    m->lie = plumb_base_rng_below(&m->rng, 4)
                 ? 0
                 : plumb_base_rng_below(&m->rng, 40);
    m->slip = plumb_base_rng_below(&m->rng, 3)
                  ? plumb_base_rng_below(&m->rng, 60)
                  : 0;
    m->lazy = plumb_base_rng_below(&m->rng, 100);
    if (plumb_base_rng_chance(&m->rng, 40))
        tangle(m);
    const uint32_t stop = plumb_base_rng_below(&m->rng, 3)
                              ? 2 * MOST
                              : plumb_base_rng_below(&m->rng, 2 * m->most);
    while (m->h.events < stop) {
        const uint32_t i = pick_open(m);
        if (i == PLUMB_NO_WORD)
            break;
        if (i == PLUMB_NO_WORD - 1)
            make_call(m);
        else if (!m->done[i] && plumb_base_rng_chance(&m->rng, m->lazy))
            take_effect(m, i);
        else if (m->h.op[i].role == PLUMB_ROLE_REMOVE && m->h.count < m->most &&
                 plumb_base_rng_chance(&m->rng, m->slow))
            continue;
        else
            make_return(m, i);
    }
}

/* ---- shuffled ones: the answers are there before the times are ---- */

struct shuffle {
    struct plumb_base_rng rng;
    struct history h;
    uint32_t at[2 * MOST], events; /* moments, in the order of h.event */
    uint32_t length;
};

static void add_event(struct shuffle *s, uint32_t event, uint32_t at)
{
    uint32_t i = s->events++;
    for (; i > 0 && s->at[i - 1] > at; i--) {
        s->at[i] = s->at[i - 1];
        s->h.event[i] = s->h.event[i - 1];
    }
    s->at[i] = at;
    s->h.event[i] = event;
}

static void add_op(struct shuffle *s, uint32_t role, uint32_t value,
                   uint32_t from, bool returns)
{
    const uint32_t i = s->h.count++;
    const uint32_t at = from + plumb_base_rng_below(&s->rng, 600);
    s->h.op[i] = (struct plumb_check_input_op){
        .word = { value, PLUMB_NO_WORD, PLUMB_NO_WORD },
        .role = (uint8_t)role,
        .term = !returns                 ? PLUMB_TERM_ANY
                : value == PLUMB_NO_WORD ? PLUMB_TERM_EMPTY
                                         : PLUMB_TERM_OK,
    };
    s->h.roles |= UINT64_C(1) << role;
    add_event(s, 2 * i, at);
    if (returns)
        add_event(s, 2 * i + 1,
                  at + 1 + plumb_base_rng_below(&s->rng, s->length));
}

static void add_value(struct shuffle *s, uint32_t v, uint32_t peek,
                      uint32_t leave)
{
    const uint32_t step = 100 * v;
    add_op(s, PLUMB_ROLE_ADD, v, step, plumb_base_rng_chance(&s->rng, 95));
    while (plumb_base_rng_chance(&s->rng, peek) && s->h.count < 11)
        add_op(s, PLUMB_ROLE_PEEK, v, 200 + step, true);
    if (plumb_base_rng_chance(&s->rng, leave))
        add_op(s, PLUMB_ROLE_REMOVE, v, 300 + step, true);
}

/* Operations are numbered by their calls, and ranks are places. */
static void number_by_call(const struct shuffle *s, struct history *h)
{
    uint32_t number[MOST];
    *h = (struct history){ .values = s->h.values, .roles = s->h.roles };
    for (uint32_t i = 0; i < s->events; i++) {
        const uint32_t old = s->h.event[i] / 2;
        const struct plumb_check_input_op *const o = &s->h.op[old];
        if (plumb_check_input_is_return(s->h.event[i]))
            respond(h, number[old], o->term, o->word[0]);
        else
            number[old] = call(h, o->role, o->word[0]);
    }
}

static void make_shuffled(struct history *h, uint64_t seed)
{
    struct shuffle s = { .events = 0 };
    plumb_base_rng_seed(&s.rng, seed);
    s.length = 1 + plumb_base_rng_below(&s.rng, 800);
    s.h.values = 1 + plumb_base_rng_below(&s.rng, 4);
    const uint32_t peek = plumb_base_rng_below(&s.rng, 60);
    const uint32_t leave = plumb_base_rng_below(&s.rng, 100);
    for (uint32_t v = 0; v < s.h.values; v++)
        add_value(&s, v, peek, leave);
    for (uint32_t i = plumb_base_rng_below(&s.rng, 4); i > 0 && s.h.count < 12;
         i--)
        add_op(&s, PLUMB_ROLE_REMOVE, PLUMB_NO_WORD, 200, false);
    while (s.h.count < 12 && plumb_base_rng_chance(&s.rng, 25))
        add_op(&s, PLUMB_ROLE_REMOVE, PLUMB_NO_WORD, 300, true);
    number_by_call(&s, h);
}

static void agrees_on_random_histories(void **state)
{
    (void)state;
    const uint32_t count = number("PLUMB_TEST_COUNT", SOME_OF(60000));
    const uint64_t seed = number("PLUMB_TEST_SEED", 1);
    struct maker m;
    memset(&seen, 0, sizeof seen);
    for (uint32_t i = 0; i < count; i++) {
        make_random(&m, seed * 1000000007u + i);
        check(&m.h);
        make_shuffled(&m.h, seed * 1000000007u + i);
        check(&m.h);
    }
    print_message("seed %lu: %lu fine (%lu explained), %lu wrong, %lu declined,"
                  " %lu inexact, the largest blame %u\n",
                  (unsigned long)seed, (unsigned long)seen.fine,
                  (unsigned long)seen.explained, (unsigned long)seen.wrong,
                  (unsigned long)seen.declined, (unsigned long)seen.inexact,
                  seen.largest_blame);
    assert_true(seen.fine > count / 10 && seen.wrong > count / 10);
    assert_true(seen.explained > 0);
    assert_int_equal(seen.declined, 0);
    assert_int_equal(seen.inexact, 0);
}

/* ---- by hand ---- */

static uint32_t add(struct history *h, uint32_t value)
{
    if (value >= h->values && value != PLUMB_NIL_WORD)
        h->values = value + 1;
    return call(h, PLUMB_ROLE_ADD, value);
}

static void did(struct history *h, uint32_t role, uint32_t value)
{
    const uint32_t i =
        role == PLUMB_ROLE_ADD ? add(h, value) : call(h, role, PLUMB_NO_WORD);
    respond(h, i, PLUMB_TERM_OK, value);
}

/* 0 and 1 were peeked, and one remove is open.  It took 1, though 0 was peeked
 * first, because 2 is behind 1 and has left: then 0 may stay. */
static void the_open_remove_took_the_value_peeked_last(void **state)
{
    (void)state;
    struct history h = { 0 };
    memset(&seen, 0, sizeof seen);
    add(&h, 0);
    call(&h, PLUMB_ROLE_REMOVE, PLUMB_NO_WORD);
    did(&h, PLUMB_ROLE_ADD, 1);
    add(&h, 2);
    const uint32_t remove = call(&h, PLUMB_ROLE_REMOVE, PLUMB_NO_WORD);
    const uint32_t first = call(&h, PLUMB_ROLE_PEEK, PLUMB_NO_WORD);
    const uint32_t second = call(&h, PLUMB_ROLE_PEEK, PLUMB_NO_WORD);
    respond(&h, first, PLUMB_TERM_OK, 0);
    respond(&h, second, PLUMB_TERM_OK, 1);
    respond(&h, remove, PLUMB_TERM_OK, 2);
    check(&h);
    assert_int_equal(seen.explained, 1);
    did(&h, PLUMB_ROLE_REMOVE, 1);
    check(&h);
    assert_int_equal(seen.wrong, 1);
}

static void nil_is_a_value(void **state)
{
    (void)state;
    struct history h = { 0 };
    memset(&seen, 0, sizeof seen);
    did(&h, PLUMB_ROLE_ADD, PLUMB_NIL_WORD);
    did(&h, PLUMB_ROLE_ADD, 0);
    did(&h, PLUMB_ROLE_REMOVE, PLUMB_NIL_WORD);
    check(&h);
    assert_int_equal(seen.fine, 1);
    did(&h, PLUMB_ROLE_REMOVE, PLUMB_NIL_WORD);
    check(&h);
    assert_int_equal(seen.wrong, 1);
}

static void is_declined(const struct history *h, const struct plumb_spec *spec,
                        const char *why)
{
    const struct plumb_check_input input = tape_of(h);
    struct plumb_base_arena arena;
    plumb_base_arena_init(&arena, NULL);
    struct plumb_check_monitoring m = {
        .input = &input, .spec = spec, .arena = &arena, .scratch = &arena
    };
    assert_true(plumb_check_monitor_queue(&m));
    assert_int_equal(m.verdict, PLUMB_UNDECIDED);
    assert_string_equal(m.declined, why);
    plumb_base_arena_release(&arena);
}

static void what_is_not_decided_is_declined(void **state)
{
    (void)state;
    struct plumb_spec spec = plain_queue();
    struct history h = { 0 };
    did(&h, PLUMB_ROLE_ADD, 0);
    did(&h, PLUMB_ROLE_REMOVE, 0);
    spec.given[PLUMB_CAP] = true;
    is_declined(&h, &spec, "a capacity limit");
    spec = plain_queue();
    struct history full = h;
    respond(&full, add(&full, 1), PLUMB_TERM_FULL, 1);
    is_declined(&full, &spec, "an operation of another type");
    struct history empty = h;
    respond(&empty, call(&empty, PLUMB_ROLE_REMOVE, PLUMB_NO_WORD),
            PLUMB_TERM_EMPTY, PLUMB_NO_WORD);
    spec.param[PLUMB_BLOCKING] = 1;
    is_declined(&empty, &spec, "a blocking queue returned empty");
    did(&h, PLUMB_ROLE_ADD, 0);
    is_declined(&h, &spec, "values repeat");
}

static void memory_that_is_used_up_is_no_verdict(void **state)
{
    (void)state;
    const struct plumb_spec spec = plain_queue();
    struct maker made;
    uint32_t failures = 0;
    for (uint32_t i = 0; i < 200; i++) {
        make_shuffled(&made.h, i);
        const struct plumb_check_input input = tape_of(&made.h);
        const bool is_queue =
            brute_is_queue(made.h.op, made.h.count, PLUMB_NEVER - 1);
        for (size_t nth = 1; nth < 100; nth++) {
            struct plumb_budget *const budget = plumb_budget_new(0, 0);
            struct plumb_base_arena arena, scratch;
            plumb_base_arena_init(&arena, budget);
            plumb_base_arena_init(&scratch, budget);
            struct plumb_check_monitoring m = { .input = &input,
                                                .spec = &spec,
                                                .budget = budget,
                                                .arena = &arena,
                                                .scratch = &scratch };
            plumb_base_budget_fail_at(budget, nth);
            const bool ended = !plumb_check_monitor_queue(&m);
            const bool failed = plumb_base_budget_has_failed(budget);
            failures += ended;
            if (ended)
                assert_true(failed && m.why == PLUMB_EMEMORY &&
                            m.verdict == PLUMB_UNDECIDED);
            else
                assert_int_equal(m.verdict == PLUMB_LINEARIZABLE, is_queue);
            plumb_base_arena_release(&arena);
            plumb_base_arena_release(&scratch);
            plumb_budget_free(budget);
            if (!failed)
                break;
        }
    }
    assert_true(failures > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_on_all_small_histories),
        cmocka_unit_test(agrees_on_random_histories),
        cmocka_unit_test(the_open_remove_took_the_value_peeked_last),
        cmocka_unit_test(nil_is_a_value),
        cmocka_unit_test(what_is_not_decided_is_declined),
        cmocka_unit_test(memory_that_is_used_up_is_no_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
