/* test_menu.c - what processes may invoke, and with which arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "record/menu.h"
#include <stdlib.h>
#include <string.h>

enum { PROCESSES = 8, MOST = 50 };

static void nothing(plumb_invocation *i)
{
    (void)i;
}

/* PLUMB_OBJECT() as a local variable.  Members that are left out are zero. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define OBJECT(...)                                                            \
    {                                                                          \
        .version = PLUMB_OBJECT_VERSION, __VA_ARGS__                           \
    }

static struct plumb_record_guest guest(unsigned process, uint64_t seed)
{
    struct plumb_record_guest g = { .process = process };
    plumb_base_rng_seed(&g.rng, seed);
    return g;
}

/* ---- arguments ---- */

static int by_number(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The number, or the number in the text "v123". */
static int64_t number_of(const struct plumb_record_entry *e, unsigned argument)
{
    const struct plumb_value v = e->value[argument];
    if (v.tag == PLUMB_INT)
        return (int64_t)v.bits;
    assert_int_equal(v.tag, PLUMB_STR);
    assert_int_equal(e->text[v.bits], 'v');
    return strtoll(e->text + v.bits + 1, NULL, 10);
}

static void assert_fresh(const struct plumb_object *object, unsigned most)
{
    int64_t *const seen =
        calloc((size_t)PLUMB_MAX_PROCESSES * most * 4, sizeof *seen);
    struct plumb_record_menu m;
    size_t count = 0;
    assert_non_null(seen);
    plumb_record_menu_init(&m, object, most);
    for (unsigned p = 0; p < PLUMB_MAX_PROCESSES; p++) {
        struct plumb_record_guest g = guest(p, p);
        struct plumb_record_entry e;
        for (unsigned n = 0; n < most; n++) {
            assert_true(plumb_record_menu_choose(&m, &g, &e));
            for (unsigned a = 0; a < e.nargs; a++)
                seen[count++] = number_of(&e, a);
        }
    }
    qsort(seen, count, sizeof *seen, by_number);
    for (size_t i = 1; i < count; i++)
        assert_true(seen[i - 1] < seen[i]);
    free(seen);
}

static void fresh_values_are_unique_in_a_history(void **state)
{
    const struct plumb_object object =
        OBJECT(.operations = {
                   { "one", nothing, { PLUMB_FRESH } },
                   { "four",
                     nothing,
                     { PLUMB_FRESH, PLUMB_FRESH_TEXT, PLUMB_FRESH,
                       PLUMB_FRESH_TEXT } },
               });
    (void)state;
    assert_fresh(&object, 1);
    assert_fresh(&object, 9);
    assert_fresh(&object, 10);
    assert_fresh(&object, 99);
    assert_fresh(&object, 100);
}

static int64_t draw(const struct plumb_object *object,
                    struct plumb_record_guest *g)
{
    struct plumb_record_menu m;
    struct plumb_record_entry e;
    plumb_record_menu_init(&m, object, MOST);
    assert_true(plumb_record_menu_choose(&m, g, &e));
    assert_int_equal(e.nargs, 1);
    assert_int_equal(e.value[0].tag, PLUMB_INT);
    return (int64_t)e.value[0].bits;
}

static void assert_range(int64_t low, int64_t high)
{
    const struct plumb_object object =
        OBJECT(.operations = { { "f", nothing, { PLUMB_RANGE(low, high) } } });
    struct plumb_record_guest g = guest(0, 1);
    bool least = false, most = false;
    for (int i = 0; i < 2000; i++) {
        const int64_t x = draw(&object, &g);
        assert_true(low <= x && x <= high);
        least = least || x == low;
        most = most || x == high;
    }
    if ((uint64_t)high - (uint64_t)low < 50)
        assert_true(least && most);
}

static void both_ends_of_a_range_are_in_it(void **state)
{
    (void)state;
    assert_range(0, 0);
    assert_range(0, 1);
    assert_range(-3, 3);
    assert_range(INT64_MIN, INT64_MIN + 1);
    assert_range(INT64_MAX - 1, INT64_MAX);
    assert_range(INT64_MIN, INT64_MAX);
    assert_range(0, UINT32_MAX - INT64_C(2));
    assert_range(0, UINT32_MAX - INT64_C(1));
    assert_range(0, UINT32_MAX);
    assert_range(0, UINT32_MAX + INT64_C(1));
    assert_range(-1, INT64_MAX);
}

/* x with odd * x = 1, by Newton's method. */
static uint64_t inverse(uint64_t odd)
{
    uint64_t x = odd;
    for (int i = 0; i < 6; i++)
        x *= 2 - odd * x;
    return x;
}

/* A generator whose next number, after one that chooses the operation, is
 * `wanted`: rng.h, backwards. */
static struct plumb_base_rng about_to_give(uint64_t wanted)
{
    const uint64_t rotated = wanted * inverse(9);
    const uint64_t second =
        ((rotated >> 7) | (rotated << 57)) * inverse(5); /* s[1], then */
    /* The step before made s[1] = s[1] ^ s[2] ^ s[0]. */
    return (struct plumb_base_rng){ { 0, second, 0, 0 } };
}

static void the_whole_range_has_both_ends(void **state)
{
    const struct plumb_object object =
        OBJECT(.operations = {
                   { "f", nothing, { PLUMB_RANGE(INT64_MIN, INT64_MAX) } } });
    struct plumb_record_guest g = guest(0, 1);
    (void)state;
    g.rng = about_to_give(UINT64_MAX);
    assert_true(draw(&object, &g) == INT64_MAX);
    g.rng = about_to_give(0);
    assert_true(draw(&object, &g) == INT64_MIN);
    g.rng = about_to_give(UINT64_C(1) << 63);
    assert_true(draw(&object, &g) == 0);
}

static void words_are_numbers_or_texts(void **state)
{
    const struct plumb_object object =
        OBJECT(.operations = { { "f",
                                 nothing,
                                 { PLUMB_ONE_OF("  1 -2\tred 1st "
                                                "9223372036854775808\n") } } });
    unsigned seen[5] = { 0 };
    struct plumb_record_menu m;
    struct plumb_record_guest g = guest(0, 1);
    struct plumb_record_entry e;
    (void)state;
    plumb_record_menu_init(&m, &object, MOST);
    for (int i = 0; i < 1000; i++) {
        assert_true(plumb_record_menu_choose(&m, &g, &e));
        const struct plumb_value v = e.value[0];
        const char *const text = v.tag == PLUMB_STR ? e.text + v.bits : "";
        seen[0] += v.tag == PLUMB_INT && v.bits == 1;
        seen[1] += v.tag == PLUMB_INT && (int64_t)v.bits == -2;
        seen[2] += strcmp(text, "red") == 0;
        seen[3] += strcmp(text, "1st") == 0;
        seen[4] += strcmp(text, "9223372036854775808") == 0;
    }
    for (int i = 0; i < 5; i++)
        assert_in_range(seen[i], 100, 300);
    assert_int_equal(seen[0] + seen[1] + seen[2] + seen[3] + seen[4], 1000);
}

/* Up to the last byte; then a flaw, and nothing is overwritten. */
static void texts_fit_exactly_or_are_a_flaw(void **state)
{
    char text[PLUMB_ENTRY_TEXT + 1];
    struct plumb_record_entry e[2];
    (void)state;
    memset(text, 'x', sizeof text);
    for (size_t first = 0; first <= PLUMB_ENTRY_TEXT; first++) {
        memset(e, 0x5a, sizeof e);
        plumb_record_entry_begin(e, 0);
        plumb_record_entry_text(e, text, first);
        const bool fits = first < PLUMB_ENTRY_TEXT;
        assert_int_equal(e->flaws, fits ? 0 : PLUMB_FLAW_TEXT);
        plumb_record_entry_text(e, text, 10);
        const bool both = first + 12 <= PLUMB_ENTRY_TEXT;
        assert_int_equal(e->flaws & PLUMB_FLAW_TEXT,
                         fits && both ? 0 : PLUMB_FLAW_TEXT);
        plumb_record_entry_text(e, text, 0);
        assert_int_equal(e->nargs, 3);
        assert_in_range(e->text_used, 1, PLUMB_ENTRY_TEXT);
        assert_int_equal(e->text[PLUMB_ENTRY_TEXT - 1], 0);
        assert_true(e[1].call == UINT64_C(0x5a5a5a5a5a5a5a5a));
    }
}

/* ---- operations ---- */

static unsigned choose(const struct plumb_record_menu *m,
                       struct plumb_record_guest *g)
{
    struct plumb_record_entry e;
    assert_true(plumb_record_menu_choose(m, g, &e));
    return e.operation;
}

static void roles_are_kept(void **state)
{
    const struct plumb_object object =
        OBJECT(.operations = {
                   { "by_first", nothing, { { 0 } }, PLUMB_BY_FIRST },
                   { "by_any", nothing },
                   { "by_others", nothing, { { 0 } }, PLUMB_BY_OTHERS },
               });
    struct plumb_record_menu m;
    (void)state;
    plumb_record_menu_init(&m, &object, MOST);
    for (unsigned p = 0; p < PROCESSES; p++) {
        struct plumb_record_guest g = guest(p, p);
        unsigned count[3] = { 0 };
        for (int i = 0; i < 1000; i++)
            count[choose(&m, &g)]++;
        assert_in_range(count[0], p ? 0 : 400, p ? 0 : 600);
        assert_in_range(count[1], 400, 600);
        assert_in_range(count[2], p ? 400 : 0, p ? 600 : 0);
    }
}

static void who_may_invoke_nothing_does_not(void **state)
{
    const struct plumb_object object =
        OBJECT(.operations = { { "f", nothing, { { 0 } }, PLUMB_BY_OTHERS } });
    struct plumb_record_menu m;
    struct plumb_record_guest g = guest(0, 1);
    struct plumb_record_entry e;
    (void)state;
    plumb_record_menu_init(&m, &object, MOST);
    assert_false(plumb_record_menu_choose(&m, &g, &e));
    g.process = 1;
    assert_true(plumb_record_menu_choose(&m, &g, &e));
}

static void weights_are_proportions(void **state)
{
    const struct plumb_object object =
        OBJECT(.operations = {
                   { "one", nothing },
                   { "two", nothing, { { 0 } }, PLUMB_BY_ANY, 2 },
                   { "seven", nothing, { { 0 } }, PLUMB_BY_ANY, 7 },
               });
    struct plumb_record_menu m;
    struct plumb_record_guest g = guest(0, 1);
    unsigned count[3] = { 0 };
    (void)state;
    plumb_record_menu_init(&m, &object, MOST);
    for (int i = 0; i < 10000; i++)
        count[choose(&m, &g)]++;
    assert_in_range(count[0], 800, 1200);
    assert_in_range(count[1], 1700, 2300);
    assert_in_range(count[2], 6600, 7400);
}

enum { ENQ, DEQ, PEEK };

static const struct plumb_object queue =
    OBJECT(.operations = {
               { "enq", nothing, { PLUMB_FRESH } },
               { "deq", nothing },
               { "peek", nothing },
           });

static void the_careful_wait_only_with_credit(void **state)
{
    struct plumb_record_menu m;
    (void)state;
    plumb_record_menu_init(&m, &queue, MOST);
    m.waiting = 1u << DEQ;
    for (unsigned seed = 0; seed < 50; seed++) {
        struct plumb_record_guest g = guest(seed % PROCESSES, seed);
        int credit = (int)(seed % 3), waited = 0;
        g.careful = true;
        g.served = credit;
        for (unsigned n = 0; n < MOST; n++) {
            const bool waits = choose(&m, &g) == DEQ;
            assert_true(!waits || credit > 0);
            credit += waits ? -1 : 1;
            waited += waits;
        }
        assert_true(waited > 0); /* and does */
    }
}

static void a_producer_never_waits(void **state)
{
    struct plumb_record_menu m;
    struct plumb_record_guest g = guest(0, 1);
    (void)state;
    plumb_record_menu_init(&m, &queue, MOST);
    m.waiting = 1u << DEQ;
    g.careful = true;
    g.served = -(1 << 30);
    for (int n = 0; n < 1000; n++)
        assert_true(choose(&m, &g) != DEQ);
}

static void the_reckless_wait_at_once(void **state)
{
    struct plumb_record_menu m;
    bool at_once = false;
    (void)state;
    plumb_record_menu_init(&m, &queue, MOST);
    m.waiting = 1u << DEQ;
    for (unsigned seed = 0; seed < 50; seed++) {
        struct plumb_record_guest g = guest(0, seed);
        at_once = at_once || choose(&m, &g) == DEQ;
    }
    assert_true(at_once);
}

/* One that can do nothing else must: it would be idle for ever. */
static void who_can_only_wait_waits(void **state)
{
    const struct plumb_object object =
        OBJECT(.operations = {
                   { "put", nothing, { PLUMB_FRESH }, PLUMB_BY_FIRST },
                   { "take", nothing, { { 0 } }, PLUMB_BY_OTHERS },
               });
    struct plumb_record_menu m;
    struct plumb_record_guest g = guest(1, 1);
    (void)state;
    plumb_record_menu_init(&m, &object, MOST);
    m.waiting = 2;
    g.careful = true;
    assert_int_equal(choose(&m, &g), 1);
}

static void an_entry_begins_clean(void **state)
{
    struct plumb_record_menu m;
    struct plumb_record_guest g = guest(0, 1);
    struct plumb_record_entry e;
    (void)state;
    plumb_record_menu_init(&m, &queue, MOST);
    memset(&e, 0xff, sizeof e);
    assert_true(plumb_record_menu_choose(&m, &g, &e));
    assert_int_equal(atomic_load(&e.ret), 0);
    assert_int_equal(e.nres, 0);
    assert_int_equal(e.flaws, 0);
    assert_false(e.blocked);
    assert_int_equal(e.term[0], 0);
    assert_int_equal(e.term[PLUMB_ENTRY_TERM - 1], 0);
    assert_int_equal(e.text[PLUMB_ENTRY_TEXT - 1], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fresh_values_are_unique_in_a_history),
        cmocka_unit_test(both_ends_of_a_range_are_in_it),
        cmocka_unit_test(the_whole_range_has_both_ends),
        cmocka_unit_test(words_are_numbers_or_texts),
        cmocka_unit_test(texts_fit_exactly_or_are_a_flaw),
        cmocka_unit_test(roles_are_kept),
        cmocka_unit_test(who_may_invoke_nothing_does_not),
        cmocka_unit_test(weights_are_proportions),
        cmocka_unit_test(the_careful_wait_only_with_credit),
        cmocka_unit_test(a_producer_never_waits),
        cmocka_unit_test(the_reckless_wait_at_once),
        cmocka_unit_test(who_can_only_wait_waits),
        cmocka_unit_test(an_entry_begins_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
