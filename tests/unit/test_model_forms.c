/* test_model_forms.c - forms that say in short what can be said at length: the
 * graph is the same, edge by edge. */
#include "systems.h"

#define CHECK "#assert P() deadlockfree;"

static void graph_of(const char *text, bool specification,
                     struct plumb_base_text *out)
{
    struct lab lab;
    const struct lab_options o = { .specification = specification,
                                   .most = 5000 };
    if (lab_open(&lab, text, &o))
        fail_msg("%s\n%lu:%lu: %s", text, (unsigned long)lab.err.line,
                 (unsigned long)lab.err.column, lab.err.message);
    plumb_base_text_init(out, NULL);
    write_graph(&lab, out);
    lab_close(&lab);
}

static void same_side(const char *brief, const char *full, bool specification)
{
    struct plumb_base_text a, b;
    graph_of(brief, specification, &a);
    graph_of(full, specification, &b);
    if (strcmp(plumb_base_text_string(&a), plumb_base_text_string(&b)) != 0)
        fail_msg("%s\n%s---\n%s\n%s", brief, plumb_base_text_string(&a), full,
                 plumb_base_text_string(&b));
    plumb_base_text_release(&a);
    plumb_base_text_release(&b);
}

static void same(const char *brief, const char *full)
{
    same_side(brief, full, false);
}

/* e{program} shows all variables that it may change. */
static void program_is(const char *brief, const char *full)
{
    static const char form[] =
        "var x; var y = 2; var a = [5, 6, 7]; var i = 1;"
        "P() = e{%s} -> f.x.y.i.(a[0]).(a[1]).(a[2]) -> [x < 3] P();" CHECK;
    char one[1000], other[1000];
    snprintf(one, sizeof one, form, brief);
    snprintf(other, sizeof other, form, full);
    same(one, other);
}

static void one_of_several_events_is_a_choice(void **state)
{
    (void)state;
    same("P() = (a, b.1) -> c -> Stop;" CHECK,
         "P() = a -> c -> Stop [] b.1 -> c -> Stop;" CHECK);
    same("P() = (a) -> c -> Stop;" CHECK, "P() = a -> c -> Stop;" CHECK);
    same("P() = (a, tau) -> (b, c) -> P();" CHECK,
         "P() = a -> Q() [] tau -> Q(); Q() = b -> P() [] c -> P();" CHECK);
    same("P() = (a, b) -> Skip ||| Q(); Q() = (b, c) -> Skip;" CHECK,
         "P() = (a -> Skip [] b -> Skip) ||| Q();"
         "Q() = b -> Skip [] c -> Skip;" CHECK);
    same("P() = d -> (a, b) -> Stop || Q(); Q() = (d, b) -> b -> Q();" CHECK,
         "P() = d -> (a -> Stop [] b -> Stop) || Q();"
         "Q() = d -> b -> Q() [] b -> b -> Q();" CHECK);
    same("var x; P() = [x < 2] (a.x, b) -> {x++} -> P();" CHECK,
         "var x; P() = [x < 2] (a.x -> Q() [] b -> Q()); Q() = {x++} -> "
         "P();" CHECK);
    same("channel c 1; P() = c!1 -> c?u -> (e.u, f) -> g.u -> Stop;" CHECK,
         "channel c 1; P() = c!1 -> c?u -> "
         "(e.u -> g.u -> Stop [] f -> g.u -> Stop);" CHECK);
}

static void assignments_are_worth_what_is_assigned(void **state)
{
    (void)state;
    program_is("y = x++", "x = x + 1; y = x");
    program_is("y = x--; x = x + 2", "x = x - 1; y = x; x = x + 2");
    program_is("y = a[i]++; x++", "a[i] = a[i] + 1; y = a[i]; x++");
    program_is("var t = x++; y = t", "x++; y = x");
    program_is("var t = y = 3; x = x + t", "y = 3; x = x + 3");
    program_is("if (x == 0) y = x++; else x = y++",
               "if (x == 0) { x++; y = x } else { y++; x = y }");
}

static void indices_are_looked_at_first(void **state)
{
    (void)state;
    program_is("a[x] = x++", "a[x] = x + 1; x++");
    program_is("a[i] = i = 2; x++", "a[i] = 2; i = 2; x++");
    program_is("y = a[i] = i--; x = x + 2",
               "a[i] = i - 1; i--; y = i; x = x + 2");
    program_is("a[i] = a[i - 1] = i = 2; x++",
               "a[i] = 2; a[i - 1] = 2; i = 2; x++");
}

