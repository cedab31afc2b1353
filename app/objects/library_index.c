/* library_index.c - reading one index of the object library.
 *
 * Strict, as a misspelled key would make an object other than it seems. */
#include "library.h"

#include "app/console/quantity.h"
#include "base/fail.h"
#include "base/memory.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

const char *const objects_library_expectations[] = { "linearizable",
                                                     "violation", "weak",
                                                     "stuck", NULL };

enum {
    OBJECT,
    SOURCE,
    FLAGS,
    FAMILY,
    SPEC,
    WEAK,
    EXPECT,
    PREEMPTIONS,
    INIT,
    FINAL,
    OPTIONS,
    SCENARIO,
    ABOUT,
    KEYS
};

static const struct {
    const char *name;
    bool required;
} keys[KEYS] = {
    [OBJECT] = { "object", true },    [SOURCE] = { "source", true },
    [FLAGS] = { "flags", false },     [FAMILY] = { "family", true },
    [SPEC] = { "spec", true },        [WEAK] = { "weak", false },
    [EXPECT] = { "expect", true },    [PREEMPTIONS] = { "preemptions", false },
    [INIT] = { "init", false },       [FINAL] = { "final", false },
    [OPTIONS] = { "options", false }, [SCENARIO] = { "scenario", true },
    [ABOUT] = { "about", true },
};

struct stanza {
    const char *value[KEYS]; /* NULL: not said */
    unsigned line[KEYS];
    unsigned first; /* line; 0: there is none */
};

struct index {
    struct objects_library *library;
    const char *path; /* lasts as long as the library */
    unsigned line;
    struct stanza stanza;
    struct plumb_error *err;
};

/* Always false. */
#define FAIL(x, where, ...)                                                    \
    (plumb_base_fail((x)->err, PLUMB_EINPUT, where, 0, __VA_ARGS__), false)

static bool fail_memory(struct index *x)
{
    plumb_base_fail_memory(x->err);
    return false;
}

