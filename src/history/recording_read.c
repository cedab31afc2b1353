/* recording_read.c - a recording as a history.
 *
 * Its events come in order (recording.c); here they are handed to the builder.
 * A file is one history. */
#include "base/fail.h"
#include "base/memory.h"
#include "history/reader.h"
#include "history/recording.h"
#include "history/recording_format.h"
#include "history/symbols.h"
#include <stdio.h>
#include <string.h>

/* Symbols of the recording and processes, as the builder numbers them. */
struct numbers {
    uint32_t *symbol; /* number + 1, or 0 */
    size_t count;
};

struct reading {
    struct plumb_reader *reader;
    struct plumb_recording_reader *recording;
    struct numbers symbols, processes;
    struct plumb_error *err;
};

static uint32_t *entry_of(struct reading *r, struct numbers *n, uint32_t i)
{
    const size_t old = n->count;
    void *block = n->symbol;
    if (i < old)
        return &n->symbol[i];
    if (!plumb_grow(r->reader->budget, &block, &n->count, (size_t)i + 1,
                    sizeof *n->symbol))
        return NULL;
    n->symbol = block;
    memset(n->symbol + old, 0, (n->count - old) * sizeof *n->symbol);
    return &n->symbol[i];
}

static uint32_t intern(struct reading *r, uint32_t *entry, const char *text,
                       size_t length)
{
    const uint32_t s = plumb_builder_symbol(r->reader->builder, text, length);
    if (s != UINT32_MAX)
        *entry = s + 1;
    return s;
}

/* UINT32_MAX when memory is used up. */
static uint32_t symbol_of(struct reading *r, uint32_t symbol)
{
    uint32_t *const e = entry_of(r, &r->symbols, symbol);
    size_t length;
    if (!e || *e)
        return e ? *e - 1 : UINT32_MAX;
    const char *const text = plumb_symbol_text(
        plumb_recording_symbols(r->recording), symbol, &length);
    return intern(r, e, text, length);
}

static uint32_t process_of(struct reading *r, uint32_t process)
{
    uint32_t *const e = entry_of(r, &r->processes, process);
    char name[32];
    if (!e || *e)
        return e ? *e - 1 : UINT32_MAX;
    plumb_recording_process_name(r->recording, process, name);
    return intern(r, e, name, strlen(name));
}

static bool take_values(struct reading *r, const struct plumb_recorded_event *e,
                        struct plumb_value *value)
{
    for (uint32_t i = 0; i < e->values; i++) {
        value[i] = e->value[i];
        if (value[i].tag == PLUMB_STR) {
            const uint32_t symbol = symbol_of(r, (uint32_t)value[i].bits);
            if (symbol == UINT32_MAX)
                return false;
            value[i].bits = symbol;
        }
    }
    return true;
}

static enum plumb_status take_event(struct reading *r,
                                    const struct plumb_recorded_event *e)
{
    struct plumb_builder *const b = r->reader->builder;
    struct plumb_value value[RECORDING_VALUES];
    const uint32_t process = process_of(r, e->process);
    const uint32_t name = symbol_of(r, e->name);
    if (process == UINT32_MAX || name == UINT32_MAX ||
        !take_values(r, e, value))
        return plumb_fail_memory(r->err);
    if (!e->is_call)
        return plumb_builder_respond(b, process, UINT32_MAX, PLUMB_OUTCOME_OK,
                                     name, value, e->values, NULL, r->err);
    const uint32_t object = symbol_of(r, e->object);
    if (object == UINT32_MAX)
        return plumb_fail_memory(r->err);
    return plumb_builder_call(b, process, object, name, value, e->values, NULL,
                              r->err);
}

static enum plumb_status take_events(struct reading *r)
{
    struct plumb_recorded_event e;
    enum plumb_status status = PLUMB_OK;
    enum plumb_recorded found = PLUMB_RECORDED_END;
    while (status == PLUMB_OK &&
           (found = plumb_recording_next(r->recording, &e, r->err)) ==
               PLUMB_RECORDED_EVENT)
        status = take_event(r, &e);
    if (status == PLUMB_OK && found == PLUMB_RECORDED_ERROR)
        status = r->err->status;
    const uint32_t spec = plumb_recording_spec(r->recording);
    if (status == PLUMB_OK && spec) {
        const uint32_t symbol = symbol_of(r, spec);
        if (symbol == UINT32_MAX)
            return plumb_fail_memory(r->err);
        plumb_builder_spec(r->reader->builder, symbol);
    }
    const char *const note = plumb_recording_note(r->recording);
    if (status == PLUMB_OK && note)
        snprintf(r->reader->note, sizeof r->reader->note, "%s", note);
    return status;
}

static enum plumb_status read_from(struct plumb_reader *reader,
                                   const void *data, struct plumb_error *err)
{
    struct reading r = { .reader = reader, .err = err };
    enum plumb_status status = plumb_recording_open(
        &r.recording, data, reader->size, reader->whole, reader->budget, err);
    if (status != PLUMB_OK)
        return status;
    status = take_events(&r);
    plumb_release(reader->budget, r.symbols.symbol,
                  r.symbols.count * sizeof(uint32_t));
    plumb_release(reader->budget, r.processes.symbol,
                  r.processes.count * sizeof(uint32_t));
    plumb_recording_close(r.recording);
    return status;
}

static enum plumb_status read_recording(struct plumb_reader *reader,
                                        struct plumb_error *err)
{
    const char *const data = reader->data;
    const size_t size = reader->size;
    if (reader->at == size)
        return PLUMB_END;
    reader->at = size;
    if ((uintptr_t)data % sizeof(uint64_t) == 0)
        return read_from(reader, data, err);
    void *const copy = plumb_alloc(reader->budget, size);
    if (!copy)
        return plumb_fail_memory(err);
    memcpy(copy, data, size);
    const enum plumb_status status = read_from(reader, copy, err);
    plumb_release(reader->budget, copy, size);
    return status;
}

static int detect(const char *data, size_t size)
{
    const size_t magic = sizeof RECORDING_MAGIC - 1;
    return size >= magic && !memcmp(data, RECORDING_MAGIC, magic) ? 100 : 0;
}

const struct plumb_format_class plumb_format_recording = {
    .format = PLUMB_FORMAT_RECORDING,
    .name = "recording",
    .what = "what programs write with <plumb/record.h>",
    .ties = PLUMB_TIES_CALL_FIRST,
    .detect = detect,
    .next = read_recording,
};
