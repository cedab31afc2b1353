/* test_model_participants.c - who takes part in which step, edge by edge.
 *
 * "0 a 1 by 0 2": the processes at places 0 and 2 take part; "1'b" is the copy
 * at place 1 that is about to do b. */
#include "systems.h"

#include "base/memory.h"
#include "csp/terms/participants.h"

#define CHECK "#assert S() deadlockfree;"

static void write_participants(struct lab *lab, uint64_t bits,
                               struct plumb_base_text *out)
{
    const struct plumb_csp_participants *const who =
        plumb_csp_system_participants(lab->system);
    plumb_base_text_add(out, bits ? " by" : "");
    for (uint32_t i = 0; i < who->count; i++) {
        if (!(bits >> i & 1))
            continue;
        plumb_base_text_printf(out, " %u", (unsigned)who->known[i].place);
        if (who->known[i].copy == PLUMB_NO_TERM)
            continue;
        struct plumb_base_text copy;
        plumb_base_text_init(&copy, NULL);
        plumb_csp_system_term_text(lab->system, who->known[i].copy, &copy);
        plumb_base_text_printf(out, "'%.1s", plumb_base_text_string(&copy));
        plumb_base_text_release(&copy);
    }
    plumb_base_text_add(out, "\n");
}

static void write_state(struct lab *lab, uint32_t state,
                        struct plumb_base_text *out)
{
    struct plumb_csp_steps steps = { 0 };
    assert_int_equal(
        plumb_csp_numbering_steps(lab->states, state, &steps, &lab->err),
        PLUMB_OK);
    const struct plumb_csp_outgoing edges =
        plumb_csp_graph_edges(lab->graph, state, &lab->err);
    assert_int_equal(edges.status, PLUMB_OK);
    assert_int_equal(edges.count, steps.count);
    for (uint32_t i = 0; i < edges.count; i++) {
        plumb_base_text_printf(out, "%u ", (unsigned)state);
        plumb_csp_event_numbers_text(lab->world.events, edges.edge[i].event,
                                     out);
        plumb_base_text_printf(out, " %u", (unsigned)edges.edge[i].target);
        write_participants(lab, steps.step[i].processes, out);
    }
    plumb_csp_steps_release(&steps, NULL);
}

/* Moves that are worked out once, and those that are not, say the same. */
static void expect(const char *text, const char *wanted)
{
    for (uint32_t way = 0; way < 4; way++) {
        struct lab lab;
        struct plumb_base_text got;
        const struct lab_options o = { .processes = true,
                                       .counting = way & 1 ? PLUMB_COUNT_PAT2
                                                           : PLUMB_COUNT_PAT3,
                                       .farthest = way & 2 ? 1 : 0 };
        if (lab_open(&lab, text, &o))
            fail_msg("%s: %s", text, lab.err.message);
        plumb_base_text_init(&got, NULL);
        for (uint32_t s = 0; s < plumb_csp_graph_states(lab.graph); s++)
            write_state(&lab, s, &got);
        assert_string_equal(plumb_base_text_string(&got), wanted);
        plumb_base_text_release(&got);
        lab_close(&lab);
    }
}

static void operands_take_part(void **state)
{
    (void)state;
    expect("S() = a -> Stop ||| b -> Stop;" CHECK,
           "0 a 1 by 0\n0 b 2 by 1\n1 b 3 by 1\n2 a 3 by 0\n");
    expect("S() = (a -> c -> Stop) || (b -> c -> Stop);" CHECK,
           "0 a 1 by 0\n0 b 2 by 1\n1 b 3 by 1\n2 a 3 by 0\n3 c 4 by 0 1\n");
}

static void a_composition_may_begin_later(void **state)
{
    (void)state;
    expect("S() = i -> (a -> Stop ||| b -> Stop);" CHECK,
           "0 i 1\n1 a 2 by 0\n1 b 3 by 1\n2 b 4 by 1\n3 a 4 by 0\n");
    expect("S() = (a -> Skip ||| Skip); c -> Stop;" CHECK,
           "0 a 1 by 0\n1 tau 2 by 0 1\n2 c 3\n");
    expect("S() = i -> atomic { (a -> Stop || b -> Stop) \\ {b} };" CHECK,
           "0 i 1\n1 a 2 by 0\n1 tau 3 by 1\n2 tau 4 by 1\n3 a 4 by 0\n");
}

static void what_interrupts_is_nobody(void **state)
{
    (void)state;
    expect("S() = (a -> Stop ||| Stop) interrupt (c -> Stop ||| Stop);" CHECK,
           "0 a 1 by 0\n0 c 2\n1 c 2\n");
}

static void before_a_choice_nobody_has_begun(void **state)
{
    (void)state;
    expect("S() = (a -> b -> Stop ||| Stop) [] c -> Stop;" CHECK,
           "0 a 1\n0 c 2\n1 b 3 by 0\n");
    expect("var x; S() = [x == 0] (a -> b -> Stop ||| Stop);" CHECK,
           "0 a 1\n1 b 2 by 0\n");
    expect("S() = ifa (1 == 1) { a -> b -> Stop ||| Stop };" CHECK,
           "0 a 1 by 0\n1 b 2 by 0\n");
}

