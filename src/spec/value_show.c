/* value_show.c - values for people.
 *
 * A string is shown bare only where it cannot be taken for anything else: the
 * string "7" keeps its quotes, because 7 is an integer. */
#include "base/text.h"
#include "history/formats/scalar.h"
#include "spec.h"
#include "values.h"
#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool plumb_spec_string_is_word(const char *text, size_t length)
{
    struct plumb_value v;
    if (length == 0 || !is_letter(text[0]))
        return false;
    for (size_t i = 1; i < length; i++) {
        const char c = text[i];
        if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '-' && c != '.')
            return false;
    }
    return !plumb_spec_value_constant(text, length, &v);
}

static void show_quoted_byte(char c, struct plumb_base_text *out)
{
    if (c == '"' || c == '\\')
        plumb_base_text_printf(out, "\\%c", c);
    else if (c == '\n')
        plumb_base_text_add(out, "\\n");
    else if (c == '\t')
        plumb_base_text_add(out, "\\t");
    else if ((unsigned char)c < ' ' || c == 0x7f)
        plumb_base_text_printf(out, "\\x%02x", (unsigned)(unsigned char)c);
    else
        plumb_base_text_bytes(out, &c, 1);
}

void plumb_spec_string_show(const char *text, size_t length,
                            struct plumb_base_text *out)
{
    if (plumb_spec_string_is_word(text, length)) {
        plumb_base_text_bytes(out, text, length);
        return;
    }
    plumb_base_text_add(out, "\"");
    for (size_t i = 0; i < length; i++)
        show_quoted_byte(text[i], out);
    plumb_base_text_add(out, "\"");
}

void plumb_spec_value_show(const struct plumb_history *h, struct plumb_value v,
                           struct plumb_base_text *out)
{
    size_t length;
    if (plumb_history_scalar_show(v, "nil", out))
        return;
    const char *const text =
        plumb_symbol_text(h->symbols, (uint32_t)v.bits, &length);
    plumb_spec_string_show(text, length, out);
}

static const char *foreign_text(const struct plumb_spec *spec)
{
    for (unsigned i = 0; i < spec->type->nparams; i++)
        if (spec->param_text[i])
            return spec->param_text[i];
    return "";
}

const char *plumb_spec_vid_string(const struct plumb_spec_space *space,
                                  plumb_spec_vid v, size_t *length)
{
    const struct plumb_spec_bound *const bound = space->bound;
    const uint32_t symbol = (uint32_t)bound->value[v].bits;
    if (symbol != PLUMB_FOREIGN_SYMBOL)
        return plumb_symbol_text(bound->history->symbols, symbol, length);
    const char *const text = foreign_text(bound->spec);
    *length = strlen(text);
    return text;
}

void plumb_spec_vid_show(const struct plumb_spec_space *space, plumb_spec_vid v,
                         struct plumb_base_text *out)
{
    const struct plumb_value value = space->bound->value[v];
    size_t length;
    if (value.tag != PLUMB_STR) {
        plumb_spec_value_show(space->bound->history, value, out);
        return;
    }
    const char *const text = plumb_spec_vid_string(space, v, &length);
    plumb_spec_string_show(text, length, out);
}
