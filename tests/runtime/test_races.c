/* test_races.c - the race detector against the definition.
 *
 * Random executions, and for each the relation *happens before* as a graph:
 * edges of C11's rules, closed under transitivity, no clocks.  The detector
 * must tell of a race at the first access that races with an earlier one, name
 * such an earlier one rightly, and tell of none before. */
#include "effort.h"
#include "runtime/explore/races/race_log.h"
#include "runtime/explore/races/race_path.h"
#include "runtime/explore/races/race_prefilter.h"
#include "runtime/explore/races/races.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- executions ---- */

enum what {
    PLAIN,
    ATOMIC,
    FENCE,
    ACQUIRE, /* of an object */
    RELEASE,
    SPAWN, /* thread `at` */
    JOIN,
    FORGET
};

struct event {
    enum what what;
    unsigned thread, at, size; /* bytes [at, at + size) of memory[] */
    bool reads, writes;
    int order;
};

enum { EVENTS = 120, MEMORY = 40, THREADS = 6 };

static _Alignas(64) char memory[MEMORY];
static struct event event[EVENTS];
static unsigned number_of[EVENTS]; /* that they were drawn with */
static unsigned events;

static uint64_t seed;

static unsigned draw(unsigned n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % n;
}

static bool chance(unsigned percent)
{
    return draw(100) < percent;
}

/* How an execution is drawn: without some order in it, all would race soon. */
struct manner {
    unsigned plain, fence, object, thread, forget; /* percent, of events    */
    unsigned own;     /* percent: plain accesses to the thread's own bytes  */
    unsigned relaxed; /* percent of atomics                                 */
    unsigned atomics; /* their bytes are below this                         */
    unsigned locked;  /* percent: plain accesses between lock and unlock    */
};

static struct manner draw_manner(void)
{
    return (struct manner){
        .plain = 5 + draw(50),
        .fence = draw(3) ? 0 : draw(30),
        .object = draw(2) ? 0 : draw(30),
        .thread = 2 + draw(10),
        .forget = draw(3) ? 0 : draw(8),
        .own = draw(100),
        .relaxed = draw(2) ? draw(20) : draw(100),
        .atomics = 1 + draw(MEMORY - 1),
        .locked = draw(2) ? 0 : draw(100),
    };
}

static unsigned draw_size(unsigned at, unsigned end)
{
    static const unsigned sizes[] = { 1, 1, 2, 4, 4, 4, 8, 8, 8, 16 };
    unsigned size = sizes[draw(10)];
    if (chance(5))
        size = 1 + draw(MEMORY);
    return at + size <= end ? size : end - at;
}

static void add(struct event e)
{
    if (events < EVENTS)
        event[events++] = e;
}

static void draw_plain(const struct manner *m, unsigned thread)
{
    struct event e = { .what = PLAIN, .thread = thread };
    e.writes = chance(40);
    if (chance(m->own)) { /* some bytes at the end */
        e.at = MEMORY - 3 * (thread + 1);
        e.size = 1 + draw(3);
    } else {
        e.at = draw(MEMORY);
        e.size = draw_size(e.at, MEMORY);
    }
    const bool locks = chance(m->locked);
    const struct event lock = { .what = ACQUIRE, .thread = thread, .at = 3 };
    if (locks)
        add(lock);
    add(e);
    if (locks) {
        add(e);
        add((struct event){ .what = RELEASE, .thread = thread, .at = 3 });
    }
}

static int draw_order(const struct manner *m)
{
    return chance(m->relaxed) ? memory_order_relaxed : (int)(1 + draw(5));
}

/* Mostly whole and aligned, and of few places, so that many meet. */
static void draw_atomic(const struct manner *m, unsigned thread)
{
    struct event e = { .what = ATOMIC, .thread = thread };
    e.at = draw(m->atomics);
    if (chance(80))
        e.at &= ~7u;
    e.size = chance(60) ? 4 : draw_size(e.at, MEMORY);
    if (e.at + e.size > MEMORY)
        e.size = MEMORY - e.at;
    const unsigned kind = draw(3);
    e.reads = kind != 0;
    e.writes = kind != 1;
    e.order = draw_order(m);
    add(e);
}

