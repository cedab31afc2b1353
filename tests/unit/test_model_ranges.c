/* test_model_ranges.c - a model with ranges that look at parameters and other
 * indices is the one in which everything is written out: edge by edge, by both
 * ways of counting, and with moves worked out near or far. */
#include "systems.h"

#include "base/memory.h"

#define CHECK "#assert P() deadlockfree;"

static void open_or_fail(struct lab *lab, const char *text,
                         const struct lab_options *o)
{
    if (lab_open(lab, text, o))
        fail_msg("%s: %lu:%lu: %s", text, (unsigned long)lab->err.line,
                 (unsigned long)lab->err.column, lab->err.message);
}

static void same_by(const char *ranged, const char *written,
                    const struct lab_options *o)
{
    struct lab a, b;
    struct plumb_base_text got, wanted;
    open_or_fail(&a, ranged, o);
    open_or_fail(&b, written, o);
    plumb_base_text_init(&got, NULL);
    plumb_base_text_init(&wanted, NULL);
    write_graph(&a, &got);
    write_graph(&b, &wanted);
    assert_string_equal(plumb_base_text_string(&got),
                        plumb_base_text_string(&wanted));
    plumb_base_text_release(&got);
    plumb_base_text_release(&wanted);
    lab_close(&a);
    lab_close(&b);
}

