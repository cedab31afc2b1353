/* count.c - how many of all small histories each kind of weak answers accepts.
 *
 *     weak-count [--cap N] OPS
 *
 * The counts are in docs/weak-answers.md. */
#include "histories.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const name[] = { "strict", "gap",     "claim",     "pool",
                                    "scan",   "overlap", "other side" };
enum { KINDS = sizeof name / sizeof *name };

struct counting {
    int cap;
    uint64_t all, accepted[KINDS];
};

static void count(const struct history *h, void *context)
{
    struct counting *const c = context;
    c->all++;
    for (int k = 0; k < KINDS; k++) {
        const struct rules rules = { QUEUE, (enum weakness)k, c->cap };
        c->accepted[k] += weak_is_legal(h, &rules);
    }
}

int main(int argc, char **argv)
{
    const bool bounded = argc == 4 && strcmp(argv[1], "--cap") == 0;
    struct counting c = { .cap = bounded ? atoi(argv[2]) : 0 };
    if (!bounded && argc != 2) {
        fprintf(stderr, "usage: weak-count [--cap N] OPS\n");
        return 2;
    }
    weak_enumerate(atoi(argv[argc - 1]), bounded, count, &c);
    printf("%10" PRIu64 "  all\n", c.all);
    for (int k = 0; k < KINDS; k++)
        printf("%10" PRIu64 "  %s\n", c.accepted[k], name[k]);
    return 0;
}
