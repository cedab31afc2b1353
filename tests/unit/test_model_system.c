/* test_model_system.c - what each operator does, edge by edge. */
#include "effort.h"
#include "systems.h"

#include "base/memory.h"
#include "refine/engines/refine.h"

#define CHECK "#assert P() deadlockfree;"

static void stop_does_nothing_and_skip_terminates(void **state)
{
    (void)state;
    expect_graph("P() = Stop;" CHECK, "");
    expect_graph("P() = Skip;" CHECK, "0 terminate 1\n");
    expect_graph("P() = a -> b.1.2 -> Skip;" CHECK,
                 "0 a 1\n1 b.1.2 2\n2 terminate 3\n");
}

static void data_are_evaluated_before_the_program_runs(void **state)
{
    (void)state;
    expect_graph("var x = 1; P() = a.x{x = 5;} -> b.x -> Stop;" CHECK,
                 "0 a.1 1\n1 b.5 2\n");
}

static void taus_have_no_name(void **state)
{
    (void)state;
    expect_graph("var x; P() = tau{x = 1;} -> {x = 2;} -> b.x -> Stop;" CHECK,
                 "0 tau 1\n1 tau 2\n2 b.2 3\n");
}

static void choice_is_resolved_by_any_event(void **state)
{
    (void)state;
    expect_graph("P() = a -> Stop [] tau -> b -> Stop;" CHECK,
                 "0 a 1\n0 tau 2\n2 b 1\n");
}

static void external_choice_waits_for_what_is_seen(void **state)
{
    (void)state;
    expect_graph("P() = a -> Stop [*] tau -> b -> Stop;" CHECK,
                 "0 a 1\n0 tau 2\n2 a 1\n2 b 1\n");
}

static void internal_choice_takes_a_step(void **state)
{
    (void)state;
    expect_graph("P() = a -> Stop <> b -> Stop;" CHECK,
                 "0 tau 1\n0 tau 2\n1 a 3\n2 b 3\n");
}

static void indexed_choice_has_an_operand_for_each_value(void **state)
{
    (void)state;
    expect_graph("P() = [] x:{0..1}; y:{4,7} @ a.x.y -> Stop;" CHECK,
                 "0 a.0.4 1\n0 a.0.7 1\n0 a.1.4 1\n0 a.1.7 1\n");
}

static void sequence_takes_a_tau_but_skip_before_it_does_not(void **state)
{
    (void)state;
    expect_graph("P() = (a -> Skip); b -> Stop;" CHECK, "0 a 1\n1 b 2\n");
    /* Both parts of ||| can end only together: that is a step. */
    expect_graph("P() = (Skip ||| Skip); b -> Stop;" CHECK, "0 tau 1\n1 b 2\n");
    expect_graph("P() = (a -> Skip [] Skip); b -> Stop;" CHECK,
                 "0 a 1\n0 tau 1\n1 b 2\n");
}

static void if_takes_a_step_and_ifa_does_not(void **state)
{
    (void)state;
    expect_graph(
        "var x; P() = if (x == 0) { a -> Stop } else { b -> Stop };" CHECK,
        "0 tau 1\n1 a 2\n");
    expect_graph(
        "var x; P() = ifa (x == 0) { a -> Stop } else { b -> Stop };" CHECK,
        "0 a 1\n");
    expect_graph("var x; P() = if (x == 1) { a -> Stop };" CHECK,
                 "0 tau 1\n1 terminate 2\n");
}

static void ifb_waits_for_its_condition(void **state)
{
    (void)state;
    expect_graph("var x; P() = ifb (x == 1) { a -> Stop } "
                 "||| s{x = 1;} -> Stop;" CHECK,
                 "0 s 1\n1 tau 2\n2 a 3\n");
}

