/* race_log.h - what the race detector is to look at, written down until the
 * execution has ended.
 *
 * Of most executions nothing is wanted but whether they race at all, and for
 * most of them the prefilter tells that they do not (race_prefilter.h).  An
 * entry is two words:
 *
 *     where   address, 48 bits | size, 16 bits
 *     what    place, 48 bits   | kind, order, thread
 */
#ifndef PLUMB_RUNTIME_EXPLORE_RACES_RACE_LOG_H
#define PLUMB_RUNTIME_EXPLORE_RACES_RACE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum race_kind {
    RACE_WRITES = 1, /* of an access */
    RACE_READS = 2,  /* ... that is atomic, and does (also) read */
    RACE_ATOMIC = 4,
    RACE_FENCE = 8,
    RACE_ACQUIRE, /* of an object */
    RACE_RELEASE,
    RACE_SPAWN, /* `where` is the other thread */
    RACE_JOIN,
    RACE_FORGET
};

struct race_entry {
    uint64_t where, what;
};

enum { RACE_ENTRIES = 30000 };

/* Entries go to `next`.  Nothing is written down: both are the same; but there
 * may be somebody who takes what has no place. */
typedef bool race_taker(unsigned kind, unsigned thread, const void *pc,
                        const void *at, size_t size, int order);
struct race_log {
    struct race_entry *next, *end;
    race_taker *take; /* or NULL */
};
extern struct race_log race_log;

enum { RACE_ADDRESS_BITS = 48, RACE_KIND_BITS = 4, RACE_ORDER_BITS = 3 };

/* Write it to `e`.  False if `e` is `end`, or it does not fit. */
static inline bool race_entry_make(struct race_entry *e,
                                   const struct race_entry *end, unsigned kind,
                                   unsigned thread, const void *pc,
                                   const void *at, size_t size, int order)
{
    const uint64_t address = (uintptr_t)at, place = (uintptr_t)pc;
    if (e == end || address >> RACE_ADDRESS_BITS ||
        size >> (64 - RACE_ADDRESS_BITS))
        return false;
    const uint64_t how = thread << (RACE_KIND_BITS + RACE_ORDER_BITS) |
                         (unsigned)order << RACE_KIND_BITS | kind;
    e->where = address | size << RACE_ADDRESS_BITS;
    e->what = place | how << RACE_ADDRESS_BITS;
    return true;
}

/* False if there is no room for it: it is to be looked at at once. */
static inline bool race_note(unsigned kind, unsigned thread, const void *pc,
                             const void *at, size_t size, int order)
{
    struct race_entry *const e = race_log.next;
    if (!race_entry_make(e, race_log.end, kind, thread, pc, at, size, order))
        return race_log.take &&
               race_log.take(kind, thread, pc, at, size, order);
    race_log.next = e + 1;
    return true;
}

static inline bool race_note_plain(unsigned thread, const void *pc,
                                   const void *at, size_t size, bool writes)
{
    return race_note(writes ? RACE_WRITES : 0, thread, pc, at, size, 0);
}

static inline bool race_note_atomic(unsigned thread, const void *pc,
                                    const void *at, size_t size, bool reads,
                                    bool writes, int order)
{
    return race_note(RACE_ATOMIC | (reads ? RACE_READS : 0u) |
                         (writes ? RACE_WRITES : 0u),
                     thread, pc, at, size, order);
}

/* Write down from here on; look at all there is, and write no more down; the
 * same at the end of the execution, unless it is known that it does not race.
 * What races is handed to the scheduler. */
void race_log_open(void);
void race_log_look(void);
void race_log_settle(void);

/* It is written down. */
bool race_log_is_open(void);

/* Write no more down; what there is, [0, *count), is somebody else's to look
 * at. */
const struct race_entry *race_log_close(uint32_t *count);

/* Look at these, closely.  True if any races. */
bool race_entries_look(const struct race_entry *entry,
                       const struct race_entry *end);

/* races.c, for who looks. */
struct race;
bool races_look(const struct race_entry *e, struct race *race);

/* ---- of an entry ---- */

static inline const void *race_place(const struct race_entry *e)
{
    return (const void *)(uintptr_t)(e->what << (64 - RACE_ADDRESS_BITS) >>
                                     (64 - RACE_ADDRESS_BITS));
}

static inline const void *race_address(const struct race_entry *e)
{
    return (const void *)(uintptr_t)(e->where << (64 - RACE_ADDRESS_BITS) >>
                                     (64 - RACE_ADDRESS_BITS));
}

static inline size_t race_size(const struct race_entry *e)
{
    return (size_t)(e->where >> RACE_ADDRESS_BITS);
}

static inline unsigned race_kind(const struct race_entry *e)
{
    return (unsigned)(e->what >> RACE_ADDRESS_BITS) & 15;
}

static inline int race_order(const struct race_entry *e)
{
    return (int)(e->what >> (RACE_ADDRESS_BITS + RACE_KIND_BITS)) & 7;
}

static inline unsigned race_thread(const struct race_entry *e)
{
    return (unsigned)(e->what >>
                      (RACE_ADDRESS_BITS + RACE_KIND_BITS + RACE_ORDER_BITS));
}

#endif
