/* local.h - a record of each thread, for the time of one history.
 *
 * A thread asks for its record and gets the same one for the rest of the
 * history; all records hang in one list, so that others can look at them.
 * The threads may outlive the history: local_drain(), called when no operation
 * is under way, frees all records and begins a new generation, and a thread
 * that still knows a record of an older generation makes a new one.
 *
 * The list only grows during a history, at its head, so it can be read without
 * a lock: whoever reads `first` sees all records that were pushed before. */
#ifndef PLUMB_OBJECTS_LOCAL_H
#define PLUMB_OBJECTS_LOCAL_H

#include <plumb/object.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The first member of a record.  What follows begins as zeros. */
struct local {
    struct local *next; /* does not change once the record is in the list */
};

struct local_registry {
    _Atomic(struct local *) first;
    uint64_t generation; /* changes only while no operation is under way */
};

/* What a thread remembers: declare it _Thread_local. */
struct local_slot {
    struct local *record;
    uint64_t generation;
};

static inline void *local_make(struct local_registry *r, size_t size)
{
    struct local *const record = calloc(1, size);
    if (!record)
        abort();
    /* relaxed: the exchange below says whether it was right */
    record->next = atomic_load_explicit(&r->first, memory_order_relaxed);
    /* seq_cst: so that the order in which records appear is one with the order
     * of the accesses to what they hold (hazard.h relies on it) */
    while (!atomic_compare_exchange_weak_explicit(&r->first, &record->next,
                                                  record, memory_order_seq_cst,
                                                  memory_order_relaxed))
        plumb_retry();
    return record;
}

/* The record of this thread, `size` bytes. */
static inline void *local_record(struct local_registry *r,
                                 struct local_slot *mine, size_t size)
{
    if (!mine->record || mine->generation != r->generation) {
        mine->record = local_make(r, size);
        mine->generation = r->generation;
    }
    return mine->record;
}

/* The first record of the list, or NULL; the others by `next`. */
static inline struct local *local_first(struct local_registry *r)
{
    return atomic_load_explicit(&r->first, memory_order_seq_cst);
}

/* Free all records, after whatever they hold.  No operation may be under
 * way. */
static inline void local_drain(struct local_registry *r)
{
    struct local *record = local_first(r);
    while (record) {
        struct local *const next = record->next;
        free(record);
        record = next;
    }
    /* relaxed: nobody else is there */
    atomic_store_explicit(&r->first, NULL, memory_order_relaxed);
    r->generation++;
}

#endif