static void case_takes_the_first_that_holds(void **state)
{
    static const char model[] =
        "var x = 2; P() = case { x == 1: a -> Stop x > 1: b -> Stop "
        "x == 2: c -> Stop default: d -> Stop };" CHECK;
    (void)state;
    expect_graph(model, "0 tau 1\n1 b 2\n");
    expect_graph(
        "var x; P() = case { x == 1: a -> Stop default: d -> Stop };" CHECK,
        "0 tau 1\n1 d 2\n");
    expect_graph("var x; P() = case { x == 1: a -> Stop };" CHECK,
                 "0 tau 1\n1 terminate 2\n");
}

static void guards_are_tested_with_the_first_event(void **state)
{
    (void)state;
    expect_graph("var x; P() = [x == 1] a -> Stop ||| s{x = 1;} -> Stop;" CHECK,
                 "0 s 1\n1 a 2\n");
}

static void references_look_at_globals_late(void **state)
{
    (void)state;
    expect_graph("var x; Q(v) = b.v -> Stop;"
                 "P() = a -> Q(x) ||| s{x = 1;} -> Stop;" CHECK,
                 "0 a 1\n0 s 2\n1 b.0 3\n1 s 4\n2 a 4\n3 s 5\n4 b.1 5\n");
}

static void interleaving_ends_when_all_can(void **state)
{
    (void)state;
    expect_graph("P() = a -> Skip ||| b -> Skip;" CHECK,
                 "0 a 1\n0 b 2\n1 b 3\n2 a 3\n3 terminate 4\n");
    expect_graph("P() = a -> Skip ||| b -> Stop;" CHECK,
                 "0 a 1\n0 b 2\n1 b 3\n2 a 3\n");
}

static void shared_events_are_taken_together(void **state)
{
    (void)state;
    expect_graph("P() = (a -> s -> Stop) || (b -> s -> Stop);" CHECK,
                 "0 a 1\n0 b 2\n1 b 3\n2 a 3\n3 s 4\n");
    expect_graph("P() = (s -> a -> Stop [] s -> b -> Stop) || s -> Stop;" CHECK,
                 "0 s 1\n0 s 2\n1 a 3\n2 b 3\n");
    /* In three alphabets, two have it. */
    expect_graph("P() = s -> Stop || s -> Stop || a -> Stop;" CHECK,
                 "0 s 1\n0 a 2\n1 a 3\n2 s 3\n");
}

static void events_with_programs_are_never_shared(void **state)
{
    (void)state;
    expect_graph("var x; P() = s{x = 1;} -> Stop || s -> Stop;" CHECK,
                 "0 s 1\n0 s 2\n1 s 3\n2 s 3\n");
}

static void alphabets_come_from_the_text_or_are_declared(void **state)
{
    (void)state;
    /* Q refers to R, which has s; s is never offered by it. */
    expect_graph("Q() = a -> [false] R(); R() = s -> Stop;"
                 "P() = Q() || s -> Stop;" CHECK,
                 "0 a 1\n0 s 2\n1 s 3\n2 a 3\n");
    expect_graph("var x; Q() = a -> [x == 1] R(); R() = s -> Stop;"
                 "P() = Q() || s -> Stop;" CHECK,
                 "0 a 1\n");
    expect_graph("Q() = a -> Stop; #alphabet Q {s};"
                 "P() = Q() || s -> Stop;" CHECK,
                 "0 a 1\n");
}

static void hidden_events_become_taus(void **state)
{
    struct lab lab;
    struct plumb_csp_steps steps = { 0 };
    uint32_t vector[8];
    (void)state;
    expect_graph("P() = (a -> b.1 -> b.2 -> Stop) \\ {a, b.2};" CHECK,
                 "0 tau 1\n1 b.1 2\n2 tau 3\n");
    assert_int_equal(lab_open(&lab, "P() = (a -> Stop) \\ {a};" CHECK,
                              &(struct lab_options){ 0 }),
                     PLUMB_OK);
    plumb_csp_system_initial(lab.system, vector);
    assert_int_equal(
        plumb_csp_system_steps(lab.system, vector, &steps, &lab.err), PLUMB_OK);
    assert_int_equal(steps.count, 1);
    assert_int_equal(steps.step[0].event, PLUMB_TAU);
    assert_int_equal(steps.step[0].inside, event_called(lab.world.events, "a"));
    plumb_csp_steps_release(&steps, NULL);
    lab_close(&lab);
}