struct drawn_threads {
    unsigned count;
    bool ended[THREADS];
};

static unsigned draw_thread(const struct drawn_threads *t)
{
    unsigned thread = draw(t->count);
    while (t->ended[thread])
        thread = draw(t->count);
    return thread;
}

static void draw_thread_event(struct drawn_threads *t, unsigned thread)
{
    if (t->count < THREADS && chance(70)) {
        add((struct event){ .what = SPAWN, .thread = thread, .at = t->count });
        t->count++;
        return;
    }
    const unsigned other = draw_thread(t);
    if (other == thread || other == 0)
        return;
    t->ended[other] = true;
    add((struct event){ .what = JOIN, .thread = thread, .at = other });
}

static void draw_event(const struct manner *m, struct drawn_threads *t)
{
    const unsigned thread = draw_thread(t);
    const unsigned object = draw(3) ? draw(4) : draw(MEMORY);
    if (chance(m->thread))
        draw_thread_event(t, thread);
    else if (chance(m->forget)) {
        const unsigned at = draw(MEMORY);
        add((struct event){ .what = FORGET,
                            .at = at,
                            .thread = thread,
                            .size = draw_size(at, MEMORY) });
    } else if (chance(m->fence))
        add((struct event){
            .what = FENCE, .thread = thread, .order = draw_order(m) });
    else if (chance(m->object))
        add((struct event){ .what = draw(2) ? ACQUIRE : RELEASE,
                            .thread = thread,
                            .at = object });
    else if (chance(m->plain))
        draw_plain(m, thread);
    else
        draw_atomic(m, thread);
}

static void draw_execution(uint64_t number)
{
    seed = number * 0x9e3779b97f4a7c15u;
    (void)draw(2);
    const struct manner m = draw_manner();
    struct drawn_threads t = { .count = 1 };
    const unsigned length = 5 + draw(EVENTS - 5);
    events = 0;
    while (t.count < 2 + draw(3)) {
        add((struct event){ .what = SPAWN, .thread = 0, .at = t.count });
        t.count++;
    }
    while (events < length)
        draw_event(&m, &t);
    for (unsigned i = 0; i < events; i++)
        number_of[i] = i;
}

/* ---- the definition ---- */

typedef struct {
    uint64_t bit[2];
} set;

static bool has(const set *s, unsigned i)
{
    return s->bit[i / 64] >> i % 64 & 1;
}

static void include(set *s, unsigned i)
{
    s->bit[i / 64] |= UINT64_C(1) << i % 64;
}

static void unite(set *s, const set *with)
{
    s->bit[0] |= with->bit[0];
    s->bit[1] |= with->bit[1];
}

/* before[e]: what happens before event e.  sources[e], of an atomic write: the
 * releases (stores and fences) that one synchronizes with who reads it. */
static set before[EVENTS], sources[EVENTS];

static bool acquires(int order)
{
    return order == memory_order_consume || order == memory_order_acquire ||
           order == memory_order_acq_rel || order == memory_order_seq_cst;
}

static bool releases(int order)
{
    return order == memory_order_release || order == memory_order_acq_rel ||
           order == memory_order_seq_cst;
}

static bool is_access(const struct event *e)
{
    return e->what == PLAIN || e->what == ATOMIC;
}

static bool covers(const struct event *e, unsigned byte)
{
    return byte >= e->at && byte < e->at + e->size;
}

/* The last event before `e` that wrote the byte or made it new; or -1. */
static int last_write(unsigned e, unsigned byte)
{
    for (int i = (int)e - 1; i >= 0; i--)
        if ((event[i].what == FORGET ||
             (is_access(&event[i]) && event[i].writes)) &&
            covers(&event[i], byte))
            return i;
    return -1;
}

/* The sources of what `e`, which reads, reads from: byte by byte. */
static set sources_read_by(unsigned e)
{
    set all = { { 0, 0 } };
    for (unsigned b = event[e].at; b < event[e].at + event[e].size; b++) {
        const int write = last_write(e, b);
        if (write >= 0 && event[write].what == ATOMIC)
            unite(&all, &sources[write]);
    }
    return all;
}

