/* test_hooks.c - every entry point, called as a compiler would: it does what
 * it is there for, and passes one point where a thread may be disturbed. */
#include "runtime/common/hook.h"
#include "runtime/simulate/noise.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const _Atomic uint64_t no_clock;

static void begin_counting(void)
{
    worker_noise_begin(1, 0, &no_clock);
}

#define assert_points(count) assert_int_equal(worker_noise_end(), count)

/* ---- accesses that are not atomic ---- */

#define EACH_SIZE(X, kind)                                                     \
    X(kind##1) X(kind##2) X(kind##4) X(kind##8) X(kind##16)
#define EACH_ACCESS(X)                                                         \
    EACH_SIZE(X, read)                                                         \
    EACH_SIZE(X, write)                                                        \
    EACH_SIZE(X, read_write)                                                   \
    EACH_SIZE(X, volatile_read)                                                \
    EACH_SIZE(X, volatile_write)                                               \
    EACH_SIZE(X, unaligned_read)                                               \
    EACH_SIZE(X, unaligned_write)                                              \
    EACH_SIZE(X, unaligned_read_write)                                         \
    EACH_SIZE(X, unaligned_volatile_read)                                      \
    EACH_SIZE(X, unaligned_volatile_write)

#define DECLARE(name) void __tsan_##name(void *at);
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

static void a_plain_access_is_a_point_and_touches_nothing(void **state)
{
    (void)state;
    unsigned char place[32], same[32];
    memset(place, 0x5a, sizeof place);
    memcpy(same, place, sizeof same);
    unsigned count = 0;
    begin_counting();
#define TRY(name)                                                              \
    __tsan_##name(place + 1);                                                  \
    count++;
    EACH_ACCESS(TRY)
    __tsan_read_range(place, sizeof place);
    __tsan_write_range(place, sizeof place);
    assert_points(count + 2);
    assert_int_equal(count, 50);
    assert_memory_equal(place, same, sizeof place);
}

static void virtual_tables_are_left_to_the_program(void **state)
{
    (void)state;
    int table, other;
    void *pointer = &table;
    begin_counting();
    __tsan_vptr_read(&pointer);
    __tsan_vptr_update(&pointer, &other);
    assert_points(2);
    assert_ptr_equal(pointer, &table);
}

static void what_is_no_access_is_no_point(void **state)
{
    (void)state;
    begin_counting();
    __tsan_init();
    __tsan_func_entry(NULL);
    __tsan_ignore_thread_begin();
    __tsan_ignore_thread_end();
    for (int order = 0; order <= 5; order++) {
        __tsan_atomic_thread_fence(order);
        __tsan_atomic_signal_fence(order);
    }
    __tsan_func_exit();
    assert_points(0);
}

static void copying_and_filling_is_done(void **state)
{
    (void)state;
    char text[16] = "abcdefgh";
    begin_counting();
    assert_ptr_equal(__tsan_memmove(text + 2, text, 6), text + 2);
    assert_string_equal(text, "ababcdef");
    assert_ptr_equal(__tsan_memcpy(text, "xyz", 3), text);
    assert_string_equal(text, "xyzbcdef");
    assert_ptr_equal(__tsan_memset(text + 3, '.' + 256, 5), text + 3);
    assert_string_equal(text, "xyz.....");
    assert_points(3);
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

/* The neighbours stay as they are. */
#define PLACE(bits)                                                            \
    _Alignas(16) word##bits place[3] = { PATTERN(bits, 5), PATTERN(bits, 6),   \
                                         PATTERN(bits, 7) };                   \
    const word##bits before = place[0], was = place[1], after = place[2];      \
    word##bits *const at = place + 1

#define UPDATE_IS(bits, name, result)                                          \
    do {                                                                       \
        PLACE(bits);                                                           \
        const word##bits operand = PATTERN(bits, 11);                          \
        assert_true(__tsan_atomic##bits##_##name(at, operand, order) == was);  \
        assert_true(*at == (word##bits)(result));                              \
        assert_true(place[0] == before && place[2] == after);                  \
    } while (0)

#define COMPARE_EXCHANGE_IS(bits, form, failure)                               \
    do {                                                                       \
        PLACE(bits);                                                           \
        word##bits expected = (word##bits)(was ^ 1);                           \
        const word##bits desired = PATTERN(bits, 13);                          \
        assert_false(__tsan_atomic##bits##_compare_exchange_##form(            \
            at, &expected, desired, order, failure));                          \
        assert_true(expected == was && *at == was);                            \
        while (!__tsan_atomic##bits##_compare_exchange_##form(                 \
            at, &expected, desired, order, failure))                           \
            assert_true(expected == was && *at == was);                        \
        assert_true(expected == was && *at == desired);                        \
        assert_true(place[0] == before && place[2] == after);                  \
    } while (0)

#define COMPARE_EXCHANGE_VAL_IS(bits, failure)                                 \
    do {                                                                       \
        PLACE(bits);                                                           \
        const word##bits desired = PATTERN(bits, 13);                          \
        assert_true(__tsan_atomic##bits##_compare_exchange_val(                \
                        at, (word##bits)(was + 1), desired, order, failure) == \
                    was);                                                      \
        assert_true(*at == was);                                               \
        assert_true(__tsan_atomic##bits##_compare_exchange_val(                \
                        at, was, desired, order, failure) == was);             \
        assert_true(*at == desired);                                           \
        assert_true(place[0] == before && place[2] == after);                  \
    } while (0)

#define DEFINE_ATOMIC_TEST(bits)                                               \
    DECLARE_ATOMIC(bits)                                                       \
    static void loads_and_stores_of_##bits(int order)                          \
    {                                                                          \
        PLACE(bits);                                                           \
        begin_counting();                                                      \
        assert_true(__tsan_atomic##bits##_load(at, order) == was);             \
        __tsan_atomic##bits##_store(at, PATTERN(bits, 8), order);              \
        assert_true(*at == PATTERN(bits, 8));                                  \
        assert_true(place[0] == before && place[2] == after);                  \
        assert_points(2);                                                      \
    }                                                                          \
    static void updates_of_##bits(int order)                                   \
    {                                                                          \
        begin_counting();                                                      \
        UPDATE_IS(bits, exchange, operand);                                    \
        UPDATE_IS(bits, fetch_add, was + operand);                             \
        UPDATE_IS(bits, fetch_sub, was - operand);                             \
        UPDATE_IS(bits, fetch_and, was &operand);                              \
        UPDATE_IS(bits, fetch_or, was | operand);                              \
        UPDATE_IS(bits, fetch_xor, was ^ operand);                             \
        UPDATE_IS(bits, fetch_nand, ~(was & operand));                         \
        assert_points(7);                                                      \
    }                                                                          \
    static void exchanges_of_##bits(int order)                                 \
    {                                                                          \
        static const int failures[] = { 0, 1, 2, 5 };                          \
        for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {      \
            begin_counting();                                                  \
            COMPARE_EXCHANGE_IS(bits, strong, failures[i]);                    \
            assert_points(2);                                                  \
            COMPARE_EXCHANGE_IS(bits, weak, failures[i]);                      \
            begin_counting();                                                  \
            COMPARE_EXCHANGE_VAL_IS(bits, failures[i]);                        \
            assert_points(2);                                                  \
        }                                                                      \
    }                                                                          \
    static void atomics_of_##bits##_bits_do_what_they_say(void **state)        \
    {                                                                          \
        (void)state;                                                           \
        for (int order = 0; order <= 5; order++) {                             \
            loads_and_stores_of_##bits(order);                                 \
            updates_of_##bits(order);                                          \
            exchanges_of_##bits(order);                                        \
        }                                                                      \
    }

DEFINE_ATOMIC_TEST(8)
DEFINE_ATOMIC_TEST(16)
DEFINE_ATOMIC_TEST(32)
DEFINE_ATOMIC_TEST(64)

#ifdef __x86_64__
__extension__ typedef unsigned __int128 word128;
#undef PATTERN
#define PATTERN(bits, seed)                                                    \
    ((word128)0x8091a2b3c4d5e6f7u * (2 * (seed) + 1) << 63 ^                   \
     (word128)0x1327384a5b6c7d8eu * (seed))
DEFINE_ATOMIC_TEST(128)

/* The two halves are compared and carried together. */
static void halves_of_sixteen_bytes_belong_together(void **state)
{
    (void)state;
    _Alignas(16) word128 place = ~(word128)0 >> 64;
    word128 expected = (word128)1 << 64 | (uint64_t)place;
    assert_false(
        __tsan_atomic128_compare_exchange_strong(&place, &expected, 0, 5, 5));
    assert_true(expected == place);
    assert_true(__tsan_atomic128_fetch_add(&place, 1, 0) == expected);
    assert_true(place == (word128)1 << 64);
    __tsan_atomic128_store(&place, 0, 3);
    assert_true(__tsan_atomic128_load(&place, 2) == 0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_access_is_a_point_and_touches_nothing),
        cmocka_unit_test(virtual_tables_are_left_to_the_program),
        cmocka_unit_test(what_is_no_access_is_no_point),
        cmocka_unit_test(copying_and_filling_is_done),
        cmocka_unit_test(atomics_of_8_bits_do_what_they_say),
        cmocka_unit_test(atomics_of_16_bits_do_what_they_say),
        cmocka_unit_test(atomics_of_32_bits_do_what_they_say),
        cmocka_unit_test(atomics_of_64_bits_do_what_they_say),
#ifdef __x86_64__
        cmocka_unit_test(atomics_of_128_bits_do_what_they_say),
        cmocka_unit_test(halves_of_sixteen_bytes_belong_together),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
