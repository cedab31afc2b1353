/* recording_blocks.c - what is in a recording: chunks, desks, names.
 *
 * Blocks have numbers, which are given out one after the other; but a block may
 * be written after those of higher numbers.  One that is absent is asked for
 * again.  Nobody needs it yet: what it is to hold is still on a desk. */
#include "base/memory.h"
#include "recording_state.h"
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* ---- what is no good ---- */

void plumb_history_recording_limit(struct plumb_history_recording_reader *r,
                                   uint64_t time, const char *note)
{
    if (time >= r->limit)
        return;
    r->limit = time;
    if (note != r->note)
        snprintf(r->note, sizeof r->note, "%s", note);
}

enum plumb_status plumb_history_recording_lose(
    struct plumb_history_recording_reader *r, uint64_t time,
    const struct plumb_error *why)
{
    char note[sizeof r->note];
    if (r->file.closed || why->status != PLUMB_EINPUT)
        return why->status;
    snprintf(note, sizeof note,
             "damaged at byte %llu (%.80s); later events are left out",
             (unsigned long long)why->column, why->message);
    plumb_history_recording_limit(
        r, time, r->file.final || !r->note[0] ? note : r->note);
    return PLUMB_OK;
}

/* ---- the file in memory ---- */

void plumb_history_recording_unmap(struct plumb_history_recording_reader *r)
{
    union {
        const void *read;
        void *write;
    } map = { r->file.data };
    if (r->mapped)
        munmap(map.write, r->mapped);
    r->mapped = 0;
}

bool plumb_history_recording_map(struct plumb_history_recording_reader *r,
                                 int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || (size_t)st.st_size <= r->mapped)
        return false;
    const size_t size = (size_t)st.st_size;
    void *const map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        return false;
    plumb_history_recording_unmap(r);
    r->file.data = map;
    r->file.size = r->mapped = size;
    return true;
}

/* ---- chunks and desks ---- */

/* Where thread `thread` is, which has a desk.  NULL if it is not known. */
static struct plumb_history_recording_track *track_of(
    struct plumb_history_recording_reader *r, uint32_t thread)
{
    if (thread == 0)
        return &r->names;
    return thread <= r->tracks ? &r->track[thread - 1] : NULL;
}

/* Threads are numbered in the order of their desks; the first is nobody's. */
static enum plumb_status learn_desk(
    struct plumb_history_recording_reader *r,
    const struct plumb_history_recording_label *label, struct plumb_error *err)
{
    void *block = r->track;
    const uint64_t expected = label->number == 0 ? 0 : r->tracks + 1;
    if (label->thread != expected)
        return plumb_history_fail_at_byte(
            err, plumb_history_recording_place(label->number),
            "the desk of a thread is missing before this one");
    if (label->number == 0)
        return PLUMB_OK; /* r->names knows */
    if (!plumb_base_grow(r->budget, &block, &r->track_capacity, r->tracks + 1,
                         sizeof *r->track))
        return plumb_base_fail_memory(err);
    r->track = block;
    r->track[r->tracks++] =
        (struct plumb_history_recording_track){ .desk = label->number };
    return PLUMB_OK;
}

static bool put_chunk(struct plumb_history_recording_reader *r,
                      struct plumb_history_recording_track *t,
                      uint64_t sequence, uint32_t number)
{
    void *block = t->chunk;
    if (!plumb_base_grow(r->budget, &block, &t->capacity, (size_t)sequence + 1,
                         sizeof *t->chunk))
        return false;
    t->chunk = block;
    while (t->chunks <= sequence)
        t->chunk[t->chunks++] = NO_CHUNK;
    t->chunk[sequence] = number;
    return true;
}

static enum plumb_status learn_chunk(
    struct plumb_history_recording_reader *r,
    const struct plumb_history_recording_label *label, struct plumb_error *err)
{
    const uint64_t sequence = plumb_history_load(&label->state) / 2;
    struct plumb_history_recording_track *const t = track_of(r, label->thread);
    /* Every one before it has a number of its own. */
    if (!t || sequence >= label->number)
        return plumb_history_fail_at_byte(
            err, plumb_history_recording_place(label->number),
            "the label of the chunk is corrupt");
    return put_chunk(r, t, sequence, label->number)
               ? PLUMB_OK
               : plumb_base_fail_memory(err);
}

