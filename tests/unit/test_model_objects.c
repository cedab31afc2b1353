/* test_model_objects.c - from the operations of an object to the process that
 * does all a linearizable object may do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model_texts.h"

#include <stdio.h>

#define STACK                                                                  \
    "#define K 2; #object stack { var n = 0; var item[2];\n"                   \
    "operation push(v:{1..K}) { item[n] = v; n++; return 1; }\n"               \
    "operation pop() { if (n == 0) { return 0; } else { n--;"                  \
    " return item[n]; } }\n"                                                   \
    "operation clear() { n = 0; } }\n"                                         \
    "System() = push_inv.0.1 -> System();\n"

#define STACK_VARIABLES "var stack_n = 0;\nvar stack_item[2] = [0(2)];\n"

static void operations_become_clients(void **state)
{
    (void)state;
    reads_as(STACK "#assert System() linearizable stack(3);", STACK_VARIABLES
             "var stack_result[3] = [0(3)];\n#define K 2;\n"
             "System() = push_inv.0.1 -> System();\n"
             "stack_client(client) = ([] v:{1,2}@(push_inv.client.v -> "
             "tau{ stack_item[stack_n] = v; stack_n = stack_n + 1; "
             "stack_result[client] = 1; } -> "
             "push_res.client.stack_result[client]"
             "{ stack_result[client] = 0; } -> stack_client(client))) [] "
             "(pop_inv.client -> tau{ if (stack_n == 0) "
             "{ stack_result[client] = 0; } else { stack_n = stack_n - 1; "
             "stack_result[client] = stack_item[stack_n]; }; } -> "
             "pop_res.client.stack_result[client]"
             "{ stack_result[client] = 0; } -> stack_client(client)) [] "
             "(clear_inv.client -> tau{ stack_n = 0; } -> clear_res.client -> "
             "stack_client(client));\n"
             "stack_3() = ||| client:{0,1,2}@stack_client(client);\n"
             "#assert System() refines stack_3();\n");
}

static void at_points_one_visible_step_is_left(void **state)
{
    (void)state;
    reads_as(STACK "#assert System() linearizable stack(1) at points;",
             STACK_VARIABLES
             "var stack_result[1] = [0];\nvar stack_busy = 0;\n#define K 2;\n"
             "System() = push_inv.0.1 -> System();\n"
             "stack_client_at_points(client) = ([] v:{1,2}@"
             "([stack_busy == 0] (tau{ stack_busy = 1; "
             "stack_item[stack_n] = v; stack_n = stack_n + 1; "
             "stack_result[client] = 1; } -> "
             "push_lin.client.v.stack_result[client]"
             "{ stack_busy = 0; stack_result[client] = 0; } -> "
             "stack_client_at_points(client)))) [] "
             "([stack_busy == 0] (tau{ stack_busy = 1; if (stack_n == 0) "
             "{ stack_result[client] = 0; } else { stack_n = stack_n - 1; "
             "stack_result[client] = stack_item[stack_n]; }; } -> "
             "pop_lin.client.stack_result[client]"
             "{ stack_busy = 0; stack_result[client] = 0; } -> "
             "stack_client_at_points(client))) [] "
             "([stack_busy == 0] (tau{ stack_busy = 1; stack_n = 0; } -> "
             "clear_lin.client{ stack_busy = 0; } -> "
             "stack_client_at_points(client)));\n"
             "stack_points_1() = ||| client:{0}@"
             "stack_client_at_points(client);\n"
             "#assert System() refines stack_points_1();\n");
}

static void assertions_of_one_object_share_its_clients(void **state)
{
    const struct plumb_csp_reading r =
        reading_of(STACK "#assert System() linearizable stack(2);"
                         "#assert System() linearizable stack(3);"
                         "#assert System() linearizable stack(2);"
                         "#assert System() linearizable stack(2) at points;");
    struct plumb_csp_model *const m = model_of(&r);
    const struct plumb_csp_assertion *const a = m->assertion;
    (void)state;
    assert_int_equal(m->definitions, 1 + 1 + 2 + 2);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(a[i].kind, PLUMB_ASSERT_LINEARIZABLE);
        assert_int_equal(a[i].specification->kind, PLUMB_REFERENCE);
        assert_int_equal(a[i].clients, i == 1 ? 3 : 2);
        assert_int_equal(a[i].points, i == 3);
        assert_null(a[i].built_in);
    }
    assert_int_equal(a[0].specification->definition,
                     a[2].specification->definition);
    assert_string_equal(m->variable[0].name, "stack.n");
    assert_string_equal(m->variable[2].name, "stack.result");
    assert_int_equal(m->variable[2].size, 3);
    plumb_csp_model_free(m);
}

static void built_in_specifications_are_left_to_others(void **state)
{
    const struct plumb_csp_reading r = reading_of(
        "#define N 3; P() = a -> P();"
        "#assert P() linearizable \"queue:cap=2\" (clients 2, values {1..N});"
        "#assert P() linearizable \"set\" (clients N) at points;");
    struct plumb_csp_model *const m = model_of(&r);
    const struct plumb_csp_assertion *const a = m->assertion;
    (void)state;
    assert_string_equal(a[0].built_in, "queue:cap=2");
    assert_null(a[0].specification);
    assert_int_equal(a[0].clients, 2);
    assert_int_equal(a[0].values, 3);
    assert_int_equal(a[0].value[2], 3);
    assert_false(a[0].points);
    assert_int_equal(a[1].clients, 3);
    assert_int_equal(a[1].values, 0);
    assert_true(a[1].points);
    check_text(m, NULL);
    plumb_csp_model_free(m);
}

/* What an operation does, as the program of a client. */
static void does(const char *body, const char *wanted)
{
    char source[1000], expected[1000];
    snprintf(source, sizeof source,
             "#object o {var n; operation f(v:{1}) {%s}} P() = a -> P();"
             "#assert P() linearizable o(1);",
             body);
    const struct plumb_csp_reading r = reading_of(source);
    struct plumb_csp_model *const m = model_of(&r);
    const struct plumb_csp_definition *const d = m->definition + 1;
    struct plumb_base_text out;
    plumb_base_text_init(&out, NULL);
    plumb_csp_process_text(m, d, d->body->child[0]->child[0], &out);
    char *const end = strstr(out.data, " -> ");
    assert_non_null(end);
    *end = 0;
    snprintf(expected, sizeof expected, "tau{ %s}", wanted);
    assert_string_equal(out.data, expected);
    plumb_base_text_release(&out);
    check_text(m, NULL);
    plumb_csp_model_free(m);
}

