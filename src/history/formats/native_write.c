/* native_write.c - histories as Wing & Gong's text.
 *
 * Whatever the reader would take for something else is quoted, so that every
 * history with operations reads back with the same events and values. */
#include "base/spelling.h"
#include "native.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/text.h"
#include "history/reader.h"
#include "history/symbols.h"
#include "scalar.h"
#include <string.h>

/* By symbol. */
enum {
    IS_QUOTED = 1,     /* as a name of anything: not a plain word        */
    IS_VALUE = 2,      /* as a value it needs quotes, as a name it may not */
    IS_RESERVED = 4,   /* as an operation it would look like a term      */
    IS_MISTAKABLE = 8, /* as a term it would look like something else    */
};

struct writer {
    const struct plumb_history *h;
    struct plumb_history_emit *out;
    uint8_t *how; /* by symbol: the flags above */
    uint32_t *event;
    struct plumb_symbols called; /* lower-case names of operations */
    struct plumb_base_text scratch;
};

/* ---- what needs quotes ---- */

static bool is_plain(const char *text, size_t length)
{
    if (length == 0 || (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0))
        return false; /* nothing, or what a byte order mark looks like */
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c < ' ' || c == 0x7f)
            return false;
        if (plumb_history_native_kind[c] != PLUMB_NATIVE_WORD && c != '/')
            return false;
        if (c == '/' && i + 1 < length && text[i + 1] == '*')
            return false;
    }
    return true;
}

static bool looks_like_a_value(const char *text, size_t length)
{
    struct plumb_value v;
    uint64_t digits;
    const bool minus = length && text[0] == '-';
    return plumb_history_scalar_word(text, length, &v) ||
           plumb_history_read_digits(text + minus, length - minus, &digits) !=
               PLUMB_NO_NUMBER;
}

/* As a term: not in lower case, an outcome's name, or an operation's. */
static bool is_mistakable(struct writer *w, const char *text, size_t length)
{
    const char *const folded = w->scratch.data;
    if (memcmp(folded, text, length) != 0)
        return true;
    if (plumb_history_native_term(folded, length, NULL))
        return plumb_base_is_word(text, length, "fail") ||
               plumb_base_is_word(text, length, "info");
    return plumb_symbol_find(&w->called, folded, length) != UINT32_MAX;
}

static bool judge(struct writer *w, uint32_t symbol)
{
    size_t length;
    const char *const text = plumb_symbol_text(w->h->symbols, symbol, &length);
    if (!plumb_history_native_fold(&w->scratch, text, length))
        return false;
    unsigned how = 0;
    if (!is_plain(text, length))
        how |= IS_QUOTED;
    if (looks_like_a_value(text, length))
        how |= IS_VALUE;
    if (plumb_history_native_term(w->scratch.data, length, NULL))
        how |= IS_RESERVED;
    if (is_mistakable(w, text, length))
        how |= IS_MISTAKABLE;
    w->how[symbol] = (uint8_t)how;
    return true;
}

/* Each name once, though there may be millions of operations. */
static bool list_calls(struct writer *w)
{
    const struct plumb_history *const h = w->h;
    for (uint32_t i = 0; i < h->count; i++) {
        size_t length;
        const uint32_t name = h->op[i].name;
        if (w->how[name])
            continue;
        w->how[name] = IS_QUOTED;
        const char *const text = plumb_symbol_text(h->symbols, name, &length);
        if (!plumb_history_native_fold(&w->scratch, text, length) ||
            plumb_history_symbols_intern(&w->called, w->scratch.data, length) ==
                UINT32_MAX)
            return false;
    }
    return true;
}

static bool judge_all(struct writer *w)
{
    if (!list_calls(w))
        return false;
    for (uint32_t i = 0; i < w->h->symbols->count; i++)
        if (!judge(w, i))
            return false;
    return true;
}

/* ---- writing ---- */

static void write_escaped(struct plumb_history_emit *out, unsigned char c)
{
    static const char meant[] = "\"\\\n\t\r", letters[] = "\"\\ntr",
                      hex[] = "0123456789abcdef";
    const char *const known = memchr(meant, c, sizeof meant - 1);
    plumb_history_emit_char(out, '\\');
    plumb_history_emit_char(out, known ? letters[known - meant] : 'x');
    if (known)
        return;
    plumb_history_emit_char(out, hex[c / 16]);
    plumb_history_emit_char(out, hex[c % 16]);
}

