/* fuzz.c - whatever the bytes, a reader gives histories or an error.
 *
 * One entry point for libFuzzer, for AFL++ and for plain runs over a corpus
 * (driver.c); FORMAT is the format's name.  Every history that is read must be
 * valid, and must come back the same when it is written and read again: in
 * its own format if that can be written, else in all that can.  In pieces, where
 * the format can be a stream, it is the same history or the same error.  EXPAND:
 * the bytes are a recording in short, too (expand.h). */
#include "history/stream.h"
#include "pieces.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef EXPAND
#include "expand.h"
#endif

#define TEXT_OF(name) #name
#define NAME_OF(name) TEXT_OF(name)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const enum plumb_format writable[] = { PLUMB_FORMAT_NATIVE,
                                              PLUMB_FORMAT_JSONL,
                                              PLUMB_FORMAT_BINARY };

static _Noreturn void die(const char *what, const char *message)
{
    fprintf(stderr, "%s: %s\n", what, message);
    abort();
}

static void require(bool holds, const char *what)
{
    if (!holds)
        die("broken promise", what);
}

/* ---- is it the same history? ---- */

struct pair {
    const struct plumb_history *a, *b;
};

static bool same_text(struct pair p, uint32_t a, uint32_t b)
{
    size_t a_length, b_length;
    const char *const x = plumb_symbol_text(p.a->symbols, a, &a_length);
    const char *const y = plumb_symbol_text(p.b->symbols, b, &b_length);
    return a_length == b_length && memcmp(x, y, a_length) == 0;
}

static bool same_value(struct pair p, struct plumb_value a,
                       struct plumb_value b)
{
    if (a.tag != PLUMB_STR || b.tag != PLUMB_STR)
        return plumb_value_equal(a, b);
    return same_text(p, (uint32_t)a.bits, (uint32_t)b.bits);
}

static void compare_ops(struct pair p, const struct plumb_op *a,
                        const struct plumb_op *b)
{
    require(a->call == b->call && a->resp == b->resp, "ranks survive");
    require(a->outcome == b->outcome, "outcomes survive");
    require(same_text(p, p.a->thread[a->thread], p.b->thread[b->thread]),
            "threads survive");
    require(same_text(p, p.a->object[a->object], p.b->object[b->object]),
            "objects survive");
    require(same_text(p, a->name, b->name), "names survive");
    require(same_text(p, a->term, b->term), "terms survive");
    require(a->nargs == b->nargs && a->nres == b->nres,
            "numbers of values survive");
    for (unsigned i = 0; i < (unsigned)a->nargs + a->nres; i++)
        require(
            same_value(p, p.a->value[a->values + i], p.b->value[b->values + i]),
            "values survive");
}

static void compare(struct pair p, bool with_spec)
{
    require(p.a->count == p.b->count, "the number of operations survives");
    for (uint32_t i = 0; i < p.a->count; i++)
        compare_ops(p, p.a->op + i, p.b->op + i);
    if (with_spec)
        require(same_text(p, p.a->spec, p.b->spec), "the spec survives");
}

/* ---- there and back ---- */

struct buffer {
    char *data;
    size_t size;
};

static int append(void *context, const void *data, size_t size)
{
    struct buffer *const b = context;
    char *const grown = realloc(b->data, b->size + size + 1);
    if (!grown)
        return 1;
    memcpy(grown + b->size, data, size);
    b->data = grown;
    b->size += size;
    return 0;
}

static void reread(const struct plumb_history *h, enum plumb_format format,
                   const struct buffer *file, bool with_spec)
{
    struct plumb_reader *r;
    struct plumb_history back;
    struct plumb_error err;
    if (plumb_reader_open(&r, file->data, file->size, format,
                          PLUMB_TIES_OF_FORMAT, NULL, &err) != PLUMB_OK)
        die("cannot reopen", err.message);
    if (plumb_reader_next(r, &back, &err) != PLUMB_OK)
        die("cannot reread", err.message);
    compare((struct pair){ h, &back }, with_spec);
    plumb_history_release(&back);
    require(plumb_reader_next(r, &back, &err) == PLUMB_END,
            "one history stays one");
    plumb_reader_close(r);
}

