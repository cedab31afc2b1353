/* test_imports.c - which targets are refused, and how they are told so. */
#include "fake_hooks.h"
#include "fake_stage.h"
#include "runtime/common/elf_file.h"
#include "runtime/explore/target/imports.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void assert_refused(const char *path, const char *text)
{
    char why[512] = "";
    assert_false(target_imports_check(path, why, sizeof why));
    assert_string_equal(why, text);
}

static void assert_accepted(const char *path)
{
    char why[512] = "";
    const bool good = target_imports_check(path, why, sizeof why);
    assert_string_equal(why, "");
    assert_true(good);
}

static void what_can_be_followed_is_accepted(void **state)
{
    (void)state;
    assert_accepted(VARIABLES); /* and a library that it brings */
#ifdef ALLOCATING
    assert_accepted(ALLOCATING);
#endif
}

static void what_cannot_is_named(void **state)
{
    (void)state;
    assert_refused(POLLONE, "calls poll(), which the explorer does not model");
    char why[512] = "";
    assert_false(target_imports_check(REFUSED, why, sizeof why));
    assert_int_equal(strncmp(why, "calls ", 6), 0);
    assert_non_null(strstr(why, " and 2 more, which the explorer does not "
                                "model"));
    assert_null(strstr(why, "qsort"));
    assert_null(strstr(why, "strlen"));
#ifdef PRINTING
    assert_false(target_imports_check(PRINTING, why, sizeof why));
    assert_string_equal(
        why,
        "uses std::cout: this stream buffers its output; print with printf()");
#endif
}

static void a_variable_is_not_called(void **state)
{
    (void)state;
    assert_refused(OPTIONAL, "uses optind, which the explorer does not model");
}

/* That it is not modelled would lead nowhere. */
static void what_nobody_defines_is_undefined(void **state)
{
    (void)state;
    char why[512] = "";
    assert_false(target_imports_check(UNDEFINED, why, sizeof why));
    assert_non_null(
        strstr(why, "the undefined variable (or function) elsewhere"));
    assert_non_null(strstr(why, "the undefined function forgotten()"));
    assert_non_null(strstr(why, "; add the source files that define them "
                                "after `--`"));
}

static void hooks_must_be_there(void **state)
{
    (void)state;
    assert_refused(NOHOOKS,
                   "was compiled without hooks, so none of its memory accesses "
                   "would be seen; compile it with -fsanitize=thread");
}

static void files_of_other_kinds_are_refused(void **state)
{
    (void)state;
    char why[512] = "";
    assert_false(target_imports_check("/nonexistent", why, sizeof why));
    assert_string_equal(why, "/nonexistent: No such file or directory");
    assert_false(target_imports_check("/etc/passwd", why, sizeof why));
    assert_string_equal(why,
                        "/etc/passwd: not a shared object for this machine");
}