#define RETURN(e) "o_result[client] = " e "; temp_0 = true; "

static void returns_end_an_operation(void **state)
{
    (void)state;
    does("", "");
    does("return v;", "o_result[client] = v; ");
    does("n = v; return;", "o_n = v; ");
    does("if (n == 0) return 1; else return 2;",
         "if (o_n == 0) { o_result[client] = 1; } else "
         "{ o_result[client] = 2; }; ");
    does("if (n == 0) {return 1;} n = v; return 2;",
         "var temp_0 = false; if (o_n == 0) { " RETURN(
             "1") "}; "
                  "if (!(temp_0)) { o_n = v; " RETURN("2") "}; ");
    does("while (n > 0) {if (n == v) {return 1;} n--;} return 0;",
         "var temp_0 = false; while ((!(temp_0)) && (o_n > 0)) { "
         "if (o_n == v) { " RETURN(
             "1") "}; if (!(temp_0)) "
                  "{ o_n = o_n - 1; }; }; if (!(temp_0)) { " RETURN("0") "}; ");
    does("if (n == 0) {return;} n = 0;",
         "var temp_0 = false; if (o_n == 0) { temp_0 = true; }; "
         "if (!(temp_0)) { o_n = 0; }; ");
    does("var t = n; {if (t == 1) {return t;}} return v;",
         "var temp_0 = false; var temp_1 = o_n; if (temp_1 == 1) "
         "{ " RETURN("temp_1") "}; if (!(temp_0)) { " RETURN("v") "}; ");
}

