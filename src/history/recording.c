/* recording.c - the events of a recording, in the order of time.
 *
 * Threads stamp events, and their streams are merged by stamps.  Three things
 * have to be right although clocks of processors differ a little, and although
 * the file is being written while we read:
 *
 *   1. No return is given before a call that may have been earlier.  A return
 *      waits in a queue until all events are later than its stamp by more than
 *      the uncertainty of the clock.
 *   2. No return is given before the call of an operation whose effect it shows.
 *      That call was in the file when the return was: its head is stored before
 *      the operation begins.  So a return that we have found waits until, once
 *      more, we have looked for events of all threads: it is given in a later
 *      *round* than it was found in.  What is found later still was called
 *      after it, whatever its stamp says.
 *   3. If events of a thread are lost, nothing that comes later is given: an
 *      end of the file is a moment in time.
 *
 * With 1 a return may still wait when its thread calls again.  Then the next
 * operation is given to another process: the two overlap, for all we know. */
#include "history/recording.h"

#include "base/fail.h"
#include "base/memory.h"
#include "history/recording_track.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOR_EVER UINT64_MAX

/* A process: one of those that a thread is. */
struct lane {
    uint32_t thread;
    uint32_t number; /* among those of the thread, from 1 */
    uint32_t next;   /* of those that are free, + 1       */
};

/* A chunk that was taken, and had not been written when we looked. */
struct absent {
    uint32_t number;
    uint64_t before; /* when those of lower numbers were taken */
};

/* A return that was found and not given yet. */
struct waiting {
    uint64_t round;
    uint32_t lane, thread;
    struct recorded event;
};

struct plumb_recording_reader {
    struct plumb_budget *budget;
    struct recording_file file;
    int fd;        /* to follow, or -1         */
    size_t mapped; /* bytes that we mapped     */
    uint64_t checksum, ticks_per_second, uncertainty;
    uint64_t limit;  /* nothing later is to be given */
    uint64_t round;  /* how often we have looked for events of all threads */
    uint64_t known;  /* chunks and desks that were looked at */
    uint64_t newest; /* when the last of them was taken      */
    struct absent *absent; /* ... those that were not there yet */
    size_t absents, absent_capacity;
    bool lost; /* a part of the file is no good: learn of no more */
    struct recording_track names;
    struct recording_track *track; /* track[i] is thread i + 1 */
    size_t tracks, track_capacity;
    struct lane *lane;
    size_t lanes, lane_capacity;
    struct waiting *queue; /* a ring: queue[(first + i) % capacity] */
    size_t first, waiting, queue_capacity;
    struct recorded given; /* whose values the last event points to */
    struct plumb_symbols symbols;
    uint32_t name[RECORDING_NAMES]; /* symbols, from 1 on */
    uint32_t names_known;
    uint32_t spec; /* symbol, or 0 */
    uint32_t *object;
    size_t objects_known, object_capacity;
    char note[200];
};

/* ---- the file's header ---- */

/* The words that a recorder changes are read where they are. */
static const struct recording_header *header(
    const struct plumb_recording_reader *r)
{
    const void *const data = r->file.data;
    return data;
}

static enum plumb_status fail(struct plumb_error *err, uint64_t offset,
                              const char *message)
{
    return plumb_fail(err, PLUMB_EINPUT, 0, offset, "%s", message);
}

#define FIELD(name) offsetof(struct recording_header, name)

static enum plumb_status check_kind(const struct recording_header *h,
                                    size_t size, struct plumb_error *err)
{
    const size_t magic = sizeof h->magic;
    if (size < magic || memcmp(h->magic, RECORDING_MAGIC, magic) != 0)
        return fail(err, 0, "no recording begins here");
    if (size < sizeof *h)
        return plumb_fail(err, PLUMB_EINPUT, 0, size,
                          "truncated: a header has %zu bytes, here are %zu",
                          sizeof *h, size);
    if (h->order == __builtin_bswap32(RECORDING_ORDER_MARK))
        return fail(err, FIELD(order),
                    "written on a machine of the other byte order");
    if (h->order != RECORDING_ORDER_MARK)
        return fail(err, FIELD(order), "the byte order mark is corrupt");
    if (h->version != RECORDING_VERSION)
        return plumb_fail(err, PLUMB_EINPUT, 0, FIELD(version),
                          "version %u of recordings is not known",
                          (unsigned)h->version);
    if (h->checksum != recording_fnv(h, FIELD(checksum)))
        return fail(err, FIELD(checksum),
                    "the header is corrupt: its checksum is wrong");
    return PLUMB_OK;
}