static void same(const char *ranged, const char *written)
{
    static const struct lab_options ways[] = {
        { .counting = PLUMB_COUNT_PAT3 },
        { .counting = PLUMB_COUNT_PAT2 },
        { .farthest = 1 },
        { .reduction = PLUMB_REDUCE_LOCAL },
        { .reduction = PLUMB_REDUCE_DYNAMIC },
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        same_by(ranged, written, &ways[i]);
}

/* Reading is well; who comes there is told. */
static void goes_wrong(const char *text, unsigned line, unsigned column,
                       const char *message)
{
    struct lab lab;
    assert_int_equal(lab_open(&lab, text, &(struct lab_options){ 0 }),
                     PLUMB_EINPUT);
    assert_string_equal(lab.err.message, message);
    assert_int_equal(lab.err.line, line);
    assert_int_equal(lab.err.column, column);
    lab_close(&lab);
}

/* ---- the operators ---- */

static void choice_looks_at_a_parameter(void **state)
{
    (void)state;
    same("Q(i) = [] j:{i+1..3} @ up.i.j -> Q(j); P() = Q(0);" CHECK,
         "Q0() = up.0.1 -> Q1() [] up.0.2 -> Q2() [] up.0.3 -> Stop;"
         "Q1() = up.1.2 -> Q2() [] up.1.3 -> Stop; Q2() = up.2.3 -> Stop;"
         "P() = Q0();" CHECK);
}

static void interleaving_looks_at_a_parameter(void **state)
{
    (void)state;
    same("var x; Q(n) = ||| i:{0..n} @ (a.i -> b.i{x = i} -> Skip);"
         "P() = Q(2);" CHECK,
         "var x; P() = (a.0 -> b.0{x = 0} -> Skip) "
         "||| (a.1 -> b.1{x = 1} -> Skip) ||| (a.2 -> b.2{x = 2} -> "
         "Skip);" CHECK);
}

static void parallel_looks_at_a_parameter(void **state)
{
    (void)state;
    same("Q(n) = || i:{1..n} @ (s -> m.i -> e -> Skip); P() = Q(3);" CHECK,
         "P() = (s -> m.1 -> e -> Skip) || (s -> m.2 -> e -> Skip) "
         "|| (s -> m.3 -> e -> Skip);" CHECK);
}

static void other_choices_look_at_a_parameter(void **state)
{
    (void)state;
    same("Q(n) = (<> i:{n..n+1} @ a.i -> Stop) "
         "[*] ([*] i:{n,n+2} @ b.i -> Stop); P() = Q(1);" CHECK,
         "P() = (a.1 -> Stop <> a.2 -> Stop) "
         "[*] (b.1 -> Stop [*] b.3 -> Stop);" CHECK);
}

static void copies_look_at_a_parameter(void **state)
{
    (void)state;
    same("Q(n) = |||{n*2} @ (a -> b -> Skip); P() = Q(2);" CHECK,
         "P() = |||{4} @ (a -> b -> Skip);" CHECK);
    same("Q(n) = |||{n} @ (a -> R(n-1)); R(n) = |||{n} @ b -> Skip;"
         "P() = Q(2);" CHECK,
         "Q() = |||{2} @ (a -> R()); R() = |||{1} @ b -> Skip; P() = "
         "Q();" CHECK);
}

static void an_index_looks_at_another(void **state)
{
    (void)state;
    same("P() = [] x:{0..2}; y:{x+1..2}; z:{x,y} @ t.x.y.z -> Stop;" CHECK,
         "P() = t.0.1.0 -> Stop [] t.0.1.1 -> Stop [] t.0.2.0 -> Stop "
         "[] t.0.2.2 -> Stop [] t.1.2.1 -> Stop [] t.1.2.2 -> Stop;" CHECK);
    same("P() = ||| x:{1..2} @ ([] y:{0..x} @ (|||{y} @ a.x.y -> Skip));" CHECK,
         "P() = (Skip [] (|||{1} @ a.1.1 -> Skip)) "
         "||| (Skip [] (|||{1} @ a.2.1 -> Skip) "
         "[] (|||{2} @ a.2.2 -> Skip));" CHECK);
}

static void functions_are_worked_out_in_bounds(void **state)
{
    (void)state;
    same("Q(n) = [] i:{call(min, n, 1)..call(max, n%2, 2)} @ a.i -> Stop;"
         "P() = Q(3);" CHECK,
         "P() = a.1 -> Stop [] a.2 -> Stop;" CHECK);
}

/* ---- nothing at all ---- */

static void no_copies_are_skip(void **state)
{
    (void)state;
    same("P() = |||{0} @ a -> Stop;" CHECK, "P() = Skip;" CHECK);
    same("Q(n) = (|||{n} @ a -> Stop); b -> Stop; P() = Q(0);" CHECK,
         "P() = b -> Stop;" CHECK);
}

static void no_values_are_skip_or_stop(void **state)
{
    (void)state;
    same("Q(n) = (||| i:{1..n} @ a.i -> Stop); b -> Stop; P() = Q(0);" CHECK,
         "P() = Skip; b -> Stop;" CHECK);
    same("Q(n) = (|| i:{1..n} @ a.i -> Stop); b -> Stop; P() = Q(0);" CHECK,
         "P() = Skip; b -> Stop;" CHECK);
    same("Q(n) = ([] i:{1..n} @ a.i -> Stop) ||| b -> Stop; P() = Q(0);" CHECK,
         "P() = Stop ||| b -> Stop;" CHECK);
    same("Q(n) = (<> i:{1..n} @ a.i -> Stop) ||| b -> Stop; P() = Q(0);" CHECK,
         "P() = Stop ||| b -> Stop;" CHECK);
    same("Q(n) = ([*] i:{1..n} @ a.i -> Stop) ||| b -> Stop; P() = Q(0);" CHECK,
         "P() = Stop ||| b -> Stop;" CHECK);
    same("Q(n) = [] i:{1..n, 7} @ a.i -> Stop; P() = Q(0);" CHECK,
         "P() = a.7 -> Stop;" CHECK);
}

static void recursion_ends_where_there_are_no_values(void **state)
{
    (void)state;
    same("Q(n) = ||| i:{0..n-1} @ (a.i -> Skip ||| Q(i)); P() = Q(2);" CHECK,
         "P() = (a.0 -> Skip ||| Skip) "
         "||| (a.1 -> Skip ||| (a.0 -> Skip ||| Skip));" CHECK);
    same("Q(n) = |||{n} @ (Q(n-1); a.n -> Skip); P() = Q(1);" CHECK,
         "Q0() = Skip; Q1() = |||{1} @ (Q0(); a.1 -> Skip); P() = Q1();" CHECK);
}

/* ---- what is not known before it comes ---- */

static void bounds_look_at_what_was_received(void **state)
{
    (void)state;
    same("channel c 2; Q() = c?n -> ([] i:{0..n-1} @ a.i -> Stop);"
         "R() = c?n -> (||| i:{0..n-1} @ a.i -> Stop);"
         "P() = c!2 -> c!0 -> Stop ||| Q() ||| R();" CHECK,
         "channel c 2;"
         "Q() = c?n -> T(n); R() = c?n -> U(n);"
         "T(n) = ifa (n == 2) { a.0 -> Stop [] a.1 -> Stop } else { Stop };"
         "U(n) = ifa (n == 2) { a.0 -> Stop ||| a.1 -> Stop } else { Skip };"
         "P() = c!2 -> c!0 -> Stop ||| Q() ||| R();" CHECK);
}

/* Equal terms are one: what a receiver goes on with must not be that of
 * another that was built before it. */
static void receivers_that_differ_in_bounds_are_two(void **state)
{
    static const char *const pair[][2] = {
        { "[] i:{0..n} @ a -> Stop", "[] i:{0..n+1} @ a -> Stop" },
        { "[] i:{0..n+1} @ a.i -> Stop", "[] i:{0,n+1} @ a.i -> Stop" },
        { "[] i:{0..n} @ a.i -> Stop", "||| i:{0..n} @ a.i -> Stop" },
        { "|||{n} @ a -> Stop", "|||{n+1} @ a -> Stop" },
        { "(a.1 -> Stop) \\ {i:{0..n} @ a.i}",
          "(a.1 -> Stop) \\ {i:{0..n-1} @ a.i}" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        char both[500], alone[500];
        snprintf(both, sizeof both,
                 "channel c 1; var x; A() = c?n -> (%s); B() = c?n -> (%s);"
                 "P() = c!1 -> (([x == 1] A()) [] B());" CHECK,
                 pair[i][0], pair[i][1]);
        snprintf(alone, sizeof alone,
                 "channel c 1; var x; P() = c!1 -> c?n -> (%s);" CHECK,
                 pair[i][1]);
        same_by(both, alone, &(struct lab_options){ 0 });
    }
}

static void bounds_look_at_arguments_late(void **state)
{
    (void)state;
    same("var g; Q(n) = [] i:{0..n} @ a.i -> Stop;"
         "P() = (e -> Q(g)) ||| s{g = 1} -> Stop;" CHECK,
         "var g; Q(n) = ifa (n == 0) { a.0 -> Stop } "
         "else { a.0 -> Stop [] a.1 -> Stop };"
         "P() = (e -> Q(g)) ||| s{g = 1} -> Stop;" CHECK);
}

/* ---- sets of events ---- */

static void sets_look_at_parameters_and_indices(void **state)
{
    (void)state;
    same("Q(n) = (a.0 -> a.1 -> a.2 -> Stop) \\ {i:{n..n+1} @ a.i};"
         "P() = Q(1);" CHECK,
         "P() = (a.0 -> a.1 -> a.2 -> Stop) \\ {a.1, a.2};" CHECK);
    same("P() = (a.0.0 -> a.0.1 -> a.1.0 -> a.1.1 -> Stop) "
         "\\ {i:{0..1}; j:{i..1} @ a.i.j};" CHECK,
         "P() = (a.0.0 -> a.0.1 -> a.1.0 -> a.1.1 -> Stop) "
         "\\ {a.0.0, a.0.1, a.1.1};" CHECK);
    same("Q(n) = (a.0 -> Stop) \\ {i:{1..n} @ a.i}; P() = Q(0);" CHECK,
         "P() = a.0 -> Stop;" CHECK);
}

static void alphabets_look_at_parameters(void **state)
{
    (void)state;
    same("#alphabet Q {i:{0..n} @ a.i}; Q(n) = a.0 -> Stop;"
         "P() = Q(1) || (a.1 -> Stop [] a.0 -> Stop [] a.2 -> Stop);" CHECK,
         "#alphabet Q {a.0, a.1}; Q() = a.0 -> Stop;"
         "P() = Q() || (a.1 -> Stop [] a.0 -> Stop [] a.2 -> Stop);" CHECK);
    /* Without a declaration: what the values make of it. */
    same("Q(n) = [] i:{0..n} @ a.i -> Q(n);"
         "P() = Q(1) || (a.1 -> a.2 -> a.0 -> Stop);" CHECK,
         "Q() = a.0 -> Q() [] a.1 -> Q();"
         "P() = Q() || (a.1 -> a.2 -> a.0 -> Stop);" CHECK);
}

/* ---- ranges of parameters ---- */

static void arguments_stay_in_their_range(void **state)
{
    (void)state;
    same("#define N 2; Q(i:{0..N}, j:{..0}) = [i < 2] a.i.j -> Q(i+1, j-1);"
         "P() = Q(0, 0);" CHECK,
         "Q(i, j) = [i < 2] a.i.j -> Q(i+1, j-1); P() = Q(0, 0);" CHECK);
    goes_wrong("Q(i, j:{0..3}) = a.j -> Q(i, j+2);\nP() = Q(7, 0);" CHECK, 1,
               25, "4 is outside the range 0..3 of parameter j of Q");
    goes_wrong("Q(i:{0..}) = a.i -> Q(i-1);\nP() = Q(0);" CHECK, 1, 21,
               "-1 is outside the range 0..2147483647 of parameter i of Q");
    goes_wrong("var g = 2; Q(i:{0..1}) = a.i -> Stop;\nP() = Q(g);" CHECK, 2, 7,
               "2 is outside the range 0..1 of parameter i of Q");
    goes_wrong("P() = Q([1, 2]); Q(a:{0..1}) = e.(a[0]) -> Skip;" CHECK, 1, 7,
               "2 is outside the range 0..1 of parameter a[1] of Q");
}

/* ---- errors, where they are reached ---- */

static void bounds_without_a_value(void **state)
{
    (void)state;
    goes_wrong("Q(n) = [] i:{0..6/n} @ a.i -> Stop;\nP() = Q(0);" CHECK, 1, 18,
               "division by zero");
    goes_wrong("Q(n) = |||{6/n} @ a -> Stop;\nP() = Q(0);" CHECK, 1, 13,
               "division by zero");
    goes_wrong("P() = [] x:{0..2}; y:{0..2/x} @ a.y -> Stop;" CHECK, 1, 27,
               "division by zero");
    goes_wrong("Q(n) = |||{n-1} @ a -> Stop;\nP() = Q(0);" CHECK, 1, 8,
               "-1 copies; the number cannot be negative");
    goes_wrong(
        "Q(n) = b -> (||| i:{0..n} @ a.i -> Stop);\nP() = Q(65536);" CHECK, 1,
        14, "the range has more than 65536 values");
    goes_wrong("Q(n) = (a -> Stop) \\ {i:{0..6/n} @ a.i};\nP() = Q(0);" CHECK,
               1, 36, "the range of an event in a set is not constant");
    goes_wrong("Q(n) = (a -> Stop) \\ {i:{0..n} @ a.i};\nP() = Q(65536);" CHECK,
               1, 34, "the range has more than 65536 values");
}

static void a_branch_that_is_not_taken_is_not_wrong(void **state)
{
    (void)state;
    same("Q(n) = ifa (n == 0) { a -> Stop } "
         "else { [] i:{0..6/n} @ b.i -> Stop }; P() = Q(0);" CHECK,
         "P() = a -> Stop;" CHECK);
    same(
        "Q(n) = a -> Stop [] [n > 0] (|||{n-1} @ b -> Stop); P() = Q(0);" CHECK,
        "P() = a -> Stop;" CHECK);
    same("Q(n) = case { n == 0: a -> Stop "
         "default: (a -> Stop) \\ {i:{0..6/n} @ a.i} }; P() = Q(0);" CHECK,
         "P() = case { 0 == 0: a -> Stop default: Stop };" CHECK);
    same("R(n:{1..2}) = b -> Stop;"
         "Q(n) = ifa (n == 0) { a -> Stop } else { R(n) }; P() = Q(0);" CHECK,
         "P() = a -> Stop;" CHECK);
}

static void what_grows_ends(void **state)
{
    (void)state;
    goes_wrong("Q(n) = [] i:{0..n} @ a -> Q(n*2);\nP() = Q(1);" CHECK, 1, 8,
               "the range has more than 65536 values");
    goes_wrong(
        "P() = [] i:{0..9999}; j:{0..i} @ a -> Stop;" CHECK, 1, 34,
        "the process has more than 4194304 parts; are the ranges too large?");
    goes_wrong("Q(n) = ||| i:{1..n} @ Q(n-1);\nP() = Q(15);" CHECK, 1, 23,
               "more than 1048576 parallel processes");
    goes_wrong(
        "Q(n) = ||| i:{0..n} @ Q(n);\nP() = Q(0);" CHECK, 2, 7,
        "more than 2000 levels without a step; does the process call itself?");
}

/* ---- memory ---- */

static const char everything[] =
    "channel c 1; #alphabet R {i:{0..n} @ a.i};"
    "Q(n) = [] i:{0..n}; j:{i..n,7} @ a.i.j -> c!n -> Skip;"
    "R(n:{0..2}) = c?k -> ((||| i:{k..n} @ a.i -> Skip) \\ {i:{0..k} @ a.i});"
    "S(n) = [n > 2] ([] i:{0..6/n} @ a.i -> R(n)) [] |||{n} @ b -> Skip;"
    "P() = (Q(1) ||| R(1)) || R(1) || (S(0); S(2));" CHECK;

static void every_refusal_of_memory_is_survived(void **state)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    bool failed = true;
    (void)state;
    assert_non_null(budget);
    for (size_t nth = 1; failed; nth++) {
        struct lab lab;
        plumb_base_budget_fail_at(budget, nth);
        const enum plumb_status status = lab_open(
            &lab, everything, &(struct lab_options){ .budget = budget });
        failed = plumb_base_budget_has_failed(budget);
        /* What is only kept to be quicker may be refused. */
        assert_true(status == PLUMB_OK || (failed && status == PLUMB_EMEMORY));
        lab_close(&lab);
        assert_int_equal(plumb_budget_used(budget), 0);
    }
    plumb_budget_free(budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choice_looks_at_a_parameter),
        cmocka_unit_test(interleaving_looks_at_a_parameter),
        cmocka_unit_test(parallel_looks_at_a_parameter),
        cmocka_unit_test(other_choices_look_at_a_parameter),
        cmocka_unit_test(copies_look_at_a_parameter),
        cmocka_unit_test(an_index_looks_at_another),
        cmocka_unit_test(functions_are_worked_out_in_bounds),
        cmocka_unit_test(no_copies_are_skip),
        cmocka_unit_test(no_values_are_skip_or_stop),
        cmocka_unit_test(recursion_ends_where_there_are_no_values),
        cmocka_unit_test(bounds_look_at_what_was_received),
        cmocka_unit_test(receivers_that_differ_in_bounds_are_two),
        cmocka_unit_test(bounds_look_at_arguments_late),
        cmocka_unit_test(sets_look_at_parameters_and_indices),
        cmocka_unit_test(alphabets_look_at_parameters),
        cmocka_unit_test(arguments_stay_in_their_range),
        cmocka_unit_test(bounds_without_a_value),
        cmocka_unit_test(a_branch_that_is_not_taken_is_not_wrong),
        cmocka_unit_test(what_grows_ends),
        cmocka_unit_test(every_refusal_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
