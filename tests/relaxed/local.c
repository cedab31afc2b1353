/* local.c - local linearizability against its definition.
 *
 *     local [--random N] [--seed S]
 *
 * Random histories of up to 10 operations on 3 threads, with different values;
 * some operations never return.  The definition is tried on every order: of each
 * thread, the additions by it and the removals of what it added are those of a
 * plain queue or stack, and `empty` is answered where nothing is.  It is compared
 * with search, Wing and Gong's algorithm and live configurations; what cores
 * leave is tried as well.  History i has seed S + i. */
#include "base/rng.h"
#include "check/search/live_configurations.h"
#include <inttypes.h>
#include <plumb/check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPS = 10, THREADS = 3, NEVER = 1000 };

enum deed { ADDS, REMOVES, LOOKS, SAYS_EMPTY };

struct op {
    enum deed deed;
    int value, thread, call, ret;
};

struct small {
    struct op op[OPS];
    int count, events;
    struct {
        int op;
        bool back;
    } event[2 * OPS];
};

static struct {
    bool stack;
    struct plumb_spec *spec;
    struct plumb_check_configurations *live;
    struct plumb_builder *builder;
    uint64_t number, seed, right, wrong, cores;
} run;

/* ---- the definition ---- */

struct sequence {
    struct op op[OPS];
    int count;
};

static int adder_of(const struct sequence *s, int value)
{
    for (int i = 0; i < s->count; i++)
        if (s->op[i].deed == ADDS && s->op[i].value == value)
            return s->op[i].thread;
    return NEVER;
}

/* Is what was added by a thread, and became of it, that of a plain object? */
static bool is_thread_legal(const struct sequence *s, int thread)
{
    int item[OPS], from = 0, to = 0;
    for (int i = 0; i < s->count; i++) {
        const struct op *const o = s->op + i;
        const bool adds = o->deed == ADDS;
        if (o->deed == SAYS_EMPTY ||
            (adds ? o->thread : adder_of(s, o->value)) != thread)
            continue;
        if (adds) {
            item[to++] = o->value;
            continue;
        }
        if (from == to || item[run.stack ? to - 1 : from] != o->value)
            return false;
        if (o->deed == REMOVES)
            *(run.stack ? &to : &from) += run.stack ? -1 : 1;
    }
    return true;
}

static bool is_legal(const struct sequence *s)
{
    int there = 0;
    for (int i = 0; i < s->count; i++) {
        const struct op *const o = s->op + i;
        there += (o->deed == ADDS) - (o->deed == REMOVES);
        if ((o->deed == SAYS_EMPTY && there) ||
            (o->deed != ADDS && o->deed != SAYS_EMPTY &&
             adder_of(s, o->value) == NEVER))
            return false;
    }
    for (int t = 0; t < THREADS; t++)
        if (!is_thread_legal(s, t))
            return false;
    return true;
}

/* ---- every order ---- */

static bool may_follow(const struct small *h, unsigned done, int i)
{
    for (int k = 0; k < h->count; k++)
        if (!(done >> k & 1) && h->op[k].ret < h->op[i].call)
            return false;
    return true;
}

static bool has_order(const struct small *h, unsigned done, struct sequence *s);

static bool place(const struct small *h, unsigned done, struct sequence *s,
                  struct op o)
{
    s->op[s->count++] = o;
    const bool found = is_legal(s) && has_order(h, done, s);
    s->count--;
    return found;
}

static bool place_pending(const struct small *h, unsigned done,
                          struct sequence *s, struct op o)
{
    if (o.deed == ADDS)
        return place(h, done, s, o);
    o.deed = REMOVES;
    for (o.value = 0; o.value < OPS; o.value++)
        if (place(h, done, s, o))
            return true;
    return false;
}

static bool has_order(const struct small *h, unsigned done, struct sequence *s)
{
    bool complete = true;
    for (int i = 0; i < h->count; i++)
        complete &= h->op[i].ret == NEVER || done >> i & 1;
    for (int i = 0; i < h->count && !complete; i++) {
        const struct op *const o = h->op + i;
        if (done >> i & 1 || !may_follow(h, done, i) ||
            (o->ret == NEVER && o->deed == LOOKS))
            continue;
        complete = o->ret == NEVER ? place_pending(h, done | 1u << i, s, *o)
                                   : place(h, done | 1u << i, s, *o);
    }
    return complete;
}

