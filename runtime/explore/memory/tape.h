/* tape.h - a moment of an execution, written down and read back.
 *
 * Whoever has a part of the world passes it over the tape, piece by piece.  To
 * write and to read is one function, so both have the same pieces in the same
 * order: what is passed first may say what follows. */
#ifndef PLUMB_RUNTIME_EXPLORE_MEMORY_TAPE_H
#define PLUMB_RUNTIME_EXPLORE_MEMORY_TAPE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct memory_tape {
    char *at, *end;
    bool reads;   /* the world becomes what the tape says */
    bool refused; /* it has no room, or somebody cannot be put back */
};

static inline void memory_tape_pass(struct memory_tape *t, void *what,
                                    size_t size)
{
    if (size > (size_t)(t->end - t->at)) {
        assert(!t->reads);
        t->refused = true;
        return;
    }
    if (t->reads)
        memcpy(what, t->at, size);
    else
        memcpy(t->at, what, size);
    t->at += size;
}

#endif
