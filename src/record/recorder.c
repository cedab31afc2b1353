/* recorder.c - the file that is recorded to, and the threads' places in it.
 *
 * The file grows by whole chunks, and disk space is had before a chunk is
 * mapped: a store to it cannot fail.  What cannot be recorded, since the disk
 * is full, say, would make what follows look wrong: whoever sees the effects of
 * an operation that is not there.  So before such an operation begins, the time
 * is written to the header, and readers end there. */
#include "record/recorder.h"

#include "record/stamp.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXTENT = 8, MARKS_PER_SECOND = 2000 };

/* ---- ending early ---- */

void plumb_record_stop(plumb_recorder *r, int error)
{
    _Atomic uint64_t *const stopped = &r->header->stopped;
    const uint64_t now = stamp_now(r->clock.clock);
    uint64_t was = atomic_load_explicit(stopped, memory_order_relaxed);
    int none = 0;
    /* seq_cst: seen before anything that this thread does now */
    while ((was == 0 || now < was) &&
           !atomic_compare_exchange_weak(stopped, &was, now))
        ;
    atomic_compare_exchange_strong(&r->error, &none, error);
}

/* ---- chunks ---- */

static off_t place_of(uint64_t chunk)
{
    return (off_t)(RECORDING_HEADER + chunk * RECORDING_CHUNK);
}

static void *map(int fd, off_t at)
{
    void *const m =
        mmap(NULL, RECORDING_CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at);
    if (m == MAP_FAILED)
        return NULL;
    madvise(m, RECORDING_CHUNK, MADV_DONTFORK); /* not for children to write */
    return m;
}

/* Let the kernel find its pages now, not one by one. */
static void fault_in(void *chunk)
{
#ifdef MADV_POPULATE_WRITE
    madvise(chunk, RECORDING_CHUNK, MADV_POPULATE_WRITE);
#else
    (void)chunk;
#endif
}

/* 0, or the number of an error. */
static int make_room(plumb_recorder *r, uint64_t chunks)
{
    if (chunks <= r->allocated)
        return 0;
    const int error = posix_fallocate(r->fd, place_of(r->allocated),
                                      (off_t)EXTENT * RECORDING_CHUNK);
    if (error == 0)
        r->allocated += EXTENT;
    return error;
}

/* With the lock held. */
static struct recording_chunk *take_chunk(struct lane *l, int *error)
{
    plumb_recorder *const r = l->r;
    const uint64_t number =
        atomic_load_explicit(&r->header->taken, memory_order_relaxed);
    *error = number < UINT32_MAX ? make_room(r, number + 1) : EFBIG;
    if (*error)
        return NULL;
    struct recording_chunk *const c = map(r->fd, place_of(number));
    if (!c) {
        *error = errno;
        return NULL;
    }
    c->magic = RECORDING_CHUNK_MAGIC;
    c->number = (uint32_t)number;
    c->thread = l->thread;
    c->sequence = l->sequence++;
    c->base = l->last = stamp_not_before(stamp_now(r->clock.clock), l->last);
    /* release: whoever knows of the chunk sees what it is */
    atomic_store_explicit(&r->header->taken, number + 1, memory_order_release);
    return c;
}

static void seal(struct lane *l)
{
    struct recording_chunk *const c = l->chunk;
    if (!c)
        return;
    const uint64_t used = (uint64_t)(l->at - c->word);
    if (used > 0) {
        atomic_store_explicit(&c->checksum, recording_chunk_sum(c, used),
                              memory_order_relaxed);
        /* release: whoever sees it sees the sum and all the words */
        atomic_store_explicit(&c->used, used, memory_order_release);
    }
    munmap(c, RECORDING_CHUNK);
    l->chunk = NULL;
    l->at = l->end = NULL;
}

/* With the lock held. */
static bool advance(struct lane *l)
{
    int error = atomic_load_explicit(&l->r->error, memory_order_relaxed);
    seal(l);
    l->chunk = error ? NULL : take_chunk(l, &error);
    if (!l->chunk) {
        plumb_record_stop(l->r, error);
        return false;
    }
    l->at = l->chunk->word;
    l->end = l->chunk->word + RECORDING_ROOM;
    return true;
}

bool plumb_lane_advance(struct lane *l)
{
    if (!l->chunk)
        return false;
    pthread_mutex_lock(&l->r->lock);
    const bool advanced = advance(l);
    pthread_mutex_unlock(&l->r->lock);
    if (advanced)
        fault_in(l->chunk);
    return advanced;
}

