/* test_model_arrays.c - arrays as a whole are what their elements are.
 *
 * Each model that passes arrays has the graph of the one beside it, in which
 * the elements are written out by hand. */
#include "systems.h"

#include "model_texts.h"

#define CHECK "#assert P() deadlockfree;"

static void same_graph(const char *whole, const char *elements)
{
    struct lab lab;
    struct plumb_base_text wanted;
    if (lab_open(&lab, elements, &(struct lab_options){ 0 }))
        fail_msg("%s: %s", elements, lab.err.message);
    plumb_base_text_init(&wanted, NULL);
    write_graph(&lab, &wanted);
    assert_true(wanted.size > 0);
    expect_graph(whole, plumb_base_text_string(&wanted));
    reads_as(whole, NULL);
    plumb_base_text_release(&wanted);
    lab_close(&lab);
}

/* ---- messages ---- */

static void arrays_are_sent_element_by_element(void **state)
{
    (void)state;
    same_graph("var x = [4, 5]; channel c 1; P() = c!x -> Skip ||| R();"
               "R() = c?z -> e.(z[1]).(z[0]) -> Skip;" CHECK,
               "var x = [4, 5]; channel c 1; P() = c!x[0].x[1] -> Skip ||| R();"
               "R() = c?z.y -> e.y.z -> Skip;" CHECK);
    expect_graph("var x = [4, 5]; channel c 0; P() = c!x -> Stop ||| R();"
                 "R() = c?z -> e.(z[1]) -> Stop;" CHECK,
                 "0 c.4.5 1\n1 e.5 2\n");
}

static void what_is_sent_is_a_copy(void **state)
{
    (void)state;
    expect_graph(
        "var x = [4, 5]; channel c 1;"
        "P() = c!x -> a{x[0] = 9} -> c?z -> e.(z[0]).(x[0]) -> Stop;" CHECK,
        "0 c!4.5 1\n1 a 2\n2 c?4.5 3\n3 e.4.9 4\n");
}

static void messages_have_arrays_among_numbers(void **state)
{
    (void)state;
    same_graph("var x = [4, 5]; var y = [1, 2, 3]; channel c[2] 1;"
               "P() = c[1]!7.x.1.y -> Skip ||| R();"
               "R() = c[1]?[z[1] == 5 && w[2] > i]7.z.i.w -> e.(w[i]).(z[i]) "
               "-> Skip;" CHECK,
               "var x = [4, 5]; var y = [1, 2, 3]; channel c[2] 1;"
               "P() = c[1]!7.x[0].x[1].1.y[0].y[1].y[2] -> Skip ||| R();"
               "R() = c[1]?[z1 == 5 && w2 > i]7.z0.z1.i.w0.w1.w2 -> e.w1.z1 -> "
               "Skip;" CHECK);
}

static void a_received_array_goes_on_to_others(void **state)
{
    (void)state;
    same_graph("var x = [4, 5]; channel c 1; channel d 1; var y[2];"
               "R() = c?z -> d!z.3 -> R();"
               "Q(a, i) = q.(a[0]).i{y = a} -> [y == a] r.(y[1]) -> Skip;"
               "S() = d?z.k -> Q(z, k);"
               "P() = c!x -> Skip ||| R() ||| S();" CHECK,
               "var x = [4, 5]; channel c 1; channel d 1; var y[2];"
               "R() = c?z.t -> d!z.t.3 -> R();"
               "Q(a, b, i) = q.a.i{y[0] = a; y[1] = b} -> "
               "[y[0] == a && y[1] == b] r.(y[1]) -> Skip;"
               "S() = d?z.t.k -> Q(z, t, k);"
               "P() = c!x[0].x[1] -> Skip ||| R() ||| S();" CHECK);
}

static void a_whole_array_can_be_what_has_to_be_received(void **state)
{
    (void)state;
    same_graph("var x = [4, 5]; channel c 2;"
               "P() = c!x -> c![4, 6] -> c?x -> c?x -> Skip;" CHECK,
               "var x = [4, 5]; channel c 2;"
               "P() = c!x[0].x[1] -> c!4.6 -> c?x[0].x[1] -> c?x[0].x[1]"
               " -> Skip;" CHECK);
}

/* It is known only from a body that is read later, and back and forth. */
static void the_order_of_definitions_does_not_matter(void **state)
{
    (void)state;
    same_graph(
        "channel c 1; channel d 1;"
        "A() = d?z -> e.(z[1]) -> c!z -> A();"
        "B() = c?z -> f.(z[0]) -> Forth(z);"
        "Forth(z) = d!z -> B();"
        "P() = A() ||| B() ||| Begin();"
        "Begin() = Forth1(x); Forth1(z) = d!z -> Skip; var x = [7, 8];" CHECK,
        "channel c 1; channel d 1;"
        "A() = d?z.y -> e.y -> c!z.y -> A();"
        "B() = c?z.y -> f.z -> Forth(z, y);"
        "Forth(z, y) = d!z.y -> B();"
        "P() = A() ||| B() ||| Begin();"
        "Begin() = Forth1(x[0], x[1]); Forth1(z, y) = d!z.y -> Skip;"
        "var x = [7, 8];" CHECK);
}

