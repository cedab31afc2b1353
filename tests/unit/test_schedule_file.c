/* test_schedule_file.c - schedules as texts: what is written is read, and what
 * is malformed is refused where it is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "app/explore/driver/schedule_file.h"
#include "base/rng.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define HEAD "plumb-schedule 1\ntarget q.c\ncalls merged\n"

static enum plumb_status parse(struct explore_schedule *s, const char *text,
                               struct plumb_error *err)
{
    return explore_schedule_parse(s, text, strlen(text), err);
}

static void fill_in(struct explore_schedule *s, struct plumb_base_rng *rng)
{
    static const char *const texts[] = { "", "enq(1)", "a\\b \"x\" \n\t\x7f",
                                         "put(k,\"a|b\") | get(k)" };
    *s =
        (struct explore_schedule){ .random = 1 + plumb_base_rng_below(rng, 9) };
    snprintf(s->build_id, sizeof s->build_id, "%08x",
             plumb_base_rng_below(rng, ~0u));
    snprintf(s->target, sizeof s->target, "a %s.c",
             texts[plumb_base_rng_below(rng, 4)]);
    for (unsigned n = plumb_base_rng_below(rng, 3); n; n--)
        console_wordlist_add(&s->flags, "-DX=\"a b\"");
    for (unsigned n = plumb_base_rng_below(rng, 3); n; n--)
        console_wordlist_add(&s->arguments,
                             texts[plumb_base_rng_below(rng, 4)]);
    s->program = plumb_base_rng_chance(rng, 50);
    snprintf(s->spec, sizeof s->spec, "%s",
             texts[plumb_base_rng_below(rng, 4)]);
    snprintf(s->scenario.init, JOB_TEXT, "%s",
             texts[plumb_base_rng_below(rng, 4)]);
    snprintf(s->scenario.test, JOB_TEXT, "%s",
             texts[plumb_base_rng_below(rng, 4)]);
    snprintf(s->scenario.final, JOB_TEXT, "%s",
             texts[plumb_base_rng_below(rng, 4)]);
    snprintf(s->finding, sizeof s->finding, "data race");
    s->calls = (enum job_calls)plumb_base_rng_below(rng, 2);
    s->races = (enum job_races)plumb_base_rng_below(rng, 3);
    s->reuse = (enum memory_heap_reuse)plumb_base_rng_below(rng, 3);
    s->points = plumb_base_rng_below(rng, 5);
    for (uint32_t i = 0; i < s->points; i++)
        s->point[i] = (uint32_t)(plumb_base_rng_next(rng) >> 32);
    s->length = plumb_base_rng_below(rng, 200);
    s->cycle = plumb_base_rng_below(rng, s->length + 1);
    for (int i = 0; i < 2; i++)
        s->race[i] =
            plumb_base_rng_below(rng, 2) * (plumb_base_rng_next(rng) >> 32);
    assert_true(explore_schedule_make_room(s, s->length));
    for (uint32_t i = 0; i < s->length; i++) {
        s->step[i].thread = (uint8_t)plumb_base_rng_below(rng, 3);
        if (plumb_base_rng_chance(rng, 10))
            s->step[i].option = (uint8_t)plumb_base_rng_below(rng, 256);
        if (i && s->step[i].thread != s->step[i - 1].thread &&
            plumb_base_rng_chance(rng, 30))
            s->switched[i] = JOB_SWITCH_SPINS;
    }
}

static void what_is_written_is_read(void **state)
{
    struct explore_schedule *const s = malloc(2 * sizeof *s);
    struct plumb_base_rng rng;
    (void)state;
    assert_non_null(s);
    plumb_base_rng_seed(&rng, 1);
    for (unsigned round = 0; round < 300; round++) {
        struct plumb_base_text once, again;
        struct plumb_error err = { 0 };
        plumb_base_text_init(&once, NULL);
        plumb_base_text_init(&again, NULL);
        fill_in(&s[0], &rng);
        explore_schedule_print(&s[0], &once);
        if (parse(&s[1], plumb_base_text_string(&once), &err) != PLUMB_OK)
            fail_msg("%s: %s", plumb_base_text_string(&once), err.message);
        assert_int_equal(s[1].length, s[0].length);
        assert_memory_equal(s[1].switched, s[0].switched, s[0].length);
        assert_memory_equal(s[1].step, s[0].step,
                            s[0].length * sizeof *s[0].step);
        assert_int_equal(s[1].cycle, s[0].cycle);
        assert_memory_equal(s[1].race, s[0].race, sizeof s[0].race);
        assert_string_equal(s[1].target, s[0].target);
        assert_int_equal(s[1].points, s[0].points);
        assert_memory_equal(s[1].point, s[0].point,
                            s[0].points * sizeof *s[0].point);
        assert_string_equal(s[1].scenario.test, s[0].scenario.test);
        explore_schedule_print(&s[1], &again);
        assert_string_equal(plumb_base_text_string(&again),
                            plumb_base_text_string(&once));
        explore_schedule_release(&s[0]);
        explore_schedule_release(&s[1]);
        plumb_base_text_release(&once);
        plumb_base_text_release(&again);
    }
    free(s);
}

static void lines_may_end_as_on_other_systems(void **state)
{
    struct explore_schedule s;
    struct plumb_error err;
    (void)state;
    assert_int_equal(parse(&s,
                           "plumb-schedule 1\r\ntarget a\r\ncalls merged\r\n"
                           "steps 2\r\nT0 T1\r\n",
                           &err),
                     PLUMB_OK);
    assert_string_equal(s.target, "a");
    assert_int_equal(s.length, 2);
    explore_schedule_release(&s);
}

static void runs_are_counted_and_options_kept(void **state)
{
    struct explore_schedule s;
    struct plumb_error err;
    (void)state;
    assert_int_equal(parse(&s, HEAD "steps 6\nT0*3 T12?7\n\n  T0?0 T1\n", &err),
                     PLUMB_OK);
    assert_int_equal(s.length, 6);
    assert_int_equal(s.step[2].thread, 0);
    assert_int_equal(s.step[3].thread, 12);
    assert_int_equal(s.step[3].option, 7);
    assert_int_equal(s.step[5].thread, 1);
    explore_schedule_release(&s);
}

static void what_is_malformed_has_a_place(void **state)
{
    static const struct {
        const char *text;
        uint64_t line, column;
        const char *message; /* a part of it */
    } bad[] = {
        { "", 1, 1, "not a schedule" },
        { "plumb-schedule", 1, 1, "not a schedule" },
        { "plumb-schedule 2\n", 1, 16, "version" },
        { "plumb-schedule 1\n", 2, 1, "no `target` line" },
        { "plumb-schedule 1\ntarget\n", 2, 7, "value is missing" },
        { "plumb-schedule 1\ntarget \n", 2, 8, "value is missing" },
        { "plumb-schedule 1\ncolour red\n", 2, 1, "unknown key" },
        { "plumb-schedule 1\ntarget a\ntarget b\n", 3, 1, "twice" },
        { "plumb-schedule 1\ntarget a\\q\n", 2, 9, "escape" },
        { "plumb-schedule 1\ntarget a\\x0\n", 2, 9, "escape" },
        { "plumb-schedule 1\ntarget a\\x00\n", 2, 9, "escape" },
        { "plumb-schedule 1\ncalls mergd\n", 2, 7,
          "expected one of merged, split" },
        { "plumb-schedule 1\nrandom 4294967296\n", 2, 8, "greater than" },
        { "plumb-schedule 1\nrandom 1x\n", 2, 9, "unexpected text" },
        { "plumb-schedule 1\npoint 12x\n", 2, 9, "unexpected text" },
        { "plumb-schedule 1\nrace 12\n", 2, 8, "two places" },
        { "plumb-schedule 1\nrace 12 x\n", 2, 9, "missing" },
        { "plumb-schedule 1\nrace 12 13 14\n", 2, 11, "unexpected text" },
        { "plumb-schedule 1\npoint 4294967296\n", 2, 7, "greater than" },
        { HEAD, 4, 1, "no `steps` line" },
        { HEAD "steps 99999999\n", 4, 7, "greater than" },
        { HEAD "steps 2\nT0\n", 6, 1, "ends after 1 of 2" },
        { HEAD "steps 2\nT0*3\n", 5, 1, "more steps" },
        { HEAD "steps 2\nT0*0\n", 5, 1, "at least 1 step" },
        { HEAD "steps 2\nT64\n", 5, 2, "thread is greater than 63" },
        { HEAD "steps 2\nT0 x\n", 5, 4, "expected a decision" },
        { HEAD "steps 2\nT0?256\n", 5, 4, "option is greater than 255" },
        { HEAD "random 0\nsteps 2\nT0*2\n", 4, 8, "at least 1" },
        { HEAD "random 257\nsteps 2\nT0*2\n", 4, 8, "greater than 256" },
        { HEAD "steps 2\nT0*1?2\n", 5, 5, "expected a decision" },
        { HEAD "steps 2\nT0~~ T1\n", 5, 4, "expected a decision" },
        { HEAD "steps 2\nT\n", 5, 2, "thread is missing" },
        { HEAD "steps 2\nT1*\n", 5, 4, "steps is missing" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct explore_schedule s;
        struct plumb_error err = { 0 };
        if (parse(&s, bad[i].text, &err) == PLUMB_OK)
            fail_msg("accepted: %s", bad[i].text);
        if (err.line != bad[i].line || err.column != bad[i].column ||
            !strstr(err.message, bad[i].message))
            fail_msg("%s\n%u:%u: %s", bad[i].text, (unsigned)err.line,
                     (unsigned)err.column, err.message);
        explore_schedule_release(&s);
    }
}

