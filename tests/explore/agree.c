/* agree.c - do all strategies say the same of real code?
 *
 *     agree [-r SEED COUNT] [-s SAMPLES] [-x EXECUTIONS] [-v] OBJECT...
 *
 * Each scenario is explored with every bound on preemptions by dfs, which runs
 * every schedule, and by those that leave some out.
 *
 * - Not judged, every execution runs to its end: dpor must see the same set of
 *   histories as dfs, the same answers, races and deadlocks.
 * - An object that keeps its answers in memory has no state that stands for
 *   two sets of them, so states must see the same answers, too.
 * - Judged, the first violation ends it: dpor and states must see one if and
 *   only if dfs does.  Only that operations wait for a call that nobody makes
 *   dpor may see within a bound that is too small for dfs.
 *
 * What a strategy sees behind a fault of the target depends on its order, so
 * of faults only whether there is one is compared.  A scenario that dfs cannot
 * finish within EXECUTIONS is compared as far as the others finish it.
 *
 * The scenarios are those of the object library and samples of what an object
 * offers, or with -r random texts for any_program.c, whose operations do what
 * their argument says.  */
#include "app/explore/driver/explore_samples.h"
#include "app/explore/driver/explore_target.h"
#include "app/objects/described_object.h"
#include "app/objects/library.h"
#include "base/rng.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MILLISECONDS = 20000, ALL = 99 };

static const unsigned bounds[] = { 0, 1, 2, ALL };

struct agreement {
    unsigned samples;
    uint64_t executions, seed;
    unsigned random; /* so many random programs */
    bool verbose;
    /* Counted. */
    unsigned scenarios, sets, verdicts, violations, left_out, wrong;
};

struct seen {
    bool finished; /* all there is, or a violation */
    bool violated; /* a violation                  */
    uint32_t kinds;
    struct job_description what;
    uint64_t histories, executions, history_set[2], answer_set[2];
};

struct how {
    const char *name;
    enum plumb_strategy strategy;
    enum job_calls calls;
};

static const struct how dfs = { "dfs", PLUMB_DFS, JOB_CALLS_SPLIT };
static const struct how merged = { "dfs, calls merged", PLUMB_DFS,
                                   JOB_CALLS_MERGED };
static const struct how dpor = { "dpor", PLUMB_DPOR, JOB_CALLS_SPLIT };
static const struct how states = { "states", PLUMB_STATES, JOB_CALLS_MERGED };

/* One scenario with one bound. */
struct question {
    struct exploration *e;
    struct agreement *a;
    const struct explore_scenario *scenario;
    unsigned bound;
    bool judged;
};

/* ---- asking ---- */

static void request(const struct question *q, const struct how *how,
                    struct job_request *r)
{
    exploration_request(q->e, q->scenario, r);
    r->strategy = how->strategy;
    r->calls = how->calls;
    r->bounded = q->bound != ALL;
    r->preemptions = q->bound;
    r->executions = q->a->executions;
    r->keep_going = !q->judged;
    if (!q->judged)
        r->spec[0] = r->plugin[0] = '\0';
}

static void look(const struct question *q, const struct job *job,
                 enum job_end end, struct seen *s)
{
    char why[256];
    for (uint32_t i = 0; i < job->findings; i++) {
        const struct job_finding *const f = &job->finding[i];
        s->kinds |= 1u << f->what.fault;
        s->violated |= !q->judged ||
                       exploration_judge(q->e, job, f, why) == JUDGED_VIOLATION;
    }
    s->finished =
        end == JOB_DONE && (job->exhausted || (q->judged && s->violated));
    s->histories = job->histories;
    s->executions = job->progress.executions;
    memcpy(s->history_set, job->history_set, sizeof s->history_set);
    memcpy(s->answer_set, job->answer_set, sizeof s->answer_set);
}

static struct seen ask(const struct question *q, const struct how *how)
{
    struct seen s = { .finished = false };
    struct explore_host_process h;
    if (!explore_host_open(&h))
        exit(2);
    request(q, how, &h.job->request);
    const enum job_end end = exploration_run_job(q->e, &h, MILLISECONDS);
    if (end == JOB_ERROR)
        exit(2);
    look(q, h.job, end, &s);
    explore_host_close(&h);
    if (q->a->verbose)
        printf("  %s%s, %u: %s, %s kinds %x, %" PRIu64 " executions, %" PRIu64
               " histories %016" PRIx64 "\n",
               how->name, q->judged ? ", judged" : "", q->bound,
               s.finished ? "finished" : "not finished",
               s.violated ? "violated" : "passed", s.kinds, s.executions,
               s.histories, s.history_set[0]);
    return s;
}

