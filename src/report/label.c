/* label.c - values and operations as text that is safe on a terminal. */
#include "label.h"

#include "base/utf8.h"
#include "history/formats/scalar.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct plumb_report_palette plain = { "", "", "", "", "", "" };
static const struct plumb_report_palette ansi = { "\033[1m",  "\033[1;31m",
                                                  "\033[32m", "\033[33m",
                                                  "\033[2m",  "\033[0m" };

const struct plumb_report_palette *plumb_report_style_palette(
    const struct plumb_report_style *s)
{
    return s->color ? &ansi : &plain;
}

unsigned plumb_report_style_width(const struct plumb_report_style *s)
{
    return s->width ? s->width : 80;
}

/* ---- one character ---- */

/* Characters that move, hide or reverse what stands around them. */
static bool is_invisible(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad ||
           (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
           (c >= 0xe0000 && c <= 0xe0fff);
}

struct unit {
    size_t bytes; /* of the source */
    char text[16];
    size_t columns;
};

static size_t escape(char *text, size_t size, uint32_t c, bool is_code)
{
    static const char letters[] = "\nn\tt\rr";
    for (size_t i = 0; c && i < sizeof letters - 1; i += 2)
        if (c == (uint32_t)letters[i])
            return (size_t)snprintf(text, size, "\\%c", letters[i + 1]);
    return (size_t)snprintf(text, size,
                            is_code ? "\\u{%" PRIx32 "}" : "\\x%02" PRIx32, c);
}

/* How the first character of `size` > 0 bytes is shown. */
static struct unit next_unit(const struct plumb_report_style *style,
                             const char *text, size_t size)
{
    struct unit u = { .columns = 1 };
    uint32_t c = 0;
    u.bytes = plumb_base_utf8_next(text, size, &c);
    if (u.bytes == 0) {
        u.bytes = 1;
        u.columns = escape(u.text, sizeof u.text, (unsigned char)*text, false);
    } else if (is_invisible(c) || (style->ascii && c > 0x7e)) {
        u.columns = escape(u.text, sizeof u.text, c, c > 0x7f);
    } else {
        memcpy(u.text, text, u.bytes);
    }
    return u;
}

/* Inside quotes, quotes and backslashes are escaped too. */
static void label_bytes(const struct plumb_report_style *style,
                        const char *text, size_t size, size_t limit,
                        bool in_quotes, struct plumb_base_text *out)
{
    const size_t room = limit - (style->ascii ? 2 : 1);
    size_t columns = 0, kept = out->size; /* what fits beside the dots */
    for (size_t i = 0; i < size && !out->broken;) {
        struct unit u = next_unit(style, text + i, size - i);
        if (in_quotes && (text[i] == '"' || text[i] == '\\'))
            u.columns =
                (size_t)snprintf(u.text, sizeof u.text, "\\%c", text[i]);
        if (columns + u.columns > limit) {
            out->size = kept;
            plumb_base_text_add(out, style->ascii ? ".." : "…");
            return;
        }
        plumb_base_text_add(out, u.text);
        columns += u.columns;
        i += u.bytes;
        if (columns <= room)
            kept = out->size;
    }
}

void plumb_report_label_text(const struct plumb_report_style *style,
                             const char *text, size_t size, size_t limit,
                             struct plumb_base_text *out)
{
    label_bytes(style, text, size, limit, false, out);
}

void plumb_report_label_line(const char *text, struct plumb_base_text *out)
{
    static const struct plumb_report_style style = { .width = 0 };
    const size_t size = strlen(text);
    for (size_t i = 0; i < size && !out->broken;) {
        const struct unit u = next_unit(&style, text + i, size - i);
        plumb_base_text_add(out, u.text);
        i += u.bytes;
    }
}

/* ---- values ---- */

static bool is_word_char(const struct plumb_report_style *style, uint32_t c)
{
    return c > 0x7f ? !style->ascii && !is_invisible(c)
                    : isalnum((int)c) || (c && strchr("_-.:/+@#%", (int)c));
}

/* Would these bytes, bare, be read as this string again? */
static bool is_word(const struct plumb_report_style *style, const char *text,
                    size_t size)
{
    struct plumb_value taken;
    if (size == 0 || strchr("0123456789-+", text[0]))
        return false;
    uint32_t c = 0;
    for (size_t i = 0, n; i < size; i += n) {
        n = plumb_base_utf8_next(text + i, size - i, &c);
        if (n == 0 || !is_word_char(style, c))
            return false;
    }
    return !plumb_history_scalar_word(text, size, &taken);
}

static void label_string(const struct plumb_report_style *style,
                         const struct plumb_history *h, uint32_t symbol,
                         struct plumb_base_text *out)
{
    size_t size;
    const char *const text = plumb_symbol_text(h->symbols, symbol, &size);
    const bool word = is_word(style, text, size);
    plumb_base_text_add(out, word ? "" : "\"");
    label_bytes(style, text, size, PLUMB_VALUE_COLUMNS, !word, out);
    plumb_base_text_add(out, word ? "" : "\"");
}

void plumb_report_label_value(const struct plumb_report_style *style,
                              const struct plumb_history *h,
                              struct plumb_value v, struct plumb_base_text *out)
{
    if (!plumb_history_scalar_show(v, "nil", out))
        label_string(style, h, (uint32_t)v.bits, out);
}

void plumb_report_label_values(const struct plumb_report_style *style,
                               const struct plumb_history *h,
                               const struct plumb_value *v, size_t count,
                               struct plumb_base_text *out)
{
    for (size_t i = 0; i < count; i++) {
        if (i)
            plumb_base_text_add(out, ",");
        plumb_report_label_value(style, h, v[i], out);
    }
}

/* ---- names ---- */

static void label_symbol(const struct plumb_report_style *style,
                         const struct plumb_history *h, uint32_t symbol,
                         struct plumb_base_text *out)
{
    size_t size;
    const char *const text = plumb_symbol_text(h->symbols, symbol, &size);
    plumb_report_label_text(style, text, size, PLUMB_VALUE_COLUMNS, out);
}

void plumb_report_label_thread(const struct plumb_report_style *style,
                               const struct plumb_history *h, uint32_t thread,
                               struct plumb_base_text *out)
{
    size_t size;
    const char *const text =
        plumb_symbol_text(h->symbols, h->thread[thread], &size);
    if (size && strspn(text, "0123456789") == size)
        plumb_base_text_add(out, "T");
    label_symbol(style, h, h->thread[thread], out);
}

bool plumb_report_symbol_is(const struct plumb_history *h, uint32_t symbol,
                            const char *word)
{
    size_t size;
    const char *const text = plumb_symbol_text(h->symbols, symbol, &size);
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '-' || text[i] == '_')
            continue;
        if (*word == '\0' || tolower((unsigned char)text[i]) != *word)
            return false;
        word++;
    }
    return *word == '\0';
}