/* (P \ A) \ B is P \ A if A has all of B, and P \ B the other way round. */
static void what_hides_may_come_back_to_itself(void **state)
{
    (void)state;
    expect_graph("P() = (c -> Q()); Stop; Q() = (a -> b -> Q()) \\ {a};" CHECK,
                 "0 c 1\n1 tau 2\n2 b 1\n");
    expect_graph("P() = c -> Q(); Q() = (a -> R()) \\ {a, b};"
                 "R() = (b -> Q()) \\ {b};" CHECK,
                 "0 c 1\n1 tau 2\n2 tau 1\n");
    expect_graph("P() = c -> Q(); Q() = (a -> R()) \\ {a};"
                 "R() = (b -> Q()) \\ {a, b};" CHECK,
                 "0 c 1\n1 tau 2\n2 tau 3\n3 tau 2\n");
    /* Neither has the other: both stay, each once. */
    expect_graph(
        "P() = c -> Q(); Q() = (a -> R()) \\ {a, d};"
        "R() = (b -> a -> b -> d -> Q()) \\ {b};" CHECK,
        "0 c 1\n1 tau 2\n2 tau 3\n3 tau 4\n4 tau 5\n5 tau 6\n6 tau 2\n");
    /* What is hidden around the whole does not fold what is below it. */
    expect_graph("P() = (a -> P()) \\ {a};" CHECK, "0 tau 1\n1 tau 1\n");
}

static void interrupts_come_at_any_time(void **state)
{
    (void)state;
    expect_graph("P() = (a -> b -> Skip) interrupt (i -> c -> Stop);" CHECK,
                 "0 a 1\n0 i 2\n1 b 3\n1 i 2\n2 c 4\n3 terminate 4\n3 i 2\n");
}

static void copies_in_the_same_term_are_one(void **state)
{
    (void)state;
    expect_graph(
        "P() = |||{3} @ (a -> b -> Skip);" CHECK,
        "0 a 1\n1 b 2\n1 a 3\n2 a 4\n3 b 4\n3 a 5\n4 b 6\n4 a 7\n5 b 7\n"
        "6 a 8\n7 b 8\n8 b 9\n9 terminate 10\n");
}

static void many_copies_are_an_abstraction(void **state)
{
    struct lab lab;
    (void)state;
    assert_int_equal(lab_open(&lab, "P() = |||{..} @ (a -> b -> Stop);" CHECK,
                              &(struct lab_options){ 0 }),
                     PLUMB_OK);
    assert_true(plumb_csp_system_is_abstract(lab.system));
    assert_true(plumb_csp_graph_states(lab.graph) < 40);
    lab_close(&lab);
    assert_int_equal(lab_open(&lab, "P() = |||{4} @ (a -> Stop);" CHECK,
                              &(struct lab_options){ 0 }),
                     PLUMB_OK);
    assert_false(plumb_csp_system_is_abstract(lab.system));
    lab_close(&lab);
}

static void what_is_atomic_goes_first(void **state)
{
    (void)state;
    expect_graph("P() = atomic{a -> b -> Skip} ||| c -> Skip;" CHECK,
                 "0 a 1\n1 b 2\n2 c 3\n3 terminate 4\n");
}

/* From its beginning on, not only after its first step; a choice, too. */
static void what_is_atomic_goes_first_from_its_beginning(void **state)
{
    (void)state;
    expect_graph("P() = (c -> Skip) ||| atomic{a -> b -> Skip};" CHECK,
                 "0 a 1\n1 b 2\n2 c 3\n3 terminate 4\n");
    expect_graph("P() = b -> Stop [] atomic{a -> Stop};" CHECK, "0 a 1\n");
    expect_graph("P() = (atomic{a -> Skip}; b -> Stop) ||| c -> Stop;" CHECK,
                 "0 a 1\n1 b 2\n1 c 3\n2 c 4\n3 b 4\n");
}

