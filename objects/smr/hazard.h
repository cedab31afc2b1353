/* hazard.h - hazard pointers: who reads a node says so, and it is not freed.
 *
 * Maged Michael's method (2004).  Each thread owns HAZARD_SLOTS slots that
 * only it writes and all read.
 *
 *   reader   1. p = load(source)            remover   1. unlink p (CAS)
 *            2. slot = p                              2. hazard_retire(p):
 *            3. load(source) == p ?                      p joins the retired
 *               no: begin again                          nodes of this thread;
 *            4. use p                                    those that no slot
 *            5. slot = NULL                              names are reclaimed
 *
 * Why it is safe.  The CAS that unlinks, the store 2, the load 3 and the loads
 * of the slots in retire are seq_cst, so there is one order of all of them.
 * If a scan did not see p in the slot, its load came before the store 2, or
 * after 5.  In the first case unlink < scan < 2 < 3, so load 3 does not find p
 * (a source that got p back in the meantime would need p to be used again,
 * which happens only after p was reclaimed and made anew: then p is a new node
 * that is linked now, and the slot protects that one).  In the second case the
 * store 5, or a later one of that thread, is a release that the scan acquired:
 * all reading is over.  A record that is added during a scan can only hold
 * hazards that were set later than the scan began: the first case again.
 *
 * How much is not reclaimed.  A scan reads each slot once and keeps one node
 * for it at most.  So with N threads no thread has more than N * HAZARD_SLOTS
 * retired nodes after a scan, and HAZARD_BATCH - 1 more before the next one.
 *
 * A scan costs (retired nodes) * (slots).  Michael sorts the slots, and scans
 * seldom; tests are short, and what is never reclaimed tests nothing: here the
 * default is to scan whenever a node is retired. */
#ifndef PLUMB_OBJECTS_HAZARD_H
#define PLUMB_OBJECTS_HAZARD_H

#include "local.h"

#ifndef HAZARD_SLOTS
#define HAZARD_SLOTS 2
#endif
#ifndef HAZARD_BATCH
#define HAZARD_BATCH 1
#endif
/* What becomes of a node that nobody reads. */
#ifndef HAZARD_RECLAIM
#define HAZARD_RECLAIM free
#endif

/* The first member of a node. */
struct hazard_link {
    struct hazard_link *next; /* in the list of retired nodes */
};

struct hazard_record {
    struct local local;
    _Atomic(const void *) slot[HAZARD_SLOTS];
    struct hazard_link *retired; /* these two belong to the thread alone */
    unsigned count;
};

static struct local_registry hazard_registry;
static _Thread_local struct local_slot hazard_mine;

static inline struct hazard_record *hazard_record(void)
{
    return local_record(&hazard_registry, &hazard_mine,
                        sizeof(struct hazard_record));
}

/* Step 2.  Then read the source again. */
static inline void hazard_set(unsigned slot, const void *node)
{
    atomic_store_explicit(&hazard_record()->slot[slot], node,
                          memory_order_seq_cst);
}

/* Step 5, of all slots. */
static inline void hazard_clear(void)
{
    struct hazard_record *const mine = hazard_record();
    for (unsigned s = 0; s < HAZARD_SLOTS; s++)
        /* release: pairs with the load in hazard_sort_out() */
        atomic_store_explicit(&mine->slot[s], NULL, memory_order_release);
}

/* Take the node at `address` out of the list, if it is there. */
static inline struct hazard_link *hazard_take_out(struct hazard_link **list,
                                                  const void *address)
{
    for (struct hazard_link **at = list; *at; at = &(*at)->next)
        if (*at == address) {
            struct hazard_link *const found = *at;
            *at = found->next;
            return found;
        }
    return NULL;
}

/* Move what some slot names from `list` to the retired nodes of `mine`. */
static inline void hazard_sort_out(struct hazard_record *mine,
                                   struct hazard_link **list)
{
    struct local *at = local_first(&hazard_registry);
    for (; at && *list; at = at->next) {
        struct hazard_record *const other = (struct hazard_record *)at;
        for (unsigned s = 0; s < HAZARD_SLOTS; s++) {
            /* seq_cst: after the unlinking; acquires what cleared it */
            const void *const named =
                atomic_load_explicit(&other->slot[s], memory_order_seq_cst);
            struct hazard_link *const kept = hazard_take_out(list, named);
            if (kept) {
                kept->next = mine->retired;
                mine->retired = kept;
                mine->count++;
            }
        }
    }
}

static inline void hazard_reclaim(struct hazard_link *list)
{
    while (list) {
        struct hazard_link *const next = list->next;
        HAZARD_RECLAIM(list);
        list = next;
    }
}

/* The node was unlinked, by this thread, with a seq_cst CAS. */
static inline void hazard_retire(struct hazard_link *node)
{
    struct hazard_record *const mine = hazard_record();
    node->next = mine->retired;
    mine->retired = node;
    if (++mine->count < HAZARD_BATCH)
        return;
    struct hazard_link *list = mine->retired;
    mine->retired = NULL;
    mine->count = 0;
    hazard_sort_out(mine, &list);
    hazard_reclaim(list);
}

/* In teardown, when no operation is under way: reclaim all that is retired,
 * and forget the threads. */
static inline void hazard_drain(void)
{
    struct local *at = local_first(&hazard_registry);
    for (; at; at = at->next)
        hazard_reclaim(((struct hazard_record *)at)->retired);
    local_drain(&hazard_registry);
}

#endif
