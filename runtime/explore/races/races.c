/* races.c - happens-before, by vector clocks.
 *
 * Each thread has a clock, which goes on when it releases something, and knows
 * of each other thread up to which time of that thread's clock all happened
 * before now.  An access at time c of thread u happened before what thread t
 * does now iff c is not above what t knows of u.
 *
 * A record of an access is dropped as soon as it can no more decide: when a
 * later access, which it happened before, would race with all that it could
 * race with (FastTrack by Flanagan and Freund, PLDI 2009, with their read
 * vectors as lists, and accesses of parts of a word).  So up to the first race
 * of an execution nothing is missed and nothing wrongly told.
 *
 * An acquire comes before the access that does it, and a release after: what
 * a store was released with is ordered with the load that reads it. */
#include "races.h"

#include "base/range.h"
#include "race_log.h"
#include "race_path.h"
#include "runtime/explore/scheduler/fiber_switch.h"
#include "shadow.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

bool races_wanted, races_on, races_wiped;

/* A frame of its own, below that of who calls it. */
#define ALONE __attribute__((noinline))
enum { WIPED = 768 };

/* ---- kinds of accesses ---- */

enum { WRITES = 1, ATOMIC = 2, KIND_BITS = 2, KINDS = 4 };

#define BIT(kind) (1u << (kind))

/* Of two conflicting accesses one writes and one is not atomic. */
static const unsigned conflicts[KINDS] = {
    [0] = BIT(WRITES) | BIT(WRITES | ATOMIC),
    [WRITES] = BIT(0) | BIT(WRITES) | BIT(ATOMIC) | BIT(WRITES | ATOMIC),
    [ATOMIC] = BIT(WRITES),
    [WRITES | ATOMIC] = BIT(0) | BIT(WRITES),
};

/* Those that conflict with nothing that this kind does not conflict with. */
static const unsigned stands_for[KINDS] = {
    [0] = BIT(0) | BIT(ATOMIC),
    [WRITES] = BIT(0) | BIT(WRITES) | BIT(ATOMIC) | BIT(WRITES | ATOMIC),
    [ATOMIC] = BIT(ATOMIC),
    [WRITES | ATOMIC] = BIT(ATOMIC) | BIT(WRITES | ATOMIC),
};

/* ---- clocks ---- */

struct thread {
    struct races_shadow_clocks knows; /* its own clock is among them          */
    struct races_shadow_clocks fenced; /* what it knew at its last release
                                    fence: relaxed stores release that   */
    struct races_shadow_clocks heard;  /* what its relaxed loads would have
                                    acquired: an acquire fence does      */
};

static struct thread thread_of[SHADOW_THREADS];
static unsigned threads;

static void join(struct races_shadow_clocks *to,
                 const struct races_shadow_clocks *from)
{
    for (uint32_t i = to->count; i < from->count; i++)
        to->of[i] = 0;
    if (to->count < from->count)
        to->count = from->count;
    for (uint32_t i = 0; i < from->count; i++)
        if (to->of[i] < from->of[i])
            to->of[i] = from->of[i];
}

static void copy_clocks(struct races_shadow_clocks *to,
                        const struct races_shadow_clocks *from)
{
    to->count = from->count;
    for (uint32_t i = 0; i < from->count; i++)
        to->of[i] = from->of[i];
}

/* What it does from here on is not what it has released.  A clock that stands
 * at its end hides races, but makes none up. */
static void tick(unsigned thread)
{
    uint32_t *const clock = &thread_of[thread].knows.of[thread];
    *clock += *clock < UINT32_MAX;
}

static void add_threads(unsigned count)
{
    assert(count <= SHADOW_THREADS);
    for (; threads < count; threads++) {
        struct thread *const t = &thread_of[threads];
        t->knows.count = threads + 1;
        memset(t->knows.of, 0, threads * sizeof *t->knows.of);
        t->knows.of[threads] = 1;
        t->fenced.count = t->heard.count = 0;
    }
}

static inline struct thread *get(unsigned thread)
{
    if (__builtin_expect(thread >= threads, 0))
        add_threads(thread + 1);
    return &thread_of[thread];
}