/* `*there` is false if it was taken, but has not been written. */
static enum plumb_status learn(struct plumb_history_recording_reader *r,
                               uint64_t number, bool *there,
                               struct plumb_error *err)
{
    const struct plumb_history_recording_chunk *c =
        plumb_history_recording_chunk(&r->file, number);
    if (!c && r->fd >= 0 && plumb_history_recording_map(r, r->fd))
        c = plumb_history_recording_chunk(&r->file, number);
    const struct plumb_history_recording_label *const label =
        c ? &c->label : NULL;
    /* acquire: what is labelled was written before */
    const uint32_t magic =
        c ? atomic_load_explicit(&label->magic, memory_order_acquire) : 0;
    *there = magic != 0;
    if (magic == 0)
        return PLUMB_OK;
    if (label->number != number ||
        (magic != RECORDING_CHUNK_MAGIC && magic != RECORDING_DESK_MAGIC) ||
        (magic == RECORDING_CHUNK_MAGIC && number == 0))
        return plumb_history_fail_at_byte(err,
                                          plumb_history_recording_place(number),
                                          "the label of the chunk is corrupt");
    const enum plumb_status status = magic == RECORDING_DESK_MAGIC
                                         ? learn_desk(r, label, err)
                                         : learn_chunk(r, label, err);
    if (status == PLUMB_OK && label->taken > r->newest)
        r->newest = label->taken;
    return status;
}

static bool add_absent(struct plumb_history_recording_reader *r,
                       uint64_t number)
{
    void *block = r->absent;
    if (!plumb_base_grow(r->budget, &block, &r->absent_capacity, r->absents + 1,
                         sizeof *r->absent))
        return false;
    r->absent = block;
    r->absent[r->absents++] =
        (struct plumb_history_absent){ .number = (uint32_t)number,
                                       .before = r->newest };
    return true;
}

/* Something is lost, and we do not know whose it was.  It may be of a thread
 * that we know nothing of; which came after all of lower numbers were taken. */
static enum plumb_status lose_chunk(struct plumb_history_recording_reader *r,
                                    uint64_t before,
                                    const struct plumb_error *err)
{
    r->lost = true;
    return plumb_history_recording_lose(
        r, plumb_history_minus(before, r->uncertainty), err);
}

/* Those that were not there: are they now? */
static enum plumb_status learn_absent(struct plumb_history_recording_reader *r,
                                      struct plumb_error *err)
{
    size_t left = 0;
    for (size_t i = 0; i < r->absents; i++) {
        const struct plumb_history_absent a = r->absent[i];
        bool there = false;
        if (learn(r, a.number, &there, err) != PLUMB_OK)
            return lose_chunk(r, a.before, err);
        if (!there)
            r->absent[left++] = a;
    }
    r->absents = left;
    return PLUMB_OK;
}

/* Is it one that a thread was about to copy its desk to?  Then nothing is
 * missing. */
static bool is_copy(const struct plumb_history_recording_reader *r,
                    uint32_t desk, uint32_t number)
{
    const struct plumb_history_recording_chunk *const c =
        plumb_history_recording_chunk(&r->file, desk);
    return c && plumb_history_load(&c->label.copy) == number + UINT64_C(1);
}

static bool is_expected(const struct plumb_history_recording_reader *r,
                        uint32_t number)
{
    bool expected = is_copy(r, r->names.desk, number);
    for (size_t i = 0; i < r->tracks && !expected; i++)
        expected = is_copy(r, r->track[i].desk, number);
    return expected;
}

/* Nobody will write what is absent now. */
static enum plumb_status heed_absent(struct plumb_history_recording_reader *r,
                                     struct plumb_error *err)
{
    size_t i = 0;
    while (i < r->absents && is_expected(r, r->absent[i].number))
        i++;
    if (i == r->absents)
        return PLUMB_OK;
    const uint64_t at = plumb_history_recording_place(r->absent[i].number);
    if (at + RECORDING_CHUNK <= r->file.size)
        plumb_history_fail_at_byte(err, at, "a chunk is missing");
    else
        plumb_base_fail(err, PLUMB_EINPUT, 0, r->file.size,
                        "truncated: expected %llu bytes",
                        (unsigned long long)(at + RECORDING_CHUNK));
    return lose_chunk(r, r->absent[i].before, err);
}

