/* test_explore_hooks.c - every entry point of the explorer, called as a compiler
 * would, with a stage that writes down what it is told.
 *
 * Each hook must tell of exactly the accesses it does or announces, with their
 * address and size and the place that called; do an access in the step it was
 * told in; and say afterwards what came of it. */
#include "runtime/explore/hooks/weak_orders.h"
#include "runtime/explore/job/trace.h"
#include "runtime/explore/races/race_log.h"
#include "runtime/explore/races/races.h"
#include "runtime/explore/scheduler/scheduler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>

#include <cmocka.h>

/* ---- a stage that writes down ---- */

enum told_kind {
    TOLD_NOTHING,
    TOLD_ACCESS,
    TOLD_FAILED,
    TOLD_PLAIN,
    TOLD_ATOMIC, /* to the race detector, as are those below */
    TOLD_FENCE,
    TOLD_ACQUIRE,
    TOLD_RELEASE
};

struct told {
    enum told_kind kind;
    const void *pc, *at;
    size_t size;
    bool reads, writes;
    int order;
};

enum { MOST = 4096 };
static struct told told[MOST];
static unsigned tolds, heard;

/* What another thread does while ours stands before an access: called when the
 * access number `meddle_at` is told. */
static void (*meddle)(void);
static unsigned meddle_at;

bool scheduler_inside, scheduler_tidy, races_on;
struct job_trace *target_trace;

static struct job_trace_record records[64];
static struct job_trace trace = { records, 0, 64 };
static bool race_is_found;
static unsigned races_found;

static void tell(struct told what)
{
    assert_true(tolds < MOST);
    if (meddle && tolds == meddle_at)
        meddle();
    told[tolds++] = what;
}

unsigned scheduler_running = 3;
uintptr_t scheduler_caller_stack;
const void *hooks_weak_orders_known[WEAK_ORDERS_KNOWN];
const void *hooks_weak_orders_met[WEAK_ORDERS_MET];
unsigned hooks_weak_orders_meeting;
struct race_log race_log;

void scheduler_access(const void *pc, const volatile void *at, uint32_t size,
                      enum plumb_strategies_event_kind kind)
{
    assert_true(kind == PLUMB_EVENT_READ || kind == PLUMB_EVENT_WRITE);
    tell((struct told){ TOLD_ACCESS, pc, (const void *)(uintptr_t)at, size,
                        kind == PLUMB_EVENT_READ, kind == PLUMB_EVENT_WRITE,
                        0 });
}

void scheduler_failed(void)
{
    tell((struct told){ .kind = TOLD_FAILED });
}

void scheduler_plain(const void *pc, const void *at, size_t size, bool writes)
{
    tell((struct told){ TOLD_PLAIN, pc, at, size, !writes, writes, 0 });
}

/* A copy is a write and a read, as far as hooks go. */
void scheduler_copy_to(const void *pc, const void *at, size_t size)
{
    scheduler_plain(pc, at, size, true);
}

void scheduler_copy_from(const void *pc, const void *at, size_t size,
                         bool surely)
{
    (void)surely;
    scheduler_plain(pc, at, size, false);
}

bool races_atomic(unsigned thread, const void *pc, const void *at, size_t size,
                  bool reads, bool writes, int order, struct race *race)
{
    assert_int_equal(thread, 3);
    tell((struct told){ TOLD_ATOMIC, pc, at, size, reads, writes, order });
    *race = (struct race){ .at = at };
    return race_is_found;
}

void races_fence(unsigned thread, int order)
{
    assert_int_equal(thread, 3);
    tell((struct told){ .kind = TOLD_FENCE, .order = order });
}

void races_acquire(unsigned thread, const void *object)
{
    assert_int_equal(thread, 3);
    tell((struct told){ .kind = TOLD_ACQUIRE, .at = object });
}

void races_release(unsigned thread, const void *object)
{
    assert_int_equal(thread, 3);
    tell((struct told){ .kind = TOLD_RELEASE, .at = object });
}

