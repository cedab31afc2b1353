/* stream.c - see stream.h. */
#include "history/stream.h"

#include "base/fail.h"
#include "history/reader.h"

void plumb_stream_init(struct plumb_stream *s, enum plumb_format format,
                       struct plumb_budget *budget)
{
    *s = (struct plumb_stream){ .format = format, .budget = budget };
}

void plumb_stream_release(struct plumb_stream *s)
{
    plumb_reader_close(s->reader);
    s->reader = NULL;
    if (!s->recording.builder)
        return;
    plumb_recording_copy_release(&s->recording);
    plumb_recording_close(s->recording.recording);
    plumb_builder_free(s->recording.builder);
    s->recording.builder = NULL;
}

struct plumb_builder *plumb_stream_builder(const struct plumb_stream *s)
{
    return s->reader ? s->reader->builder : s->recording.builder;
}

/* A line for each event, as it happened. */
static bool comes_in_order(enum plumb_format format)
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
    return plumb_fail(err, PLUMB_EINPUT, 0, 0,
                      "these events (%s) do not come in the order of time; "
                      "plumb check reads them",
                      plumb_format_name(s->format));
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
    if (!comes_in_order(s->format))
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
        const enum plumb_status status = r->format->next(r, err);
        if (status == PLUMB_END)
            break;
        if (status != PLUMB_OK)
            return status;
    }
    if (r->builder->intervals)
        return fail_order(s, err);
    return PLUMB_OK;
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
