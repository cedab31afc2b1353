/* refinement.c - how fast the engines of `plumb verify` are, on graphs written
 * in C: no language, no generation of states in what is measured.
 *
 *     refinement register K | stack PROCESSES SIZE |
 *                minimise PROCESSES SIZE | random STATES | chain STATES
 *
 * Graphs are made first, then each engine runs on them; for each: the verdict,
 * pairs, transitions, sets, seconds, million pairs per second and megabytes.
 * The K-valued register has one reader and one writer (Attiya and Welch,
 * section 10.2.1); the stack has no data, operations return its height. */
#include "base/hash.h"
#include "base/index.h"
#include "base/memory.h"
#include "base/rng.h"
#include "refine/engines/refine.h"
#include "refine/minimise/bisimulation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- a source: states are words ---- */

struct maker;
typedef void successors(struct maker *m, uint64_t state);

struct maker {
    successors *successors;
    uint32_t size, processes; /* of the object */
    uint64_t *word;
    size_t room;
    uint32_t count;
    struct plumb_base_index index;
    struct plumb_csp_edges *out;
};

static uint64_t hash_of(const void *context, uint32_t number)
{
    const struct maker *const m = context;
    return plumb_base_mix(m->word[number], 1);
}

static uint32_t number_of(struct maker *m, uint64_t word)
{
    if (!plumb_base_index_room(&m->index, hash_of, m))
        exit(1);
    struct plumb_base_probe p =
        plumb_base_index_probe(&m->index, plumb_base_mix(word, 1));
    PLUMB_FOR_CANDIDATES(&m->index, &p, n)
        if (m->word[n] == word)
            return n;
    plumb_base_index_put(&m->index, &p, m->count);
    if (!PLUMB_APPEND(NULL, m->word, m->count, m->room, word))
        exit(1);
    return m->count - 1;
}

static void go(struct maker *m, uint32_t event, uint64_t to)
{
    if (!plumb_csp_edges_add(m->out, event, number_of(m, to)))
        exit(1);
}

static enum plumb_status make_edges(void *context, uint32_t state,
                                    struct plumb_csp_edges *out,
                                    struct plumb_error *err)
{
    struct maker *const m = context;
    (void)err;
    m->out = out;
    m->successors(m, m->word[state]);
    return PLUMB_OK;
}

static uint32_t states_made(const void *context)
{
    return ((const struct maker *)context)->count;
}

/* Fields of a state: seven bits each. */
static uint32_t get(uint64_t state, unsigned field)
{
    return state >> (7 * field) & 127;
}

static uint64_t set(uint64_t state, unsigned field, uint32_t value)
{
    return (state & ~((uint64_t)127 << (7 * field))) |
           ((uint64_t)value << (7 * field));
}

/* ---- register ---- */

enum { BITS, READER, AT, FOUND, WRITER, VALUE, DOWN };
enum { IDLE, UP, BACK, ANSWER, SET, CLEAR, DONE };
enum { READ = 2, WRITTEN, READ_RESULT, WRITE = READ_RESULT + 32 };

static void read_steps(struct maker *m, uint64_t s)
{
    const uint32_t at = get(s, AT), bits = get(s, BITS);
    switch (get(s, READER)) {
    case IDLE:
        go(m, READ, set(set(s, READER, UP), AT, 0));
        break;
    case UP:
        if (bits >> at & 1)
            go(m, PLUMB_TAU, set(set(s, READER, BACK), FOUND, at));
        else
            go(m, PLUMB_TAU, set(s, AT, at + 1));
        break;
    case BACK:
        if (at == 0)
            go(m, PLUMB_TAU, set(s, READER, ANSWER));
        else
            go(m, PLUMB_TAU,
               set(set(s, AT, at - 1), FOUND,
                   bits >> (at - 1) & 1 ? at - 1 : get(s, FOUND)));
        break;
    case ANSWER:
        go(m, READ_RESULT + get(s, FOUND), set(set(s, READER, IDLE), FOUND, 0));
        break;
    }
}

