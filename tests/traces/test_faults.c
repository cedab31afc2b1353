/* test_faults.c - what went wrong, in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/faults.h"
#include "report/interleaving.h"

static const struct plumb_report_style plain = { .width = 0 };

static void expect(struct plumb_base_text *out, const char *expected)
{
    assert_string_equal(plumb_base_text_string(out), expected);
    plumb_base_text_release(out);
}

static void a_circle_of_locks_is_told_lock_by_lock(void **state)
{
    (void)state;
    struct plumb_base_text out;
    const struct plumb_report_waiter waiter[] = {
        { .thread = "T0",
          .holds = "a",
          .held_since = "bank.c:12",
          .waits_for = "b",
          .at = "bank.c:13",
          .holder = "T1" },
        { .thread = "T1",
          .holds = "b",
          .held_since = "",
          .waits_for = "a",
          .at = "",
          .holder = "T0" },
        { .thread = "T2",
          .holds = "",
          .held_since = "",
          .waits_for = "the end of T0",
          .at = "bank.c:40",
          .holder = "" },
        { .thread = "T3",
          .holds = "",
          .held_since = "",
          .waits_for = "",
          .at = "",
          .holder = "" },
    };
    plumb_base_text_init(&out, NULL);
    plumb_report_fault_deadlock(waiter, 4, &plain, &out);
    expect(&out, "  deadlock: no thread can continue\n"
                 "    T0 holds a (bank.c:12) and waits for b, held by T1 "
                 "(bank.c:13)\n"
                 "    T1 holds b and waits for a, held by T0\n"
                 "    T2 waits for the end of T0 (bank.c:40)\n"
                 "    T3 waits for something\n");
}

static void a_condition_is_told_with_its_signals(void **state)
{
    (void)state;
    struct plumb_base_text out;
    struct plumb_report_waiter waiter = {
        .thread = "T1",
        .holds = "",
        .held_since = "",
        .waits_for = "ready",
        .at = "f.c:12",
        .holder = "",
        .condition = true,
    };
    plumb_base_text_init(&out, NULL);
    plumb_report_fault_deadlock(&waiter, 1, &plain, &out);
    expect(&out, "  deadlock: no thread can continue\n"
                 "    T1 waits for condition ready (f.c:12);\n"
                 "      no thread has signalled the condition\n");
    waiter.signals = 1;
    waiter.signal = (struct plumb_report_deed){ .step = 7, .place = "f.c:30" };
    plumb_base_text_init(&out, NULL);
    plumb_report_fault_deadlock(&waiter, 1, &plain, &out);
    expect(&out, "  deadlock: no thread can continue\n"
                 "    T1 waits for condition ready (f.c:12);\n"
                 "      the only signal came at step 7 (f.c:30), before T1 "
                 "waited: a lost wake-up\n");
    waiter.woke = "T2";
    plumb_base_text_init(&out, NULL);
    plumb_report_fault_deadlock(&waiter, 1, &plain, &out);
    expect(&out, "  deadlock: no thread can continue\n"
                 "    T1 waits for condition ready (f.c:12);\n"
                 "      the only signal came at step 7 (f.c:30) and woke "
                 "T2\n");
    waiter.woke = "T1";
    plumb_base_text_init(&out, NULL);
    plumb_report_fault_deadlock(&waiter, 1, &plain, &out);
    expect(&out, "  deadlock: no thread can continue\n"
                 "    T1 waits for condition ready (f.c:12);\n"
                 "      the only signal came at step 7 (f.c:30), before T1 "
                 "waited again\n");
    waiter.woke = NULL;
    waiter.signals = 3;
    waiter.signal =
        (struct plumb_report_deed){ .step = PLUMB_NO_STEP, .place = "" };
    plumb_base_text_init(&out, NULL);
    plumb_report_fault_deadlock(&waiter, 1, &plain, &out);
    expect(&out, "  deadlock: no thread can continue\n"
                 "    T1 waits for condition ready (f.c:12);\n"
                 "      the last signal came, before T1 waited\n");
    waiter.for_others = 1;
    waiter.signal = (struct plumb_report_deed){ .step = 9, .place = "f.c:31" };
    plumb_base_text_init(&out, NULL);
    plumb_report_fault_deadlock(&waiter, 1, &plain, &out);
    expect(&out, "  deadlock: no thread can continue\n"
                 "    T1 waits for condition ready (f.c:12);\n"
                 "      the last signal came at step 9 (f.c:31) and woke "
                 "another thread\n");
}

static void what_is_wide_goes_on_below(void **state)
{
    (void)state;
    struct plumb_base_text out;
    const struct plumb_report_waiter waiter = {
        .thread = "T1",
        .holds = "accounts[12].lock",
        .held_since = "transfer.c:31",
        .waits_for = "accounts[13].lock",
        .at = "transfer.c:32",
        .holder = "T2",
        .condition = true,
        .signals = 1,
        .signal = { .step = 1234, .place = "a_longer_name.c:1234" },
    };
    plumb_base_text_init(&out, NULL);
    plumb_report_fault_deadlock(&waiter, 1, &plain, &out);
    expect(&out,
           "  deadlock: no thread can continue\n"
           "    T1 holds accounts[12].lock (transfer.c:31) and waits for "
           "condition\n"
           "      accounts[13].lock, held by T2 (transfer.c:32);\n"
           "      the only signal came at step 1234 (a_longer_name.c:1234)"
           ", before T1\n"
           "      waited: a lost wake-up\n");
}

static void a_race_names_both(void **state)
{
    (void)state;
    struct plumb_base_text out;
    const struct plumb_report_deed access[2] = {
        { .thread = "T0", .verb = "writes", .place = "t.c:10", .step = 5 },
        { .thread = "T1", .verb = "reads", .place = "", .step = PLUMB_NO_STEP },
    };
    plumb_base_text_init(&out, NULL);
    plumb_report_fault_race("count", access, &out);
    expect(&out, "  race on count: nothing orders these two accesses\n"
                 "    T0 writes it at step 5 (t.c:10)\n"
                 "    T1 reads it\n");
}

static void a_block_names_who_did_what(void **state)
{
    (void)state;
    struct plumb_base_text out;
    const struct plumb_report_deed deed[3] = {
        { .thread = "setup",
          .verb = "allocated",
          .place = "s.c:20",
          .step = PLUMB_NO_STEP },
        { .thread = NULL },
        { .thread = "T0", .verb = "uses", .place = "s.c:31", .step = 25 },
    };
    plumb_base_text_init(&out, NULL);
    plumb_report_fault_block("use after free: node#1.next", deed, 3, &out);
    expect(&out, "  use after free: node#1.next\n"
                 "    setup allocated it (s.c:20)\n"
                 "    T0 uses it at step 25 (s.c:31)\n");
}

static void names_cannot_move_the_cursor(void **state)
{
    (void)state;
    struct plumb_base_text out;
    const struct plumb_report_deed deed = {
        .thread = "T\n", .verb = "uses", .place = "\033[2J", .step = 1
    };
    plumb_base_text_init(&out, NULL);
    plumb_report_fault_block("\r", &deed, 1, &out);
    expect(&out, "  \\r\n"
                 "    T\\n uses it at step 1 (\\x1b[2J)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_circle_of_locks_is_told_lock_by_lock),
        cmocka_unit_test(a_condition_is_told_with_its_signals),
        cmocka_unit_test(what_is_wide_goes_on_below),
        cmocka_unit_test(a_race_names_both),
        cmocka_unit_test(a_block_names_who_did_what),
        cmocka_unit_test(names_cannot_move_the_cursor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
