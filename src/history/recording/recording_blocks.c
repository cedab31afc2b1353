/* recording_blocks.c - what is in a recording: chunks, desks, names.
 *
 * Blocks have numbers, which are given out one after the other; but a block may
 * be written after those of higher numbers.  One that is absent is asked for
 * again.  Nobody needs it yet: what it is to hold is still on a desk. */
#include "base/memory.h"
#include "recording_state.h"
#include <assert.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* ---- what is no good ---- */

void plumb_history_recording_limit(struct plumb_history_recording *r,
                                   uint64_t time, const char *note)
{
    if (time >= r->limit)
        return;
    r->limit = time;
    if (note != r->note)
        snprintf(r->note, sizeof r->note, "%s", note);
}

bool plumb_history_recording_lose(struct plumb_history_recording *r,
                                  uint64_t time)
{
    char note[sizeof r->note];
    const struct plumb_error *const why = r->err;
    if (r->file.closed || why->status != PLUMB_EINPUT)
        return false;
    snprintf(note, sizeof note,
             "damaged at byte %llu (%.80s); later events are left out",
             (unsigned long long)why->column, why->message);
    plumb_history_recording_limit(
        r, time, r->file.final || !r->note[0] ? note : r->note);
    return true;
}

/* ---- the file in memory ---- */

void plumb_history_recording_unmap(struct plumb_history_recording *r)
{
    union {
        const void *read;
        void *write;
    } map = { r->file.data };
    if (r->mapped)
        munmap(map.write, r->mapped);
    r->mapped = 0;
}

bool plumb_history_recording_map(struct plumb_history_recording *r, int fd)
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
static struct plumb_history_track *track_of(struct plumb_history_recording *r,
                                            uint32_t thread)
{
    if (thread == 0)
        return &r->names;
    return thread <= r->tracks ? &r->track[thread - 1] : NULL;
}

/* Threads are numbered in the order of their desks; the first is nobody's. */
static bool learn_desk(struct plumb_history_recording *r,
                       const struct plumb_history_chunk_label *label)
{
    const uint64_t expected = label->number == 0 ? 0 : r->tracks + 1;
    if (label->thread != expected)
        return plumb_history_fail_at_byte(
            r, plumb_history_chunk_place(label->number),
            "the desk of a thread is missing before this one");
    if (label->number == 0)
        return true; /* r->names knows */
    if (!PLUMB_APPEND(r->budget, r->track, r->tracks, r->track_capacity,
                      (struct plumb_history_track){ .desk = label->number }))
        return plumb_history_recording_no_room(r);
    return true;
}

static bool put_chunk(struct plumb_history_recording *r,
                      struct plumb_history_track *t, uint64_t sequence,
                      uint32_t number)
{
    assert(sequence < number); /* each has a number of its own */
    if (!PLUMB_GROW(r->budget, t->chunk, t->capacity, (size_t)sequence + 1))
        return false;
    while (t->chunks <= sequence)
        t->chunk[t->chunks++] = NO_CHUNK;
    t->chunk[sequence] = number;
    return true;
}

static bool learn_chunk(struct plumb_history_recording *r,
                        const struct plumb_history_chunk_label *label)
{
    const uint64_t sequence = plumb_history_load(&label->state) / 2;
    struct plumb_history_track *const t = track_of(r, label->thread);
    /* Every one before it has a number of its own. */
    if (!t || sequence >= label->number)
        return plumb_history_fail_at_byte(
            r, plumb_history_chunk_place(label->number),
            "the label of the chunk is corrupt");
    return put_chunk(r, t, sequence, label->number) ||
           plumb_history_recording_no_room(r);
}

/* `*there` is false if it was taken, but has not been written. */
static bool learn(struct plumb_history_recording *r, uint64_t number,
                  bool *there)
{
    const struct plumb_history_chunk *c = plumb_history_chunk(&r->file, number);
    if (!c && r->fd >= 0 && plumb_history_recording_map(r, r->fd))
        c = plumb_history_chunk(&r->file, number);
    const struct plumb_history_chunk_label *const label = c ? &c->label : NULL;
    /* acquire: what is labelled was written before */
    const uint32_t magic =
        c ? atomic_load_explicit(&label->magic, memory_order_acquire) : 0;
    *there = magic != 0;
    if (magic == 0)
        return true;
    if (label->number != number ||
        (magic != RECORDING_CHUNK_MAGIC && magic != RECORDING_DESK_MAGIC) ||
        (magic == RECORDING_CHUNK_MAGIC && number == 0))
        return plumb_history_fail_at_byte(r, plumb_history_chunk_place(number),
                                          "the label of the chunk is corrupt");
    if (!(magic == RECORDING_DESK_MAGIC ? learn_desk(r, label)
                                        : learn_chunk(r, label)))
        return false;
    if (label->taken > r->newest)
        r->newest = label->taken;
    return true;
}

static bool add_absent(struct plumb_history_recording *r, uint64_t number)
{
    return PLUMB_APPEND(r->budget, r->absent, r->absents, r->absent_capacity,
                        (struct plumb_history_absent){
                            .number = (uint32_t)number, .before = r->newest });
}

/* Something is lost, and we do not know whose it was.  It may be of a thread
 * that we know nothing of; which came after all of lower numbers were taken. */
static bool lose_chunk(struct plumb_history_recording *r, uint64_t before)
{
    r->lost = true;
    return plumb_history_recording_lose(
        r, plumb_history_minus(before, r->uncertainty));
}