/* ---- operations ---- */

void plumb_report_label_answer(const struct plumb_report_style *style,
                               const struct plumb_history *h,
                               const struct plumb_op *o,
                               struct plumb_base_text *out)
{
    const bool ok = plumb_report_symbol_is(h, o->term, "ok");
    if (!ok || o->nres == 0)
        label_symbol(style, h, o->term, out);
    const bool brackets = o->nres > 1 || (!ok && o->nres == 1);
    if (brackets)
        plumb_base_text_add(out, "(");
    plumb_report_label_values(style, h, plumb_op_results(h, o), o->nres, out);
    if (brackets)
        plumb_base_text_add(out, ")");
}

static bool has_nothing_to_say(const struct plumb_history *h,
                               const struct plumb_op *o)
{
    return plumb_op_is_pending(o) ||
           (o->outcome == PLUMB_OUTCOME_OK && o->nres == 0 &&
            plumb_report_symbol_is(h, o->term, "ok"));
}

void plumb_report_label_op(const struct plumb_report_style *style,
                           const struct plumb_history *h,
                           const struct plumb_op *o, unsigned what,
                           struct plumb_base_text *out)
{
    if (what & PLUMB_LABEL_OBJECT) {
        label_symbol(style, h, h->object[o->object], out);
        plumb_base_text_add(out, ".");
    }
    label_symbol(style, h, o->name, out);
    plumb_base_text_add(out, "(");
    plumb_report_label_values(style, h, plumb_op_args(h, o), o->nargs, out);
    plumb_base_text_add(out, ")");
    if (!(what & PLUMB_LABEL_ANSWER) || has_nothing_to_say(h, o))
        return;
    if (o->outcome == PLUMB_OUTCOME_FAIL) {
        plumb_base_text_add(out, " failed");
        return;
    }
    plumb_base_text_add(out, "=");
    plumb_report_label_answer(style, h, o, out);
}
