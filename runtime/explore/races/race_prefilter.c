/* race_prefilter.c - happens-before in a few instructions, for what is usual.
 *
 * The rules are those of races.c.  What makes it quick: clocks of up to 8
 * threads are one vector; a variable is almost always accessed as a whole, so that
 * it is known by its first byte and its size; the last access of each thread and
 * sort is kept, which is as good as all of them; and nothing jumps by what an
 * entry is, which nobody foresees: masks tell.
 *
 * What is not usual is left to races.c: more threads, atomic accesses of parts
 * of what was accessed as a whole, or of more than 8 bytes.
 *
 * For who wants to go back, clocks that change are kept as they were before. */
#include "race_prefilter.h"

#include "base/range.h"
#include "races.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

enum { THREADS = 8, CELLS = 1 << 16, MOST_WIDE = CELLS / 4 };

typedef int16_t clocks __attribute__((vector_size(2 * THREADS)));
_Static_assert(RACE_ENTRIES < INT16_MAX, "a clock goes on once for an entry");
_Static_assert(RACE_ENTRIES + 2 * MOST_WIDE <= CELLS, "never full");

/* On x86-64 one instruction, which gcc does not find by itself. */
static inline clocks later(clocks a, clocks b)
{
#if defined(__SSE2__) && !defined(__clang__)
    return __builtin_ia32_pmaxsw128(a, b);
#else
    const clocks more = a > b;
    return (a & more) | (b & ~more);
#endif
}

/* ---- what a kind of access does, as masks ---- */

enum { KINDS = 8, MEMORY_ORDERS = 8 };

/* Which of the accesses before are in the way: plain reads and writes, atomic
 * ones. */
enum { READ, WRITE, ATOMIC_READ, ATOMIC_WRITE, SORTS };

struct manner {
    clocks meets[SORTS];
    clocks acquires, hears; /* at once, or at the next fence */
    clocks goes_on;         /* what was released there before */
    clocks releases, said;  /* what it knows, or knew at its last fence */
};
static struct manner manner[KINDS * MEMORY_ORDERS];

static clocks mask(bool is)
{
    const clocks none = { 0 };
    return is ? ~none : none;
}

static struct manner manner_of(unsigned kind, int order)
{
    const bool writes = kind & RACE_WRITES, atomic = kind & RACE_ATOMIC;
    const bool reads = kind & RACE_READS;
    return (struct manner){
        .meets = { mask(writes), mask(true), mask(writes && !atomic),
                   mask(!atomic) },
        .acquires = mask(reads && races_order_acquires(order)),
        .hears = mask(reads && !races_order_acquires(order)),
        .goes_on = mask(reads || !writes),
        .releases = mask(writes && atomic && races_order_releases(order)),
        .said = mask(writes && atomic && !races_order_releases(order)),
    };
}

static void make_manners(void)
{
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (int order = 0; order < MEMORY_ORDERS; order++)
            manner[kind | (unsigned)order << 3] = manner_of(kind, order);
}

/* ---- threads and memory ---- */

struct thread {
    clocks knows, heard, fenced; /* as in races.c */
    clocks self;                 /* its own place */
};

/* A variable, or what is in a word of a larger one; or an object that orders. */
struct cell {
    uint64_t key;       /* address / 8, and its bytes: 0 for an object */
    uint32_t execution; /* else it is empty                            */
    uint16_t object;    /* byte of the word it begins at               */
    uint16_t mixed;     /* others of the word overlap with it          */
    clocks said;        /* what was released into it                   */
    clocks last[SORTS]; /* when each thread did that last              */
};

static struct thread thread[THREADS];
static unsigned threads;
static struct cell cell[CELLS];
static uint32_t execution;
static uint64_t wide; /* words of wide accesses */
static bool strange;  /* something is not usual */

/* ---- as it was before ---- */

/* One entry changes those of all cells, at most: when memory is new. */
enum { MOST_OF_ONE = (SORTS + 1) * CELLS, MOST_KEPT = MOST_OF_ONE + 8 * CELLS };

static bool keeps;
static clocks *kept_at[MOST_KEPT];
static clocks kept_was[MOST_KEPT];
static struct cell *added_cell[CELLS];
static uint32_t kept, added;

/* To be changed. */
static inline void keep(clocks *c)
{
    if (!keeps)
        return;
    assert(kept < MOST_KEPT);
    kept_at[kept] = c;
    kept_was[kept++] = *c;
}

static void keep_added(struct cell *c)
{
    if (!keeps)
        return;
    assert(added < CELLS);
    added_cell[added++] = c;
}

static bool has_no_room(void)
{
    return kept > MOST_KEPT - MOST_OF_ONE;
}

struct races_prefilter_mark races_prefilter_mark(void)
{
    return (struct races_prefilter_mark){ kept, added, wide };
}

