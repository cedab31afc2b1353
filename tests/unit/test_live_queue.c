/* test_live_queue.c - queues event by event, against brute force: it must say
 * that a history is a violation at the first event at which it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "brute_queue.h"
#include "effort.h"

#include "base/memory.h"
#include "base/rng.h"
#include "check/live/live.h"
#include "check/live/live_numbers.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24, OPEN = 0, DONE, VAGUE, FAILED };

struct op {
    uint32_t role, value;
    uint32_t call, end; /* events */
    uint32_t how;       /* it ended, or OPEN */
    bool empty;
};

struct history {
    struct op op[MOST];
    uint32_t event[2 * MOST]; /* 2 * op, plus 1 if it ends */
    uint32_t count, events;
};

/* What was seen, to be sure that the tests meet what they are about. */
static struct {
    uint64_t fine, wrong, repeat, vague;
} seen;

static uint32_t call(struct history *h, uint32_t role, uint32_t value)
{
    h->op[h->count] =
        (struct op){ .role = role, .value = value, .call = h->events };
    h->event[h->events++] = 2 * h->count;
    return h->count++;
}

static void end(struct history *h, uint32_t i, uint32_t how)
{
    h->op[i].end = h->events;
    h->op[i].how = how;
    h->event[h->events++] = 2 * i + 1;
}

static void answer(struct history *h, uint32_t i, uint32_t value, bool empty)
{
    h->op[i].value = value;
    h->op[i].empty = empty;
    end(h, i, DONE);
}

static void dump(const struct history *h)
{
    static const char *const role[] = { "enq", "deq", "peek" };
    static const char *const how[] = { "open", "ok", "info", "fail" };
    for (uint32_t e = 0; e < h->events; e++) {
        const uint32_t i = h->event[e] / 2;
        const struct op *const o = &h->op[i];
        if (h->event[e] % 2)
            print_message("%3u: %u %s %d\n", e + 1, i, how[o->how],
                          o->empty ? -1 : (int)o->value);
        else
            print_message("%3u: %u %s %d\n", e + 1, i,
                          role[o->role - PLUMB_ROLE_ADD],
                          o->role == PLUMB_ROLE_ADD ? (int)o->value : -1);
    }
}

/* ---- the judge ---- */

/* The first `events` of it. */
static bool is_queue(const struct history *h, uint32_t events)
{
    struct plumb_check_input_op op[MOST];
    uint32_t count = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        const struct op *const o = &h->op[i];
        const bool ended = o->how != OPEN && o->end < events;
        if (o->call >= events || (ended && o->how == FAILED))
            continue;
        op[count++] = (struct plumb_check_input_op){
            .call = o->call,
            .ret = ended && o->how == DONE ? o->end : PLUMB_NEVER,
            .word = { o->value },
            .role = (uint8_t)o->role,
            .term = o->empty ? PLUMB_TERM_EMPTY : PLUMB_TERM_OK
        };
    }
    return brute_is_queue(op, count, PLUMB_NEVER - 1);
}

/* ---- the machine ---- */

struct machine {
    struct plumb_spec spec;
    struct plumb_check_live_numbers numbers;
    struct plumb_check_live_talk talk;
    struct plumb_check_live_op op[MOST];
    void *queue;
};

static bool machine_open(struct machine *m, struct plumb_budget *budget)
{
    memset(m, 0, sizeof *m);
    plumb_check_live_numbers_init(&m->numbers, budget);
    m->talk.spec = &m->spec;
    m->talk.budget = budget;
    m->talk.numbers = &m->numbers;
    m->queue = plumb_check_live_queue.open(&m->talk);
    return m->queue;
}

static void machine_close(struct machine *m)
{
    if (m->queue)
        plumb_check_live_queue.close(m->queue);
    plumb_check_live_numbers_release(&m->numbers);
}

static uint32_t word_of(struct machine *m, uint32_t value)
{
    return plumb_check_live_number(&m->numbers, plumb_int(value));
}

