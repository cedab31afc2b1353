/* test_model_threads.c - a graph made by several threads is the one that one
 * thread makes: states, edges, events and errors. */
#include "effort.h"
#include "whole_graphs.h"

#include "base/memory.h"

#include <glob.h>

enum { MODELS = SOME_OF(40), MOST_STATES = 1500, MOST_OF_MODEL = 3000 };

/* Small blocks, so that small models have many. */
static const struct plumb_csp_threading crew[] = {
    { .threads = 2, .block = 1 }, { .threads = 2, .block = 5, .after = 20 },
    { .threads = 3, .block = 2 }, { .threads = 3 },
    { .threads = 7, .block = 3 },
};
enum { CREWS = sizeof crew / sizeof *crew };

static void expect_the_same(const char *text, struct lab_options o)
{
    struct plumb_base_text alone, together;
    plumb_base_text_init(&alone, NULL);
    plumb_base_text_init(&together, NULL);
    write_all(text, &o, &alone);
    for (size_t i = 0; i < CREWS; i++) {
        o.threading = crew[i];
        plumb_base_text_clear(&together);
        write_all(text, &o, &together);
        if (strcmp(plumb_base_text_string(&alone),
                   plumb_base_text_string(&together)))
            fail_msg("%u threads, blocks of %u: %s", (unsigned)crew[i].threads,
                     (unsigned)crew[i].block, text);
    }
    plumb_base_text_release(&alone);
    plumb_base_text_release(&together);
}

static void random_models_have_the_same_graph(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < MODELS; seed++) {
        struct plumb_base_text text;
        plumb_base_text_init(&text, NULL);
        write_random(&text, seed);
        for (int i = 0; i < 3; i++)
            expect_the_same(plumb_base_text_string(&text),
                            (struct lab_options){
                                .reduction = (enum plumb_csp_reduction)i,
                                .counting = (enum plumb_csp_counting)(seed % 2),
                                .most = MOST_STATES });
        plumb_base_text_release(&text);
    }
}