void scheduler_race(const struct race *race)
{
    assert_non_null(race->at);
    races_found++;
}

void target_trace_enters(uintptr_t stack)
{
    (void)stack;
}

void target_trace_leaves(void)
{
}

struct job_trace_record *target_trace_add(enum job_trace_kind kind,
                                          const void *pc,
                                          const volatile void *at,
                                          uint32_t size)
{
    if (trace.count == trace.capacity)
        return NULL;
    struct job_trace_record *const r = &records[trace.count++];
    *r = (struct job_trace_record){ .kind = (uint8_t)kind,
                                    .pc = (uintptr_t)pc,
                                    .at = (uintptr_t)at,
                                    .size = size };
    return r;
}

/* ---- asking what was told ---- */

static void nothing_more_was_told(void)
{
    assert_int_equal(heard, tolds);
    heard = tolds = 0;
}

static struct told next_told(enum told_kind kind)
{
    assert_true(heard < tolds);
    assert_int_equal(told[heard].kind, kind);
    return told[heard++];
}

/* Of the program, and not of the hooks: our own code is near. */
static void is_our_code(const void *pc)
{
    const intptr_t distance =
        (intptr_t)((uintptr_t)pc - (uintptr_t)nothing_more_was_told);
    assert_true(distance > -(1 << 20) && distance < 1 << 20);
}

static void is_told(enum told_kind kind, const void *at, size_t size,
                    bool writes)
{
    const struct told t = next_told(kind);
    assert_ptr_equal(t.at, at);
    assert_int_equal(t.size, size);
    assert_int_equal(t.writes, writes);
    is_our_code(t.pc);
}

/* With races on: the detector hears of it, too. */
static void is_told_to_detector(const void *at, size_t size, bool reads,
                                bool writes, int order)
{
    if (!races_on)
        return;
    const struct told t = next_told(TOLD_ATOMIC);
    assert_ptr_equal(t.at, at);
    assert_int_equal(t.size, size);
    assert_int_equal(t.reads, reads);
    assert_int_equal(t.writes, writes);
    assert_int_equal(t.order, order);
    is_our_code(t.pc);
}

/* With a trace: one record, of this. */
static void is_traced(enum job_trace_kind kind, const void *at, size_t size,
                      uint64_t before, uint64_t after, uint64_t expected,
                      int order)
{
    if (!target_trace)
        return;
    assert_int_equal(trace.count, 1);
    assert_int_equal(records[0].kind, kind);
    assert_int_equal(records[0].at, (uintptr_t)at);
    assert_int_equal(records[0].size, size);
    assert_int_equal(records[0].before, before);
    assert_int_equal(records[0].after, after);
    assert_int_equal(records[0].expected, expected);
    assert_int_equal(records[0].order, order);
    assert_true(records[0].known);
    trace.count = 0;
}

static int begin(void **state)
{
    (void)state;
    scheduler_inside = true;
    races_on = race_is_found = false;
    target_trace = NULL;
    meddle = NULL;
    trace.count = tolds = heard = races_found = 0;
    return 0;
}

/* ---- accesses that are not atomic ---- */