static void what_is_atomic_and_waits_lets_others_go(void **state)
{
    (void)state;
    expect_graph("var x; P() = atomic{[x == 1] a -> b -> Skip} |||"
                 " c{x = 1} -> d -> Skip;" CHECK,
                 "0 c 1\n1 a 2\n2 b 3\n3 d 4\n4 terminate 5\n");
    expect_graph("var x; P() = atomic{a -> [x == 1] b -> Skip} |||"
                 " c{x = 1} -> d -> Skip;" CHECK,
                 "0 a 1\n1 c 2\n2 b 3\n3 d 4\n4 terminate 5\n");
    expect_graph("P() = atomic{s -> b -> Stop} || (c -> s -> d -> Stop);" CHECK,
                 "0 c 1\n1 s 2\n2 b 3\n3 d 4\n");
}

/* They go before the others, not before each other. */
static void two_that_are_atomic_take_turns(void **state)
{
    (void)state;
    expect_graph("P() = atomic{a -> b -> Stop} ||| atomic{c -> d -> Stop}"
                 " ||| e -> Stop;" CHECK,
                 "0 a 1\n0 c 2\n1 b 3\n1 c 4\n2 a 4\n2 d 5\n3 c 6\n4 b 6\n"
                 "4 d 7\n5 a 7\n6 d 8\n7 b 8\n8 e 9\n");
}

static void what_is_atomic_may_come_back_to_itself(void **state)
{
    (void)state;
    expect_graph("P() = atomic{a -> b -> P()};" CHECK, "0 a 1\n1 b 0\n");
    expect_graph("P() = atomic{a -> Skip; P()};" CHECK, "0 a 0\n");
}

/* Who ends inside of atomic makes all end, whatever copies are called; but
 * not if it can end outside. */
static void copies_end_as_others_do(void **state)
{
    (void)state;
    expect_graph("P() = |||{2} @ (atomic{Skip ||| Skip} [] c -> Stop);" CHECK,
                 "0 terminate 1\n");
    expect_graph(
        "P() = |||{2} @ (Skip interrupt tau -> atomic{Skip ||| Skip});" CHECK,
        "0 tau 1\n0 terminate 2\n1 tau 3\n1 terminate 2\n"
        "3 terminate 2\n");
    expect_graph("P() = |||{2} @ (tau -> atomic{Skip ||| Skip} []"
                 " a -> (Skip [] c -> Stop));" CHECK,
                 "0 tau 1\n0 a 2\n1 tau 3\n1 a 4\n2 c 5\n2 tau 4\n2 a 6\n"
                 "3 terminate 7\n4 terminate 7\n5 tau 8\n5 a 9\n6 c 9\n"
                 "6 terminate 7\n9 c 10\n");
    expect_graph("P() = |||{2} @ (a -> (Skip [] c -> Stop) []"
                 " tau -> atomic{Skip ||| Skip});" CHECK,
                 "0 a 1\n0 tau 2\n1 c 3\n1 a 4\n1 tau 5\n2 a 5\n2 tau 6\n"
                 "3 a 7\n3 tau 8\n4 c 7\n4 terminate 9\n5 terminate 9\n"
                 "6 terminate 9\n7 c 10\n");
}

static void assertions_are_steps_or_errors(void **state)
{
    struct lab lab;
    (void)state;
    expect_graph("var x; P() = assert(x == 0); a -> Stop;" CHECK,
                 "0 tau 1\n1 a 2\n");
    assert_int_equal(lab_open(&lab,
                              "var x;\nP() = a{x = 1;} -> assert(x == 0);"
                              "Skip;" CHECK,
                              &(struct lab_options){ 0 }),
                     PLUMB_EINPUT);
    assert_int_equal(lab.err.line, 2);
    assert_non_null(strstr(lab.err.message, "assert"));
    lab_close(&lab);
}

