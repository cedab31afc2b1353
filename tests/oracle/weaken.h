/* weaken.h - parts of a history, as histories.
 *
 * The definitions of plumb/verify.h for cores, implemented again: which
 * weakenings of a history are allowed, and which single steps weaken a core
 * further. */
#ifndef WEAKEN_H
#define WEAKEN_H

#include "oracle.h"
#include <plumb/verify.h>

/* Which operations are kept, which of them are made pending, and from which
 * rank on there are no events.  Bit i is operation i of the history. */
struct weakening {
    uint32_t kept, forgotten;
    uint32_t cut;
};

/* The part as a history of its own; the caller releases it.  Every operation
 * gets a process of its own: real time is all that matters, and so an
 * operation without response blocks nobody. */
void weaken(const struct plumb_history *h, const struct weakening *w,
            struct plumb_builder *b, struct plumb_history *part);

/* NULL if `core` is what it claims: an allowed weakening of `h` that is not
 * linearizable by itself and, if `minimal`, is no more after any single step.
 * Else what is wrong with it. */
const char *core_fault(const struct plumb_history *h, const char *spec_text,
                       const struct plumb_core *core, bool minimal,
                       struct plumb_builder *b);

#endif
