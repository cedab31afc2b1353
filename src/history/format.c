/* format.c - the formats by name, and the way from bytes to histories.
 *
 * Everything that differs between formats is in their classes; what is common,
 * the builder's life and going on after an error, is here. */
#include "history/reader.h"

#include "base/fail.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>

static const struct plumb_format_class *const classes[] = {
    &plumb_format_native,  &plumb_format_jepsen,  &plumb_format_edn,
    &plumb_format_callret, &plumb_format_fastlin, &plumb_format_fptlin,
    &plumb_format_jsonl,   &plumb_format_binary,  &plumb_format_recording,
};
enum { CLASSES = sizeof classes / sizeof *classes };

/* A file announces what it is in its first few KiB, or nowhere. */
enum { DETECT_SIZE = 4096 };

static const struct plumb_format_class *class_of(enum plumb_format format)
{
    for (size_t i = 0; i < CLASSES; i++)
        if (classes[i]->format == format)
            return classes[i];
    return NULL;
}

const char *plumb_format_name(enum plumb_format format)
{
    const struct plumb_format_class *const c = class_of(format);
    return c ? c->name : NULL;
}

enum plumb_format plumb_format_by_name(const char *name)
{
    for (size_t i = 0; i < CLASSES; i++)
        if (strcmp(classes[i]->name, name) == 0)
            return classes[i]->format;
    return PLUMB_FORMAT_AUTO;
}

enum plumb_format plumb_format_detect(const char *data, size_t size)
{
    const size_t seen = size < DETECT_SIZE ? size : DETECT_SIZE;
    enum plumb_format best = PLUMB_FORMAT_AUTO;
    int surest = 0;
    if (!data)
        data = "";
    for (size_t i = 0; i < CLASSES; i++) {
        const int sure = classes[i]->detect(data, seen);
        if (sure > surest) {
            surest = sure;
            best = classes[i]->format;
        }
    }
    return best;
}

static enum plumb_ties ties_of(const struct plumb_format_class *c,
                               enum plumb_tie_rule rule)
{
    if (rule == PLUMB_TIES_OF_FORMAT)
        return c->ties;
    return rule == PLUMB_TIES_CALL ? PLUMB_TIES_CALL_FIRST
                                   : PLUMB_TIES_RETURN_FIRST;
}

enum plumb_status plumb_reader_open(struct plumb_reader **reader,
                                    const char *data, size_t size,
                                    enum plumb_format format,
                                    enum plumb_tie_rule ties,
                                    struct plumb_budget *budget,
                                    struct plumb_error *err)
{
    assert(reader && (data || !size) && err);
    if (!data)
        data = ""; /* no reader needs to know */
    if (format == PLUMB_FORMAT_AUTO)
        format = plumb_format_detect(data, size);
    const struct plumb_format_class *const c = class_of(format);
    if (!c)
        return plumb_fail(err, PLUMB_EINPUT, 1, 1,
                          "this looks like no format of histories we know");
    struct plumb_reader *const r = plumb_alloc(budget, sizeof *r);
    struct plumb_builder *const b = plumb_builder_new(budget);
    if (!r || !b) {
        plumb_builder_free(b);
        plumb_release(budget, r, sizeof *r);
        return plumb_fail_memory(err);
    }
    *r = (struct plumb_reader){ .format = c,
                                .data = data,
                                .size = size,
                                .line = 1,
                                .ties = ties_of(c, ties),
                                .budget = budget,
                                .builder = b };
    *reader = r;
    return PLUMB_OK;
}

enum plumb_format plumb_reader_format(const struct plumb_reader *reader)
{
    return reader->format->format;
}

static enum plumb_status read_one(struct plumb_reader *r,
                                  struct plumb_history *h,
                                  struct plumb_error *err)
{
    if (r->format->map)
        return r->format->map(r, h, err);
    plumb_builder_reset(r->builder); /* an error may have left half a history */
    const enum plumb_status status = r->format->next(r, err);
    if (status != PLUMB_OK)
        return status;
    return plumb_builder_finish(r->builder, r->ties, h, err);
}

enum plumb_status plumb_reader_next(struct plumb_reader *r,
                                    struct plumb_history *h,
                                    struct plumb_error *err)
{
    assert(r && h && err);
    r->begin = r->at;
    r->note[0] = '\0';
    enum plumb_status status = read_one(r, h, err);
    if (status == PLUMB_EMEMORY) /* time ends what makes room, too */
        status = plumb_fail_budget(r->budget, err);
    assert(r->at <= r->size);
    if (status == PLUMB_OK || status == PLUMB_EINPUT)
        r->given++;
    /* Only bad input can be skipped, and only by going forward: a caller that
     * reads on after errors must come to an end. */
    if (status != PLUMB_OK && (status != PLUMB_EINPUT || r->at == r->begin))
        r->at = r->size;
    return status;
}

enum plumb_status plumb_reader_validate(struct plumb_reader *r,
                                        struct plumb_history *h,
                                        struct plumb_error *err)
{
    assert(r && h && err);
    if (h->valid)
        return PLUMB_OK;
    assert(r->format->validate);
    const enum plumb_status status = r->format->validate(r, h, err);
    h->valid = status == PLUMB_OK;
    if (!h->valid)
        r->at = r->size; /* nothing behind it is to be trusted */
    return status;
}

void plumb_reader_close(struct plumb_reader *r)
{
    if (!r)
        return;
    plumb_builder_free(r->builder);
    plumb_release(r->budget, r, sizeof *r);
}

void plumb_reader_is_whole(struct plumb_reader *r)
{
    r->whole = true;
}

const char *plumb_reader_note(const struct plumb_reader *r)
{
    return r->note[0] ? r->note : NULL;
}

const char *plumb_loss_name(enum plumb_loss loss)
{
    static const char *const name[PLUMB_LOSSES] = {
        [PLUMB_LOSS_SPEC] = "name of the specification",
        [PLUMB_LOSS_EMPTY] = "history without operations",
    };
    return loss < PLUMB_LOSSES ? name[loss] : NULL;
}

enum plumb_status plumb_history_write(const struct plumb_history *h,
                                      enum plumb_format format, size_t index,
                                      const struct plumb_sink *sink,
                                      uint64_t losses[PLUMB_LOSSES],
                                      struct plumb_error *err)
{
    assert(h && sink && losses && err);
    const struct plumb_format_class *const c = class_of(format);
    if (!c || !c->write)
        return plumb_fail(err, PLUMB_EINPUT, 0, 0,
                          "histories cannot be written in the format %s",
                          c ? c->name : "auto");
    return c->write(h, index, sink, losses, err);
}