/* ---- threads ---- */

/* The thread has ended. */
static void leave_lane(void *context)
{
    struct lane *const l = context;
    plumb_recorder *const r = l->r;
    pthread_mutex_lock(&r->lock);
    l->open = false;
    l->next_free = r->free;
    r->free = l;
    pthread_mutex_unlock(&r->lock);
}

static struct lane *new_lane(plumb_recorder *r)
{
    struct lane *const l = calloc(1, sizeof *l);
    if (!l) {
        plumb_record_stop(r, ENOMEM);
        return NULL;
    }
    l->r = r;
    l->thread = ++r->threads;
    l->next = r->all;
    r->all = l;
    advance(l); /* else it stays without a chunk */
    return l;
}

static struct lane *find_lane(plumb_recorder *r)
{
    struct lane *const l = r->free;
    if (!l)
        return new_lane(r);
    r->free = l->next_free;
    return l;
}

struct lane *plumb_lane_make(plumb_recorder *r)
{
    pthread_mutex_lock(&r->lock);
    struct lane *const l = find_lane(r);
    pthread_mutex_unlock(&r->lock);
    if (!l)
        return NULL;
    if (pthread_setspecific(r->key, l) != 0) {
        plumb_record_stop(r, ENOMEM);
        leave_lane(l);
        return NULL;
    }
    return l;
}

/* ---- names ---- */

static bool write_name(struct lane *table, enum recording_kind kind,
                       const char *text, size_t length)
{
    const size_t words = recording_text_words(length);
    uint64_t bytes[(RECORDING_TEXT + 7) / 8] = { 0 };
    if (!table->chunk ||
        ((size_t)(table->end - table->at) < words + 1 && !advance(table)))
        return false;
    memcpy(bytes, text, length);
    for (size_t i = 0; i < words; i++)
        atomic_store_explicit(table->at + 1 + i, bytes[i],
                              memory_order_relaxed);
    /* release: whoever sees it sees the text */
    atomic_store_explicit(table->at, recording_head(kind, 0, 0, 0, 0, length),
                          memory_order_release);
    table->at += words + 1;
    return true;
}

/* With the lock held.  Symbol 0 is the empty text, so numbers are from 1. */
static uint32_t number_of(plumb_recorder *r, enum recording_kind kind,
                          const char *text)
{
    struct plumb_symbols *const s =
        kind == RECORDING_CALL ? &r->names : &r->objects;
    const uint32_t most =
        kind == RECORDING_CALL ? RECORDING_NAMES : RECORDING_OBJECTS;
    const uint32_t before = s->count;
    if (!text || !*text)
        text = "(no name)";
    const size_t length = strnlen(text, RECORDING_TEXT);
    const uint32_t number = plumb_symbols_intern(s, text, length);
    if (number >= most) {
        plumb_record_stop(r, number == UINT32_MAX ? ENOMEM : EOVERFLOW);
        return 0;
    }
    return s->count == before || write_name(&r->table, kind, text, length)
               ? number
               : 0;
}

static uint32_t learn(struct lane *l, struct known *k, enum recording_kind kind,
                      const char *text)
{
    pthread_mutex_lock(&l->r->lock);
    const uint32_t number = number_of(l->r, kind, text);
    pthread_mutex_unlock(&l->r->lock);
    if (number)
        *k = (struct known){ text, number };
    return number;
}

static size_t scatter(const char *text)
{
    const uintptr_t address = (uintptr_t)text;
    return address ^ address >> 6;
}

uint32_t plumb_lane_name(struct lane *l, const char *name)
{
    struct known *const k = &l->name[scatter(name) % KNOWN_NAMES];
    if (k->text == name && k->number)
        return k->number;
    return learn(l, k, RECORDING_CALL, name);
}

uint32_t plumb_lane_object(struct lane *l, const char *object)
{
    struct known *const k = &l->object[scatter(object) % KNOWN_OBJECTS];
    if (k->text == object && k->number)
        return k->number;
    return learn(l, k, RECORDING_RETURN, object);
}

/* ---- opening and closing ---- */

static void fill_in_header(plumb_recorder *r, const struct stat *st)
{
    struct recording_header *const h = r->header;
    memcpy(h->magic, RECORDING_MAGIC, sizeof h->magic);
    h->order = RECORDING_ORDER_MARK;
    h->version = RECORDING_VERSION;
    h->header_size = RECORDING_HEADER;
    h->chunk_size = RECORDING_CHUNK;
    h->clock = r->clock.clock;
    h->ticks_per_second = r->clock.ticks_per_second;
    h->uncertainty = r->clock.uncertainty;
    h->device = (uint64_t)st->st_dev;
    h->inode = (uint64_t)st->st_ino;
    h->checksum = recording_fnv(h, offsetof(struct recording_header, checksum));
}