/* ---- channels ---- */

static void channels_hold_messages_in_order(void **state)
{
    (void)state;
    expect_graph(
        "channel c 2;"
        "P() = c!1 -> c!2 -> Stop ||| c?x -> c?y -> a.x.y -> Stop;" CHECK,
        "0 c!1 1\n1 c!2 2\n1 c?1 3\n2 c?1 4\n3 c!2 4\n4 c?2 5\n"
        "5 a.1.2 6\n");
}

static void full_channels_make_senders_wait(void **state)
{
    (void)state;
    expect_graph("channel c 1; P() = c!1 -> c!2 -> Stop;" CHECK, "0 c!1 1\n");
}

static void receivers_take_what_they_accept(void **state)
{
    (void)state;
    expect_graph("channel c 1; P() = c!3.4 -> Stop ||| "
                 "(c?x.5 -> a -> Stop [] c?3.y -> b.y -> Stop "
                 "[] c?[x > 3]x.y -> d -> Stop);" CHECK,
                 "0 c!3.4 1\n1 c?3.4 2\n2 b.4 3\n");
}

static void meetings_need_two(void **state)
{
    (void)state;
    expect_graph(
        "channel c 0; P() = c!1 -> a -> Stop ||| c?x -> b.x -> Stop;" CHECK,
        "0 c.1 1\n1 a 2\n1 b.1 3\n2 b.1 4\n3 a 4\n");
    expect_graph("channel c 0; P() = c!1 -> Stop;" CHECK, "");
    expect_graph("channel c 0; P() = c!1 -> Stop [] c?x -> Stop;" CHECK, "");
}

static void programs_of_sender_and_receiver_run_in_this_order(void **state)
{
    (void)state;
    expect_graph("channel c 0; var x; var y; P() = c!x{x = 7;} -> Stop ||| "
                 "c?v{y = x * 10 + v;} -> a.y -> Stop;" CHECK,
                 "0 c.0 1\n1 a.70 2\n");
}

static void channels_may_be_many(void **state)
{
    (void)state;
    expect_graph("channel c[2] 1; P() = c[1]!5 -> Stop ||| "
                 "(c[0]?x -> Stop [] c[1]?x -> a.x -> Stop);" CHECK,
                 "0 c[1]!5 1\n1 c[1]?5 2\n2 a.5 3\n");
}

/* ---- counting ---- */

static void references_are_states_of_their_own_by_pat2_alone(void **state)
{
    static const char model[] = "Q() = a -> Q(); P() = Q() ||| b -> P2();"
                                "P2() = b -> P2();" CHECK;
    (void)state;
    expect_counts(model, &(struct lab_options){ .counting = PLUMB_COUNT_PAT3 },
                  1, 2);
    expect_counts(model, &(struct lab_options){ .counting = PLUMB_COUNT_PAT2 },
                  3, 6);
}

static const char register_model[] =
    "#define K 4; var B = [0(K-1), 1];"
    "Reader() = read_inv -> UpScan(0);"
    "UpScan(i) = if (B[i] == 1) { DownScan(i - 1, i) } "
    "            else { UpScan(i + 1) };"
    "DownScan(i, v) = case { i < 0: read_res.v -> Reader() "
    "    B[i] == 1: DownScan(i - 1, i) default: DownScan(i - 1, v) };"
    "Write(v) = write_inv.v -> tau{B[v] = 1;} -> WriterScan(v - 1);"
    "WriterScan(i) = if (i < 0) { write_res -> Skip } "
    "                else { tau{B[i] = 0;} -> WriterScan(i - 1) };"
    "Writer() = ([] v:{0..K-1} @ Write(v)); Writer();"
    "Register() = Reader() ||| Writer();"
    "var R = K - 1; var M = K - 1;"
    "ReaderA() = read_inv -> read{M = R;} -> read_res.M -> ReaderA();"
    "WriteA(v) = write_inv.v -> write{R = v;} -> write_res -> Skip;"
    "WriterA() = ([] v:{0..K-1} @ WriteA(v)); WriterA();"
    "RegisterA() = (ReaderA() ||| WriterA()) \\ {read, write};"
    "#assert Register() refines RegisterA();";