static void expect_the_same_of_models(struct lab_options o)
{
    glob_t found;
    assert_int_equal(glob("models/*.csp", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *const text = read_file(found.gl_pathv[i]);
        expect_the_same(text, o);
        free(text);
    }
    globfree(&found);
}

static void models_have_the_same_graph(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        expect_the_same_of_models((struct lab_options){
            .reduction = (enum plumb_csp_reduction)i, .most = MOST_OF_MODEL });
}

static void compiled_models_have_the_same_graph(void **state)
{
    (void)state;
    require_compiler();
    expect_the_same_of_models(
        (struct lab_options){ .reduction = PLUMB_REDUCE_LOCAL,
                              .most = MOST_OF_MODEL,
                              .native = &early });
}

/* ---- whatever comes to the mind of who asks ---- */

/* The edges of all states, asked for from the last to the first, some steps in
 * order now and then. */
static void write_out_of_order(const char *text, struct lab_options o,
                               struct plumb_base_text *out)
{
    enum { WHOLE = 400, IN_ORDER = 37 };
    struct lab lab;
    struct plumb_error err;
    o.most = 1;
    assert_int_equal(lab_open(&lab, text, &o), PLUMB_END);
    for (uint32_t n = 0, s = 0; n < WHOLE; n++) {
        const struct plumb_csp_outgoing edges =
            plumb_csp_graph_edges(lab.graph, s, &err);
        if (edges.status)
            break;
        for (uint32_t i = 0; i < edges.count; i++)
            plumb_base_text_printf(out, "%u %u %u\n", (unsigned)s,
                                   (unsigned)edges.edge[i].event,
                                   (unsigned)edges.edge[i].target);
        const uint32_t states = plumb_csp_graph_states(lab.graph);
        s = n % IN_ORDER && s + 1 < states ? s + 1 : states - 1 - n % states;
    }
    lab_close(&lab);
}

static void any_order_gives_the_same(void **state)
{
    struct plumb_base_text alone, together;
    glob_t found;
    (void)state;
    plumb_base_text_init(&alone, NULL);
    plumb_base_text_init(&together, NULL);
    assert_int_equal(glob("models/*.csp", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *const text = read_file(found.gl_pathv[i]);
        struct lab_options o = { .reduction = PLUMB_REDUCE_LOCAL };
        plumb_base_text_clear(&alone);
        plumb_base_text_clear(&together);
        write_out_of_order(text, o, &alone);
        o.threading = (struct plumb_csp_threading){ .threads = 3, .block = 4 };
        write_out_of_order(text, o, &together);
        assert_string_equal(plumb_base_text_string(&alone),
                            plumb_base_text_string(&together));
        free(text);
    }
    globfree(&found);
    plumb_base_text_release(&alone);
    plumb_base_text_release(&together);
}

/* Two systems of one world, in turns: what one learns the other's crew may be
 * looking at. */
static void sides_of_a_world_do_not_disturb_each_other(void **state)
{
    char *const text = read_file("models/stack.csp");
    const struct lab_options o = { .reduction = PLUMB_REDUCE_LOCAL,
                                   .most = 1,
                                   .threading = { .threads = 3, .block = 2 } };
    struct lab a, b = { 0 };
    (void)state;
    assert_int_equal(lab_open(&a, text, &o), PLUMB_END);
    assert_int_equal(plumb_csp_system_open(&b.system, &a.world,
                                           a.model->assertion[0].specification,
                                           &b.err),
                     PLUMB_OK);
    assert_int_equal(plumb_csp_numbering_open(&b.states, b.system,
                                              PLUMB_REDUCE_NOTHING, &b.err),
                     PLUMB_OK);
    const struct plumb_csp_graph_source source =
        plumb_csp_numbering_source(b.states);
    assert_int_equal(plumb_csp_graph_open(&b.graph, &source, NULL, &b.err),
                     PLUMB_OK);
    for (uint32_t s = 0; s == 0 || s < plumb_csp_graph_states(a.graph) ||
                         s < plumb_csp_graph_states(b.graph);
         s++) {
        if (s < plumb_csp_graph_states(a.graph))
            assert_int_equal(plumb_csp_graph_edges(a.graph, s, &a.err).status,
                             PLUMB_OK);
        if (s == 0 || s < plumb_csp_graph_states(b.graph))
            assert_int_equal(plumb_csp_graph_edges(b.graph, s, &b.err).status,
                             PLUMB_OK);
    }
    const uint32_t states = plumb_csp_graph_states(a.graph);
    plumb_csp_graph_free(b.graph);
    plumb_csp_numbering_free(b.states);
    plumb_csp_system_free(b.system);
    lab_close(&a);
    expect_counts(text,
                  &(struct lab_options){ .reduction = PLUMB_REDUCE_LOCAL },
                  states, 0);
    free(text);
}

static void refused_memory_is_an_error_and_nothing_else(void **state)
{
    char *const text = read_file("models/register.csp");
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    bool failed = true;
    (void)state;
    assert_non_null(budget);
    for (size_t n = 1; failed; n += 1 + n / 8) {
        struct lab lab;
        plumb_base_budget_fail_at(budget, n);
        const enum plumb_status status = lab_open(
            &lab, text,
            &(struct lab_options){ .reduction = PLUMB_REDUCE_LOCAL,
                                   .budget = budget,
                                   .most = 3000,
                                   .threading = { .threads = 3, .block = 4 } });
        failed = plumb_base_budget_has_failed(budget);
        assert_true(status == PLUMB_OK || status == PLUMB_END ||
                    status == PLUMB_EMEMORY);
        lab_close(&lab);
        assert_int_equal(plumb_budget_used(budget), 0);
    }
    plumb_budget_free(budget);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_models_have_the_same_graph),
        cmocka_unit_test(models_have_the_same_graph),
        cmocka_unit_test(compiled_models_have_the_same_graph),
        cmocka_unit_test(any_order_gives_the_same),
        cmocka_unit_test(sides_of_a_world_do_not_disturb_each_other),
        cmocka_unit_test(refused_memory_is_an_error_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