/* ---- arguments ---- */

static void processes_are_given_arrays(void **state)
{
    (void)state;
    same_graph("var x = [4, 5, 6]; var g;"
               "P() = Q(x, 1) [] Q([1, 2(2)], g) [] Q([g, 3..4], 2);"
               "Q(a, i) = q.(a[i]).(a[0]){g = 2} -> Q(a, 0);" CHECK,
               "var x = [4, 5, 6]; var g;"
               "P() = Q(x[0], x[1], x[2], 1) [] Q(1, 2, 2, g) [] Q(g, 3, 4, 2);"
               "Q(a, b, c, i) = q.(a*(i == 0) + b*(i == 1) + c*(i == 2)).a"
               "{g = 2} -> Q(a, b, c, 0);" CHECK);
}

/* As other arguments that mention globals. */
static void arrays_are_looked_at_late(void **state)
{
    (void)state;
    same_graph(
        "var x = [4, 5]; P() = a -> Q(x) ||| b{x[1] = 9} -> Skip;"
        "Q(a) = q.(a[1]){x[0] = 3} -> r.(a[0]) -> Skip;" CHECK,
        "var x = [4, 5]; P() = a -> Q(x[0], x[1]) ||| b{x[1] = 9} -> Skip;"
        "Q(a, b) = q.b{x[0] = 3} -> r.a -> Skip;" CHECK);
}

static void an_index_is_looked_at_when_it_is_used(void **state)
{
    (void)state;
    expect_graph("var g; P() = Q([4, 5]);"
                 "Q(a) = [g < 2] q.(a[g]){g++} -> Q(a);" CHECK,
                 "0 q.4 1\n1 q.5 2\n");
    expect_graph("var g; var t; P() = Q([4, 5]);"
                 "Q(a) = q{var i = 1; while (i >= 0) {t = t*10 + a[i]; i--}}"
                 " -> r.t -> Stop;" CHECK,
                 "0 q 1\n1 r.54 2\n");
}

static void shapes_make_definitions_of_their_own(void **state)
{
    (void)state;
    same_graph("P() = Q([1, 2], 1) ||| Q([3, 4, 5], 2) ||| S(7) ||| S([1, 2]);"
               "Q(a, i) = q.(a[i]) -> Q(a, 0); S(n) = T(n);"
               "T(n) = t -> T(n);" CHECK,
               "P() = Q(1, 2, 1) ||| R(3, 4, 5, 2) ||| S(7) ||| S2(1, 2);"
               "Q(a, b, i) = q.(a*(i == 0) + b*(i == 1)) -> Q(a, b, 0);"
               "R(a, b, c, i) = q.(a*(i == 0) + b*(i == 1) + c*(i == 2)) -> "
               "R(a, b, c, 0); S(n) = T(n); S2(n, m) = T2(n, m);"
               "T(n) = t -> T(n); T2(n, m) = t -> T2(n, m);" CHECK);
}

static void dimensions_are_kept_and_one_index_counts_through_all(void **state)
{
    (void)state;
    expect_graph(
        "var m[2][3] = [0..5]; var g = 1; P() = Q(m, 0);"
        "Q(a, i) = q.(a[1][2]).(a[g][i]).(a[i][g]).(a[g+2]) -> Stop;" CHECK,
        "0 q.5.3.1.3 1\n");
}

static void alphabets_and_hidden_events_know_them(void **state)
{
    (void)state;
    same_graph("P() = (Q([1, 2]) || R([1, 2])) \\ {e.9};"
               "Q(a) = e.(a[0]) -> e.9 -> Q(a) [] f -> Q(a);"
               "R(a) = e.(a[0]) -> g -> R(a); #alphabet Q {e.(a[0])};" CHECK,
               "P() = (Q(1, 2) || R(1, 2)) \\ {e.9};"
               "Q(a, b) = e.a -> e.9 -> Q(a, b) [] f -> Q(a, b);"
               "R(a, b) = e.a -> g -> R(a, b); #alphabet Q {e.a};" CHECK);
}

static void assertions_give_arrays(void **state)
{
    (void)state;
    expect_graph("Q(a, i) = q.(a[i]) -> Stop; #assert Q([7, 8], 1) "
                 "deadlockfree;",
                 "0 q.8 1\n");
}

