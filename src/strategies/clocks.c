/* clocks.c - happens-before, one event at a time and back.
 *
 * Memory is kept in cells of 8 bytes, each with the list of its accesses, the
 * latest first.  A new access walks the list until writes have covered all its
 * bytes there: what is older happens before one of those.  Accesses lie in one
 * array in the order of events, so taking an event back takes its accesses off
 * the end and gives their cells the list they had.
 *
 * Of one thread only the latest event that the new one depends on can race with
 * it, the others being before that.  So candidates are one per thread, and the
 * races among them are found latest first: a candidate that happens before a
 * later one is none.  A CALL needs no list: its candidates are the last RETURN
 * of each thread, and those of a RETURN the last CALLs.
 *
 * A compare-and-swap that failed has only read.  But when the write f that made
 * it fail is reversed, it may write, and then its order with reads matters that
 * it commutes with here.  If f wrote all its bytes, those reads are before or
 * after f and do not change sides in the reversal.  If not (accesses of
 * different sizes), some may, so it is taken for a write. */
#include "clocks.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/range.h"

#include <assert.h>
#include <string.h>

struct plumb_strategies_clock_event {
    uint32_t before;   /* the thread's event before this, plus 1              */
    uint32_t kin;      /* CALL, RETURN: likewise its CALL or RETURN before    */
    uint32_t accesses; /* how many there were before this                   */
    uint8_t thread, child, kind;
};

struct plumb_strategies_clock_access {
    uint32_t event, older; /* each plus 1 */
    uint32_t cell;
    uint8_t bytes; /* which of the cell's 8     */
    uint8_t thread;
    bool writes; /* of an object: it is a lock that is acquired */
    bool syncs;  /* ... it is a SYNC */
};

struct plumb_strategies_clock_cell {
    uint64_t key;
    uint32_t latest; /* access, plus 1     */
    uint32_t syncs;  /* accesses by a SYNC */
};

enum { CELL_BITS = 3, ALL_BYTES = 255 };

/* Keys: memory is even and below 2^62, objects are odd, and this is neither. */
static const uint64_t numbering_of_threads = UINT64_MAX - 1;

struct candidates {
    uint64_t threads;
    uint32_t latest[PLUMB_MAX_THREADS]; /* event, plus 1 */
};

void plumb_strategies_clocks_init(struct plumb_strategies_clocks *c,
                                  struct plumb_budget *budget)
{
    *c = (struct plumb_strategies_clocks){ .budget = budget, .width = 8 };
}

void plumb_strategies_clocks_release(struct plumb_strategies_clocks *c)
{
    struct plumb_budget *const b = c->budget;
    PLUMB_RELEASE(b, c->row, c->row_capacity);
    PLUMB_RELEASE(b, c->event, c->event_capacity);
    PLUMB_RELEASE(b, c->access, c->access_capacity);
    PLUMB_RELEASE(b, c->cell, c->cell_capacity);
    PLUMB_RELEASE(b, c->slot, c->slots);
    plumb_strategies_clocks_init(c, b);
}

/* ---- rows ---- */

static uint32_t *row_of(const struct plumb_strategies_clocks *c, uint32_t event)
{
    return c->row + (size_t)event * c->width;
}

static bool grow_rows(struct plumb_strategies_clocks *c, size_t need)
{
    return PLUMB_GROW(c->budget, c->row, c->row_capacity, need);
}

/* The last row moves first, so that none is overwritten before it has moved. */
static bool widen(struct plumb_strategies_clocks *c, unsigned threads)
{
    const unsigned old = c->width;
    unsigned width = old;
    while (width < threads)
        width *= 2;
    if (!grow_rows(c, ((size_t)c->length + 1) * width))
        return false;
    for (uint32_t i = c->length; i-- > 0;) {
        uint32_t *const to = c->row + (size_t)i * width;
        memmove(to, c->row + (size_t)i * old, old * sizeof *to);
        memset(to + old, 0, (width - old) * sizeof *to);
    }
    c->width = width;
    return true;
}

