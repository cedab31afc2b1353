/* read_gate.h - what many threads read and one thread changes now and then.
 *
 * A reader has a seat of its own.  It says there that it is inside, then looks
 * whether the gate is closed; the writer closes the gate, then looks at every
 * seat.  In the one order that sequentially consistent operations have, one of
 * the two comes first: the reader sees a closed gate and goes out again, or the
 * writer sees it inside and waits.  So entering costs a store to memory that
 * nobody else writes, and as long as nothing is changed nobody waits.
 *
 * The writer is always the same thread, and may read without entering. */
#ifndef PLUMB_BASE_READ_GATE_H
#define PLUMB_BASE_READ_GATE_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct plumb_base_seat {
    alignas(64) atomic_bool inside;
    struct plumb_base_seat *next;
};

/* All zeros in the beginning: open, nobody there. */
struct plumb_base_gate {
    atomic_bool closed;
    unsigned depth; /* closed so often */
    struct plumb_base_seat *seat;
};

/* By the writer, while the seat's thread does not run. */
void plumb_base_gate_add(struct plumb_base_gate *g, struct plumb_base_seat *s);
void plumb_base_gate_remove(struct plumb_base_gate *g,
                            struct plumb_base_seat *s);

/* Is there a reader at all? */
static inline bool plumb_base_gate_has_readers(const struct plumb_base_gate *g)
{
    return g->seat != NULL;
}

/* By the writer; may be nested.  Nobody is inside while it is closed.  A gate
 * that is NULL has no readers. */
void plumb_base_gate_close(struct plumb_base_gate *g);
void plumb_base_gate_open(struct plumb_base_gate *g);

void plumb_base_gate_enter(struct plumb_base_gate *g,
                           struct plumb_base_seat *s);
void plumb_base_gate_exit(struct plumb_base_seat *s);

#endif