bool races_init(void)
{
    if (!races_shadow_init())
        return false;
    races_begin();
    races_now();
    return true;
}

void races_begin(void)
{
    races_shadow_full = false;
    race_path_begin();
    race_log_open();
}

void races_now(void)
{
    if (!race_log_is_open() && !race_path_is_open())
        return;
    races_shadow_begin();
    threads = 0;
    add_threads(1);
    if (race_path_is_open())
        race_path_look();
    else
        race_log_look();
}

void races_settle(void)
{
    if (race_log_is_open())
        race_log_settle();
}

bool races_incomplete(void)
{
    return races_shadow_full;
}

/* ---- two places ----
 *
 * Of an access that races with several others the first is told, and a record
 * is dropped though it is of another place than the one that stands for it.  Who
 * is after a race of two certain places looks at these alone, and lets only a
 * record of the same place stand for another. */

static const void *narrow[2];
static bool is_narrow;

void races_narrow(const void *one, const void *other)
{
    narrow[0] = one;
    narrow[1] = other;
    is_narrow = one != NULL;
}

static inline bool is_wanted(const void *pc)
{
    return !is_narrow || pc == narrow[0] || pc == narrow[1];
}

static inline bool are_wanted(const void *a, const void *b)
{
    return !is_narrow || (a == narrow[0] && b == narrow[1]) ||
           (a == narrow[1] && b == narrow[0]);
}

static inline bool may_stand_for(const void *a, const void *b)
{
    return !is_narrow || a == b;
}

/* ---- one access to one cell ---- */

struct access {
    const void *pc;
    const struct races_shadow_clocks *knows;
    size_t size;
    uint32_t clock;
    unsigned kind;
    uint8_t who;
};

static struct access access_by(unsigned thread, const void *pc, size_t size,
                               unsigned kind)
{
    const struct thread *const t = get(thread);
    return (struct access){
        .pc = pc,
        .knows = &t->knows,
        .size = size,
        .clock = t->knows.of[thread],
        .kind = kind,
        .who = (uint8_t)(thread << KIND_BITS | kind),
    };
}

static inline bool happened_before(const struct races_shadow_record *r,
                                   const struct access *a)
{
    const unsigned thread = r->who >> KIND_BITS;
    return thread < a->knows->count && r->clock <= a->knows->of[thread];
}

static void tell(struct race *race, const struct races_shadow_record *r,
                 const struct access *a, uint64_t word, unsigned bytes)
{
    const unsigned kind = r->who & (KINDS - 1);
    const uint64_t at = 8 * word + (unsigned)__builtin_ctz(bytes & r->bytes);
    *race = (struct race){
        .thread = { r->who >> KIND_BITS, a->who >> KIND_BITS },
        .pc = { r->pc, a->pc },
        .at = (const void *)(uintptr_t)at,
        .size = { r->size, (uint32_t)a->size },
        .writes = { kind & WRITES, a->kind & WRITES },
        .atomic = { kind & ATOMIC, a->kind & ATOMIC },
    };
}

/* What a walk over the records of a cell has seen. */
struct walk {
    struct races_shadow_record *room; /* a free one                       */
    struct races_shadow_record *like; /* one that differs only in its bytes */
    bool known;                       /* nothing is new                   */
    bool raced;
};

/* The thread did the same since it released something last: whoever came in
 * between has been told apart from that. */
static inline bool says_it_all(const struct races_shadow_record *r,
                               const struct access *a, unsigned bytes)
{
    return r->clock == a->clock && r->who == a->who &&
           (bytes & ~(unsigned)r->bytes) == 0 && may_stand_for(a->pc, r->pc);
}

static inline bool is_like(const struct races_shadow_record *r,
                           const struct access *a)
{
    return r->clock == a->clock && r->who == a->who && r->pc == a->pc &&
           r->size == (a->size < SHADOW_MOST ? a->size : SHADOW_MOST);
}