static void join(const struct plumb_strategies_clocks *c, uint32_t *row,
                 const uint32_t *other)
{
    for (unsigned block = 0; block < c->width; block += 8)
        for (unsigned t = block; t < block + 8; t++)
            row[t] = row[t] > other[t] ? row[t] : other[t];
}

const uint32_t *plumb_strategies_clocks_of(
    const struct plumb_strategies_clocks *c, unsigned thread)
{
    if (c->last[thread])
        return row_of(c, c->last[thread] - 1);
    return c->born[thread] ? row_of(c, c->born[thread] - 1) : NULL;
}

static void copy_clock(const struct plumb_strategies_clocks *c, uint32_t *row,
                       unsigned thread)
{
    const uint32_t *const clock = plumb_strategies_clocks_of(c, thread);
    if (clock)
        memcpy(row, clock, c->width * sizeof *row);
    else
        memset(row, 0, c->width * sizeof *row);
}

/* ---- cells ---- */

/* A table of its own, not base/index.h: cells are few and looked for at every
 * access, and the buckets of that took 4% more of the time of DPOR. */
static uint32_t *slot_of(const struct plumb_strategies_clocks *c, uint64_t key)
{
    size_t i = plumb_base_mix1(key) & (c->slots - 1);
    while (c->slot[i] && c->cell[c->slot[i] - 1].key != key)
        i = (i + 1) & (c->slots - 1);
    return c->slot + i;
}

static bool grow_table(struct plumb_strategies_clocks *c)
{
    const size_t slots = c->slots ? 2 * c->slots : 64;
    uint32_t *const table =
        plumb_base_alloc_zeroed(c->budget, slots * sizeof *table);
    if (!table)
        return false;
    PLUMB_RELEASE(c->budget, c->slot, c->slots);
    c->slot = table;
    c->slots = slots;
    for (uint32_t i = 0; i < c->cells; i++)
        *slot_of(c, c->cell[i].key) = i + 1;
    return true;
}

/* Cells stay when their accesses are taken back: they will come again. */
static bool find_cell(struct plumb_strategies_clocks *c, uint64_t key,
                      uint32_t *found)
{
    if (2 * (size_t)c->cells >= c->slots && !grow_table(c))
        return false;
    uint32_t *const slot = slot_of(c, key);
    if (!*slot) {
        if (!PLUMB_GROW(c->budget, c->cell, c->cell_capacity,
                        (size_t)c->cells + 1))
            return false;
        c->cell[c->cells] = (struct plumb_strategies_clock_cell){ .key = key };
        *slot = ++c->cells;
    }
    *found = *slot - 1;
    return true;
}

static bool add_access(struct plumb_strategies_clocks *c, uint32_t cell,
                       unsigned thread, uint8_t bytes, bool writes)
{
    if (!PLUMB_APPEND(c->budget, c->access, c->accesses, c->access_capacity,
                      (struct plumb_strategies_clock_access){
                          .event = c->length + 1,
                          .older = c->cell[cell].latest,
                          .cell = cell,
                          .bytes = bytes,
                          .thread = (uint8_t)thread,
                          .writes = writes }))
        return false;
    c->cell[cell].latest = c->accesses;
    return true;
}

/* ---- candidates and races ---- */

static void add_candidate(struct candidates *found, unsigned thread,
                          uint32_t event)
{
    const uint64_t bit = (uint64_t)1 << thread;
    if (!(found->threads & bit) || found->latest[thread] < event)
        found->latest[thread] = event;
    found->threads |= bit;
}

static void walk_cell(const struct plumb_strategies_clocks *c, uint32_t cell,
                      uint8_t bytes, bool writes, struct candidates *found)
{
    unsigned open = bytes;
    for (uint32_t i = c->cell[cell].latest; i && open;) {
        const struct plumb_strategies_clock_access *const a = c->access + i - 1;
        if (a->bytes & open && (writes || a->writes))
            add_candidate(found, a->thread, a->event);
        if (a->writes)
            open &= ~(unsigned)a->bytes;
        i = a->older;
    }
}