static set sources_of_write(unsigned e)
{
    set all = { { 0, 0 } };
    if (event[e].reads) /* a release sequence goes on */
        all = sources_read_by(e);
    if (releases(event[e].order))
        include(&all, e);
    for (unsigned i = 0; i < e; i++)
        if (event[i].what == FENCE && event[i].thread == event[e].thread &&
            releases(event[i].order))
            include(&all, i);
    return all;
}

static void comes_after(unsigned e, unsigned i)
{
    unite(&before[e], &before[i]);
    include(&before[e], i);
}

static void comes_after_all(unsigned e, const set *s)
{
    for (unsigned i = 0; i < e; i++)
        if (has(s, i))
            comes_after(e, i);
}

/* A thread begins with its SPAWN, even if it does nothing. */
static bool is_part_of(unsigned i, unsigned thread)
{
    return event[i].thread == thread ||
           (event[i].what == SPAWN && event[i].at == thread);
}

static void order_after_threads(unsigned e)
{
    for (unsigned i = 0; i < e; i++)
        if (is_part_of(i, event[e].thread) ||
            (event[e].what == JOIN && is_part_of(i, event[e].at)))
            comes_after(e, i);
}

static void order_after_releases(unsigned e)
{
    unsigned first = 0; /* since it became new */
    for (unsigned i = 0; i < e; i++)
        if (event[i].what == FORGET && covers(&event[i], event[e].at))
            first = i;
    for (unsigned i = first; i < e; i++)
        if (event[i].what == RELEASE && event[i].at == event[e].at)
            comes_after(e, i);
}

static void order_after_loads(unsigned e)
{
    for (unsigned i = 0; i < e; i++)
        if (event[i].what == ATOMIC && event[i].reads &&
            event[i].thread == event[e].thread) {
            const set s = sources_read_by(i);
            comes_after_all(e, &s);
        }
}

static void order(unsigned e)
{
    before[e] = sources[e] = (set){ { 0, 0 } };
    order_after_threads(e);
    if (event[e].what == ACQUIRE)
        order_after_releases(e);
    if (event[e].what == FENCE && acquires(event[e].order))
        order_after_loads(e);
    if (event[e].what != ATOMIC)
        return;
    if (event[e].reads && acquires(event[e].order)) {
        const set s = sources_read_by(e);
        comes_after_all(e, &s);
    }
    if (event[e].writes)
        sources[e] = sources_of_write(e);
}

static bool share_a_byte(unsigned i, unsigned e)
{
    for (unsigned b = event[e].at; b < event[e].at + event[e].size; b++) {
        bool shared = covers(&event[i], b);
        for (unsigned f = i + 1; shared && f < e; f++)
            shared = event[f].what != FORGET || !covers(&event[f], b);
        if (shared)
            return true;
    }
    return false;
}

static bool do_race(unsigned i, unsigned e)
{
    return is_access(&event[i]) && is_access(&event[e]) &&
           event[i].thread != event[e].thread &&
           (event[i].writes || event[e].writes) &&
           (event[i].what == PLAIN || event[e].what == PLAIN) &&
           share_a_byte(i, e) && !has(&before[e], i);
}

static bool races_with_any(unsigned e)
{
    for (unsigned i = 0; i < e; i++)
        if (do_race(i, e))
            return true;
    return false;
}

/* ---- the detector ---- */

/* Event `i` is at place number_of[i] of the code. */
static const void *place(unsigned i)
{
    return (const void *)(uintptr_t)(4096 + number_of[i]);
}

static bool detect(unsigned i, struct race *race)
{
    const struct event *const e = &event[i];
    const char *const at = memory + e->at;
    switch (e->what) {
    case PLAIN:
        return races_plain(e->thread, place(i), at, e->size, e->writes, race);
    case ATOMIC:
        return races_atomic(e->thread, place(i), at, e->size, e->reads,
                            e->writes, e->order, race);
    case FENCE:
        races_fence(e->thread, e->order);
        return false;
    case ACQUIRE:
        races_acquire(e->thread, at);
        return false;
    case RELEASE:
        races_release(e->thread, at);
        return false;
    case SPAWN:
        races_spawn(e->thread, e->at);
        return false;
    case JOIN:
        races_join(e->thread, e->at);
        return false;
    case FORGET:
        races_forget(at, e->size);
        return false;
    }
    return false;
}