static void round_trip(const struct plumb_history *h, enum plumb_format format)
{
    struct buffer file = { NULL, 0 };
    struct plumb_error err;
    uint64_t losses[PLUMB_LOSSES] = { 0 };
    const struct plumb_sink sink = { append, &file };
    const enum plumb_status status =
        plumb_history_write(h, format, 0, &sink, losses, &err);
    if (status != PLUMB_OK)
        die("cannot write", err.message);
    if (!losses[PLUMB_LOSS_EMPTY])
        reread(h, format, &file, !losses[PLUMB_LOSS_SPEC]);
    free(file.data);
}

static void check_history(const struct plumb_history *h,
                          enum plumb_format format)
{
    enum { WRITABLE = sizeof writable / sizeof *writable };
    struct plumb_error err;
    if (plumb_history_validate(h, &err) != PLUMB_OK) {
        if (format != PLUMB_FORMAT_BINARY) /* mapped: nobody has looked yet */
            die("invalid history", err.message);
        return;
    }
    bool own = false;
    for (size_t i = 0; i < WRITABLE; i++)
        own = own || writable[i] == format;
    for (size_t i = 0; i < WRITABLE; i++)
        if (!own || writable[i] == format)
            round_trip(h, writable[i]);
}

static void check_error(const struct plumb_error *err, enum plumb_status status,
                        size_t size)
{
    require(err->status == status, "an error knows its status");
    require(err->message[0], "an error says something");
    if (status == PLUMB_EINPUT)
        require(err->line ? err->column > 0 : err->column <= size,
                "bad input is bad somewhere");
}

static void try_bytes(const uint8_t *data, size_t size, bool whole)
{
    const enum plumb_format format = plumb_format_by_name(NAME_OF(FORMAT));
    const char *const text = (const char *)data;
    struct plumb_budget *const budget = plumb_budget_new(0, (size_t)1 << 28);
    struct plumb_reader *r = NULL;
    struct plumb_history h;
    struct plumb_error err;
    require(format != PLUMB_FORMAT_AUTO, "the format is known");
    plumb_format_detect(text, size);
    if (!budget ||
        plumb_reader_open(&r, text, size, format, PLUMB_TIES_OF_FORMAT, budget,
                          &err) != PLUMB_OK)
        die("cannot open", "out of memory");
    if (whole)
        plumb_reader_is_whole(r);
    for (;;) {
        const enum plumb_status status = plumb_reader_next(r, &h, &err);
        if (status == PLUMB_END)
            break;
        if (status != PLUMB_OK) {
            check_error(&err, status, size);
            continue;
        }
        check_history(&h, format);
        plumb_history_release(&h);
    }
    plumb_reader_close(r);
    require(plumb_budget_used(budget) == 0, "nothing stays allocated");
    plumb_budget_free(budget);
}

/* ---- in pieces ---- */

static void try_cuts(const struct reading *whole, const char *text, size_t size,
                     const struct cuts *cuts)
{
    struct reading pieces;
    read_pieces(&pieces, whole->format, text, size, cuts, true);
    const char *const what = difference(whole, &pieces);
    if (what)
        die("in pieces", what);
    release_reading(&pieces);
}

/* Cut in two at a place that depends on the bytes; and everywhere, if there are
 * few. */
static void try_pieces(const uint8_t *data, size_t size)
{
    enum { FEW = 100 };
    const enum plumb_format format = plumb_format_by_name(NAME_OF(FORMAT));
    const char *const text = (const char *)data;
    struct reading whole;
    size_t at[FEW];
    if (!size || !plumb_history_stream_comes_in_order(format))
        return;
    read_whole(&whole, format, text, size);
    at[0] = (data[size - 1] + 7 * (size_t)data[size / 2]) % size;
    try_cuts(&whole, text, size, &(struct cuts){ 1, at });
    for (size_t i = 0; i < FEW; i++)
        at[i] = i + 1;
    if (size <= FEW)
        try_cuts(&whole, text, size, &(struct cuts){ size - 1, at });
    release_reading(&whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
#ifdef EXPAND
    size_t expanded;
    uint8_t *const recording = expand(data, size, &expanded);
    try_bytes(recording, expanded, false);
    try_bytes(recording, expanded, true);
    free(recording);
#endif
    try_bytes(data, size, false);
    try_pieces(data, size);
    return 0;
}