/* How many there are.  If the file was copied while it was written, it may have
 * more of them than when its header was copied. */
static uint64_t count_chunks(const struct plumb_history_recording_reader *r)
{
    const uint64_t taken = plumb_history_load(&plumb_history_header(r)->taken);
    const uint64_t there = r->file.size / RECORDING_CHUNK;
    const bool may_have_more = r->fd < 0 && !r->file.final;
    return may_have_more && there > taken + 1 ? there - 1 : taken;
}

static enum plumb_status learn_one(struct plumb_history_recording_reader *r,
                                   struct plumb_error *err)
{
    const uint64_t number = r->known++, before = r->newest;
    bool there;
    if (learn(r, number, &there, err) != PLUMB_OK)
        return lose_chunk(r, before, err);
    if (there ||
        number >= plumb_history_load(&plumb_history_header(r)->taken) ||
        add_absent(r, number))
        return PLUMB_OK;
    return plumb_base_fail_memory(err);
}

enum plumb_status plumb_history_recording_learn(
    struct plumb_history_recording_reader *r, struct plumb_error *err)
{
    const uint64_t count = count_chunks(r);
    enum plumb_status status = r->lost ? PLUMB_OK : learn_absent(r, err);
    while (r->known < count && !r->lost && status == PLUMB_OK) {
        /* beyond the end of the file nothing is: to know one is enough */
        const bool behind =
            plumb_history_recording_place(r->known) > r->file.size;
        status = learn_one(r, err);
        if (behind && r->fd < 0)
            break;
    }
    if (status != PLUMB_OK || r->lost || (r->fd >= 0 && !r->file.final))
        return status;
    return heed_absent(r, err);
}

/* ---- names ---- */

bool plumb_history_recording_add_object(
    struct plumb_history_recording_reader *r, uint32_t symbol)
{
    void *block = r->object;
    if (!plumb_base_grow(r->budget, &block, &r->object_capacity,
                         r->objects_known + 1, sizeof *r->object))
        return false;
    r->object = block;
    r->object[r->objects_known++] = symbol;
    return true;
}

/* More than there may be no event can name. */
void plumb_history_recording_add_name(struct plumb_history_recording_reader *r,
                                      uint32_t symbol)
{
    if (r->names_known < RECORDING_NAMES)
        r->name[r->names_known++] = symbol;
}

enum plumb_status plumb_history_recording_look(
    struct plumb_history_recording_reader *r,
    struct plumb_history_recording_track *t, bool names,
    struct plumb_error *err)
{
    /* Tracks may move when we learn of more of them. */
    const size_t index = names ? 0 : (size_t)(t - r->track);
    enum plumb_status status =
        plumb_history_track_look(t, names, &r->file, &r->symbols, err);
    if (status != PLUMB_OK || t->state != TRACK_MISSING)
        return status;
    status = plumb_history_recording_learn(r, err);
    if (status != PLUMB_OK)
        return status;
    t = names ? t : r->track + index;
    status = plumb_history_track_look(t, names, &r->file, &r->symbols, err);
    if (status == PLUMB_OK && t->state == TRACK_MISSING)
        return plumb_base_fail(err, PLUMB_EINPUT, 0,
                               plumb_history_recording_place(t->desk),
                               "chunk %llu of this thread is missing",
                               (unsigned long long)t->place.sequence);
    return status;
}

enum plumb_status plumb_history_recording_learn_names(
    struct plumb_history_recording_reader *r, struct plumb_error *err)
{
    for (;;) {
        const struct plumb_history_track_event *const e = &r->names.next;
        const uint64_t last = r->names.place.last;
        const enum plumb_status status =
            plumb_history_recording_look(r, &r->names, true, err);
        if (status != PLUMB_OK)
            return plumb_history_recording_lose(
                r, plumb_history_minus(last, r->uncertainty), err);
        if (r->names.state == TRACK_DRY)
            return PLUMB_OK;
        r->names.state = TRACK_DRY;
        if (e->kind == RECORDING_CALL)
            plumb_history_recording_add_name(r, e->name);
        else if (e->kind == RECORDING_TIME)
            r->spec = e->name;
        else if (!plumb_history_recording_add_object(r, e->name))
            return plumb_base_fail_memory(err);
    }
}