static enum plumb_status check_header(const struct recording_header *h,
                                      size_t size, struct plumb_error *err)
{
    const enum plumb_status status = check_kind(h, size, err);
    if (status != PLUMB_OK)
        return status;
    if (h->header_size != RECORDING_HEADER || h->chunk_size != RECORDING_CHUNK)
        return fail(err, FIELD(header_size),
                    "sizes of header and chunks are not known");
    if (h->uncertainty >= UINT64_C(1) << 60)
        return fail(err, FIELD(uncertainty), "the uncertainty is impossible");
    return PLUMB_OK;
}

static uint64_t load(const _Atomic uint64_t *word)
{
    /* acquire: what was written before it is seen with it */
    return atomic_load_explicit(word, memory_order_acquire);
}

/* A file that was closed says how it should look. */
static enum plumb_status check_closed(struct plumb_recording_reader *r,
                                      struct plumb_error *err)
{
    const struct recording_header *const h = header(r);
    const uint64_t closed = load(&h->closed);
    if (closed == 0)
        return PLUMB_OK;
    const uint64_t taken = load(&h->taken);
    if (closed != recording_seal(r->checksum, taken, load(&h->stopped)))
        return fail(err, FIELD(mark),
                    "the header is corrupt: it was not closed like this");
    r->file.closed = r->file.final = true;
    return PLUMB_OK;
}

static uint64_t minus(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static void limit_to(struct plumb_recording_reader *r, uint64_t time,
                     const char *note)
{
    if (time >= r->limit)
        return;
    r->limit = time;
    if (note != r->note)
        snprintf(r->note, sizeof r->note, "%s", note);
}

static void heed_stop(struct plumb_recording_reader *r)
{
    const uint64_t stopped = load(&header(r)->stopped);
    if (stopped)
        limit_to(r, minus(stopped, r->uncertainty),
                 "the recorder could not go on (was the disk full?); what came "
                 "after that is left out");
}

/* ---- chunks ---- */

/* A part of the file is no good.  If it was closed that is an error.  Else the
 * program, or the machine, was stopped in the middle. */
static enum plumb_status lose(struct plumb_recording_reader *r, uint64_t time,
                              const struct plumb_error *why)
{
    char note[sizeof r->note];
    if (r->file.closed || why->status != PLUMB_EINPUT)
        return why->status;
    snprintf(note, sizeof note,
             "torn at byte %llu (%.80s); what came after that is left out",
             (unsigned long long)why->column, why->message);
    limit_to(r, time, r->file.final || !r->note[0] ? note : r->note);
    return PLUMB_OK;
}

static void unmap(struct plumb_recording_reader *r)
{
    union {
        const void *read;
        void *write;
    } map = { r->file.data };
    if (r->mapped)
        munmap(map.write, r->mapped);
    r->mapped = 0;
}

/* Make the whole file, as it is now, visible. */
static bool map_again(struct plumb_recording_reader *r, int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || (size_t)st.st_size <= r->mapped)
        return false;
    const size_t size = (size_t)st.st_size;
    void *const map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        return false;
    unmap(r);
    r->file.data = map;
    r->file.size = r->mapped = size;
    return true;
}

/* Where thread `thread` is, which has a desk.  NULL if it is not known. */
static struct recording_track *track_of(struct plumb_recording_reader *r,
                                        uint32_t thread)
{
    if (thread == 0)
        return &r->names;
    return thread <= r->tracks ? &r->track[thread - 1] : NULL;
}

