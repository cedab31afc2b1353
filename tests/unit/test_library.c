/* test_library.c - the index of the object library, and its mistakes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "app/objects/library.h"
#include <string.h>

#define STANZA(name)                                                           \
    "object " name                                                             \
    "\nsource q.c\nfamily queue\nspec queue\nexpect linearizable\n"            \
    "scenario enq(1) | deq()\nabout a queue\n"

static enum plumb_status add(struct objects_library *l, const char *text,
                             struct plumb_error *err)
{
    return objects_library_add(l, "dir/index", text, strlen(text), err);
}

static void a_stanza_says_all_of_an_object(void **state)
{
    struct objects_library l;
    struct plumb_error err;
    (void)state;
    objects_library_init(&l);
    assert_int_equal(add(&l,
                         "# comment\n\n"
                         "object \tQ-bad  \n"
                         "source  sub/q.c\n"
                         "  # between\n"
                         "flags -DA=1  -DB\n"
                         "family queue\n"
                         "spec queue:blocking\n"
                         "weak queue:weak\n"
                         "expect violation\n"
                         "preemptions 2\n"
                         "init enq(7)\n"
                         "final deq()\n"
                         "options --races interleave\n"
                         "scenario enq(1) | deq()\n"
                         "about one line, with # in it\r\n"
                         "\n\n\n" STANZA("q2"),
                         &err),
                     PLUMB_OK);
    assert_int_equal(l.count, 2);
    const struct objects_library_object *const o = l.object;
    assert_string_equal(o->name, "Q-bad");
    assert_string_equal(o->source, "dir/sub/q.c");
    assert_string_equal(o->flags, "-DA=1  -DB");
    assert_string_equal(o->family, "queue");
    assert_string_equal(o->spec, "queue:blocking");
    assert_string_equal(o->weak, "queue:weak");
    assert_int_equal(o->expect, EXPECT_VIOLATION);
    assert_int_equal(o->preemptions, 2);
    assert_string_equal(o->init, "enq(7)");
    assert_string_equal(o->final, "deq()");
    assert_string_equal(o->options, "--races interleave");
    assert_string_equal(o->scenario, "enq(1) | deq()");
    assert_string_equal(o->about, "one line, with # in it");
    assert_string_equal(o->index, "dir/index");
    assert_int_equal(o->line, 3);
    assert_null(l.object[1].flags);
    assert_null(l.object[1].weak);
    assert_null(l.object[1].init);
    assert_null(l.object[1].final);
    assert_null(l.object[1].options);
    assert_int_equal(l.object[1].preemptions, -1);
    assert_int_equal(l.object[1].expect, EXPECT_LINEARIZABLE);
    objects_library_close(&l);
}

static void names_are_found_in_any_case(void **state)
{
    struct objects_library l;
    struct plumb_error err;
    (void)state;
    objects_library_init(&l);
    assert_int_equal(
        add(&l, STANZA("queue-Two_lock") "\n" STANZA("queue"), &err), PLUMB_OK);
    assert_ptr_equal(objects_library_find(&l, "QUEUE_two-Lock"), l.object);
    assert_ptr_equal(objects_library_find(&l, "Queue"), l.object + 1);
    assert_null(objects_library_find(&l, "queue-"));
    assert_null(objects_library_find(&l, "queu"));
    assert_null(objects_library_find(&l, ""));
    assert_string_equal(objects_library_nearest(&l, "queu"), "queue");
    assert_string_equal(objects_library_nearest(&l, "QUEUE-T"),
                        "queue-Two_lock");
    assert_null(objects_library_nearest(&l, "thermometer"));
    assert_null(objects_library_nearest(&l, ""));
    objects_library_close(&l);
}

static void fails_at(unsigned line, const char *text, const char *message)
{
    struct objects_library l;
    struct plumb_error err = { .status = PLUMB_OK };
    objects_library_init(&l);
    if (add(&l, text, &err) != PLUMB_EINPUT)
        fail_msg("accepted:\n%s", text);
    if (err.line != line || !strstr(err.message, message))
        fail_msg("line %u: %s", (unsigned)err.line, err.message);
    objects_library_close(&l);
}

static void mistakes_are_reported_at_their_line(void **state)
{
    (void)state;
    fails_at(9, STANZA("a") "\nx y", "unknown key x");
    fails_at(1, "objekt q\n", "unknown key objekt");
    fails_at(2, "object q\nobject r\n", "object is already given in line 1");
    fails_at(1, "object\n", "object has no value");
    fails_at(1, "object   \n", "object has no value");
    fails_at(1, "object q\n", "no line `source`");
    fails_at(
        1,
        "object q\nsource q.c\nfamily f\nspec s\nexpect weak\nscenario a()\n",
        "no line `about`");
    fails_at(
        5,
        "object q\nsource q.c\nfamily f\nspec s\nexpect maybe\nscenario a()\n"
        "about x\n",
        "expect maybe: must be");
    fails_at(8, STANZA("q") "preemptions 2\n",
             "not allowed for a linearizable object");
    fails_at(
        8,
        "object q\nsource q.c\nfamily f\nspec s\nexpect weak\nscenario a()\n"
        "about x\npreemptions two\n",
        "must be a number");
    fails_at(10, STANZA("q") "\n\n" STANZA("Q"),
             "object Q is already in dir/index:1");
}

static void only_whole_indexes_are_taken(void **state)
{
    struct objects_library l;
    struct plumb_error err;
    static const char whole[] = STANZA("q");
    static const char nul[] = "object q\0r\n";
    (void)state;
    objects_library_init(&l);
    assert_int_equal(add(&l, "", &err), PLUMB_OK);
    assert_int_equal(add(&l, "# nothing\n\n", &err), PLUMB_OK);
    assert_int_equal(l.count, 0);
    assert_int_equal(
        objects_library_add(&l, "index", nul, sizeof nul - 1, &err),
        PLUMB_EINPUT);
    assert_int_equal(err.line, 1);
    /* without the last newline, and in the working directory */
    assert_int_equal(
        objects_library_add(&l, "index", whole, sizeof whole - 2, &err),
        PLUMB_OK);
    assert_string_equal(l.object[0].source, "q.c");
    /* cut off anywhere else it lacks something */
    for (size_t size = 1; size < sizeof whole - 10; size++) {
        struct objects_library part;
        objects_library_init(&part);
        assert_int_equal(objects_library_add(&part, "index", whole, size, &err),
                         PLUMB_EINPUT);
        objects_library_close(&part);
    }
    objects_library_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stanza_says_all_of_an_object),
        cmocka_unit_test(names_are_found_in_any_case),
        cmocka_unit_test(mistakes_are_reported_at_their_line),
        cmocka_unit_test(only_whole_indexes_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
