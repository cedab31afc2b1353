/* test_log_history.c - the logs of processes become one history.
 *
 * What is known of a history is its linear order of calls and returns.  The
 * processes stamp them as log.h says; after the merge the same calls must
 * precede the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/rng.h"
#include "record/log_history.h"
#include "record/menu.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 12, CALLS = MOST * PLUMB_MAX_PROCESSES };

static const char *const names[] = { "first", "second" };

/* Entries of exactly as much memory as they need: the address sanitizer sees
 * who reads more. */
struct logs {
    struct plumb_record_entry *entry[PLUMB_MAX_PROCESSES];
    struct plumb_record_process_log log[PLUMB_MAX_PROCESSES];
    unsigned processes;
    /* When each call, known by its argument, was called and returned: places
     * in the linear order. */
    unsigned called[CALLS], returned[CALLS], calls;
};

static void logs_init(struct logs *l, unsigned processes)
{
    *l = (struct logs){ .processes = processes };
    for (unsigned p = 0; p < processes; p++) {
        l->entry[p] = calloc(MOST, sizeof *l->entry[p]);
        assert_non_null(l->entry[p]);
        l->log[p].entry = l->entry[p];
    }
}

static void logs_release(struct logs *l)
{
    for (unsigned p = 0; p < l->processes; p++)
        free(l->entry[p]);
}

static enum plumb_status convert(const struct logs *l, struct plumb_history *h,
                                 struct plumb_error *err)
{
    const struct plumb_record_recording r = {
        .object = "Q",
        .operation = names,
        .operations = 2,
        .process = l->log,
        .processes = l->processes,
    };
    struct plumb_builder *const b = plumb_builder_new(NULL);
    *err = (struct plumb_error){ 0 };
    assert_non_null(b);
    const enum plumb_status status = plumb_record_log_history(&r, b, h, err);
    plumb_builder_free(b);
    return status;
}

static struct plumb_record_entry *last_entry(struct logs *l, unsigned p)
{
    return &l->entry[p][l->log[p].count - 1];
}

static void call(struct logs *l, unsigned p, const _Atomic uint64_t *clock,
                 unsigned time)
{
    l->log[p].count++;
    struct plumb_record_entry *const e = last_entry(l, p);
    plumb_record_entry_begin(e, l->calls % 2);
    plumb_record_entry_number(e, l->calls);
    e->call = plumb_record_stamp_call(clock);
    l->called[l->calls] = time;
    l->returned[l->calls++] = UINT32_MAX;
}

static void respond(struct logs *l, unsigned p, _Atomic uint64_t *clock,
                    unsigned time)
{
    struct plumb_record_entry *const e = last_entry(l, p);
    l->returned[e->value[0].bits] = time;
    atomic_store(&e->ret, plumb_record_stamp_return(clock));
}

/* A random linear order of calls and returns, stamped. */
static void play(struct logs *l, struct plumb_base_rng *rng)
{
    _Atomic uint64_t clock = plumb_base_rng_below(rng, 3);
    bool open[PLUMB_MAX_PROCESSES] = { false };
    const unsigned events = plumb_base_rng_below(rng, MOST * l->processes);
    for (unsigned time = 0; time < events; time++) {
        const unsigned p = plumb_base_rng_below(rng, l->processes);
        if (open[p])
            respond(l, p, &clock, time);
        else if (l->log[p].count < MOST)
            call(l, p, &clock, time);
        else
            continue;
        open[p] = !open[p];
    }
}

static uint64_t name_of(const struct plumb_history *h, const struct plumb_op *o)
{
    assert_int_equal(o->nargs, 1);
    return plumb_op_args(h, o)->bits;
}

static void assert_same_order(const struct logs *l,
                              const struct plumb_history *h)
{
    assert_int_equal(h->count, l->calls);
    for (uint32_t i = 0; i < h->count; i++)
        for (uint32_t j = 0; j < h->count; j++) {
            const struct plumb_op *const a = h->op + i, *const b = h->op + j;
            const bool told = plumb_op_ret(a) < b->call;
            const bool was =
                l->returned[name_of(h, a)] < l->called[name_of(h, b)];
            assert_int_equal(told, was);
        }
}