/* The register as the paper writes it, with conditions in conditions; true
 * goes right. */
static const char legacy_register[] =
    "#define K 4; var B = [0(K-1), 1];"
    "Reader() = read_inv -> UpScan(0);"
    "UpScan(i) = UpScan(i + 1) <<B[i] == 1>> DownScan(i - 1, i);"
    "DownScan(i, v) = (DownScan(i - 1, v) <<B[i] == 1>> DownScan(i - 1, i))"
    "                 <<i < 0>> (read_res.v -> Reader());"
    "Write(v) = write_inv.v -> tau{B[v] = 1;} -> WriterScan(v - 1);"
    "WriterScan(i) = (tau{B[i] = 0;} -> WriterScan(i - 1)) <<i < 0>>"
    "                (write_res -> Skip);"
    "Writer() = ([] v:{0..K-1} @ Write(v)); Writer();"
    "Register() = Reader() ||| Writer();"
    "#assert Register() deadlockfree;";

static void the_register_has_as_many_states_as_published(void **state)
{
    const struct plumb_csp_setting six = { "K", 6 };
    struct lab_options o = { .counting = PLUMB_COUNT_PAT2,
                             .setting = &six,
                             .settings = 1 };
    (void)state;
    expect_counts(register_model, &o, 20673, 0);
    o.legacy = true;
    expect_counts(legacy_register, &o, 20673, 0);
    o.specification = true;
    expect_counts(register_model, &o, 865, 0);
}

/* Both sides in one world, pair by pair. */
static void the_register_has_as_many_pairs_as_published(void **state)
{
    struct lab lab;
    struct plumb_csp_system *abstract;
    struct plumb_csp_numbering *states;
    struct plumb_csp_graph *spec;
    struct plumb_base_arena arena;
    struct plumb_refinement r = { 0 };
    const struct plumb_refine_options product = { .engine =
                                                      PLUMB_ENGINE_PRODUCT,
                                                  .threads = 1 };
    (void)state;
    assert_int_equal(
        lab_open(&lab, register_model,
                 &(struct lab_options){ .counting = PLUMB_COUNT_PAT2 }),
        PLUMB_OK);
    assert_int_equal(
        plumb_csp_system_open(&abstract, &lab.world,
                              lab.model->assertion[0].specification, &lab.err),
        PLUMB_OK);
    assert_int_equal(plumb_csp_numbering_open(&states, abstract,
                                              PLUMB_REDUCE_NOTHING, &lab.err),
                     PLUMB_OK);
    const struct plumb_csp_graph_source source =
        plumb_csp_numbering_source(states);
    assert_int_equal(plumb_csp_graph_open(&spec, &source, NULL, &lab.err),
                     PLUMB_OK);
    plumb_base_arena_init(&arena, NULL);
    assert_int_equal(
        plumb_refine(lab.graph, spec, &product, &arena, &r, &lab.err),
        PLUMB_OK);
    assert_true(r.refines);
    assert_int_equal(r.pairs, 50893);
    plumb_base_arena_release(&arena);
    plumb_csp_graph_free(spec);
    plumb_csp_numbering_free(states);
    plumb_csp_system_free(abstract);
    lab_close(&lab);
}

/* ---- what has no end ---- */

static void expect_error(const char *model, const char *words)
{
    struct lab lab;
    assert_int_equal(lab_open(&lab, model, &(struct lab_options){ 0 }),
                     PLUMB_EINPUT);
    if (!strstr(lab.err.message, words))
        fail_msg("%s: %s", model, lab.err.message);
    lab_close(&lab);
}

