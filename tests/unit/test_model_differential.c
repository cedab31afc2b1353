/* test_model_differential.c - the same graph in different ways.
 *
 * Steps are those that the rules of the language give, written down a second
 * time (naive_process.h), some steps deep: bisimilar to a bound.
 *
 * A component with a slot of its own or a term of the whole, moves worked out
 * before or state by state: the graphs are the same, edge by edge.  A reduced
 * graph has the same traces as the whole one. */
#include "effort.h"
#include "random_process.h"

#include "naive_process.h"
#include "systems.h"

#include <stdlib.h>

enum { MODELS = SOME_OF(400), MOST_STATES = 1000, LONGEST = 4 };

static uint32_t models_tried;

static void write_random(struct plumb_base_text *out, uint64_t seed,
                         bool several, bool channels, int depth)
{
    struct writer w = { .out = out, .several = several, .channels = channels };
    plumb_base_rng_seed(&w.rng, seed);
    write_model(&w, depth, several && pick(&w, 2) ? " || " : " ||| ");
}

/* False: it has too many states. */
static bool open_model(struct lab *lab, const char *text, struct lab_options o)
{
    o.most = MOST_STATES;
    const enum plumb_status status = lab_open(lab, text, &o);
    if (status && status != PLUMB_END)
        fail_msg("%s\n%lu:%lu: %s", text, (unsigned long)lab->err.line,
                 (unsigned long)lab->err.column, lab->err.message);
    return status == PLUMB_OK;
}

static void expect_same_graph(const char *text, const struct lab_options *a,
                              const struct lab_options *b)
{
    struct lab one, other;
    struct plumb_base_text first, second;
    const bool whole = open_model(&one, text, *a);
    assert_int_equal(open_model(&other, text, *b), whole);
    plumb_base_text_init(&first, NULL);
    plumb_base_text_init(&second, NULL);
    if (whole) {
        write_graph(&one, &first);
        write_graph(&other, &second);
    }
    if (strcmp(plumb_base_text_string(&first),
               plumb_base_text_string(&second)) != 0)
        fail_msg("%s\n%s\n---\n%s", text, plumb_base_text_string(&first),
                 plumb_base_text_string(&second));
    plumb_base_text_release(&first);
    plumb_base_text_release(&second);
    lab_close(&one);
    lab_close(&other);
}

static void slots_of_their_own_change_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < MODELS; seed++) {
        struct plumb_base_text text;
        plumb_base_text_init(&text, NULL);
        write_random(&text, seed, true, seed % 2, 2);
        expect_same_graph(plumb_base_text_string(&text),
                          &(struct lab_options){ .assertion = 0 },
                          &(struct lab_options){ .assertion = 1 });
        plumb_base_text_release(&text);
    }
}

static void moves_known_before_change_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < MODELS; seed++) {
        struct plumb_base_text text;
        plumb_base_text_init(&text, NULL);
        write_random(&text, seed, seed % 2, seed % 3 == 0, 3);
        expect_same_graph(plumb_base_text_string(&text),
                          &(struct lab_options){ .farthest = 0 },
                          &(struct lab_options){ .farthest = 1 });
        plumb_base_text_release(&text);
    }
}

/* ---- against the rules ---- */

enum { SLOTS = 64, DEEPEST = 4 };

static void copy_step(const struct plumb_csp_steps *steps, uint32_t k,
                      const struct lab *lab, struct plumb_base_text *event,
                      uint32_t *vector)
{
    const uint32_t slots = plumb_csp_system_slots(lab->system);
    memcpy(vector, steps->vector + (size_t)steps->step[k].target * slots,
           slots * sizeof *vector);
    plumb_base_text_clear(event);
    plumb_csp_event_numbers_text(lab->world.events, steps->step[k].event,
                                 event);
}

static bool is_like(struct naive_world *w, const struct naive *n,
                    const int32_t *globals, struct lab *lab,
                    const uint32_t *vector, int depth);

/* Is there a step that was not used, with the same event and variables, and
 * alike from there on? */
