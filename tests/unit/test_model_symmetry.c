/* test_model_symmetry.c - states that differ in who is who, against all states.
 *
 * Every renaming of every state has to be a state, with the renamed steps; and
 * as many states stand for all as there are orbits, counted by hand. */
#include "systems.h"

#include "base/memory.h"
#include "csp/states/vectors.h"
#include "csp/symmetry/permutation.h"
#include "csp/symmetry/shifts.h"
#include "refine/judge.h"

#include <stdlib.h>

/* ---- models ---- */

#define CLIENTS                                                                \
    "System() = |||i:{0..2}@Client(i); #assert System() deadlockfree;"

static const char *const renamed[] = {
    /* variables of their own */
    "var H; var L[3]; Client(i) = a.i -> tau{L[i] = H} ->"
    " ifa (L[i] == H) { b.i.L[i]{H = 1 - H; L[i] = 0} -> Client(i) }"
    " else { tau{L[i] = 0} -> Client(i) };" CLIENTS,
    /* an owner */
    "var o = -1; Client(i) = a.i -> [o == -1] tau{o = i} -> b.i ->"
    " ifa (o == i) { tau{o = -1} -> Client(i) };" CLIENTS,
    /* process ids in an array of process ids, told in events */
    "var o = -1; var K = [-1, -1, -1]; Client(i) = tau{K[i] = o; o = i} ->"
    " a.i.K[i] -> if (K[i] != -1 && K[i] != i) { tau{K[i] = -1} ->"
    " Client(i) };" CLIENTS,
    /* who looks at whom */
    "var m[3][3]; var o = -1; Client(i) = [o == -1] tau{o = i} -> Client(i)"
    " [] [o != -1 && o != i] a.i{m[i][o] = 1; o = -1} -> Client(i);" CLIENTS,
    /* others beside them */
    "var x; var o = -1; Client(i) = a.i{o = i; x = 1} -> Client(i);"
    "Other() = [x == 1 && o != -1] tau{x = 0} -> b.o -> Other();"
    "System() = (|||i:{0..2}@Client(i)) ||| Other() ||| Other();"
    "#assert System() deadlockfree;",
    /* numbered from 1, hidden above */
    "var L[4]; Client(i) = a.i{L[i] = 1} -> b.i.L[i] -> Skip;"
    "System() = (|||i:{1..3}@Client(i)) \\ {j:{1..3}@a.j};"
    "#assert System() deadlockfree;",
    /* atomic blocks, interrupts, several ends */
    "var x; var L[3]; Client(i) = atomic { tau{x = 1} -> tau{x = 0; L[i] = 1} "
    "-> Skip }; (a.i -> Stop interrupt (b.i -> Skip <> Skip));" CLIENTS,
    /* two of them */
    "var o = -1; Client(i) = [o != i] a.i{o = i} -> Client(i);"
    "System() = |||i:{0..1}@Client(i); #assert System() deadlockfree;",
    /* each of them twice */
    "var o = -1; Client(i) = a.i{o = i} -> [o == i] b.i -> Skip;"
    "System() = |||i:{0..1}@(Client(i) ||| Client(i));"
    "#assert System() deadlockfree;",
};

enum { RENAMED = sizeof renamed / sizeof *renamed };

/* ---- all renamings of all states ---- */

struct bench {
    struct lab lab;
    struct plumb_base_arena arena;
    struct plumb_csp_process_ids ids;
    struct plumb_csp_renames renames;
    struct plumb_csp_symmetry *symmetry;
    struct plumb_csp_vectors *known; /* numbered as states are */
    uint32_t slots, *vector, *image;
};

static struct plumb_csp_process_ids_refusal find(
    const struct plumb_csp_model *model, struct plumb_base_arena *arena,
    struct plumb_csp_process_ids *found)
{
    struct plumb_csp_process_ids_refusal why;
    struct plumb_error err;
    const struct plumb_csp_process_ids_request request = {
        .model = model, .assertion = model->assertion
    };
    assert_int_equal(
        plumb_csp_process_ids_find(&request, arena, found, &why, &err),
        PLUMB_OK);
    return why;
}