static inline void pass(struct walk *w, struct races_shadow_record *r,
                        const struct access *a, uint64_t word, unsigned bytes,
                        struct race *race)
{
    if ((r->bytes & bytes) == 0) {
        if (r->bytes == 0)
            w->room = r;
        else if (is_like(r, a))
            w->like = r;
        return;
    }
    if (says_it_all(r, a, bytes)) {
        w->known = true;
        return;
    }
    const unsigned kind = r->who & (KINDS - 1);
    if (!happened_before(r, a)) {
        if (!(conflicts[a->kind] & BIT(kind)) || !are_wanted(r->pc, a->pc))
            return;
        if (!w->raced)
            tell(race, r, a, word, bytes);
        w->raced = true;
    } else if ((stands_for[a->kind] & BIT(kind)) &&
               may_stand_for(a->pc, r->pc)) {
        r->bytes = (uint8_t)(r->bytes & ~bytes);
        if (r->bytes == 0)
            w->room = r;
    }
}

static void remember(struct races_shadow_cell *cell, struct walk *w,
                     const struct access *a, unsigned bytes)
{
    if (w->like) {
        w->like->bytes = (uint8_t)(w->like->bytes | bytes);
        return;
    }
    if (!w->room) {
        struct races_shadow_more *const more = races_shadow_extend(cell);
        if (!more)
            return;
        w->room = &more->record[0];
    }
    *w->room = (struct races_shadow_record){
        .pc = a->pc,
        .clock = a->clock,
        .size = (uint16_t)(a->size < SHADOW_MOST ? a->size : SHADOW_MOST),
        .bytes = (uint8_t)bytes,
        .who = a->who,
    };
}

/* A plain write is no part of a release sequence, and ends those there. */
static void drop_rows(struct races_shadow_cell *cell, unsigned bytes,
                      bool objects)
{
    for (uint32_t i = cell->rows; i; i = races_shadow_row(i)->next) {
        struct races_shadow_row *const row = races_shadow_row(i);
        if (objects || !row->is_object)
            row->bytes = (uint8_t)(row->bytes & ~bytes);
    }
    races_shadow_sweep(cell);
}

static bool access_cell(uint64_t word, unsigned bytes, const struct access *a,
                        struct race *race)
{
    struct races_shadow_cell *const cell = races_shadow_add(word);
    if (!cell)
        return false;
    struct walk w = { .known = !is_wanted(a->pc) };
    for (int i = 0; i < SHADOW_RECORDS && !w.known; i++)
        pass(&w, &cell->record[i], a, word, bytes, race);
    for (uint32_t at = cell->more; at && !w.known;) {
        struct races_shadow_more *const more = races_shadow_more(at);
        for (int i = 0; i < SHADOW_RECORDS && !w.known; i++)
            pass(&w, &more->record[i], a, word, bytes, race);
        at = more->more;
    }
    if (cell->rows && a->kind == WRITES)
        drop_rows(cell, bytes, false);
    if (!w.known)
        remember(cell, &w, a, bytes);
    return w.raced;
}

/* ---- from bytes to cells ---- */

/* A range, cell by cell. */
struct span {
    uint64_t word, last;   /* cells */
    unsigned bytes;        /* of cell `word` */
    unsigned bytes_of_end; /* of cell `last` */
};

static inline struct span span_of(const void *at, size_t size)
{
    const uint64_t first = (uintptr_t)at,
                   end = plumb_base_range_last(first, size);
    struct span s = { first / 8, end / 8, 0xffu << first % 8 & 0xff,
                      0xffu >> (7 - end % 8) };
    if (s.word == s.last)
        s.bytes &= s.bytes_of_end;
    return s;
}

static inline bool span_next(struct span *s)
{
    if (s->word == s->last)
        return false;
    s->word++;
    s->bytes = s->word == s->last ? s->bytes_of_end : 0xff;
    return true;
}

static bool access_range(const void *at, const struct access *a,
                         struct race *race)
{
    bool raced = false;
    struct race other;
    struct span s = span_of(at, a->size);
    do
        raced |= access_cell(s.word, s.bytes, a, raced ? &other : race);
    while (!races_shadow_full && span_next(&s));
    /* What could not be remembered may be what orders these two. */
    return raced && !races_shadow_full;
}

ALONE static bool look_at_plain(unsigned thread, const void *pc, const void *at,
                                size_t size, bool writes, struct race *race)
{
    if (size == 0)
        return false;
    const struct access a = access_by(thread, pc, size, writes ? WRITES : 0);
    return access_range(at, &a, race);
}

