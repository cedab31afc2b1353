/* test_debug_symbols.c - names by debug information, of both compilers. */
#include "app/binary/dwarf_info.h"
#include "sample.h"

static const char *const samples[] = { "gcc", "gcc_dwarf4", "clang",
                                       "clang_dwarf4" };
static const char *const plain_samples[] = { "gcc_plain", "clang_plain" };
static const char *const cxx_samples[] = { "gxx", "clangxx" };

#define EACH(list) (size_t i = 0; i < sizeof(list) / sizeof *(list); i++)

static void expect_variable(const struct sample *s, uint64_t at, uint32_t size,
                            const char *name, enum binary_symbol_shape shape)
{
    struct binary_symbol_spot spot;
    assert_true(binary_symbols_variable(s->symbols, at - s->base, size, &spot));
    assert_string_equal(spot.name, name);
    assert_int_equal(spot.shape, shape);
    assert_int_equal(spot.into, 0);
}

static void variables_have_their_names(void **state)
{
    (void)state;
    for
        EACH(samples)
        {
            struct sample s;
            if (!sample_open(&s, samples[i], "push"))
                continue;
            const uint64_t queue = sample_hidden(&s, "q");
            expect_variable(&s, sample_at(&s, "top"), 8, "top", SHAPE_POINTER);
            expect_variable(&s, sample_at(&s, "level"), 1, "level",
                            SHAPE_CHARACTER);
            expect_variable(&s, sample_at(&s, "ratio"), 8, "ratio",
                            SHAPE_FLOAT);
            expect_variable(&s, sample_at(&s, "word"), 8, "word",
                            SHAPE_UNSIGNED);
            expect_variable(&s, sample_at(&s, "table") + 12, 4, "table[3]",
                            SHAPE_SIGNED);
            expect_variable(&s, queue + 40, 8, "queue.head", SHAPE_POINTER);
            expect_variable(&s, queue + 48, 8, "queue.tail", SHAPE_POINTER);
            expect_variable(&s, queue + 56 + 5 * 8, 4, "queue.inner[1][2].a",
                            SHAPE_SIGNED);
            expect_variable(&s, queue + 60 + 4 * 8, 4, "queue.inner[1][1].b",
                            SHAPE_SIGNED);
            expect_variable(&s, queue + 61, 1, "queue.inner[0][0].c[1]",
                            SHAPE_CHARACTER);
            expect_variable(&s, queue + 104, 4, "queue.state", SHAPE_ENUM);
            expect_variable(&s, queue + 108, 1, "queue.closed", SHAPE_BOOL);
            sample_close(&s);
        }
}

static void more_than_a_member_is_what_holds_it(void **state)
{
    (void)state;
    for
        EACH(samples)
        {
            struct sample s;
            if (!sample_open(&s, samples[i], "push"))
                continue;
            expect_variable(&s, sample_at(&s, "wide"), 16, "wide",
                            SHAPE_AGGREGATE);
            expect_variable(&s, sample_at(&s, "wide"), 8, "wide.node",
                            SHAPE_POINTER);
            expect_variable(&s, sample_at(&s, "table"), 32, "table",
                            SHAPE_AGGREGATE);
            sample_close(&s);
        }
}

static void a_lock_is_itself_and_not_what_is_in_it(void **state)
{
    (void)state;
    for
        EACH(samples)
        {
            struct sample s;
            if (!sample_open(&s, samples[i], "push"))
                continue;
            expect_variable(&s, sample_hidden(&s, "q"), 0, "queue.lock",
                            SHAPE_AGGREGATE);
            expect_variable(&s, sample_at(&s, "ready"), 0, "ready",
                            SHAPE_AGGREGATE);
            sample_close(&s);
        }
}

static void a_static_variable_has_its_function(void **state)
{
    (void)state;
    for
        EACH(samples)
        {
            struct sample s;
            if (!sample_open(&s, samples[i], "push"))
                continue;
            expect_variable(&s, sample_hidden(&s, "c"), 4, "counted.counter",
                            SHAPE_SIGNED);
            sample_close(&s);
        }
}

static void thread_locals_have_names(void **state)
{
    (void)state;
    for
        EACH(samples)
        {
            struct sample s;
            struct binary_symbol_spot spot;
            if (!sample_open(&s, samples[i], "push"))
                continue;
            assert_true(binary_symbols_thread_local(s.symbols, 16, 8, &spot));
            assert_string_equal(spot.name, "mine[2]");
            assert_false(binary_symbols_thread_local(s.symbols, 32, 8, &spot));
            sample_close(&s);
        }
}