/* ---- comparing ---- */

static void wrong(const struct question *q, const struct how *how,
                  const char *what)
{
    q->a->wrong++;
    printf("%s: %s %s dfs: --preemptions ", q->e->target->given, how->name,
           what);
    printf(q->bound == ALL ? "all" : "%u", q->bound);
    printf(" --init '%s' --test '%s' --final '%s'%s\n", q->scenario->init,
           q->scenario->test, q->scenario->final,
           q->judged ? "" : ", not judged");
}

static bool same(const uint64_t a[2], const uint64_t b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

/* Executions that have these run to their end none the less. */
static bool runs_on(uint32_t kinds)
{
    return (kinds & ~(1u << FAULT_RACE | 1u << FAULT_DEADLOCK)) == 0;
}

static void compare_sets(const struct question *q, const struct seen *all,
                         const struct how *how)
{
    const struct seen some = ask(q, how);
    if (!some.finished) {
        q->a->left_out++;
        return;
    }
    q->a->sets++;
    if (!all->kinds != !some.kinds)
        wrong(q, how, "differs in whether it finds a fault from");
    if (!runs_on(all->kinds) || !runs_on(some.kinds))
        return;
    if (all->kinds != some.kinds)
        wrong(q, how, "finds other kinds of faults than");
    if (how->calls == JOB_CALLS_SPLIT &&
        !same(all->history_set, some.history_set))
        wrong(q, how, "sees other histories than");
    if (!same(all->answer_set, some.answer_set))
        wrong(q, how, "sees other answers than");
}

static bool only_waits(uint32_t kinds)
{
    return (kinds & ~(1u << FAULT_DEADLOCK | 1u << FAULT_LIVELOCK)) == 0;
}

/* Without a bound dfs must see it, too. */
static bool may_see_more(const struct question *q, const struct seen *some,
                         const struct how *how)
{
    struct question whole = *q;
    whole.bound = ALL;
    return how == &dpor && q->bound != ALL && some->violated &&
           only_waits(some->kinds) && ask(&whole, &dfs).violated;
}

static void compare_verdicts(const struct question *q, const struct seen *all,
                             const struct how *how)
{
    const struct seen some = ask(q, how);
    if (!some.finished) {
        q->a->left_out++;
        return;
    }
    q->a->verdicts++;
    if (all->violated != some.violated && !may_see_more(q, &some, how))
        wrong(q, how,
              some.violated ? "finds a violation, unlike"
                            : "finds no violation, unlike");
}

static void ask_for_sets(struct question q)
{
    q.judged = false;
    const struct seen all = ask(&q, &dfs);
    if (!all.finished) {
        q.a->left_out++;
        return;
    }
    compare_sets(&q, &all, &dpor);
    if (q.a->random) {
        compare_sets(&q, &all, &merged);
        compare_sets(&q, &all, &states);
    }
}

/* Where dfs takes too long, dpor stands for it. */
static void ask_for_verdicts(struct question q)
{
    q.judged = true;
    struct seen all = ask(&q, &dfs);
    const bool whole = all.finished;
    if (!whole)
        all = ask(&q, &dpor);
    if (!all.finished) {
        q.a->left_out++;
        return;
    }
    q.a->violations += all.violated;
    if (whole) {
        compare_verdicts(&q, &all, &merged);
        compare_verdicts(&q, &all, &dpor);
    }
    compare_verdicts(&q, &all, &states);
}

static void compare(struct exploration *e, struct agreement *a,
                    const struct explore_scenario *s)
{
    a->scenarios++;
    if (a->verbose)
        printf("%s: %s / %s / %s\n", e->target->given, s->init, s->test,
               s->final);
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        const struct question q = {
            .e = e, .a = a, .scenario = s, .bound = bounds[i]
        };
        ask_for_sets(q);
        if (!a->random)
            ask_for_verdicts(q);
    }
    fflush(stdout);
}

/* ---- scenarios ---- */

static void copy(char to[JOB_TEXT], const char *text)
{
    snprintf(to, JOB_TEXT, "%s", text ? text : "");
}