static unsigned event_at(const void *pc)
{
    unsigned i = 0;
    while (i < events && place(i) != pc)
        i++;
    return i;
}

static void is_told_rightly(const struct race *race, unsigned e)
{
    const unsigned pair[] = { event_at(race->pc[0]), e };
    assert_true(pair[0] < e);
    assert_true(do_race(pair[0], e));
    for (int i = 0; i < 2; i++) {
        const struct event *const told = &event[pair[i]];
        assert_ptr_equal(race->pc[i], place(pair[i]));
        assert_int_equal(race->thread[i], told->thread);
        assert_int_equal(race->size[i], told->size);
        assert_int_equal(race->writes[i], told->writes);
        assert_int_equal(race->atomic[i], told->what == ATOMIC);
        assert_true(covers(told, (unsigned)((const char *)race->at - memory)));
    }
}

/* Where the first race is; or how many events there are. */
static unsigned first_race(void)
{
    for (unsigned e = 0; e < events; e++) {
        struct race race;
        order(e);
        const bool told = detect(e, &race), true_race = races_with_any(e);
        if (told != true_race)
            print_message("event %u of %u\n", e, events);
        assert_int_equal(told, true_race);
        if (told) {
            is_told_rightly(&race, e);
            return e;
        }
    }
    return events;
}

/* Enough of them that executions are counted once round, too. */
static void the_first_race_is_told_and_no_other(void **state)
{
    (void)state;
    unsigned without = 0, late = 0;
    for (uint64_t number = 1; number <= SOME_OF(70000); number++) {
        draw_execution(number);
        races_begin();
        const unsigned e = first_race();
        without += e == events;
        late += e < events && e > 30;
    }
    print_message("%u without a race, %u with a late one\n", without, late);
    assert_true(without > SOME_OF(5000) && late > SOME_OF(3000));
}

/* ---- two places ---- */

/* Later ones, too, that are hidden by others in the sight of all places. */
static unsigned detect_pair(unsigned i, unsigned e)
{
    struct race race;
    unsigned told = 0;
    races_narrow(place(i), place(e));
    races_begin();
    for (unsigned k = 0; k < events; k++)
        if (detect(k, &race)) {
            assert_int_equal(k, e);
            assert_ptr_equal(race.pc[0], place(i));
            is_told_rightly(&race, e);
            told++;
        }
    return told;
}

static void of_two_places_every_race_is_told(void **state)
{
    (void)state;
    unsigned races = 0, others = 0;
    for (uint64_t number = 1; number <= 2 * SOME_OF(500); number++) {
        draw_execution(number);
        for (unsigned e = 0; e < events; e++)
            order(e);
        for (unsigned e = 0; e < events; e++)
            for (unsigned i = 0; i < e; i++) {
                if (!is_access(&event[i]) || !is_access(&event[e]))
                    continue;
                const unsigned told = detect_pair(i, e);
                if (told != do_race(i, e))
                    print_message("execution %" PRIu64 ": %u and %u of %u\n",
                                  number, i, e, events);
                assert_int_equal(told, do_race(i, e));
                *(told ? &races : &others) += 1;
            }
    }
    races_narrow(NULL, NULL);
    print_message("%u pairs race, %u do not\n", races, others);
    assert_true(races > SOME_OF(1000) && others > SOME_OF(1000));
}

/* ---- written down, and looked at in the end ---- */

static const void *const here = &memory;
static unsigned handed; /* to the stage */
static struct race handed_last;

void scheduler_race(const struct race *race)
{
    handed_last = *race;
    handed++;
}

static bool note(unsigned i)
{
    const struct event *const e = &event[i];
    const char *const at = memory + e->at;
    if (e->what == PLAIN)
        return race_note_plain(e->thread, place(i), at, e->size, e->writes);
    if (e->what == ATOMIC)
        return race_note_atomic(e->thread, place(i), at, e->size, e->reads,
                                e->writes, e->order);
    struct race race;
    return !detect(i, &race);
}