static void code_has_function_file_and_line(void **state)
{
    (void)state;
    for
        EACH(samples)
        {
            struct sample s;
            struct binary_symbol_place place;
            if (!sample_open(&s, samples[i], "push"))
                continue;
            assert_true(binary_symbols_place(
                s.symbols, sample_at(&s, "push") - s.base, &place));
            assert_string_equal(place.function, "push");
            assert_string_equal(place.file, "sample.c");
            assert_string_equal(place.path, "sample.c"); /* where it is */
            const unsigned line = sample_line("void push(");
            assert_in_range(place.line, line, line + 5);
            assert_false(place.library);
            sample_close(&s);
        }
}

static void expect_block(const struct sample *s, uint64_t pc, uint64_t size,
                         const char *expected)
{
    char name[SYMBOL_NAME];
    const binary_symbol_type type = binary_symbols_block(s->symbols, pc, size);
    if (!expected) {
        assert_int_equal(type, 0);
        return;
    }
    assert_true(binary_symbols_type(s->symbols, type, name, NULL));
    assert_string_equal(name, expected);
}

static void a_block_is_what_the_pointer_that_gets_it_is_for(void **state)
{
    (void)state;
    for
        EACH(samples)
        {
            struct sample s;
            if (!sample_open(&s, samples[i], "push"))
                continue;
            const uint64_t pc = sample_allocates(&s, "make");
            expect_block(&s, pc, 16, "node"); /* an item_t is as large */
            expect_block(&s, pc, 15, NULL);
            const uint64_t tall = sample_allocates(&s, "tall");
            expect_block(&s, tall, 8 + 3 * 8, "tower");
            sample_close(&s);
        }
}

/* Optimised or not, there are pointers in reach that the size is right for. */
static void a_block_is_not_what_a_pointer_nearby_is_for(void **state)
{
    (void)state;
    for
        EACH(samples)
        {
            struct sample s;
            if (!sample_open(&s, samples[i], "push"))
                continue;
            expect_block(&s, sample_allocates(&s, "fill"), 8, NULL);
            expect_block(&s, sample_allocates(&s, "anything"), 112, NULL);
            expect_block(&s, 0, 112, NULL);
            sample_close(&s);
        }
}

static void without_optimisation_nothing_is_in_registers(void **state)
{
    (void)state;
    for
        EACH(plain_samples)
        {
            struct sample s;
            if (!sample_open(&s, plain_samples[i], "push"))
                continue;
            expect_block(&s, sample_allocates(&s, "make"), 16, NULL);
            sample_close(&s);
        }
}

static binary_symbol_type type_of_block(const struct sample *s,
                                        const char *function, uint64_t size)
{
    return binary_symbols_block(s->symbols, sample_allocates(s, function),
                                size);
}

static void members_of_blocks_have_names(void **state)
{
    (void)state;
    for
        EACH(samples)
        {
            struct sample s;
            struct binary_symbol_spot spot;
            if (!sample_open(&s, samples[i], "push"))
                continue;
            const binary_symbol_type node = type_of_block(&s, "make", 16);
            assert_true(binary_symbols_inside(s.symbols, node, 0, 8, &spot));
            assert_string_equal(spot.name, ".next");
            assert_int_equal(spot.pointee, node);
            assert_false(
                binary_symbols_inside(s.symbols, node, 16 + 8, 8, &spot));
            const binary_symbol_type tower = type_of_block(&s, "tall", 32);
            assert_true(binary_symbols_inside(s.symbols, tower, 24, 8, &spot));
            assert_string_equal(spot.name, ".level[2]");
            sample_close(&s);
        }
}

/* Which member is meant nobody knows; its name would be made up. */
static void a_member_of_a_union_is_told_if_no_other_is_like_it(void **state)
{
    (void)state;
    for
        EACH(samples)
        {
            struct sample s;
            struct binary_symbol_spot spot;
            if (!sample_open(&s, samples[i], "push"))
                continue;
            const uint64_t at = sample_at(&s, "either") - s.base;
            assert_true(binary_symbols_variable(s.symbols, at, 8, &spot));
            assert_string_equal(spot.name, "either");
            assert_int_equal(spot.pointee, 0);
            assert_true(binary_symbols_variable(s.symbols, at, 4, &spot));
            assert_string_equal(spot.name, "either.half");
            assert_true(binary_symbols_variable(s.symbols, at + 8, 8, &spot));
            assert_string_equal(spot.name, "either.words[1]");
            sample_close(&s);
        }
}