static void arrays_are_compared_element_by_element(void **state)
{
    (void)state;
    same_graph("var x = [1, 2]; var y = [1, 3];"
               "P() = [x == y] e -> Skip [] [x != y && x == x] f{y = x} -> P()"
               "      [] [y == [1, 3]] g -> Stop;" CHECK,
               "var x = [1, 2]; var y = [1, 3];"
               "P() = [x[0] == y[0] && x[1] == y[1]] e -> Skip"
               "      [] [x[0] != y[0] || x[1] != y[1]]"
               "         f{y[0] = x[0]; y[1] = x[1]} -> P()"
               "      [] [y[0] == 1 && y[1] == 3] g -> Stop;" CHECK);
}

static void elements_bound_ranges(void **state)
{
    (void)state;
    same_graph("P() = Q([2, 1], 1) ||| Q([1, 3, 2], 0);"
               "Q(a, n:{0..1}) = [] i:{n..a[1]} @ e.i -> (|||{a[n]} @ f -> "
               "Skip);" CHECK,
               "P() = Q(2, 1, 1) ||| R(1, 3, 2, 0);"
               "Q(a, b, n:{0..1}) = [] i:{n..b} @ e.i -> (|||{b} @ f -> Skip);"
               "R(a, b, c, n:{0..1}) = [] i:{n..b} @ e.i -> "
               "(|||{a} @ f -> Skip);" CHECK);
    struct lab lab;
    assert_int_equal(lab_open(&lab,
                              "P() = Q([7, 8], 2);"
                              "Q(a, n:{0..1}) = e.(a[0]) -> Skip;" CHECK,
                              &(struct lab_options){ 0 }),
                     PLUMB_EINPUT);
    lab_close(&lab);
}

/* ---- what is refused ---- */

static void an_index_outside_is_an_error_when_it_happens(void **state)
{
    struct lab lab;
    (void)state;
    assert_int_equal(lab_open(&lab,
                              "var g; P() = Q([4, 5]);\n"
                              "Q(a) = q.(a[g]){g++} -> Q(a);" CHECK,
                              &(struct lab_options){ 0 }),
                     PLUMB_EINPUT);
    assert_string_equal(lab.err.message,
                        "index 2 of the array is outside 0..1");
    assert_int_equal(lab.err.line, 2);
    assert_int_equal(lab.err.column, 11);
    lab_close(&lab);
}

static void a_number_where_an_array_is_wanted(void **state)
{
    (void)state;
    fails("P() = Q(3);\nQ(a) = q.(a[0]) -> Stop;", 2, 11,
          "a is not an array: a number is passed at 1:9");
    fails("P() = Q([1]) [] R(3);\nQ(a) = q.(a[0]) -> Stop;\nR(b) = Q(b);", 2,
          11, "a is not an array: a number is passed at 3:10");
    fails("channel c 1; P() = c!1 -> c?z -> e.(z[0]) -> Stop;", 1, 37,
          "z is not an array: a number is passed at 1:22");
    fails("var x[2]; P() = [x == 1] e -> Stop;", 1, 23,
          "an array is compared with a number");
}

static void an_array_where_a_number_is_wanted(void **state)
{
    (void)state;
    fails("var x[2]; P() = e.x -> Stop;", 1, 19,
          "x has 1 dimension, but 0 indices are given");
    fails("P() = Q([1, 2]);\nQ(a) = e.(a+1) -> Stop;", 2, 11,
          "a has 1 dimension, as it is passed at 1:9, but 0 indices are given");
    fails("P() = Q([1, 2]);\nQ(a) = e.(a[0][1]) -> Stop;", 2, 11,
          "a has 1 dimension, as it is passed at 1:9, but 2 indices are given");
    fails(
        "channel c 1; P() = c![1, 2] -> c?z -> e.z -> Stop;", 1, 41,
        "z has 1 dimension, as it is passed at 1:22, but 0 indices are given");
    fails("channel c 1; P() = c![1, 2] -> c?5 -> Stop;", 1, 34,
          "a number is received from c here, but an array of 2 numbers is sent "
          "at 1:22");
    fails(
        "var g; channel c 1; P() = c![1, 2] -> a{g = call(cpeek, c)} -> Stop;",
        1, 57,
        "cpeek returns a number, but messages of c begin with an array (at "
        "1:29)");
    fails(
        "P() = a{var x = 1; x = [1, 2]} -> Stop;", 1, 24,
        "an array is not a value; give an index, or pass or assign the array");
    fails("P() = Q([1, 2]);\nQ(a) = e{a[0] = 1} -> Stop;", 2, 10,
          "a is bound here and cannot be assigned");
}