/* Threads that were added are as if they were not: they know of themselves. */
void races_prefilter_back(const struct races_prefilter_mark *mark)
{
    while (kept > mark->kept) {
        kept--;
        *kept_at[kept] = kept_was[kept];
    }
    while (added > mark->added)
        added_cell[--added]->execution = 0;
    wide = mark->wide;
    strange = false;
}

/* ---- threads and memory, from the beginning ---- */

static void begin(void)
{
    if (++execution == 0) {
        memset(cell, 0, sizeof cell);
        execution = 1;
    }
    if (execution == 1)
        make_manners();
    threads = 0;
    wide = 0;
    strange = false;
}

static void add_thread(void)
{
    struct thread *const t = &thread[threads];
    const clocks none = { 0 };
    t->self = none;
    t->self[threads] = -1;
    t->knows = -t->self;
    t->heard = t->fenced = none;
    threads++;
}

static inline struct thread *get(unsigned number)
{
    while (__builtin_expect(threads <= number, 0))
        add_thread();
    return &thread[number];
}

/* The next of a word, from place *at on; or NULL. */
static struct cell *next_of(uint64_t word, uint64_t *at)
{
    for (; cell[*at % CELLS].execution == execution; ++*at)
        if (cell[*at % CELLS].key >> 8 == word)
            return &cell[(*at)++ % CELLS];
    return NULL;
}

static struct cell *add(uint64_t key)
{
    uint64_t at = key >> 8;
    bool mixed = false;
    for (struct cell *c; (c = next_of(key >> 8, &at));)
        if (c->key & key & 0xff)
            c->mixed = mixed = true;
    struct cell *const new = &cell[at % CELLS];
    *new = (struct cell){ .key = key, .execution = execution, .mixed = mixed };
    keep_added(new);
    return new;
}

static inline struct cell *find(uint64_t word, uint64_t bytes)
{
    const uint64_t key = word << 8 | bytes;
    uint64_t at = word;
    for (; cell[at % CELLS].execution == execution; at++)
        if (cell[at % CELLS].key == key)
            return &cell[at % CELLS];
    return add(key);
}

static inline void learn(struct thread *t, clocks what)
{
    keep(&t->knows);
    t->knows = later(t->knows, what);
}

static inline void tick(struct thread *t)
{
    keep(&t->knows);
    t->knows -= t->self;
}

/* ---- accesses ---- */

/* Not 0: it races. */
static inline clocks access(struct thread *t, const struct manner *m,
                            unsigned sort, struct cell *c)
{
    keep(&t->knows);
    keep(&t->heard);
    keep(&c->said);
    keep(&c->last[sort]);
    const clocks knows = later(t->knows, c->said & m->acquires);
    t->heard = later(t->heard, c->said & m->hears);
    const clocks met =
        ((c->last[READ] > knows) & m->meets[READ]) |
        ((c->last[WRITE] > knows) & m->meets[WRITE]) |
        ((c->last[ATOMIC_READ] > knows) & m->meets[ATOMIC_READ]) |
        ((c->last[ATOMIC_WRITE] > knows) & m->meets[ATOMIC_WRITE]);
    c->last[sort] = (c->last[sort] & ~t->self) | (knows & t->self);
    c->said = later(c->said & m->goes_on,
                    (knows & m->releases) | (t->fenced & m->said));
    t->knows = knows - (t->self & m->releases);
    return met;
}

static inline bool is_any(clocks c)
{
    uint64_t half[sizeof c / sizeof(uint64_t)];
    memcpy(half, &c, sizeof c);
    return (half[0] | half[1]) != 0;
}

/* The others that overlap with it, as all of them have been accessed plainly:
 * each is looked at, and changed by accesses of its own. */
static __attribute__((noinline)) clocks access_others(const struct thread *t,
                                                      const struct manner *m,
                                                      const struct cell *own)
{
    clocks met = { 0 };
    uint64_t at = own->key >> 8;
    for (const struct cell *c; (c = next_of(own->key >> 8, &at));) {
        if (!(c->key & own->key & 0xff))
            continue;
        strange |=
            is_any(c->said | c->last[ATOMIC_READ] | c->last[ATOMIC_WRITE]);
        met |= ((c->last[READ] > t->knows) & m->meets[READ]) |
               ((c->last[WRITE] > t->knows) & m->meets[WRITE]);
    }
    return met;
}

static inline clocks access_any(struct thread *t, const struct manner *m,
                                unsigned sort, struct cell *c)
{
    if (__builtin_expect(!c->mixed, 1))
        return access(t, m, sort, c);
    strange |= sort >= ATOMIC_READ;
    return access_others(t, m, c) | access(t, m, sort, c);
}

/* Those of [at, at + size) in a word. */
static uint64_t bytes_of(uint64_t word, uint64_t at, uint64_t size)
{
    uint32_t bytes = 0xff;
    if (word == at / 8)
        bytes &= 0xffu << at % 8;
    const uint64_t last = plumb_base_range_last(at, size);
    if (word == last / 8)
        bytes &= 0xffu >> (7 - last % 8);
    return bytes;
}