static enum plumb_check_live_word machine_call(struct machine *m,
                                               const struct op *o, uint32_t i,
                                               uint64_t now)
{
    m->op[i] =
        (struct plumb_check_live_op){ .call = now,
                                      .role = (uint8_t)o->role,
                                      .term = PLUMB_TERM_ANY,
                                      .nargs = o->role == PLUMB_ROLE_ADD };
    if (o->role == PLUMB_ROLE_ADD)
        m->op[i].word[0] = word_of(m, o->value);
    if (m->op[i].word[0] == PLUMB_NO_WORD)
        return PLUMB_LIVE_NO_ROOM;
    return plumb_check_live_queue.call(m->queue, &m->op[i]);
}

static enum plumb_check_live_word machine_end(struct machine *m,
                                              const struct op *o, uint32_t i,
                                              uint64_t now)
{
    struct plumb_check_live_op *const p = &m->op[i];
    if (o->how == VAGUE)
        return plumb_check_live_queue.info(m->queue, p);
    if (o->how == FAILED)
        return (plumb_check_live_queue.fail)(m->queue, p);
    p->term = o->empty ? PLUMB_TERM_EMPTY : PLUMB_TERM_OK;
    p->nres = o->role != PLUMB_ROLE_ADD && !o->empty;
    if (p->nres)
        p->word[0] = word_of(m, o->value);
    if (p->word[0] == PLUMB_NO_WORD)
        return PLUMB_LIVE_NO_ROOM;
    p->now = now;
    return plumb_check_live_queue.ret(m->queue, p);
}

/* The events that it follows until it says something. */
static uint32_t follow(const struct history *h, struct machine *m,
                       enum plumb_check_live_word *word)
{
    for (uint32_t e = 0; e < h->events; e++) {
        const uint32_t i = h->event[e] / 2;
        *word = h->event[e] % 2 ? machine_end(m, &h->op[i], i, e + 1)
                                : machine_call(m, &h->op[i], i, e + 1);
        if (*word != PLUMB_LIVE_GOOD)
            return e + 1;
    }
    return h->events;
}

/* It is fine so far. */
static bool judge(const struct history *h)
{
    struct machine m;
    enum plumb_check_live_word word = PLUMB_LIVE_GOOD;
    assert_true(machine_open(&m, NULL));
    const uint32_t events = follow(h, &m, &word);
    const bool stopped = word != PLUMB_LIVE_GOOD;
    bool right = word != PLUMB_LIVE_NO_ROOM && is_queue(h, events - stopped);
    if (word == PLUMB_LIVE_VIOLATED)
        right = right && !is_queue(h, events);
    if (!right) {
        dump(h);
        fail_msg("word %d at event %u: %s", (int)word, events,
                 m.talk.reason ? m.talk.reason : "-");
    }
    seen.fine += word == PLUMB_LIVE_GOOD;
    seen.wrong += word == PLUMB_LIVE_VIOLATED;
    if (word == PLUMB_LIVE_DECLINED) {
        const bool repeat = strcmp(m.talk.declined, "values repeat") == 0;
        seen.repeat += repeat;
        seen.vague += !repeat;
    }
    machine_close(&m);
    return word == PLUMB_LIVE_GOOD;
}

static void tell(const char *what)
{
    print_message("%s: %" PRIu64 " fine, %" PRIu64 " violations, %" PRIu64
                  " with repeated values, %" PRIu64 " declined\n",
                  what, seen.fine, seen.wrong, seen.repeat, seen.vague);
    memset(&seen, 0, sizeof seen);
}

/* ---- at random ---- */

/* How histories are made: of 100. */
struct taste {
    uint32_t threads, ops;
    uint32_t adds, peeks; /* the others remove */
    uint32_t vague, fails;
    uint32_t lies;    /* answers that are made up */
    uint32_t repeats; /* values that were there before */
    uint32_t ends;    /* the next event ends an operation */
};

struct maker {
    struct history h;
    struct plumb_base_rng rng;
    const struct taste *t;
    uint32_t open[MOST], opens;
    bool applied[MOST];
    uint32_t item[MOST], first, last; /* a real queue */
    uint32_t values;
};

static bool happens(struct maker *m, uint32_t percent)
{
    return plumb_base_rng_below(&m->rng, 100) < percent;
}

