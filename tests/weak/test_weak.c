/* test_weak.c - the histories of docs/weak-answers.md, its inclusions and counts,
 * and what parameters are refused. */
#include "histories.h"

#include <plumb/check.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* ---- what separates them ---- */

static const struct separating {
    const char *words;
    int cap;
    const char *accepted, *rejected; /* words of `weak`, "strict" is without */
} separating[] = {
    { "A enq1( B enq2( B)full B deq( B)empty A)ok", 1, "claim gap pool scan",
      "strict" },
    { "A enq1( B enq2( B)ok B deq( B)empty A)ok", 0, "gap",
      "strict claim scan" },
    { "A enq1( A)ok A enq2( B deq( A)ok A deq( A)1 B)empty", 0, "scan",
      "strict claim gap" },
    { "A enq1( B enq2( B)ok B deq( B)2 A)full", 2, "",
      "strict claim gap pool scan" },
    { "A enq1( A)ok B deq( C deq( B)empty C)empty", 0, "scan",
      "strict claim gap" },
    { "A enq1( A)ok A enq2( A)ok A deq( B deq( B)2 B enq5( B)ok B enq6( B)full "
      "A)1",
      2, "pool scan", "strict claim gap" },
    { "A enq1( A)ok A deq( A)empty", 0, "", "strict claim gap scan" },
    { "A enq1( A)ok A deq( A)empty", 2, "", "strict claim gap pool scan" },
};

static const char *const word[] = { "strict", "gap", "claim", "pool", "scan" };

static bool lists(const char *list, const char *what)
{
    const char *const at = strstr(list, what);
    return at && (at == list || at[-1] == ' ');
}

static struct plumb_spec *spec_of(int kind, int cap)
{
    char text[64];
    struct plumb_spec *spec;
    struct plumb_error err;
    const bool given = cap || kind != STRICT;
    snprintf(text, sizeof text, "queue%s", given ? ":" : "");
    if (cap)
        snprintf(text + strlen(text), 16, "cap=%d%s", cap,
                 kind == STRICT ? "" : ",");
    if (kind != STRICT)
        snprintf(text + strlen(text), 16, "weak=%s", word[kind]);
    assert_int_equal(plumb_spec_parse(text, &spec, &err), PLUMB_OK);
    return spec;
}

static bool library_accepts(const struct history *h, int kind, int cap)
{
    const struct plumb_check_options options = { .budget = NULL };
    struct plumb_builder *const b = plumb_builder_new(NULL);
    struct plumb_spec *const spec = spec_of(kind, cap);
    struct plumb_history built = weak_build(h, &weak_queue_names, b);
    struct plumb_answer a;
    struct plumb_error err;
    assert_int_equal(plumb_check(&built, spec, &options, &a, &err), PLUMB_OK);
    assert_int_not_equal(a.verdict, PLUMB_UNDECIDED);
    const bool accepts = a.verdict == PLUMB_LINEARIZABLE;
    plumb_answer_release(&a);
    plumb_history_release(&built);
    plumb_spec_free(spec);
    plumb_builder_free(b);
    return accepts;
}

static void each_history_separates_what_the_manual_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof separating / sizeof *separating; i++) {
        const struct separating *const s = separating + i;
        const struct history h = weak_read(s->words);
        for (int kind = STRICT; kind <= SCAN; kind++) {
            const struct rules rules = { QUEUE, (enum weakness)kind, s->cap };
            const bool accepted = lists(s->accepted, word[kind]);
            if (!accepted && !lists(s->rejected, word[kind]))
                continue;
            if (weak_is_legal(&h, &rules) != accepted ||
                library_accepts(&h, kind, s->cap) != accepted)
                fail_msg("%s (cap %d): %s", s->words, s->cap, word[kind]);
        }
    }
}

/* ---- inclusions, and counts ---- */

enum { KINDS = OTHER_SIDE + 1 };

struct counting {
    int cap;
    uint64_t all, accepted[KINDS];
};

