/* archive.c - see archive.h.
 *
 * The kinds unpack; what they have in common is here: the place of a mistake,
 * members that follow each other, and an end that comes too early. */
#include "packing.h"

#include "base/fail.h"
#include "base/memory.h"
#include <assert.h>
#include <inttypes.h>
#include <string.h>

struct archive {
    const struct archive_packing *packing;
    struct plumb_budget *budget;
    void *state;
    uint64_t at;  /* packed bytes that were used */
    bool between; /* two members: the data may end here */
};

enum archive_kind archive_kind_of(const char *data, size_t size)
{
    if (size >= 2 && memcmp(data, "\x1f\x8b", 2) == 0)
        return ARCHIVE_GZIP;
    if (size >= 4 && memcmp(data, "\x28\xb5\x2f\xfd", 4) == 0)
        return ARCHIVE_ZSTD;
    return ARCHIVE_NONE;
}

static enum plumb_status fail_without(enum archive_kind kind,
                                      struct plumb_error *err)
{
    const bool gzip = kind == ARCHIVE_GZIP;
    return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                           "%s data, and this plumb was built without %s; "
                           "decompress it first, with %s -d",
                           gzip ? "gzip" : "zstd", gzip ? "zlib" : "libzstd",
                           gzip ? "gzip" : "zstd");
}

static struct archive *new_archive(const struct archive_packing *packing,
                                   struct plumb_budget *budget)
{
    struct archive *const a = plumb_base_alloc_zeroed(budget, sizeof *a);
    if (!a)
        return NULL;
    a->packing = packing;
    a->budget = budget;
    a->state = plumb_base_alloc_zeroed(budget, packing->state);
    if (a->state && packing->open(a->state, budget))
        return a;
    plumb_base_release(budget, a->state, packing->state);
    plumb_base_release(budget, a, sizeof *a);
    return NULL;
}

enum plumb_status archive_new(struct archive **archive, enum archive_kind kind,
                              struct plumb_budget *budget,
                              struct plumb_error *err)
{
    assert(kind != ARCHIVE_NONE);
    const struct archive_packing *const packing =
        kind == ARCHIVE_GZIP ? archive_gzip : archive_zstd;
    if (!packing)
        return fail_without(kind, err);
    *archive = new_archive(packing, budget);
    return *archive ? PLUMB_OK : plumb_base_fail_memory(err);
}

void archive_free(struct archive *a)
{
    if (!a)
        return;
    a->packing->close(a->state);
    plumb_base_release(a->budget, a->state, a->packing->state);
    plumb_base_release(a->budget, a, sizeof *a);
}

static enum plumb_status fail_damaged(const struct archive *a, const char *why,
                                      struct plumb_error *err)
{
    return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                           "damaged %s data at byte %" PRIu64 ": %s",
                           a->packing->name, a->at, why);
}

/* Whoever writes archives to tapes fills them up with zeros. */
static bool skip_zeros(struct archive *a, struct archive_step *s)
{
    while (a->between && s->size && !*s->in) {
        s->in++;
        s->size--;
        a->at++;
    }
    return s->size;
}

enum plumb_status archive_unpack(struct archive *a, const char **in,
                                 size_t *size, char *out, size_t room,
                                 size_t *made, struct plumb_error *err)
{
    struct archive_step s = {
        .in = *in, .size = *size, .out = out, .room = room
    };
    bool good = true;
    for (size_t before = SIZE_MAX;
         good && s.room && before != s.room + s.size;) {
        if (a->between && !skip_zeros(a, &s))
            break;
        before = s.room + s.size;
        const char *const from = s.in;
        s.ended = false;
        good = a->packing->unpack(a->state, &s);
        a->at += (uint64_t)(s.in - from);
        a->between = s.ended;
    }
    *in = s.in;
    *size = s.size;
    *made = room - s.room;
    if (good)
        return PLUMB_OK;
    return s.why ? fail_damaged(a, s.why, err) : plumb_base_fail_memory(err);
}

enum plumb_status archive_end(const struct archive *a, struct plumb_error *err)
{
    return a->between ? PLUMB_OK : fail_damaged(a, "it ends too early", err);
}

size_t archive_peek(const char *data, size_t size, char *out, size_t room)
{
    struct archive *a;
    struct plumb_error err;
    size_t made = 0;
    const enum archive_kind kind = archive_kind_of(data, size);
    if (kind == ARCHIVE_NONE || archive_new(&a, kind, NULL, &err) != PLUMB_OK)
        return 0;
    archive_unpack(a, &data, &size, out, room, &made, &err);
    archive_free(a);
    return made;
}