static bool has_race(void)
{
    bool found = false;
    for (unsigned e = 0; e < events && !found; e++) {
        order(e);
        found = races_with_any(e);
    }
    return found;
}

/* Neighbours of different threads, unless one has to be there for the other. */
static bool can_swap(unsigned i)
{
    const struct event *const a = &event[i], *const b = &event[i + 1];
    return a->thread != b->thread &&
           !(a->what == SPAWN && (b->what == SPAWN || a->at == b->thread)) &&
           !(b->what == JOIN && b->at == a->thread) &&
           !(a->what == SPAWN && b->what == JOIN && a->at == b->at);
}

/* The same threads in another order, from event `first` on. */
static void shuffle_from(unsigned first, unsigned swaps)
{
    for (; swaps > 0; swaps--) {
        const unsigned i = first + draw(events - 1 - first);
        if (!can_swap(i))
            continue;
        const struct event e = event[i];
        event[i] = event[i + 1];
        event[i + 1] = e;
        const unsigned number = number_of[i];
        number_of[i] = number_of[i + 1];
        number_of[i + 1] = number;
    }
}

static void shuffle(unsigned swaps)
{
    shuffle_from(0, swaps);
}

/* What is clear at a glance does not race; what races is handed over. */
static bool settle(void)
{
    const bool raced = has_race();
    handed = 0;
    races_begin();
    const struct race_entry *const log = race_log.next;
    for (unsigned i = 0; i < events; i++)
        assert_true(note(i));
    const bool clear = races_prefilter_is_clear(log, race_log.next);
    assert_false(clear && raced);
    races_settle();
    assert_int_equal(handed > 0, raced);
    return clear;
}

/* Whole words only: then a glance tells it all. */
static void widen(void)
{
    for (unsigned i = 0; i < events; i++) {
        struct event *const e = &event[i];
        if (e->what == SPAWN || e->what == JOIN)
            continue;
        e->at &= ~7u;
        e->size = e->size ? 8 : 0;
    }
}

/* Plain accesses of any size beside atomic ones of whole words: a glance tells
 * that, too. */
static void separate(void)
{
    for (unsigned i = 0; i < events; i++) {
        struct event *const e = &event[i];
        const bool orders =
            e->what == ATOMIC || e->what == ACQUIRE || e->what == RELEASE;
        if (e->what == SPAWN || e->what == JOIN)
            continue;
        if (orders)
            e->at = e->at % 16 & ~7u;
        else if (e->at < 16)
            e->at += 16;
        if (orders || e->what == FORGET)
            e->size = e->size ? 8 : 0;
        else if (e->at + e->size > MEMORY)
            e->size = MEMORY - e->at;
        if (e->what == FORGET)
            e->at &= ~7u;
    }
}

/* Each of them in several orders, and now and then again in the same. */
static void what_is_written_down_is_told_too(void **state)
{
    (void)state;
    enum { PROGRAMS = SOME_OF(7000), ORDERS = 12 };
    unsigned clear = 0, without = 0;
    for (uint64_t number = 1; number <= PROGRAMS; number++) {
        draw_execution(number);
        if (draw(2))
            events = events < 30 ? events : 30;
        const unsigned how = draw(3);
        const bool usual = how > 0;
        if (how == 1)
            widen();
        else if (usual)
            separate();
        for (unsigned k = 0; k < ORDERS; k++) {
            const bool is_clear = settle();
            assert_true(!usual || is_clear == (handed == 0));
            clear += is_clear;
            without += handed == 0;
            shuffle(draw(3) ? draw(2 * events) : 0);
        }
    }
    print_message("%u of %u do not race, %u at a glance\n", without,
                  PROGRAMS * ORDERS, clear);
    assert_true(without > SOME_OF(15000) && clear > without / 3);
}

static void put(const struct event *all, const unsigned *at, unsigned count)
{
    events = count;
    for (unsigned i = 0; i < count; i++) {
        event[i] = all[at[i]];
        number_of[i] = at[i];
    }
}

/* Thread 2 knows of what thread 0 wrote only in the first order, although
 * thread 1 has written to the same word last in both. */
