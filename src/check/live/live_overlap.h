/* live_overlap.h - one key where operations overlap (live_small_state.h). */
#ifndef PLUMB_CHECK_LIVE_LIVE_OVERLAP_H
#define PLUMB_CHECK_LIVE_LIVE_OVERLAP_H

#include "live_small_state.h"

enum {
    PLUMB_OVERLAP_SLOTS = 32, /* open operations */
    PLUMB_OVERLAP_IDS = 64,   /* states */
    PLUMB_OVERLAP_MOST = 4096 /* configurations, usually */
};

/* A state, which of the open operations have changed it so far, and what each
 * could answer without having changed anything.  States go by their id. */
struct plumb_check_overlap_config {
    uint32_t done;
    uint8_t state;
    uint8_t got[PLUMB_OVERLAP_SLOTS]; /* of those done: bit, or id of a state */
    uint64_t seen[PLUMB_OVERLAP_SLOTS]; /* a set of bits, or of ids */
};

struct plumb_check_overlap_list {
    struct plumb_check_overlap_config *config;
    size_t capacity;
    uint32_t count;
};

struct plumb_check_overlap {
    struct plumb_check_live_deed deed[PLUMB_OVERLAP_SLOTS];
    uint64_t called[PLUMB_OVERLAP_SLOTS];
    uint32_t used, info; /* slots; info: they never return */
    uint32_t next_free;
    uint64_t ids;                      /* in use */
    uint32_t state[PLUMB_OVERLAP_IDS]; /* by id */
    struct plumb_check_overlap_list list;
};

/* Where configurations are made; for all overlaps of a machine, one at a time.
 * Zeroed but for the first three. */
struct plumb_check_overlaps {
    const struct plumb_check_live_small_state_type *type;
    struct plumb_budget *budget;
    uint32_t most;                       /* configurations */
    struct plumb_check_overlap *overlap; /* the one in hand */
    struct plumb_check_overlap_list queue, out;
    bool full;    /* too many configurations, or states */
    bool no_room; /* memory is used up */
};

void plumb_check_overlaps_release(struct plumb_check_overlaps *s);

/* `overlap` is zeroed, or was emptied; false when memory is used up. */
bool plumb_check_overlap_start(struct plumb_check_overlaps *s,
                               struct plumb_check_overlap *overlap,
                               uint32_t state);

void plumb_check_overlap_release(struct plumb_check_overlaps *s,
                                 struct plumb_check_overlap *overlap);

/* The slot of a call, or SLOTS if there is none. */
uint32_t plumb_check_overlap_call(struct plumb_check_overlaps *s,
                                  struct plumb_check_overlap *overlap,
                                  const struct plumb_check_live_deed *d,
                                  uint64_t call);

/* GOOD, VIOLATED, NO_ROOM, or DECLINED: too much at once. */
enum plumb_check_live_word plumb_check_overlap_return(
    struct plumb_check_overlaps *s, struct plumb_check_overlap *overlap,
    uint32_t slot, uint32_t answer);
enum plumb_check_live_word plumb_check_overlap_fail(
    struct plumb_check_overlaps *s, struct plumb_check_overlap *overlap,
    uint32_t slot);
void plumb_check_overlap_info(struct plumb_check_overlaps *s,
                              struct plumb_check_overlap *overlap,
                              uint32_t slot);

/* Vacate the slots of those that never return and of which nothing is left; which
 * they were. */
uint32_t plumb_check_overlap_settle(struct plumb_check_overlaps *s,
                                    struct plumb_check_overlap *overlap);

/* States that nothing refers to. */
uint64_t plumb_check_overlap_unused(struct plumb_check_overlaps *s,
                                    struct plumb_check_overlap *overlap);

#endif
