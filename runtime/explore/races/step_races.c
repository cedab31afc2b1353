/* step_races.c - see step_races.h.
 *
 * The accesses of a thread's last step are a list, of which the front is the
 * beginning and the tail the end.  Accesses of one place to memory side by side
 * are one entry, so that a loop over an array is short.
 *
 * Fronts of steps that were taken before in the state that the search is at,
 * and in those on the way to it, are kept on a stack. */
#include "step_races.h"

#include "base/hash.h"
#include "base/range.h"
#include "base/vector.h"
#include "runtime/explore/memory/tape.h"
#include "strategies/machine.h"
#include "unwritten_memory.h"

#include <assert.h>
#include <string.h>

enum {
    MOST = 2048,   /* accesses of a step                      */
    LOOK_BACK = 8, /* entries that an access may be added to */
    MOST_FREED = 16
};

enum { WRITES = 1, ATOMIC = 2, GONE = 4 /* no more in the tail */ };

struct access {
    uint64_t at, size;
    const void *pc;
    uint32_t unit; /* bytes of one access */
    uint32_t flags;
};

struct last_step {
    struct access access[MOST];
    uint32_t count;
    uint32_t front, tail; /* the first has accesses up to here, the other from
                             here on */
    bool ordered;         /* it had an event: the front is complete */
    uint64_t hash;
    bool hashed;
};

struct front {
    uint32_t depth, first, count;
    unsigned thread;
};

bool races_step_on, races_step_incomplete;

static struct last_step of[PLUMB_MAX_THREADS];
static unsigned threads;
static uint64_t alive; /* bit per thread: nobody has waited for its end */

/* Who is in the step that is being done: the one who does it, and who is born
 * in it. */
static unsigned doer[PLUMB_MAX_THREADS];
static unsigned doers;

/* Accesses to memory that this step has freed. */
static struct race freed[MOST_FREED];
static unsigned frees;

/* ---- telling ---- */

void races_step_begin(void)
{
    threads = doers = frees = 0;
    alive = 0;
}

static void begin_step(struct last_step *s)
{
    s->count = s->front = s->tail = 0;
    s->ordered = s->hashed = false;
}

void races_step_born(unsigned thread)
{
    begin_step(&of[thread]);
    alive |= (uint64_t)1 << thread;
    if (threads <= thread)
        threads = thread + 1;
}

/* Nobody is there whom it could meet: it is ordered with all others. */
static inline bool is_alone(unsigned thread)
{
    return alive == (uint64_t)1 << thread;
}

void races_step_step(unsigned thread, bool born)
{
    begin_step(&of[thread]);
    if (!born)
        doers = frees = 0;
    assert(doers < PLUMB_MAX_THREADS);
    doer[doers++] = thread;
}

/* Does an entry stand for this access, too? */
static inline bool absorb(struct access *a, const void *pc, uint64_t at,
                          uint64_t size, uint32_t flags)
{
    if (a->pc != pc || a->flags != flags || a->unit != size)
        return false;
    if (at - a->at <= a->size - size)
        return true;
    if (at == 0 || at != a->at + a->size) /* 0: beyond the last address */
        return false;
    a->size += size;
    return true;
}

static inline void add(struct last_step *s, const void *pc, const void *at,
                       size_t size, uint32_t flags)
{
    const uint32_t low =
        s->count - s->tail < LOOK_BACK ? s->tail : s->count - LOOK_BACK;
    for (uint32_t i = s->count; i-- > low;)
        if (absorb(&s->access[i], pc, (uintptr_t)at, size, flags))
            return;
    if (s->count == MOST) {
        races_step_incomplete = true;
        return;
    }
    s->access[s->count++] = (struct access){
        .at = (uintptr_t)at,
        .size = size,
        .pc = pc,
        .unit = (uint32_t)size,
        .flags = flags,
    };
}