static void plus_before_a_number_is_nothing(void **state)
{
    (void)state;
    program_is("x = +x + +1; y = -+2", "x = x + 1; y = -2");
    same("var x = +1; P() = a.+x -> Stop;" CHECK,
         "var x = 1; P() = a.x -> Stop;" CHECK);
}

static void arrays_of_a_program_begin_as_zeros(void **state)
{
    (void)state;
    program_is("var t[3]; t[1] = x; y = t[0] + t[1]; x++", "y = x; x++");
    program_is("var t[2][2]; t[1][0] = 4; t[0][1] = 1; y = t[1][0] - t[0][1];"
               "x++",
               "y = 3; x++");
    program_is("var k = 0; while (k < 3) { var t[2]; t[k % 2] = t[0] + k + 1;"
               "y = t[0] + 10 * t[1]; k++ } x++",
               "y = 3; x++");
    program_is("var k = 0; while (k < 2) { var t[1]; y = t[0]++; k++ } x++",
               "y = 1; x++");
    program_is("if (x > 0) var t[3]; x++", "x++");
}

static void arrays_of_a_program_begin_as_is_said(void **state)
{
    (void)state;
    program_is("var t = [x, 7(2), 4..2, a[i]]; y = t[0] + t[2] * t[5] + t[6];"
               "x++",
               "y = x + 14 + a[i]; x++");
    program_is("var t[2][2] = [1, 2, 3, 4]; y = t[1][0]; x++", "y = 3; x++");
    program_is("var t = [1, 2, 3]; a = t; x++",
               "a[0] = 1; a[1] = 2; a[2] = 3; x++");
    program_is("a = [a[2], x(2)]; x++", "var t = a[2]; a[1] = a[2] = x;"
                                        "a[0] = t; x++");
    program_is("var t[3]; t = a; t[0] = 9; a[2] = t[0] + t[1]; x++",
               "a[2] = 9 + a[1]; x++");
}

/* The name is that of the block, and no longer. */
static void arrays_of_a_program_hide_others(void **state)
{
    (void)state;
    program_is("{ var a[2]; a[0] = 1; y = a[0] } x = a[0] - 4",
               "y = 1; x = a[0] - 4");
    program_is("var a = 8; y = a; { var a[1]; a[0] = 2; x = x + a[0] } y = a",
               "x = x + 2; y = 8");
}

/* What they are while a program runs is in no state. */
static void arrays_of_a_program_tell_no_states_apart(void **state)
{
    static const char model[] =
        "#define swap(i, j) {var t[2]; t[0] = a[i]; t[1] = a[j];"
        "a[i] = t[1]; a[j] = t[0]}; var a = [1, 2, 3];"
        "Q(i, j) = e.i.j{call(swap, i, j)} -> Q(i, j);"
        "P() = Q(0, 1) ||| Q(1, 2);" CHECK;
    (void)state;
    expect_counts(model, &(struct lab_options){ 0 }, 6, 12);
    same(model, "var a = [1, 2, 3]; Q(i, j) = e.i.j{var t = a[i]; a[i] = a[j];"
                "a[j] = t} -> Q(i, j); P() = Q(0, 1) ||| Q(1, 2);" CHECK);
}

/* What several use in turn does not keep them from going alone. */
static void arrays_of_a_program_hinder_no_reduction(void **state)
{
    static const char form[] =
        "var l[3]; var x; Q(i) = tau{%s} -> tau{l[i] = 2} -> e.i{x = i} -> "
        "Skip; P() = Q(0) ||| Q(1) ||| Q(2);" CHECK;
    const struct lab_options o = { .reduction = PLUMB_REDUCE_LOCAL };
    struct lab reduced, whole;
    char one[600], other[600];
    (void)state;
    snprintf(one, sizeof one, form, "var t[2]; t[1] = 1; l[i] = t[1]");
    snprintf(other, sizeof other, form, "l[i] = 1");
    assert_int_equal(lab_open(&whole, other, &(struct lab_options){ 0 }),
                     PLUMB_OK);
    assert_int_equal(lab_open(&reduced, other, &o), PLUMB_OK);
    const uint32_t states = plumb_csp_graph_states(reduced.graph);
    assert_true(states < plumb_csp_graph_states(whole.graph));
    expect_counts(one, &o, states, plumb_csp_graph_edge_count(reduced.graph));
    lab_close(&whole);
    lab_close(&reduced);
}

