/* recording_read.c - a recording as a history.
 *
 * Its events come in order (recording.c); here they are handed to the builder.
 * A file is one history. */
#include "base/fail.h"
#include "base/memory.h"
#include "history/reader.h"
#include "recording_copy.h"
#include "recording_format.h"
#include <stdio.h>
#include <string.h>

static enum plumb_status take_events(struct plumb_reader *reader,
                                     struct plumb_history_recording_copy *c,
                                     struct plumb_error *err)
{
    enum plumb_history_recorded found;
    while ((found = plumb_history_recording_copy_event(c, err)) ==
           PLUMB_RECORDED_EVENT)
        ;
    if (found == PLUMB_RECORDED_ERROR)
        return err->status;
    const char *const note = plumb_history_recording_note(c->recording);
    if (note)
        snprintf(reader->note, sizeof reader->note, "%s", note);
    return plumb_history_recording_copy_spec(c, err);
}

static enum plumb_status read_from(struct plumb_reader *reader,
                                   const void *data, struct plumb_error *err)
{
    struct plumb_history_recording_copy c = { .builder = reader->builder,
                                              .budget = reader->budget };
    enum plumb_status status = plumb_history_recording_open(
        &c.recording, data, reader->size, reader->whole, reader->budget, err);
    if (status != PLUMB_OK)
        return status;
    status = take_events(reader, &c, err);
    plumb_history_recording_copy_release(&c);
    plumb_history_recording_close(c.recording);
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
    void *const copy = plumb_base_alloc(reader->budget, size);
    if (!copy)
        return plumb_base_fail_memory(err);
    memcpy(copy, data, size);
    const enum plumb_status status = read_from(reader, copy, err);
    plumb_base_release(reader->budget, copy, size);
    return status;
}

static int detect(const char *data, size_t size)
{
    const size_t magic = sizeof RECORDING_MAGIC - 1;
    return size >= magic && !memcmp(data, RECORDING_MAGIC, magic) ? 100 : 0;
}

const struct plumb_history_format_class plumb_history_format_recording = {
    .format = PLUMB_FORMAT_RECORDING,
    .name = "recording",
    .what = "recordings written with <plumb/record.h>",
    .ties = PLUMB_TIES_CALL_FIRST,
    .detect = detect,
    .next = read_recording,
};