#define EACH_SIZE(X, kind, plain, writes)                                      \
    X(kind##1, 1, plain, writes)                                               \
    X(kind##2, 2, plain, writes)                                               \
    X(kind##4, 4, plain, writes)                                               \
    X(kind##8, 8, plain, writes)                                               \
    X(kind##16, 16, plain, writes)
#define EACH_ACCESS(X)                                                         \
    EACH_SIZE(X, read, true, false)                                            \
    EACH_SIZE(X, write, true, true)                                            \
    EACH_SIZE(X, read_write, true, true)                                       \
    EACH_SIZE(X, volatile_read, false, false)                                  \
    EACH_SIZE(X, volatile_write, false, true)                                  \
    EACH_SIZE(X, unaligned_read, true, false)                                  \
    EACH_SIZE(X, unaligned_write, true, true)                                  \
    EACH_SIZE(X, unaligned_read_write, true, true)                             \
    EACH_SIZE(X, unaligned_volatile_read, false, false)                        \
    EACH_SIZE(X, unaligned_volatile_write, false, true)

#define DECLARE(name, size, plain, writes) void __tsan_##name(void *at);
EACH_ACCESS(DECLARE)
void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_end(void);
void __tsan_read_range(void *at, size_t size);
void __tsan_write_range(void *at, size_t size);
void __tsan_vptr_update(void **at, void *table);
void __tsan_vptr_read(void **at);
void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memmove(void *to, const void *from, size_t size);
void *__tsan_memset(void *to, int byte, size_t size);
void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_signal_fence(int order);

static unsigned char place[32], same[32];

static void access_is_told(void hook(void *), size_t size, bool plain,
                           bool writes)
{
    unsigned char *const at = place + 1;
    hook(at);
    if (plain) {
        is_told(TOLD_PLAIN, at, size, writes);
    } else {
        is_told(TOLD_ACCESS, at, size, writes);
        is_told_to_detector(at, size, !writes, writes, memory_order_relaxed);
    }
    nothing_more_was_told();
    assert_memory_equal(place, same, sizeof place);
}

static void each_access_is_told_once_and_not_done(void **state)
{
    (void)state;
    memset(place, 0x5a, sizeof place);
    memcpy(same, place, sizeof same);
    unsigned count = 0;
#define TRY(name, size, plain, writes)                                         \
    access_is_told(__tsan_##name, size, plain, writes);                        \
    count++;
    EACH_ACCESS(TRY)
    races_on = true;
    EACH_ACCESS(TRY)
    assert_int_equal(count, 100);
}

static void ranges_are_told_unless_empty(void **state)
{
    (void)state;
    __tsan_read_range(place, 23);
    is_told(TOLD_PLAIN, place, 23, false);
    __tsan_write_range(place + 3, 5);
    is_told(TOLD_PLAIN, place + 3, 5, true);
    __tsan_read_range(NULL, 0);
    __tsan_write_range(NULL, 0);
    nothing_more_was_told();
}

static void a_virtual_table_is_written_when_it_changes(void **state)
{
    (void)state;
    int table, other;
    void *pointer = &table;
    __tsan_vptr_read(&pointer);
    is_told(TOLD_PLAIN, &pointer, sizeof pointer, false);
    __tsan_vptr_update(&pointer, &table);
    is_told(TOLD_PLAIN, &pointer, sizeof pointer, false);
    nothing_more_was_told();
    __tsan_vptr_update(&pointer, &other);
    is_told(TOLD_PLAIN, &pointer, sizeof pointer, false);
    is_told(TOLD_PLAIN, &pointer, sizeof pointer, true);
    nothing_more_was_told();
    assert_ptr_equal(pointer, &table);
}

static void what_is_no_access_is_not_told(void **state)
{
    (void)state;
    __tsan_init();
    __tsan_func_entry(NULL);
    __tsan_ignore_thread_begin();
    __tsan_ignore_thread_end();
    for (int order = 0; order <= 5; order++) {
        __tsan_atomic_thread_fence(order);
        __tsan_atomic_signal_fence(order);
    }
    __tsan_func_exit();
    nothing_more_was_told();
}

static void fences_are_the_detectors_concern(void **state)
{
    (void)state;
    races_on = true;
    for (int order = 0; order <= 5; order++) {
        __tsan_atomic_thread_fence(order);
        assert_int_equal(next_told(TOLD_FENCE).order, order);
        __tsan_atomic_signal_fence(order);
    }
    nothing_more_was_told();
}

static void plain_accesses_leave_traces(void **state)
{
    (void)state;
    uint32_t value = 0x12345678;
    target_trace = &trace;
    __tsan_read4(&value);
    is_traced(TRACE_READ, &value, 4, 0x12345678, 0x12345678, 0, 0);
    __tsan_write2(&value);
    assert_int_equal(trace.count, 1);
    assert_int_equal(records[0].kind, TRACE_WRITE);
    assert_int_equal(records[0].before, 0x5678);
    trace.count = 0;
    __tsan_volatile_read4(&value);
    is_traced(TRACE_LOAD, &value, 4, 0x12345678, 0x12345678, 0, 0);
    __tsan_volatile_write1(&value);
    assert_int_equal(records[0].kind, TRACE_STORE);
    assert_int_equal(records[0].before, 0x78);
    assert_false(records[0].known); /* what is written is not */
    trace.count = 0;
    __tsan_read8((void *)16); /* does not crash before the target does */
    assert_int_equal(trace.count, 1);
    assert_false(records[0].known);
}

static void functions_and_fences_leave_traces(void **state)
{
    (void)state;
    int caller;
    target_trace = &trace;
    __tsan_func_entry(&caller);
    __tsan_atomic_thread_fence(memory_order_release);
    __tsan_func_exit();
    assert_int_equal(trace.count, 3);
    assert_int_equal(records[0].kind, TRACE_ENTER);
    assert_int_equal(records[0].pc, (uintptr_t)&caller);
    is_our_code((const void *)(uintptr_t)records[0].at);
    assert_int_equal(records[1].kind, TRACE_FENCE);
    assert_int_equal(records[1].order, memory_order_release);
    assert_int_equal(records[2].kind, TRACE_LEAVE);
}

/* ---- atomic ones ---- */

typedef uint8_t word8;
typedef uint16_t word16;
typedef uint32_t word32;
typedef uint64_t word64;

#define DECLARE_ATOMIC(bits)                                                   \
    word##bits __tsan_atomic##bits##_load(word##bits *at, int order);          \
    void __tsan_atomic##bits##_store(word##bits *at, word##bits v, int order); \
    word##bits __tsan_atomic##bits##_exchange(word##bits *, word##bits, int);  \
    word##bits __tsan_atomic##bits##_fetch_add(word##bits *, word##bits, int); \
    word##bits __tsan_atomic##bits##_fetch_sub(word##bits *, word##bits, int); \
    word##bits __tsan_atomic##bits##_fetch_and(word##bits *, word##bits, int); \
    word##bits __tsan_atomic##bits##_fetch_or(word##bits *, word##bits, int);  \
    word##bits __tsan_atomic##bits##_fetch_xor(word##bits *, word##bits, int); \
    word##bits __tsan_atomic##bits##_fetch_nand(word##bits *, word##bits,      \
                                                int);                          \
    bool __tsan_atomic##bits##_compare_exchange_strong(                        \
        word##bits *at, word##bits *expected, word##bits desired, int, int);   \
    bool __tsan_atomic##bits##_compare_exchange_weak(                          \
        word##bits *at, word##bits *expected, word##bits desired, int, int);   \
    word##bits __tsan_atomic##bits##_compare_exchange_val(                     \
        word##bits *at, word##bits expected, word##bits desired, int, int);

/* A value that is different in every byte, and in its neighbours. */
#define PATTERN(bits, seed)                                                    \
    ((word##bits)((word##bits)0x8091a2b3c4d5e6f7u * (2 * (seed) + 1)))

/* Not aligned, between bytes that stay as they are. */
#define PLACE(bits)                                                            \
    unsigned char bytes[2 + sizeof(word##bits)];                               \
    memset(bytes, 0x77, sizeof bytes);                                         \
    const word##bits was = PATTERN(bits, 6);                                   \
    word##bits is = was;                                                       \
    memcpy(bytes + 1, &is, sizeof is);                                         \
    word##bits *const at = (word##bits *)(void *)(bytes + 1)

#define PLACE_HOLDS(value)                                                     \
    do {                                                                       \
        memcpy(&is, bytes + 1, sizeof is);                                     \
        assert_true(is == (value));                                            \
        assert_int_equal(bytes[0], 0x77);                                      \
        assert_int_equal(bytes[sizeof bytes - 1], 0x77);                       \
    } while (0)

#define STEP_IS(bits, kind, reads, writes, now, expected, order)               \
    do {                                                                       \
        is_told(TOLD_ACCESS, at, sizeof is, writes);                           \
        is_told_to_detector(at, sizeof is, reads, writes, order);              \
        nothing_more_was_told();                                               \
        is_traced(kind, at, sizeof is, (uint64_t)was, (uint64_t)(now),         \
                  expected, order);                                            \
    } while (0)

#define UPDATE_IS(bits, name, result)                                          \
    do {                                                                       \
        PLACE(bits);                                                           \
        const word##bits operand = PATTERN(bits, 11);                          \
        const word##bits now = (word##bits)(result);                           \
        assert_true(__tsan_atomic##bits##_##name(at, operand, order) == was);  \
        PLACE_HOLDS(now);                                                      \
        STEP_IS(bits, TRACE_MODIFY, true, true, now, 0, order);                \
    } while (0)

/* What is told of one that fails, and then of one that does not. */
#define SWAP_FAILED(bits)                                                      \
    do {                                                                       \
        PLACE_HOLDS(was);                                                      \
        is_told(TOLD_ACCESS, at, sizeof is, true);                             \
        (void)next_told(TOLD_FAILED);                                          \
        is_told_to_detector(at, sizeof is, true, false, failure);              \
        nothing_more_was_told();                                               \
        is_traced(TRACE_CAS, at, sizeof is, (uint64_t)was, (uint64_t)desired,  \
                  (uint64_t)wrong, failure);                                   \
    } while (0)
#define SWAP_WORKED(bits)                                                      \
    do {                                                                       \
        PLACE_HOLDS(desired);                                                  \
        STEP_IS(bits, TRACE_CAS, true, true, desired, (uint64_t)was, order);   \
    } while (0)

#define COMPARE_EXCHANGE_IS(bits, form)                                        \
    do {                                                                       \
        PLACE(bits);                                                           \
        const word##bits wrong = (word##bits)(was ^ 1);                        \
        const word##bits desired = PATTERN(bits, 13);                          \
        word##bits expected = wrong;                                           \
        assert_false(__tsan_atomic##bits##_compare_exchange_##form(            \
            at, &expected, desired, order, failure));                          \
        assert_true(expected == was);                                          \
        SWAP_FAILED(bits);                                                     \
        assert_true(__tsan_atomic##bits##_compare_exchange_##form(             \
            at, &expected, desired, order, failure));                          \
        assert_true(expected == was);                                          \
        SWAP_WORKED(bits);                                                     \
    } while (0)

#define COMPARE_EXCHANGE_VAL_IS(bits)                                          \
    do {                                                                       \
        PLACE(bits);                                                           \
        const word##bits wrong = (word##bits)(was + 1);                        \
        const word##bits desired = PATTERN(bits, 13);                          \
        assert_true(__tsan_atomic##bits##_compare_exchange_val(                \
                        at, wrong, desired, order, failure) == was);           \
        SWAP_FAILED(bits);                                                     \
        assert_true(__tsan_atomic##bits##_compare_exchange_val(                \
                        at, was, desired, order, failure) == was);             \
        SWAP_WORKED(bits);                                                     \
    } while (0)

#define DEFINE_ATOMIC_TEST(bits)                                               \
    DECLARE_ATOMIC(bits)                                                       \
    static void loads_and_stores_of_##bits(int order)                          \
    {                                                                          \
        PLACE(bits);                                                           \
        assert_true(__tsan_atomic##bits##_load(at, order) == was);             \
        PLACE_HOLDS(was);                                                      \
        STEP_IS(bits, TRACE_LOAD, true, false, was, 0, order);                 \
        __tsan_atomic##bits##_store(at, PATTERN(bits, 8), order);              \
        PLACE_HOLDS(PATTERN(bits, 8));                                         \
        STEP_IS(bits, TRACE_STORE, false, true, PATTERN(bits, 8), 0, order);   \
    }                                                                          \
    static void updates_of_##bits(int order)                                   \
    {                                                                          \
        UPDATE_IS(bits, exchange, operand);                                    \
        UPDATE_IS(bits, fetch_add, was + operand);                             \
        UPDATE_IS(bits, fetch_sub, was - operand);                             \
        UPDATE_IS(bits, fetch_and, was &operand);                              \
        UPDATE_IS(bits, fetch_or, was | operand);                              \
        UPDATE_IS(bits, fetch_xor, was ^ operand);                             \
        UPDATE_IS(bits, fetch_nand, ~(was & operand));                         \
    }                                                                          \
    static void exchanges_of_##bits(int order)                                 \
    {                                                                          \
        static const int failures[] = { 0, 1, 2, 5 };                          \
        for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {      \
            const int failure = failures[i];                                   \
            COMPARE_EXCHANGE_IS(bits, strong);                                 \
            COMPARE_EXCHANGE_IS(bits, weak);                                   \
            COMPARE_EXCHANGE_VAL_IS(bits);                                     \
        }                                                                      \
    }                                                                          \
    static void atomics_of_##bits##_bits_do_what_they_say(void **state)        \
    {                                                                          \
        (void)state;                                                           \
        for (int order = 0; order <= 5; order++)                               \
            for (int mode = 0; mode < 4; mode++) {                             \
                races_on = mode & 1;                                           \
                target_trace = mode & 2 ? &trace : NULL;                       \
                loads_and_stores_of_##bits(order);                             \
                updates_of_##bits(order);                                      \
                exchanges_of_##bits(order);                                    \
            }                                                                  \
    }

DEFINE_ATOMIC_TEST(8)
DEFINE_ATOMIC_TEST(16)
DEFINE_ATOMIC_TEST(32)
DEFINE_ATOMIC_TEST(64)

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 word128;
#undef PATTERN
#define PATTERN(bits, seed)                                                    \
    ((word128)0x8091a2b3c4d5e6f7u * (2 * (seed) + 1) << 63 ^                   \
     (word128)0x1327384a5b6c7d8eu * (seed))
DEFINE_ATOMIC_TEST(128)
#endif

static void gcc_may_add_flags_to_an_order(void **state)
{
    (void)state;
    word32 at = 1;
    races_on = true;
    __tsan_atomic32_store(&at, 2, memory_order_release | 1 << 17);
    is_told(TOLD_ACCESS, &at, 4, true);
    is_told_to_detector(&at, 4, false, true, memory_order_release);
    nothing_more_was_told();
}

static void what_is_expected_is_told_if_others_can_see_it(void **state)
{
    (void)state;
    static word32 at, expected;
    at = 5, expected = 6;
    assert_false(
        __tsan_atomic32_compare_exchange_strong(&at, &expected, 7, 5, 5));
    is_told(TOLD_PLAIN, &expected, 4, false);
    is_told(TOLD_ACCESS, &at, 4, true);
    (void)next_told(TOLD_FAILED);
    is_told(TOLD_PLAIN, &expected, 4, true);
    assert_true(__tsan_atomic32_compare_exchange_weak(&at, &expected, 7, 5, 5));
    is_told(TOLD_PLAIN, &expected, 4, false);
    is_told(TOLD_ACCESS, &at, 4, true);
    nothing_more_was_told();
    assert_int_equal(at, 7);
    assert_int_equal(expected, 5);
}

static word32 shared;

static void add_hundred(void)
{
    shared += 100;
}

static void an_access_is_done_after_others_have_gone(void **state)
{
    (void)state;
    meddle = add_hundred;
    shared = 1;
    assert_int_equal(__tsan_atomic32_load(&shared, 0), 101);
    tolds = 0;
    assert_int_equal(__tsan_atomic32_fetch_add(&shared, 1, 0), 201);
    tolds = 0;
    assert_int_equal(
        __tsan_atomic32_compare_exchange_val(&shared, 302, 9, 0, 0), 302);
    assert_int_equal(shared, 9);
}

static void races_are_handed_on(void **state)
{
    (void)state;
    word32 at = 0;
    race_is_found = true;
    __tsan_atomic32_store(&at, 1, 0);
    assert_int_equal(races_found, 0); /* nobody looks */
    races_on = true;
    __tsan_atomic32_store(&at, 1, 0);
    __tsan_volatile_read4(&at);
    __tsan_atomic32_compare_exchange_val(&at, 7, 8, 0, 0);
    assert_int_equal(races_found, 3);
}

static void outside_only_the_access_is_done(void **state)
{
    (void)state;
    word32 at = 0;
    scheduler_inside = false;
    races_on = race_is_found = true;
    __tsan_atomic32_store(&at, 1, 5);
    __tsan_atomic_thread_fence(5);
    assert_int_equal(__tsan_atomic32_fetch_add(&at, 2, 5), 1);
    assert_int_equal(at, 3);
    assert_int_equal(races_found, 0);
    while (heard < tolds) /* the stage itself knows that it is not inside */
        (void)next_told(TOLD_ACCESS);
}

/* ---- what programs say ---- */

void __tsan_acquire(void *at);
void __tsan_release(void *at);
void __tsan_destroy_fiber(void *which);
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_switch_to_fiber(void *to, unsigned flags);
void __tsan_set_fiber_name(void *which, const char *name);
#define EACH_MUTEX_CALL(X)                                                     \
    X(create)                                                                  \
    X(destroy)                                                                 \
    X(pre_lock)                                                                \
    X(post_unlock) X(pre_signal) X(post_signal) X(pre_divert) X(post_divert)
#define DECLARE_MUTEX(name) void __tsan_mutex_##name(void *at, unsigned flags);
EACH_MUTEX_CALL(DECLARE_MUTEX)
void __tsan_mutex_post_lock(void *at, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void *at, unsigned flags);

static void announcements(void *at)
{
    __tsan_acquire(at);
    __tsan_release(at);
    __tsan_mutex_post_lock(at, 0, 0);
    __tsan_mutex_post_lock(at, 1 << 5, 0); /* failed: not acquired */
    assert_int_equal(__tsan_mutex_pre_unlock(at, 0), 1);
#define CALL_MUTEX(name) __tsan_mutex_##name(at, 0);
    EACH_MUTEX_CALL(CALL_MUTEX)
    assert_non_null(__tsan_get_current_fiber());
    void *const fiber = __tsan_create_fiber(0);
    assert_non_null(fiber);
    __tsan_set_fiber_name(fiber, "name");
    __tsan_switch_to_fiber(fiber, 0);
    __tsan_destroy_fiber(fiber);
}

static void what_programs_announce_orders(void **state)
{
    (void)state;
    int object;
    announcements(&object);
    nothing_more_was_told();
    races_on = true;
    announcements(&object);
    const enum told_kind expected[] = { TOLD_ACQUIRE, TOLD_RELEASE,
                                        TOLD_ACQUIRE, TOLD_RELEASE };
    for (unsigned i = 0; i < 4; i++)
        assert_ptr_equal(next_told(expected[i]).at, &object);
    nothing_more_was_told();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, begin)
    const struct CMUnitTest tests[] = {
        TEST(each_access_is_told_once_and_not_done),
        TEST(ranges_are_told_unless_empty),
        TEST(a_virtual_table_is_written_when_it_changes),
        TEST(what_is_no_access_is_not_told),
        TEST(fences_are_the_detectors_concern),
        TEST(plain_accesses_leave_traces),
        TEST(functions_and_fences_leave_traces),
        TEST(atomics_of_8_bits_do_what_they_say),
        TEST(atomics_of_16_bits_do_what_they_say),
        TEST(atomics_of_32_bits_do_what_they_say),
        TEST(atomics_of_64_bits_do_what_they_say),
#ifdef __SIZEOF_INT128__
        TEST(atomics_of_128_bits_do_what_they_say),
#endif
        TEST(gcc_may_add_flags_to_an_order),
        TEST(what_is_expected_is_told_if_others_can_see_it),
        TEST(an_access_is_done_after_others_have_gone),
        TEST(races_are_handed_on),
        TEST(outside_only_the_access_is_done),
        TEST(what_programs_announce_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
