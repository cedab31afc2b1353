/* marks.h - what operations that are open leave in a state: weak answers.
 *
 * A weak state is its items, which have a store of their own, and marks, each
 * of an operation that is open (docs/weak-answers.md has the definitions):
 *
 *   ADDING    its item is there; `at` is where
 *   REMOVING  it took an item; `at` is the place of the slot it freed, among
 *             the free ones, the oldest first (gap and claim)
 *   HOLDING   it is going to add an item, and has taken a node (pool)
 *   SEEKING   it must not answer `empty` yet: of the items that were complete
 *             when it was called, `deficit` more are there than other removals
 *             overlapped it (scan); `at` is its rank among those, by call
 *   LATER     the items at `at`, `deficit` of them, were not complete when the
 *             removals up to rank `whose` were called, but are by now (scan)
 *
 * Where an item is: in a queue its place, from the next to leave on; in a bag
 * its value.  A SEEKING mark without a deficit is no mark, and where there is
 * none, nothing is LATER: so states that allow the same are equal. */
#ifndef PLUMB_SPEC_WEAK_MARKS_H
#define PLUMB_SPEC_WEAK_MARKS_H

#include "spec/spec.h"

enum plumb_spec_mark_kind {
    PLUMB_MARK_ADDING,
    PLUMB_MARK_REMOVING,
    PLUMB_MARK_HOLDING,
    PLUMB_MARK_SEEKING,
    PLUMB_MARK_LATER
};

struct plumb_spec_mark {
    uint32_t kind, whose, at, deficit;
};

/* The state that is being worked on. */
struct plumb_spec_marks {
    uint32_t items;   /* their number in their store */
    uint32_t seekers; /* removals that are open, if the scan is weak */
    struct plumb_spec_mark *mark;
    uint32_t count;
    size_t capacity;
    uint32_t *bytes; /* as they are stored */
    size_t bytes_capacity;
};

void plumb_spec_marks_release(struct plumb_spec_space *space,
                              struct plumb_spec_marks *m);

/* Take state `s` up; put it down.  False and PLUMB_NO_STATE when memory is used
 * up. */
bool plumb_spec_marks_load(struct plumb_spec_space *space,
                           struct plumb_spec_marks *m, plumb_spec_state s);
plumb_spec_state plumb_spec_marks_store(struct plumb_spec_space *space,
                                        struct plumb_spec_marks *m);

/* The items of a state. */
uint32_t plumb_spec_marks_items(const struct plumb_spec_space *space,
                                plumb_spec_state s);

/* One more; false when memory is used up. */
bool plumb_spec_marks_add(struct plumb_spec_space *space,
                          struct plumb_spec_marks *m,
                          enum plumb_spec_mark_kind kind, uint32_t whose,
                          uint32_t at, uint32_t deficit);
void plumb_spec_marks_drop(struct plumb_spec_marks *m, uint32_t i);

/* The one of this kind and operation; UINT32_MAX if there is none. */
uint32_t plumb_spec_marks_find(const struct plumb_spec_marks *m,
                               enum plumb_spec_mark_kind kind, uint32_t whose);

uint32_t plumb_spec_marks_count(const struct plumb_spec_marks *m,
                                enum plumb_spec_mark_kind kind);
bool plumb_spec_marks_has(const struct plumb_spec_marks *m,
                          enum plumb_spec_mark_kind kind, uint32_t at);

/* The first place is gone: what was there is forgotten, all others move up. */
void plumb_spec_marks_shift(struct plumb_spec_marks *m,
                            enum plumb_spec_mark_kind kind);

/* ---- scan ---- */

/* A removal is called while so many items are complete.  False when memory is
 * used up. */
bool plumb_spec_marks_seek(struct plumb_spec_space *space,
                           struct plumb_spec_marks *m, uint32_t whose,
                           uint32_t complete);
/* It returns. */
void plumb_spec_marks_end_seeking(struct plumb_spec_marks *m, uint32_t whose);

/* The addition of a mark returns: its item is complete from now on. */
void plumb_spec_marks_complete(struct plumb_spec_marks *m, uint32_t adding);

/* An item is removed that the removals up to rank `rank` do not count: it was
 * not complete when they were called.  PLUMB_SEEN_BY_ALL: none does not. */
#define PLUMB_SEEN_BY_ALL UINT32_MAX
void plumb_spec_marks_miss(struct plumb_spec_marks *m, uint32_t rank);

/* The marks of a state, each with a blank before it. */
void plumb_spec_marks_show(const struct plumb_spec_space *space,
                           plumb_spec_state s, struct plumb_base_text *out);

#endif
