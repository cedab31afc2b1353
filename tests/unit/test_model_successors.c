/* test_model_successors.c - successors found by what a move changes, by bytecode
 * and by compiled C, against steps that are told in full.
 *
 * plumb_csp_numbering_steps() goes the long way, through plumb_csp_system_steps(). */
#include "effort.h"
#include "whole_graphs.h"

#include <glob.h>

enum {
    MODELS = SOME_OF(300),
    COMPILED = 12 / TEST_EFFORT + 2,
    MOST_STATES = 1000
};

/* ---- against steps told in full ---- */

static void expect_steps_of(struct lab *lab, uint32_t state,
                            struct plumb_csp_steps *steps, uint32_t *vector)
{
    const size_t slots = plumb_csp_system_slots(lab->system);
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(lab->graph, state, &lab->err);
    assert_int_equal(out.status, PLUMB_OK);
    assert_int_equal(
        plumb_csp_numbering_steps(lab->states, state, steps, &lab->err),
        PLUMB_OK);
    assert_int_equal(steps->count, out.count);
    for (uint32_t k = 0; k < out.count; k++) {
        assert_int_equal(steps->step[k].event, out.edge[k].event);
        plumb_csp_numbering_vector(lab->states, out.edge[k].target, vector);
        assert_memory_equal(vector,
                            steps->vector + steps->step[k].target * slots,
                            slots * sizeof *vector);
    }
}

/* False: there are too many states. */
static bool expect_all_steps(const char *text, const struct lab_options *o)
{
    struct lab lab;
    struct plumb_csp_steps steps = { 0 };
    const enum plumb_status status = lab_open(&lab, text, o);
    assert_true(status == PLUMB_OK || status == PLUMB_END);
    uint32_t *const vector =
        calloc(plumb_csp_system_slots(lab.system), sizeof *vector);
    for (uint32_t s = 0; !status && s < plumb_csp_graph_states(lab.graph); s++)
        expect_steps_of(&lab, s, &steps, vector);
    free(vector);
    plumb_csp_steps_release(&steps, NULL);
    lab_close(&lab);
    return !status;
}

static void edges_are_the_steps(void **state)
{
    uint32_t whole = 0;
    (void)state;
    for (uint64_t seed = 0; seed < MODELS; seed++) {
        struct plumb_base_text text;
        plumb_base_text_init(&text, NULL);
        write_random(&text, seed);
        for (int i = 0; i < 4; i++)
            whole += expect_all_steps(
                plumb_base_text_string(&text),
                &(struct lab_options){
                    .reduction = (enum plumb_csp_reduction)(i % 2),
                    .counting = (enum plumb_csp_counting)(i / 2),
                    .most = MOST_STATES });
        plumb_base_text_release(&text);
    }
    assert_true(whole > MODELS);
}

/* ---- compiled ---- */

static void expect_no_difference(const char *text, struct lab_options o)
{
    struct plumb_base_text by_code, by_c;
    plumb_base_text_init(&by_code, NULL);
    plumb_base_text_init(&by_c, NULL);
    write_all(text, &o, &by_code);
    o.native = &early;
    write_all(text, &o, &by_c);
    if (strcmp(plumb_base_text_string(&by_code),
               plumb_base_text_string(&by_c)) != 0)
        fail_msg("%s", text);
    plumb_base_text_release(&by_code);
    plumb_base_text_release(&by_c);
}

static void compiled_moves_make_the_same_graph(void **state)
{
    (void)state;
    require_compiler();
    tables = 0;
    for (uint64_t seed = 0; seed < COMPILED; seed++) {
        struct plumb_base_text text;
        plumb_base_text_init(&text, NULL);
        write_random(&text, seed);
        expect_no_difference(plumb_base_text_string(&text),
                             (struct lab_options){ .most = MOST_STATES });
        plumb_base_text_release(&text);
    }
    assert_true(tables > 0);
}

/* Every kind of instruction, and every way to go wrong. */
static void compiled_programs_do_the_same(void **state)
{
    static const char *const program[] = {
        "x = (x + 1) % 7; y = x / 3 - x * 2; a[x % 3] = y;",
        "var i = 0; while (i < 3) { a[i] = a[i] + i; i = i + 1; } x = -x;",
        "if (x > 2 && !(y == 1) || a[1] < 0) { x = 0; } else { x = x + 1; }",
        "x = (x & 5) | (y ^ 3); y = (x >= 1) ^ (a[2] <= 4); z = x > 2;",
        "x = x + 1; y = 10 / (4 - x);",
        "x = x + 1; a[x] = 1;",
        "r = r + 1;",
        "x = x * 2 + 1000000; y = x * x;",
        "x = x + 1; if (x == 9) { while (x > 0) { y = y; } }",
    };
    (void)state;
    require_compiler();
    tables = 0;
    for (size_t i = 0; i < sizeof program / sizeof *program; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "var x; var y; var z; var a[3]; var r:{0..20} = 0; var n;"
                 "P(i) = [n < 40] go.i.(x %% 4){n = n + 1; %s} -> P(i) "
                 "[] [x == 3] out.i -> Q(x); Q(v) = back.v -> P(0);"
                 "S() = P(0) ||| P(1); #assert S() deadlockfree;",
                 program[i]);
        expect_no_difference(text, (struct lab_options){ .most = 5000 });
    }
}

static void compiled_models_are_the_same(void **state)
{
    glob_t found;
    (void)state;
    require_compiler();
    assert_int_equal(glob("models/*.csp", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *const text = read_file(found.gl_pathv[i]);
        expect_no_difference(
            text, (struct lab_options){ .reduction = PLUMB_REDUCE_LOCAL,
                                        .most = 20000 });
        free(text);
    }
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_are_the_steps),
        cmocka_unit_test(compiled_moves_make_the_same_graph),
        cmocka_unit_test(compiled_programs_do_the_same),
        cmocka_unit_test(compiled_models_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
