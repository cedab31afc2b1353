/* live_front.h - one key where operations overlap (live_few.h). */
#ifndef PLUMB_CHECK_LIVE_FRONT_H
#define PLUMB_CHECK_LIVE_FRONT_H

#include "live_few.h"

enum {
    PLUMB_FRONT_SLOTS = 32, /* open operations */
    PLUMB_FRONT_IDS = 64,   /* states */
    PLUMB_FRONT_MOST = 4096 /* configurations, usually */
};

/* A state, which of the open operations have changed it so far, and what each
 * could answer without having changed anything.  States go by their id. */
struct plumb_front_config {
    uint32_t done;
    uint8_t state;
    uint8_t got[PLUMB_FRONT_SLOTS];   /* of those done: bit, or id of a state */
    uint64_t seen[PLUMB_FRONT_SLOTS]; /* a set of bits, or of ids */
};

struct plumb_front_list {
    struct plumb_front_config *config;
    size_t capacity;
    uint32_t count;
};

struct plumb_front {
    struct plumb_live_deed deed[PLUMB_FRONT_SLOTS];
    uint64_t called[PLUMB_FRONT_SLOTS];
    uint32_t used, info; /* slots; info: they never return */
    uint32_t next_free;
    uint64_t ids;                    /* in use */
    uint32_t state[PLUMB_FRONT_IDS]; /* by id */
    struct plumb_front_list list;
};

/* Where configurations are made; for all fronts of a machine.  Zeroed but for
 * the first three. */
struct plumb_front_search {
    const struct plumb_live_few_type *type;
    struct plumb_budget *budget;
    uint32_t most; /* configurations */
    struct plumb_front_list queue, out;
    bool full;    /* too many configurations, or states */
    bool no_room; /* memory is used up */
};

void plumb_front_search_release(struct plumb_front_search *s);

/* `front` is zeroed, or was emptied; false when memory is used up. */
bool plumb_front_start(struct plumb_front_search *s, struct plumb_front *front,
                       uint32_t state);

void plumb_front_release(struct plumb_front_search *s,
                         struct plumb_front *front);

/* The slot of a call, or SLOTS if there is none. */
uint32_t plumb_front_call(struct plumb_front_search *s,
                          struct plumb_front *front,
                          const struct plumb_live_deed *d, uint64_t call);

/* GOOD, VIOLATED, NO_ROOM, or DECLINED: too much at once. */
enum plumb_live_word plumb_front_return(struct plumb_front_search *s,
                                        struct plumb_front *front,
                                        uint32_t slot, uint32_t answer);
enum plumb_live_word plumb_front_fail(struct plumb_front_search *s,
                                      struct plumb_front *front, uint32_t slot);
void plumb_front_info(struct plumb_front_search *s, struct plumb_front *front,
                      uint32_t slot);

/* Vacate the slots of those that never return and of which nothing is left; which
 * they were. */
uint32_t plumb_front_settle(const struct plumb_front_search *s,
                            struct plumb_front *front);

/* States that nothing refers to. */
uint64_t plumb_front_unused(const struct plumb_front_search *s,
                            const struct plumb_front *front);

#endif
