/* recorder.c - the file that is recorded to, and the threads' places in it.
 *
 * Disk space is had before a desk is mapped: a store to it cannot fail.  What
 * cannot be recorded, since the disk is full, say, would make what follows look
 * wrong: whoever sees the effects of an operation that is not there.  So before
 * such an operation begins, the time is written to the header, and readers end
 * there. */
#include "recorder.h"

#include "stamp.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MARKS_PER_SECOND = 2000 };

/* ---- ending early ---- */

void plumb_record_stop(plumb_recorder *r, int error)
{
    _Atomic uint64_t *const stopped = &r->header->stopped;
    const uint64_t now = plumb_record_stamp_now(r->clock.clock);
    uint64_t was = atomic_load_explicit(stopped, memory_order_relaxed);
    int none = 0;
    /* seq_cst: seen before anything that this thread does now */
    while ((was == 0 || now < was) &&
           !atomic_compare_exchange_weak(stopped, &was, now))
        ;
    atomic_compare_exchange_strong(&r->error, &none, error);
}

/* ---- places in the file ---- */

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

/* ---- desks ---- */

static uint64_t now(const struct plumb_record_lane *l)
{
    return plumb_record_stamp_not_before(
        plumb_record_stamp_now(l->r->clock.clock), l->last);
}

/* The next number there is; 0, or the number of an error.  With the lock held. */
static int next_number(const plumb_recorder *r, uint64_t *number)
{
    *number = atomic_load_explicit(&r->header->taken, memory_order_relaxed);
    return *number < UINT32_MAX ? 0 : EFBIG;
}

static void take_number(plumb_recorder *r, uint64_t number)
{
    /* release: whoever knows of it sees what was written before */
    atomic_store_explicit(&r->header->taken, number + 1, memory_order_release);
}

static void begin_desk(struct plumb_record_lane *l)
{
    struct plumb_history_chunk *const c = l->desk;
    l->last = now(l);
    atomic_store_explicit(&c->label.base, l->last, memory_order_relaxed);
    /* release: whoever sees it sees a clean desk */
    atomic_store_explicit(&c->label.state, 2 * l->sequence,
                          memory_order_release);
    l->at = c->word;
    l->end = c->word + RECORDING_ROOM;
}

/* ---- disk space ---- */

/* A file that must not become so large (RLIMIT_FSIZE) is an error of ours, not a
 * signal that ends the program. */
struct blocked {
    sigset_t limit, before;
};

static void block_signal(struct blocked *q)
{
    sigemptyset(&q->limit);
    sigaddset(&q->limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &q->limit, &q->before);
}

/* The signal came to this thread, and is taken before anybody sees it. */
static void unblock_signal(const struct blocked *q, int error)
{
    const struct timespec at_once = { 0, 0 };
    if (error == EFBIG && !sigismember(&q->before, SIGXFSZ))
        sigtimedwait(&q->limit, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &q->before, NULL);
}

/* 0, or the number of an error. */
static int allocate(int fd, off_t at, off_t size)
{
    struct blocked q;
    int error;
    block_signal(&q);
    do
        error = posix_fallocate(fd, at, size);
    while (error == EINTR);
    unblock_signal(&q, error);
    return error;
}

/* 0, or the number of an error.  With the lock held. */
static int make_desk(struct plumb_record_lane *l)
{
    plumb_recorder *const r = l->r;
    uint64_t number;
    int error = atomic_load_explicit(&r->error, memory_order_relaxed);
    if (!error)
        error = next_number(r, &number);
    if (!error)
        error = allocate(r->fd, place_of(number), RECORDING_CHUNK);
    if (error)
        return error;
    struct plumb_history_chunk *const c = map(r->fd, place_of(number));
    if (!c)
        return errno;
    c->label.magic = RECORDING_DESK_MAGIC;
    c->label.number = (uint32_t)number;
    c->label.thread = l->thread;
    c->label.taken = now(l);
    l->desk = c;
    begin_desk(l);
    take_number(r, number);
    return 0;
}

static uint64_t words_used(const struct plumb_record_lane *l)
{
    return (uint64_t)(l->at - l->desk->word);
}

/* 0, or the number of an error. */
static int write_some(int fd, const void *data, size_t size, off_t at,
                      size_t *written)
{
    struct blocked q;
    block_signal(&q);
    const ssize_t done = pwrite(fd, data, size, at);
    const int error = done < 0 ? errno : done == 0 ? ENOSPC : 0;
    unblock_signal(&q, error);
    *written = done > 0 ? (size_t)done : 0;
    return error == EINTR ? 0 : error;
}

static int write_all(int fd, const void *data, size_t size, off_t at)
{
    const char *from = data;
    while (size > 0) {
        size_t done;
        const int error = write_some(fd, from, size, at, &done);
        if (error)
            return error;
        from += done;
        at += (off_t)done;
        size -= done;
    }
    return 0;
}