/* ---- atomic ones ---- */

/* What was released into these bytes. */
static void collect(struct races_shadow_clocks *into, struct span s)
{
    do {
        const struct races_shadow_cell *const cell = races_shadow_find(s.word);
        for (uint32_t i = cell ? cell->rows : 0; i;
             i = races_shadow_row(i)->next)
            if (!races_shadow_row(i)->is_object &&
                (races_shadow_row(i)->bytes & s.bytes))
                join(into, &races_shadow_row(i)->clocks);
    } while (span_next(&s));
}

/* These bytes are written: `said` is what one acquires who reads them. */
static void publish(struct span s, const struct races_shadow_clocks *said)
{
    do {
        struct races_shadow_cell *const cell = races_shadow_find(s.word);
        if (!cell)
            continue; /* memory is used up */
        if (cell->rows)
            drop_rows(cell, s.bytes, false);
        struct races_shadow_row *const row =
            said->count ? races_shadow_release(cell) : NULL;
        if (row) {
            row->bytes = (uint8_t)s.bytes;
            copy_clocks(&row->clocks, said);
        }
    } while (span_next(&s));
}

ALONE static bool look_at_atomic(unsigned thread, const void *pc,
                                 const void *at, size_t size, bool reads,
                                 bool writes, int order, struct race *race)
{
    struct thread *const t = get(thread);
    const struct span s = span_of(at, size);
    struct races_shadow_clocks
        said; /* a release sequence goes on by reading it */
    said.count = 0;
    if (reads) {
        collect(&said, s);
        join(races_order_acquires(order) ? &t->knows : &t->heard, &said);
    }
    const struct access a =
        access_by(thread, pc, size, writes ? WRITES | ATOMIC : ATOMIC);
    const bool raced = access_range(at, &a, race);
    if (writes) {
        join(&said, races_order_releases(order) ? &t->knows : &t->fenced);
        publish(s, &said);
        if (races_order_releases(order))
            tick(thread);
    }
    return raced;
}

static void fence(unsigned thread, int order)
{
    struct thread *const t = get(thread);
    if (races_order_acquires(order))
        join(&t->knows, &t->heard);
    if (races_order_releases(order)) {
        copy_clocks(&t->fenced, &t->knows);
        tick(thread);
    }
}

/* ---- objects that order, and threads ---- */

static struct races_shadow_row *row_of_object(
    const struct races_shadow_cell *cell, unsigned bytes)
{
    struct races_shadow_row *row;
    for (uint32_t i = cell->rows; i; i = row->next) {
        row = races_shadow_row(i);
        if (row->is_object && row->bytes == bytes)
            return row;
    }
    return NULL;
}

static void acquire(unsigned thread, const void *object)
{
    const struct span s = span_of(object, 1);
    const struct races_shadow_cell *const cell = races_shadow_find(s.word);
    const struct races_shadow_row *const row =
        cell ? row_of_object(cell, s.bytes) : NULL;
    if (row)
        join(&get(thread)->knows, &row->clocks);
}

static void release(unsigned thread, const void *object)
{
    const struct span s = span_of(object, 1);
    struct races_shadow_cell *const cell = races_shadow_add(s.word);
    if (!cell)
        return;
    struct races_shadow_row *row = row_of_object(cell, s.bytes);
    if (!row) {
        row = races_shadow_release(cell);
        if (!row)
            return;
        row->bytes = (uint8_t)s.bytes;
        row->is_object = true;
    }
    join(&row->clocks, &get(thread)->knows);
    tick(thread);
}

static void spawn(unsigned thread, unsigned child)
{
    (void)get(thread < child ? child : thread);
    join(&thread_of[child].knows, &thread_of[thread].knows);
    tick(thread);
}

static void join_thread(unsigned thread, unsigned child)
{
    (void)get(thread < child ? child : thread);
    join(&thread_of[thread].knows, &thread_of[child].knows);
}

/* ---- forgetting ---- */

