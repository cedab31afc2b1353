/* jsonl_write.c - histories as JSON lines: a header, then every event.
 *
 * Bytes that are not valid UTF-8 are written as lone surrogates, see json.h,
 * so the output is always valid UTF-8 and every text reads back the same. */
#include "emit.h"

#include "base/fail.h"
#include "base/utf8.h"
#include "history/reader.h"

static void write_unicode(struct plumb_history_emit *out, unsigned code)
{
    static const char hex[] = "0123456789abcdef";
    const char escape[] = { '\\',
                            'u',
                            hex[code >> 12 & 15],
                            hex[code >> 8 & 15],
                            hex[code >> 4 & 15],
                            hex[code & 15] };
    plumb_history_emit_bytes(out, escape, sizeof escape);
}

static void write_ascii(struct plumb_history_emit *out, char c)
{
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    const char *const known = c ? strchr(from, c) : NULL;
    if (known) {
        plumb_history_emit_char(out, '\\');
        plumb_history_emit_char(out, to[known - from]);
    } else if (c < ' ') {
        write_unicode(out, (unsigned)c);
    } else {
        plumb_history_emit_char(out, c);
    }
}

static void write_string(struct plumb_history_emit *out, const char *text,
                         size_t length)
{
    plumb_history_emit_char(out, '"');
    for (size_t i = 0; i < length;) {
        uint32_t code;
        const bool ascii = (unsigned char)text[i] < 0x80;
        const size_t n =
            ascii ? 1 : plumb_base_utf8_next(text + i, length - i, &code);
        if (ascii)
            write_ascii(out, text[i]);
        else if (n)
            plumb_history_emit_bytes(out, text + i, n);
        else
            write_unicode(out, 0xdc00u | (unsigned char)text[i]);
        i += n ? n : 1;
    }
    plumb_history_emit_char(out, '"');
}

struct writer {
    const struct plumb_history *h;
    struct plumb_history_emit out;
};

static void write_symbol(struct writer *w, uint32_t symbol)
{
    size_t length;
    const char *const text = plumb_symbol_text(w->h->symbols, symbol, &length);
    write_string(&w->out, text, length);
}

static void write_value(struct writer *w, struct plumb_value v)
{
    if (v.tag == PLUMB_INT)
        plumb_history_emit_int(&w->out, (int64_t)v.bits);
    else if (v.tag == PLUMB_STR)
        write_symbol(w, (uint32_t)v.bits);
    else if (v.tag == PLUMB_BOOL)
        plumb_history_emit_text(&w->out, v.bits ? "true" : "false");
    else
        plumb_history_emit_text(&w->out, "null");
}

static void write_values(struct writer *w, const struct plumb_value *v,
                         size_t count)
{
    plumb_history_emit_char(&w->out, '[');
    for (size_t i = 0; i < count; i++) {
        if (i)
            plumb_history_emit_char(&w->out, ',');
        write_value(w, v[i]);
    }
    plumb_history_emit_char(&w->out, ']');
}

static void write_head(struct writer *w, const char *type,
                       const struct plumb_op *o)
{
    plumb_history_emit_text(&w->out, "{\"type\":\"");
    plumb_history_emit_text(&w->out, type);
    plumb_history_emit_text(&w->out, "\",\"process\":");
    write_symbol(w, w->h->thread[o->thread]);
    plumb_history_emit_text(&w->out, ",\"object\":");
    write_symbol(w, w->h->object[o->object]);
}

static void write_call(struct writer *w, const struct plumb_op *o)
{
    write_head(w, "invoke", o);
    plumb_history_emit_text(&w->out, ",\"f\":");
    write_symbol(w, o->name);
    plumb_history_emit_text(&w->out, ",\"args\":");
    write_values(w, plumb_op_args(w->h, o), o->nargs);
    plumb_history_emit_text(&w->out, "}\n");
}

static void write_response(struct writer *w, const struct plumb_op *o)
{
    static const char *const type[] = { "ok", "fail", "info" };
    write_head(w, type[o->outcome], o);
    if (o->outcome == PLUMB_OUTCOME_OK) {
        plumb_history_emit_text(&w->out, ",\"term\":");
        write_symbol(w, o->term);
        plumb_history_emit_text(&w->out, ",\"results\":");
        write_values(w, plumb_op_results(w->h, o), o->nres);
    }
    plumb_history_emit_text(&w->out, "}\n");
}

static void write_header(struct writer *w)
{
    plumb_history_emit_text(&w->out, "{\"plumb\":1");
    if (w->h->spec) {
        plumb_history_emit_text(&w->out, ",\"spec\":");
        write_symbol(w, w->h->spec);
    }
    plumb_history_emit_text(&w->out, "}\n");
}

enum plumb_status plumb_history_jsonl_write(const struct plumb_history *h,
                                            size_t index,
                                            const struct plumb_sink *sink,
                                            uint64_t losses[PLUMB_LOSSES],
                                            struct plumb_error *err)
{
    struct writer w;
    uint32_t *const event = plumb_history_events_new(h);
    (void)index;  /* the header separates histories */
    (void)losses; /* nothing is lost */
    if (!event)
        return plumb_base_fail_memory(err);
    w.h = h;
    plumb_history_emit_begin(&w.out, sink);
    write_header(&w);
    for (uint32_t rank = 0; rank < h->events; rank++) {
        const struct plumb_op *const o = h->op + event[rank] / 2;
        if (event[rank] % 2)
            write_response(&w, o);
        else
            write_call(&w, o);
    }
    plumb_history_events_free(h, event);
    return plumb_history_emit_end(&w.out, err);
}