void races_step_plain(unsigned thread, const void *pc, const void *at,
                      size_t size, bool writes)
{
    if (!size)
        return;
    if (writes && !is_alone(thread))
        races_unwritten_write(at, size);
    add(&of[thread], pc, at, size,
        writes                           ? WRITES
        : races_unwritten_read(at, size) ? GONE
                                         : 0);
}

void races_step_sync(unsigned thread)
{
    struct last_step *const s = &of[thread];
    if (!s->ordered)
        s->front = s->count;
    s->tail = s->count;
    s->ordered = true;
}

void races_step_event(unsigned thread, const void *pc, const void *at,
                      size_t size, bool writes)
{
    struct last_step *const s = &of[thread];
    assert(s->tail <= s->count && s->count <= MOST);
    s->tail = s->count; /* it is an entry of its own */
    if (writes && !is_alone(thread))
        races_unwritten_write(at, size);
    add(s, pc, at, size, writes ? ATOMIC | WRITES : ATOMIC);
    races_step_sync(thread);
}

void races_step_failed(unsigned thread)
{
    struct last_step *const s = &of[thread];
    if (s->tail && s->access[s->tail - 1].flags & ATOMIC)
        s->access[s->tail - 1].flags = ATOMIC;
}

void races_step_joined(unsigned thread)
{
    alive &= ~((uint64_t)1 << thread);
    of[thread].tail = of[thread].count;
    of[thread].hashed = false;
}

/* ---- comparing ---- */

static inline bool overlap(const struct access *a, const struct access *b)
{
    return plumb_base_ranges_meet(a->at, a->size, b->at, b->size);
}

static inline bool conflict(const struct access *a, const struct access *b)
{
    return overlap(a, b) && ((a->flags | b->flags) & WRITES) &&
           !(a->flags & b->flags & ATOMIC);
}

static struct race race_of(unsigned first, const struct access *a,
                           unsigned second, const struct access *b)
{
    return (struct race){
        .thread = { first, second },
        .pc = { a->pc, b->pc },
        .at = (const void *)(uintptr_t)(a->at > b->at ? a->at : b->at),
        .size = { a->unit, b->unit },
        .writes = { a->flags & WRITES, b->flags & WRITES },
        .atomic = { a->flags & ATOMIC, b->flags & ATOMIC },
    };
}

typedef void teller(void *context, const struct race *race, bool shown);

/* Of what thread `first` did, and of what thread `second` did after it. */
static void compare(unsigned first, const struct access *a, uint32_t as,
                    unsigned second, const struct access *b, uint32_t bs,
                    bool shown, teller *tell, void *context)
{
    for (uint32_t i = 0; i < as; i++)
        for (uint32_t j = 0; j < bs && !(a[i].flags & GONE); j++)
            if (__builtin_expect(conflict(&a[i], &b[j]), 0)) {
                const struct race race = race_of(first, &a[i], second, &b[j]);
                tell(context, &race, shown);
            }
}

static bool is_new(unsigned thread, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (doer[i] == thread)
            return false;
    return true;
}

static void compare_with_tails(unsigned i, teller *tell, void *context)
{
    const unsigned t = doer[i];
    const struct last_step *const s = &of[t];
    if (!s->count)
        return;
    for (unsigned u = 0; u < threads; u++) {
        const struct last_step *const o = &of[u];
        /* Of those in one step the later ones follow the earlier. */
        if (u != t && o->count > o->tail && (is_new(u, doers) || !is_new(u, i)))
            compare(u, o->access + o->tail, o->count - o->tail, t, s->access,
                    s->count, true, tell, context);
    }
}

/* ---- fronts ---- */

static PLUMB_VECTOR(struct front) fronts;
static PLUMB_VECTOR(struct access) kept; /* of fronts */