static void enumerators_have_names(void **state)
{
    (void)state;
    for
        EACH(samples)
        {
            struct sample s;
            struct binary_symbol_spot spot;
            char name[SYMBOL_NAME];
            if (!sample_open(&s, samples[i], "push"))
                continue;
            const uint64_t at = sample_hidden(&s, "q") - s.base + 104;
            assert_true(binary_symbols_variable(s.symbols, at, 4, &spot));
            assert_true(
                binary_symbols_enumerator(s.symbols, spot.type, 5, name));
            assert_string_equal(name, "BUSY");
            assert_false(
                binary_symbols_enumerator(s.symbols, spot.type, 2, name));
            sample_close(&s);
        }
}

/* ---- C++ ---- */

static void atomics_and_bases_are_no_members(void **state)
{
    (void)state;
    for
        EACH(cxx_samples)
        {
            struct sample s;
            void *counter;
            if (!sample_open(&s, cxx_samples[i], "push"))
                continue;
            expect_variable(&s, sample_at(&s, "stack"), 8, "stack.head",
                            SHAPE_POINTER);
            expect_variable(&s, sample_at(&s, "stack") + 8, 0, "stack.mutex",
                            SHAPE_AGGREGATE);
            expect_variable(&s, sample_at(&s, "derived"), 4, "derived.b",
                            SHAPE_SIGNED);
            expect_variable(&s, sample_at(&s, "derived") + 4, 4, "derived.d",
                            SHAPE_SIGNED);
            memcpy(&counter, dlsym(s.handle, "counter_address"),
                   sizeof counter);
            expect_variable(&s, (uintptr_t)counter, 8, "lib::counter",
                            SHAPE_SIGNED);
            sample_close(&s);
        }
}

/* The code of std::atomic is inlined: never its header. */
static void places_are_in_our_sources(void **state)
{
    (void)state;
    for
        EACH(cxx_samples)
        {
            struct sample s;
            struct binary_symbol_place place;
            bool inlined = false;
            if (!sample_open(&s, cxx_samples[i], "push"))
                continue;
            const uint64_t from = sample_at(&s, "push") - s.base;
            for (uint64_t at = from; at < from + 64; at++) {
                assert_true(binary_symbols_place(s.symbols, at, &place));
                assert_string_equal(place.file, "sample.cc");
                inlined |= strcmp(place.function, "lib::Stack::push") == 0;
            }
            assert_true(inlined);
            sample_close(&s);
        }
}

#if DEBUG_INFORMATION
/* Installed objects, and sources of yours, may be anywhere. */
static void sources_are_ours_wherever_they_are(void **state)
{
    static const char *const ours[] = {
        "/usr/local/plumb/share/plumb/objects/queue/buf_ring.c",
        "/usr/share/plumb/objects/smr/local.h",
        "/usr/src/queue/queue.c",
        "/opt/project/src/queue.h",
        "queue.c",
        "/home/me/include/queue.h"
    };
    static const char *const theirs[] = {
        "/usr/include/c++/12/atomic", "/usr/local/include/ck_ring.h",
        "/usr/lib/gcc/x86_64-linux-gnu/12/include/stdatomic.h",
        "/usr/lib/llvm-14/lib/clang/14.0.6/include/stdatomic.h",
        "/opt/gcc/include/c++/13/bits/atomic_base.h"
    };
    (void)state;
    for
        EACH(ours) assert_false(binary_dwarf_is_library_file(ours[i]));
    for
        EACH(theirs) assert_true(binary_dwarf_is_library_file(theirs[i]));
}
#endif

/* ---- what is not known ---- */

