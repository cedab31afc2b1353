/* test_binary.c - mapped histories: exact, and never trusted. */
#include "histories.h"

#include <stdlib.h>

#define BINARY PLUMB_FORMAT_BINARY

static const char sample[] =
    "Q enq(1,x) P1\nQ deq() P2\nQ ok() P1\nQ ok(1,\"a b\",nil,true) P2\n"
    "R get() P1\nR fail() P1\nR get(-5) P1\nR info() P1\nQ deq() P2\n\n"
    "S a() P9\nS ok(\"\\x00\\xff\") P9\n";

/* The sample as a binary file, in memory that malloc aligned. */
static char *binary_sample(size_t *size)
{
    struct plumb_base_text t;
    uint64_t losses[PLUMB_LOSSES] = { 0 };
    plumb_base_text_init(&t, NULL);
    convert(PLUMB_FORMAT_NATIVE, sample, strlen(sample), BINARY, &t, losses);
    assert_int_equal(losses[PLUMB_LOSS_SPEC] + losses[PLUMB_LOSS_EMPTY], 0);
    char *const copy = malloc(t.size);
    assert_non_null(copy);
    memcpy(copy, t.data, t.size);
    *size = t.size;
    plumb_base_text_release(&t);
    return copy;
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    assert_survives(PLUMB_FORMAT_NATIVE, sample, strlen(sample), BINARY);
}

static void a_binary_history_survives_the_text_forms(void **state)
{
    size_t size;
    char *const file = binary_sample(&size);
    (void)state;
    assert_survives(BINARY, file, size, BINARY);
    assert_survives(BINARY, file, size, PLUMB_FORMAT_JSONL);
    assert_survives(BINARY, file, size, PLUMB_FORMAT_NATIVE);
    free(file);
}

static void the_same_history_gives_the_same_bytes(void **state)
{
    size_t size, size2;
    char *const file = binary_sample(&size), *const file2 =
                                                 binary_sample(&size2);
    struct plumb_base_text again;
    uint64_t losses[PLUMB_LOSSES] = { 0 };
    (void)state;
    assert_int_equal(size, size2);
    assert_memory_equal(file, file2, size);
    plumb_base_text_init(&again, NULL);
    convert(BINARY, file, size, BINARY, &again, losses);
    assert_int_equal(again.size, size);
    assert_memory_equal(again.data, file, size);
    plumb_base_text_release(&again);
    free(file);
    free(file2);
}

static void mapping_points_into_the_file(void **state)
{
    struct plumb_reader *r;
    struct plumb_history h;
    struct plumb_error err;
    size_t size;
    char *const file = binary_sample(&size);
    (void)state;
    assert_int_equal(plumb_reader_open(&r, file, size, PLUMB_FORMAT_AUTO,
                                       PLUMB_TIES_OF_FORMAT, NULL, &err),
                     PLUMB_OK);
    assert_int_equal(plumb_reader_format(r), BINARY);
    assert_int_equal(plumb_reader_next(r, &h, &err), PLUMB_OK);
    assert_true((const char *)h.op > file);
    assert_true((const char *)(h.op + h.count) < file + size);
    assert_int_equal((uintptr_t)h.value % 16, (uintptr_t)file % 16);
    assert_null(h.origin);
    plumb_history_release(&h);
    plumb_reader_close(r);
    free(file);
}

static void unaligned_bytes_are_copied(void **state)
{
    size_t size;
    char *const file = binary_sample(&size);
    char *const moved = malloc(size + 8);
    struct plumb_base_text expected, got;
    (void)state;
    assert_non_null(moved);
    plumb_base_text_init(&expected, NULL);
    read_all(&expected, BINARY, file, size, NULL);
    for (size_t shift = 1; shift < 8; shift++) {
        memcpy(moved + shift, file, size);
        plumb_base_text_init(&got, NULL);
        read_all(&got, BINARY, moved + shift, size, NULL);
        assert_int_equal(got.size, expected.size);
        assert_memory_equal(got.data, expected.data, got.size);
        plumb_base_text_release(&got);
    }
    plumb_base_text_release(&expected);
    free(moved);
    free(file);
}

/* Open and validate; true if both accept all histories. */
static bool is_accepted(const char *file, size_t size, struct plumb_error *err)
{
    struct plumb_reader *r;
    struct plumb_history h;
    enum plumb_status status, valid = PLUMB_OK;
    assert_int_equal(plumb_reader_open(&r, file, size, BINARY,
                                       PLUMB_TIES_OF_FORMAT, NULL, err),
                     PLUMB_OK);
    while ((status = plumb_reader_next(r, &h, err)) == PLUMB_OK) {
        if (valid == PLUMB_OK)
            valid = plumb_reader_validate(r, &h, err);
        plumb_history_release(&h);
    }
    plumb_reader_close(r);
    return status == PLUMB_END && valid == PLUMB_OK;
}