/* Those that were not there: are they now? */
static bool learn_absent(struct plumb_history_recording *r)
{
    size_t left = 0;
    for (size_t i = 0; i < r->absents; i++) {
        const struct plumb_history_absent a = r->absent[i];
        bool there = false;
        if (!learn(r, a.number, &there))
            return lose_chunk(r, a.before);
        if (!there)
            r->absent[left++] = a;
    }
    r->absents = left;
    return true;
}

/* Is it one that a thread was about to copy its desk to?  Then nothing is
 * missing. */
static bool is_copy(const struct plumb_history_recording *r, uint32_t desk,
                    uint32_t number)
{
    const struct plumb_history_chunk *const c =
        plumb_history_chunk(&r->file, desk);
    return c && plumb_history_load(&c->label.copy) == number + UINT64_C(1);
}

static bool is_expected(const struct plumb_history_recording *r,
                        uint32_t number)
{
    bool expected = is_copy(r, r->names.desk, number);
    for (size_t i = 0; i < r->tracks && !expected; i++)
        expected = is_copy(r, r->track[i].desk, number);
    return expected;
}

/* Nobody will write what is absent now. */
static bool heed_absent(struct plumb_history_recording *r)
{
    size_t i = 0;
    while (i < r->absents && is_expected(r, r->absent[i].number))
        i++;
    if (i == r->absents)
        return true;
    const uint64_t at = plumb_history_chunk_place(r->absent[i].number);
    if (at + RECORDING_CHUNK <= r->file.size)
        plumb_history_fail_at_byte(r, at, "a chunk is missing");
    else
        plumb_base_fail(r->err, PLUMB_EINPUT, 0, r->file.size,
                        "truncated: expected %llu bytes",
                        (unsigned long long)(at + RECORDING_CHUNK));
    return lose_chunk(r, r->absent[i].before);
}

/* How many there are.  If the file was copied while it was written, it may have
 * more of them than when its header was copied. */
static uint64_t count_chunks(const struct plumb_history_recording *r)
{
    const uint64_t taken = plumb_history_load(&plumb_history_header(r)->taken);
    const uint64_t there = r->file.size / RECORDING_CHUNK;
    const bool may_have_more = r->fd < 0 && !r->file.final;
    return may_have_more && there > taken + 1 ? there - 1 : taken;
}

static bool learn_one(struct plumb_history_recording *r)
{
    const uint64_t number = r->known++, before = r->newest;
    bool there;
    if (!learn(r, number, &there))
        return lose_chunk(r, before);
    if (there ||
        number >= plumb_history_load(&plumb_history_header(r)->taken) ||
        add_absent(r, number))
        return true;
    return plumb_history_recording_no_room(r);
}

bool plumb_history_recording_learn(struct plumb_history_recording *r)
{
    const uint64_t count = count_chunks(r);
    if (!r->lost && !learn_absent(r))
        return false;
    while (r->known < count && !r->lost) {
        /* beyond the end of the file nothing is: to know one is enough */
        const bool behind = plumb_history_chunk_place(r->known) > r->file.size;
        if (!learn_one(r))
            return false;
        if (behind && r->fd < 0)
            break;
    }
    return r->lost || (r->fd >= 0 && !r->file.final) || heed_absent(r);
}

/* ---- names ---- */

bool plumb_history_recording_add_object(struct plumb_history_recording *r,
                                        uint32_t symbol)
{
    return PLUMB_APPEND(r->budget, r->object, r->objects_known,
                        r->object_capacity, symbol);
}

/* More than there may be no event can name. */
void plumb_history_recording_add_name(struct plumb_history_recording *r,
                                      uint32_t symbol)
{
    if (r->names_known < RECORDING_NAMES)
        r->name[r->names_known++] = symbol;
}

bool plumb_history_recording_look(struct plumb_history_recording *r,
                                  struct plumb_history_track *t, bool names)
{
    /* Tracks may move when we learn of more of them. */
    const size_t index = names ? 0 : (size_t)(t - r->track);
    if (!plumb_history_track_look(t, names, &r->file, &r->symbols, r->err))
        return false;
    if (t->state != TRACK_MISSING)
        return true;
    if (!plumb_history_recording_learn(r))
        return false;
    t = names ? t : r->track + index;
    if (!plumb_history_track_look(t, names, &r->file, &r->symbols, r->err))
        return false;
    if (t->state != TRACK_MISSING)
        return true;
    plumb_base_fail(r->err, PLUMB_EINPUT, 0, plumb_history_chunk_place(t->desk),
                    "chunk %llu of this thread is missing",
                    (unsigned long long)t->place.sequence);
    return false;
}

bool plumb_history_recording_learn_names(struct plumb_history_recording *r)
{
    for (;;) {
        const struct plumb_history_track_event *const e = &r->names.next;
        const uint64_t last = r->names.place.last;
        if (!plumb_history_recording_look(r, &r->names, true))
            return plumb_history_recording_lose(
                r, plumb_history_minus(last, r->uncertainty));
        if (r->names.state == TRACK_DRY)
            return true;
        r->names.state = TRACK_DRY;
        if (e->kind == RECORDING_CALL)
            plumb_history_recording_add_name(r, e->name);
        else if (e->kind == RECORDING_TIME)
            r->spec = e->name;
        else if (!plumb_history_recording_add_object(r, e->name))
            return plumb_history_recording_no_room(r);
    }
}
