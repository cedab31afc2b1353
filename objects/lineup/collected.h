/* collected.h - memory that lasts until the history ends.
 *
 * The classes of .NET rely on a garbage collector: whoever still holds a node
 * may read it, and no node is used again while somebody does.  Here nothing is
 * freed before teardown, which comes to the same.  Each process keeps a list
 * of its own, so that allocating adds no synchronisation to the algorithms. */
#ifndef OBJECTS_LINEUP_COLLECTED_H
#define OBJECTS_LINEUP_COLLECTED_H

#include <plumb/object.h>
#include <stddef.h>
#include <stdlib.h>

enum { COLLECTED_PROCESSES = 65 }; /* the last: whoever is none of them */

struct collected {
    _Alignas(max_align_t) struct collected *next;
};

static struct collected *collected_made[COLLECTED_PROCESSES];

/* `size` bytes, all zeros. */
static inline void *collected_new(const plumb_invocation *i, size_t size)
{
    const unsigned process = plumb_process(i);
    const unsigned mine =
        process < COLLECTED_PROCESSES ? process : COLLECTED_PROCESSES - 1;
    struct collected *const c = calloc(1, sizeof *c + size);
    if (!c)
        abort();
    c->next = collected_made[mine];
    collected_made[mine] = c;
    return c + 1;
}

/* In teardown: no operation may be under way. */
static inline void collected_free_all(void)
{
    for (unsigned p = 0; p < COLLECTED_PROCESSES; p++)
        while (collected_made[p]) {
            struct collected *const next = collected_made[p]->next;
            free(collected_made[p]);
            collected_made[p] = next;
        }
}

#endif