static void check_two_writers(struct event first, struct event second,
                              struct event reader)
{
    const struct event all[] = {
        { .what = SPAWN, .at = 1 },
        { .what = SPAWN, .at = 2 },
        { .what = PLAIN, .at = 16, .size = 8, .writes = true },
        first,
        second,
        reader,
        { .what = PLAIN, .thread = 2, .at = 16, .size = 8 },
    };
    static const unsigned order[][7] = { { 0, 1, 2, 3, 4, 5, 6 },
                                         { 0, 1, 2, 4, 5, 6, 3 } };
    put(all, order[0], 7);
    settle();
    assert_int_equal(handed, 0);
    put(all, order[1], 7);
    settle();
    assert_int_equal(handed, 1);
}

static void a_word_has_several_writers(void **state)
{
    (void)state;
    const struct event half = {
        .what = ATOMIC, .size = 4, .writes = true, .order = memory_order_release
    };
    struct event other = half, whole = half, read = half;
    other.thread = whole.thread = 1;
    other.at = 4;
    whole.size = 8;
    read.thread = 2;
    read.size = 8;
    read.writes = false;
    read.reads = true;
    read.order = memory_order_acquire;
    check_two_writers(half, other, read);
    other.size = 8; /* and half of the next word */
    check_two_writers(half, other, read);
    const struct event release = { .what = RELEASE };
    const struct event acquire = { .what = ACQUIRE, .thread = 2 };
    check_two_writers(release, whole, acquire);
    const struct event release_too = { .what = RELEASE, .thread = 1 };
    check_two_writers(release, release_too, acquire);
}

/* Thread 1 reads what thread 0 wrote, and these are in between. */
static void check_no_order(struct event a, struct event b)
{
    const struct event all[] = {
        { .what = SPAWN, .at = 1 },
        { .what = PLAIN, .at = 16, .size = 8, .writes = true },
        a,
        b,
        { .what = PLAIN, .thread = 1, .at = 16, .size = 8 },
    };
    static const unsigned in_order[] = { 0, 1, 2, 3, 4 };
    put(all, in_order, 5);
    settle();
    assert_int_equal(handed, 1);
}

static void what_seems_to_order_does_not(void **state)
{
    (void)state;
    const struct event release = { .what = RELEASE, .at = 4 };
    const struct event acquire = { .what = ACQUIRE, .thread = 1, .at = 0 };
    check_no_order(release, acquire); /* another object of the word */
    const struct event start = { .what = FORGET, .at = 16, .size = 4 };
    check_no_order(start, start); /* the rest is not new */
    const struct event all[] = {
        { .what = SPAWN, .at = 1 },
        { .what = PLAIN, .at = 16, .size = 8, .writes = true },
        release,
        { .what = FORGET, .at = 0, .size = 8 }, /* a new object */
        { .what = ACQUIRE, .thread = 1, .at = 4 },
        { .what = PLAIN, .thread = 1, .at = 16, .size = 8 },
    };
    static const unsigned in_order[] = { 0, 1, 2, 3, 4, 5 };
    put(all, in_order, 6);
    settle();
    assert_int_equal(handed, 1);
}

/* What there is no room for is looked at, with all before it. */
static void a_long_execution_is_looked_at_as_it_goes(void **state)
{
    (void)state;
    struct race race;
    unsigned noted = 0;
    handed = 0;
    races_begin();
    races_spawn(0, 1);
    assert_true(race_note_plain(0, here, memory, 8, true));
    assert_true(race_note_plain(1, here, memory + 7, 1, false));
    while (race_note_plain(0, here, memory + 8, 8, true))
        noted++;
    assert_true(noted > 1000);
    assert_int_equal(handed, 0);
    assert_false(races_plain(0, here, memory + 8, 8, true, &race));
    assert_int_equal(handed, 1);
    assert_true(races_plain(1, here, memory + 8, 8, true, &race));
    races_settle();
    assert_int_equal(handed, 1);
}