/* Threads are numbered in the order of their desks; the first is nobody's. */
static enum plumb_status learn_desk(struct plumb_recording_reader *r,
                                    const struct recording_label *label,
                                    struct plumb_error *err)
{
    void *block = r->track;
    const uint64_t expected = label->number == 0 ? 0 : r->tracks + 1;
    if (label->thread != expected)
        return fail(err, recording_place(label->number),
                    "the desk of a thread is missing before this one");
    if (label->number == 0)
        return PLUMB_OK; /* r->names knows */
    if (!plumb_grow(r->budget, &block, &r->track_capacity, r->tracks + 1,
                    sizeof *r->track))
        return plumb_fail_memory(err);
    r->track = block;
    r->track[r->tracks++] = (struct recording_track){ .desk = label->number };
    return PLUMB_OK;
}

static bool put_chunk(struct plumb_recording_reader *r,
                      struct recording_track *t, uint64_t sequence,
                      uint32_t number)
{
    void *block = t->chunk;
    if (!plumb_grow(r->budget, &block, &t->capacity, (size_t)sequence + 1,
                    sizeof *t->chunk))
        return false;
    t->chunk = block;
    while (t->chunks <= sequence)
        t->chunk[t->chunks++] = NO_CHUNK;
    t->chunk[sequence] = number;
    return true;
}

static enum plumb_status learn_chunk(struct plumb_recording_reader *r,
                                     const struct recording_label *label,
                                     struct plumb_error *err)
{
    const uint64_t sequence = load(&label->state) / 2;
    struct recording_track *const t = track_of(r, label->thread);
    /* Every one before it has a number of its own. */
    if (!t || sequence >= label->number)
        return fail(err, recording_place(label->number),
                    "the label of the chunk is corrupt");
    return put_chunk(r, t, sequence, label->number) ? PLUMB_OK
                                                    : plumb_fail_memory(err);
}

/* `*there` is false if it was taken, but has not been written. */
static enum plumb_status learn(struct plumb_recording_reader *r,
                               uint64_t number, bool *there,
                               struct plumb_error *err)
{
    const struct recording_chunk *c = plumb_recording_chunk(&r->file, number);
    if (!c && r->fd >= 0 && map_again(r, r->fd))
        c = plumb_recording_chunk(&r->file, number);
    const struct recording_label *const label = c ? &c->label : NULL;
    /* acquire: what is labelled was written before */
    const uint32_t magic =
        c ? atomic_load_explicit(&label->magic, memory_order_acquire) : 0;
    *there = magic != 0;
    if (magic == 0)
        return PLUMB_OK;
    if (label->number != number ||
        (magic != RECORDING_CHUNK_MAGIC && magic != RECORDING_DESK_MAGIC) ||
        (magic == RECORDING_CHUNK_MAGIC && number == 0))
        return fail(err, recording_place(number),
                    "the label of the chunk is corrupt");
    const enum plumb_status status = magic == RECORDING_DESK_MAGIC
                                         ? learn_desk(r, label, err)
                                         : learn_chunk(r, label, err);
    if (status == PLUMB_OK && label->taken > r->newest)
        r->newest = label->taken;
    return status;
}

static bool add_absent(struct plumb_recording_reader *r, uint64_t number)
{
    void *block = r->absent;
    if (!plumb_grow(r->budget, &block, &r->absent_capacity, r->absents + 1,
                    sizeof *r->absent))
        return false;
    r->absent = block;
    r->absent[r->absents++] =
        (struct absent){ .number = (uint32_t)number, .before = r->newest };
    return true;
}

/* Something is lost, and we do not know whose it was.  It may be of a thread
 * that we know nothing of; which came after all of lower numbers were taken. */
static enum plumb_status lose_chunk(struct plumb_recording_reader *r,
                                    uint64_t before,
                                    const struct plumb_error *err)
{
    r->lost = true;
    return lose(r, minus(before, r->uncertainty), err);
}