static void operations_have_arrays_too(void **state)
{
    static const char form[] =
        "#object box { var n = 0; operation put(v:{1..2}) { %s } }"
        "P() = Stop; #assert P() linearizable box(1);";
    char one[600], other[600];
    (void)state;
    snprintf(one, sizeof one, form,
             "var t = [n, v]; if (t[1] == 2) { return t[0]; } n = t[1];"
             "return t[0] + 2 * t[1];");
    snprintf(other, sizeof other, form,
             "var m = n; if (v == 2) { return m; } n = v; return m + 2 * v;");
    same_side(one, other, true);
}

/* One hidden step, and then everything is as if it had begun so. */
static void variables_may_begin_as_anything(void **state)
{
    (void)state;
    same("var x:{1..3} = *; var y = 2; P() = e.x.y{x = y} -> Stop;" CHECK,
         "var x = 1; var y = 2; P() = [] v:{1..3} @ tau{x = v} -> e.x.y{x = y}"
         "-> Stop;" CHECK);
    same("var a[2]:{0..1} = *; P() = e.(a[0]).(a[1]) -> Stop;" CHECK,
         "var a[2]; P() = [] w:{0..1}; v:{0..1} @ tau{a[0] = v; a[1] = w} -> "
         "e.(a[0]).(a[1]) -> Stop;" CHECK);
    same("var x:{4..4} = *; P() = e.x -> P();" CHECK,
         "P() = tau -> Q(); Q() = e.4 -> Q();" CHECK);
    same("var x:{0..1} = *; P(i) = e.i.x -> Skip; #assert P(7) deadlockfree;",
         "var x; P(i) = tau{x = 0} -> e.i.x -> Skip [] tau{x = 1} -> e.i.x -> "
         "Skip; #assert P(7) deadlockfree;");
}

static void variables_begin_as_others_did(void **state)
{
    (void)state;
    same("var n = 3; var m = n + 1; var a[n] = [n(2), m]; var b = a[2] == 4;"
         "var r:{0..n} = a[1]; P() = e.(a[0]).(a[2]).b.r -> Stop;" CHECK,
         "P() = e.3.4.1.3 -> Stop;" CHECK);
    same("var n = 2; var g[n][n] = [1..4]; var x = g[1][0];"
         "P() = e.x{n = 5} -> e.n -> Stop;" CHECK,
         "P() = e.3 -> e.5 -> Stop;" CHECK);
}

static void a_blank_before_parameters_changes_nothing(void **state)
{
    (void)state;
    same("#define m (i, j) i*j; #define n (i) i+1; #define p (x) == 14;"
         "# define k 2; var x;"
         "P() = e{x = call(m, 3, 4) + call(n, 1)} -> f.x.(p) -> g.k -> Stop;"
         "#\tassert P() deadlockfree;",
         "P() = e -> f.14.1 -> g.2 -> Stop;" CHECK);
    same("#define p (x) xor (y); #define q (x) - 1; var x = true; var y = 5;"
         "P() = e.(p).q -> Stop;" CHECK,
         "P() = e.0.0 -> Stop;" CHECK);
}

static void assignments_may_have_a_name(void **state)
{
    (void)state;
    same("var x; var y; #define inc x = x + 1;"
         "#define step y++; #define add(k) y = y + k;"
         "P() = e{inc; inc; step; call(add, 5); call(inc)} -> f.x.y -> "
         "Stop;" CHECK,
         "P() = e -> f.3.6 -> Stop;" CHECK);
}

static void messages_are_expressions(void **state)
{
    (void)state;
    same("var x = 3; channel c 2; P() = c!x > 2.x -> c?x == 3.y -> e.y -> "
         "Stop;" CHECK,
         "channel c 2; P() = c!1.3 -> c?1.y -> e.y -> Stop;" CHECK);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_of_several_events_is_a_choice),
        cmocka_unit_test(assignments_are_worth_what_is_assigned),
        cmocka_unit_test(indices_are_looked_at_first),
        cmocka_unit_test(plus_before_a_number_is_nothing),
        cmocka_unit_test(arrays_of_a_program_begin_as_zeros),
        cmocka_unit_test(arrays_of_a_program_begin_as_is_said),
        cmocka_unit_test(arrays_of_a_program_hide_others),
        cmocka_unit_test(arrays_of_a_program_tell_no_states_apart),
        cmocka_unit_test(arrays_of_a_program_hinder_no_reduction),
        cmocka_unit_test(operations_have_arrays_too),
        cmocka_unit_test(variables_may_begin_as_anything),
        cmocka_unit_test(variables_begin_as_others_did),
        cmocka_unit_test(a_blank_before_parameters_changes_nothing),
        cmocka_unit_test(assignments_may_have_a_name),
        cmocka_unit_test(messages_are_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