static void what_has_no_place_in_the_log_is_looked_at(void **state)
{
    (void)state;
    races_begin();
    assert_false(race_note_plain(0, here, memory, 1 << 16, true));
    assert_false(race_note_plain(0, here, (void *)(UINTPTR_MAX - 7), 8, true));
    const struct race_entry *const first = race_log.next;
    for (unsigned i = 0; i < 3; i++)
        assert_true(race_note_plain(0, here, memory, (1 << 16) - 1, true));
    assert_false(races_prefilter_is_clear(first, race_log.next));
}

/* ---- step by step, each execution beginning as the one before did ---- */

/* How many events came before the first step, steps that nobody had to tell of,
 * and races with something in one of those. */
static unsigned unstepped, followed, with_followed;

/* As hooks do. */
static bool note_or_detect(unsigned i, struct race *race)
{
    handed = 0;
    if (!note(i))
        return detect(i, race);
    race_path_settle();
    *race = handed_last;
    return handed > 0;
}

/* A step is one event, and its number stands for it: so those of one program
 * that begin with the same steps begin with the same events.  Up to the first
 * race, or before event `end`. */
static void go_along(unsigned end)
{
    unsigned known = 0;
    races_begin();
    for (unsigned e = 0; e < end; e++) {
        struct race race;
        order(e);
        const bool true_race = races_with_any(e);
        const bool listens =
            e < unstepped || race_path_step(event[e].thread, number_of[e]);
        assert_true(listens || !true_race);
        assert_true(listens || known == e || e == unstepped);
        known += !listens || e < unstepped;
        followed += !listens;
        if (!listens)
            continue;
        assert_int_equal(note_or_detect(e, &race), true_race);
        if (!true_race)
            continue;
        is_told_rightly(&race, e);
        with_followed += event_at(race.pc[0]) < known;
        return;
    }
}

static unsigned count_first_spawns(void)
{
    unsigned n = 0;
    while (n < events && event[n].what == SPAWN)
        n++;
    return n;
}

static void what_is_known_is_not_told_again(void **state)
{
    (void)state;
    enum { PROGRAMS = SOME_OF(2500), EXECUTIONS = 24 };
    followed = with_followed = 0;
    for (uint64_t number = 1; number <= PROGRAMS; number++) {
        draw_execution(number);
        if (draw(2))
            widen();
        race_path_forget();
        unstepped = draw(2) ? count_first_spawns() : 0;
        for (unsigned k = 0; k < EXECUTIONS; k++) {
            go_along(draw(3) ? events : draw(events));
            if (!draw(20))
                settle(); /* which glances, too */
            const unsigned kept = draw(4) ? events / 2 + draw(events / 2) : 0;
            if (kept + 1 < events)
                shuffle_from(kept, draw(events));
            if (unstepped)
                unstepped = count_first_spawns();
        }
    }
    print_message("%u steps were known, %u races with what they do\n", followed,
                  with_followed);
    assert_true(followed > SOME_OF(100000) && with_followed > SOME_OF(1000));
}

/* 8 bytes there; does it race? */
static bool writes(unsigned thread, const char *at)
{
    struct race race;
    handed = 0;
    if (!race_note_plain(thread, here, at, 8, true))
        return races_plain(thread, here, at, 8, true, &race);
    race_path_settle();
    return handed > 0;
}

/* With a race behind what there is room for. */
static void a_long_path_is_known_in_part(void **state)
{
    (void)state;
    enum { STEPS = 3 * RACE_ENTRIES };
    unsigned known = 0;
    race_path_forget();
    for (unsigned execution = 0; execution < 3; execution++) {
        races_begin();
        races_spawn(0, 1);
        for (unsigned i = 0; i < STEPS; i++) {
            const bool listens = race_path_step(i % 2, 0);
            known += !listens;
            if (listens)
                assert_false(writes(i % 2, memory + 8 * (i % 2)));
        }
        assert_true(race_path_step(execution % 2, 0));
        assert_true(writes(execution % 2, memory + 8 * (1 - execution % 2)));
    }
    assert_true(known > RACE_ENTRIES);
}

/* A step of which only a part is clear is looked at again. */
static void a_step_that_races_is_told_each_time(void **state)
{
    (void)state;
    race_path_forget();
    for (unsigned execution = 0; execution < 4; execution++) {
        races_begin();
        races_spawn(0, 1);
        assert_int_equal(race_path_step(0, 0), execution == 0);
        if (execution == 0)
            assert_false(writes(0, memory));
        assert_true(race_path_step(1, 0));
        assert_false(writes(1, memory + 8));
        assert_true(writes(1, memory));
        assert_true(race_path_step(0, 0));
        assert_true(writes(0, memory + 8));
    }
}

