/* stream.c - see stream.h. */
#include "history/stream.h"

#include "base/fail.h"
#include "history/reader.h"
#include <string.h>

void plumb_stream_init(struct plumb_stream *s, enum plumb_format format,
                       struct plumb_budget *budget)
{
    *s = (struct plumb_stream){ .format = format, .budget = budget };
}

void plumb_stream_release(struct plumb_stream *s)
{
    plumb_reader_close(s->reader);
    s->reader = NULL;
    plumb_play_close(&s->play);
    if (!s->recording.builder)
        return;
    plumb_recording_copy_release(&s->recording);
    plumb_recording_close(s->recording.recording);
    plumb_builder_free(s->recording.builder);
    s->recording.builder = NULL;
}

struct plumb_builder *plumb_stream_builder(const struct plumb_stream *s)
{
    return s->reader         ? s->reader->builder
           : s->play.builder ? s->play.builder
                             : s->recording.builder;
}

/* A line for each event, as it happened. */
bool plumb_stream_comes_in_order(enum plumb_format format)
{
    switch (format) {
    case PLUMB_FORMAT_NATIVE:
    case PLUMB_FORMAT_JEPSEN:
    case PLUMB_FORMAT_EDN:
    case PLUMB_FORMAT_CALLRET:
    case PLUMB_FORMAT_JSONL:
        return true;
    default:
        return false;
    }
}

static enum plumb_status fail_order(const struct plumb_stream *s,
                                    struct plumb_error *err)
{
    if (s->format == PLUMB_FORMAT_RECORDING)
        return plumb_fail(err, PLUMB_EINPUT, 0, 0,
                          "a recording is followed in its file, not through a "
                          "pipe: give the name of the file");
    const char *const name = plumb_format_name(s->format);
    if (!plumb_stream_comes_in_order(s->format))
        return plumb_fail(err, PLUMB_EINPUT, 0, 0,
                          "these events (%s) do not come in the order of time; "
                          "with --format %s they are read to the end first",
                          name, name);
    return plumb_fail(err, PLUMB_EINPUT, 0, 0,
                      "these events (%s) do not come in the order of time; "
                      "plumb check reads them",
                      name);
}

/* Behind the string or comment that begins at `at`; NULL: it does not end. */
static const char *behind(const char *at, const char *end)
{
    if (*at == '"') {
        for (at++; at < end && *at != '"' && *at != '\n'; at++)
            if (*at == '\\' && at + 1 < end)
                at++;
        return at < end ? at + 1 : end;
    }
    const char *const close = memmem(at + 2, (size_t)(end - at) - 2, "*/", 2);
    return close ? close + 2 : NULL;
}

static bool has_events(const struct plumb_reader *r)
{
    return r->builder->a && (r->builder->count || r->builder->threads);
}

/* In native text a blank line ends a history. */
static bool ends_with_blank_line(const struct plumb_stream *s, const char *data,
                                 size_t size)
{
    if (s->format != PLUMB_FORMAT_NATIVE || !size || data[size - 1] != '\n')
        return false;
    size_t at = size - 1;
    while (at > 0 && (data[at - 1] == ' ' || data[at - 1] == '\t' ||
                      data[at - 1] == '\r'))
        at--;
    return at > 0 && data[at - 1] == '\n';
}

/* The history has ended.  Two in one would be another history, so nothing but
 * blanks and comments may follow. */
static enum plumb_status check_rest(struct plumb_stream *s,
                                    struct plumb_error *err)
{
    struct plumb_reader *const r = s->reader;
    const char *at = r->data + r->at, *const end = r->data + r->size;
    uint32_t line = r->line;
    while (at < end) {
        const char *next = at + 1;
        if (*at == '/' && next < end && *next == '*')
            next = behind(at, end);
        else if (!strchr(" \t\r\n", *at))
            return plumb_fail(err, PLUMB_EINPUT, line, 1,
                              "another history begins here; a stream is one, "
                              "plumb check reads several");
        next = next ? next : end;
        for (; at < next; at++)
            line += *at == '\n';
    }
    r->at = r->size;
    r->line = line;
    return PLUMB_OK;
}

