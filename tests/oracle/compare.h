/* compare.h - does libplumb judge a history as the oracle does? */
#ifndef COMPARE_H
#define COMPARE_H

#include <plumb/check.h>
#include <stdio.h>

struct comparison {
    const char *spec_text; /* for the oracle */
    struct plumb_spec *spec;
    struct plumb_builder *builder; /* for parts of histories */
    uint64_t cores, minimal;       /* shrunk so far */
    uint64_t judged;               /* hash of the core judged last */
};

/* Compare all ways to ask, with a core if `with_core`.  False: they differ,
 * and `why` says how. */
bool compare(struct comparison *c, const struct plumb_history *h,
             bool linearizable, bool with_core, char why[512]);

/* Leave out operations as long as some difference remains, and print what is
 * left as native text. */
void print_smallest_difference(struct comparison *c,
                               const struct plumb_history *h, bool with_core,
                               FILE *out);

#endif