static void assert_open_calls_are_pending(const struct logs *l,
                                          const struct plumb_history *h)
{
    for (uint32_t i = 0; i < h->count; i++)
        assert_int_equal(plumb_op_is_pending(h->op + i),
                         l->returned[name_of(h, h->op + i)] == UINT32_MAX);
}

static void precedence_is_that_of_the_stamps(void **state)
{
    struct plumb_base_rng rng;
    (void)state;
    plumb_base_rng_seed(&rng, 1);
    for (int i = 0; i < 1500; i++) {
        struct logs l;
        struct plumb_history h;
        struct plumb_error err;
        logs_init(&l, 1 + plumb_base_rng_below(&rng, i % 20 ? 6 : 64));
        play(&l, &rng);
        if (convert(&l, &h, &err) != PLUMB_OK)
            fail_msg("%s", err.message);
        assert_int_equal(plumb_history_validate(&h, &err), PLUMB_OK);
        assert_same_order(&l, &h);
        assert_open_calls_are_pending(&l, &h);
        plumb_history_release(&h);
        logs_release(&l);
    }
}

/* ---- what an entry holds ---- */

/* One process, one call that returned. */
static struct plumb_record_entry *single(struct logs *l)
{
    _Atomic uint64_t clock = 0;
    logs_init(l, 1);
    call(l, 0, &clock, 0);
    respond(l, 0, &clock, 1);
    return l->entry[0];
}

static const char *text_of(const struct plumb_history *h, uint64_t symbol)
{
    size_t length;
    return plumb_symbol_text(h->symbols, (uint32_t)symbol, &length);
}

static void names_and_values_arrive(void **state)
{
    struct logs l;
    struct plumb_history h;
    struct plumb_error err;
    struct plumb_record_entry *const e = single(&l);
    (void)state;
    plumb_record_entry_text(e, "an argument", 11);
    e->value[2] = plumb_bool(true);
    e->value[3] = plumb_int(INT64_MIN);
    e->value[4] = plumb_str(3);
    e->nres = 3;
    strcpy(e->term, "found");
    assert_int_equal(convert(&l, &h, &err), PLUMB_OK);
    assert_int_equal(h.count, 1);
    assert_string_equal(text_of(&h, h.thread[0]), "P1");
    assert_string_equal(text_of(&h, h.object[0]), "Q");
    const struct plumb_op *const o = h.op;
    assert_int_equal(o->nargs, 2);
    assert_int_equal(o->nres, 3);
    assert_string_equal(text_of(&h, plumb_op_args(&h, o)[1].bits),
                        "an argument");
    assert_true(
        plumb_value_equal(plumb_op_results(&h, o)[0], plumb_bool(true)));
    assert_true(
        plumb_value_equal(plumb_op_results(&h, o)[1], plumb_int(INT64_MIN)));
    assert_string_equal(text_of(&h, plumb_op_results(&h, o)[2].bits),
                        "argument");
    plumb_history_release(&h);
    logs_release(&l);
}

static void assert_refused(struct logs *l, const char *why)
{
    struct plumb_history h;
    struct plumb_error err;
    assert_int_equal(convert(l, &h, &err), PLUMB_EINPUT);
    assert_non_null(strstr(err.message, why));
    logs_release(l);
}

static void flaws_are_told(void **state)
{
    static const char *const said[] = { "more than 100 results", "a term of",
                                        "the texts of", "asks for" };
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct logs l;
        single(&l)->flaws = (uint8_t)(1u << i);
        assert_refused(&l, said[i]);
        /* ... also of a call that is open */
        struct plumb_record_entry *const e = single(&l);
        e->flaws = (uint8_t)(1u << i);
        atomic_store(&e->ret, 0);
        assert_refused(&l, said[i]);
    }
}