/* As chunk `number`.  The label is written last: then all of it is there. */
static int copy_desk(struct plumb_record_lane *l, uint64_t number,
                     uint64_t taken)
{
    const struct plumb_history_chunk *const desk = l->desk;
    const off_t at = place_of(number);
    struct plumb_history_chunk_label label = {
        .magic = RECORDING_CHUNK_MAGIC,
        .number = (uint32_t)number,
        .thread = l->thread,
        .taken = taken,
        .state = 2 * l->sequence,
        .base = atomic_load_explicit(&desk->label.base, memory_order_relaxed),
        .used = words_used(l),
    };
    label.checksum = plumb_history_recording_sum(&label, desk->word);
    const int error =
        write_all(l->r->fd, (const char *)desk + sizeof label,
                  RECORDING_CHUNK - sizeof label, at + (off_t)sizeof label);
    return error ? error : write_all(l->r->fd, &label, sizeof label, at);
}

static void clear_desk(struct plumb_record_lane *l)
{
    struct plumb_history_chunk *const c = l->desk;
    atomic_store_explicit(&c->label.state, 2 * l->sequence + 1,
                          memory_order_relaxed);
    /* release: whoever sees a word cleared sees the state, too */
    atomic_thread_fence(memory_order_release);
    memset((char *)c + sizeof c->label, 0, words_used(l) * sizeof *c->word);
    atomic_store_explicit(&c->label.copy, 0, memory_order_relaxed);
    l->sequence++;
    begin_desk(l);
}

/* A number for the copy; 0, or the number of an error.  Should we be killed
 * while we write it, a reader knows what it was to become. */
static int announce_copy(struct plumb_record_lane *l, uint64_t *number)
{
    plumb_recorder *const r = l->r;
    const bool lock = l != &r->table; /* held already */
    if (lock)
        pthread_mutex_lock(&r->lock);
    const int error = next_number(r, number);
    if (!error) {
        atomic_store_explicit(&l->desk->label.copy, *number + 1,
                              memory_order_relaxed);
        take_number(r, *number);
    }
    if (lock)
        pthread_mutex_unlock(&r->lock);
    return error;
}

bool plumb_record_lane_advance(struct plumb_record_lane *l)
{
    int error = atomic_load_explicit(&l->r->error, memory_order_relaxed);
    if (!l->at)
        return false;
    const uint64_t taken = now(l);
    uint64_t number;
    if (!error)
        error = announce_copy(l, &number);
    if (!error)
        error = copy_desk(l, number, taken);
    if (error) {
        plumb_record_stop(l->r, error);
        l->used = words_used(l);
        l->at = l->end = NULL; /* and what is on it stays */
        return false;
    }
    clear_desk(l);
    return true;
}

/* When the recorder is closed: the desk is the thread's last chunk. */
static void close_desk(struct plumb_record_lane *l)
{
    struct plumb_history_chunk *const c = l->desk;
    if (!c)
        return;
    const uint64_t used = l->at ? words_used(l) : l->used;
    atomic_store_explicit(&c->label.used, used, memory_order_relaxed);
    atomic_store_explicit(&c->label.checksum,
                          plumb_history_recording_sum(&c->label, c->word),
                          memory_order_relaxed);
    munmap(c, RECORDING_CHUNK);
    l->desk = NULL;
}

/* ---- threads ---- */

/* The thread has ended. */
static void leave_lane(void *context)
{
    struct plumb_record_lane *const l = context;
    plumb_recorder *const r = l->r;
    pthread_mutex_lock(&r->lock);
    l->open = false;
    l->next_free = r->free;
    r->free = l;
    pthread_mutex_unlock(&r->lock);
}

static struct plumb_record_lane *new_lane(plumb_recorder *r)
{
    struct plumb_record_lane *const l = calloc(1, sizeof *l);
    if (!l) {
        plumb_record_stop(r, ENOMEM);
        return NULL;
    }
    l->r = r;
    l->thread = ++r->threads;
    l->next = r->all;
    r->all = l;
    const int error = make_desk(l); /* else it stays without one */
    if (error)
        plumb_record_stop(r, error);
    return l;
}

static struct plumb_record_lane *find_lane(plumb_recorder *r)
{
    struct plumb_record_lane *const l = r->free;
    if (!l)
        return new_lane(r);
    r->free = l->next_free;
    return l;
}