static void forget_cell(struct races_shadow_cell *cell, uint64_t word,
                        void *context)
{
    const struct span *const s = context;
    unsigned bytes = 0xff;
    if (word == s->word)
        bytes = s->bytes;
    else if (word == s->last)
        bytes = s->bytes_of_end;
    struct races_shadow_record *r = cell->record;
    for (uint32_t more = cell->more;; more = races_shadow_more(more)->more) {
        for (int i = 0; i < SHADOW_RECORDS; i++)
            r[i].bytes = (uint8_t)(r[i].bytes & ~bytes);
        if (!more)
            break;
        r = races_shadow_more(more)->record;
    }
    drop_rows(cell, bytes, true);
}

static void forget(const void *at, size_t size)
{
    if (size == 0)
        return;
    struct span s = span_of(at, size);
    races_shadow_each(s.word, s.last + 1, forget_cell, &s);
}

/* ---- from a log ---- */

static bool look_at_access(const struct race_entry *e, struct race *race)
{
    const unsigned kind = race_kind(e);
    if (!(kind & RACE_ATOMIC))
        return look_at_plain(race_thread(e), race_place(e), race_address(e),
                             race_size(e), kind & RACE_WRITES, race);
    return look_at_atomic(race_thread(e), race_place(e), race_address(e),
                          race_size(e), kind & RACE_READS, kind & RACE_WRITES,
                          race_order(e), race);
}

/* What orders, and what is forgotten: `at` is an object, memory, or the number
 * of another thread. */
ALONE static void look_at_order(unsigned kind, unsigned thread, const void *at,
                                size_t size, int order)
{
    const unsigned other = (unsigned)(uintptr_t)at;
    switch (kind) {
    case RACE_FENCE:
        fence(thread, order);
        break;
    case RACE_ACQUIRE:
        acquire(thread, at);
        break;
    case RACE_RELEASE:
        release(thread, at);
        break;
    case RACE_SPAWN:
        spawn(thread, other);
        break;
    case RACE_JOIN:
        join_thread(thread, other);
        break;
    default:
        assert(kind == RACE_FORGET);
        forget(at, size);
    }
}

bool races_look(const struct race_entry *e, struct race *race)
{
    if (race_kind(e) < RACE_FENCE)
        return look_at_access(e, race);
    look_at_order(race_kind(e), race_thread(e), race_address(e), race_size(e),
                  race_order(e));
    return false;
}

/* ---- for hooks and shims ----
 *
 * These are called on the stacks of threads, which are part of the world, and
 * clocks are not.  What they leave below and in registers would show in the gaps
 * of the next frames there: one state would look like many. */

ALONE static void wipe(void)
{
    char below[WIPED];
    memset(below, 0, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
    scheduler_fiber_clear_registers();
}

bool races_plain(unsigned thread, const void *pc, const void *at, size_t size,
                 bool writes, struct race *race)
{
    races_now();
    const bool raced = look_at_plain(thread, pc, at, size, writes, race);
    if (races_wiped)
        wipe();
    return raced;
}

bool races_atomic(unsigned thread, const void *pc, const void *at, size_t size,
                  bool reads, bool writes, int order, struct race *race)
{
    races_now();
    const bool raced =
        look_at_atomic(thread, pc, at, size, reads, writes, order, race);
    if (races_wiped)
        wipe();
    return raced;
}

static inline void note_order(unsigned kind, unsigned thread, const void *at,
                              size_t size, int order)
{
    if (!race_note(kind, thread, NULL, at, size, order)) {
        races_now();
        look_at_order(kind, thread, at, size, order);
    }
    if (races_wiped)
        wipe();
}

void races_fence(unsigned thread, int order)
{
    note_order(RACE_FENCE, thread, NULL, 0, order);
}

void races_acquire(unsigned thread, const void *object)
{
    note_order(RACE_ACQUIRE, thread, object, 0, 0);
}

void races_release(unsigned thread, const void *object)
{
    note_order(RACE_RELEASE, thread, object, 0, 0);
}

void races_spawn(unsigned thread, unsigned child)
{
    note_order(RACE_SPAWN, thread, (const void *)(uintptr_t)child, 0, 0);
}

void races_join(unsigned thread, unsigned child)
{
    note_order(RACE_JOIN, thread, (const void *)(uintptr_t)child, 0, 0);
}

void races_forget(const void *at, size_t size)
{
    note_order(RACE_FORGET, 0, at, size, 0);
}