static void write_steps(struct maker *m, uint64_t s)
{
    const uint32_t v = get(s, VALUE), down = get(s, DOWN);
    switch (get(s, WRITER)) {
    case IDLE:
        for (uint32_t i = 0; i < m->size; i++)
            go(m, WRITE + i, set(set(s, WRITER, SET), VALUE, i));
        break;
    case SET:
        s = set(s, BITS, get(s, BITS) | 1u << v);
        go(m, PLUMB_TAU, set(set(set(s, WRITER, CLEAR), DOWN, v), VALUE, 0));
        break;
    case CLEAR:
        if (down == 0)
            go(m, PLUMB_TAU, set(s, WRITER, DONE));
        else
            go(m, PLUMB_TAU,
               set(set(s, DOWN, down - 1), BITS,
                   get(s, BITS) & ~(1u << (down - 1))));
        break;
    case DONE:
        go(m, WRITTEN, set(s, WRITER, IDLE));
        break;
    }
}

static void register_steps(struct maker *m, uint64_t s)
{
    read_steps(m, s);
    write_steps(m, s);
}

/* The specification: BITS is the value itself. */
static void register_spec(struct maker *m, uint64_t s)
{
    switch (get(s, READER)) {
    case IDLE:
        go(m, READ, set(s, READER, UP));
        break;
    case UP:
        go(m, PLUMB_TAU, set(set(s, READER, ANSWER), FOUND, get(s, BITS)));
        break;
    case ANSWER:
        go(m, READ_RESULT + get(s, FOUND), set(set(s, READER, IDLE), FOUND, 0));
        break;
    }
    switch (get(s, WRITER)) {
    case IDLE:
        for (uint32_t i = 0; i < m->size; i++)
            go(m, WRITE + i, set(set(s, WRITER, SET), VALUE, i));
        break;
    case SET:
        go(m, PLUMB_TAU,
           set(set(set(s, WRITER, DONE), BITS, get(s, VALUE)), VALUE, 0));
        break;
    case DONE:
        go(m, WRITTEN, set(s, WRITER, IDLE));
        break;
    }
}

/* ---- stack: field 0 is the height, field 1 + 2p what p does, 2 + 2p what it
 * has read ---- */

enum { REST, PUSHING, PUSH_CAS, PUSHED, POPPING, POP_CAS, POPPED };

static uint32_t stack_event(uint32_t process, uint32_t kind, uint32_t height)
{
    return 2 + (process * 4 + kind) * 40 + height;
}

static void compare_and_set(struct maker *m, uint64_t s, unsigned p,
                            uint32_t to, uint32_t done, uint32_t again)
{
    if (get(s, 0) == get(s, 2 + 2 * p))
        go(m, PLUMB_TAU,
           set(set(set(s, 0, to), 1 + 2 * p, done), 2 + 2 * p, to));
    else
        go(m, PLUMB_TAU, set(set(s, 1 + 2 * p, again), 2 + 2 * p, 0));
}

static void stack_rest(struct maker *m, uint64_t s, unsigned p)
{
    go(m, stack_event(p, 0, 0), set(s, 1 + 2 * p, PUSHING));
    go(m, stack_event(p, 1, 0), set(s, 1 + 2 * p, POPPING));
}

static void stack_end(struct maker *m, uint64_t s, unsigned p, uint32_t kind)
{
    go(m, stack_event(p, kind, get(s, 2 + 2 * p)),
       set(set(s, 1 + 2 * p, REST), 2 + 2 * p, 0));
}

static void stack_steps(struct maker *m, uint64_t s)
{
    const uint32_t height = get(s, 0);
    for (unsigned p = 0; p < m->processes; p++) {
        const uint32_t old = get(s, 2 + 2 * p);
        switch (get(s, 1 + 2 * p)) {
        case REST:
            stack_rest(m, s, p);
            break;
        case PUSHING:
            if (height < m->size)
                go(m, PLUMB_TAU,
                   set(set(s, 1 + 2 * p, PUSH_CAS), 2 + 2 * p, height));
            break;
        case PUSH_CAS:
            compare_and_set(m, s, p, old + 1, PUSHED, PUSHING);
            break;
        case POPPING:
            if (height == 0)
                go(m, PLUMB_TAU, set(set(s, 1 + 2 * p, POPPED), 2 + 2 * p, 39));
            else
                go(m, PLUMB_TAU,
                   set(set(s, 1 + 2 * p, POP_CAS), 2 + 2 * p, height));
            break;
        case POP_CAS:
            compare_and_set(m, s, p, old - 1, POPPED, POPPING);
            break;
        case PUSHED:
            stack_end(m, s, p, 2);
            break;
        case POPPED:
            stack_end(m, s, p, 3);
            break;
        }
    }
}

