/* recording_open.c - a recording is opened, and closed.
 *
 * All that tells whether a file is what it seems to be is in its header. */
#include "base/memory.h"
#include "recording_state.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the header ---- */

#define FIELD(name) offsetof(struct plumb_history_recording_header, name)

static bool check_kind(struct plumb_history_recording *r)
{
    const struct plumb_history_recording_header *const h =
        plumb_history_header(r);
    const size_t magic = sizeof h->magic, size = r->file.size;
    if (size < magic || memcmp(h->magic, RECORDING_MAGIC, magic) != 0)
        return plumb_history_fail_at_byte(r, 0, "not a recording");
    if (size < sizeof *h) {
        plumb_base_fail(
            r->err, PLUMB_EINPUT, 0, size,
            "truncated: the header needs %zu bytes, the file has %zu",
            sizeof *h, size);
        return false;
    }
    if (h->order == __builtin_bswap32(RECORDING_ORDER_MARK))
        return plumb_history_fail_at_byte(
            r, FIELD(order),
            "written on a machine with the opposite byte order");
    if (h->order != RECORDING_ORDER_MARK)
        return plumb_history_fail_at_byte(r, FIELD(order),
                                          "the byte order mark is corrupt");
    if (h->version != RECORDING_VERSION) {
        plumb_base_fail(r->err, PLUMB_EINPUT, 0, FIELD(version),
                        "version %u of recordings is not supported",
                        (unsigned)h->version);
        return false;
    }
    if (h->checksum != plumb_base_fnv(PLUMB_FNV, h, FIELD(checksum)))
        return plumb_history_fail_at_byte(
            r, FIELD(checksum), "the header is corrupt: its checksum is wrong");
    return true;
}

static bool check_header(struct plumb_history_recording *r)
{
    const struct plumb_history_recording_header *const h =
        plumb_history_header(r);
    if (!check_kind(r))
        return false;
    if (h->header_size != RECORDING_HEADER || h->chunk_size != RECORDING_CHUNK)
        return plumb_history_fail_at_byte(
            r, FIELD(header_size),
            "these sizes of header and chunks are not supported");
    if (h->uncertainty >= UINT64_C(1) << 60)
        return plumb_history_fail_at_byte(r, FIELD(uncertainty),
                                          "the clock uncertainty is too large");
    return true;
}

bool plumb_history_recording_heed_close(struct plumb_history_recording *r)
{
    const struct plumb_history_recording_header *const h =
        plumb_history_header(r);
    const uint64_t closed = plumb_history_load(&h->closed);
    if (closed == 0)
        return true;
    const uint64_t taken = plumb_history_load(&h->taken);
    if (closed != plumb_history_recording_seal(r->checksum, taken,
                                               plumb_history_load(&h->stopped)))
        return plumb_history_fail_at_byte(
            r, FIELD(mark), "the header is corrupt: its closing mark is wrong");
    r->file.closed = r->file.final = true;
    return true;
}

bool plumb_history_recording_is_locked(int fd)
{
    struct flock whole = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
    return fcntl(fd, F_OFD_GETLK, &whole) != 0 || whole.l_type != F_UNLCK;
}

/* ---- opening and closing ---- */

static bool begin(struct plumb_history_recording *r, bool whole)
{
    const struct plumb_history_recording_header *const h =
        plumb_history_header(r);
    if (!check_header(r))
        return false;
    r->checksum = h->checksum;
    r->ticks_per_second = h->ticks_per_second;
    r->uncertainty = h->uncertainty;
    /* Before anything else is looked at. */
    const uint64_t mark = plumb_history_load(&h->mark);
    if (!plumb_history_recording_heed_close(r))
        return false;
    r->file.final = r->file.final || whole;
    if (r->fd < 0 && !r->file.final)
        plumb_history_recording_limit(
            r, plumb_history_minus(mark, r->uncertainty),
            "the recording was not closed and may still grow; its last events "
            "are left out");
    return plumb_history_recording_learn(r) &&
           (r->known == 0 || r->lost ||
            plumb_history_recording_learn_names(r)) &&
           plumb_history_recording_begin_round(r);
}