/* Whatever is read is refused, or prints as something that means the same. */
static void no_bytes_do_harm(void **state)
{
    static const char sample[] =
        HEAD "build-id 12ab\nflag -O2\nspec queue\ntest enq(1) | deq()\n"
             "finding not linearizable\nsteps 40\nT0*31 T2*5 T2?1 T1*3\n";
    char text[sizeof sample + 8];
    struct explore_schedule *const s = malloc(sizeof *s);
    struct plumb_base_rng rng;
    unsigned accepted = 0;
    (void)state;
    assert_non_null(s);
    plumb_base_rng_seed(&rng, 7);
    for (unsigned round = 0; round < 20000; round++) {
        struct plumb_error err = { 0 };
        size_t size = sizeof sample - 1;
        memcpy(text, sample, size);
        for (unsigned n = 1 + plumb_base_rng_below(&rng, 3); n; n--)
            text[plumb_base_rng_below(&rng, (uint32_t)size)] =
                plumb_base_rng_chance(&rng, 50)
                    ? (char)plumb_base_rng_below(&rng, 256)
                    : sample[plumb_base_rng_below(&rng, (uint32_t)size)];
        if (plumb_base_rng_chance(&rng, 20))
            size = plumb_base_rng_below(&rng, (uint32_t)size);
        const enum plumb_status status =
            explore_schedule_parse(s, text, size, &err);
        assert_true(status == PLUMB_OK || (err.line > 0 && err.column > 0));
        if (status == PLUMB_OK) {
            assert_int_equal(s->length, 40);
            accepted++;
        }
        explore_schedule_release(s);
    }
    assert_true(accepted > 100); /* else this tests little */
    free(s);
}

