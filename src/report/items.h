/* items.h - what the operations of a core say about the items of a container.
 *
 * An item is *surely inside* from the return of the operation that added it
 * until the first call of one that may take it.  A pending operation may have
 * taken anything. */
#ifndef PLUMB_REPORT_ITEMS_H
#define PLUMB_REPORT_ITEMS_H

#include "story.h"

enum plumb_report_item_role { ADD, TAKE, LOOK, COUNT, UNKNOWN };

/* One operation.  `item`: what it added, took or saw, as far as that is known
 * (a pair for some priority queues). */
struct plumb_report_item_fact {
    enum plumb_report_item_role role;
    bool says_empty; /* nothing, or no such item, was inside */
    bool says_full;
    const struct plumb_value *item;
    unsigned size; /* of the item; 0: it is not known */
};

struct plumb_report_item_kind {
    const char *types;
    const char *add, *take, *look;
    const char *added, *took; /* what somebody did with an item */
};

struct plumb_report_items {
    const struct plumb_report_story *story;
    const struct plumb_report_scene *scene; /* the story's */
    const struct plumb_report_item_kind *kind;
    const struct plumb_report_item_fact *fact;
    uint32_t count;
    bool fifo, lifo, largest_first, smallest_first, stutters;
    bool lenient; /* may answer empty although something is there */
};

/* Read the operations of a story about an object of that type.  False: it is
 * no container, or something is said that is not understood. */
bool plumb_report_items_read(const struct plumb_report_story *s,
                             const char *type, struct plumb_report_items *m);

/* The text of the item of `i`; lives as long as the story's arena. */
const char *plumb_report_items_text(const struct plumb_report_items *m,
                                    uint32_t i);

/* nil < false < true < integers < strings, as docs/specifications.md has it. */
int plumb_report_items_compare(const struct plumb_report_items *m,
                               struct plumb_value a, struct plumb_value b);

/* Patterns of relaxed objects: operation i took an item that too many were
 * ahead of, or the item that it added was overtaken too often. */
bool plumb_report_items_left_early(const struct plumb_report_items *m,
                                   uint32_t i);
bool plumb_report_items_overtaken(const struct plumb_report_items *m,
                                  uint32_t i);

bool plumb_report_items_same(const struct plumb_report_item_fact *a,
                             const struct plumb_report_item_fact *b);

/* Did the i-th surely add, or may it have added, the item of `f`? */
bool plumb_report_items_may_add(const struct plumb_report_items *m, uint32_t i,
                                const struct plumb_report_item_fact *f);
bool plumb_report_items_surely_adds(const struct plumb_report_items *m,
                                    uint32_t i);

/* It returned, and answered an item; and took it. */
bool plumb_report_items_answers(const struct plumb_report_items *m, uint32_t i);
bool plumb_report_items_surely_takes(const struct plumb_report_items *m,
                                     uint32_t i);

/* How many may have added the item of `f`, and which was the last? */
uint32_t plumb_report_items_count_adds(const struct plumb_report_items *m,
                                       const struct plumb_report_item_fact *f,
                                       uint32_t *last);

/* Is the item of `i` added by one operation alone?  That one, or m->count. */
uint32_t plumb_report_items_only_adder(const struct plumb_report_items *m,
                                       uint32_t i);

/* The operation whose call ends the time in which what `add` added is surely
 * inside; m->count if there is none.  And the rank of that call. */
uint32_t plumb_report_items_first_taker(const struct plumb_report_items *m,
                                        uint32_t add);
uint32_t plumb_report_items_inside_until(const struct plumb_report_items *m,
                                         uint32_t add);

/* Was what `add` added inside during all of operation `i`? */
bool plumb_report_items_inside_throughout(const struct plumb_report_items *m,
                                          uint32_t add, uint32_t i);

/* Of the items inside at `rank` (of that item, if `only` has one), the one
 * that surely stays longest: who added it, or m->count. */
uint32_t plumb_report_items_longest_inside(
    const struct plumb_report_items *m, uint32_t rank,
    const struct plumb_report_item_fact *only);

#endif
