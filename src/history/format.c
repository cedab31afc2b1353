/* format.c - the formats by name, and the way from bytes to histories.
 *
 * Everything that differs between formats is in their classes; what is common,
 * the builder's life and going on after an error, is here. */
#include "reader.h"

#include "base/fail.h"
#include "base/memory.h"
#include "builder.h"
#include "foreign.h"
#include <assert.h>
#include <string.h>

static const struct plumb_history_format_class *const classes[] = {
    &plumb_history_format_native,    &plumb_history_format_jepsen,
    &plumb_history_format_edn,       &plumb_history_format_callret,
    &plumb_history_format_fastlin,   &plumb_history_format_fptlin,
    &plumb_history_format_jsonl,     &plumb_history_format_binary,
    &plumb_history_format_recording,
};
enum { CLASSES = sizeof classes / sizeof *classes };

const struct plumb_history_format_class *plumb_history_format_class(
    enum plumb_format format)
{
    for (size_t i = 0; i < CLASSES; i++)
        if (classes[i]->format == format)
            return classes[i];
    return NULL;
}

const char *plumb_format_name(enum plumb_format format)
{
    const struct plumb_history_format_class *const c =
        plumb_history_format_class(format);
    return c ? c->name : NULL;
}

enum plumb_format plumb_format_by_name(const char *name)
{
    for (size_t i = 0; i < CLASSES; i++)
        if (strcmp(classes[i]->name, name) == 0)
            return classes[i]->format;
    return PLUMB_FORMAT_AUTO;
}

/* Some editors put one before a text. */
static size_t byte_order_mark(const char *data, size_t size)
{
    return size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

enum plumb_format plumb_history_format_guess(const char *data, size_t size,
                                             int *sure)
{
    const size_t skip = data ? byte_order_mark(data, size) : 0;
    const char *const from = data ? data + skip : "";
    const size_t seen = size < PLUMB_DETECT_SIZE ? size : PLUMB_DETECT_SIZE;
    enum plumb_format best = PLUMB_FORMAT_AUTO;
    *sure = 0;
    for (size_t i = 0; i < CLASSES; i++) {
        const int mine = classes[i]->detect(from, seen - skip);
        if (mine > *sure) {
            *sure = mine;
            best = classes[i]->format;
        }
    }
    return best;
}

enum plumb_format plumb_format_detect(const char *data, size_t size)
{
    int sure;
    return plumb_history_format_guess(data, size, &sure);
}

static enum plumb_ties ties_of(const struct plumb_history_format_class *c,
                               enum plumb_tie_rule rule)
{
    if (rule == PLUMB_TIES_OF_FORMAT)
        return c->ties;
    return rule == PLUMB_TIES_CALL ? PLUMB_TIES_CALL_FIRST
                                   : PLUMB_TIES_RETURN_FIRST;
}

static struct plumb_reader *new_reader(
    const struct plumb_history_format_class *c, struct plumb_budget *budget)
{
    struct plumb_reader *const r = plumb_base_alloc_zeroed(budget, sizeof *r);
    if (!r)
        return NULL;
    r->format = c;
    r->budget = budget;
    r->builder = plumb_builder_new(budget);
    r->state = c->state ? plumb_base_alloc_zeroed(budget, c->state) : NULL;
    if (r->builder && (r->state || !c->state))
        return r;
    plumb_reader_close(r);
    return NULL;
}

static enum plumb_status fail_unknown(const char *data, size_t size,
                                      struct plumb_error *err)
{
    const char *const what = plumb_history_foreign(data, size);
    if (what)
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0, "not a history, but %s",
                               what);
    return plumb_base_fail(err, PLUMB_EINPUT, 1, 1,
                           "unknown history format; name it with --format");
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
    const struct plumb_history_format_class *const c =
        plumb_history_format_class(format);
    if (!c)
        return fail_unknown(data, size, err);
    struct plumb_reader *const r = new_reader(c, budget);
    if (!r)
        return plumb_base_fail_memory(err);
    r->data = data;
    r->size = size;
    r->at = c->map ? 0 : byte_order_mark(data, size);
    r->line = 1;
    r->ties = ties_of(c, ties);
    *reader = r;
    return PLUMB_OK;
}

enum plumb_format plumb_reader_format(const struct plumb_reader *reader)
{
    return reader->format->format;
}

void plumb_reader_signature(struct plumb_reader *r,
                            struct plumb_signature signature)
{
    r->signature = signature;
}

void plumb_history_reader_begin(struct plumb_reader *r)
{
    if (r->format->forget)
        r->format->forget(r);
    if (r->state)
        memset(r->state, 0, r->format->state);
    r->ended = false;
    r->first = (struct plumb_origin){ 0, 0 };
}

static enum plumb_status read_one(struct plumb_reader *r,
                                  struct plumb_history *h,
                                  struct plumb_error *err)
{
    if (r->format->map)
        return r->format->map(r, h, err);
    plumb_builder_reset(r->builder); /* an error may have left half a history */
    plumb_history_reader_begin(r);
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
        status = plumb_base_fail_budget(r->budget, err);
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
    if (r->state)
        plumb_history_reader_begin(r);
    plumb_base_release(r->budget, r->state, r->format->state);
    plumb_builder_free(r->builder);
    plumb_base_release(r->budget, r, sizeof *r);
}

void plumb_reader_keep_times(struct plumb_reader *r)
{
    r->builder->keeps_times = true;
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
        [PLUMB_LOSS_SPEC] = "the name of the specification",
        [PLUMB_LOSS_EMPTY] = "histories without operations",
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
    const struct plumb_history_format_class *const c =
        plumb_history_format_class(format);
    if (!c || !c->write)
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "cannot write histories in format %s",
                               c ? c->name : "auto");
    return c->write(h, index, sink, losses, err);
}