static void number_states(struct bench *b)
{
    b->slots = plumb_csp_system_slots(b->lab.system);
    b->vector = calloc(b->slots, sizeof *b->vector);
    b->image = calloc(b->slots, sizeof *b->image);
    b->known = plumb_csp_vectors_new(b->slots, NULL);
    for (uint32_t s = 0; s < plumb_csp_graph_states(b->lab.graph); s++) {
        plumb_csp_numbering_vector(b->lab.states, s, b->vector);
        assert_int_equal(plumb_csp_vectors_put(b->known, b->vector), s);
    }
}

static void bench_open(struct bench *b, const char *text)
{
    const struct lab_options o = { .most = 20000 };
    assert_int_equal(lab_open(&b->lab, text, &o), PLUMB_OK);
    plumb_base_arena_init(&b->arena, NULL);
    (void)find(b->lab.model, &b->arena, &b->ids);
    plumb_csp_renames_init(&b->renames, &b->lab.world, &b->ids);
    assert_int_equal(plumb_csp_symmetry_open(&b->symmetry, b->lab.system,
                                             &b->renames, &b->lab.err),
                     PLUMB_OK);
    number_states(b);
}

static void bench_close(struct bench *b)
{
    plumb_csp_vectors_free(b->known);
    free(b->vector);
    free(b->image);
    plumb_csp_symmetry_free(b->symmetry);
    plumb_csp_renames_release(&b->renames);
    plumb_base_arena_release(&b->arena);
    lab_close(&b->lab);
}

/* The state that `state` becomes; there has to be one. */
static uint32_t image_of(struct bench *b, uint32_t state, uint32_t permutation)
{
    plumb_csp_numbering_vector(b->lab.states, state, b->vector);
    assert_int_equal(plumb_csp_symmetry_rename(b->symmetry, b->vector,
                                               permutation, b->image,
                                               &b->lab.err),
                     PLUMB_OK);
    const uint32_t image = plumb_csp_vectors_put(b->known, b->image);
    assert_true(image < plumb_csp_graph_states(b->lab.graph));
    return image;
}

static int by_event_and_target(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct plumb_csp_edge));
}

enum { MOST_EDGES = 64 };

static uint32_t sorted_edges(struct bench *b, uint32_t state,
                             struct plumb_csp_edge *out)
{
    const struct plumb_csp_outgoing edges =
        plumb_csp_graph_edges(b->lab.graph, state, &b->lab.err);
    assert_int_equal(edges.status, PLUMB_OK);
    assert_true(edges.count <= MOST_EDGES);
    for (uint32_t i = 0; i < edges.count; i++)
        out[i] = edges.edge[i];
    qsort(out, edges.count, sizeof *out, by_event_and_target);
    return edges.count;
}

static void expect_renamed_edges(struct bench *b, uint32_t state,
                                 uint32_t permutation)
{
    struct plumb_csp_edge ours[MOST_EDGES], theirs[MOST_EDGES];
    const uint32_t image = image_of(b, state, permutation);
    const uint32_t count = sorted_edges(b, state, ours);
    assert_int_equal(sorted_edges(b, image, theirs), count);
    for (uint32_t i = 0; i < count; i++)
        ours[i] = (struct plumb_csp_edge){
            plumb_csp_event_image(&b->renames, ours[i].event, permutation),
            image_of(b, ours[i].target, permutation)
        };
    qsort(ours, count, sizeof *ours, by_event_and_target);
    assert_memory_equal(ours, theirs, count * sizeof *ours);
}

/* All permutations of `count` things, by exchanging from place `from` on. */
static void for_all(struct bench *b, uint32_t permutation, uint32_t from,
                    void (*then)(struct bench *, uint32_t))
{
    const uint32_t count = b->ids.count;
    if (from == count) {
        then(b, permutation);
        return;
    }
    for (uint32_t at = from; at < count; at++)
        for_all(b, plumb_csp_compose(permutation, plumb_csp_swap(from, at)),
                from + 1, then);
}