static bool oracle(const struct small *h)
{
    struct sequence s = { .count = 0 };
    return has_order(h, 0, &s);
}

/* ---- what the program says ---- */

static const char *name_of(const struct op *o)
{
    static const char *const names[2][4] = { { "enq", "deq", "peek", "deq" },
                                             { "push", "pop", "peek", "pop" } };
    return names[run.stack][o->deed];
}

static bool has_value(const struct op *o, bool back)
{
    return o->deed == ADDS ? !back : back && o->deed != SAYS_EMPTY;
}

static const char *term_of(const struct op *o)
{
    return o->deed == SAYS_EMPTY ? "empty" : "ok";
}

static _Noreturn void differ(const struct small *h, const char *why)
{
    fprintf(stderr, "%s %" PRIu64 ": %s\n", run.stack ? "stack" : "queue",
            run.seed + run.number, why);
    for (int i = 0; i < h->events; i++) {
        const struct op *const o = h->op + h->event[i].op;
        fprintf(stderr, "X %s(", h->event[i].back ? term_of(o) : name_of(o));
        if (has_value(o, h->event[i].back))
            fprintf(stderr, "%d", o->value);
        fprintf(stderr, ") P%d\n", o->thread);
    }
    exit(1);
}

static uint32_t symbol(const char *text)
{
    return plumb_builder_symbol(run.builder, text, strlen(text));
}

static struct plumb_history build(const struct small *h)
{
    struct plumb_history built;
    struct plumb_error err = { .status = PLUMB_OK };
    for (int i = 0; i < h->events && err.status == PLUMB_OK; i++) {
        const struct op *const o = h->op + h->event[i].op;
        const struct plumb_value value = plumb_int(o->value);
        const bool back = h->event[i].back;
        char thread[16];
        snprintf(thread, sizeof thread, "P%d", o->thread);
        if (back)
            plumb_builder_respond(run.builder, symbol(thread), symbol("X"),
                                  PLUMB_OUTCOME_OK, symbol(term_of(o)), &value,
                                  has_value(o, true), NULL, &err);
        else
            plumb_builder_call(run.builder, symbol(thread), symbol("X"),
                               symbol(name_of(o)), &value, has_value(o, false),
                               NULL, &err);
    }
    if (err.status == PLUMB_OK)
        plumb_builder_finish(run.builder, PLUMB_TIES_CALL_FIRST, &built, &err);
    if (err.status != PLUMB_OK)
        differ(h, err.message);
    return built;
}

/* The operations of a core, without the responses that it forgets. */
static void judge_core(const struct small *h, const struct plumb_core *core)
{
    struct small weak = { .count = 0 };
    for (uint32_t i = 0; i < core->count; i++) {
        struct op *const o = weak.op + weak.count;
        *o = h->op[core->op[i]];
        if (core->forgotten[i] || o->ret >= (int)core->cut)
            o->ret = NEVER;
        weak.count += o->call < (int)core->cut;
    }
    run.cores++;
    if (oracle(&weak))
        differ(h, "a core that is no violation");
}

static bool checks(const struct small *h, const struct plumb_history *built,
                   enum plumb_algorithm algorithm)
{
    const struct plumb_check_options options = { .algorithm = algorithm };
    struct plumb_answer answer;
    struct plumb_error err;
    if (plumb_check(built, run.spec, &options, &answer, &err) != PLUMB_OK)
        differ(h, err.message);
    if (answer.verdict == PLUMB_UNDECIDED)
        differ(h, "undecided");
    const bool right = answer.verdict == PLUMB_LINEARIZABLE;
    if (!right)
        judge_core(h, &answer.core);
    plumb_answer_release(&answer);
    return right;
}