static void stack_spec(struct maker *m, uint64_t s)
{
    const uint32_t h = get(s, 0);
    for (unsigned p = 0; p < m->processes; p++)
        switch (get(s, 1 + 2 * p)) {
        case REST:
            stack_rest(m, s, p);
            break;
        case PUSHING:
            if (h < m->size)
                go(m, PLUMB_TAU,
                   set(set(set(s, 0, h + 1), 1 + 2 * p, PUSHED), 2 + 2 * p,
                       h + 1));
            break;
        case POPPING:
            go(m, PLUMB_TAU,
               set(set(set(s, 0, h ? h - 1 : 0), 1 + 2 * p, POPPED), 2 + 2 * p,
                   h ? h - 1 : 39));
            break;
        case PUSHED:
            stack_end(m, s, p, 2);
            break;
        case POPPED:
            stack_end(m, s, p, 3);
            break;
        }
}

/* ---- measuring ---- */

/* Of this process alone: the machine may have other work. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct model {
    const char *name;
    successors *impl, *spec;
    uint64_t impl_start;
    uint32_t size, processes;
};

static struct plumb_csp_graph *make(struct maker *m, successors *steps,
                                    uint64_t start, const struct model *model)
{
    struct plumb_csp_graph *g;
    struct plumb_error err;
    *m = (struct maker){ .successors = steps,
                         .size = model->size,
                         .processes = model->processes };
    const struct plumb_csp_graph_source source = { m, make_edges, states_made,
                                                   0 };
    number_of(m, start);
    if (plumb_csp_graph_open(&g, &source, NULL, &err) != PLUMB_OK ||
        plumb_csp_graph_complete(g, 0, &err) != PLUMB_OK)
        exit(1);
    return g;
}

static void forget(struct maker *m, struct plumb_csp_graph *g)
{
    plumb_csp_graph_free(g);
    plumb_base_index_release(&m->index);
    free(m->word);
}

static void run_engine(struct plumb_csp_graph *impl,
                       struct plumb_csp_graph *spec,
                       enum plumb_refine_engine engine, bool pat3,
                       const char *name)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    const struct plumb_refine_options options = { .engine = engine,
                                                  .threads = 1,
                                                  .pat3_counts = pat3 };
    struct plumb_base_arena arena;
    struct plumb_refinement r;
    struct plumb_error err;
    plumb_base_arena_init(&arena, budget);
    const double start = now();
    if (plumb_refine(impl, spec, &options, &arena, &r, &err) != PLUMB_OK)
        exit(1);
    const double seconds = now() - start;
    printf("  %-10s %-8s %10" PRIu64 " %11" PRIu64 " %8" PRIu32
           " %8.3f s %7.2f M/s %6.1f MB",
           name, r.refines ? r.both_ways ? "both" : "refines" : "NO", r.pairs,
           r.transitions, r.sets, seconds, (double)r.pairs / seconds / 1e6,
           (double)plumb_budget_peak(budget) / 1e6);
    if (r.impl_blocks)
        printf("  blocks %" PRIu32 " %" PRIu32, r.impl_blocks, r.spec_blocks);
    printf("\n");
    fflush(stdout);
    plumb_base_arena_release(&arena);
    plumb_budget_free(budget);
}

static void run_model(const struct model *model)
{
    struct maker of_impl, of_spec;
    const double start = now();
    struct plumb_csp_graph *const impl =
        make(&of_impl, model->impl, model->impl_start, model);
    struct plumb_csp_graph *const spec =
        make(&of_spec, model->spec,
             strcmp(model->name, "register") ? 0 : model->size - 1, model);
    printf("%s %" PRIu32 " %" PRIu32 ": %" PRIu32 " states, %" PRIu64
           " edges; %" PRIu32 " states, %" PRIu64 " edges; made in %.2f s\n",
           model->name, model->processes, model->size,
           plumb_csp_graph_states(impl), plumb_csp_graph_edge_count(impl),
           plumb_csp_graph_states(spec), plumb_csp_graph_edge_count(spec),
           now() - start);
    run_engine(impl, spec, PLUMB_ENGINE_PRODUCT, false, "product");
    run_engine(impl, spec, PLUMB_ENGINE_ANTICHAIN, false, "antichain");
    run_engine(impl, spec, PLUMB_ENGINE_ANTICHAIN, true, "pat3");
    run_engine(impl, spec, PLUMB_ENGINE_BISIMILAR, false, "bisimilar");
    run_engine(impl, spec, PLUMB_ENGINE_AUTO, false, "auto");
    forget(&of_impl, impl);
    forget(&of_spec, spec);
}

static void run_register(uint32_t values)
{
    const struct model model = { "register",    register_steps,
                                 register_spec, 1u << (values - 1),
                                 values,        1 };
    run_model(&model);
}

static void run_stack(uint32_t processes, uint32_t size)
{
    const struct model model = { "stack", stack_steps, stack_spec,
                                 0,       size,        processes };
    run_model(&model);
}

/* Bisimulation alone, on a graph without structure: random edges, few of them
 * a tau; and on chains, which are split one state at a time. */