static void expect_all_renamed(struct bench *b, uint32_t permutation)
{
    for (uint32_t s = 0; s < plumb_csp_graph_states(b->lab.graph); s++)
        expect_renamed_edges(b, s, permutation);
}

static void renaming_a_state_renames_its_steps(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RENAMED; i++) {
        struct bench b;
        bool well;
        uint32_t what;
        bench_open(&b, renamed[i]);
        assert_true(b.ids.count >= 2);
        assert_int_equal(
            plumb_csp_symmetry_begins(b.symmetry, &well, &what, &b.lab.err),
            PLUMB_OK);
        assert_true(well);
        for_all(&b, PLUMB_SAME, 0, expect_all_renamed);
        bench_close(&b);
    }
}

/* ---- counting orbits ---- */

static uint32_t *leader; /* of the orbit of each state */

static uint32_t leader_of(uint32_t state)
{
    while (leader[state] != state)
        state = leader[state];
    return state;
}

static void join(uint32_t a, uint32_t b)
{
    a = leader_of(a);
    b = leader_of(b);
    leader[a > b ? a : b] = a > b ? b : a;
}

static void join_images(struct bench *b, uint32_t permutation)
{
    for (uint32_t s = 0; s < plumb_csp_graph_states(b->lab.graph); s++)
        join(s, image_of(b, s, permutation));
}

/* Exchanging the terms of two components that begin alike. */
static void join_identical(struct bench *b)
{
    const uint32_t globals = plumb_csp_system_globals(b->lab.system);
    uint32_t *const begin = calloc(b->slots, sizeof *begin);
    plumb_csp_system_initial(b->lab.system, begin);
    for (uint32_t s = 0; s < plumb_csp_graph_states(b->lab.graph); s++)
        for (uint32_t i = globals; i < b->slots; i++)
            for (uint32_t k = i + 1; k < b->slots; k++) {
                if (begin[i] != begin[k])
                    continue;
                plumb_csp_numbering_vector(b->lab.states, s, b->vector);
                const uint32_t kept = b->vector[i];
                b->vector[i] = b->vector[k];
                b->vector[k] = kept;
                const uint32_t other =
                    plumb_csp_vectors_put(b->known, b->vector);
                assert_true(other < plumb_csp_graph_states(b->lab.graph));
                join(s, other);
            }
    free(begin);
}

static uint32_t edges_to_leaders(struct bench *b, uint32_t state,
                                 struct plumb_csp_edge *out)
{
    const uint32_t count = sorted_edges(b, state, out);
    for (uint32_t i = 0; i < count; i++)
        out[i].target = leader_of(out[i].target);
    qsort(out, count, sizeof *out, by_event_and_target);
    return count;
}

/* Without names, states of an orbit have the same steps to the same orbits. */
static void expect_same_steps(struct bench *b)
{
    struct plumb_csp_edge ours[MOST_EDGES], theirs[MOST_EDGES];
    for (uint32_t s = 0; s < plumb_csp_graph_states(b->lab.graph); s++) {
        const uint32_t count = edges_to_leaders(b, s, ours);
        assert_int_equal(edges_to_leaders(b, leader_of(s), theirs), count);
        assert_memory_equal(ours, theirs, count * sizeof *ours);
    }
}

static uint32_t count_orbits(struct bench *b)
{
    const uint32_t states = plumb_csp_graph_states(b->lab.graph);
    uint32_t orbits = 0;
    leader = calloc(states, sizeof *leader);
    for (uint32_t s = 0; s < states; s++)
        leader[s] = s;
    for_all(b, PLUMB_SAME, 0, join_images);
    join_identical(b);
    if (!b->ids.count)
        expect_same_steps(b);
    for (uint32_t s = 0; s < states; s++)
        orbits += leader_of(s) == s;
    free(leader);
    return orbits;
}