static void growth_without_end_is_an_error(void **state)
{
    (void)state;
    expect_error("P() = a -> (P(); b -> Skip);" CHECK, "grows without bound");
    expect_error("Q() = a -> (Q() ||| Skip); P() = Q();" CHECK,
                 "grows without bound");
    if (TEST_EFFORT > 1)
        return; /* a minute, under sanitizers */
    expect_error("channel c 0; P() = [] x:{0..1} @"
                 " a.x -> ((P() \\ {b}) interrupt e -> Stop);" CHECK,
                 "grows without bound");
}

static void calling_oneself_without_a_step_is_an_error(void **state)
{
    (void)state;
    expect_error(
        "var x; Q(i) = ifa (x < i + 9) { Q(i + 1) } else { a -> Stop };"
        "P() = Q(0);" CHECK,
        "without a step");
    expect_error("var x; Q(i) = ifa (x < i + 9) { Q(x) } else { a -> Stop };"
                 "P() = Q(0);" CHECK,
                 "without a step");
}

static void conditions_end_what_would_have_no_end(void **state)
{
    (void)state;
    expect_graph("var B = [0, 0, 0, 1];"
                 "Up(i) = ifa (B[i] == 1) { a.i -> Stop } else { Up(i + 1) };"
                 "P() = Up(0);" CHECK,
                 "0 a.3 1\n");
}

static void errors_of_programs_have_their_place(void **state)
{
    struct lab lab;
    (void)state;
    assert_int_equal(lab_open(&lab,
                              "var a[2]; var x;\n"
                              "P() = s{x = 2;} -> t{a[x] = 1;} -> Stop;" CHECK,
                              &(struct lab_options){ 0 }),
                     PLUMB_EINPUT);
    assert_int_equal(lab.err.line, 2);
    lab_close(&lab);
}

/* ---- texts ---- */

static void states_can_be_read(void **state)
{
    struct lab lab;
    struct plumb_base_text out;
    uint32_t vector[8];
    (void)state;
    assert_int_equal(lab_open(&lab,
                              "var x = 3; var b[2]; Q(i) = a.i -> Skip;"
                              "P() = ||| i:{0..1} @ Q(i);" CHECK,
                              &(struct lab_options){ 0 }),
                     PLUMB_OK);
    plumb_base_text_init(&out, NULL);
    plumb_csp_system_component_text(lab.system, 1, &out);
    plumb_base_text_add(&out, "|");
    plumb_csp_system_initial(lab.system, vector);
    plumb_csp_system_slot_text(lab.system, 0, vector[0], &out);
    plumb_base_text_add(&out, "|");
    plumb_csp_system_slot_text(lab.system, 2, vector[2], &out);
    plumb_base_text_add(&out, "|");
    plumb_csp_system_term_text(lab.system, vector[3], &out);
    assert_string_equal(plumb_base_text_string(&out),
                        "Q(1)|x = 3|b[1] = 0|a.0 -> Skip");
    plumb_base_text_release(&out);
    lab_close(&lab);
}

/* ---- memory ---- */

static const char everything[] =
    "channel c 1; channel m 0; var x; var L[2];"
    "Q(i) = a.i -> (if (x == 0) { c!x -> R(i) } else { b -> Skip }; Skip);"
    "R(i) = c?[v < 3]v{L[i] = v;} -> ifa (L[i] == 0) { tau -> Skip } "
    "       else { s -> Stop };"
    "T() = m!1 -> Skip interrupt i -> Skip; U() = m?v -> d.v -> Skip;"
    "V(n) = (e.n -> Skip [*] f -> Skip) <> case { x == 1: h -> Skip };"
    "#alphabet V {s};"
    "P() = ((|||{2} @ Q(0)) || V(x) || (T() ||| U()) || "
    "       atomic{g -> (s -> Skip || s -> Skip)}) \\ {h};"
    "#assert P() deadlockfree;";