static struct plumb_history_recording *new_reader(struct plumb_budget *budget)
{
    struct plumb_history_recording *const r =
        plumb_base_alloc_zeroed(budget, sizeof *r);
    if (!r)
        return NULL;
    r->budget = budget;
    r->fd = -1;
    r->limit = FOR_EVER;
    const bool room = plumb_history_symbols_init(&r->symbols, budget) &&
                      plumb_history_recording_add_object(r, 0);
    const uint32_t ok =
        room ? plumb_history_symbols_intern(&r->symbols, "ok", 2) : UINT32_MAX;
    if (ok == UINT32_MAX) {
        plumb_history_recording_close(r);
        return NULL;
    }
    plumb_history_recording_add_name(r, ok); /* number 0 */
    return r;
}

static enum plumb_status open_reader(struct plumb_history_recording *r,
                                     bool whole,
                                     struct plumb_history_recording **reader,
                                     struct plumb_error *err)
{
    r->err = err;
    if (begin(r, whole)) {
        *reader = r;
        return PLUMB_OK;
    }
    plumb_history_recording_close(r);
    return err->status;
}

enum plumb_status plumb_history_recording_open(
    struct plumb_history_recording **reader, const void *data, size_t size,
    bool whole, struct plumb_budget *budget, struct plumb_error *err)
{
    struct plumb_history_recording *const r = new_reader(budget);
    if (!r)
        return plumb_base_fail_memory(err);
    r->file.data = data;
    r->file.size = size;
    return open_reader(r, whole, reader, err);
}

/* Was the file written where it is now?  Else it is a copy, and stays as it
 * is. */
static bool is_original(const struct plumb_history_recording_header *h,
                        const struct stat *st)
{
    return h->device == (uint64_t)st->st_dev &&
           h->inode == (uint64_t)st->st_ino;
}

enum plumb_status plumb_history_recording_follow(
    struct plumb_history_recording **reader, int fd,
    struct plumb_budget *budget, struct plumb_error *err)
{
    struct stat st;
    struct plumb_history_recording *const r = new_reader(budget);
    if (!r)
        return plumb_base_fail_memory(err);
    if (fstat(fd, &st) != 0 ||
        (st.st_size > 0 && !plumb_history_recording_map(r, fd))) {
        plumb_history_recording_close(r);
        return plumb_base_fail(err, PLUMB_EIO, 0, 0,
                               "cannot map the file into memory");
    }
    if (r->file.size >= sizeof(struct plumb_history_recording_header) &&
        is_original(plumb_history_header(r), &st))
        r->fd = fd;
    return open_reader(r, false, reader, err);
}

void plumb_history_recording_close(struct plumb_history_recording *r)
{
    if (!r)
        return;
    struct plumb_budget *const b = r->budget;
    plumb_history_recording_unmap(r);
    for (size_t i = 0; i < r->tracks; i++)
        plumb_base_release(b, r->track[i].chunk,
                           r->track[i].capacity * sizeof(uint32_t));
    plumb_base_release(b, r->names.chunk, r->names.capacity * sizeof(uint32_t));
    PLUMB_RELEASE(b, r->absent, r->absent_capacity);
    PLUMB_RELEASE(b, r->track, r->track_capacity);
    PLUMB_RELEASE(b, r->lane, r->lane_capacity);
    PLUMB_RELEASE(b, r->queue, r->queue_capacity);
    PLUMB_RELEASE(b, r->object, r->object_capacity);
    plumb_history_symbols_release(&r->symbols);
    plumb_base_release(b, r, sizeof *r);
}

bool plumb_history_recording_is_whole(int fd)
{
    struct plumb_history_recording_header h;
    struct stat st;
    return pread(fd, &h, sizeof h, 0) == (ssize_t)sizeof h &&
           memcmp(h.magic, RECORDING_MAGIC, sizeof h.magic) == 0 &&
           fstat(fd, &st) == 0 && is_original(&h, &st) &&
           !plumb_history_recording_is_locked(fd);
}

/* ---- about it ---- */

const struct plumb_symbols *plumb_history_recording_symbols(
    const struct plumb_history_recording *r)
{
    return &r->symbols;
}

void plumb_history_recording_process_name(
    const struct plumb_history_recording *r, uint32_t process, char name[32])
{
    const struct plumb_history_lane *const l = &r->lane[process];
    if (l->number == 1)
        snprintf(name, 32, "P%u", l->thread);
    else
        snprintf(name, 32, "P%u.%u", l->thread, l->number);
}

uint32_t plumb_history_recording_spec(const struct plumb_history_recording *r)
{
    return r->spec;
}

const char *plumb_history_recording_note(
    const struct plumb_history_recording *r)
{
    return r->note[0] ? r->note : NULL;
}
