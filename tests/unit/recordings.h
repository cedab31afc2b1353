/* recordings.h - what the tests of the recorder and of its files share. */
#ifndef TESTS_RECORDINGS_H
#define TESTS_RECORDINGS_H

#include "histories.h"

#include "history/recording/recording.h"
#include "history/recording/recording_format.h"
#include <fcntl.h>
#include <plumb/record.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- files ---- */

/* A name for a new file; forget_file() removes it and frees the name. */
static inline char *new_file(void)
{
    char *const path = strdup("/tmp/plumb-test-XXXXXX");
    assert_non_null(path);
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    return path;
}

static inline void forget_file(char *path)
{
    unlink(path);
    free(path);
}

struct bytes {
    char *data; /* aligned by malloc */
    size_t size;
};

static inline struct bytes read_file(const char *path)
{
    FILE *const f = fopen(path, "rb");
    struct bytes b = { NULL, 0 };
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    b.size = (size_t)ftell(f);
    rewind(f);
    b.data = malloc(b.size + 1);
    assert_non_null(b.data);
    assert_int_equal(fread(b.data, 1, b.size, f), b.size);
    fclose(f);
    return b;
}

static inline struct plumb_history_recording_header *header_of(struct bytes b)
{
    void *const data = b.data;
    return data;
}

/* After a change of what it covers. */
static inline void sign(struct bytes b)
{
    struct plumb_history_recording_header *const h = header_of(b);
    h->checksum = plumb_base_fnv(
        PLUMB_FNV, h,
        offsetof(struct plumb_history_recording_header, checksum));
    if (h->closed)
        h->closed =
            plumb_history_recording_seal(h->checksum, h->taken, h->stopped);
}

/* As if the program had been killed. */
static inline void reopen(struct bytes b)
{
    header_of(b)->closed = 0;
}

static inline enum plumb_status read_bytes(struct bytes b, bool whole,
                                           struct plumb_history *h,
                                           char note[200],
                                           struct plumb_error *err)
{
    struct plumb_reader *r;
    enum plumb_status status =
        plumb_reader_open(&r, b.data, b.size, PLUMB_FORMAT_RECORDING,
                          PLUMB_TIES_OF_FORMAT, NULL, err);
    assert_int_equal(status, PLUMB_OK);
    if (whole)
        plumb_reader_is_whole(r);
    status = plumb_reader_next(r, h, err);
    if (note)
        snprintf(note, 200, "%s",
                 plumb_reader_note(r) ? plumb_reader_note(r) : "");
    plumb_reader_close(r);
    return status;
}

static inline struct plumb_history read_whole(const char *path)
{
    const struct bytes b = read_file(path);
    struct plumb_history h;
    struct plumb_error err = { 0 };
    char note[200];
    if (read_bytes(b, true, &h, note, &err) != PLUMB_OK)
        fail_msg("%s: %s", path, err.message);
    if (note[0])
        print_message("note: %s\n", note);
    free(b.data);
    return h;
}

/* ---- a counter: what it answers tells who was first ----
 *
 * "next" adds one and answers what there was.  So an operation answers more
 * than all that had returned when it was called: a history that has it
 * otherwise was not recorded soundly.  No operation is missing among those
 * before the last answer that was given. */

struct counted {
    plumb_recorder *r;
    unsigned operations; /* of each thread */
    _Atomic int64_t counter;
};

static inline void count_once(struct counted *c)
{
    plumb_record_begin(c->r, "C", "next", NULL, 0);
    /* relaxed: the recorder, not the counter, must have fences */
    const int64_t was =
        atomic_fetch_add_explicit(&c->counter, 1, memory_order_relaxed);
    plumb_record_end(c->r, NULL, &was, 1);
}

static inline void *count(void *context)
{
    struct counted *const c = context;
    for (unsigned i = 0; i < c->operations; i++)
        count_once(c);
    return NULL;
}

static inline void count_in_threads(struct counted *c, unsigned threads)
{
    pthread_t thread[64];
    for (unsigned i = 0; i < threads; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, count, c), 0);
    for (unsigned i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
}

/* Fed with events in order. */
struct judge {
    int64_t returned; /* the most that any has answered */
    int64_t *least;   /* by process: what it has to answer more than, or -2 if
                         it has no call open */
    size_t processes;
    uint64_t calls, returns;
};

static inline void judge_call(struct judge *j, uint32_t process)
{
    if (process >= j->processes) {
        j->least = realloc(j->least, (process + 1) * sizeof *j->least);
        assert_non_null(j->least);
        for (; j->processes <= process; j->processes++)
            j->least[j->processes] = -2;
    }
    assert_int_equal(j->least[process], -2);
    j->least[process] = j->returned;
    j->calls++;
}

static inline void judge_return(struct judge *j, uint32_t process,
                                int64_t answer)
{
    assert_true(process < j->processes && j->least[process] != -2);
    assert_true(answer > j->least[process]);
    j->returned = answer > j->returned ? answer : j->returned;
    j->least[process] = -2;
    j->returns++;
    /* All that answered less have been called. */
    assert_true((uint64_t)answer < j->calls);
}

static inline struct judge new_judge(void)
{
    return (struct judge){ .returned = -1 };
}

static inline void judge_event(struct judge *j,
                               const struct plumb_history_recorded_event *e)
{
    if (e->is_call)
        judge_call(j, e->process);
    else
        judge_return(j, e->process, (int64_t)e->value[0].bits);
}

/* The same of a whole history. */
static inline void judge_history(const struct plumb_history *h, uint64_t calls,
                                 uint64_t returns)
{
    struct judge j = new_judge();
    uint32_t *const at = malloc((h->events + 1) * sizeof *at);
    assert_non_null(at);
    for (uint32_t i = 0; i < h->count; i++) {
        at[h->op[i].call] = 2 * i;
        if (h->op[i].resp != PLUMB_NEVER)
            at[h->op[i].resp] = 2 * i + 1;
    }
    for (uint32_t e = 0; e < h->events; e++) {
        const struct plumb_op *const o = &h->op[at[e] / 2];
        if (at[e] % 2 == 0)
            judge_call(&j, o->thread);
        else
            judge_return(&j, o->thread,
                         (int64_t)plumb_op_results(h, o)[0].bits);
    }
    assert_int_equal(j.calls, calls);
    assert_int_equal(j.returns, returns);
    free(j.least);
    free(at);
}

#endif
