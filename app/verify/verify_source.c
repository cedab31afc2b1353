/* verify_source.c - reading a model and what belongs to it. */
#include "verify_source.h"

#include "app/console/say.h"
#include "app/objects/imported_functions.h"
#include "base/fail.h"
#include "base/text.h"
#include "list_models.h"
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- #include ---- */

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* What was read from that file before; NULL if nothing was. */
static const struct console_input *find_read(const struct verify_source *source,
                                             const struct stat *file)
{
    struct stat model;
    for (size_t i = 0; i < source->count; i++)
        if (is_same(&source->identity[i], file))
            return &source->included[i];
    return stat(source->path, &model) == 0 && is_same(&model, file)
               ? &source->model
               : NULL;
}

static const struct console_input *read_included(struct verify_source *source,
                                                 const char *path)
{
    struct console_input *const in = &source->included[source->count];
    struct plumb_error err = { 0 };
    struct stat file = { 0 };
    if (stat(path, &file) != 0)
        return NULL;
    const struct console_input *const known = find_read(source, &file);
    if (known || source->count == MOST_INCLUDED)
        return known;
    const enum plumb_status status =
        console_input_open(in, path, source->budget, &err);
    source->starved = status != PLUMB_OK && status != PLUMB_EIO;
    if (status != PLUMB_OK)
        return NULL;
    source->identity[source->count++] = file;
    return in;
}

/* As people write paths elsewhere: dir\file.csp. */
static void turn_slashes(char *path)
{
    for (; *path; path++)
        if (*path == '\\')
            *path = '/';
}

/* #include "other.csp" is beside the model. */
static const char *include(void *context, const char *path, size_t *size)
{
    struct verify_source *const source = context;
    struct plumb_base_text beside;
    const char *const slash = strrchr(source->path, '/');
    const struct console_input *in = NULL;
    plumb_base_text_init(&beside, NULL);
    if (slash && *path != '/')
        plumb_base_text_bytes(&beside, source->path,
                              (size_t)(slash - source->path) + 1);
    plumb_base_text_add(&beside, path);
    source->starved = beside.broken;
    if (!beside.broken)
        in = read_included(source, plumb_base_text_string(&beside));
    if (!in && beside.data && !source->starved) {
        turn_slashes(beside.data);
        in = read_included(source, beside.data);
    }
    plumb_base_text_release(&beside);
    *size = in ? in->size : 0;
    return in ? in->data : NULL;
}

/* ---- places ---- */

enum { SHOWN = 76 }; /* of a line that may be long */

/* The line of the model that an error is about, or the part of it around the
 * place, with a mark below. */
static void show_line(const char *line, size_t size, size_t column)
{
    const size_t first = column >= SHOWN ? column - SHOWN / 2 : 0;
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    for (size_t i = first; i < size && i < first + SHOWN; i++) {
        const unsigned char c = (unsigned char)line[i];
        plumb_base_text_bytes(&text, c < ' ' || c == 0x7f ? " " : &line[i], 1);
    }
    console_say("  %s", plumb_base_text_string(&text));
    console_say("  %*s^", (int)(column - first), "");
    plumb_base_text_release(&text);
}

static void show_place(const struct verify_source *source, uint64_t line,
                       uint64_t column)
{
    const char *at = source->model.data;
    const char *const end = at + source->model.size;
    for (uint64_t n = 1; n < line && at < end; n++) {
        const char *const newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    if (at >= end || line == 0)
        return;
    const char *const newline = memchr(at, '\n', (size_t)(end - at));
    const size_t size = (size_t)((newline ? newline : end) - at);
    if (column == 0 || column > size + 1)
        return;
    if (!memchr(at, '\0', size)) /* that is no text to be shown */
        show_line(at, size, (size_t)column - 1);
}

void verify_say_error(const struct verify_source *source,
                      const struct plumb_error *err)
{
    console_say_error(source->model.name, err);
    /* A place in an included file is named in the message. */
    if (!strstr(err->message, "(included)"))
        show_place(source, err->line, err->column);
}

void verify_note_at(const struct verify_source *source,
                    struct plumb_csp_place at, const char *about,
                    const char *message)
{
    console_note("%s:%u:%u: %s: %s", source->read->file[at.file],
                 (unsigned)at.line, (unsigned)at.column, about, message);
    if (at.file == 0 && console_notes_are_on())
        show_place(source, at.line, at.column);
}

static enum plumb_status read_model(struct verify_source *source,
                                    const struct verify_settings *s,
                                    struct plumb_error *err)
{
    const struct plumb_csp_reading reading = { .name = source->model.name,
                                               .text = source->model.data,
                                               .size = source->model.size,
                                               .setting = s->setting,
                                               .settings = s->settings,
                                               .legacy = s->legacy,
                                               .include = include,
                                               .context = source,
                                               .budget = source->budget };
    const enum plumb_status status =
        plumb_csp_model_read(&reading, &source->read, err);
    if (source->starved)
        return plumb_base_fail_budget(source->budget, err);
    if (status == PLUMB_EINPUT)
        verify_say_error(source, err);
    if (status != PLUMB_OK)
        return status;
    for (uint32_t i = 0; i < source->read->warnings && !s->quiet; i++)
        console_say("%s", source->read->warning[i]);
    return objects_imported_functions_bind(source->read, source->path,
                                           source->budget)
               ? PLUMB_OK
               : PLUMB_EINPUT;
}

static void say_unread(const char *file, const struct plumb_error *err)
{
    char name[NAME_MAX + 1];
    if (strchr(file, '/') || access(file, F_OK) == 0) {
        console_say_error(console_input_name(file), err);
        return;
    }
    const char *const near = verify_model_nearest(file, name);
    console_say("%s: no such file or model%s%s%s (see `plumb list models`)",
                file, near ? "; did you mean " : "", near ? near : "",
                near ? "?" : "");
}

enum plumb_status verify_source_open(struct verify_source *source,
                                     const struct verify_settings *s,
                                     struct plumb_budget *budget,
                                     struct plumb_csp_model **model,
                                     struct plumb_error *err)
{
    *source = (struct verify_source){ .budget = budget };
    source->path = verify_model_path(s->file, source->room);
    enum plumb_status status =
        console_input_open(&source->model, source->path, budget, err);
    if (status == PLUMB_EIO)
        say_unread(s->file, err);
    else if (status != PLUMB_OK)
        return plumb_base_fail_budget(budget, err);
    if (status == PLUMB_OK)
        status = read_model(source, s, err);
    *model = source->read;
    return status;
}

void verify_source_close(struct verify_source *source)
{
    objects_imported_functions_end();
    plumb_csp_model_free(source->read);
    for (size_t i = 0; i < source->count; i++)
        console_input_close(&source->included[i]);
    console_input_close(&source->model);
}