/* Of one that acquires and releases, parts are not alike. */
static clocks access_wide(struct thread *t, const struct manner *m,
                          unsigned sort, const struct race_entry *e)
{
    clocks met = { 0 };
    const uint64_t at = (uintptr_t)race_address(e), size = race_size(e);
    wide += size / 8 + 2;
    strange |= race_kind(e) & RACE_ATOMIC || wide > MOST_WIDE;
    if (!size || strange)
        return met;
    for (uint64_t w = at / 8; w <= plumb_base_range_last(at, size) / 8; w++)
        met |= access_any(t, m, sort, find(w, bytes_of(w, at, size)));
    return met;
}

static inline clocks pass(const struct race_entry *e)
{
    const uint64_t at = (uintptr_t)race_address(e), size = race_size(e);
    const unsigned kind = race_kind(e);
    const unsigned sort = (kind & RACE_WRITES) | (kind & RACE_ATOMIC) >> 1;
    const struct manner *const m = &manner[kind | (unsigned)race_order(e) << 3];
    struct thread *const t = get(race_thread(e));
    if (__builtin_expect(size && at % 8 + size <= 8, 1))
        return access_any(t, m, sort,
                          find(at / 8, 0xffu >> (8 - size) << at % 8));
    return access_wide(t, m, sort, e);
}

/* ---- orders ---- */

static void fence(struct thread *t, int order)
{
    if (races_order_acquires(order))
        learn(t, t->heard);
    if (races_order_releases(order)) {
        keep(&t->fenced);
        t->fenced = t->knows;
        tick(t);
    }
}

/* Two in one word are not usual. */
static struct cell *find_object(uint64_t at)
{
    struct cell *const c = find(at / 8, 0);
    strange |= c->object && c->object != at % 8 + 1;
    if (!c->object)
        c->object = (uint16_t)(at % 8 + 1);
    return c;
}

static void release(struct thread *t, uint64_t at)
{
    struct cell *const c = find_object(at);
    keep(&c->said);
    c->said = later(c->said, t->knows);
    tick(t);
}

static void forget_cell(struct cell *c, uint64_t bytes)
{
    const uint64_t own = c->object ? 1u << (c->object - 1) : c->key & 0xff;
    if (!(own & bytes))
        return;
    strange |= own & ~bytes;
    keep(&c->said);
    for (int i = 0; i < SORTS; i++)
        keep(&c->last[i]);
    memset(c->last, 0, sizeof c->last);
    c->said = mask(false);
}

static void forget(uint64_t at, uint64_t size)
{
    wide += size / 8 + 2;
    strange |= wide > MOST_WIDE;
    if (!size || strange)
        return;
    for (uint64_t w = at / 8; w <= plumb_base_range_last(at, size) / 8; w++) {
        uint64_t place = w;
        for (struct cell *c; (c = next_of(w, &place));)
            forget_cell(c, bytes_of(w, at, size));
    }
}

static clocks order(const struct race_entry *e)
{
    const uint64_t where = (uintptr_t)race_address(e);
    struct thread *const t = get(race_thread(e));
    switch (race_kind(e)) {
    case RACE_FENCE:
        fence(t, race_order(e));
        break;
    case RACE_ACQUIRE:
        learn(t, find_object(where)->said);
        break;
    case RACE_RELEASE:
        release(t, where);
        break;
    case RACE_SPAWN:
        learn(get((unsigned)where), t->knows);
        tick(t);
        break;
    case RACE_JOIN:
        learn(t, get((unsigned)where)->knows);
        break;
    default:
        forget(where, race_size(e));
        break;
    }
    return mask(false);
}

/* ---- all of it ---- */

static bool has_many_threads(const struct race_entry *e)
{
    const unsigned kind = race_kind(e);
    return race_thread(e) >= THREADS ||
           ((kind == RACE_SPAWN || kind == RACE_JOIN) && e->where >= THREADS);
}

static inline clocks look_at(const struct race_entry *e)
{
    return __builtin_expect(race_kind(e) >= RACE_FENCE, 0) ? order(e) : pass(e);
}

bool races_prefilter_is_clear(const struct race_entry *entry,
                              const struct race_entry *end)
{
    clocks met = { 0 };
    begin();
    keeps = false;
    for (const struct race_entry *e = entry; e != end; e++) {
        if (__builtin_expect(strange || has_many_threads(e), 0))
            return false;
        met |= look_at(e);
    }
    return !strange && !is_any(met);
}

void races_prefilter_begin(void)
{
    begin();
    keeps = true;
    kept = added = 0;
}

bool races_prefilter_has_begun(void)
{
    return keeps;
}

bool races_prefilter_on(const struct race_entry *e)
{
    if (has_many_threads(e) || has_no_room())
        return false;
    return !is_any(look_at(e)) && !strange;
}
