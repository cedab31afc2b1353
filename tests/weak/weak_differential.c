/* weak_differential.c - every decider against the definition of weak answers.
 *
 *     weak-differential [--ops N] [--sample S] [--random R] [--seed S] [SPEC...]
 *
 * Each S-th of all histories of up to N operations on three threads, and R
 * random ones of up to 8 operations on four threads, with and without equal
 * values, waiting operations and peeks: search, Wing and Gong's algorithm, live
 * configurations, monitors, which operations may wait, cores and the claims that
 * cores rely on.  The program ends at the first difference. */
#include "histories.h"

#include "check/search/live_configurations.h"
#include "check/search/stuck.h"
#include <inttypes.h>
#include <plumb/check.h>
#include <stdlib.h>
#include <string.h>

struct subject {
    const char *text;
    struct rules rules;
    const struct names *names;
};

static const struct subject subjects[] = {
    { "queue:weak", { QUEUE, GAP, 0 }, &weak_queue_names },
    { "queue:weak=claim", { QUEUE, CLAIM, 0 }, &weak_queue_names },
    { "queue:weak=scan", { QUEUE, SCAN, 0 }, &weak_queue_names },
    { "queue:cap=1,weak", { QUEUE, GAP, 1 }, &weak_queue_names },
    { "queue:cap=2,weak", { QUEUE, GAP, 2 }, &weak_queue_names },
    { "queue:cap=1,weak=claim", { QUEUE, CLAIM, 1 }, &weak_queue_names },
    { "queue:cap=2,weak=claim", { QUEUE, CLAIM, 2 }, &weak_queue_names },
    { "queue:cap=1,weak=pool", { QUEUE, POOL, 1 }, &weak_queue_names },
    { "queue:cap=2,weak=pool", { QUEUE, POOL, 2 }, &weak_queue_names },
    { "queue:cap=1,weak=scan", { QUEUE, SCAN, 1 }, &weak_queue_names },
    { "queue:cap=2,weak=scan", { QUEUE, SCAN, 2 }, &weak_queue_names },
    { "queue:cap=1", { QUEUE, STRICT, 1 }, &weak_queue_names },
    { "queue:cap=2", { QUEUE, STRICT, 2 }, &weak_queue_names },
    { "stack:cap=1,weak=pool", { STACK, POOL, 1 }, &weak_stack_names },
    { "stack:cap=2,weak=pool", { STACK, POOL, 2 }, &weak_stack_names },
    { "semiqueue:cap=1,weak=pool", { BAG, POOL, 1 }, &weak_queue_names },
    { "semiqueue:cap=2,weak=pool", { BAG, POOL, 2 }, &weak_queue_names },
    { "semiqueue:weak=scan", { BAG, SCAN, 0 }, &weak_queue_names },
    { "semiqueue:cap=2,weak=scan", { BAG, SCAN, 2 }, &weak_queue_names },
    { "bag:weak=scan", { BAG, SCAN, 0 }, &weak_bag_names },
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static struct {
    const struct subject *subject;
    struct plumb_spec *spec;
    struct plumb_check_configurations *live;
    struct plumb_builder *builder;
    uint64_t sample, number, seed;
    bool random;
    uint64_t all, legal, stuck, justified, cores, minimal, deletions;
    uint64_t monitored[2]; /* wrong, right */
} run;

static _Noreturn void differ(const struct history *h, const char *why)
{
    fprintf(stderr, "%s, %s history %" PRIu64 " (seed %" PRIu64 "): %s\n",
            run.subject->text, run.random ? "random" : "small", run.number,
            run.seed, why);
    weak_print(h, stderr);
    exit(1);
}

/* ---- weakenings ---- */

static bool overlap(const struct op *a, const struct op *b)
{
    return a->call < b->ret && b->call < a->ret;
}

static bool is_removal(const struct op *o)
{
    return o->kind == REMOVE || o->kind == TAKE;
}

/* As the manual has it: may all operations of a value be left out, if those of
 * `remain` that are not of it do remain, with the answers of `answered`? */
static bool may_delete(const struct history *h, unsigned remain,
                       unsigned answered, int value)
{
    const enum weakness w = run.subject->rules.weakness;
    for (int i = 0; i < h->count; i++) {
        const struct op *const e = h->op + i;
        if (!(remain & answered & 1u << i) || e->answer != REFUSED)
            continue;
        if (weak_adds(e))
            return false;
        for (int k = 0; k < h->count && is_removal(e); k++) {
            const struct op *const o = h->op + k;
            const bool belongs = o->value == value && o->answer != REFUSED;
            const bool in_the_way = w == GAP    ? weak_adds(o)
                                    : w == SCAN ? is_removal(o)
                                                : false;
            if (belongs && in_the_way && overlap(o, e))
                return false;
        }
    }
    return true;
}

static bool belongs_to(const struct op *o, int value)
{
    return (weak_adds(o) || o->answer == OK) && o->value == value;
}

static bool may_drop_read(const struct op *o)
{
    const bool misses = run.subject->rules.weakness == SCAN && is_removal(o);
    return o->kind == PEEK || (o->answer == REFUSED && !misses);
}

static unsigned all_of(const struct history *h)
{
    return (1u << h->count) - 1;
}

static unsigned without_value(const struct history *h, unsigned kept, int value)
{
    for (int i = 0; i < h->count; i++)
        if (belongs_to(h->op + i, value))
            kept &= ~(1u << i);
    return kept;
}

/* Whatever a core may leave out leaves a legal history legal. */
static void judge_claims(const struct history *h)
{
    const unsigned all = all_of(h);
    for (int i = 0; i < h->count; i++) {
        const struct op *const o = h->op + i;
        const struct history less = weak_weaken(h, all & ~(1u << i), 0, NEVER);
        const struct history open = weak_weaken(h, all, 1u << i, NEVER);
        if (may_drop_read(o) && !weak_is_legal(&less, &run.subject->rules))
            differ(h, "a read that may be left out is missed");
        if (!weak_is_legal(&open, &run.subject->rules))
            differ(h, "it is not weaker without a response");
        const int value = o->value;
        if (o->answer == REFUSED || value == NOTHING ||
            !may_delete(h, without_value(h, all, value), all, value))
            continue;
        const struct history rest =
            weak_weaken(h, without_value(h, all, value), 0, NEVER);
        run.deletions++;
        if (!weak_is_legal(&rest, &run.subject->rules))
            differ(h, "a value that may be deleted is missed");
    }
}

/* ---- cores ---- */

struct core {
    unsigned kept, forgotten;
    int cut;
};

static bool violates(const struct history *h, struct core c)
{
    const struct history weak = weak_weaken(h, c.kept, c.forgotten, c.cut);
    return !weak_is_legal(&weak, &run.subject->rules);
}

/* The operations of a core whose answers count. */
static unsigned answered(const struct history *h, const struct core *c)
{
    unsigned all = 0;
    for (int i = 0; i < h->count; i++)
        if (h->op[i].ret < c->cut && !(c->forgotten >> i & 1))
            all |= 1u << i;
    return all;
}

static bool is_missing_rightly(const struct history *h, const struct core *c,
                               int i)
{
    const struct op *const o = h->op + i;
    if (o->call >= c->cut || may_drop_read(o))
        return true;
    const int value = o->value;
    if (o->answer == REFUSED || value == NOTHING)
        return false;
    for (int k = 0; k < h->count; k++)
        if (c->kept >> k & 1 &&
            (weak_adds(h->op + k) || answered(h, c) >> k & 1) &&
            belongs_to(h->op + k, value))
            return false;
    return may_delete(h, c->kept, answered(h, c), value);
}

static bool is_shrinkable(const struct history *h, const struct core *c)
{
    for (int i = 0; i < h->count; i++) {
        const struct op *const o = h->op + i;
        const bool counts = answered(h, c) >> i & 1;
        if (!(c->kept >> i & 1))
            continue;
        struct core less = *c;
        less.kept &= ~(1u << i);
        if (may_drop_read(o) && counts && violates(h, less))
            return true;
        less = *c;
        less.forgotten |= 1u << i;
        if (counts && violates(h, less))
            return true;
        less = *c;
        less.kept = without_value(h, c->kept, o->value);
        if (o->value != NOTHING && o->answer != REFUSED &&
            may_delete(h, less.kept, answered(h, c), o->value) &&
            violates(h, less))
            return true;
    }
    return false;
}

static void judge_core(const struct history *h, const struct plumb_answer *a)
{
    struct core c = { .cut = (int)a->core.cut };
    for (uint32_t i = 0; i < a->core.count; i++) {
        c.kept |= 1u << a->core.op[i];
        c.forgotten |= (unsigned)a->core.forgotten[i] << a->core.op[i];
    }
    if (!violates(h, c))
        differ(h, "a core that is no violation");
    for (int i = 0; i < h->count; i++)
        if (!(c.kept >> i & 1) && !is_missing_rightly(h, &c, i))
            differ(h, "a core that leaves out too much");
    if (a->minimal && is_shrinkable(h, &c))
        differ(h, "a core that is not minimal");
    run.cores++;
    run.minimal += a->minimal;
}

/* ---- deciders ---- */

static bool checks(const struct history *h, const struct plumb_history *built,
                   enum plumb_algorithm algorithm, bool core)
{
    const struct plumb_check_options options = { .algorithm = algorithm,
                                                 .no_core = !core };
    struct plumb_answer answer;
    struct plumb_error err;
    if (plumb_check(built, run.spec, &options, &answer, &err) != PLUMB_OK)
        differ(h, err.message);
    if (answer.verdict == PLUMB_UNDECIDED)
        differ(h, "undecided");
    const bool legal = answer.verdict == PLUMB_LINEARIZABLE;
    run.monitored[legal] += answer.algorithm == PLUMB_ALGORITHM_MONITOR;
    if (!legal && core)
        judge_core(h, &answer);
    plumb_answer_release(&answer);
    return legal;
}

static bool lives(const struct history *h)
{
    struct plumb_check_configurations *const f = run.live;
    plumb_check_configuration_set set = plumb_check_configurations_start(f);
    uint32_t call[WEAK_OPS];
    for (int i = 0; i < h->events; i++) {
        const int n = h->event[i].op;
        const struct op *const o = h->op + n;
        const struct plumb_check_configurations_word word = {
            .value = plumb_int(o->value)
        };
        if (!h->event[i].is_return) {
            call[n] = plumb_check_configurations_operation(
                f, (unsigned)o->thread, run.subject->names->kind[o->kind],
                &word, weak_adds(o));
            set = plumb_check_configurations_call(f, set, call[n]);
        } else {
            const uint32_t answer = plumb_check_configurations_answer(
                f, call[n], weak_term(o), &word, weak_has_value(o));
            set = plumb_check_configurations_return(f, set, call[n], answer);
        }
        if (set == PLUMB_CONFIGURATIONS_FAILED)
            differ(h, plumb_check_configurations_error(f)->message);
    }
    return set != PLUMB_CONFIGURATIONS_NONE;
}

/* The first that is open and may not wait; NOTHING if all may.  *linearizable:
 * is there an order of those that completed at all? */
static int first_culprit(const struct history *h, bool *linearizable)
{
    unsigned completed = 0;
    for (int i = 0; i < h->count; i++)
        completed |= (unsigned)(h->op[i].answer != PENDING) << i;
    const struct history alone = weak_weaken(h, completed, 0, NEVER);
    *linearizable = weak_is_legal(&alone, &run.subject->rules);
    for (int i = 0; i < h->count; i++)
        if (h->op[i].answer == PENDING &&
            !weak_may_wait(h, &run.subject->rules, i))
            return i;
    return NOTHING;
}

static void compare_stuck(const struct history *h,
                          const struct plumb_history *built)
{
    struct plumb_error err;
    bool justified, linearizable;
    uint32_t culprit;
    if (plumb_check_stuck(built, run.spec, NULL, &justified, NULL, &culprit,
                          &err) != PLUMB_OK)
        differ(h, err.message);
    const int expected = first_culprit(h, &linearizable);
    run.stuck++;
    run.justified += justified;
    if (justified != (linearizable && expected == NOTHING))
        differ(h, justified ? "somebody may not wait" : "all may wait");
    if (!justified && linearizable && culprit != (uint32_t)expected)
        differ(h, "another one may not wait");
}

static bool is_sayable(const struct history *h)
{
    const bool bag = run.subject->names == &weak_bag_names;
    for (int i = 0; i < h->count; i++) {
        const struct op *const o = h->op + i;
        if (!run.subject->names->kind[o->kind] ||
            (bag && weak_adds(o) && o->answer == REFUSED))
            return false;
    }
    return true;
}

static void compare(const struct history *h)
{
    if (!is_sayable(h))
        return;
    const bool legal = weak_is_legal(h, &run.subject->rules);
    struct plumb_history built = weak_build(h, run.subject->names, run.builder);
    bool open = false;
    for (int i = 0; i < h->count; i++)
        open |= h->op[i].answer == PENDING;
    run.all++;
    run.legal += legal;
    if (checks(h, &built, PLUMB_ALGORITHM_SEARCH, run.all % 4 == 0) != legal)
        differ(h, "search");
    if (checks(h, &built, PLUMB_ALGORITHM_WING_GONG, false) != legal)
        differ(h, "Wing and Gong");
    if (checks(h, &built, PLUMB_ALGORITHM_AUTO, run.all % 4 == 1) != legal)
        differ(h, "monitors and search");
    if (lives(h) != legal)
        differ(h, "live configurations");
    if (open)
        compare_stuck(h, &built);
    if (legal)
        judge_claims(h);
    plumb_history_release(&built);
}

static void visit(const struct history *h, void *context)
{
    (void)context;
    if (run.number++ % run.sample == 0)
        compare(h);
}

static void compare_random(uint64_t count, uint64_t seed)
{
    run.random = true;
    for (run.number = 0; run.number < count; run.number++) {
        struct plumb_base_rng rng;
        plumb_base_rng_seed(&rng, seed + run.number);
        const struct mixture m = {
            .container = run.subject->rules.container,
            .cap = run.subject->rules.cap,
            .ops = 5 + (int)plumb_base_rng_below(&rng, 4),
            .threads = 2 + (int)plumb_base_rng_below(&rng, 3),
            .values = plumb_base_rng_chance(&rng, 30) ? 2 : 0,
            .waits = plumb_base_rng_chance(&rng, 30),
            .peeks = plumb_base_rng_chance(&rng, 30),
        };
        const struct history h = weak_random(&rng, &m);
        compare(&h);
    }
}

static void compare_subject(const struct subject *s, int ops, uint64_t random)
{
    struct plumb_error err;
    run.subject = s;
    run.random = false;
    run.number = run.all = run.legal = run.stuck = run.justified = run.cores =
        run.minimal = run.deletions = run.monitored[0] = run.monitored[1] = 0;
    if (plumb_spec_parse(s->text, &run.spec, &err) != PLUMB_OK) {
        fprintf(stderr, "%s: %s\n", s->text, err.message);
        exit(1);
    }
    run.live = plumb_check_configurations_open(run.spec, NULL);
    run.builder = plumb_builder_new(NULL);
    if (!run.live || !run.builder)
        abort();
    weak_enumerate(ops, s->rules.cap != 0, visit, NULL);
    compare_random(random, run.seed);
    printf("%-24s %9" PRIu64 " histories, %9" PRIu64 " legal, %7" PRIu64
           " cores (%" PRIu64 " minimal), %8" PRIu64 " deletions, %7" PRIu64
           " stuck (%" PRIu64 " rightly), %" PRIu64 " + %" PRIu64
           " by monitor\n",
           s->text, run.all, run.legal, run.cores, run.minimal, run.deletions,
           run.stuck, run.justified, run.monitored[1], run.monitored[0]);
    plumb_builder_free(run.builder);
    plumb_check_configurations_free(run.live);
    plumb_spec_free(run.spec);
}

static uint64_t number_after(int argc, char **argv, const char *option,
                             uint64_t otherwise)
{
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], option) == 0)
            return strtoull(argv[i + 1], NULL, 10);
    return otherwise;
}

static bool is_wanted(int argc, char **argv, const char *text)
{
    bool any = false;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-') {
            i++;
            continue;
        }
        any = true;
        if (strcmp(argv[i], text) == 0)
            return true;
    }
    return !any;
}

int main(int argc, char **argv)
{
    const int ops = (int)number_after(argc, argv, "--ops", 4);
    const uint64_t random = number_after(argc, argv, "--random", 1000);
    run.sample = number_after(argc, argv, "--sample", 1);
    run.seed = number_after(argc, argv, "--seed", 1);
    for (int i = 0; i < SUBJECTS; i++)
        if (is_wanted(argc, argv, subjects[i].text))
            compare_subject(subjects + i, ops, random);
    return 0;
}