#define REFUSED(damage)                                                        \
    do {                                                                       \
        struct logs l;                                                         \
        struct plumb_record_entry *const e = single(&l);                       \
        damage;                                                                \
        assert_refused(&l, "damaged");                                         \
    } while (0)

static void damage_is_refused(void **state)
{
    (void)state;
    REFUSED(e->operation = 2);
    REFUSED(e->nargs = PLUMB_MAX_ARGUMENTS + 1);
    REFUSED(e->nres = PLUMB_ENTRY_RESULTS + 1);
    REFUSED(e->flaws = 16);
    REFUSED(memset(e->term, 'x', sizeof e->term));
    REFUSED(memset(e->text, 'x', sizeof e->text));
    REFUSED(e->value[0].tag = PLUMB_STR + 1);
    REFUSED(e->value[0].tag = PLUMB_NIL);
    REFUSED((e->value[0].tag = PLUMB_BOOL, e->value[0].bits = 2));
    REFUSED((e->value[0].tag = PLUMB_STR, e->value[0].bits = PLUMB_ENTRY_TEXT));
    REFUSED((e->value[1].tag = PLUMB_STR, e->value[1].bits = UINT64_MAX,
             e->nres = 1));
    REFUSED(e->call = 1); /* it returned at 1 */
    REFUSED(e->call = UINT64_MAX);
    REFUSED(e->call = UINT64_MAX / 2);
    REFUSED(atomic_store(&e->ret, UINT64_MAX));
    REFUSED(atomic_store(&e->ret, UINT64_MAX / 2 + 1));
}

static void calls_out_of_order_are_refused(void **state)
{
    (void)state;
    /* The second call before the first returned. */
    REFUSED((e[1] = e[0], l.log[0].count = 2));
    /* The first never returned. */
    REFUSED((e[1] = e[0], e[1].call = 1, atomic_store(&e[1].ret, 2),
             atomic_store(&e[0].ret, 0), l.log[0].count = 2));
}

static void spoil(struct logs *l, struct plumb_base_rng *rng, bool all)
{
    for (unsigned p = 0; p < l->processes; p++) {
        unsigned char *const byte = (unsigned char *)l->entry[p];
        const uint32_t size = MOST * (uint32_t)sizeof *l->entry[p];
        const uint32_t used = l->log[p].count * (uint32_t)sizeof *l->entry[p];
        if (all)
            l->log[p].count = plumb_base_rng_below(rng, MOST + 1);
        for (uint32_t i = 0; all && i < size; i++)
            byte[i] = (unsigned char)plumb_base_rng_next(rng);
        for (uint32_t n = plumb_base_rng_below(rng, 4); used && n > 0; n--)
            byte[plumb_base_rng_below(rng, used)] ^=
                (unsigned char)(1u << plumb_base_rng_below(rng, 8));
    }
}

/* Random bytes, and right logs with a few wrong bits: refused, or a history. */
static void nothing_crashes(void **state)
{
    struct plumb_base_rng rng;
    unsigned good = 0, bad = 0;
    (void)state;
    plumb_base_rng_seed(&rng, 2);
    for (int i = 0; i < 3000; i++) {
        struct logs l;
        struct plumb_history h;
        struct plumb_error err;
        logs_init(&l, 1 + plumb_base_rng_below(&rng, 4));
        play(&l, &rng);
        spoil(&l, &rng, i % 4 == 0);
        const enum plumb_status status = convert(&l, &h, &err);
        if (status == PLUMB_OK) {
            h.valid = false;
            assert_int_equal(plumb_history_validate(&h, &err), PLUMB_OK);
            plumb_history_release(&h);
            good++;
        } else {
            assert_int_equal(status, PLUMB_EINPUT);
            bad++;
        }
        logs_release(&l);
    }
    assert_true(good > 100 && bad > 100); /* both are tried */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(precedence_is_that_of_the_stamps),
        cmocka_unit_test(names_and_values_arrive),
        cmocka_unit_test(flaws_are_told),
        cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(calls_out_of_order_are_refused),
        cmocka_unit_test(nothing_crashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