static bool touch_cell(struct plumb_strategies_clocks *c, uint64_t key,
                       unsigned thread, uint8_t bytes, bool writes,
                       struct candidates *found)
{
    uint32_t cell;
    if (!find_cell(c, key, &cell))
        return false;
    walk_cell(c, cell, bytes, writes, found);
    return add_access(c, cell, thread, bytes, writes);
}

/* The cells of an event that touches memory. */
struct span {
    uint64_t at, end; /* first and last byte */
    uint64_t first, last;
};

static struct span span_of(const struct plumb_strategies_event *e)
{
    const uint64_t end =
        e->size ? plumb_base_range_last(e->at, e->size) : e->at;
    return (struct span){ e->at, end, e->at >> CELL_BITS, end >> CELL_BITS };
}

static uint8_t bytes_in(const struct span *s, uint64_t cell)
{
    const unsigned from = cell == s->first ? s->at & 7 : 0,
                   to = cell == s->last ? s->end & 7 : 7;
    return (uint8_t)((2u << to) - (1u << from));
}

static bool touch_memory(struct plumb_strategies_clocks *c, unsigned thread,
                         const struct plumb_strategies_event *e,
                         struct candidates *found)
{
    if (!e->size)
        return true;
    const struct span s = span_of(e);
    const bool writes = e->kind == PLUMB_EVENT_WRITE;
    for (uint64_t g = s.first; g <= s.last; g++)
        if (!touch_cell(c, 2 * g, thread, bytes_in(&s, g), writes, found))
            return false;
    return true;
}

/* The last to write any of these bytes of a cell; NULL is none. */
static const struct plumb_strategies_clock_access *last_write(
    const struct plumb_strategies_clocks *c, uint64_t key, uint8_t bytes)
{
    const uint32_t cell = c->slots ? *slot_of(c, key) : 0;
    uint32_t i = cell ? c->cell[cell - 1].latest : 0;
    while (i && !(c->access[i - 1].writes && c->access[i - 1].bytes & bytes))
        i = c->access[i - 1].older;
    return i ? c->access + i - 1 : NULL;
}

/* One event was the last to write each of its bytes, or none has. */
static bool has_one_source(const struct plumb_strategies_clocks *c,
                           const struct plumb_strategies_event *e)
{
    const struct span s = span_of(e);
    uint32_t source = 0;
    for (uint64_t g = s.first; e->size && g <= s.last; g++) {
        const uint8_t bytes = bytes_in(&s, g);
        const struct plumb_strategies_clock_access *const a =
            last_write(c, 2 * g, bytes);
        const uint32_t event = a ? a->event : 0;
        if ((a && (a->bytes & bytes) != bytes) ||
            (g > s.first && event != source))
            return false;
        source = event;
    }
    return true;
}

static uint64_t take_latest(struct candidates *found)
{
    uint64_t best = 0;
    for (uint64_t left = found->threads; left; left &= left - 1) {
        const uint64_t t = (uint64_t)__builtin_ctzll(left);
        if (left == found->threads || found->latest[t] > found->latest[best])
            best = t;
    }
    found->threads &= ~((uint64_t)1 << best);
    return best;
}

static void find_races(struct plumb_strategies_clocks *c, uint32_t *row,
                       unsigned thread, struct candidates *found)
{
    found->threads &= ~((uint64_t)1 << thread);
    while (found->threads) {
        const uint64_t t = take_latest(found);
        const uint32_t event = found->latest[t] - 1;
        if (event < row[t])
            continue;
        assert(event < c->length && c->races < PLUMB_MAX_THREADS);
        c->race[c->races++] = event;
        join(c, row, row_of(c, event));
    }
}

/* ---- locks and other objects ---- */

static bool is_of_object(const struct plumb_strategies_event *e)
{
    return e->kind == PLUMB_EVENT_LOCK || e->kind == PLUMB_EVENT_UNLOCK ||
           e->kind == PLUMB_EVENT_SYNC;
}

/* An UNLOCK cannot be passed, so two LOCKs race although there is one between
 * them: unless the thread knew of the other before it came to the lock. */