static void begin_some(struct maker *m)
{
    const bool adds = happens(m, m->t->adds);
    const bool peeks = happens(m, m->t->peeks);
    uint32_t value = 0;
    if (adds)
        value = m->values && happens(m, m->t->repeats)
                    ? plumb_base_rng_below(&m->rng, m->values)
                    : m->values++;
    m->applied[m->h.count] = false;
    m->open[m->opens++] = call(&m->h,
                               adds    ? PLUMB_ROLE_ADD
                               : peeks ? PLUMB_ROLE_PEEK
                                       : PLUMB_ROLE_REMOVE,
                               value);
}

static void apply(struct maker *m, uint32_t i)
{
    struct op *const o = &m->h.op[i];
    if (m->applied[i])
        return;
    m->applied[i] = true;
    if (o->role == PLUMB_ROLE_ADD) {
        m->item[m->last++] = o->value;
        return;
    }
    o->empty = m->first == m->last;
    if (!o->empty)
        o->value = m->item[m->first];
    m->first += !o->empty && o->role == PLUMB_ROLE_REMOVE;
}

static void end_some(struct maker *m)
{
    const uint32_t at = plumb_base_rng_below(&m->rng, m->opens);
    const uint32_t i = m->open[at];
    m->open[at] = m->open[--m->opens];
    if (happens(m, m->t->vague)) {
        end(&m->h, i, VAGUE);
        return;
    }
    if (!m->applied[i] && happens(m, m->t->fails)) {
        end(&m->h, i, FAILED);
        return;
    }
    apply(m, i);
    const struct op *const o = &m->h.op[i];
    if (o->role == PLUMB_ROLE_ADD || !happens(m, m->t->lies))
        answer(&m->h, i, o->value, o->empty);
    else
        answer(&m->h, i,
               m->values ? plumb_base_rng_below(&m->rng, m->values) : 0,
               happens(m, 40));
}

