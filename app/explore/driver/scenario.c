/* scenario.c - which operations each thread does. */
#include "scenario.h"

#include "base/fail.h"
#include "base/text.h"
#include "record/menu.h"
#include "record/script.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- going through a text ---- */

/* The next operation of a text: [*at, end).  Bars before it are counted.  NULL
 * if there is none.  The text was accepted by explore_scenario_check(), but any text
 * is safe. */
static const char *next_operation(const char **at, unsigned *bars)
{
    const char *p = *at + strspn(*at, " \t\r\n\v\f");
    while (*p == '|') {
        (*bars)++;
        p++;
        p += strspn(p, " \t\r\n\v\f");
    }
    *at = p;
    if (!*p)
        return NULL;
    bool quoted = false;
    for (; *p && (quoted || *p != ')'); p++) {
        if (*p == '"')
            quoted = !quoted;
        else if (quoted && *p == '\\' && p[1])
            p++;
    }
    return *p ? p + 1 : p;
}

static unsigned count_operations(const char *text)
{
    unsigned bars = 0, count = 0;
    const char *end;
    for (; (end = next_operation(&text, &bars)); text = end)
        count++;
    return count;
}

unsigned explore_scenario_size(const struct explore_scenario *s)
{
    return count_operations(s->init) + count_operations(s->test) +
           count_operations(s->final);
}

static void add_size(struct explore_scenario_shape *shape, unsigned size)
{
    shape->threads++;
    if (shape->threads == 1 || size < shape->least)
        shape->least = size;
    if (size > shape->most)
        shape->most = size;
}

struct explore_scenario_shape explore_scenario_shape(
    const struct explore_scenario *s)
{
    struct explore_scenario_shape shape = { .threads = 0 };
    const char *at = s->test, *end;
    unsigned bars = 0, thread = 0, size = 0;
    do {
        end = next_operation(&at, &bars);
        for (; thread < bars; thread++, size = 0)
            add_size(&shape, size);
        size++;
        at = end;
    } while (end);
    add_size(&shape, size - 1);
    return shape;
}

/* ---- taking one away ---- */

/* The bars between the thread that was written last and the next one. */
static void add_bars(struct plumb_base_text *t, unsigned between, bool keep)
{
    if (!keep && between > 0)
        between = t->size > 0;
    while (between--)
        plumb_base_text_add(t, t->size ? " |" : "|");
}

static void add_one(struct plumb_base_text *t, const char *from,
                    const char *end)
{
    plumb_base_text_printf(t, "%s%.*s", t->size ? " " : "", (int)(end - from),
                           from);
}

/* False if it does not fit, or there was no memory. */
static bool finish(struct plumb_base_text *t, char out[JOB_TEXT])
{
    const bool fits = !t->broken && t->size < JOB_TEXT;
    snprintf(out, JOB_TEXT, "%s", plumb_base_text_string(t));
    plumb_base_text_release(t);
    return fits;
}

/* Copy a text without its operation `k`; it may have fewer. */
static void copy_without(const char *from, unsigned k, bool keep,
                         char out[JOB_TEXT])
{
    struct plumb_base_text t;
    unsigned thread = 0, last = 0, n = 0;
    const char *end;
    plumb_base_text_init(&t, NULL);
    for (; (end = next_operation(&from, &thread)); from = end) {
        if (n++ == k)
            continue;
        add_bars(&t, thread - last, keep);
        add_one(&t, from, end);
        last = thread;
    }
    if (keep)
        add_bars(&t, thread - last, true);
    finish(&t, out);
}

void explore_scenario_without(const struct explore_scenario *s, unsigned k,
                              bool keep, struct explore_scenario *out)
{
    const unsigned before = count_operations(s->init);
    const unsigned within = count_operations(s->test);
    copy_without(s->init, k, true, out->init);
    copy_without(s->test, k - before, keep, out->test);
    copy_without(s->final, k - before - within, true, out->final);
}

/* ---- fewer at once ---- */

bool explore_scenario_moved(const struct explore_scenario *s, unsigned t,
                            bool keep, struct explore_scenario *out)
{
    const char *at = s->test, *end;
    unsigned thread = 0, k = 0;
    struct plumb_base_text init;
    while ((end = next_operation(&at, &thread)) && thread < t) {
        at = end;
        k++;
    }
    if (!end || thread != t)
        return false;
    plumb_base_text_init(&init, NULL);
    plumb_base_text_add(&init, s->init);
    add_one(&init, at, end);
    copy_without(s->test, k, keep, out->test);
    memcpy(out->final, s->final, sizeof out->final);
    return finish(&init, out->init);
}