static void find_lock_race(struct plumb_strategies_clocks *c, uint32_t cell,
                           unsigned thread)
{
    uint32_t i = c->cell[cell].latest;
    while (i && !c->access[i - 1].writes)
        i = c->access[i - 1].older;
    if (!i)
        return;
    const struct plumb_strategies_clock_access *const a = c->access + i - 1;
    if (a->thread != thread && a->event > c->past[a->thread])
        c->race[c->races++] = a->event - 1;
}

/* Before the event becomes the latest of its object. */
static void look_at_object(struct plumb_strategies_clocks *c, uint32_t cell,
                           unsigned thread,
                           enum plumb_strategies_event_kind kind)
{
    if (c->cell[cell].syncs || kind == PLUMB_EVENT_SYNC)
        c->object = c->cell[cell].latest;
    else if (kind == PLUMB_EVENT_LOCK)
        find_lock_race(c, cell, thread);
}

static uint64_t object_key(const struct plumb_strategies_event *e)
{
    return 2 * e->at + 1;
}

static bool touch_object(struct plumb_strategies_clocks *c, uint32_t *row,
                         unsigned thread,
                         const struct plumb_strategies_event *e)
{
    uint32_t cell;
    if (!find_cell(c, object_key(e), &cell))
        return false;
    look_at_object(c, cell, thread, e->kind);
    if (c->cell[cell].latest)
        join(c, row, row_of(c, c->access[c->cell[cell].latest - 1].event - 1));
    if (!add_access(c, cell, thread, ALL_BYTES, e->kind == PLUMB_EVENT_LOCK))
        return false;
    if (e->kind == PLUMB_EVENT_SYNC) {
        c->access[c->accesses - 1].syncs = true;
        c->cell[cell].syncs++;
    }
    return true;
}

void plumb_strategies_clocks_wait(struct plumb_strategies_clocks *c,
                                  unsigned thread,
                                  const struct plumb_strategies_event *event)
{
    c->races = 0;
    c->object = 0;
    if (!is_of_object(event) || !c->slots)
        return;
    const uint32_t *const slot = slot_of(c, object_key(event));
    copy_clock(c, c->past, thread);
    if (*slot)
        look_at_object(c, *slot - 1, thread, event->kind);
}

uint32_t plumb_strategies_clocks_walk(const struct plumb_strategies_clocks *c,
                                      uint32_t *walk)
{
    assert(*walk && *walk <= c->accesses);
    const struct plumb_strategies_clock_access *const a = c->access + *walk - 1;
    *walk = a->older;
    return a->event - 1;
}

/* ---- events ---- */

static void add_last(const struct plumb_strategies_clocks *c,
                     const uint32_t *last, struct candidates *found)
{
    for (unsigned t = 0; t < c->threads; t++)
        if (last[t])
            add_candidate(found, t, last[t]);
}

static bool order(struct plumb_strategies_clocks *c, uint32_t *row,
                  unsigned thread, const struct plumb_strategies_event *e,
                  struct candidates *found)
{
    switch (e->kind) {
    case PLUMB_EVENT_READ:
    case PLUMB_EVENT_WRITE:
        return touch_memory(c, thread, e, found);
    case PLUMB_EVENT_LOCK:
    case PLUMB_EVENT_UNLOCK:
    case PLUMB_EVENT_SYNC:
        return touch_object(c, row, thread, e);
    case PLUMB_EVENT_CALL:
        add_last(c, c->ret, found);
        return true;
    case PLUMB_EVENT_RETURN:
        add_last(c, c->call, found);
        return true;
    case PLUMB_EVENT_SPAWN:
        return touch_cell(c, numbering_of_threads, thread, ALL_BYTES, true,
                          found);
    case PLUMB_EVENT_FAILED:
        assert(false);
        break;
    case PLUMB_EVENT_JOIN:
        if (plumb_strategies_clocks_of(c, (unsigned)e->at))
            join(c, row, plumb_strategies_clocks_of(c, (unsigned)e->at));
        return true;
    case PLUMB_EVENT_LOCAL:
    case PLUMB_EVENT_CHOICE:
    case PLUMB_EVENT_EXIT:
        break;
    }
    return true;
}

