/* test_image.c - a target is loaded, and is what it was after a restore. */
#include "fake_hooks.h"
#include "runtime/explore/memory/image.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the target ---- */

static int *number, *zero;
static char *large;
static char **relocated;
static int *(*get_own)(void), *(*get_own_zero)(void);
static char *(*get_made)(void);
static int (*get_brought)(void);
static void (*set_brought)(int);

static void find(void *variable, const char *name)
{
    void *const at = memory_image_symbol(name);
    assert_non_null(at);
    memcpy(variable, &at, sizeof at);
}

static int load(void **state)
{
    char why[256] = "";
    (void)state;
    if (!memory_image_load(TARGET, why, sizeof why)) {
        print_error("%s\n", why);
        return -1;
    }
    find(&number, "number");
    find(&zero, "zero");
    find(&large, "large");
    find(&relocated, "relocated");
    find(&get_own, "get_own");
    find(&get_own_zero, "get_own_zero");
    find(&get_made, "get_made");
    find(&get_brought, "get_brought");
    find(&set_brought, "set_brought");
    return 0;
}

static bool has_function(int *(*function)(void))
{
    void *at;
    memcpy(&at, &function, sizeof at);
    return memory_image_has_code(at);
}

/* ---- claims ---- */

static void its_variables_are_known(void **state)
{
    (void)state;
    assert_int_equal(*number, 8); /* its constructor ran */
    assert_true(memory_image_has(number));
    assert_true(memory_image_has(zero));
    assert_true(memory_image_has(large));
    assert_true(memory_image_has(large + (1 << 20) - 1));
    assert_false(memory_image_has(relocated));
    assert_false(memory_image_has(get_own()));
    assert_false(memory_image_has(get_made()));
    assert_false(memory_image_has(&state));
    assert_true(has_function(get_own));
    assert_false(memory_image_has_code(number));
    assert_null(memory_image_symbol("there_is_no_such_symbol"));
}

static void ranges_are_all_of_it(void **state)
{
    char *at;
    size_t size, whole = 0;
    (void)state;
    for (unsigned i = 0; memory_image_range(i, &at, &size); i++) {
        whole += size;
        assert_true(memory_image_has(at) && memory_image_has(at + size - 1));
        memset(at, *at, 1); /* it can be written */
        memset(at + size - 1, at[size - 1], 1);
    }
    assert_in_range(whole, 1 << 20, (1 << 20) + (1 << 15));
}

static void what_was_written_is_put_back(void **state)
{
    (void)state;
    assert_true(memory_image_snapshot());
    for (unsigned i = 0; i < 3; i++) {
        *number = 99;
        *zero = 98;
        large[0] = large[4095] = large[4096] = large[(1 << 20) - 1] = 'x';
        memset(large + 10000, 'y', 5000);
        set_brought(97);
        memory_image_restore(NULL, 0);
        assert_int_equal(*number, 8);
        assert_int_equal(*zero, 0);
        for (unsigned j = 0; j < 1 << 20; j++)
            assert_int_equal(large[j], 0);
        assert_int_equal(get_brought(), 3);
    }
}

static void another_snapshot_counts(void **state)
{
    (void)state;
    *number = 20;
    large[77777] = 1;
    assert_true(memory_image_snapshot());
    *number = 21;
    large[77777] = 2;
    memory_image_restore(NULL, 0);
    assert_int_equal(*number, 20);
    assert_int_equal(large[77777], 1);
}

static void *change_own(void *block)
{
    *(char **)block = memory_image_thread_locals();
    *get_own() = 55;
    *get_own_zero() = 56;
    char *const at = (char *)(void *)get_own();
    assert_true(at >= *(char **)block);
    assert_true(at + sizeof(int) <=
                *(char **)block + memory_image_thread_locals_size());
    memory_image_restore(block, 1);
    assert_int_equal(*get_own(), 5);
    assert_int_equal(*get_own_zero(), 0);
    return NULL;
}

static void thread_locals_are_put_back_in_the_threads_that_are_named(
    void **state)
{
    pthread_t thread;
    char *block[2];
    (void)state;
    assert_int_equal(memory_image_thread_locals_size(), 2 * sizeof(int));
    *get_own() = 44;
    assert_int_equal(pthread_create(&thread, NULL, change_own, &block[1]), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(*get_own(), 44);
    block[0] = memory_image_thread_locals();
    memory_image_restore(block, 1);
    assert_int_equal(*get_own(), 5);
}

static void code_of_libraries_is_not_its_own(void **state)
{
    void *at;
    (void)state;
    find(&at, "brought_value");
    assert_false(memory_image_has_code(at));
}

static void it_is_named_by_its_build_id(void **state)
{
    (void)state;
    const char *const id = memory_image_build_id();
    assert_int_equal(strlen(id), 40);
    assert_int_equal(strspn(id, "0123456789abcdef"), 40);
}

static void what_is_no_object_is_refused(void **state)
{
    char why[256] = "";
    (void)state;
    assert_false(memory_image_load("/dev/null", why, sizeof why));
    assert_non_null(strstr(why, "/dev/null"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_variables_are_known),
        cmocka_unit_test(ranges_are_all_of_it),
        cmocka_unit_test(what_was_written_is_put_back),
        cmocka_unit_test(another_snapshot_counts),
        cmocka_unit_test(
            thread_locals_are_put_back_in_the_threads_that_are_named),
        cmocka_unit_test(code_of_libraries_is_not_its_own),
        cmocka_unit_test(it_is_named_by_its_build_id),
        cmocka_unit_test(what_is_no_object_is_refused),
    };
    return cmocka_run_group_tests(tests, load, NULL);
}
