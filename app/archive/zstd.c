/* zstd.c - zstd data, with libzstd.
 *
 * libzstd allocates by itself: once when it begins, and a window when a frame
 * says how large a one it needs.  What it has is charged after each call, so a
 * limit is exceeded by one window at most, and never by more than libzstd's own
 * limit of 128 MB. */
#include "packing.h"

#include "base/memory.h"
#include <zstd.h>
#include <zstd_errors.h>

struct zstd {
    ZSTD_DStream *stream;
    struct plumb_budget *budget;
    size_t charged;
};

static bool charge(struct zstd *z)
{
    const size_t size = ZSTD_sizeof_DStream(z->stream);
    if (size > z->charged &&
        !plumb_base_budget_charge(z->budget, size - z->charged))
        return false;
    if (size < z->charged)
        plumb_base_budget_give_back(z->budget, z->charged - size);
    z->charged = size;
    return true;
}

static void end(void *state)
{
    struct zstd *const z = state;
    ZSTD_freeDStream(z->stream);
    plumb_base_budget_give_back(z->budget, z->charged);
}

static bool begin(void *state, struct plumb_budget *budget)
{
    struct zstd *const z = state;
    z->budget = budget;
    z->stream = ZSTD_createDStream();
    if (z->stream && charge(z))
        return true;
    end(z);
    return false;
}

static bool unpack(void *state, struct archive_step *s)
{
    struct zstd *const z = state;
    ZSTD_inBuffer in = { s->in, s->size, 0 };
    ZSTD_outBuffer out = { s->out, s->room, 0 };
    const size_t result = ZSTD_decompressStream(z->stream, &out, &in);
    s->in += in.pos;
    s->size -= in.pos;
    s->out += out.pos;
    s->room -= out.pos;
    s->ended = result == 0;
    if (ZSTD_isError(result) &&
        ZSTD_getErrorCode(result) != ZSTD_error_memory_allocation)
        s->why = ZSTD_getErrorName(result);
    return !ZSTD_isError(result) && charge(z);
}

static const struct archive_packing zstd = {
    .name = "zstd",
    .state = sizeof(struct zstd),
    .open = begin,
    .unpack = unpack,
    .close = end,
};
const struct archive_packing *const archive_zstd = &zstd;