/* Those that were not there: are they now? */
static enum plumb_status learn_absent(struct plumb_recording_reader *r,
                                      struct plumb_error *err)
{
    size_t left = 0;
    for (size_t i = 0; i < r->absents; i++) {
        const struct absent a = r->absent[i];
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
static bool is_copy(const struct plumb_recording_reader *r, uint32_t desk,
                    uint32_t number)
{
    const struct recording_chunk *const c =
        plumb_recording_chunk(&r->file, desk);
    return c && load(&c->label.copy) == number + UINT64_C(1);
}

static bool is_expected(const struct plumb_recording_reader *r, uint32_t number)
{
    bool expected = is_copy(r, r->names.desk, number);
    for (size_t i = 0; i < r->tracks && !expected; i++)
        expected = is_copy(r, r->track[i].desk, number);
    return expected;
}

/* Nobody will write what is absent now. */
static enum plumb_status heed_absent(struct plumb_recording_reader *r,
                                     struct plumb_error *err)
{
    size_t i = 0;
    while (i < r->absents && is_expected(r, r->absent[i].number))
        i++;
    if (i == r->absents)
        return PLUMB_OK;
    const uint64_t at = recording_place(r->absent[i].number);
    if (at + RECORDING_CHUNK <= r->file.size)
        fail(err, at, "a chunk is missing");
    else
        plumb_fail(err, PLUMB_EINPUT, 0, r->file.size,
                   "truncated: there should be %llu bytes",
                   (unsigned long long)(at + RECORDING_CHUNK));
    return lose_chunk(r, r->absent[i].before, err);
}

/* How many there are.  If the file was copied while it was written, it may have
 * more of them than when its header was copied. */
static uint64_t count_chunks(const struct plumb_recording_reader *r)
{
    const uint64_t taken = load(&header(r)->taken);
    const uint64_t there = r->file.size / RECORDING_CHUNK;
    const bool may_have_more = r->fd < 0 && !r->file.final;
    return may_have_more && there > taken + 1 ? there - 1 : taken;
}

static enum plumb_status learn_one(struct plumb_recording_reader *r,
                                   struct plumb_error *err)
{
    const uint64_t number = r->known++, before = r->newest;
    bool there;
    if (learn(r, number, &there, err) != PLUMB_OK)
        return lose_chunk(r, before, err);
    if (there || number >= load(&header(r)->taken) || add_absent(r, number))
        return PLUMB_OK;
    return plumb_fail_memory(err);
}

/* Learn what has been added. */
static enum plumb_status learn_chunks(struct plumb_recording_reader *r,
                                      struct plumb_error *err)
{
    const uint64_t count = count_chunks(r);
    enum plumb_status status = r->lost ? PLUMB_OK : learn_absent(r, err);
    while (r->known < count && !r->lost && status == PLUMB_OK) {
        /* beyond the end of the file nothing is: to know one is enough */
        const bool behind = recording_place(r->known) > r->file.size;
        status = learn_one(r, err);
        if (behind && r->fd < 0)
            break;
    }
    if (status != PLUMB_OK || r->lost || (r->fd >= 0 && !r->file.final))
        return status;
    return heed_absent(r, err);
}

/* ---- names ---- */

static bool add_object(struct plumb_recording_reader *r, uint32_t symbol)
{
    void *block = r->object;
    if (!plumb_grow(r->budget, &block, &r->object_capacity,
                    r->objects_known + 1, sizeof *r->object))
        return false;
    r->object = block;
    r->object[r->objects_known++] = symbol;
    return true;
}

/* More than there may be no event can name. */
static void add_name(struct plumb_recording_reader *r, uint32_t symbol)
{
    if (r->names_known < RECORDING_NAMES)
        r->name[r->names_known++] = symbol;
}

/* Look for the next event; if it is in a chunk that we do not know, learn which
 * there are. */
static enum plumb_status look_further(struct plumb_recording_reader *r,
                                      struct recording_track *t, bool names,
                                      struct plumb_error *err)
{
    /* Tracks may move when we learn of more of them. */
    const size_t index = names ? 0 : (size_t)(t - r->track);
    enum plumb_status status =
        plumb_track_look(t, names, &r->file, &r->symbols, err);
    if (status != PLUMB_OK || t->state != TRACK_MISSING)
        return status;
    status = learn_chunks(r, err);
    if (status != PLUMB_OK)
        return status;
    t = names ? t : r->track + index;
    status = plumb_track_look(t, names, &r->file, &r->symbols, err);
    if (status == PLUMB_OK && t->state == TRACK_MISSING)
        return plumb_fail(err, PLUMB_EINPUT, 0, recording_place(t->desk),
                          "chunk %llu of this thread is missing",
                          (unsigned long long)t->place.sequence);
    return status;
}

static enum plumb_status learn_names(struct plumb_recording_reader *r,
                                     struct plumb_error *err)
{
    for (;;) {
        const struct recorded *const e = &r->names.next;
        const uint64_t last = r->names.place.last;
        const enum plumb_status status = look_further(r, &r->names, true, err);
        if (status != PLUMB_OK)
            return lose(r, minus(last, r->uncertainty), err);
        if (r->names.state == TRACK_DRY)
            return PLUMB_OK;
        r->names.state = TRACK_DRY;
        if (e->kind == RECORDING_CALL)
            add_name(r, e->name);
        else if (e->kind == RECORDING_TIME)
            r->spec = e->name;
        else if (!add_object(r, e->name))
            return plumb_fail_memory(err);
    }
}

static bool has_names(const struct plumb_recording_reader *r,
                      const struct recorded *e)
{
    return e->name < r->names_known &&
           (e->kind == RECORDING_RETURN ||
            (e->name > 0 && e->object > 0 && e->object < r->objects_known));
}

/* ---- the next event of each thread ---- */

/* Its names were in the table before it was there. */
static enum plumb_status check_event(struct plumb_recording_reader *r,
                                     const struct recording_track *t,
                                     struct plumb_error *err)
{
    const uint64_t at = recording_place(t->desk);
    enum plumb_status status = PLUMB_OK;
    if (!has_names(r, &t->next)) {
        status = learn_names(r, err);
        if (status == PLUMB_OK && !has_names(r, &t->next))
            return fail(err, at, "an event of this thread has no name");
    }
    if (t->next.kind == RECORDING_RETURN && !t->open)
        return fail(err, at, "an event of this thread is a return of no call");
    return status;
}

static enum plumb_status look_at(struct plumb_recording_reader *r,
                                 size_t thread, struct plumb_error *err)
{
    const uint64_t last = r->track[thread].place.last;
    if (r->track[thread].state != TRACK_DRY)
        return PLUMB_OK;
    enum plumb_status status = look_further(r, &r->track[thread], false, err);
    struct recording_track *const t = &r->track[thread];
    if (status == PLUMB_OK && t->state == TRACK_READY)
        status = check_event(r, t, err);
    if (status == PLUMB_OK)
        return PLUMB_OK;
    t->state = TRACK_TORN;
    return lose(r, last, err);
}

/* Once more look for events of all threads. */
static enum plumb_status begin_round(struct plumb_recording_reader *r,
                                     struct plumb_error *err)
{
    heed_stop(r);
    enum plumb_status status = learn_chunks(r, err);
    for (size_t i = 0; i < r->tracks && status == PLUMB_OK; i++)
        status = look_at(r, i, err);
    r->round++;
    return status;
}

static struct recording_track *earliest(struct plumb_recording_reader *r)
{
    struct recording_track *first = NULL;
    uint64_t least = FOR_EVER;
    for (size_t i = 0; i < r->tracks; i++) {
        struct recording_track *const t = &r->track[i];
        if (t->state == TRACK_READY && t->next.time < least) {
            first = t;
            least = t->next.time;
        }
    }
    return first;
}

/* ---- giving events ---- */

static void give(struct plumb_recording_reader *r, const struct recorded *e,
                 uint32_t lane, struct plumb_recorded_event *event)
{
    const bool is_call = e->kind == RECORDING_CALL;
    r->given = *e;
    *event = (struct plumb_recorded_event){
        .is_call = is_call,
        .process = lane,
        .thread = r->lane[lane].thread,
        .object = is_call ? r->object[e->object] : 0,
        .name = r->name[e->name],
        .values = e->values,
        .value = r->given.value,
        .time = e->time,
    };
}

static bool take_lane(struct plumb_recording_reader *r,
                      struct recording_track *t)
{
    void *block = r->lane;
    if (t->idle) {
        t->lane = t->idle - 1;
        t->idle = r->lane[t->lane].next;
        return true;
    }
    if (!plumb_grow(r->budget, &block, &r->lane_capacity, r->lanes + 1,
                    sizeof *r->lane))
        return false;
    r->lane = block;
    r->lane[r->lanes] = (struct lane){ .thread = (uint32_t)(t - r->track) + 1,
                                       .number = ++t->lanes };
    t->lane = (uint32_t)r->lanes++;
    return true;
}

/* A call that is open already has been left, and stays open. */
static bool give_call(struct plumb_recording_reader *r,
                      struct recording_track *t,
                      struct plumb_recorded_event *event)
{
    if (!take_lane(r, t))
        return false;
    give(r, &t->next, t->lane, event);
    t->open = true;
    return true;
}

static bool make_queue_longer(struct plumb_recording_reader *r)
{
    const size_t old = r->queue_capacity;
    void *block = r->queue;
    if (!plumb_grow(r->budget, &block, &r->queue_capacity, old + 1,
                    sizeof *r->queue))
        return false;
    r->queue = block;
    /* What has come round goes behind what was at the end. */
    const size_t round =
        r->first + r->waiting > old ? r->first + r->waiting - old : 0;
    const size_t room = r->queue_capacity - old;
    const size_t moved = round < room ? round : room;
    memcpy(r->queue + old, r->queue, moved * sizeof *r->queue);
    memmove(r->queue, r->queue + moved, (round - moved) * sizeof *r->queue);
    return true;
}

static bool queue_return(struct plumb_recording_reader *r,
                         struct recording_track *t)
{
    if (r->waiting == r->queue_capacity && !make_queue_longer(r))
        return false;
    const size_t at = (r->first + r->waiting++) % r->queue_capacity;
    r->queue[at] = (struct waiting){ .round = r->round,
                                     .lane = t->lane,
                                     .thread = (uint32_t)(t - r->track),
                                     .event = t->next };
    t->open = false;
    return true;
}

static void give_return(struct plumb_recording_reader *r,
                        struct plumb_recorded_event *event)
{
    const struct waiting *const w = &r->queue[r->first];
    struct recording_track *const t = &r->track[w->thread];
    give(r, &w->event, w->lane, event);
    r->lane[w->lane].next = t->idle;
    t->idle = w->lane + 1;
    r->first = (r->first + 1) % r->queue_capacity;
    r->waiting--;
}

/* ---- the next one ---- */

static bool is_locked(int fd)
{
    struct flock whole = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
    return fcntl(fd, F_OFD_GETLK, &whole) != 0 || whole.l_type != F_UNLCK;
}

/* Nobody writes any more?  Asked when there was nothing to read: the answer is
 * worth something if then there is nothing again. */
static enum plumb_status heed_end(struct plumb_recording_reader *r,
                                  struct plumb_error *err)
{
    const enum plumb_status status = check_closed(r, err);
    if (status == PLUMB_OK && !r->file.final && !is_locked(r->fd))
        r->file.final = true;
    return status;
}

/* What to do next. */
enum step {
    GIVE_RETURN,
    TAKE_EVENT, /* of the earliest thread */
    LOOK_AGAIN,
    FIND_NOTHING, /* and nothing waits */
    FINISH
};

static enum step next_step(const struct plumb_recording_reader *r,
                           const struct recording_track *t)
{
    const uint64_t time = t ? t->next.time : FOR_EVER;
    const uint64_t bound = time < r->limit ? time : r->limit;
    const bool settled = r->fd < 0 || r->file.final;
    if (r->waiting > 0) {
        const struct waiting *const w = &r->queue[r->first];
        if (w->event.time + r->uncertainty < bound)
            return settled || w->round < r->round ? GIVE_RETURN : LOOK_AGAIN;
    }
    if (time <= r->limit && t)
        return TAKE_EVENT;
    return r->limit < FOR_EVER && (t || settled) ? FINISH : FIND_NOTHING;
}

/* `gave`: there is an event. */
static enum plumb_status take_event(struct plumb_recording_reader *r,
                                    struct recording_track *t,
                                    struct plumb_recorded_event *event,
                                    bool *gave, struct plumb_error *err)
{
    *gave = t->next.kind == RECORDING_CALL;
    if (!(*gave ? give_call(r, t, event) : queue_return(r, t)))
        return plumb_fail_memory(err);
    t->state = TRACK_DRY;
    return look_at(r, (size_t)(t - r->track), err);
}

/* Nothing is there, and nothing waits. */
static enum plumb_recorded find_nothing(struct plumb_recording_reader *r,
                                        bool *looked, struct plumb_error *err)
{
    if (r->fd < 0 || r->file.final)
        return PLUMB_RECORDED_END;
    if (*looked && heed_end(r, err) != PLUMB_OK)
        return PLUMB_RECORDED_ERROR;
    if (*looked && !r->file.final)
        return PLUMB_RECORDED_LATER;
    *looked = true;
    return begin_round(r, err) == PLUMB_OK ? PLUMB_RECORDED_EVENT
                                           : PLUMB_RECORDED_ERROR;
}

enum plumb_recorded plumb_recording_next(struct plumb_recording_reader *r,
                                         struct plumb_recorded_event *event,
                                         struct plumb_error *err)
{
    bool looked = false, gave = false;
    while (!gave) {
        struct recording_track *const t = earliest(r);
        enum plumb_status status = PLUMB_OK;
        enum plumb_recorded found = PLUMB_RECORDED_EVENT;
        switch (next_step(r, t)) {
        case GIVE_RETURN:
            give_return(r, event);
            gave = true;
            break;
        case TAKE_EVENT:
            status = take_event(r, t, event, &gave, err);
            break;
        case LOOK_AGAIN:
            status = begin_round(r, err);
            break;
        case FIND_NOTHING:
            found = find_nothing(r, &looked, err);
            break;
        case FINISH:
            return PLUMB_RECORDED_END;
        }
        if (status != PLUMB_OK)
            return PLUMB_RECORDED_ERROR;
        if (found != PLUMB_RECORDED_EVENT)
            return found;
    }
    return PLUMB_RECORDED_EVENT;
}

/* ---- opening and closing ---- */

static enum plumb_status begin(struct plumb_recording_reader *r, bool whole,
                               struct plumb_error *err)
{
    const struct recording_header *const h = header(r);
    enum plumb_status status = check_header(h, r->file.size, err);
    if (status != PLUMB_OK)
        return status;
    r->checksum = h->checksum;
    r->ticks_per_second = h->ticks_per_second;
    r->uncertainty = h->uncertainty;
    /* Before anything else is looked at. */
    const uint64_t mark = load(&h->mark);
    status = check_closed(r, err);
    if (status != PLUMB_OK)
        return status;
    r->file.final = r->file.final || whole;
    if (r->fd < 0 && !r->file.final)
        limit_to(r, minus(mark, r->uncertainty),
                 "it was not closed, and may be being written; what came last "
                 "is left out");
    status = learn_chunks(r, err);
    if (status == PLUMB_OK && r->known > 0 && !r->lost)
        status = learn_names(r, err);
    return status == PLUMB_OK ? begin_round(r, err) : status;
}

static struct plumb_recording_reader *new_reader(struct plumb_budget *budget)
{
    struct plumb_recording_reader *const r =
        plumb_alloc_zeroed(budget, sizeof *r);
    if (!r)
        return NULL;
    r->budget = budget;
    r->fd = -1;
    r->limit = FOR_EVER;
    if (!plumb_symbols_init(&r->symbols, budget) || !add_object(r, 0)) {
        plumb_recording_close(r);
        return NULL;
    }
    const uint32_t ok = plumb_symbols_intern(&r->symbols, "ok", 2);
    if (ok == UINT32_MAX) {
        plumb_recording_close(r);
        return NULL;
    }
    add_name(r, ok); /* number 0 */
    return r;
}

static enum plumb_status open_reader(struct plumb_recording_reader *r,
                                     bool whole,
                                     struct plumb_recording_reader **reader,
                                     struct plumb_error *err)
{
    const enum plumb_status status = begin(r, whole, err);
    if (status == PLUMB_OK)
        *reader = r;
    else
        plumb_recording_close(r);
    return status;
}

enum plumb_status plumb_recording_open(struct plumb_recording_reader **reader,
                                       const void *data, size_t size,
                                       bool whole, struct plumb_budget *budget,
                                       struct plumb_error *err)
{
    struct plumb_recording_reader *const r = new_reader(budget);
    if (!r)
        return plumb_fail_memory(err);
    r->file.data = data;
    r->file.size = size;
    return open_reader(r, whole, reader, err);
}

/* Was the file written where it is now?  Else it is a copy, and stays as it
 * is. */
static bool is_original(const struct recording_header *h, const struct stat *st)
{
    return h->device == (uint64_t)st->st_dev &&
           h->inode == (uint64_t)st->st_ino;
}

enum plumb_status plumb_recording_follow(struct plumb_recording_reader **reader,
                                         int fd, struct plumb_budget *budget,
                                         struct plumb_error *err)
{
    struct stat st;
    struct plumb_recording_reader *const r = new_reader(budget);
    if (!r)
        return plumb_fail_memory(err);
    if (fstat(fd, &st) != 0 || (st.st_size > 0 && !map_again(r, fd))) {
        plumb_recording_close(r);
        return plumb_fail(err, PLUMB_EIO, 0, 0, "cannot be mapped");
    }
    if (r->file.size >= sizeof(struct recording_header) &&
        is_original(header(r), &st))
        r->fd = fd;
    return open_reader(r, false, reader, err);
}

void plumb_recording_close(struct plumb_recording_reader *r)
{
    if (!r)
        return;
    struct plumb_budget *const b = r->budget;
    unmap(r);
    for (size_t i = 0; i < r->tracks; i++)
        plumb_release(b, r->track[i].chunk,
                      r->track[i].capacity * sizeof(uint32_t));
    plumb_release(b, r->names.chunk, r->names.capacity * sizeof(uint32_t));
    plumb_release(b, r->absent, r->absent_capacity * sizeof *r->absent);
    plumb_release(b, r->track, r->track_capacity * sizeof *r->track);
    plumb_release(b, r->lane, r->lane_capacity * sizeof *r->lane);
    plumb_release(b, r->queue, r->queue_capacity * sizeof *r->queue);
    plumb_release(b, r->object, r->object_capacity * sizeof *r->object);
    plumb_symbols_release(&r->symbols);
    plumb_release(b, r, sizeof *r);
}

bool plumb_recording_is_whole(int fd)
{
    struct recording_header h;
    struct stat st;
    return pread(fd, &h, sizeof h, 0) == (ssize_t)sizeof h &&
           memcmp(h.magic, RECORDING_MAGIC, sizeof h.magic) == 0 &&
           fstat(fd, &st) == 0 && is_original(&h, &st) && !is_locked(fd);
}

/* ---- about it ---- */

const struct plumb_symbols *plumb_recording_symbols(
    const struct plumb_recording_reader *r)
{
    return &r->symbols;
}

void plumb_recording_process_name(const struct plumb_recording_reader *r,
                                  uint32_t process, char name[32])
{
    const struct lane *const l = &r->lane[process];
    if (l->number == 1)
        snprintf(name, 32, "P%u", l->thread);
    else
        snprintf(name, 32, "P%u.%u", l->thread, l->number);
}

uint32_t plumb_recording_spec(const struct plumb_recording_reader *r)
{
    return r->spec;
}

const char *plumb_recording_note(const struct plumb_recording_reader *r)
{
    return r->note[0] ? r->note : NULL;
}

uint64_t plumb_recording_ticks_per_second(
    const struct plumb_recording_reader *r)
{
    return r->ticks_per_second;
}
