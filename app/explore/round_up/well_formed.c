/* well_formed.c - tests with as many removals as additions.
 *
 * Phase 1 knows only what the test can do sequentially.  Where items are left,
 * a quasi permutation may remove one that no sequential history removes: a value
 * out of thin air, and a violation that is none. */
#include "app/console/say.h"
#include "app/objects/quasi.h"
#include "base/spelling.h"
#include "base/text.h"
#include "record/script.h"
#include "round_up_tests.h"
#include <string.h>

struct balance {
    unsigned added, removed;
};

static void weigh(const struct exploration *e, const char *text,
                  struct balance *b)
{
    struct plumb_record_script script;
    struct plumb_error err = { 0 };
    if (!*text ||
        plumb_record_script_parse(&script, text, &e->object, &err) != PLUMB_OK)
        return;
    for (size_t i = 0; i < script.count; i++) {
        const enum objects_part part = objects_part_of(
            e->spec, e->object.operations[script.step[i].operation].name);
        b->added += part == OBJECTS_ADDS;
        b->removed += part == OBJECTS_REMOVES;
    }
    plumb_record_script_release(&script);
}

void explore_round_up_warn(const struct exploration *e,
                           const struct explore_scenario *s)
{
    struct balance b = { 0 };
    weigh(e, s->init, &b);
    weigh(e, s->test, &b);
    weigh(e, s->final, &b);
    if (b.removed < b.added)
        console_note("%s: the test adds %u item%s and removes %u; a violation "
                     "may be due to values out of thin air: remove all items, "
                     "with --final (see docs/relaxed-objects.md)",
                     e->target->given, b.added, plumb_base_plural(b.added),
                     b.removed);
}

/* The first operation of its kind that can be written without knowing more: an
 * addition of one value, a removal without arguments. */
static const struct plumb_operation *find(const struct exploration *e,
                                          enum objects_part part)
{
    for (const struct plumb_operation *o = e->object.operations; o->name; o++)
        if (objects_part_of(e->spec, o->name) == part &&
            plumb_record_operation_arity(o) == (part == OBJECTS_ADDS) &&
            o->by == PLUMB_BY_ANY)
            return o;
    return NULL;
}

/* Values that no test draws. */
static char *repeat(const struct plumb_operation *o, unsigned count,
                    const char *before)
{
    enum { FIRST = 901 };
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    plumb_base_text_add(&text, before);
    for (unsigned i = 0; o && i < count; i++) {
        plumb_base_text_add(&text, text.size ? " " : "");
        if (plumb_record_operation_arity(o))
            plumb_base_text_printf(&text, "%s(%u)", o->name, FIRST + i);
        else
            plumb_base_text_printf(&text, "%s()", o->name);
    }
    char *const copy =
        text.broken ? NULL : strdup(plumb_base_text_string(&text));
    plumb_base_text_release(&text);
    return copy;
}

/* No removal of a thread finds the object empty, so that all items are removed
 * in the end. */
bool explore_round_up_complete(const struct exploration *e, const char *init,
                               const char *test, char **before, char **after)
{
    struct balance first = { 0 }, threads = { 0 }, last = { 0 };
    const char *const final = e->with->final ? e->with->final : e->what.final;
    weigh(e, init, &first);
    weigh(e, test, &threads);
    weigh(e, final, &last);
    const unsigned there =
        first.added > first.removed ? first.added - first.removed : 0;
    const unsigned adds = threads.removed > there ? threads.removed - there : 0;
    const unsigned added = first.added + adds + threads.added + last.added;
    const unsigned removed = first.removed + threads.removed + last.removed;
    const unsigned removes = added > removed ? added - removed : 0;
    *before = repeat(find(e, OBJECTS_ADDS), adds, init);
    *after = repeat(find(e, OBJECTS_REMOVES), removes, final);
    return *before && *after;
}
