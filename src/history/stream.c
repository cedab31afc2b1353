/* stream.c - see stream.h. */
#include "stream.h"

#include "base/fail.h"
#include "base/memory.h"
#include "reader.h"
#include <assert.h>
#include <string.h>

/* Below this, more lines may still show that it is another format. */
enum { SURE = 65 };

void plumb_history_stream_init(struct plumb_history_stream *s,
                               enum plumb_format format,
                               struct plumb_budget *budget)
{
    *s = (struct plumb_history_stream){ .format = format, .budget = budget };
}

void plumb_history_stream_release(struct plumb_history_stream *s)
{
    plumb_reader_close(s->reader);
    s->reader = NULL;
    plumb_base_release(s->budget, s->held, s->capacity);
    s->held = NULL;
    s->size = s->capacity = 0;
    plumb_history_play_close(&s->play);
    if (!s->recording.builder)
        return;
    plumb_history_recording_copy_release(&s->recording);
    plumb_history_recording_close(s->recording.recording);
    plumb_builder_free(s->recording.builder);
    s->recording.builder = NULL;
}

struct plumb_builder *plumb_history_stream_builder(
    const struct plumb_history_stream *s)
{
    return s->reader         ? s->reader->builder
           : s->play.builder ? s->play.builder
                             : s->recording.builder;
}

bool plumb_history_stream_comes_in_order(enum plumb_format format)
{
    const struct plumb_history_format_class *const c =
        plumb_history_format_class(format);
    return c && c->in_order;
}

static enum plumb_status fail_order(const struct plumb_history_stream *s,
                                    struct plumb_error *err)
{
    if (s->format == PLUMB_FORMAT_RECORDING)
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "cannot follow a recording through a pipe; give "
                               "the name of its file");
    const char *const name = plumb_format_name(s->format);
    if (!plumb_history_stream_comes_in_order(s->format))
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "these events (%s) are not in time order; give "
                               "--format %s to read all of them first",
                               name, name);
    return plumb_base_fail(
        err, PLUMB_EINPUT, 0, 0,
        "these events (%s) are not in time order; use plumb check", name);
}

/* ---- text that was not read yet ---- */

static bool hold(struct plumb_history_stream *s, const char *data, size_t size)
{
    if (!size)
        return true;
    if (!PLUMB_GROW(s->budget, s->held, s->capacity, s->size + size))
        return false;
    memcpy(s->held + s->size, data, size);
    s->size += size;
    return true;
}

static void drop(struct plumb_history_stream *s, size_t size)
{
    if (!size || !s->held)
        return;
    assert(size <= s->size);
    memmove(s->held, s->held + size, s->size - size);
    s->size -= size;
    s->looked = 0;
}

/* The size of all whole lines; 0 if there is none.  Bytes without an end of line
 * are not searched again, however long the line becomes. */
static size_t whole_lines(struct plumb_history_stream *s)
{
    const size_t fresh = s->size - s->looked;
    const char *const last =
        fresh ? memrchr(s->held + s->looked, '\n', fresh) : NULL;
    if (!last)
        s->looked = s->size;
    return last ? (size_t)(last - s->held) + 1 : 0;
}

/* ---- the format ---- */

/* Detect the format, if enough has come.  Until the stream has ended, only whole
 * lines are looked at, because half a line may look like something else.  EDN
 * may come without any end of line, and is recognised without. */
static bool knows_format(struct plumb_history_stream *s, bool last)
{
    int sure;
    if (s->format != PLUMB_FORMAT_AUTO)
        return last || s->size >= 3; /* a byte order mark is that long */
    const size_t lines = whole_lines(s);
    const size_t size = last || !lines ? s->size : lines;
    const enum plumb_format format =
        plumb_history_format_guess(s->held, size, &sure);
    if (!last && size < PLUMB_DETECT_SIZE &&
        (sure < SURE ||
         (!lines && plumb_history_format_class(format)->by_line)))
        return false;
    s->format = format;
    return true;
}

static enum plumb_status open_reader(struct plumb_history_stream *s,
                                     struct plumb_error *err)
{
    const enum plumb_status status =
        plumb_reader_open(&s->reader, s->held, s->size, s->format,
                          PLUMB_TIES_OF_FORMAT, s->budget, err);
    if (status != PLUMB_OK)
        return status;
    s->format = plumb_reader_format(s->reader);
    if (!plumb_history_stream_comes_in_order(s->format))
        return fail_order(s, err);
    drop(s, s->reader->at); /* a byte order mark */
    s->reader->at = 0;
    plumb_reader_signature(s->reader, s->signature);
    plumb_history_builder_stream(s->reader->builder);
    return PLUMB_OK;
}

/* ---- reading ---- */

static enum plumb_status fail_another(const struct plumb_reader *r,
                                      struct plumb_error *err)
{
    return plumb_base_fail(err, PLUMB_EINPUT, r->first.line, r->first.column,
                           "a second history begins here; plumb monitor "
                           "follows one, plumb check reads several");
}