static void lengths_that_differ(void **state)
{
    (void)state;
    fails("P() = Q([1, 2]);\nQ(a) = e.(a[2]) -> Stop;", 2, 13,
          "index 2 is outside of a[2], which is passed at 1:9");
    fails("channel c 1; P() = c![1, 2] -> c![1, 2, 3] -> Stop;", 1, 34,
          "an array of 3 numbers is sent over c here, but an array of 2 "
          "numbers at 1:22");
    fails("channel c 1; var m[2][2]; P() = c!0 -> c!m -> Stop;", 1, 42,
          "an array of 2 x 2 numbers is sent over c here, but a number at "
          "1:35");
    fails(
        "channel c 1; P() = c![1, 2] -> c!1.2 -> Stop;", 1, 32,
        "messages of c are ambiguous: 2 numbers in 2 parts here, in 1 at 1:22");
    fails(
        "channel c 1; P() = c![1, 2] -> c?x.y -> Stop;", 1, 32,
        "messages of c are ambiguous: 2 numbers in 2 parts here, in 1 at 1:22");
    fails("var x[3]; P() = Q([1, 2]);\nQ(a) = e{x = a} -> Stop;", 2, 14,
          "x has 3 elements, but a has 2");
    fails("var x[3]; var y[2]; P() = [x == y] e -> Stop;", 1, 30,
          "an array of 3 elements is compared with one of 2");
    fails("var x[1025]; P() = Q(x); Q(a) = Stop;", 1, 22,
          "cannot pass an array of more than 1024 elements");
}

static void warns(const char *text, const char *wanted)
{
    const struct plumb_csp_reading r = reading_of(text);
    struct plumb_csp_model *const model = model_of(&r);
    assert_int_equal(model->warnings, 1);
    assert_string_equal(model->warning[0], wanted);
    plumb_csp_model_free(model);
}

static void what_nobody_passes_is_never_reached(void **state)
{
    (void)state;
    warns("Q(a) = q.(a[0]) -> Q(a); P() = Skip;",
          "m.csp:1:11: warning: a is used as an array, but no call passes one; "
          "this code is unreachable");
    warns("channel c 1; P() = c?z -> e.(z[0]) -> Stop;",
          "m.csp:1:30: warning: z is used as an array, but no call passes one; "
          "this code is unreachable");
    /* R is called with an array as well, which is not Q's business. */
    warns("var x[2]; Q(a) = R(a); R(b) = e.(b[1]){x = b} -> [x == b] Stop;"
          "P() = R(x);",
          "m.csp:1:34: warning: b is used as an array, but no call passes one; "
          "this code is unreachable");
    same_graph("channel c 1; channel d 1; var x[2];"
               "P() = d!x -> Skip ||| c?z -> d!z -> Skip ||| d?y -> Q(y)"
               "      ||| c?z -> Q(z); Q(a) = q.(a[0]) -> Skip;" CHECK,
               "channel c 1; channel d 1; var x[2];"
               "P() = d!0.0 -> Skip ||| c?z -> Skip ||| d?y.t -> Q(y)"
               "      ||| c?z -> Skip; Q(a) = q.a -> Skip;" CHECK);
}

/* A message of two parts is not one of an array. */
static void messages_of_other_lengths_are_left_alone(void **state)
{
    (void)state;
    same_graph("channel c 2; P() = c![1, 2] -> c!5 .6.7 -> R();"
               "R() = c?x -> e.(x[1]) -> R() [] c?x.y.z -> f.y -> R();" CHECK,
               "channel c 2; P() = c!1.2 -> c!5 .6.7 -> R();"
               "R() = c?x.y -> e.y -> R() [] c?x.y.z -> f.y -> R();" CHECK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_sent_element_by_element),
        cmocka_unit_test(what_is_sent_is_a_copy),
        cmocka_unit_test(messages_have_arrays_among_numbers),
        cmocka_unit_test(a_received_array_goes_on_to_others),
        cmocka_unit_test(a_whole_array_can_be_what_has_to_be_received),
        cmocka_unit_test(the_order_of_definitions_does_not_matter),
        cmocka_unit_test(processes_are_given_arrays),
        cmocka_unit_test(arrays_are_looked_at_late),
        cmocka_unit_test(an_index_is_looked_at_when_it_is_used),
        cmocka_unit_test(shapes_make_definitions_of_their_own),
        cmocka_unit_test(dimensions_are_kept_and_one_index_counts_through_all),
        cmocka_unit_test(alphabets_and_hidden_events_know_them),
        cmocka_unit_test(assertions_give_arrays),
        cmocka_unit_test(arrays_are_compared_element_by_element),
        cmocka_unit_test(elements_bound_ranges),
        cmocka_unit_test(an_index_outside_is_an_error_when_it_happens),
        cmocka_unit_test(a_number_where_an_array_is_wanted),
        cmocka_unit_test(an_array_where_a_number_is_wanted),
        cmocka_unit_test(lengths_that_differ),
        cmocka_unit_test(what_nobody_passes_is_never_reached),
        cmocka_unit_test(messages_of_other_lengths_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