/* ---- what random executions are too small for ---- */

static void many_threads_are_told_apart(void **state)
{
    (void)state;
    struct race race;
    races_begin();
    for (unsigned t = 1; t < 64; t++)
        races_spawn(t - 1, t);
    for (unsigned t = 0; t < 64; t++)
        assert_false(races_plain(t, here, memory, 8, false, &race));
    for (unsigned t = 0; t < 63; t++)
        races_join(63, t);
    assert_false(races_plain(63, here, memory, 8, true, &race));
    assert_true(races_plain(5, here, memory + 7, 1, false, &race));
    assert_int_equal(race.thread[0], 63);
    assert_int_equal(race.thread[1], 5);
    assert_ptr_equal(race.at, memory + 7);
}

static void much_memory_is_remembered(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20 };
    char *const block = malloc(SIZE);
    struct race race;
    assert_non_null(block);
    races_begin();
    races_spawn(0, 1);
    for (size_t i = 0; i < SIZE; i += 4)
        assert_false(races_plain(0, here, block + i, 4, true, &race));
    for (size_t i = 0; i < SIZE; i += 4)
        assert_true(races_plain(1, here, block + i, 1, false, &race));
    races_begin();
    assert_false(races_plain(1, here, block, SIZE, true, &race));
    races_forget(block + 8, SIZE - 8);
    assert_false(races_plain(0, here, block + 8, SIZE - 8, true, &race));
    assert_true(races_plain(0, here, block, 9, true, &race));
    assert_ptr_equal(race.at, block);
    assert_int_equal(race.size[0], UINT16_MAX);
    assert_false(races_incomplete());
    free(block);
}

/* Executions have numbers that come back: never with what was known then. */
static void long_ago_is_forgotten(void **state)
{
    (void)state;
    enum { AGO = (1 << 16) - 4, WORDS = 8 }; /* one word for each period */
    static uint64_t word[WORDS];
    struct race race;
    races_begin();
    for (int i = 0; i < WORDS; i++)
        assert_false(races_plain(0, here, &word[i], 8, true, &race));
    for (int i = 0; i < AGO; i++) {
        races_begin();
        races_now();
    }
    for (int i = 0; i < WORDS; i++) {
        races_begin();
        assert_false(races_plain(1, here, &word[i], 8, true, &race));
    }
}

/* Told is what was found, until there is no memory to know it by. */
static void all_of_memory_is_too_much(void **state)
{
    (void)state;
    struct race race;
    races_begin();
    races_spawn(0, 1);
    assert_false(races_plain(0, here, memory, SIZE_MAX / 2, true, &race));
    assert_true(races_incomplete());
    assert_false(races_plain(1, here, memory, 1, true, &race));
    races_begin();
    assert_false(races_incomplete());
    races_spawn(0, 1);
    assert_false(races_plain(0, here, memory, 1, true, &race));
    assert_true(races_plain(1, here, memory, 1, true, &race));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_race_is_told_and_no_other),
        cmocka_unit_test(of_two_places_every_race_is_told),
        cmocka_unit_test(what_is_written_down_is_told_too),
        cmocka_unit_test(a_word_has_several_writers),
        cmocka_unit_test(what_seems_to_order_does_not),
        cmocka_unit_test(a_long_execution_is_looked_at_as_it_goes),
        cmocka_unit_test(what_has_no_place_in_the_log_is_looked_at),
        cmocka_unit_test(what_is_known_is_not_told_again),
        cmocka_unit_test(a_long_path_is_known_in_part),
        cmocka_unit_test(a_step_that_races_is_told_each_time),
        cmocka_unit_test(many_threads_are_told_apart),
        cmocka_unit_test(much_memory_is_remembered),
        cmocka_unit_test(long_ago_is_forgotten),
        cmocka_unit_test(all_of_memory_is_too_much),
    };
    if (!races_init())
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
