/* emit.c - a buffered sink, and events by rank. */
#include "emit.h"

#include "base/fail.h"
#include "base/memory.h"
#include "history/symbols.h"
#include <assert.h>
#include <errno.h>

void plumb_history_emit_begin(struct plumb_history_emit *e,
                              const struct plumb_sink *sink)
{
    e->sink = sink;
    e->used = 0;
    e->refused = false;
    e->error = 0;
}

static void pass_on(struct plumb_history_emit *e, const void *data, size_t size)
{
    if (e->refused || size == 0)
        return;
    errno = 0;
    if (e->sink->write(e->sink->context, data, size) == 0)
        return;
    e->refused = true;
    e->error = errno;
}

void plumb_history_emit_flush(struct plumb_history_emit *e)
{
    assert(e->used <= PLUMB_EMIT_ROOM);
    pass_on(e, e->block, e->used);
    e->used = 0;
}

void plumb_history_emit_bytes(struct plumb_history_emit *e, const void *data,
                              size_t size)
{
    if (size > PLUMB_EMIT_ROOM - e->used)
        plumb_history_emit_flush(e);
    if (size > PLUMB_EMIT_ROOM) {
        pass_on(e, data, size);
        return;
    }
    if (size)
        memcpy(e->block + e->used, data, size);
    e->used += size;
}

void plumb_history_emit_int(struct plumb_history_emit *e, int64_t value)
{
    char digit[20];
    size_t at = sizeof digit;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do
        digit[--at] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        digit[--at] = '-';
    plumb_history_emit_bytes(e, digit + at, sizeof digit - at);
}

enum plumb_status plumb_history_emit_end(struct plumb_history_emit *e,
                                         struct plumb_error *err)
{
    char text[128];
    plumb_history_emit_flush(e);
    if (!e->refused)
        return PLUMB_OK;
    return plumb_base_fail(err, PLUMB_EIO, 0, 0, "cannot write the history: %s",
                           e->error ? strerror_r(e->error, text, sizeof text)
                                    : "the output function failed");
}

static size_t events_size(const struct plumb_history *h)
{
    return h->events * sizeof(uint32_t);
}

uint32_t *plumb_history_events_new(const struct plumb_history *h)
{
    uint32_t *const event =
        plumb_base_alloc(h->symbols->budget, events_size(h));
    if (!event)
        return NULL;
    for (uint32_t i = 0; i < h->count; i++) {
        event[h->op[i].call] = 2 * i;
        assert(h->op[i].call < h->events);
        if (h->op[i].resp != PLUMB_NEVER)
            event[h->op[i].resp] = 2 * i + 1;
    }
    return event;
}

void plumb_history_events_free(const struct plumb_history *h, uint32_t *event)
{
    plumb_base_release(h->symbols->budget, event, events_size(h));
}