static void keep_front(uint32_t depth, unsigned thread)
{
    const struct last_step *const s = &of[thread];
    const uint32_t count = s->ordered ? s->front : s->count;
    const struct front front = { .depth = depth,
                                 .first = (uint32_t)kept.count,
                                 .count = count,
                                 .thread = thread };
    if (!count)
        return;
    if (!PLUMB_RESERVE(NULL, &kept, kept.count + count) ||
        !PLUMB_PUSH(NULL, &fronts, front)) {
        races_step_incomplete = true;
        return;
    }
    memcpy(kept.at + kept.count, s->access, count * sizeof *kept.at);
    kept.count += count;
}

static void compare_fronts(uint32_t depth, teller *tell, void *context)
{
    const unsigned t = doer[0];
    const struct last_step *const s = &of[t];
    while (fronts.count && fronts.at[fronts.count - 1].depth > depth)
        kept.count = PLUMB_POP(&fronts).first;
    for (size_t i = fronts.count; i-- > 0 && fronts.at[i].depth == depth;) {
        const struct front *const f = &fronts.at[i];
        if (f->thread != t)
            compare(f->thread, kept.at + f->first, f->count, t, s->access,
                    s->ordered ? s->front : s->count, false, tell, context);
    }
    keep_front(depth, t);
}

void races_step_compare(uint32_t depth, teller *tell, void *context)
{
    for (unsigned i = 0; i < doers; i++)
        compare_with_tails(i, tell, context);
    for (unsigned i = 0; i < frees; i++)
        tell(context, &freed[i], false);
    compare_fronts(depth, tell, context);
    if (races_unwritten_is_broken())
        tell(context, NULL, false);
}

/* ---- memory that is freed ---- */

static void bury(unsigned owner, unsigned thread, const struct access *block)
{
    struct last_step *const s = &of[owner];
    for (uint32_t i = s->tail; i < s->count; i++) {
        struct access *const a = &s->access[i];
        if (a->flags & GONE || !overlap(a, block))
            continue;
        a->flags |= GONE;
        s->hashed = false;
        /* One of each step is enough to go on. */
        if (owner != thread && frees < MOST_FREED)
            freed[frees++] = race_of(owner, a, thread, block);
    }
}

void races_step_free(unsigned thread, const void *pc, const void *at,
                     size_t size)
{
    const struct access block = { .at = (uintptr_t)at,
                                  .size = size,
                                  .pc = pc,
                                  .unit = (uint32_t)size,
                                  .flags = ATOMIC | WRITES }; /* no point */
    for (unsigned t = 0; t < threads; t++)
        bury(t, thread, &block);
}

/* ---- the state ---- */

/* Of a step that is done, only the tail is ever asked for. */
static void pass_tail(struct last_step *s, struct memory_tape *tape)
{
    uint32_t count = s->count - s->tail;
    memory_tape_pass(tape, &count, sizeof count);
    memory_tape_pass(tape, &s->hash, sizeof s->hash);
    memory_tape_pass(tape, &s->hashed, sizeof s->hashed);
    if (tape->reads) {
        s->front = s->tail = 0;
        s->count = count;
    }
    memory_tape_pass(tape, s->access + s->tail, count * sizeof *s->access);
}

void races_step_pass(struct memory_tape *tape)
{
    memory_tape_pass(tape, &threads, sizeof threads);
    memory_tape_pass(tape, &alive, sizeof alive);
    for (unsigned t = 0; t < threads; t++)
        pass_tail(&of[t], tape);
}

uint64_t races_step_hash(unsigned thread)
{
    struct last_step *const s = &of[thread];
    if (s->hashed)
        return s->hash;
    s->hash = 0;
    for (uint32_t i = s->tail; i < s->count; i++) {
        const struct access *const a = &s->access[i];
        if (a->flags & GONE)
            continue;
        s->hash = plumb_base_mix(s->hash ^ a->at, (uintptr_t)a->pc);
        s->hash = plumb_base_mix(s->hash, a->size << 1 | (a->flags & WRITES));
    }
    s->hashed = true;
    return s->hash;
}