/* What thread `t` does. */
static void add_thread(struct plumb_base_text *out, const char *at, unsigned t)
{
    unsigned thread = 0;
    const char *end;
    for (; (end = next_operation(&at, &thread)); at = end)
        if (thread == t)
            add_one(out, at, end);
}

bool explore_scenario_joined(const struct explore_scenario *s, unsigned a,
                             unsigned b, struct explore_scenario *out)
{
    const unsigned threads = explore_scenario_shape(s).threads;
    struct plumb_base_text test;
    if (a == b || a >= threads || b >= threads)
        return false;
    plumb_base_text_init(&test, NULL);
    for (unsigned t = 0; t < threads; t++) {
        if (t == b)
            continue;
        if (test.size)
            plumb_base_text_add(&test, " |");
        add_thread(&test, s->test, t);
        if (t == a)
            add_thread(&test, s->test, b);
    }
    memcpy(out->init, s->init, sizeof out->init);
    memcpy(out->final, s->final, sizeof out->final);
    return finish(&test, out->test);
}

/* ---- is it one? ---- */

#define FAIL(err, ...) plumb_base_fail(err, PLUMB_EINPUT, 0, 0, __VA_ARGS__)

static enum plumb_status check_part(const char *text, const char *option,
                                    const struct plumb_object *object,
                                    unsigned most, struct plumb_error *err)
{
    struct plumb_record_script script;
    struct plumb_error why = { 0 };
    if (plumb_record_script_parse(&script, text, object, &why) != PLUMB_OK)
        return plumb_base_fail(err, why.status, 0, 0,
                               "%s, column %" PRIu64 ": %.180s", option,
                               why.column, why.message);
    const unsigned processes = script.processes;
    plumb_record_script_release(&script);
    if (processes <= most)
        return PLUMB_OK;
    return most == 1 ? FAIL(err,
                            "%s: | separates threads and is allowed only in "
                            "--test",
                            option)
                     : FAIL(err, "%s: more than %u threads", option, most);
}

/* Where a thread should have an operation and has none; or NULL. */
static const char *missing_operation(const char *at)
{
    unsigned bars = 0;
    do {
        const char *const thread = at + strspn(at, " \t\r\n\v\f");
        if (*thread == '|' || !*thread)
            return thread;
        for (at = thread; *at && *at != '|'; at += strspn(at, " \t\r\n\v\f"))
            at = next_operation(&at, &bars);
    } while (*at++ == '|');
    return NULL;
}

unsigned explore_threads_differ(const struct plumb_object *object)
{
    unsigned count = 0;
    for (unsigned i = 0; i < plumb_record_object_size(object); i++)
        if (object->operations[i].by == PLUMB_BY_SECOND)
            return 2;
        else if (object->operations[i].by != PLUMB_BY_ANY)
            count = 1;
    return count;
}

enum plumb_status explore_scenario_check(const struct explore_scenario *s,
                                         const struct plumb_object *object,
                                         struct plumb_error *err)
{
    enum plumb_status status =
        check_part(s->test, "--test", object, JOB_PROCESSES, err);
    if (status == PLUMB_OK)
        status = check_part(s->init, "--init", object, 1, err);
    if (status == PLUMB_OK)
        status = check_part(s->final, "--final", object, 1, err);
    if (status != PLUMB_OK)
        return status;
    if (explore_scenario_size(s) > JOB_OPERATIONS)
        return FAIL(err,
                    "--test, --init and --final have more than %d operations "
                    "in total",
                    JOB_OPERATIONS);
    if (count_operations(s->test) == 0)
        return FAIL(err, "--test: no operation given");
    /* Where threads differ, one may have nothing to do. */
    const char *const missing = missing_operation(s->test);
    if (missing && !explore_threads_differ(object))
        return FAIL(err, "--test, column %td: this thread has no operation",
                    missing - s->test + 1);
    return PLUMB_OK;
}

const struct plumb_operation *explore_scenario_misuse(
    const struct explore_scenario *s, const struct plumb_object *object,
    unsigned *thread)
{
    const struct plumb_operation *found = NULL;
    struct plumb_record_script script;
    struct plumb_error err;
    if (plumb_record_script_parse(&script, s->test, object, &err) != PLUMB_OK)
        return NULL;
    for (size_t i = 0; i < script.count && !found; i++) {
        const struct plumb_record_script_step *const step = &script.step[i];
        *thread = step->process;
        if (!plumb_record_may_invoke(&object->operations[step->operation],
                                     step->process))
            found = &object->operations[step->operation];
    }
    plumb_record_script_release(&script);
    return found;
}
