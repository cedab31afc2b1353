/* pieces.c - see pieces.h. */
#include "pieces.h"

#include "history/renaming.h"
#include "history/stream.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- events as text ---- */

static void show_text(struct plumb_base_text *out,
                      const struct plumb_history *h, uint32_t symbol)
{
    size_t length;
    const char *const text = plumb_symbol_text(h->symbols, symbol, &length);
    plumb_base_text_add(out, " ");
    plumb_base_text_bytes(out, text, length);
}

static void show_value(struct plumb_base_text *out,
                       const struct plumb_history *h, struct plumb_value v)
{
    if (v.tag == PLUMB_STR) {
        plumb_base_text_add(out, " \"");
        show_text(out, h, (uint32_t)v.bits);
    } else {
        plumb_base_text_printf(out, " %d:%" PRId64, (int)v.tag,
                               (int64_t)v.bits);
    }
}

static void show_event(struct plumb_base_text *out,
                       const struct plumb_history *h, uint32_t index,
                       bool response)
{
    const struct plumb_op *const o = h->op + index;
    const struct plumb_origin *const at = h->origin + 2 * (size_t)index;
    plumb_base_text_printf(out, "%" PRIu32 ":%" PRIu32 " %s", at[response].line,
                           at[response].column, response ? "response" : "call");
    show_text(out, h, h->thread[o->thread]);
    show_text(out, h, h->object[o->object]);
    show_text(out, h, o->name);
    if (response) {
        plumb_base_text_printf(out, " %u", o->outcome);
        show_text(out, h, o->term);
    }
    const unsigned first = response ? o->nargs : 0;
    const unsigned end = response ? o->nargs + o->nres : o->nargs;
    for (unsigned i = first; i < end; i++)
        show_value(out, h, h->value[o->values + i]);
    plumb_base_text_add(out, "\n");
}

/* ---- reading ---- */

static void show_all(struct plumb_base_text *out, const struct plumb_history *h)
{
    uint32_t *const event = malloc((h->events + 1) * sizeof *event);
    for (uint32_t i = 0; i < h->count; i++) {
        event[h->op[i].call] = 2 * i;
        if (h->op[i].resp != PLUMB_NEVER)
            event[h->op[i].resp] = 2 * i + 1;
    }
    for (uint32_t i = 0; i < h->events; i++)
        show_event(out, h, event[i] / 2, event[i] % 2);
    free(event);
}

void read_whole(struct reading *r, enum plumb_format format, const char *data,
                size_t size)
{
    struct plumb_reader *reader;
    struct plumb_history h;
    struct plumb_error err;
    *r = (struct reading){ .format = format };
    plumb_base_text_init(&r->events, NULL);
    r->status = plumb_reader_open(&reader, data, size, format,
                                  PLUMB_TIES_OF_FORMAT, NULL, &r->err);
    if (r->status != PLUMB_OK)
        return;
    r->format = plumb_reader_format(reader);
    r->status = plumb_reader_next(reader, &h, &r->err);
    if (r->status == PLUMB_OK) {
        show_all(&r->events, &h);
        plumb_history_release(&h);
        const enum plumb_status next = plumb_reader_next(reader, &h, &err);
        r->several = next != PLUMB_END;
        if (next == PLUMB_OK)
            plumb_history_release(&h);
    }
    plumb_reader_close(reader);
}

/* Symbols get other numbers, and what is settled goes. */
static void forget_all(struct plumb_builder *b)
{
    struct plumb_history_renaming r;
    if (plumb_history_renaming_open(&r, b))
        plumb_history_builder_rename(b, &r);
    plumb_history_renaming_close(&r);
}

static void show_log(struct reading *r, struct plumb_history_stream *s,
                     bool forget)
{
    struct plumb_builder *const b = plumb_history_stream_builder(s);
    struct plumb_history h;
    size_t count;
    if (!b || !b->a)
        return;
    const uint32_t *const log = plumb_history_builder_log(b, &count);
    plumb_history_builder_view(b, &h);
    for (size_t i = 0; i < count; i++)
        show_event(&r->events, &h, log[i] / 2, log[i] % 2);
    plumb_history_builder_settle(b);
    if (forget)
        forget_all(b);
}

void read_pieces(struct reading *r, enum plumb_format format, const char *data,
                 size_t size, const struct cuts *cuts, bool forget)
{
    struct plumb_history_stream s;
    size_t at = 0;
    *r = (struct reading){ .status = PLUMB_OK };
    plumb_base_text_init(&r->events, NULL);
    plumb_history_stream_init(&s, format, NULL);
    for (size_t i = 0; i <= cuts->count && r->status == PLUMB_OK; i++) {
        const size_t end = i < cuts->count ? cuts->at[i] : size;
        r->status = plumb_history_stream_feed(&s, data + at, end - at, &r->err);
        show_log(r, &s, forget);
        at = end;
    }
    if (r->status == PLUMB_OK) {
        r->status = plumb_history_stream_end(&s, &r->err);
        show_log(r, &s, forget);
    }
    r->format = s.format;
    plumb_history_stream_release(&s);
}

void release_reading(struct reading *r)
{
    plumb_base_text_release(&r->events);
}

const char *difference(const struct reading *whole,
                       const struct reading *pieces)
{
    const struct plumb_error *const a = &whole->err, *const b = &pieces->err;
    if (whole->format != pieces->format)
        return "another format";
    if (pieces->status == PLUMB_EINPUT &&
        (strstr(b->message, "time order") ||   /* whole operations      */
         strstr(b->message, "without a key"))) /* tuples, and no tuples */
        return NULL;                           /* ... are no stream */
    if (whole->several)                        /* or what follows is none */
        return pieces->status == PLUMB_EINPUT ? NULL
                                              : "several histories as one";
    if (whole->status != pieces->status)
        return "another status";
    if (whole->status == PLUMB_EINPUT)
        return a->line != b->line || a->column != b->column
                   ? "another place of the error"
               : strcmp(a->message, b->message) != 0 ? "another error"
                                                     : NULL;
    return strcmp(plumb_base_text_string(&whole->events),
                  plumb_base_text_string(&pieces->events)) != 0
               ? "other events"
               : NULL;
}
