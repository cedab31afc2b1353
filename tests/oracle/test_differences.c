/* test_differences.c - histories on which a decider and brute force once
 * differed, as small as they could be made. */
#include "compare.h"
#include "oracle.h"
#include <plumb/format.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka needs the four above */
#include <cmocka.h>

static const struct difference {
    const char *spec, *text;
} differences[] = {
    /* A forgotten take may take either item, though with its answer it has no
     * choice. */
    { "semiqueue:cap=2,blocking",
      "X enq(1) T1\nX put(2) T2\nX ok() T2\nX ok() T1\n"
      "X take() T4\nX ok(1) T4\nX put(2) T5\nX ok() T5\n"
      "X take() T7\nX put(1) T8\nX ok() T8\nX ok(1) T7\n" },
    /* The same with poll. */
    { "semiqueue:cap=2,blocking",
      "X enq(1) T1\nX ok() T1\nX take() T3\nX ok(1) T3\n"
      "X put(1) T4\nX ok() T4\nX put(2) T5\nX ok() T5\n"
      "X enq(2) T6\nX poll() T7\nX ok() T6\nX put(1) T10\n"
      "X ok(1) T7\nX poll() T11\nX ok() T10\nX ok(1) T11\n" },
    /* Cores too large to be enumerated: a forgotten removal makes the
     * certificate incomplete. */
    { "queue:k=1", "X poll() T0\nX enq(2) T1\nX enq(2) T3\nX ok() T3\n"
                   "X enq(1) T4\nX ok(1) T0\nX ok() T1\nX enq(2) T5\n"
                   "X ok() T5\nX deq() T6\nX put(1) T7\nX put(1) T8\n"
                   "X ok() T7\nX ok() T4\nX ok() T8\nX deq() T9\n"
                   "X poll() T10\nX ok(2) T6\nX enq(1) T11\nX ok() T11\n"
                   "X empty() T10\nX ok(1) T9\n" },
    { "queue:k=2", "X poll() T0\nX enq(2) T1\nX enq(2) T3\nX ok() T3\n"
                   "X enq(1) T4\nX ok(1) T0\nX ok() T1\nX enq(2) T5\n"
                   "X ok() T5\nX deq() T6\nX put(1) T7\nX put(1) T8\n"
                   "X ok() T7\nX ok() T4\nX ok() T8\nX deq() T9\n"
                   "X poll() T10\nX ok(2) T6\nX enq(1) T11\nX ok() T11\n"
                   "X empty() T10\nX ok(1) T9\n" },
    { "priority-queue", "X insert(2) T0\nX insert(2,a) T1\nX insert(1,a) T2\n"
                        "X ok() T1\nX ok() T0\nX insert(1,a) T3\n"
                        "X ok() T3\nX ok() T2\nX insert(1,b) T4\n"
                        "X take() T5\nX delmin() T6\nX ok() T4\n"
                        "X ok(1,a) T5\nX insert(2) T7\nX insert(2,b) T8\n"
                        "X insert(1,a) T9\nX ok() T7\nX delmin() T10\n"
                        "X ok() T9\nX ok() T8\nX ok(2) T6\n"
                        "X ok(1,a) T10\n" },
};

static void read_history(const char *text, struct plumb_history *h)
{
    struct plumb_reader *reader;
    struct plumb_error err;
    assert_int_equal(plumb_reader_open(&reader, text, strlen(text),
                                       PLUMB_FORMAT_NATIVE,
                                       PLUMB_TIES_OF_FORMAT, NULL, &err),
                     PLUMB_OK);
    assert_int_equal(plumb_reader_next(reader, h, &err), PLUMB_OK);
    plumb_reader_close(reader);
}

static void settle(const struct difference *d)
{
    struct comparison c = { .spec_text = d->spec };
    struct plumb_history h;
    struct plumb_error err;
    char why[512];
    assert_int_equal(plumb_spec_parse(d->spec, &c.spec, &err), PLUMB_OK);
    c.builder = plumb_builder_new(NULL);
    read_history(d->text, &h);
    if (!compare(&c, &h, oracle_linearizable(&h, d->spec), true, why))
        fail_msg("%s: %s\n%s", d->spec, why, d->text);
    plumb_history_release(&h);
    plumb_builder_free(c.builder);
    plumb_spec_free(c.spec);
}

static void old_differences_are_settled(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
        settle(&differences[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_differences_are_settled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