struct plumb_record_lane *plumb_record_lane_make(plumb_recorder *r)
{
    pthread_mutex_lock(&r->lock);
    struct plumb_record_lane *const l = find_lane(r);
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

static bool write_name(struct plumb_record_lane *table,
                       enum plumb_history_recording_kind kind, const char *text,
                       size_t length)
{
    const size_t words = plumb_history_recording_text_words(length);
    uint64_t bytes[(RECORDING_TEXT + 7) / 8] = { 0 };
    if ((size_t)(table->end - table->at) < words + 1 &&
        !plumb_record_lane_advance(table))
        return false;
    memcpy(bytes, text, length);
    for (size_t i = 0; i < words; i++)
        atomic_store_explicit(table->at + 1 + i, bytes[i],
                              memory_order_relaxed);
    /* release: whoever sees it sees the text */
    atomic_store_explicit(
        table->at, plumb_history_recording_head(kind, 0, 0, 0, 0, length),
        memory_order_release);
    table->at += words + 1;
    return true;
}

void plumb_record_spec(plumb_recorder *r, const char *spec)
{
    pthread_mutex_lock(&r->lock);
    write_name(&r->table, RECORDING_TIME, spec, strnlen(spec, RECORDING_TEXT));
    pthread_mutex_unlock(&r->lock);
}

/* With the lock held.  Symbol 0 is the empty text, so numbers are from 1. */
static uint32_t number_of(plumb_recorder *r,
                          enum plumb_history_recording_kind kind,
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
    const uint32_t number = plumb_history_symbols_intern(s, text, length);
    if (number >= most) {
        plumb_record_stop(r, number == UINT32_MAX ? ENOMEM : EOVERFLOW);
        return 0;
    }
    return s->count == before || write_name(&r->table, kind, text, length)
               ? number
               : 0;
}

uint32_t plumb_record_lane_learn(struct plumb_record_lane *l,
                                 struct plumb_record_known *k,
                                 enum plumb_history_recording_kind kind,
                                 const char *text)
{
    pthread_mutex_lock(&l->r->lock);
    const uint32_t number = number_of(l->r, kind, text);
    pthread_mutex_unlock(&l->r->lock);
    if (number)
        *k = (struct plumb_record_known){ text, number };
    return number;
}

/* ---- opening and closing ---- */

static void fill_in_header(plumb_recorder *r, const struct stat *st)
{
    struct plumb_history_recording_header *const h = r->header;
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
    h->checksum = plumb_base_fnv(
        PLUMB_FNV, h,
        offsetof(struct plumb_history_recording_header, checksum));
}

/* Held as long as the file is open: so a reader knows that it is not whole.
 * Where it cannot be had, the file must not look as if nobody wrote to it: then
 * it has no inode that a reader would know it by. */
static void lock_file(int fd, struct stat *st)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    if (fcntl(fd, F_OFD_SETLK, &whole) != 0)
        st->st_ino = 0;
}

/* The file appears under its name with its header in place; whoever reads an
 * old one of that name goes on reading that.  0, or the number of an error. */
static int make_file(plumb_recorder *r, const char *path, char *part)
{
    struct stat st;
    r->fd = open(part, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (r->fd < 0 || fstat(r->fd, &st) != 0)
        return errno;
    lock_file(r->fd, &st);
    const int error = allocate(r->fd, 0, sysconf(_SC_PAGESIZE));
    if (error || ftruncate(r->fd, RECORDING_HEADER) != 0)
        return error ? error : errno;
    r->header = map(r->fd, 0);
    if (!r->header)
        return errno;
    fill_in_header(r, &st);
    r->table.r = r;
    const int no_table = make_desk(&r->table);
    if (no_table)
        return no_table;
    /* Not over an old one: some file systems then write all to the disk. */
    if (unlink(path) != 0 && errno != ENOENT)
        return errno;
    return rename(part, path) == 0 ? 0 : errno;
}

/* Only a file is replaced by another: not a device, a pipe or a link. */
static bool may_be_replaced(const char *path)
{
    struct stat st;
    return lstat(path, &st) != 0 || S_ISREG(st.st_mode);
}

static int open_file(plumb_recorder *r, const char *path)
{
    static const char ending[] = ".part";
    const size_t length = strlen(path);
    if (!may_be_replaced(path))
        return EEXIST;
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
    if (r->table.desk)
        munmap(r->table.desk, RECORDING_CHUNK);
    if (r->header)
        munmap(r->header, RECORDING_CHUNK);
    if (r->fd >= 0)
        close(r->fd);
    plumb_history_symbols_release(&r->names);
    plumb_history_symbols_release(&r->objects);
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
    r->clock = plumb_record_clock_choose();
    r->mark_every = r->clock.ticks_per_second / MARKS_PER_SECOND;
    return r;
}

plumb_recorder *plumb_record_open(const char *path)
{
    plumb_recorder *const r = new_recorder();
    int error = ENOMEM;
    if (!r)
        return NULL;
    if (plumb_history_symbols_init(&r->names, NULL) &&
        plumb_history_symbols_init(&r->objects, NULL))
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
    struct plumb_history_recording_header *const h = r->header;
    const uint64_t taken = atomic_load(&h->taken);
    const uint64_t stopped = atomic_load(&h->stopped);
    /* release: whoever sees it sees all the rest */
    atomic_store_explicit(
        &h->closed, plumb_history_recording_seal(h->checksum, taken, stopped),
        memory_order_release);
}

int plumb_record_close(plumb_recorder *r)
{
    const int error = atomic_load(&r->error);
    pthread_key_delete(r->key);
    for (struct plumb_record_lane *l = r->all, *next; l; l = next) {
        next = l->next;
        close_desk(l);
        free(l);
    }
    close_desk(&r->table);
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
