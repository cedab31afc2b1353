/* gzip.c - gzip data, with zlib. */
#define ZLIB_CONST /* what is read stays as it is */
#include "packing.h"

#include "base/memory.h"
#include <limits.h>
#include <stdalign.h>
#include <zlib.h>

struct gzip {
    z_stream z;
    bool ended; /* the member; another one begins with what comes */
};

/* zlib gives back blocks without their size, so it stands before each. */
enum { BEFORE = alignof(max_align_t) };

static void *allocate(void *budget, unsigned items, unsigned size)
{
    const size_t whole = (size_t)items * size + BEFORE;
    char *const block = plumb_base_alloc(budget, whole);
    if (!block)
        return NULL;
    *(size_t *)(void *)block = whole;
    return block + BEFORE;
}

static void release(void *budget, void *block)
{
    char *const whole = (char *)block - BEFORE;
    plumb_base_release(budget, whole, *(size_t *)(void *)whole);
}

/* 32 kB of history, the most there is; 16: gzip's header is expected. */
enum { WINDOW = 15 + 16 };

static bool begin(void *state, struct plumb_budget *budget)
{
    struct gzip *const g = state;
    g->z.opaque = budget;
    g->z.zalloc = allocate;
    g->z.zfree = release;
    return inflateInit2(&g->z, WINDOW) == Z_OK;
}

static void end(void *state)
{
    inflateEnd(&((struct gzip *)state)->z);
}

static unsigned at_most(size_t size)
{
    return size < UINT_MAX ? (unsigned)size : UINT_MAX;
}

static const char *reason(const z_stream *z)
{
    return z->msg ? z->msg : "invalid data";
}

static bool unpack(void *state, struct archive_step *s)
{
    struct gzip *const g = state;
    const unsigned size = at_most(s->size), room = at_most(s->room);
    if (g->ended && inflateReset(&g->z) != Z_OK)
        return false;
    g->z.next_in = (const Bytef *)s->in;
    g->z.avail_in = size;
    g->z.next_out = (Bytef *)s->out;
    g->z.avail_out = room;
    const int result = inflate(&g->z, Z_NO_FLUSH);
    s->in += size - g->z.avail_in;
    s->size -= size - g->z.avail_in;
    s->out += room - g->z.avail_out;
    s->room -= room - g->z.avail_out;
    s->ended = g->ended = result == Z_STREAM_END;
    if (result == Z_DATA_ERROR || result == Z_NEED_DICT)
        s->why = reason(&g->z);
    return result == Z_OK || result == Z_BUF_ERROR || result == Z_STREAM_END;
}

static const struct archive_packing gzip = {
    .name = "gzip",
    .state = sizeof(struct gzip),
    .open = begin,
    .unpack = unpack,
    .close = end,
};
const struct archive_packing *const archive_gzip = &gzip;
