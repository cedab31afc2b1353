/* list_objects.c - plumb list objects: what is in the object library. */
#include "cli.h"

#include "app/console/paragraph.h"
#include "app/console/say.h"
#include "app/objects/library.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- a line of each ---- */

static bool is_listed(const struct objects_library_object *o,
                      const char *family)
{
    return !family || strcasecmp(o->family, family) == 0;
}

static size_t longest_name(const struct objects_library *l, const char *family)
{
    size_t longest = 0;
    for (size_t i = 0; i < l->count; i++) {
        const size_t length = strlen(l->object[i].name);
        if (strcmp(l->object[i].family, family) == 0 && length > longest)
            longest = length;
    }
    return longest;
}

static void list_one(const struct objects_library_object *o, size_t width)
{
    struct console_paragraph p;
    p.column = (size_t)printf("  %-*s  %-12s  ", (int)width, o->name,
                              objects_library_expectations[o->expect]);
    p.indent = p.column;
    console_paragraph_text(&p, o->about);
    console_paragraph_end(&p);
}

static void list_all(const struct objects_library *l, const char *family)
{
    const char *last = NULL;
    size_t width = 0;
    for (size_t i = 0; i < l->count; i++) {
        const struct objects_library_object *const o = l->object + i;
        if (!is_listed(o, family))
            continue;
        if (!last || strcmp(last, o->family) != 0) {
            printf("%s%s\n", last ? "\n" : "", o->family);
            width = longest_name(l, o->family);
        }
        last = o->family;
        list_one(o, width);
    }
}

static bool has_family(const struct objects_library *l, const char *family)
{
    char known[256] = "";
    const char *last = "";
    for (size_t i = 0; i < l->count; i++) {
        const struct objects_library_object *const o = l->object + i;
        const size_t used = strlen(known);
        if (is_listed(o, family))
            return true;
        if (strcmp(last, o->family) != 0)
            snprintf(known + used, sizeof known - used, "%s%s",
                     used ? ", " : "", o->family);
        last = o->family;
    }
    return console_fails(
        "plumb list objects: there is no family %s; there are %s", family,
        known);
}

/* Nothing to list is an error: somebody expects the library. */
static bool open_library(struct objects_library *l)
{
    if (!objects_library_open(l))
        return false;
    if (l->count > 0)
        return true;
    console_say("plumb list objects: the object library is not there");
    objects_library_close(l);
    return false;
}

bool cli_list_objects(const char *family)
{
    struct objects_library l;
    if (!open_library(&l))
        return false;
    const bool known = !family || has_family(&l, family);
    if (known)
        list_all(&l, family);
    objects_library_close(&l);
    return known;
}

/* ---- all of one ---- */

static void show_line(const char *key, const char *value)
{
    enum { KEY_WIDTH = 13 };
    if (value)
        printf("  %-*s%s\n", KEY_WIDTH, key, value);
}

static void show_object(const struct objects_library_object *o)
{
    char preemptions[16];
    snprintf(preemptions, sizeof preemptions, "%d", o->preemptions);
    printf("%s: %s\n", o->name, o->about);
    show_line("family", o->family);
    show_line("spec", o->spec);
    show_line("weak", o->weak);
    show_line("source", o->source);
    show_line("flags", o->flags);
    show_line("expect", objects_library_expectations[o->expect]);
    show_line("preemptions", o->preemptions < 0 ? NULL : preemptions);
    show_line("init", o->init);
    show_line("scenario", o->scenario);
    show_line("final", o->final);
    show_line("options", o->options);
}

static bool is_family(const struct objects_library *l, const char *name)
{
    for (size_t i = 0; i < l->count; i++)
        if (is_listed(l->object + i, name))
            return true;
    return false;
}

static bool show_by_name(const struct objects_library *l, const char *name)
{
    const struct objects_library_object *const o =
        objects_library_find(l, name);
    const char *const near = objects_library_nearest(l, name);
    if (o)
        show_object(o);
    else if (is_family(l, name))
        console_say("%s: is a family; plumb list objects --family %s lists it",
                    name, name);
    else
        console_say("%s: not in the object library%s%s%s", name,
                    near ? "; did you mean " : "", near ? near : "",
                    near ? "?" : "");
    return o;
}

bool cli_show_objects(const char *const *names, size_t count)
{
    struct objects_library l;
    bool found = true;
    if (!open_library(&l))
        return false;
    for (size_t i = 0; i < count; i++)
        found &= show_by_name(&l, names[i]);
    objects_library_close(&l);
    return found;
}