static char *copy_text(struct objects_library *l, const char *text,
                       size_t length)
{
    char *const copy = plumb_base_arena_alloc(&l->arena, length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

/* ---- the end of a stanza ---- */

static bool read_expectation(struct index *x, struct objects_library_object *o)
{
    const char *const word = x->stanza.value[EXPECT];
    for (int i = 0; objects_library_expectations[i]; i++)
        if (strcmp(objects_library_expectations[i], word) == 0) {
            o->expect = (enum objects_library_expectation)i;
            return true;
        }
    return FAIL(x, x->stanza.line[EXPECT],
                "expect %.40s: must be linearizable, violation, weak or stuck",
                word);
}

static bool read_preemptions(struct index *x, struct objects_library_object *o)
{
    const char *const text = x->stanza.value[PREEMPTIONS];
    const unsigned line = x->stanza.line[PREEMPTIONS];
    uint64_t n;
    o->preemptions = -1;
    if (!text)
        return true;
    if (o->expect == EXPECT_LINEARIZABLE)
        return FAIL(x, line,
                    "preemptions is not allowed for a linearizable object");
    if (!console_read_count(text, &n) || n > 100)
        return FAIL(x, line, "preemptions %.40s: must be a number up to 100",
                    text);
    o->preemptions = (int)n;
    return true;
}

/* Relative to the folder of the index. */
static bool read_source(struct index *x, struct objects_library_object *o)
{
    const char *const source = x->stanza.value[SOURCE];
    const char *const slash = strrchr(x->path, '/');
    const size_t folder = slash ? (size_t)(slash - x->path) + 1 : 0;
    const size_t length = strlen(source);
    if (folder + length >= PATH_MAX)
        return FAIL(x, x->stanza.line[SOURCE], "the name is too long");
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.*s%s", (int)folder, x->path, source);
    o->source = copy_text(x->library, path, folder + length);
    return o->source || fail_memory(x);
}

static bool is_new(struct index *x, const char *name)
{
    const struct objects_library_object *const other =
        objects_library_find(x->library, name);
    return !other || FAIL(x, x->stanza.line[OBJECT],
                          "object %.60s is already in %.100s:%u", name,
                          other->index, other->line);
}

static bool add_object(struct index *x, const struct objects_library_object *o)
{
    struct objects_library *const l = x->library;
    return PLUMB_APPEND(NULL, l->object, l->count, l->capacity, *o) ||
           fail_memory(x);
}

static bool end_stanza(struct index *x)
{
    const struct stanza *const s = &x->stanza;
    if (!s->first)
        return true;
    for (int k = 0; k < KEYS; k++)
        if (keys[k].required && !s->value[k])
            return FAIL(x, s->first, "the object has no line `%s`",
                        keys[k].name);
    struct objects_library_object o = {
        .name = s->value[OBJECT],
        .family = s->value[FAMILY],
        .spec = s->value[SPEC],
        .weak = s->value[WEAK],
        .about = s->value[ABOUT],
        .flags = s->value[FLAGS],
        .init = s->value[INIT],
        .final = s->value[FINAL],
        .options = s->value[OPTIONS],
        .scenario = s->value[SCENARIO],
        .index = x->path,
        .line = s->first,
    };
    if (!is_new(x, o.name) || !read_source(x, &o) || !read_expectation(x, &o) ||
        !read_preemptions(x, &o) || !add_object(x, &o))
        return false;
    x->stanza = (struct stanza){ .first = 0 };
    return true;
}

/* ---- lines ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static int find_key(const char *text, size_t length)
{
    int k = 0;
    while (k < KEYS && (strlen(keys[k].name) != length ||
                        memcmp(keys[k].name, text, length) != 0))
        k++;
    return k;
}

/* `at` to `end` is not empty, and has no blanks around it. */
static bool read_line(struct index *x, const char *at, const char *end)
{
    struct stanza *const s = &x->stanza;
    const char *word_end = at;
    while (word_end < end && !is_blank(*word_end))
        word_end++;
    const int k = find_key(at, (size_t)(word_end - at));
    const int shown = word_end - at > 40 ? 40 : (int)(word_end - at);
    if (k == KEYS)
        return FAIL(x, x->line, "unknown key %.*s", shown, at);
    if (s->value[k])
        return FAIL(x, x->line, "%s is already given in line %u", keys[k].name,
                    s->line[k]);
    while (word_end < end && is_blank(*word_end))
        word_end++;
    if (word_end == end)
        return FAIL(x, x->line, "%s has no value", keys[k].name);
    s->value[k] = copy_text(x->library, word_end, (size_t)(end - word_end));
    if (!s->value[k])
        return fail_memory(x);
    s->line[k] = x->line;
    if (!s->first)
        s->first = x->line;
    return true;
}

static bool take_line(struct index *x, const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    while (at < end && is_blank(end[-1]))
        end--;
    if (memchr(at, '\0', (size_t)(end - at)))
        return FAIL(x, x->line, "the line contains a NUL byte");
    if (at == end)
        return end_stanza(x);
    return *at == '#' || read_line(x, at, end);
}

static bool read_lines(struct index *x, const char *text, size_t size)
{
    const char *const end = text + size;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        newline = newline ? newline : end;
        x->line++;
        if (!take_line(x, text, newline))
            return false;
        text = newline + (newline < end);
    }
    return end_stanza(x);
}

enum plumb_status objects_library_add(struct objects_library *l,
                                      const char *index, const char *text,
                                      size_t size, struct plumb_error *err)
{
    struct index x = { .library = l,
                       .path = copy_text(l, index, strlen(index)),
                       .err = err };
    if (!x.path)
        return plumb_base_fail_memory(err);
    return size == 0 || read_lines(&x, text, size) ? PLUMB_OK : err->status;
}