/* What is before them is drawn as well, unless it is given. */
static void compare_samples(struct exploration *e, struct agreement *a,
                            const char *init, const char *final)
{
    static const struct {
        unsigned threads, ops;
    } shape[] = { { 2, 1 }, { 2, 2 }, { 3, 1 }, { 3, 2 } };
    struct plumb_object object;
    struct explore_scenario s;
    struct explore_samples samples;
    if (!objects_described_object(&e->what, &object))
        exit(2);
    copy(s.final, final ? final : e->what.final);
    for (unsigned i = 0; a->samples && i < 4; i++) {
        const struct explore_samples_wanted wanted = { .threads =
                                                           shape[i].threads,
                                                       .ops = shape[i].ops,
                                                       .count = a->samples,
                                                       .init = init ? 0 : 2,
                                                       .seed = a->seed + i };
        if (!explore_samples_draw(&samples, &object, &wanted))
            exit(2);
        for (unsigned k = 0; k < samples.count; k++) {
            copy(s.init, init ? init : samples.init[k]);
            copy(s.test, samples.test[k]);
            compare(e, a, &s);
        }
        explore_samples_release(&samples);
    }
}

static void compare_library(struct exploration *e, struct agreement *a)
{
    struct objects_library l;
    struct explore_scenario s;
    if (!objects_library_open(&l))
        exit(2);
    const struct objects_library_object *const o =
        objects_library_find(&l, e->target->given);
    if (o) {
        copy(s.init, o->init);
        copy(s.test, o->scenario);
        copy(s.final, o->final);
        compare(e, a, &s);
    }
    compare_samples(e, a, o ? o->init : NULL, o ? o->final : NULL);
    objects_library_close(&l);
}

static void draw_program(struct plumb_base_rng *rng, const char *letters,
                         char text[JOB_TEXT])
{
    const unsigned threads = 2 + (plumb_base_rng_below(rng, 4) == 0);
    size_t used = 0;
    for (unsigned t = 0; t < threads; t++) {
        const uint64_t ops = 1 + (plumb_base_rng_below(rng, 4) == 0);
        used += (size_t)snprintf(text + used, JOB_TEXT - used, t ? " | " : "");
        for (uint64_t o = 0; o < ops; o++) {
            uint64_t length =
                1 + plumb_base_rng_below(rng, threads == 2 ? 5 : 3);
            used += (size_t)snprintf(text + used, JOB_TEXT - used, " run(\"");
            while (length--)
                text[used++] = letters[plumb_base_rng_below(
                    rng, (uint32_t)strlen(letters))];
            used += (size_t)snprintf(text + used, JOB_TEXT - used, "\")");
        }
    }
}

/* Some letters each, so that what they do meets more often. */
static void compare_random(struct exploration *e, struct agreement *a)
{
    struct plumb_base_rng rng;
    struct explore_scenario s = { .init = "" };
    plumb_base_rng_seed(&rng, a->seed);
    for (unsigned i = 0; i < a->random; i++) {
        const char *const all = e->what.operation[0].words[0];
        char letters[8] = "";
        for (unsigned k = 0; k < 5; k++)
            letters[k] = all[plumb_base_rng_below(&rng, (uint32_t)strlen(all))];
        draw_program(&rng, letters, s.test);
        compare(e, a, &s);
    }
}

static enum console_status work(struct exploration *e, void *context)
{
    struct agreement *const a = context;
    if (a->random)
        compare_random(e, a);
    else
        compare_library(e, a);
    return STATUS_HOLDS;
}

/* ---- the whole ---- */

static void compare_object(struct agreement *a, const char *object)
{
    const struct explore_settings with = { .object = object,
                                           .races = JOB_RACES_REPORT,
                                           .random = 2,
                                           .jobs = 1,
                                           .quiet = true };
    if (explore_with(&with, NULL, true, work, a) != STATUS_HOLDS)
        exit(2);
}

static void compare_all(struct agreement *a)
{
    struct objects_library l;
    if (!objects_library_open(&l))
        exit(2);
    for (size_t i = 0; i < l.count; i++)
        compare_object(a, l.object[i].name);
    objects_library_close(&l);
}

int main(int argc, char **argv)
{
    struct agreement a = { .executions = 20000, .seed = 1 };
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (!strcmp(argv[i], "-v"))
            a.verbose = true;
        else if (!strcmp(argv[i], "-s") && i + 1 < argc)
            a.samples = (unsigned)strtoul(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "-x") && i + 1 < argc)
            a.executions = strtoull(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "-r") && i + 2 < argc) {
            a.seed = strtoull(argv[++i], NULL, 10);
            a.random = (unsigned)strtoul(argv[++i], NULL, 10);
        } else
            return 2;
    }
    if (i == argc)
        compare_all(&a);
    for (; i < argc; i++)
        compare_object(&a, argv[i]);
    printf("%u scenarios: %u sets of histories and %u verdicts compared, %u "
           "violations, %u left out, %u wrong\n",
           a.scenarios, a.sets, a.verdicts, a.violations, a.left_out, a.wrong);
    return a.wrong != 0;
}