static void run_with(struct plumb_budget *budget, size_t nth,
                     enum plumb_csp_reduction reduction, bool *failed)
{
    struct lab lab;
    plumb_base_budget_fail_at(budget, nth);
    const enum plumb_status status = lab_open(
        &lab, everything,
        &(struct lab_options){ .budget = budget, .reduction = reduction });
    *failed = plumb_base_budget_has_failed(budget);
    assert_int_equal(status, *failed ? PLUMB_EMEMORY : PLUMB_OK);
    assert_int_equal(lab.err.status, status);
    lab_close(&lab);
    assert_int_equal(plumb_budget_used(budget), 0);
}

static void every_refusal_of_memory_is_survived(void **state)
{
    (void)state;
    bool failed = true;
    for (size_t nth = 1; failed; nth += TEST_EFFORT) {
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        run_with(budget, nth, (enum plumb_csp_reduction)(nth % 3), &failed);
        plumb_budget_free(budget);
        assert_true(nth < 100000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stop_does_nothing_and_skip_terminates),
        cmocka_unit_test(data_are_evaluated_before_the_program_runs),
        cmocka_unit_test(taus_have_no_name),
        cmocka_unit_test(choice_is_resolved_by_any_event),
        cmocka_unit_test(external_choice_waits_for_what_is_seen),
        cmocka_unit_test(internal_choice_takes_a_step),
        cmocka_unit_test(indexed_choice_has_an_operand_for_each_value),
        cmocka_unit_test(sequence_takes_a_tau_but_skip_before_it_does_not),
        cmocka_unit_test(if_takes_a_step_and_ifa_does_not),
        cmocka_unit_test(ifb_waits_for_its_condition),
        cmocka_unit_test(case_takes_the_first_that_holds),
        cmocka_unit_test(guards_are_tested_with_the_first_event),
        cmocka_unit_test(references_look_at_globals_late),
        cmocka_unit_test(interleaving_ends_when_all_can),
        cmocka_unit_test(shared_events_are_taken_together),
        cmocka_unit_test(events_with_programs_are_never_shared),
        cmocka_unit_test(alphabets_come_from_the_text_or_are_declared),
        cmocka_unit_test(hidden_events_become_taus),
        cmocka_unit_test(what_hides_may_come_back_to_itself),
        cmocka_unit_test(interrupts_come_at_any_time),
        cmocka_unit_test(copies_in_the_same_term_are_one),
        cmocka_unit_test(many_copies_are_an_abstraction),
        cmocka_unit_test(what_is_atomic_goes_first),
        cmocka_unit_test(what_is_atomic_goes_first_from_its_beginning),
        cmocka_unit_test(what_is_atomic_and_waits_lets_others_go),
        cmocka_unit_test(two_that_are_atomic_take_turns),
        cmocka_unit_test(what_is_atomic_may_come_back_to_itself),
        cmocka_unit_test(copies_end_as_others_do),
        cmocka_unit_test(assertions_are_steps_or_errors),
        cmocka_unit_test(channels_hold_messages_in_order),
        cmocka_unit_test(full_channels_make_senders_wait),
        cmocka_unit_test(receivers_take_what_they_accept),
        cmocka_unit_test(meetings_need_two),
        cmocka_unit_test(programs_of_sender_and_receiver_run_in_this_order),
        cmocka_unit_test(channels_may_be_many),
        cmocka_unit_test(references_are_states_of_their_own_by_pat2_alone),
        cmocka_unit_test(the_register_has_as_many_states_as_published),
        cmocka_unit_test(the_register_has_as_many_pairs_as_published),
        cmocka_unit_test(growth_without_end_is_an_error),
        cmocka_unit_test(calling_oneself_without_a_step_is_an_error),
        cmocka_unit_test(conditions_end_what_would_have_no_end),
        cmocka_unit_test(errors_of_programs_have_their_place),
        cmocka_unit_test(states_can_be_read),
        cmocka_unit_test(every_refusal_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