static void note(const struct history *h, void *context)
{
    struct counting *const c = context;
    bool legal[KINDS];
    for (int kind = STRICT; kind < KINDS; kind++) {
        const struct rules rules = { QUEUE, (enum weakness)kind, c->cap };
        legal[kind] = weak_is_legal(h, &rules);
        c->accepted[kind] += legal[kind];
    }
    c->all++;
    assert_true(legal[CLAIM] || !legal[STRICT]);
    assert_true(legal[GAP] || !legal[CLAIM]);
    assert_true(legal[OVERLAP] || !legal[GAP]);
    assert_true(legal[OTHER_SIDE] || !legal[GAP]);
    assert_true(legal[POOL] || !legal[STRICT]);
    assert_true(legal[SCAN] || !legal[POOL]);
    if (c->cap == 0)
        assert_int_equal(legal[CLAIM], legal[STRICT]);
    if (c->cap == 1)
        assert_int_equal(legal[CLAIM], legal[GAP]);
}

static void each_kind_accepts_so_many_and_includes_the_stricter_ones(void **s)
{
    static const struct counting expected[] = {
        { 0, 10265, { 8347, 8706, 8347, 8347, 8799, 8716, 8989 } },
        { 1, 25298, { 12359, 12674, 12674, 12875, 13299, 12674, 16062 } },
        { 2, 25298, { 9949, 10389, 9982, 10015, 10467, 10519, 17278 } },
    };
    (void)s;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct counting c = { .cap = expected[i].cap };
        weak_enumerate(4, c.cap != 0, note, &c);
        if (memcmp(&c, expected + i, sizeof c) == 0)
            continue;
        for (int kind = STRICT; kind < KINDS; kind++)
            print_error("%d: %lu\n", kind, (unsigned long)c.accepted[kind]);
        fail_msg("cap %d: of %lu", c.cap, (unsigned long)c.all);
    }
}

/* ---- parameters ---- */

static void parameters_without_sense_are_refused_in_one_line(void **state)
{
    static const struct {
        const char *text, *message;
    } refused[] = {
        { "queue:weak=pool",
          "queue:weak=pool: weak=pool is about full(), so it needs cap=N" },
        { "queue:k=2,weak", "queue takes k or weak, not both" },
        { "queue:weak=ring",
          "weak of queue is one of: gap, claim, pool, scan" },
        { "queue:weak=", "weak of queue is one of: gap, claim, pool, scan" },
        { "queue:weak,weak=gap", "this parameter is given twice" },
        { "stack:weak", "weak of stack is one of: pool" },
        { "stack:cap=2,weak=gap", "weak of stack is one of: pool" },
        { "stack:weak=pool",
          "stack:weak=pool: weak=pool is about full(), so it needs cap=N" },
        { "semiqueue:weak", "weak of semiqueue is one of: pool, scan" },
        { "bag:weak=pool", "weak of bag is one of: scan" },
        { "queue:segment=2,weak", "queue takes segment or weak, not both" },
        { "deque:weak",
          "deque has no parameter \"weak\" (it has cap, blocking)" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct plumb_spec *spec;
        struct plumb_error err;
        assert_int_equal(plumb_spec_parse(refused[i].text, &spec, &err),
                         PLUMB_EINPUT);
        assert_string_equal(err.message, refused[i].message);
    }
}

static void parameters_have_a_normal_form(void **state)
{
    static const struct {
        const char *text, *normal;
    } written[] = {
        { "queue:weak=gap,cap=4", "queue:cap=4,weak" },
        { "Queue:WEAK=Claim", "queue:weak=claim" },
        { "queue:cap=2,weak=pool", "queue:cap=2,weak=pool" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        struct plumb_spec *spec;
        struct plumb_error err;
        assert_int_equal(plumb_spec_parse(written[i].text, &spec, &err),
                         PLUMB_OK);
        assert_string_equal(plumb_spec_text(spec), written[i].normal);
        plumb_spec_free(spec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_history_separates_what_the_manual_says),
        cmocka_unit_test(
            each_kind_accepts_so_many_and_includes_the_stricter_ones),
        cmocka_unit_test(parameters_without_sense_are_refused_in_one_line),
        cmocka_unit_test(parameters_have_a_normal_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
