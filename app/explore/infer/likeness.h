/* likeness.h - which built-in specification does an object behave like?
 *
 * Asked of an object whose specification was inferred: a built-in one agrees if
 * every serial history of every test is one of its own. */
#ifndef PLUMB_APP_EXPLORE_INFER_LIKENESS_H
#define PLUMB_APP_EXPLORE_INFER_LIKENESS_H

#include "app/explore/driver/exploration.h"
#include "base/text.h"

enum { EXPLORE_LIKENESS_NAME = 64 }; /* of an operation: 63 bytes */

struct explore_likeness;

/* names: "add=enq,take=deq", what built-in specifications call operations; or
 * NULL.  NULL when memory is used up. */
struct explore_likeness *explore_likeness_open(const char *names);
void explore_likeness_close(struct explore_likeness *l);

/* One more test: what does not agree with its serial histories is left out. */
void explore_likeness_add(struct explore_likeness *l, const struct job *job);

/* "queue:cap=2", "queue or semiqueue"; "" if none agrees, or there was no test. */
void explore_likeness_show(const struct explore_likeness *l,
                           struct plumb_base_text *out);

#endif