/* As on a disk that is full: so many bytes can be written, and no more. */
static bool write_within(const struct explore_schedule *s, rlim_t bytes,
                         char path[PATH_MAX])
{
    struct rlimit before, less;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    less = before;
    less.rlim_cur = bytes;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
    const bool done = explore_schedule_write(s, "q", path);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    return done;
}

static void nothing_is_left_of_what_does_not_fit(void **state)
{
    char folder[] = "/tmp/plumb-schedule-XXXXXX", path[PATH_MAX] = "";
    char *const here = getcwd(NULL, 0);
    struct explore_schedule s;
    struct plumb_error err;
    (void)state;
    assert_non_null(here);
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(parse(&s, HEAD "steps 2\nT0 T1\n", &err), PLUMB_OK);
    for (rlim_t bytes = 0; bytes < 40; bytes += 13) {
        assert_false(write_within(&s, bytes, path));
        assert_int_equal(rmdir(".plumb"), 0); /* it is empty */
    }
    assert_true(write_within(&s, 4096, path));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(".plumb"), 0);
    explore_schedule_release(&s);
    assert_int_equal(chdir(here), 0);
    assert_int_equal(rmdir(folder), 0);
    free(here);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(runs_are_counted_and_options_kept),
        cmocka_unit_test(lines_may_end_as_on_other_systems),
        cmocka_unit_test(what_is_malformed_has_a_place),
        cmocka_unit_test(no_bytes_do_harm),
        cmocka_unit_test(nothing_is_left_of_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
