/* definition.h - weak answers, by the table of docs/weak-answers.md alone.
 *
 * Every operation that takes effect does so at an instant between its call and
 * its return, and of these instants all are tried, one after another.  At each,
 * the conditions of the table are looked up in the history itself: which items
 * were added and removed so far, in which order, by whom, and which of those
 * operations have not returned.  Nothing is remembered. */
#ifndef WEAK_DEFINITION_H
#define WEAK_DEFINITION_H

#include <limits.h>
#include <stdbool.h>

enum { WEAK_OPS = 10, NEVER = INT_MAX, NOTHING = INT_MIN };

enum container { QUEUE, STACK, BAG };

/* `overlap` and `other side` are no specifications of ours: they accept too
 * much, and counts show how much. */
enum weakness { STRICT, GAP, CLAIM, POOL, SCAN, OVERLAP, OTHER_SIDE };

struct rules {
    enum container container;
    enum weakness weakness;
    int cap; /* 0: none */
};

/* PUT and TAKE wait where there is no room, or no item. */
enum kind { ADD, PUT, REMOVE, TAKE, PEEK };
enum answer { PENDING, OK, REFUSED };

struct op {
    enum kind kind;
    enum answer answer;
    int value; /* that is added; or of an answer OK */
    int thread;
    int call, ret; /* places in the list of events */
};

struct event {
    int op;
    bool is_return;
};

struct history {
    int count, events;
    struct op op[WEAK_OPS];
    struct event event[2 * WEAK_OPS];
};

bool weak_is_legal(const struct history *h, const struct rules *r);

/* Is there a legal order of all completed operations after which open operation
 * `op`, alone, waits?  The other open ones are removed. */
bool weak_may_wait(const struct history *h, const struct rules *r, int op);

#endif