static bool lives(const struct small *h)
{
    plumb_check_configuration_set set =
        plumb_check_configurations_start(run.live);
    uint32_t call[OPS];
    for (int i = 0; i < h->events; i++) {
        const int n = h->event[i].op;
        const struct op *const o = h->op + n;
        const struct plumb_check_configurations_word word = {
            .value = plumb_int(o->value)
        };
        if (!h->event[i].back) {
            call[n] = plumb_check_configurations_operation(
                run.live, (unsigned)o->thread, name_of(o), &word,
                has_value(o, false));
            set = plumb_check_configurations_call(run.live, set, call[n]);
        } else {
            const uint32_t answer = plumb_check_configurations_answer(
                run.live, call[n], term_of(o), &word, has_value(o, true));
            set = plumb_check_configurations_return(run.live, set, call[n],
                                                    answer);
        }
        if (set == PLUMB_CONFIGURATIONS_FAILED)
            differ(h, plumb_check_configurations_error(run.live)->message);
    }
    return set != PLUMB_CONFIGURATIONS_NONE;
}

static void compare(const struct small *h)
{
    const bool right = oracle(h);
    struct plumb_history built = build(h);
    ++*(right ? &run.right : &run.wrong);
    if (checks(h, &built, PLUMB_ALGORITHM_AUTO) != right)
        differ(h, "check");
    if (checks(h, &built, PLUMB_ALGORITHM_WING_GONG) != right)
        differ(h, "Wing and Gong");
    if (lives(h) != right)
        differ(h, "live configurations");
    plumb_history_release(&built);
}

/* ---- random histories ---- */

static void call(struct small *h, struct plumb_base_rng *rng, int thread,
                 int *values)
{
    const bool adds = *values == 0 || plumb_base_rng_chance(rng, 45);
    h->op[h->count] = (struct op){
        .deed = adds                             ? ADDS
                : plumb_base_rng_chance(rng, 15) ? LOOKS
                : plumb_base_rng_chance(rng, 20) ? SAYS_EMPTY
                                                 : REMOVES,
        .value = adds ? (*values)++
                      : (int)plumb_base_rng_below(rng, (unsigned)*values),
        .thread = thread,
        .call = h->events,
        .ret = NEVER,
    };
    h->event[h->events].op = h->count++;
    h->event[h->events++].back = false;
}

static struct small any(struct plumb_base_rng *rng)
{
    struct small h = { .count = 0 };
    const int ops = 3 + (int)plumb_base_rng_below(rng, OPS - 2);
    int open[THREADS] = { -1, -1, -1 }, values = 0;
    for (int step = 0; step < 4 * OPS; step++) {
        const int t = (int)plumb_base_rng_below(rng, THREADS);
        if (open[t] == -2)
            continue;
        if (open[t] >= 0 && plumb_base_rng_chance(rng, 5)) {
            open[t] = -2; /* it never returns */
        } else if (open[t] >= 0) {
            h.op[open[t]].ret = h.events;
            h.event[h.events].op = open[t];
            h.event[h.events++].back = true;
            open[t] = -1;
        } else if (h.count < ops) {
            open[t] = h.count;
            call(&h, rng, t, &values);
        }
    }
    return h;
}

int main(int argc, char **argv)
{
    uint64_t random = 1000;
    run.seed = 1;
    for (int i = 1; i + 1 < argc; i += 2)
        *(strcmp(argv[i], "--seed") == 0 ? &run.seed : &random) =
            strtoull(argv[i + 1], NULL, 10);
    for (int stack = 0; stack < 2; stack++) {
        struct plumb_error err;
        run.stack = stack;
        run.right = run.wrong = run.cores = 0;
        if (plumb_spec_parse(stack ? "local:stack" : "local:queue", &run.spec,
                             &err) != PLUMB_OK) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
        run.live = plumb_check_configurations_open(run.spec, NULL);
        run.builder = plumb_builder_new(NULL);
        for (run.number = 0; run.number < random; run.number++) {
            struct plumb_base_rng rng;
            plumb_base_rng_seed(&rng, run.seed + run.number);
            const struct small h = any(&rng);
            compare(&h);
        }
        printf("local:%s: %" PRIu64 " right, %" PRIu64 " wrong, %" PRIu64
               " cores\n",
               stack ? "stack" : "queue", run.right, run.wrong, run.cores);
        plumb_builder_free(run.builder);
        plumb_check_configurations_free(run.live);
        plumb_spec_free(run.spec);
    }
    return 0;
}
