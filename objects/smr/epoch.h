/* epoch.h - reclaim a node when everybody has been elsewhere since.
 *
 * Keir Fraser's method (2004), for structures that are read in long walks,
 * where a hazard pointer for every step would be too much, or would not help
 * because the walk goes through nodes that are already unlinked.
 *
 *   every operation   epoch_enter();  ...read any nodes...  epoch_leave();
 *   who unlinks       epoch_retire(node), before it leaves
 *
 * There is a global epoch, and each thread in an operation announces the one
 * it saw when it entered.  The epoch moves from e to e + 1 only if every
 * thread that is in an operation announced e.
 *
 * Why it is safe.  Let a node be retired while the epoch is e (the value is
 * read after the unlinking).  Whoever can still hold it entered before it was
 * unlinked, so it announced e or less, and while it stays, the epoch cannot
 * become e + 2: that step needs all to have announced e + 1.  So a thread that
 * sees the epoch e + 2 may reclaim what it retired in e.  Announcement and
 * look at the others are seq_cst: a thread that announces e after the others
 * were looked at reads the epoch again, and announces the new one.
 *
 * How much is not reclaimed has no bound: a thread that sleeps in an operation
 * holds up everything.  In a history that ends, that is until teardown. */
#ifndef PLUMB_OBJECTS_EPOCH_H
#define PLUMB_OBJECTS_EPOCH_H

#include "local.h"
#include <stdbool.h>

/* What becomes of a node that nobody reads. */
#ifndef EPOCH_RECLAIM
#define EPOCH_RECLAIM free
#endif

/* The first member of a node. */
struct epoch_link {
    struct epoch_link *next; /* in the list of retired nodes */
};

enum { EPOCH_OUTSIDE = 0 }; /* epochs begin with 1 */

struct epoch_record {
    struct local local;
    _Atomic uint64_t announced;
    /* These belong to the thread alone: what it retired in the epochs that
     * are equal modulo 3, and the last of these epochs. */
    struct epoch_link *limbo[3];
    uint64_t limbo_epoch[3];
};

static struct local_registry epoch_registry;
static _Thread_local struct local_slot epoch_mine;
static _Atomic uint64_t epoch_now = 1;

static inline struct epoch_record *epoch_record(void)
{
    return local_record(&epoch_registry, &epoch_mine,
                        sizeof(struct epoch_record));
}

static inline uint64_t epoch_current(void)
{
    return atomic_load_explicit(&epoch_now, memory_order_seq_cst);
}

static inline void epoch_enter(void)
{
    struct epoch_record *const mine = epoch_record();
    for (;;) {
        const uint64_t e = epoch_current();
        atomic_store_explicit(&mine->announced, e, memory_order_seq_cst);
        if (e == epoch_current())
            return;
    }
}

static inline void epoch_reclaim(struct epoch_link **list)
{
    struct epoch_link *at = *list;
    *list = NULL;
    while (at) {
        struct epoch_link *const next = at->next;
        EPOCH_RECLAIM(at);
        at = next;
    }
}

/* Has everybody who is in an operation announced `e`? */
static inline bool epoch_is_everywhere(uint64_t e)
{
    struct local *at = local_first(&epoch_registry);
    for (; at; at = at->next) {
        /* seq_cst: after the unlinking; acquires what the others read when it
         * finds them outside or in a new epoch */
        const uint64_t seen = atomic_load_explicit(
            &((struct epoch_record *)at)->announced, memory_order_seq_cst);
        if (seen != EPOCH_OUTSIDE && seen != e)
            return false;
    }
    return true;
}

/* Call it in an operation, after unlinking the node. */
static inline void epoch_retire(struct epoch_link *node)
{
    struct epoch_record *const mine = epoch_record();
    uint64_t e = epoch_current();
    if (mine->limbo_epoch[e % 3] != e)
        epoch_reclaim(&mine->limbo[e % 3]); /* from e - 3, or before */
    mine->limbo_epoch[e % 3] = e;
    node->next = mine->limbo[e % 3];
    mine->limbo[e % 3] = node;
    if (epoch_is_everywhere(e))
        /* if it fails, somebody else moved it */
        atomic_compare_exchange_strong_explicit(
            &epoch_now, &e, e + 1, memory_order_seq_cst, memory_order_seq_cst);
}

/* The end of an operation; also the moment to reclaim. */
static inline void epoch_leave(void)
{
    struct epoch_record *const mine = epoch_record();
    /* release: pairs with the load in epoch_is_everywhere() */
    atomic_store_explicit(&mine->announced, EPOCH_OUTSIDE,
                          memory_order_release);
    const uint64_t e = epoch_current();
    for (unsigned k = 0; k < 3; k++)
        if (mine->limbo_epoch[k] + 2 <= e)
            epoch_reclaim(&mine->limbo[k]);
}

/* In teardown, when no operation is under way: reclaim all that is retired,
 * and forget the threads. */
static inline void epoch_drain(void)
{
    struct local *at = local_first(&epoch_registry);
    for (; at; at = at->next)
        for (unsigned k = 0; k < 3; k++)
            epoch_reclaim(&((struct epoch_record *)at)->limbo[k]);
    local_drain(&epoch_registry);
    /* relaxed: nobody else is there */
    atomic_store_explicit(&epoch_now, 1, memory_order_relaxed);
}

#endif
