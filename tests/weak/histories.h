/* histories.h - small histories: in words, all of them, or by chance. */
#ifndef WEAK_HISTORIES_H
#define WEAK_HISTORIES_H

#include "base/rng.h"
#include "definition.h"
#include <plumb/history.h>
#include <stdint.h>
#include <stdio.h>

/* "A enq1( B enq2( B)ok B deq( B)empty A)ok": a thread calls, or returns; an
 * addition takes the digit behind it.  Of removals answers are digits, too.
 * Stops the program if it is not understood. */
struct history weak_read(const char *words);

void weak_print(const struct history *h, FILE *out);

/* What the operations are called, by kind; NULL if there is none. */
struct names {
    const char *kind[PEEK + 1];
};
extern const struct names weak_queue_names, weak_stack_names, weak_bag_names;

/* The answer of an operation in the library's words. */
const char *weak_term(const struct op *o);
/* Has it an argument?  Has its answer a value? */
bool weak_adds(const struct op *o);
bool weak_has_value(const struct op *o);

/* As a history of the library, with the object "q" and threads "0", "1", ... */
struct plumb_history weak_build(const struct history *h,
                                const struct names *names,
                                struct plumb_builder *b);

/* The first events alone; and without some operations, or without responses:
 * bit i is operation i. */
struct history weak_weaken(const struct history *h, unsigned kept,
                           unsigned forgotten, int cut);

/* All histories of up to `ops` additions and removals on at most three threads,
 * complete or not: values are numbered in the order of the calls, no item is
 * removed twice or before it is added, and none that was answered `full`.
 * Threads that are free are alike: the first one calls.  With `full` additions
 * may answer that. */
typedef void weak_visit(const struct history *h, void *context);
void weak_enumerate(int ops, bool full, weak_visit *visit, void *context);

/* What there may be in a random history. */
struct mixture {
    enum container container;
    int cap;                  /* 0: none */
    int ops, threads, values; /* values 0: all different */
    bool waits, peeks;
};
struct history weak_random(struct plumb_base_rng *rng, const struct mixture *m);

#endif