static enum plumb_status begin(struct plumb_stream *s, const char *data,
                               size_t size, struct plumb_error *err)
{
    const enum plumb_status status =
        plumb_reader_open(&s->reader, data, size, s->format,
                          PLUMB_TIES_OF_FORMAT, s->budget, err);
    if (status != PLUMB_OK)
        return status;
    s->format = plumb_reader_format(s->reader);
    if (!plumb_stream_comes_in_order(s->format))
        return fail_order(s, err);
    plumb_builder_stream(s->reader->builder);
    return PLUMB_OK;
}

enum plumb_status plumb_stream_feed(struct plumb_stream *s, const char *data,
                                    size_t size, struct plumb_error *err)
{
    if (!s->reader) {
        const enum plumb_status status = begin(s, data, size, err);
        if (status != PLUMB_OK)
            return status;
    }
    struct plumb_reader *const r = s->reader;
    r->data = data;
    r->size = size;
    r->at = 0;
    while (r->at < r->size) {
        if (s->ended)
            return check_rest(s, err);
        const enum plumb_status status = r->format->next(r, err);
        if (status == PLUMB_END)
            break;
        if (status != PLUMB_OK)
            return status;
        s->ended |= r->at < r->size && has_events(r);
    }
    s->ended |= has_events(r) && ends_with_blank_line(s, data, size);
    if (r->builder->intervals) {
        plumb_builder_reset(r->builder); /* what it has are no events */
        return fail_order(s, err);
    }
    return PLUMB_OK;
}

size_t plumb_stream_whole(const struct plumb_stream *s, const char *data,
                          size_t size)
{
    const char *const end = data + size, *line = data;
    if ((s->format != PLUMB_FORMAT_NATIVE && s->format != PLUMB_FORMAT_AUTO) ||
        !memmem(data, size, "/*", 2))
        return size;
    for (const char *at = data; at < end;) {
        const bool comment = *at == '/' && at + 1 < end && at[1] == '*';
        if (*at == '\n')
            line = at + 1;
        if (*at != '"' && !comment) {
            at++;
            continue;
        }
        const char *const next = behind(at, end);
        if (!next)
            return (size_t)(line - data);
        at = next;
    }
    return size;
}

/* ---- whole histories ---- */

enum plumb_status plumb_stream_play(struct plumb_stream *s,
                                    const struct plumb_history *h,
                                    struct plumb_error *err)
{
    return plumb_play_open(&s->play, h, s->budget) ? PLUMB_OK
                                                   : plumb_fail_memory(err);
}

enum plumb_status plumb_stream_play_some(struct plumb_stream *s, unsigned most,
                                         struct plumb_error *err)
{
    return plumb_play_some(&s->play, most, err);
}

/* ---- recordings ---- */

enum plumb_status plumb_stream_record(struct plumb_stream *s, int fd,
                                      struct plumb_error *err)
{
    struct plumb_recording_reader *reader;
    const enum plumb_status status =
        plumb_recording_follow(&reader, fd, s->budget, err);
    if (status != PLUMB_OK)
        return status;
    struct plumb_builder *const b = plumb_builder_new(s->budget);
    if (!b) {
        plumb_recording_close(reader);
        return plumb_fail_memory(err);
    }
    plumb_builder_stream(b);
    s->format = PLUMB_FORMAT_RECORDING;
    s->recording = (struct plumb_recording_copy){ .recording = reader,
                                                  .builder = b,
                                                  .budget = s->budget };
    return PLUMB_OK;
}

enum plumb_recorded plumb_stream_take(struct plumb_stream *s, unsigned most,
                                      struct plumb_error *err)
{
    enum plumb_recorded found = PLUMB_RECORDED_LATER;
    for (unsigned i = 0; i < most; i++) {
        found = plumb_recording_copy_event(&s->recording, err);
        if (found != PLUMB_RECORDED_EVENT)
            break;
    }
    if (found != PLUMB_RECORDED_ERROR &&
        plumb_recording_copy_spec(&s->recording, err) != PLUMB_OK)
        found = PLUMB_RECORDED_ERROR;
    return found;
}