static bool is_matched(struct naive_world *w, const struct naive_step *s,
                       struct lab *lab, const struct plumb_csp_steps *steps,
                       bool *used, int depth)
{
    const uint32_t globals = plumb_csp_system_globals(lab->system);
    struct plumb_base_text event;
    uint32_t vector[SLOTS];
    bool found = false;
    plumb_base_text_init(&event, NULL);
    for (uint32_t k = 0; !found && k < steps->count; k++) {
        copy_step(steps, k, lab, &event, vector);
        found = !used[k] && !strcmp(plumb_base_text_string(&event), s->event) &&
                !memcmp(vector, s->globals, globals * sizeof *vector) &&
                is_like(w, s->to, s->globals, lab, vector, depth);
        used[k] |= found;
    }
    plumb_base_text_release(&event);
    return found;
}

static bool is_like(struct naive_world *w, const struct naive *n,
                    const int32_t *globals, struct lab *lab,
                    const uint32_t *vector, int depth)
{
    struct plumb_csp_steps steps = { 0 };
    bool used[MOST_STEPS] = { false };
    if (depth == 0)
        return true;
    struct naive_steps *const wanted =
        plumb_base_arena_zeroed(&w->arena, sizeof *wanted);
    naive_go(w, n, globals, wanted);
    assert_int_equal(
        plumb_csp_system_steps(lab->system, vector, &steps, &lab->err),
        PLUMB_OK);
    bool same = steps.count == wanted->count;
    for (uint32_t i = 0; same && i < wanted->count; i++)
        same = is_matched(w, &wanted->step[i], lab, &steps, used, depth - 1);
    plumb_csp_steps_release(&steps, NULL);
    return same;
}

static void expect_rules_kept(const char *text,
                              enum plumb_csp_counting counting)
{
    struct lab lab;
    uint32_t vector[SLOTS];
    const struct naive_env none = { { 0 }, { 0 } };
    const int32_t globals[GLOBALS] = { 0 };
    open_model(&lab, text, (struct lab_options){ .counting = counting });
    struct naive_world w = { .model = lab.model };
    plumb_base_arena_init(&w.arena, NULL);
    assert_true(plumb_csp_system_slots(lab.system) <= SLOTS);
    plumb_csp_system_initial(lab.system, vector);
    if (!is_like(&w, naive_start(&w, lab.model->assertion[0].process, &none),
                 globals, &lab, vector, DEEPEST))
        fail_msg("%s", text);
    plumb_base_arena_release(&w.arena);
    lab_close(&lab);
}

static void steps_are_those_of_the_rules(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < MODELS; seed++) {
        struct plumb_base_text text;
        plumb_base_text_init(&text, NULL);
        write_random(&text, seed, seed % 4 != 0, false, 2 + seed % 2);
        expect_rules_kept(plumb_base_text_string(&text),
                          (enum plumb_csp_counting)(seed % 3 == 0));
        plumb_base_text_release(&text);
    }
}

/* ---- traces ---- */

struct set {
    uint32_t *state;
    uint32_t count;
    bool *has;
};

static struct set new_set(struct lab *lab)
{
    const uint32_t states = plumb_csp_graph_states(lab->graph);
    return (struct set){ malloc(states * sizeof(uint32_t)), 0,
                         calloc(states, 1) };
}

static void free_set(struct set *s)
{
    free(s->state);
    free(s->has);
}

static void put(struct set *s, uint32_t state)
{
    if (s->has[state])
        return;
    s->has[state] = true;
    s->state[s->count++] = state;
}

static uint32_t edges_of(struct lab *lab, uint32_t state,
                         const struct plumb_csp_edge **edge)
{
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(lab->graph, state, &lab->err);
    assert_int_equal(out.status, PLUMB_OK);
    *edge = out.edge;
    return out.count;
}

/* What `event` leads to (PLUMB_TAU: nothing), and taus after it. */
static struct set after(struct lab *lab, const struct set *from, uint32_t event)
{
    struct set to = new_set(lab);
    const struct plumb_csp_edge *edge;
    for (uint32_t i = 0; i < from->count; i++)
        for (uint32_t e = 0, n = edges_of(lab, from->state[i], &edge); e < n;
             e++)
            if (edge[e].event == event)
                put(&to, edge[e].target);
    for (uint32_t i = 0; i < to.count; i++)
        for (uint32_t e = 0, n = edges_of(lab, to.state[i], &edge); e < n; e++)
            if (edge[e].event == PLUMB_TAU)
                put(&to, edge[e].target);
    return to;
}

static bool can(struct lab *lab, const struct set *s, uint32_t event)
{
    const struct plumb_csp_edge *edge;
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t e = 0, n = edges_of(lab, s->state[i], &edge); e < n; e++)
            if (edge[e].event == event)
                return true;
    return false;
}