static void the_table_says_what_it_means(void **state)
{
    static const char *const yes[] = {
        "strlen",
        "memcpy",
        "snprintf",
        "qsort",
        "sinf",
        "sqrtl",
        "sin",
        "__pow_finite",
        "isalpha",
        "__ctype_b_loc",
        "_Znwm",
        "_ZdlPvm",
        "_ZSt20__throw_length_errorPKc",
        "_ZTVN10__cxxabiv117__class_type_infoE",
        "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm",
        "_ZNSt6thread4joinEv",
        "_ZNSt18condition_variable10notify_oneEv",
        "__cxa_throw",
        "pthread_attr_init",
        "pthread_mutexattr_settype",
        "pthread_condattr_setclock",
        "bcmp",
        "swab",
        "abs",
    };
    static const char *const no[] = {
        "poll",
        "strtok",
        "rand",
        "localtime",
        "printf",
        "malloc",
        "",
        " ",
        "strlen memcpy",
        "str",
        "len",
        "mmap",
        "atexit",
        "f",
        "l",
        "__cxa_guard_acquire",
        "__cxa_atexit",
        "_ZSt4cout",
        "_ZSt3cin",
        "_ZNSt14basic_ofstreamIcSt11char_traitsIcEEC1Ev",
        "_ZNSt10_Sp_lockerC1EPKv",
        "_ZNSt13random_device9_M_getvalEv",
        "_Z3foov",
        "_ZN3foo3barEv",
        "strdup ",
        "pthread_getattr_np",
        "pthread_mutex_lock",
        "setlocale",
        "__atomic_load",
    };
    (void)state;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (!target_is_stateless(yes[i]))
            fail_msg("%s is stateless", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (target_is_stateless(no[i]))
            fail_msg("'%s' is not stateless", no[i]);
    assert_true(target_imports_is_modelled("malloc"));
    assert_true(target_imports_is_modelled("__tsan_read4"));
    assert_false(target_imports_is_modelled("poll"));
    assert_false(target_imports_is_modelled("strtok"));
}

/* ---- damage ---- */

static char *read_whole(const char *path, size_t *size)
{
    struct runtime_elf f;
    assert_true(runtime_elf_open_shared(&f, path));
    char *const copy = malloc(f.size);
    assert_non_null(copy);
    memcpy(copy, f.data, f.size);
    *size = f.size;
    runtime_elf_close(&f);
    return copy;
}

static void assert_writes(const char *name, const char *known)
{
    size_t length = 0;
    const char *const got = target_writes_unseen(name, &length);
    assert_non_null(got);
    assert_int_equal(length, strlen(known));
    assert_memory_equal(got, known, length);
}

/* Each must be one that may be called: others are refused anyway. */
static void those_that_write_are_known_by_their_names(void **state)
{
    static const char *const quiet[] = {
        "printf",  "strlen", "strcmp", "puts",    "abort",           "strdup",
        "strtol",  "frexp",  "memchr", "bsearch", "__assert_fail",   "sort",
        "printf ", "",       "_chk",   "__",      "_ZSt9terminatev",
    };
    (void)state;
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
        size_t length;
        if (target_writes_unseen(quiet[i], &length))
            fail_msg("%s", quiet[i]);
    }
    assert_writes("qsort", "qsort");
    assert_writes("snprintf", "snprintf");
    assert_writes("vsscanf", "vsscanf");
    assert_writes("bcopy", "bcopy");
    assert_writes("memcpy", "memcpy"); /* if it is not wrapped */
    assert_writes("__strcpy_chk", "strcpy");
    assert_writes("__isoc99_sscanf", "sscanf");
    assert_writes("__stpcpy", "stpcpy");
    assert_writes("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_"
                  "appendEPKcm",
                  "std::string");
    assert_writes("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_"
                  "baseS0_RS_",
                  "std::map");
}

static void those_that_a_target_calls_are_told_once(void **state)
{
    char why[512];
    (void)state;
    assert_accepted(VARIABLES);
    assert_string_equal(target_imports_unseen(), "");
    assert_false(target_imports_check(REFUSED, why, sizeof why));
    assert_string_equal(target_imports_unseen(), "qsort ");
}

static void check_bytes(const char *data, size_t size)
{
    char why[512], path[] = "/tmp/plumb-imports-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, data, size), size);
    close(file);
    (void)target_imports_check(path, why, sizeof why); /* does not crash */
    unlink(path);
}

static void damaged_files_do_no_harm(void **state)
{
    size_t size;
    (void)state;
    char *const data = read_whole(POLLONE, &size);
    uint64_t seed = 1;
    for (unsigned round = 0; round < 600; round++) {
        char *const copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, data, size);
        for (unsigned i = 0; i < 1 + round % 20; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            /* headers, dynamic section, section headers at the end */
            const size_t at = (size_t)(seed >> 20) % size;
            const size_t near = round % 3 ? at % 4096 : size - 1 - at % 2048;
            copy[near] = (char)(seed >> 56);
        }
        check_bytes(copy, round % 4 ? size : (size_t)(seed >> 33) % size);
        free(copy);
    }
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_can_be_followed_is_accepted),
        cmocka_unit_test(what_cannot_is_named),
        cmocka_unit_test(a_variable_is_not_called),
        cmocka_unit_test(what_nobody_defines_is_undefined),
        cmocka_unit_test(hooks_must_be_there),
        cmocka_unit_test(files_of_other_kinds_are_refused),
        cmocka_unit_test(the_table_says_what_it_means),
        cmocka_unit_test(those_that_write_are_known_by_their_names),
        cmocka_unit_test(those_that_a_target_calls_are_told_once),
        cmocka_unit_test(damaged_files_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