static uint32_t count_merged(struct bench *b, enum plumb_csp_orbits_kind kind)
{
    const struct plumb_csp_orbits_request request = { .kind = kind };
    struct plumb_csp_orbits *orbits;
    struct plumb_csp_graph *graph;
    assert_int_equal(plumb_csp_orbits_open(&orbits, b->lab.system, b->symmetry,
                                           &b->renames, &request, &b->lab.err),
                     PLUMB_OK);
    const struct plumb_csp_graph_source source =
        plumb_csp_orbits_source(orbits);
    assert_int_equal(plumb_csp_graph_open(&graph, &source, NULL, &b->lab.err),
                     PLUMB_OK);
    assert_int_equal(plumb_csp_graph_complete(graph, 0, &b->lab.err), PLUMB_OK);
    const uint32_t count = plumb_csp_orbits_count(orbits);
    plumb_csp_graph_free(graph);
    plumb_csp_orbits_free(orbits);
    return count;
}

static void expect_orbits(const char *text, bool exactly)
{
    struct bench b;
    bench_open(&b, text);
    const uint32_t orbits = count_orbits(&b);
    const uint32_t merged = count_merged(&b, PLUMB_ORBITS_MERGED);
    assert_true(exactly ? merged == orbits : merged >= orbits);
    assert_true(merged < plumb_csp_graph_states(b.lab.graph));
    assert_int_equal(count_merged(&b, PLUMB_ORBITS_RENAMED), merged);
    bench_close(&b);
}

static void one_state_stands_for_an_orbit(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RENAMED; i++)
        expect_orbits(renamed[i], i + 1 < RENAMED);
}

static void of_a_specification_all_states_are_there(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RENAMED; i++) {
        struct bench b;
        bench_open(&b, renamed[i]);
        if (plumb_csp_symmetry_identical(b.symmetry) == 1)
            assert_int_equal(count_merged(&b, PLUMB_ORBITS_ALL),
                             plumb_csp_graph_states(b.lab.graph));
        bench_close(&b);
    }
}

static void equal_processes_may_change_places(void **state)
{
    static const char *const texts[] = {
        "var x; P() = a{x = 1 - x} -> b -> P(); S() = P() ||| P() ||| P();"
        "#assert S() deadlockfree;",
        "var x; P() = a -> tau{x = 1} -> Skip; Q() = [x == 1] b -> Skip;"
        "S() = P() ||| Q() ||| (P() ||| Q()); #assert S() deadlockfree;",
        "channel c 0; P() = c!1 -> Skip [] c?x -> b.x -> Skip;"
        "S() = |||i:{1..4}@P(); #assert S() deadlockfree;",
        "P() = a -> b -> Skip; S() = (P() ||| P()) \\ {a}; #assert S() "
        "deadlockfree;",
        "P() = a -> Skip <> Skip; Q() = a -> b -> Skip; S() = (P() ||| (P() |||"
        " (P() ||| a -> Skip))) || Q(); #assert S() deadlockfree;",
        "var x; P() = atomic { tau{x = 1} -> tau{x = 0} -> a -> Skip }; S() = "
        "P() ||| P() ||| [x == 1] b -> Skip; #assert S() deadlockfree;",
    };
    (void)state;
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_orbits(texts[i], true);
}

static void expect_nothing_alike(const char *text)
{
    struct bench b;
    bench_open(&b, text);
    assert_int_equal(b.ids.count, 0);
    assert_int_equal(plumb_csp_symmetry_identical(b.symmetry), 1);
    bench_close(&b);
}

static void processes_that_synchronise_or_hide_apart_stay_where_they_are(
    void **state)
{
    (void)state;
    expect_nothing_alike("P() = a -> b -> Skip; S() = P() || P();"
                         "#assert S() deadlockfree;");
    expect_nothing_alike("P() = a -> b -> Skip; Q() = a -> Skip; R() = b -> "
                         "Skip; S() = (P() ||| Q()) || (P() ||| R());"
                         "#assert S() deadlockfree;");
    expect_nothing_alike("P() = a -> b -> Skip; Q() = c -> Skip; S() = ((P() "
                         "||| Q()) \\ {a}) ||| ((P() ||| c.1 -> Skip) \\ "
                         "{b}); #assert S() deadlockfree;");
    expect_nothing_alike("P() = a -> b -> Skip; S() = (P() \\ {a}) ||| "
                         "(P() \\ {b}); #assert S() deadlockfree;");
}

