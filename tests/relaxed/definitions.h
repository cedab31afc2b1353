/* definitions.h - relaxed objects, as docs/relaxed-objects.md defines them.
 *
 * A sequence of operations is legal or not: nothing is a state machine here.
 * Sequences are looked at as a whole, and every way to say which of several
 * equal items left is tried. */
#ifndef RELAXED_DEFINITIONS_H
#define RELAXED_DEFINITIONS_H

#include <stdbool.h>

enum { LONGEST = 12, ABSENT = -1 };

enum object { A_QUEUE, A_STACK, A_PRIORITY_QUEUE };

/* A specification; ABSENT parameters are not given. */
struct relaxation {
    const char *text;
    enum object object;
    int k, early, late, segment, enq, deq, empty;
};

enum deed { ADDS, REMOVES, PEEKS, SAYS_EMPTY };

struct event {
    enum deed deed;
    int value;
};

struct sequence {
    int count;
    struct event at[LONGEST];
};

bool is_legal(const struct relaxation *r, const struct sequence *s);

/* Definition 4 of Round-Up with Q(enq) = E, Q(deq) = K, causality, and any
 * completion: permutations of whole histories that are first in, first out.
 * For sequences of additions and removals of different values. */
bool satisfies_definition_4(const struct sequence *s, int e, int k);

/* "queue:k=2", "stack:late=1"; aborts if it is not understood. */
struct relaxation read_relaxation(const char *text);

#endif
