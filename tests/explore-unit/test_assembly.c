/* test_assembly.c - what stands in a target without a hook is found, and
 * nothing else. */
#include "cli/assembly.h"

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

static void instructions_without_hooks_are_found(void **state)
{
    struct assembly a;
    (void)state;
    if (!assembly_look(ASSEMBLED, &a))
        skip(); /* there is no objdump */
    assert_int_equal(a.instructions, 3);
    assert_true(has(a.instruction, a.instructions, "added+0x"));
    assert_true(has(a.instruction, a.instructions, "swapped+0x"));
    assert_true(has(a.instruction, a.instructions, "ticks+0x"));
    for (unsigned i = 0; i < a.instructions; i++)
        if (strncmp(a.instruction[i], "added", 5) == 0)
            assert_non_null(strstr(a.instruction[i], ": lock xadd "));
}

static void functions_without_hooks_are_found(void **state)
{
    struct assembly a;
    (void)state;
    if (!assembly_look(ASSEMBLED, &a))
        skip();
    assert_int_equal(a.functions, 3);
    assert_true(has(a.function, a.functions, "hidden"));
    assert_true(has(a.function, a.functions, "hidden_variable"));
    assert_true(has(a.function, a.functions, "hidden_call"));
}

static void a_target_with_hooks_has_none(void **state)
{
    struct assembly a;
    (void)state;
    if (!assembly_look(ASSEMBLED, &a))
        skip();
    assert_true(assembly_look(VARIABLES, &a));
    assert_int_equal(a.instructions, 0);
    assert_int_equal(a.functions, 0);
}

static void it_says_when_it_cannot_know(void **state)
{
    struct assembly a;
    (void)state;
    assert_false(assembly_look("/nonexistent", &a));
    assert_false(assembly_look("/etc/passwd", &a));
    assert_false(assembly_look("--help", &a));
    assert_int_equal(setenv("PATH", "/nonexistent", 1), 0);
    assert_false(assembly_look(ASSEMBLED, &a));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_without_hooks_are_found),
        cmocka_unit_test(functions_without_hooks_are_found),
        cmocka_unit_test(a_target_with_hooks_has_none),
        cmocka_unit_test(it_says_when_it_cannot_know), /* the last */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
