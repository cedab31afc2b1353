/* shape.c - reading and showing the shapes of operation tables. */
#include "shape.h"

#include "names.h"
#include <assert.h>
#include <string.h>

static const char *const terms[PLUMB_TERMS] = {
    [PLUMB_TERM_OK] = "ok",
    [PLUMB_TERM_EMPTY] = "empty",
    [PLUMB_TERM_FULL] = "full",
    [PLUMB_TERM_NONE] = "none",
    [PLUMB_TERM_CANCELED] = "canceled",
    [PLUMB_TERM_INVALID] = "invalid",
    [PLUMB_TERM_TIMEOUT] = "timeout",
};

unsigned plumb_spec_term_number(const char *text, size_t length)
{
    unsigned t = 0;
    while (t < PLUMB_TERMS &&
           !plumb_spec_name_equal(terms[t], strlen(terms[t]), text, length))
        t++;
    return t;
}

const char *plumb_spec_term_name(unsigned term)
{
    return terms[term];
}

/* One alternative, as in "ok(v)"; returns its end. */
static const char *read_answer(const char *at, struct plumb_spec_row *row)
{
    const size_t length = strcspn(at, "(");
    const unsigned term = plumb_spec_term_number(at, length);
    assert(term < PLUMB_TERMS);
    struct plumb_spec_shape *const shape = row->answer + term;
    *shape = (struct plumb_spec_shape){ .present = true };
    for (at += length + 1; *at != ')'; at++) {
        assert(shape->most < PLUMB_SHAPE_VALUES);
        shape->letter[shape->most++] = *at;
        shape->least = (uint8_t)(shape->least + (*at != 'o'));
    }
    return at + 1;
}

void plumb_spec_row_read(const struct plumb_spec_opdef *def,
                         struct plumb_spec_row *row)
{
    *row = (struct plumb_spec_row){ .nargs = (unsigned)strlen(def->args),
                                    .args = def->args,
                                    .any = !def->results };
    if (row->any)
        return;
    const char *at = read_answer(def->results, row);
    while (*at == '|')
        at = read_answer(at + 1, row);
}

static void show_answer(const struct plumb_spec_shape *shape, const char *term,
                        unsigned count, struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "%s(", term);
    for (unsigned i = 0; i < count; i++) {
        const char letter = shape->letter[i];
        plumb_base_text_printf(out, "%s%s", i ? ", " : "",
                               letter == 'b'   ? "true/false"
                               : letter == 'i' ? "n"
                               : i             ? "y"
                                               : "x");
    }
    plumb_base_text_add(out, ")");
}

void plumb_spec_row_show_answers(const struct plumb_spec_row *row,
                                 struct plumb_base_text *out)
{
    bool first = true;
    for (unsigned t = 0; t < PLUMB_TERMS; t++) {
        const struct plumb_spec_shape *const shape = row->answer + t;
        if (!shape->present)
            continue;
        for (unsigned n = shape->least; n <= shape->most; n++) {
            plumb_base_text_add(out, first ? "" : " or ");
            show_answer(shape, terms[t], n, out);
            first = false;
        }
    }
}