static void no_flipped_bit_does_harm(void **state)
{
    size_t size, refused = 0;
    char *const file = binary_sample(&size);
    struct plumb_error err;
    struct plumb_base_text out;
    (void)state;
    for (size_t i = 0; i < size; i++)
        for (int bit = 0; bit < 9; bit++) { /* the ninth time, all of them */
            const char mask = (char)(bit < 8 ? 1 << bit : 0xff);
            file[i] ^= mask;
            if (!is_accepted(file, size, &err)) {
                refused++;
            } else { /* then all of it can be used */
                plumb_base_text_init(&out, NULL);
                read_all(&out, BINARY, file, size, NULL);
                plumb_base_text_release(&out);
            }
            file[i] ^= mask;
        }
    assert_true(refused > 9 * 256);
    assert_true(is_accepted(file, size, &err));
    free(file);
}

static void no_truncation_goes_unnoticed(void **state)
{
    size_t size, accepted = 0;
    char *const file = binary_sample(&size);
    struct plumb_error err;
    (void)state;
    for (size_t left = 0; left < size; left++)
        accepted += is_accepted(file, left, &err);
    assert_int_equal(accepted, 2); /* nothing, and the first history alone */
    free(file);
}

static void errors_are_offsets(void **state)
{
    size_t size;
    char *const file = binary_sample(&size);
    uint64_t first;
    char expected[128];
    struct plumb_error err;
    (void)state;
    memcpy(&first, file + 16, sizeof first); /* the size of the first block */
    assert_false(is_accepted(file, 100, &err));
    assert_string_equal(err.message,
                        "truncated: a header has 128 bytes, 100 are left");
    assert_false(is_accepted(file, (size_t)first - 1, &err));
    snprintf(expected, sizeof expected,
             "truncated: the header says %u bytes, %u are left",
             (unsigned)first, (unsigned)first - 1);
    assert_string_equal(err.message, expected);
    file[first] ^= 1;
    assert_false(is_accepted(file, size, &err));
    assert_int_equal(err.line, 0);
    assert_int_equal(err.column, first);
    assert_string_equal(err.message, "not the start of a binary history");
    file[first] ^= 1;
    file[12] = 2;
    assert_false(is_accepted(file, size, &err));
    assert_int_equal(err.column, 12);
    assert_string_equal(err.message,
                        "version 2 of the binary format is not supported");
    free(file);
}

/* The zero byte of the second history's operation, in a file that lies
 * at any distance from what the arrays are aligned to. */
static void damaged_content_is_placed(void **state)
{
    size_t size;
    char *const file = binary_sample(&size), *const moved = malloc(size + 8);
    uint64_t first;
    struct plumb_error err;
    (void)state;
    assert_non_null(moved);
    memcpy(&first, file + 16, sizeof first);
    const size_t operation = (size_t)first + 128;
    file[operation + 31] = 1;
    for (size_t shift = 0; shift < 8; shift++) {
        memcpy(moved + shift, file, size);
        assert_false(is_accepted(moved + shift, size, &err));
        assert_string_equal(err.message, "operation 0 is malformed");
        assert_int_equal(err.line, 0);
        assert_int_equal(err.column, operation);
    }
    free(moved);
    free(file);
}

static void the_other_byte_order_is_recognised(void **state)
{
    size_t size;
    char *const file = binary_sample(&size);
    struct plumb_error err;
    (void)state;
    for (int i = 0; i < 2; i++) {
        const char c = file[8 + i];
        file[8 + i] = file[11 - i];
        file[11 - i] = c;
    }
    assert_false(is_accepted(file, size, &err));
    assert_string_equal(err.message,
                        "written on a machine with the opposite byte order");
    free(file);
}

static void lack_of_memory_is_reported(void **state)
{
    size_t size;
    char *const file = binary_sample(&size);
    (void)state;
    assert_survives_lack_of_memory(BINARY, file, size);
    free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(a_binary_history_survives_the_text_forms),
        cmocka_unit_test(the_same_history_gives_the_same_bytes),
        cmocka_unit_test(mapping_points_into_the_file),
        cmocka_unit_test(unaligned_bytes_are_copied),
        cmocka_unit_test(no_flipped_bit_does_harm),
        cmocka_unit_test(no_truncation_goes_unnoticed),
        cmocka_unit_test(errors_are_offsets),
        cmocka_unit_test(damaged_content_is_placed),
        cmocka_unit_test(the_other_byte_order_is_recognised),
        cmocka_unit_test(lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