/* The history has ended.  What follows may be blanks and comments, but not
 * another history: read as one, the two would be a third. */
static enum plumb_status read_rest(struct plumb_history_stream *s,
                                   struct plumb_error *err)
{
    struct plumb_reader *const r = s->reader;
    struct plumb_builder *const mine = r->builder;
    struct plumb_error wrong = { 0 };
    r->builder = plumb_builder_new(s->budget);
    if (!r->builder) {
        r->builder = mine;
        return plumb_base_fail_memory(err);
    }
    enum plumb_status status = r->format->next(r, &wrong);
    if (status == PLUMB_OK || (status == PLUMB_EINPUT && r->first.line))
        status = fail_another(r, err);
    else if (status != PLUMB_END)
        *err = wrong;
    plumb_builder_free(r->builder);
    r->builder = mine;
    return status == PLUMB_END ? PLUMB_OK : status;
}

static enum plumb_status read_on(struct plumb_history_stream *s,
                                 struct plumb_error *err)
{
    struct plumb_reader *const r = s->reader;
    if (s->ended)
        return read_rest(s, err);
    const enum plumb_status status = r->format->next(r, err);
    const bool timed = r->builder->intervals;
    if (timed)
        plumb_builder_reset(r->builder); /* what it has are no events */
    if (status != PLUMB_OK)
        return status == PLUMB_END ? PLUMB_OK : status;
    s->any = true;
    s->ended = r->ended;
    if (s->ended)
        plumb_history_reader_begin(r);
    return timed ? fail_order(s, err) : PLUMB_OK;
}

/* Read what is whole, and keep the rest. */
static enum plumb_status read_held(struct plumb_history_stream *s, bool last,
                                   struct plumb_error *err)
{
    struct plumb_reader *const r = s->reader;
    enum plumb_status status;
    size_t before;
    bool ended;
    r->data = s->held ? s->held : "";
    r->size = last || !r->format->by_line ? s->size : whole_lines(s);
    r->more = !last;
    do {
        before = r->at;
        ended = s->ended;
        status = read_on(s, err);
    } while (status == PLUMB_OK && r->at < r->size &&
             (r->at > before || s->ended != ended));
    const size_t read = r->at;
    r->at = 0;
    drop(s, read);
    return status;
}

enum plumb_status plumb_history_stream_feed(struct plumb_history_stream *s,
                                            const char *data, size_t size,
                                            struct plumb_error *err)
{
    if (!hold(s, data, size))
        return plumb_base_fail_memory(err);
    if (!s->reader) {
        if (!knows_format(s, false))
            return PLUMB_OK;
        const enum plumb_status status = open_reader(s, err);
        if (status != PLUMB_OK)
            return status;
    }
    return read_held(s, false, err);
}

enum plumb_status plumb_history_stream_end(struct plumb_history_stream *s,
                                           struct plumb_error *err)
{
    enum plumb_status status = PLUMB_OK;
    if (!s->reader) {
        if (!s->size || !knows_format(s, true))
            return PLUMB_END;
        status = open_reader(s, err);
    }
    if (status == PLUMB_OK)
        status = read_held(s, true, err);
    return status == PLUMB_OK && !s->any ? PLUMB_END : status;
}

/* ---- whole histories ---- */

enum plumb_status plumb_history_stream_play(struct plumb_history_stream *s,
                                            const struct plumb_history *h,
                                            struct plumb_error *err)
{
    return plumb_history_play_open(&s->play, h, s->budget)
               ? PLUMB_OK
               : plumb_base_fail_memory(err);
}

/* ---- recordings ---- */

enum plumb_status plumb_history_stream_record(struct plumb_history_stream *s,
                                              int fd, struct plumb_error *err)
{
    struct plumb_history_recording *reader;
    const enum plumb_status status =
        plumb_history_recording_follow(&reader, fd, s->budget, err);
    if (status != PLUMB_OK)
        return status;
    struct plumb_builder *const b = plumb_builder_new(s->budget);
    if (!b) {
        plumb_history_recording_close(reader);
        return plumb_base_fail_memory(err);
    }
    plumb_history_builder_stream(b);
    s->format = PLUMB_FORMAT_RECORDING;
    s->recording = (struct plumb_history_recording_copy){ .recording = reader,
                                                          .builder = b,
                                                          .budget = s->budget };
    return PLUMB_OK;
}

enum plumb_history_recorded plumb_history_stream_take(
    struct plumb_history_stream *s, unsigned most, struct plumb_error *err)
{
    enum plumb_history_recorded found = PLUMB_RECORDED_LATER;
    for (unsigned i = 0; i < most; i++) {
        found = plumb_history_recording_copy_event(&s->recording, err);
        if (found != PLUMB_RECORDED_EVENT)
            break;
    }
    if (found != PLUMB_RECORDED_ERROR &&
        plumb_history_recording_copy_spec(&s->recording, err) != PLUMB_OK)
        found = PLUMB_RECORDED_ERROR;
    return found;
}