static void make(struct maker *m, uint64_t seed, const struct taste *t)
{
    memset(m, 0, sizeof *m);
    plumb_base_rng_seed(&m->rng, seed);
    m->t = t;
    for (;;) {
        if (m->opens && happens(m, 50))
            apply(m, m->open[plumb_base_rng_below(&m->rng, m->opens)]);
        const bool more = m->h.count < t->ops;
        if (m->opens &&
            (m->opens == t->threads || !more || happens(m, t->ends))) {
            if (!more && happens(m, 20))
                return;
            end_some(m);
        } else if (more) {
            begin_some(m);
        } else {
            return;
        }
    }
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *const text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void at_random(const char *what, const struct taste *t)
{
    const uint64_t first = setting("LIVE_SEED", 1);
    const uint64_t count = setting("LIVE_COUNT", SOME_OF(30000));
    static struct maker m;
    for (uint64_t seed = first; seed < first + count; seed++) {
        make(&m, seed, t);
        judge(&m.h);
    }
    assert_true(seen.fine > 0 && seen.wrong > 0);
    tell(what);
}

static void plain_queues(void **state)
{
    (void)state;
    at_random("no empty, few lies",
              &(struct taste){
                  .threads = 4, .ops = 9, .adds = 60, .lies = 10, .ends = 40 });
    at_random("short",
              &(struct taste){
                  .threads = 3, .ops = 9, .adds = 45, .lies = 15, .ends = 50 });
    at_random("wide",
              &(struct taste){
                  .threads = 6, .ops = 9, .adds = 50, .lies = 20, .ends = 30 });
    at_random(
        "wide, empty",
        &(struct taste){
            .threads = 6, .ops = 10, .adds = 35, .lies = 20, .ends = 40 });
}

static void operations_that_never_return(void **state)
{
    (void)state;
    at_random("info", &(struct taste){ .threads = 4,
                                       .ops = 10,
                                       .adds = 45,
                                       .lies = 15,
                                       .ends = 50,
                                       .vague = 30 });
    at_random("info, fail", &(struct taste){ .threads = 4,
                                             .ops = 10,
                                             .adds = 45,
                                             .lies = 15,
                                             .ends = 50,
                                             .vague = 20,
                                             .fails = 30 });
    at_random("info, empty", &(struct taste){ .threads = 6,
                                              .ops = 10,
                                              .adds = 33,
                                              .vague = 20,
                                              .fails = 5,
                                              .lies = 25,
                                              .ends = 45 });
}

static void values_again(void **state)
{
    (void)state;
    at_random("repeats", &(struct taste){ .threads = 3,
                                          .ops = 11,
                                          .adds = 45,
                                          .lies = 10,
                                          .ends = 60,
                                          .repeats = 50 });
    at_random("repeats, all", &(struct taste){ .threads = 3,
                                               .ops = 10,
                                               .adds = 45,
                                               .lies = 10,
                                               .ends = 60,
                                               .repeats = 50,
                                               .peeks = 30,
                                               .vague = 10,
                                               .fails = 10 });
}

static void peeks(void **state)
{
    (void)state;
    at_random("peeks", &(struct taste){ .threads = 3,
                                        .ops = 9,
                                        .adds = 40,
                                        .peeks = 50,
                                        .lies = 10,
                                        .ends = 50 });
    at_random("wide peeks", &(struct taste){ .threads = 5,
                                             .ops = 10,
                                             .adds = 40,
                                             .peeks = 50,
                                             .lies = 10,
                                             .ends = 40 });
    at_random("peeks, info", &(struct taste){ .threads = 4,
                                              .ops = 10,
                                              .adds = 40,
                                              .peeks = 50,
                                              .lies = 10,
                                              .ends = 50,
                                              .vague = 20,
                                              .fails = 10 });
    at_random("many peeks", &(struct taste){ .threads = 5,
                                             .ops = 12,
                                             .adds = 35,
                                             .peeks = 70,
                                             .lies = 10,
                                             .ends = 40 });
    at_random("peeks, lies", &(struct taste){ .threads = 6,
                                              .ops = 10,
                                              .adds = 35,
                                              .peeks = 60,
                                              .vague = 5,
                                              .lies = 30,
                                              .ends = 40 });
}

/* ---- memory ---- */

/* One turn of each thread and so on: a real queue, of about 8 values. */
struct endless {
    struct machine m;
    struct plumb_base_rng rng;
    struct op op[8];
    bool open[8], applied[8];
    uint32_t item[64], first, last, values;
    uint64_t now;
};

static void apply_endless(struct endless *s, uint32_t t)
{
    struct op *const o = &s->op[t];
    if (s->applied[t])
        return;
    s->applied[t] = true;
    if (o->role == PLUMB_ROLE_ADD) {
        s->item[s->last++ % 64] = o->value;
        return;
    }
    o->empty = s->first == s->last;
    if (!o->empty)
        o->value = s->item[s->first % 64];
    s->first += !o->empty && o->role == PLUMB_ROLE_REMOVE;
}

static enum plumb_check_live_word call_endless(struct endless *s, uint32_t t)
{
    const bool adds =
        s->last - s->first < 40 &&
        plumb_base_rng_below(&s->rng, 16) < (s->last - s->first < 8 ? 9u : 7u);
    const bool peeks = plumb_base_rng_below(&s->rng, 4) == 0;
    s->op[t] = (struct op){ .role = adds    ? PLUMB_ROLE_ADD
                                    : peeks ? PLUMB_ROLE_PEEK
                                            : PLUMB_ROLE_REMOVE,
                            .value = adds ? s->values++ : 0 };
    s->open[t] = true;
    s->applied[t] = false;
    return machine_call(&s->m, &s->op[t], t, s->now);
}

static enum plumb_check_live_word end_endless(struct endless *s, uint32_t t)
{
    s->open[t] = false;
    s->op[t].how = plumb_base_rng_below(&s->rng, 1000) ? DONE : VAGUE;
    if (s->op[t].how == DONE)
        apply_endless(s, t);
    return machine_end(&s->m, &s->op[t], t, s->now);
}

static void what_is_settled_is_forgotten(void **state)
{
    static struct endless s;
    (void)state;
    assert_true(machine_open(&s.m, NULL));
    plumb_base_rng_seed(&s.rng, 11);
    uint64_t most = 0;
    for (s.now = 1; s.now < 1000000; s.now++) {
        const uint32_t t = plumb_base_rng_below(&s.rng, 8);
        if (s.open[t] && plumb_base_rng_below(&s.rng, 2))
            apply_endless(&s, t);
        const enum plumb_check_live_word word =
            s.open[t] ? end_endless(&s, t) : call_endless(&s, t);
        assert_int_equal(word, PLUMB_LIVE_GOOD);
        const uint64_t kept = plumb_check_live_queue.resident(s.m.queue);
        most = kept > most ? kept : most;
    }
    print_message("at most %" PRIu64 " values are kept\n", most);
    /* Enqueues that never return, of values that were never dequeued, stay. */
    assert_true(most < 400);
    assert_true(s.m.numbers.count < 400);
    machine_close(&s.m);
}

static void memory_may_run_out(void **state)
{
    static struct maker k;
    const struct taste t = {
        .threads = 8, .ops = 22, .adds = 50, .peeks = 30, .ends = 30
    };
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        bool failed = true;
        make(&k, seed, &t);
        for (size_t nth = 1; failed; nth++) {
            struct plumb_budget *const budget = plumb_budget_new(0, 0);
            enum plumb_check_live_word word = PLUMB_LIVE_GOOD;
            struct machine m;
            assert_non_null(budget);
            plumb_base_budget_fail_at(budget, nth);
            if (machine_open(&m, budget))
                follow(&k.h, &m, &word);
            failed = plumb_base_budget_has_failed(budget);
            assert_true(failed || word == PLUMB_LIVE_GOOD);
            machine_close(&m);
            assert_int_equal(plumb_budget_used(budget), 0);
            plumb_budget_free(budget);
        }
    }
}