/* Held as long as the file is open: so a reader knows that it is not whole. */
static void lock_file(int fd)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    fcntl(fd, F_OFD_SETLK, &whole); /* without it a reader is less bold */
}

/* The file appears under its name with its header in place; whoever reads an
 * old one of that name goes on reading that.  0, or the number of an error. */
static int make_file(plumb_recorder *r, const char *path, char *part)
{
    struct stat st;
    r->fd = open(part, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (r->fd < 0 || fstat(r->fd, &st) != 0)
        return errno;
    lock_file(r->fd);
    const int error = posix_fallocate(r->fd, 0, sysconf(_SC_PAGESIZE));
    if (error || ftruncate(r->fd, RECORDING_HEADER) != 0)
        return error ? error : errno;
    r->header = map(r->fd, 0);
    if (!r->header)
        return errno;
    fill_in_header(r, &st);
    r->table.r = r;
    if (!advance(&r->table))
        return atomic_load(&r->error);
    /* Not over an old one: some file systems then write all to the disk. */
    if (unlink(path) != 0 && errno != ENOENT)
        return errno;
    return rename(part, path) == 0 ? 0 : errno;
}

static int open_file(plumb_recorder *r, const char *path)
{
    static const char ending[] = ".part";
    const size_t length = strlen(path);
    char *const part = malloc(length + sizeof ending);
    if (!part)
        return ENOMEM;
    memcpy(part, path, length);
    memcpy(part + length, ending, sizeof ending);
    const int error = make_file(r, path, part);
    if (error && r->fd >= 0)
        unlink(part);
    free(part);
    return error;
}

static void release(plumb_recorder *r)
{
    if (r->table.chunk)
        munmap(r->table.chunk, RECORDING_CHUNK);
    if (r->header)
        munmap(r->header, RECORDING_CHUNK);
    if (r->fd >= 0)
        close(r->fd);
    plumb_symbols_release(&r->names);
    plumb_symbols_release(&r->objects);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

static plumb_recorder *new_recorder(void)
{
    plumb_recorder *const r = aligned_alloc(64, sizeof *r);
    if (!r)
        return NULL;
    memset(r, 0, sizeof *r);
    r->fd = -1;
    pthread_mutex_init(&r->lock, NULL);
    r->clock = plumb_clock_choose();
    r->mark_every = r->clock.ticks_per_second / MARKS_PER_SECOND;
    return r;
}

plumb_recorder *plumb_record_open(const char *path)
{
    plumb_recorder *const r = new_recorder();
    int error = ENOMEM;
    if (!r)
        return NULL;
    if (plumb_symbols_init(&r->names, NULL) &&
        plumb_symbols_init(&r->objects, NULL))
        error = open_file(r, path);
    if (!error)
        error = pthread_key_create(&r->key, leave_lane);
    if (!error)
        return r;
    release(r);
    errno = error;
    return NULL;
}

static void close_file(plumb_recorder *r)
{
    struct recording_header *const h = r->header;
    const uint64_t taken = atomic_load(&h->taken);
    const uint64_t stopped = atomic_load(&h->stopped);
    /* release: whoever sees it sees all the rest */
    atomic_store_explicit(&h->closed,
                          recording_seal(h->checksum, taken, stopped),
                          memory_order_release);
    /* What was had in advance; no reader looks beyond `taken`. */
    if (ftruncate(r->fd, place_of(taken)) != 0)
        return;
}

int plumb_record_close(plumb_recorder *r)
{
    const int error = atomic_load(&r->error);
    pthread_key_delete(r->key);
    for (struct lane *l = r->all, *next; l; l = next) {
        next = l->next;
        seal(l);
        free(l);
    }
    seal(&r->table);
    close_file(r);
    release(r);
    return error;
}

struct plumb_clock plumb_record_clock(const plumb_recorder *r)
{
    const uint32_t c = r->clock.clock;
    return (struct plumb_clock){
        .name = c == RECORDING_TSC      ? "tsc"
                : c == RECORDING_CNTVCT ? "cntvct"
                                        : "monotonic",
        .ticks_per_second = r->clock.ticks_per_second,
        .uncertainty = r->clock.uncertainty,
    };
}