static void write_quoted(struct plumb_history_emit *out, const char *text,
                         size_t length)
{
    plumb_history_emit_char(out, '"');
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c < ' ' || c == 0x7f || c == '"' || c == '\\')
            write_escaped(out, c);
        else
            plumb_history_emit_char(out, text[i]);
    }
    plumb_history_emit_char(out, '"');
}

/* A symbol, quoted if any of `flags` holds for it. */
static void write_symbol(const struct writer *w, uint32_t symbol,
                         unsigned flags)
{
    size_t length;
    const char *const text = plumb_symbol_text(w->h->symbols, symbol, &length);
    if (w->how[symbol] & (flags | IS_QUOTED))
        write_quoted(w->out, text, length);
    else
        plumb_history_emit_bytes(w->out, text, length);
}

static void write_value(const struct writer *w, struct plumb_value v)
{
    if (v.tag == PLUMB_INT)
        plumb_history_emit_int(w->out, (int64_t)v.bits);
    else if (v.tag == PLUMB_STR)
        write_symbol(w, (uint32_t)v.bits, IS_VALUE);
    else if (v.tag == PLUMB_BOOL)
        plumb_history_emit_text(w->out, v.bits ? "true" : "false");
    else
        plumb_history_emit_text(w->out, "nil");
}

static void write_values(const struct writer *w, const struct plumb_value *v,
                         size_t count)
{
    plumb_history_emit_char(w->out, '(');
    for (size_t i = 0; i < count; i++) {
        if (i)
            plumb_history_emit_char(w->out, ',');
        write_value(w, v[i]);
    }
    plumb_history_emit_char(w->out, ')');
}

static void write_response(const struct writer *w, const struct plumb_op *o)
{
    if (o->outcome == PLUMB_OUTCOME_OK) {
        write_symbol(w, o->term, IS_MISTAKABLE);
        write_values(w, plumb_op_results(w->h, o), o->nres);
    } else {
        plumb_history_emit_text(
            w->out, o->outcome == PLUMB_OUTCOME_FAIL ? "fail()" : "info()");
    }
}

static void write_event(const struct writer *w, uint32_t event)
{
    const struct plumb_op *const o = w->h->op + event / 2;
    write_symbol(w, w->h->object[o->object], 0);
    plumb_history_emit_char(w->out, ' ');
    if (event % 2) {
        write_response(w, o);
    } else {
        write_symbol(w, o->name, IS_RESERVED);
        write_values(w, plumb_op_args(w->h, o), o->nargs);
    }
    plumb_history_emit_char(w->out, ' ');
    write_symbol(w, w->h->thread[o->thread], 0);
    plumb_history_emit_char(w->out, '\n');
}

static bool prepare(struct writer *w)
{
    struct plumb_budget *const budget = w->h->symbols->budget;
    plumb_base_text_init(&w->scratch, budget);
    if (!plumb_history_symbols_init(&w->called, budget))
        return false;
    w->how = plumb_base_alloc_zeroed(budget, w->h->symbols->count);
    w->event = w->how ? plumb_history_events_new(w->h) : NULL;
    return w->event && judge_all(w);
}

static void clean_up(struct writer *w)
{
    plumb_base_text_release(&w->scratch);
    plumb_history_symbols_release(&w->called);
    plumb_base_release(w->h->symbols->budget, w->how, w->h->symbols->count);
    plumb_history_events_free(w->h, w->event);
}

enum plumb_status plumb_history_native_write(const struct plumb_history *h,
                                             size_t index,
                                             const struct plumb_sink *sink,
                                             uint64_t losses[PLUMB_LOSSES],
                                             struct plumb_error *err)
{
    struct plumb_history_emit out;
    struct writer w = { .h = h, .out = &out };
    losses[PLUMB_LOSS_SPEC] += h->spec != 0;
    losses[PLUMB_LOSS_EMPTY] += h->count == 0;
    if (h->count == 0) /* no text says "nothing happened" */
        return PLUMB_OK;
    enum plumb_status status = PLUMB_OK;
    plumb_history_emit_begin(&out, sink);
    if (prepare(&w)) {
        if (index)
            plumb_history_emit_char(&out, '\n');
        for (uint32_t rank = 0; rank < h->events; rank++)
            write_event(&w, w.event[rank]);
        status = plumb_history_emit_end(&out, err);
    } else {
        status = plumb_base_fail_memory(err);
    }
    clean_up(&w);
    return status;
}