static void own_names_come_first(void **state)
{
    (void)state;
    reads_as("var n = 5; #object o {var n = 1; var result; "
             "operation n(result:{0..1}) {n = result; return n;}}"
             "P() = a{n = 2} -> P(); #assert P() linearizable o(1);",
             "var n = 5;\nvar o_n = 1;\nvar o_result = 0;\n"
             "var o_result_[1] = [0];\nP() = a{ n = 2; } -> P();\n"
             "o_client(client) = [] result:{0,1}@(n_inv.client.result -> "
             "tau{ o_n = result; o_result_[client] = o_n; } -> "
             "n_res.client.o_result_[client]{ o_result_[client] = 0; } -> "
             "o_client(client));\n"
             "o_1() = ||| client:{0}@o_client(client);\n"
             "#assert P() refines o_1();\n");
}

static void wrong(const char *body, int column, const char *message)
{
    char source[1000];
    snprintf(source, sizeof source,
             "#object o {var n; operation f(v:{1}) {\n%s}} P() = a -> P();"
             "#assert P() linearizable o(1);",
             body);
    fails(source, column ? 2 : 1, column ? column : 29, message);
}

static void wrong_operations(void **state)
{
    (void)state;
    wrong("if (n == 0) {return 1;}", 0,
          "f returns a value, but not on every path");
    wrong("while (n == 0) {return 1;}", 0,
          "f returns a value, but not on every path");
    wrong("if (n == 0) {return 1;} else {n = 1}", 0,
          "f returns a value, but not on every path");
    wrong("return 1; n = 2;", 11,
          "this statement is unreachable: it follows a return");
    wrong("if (n == 0) {return 1;} return;", 25,
          "an operation must return a value always or never");
    wrong("m = 1;", 1, "variable m is not defined");
    fails("#object o {var n;}", 1, 9, "o has no operations");
    fails("#object o {channel c 1;}", 1, 12,
          "expected var or operation, not 'channel'");
    fails("#object o {operation f(v) {}} P() = a -> P();"
          "#assert P() linearizable o(1);",
          1, 25, "expected ':' and its values, not ')'");
    fails("#object o {operation f() {}} P() = a -> P();"
          "#assert P() linearizable o(0);",
          1, 72, "0 clients; from 1 to 64 are supported");
    fails("P() = a -> P(); #assert P() linearizable \"q\" (values {1});", 1, 47,
          "expected 'clients' and how many, not 'values'");
}

static void objects_are_checked_even_if_nothing_is_asserted(void **state)
{
    (void)state;
    fails("#object o {var n; operation f() {m = 1;}} P() = Skip;", 1, 34,
          "variable m is not defined");
    reads_as("#object o {var n; operation f() {n = 1;}} P() = Skip;",
             "var o_n = 0;\nP() = Skip;\n");
}

/* What is not a constant is left as it is, for the specification to refuse. */
static void constants_are_parameters_of_built_in_specifications(void **state)
{
    const struct plumb_csp_reading r = reading_of(
        "#define N 3; #define M N * 2 + 1; enum{zero, one}; var x;"
        "P() = a -> P();"
        "#assert P() linearizable \"queue:cap=M,k=one\" (clients 2);"
        "#assert P() linearizable \"queue:cap=x,k=2N,N=\" (clients 2);");
    struct plumb_csp_model *const m = model_of(&r);
    (void)state;
    assert_string_equal(m->assertion[0].built_in, "queue:cap=7,k=1");
    assert_string_equal(m->assertion[1].built_in, "queue:cap=x,k=2N,N=");
    plumb_csp_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_become_clients),
        cmocka_unit_test(at_points_one_visible_step_is_left),
        cmocka_unit_test(assertions_of_one_object_share_its_clients),
        cmocka_unit_test(built_in_specifications_are_left_to_others),
        cmocka_unit_test(constants_are_parameters_of_built_in_specifications),
        cmocka_unit_test(returns_end_an_operation),
        cmocka_unit_test(own_names_come_first),
        cmocka_unit_test(wrong_operations),
        cmocka_unit_test(objects_are_checked_even_if_nothing_is_asserted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
