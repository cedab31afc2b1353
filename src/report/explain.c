/* explain.c - from the name of a type to the patterns that know it. */
#include "explain.h"

#include "story.h"
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Patterns look at pairs and triples of operations.  What has this many is no
 * short story anyway. */
enum { MAX_STORY = 200 };

/* ---- sentences ---- */

void plumb_report_story_tell(const struct plumb_report_story *s,
                             const char *format, ...)
{
    va_list args;
    va_start(args, format);
    while (*format) {
        const size_t plain = strcspn(format, "@$#~");
        plumb_base_text_bytes(s->out, format, plain);
        format += plain;
        switch (*format) {
        case '@':
            plumb_report_scene_letter(va_arg(args, uint32_t), s->out);
            break;
        case '$':
            plumb_report_label_value(s->style, s->scene->h,
                                     va_arg(args, struct plumb_value), s->out);
            break;
        case '#':
            plumb_base_text_printf(s->out, "%" PRId64, va_arg(args, int64_t));
            break;
        case '~':
            plumb_base_text_add(s->out, va_arg(args, const char *));
            break;
        }
        format += *format != '\0';
    }
    va_end(args);
    plumb_base_text_add(s->out, "\n");
}

/* ---- reading the scene ---- */

bool plumb_report_story_lists(const char *words, const char *word)
{
    assert(*word && !strchr(word, ' '));
    const size_t size = strlen(word);
    while (*words) {
        const size_t have = strcspn(words, " ");
        if (have == size && memcmp(words, word, size) == 0)
            return true;
        words += have + (words[have] == ' ');
    }
    return false;
}

bool plumb_report_story_name_is(const struct plumb_report_story *s, uint32_t i,
                                const char *names)
{
    char word[32];
    while (*names) {
        const size_t size = strcspn(names, " ");
        assert(size < sizeof word);
        memcpy(word, names, size);
        word[size] = '\0';
        if (plumb_report_symbol_is(
                s->scene->h, plumb_report_scene_op(s->scene, i)->name, word))
            return true;
        names += size + (names[size] == ' ');
    }
    return false;
}

bool plumb_report_story_term_is(const struct plumb_report_story *s, uint32_t i,
                                const char *term)
{
    return plumb_report_symbol_is(
        s->scene->h, plumb_report_scene_op(s->scene, i)->term, term);
}

bool plumb_report_story_bool(const struct plumb_report_story *s,
                             struct plumb_value v, bool *b)
{
    static const char *const words[] = { "false", "f", "true", "t" };
    if (v.tag == PLUMB_BOOL || (v.tag == PLUMB_INT && v.bits < 2)) {
        *b = v.bits;
        return true;
    }
    if (v.tag != PLUMB_STR)
        return false;
    for (size_t i = 0; i < 4; i++)
        if (plumb_report_symbol_is(s->scene->h, (uint32_t)v.bits, words[i])) {
            *b = i >= 2;
            return true;
        }
    return false;
}

const char *plumb_report_story_param(const struct plumb_report_story *s,
                                     const char *name, size_t *size)
{
    const size_t wanted = strlen(name);
    const char *at = strchr(s->spec, ':');
    while (at) {
        at++;
        const size_t have = strcspn(at, "=,");
        const bool found = have == wanted && memcmp(at, name, have) == 0;
        const char *const text = at + have + (at[have] == '=');
        *size = at[have] == '=' ? strcspn(text, ",") : 0;
        if (found)
            return text;
        at = strchr(at, ',');
    }
    return NULL;
}

int64_t plumb_report_story_number(const struct plumb_report_story *s,
                                  const char *name, int64_t otherwise)
{
    size_t size;
    const char *const text = plumb_report_story_param(s, name, &size);
    return text && size ? strtoll(text, NULL, 10) : otherwise;
}

/* ---- which patterns for which type ---- */

struct family {
    const char *types;
    bool (*tell)(const struct plumb_report_story *s, const char *type);
};

/* Tried in this order: a bounded queue is a family of items, and of counts. */
static const struct family families[] = {
    { "queue semiqueue stuttering-queue stack deque priority-queue multiset "
      "bag",
      plumb_report_story_of_items },
    { "set map register cas-register mutex", plumb_report_story_of_cells },
    { "counter semaphore mutex queue semiqueue stack deque priority-queue",
      plumb_report_story_of_counts },
};

static bool tell_first_that_fits(const struct plumb_report_story *s,
                                 const char *type)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (plumb_report_story_lists(families[i].types, type) &&
            families[i].tell(s, type))
            return true;
    return false;
}

bool plumb_report_explain_why(const struct plumb_report_scene *scene,
                              const char *spec,
                              const struct plumb_report_style *style,
                              struct plumb_base_text *out)
{
    char type[32] = { 0 };
    struct plumb_base_arena arena = { .budget = out->budget };
    const size_t size = strcspn(spec, ":");
    if (size == 0 || size >= sizeof type || scene->count > MAX_STORY)
        return false;
    memcpy(type, spec, size);
    const struct plumb_report_story s = { scene, spec, style, &arena, out };
    const bool told = tell_first_that_fits(&s, type);
    plumb_base_arena_release(&arena);
    return told;
}
