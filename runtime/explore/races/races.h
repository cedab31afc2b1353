/* races.h - plain accesses of two threads that nothing orders.
 *
 * Happens-before as in C11: a thread's own order; a release and the acquire
 * that reads from it, or from its release sequence; fences; locks; the start
 * and the end of a thread.  Relaxed accesses order nothing, although all are
 * done in one order here: so a flag that should have been released shows.
 *
 * Each 8 bytes of memory have a cell with their last writes and the reads since
 * then, byte by byte. */
#ifndef PLUMB_RUNTIME_EXPLORE_RACES_RACES_H
#define PLUMB_RUNTIME_EXPLORE_RACES_RACES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct race {
    unsigned thread[2];
    const void *pc[2]; /* of the earlier access, and of this one */
    const void *at;
    uint32_t size[2]; /* of the earlier one: at most 65535 is remembered */
    bool writes[2], atomic[2];
};

/* Are they looked for?  And are they now?  Then those who know of an access or
 * an order tell. */
extern bool races_wanted, races_on;

/* Do they leave nothing on the stack?  For those who compare stacks. */
extern bool races_wiped;

bool races_init(void);

/* A new execution: thread 0 alone.  Accesses that are noted, and orders, are
 * written down until races_now(), or races_plain() or races_atomic(), which
 * look at once (race_log.h). */
void races_begin(void);
void races_now(void);
/* At the end of an execution: if it was only written down, it is looked at. */
void races_settle(void);

/* From here on races are told only if they are of these two places with each
 * other; but these all.  NULL: of any again. */
void races_narrow(const void *one, const void *other);

/* Memory for clocks was used up in this execution: races since then are not
 * told. */
bool races_incomplete(void);

/* An access by the thread; true if it races with an earlier one, the first
 * found of which is told. */
bool races_plain(unsigned thread, const void *pc, const void *at, size_t size,
                 bool writes, struct race *race);
/* `reads`, `writes`: a fetch_add does both; a failed compare-and-swap reads.
 * `order` as in <stdatomic.h>. */
bool races_atomic(unsigned thread, const void *pc, const void *at, size_t size,
                  bool reads, bool writes, int order, struct race *race);
void races_fence(unsigned thread, int order);

/* Of any object that orders: a lock is acquired at lock and released at unlock;
 * a signal releases and the wait it ends acquires; ... */
void races_acquire(unsigned thread, const void *object);
void races_release(unsigned thread, const void *object);
void races_spawn(unsigned thread, unsigned child);
void races_join(unsigned thread, unsigned child);

/* One was found: of the scheduler, to whom hooks and shims hand it. */
void scheduler_race(const struct race *race);

/* Memory is new: what was there before is forgotten. */
void races_forget(const void *at, size_t size);

/* Of an order of memory (C11): does a write with it release, a read acquire? */
static inline bool races_order_releases(int order)
{
    return order == memory_order_release || order == memory_order_acq_rel ||
           order == memory_order_seq_cst;
}

static inline bool races_order_acquires(int order)
{
    return order != memory_order_relaxed && order != memory_order_release;
}

#endif