static void without_debug_information_there_are_symbols(void **state)
{
    (void)state;
    struct sample s;
    struct binary_symbol_place place;
    struct binary_symbol_spot spot;
    if (!sample_open(&s, "bare", "push"))
        skip();
    assert_true(binary_symbols_place(
        s.symbols, sample_at(&s, "push") - s.base + 4, &place));
    assert_string_equal(place.function, "push");
    assert_int_equal(place.line, 0);
    assert_true(binary_symbols_variable(
        s.symbols, sample_at(&s, "table") - s.base + 8, 4, &spot));
    assert_string_equal(spot.name, "table");
    assert_int_equal(spot.into, 8);
    assert_int_equal(binary_symbols_block(s.symbols, 1, 16), 0);
    sample_close(&s);
}

static void what_is_nowhere_has_no_name(void **state)
{
    (void)state;
    struct sample s;
    struct binary_symbol_place place;
    struct binary_symbol_spot spot;
    if (!sample_open(&s, "gcc", "push"))
        skip();
    assert_false(binary_symbols_place(s.symbols, UINT64_MAX, &place));
    assert_false(binary_symbols_place(s.symbols, UINT64_C(1) << 40, &place));
    assert_false(binary_symbols_variable(s.symbols, UINT64_MAX, 8, &spot));
    assert_false(
        binary_symbols_variable(s.symbols, UINT64_C(1) << 40, 8, &spot));
    assert_false(binary_symbols_inside(s.symbols, UINT64_MAX, 0, 8, &spot));
    assert_int_equal(binary_symbols_block(s.symbols, UINT64_MAX, 8), 0);
    sample_close(&s);
}

static void write_file(const char *path, const char *data, size_t size)
{
    FILE *const f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    fclose(f);
}

/* Cut anywhere, and with a byte changed anywhere: never a crash. */
static void a_damaged_file_is_survived(void **state)
{
    (void)state;
    static char data[1 << 20];
    char path[] = "/tmp/plumb-sample-XXXXXX";
    struct sample s;
    if (!sample_open(&s, "gcc", "push"))
        skip();
    FILE *const f = fopen(s.path, "r");
    assert_non_null(f);
    const size_t size = fread(data, 1, sizeof data, f);
    fclose(f);
    close(mkstemp(path));
    for (unsigned round = 0; round < 120; round++) {
        const size_t at = size * round / 120;
        const char was = data[at];
        if (round % 2) {
            data[at] = (char)~data[at];
            write_file(path, data, size);
            data[at] = was;
        } else
            write_file(path, data, at);
        struct binary_symbols *const damaged = binary_symbols_open(path);
        struct binary_symbol_place place;
        struct binary_symbol_spot spot;
        for (uint64_t o = 0; damaged && o < 0x5000; o += 52) {
            binary_symbols_place(damaged, o, &place);
            binary_symbols_variable(damaged, o, 8, &spot);
        }
        binary_symbols_close(damaged);
    }
    unlink(path);
    assert_null(binary_symbols_open("/nowhere"));
    assert_null(binary_symbols_open("/dev/null"));
    sample_close(&s);
}

int main(void)
{
    const struct CMUnitTest known[] = {
        cmocka_unit_test(variables_have_their_names),
        cmocka_unit_test(more_than_a_member_is_what_holds_it),
        cmocka_unit_test(a_lock_is_itself_and_not_what_is_in_it),
        cmocka_unit_test(a_static_variable_has_its_function),
        cmocka_unit_test(thread_locals_have_names),
        cmocka_unit_test(code_has_function_file_and_line),
        cmocka_unit_test(a_block_is_what_the_pointer_that_gets_it_is_for),
        cmocka_unit_test(a_block_is_not_what_a_pointer_nearby_is_for),
        cmocka_unit_test(without_optimisation_nothing_is_in_registers),
        cmocka_unit_test(members_of_blocks_have_names),
        cmocka_unit_test(a_member_of_a_union_is_told_if_no_other_is_like_it),
        cmocka_unit_test(enumerators_have_names),
        cmocka_unit_test(atomics_and_bases_are_no_members),
        cmocka_unit_test(places_are_in_our_sources),
#if DEBUG_INFORMATION
        cmocka_unit_test(sources_are_ours_wherever_they_are),
#endif
    };
    const struct CMUnitTest always[] = {
        cmocka_unit_test(without_debug_information_there_are_symbols),
        cmocka_unit_test(what_is_nowhere_has_no_name),
        cmocka_unit_test(a_damaged_file_is_survived),
    };
    int failed = cmocka_run_group_tests(always, NULL, NULL);
    if (DEBUG_INFORMATION)
        failed += cmocka_run_group_tests(known, NULL, NULL);
    return failed;
}
