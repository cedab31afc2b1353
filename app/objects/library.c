/* library.c - the object library: its folders, and finding an object. */
#include "library.h"

#include "app/console/input.h"
#include "app/console/install_paths.h"
#include "app/console/say.h"
#include "app/console/suggest.h"
#include "base/memory.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void objects_library_init(struct objects_library *l)
{
    *l = (struct objects_library){ .count = 0 };
    plumb_base_arena_init(&l->arena, NULL);
}

void objects_library_close(struct objects_library *l)
{
    PLUMB_RELEASE(NULL, l->object, l->capacity);
    plumb_base_arena_release(&l->arena);
    objects_library_init(l);
}

/* ---- reading ---- */

static bool read_index(struct objects_library *l, const char *path)
{
    struct plumb_error err = { .message = "out of memory" };
    struct console_input in;
    enum plumb_status status = console_input_open(&in, path, NULL, &err);
    if (status == PLUMB_OK) {
        status = objects_library_add(l, path, in.data, in.size, &err);
        console_input_close(&in);
    }
    if (status != PLUMB_OK)
        console_say_error(path, &err);
    return status == PLUMB_OK;
}

/* Folders without an index hold what the others share. */
static bool read_folders(struct objects_library *l, const char *directory,
                         struct dirent **folder, int count)
{
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        const int size = snprintf(path, sizeof path, "%s/%s/index", directory,
                                  folder[i]->d_name);
        if (size >= PATH_MAX || access(path, F_OK) != 0)
            continue;
        if (!read_index(l, path))
            return false;
    }
    return true;
}

static int is_folder(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

static bool read_library(struct objects_library *l, const char *directory)
{
    struct dirent **folder = NULL;
    const int count = scandir(directory, &folder, is_folder, alphasort);
    if (count < 0 && errno == ENOENT)
        return true;
    if (count < 0)
        console_say("%s: cannot read it: %s", directory, console_reason());
    const bool done = count >= 0 && read_folders(l, directory, folder, count);
    for (int i = 0; i < count; i++)
        free(folder[i]);
    free(folder);
    return done;
}

/* Within a family the order of the index stays. */
static int by_family(const void *a, const void *b)
{
    const struct objects_library_object *const x = a, *const y = b;
    const int families = strcmp(x->family, y->family);
    const int files = strcmp(x->index, y->index);
    if (families || files)
        return families ? families : files;
    return (x->line > y->line) - (x->line < y->line);
}

bool objects_library_open(struct objects_library *l)
{
    char path[PATH_MAX];
    objects_library_init(l);
    if (!read_library(l, console_install_paths_objects(path))) {
        objects_library_close(l);
        return false;
    }
    if (l->count > 0)
        qsort(l->object, l->count, sizeof *l->object, by_family);
    return true;
}

/* ---- finding ---- */

static int folded(char c)
{
    return c == '_' ? '-' : tolower((unsigned char)c);
}

/* Behind the letters of `name` that `start` has, too. */
static const char *behind_start(const char *name, const char **start)
{
    while (**start && folded(*name) == folded(**start))
        name++, ++*start;
    return name;
}

static bool same_name(const char *a, const char *b)
{
    const char *const rest = behind_start(a, &b);
    return *rest == *b;
}

const struct objects_library_object *objects_library_find(
    const struct objects_library *l, const char *name)
{
    for (size_t i = 0; i < l->count; i++)
        if (same_name(l->object[i].name, name))
            return l->object + i;
    return NULL;
}

/* "queue" is the start of many. */
static const char *longer_name(const struct objects_library *l,
                               const char *name)
{
    for (size_t i = 0; *name && i < l->count; i++) {
        const char *rest = name;
        behind_start(l->object[i].name, &rest);
        if (!*rest)
            return l->object[i].name;
    }
    return NULL;
}

const char *objects_library_nearest(const struct objects_library *l,
                                    const char *name)
{
    struct console_suggestion s;
    console_suggestion_begin(&s, name);
    for (size_t i = 0; i < l->count; i++)
        console_suggestion_offer(&s, l->object[i].name);
    return console_suggestion_end(&s) ? console_suggestion_end(&s)
                                      : longer_name(l, name);
}