/* ---- all ---- */

struct bounds {
    uint32_t ops;
    bool peeks, odd; /* some peek; some never return, or fail */
};

static void go_on(struct history *h, const struct bounds *b);

static void try(const struct history *h, const struct bounds *b)
{
    struct history next = *h;
    if (judge(&next))
        go_on(&next, b);
}

static uint32_t values_of(const struct history *h)
{
    uint32_t values = 0;
    for (uint32_t i = 0; i < h->count; i++)
        values += h->op[i].role == PLUMB_ROLE_ADD;
    return values;
}

static void try_answers(const struct history *h, uint32_t i,
                        const struct bounds *b)
{
    const bool adds = h->op[i].role == PLUMB_ROLE_ADD;
    const uint32_t values = adds ? 0 : values_of(h);
    for (uint32_t v = 0; v <= values; v++) {
        struct history next = *h;
        answer(&next, i, adds ? next.op[i].value : v, !adds && v == values);
        try(&next, b);
    }
    for (uint32_t how = VAGUE; b->odd && how <= FAILED; how++) {
        struct history next = *h;
        end(&next, i, how);
        try(&next, b);
    }
}

static void go_on(struct history *h, const struct bounds *b)
{
    const uint32_t roles = b->peeks ? 3 : 2;
    for (uint32_t role = 0; h->count < b->ops && role < roles; role++) {
        struct history next = *h;
        call(&next, PLUMB_ROLE_ADD + role, role ? 0 : values_of(h));
        try(&next, b);
    }
    for (uint32_t i = 0; i < h->count; i++)
        if (h->op[i].how == OPEN)
            try_answers(h, i, b);
}

static void all_small_histories(void **state)
{
    enum { OPS = TEST_EFFORT > 1 ? 4 : 5 };
    static const struct bounds plain = { .ops = OPS }, odd = { 4, false, true },
                               peeking = { 4, true, false };
    static const struct bounds more[] = { { 4, true, true },
                                          { 6, false, false },
                                          { 5, true, false } };
    struct history h = { .count = 0 };
    (void)state;
    go_on(&h, &plain);
    tell("all of 4 or 5 operations");
    go_on(&h, &odd);
    tell("all of 4, some never return");
    go_on(&h, &peeking);
    tell("all of 4, with peeks");
    const uint64_t extra = setting("LIVE_MORE", 0);
    for (uint32_t i = 0; i < 3; i++)
        if (extra >> i & 1) {
            go_on(&h, &more[i]);
            tell("more");
        }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_queues),
        cmocka_unit_test(operations_that_never_return),
        cmocka_unit_test(values_again),
        cmocka_unit_test(peeks),
        cmocka_unit_test(all_small_histories),
        cmocka_unit_test(what_is_settled_is_forgotten),
        cmocka_unit_test(memory_may_run_out),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