static void run_partition(uint32_t states, bool chain)
{
    const uint32_t degree = chain ? 1 : 4;
    struct plumb_base_rng rng;
    uint64_t *const first = calloc((size_t)states + 1, sizeof *first);
    struct plumb_csp_edge *const edge =
        calloc((size_t)states * degree, sizeof *edge);
    uint64_t n = 0;
    plumb_base_rng_seed(&rng, 1);
    for (uint32_t s = 0; s < states; s++) {
        first[s] = n;
        for (uint32_t i = 0; i < degree; i++) {
            const uint32_t target =
                chain ? s + 1 : plumb_base_rng_below(&rng, states);
            if (target == states)
                break;
            edge[n++] = (struct plumb_csp_edge){
                !chain && plumb_base_rng_chance(&rng, 15)
                    ? PLUMB_TAU
                    : 2 + (chain ? 0 : plumb_base_rng_below(&rng, 5)),
                target
            };
        }
    }
    first[states] = n;
    struct plumb_csp_lts lts = { states, first, edge };
    for (unsigned divergence = 0; divergence < 2; divergence++) {
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        struct plumb_refine_partition p;
        struct plumb_error err;
        const double start = now();
        if (plumb_refine_bisimulation(&lts, divergence, budget, &p, &err) !=
            PLUMB_OK)
            exit(1);
        const double seconds = now() - start;
        printf("%s: %" PRIu32 " states, %" PRIu64 " edges, %" PRIu32
               " blocks, %.3f s, %.2f M edges/s, %.1f MB\n",
               chain ? "chain" : "random", states, n, p.blocks, seconds,
               (double)n / seconds / 1e6,
               (double)plumb_budget_peak(budget) / 1e6);
        plumb_refine_partition_release(&p, budget);
        plumb_budget_free(budget);
    }
    free(first);
    free(edge);
}

/* Bisimulation alone, of an implementation. */
static void run_minimise(uint32_t processes, uint32_t size)
{
    const struct model model = { "stack", stack_steps, stack_spec,
                                 0,       size,        processes };
    struct maker m;
    struct plumb_error err;
    struct plumb_csp_lts lts;
    struct plumb_csp_graph *const g = make(&m, model.impl, 0, &model);
    if (plumb_csp_graph_lts(g, &lts, &err) != PLUMB_OK)
        exit(1);
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    struct plumb_refine_partition p;
    const double start = now();
    if (plumb_refine_bisimulation(&lts, false, budget, &p, &err) != PLUMB_OK)
        exit(1);
    const double seconds = now() - start;
    printf("minimise stack %" PRIu32 " %" PRIu32 ": %" PRIu32
           " states, %" PRIu64 " edges, %" PRIu32
           " blocks, %.3f s, %.2f M edges/s, %.1f MB\n",
           processes, size, lts.states, lts.first[lts.states], p.blocks,
           seconds, (double)lts.first[lts.states] / seconds / 1e6,
           (double)plumb_budget_peak(budget) / 1e6);
    plumb_refine_partition_release(&p, budget);
    plumb_budget_free(budget);
    forget(&m, g);
}

static uint32_t number(const char *text)
{
    return (uint32_t)strtoul(text, NULL, 10);
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "register")) {
        run_register(number(argv[2]));
    } else if (argc == 4 && !strcmp(argv[1], "stack")) {
        run_stack(number(argv[2]), number(argv[3]));
    } else if (argc == 4 && !strcmp(argv[1], "minimise")) {
        run_minimise(number(argv[2]), number(argv[3]));
    } else if (argc == 3 && !strcmp(argv[1], "random")) {
        run_partition(number(argv[2]), false);
    } else if (argc == 3 && !strcmp(argv[1], "chain")) {
        run_partition(number(argv[2]), true);
    } else {
        fprintf(stderr, "usage: refinement register K | stack PROCESSES SIZE | "
                        "minimise PROCESSES SIZE | random N | chain N\n");
        return 2;
    }
    return 0;
}
