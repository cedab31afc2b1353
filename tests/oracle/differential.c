/* differential.c - every decider against brute force, on all small histories
 * and on random ones.
 *
 *     differential [--spec NAME] [--exhaustive | --sample M] [--random N]
 *                  [--seed S] [--share I/N]
 *
 * --sample M takes every M-th history of the exhaustive enumeration.  Random
 * history number i has seed S + i: a difference is reported with its seed, and
 * `--random 1 --seed` shows it again.  --share 1/2 and --share 2/2 divide the
 * specifications among two runs. */
#include "compare.h"
#include "oracle.h"
#include "tally.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *spec;
    uint64_t sample, random, seed;
    unsigned share, shares; /* of the specifications: every shares-th */
};

/* Which histories are also asked for a core: one in so many. */
#define CORE_EVERY 4

struct session {
    const struct settings *settings;
    struct alphabet alphabet;
    struct plumb_builder *builder;
    struct comparison comparison;
    struct tally small, random;
};

static void report_difference(struct session *s, const struct plumb_history *h,
                              bool with_core, const char *why,
                              const char *source, uint64_t number)
{
    fprintf(stderr, "%s: %s %" PRIu64 ": %s\n", s->comparison.spec_text, source,
            number, why);
    print_smallest_difference(&s->comparison, h, with_core, stderr);
}

static bool examine(struct session *s, const struct draft *d, bool with_core,
                    struct tally *tally, const char *source, uint64_t number)
{
    const char *const spec = s->comparison.spec_text;
    struct plumb_history h;
    char why[512];
    draft_build(&s->alphabet, d, s->builder, &h);
    const bool verdict = oracle_linearizable(&h, spec);
    tally_add(tally, d, verdict);
    if (verdict && !oracle_order_is(&h, spec, ORACLE_BY_CALL) &&
        !oracle_order_is(&h, spec, ORACLE_BY_RETURN))
        tally_add_other(tally);
    const bool agrees = compare(&s->comparison, &h, verdict, with_core, why);
    if (!agrees)
        report_difference(s, &h, with_core, why, source, number);
    plumb_history_release(&h);
    return agrees;
}

static bool examine_small(struct session *s)
{
    static struct exhaustive e;
    uint64_t taken = 0;
    for (unsigned ops = 1; ops <= 4; ops++) {
        exhaustive_init(&e, &s->alphabet, ops);
        for (uint64_t i = 0; i < e.count; i += s->settings->sample) {
            struct draft d;
            exhaustive_draft(&e, i, &d);
            if (!examine(s, &d, taken++ % CORE_EVERY == 0, &s->small,
                         "history number", i))
                return false;
        }
    }
    return true;
}

static bool examine_random(struct session *s)
{
    for (uint64_t i = 0; i < s->settings->random; i++) {
        const uint64_t seed = s->settings->seed + i;
        struct draft d;
        random_draft(&s->alphabet, seed, &d);
        if (!examine(s, &d, seed % CORE_EVERY == 0, &s->random, "seed", seed))
            return false;
    }
    return true;
}

/* Were the random histories varied enough to mean anything?  With too few
 * there is no telling. */
static bool is_varied(const struct tally *t)
{
    const double linearizable = tally_linearizable(t);
    if (t->histories < 2000)
        return true;
    if (linearizable < 30 || linearizable > 70 || tally_other(t) < 10) {
        fprintf(stderr, "%s: the random histories are one-sided\n",
                t->alphabet->domain->spec);
        return false;
    }
    return tally_covers(t);
}

/* Shrinking may give up where it takes too many steps, but seldom does. */
static bool is_mostly_minimal(const struct comparison *c)
{
    if (c->minimal * 100 >= c->cores * 95)
        return true;
    fprintf(stderr, "%s: few cores are minimal\n", c->spec_text);
    return false;
}

static void print_tallies(const struct session *s)
{
    printf("%-30s", s->comparison.spec_text);
    if (s->small.histories)
        printf(" small %8" PRIu64 ", %4.1f%% linearizable;", s->small.histories,
               tally_linearizable(&s->small));
    if (s->random.histories)
        printf(" random %7" PRIu64 ", %4.1f%% linearizable, %4.1f%% of them "
               "in another order;",
               s->random.histories, tally_linearizable(&s->random),
               tally_other(&s->random));
    printf(" %" PRIu64 " cores, %" PRIu64 " minimal\n", s->comparison.cores,
           s->comparison.minimal);
    fflush(stdout);
}

static bool examine_domain(const struct domain *domain,
                           const struct settings *settings, uint64_t *histories)
{
    static struct session s;
    struct plumb_error err;
    s = (struct session){ .settings = settings,
                          .comparison.spec_text = domain->spec };
    alphabet_init(&s.alphabet, domain);
    s.small.alphabet = s.random.alphabet = &s.alphabet;
    s.builder = plumb_builder_new(NULL);
    s.comparison.builder = plumb_builder_new(NULL);
    bool agrees =
        plumb_spec_parse(domain->spec, &s.comparison.spec, &err) == PLUMB_OK;
    if (!agrees)
        fprintf(stderr, "%s: %s\n", domain->spec, err.message);
    else
        agrees = (!settings->sample || examine_small(&s)) &&
                 examine_random(&s) && is_varied(&s.random) &&
                 is_mostly_minimal(&s.comparison);
    print_tallies(&s);
    *histories += s.small.histories + s.random.histories;
    plumb_spec_free(s.comparison.spec);
    plumb_builder_free(s.comparison.builder);
    plumb_builder_free(s.builder);
    return agrees;
}

static int usage(void)
{
    fputs("usage: differential [--spec NAME] [--exhaustive | --sample M] "
          "[--random N] [--seed S] [--share I/N]\n",
          stderr);
    return 2;
}

static bool parse(int argc, char **argv, struct settings *s)
{
    for (int i = 1; i < argc; i++) {
        const char *const name = argv[i];
        if (!strcmp(name, "--exhaustive")) {
            s->sample = 1;
            continue;
        }
        if (++i == argc)
            return false;
        if (!strcmp(name, "--spec"))
            s->spec = argv[i];
        else if (!strcmp(name, "--sample"))
            s->sample = strtoull(argv[i], NULL, 10);
        else if (!strcmp(name, "--random"))
            s->random = strtoull(argv[i], NULL, 10);
        else if (!strcmp(name, "--seed"))
            s->seed = strtoull(argv[i], NULL, 10);
        else if (strcmp(name, "--share") != 0 ||
                 sscanf(argv[i], "%u/%u", &s->share, &s->shares) != 2 ||
                 !s->shares)
            return false;
    }
    return s->sample || s->random;
}

int main(int argc, char **argv)
{
    struct settings settings = { .seed = 1, .share = 1, .shares = 1 };
    unsigned specs = 0, wrong = 0;
    uint64_t histories = 0;
    if (!parse(argc, argv, &settings))
        return usage();
    for (unsigned i = 0; i < domain_count; i++) {
        if (i % settings.shares != settings.share - 1 ||
            (settings.spec && strcmp(settings.spec, domains[i].spec) != 0))
            continue;
        specs++;
        wrong += !examine_domain(&domains[i], &settings, &histories);
    }
    printf("%u specifications, %" PRIu64 " histories, seed %" PRIu64
           ": %u disagree\n",
           specs, histories, settings.seed, wrong);
    return wrong || !specs;
}
