/* test_assembly.c - what stands in a target without a hook is found, and
 * nothing else. */
#include "app/binary/assembly.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool has(char text[ASSEMBLY_KEPT][ASSEMBLY_TEXT], unsigned count,
                const char *start)
{
    for (unsigned i = 0; i < count && i < ASSEMBLY_KEPT; i++)
        if (strncmp(text[i], start, strlen(start)) == 0)
            return true;
    return false;
}

static void has_the_instructions(struct binary_assembly *a, const char *add)
{
    assert_int_equal(a->instructions, 3);
    assert_true(has(a->instruction, a->instructions, "added+"));
    assert_true(has(a->instruction, a->instructions, "swapped+"));
    assert_true(has(a->instruction, a->instructions, "ticks+"));
    for (unsigned i = 0; i < a->instructions; i++)
        if (strncmp(a->instruction[i], "added", 5) == 0)
            assert_non_null(strstr(a->instruction[i], add));
}

static void has_the_functions(struct binary_assembly *a)
{
    assert_int_equal(a->functions, 3);
    assert_true(has(a->function, a->functions, "hidden"));
    assert_true(has(a->function, a->functions, "hidden_variable"));
    assert_true(has(a->function, a->functions, "hidden_call"));
}

#if defined(__aarch64__)
#define ADD ": ldaddal"
#else
#define ADD ": lock xadd "
#endif

static void what_has_no_hooks_is_found(void **state)
{
    struct binary_assembly a;
    (void)state;
    if (!binary_assembly_look(ASSEMBLED, &a))
        skip(); /* there is no objdump */
    has_the_instructions(&a, ADD);
    has_the_functions(&a);
}

/* assembled.c, for another processor and by two compilers. */
static void it_is_found_for_other_processors(void **state)
{
    static const char *const listings[] = { LISTINGS "/aarch64-gcc-12",
                                            LISTINGS "/aarch64-clang-14" };
    struct binary_assembly a;
    (void)state;
    for (unsigned i = 0; i < sizeof listings / sizeof *listings; i++) {
        FILE *const in = fopen(listings[i], "r");
        assert_non_null(in);
        assert_true(binary_assembly_read(in, &a));
        fclose(in);
        has_the_instructions(&a, ": ldaddal");
        has_the_functions(&a);
    }
}

/* listings/exported.c, without hooks; -O0 and -O1. */
static void variables_of_others_and_arguments_on_the_stack_are_found(
    void **state)
{
    static const char *const listings[] = { LISTINGS "/exported-x86_64",
                                            LISTINGS "/exported-aarch64" };
    struct binary_assembly a;
    (void)state;
    for (unsigned i = 0; i < sizeof listings / sizeof *listings; i++) {
        FILE *const in = fopen(listings[i], "r");
        assert_non_null(in);
        assert_true(binary_assembly_read(in, &a));
        fclose(in);
        assert_int_equal(a.functions, 3);
        assert_true(has(a.function, a.functions, "increment"));
        assert_true(has(a.function, a.functions, "read_count"));
        assert_true(has(a.function, a.functions, "read_pointer"));
    }
}

/* Without one that is known, nothing is. */
static void the_processor_matters(void **state)
{
    static char text[] = "a.so:     file format elf64-powerpc\n"
                         "Disassembly of section .text:\n"
                         "0000000000001000 <f>:\n"
                         "    1000:\tlock xadd %rax,(%rdi)\n";
    struct binary_assembly a;
    (void)state;
    FILE *const in = fmemopen(text, sizeof text - 1, "r");
    assert_non_null(in);
    assert_false(binary_assembly_read(in, &a));
    assert_int_equal(a.instructions, 0);
    fclose(in);
}

static void a_target_with_hooks_has_none(void **state)
{
    struct binary_assembly a;
    (void)state;
    if (!binary_assembly_look(ASSEMBLED, &a))
        skip();
    assert_true(binary_assembly_look(VARIABLES, &a));
    assert_int_equal(a.instructions, 0);
    assert_int_equal(a.functions, 0);
}

static void it_says_when_it_cannot_know(void **state)
{
    struct binary_assembly a;
    (void)state;
    assert_false(binary_assembly_look("/nonexistent", &a));
    assert_false(binary_assembly_look("/etc/passwd", &a));
    assert_false(binary_assembly_look("--help", &a));
    assert_int_equal(setenv("PATH", "/nonexistent", 1), 0);
    assert_false(binary_assembly_look(ASSEMBLED, &a));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_no_hooks_is_found),
        cmocka_unit_test(it_is_found_for_other_processors),
        cmocka_unit_test(
            variables_of_others_and_arguments_on_the_stack_are_found),
        cmocka_unit_test(the_processor_matters),
        cmocka_unit_test(a_target_with_hooks_has_none),
        cmocka_unit_test(it_says_when_it_cannot_know), /* the last */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