/* ---- what is refused ---- */

struct refused {
    const char *text;
    uint32_t line, column;
    const char *what;
};

#define TAIL "\nS() = |||i:{0..2}@P(i); #assert S() deadlockfree;"

static void expect_refused(const struct refused *r)
{
    const struct plumb_csp_reading reading = { .name = "model.csp",
                                               .text = r->text,
                                               .size = strlen(r->text) };
    struct plumb_csp_model *model;
    struct plumb_error err;
    struct plumb_base_arena arena;
    struct plumb_csp_process_ids found;
    plumb_base_arena_init(&arena, NULL);
    if (plumb_csp_model_read(&reading, &model, &err))
        fail_msg("%s: %s", r->text, err.message);
    const struct plumb_csp_process_ids_refusal why =
        find(model, &arena, &found);
    if (found.count || !why.what)
        fail_msg("not refused: %s", r->text);
    if (why.place.line != r->line || why.place.column != r->column ||
        !strstr(why.what, r->what))
        fail_msg("%s\n%u:%u: %s", r->text, (unsigned)why.place.line,
                 (unsigned)why.place.column, why.what);
    plumb_base_arena_release(&arena);
    plumb_csp_model_free(model);
}

static void a_number_is_no_process_id(void **state)
{
    static const struct refused cases[] = {
        { "P(i) = a.(i + 1) -> Skip;" TAIL, 1, 11, "as a number" },
        { "P(i) = [i < 2] a.i -> Skip;" TAIL, 1, 9, "as a number" },
        { "P(i) = if (i == 0) { a.i -> Skip };" TAIL, 1, 14, "constant" },
        { "P(i) = a.i -> Skip;\nT() = |||i:{0..2}@P(i) ||| b.0 -> Skip;"
          "S() = T() ||| a.0 -> Skip; #assert S() deadlockfree;",
          2, 56, "constant" },
        { "P(i) = a.i -> Q(i % 2); Q(n) = b.n -> Skip;" TAIL, 1, 17,
          "as a number" },
        { "P(i) = a.i -> Q(i); Q(n) = b -> R(n, 1); R(n, m) = [n == m] c ->"
          " Skip;" TAIL,
          1, 38, "constant" },
        { "var x; P(i) = tau{x = i} -> [x == 1] a -> Skip;" TAIL, 1, 32,
          "constant" },
        { "var x; P(i) = tau{var t = i; x = t} -> Skip;" TAIL, 1, 27, "" },
        { "var x[2]; P(i) = tau{x[i] = 1} -> Skip;" TAIL, 1, 5, "no element" },
        { "var x:{0..1}; P(i) = tau{x = i} -> Skip;" TAIL, 1, 5, "range" },
        { "var x[3]; P(i) = [call(amax, x) == 0] tau{x[i] = 1} -> Skip;" TAIL,
          1, 30, "whole" },
        { "var o = -1; P(i) = tau{o = i} -> Q(o); Q(n) = a.n -> Skip;" TAIL, 1,
          36, "variable that holds" },
        { "P(i) = [] j:{0..2}@([i != j] a.i -> Skip);" TAIL, 1, 8, "index" },
        { "P(i) = [] j:{0..i}@(b.j -> Skip);" TAIL, 1, 17, "as a number" },
        { "P(i) = a.i -> Q(i); Q(n) = <> j:{n,5}@(b.j -> Skip);" TAIL, 1, 34,
          "as a number" },
        { "P(i) = (a.i -> Skip) \\ {j:{i..2}@b.j};" TAIL, 1, 28,
          "as a number" },
        { "P(i) = (a.i -> Skip) \\ {a.i};" TAIL, 1, 27, "hidden" },
        { "P(i) = a.i -> Skip;\nS() = (|||i:{0..2}@P(i)) \\ {i:{0..1}@a.i};"
          "#assert S() deadlockfree;",
          2, 40, "hidden" },
        { "P(i) = (a.i -> Skip) ||| b -> Skip;"
          "Q(i) = P(i); R(i) = a -> Q(i);"
          "S() = |||i:{0..2}@R(i); #assert S() deadlockfree;",
          1, 22, "top" },
        { "P(i) = a.i -> Skip;\nS() = (|||i:{0..2}@P(i)) ||| "
          "(|||j:{1..3}@P(j)); #assert S() deadlockfree;",
          2, 31, "index" },
        { "P(i) = a.i -> Skip;\nS() = (|||i:{0..2}@P(i)) \\ {i:{1..3}@a.i};"
          "#assert S() deadlockfree;",
          2, 40, "hidden" },
        { "channel c 1; P(i) = c!i -> Skip;" TAIL, 1, 21, "channels" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_refused(&cases[i]);
}

static void who_begins_differently_is_not_renamed(void **state)
{
    struct bench b;
    bool well;
    uint32_t what;
    (void)state;
    bench_open(&b, "var x; var L = [0, 1, 0]; P(i) = tau{L[i] = 1} -> Skip;"
                   "S() = |||i:{0..2}@P(i); #assert S() deadlockfree;");
    assert_int_equal(b.ids.count, 3);
    assert_int_equal(
        plumb_csp_symmetry_begins(b.symmetry, &well, &what, &b.lab.err),
        PLUMB_OK);
    assert_false(well);
    assert_in_range(what, 1, 2);
    bench_close(&b);
}

/* ---- shifts ---- */

static void expect_shifts(struct bench *b, uint32_t permutation)
{
    struct plumb_csp_shifts shifts;
    uint32_t done = PLUMB_SAME, left = permutation;
    assert_true(plumb_csp_shifts_init(&shifts, b->ids.count, &b->lab.world));
    for (uint32_t i = 0; left != PLUMB_SAME; i++) {
        const uint32_t shift = plumb_csp_shifts_first(&shifts, left, &left);
        assert_true(i < b->ids.count && shift < shifts.count);
        done = plumb_csp_compose(shifts.permutation[shift], done);
    }
    assert_int_equal(done, permutation);
}

static void shifts_in_turn_are_any_permutation(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, "P(i) = a.i -> Skip; S() = |||i:{0..5}@P(i);"
                   "#assert S() deadlockfree;");
    assert_int_equal(b.ids.count, 6);
    for_all(&b, PLUMB_SAME, 0, expect_shifts);
    bench_close(&b);
}

/* ---- telling it again ---- */

static void judge(const char *text, struct plumb_refine_judgement *j,
                  struct plumb_csp_model **model)
{
    struct plumb_error err;
    const struct plumb_csp_reading reading = { .name = "model.csp",
                                               .text = text,
                                               .size = strlen(text) };
    const struct plumb_refine_judging how = { .engine = PLUMB_ENGINE_PRODUCT,
                                              .reduction = PLUMB_REDUCE_LOCAL,
                                              .symmetry = PLUMB_SYMMETRY_ON,
                                              .threads = 1 };
    assert_int_equal(plumb_csp_model_read(&reading, model, &err), PLUMB_OK);
    assert_int_equal(plumb_refine_judge(j, *model, 0, &how, &err), PLUMB_OK);
    assert_true(j->symmetrically);
    assert_false(j->holds);
}

/* 0 takes it from 1, who takes it from 0: up to renaming, one step. */
static void a_round_goes_on_until_everybody_is_who_he_was(void **state)
{
    struct plumb_refine_judgement j;
    struct plumb_csp_model *model;
    (void)state;
    judge("var o = -1; P(i) = [o != i] tau{o = i} -> P(i);"
          "S() = |||i:{0..2}@P(i); #assert S() divergencefree;",
          &j, &model);
    assert_int_equal(j.length - j.cycle, 2);
    plumb_refine_judgement_free(&j);
    plumb_csp_model_free(model);
}

/* The visible events of the path, one after the other. */
static void write_path(struct plumb_refine_judgement *j,
                       struct plumb_base_text *out)
{
    for (uint32_t i = 0; i < j->length; i++) {
        struct plumb_error err;
        const struct plumb_csp_outgoing edges =
            plumb_csp_graph_edges(j->impl.graph, j->path[i].state, &err);
        assert_int_equal(edges.status, PLUMB_OK);
        const struct plumb_csp_edge *const edge = edges.edge + j->path[i].index;
        if (edge->event != PLUMB_TAU) {
            plumb_base_text_add(out, " ");
            plumb_csp_event_numbers_text(j->world.events, edge->event, out);
        }
        if (i + 1 < j->length)
            assert_int_equal(edge->target, j->path[i + 1].state);
    }
}

static void a_counterexample_has_the_events_of_the_model(void **state)
{
    struct plumb_refine_judgement j;
    struct plumb_csp_model *model;
    struct plumb_base_text text;
    (void)state;
    judge("var o = -1; P(i) = b.i -> [o == -1] tau -> tau{o = i} -> in.i ->"
          " out.i{o = -1} -> P(i); S() = |||i:{0..2}@P(i);"
          "Q(i) = b.i -> [o == -1] tau{o = i} -> in.i -> out.i{o = -1} -> Q(i);"
          "T() = |||i:{0..2}@Q(i); #assert S() refines T();",
          &j, &model);
    assert_int_equal(j.length, 8);
    plumb_base_text_init(&text, NULL);
    write_path(&j, &text);
    assert_string_equal(plumb_base_text_string(&text), " b.0 b.1 in.0 in.1");
    plumb_base_text_release(&text);
    plumb_refine_judgement_free(&j);
    plumb_csp_model_free(model);
}

/* ---- memory ---- */

static void refused_memory_is_reported(void **state)
{
    const char *const text =
        "var o = -1; P(i) = b.i -> tau{o = i} -> a.i -> P(i);"
        "S() = |||i:{0..2}@P(i); T() = |||i:{0..2}@P(i);"
        "#assert S() refines T();";
    struct plumb_csp_model *model;
    struct plumb_error err;
    const struct plumb_csp_reading reading = { .name = "model.csp",
                                               .text = text,
                                               .size = strlen(text) };
    (void)state;
    assert_int_equal(plumb_csp_model_read(&reading, &model, &err), PLUMB_OK);
    for (size_t nth = 1; nth < 2000; nth += 1 + nth / 16) {
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        struct plumb_refine_judgement j;
        const struct plumb_refine_judging how = { .engine =
                                                      PLUMB_ENGINE_PRODUCT,
                                                  .symmetry = PLUMB_SYMMETRY_ON,
                                                  .threads = 1,
                                                  .budget = budget };
        plumb_base_budget_fail_at(budget, nth);
        const enum plumb_status status =
            plumb_refine_judge(&j, model, 0, &how, &err);
        assert_true(status == PLUMB_OK || status == PLUMB_EMEMORY);
        assert_true(status == PLUMB_EMEMORY || j.holds);
        plumb_refine_judgement_free(&j);
        assert_int_equal(plumb_budget_used(budget), 0);
        plumb_budget_free(budget);
    }
    plumb_csp_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(renaming_a_state_renames_its_steps),
        cmocka_unit_test(one_state_stands_for_an_orbit),
        cmocka_unit_test(of_a_specification_all_states_are_there),
        cmocka_unit_test(equal_processes_may_change_places),
        cmocka_unit_test(
            processes_that_synchronise_or_hide_apart_stay_where_they_are),
        cmocka_unit_test(a_number_is_no_process_id),
        cmocka_unit_test(who_begins_differently_is_not_renamed),
        cmocka_unit_test(shifts_in_turn_are_any_permutation),
        cmocka_unit_test(a_round_goes_on_until_everybody_is_who_he_was),
        cmocka_unit_test(a_counterexample_has_the_events_of_the_model),
        cmocka_unit_test(refused_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