/* Events have different numbers in the two, the same text. */
static uint32_t same_event(struct lab *of, uint32_t event, struct lab *in)
{
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    plumb_csp_event_numbers_text(of->world.events, event, &text);
    const uint32_t found =
        event == PLUMB_TICK
            ? event
            : event_called(in->world.events, plumb_base_text_string(&text));
    plumb_base_text_release(&text);
    return found;
}

static void expect_traces(struct lab *a, const struct set *in_a, struct lab *b,
                          const struct set *in_b, int length, const char *text)
{
    if (length == 0)
        return;
    for (uint32_t e = PLUMB_TICK;
         e < plumb_csp_event_numbers_count(a->world.events); e++) {
        const uint32_t f = same_event(a, e, b);
        const bool here = can(a, in_a, e);
        if (here != (f != UINT32_MAX && can(b, in_b, f)))
            fail_msg("%s: event %u after %d", text, (unsigned)e,
                     LONGEST - length);
        if (!here)
            continue;
        struct set next_a = after(a, in_a, e), next_b = after(b, in_b, f);
        expect_traces(a, &next_a, b, &next_b, length - 1, text);
        free_set(&next_a);
        free_set(&next_b);
    }
}

static struct set initial_set(struct lab *lab)
{
    struct set zero = new_set(lab);
    put(&zero, 0);
    for (uint32_t i = 0; i < zero.count; i++) {
        const struct plumb_csp_edge *edge;
        for (uint32_t e = 0, n = edges_of(lab, zero.state[i], &edge); e < n;
             e++)
            if (edge[e].event == PLUMB_TAU)
                put(&zero, edge[e].target);
    }
    return zero;
}

static uint32_t expect_same_traces(const char *text,
                                   enum plumb_csp_reduction reduction)
{
    struct lab whole, reduced;
    uint32_t fewer = 0;
    const bool small = open_model(&whole, text, (struct lab_options){ 0 });
    open_model(&reduced, text, (struct lab_options){ .reduction = reduction });
    if (small) {
        const uint32_t before = plumb_csp_graph_states(whole.graph);
        assert_true(plumb_csp_graph_states(reduced.graph) <= before);
        fewer = before - plumb_csp_graph_states(reduced.graph);
        struct set a = initial_set(&whole), b = initial_set(&reduced);
        expect_traces(&whole, &a, &reduced, &b, LONGEST, text);
        /* No trace is new. */
        expect_traces(&reduced, &b, &whole, &a, LONGEST, text);
        free_set(&a);
        free_set(&b);
        models_tried++;
    }
    lab_close(&whole);
    lab_close(&reduced);
    return fewer;
}

static void check_reduction(enum plumb_csp_reduction reduction)
{
    uint64_t saved = 0;
    models_tried = 0;
    for (uint64_t seed = 0; seed < MODELS; seed++) {
        struct plumb_base_text text;
        plumb_base_text_init(&text, NULL);
        write_random(&text, seed, seed % 3 == 0, seed % 5 == 0, 2);
        saved += expect_same_traces(plumb_base_text_string(&text), reduction);
        plumb_base_text_release(&text);
    }
    assert_true(models_tried > MODELS / 2);
    assert_true(saved > SOME_OF(100));
}

static void going_alone_on_what_is_ones_own_keeps_traces(void **state)
{
    (void)state;
    check_reduction(PLUMB_REDUCE_LOCAL);
}

static void the_rules_of_the_paper_keep_traces(void **state)
{
    (void)state;
    check_reduction(PLUMB_REDUCE_DYNAMIC);
}

static void who_may_end_does_not_go_alone(void **state)
{
    static const char text[] =
        "var x; P() = b -> ((tau{x = 1} -> Stop) [] Skip);"
        "#assert P() deadlockfree;";
    (void)state;
    expect_same_traces(text, PLUMB_REDUCE_LOCAL);
    expect_same_traces(text, PLUMB_REDUCE_DYNAMIC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_the_rules),
        cmocka_unit_test(slots_of_their_own_change_nothing),
        cmocka_unit_test(moves_known_before_change_nothing),
        cmocka_unit_test(going_alone_on_what_is_ones_own_keeps_traces),
        cmocka_unit_test(the_rules_of_the_paper_keep_traces),
        cmocka_unit_test(who_may_end_does_not_go_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
