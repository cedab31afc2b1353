/* packed_input.c - see packed_input.h. */
#include "packed_input.h"

#include "archive.h"
#include "base/fail.h"
#include "base/memory.h"

enum { AT_ONCE = 1 << 20 };

struct unpacked {
    char *data;
    size_t size, capacity;
};

/* One more piece, until no more comes. */
static enum plumb_status unpack_some(struct archive *a, const char **in,
                                     size_t *size, struct unpacked *u,
                                     struct plumb_budget *budget, bool *more,
                                     struct plumb_error *err)
{
    size_t made = 0;
    if (!PLUMB_GROW(budget, u->data, u->capacity, u->size + AT_ONCE))
        return plumb_base_fail_memory(err);
    PLUMB_TRY(
        archive_unpack(a, in, size, u->data + u->size, AT_ONCE, &made, err));
    u->size += made;
    *more = made == AT_ONCE;
    const enum plumb_status status = plumb_budget_state(budget);
    return status == PLUMB_OK ? status : plumb_base_fail_budget(budget, err);
}

static enum plumb_status unpack_all(struct archive *a,
                                    const struct console_input *in,
                                    struct unpacked *u, struct plumb_error *err)
{
    const char *from = in->data;
    size_t size = in->size;
    for (bool more = true; more;)
        PLUMB_TRY(unpack_some(a, &from, &size, u, in->budget, &more, err));
    return archive_end(a, err);
}

static enum plumb_status unpack(struct console_input *in,
                                enum archive_kind kind, struct plumb_error *err)
{
    struct unpacked u = { 0 };
    struct archive *a;
    PLUMB_TRY(archive_new(&a, kind, in->budget, err));
    const enum plumb_status status = unpack_all(a, in, &u, err);
    archive_free(a);
    if (status == PLUMB_OK)
        console_input_replace(in, u.data, u.size, u.capacity);
    else
        plumb_base_release(in->budget, u.data, u.capacity);
    return status;
}

enum plumb_status archive_open_input(struct console_input *in, const char *path,
                                     struct plumb_budget *budget,
                                     struct plumb_error *err)
{
    PLUMB_TRY(console_input_open(in, path, budget, err));
    const enum archive_kind kind = archive_kind_of(in->data, in->size);
    if (kind == ARCHIVE_NONE)
        return PLUMB_OK;
    const enum plumb_status status = unpack(in, kind, err);
    if (status != PLUMB_OK)
        console_input_close(in);
    return status;
}
