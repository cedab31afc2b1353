/* segment_queue.c - a list of segments, from the first of which any item leaves.
 *
 * The segment queue of Afek, Korland & Yanovsky (2010), Figure 3 of "Round-Up"
 * (2015).  A segment has K + 1 cells.  An enqueue fills any empty cell of the
 * last one, a dequeue empties any filled cell of the first one.  A cell is
 * filled once and emptied once; a segment that is used up is passed.
 *
 *     first -> | x  2 | -> | 3  4 | -> | 5  . | <- last       K = 1
 *
 * Proof sketch.  An enqueue takes effect with the CAS that fills a cell, or
 * links a segment whose first cell is filled already, a dequeue with the CAS
 * that empties one.
 * - Segments fill one after the other: a new one is linked by who saw all cells
 *   of the last one filled once, and that stays so.  So a segment holds K + 1
 *   items that were enqueued in a row.
 * - `first` moves on from a segment when all its cells were emptied.  So the
 *   items of a segment leave when all of the segments before have left: this is
 *   segment=K+1, hence k=K.
 * - Empty: a segment with a cell that was never filled is the last.  If no cell
 *   has an item and a second scan finds all as they were, then no item was
 *   there between the two.  One scan is not enough: behind it a cell
 *   is filled, before it another one emptied, and some item is always there.
 *
 * FAULT_ONE_SCAN: answers empty after one scan.
 *
 * Segments stay until teardown. */
#include "../common/slots.h"

#include <stddef.h>

struct segment {
    struct slots cells;
    _Atomic(struct segment *) next;
};

static struct segment *oldest; /* of all segments, for teardown */
static _Atomic(struct segment *) first, last;

static struct segment *make_segment(void)
{
    struct segment *const s = malloc(sizeof *s);
    if (!s)
        abort();
    slots_init(&s->cells);
    atomic_init(&s->next, NULL);
    return s;
}

static void setup(void)
{
    oldest = make_segment();
    atomic_init(&first, oldest);
    atomic_init(&last, oldest);
}

static void teardown(void)
{
    for (struct segment *s = oldest, *next; s; s = next) {
        next = atomic_load(&s->next);
        free(s);
    }
}

/* A cell that is empty and was not filled before. */
static bool is_fresh(slot_word word)
{
    return word == SLOT_NO_ITEM;
}

static bool find_fresh(struct slots *cells, struct found *f)
{
    const unsigned start = slots_begin(false);
    for (unsigned n = 0; n <= K; n++) {
        f->index = (start + n) % (K + 1);
        f->word = slots_load(cells, f->index);
        if (is_fresh(f->word))
            return true;
    }
    return false;
}

/* Link a segment behind `s`, which is full, with one item; false if somebody
 * else linked one. */
static bool append(struct segment *s, uint64_t item)
{
    struct segment *next = atomic_load(&s->next);
    struct segment *fresh = NULL;
    if (!next) {
        fresh = make_segment();
        atomic_init(&fresh->cells.word[0], slot_with(SLOT_NO_ITEM, item));
        if (!atomic_compare_exchange_strong(&s->next, &next, fresh)) {
            free(fresh);
            fresh = NULL;
        }
    }
    /* if it fails, somebody else moved it */
    atomic_compare_exchange_strong(&last, &s, fresh ? fresh : next);
    return fresh;
}

static void enq(plumb_invocation *i)
{
    const uint64_t item = slot_of(plumb_arg(i, 0));
    for (;; plumb_retry()) {
        struct found f;
        struct segment *const s = atomic_load(&last);
        if (find_fresh(&s->cells, &f)
                ? slots_replace(&s->cells, &f, slot_with(f.word, item))
                : append(s, item))
            return;
    }
}

/* No cell has an item, and all were as in `seen` at one moment. */
static bool is_still(struct slots *cells, const slot_word *seen)
{
#ifndef FAULT_ONE_SCAN
    for (unsigned n = 0; n <= K; n++)
        if (slots_load(cells, n) != seen[n])
            return false;
#else
    (void)cells, (void)seen;
#endif
    return true;
}

/* What became of an attempt. */
enum outcome { TAKEN, EMPTY, AGAIN };

/* `s` has no item, or had none where it was looked at. */
static enum outcome leave(struct segment *s, const slot_word *seen)
{
    for (unsigned n = 0; n <= K; n++)
        if (is_fresh(seen[n]))
            return is_still(&s->cells, seen) ? EMPTY : AGAIN;
    struct segment *const next = atomic_load(&s->next);
    if (!next)
        return EMPTY;
    /* if it fails, somebody else moved it */
    atomic_compare_exchange_strong(&first, &s, next);
    return AGAIN;
}

static enum outcome attempt(int64_t *item)
{
    struct segment *const s = atomic_load(&first);
    const unsigned start = slots_begin(true);
    slot_word seen[K + 1];
    for (unsigned n = 0; n <= K; n++) {
        struct found f = { .index = (start + n) % (K + 1) };
        f.word = seen[f.index] = slots_load(&s->cells, f.index);
        if (!slot_has_item(f.word))
            continue;
        *item = slot_item(f.word);
        return slots_replace(&s->cells, &f, slot_without(f.word)) ? TAKEN
                                                                  : AGAIN;
    }
    return leave(s, seen);
}

static void deq(plumb_invocation *i)
{
    enum outcome outcome;
    int64_t item;
    while ((outcome = attempt(&item)) == AGAIN)
        plumb_retry();
    if (outcome == TAKEN)
        plumb_return(i, item);
    else
        plumb_term(i, "empty");
}

#define TEXT(x)    #x
#define SPEC_OF(k) "queue:k=" TEXT(k)

PLUMB_OBJECT(.name = "Q", .spec = SPEC_OF(K), .setup = setup,
             .teardown = teardown,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