static bool is_about_a_thread(const struct plumb_strategies_event *e)
{
    return e->kind == PLUMB_EVENT_SPAWN || e->kind == PLUMB_EVENT_JOIN;
}

static bool make_room(struct plumb_strategies_clocks *c, unsigned thread,
                      const struct plumb_strategies_event *e)
{
    unsigned threads = thread + 1;
    if (is_about_a_thread(e) && e->at >= threads)
        threads = (unsigned)e->at + 1;
    assert(threads <= PLUMB_MAX_THREADS);
    if (threads > c->threads)
        c->threads = threads;
    if (threads > c->width && !widen(c, threads))
        return false;
    if (!PLUMB_GROW(c->budget, c->event, c->event_capacity,
                    (size_t)c->length + 1))
        return false;
    return grow_rows(c, ((size_t)c->length + 1) * c->width);
}

static uint32_t *kin_of(struct plumb_strategies_clocks *c, unsigned thread,
                        enum plumb_strategies_event_kind kind)
{
    if (kind == PLUMB_EVENT_CALL)
        return c->call + thread;
    return kind == PLUMB_EVENT_RETURN ? c->ret + thread : NULL;
}

/* It is the last of its thread, of its kind, and of all from here on. */
static void note(struct plumb_strategies_clocks *c, unsigned thread,
                 const struct plumb_strategies_event *e, uint32_t accesses)
{
    struct plumb_strategies_clock_event *const mine = c->event + c->length;
    uint32_t *const kin = kin_of(c, thread, e->kind);
    *mine = (struct plumb_strategies_clock_event){ .before = c->last[thread],
                                                   .kin = kin ? *kin : 0,
                                                   .accesses = accesses,
                                                   .thread = (uint8_t)thread,
                                                   .child = (uint8_t)e->at,
                                                   .kind = (uint8_t)e->kind };
    c->last[thread] = ++c->length;
    if (kin)
        *kin = c->length;
    if (e->kind == PLUMB_EVENT_SPAWN)
        c->born[e->at] = c->length;
}

bool plumb_strategies_clocks_push(struct plumb_strategies_clocks *c,
                                  unsigned thread,
                                  struct plumb_strategies_event *e)
{
    const uint32_t accesses = c->accesses;
    struct candidates found;
    found.threads = 0;
    c->races = 0;
    c->object = 0;
    if (!make_room(c, thread, e))
        return false;
    assert(c->row && c->event);
    if (e->kind == PLUMB_EVENT_FAILED)
        e->kind = has_one_source(c, e) ? PLUMB_EVENT_READ : PLUMB_EVENT_WRITE;
    uint32_t *const row = row_of(c, c->length);
    copy_clock(c, row, thread);
    const bool of_object = is_of_object(e);
    if (of_object)
        memcpy(c->past, row, c->width * sizeof *row);
    if (!order(c, row, thread, e, &found))
        return false;
    find_races(c, row, thread, &found);
    if (c->races && !of_object)
        memcpy(c->past, row, c->width * sizeof *row);
    row[thread] = c->length + 1;
    note(c, thread, e, accesses);
    return true;
}

enum plumb_strategies_event_kind plumb_strategies_clocks_kind(
    const struct plumb_strategies_clocks *c, uint32_t event)
{
    assert(event < c->length);
    return (enum plumb_strategies_event_kind)c->event[event].kind;
}

void plumb_strategies_clocks_pop(struct plumb_strategies_clocks *c)
{
    assert(c->length);
    const struct plumb_strategies_clock_event *const mine =
        c->event + --c->length;
    uint32_t *const kin =
        kin_of(c, mine->thread, (enum plumb_strategies_event_kind)mine->kind);
    c->last[mine->thread] = mine->before;
    if (kin)
        *kin = mine->kin;
    if (mine->kind == PLUMB_EVENT_SPAWN)
        c->born[mine->child] = 0;
    while (c->accesses > mine->accesses) {
        const struct plumb_strategies_clock_access *const a =
            c->access + --c->accesses;
        assert(c->cell[a->cell].latest == c->accesses + 1);
        c->cell[a->cell].latest = a->older;
        c->cell[a->cell].syncs -= a->syncs;
    }
}