static void compositions_in_compositions_are_looked_into(void **state)
{
    static const char wanted[] = "0 a 1 by 0\n0 b 2 by 1\n0 c 3 by 2\n"
                                 "1 b 4 by 1\n1 c 5 by 2\n2 a 4 by 0\n"
                                 "2 c 6 by 2\n3 a 5 by 0\n3 b 6 by 1\n"
                                 "4 c 7 by 2\n5 b 7 by 1\n6 a 7 by 0\n";
    (void)state;
    expect("S() = (a -> Stop ||| b -> Stop) || c -> Stop;" CHECK, wanted);
    expect(
        "S() = T() ||| c -> Stop; T() = (a -> Stop || b -> Stop) \\ {d};" CHECK,
        wanted);
    expect("S() = Skip; (T() ||| c -> Stop);"
           "T() = (a -> Stop || b -> Stop) \\ {d};" CHECK,
           wanted);
    expect("Users(n) = ifa (n == 0) { c -> Stop } else "
           "{ User(n) ||| Users(n-1) };"
           "User(n) = ifa (n == 2) { a -> Stop } else { b -> Stop };"
           "S() = Users(2);" CHECK,
           wanted);
}

static void an_operand_stays_one_process(void **state)
{
    static const char wanted[] = "0 s 1 by 0\n0 c 2 by 1\n1 a 3 by 0\n"
                                 "1 b 4 by 0\n1 c 5 by 1\n2 s 5 by 0\n"
                                 "3 b 6 by 0\n3 c 7 by 1\n4 a 6 by 0\n"
                                 "4 c 8 by 1\n5 a 7 by 0\n5 b 8 by 0\n"
                                 "6 c 9 by 1\n7 b 9 by 0\n8 a 9 by 0\n";
    (void)state;
    expect("S() = (s -> (a -> Stop ||| b -> Stop)) ||| c -> Stop;" CHECK,
           wanted);
    expect(
        "S() = Skip; ((s -> (a -> Stop ||| b -> Stop)) ||| c -> Stop);" CHECK,
        wanted);
}

static void copies_count_by_what_they_are_at(void **state)
{
    (void)state;
    expect("S() = |||{2} @ a -> b -> Stop;" CHECK,
           "0 a 1 by 0'a\n1 b 2 by 0'b\n1 a 3 by 0'a\n2 a 4 by 0'a\n"
           "3 b 4 by 0'b\n4 b 5 by 0'b\n");
    expect("S() = c -> Stop ||| (|||{2} @ a -> Stop);" CHECK,
           "0 c 1 by 0\n0 a 2 by 1'a\n1 a 3 by 1'a\n2 c 3 by 0\n"
           "2 a 4 by 1'a\n3 a 5 by 1'a\n4 c 5 by 0\n");
    expect("S() = (|||{2} @ Skip); c -> Stop;" CHECK,
           "0 tau 1 by 0'S\n1 c 2\n");
}

static void those_who_meet_take_part_both(void **state)
{
    (void)state;
    expect("channel c 0; S() = i -> ((c!1 -> Stop) ||| (c?x -> Stop));" CHECK,
           "0 i 1\n1 c.1 2 by 0 1\n");
    expect("channel c 0; S() = (|||{2} @ (c!1 -> Stop [] c?x -> Stop));" CHECK,
           "0 c.1 1 by 0'(\n");
}

static void there_may_be_too_many(void **state)
{
    const struct lab_options o = { .processes = true };
    struct lab lab;
    (void)state;
    assert_int_equal(
        lab_open(&lab, "S() = i -> (||| i:{1..65} @ Stop);" CHECK, &o),
        PLUMB_OK);
    assert_false(plumb_csp_system_participants(lab.system)->too_many);
    lab_close(&lab);
    assert_int_equal(
        lab_open(&lab, "S() = Skip; (||| i:{1..65} @ a -> Stop);" CHECK,
                 &(struct lab_options){ .processes = true, .most = 10 }),
        PLUMB_END);
    assert_int_equal(lab.processes, 65);
    assert_true(plumb_csp_system_participants(lab.system)->too_many);
    assert_false(plumb_csp_system_participants(lab.system)->copies);
    lab_close(&lab);
}

static void refused_memory_is_survived(void **state)
{
    static const char model[] =
        "S() = (i -> T()); S();"
        "T() = ((s -> ((a -> Skip) ||| Skip)) || U() || (|||{2} @ U()));"
        "U() = ifa (0 == 1) { Stop } else { b -> Skip };" CHECK;
    size_t nth = 1;
    (void)state;
    for (bool failed = true; failed; nth++) {
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        struct lab lab;
        plumb_base_budget_fail_at(budget, nth);
        const enum plumb_status status = lab_open(
            &lab, model,
            &(struct lab_options){ .processes = true, .budget = budget });
        failed = plumb_base_budget_has_failed(budget);
        if (status == PLUMB_OK) /* others may do without */
            assert_int_equal(plumb_csp_graph_states(lab.graph), 7);
        else
            assert_int_equal(status, PLUMB_EMEMORY);
        lab_close(&lab);
        assert_int_equal(plumb_budget_used(budget), 0);
        plumb_budget_free(budget);
    }
    assert_true(nth > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands_take_part),
        cmocka_unit_test(a_composition_may_begin_later),
        cmocka_unit_test(what_interrupts_is_nobody),
        cmocka_unit_test(before_a_choice_nobody_has_begun),
        cmocka_unit_test(compositions_in_compositions_are_looked_into),
        cmocka_unit_test(an_operand_stays_one_process),
        cmocka_unit_test(copies_count_by_what_they_are_at),
        cmocka_unit_test(those_who_meet_take_part_both),
        cmocka_unit_test(there_may_be_too_many),
        cmocka_unit_test(refused_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
