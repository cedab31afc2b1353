/* waiting_loops.c - see waiting_loops.h.
 *
 * Of each thread the last moments at which it stood are kept, since it last
 * made progress: all that is its own, where it stands, stack and registers.
 * Of each place that it read since, the value.  Both are rings: a
 * moment is good for comparing as long as all that was read after it is there.
 *
 * Values are taken at the end of a step.  Nobody else has run until then, and
 * the thread itself has written nothing, or it is progress. */
#include "waiting_loops.h"

#include "scheduler_state.h"
#include <assert.h>
#include <stddef.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MOMENTS = 16, WIDEST = 16, MOST_KEPT = 2048 };

struct seen {
    const void *at;
    uint32_t size;
    char value[WIDEST];
};

/* What is a thread's own, where it stands. */
struct moment {
    uint64_t reads; /* so many had been done */
    const void *pc;
    struct plumb_strategies_event next;
    int error;
    uintptr_t slot[SLOTS];
    char exceptions[FIBER_EXCEPTIONS];
    size_t size;           /* of the stack, with the registers */
    char stack[MOST_KEPT]; /* or of one that is larger, a hash */
};

struct awaiting {
    struct moment moment[MOMENTS];
    uint64_t moments;
    struct seen read[AWAITING_READS];
    uint64_t reads, valued; /* those before have their values */
    struct seen written;    /* by this step; size 0: nothing  */
    bool progress, tries;   /* ... and this                   */
    bool repeats;
    uint64_t round; /* where the reads of the round begin */
};

bool scheduler_awaiting_on;
static struct awaiting awaiting[PLUMB_MAX_THREADS];

static struct awaiting *self(void)
{
    return &awaiting[scheduler_running];
}

static void forget(struct awaiting *a)
{
    a->moments = a->reads = a->valued = 0;
}

void scheduler_awaiting_begin(void)
{
    for (unsigned t = 0; scheduler_awaiting_on && t < scheduler.fibers; t++) {
        struct awaiting *const a = &awaiting[t];
        forget(a);
        a->written.size = 0;
        a->progress = a->tries = a->repeats = false;
    }
}

static size_t kept_of_stack(const struct moment *m)
{
    return m->size <= sizeof m->stack ? m->size : sizeof(XXH128_hash_t);
}

/* Those that are still there, of rings that are numbered from 0. */
static void pass_moments(struct awaiting *a, struct memory_tape *tape)
{
    uint64_t i = a->moments > MOMENTS ? a->moments - MOMENTS : 0;
    for (; i < a->moments && !tape->refused; i++) {
        struct moment *const m = &a->moment[i % MOMENTS];
        memory_tape_pass(tape, m, offsetof(struct moment, stack));
        memory_tape_pass(tape, m->stack, kept_of_stack(m));
    }
}

static void pass_reads(struct awaiting *a, struct memory_tape *tape)
{
    uint64_t i = a->reads > AWAITING_READS ? a->reads - AWAITING_READS : 0;
    for (; i < a->reads && !tape->refused; i++)
        memory_tape_pass(tape, &a->read[i % AWAITING_READS], sizeof *a->read);
}

static void pass(struct awaiting *a, struct memory_tape *tape)
{
    const size_t rest = sizeof *a - offsetof(struct awaiting, written);
    memory_tape_pass(tape, &a->moments, sizeof a->moments);
    memory_tape_pass(tape, &a->reads, sizeof a->reads);
    memory_tape_pass(tape, &a->valued, sizeof a->valued);
    memory_tape_pass(tape, &a->written, rest);
    pass_moments(a, tape);
    pass_reads(a, tape);
}

void scheduler_awaiting_pass(struct memory_tape *tape)
{
    for (unsigned t = 0; t < scheduler.threads; t++)
        if (!scheduler.thread[t].ended)
            pass(&awaiting[t], tape);
}

/* ---- what a step does ---- */

void scheduler_awaiting_progress(void)
{
    self()->progress = true;
}

void scheduler_awaiting_read(const void *at, size_t size)
{
    struct awaiting *const a = self();
    if (size > WIDEST) {
        a->progress = true;
        return;
    }
    struct seen *const r = &a->read[a->reads++ % AWAITING_READS];
    r->at = at;
    r->size = (uint32_t)size;
}

void scheduler_awaiting_write(const void *at, size_t size)
{
    struct awaiting *const a = self();
    if (size > WIDEST || a->written.size) {
        a->progress = true;
        return;
    }
    a->written.at = at;
    a->written.size = (uint32_t)size;
    memcpy(a->written.value, at, size);
}

void scheduler_awaiting_try(void)
{
    self()->tries = true;
}

void scheduler_awaiting_look(const void *at, size_t size)
{
    self()->tries = false;
    for (size_t done = 0; done < size; done += WIDEST)
        scheduler_awaiting_read((const char *)at + done,
                                size - done < WIDEST ? size - done : WIDEST);
}

/* ---- the end of a step ---- */

static bool is_unchanged(const struct seen *s)
{
    return !memcmp(s->at, s->value, s->size);
}

/* To write what is there already is to read it. */
static bool made_progress(struct awaiting *a)
{
    const struct seen written = a->written;
    bool progress = a->progress || a->tries;
    a->written.size = 0;
    a->progress = a->tries = false;
    if (progress || !written.size)
        return progress;
    a->read[a->reads++ % AWAITING_READS] = written;
    return !is_unchanged(&written);
}

static void take_values(struct awaiting *a)
{
    if (a->reads - a->valued > AWAITING_READS)
        a->valued = a->reads - AWAITING_READS;
    for (; a->valued < a->reads; a->valued++) {
        struct seen *const r = &a->read[a->valued % AWAITING_READS];
        memcpy(r->value, r->at, r->size);
    }
}

/* What is below of the stack was cleared, so that nothing of calls that have
 * returned is in what was made there later. */
static void take_moment(struct moment *m, const struct scheduler_thread *t,
                        uint64_t reads)
{
    const size_t size = (size_t)(t->fiber.stack_end - (char *)t->fiber.sp);
    m->pc = t->pc;
    m->next = t->next;
    m->reads = reads;
    m->size = size;
    m->error = t->fiber.kept_error;
    memcpy(m->slot, t->slot, sizeof m->slot);
    if (t->fiber.exceptions)
        memcpy(m->exceptions, t->fiber.exceptions, sizeof m->exceptions);
    if (size <= sizeof m->stack) {
        memcpy(m->stack, t->fiber.sp, size);
        return;
    }
    const XXH128_hash_t hash = XXH3_128bits(t->fiber.sp, size);
    memcpy(m->stack, &hash, sizeof hash);
}

static bool are_equal(const struct moment *a, const struct moment *b)
{
    const size_t size =
        a->size <= sizeof a->stack ? a->size : sizeof(XXH128_hash_t);
    return a->pc == b->pc && a->next.at == b->next.at &&
           a->next.kind == b->next.kind && a->next.size == b->next.size &&
           a->size == b->size && a->error == b->error &&
           !memcmp(a->slot, b->slot, sizeof a->slot) &&
           !memcmp(a->exceptions, b->exceptions, sizeof a->exceptions) &&
           !memcmp(a->stack, b->stack, size);
}

/* The latest moment like the last: what was read since then is the least. */
static bool find_round(struct awaiting *a)
{
    assert(a->moments > 0 && a->valued == a->reads);
    const uint64_t last = a->moments - 1;
    const uint64_t oldest = a->moments > MOMENTS ? a->moments - MOMENTS : 0;
    for (uint64_t i = last; i-- > oldest;) {
        const struct moment *const m = &a->moment[i % MOMENTS];
        if (a->reads - m->reads > AWAITING_READS)
            return false;
        if (are_equal(m, &a->moment[last % MOMENTS])) {
            a->round = m->reads;
            return true;
        }
    }
    return false;
}

/* To call and to return are progress: no round leads over them, nor begins or
 * ends before them. */
static bool is_between_rounds(const struct scheduler_thread *t)
{
    return t->next.kind == PLUMB_EVENT_CALL ||
           t->next.kind == PLUMB_EVENT_RETURN;
}

void scheduler_awaiting_stands(unsigned t)
{
    struct awaiting *const a = &awaiting[t];
    if (made_progress(a) || is_between_rounds(&scheduler.thread[t]))
        forget(a);
    else
        take_values(a);
    a->repeats = false;
    if (is_between_rounds(&scheduler.thread[t]))
        return;
    take_moment(&a->moment[a->moments++ % MOMENTS], &scheduler.thread[t],
                a->reads);
    a->repeats = find_round(a);
}

/* ---- afterwards ---- */

bool scheduler_awaiting_has_repeated(unsigned t)
{
    return awaiting[t].repeats;
}

bool scheduler_awaiting_would_repeat(unsigned t)
{
    const struct awaiting *const a = &awaiting[t];
    if (!a->repeats)
        return false;
    for (uint64_t i = a->round; i < a->reads; i++)
        if (!is_unchanged(&a->read[i % AWAITING_READS]))
            return false;
    return true;
}

unsigned scheduler_awaiting_reads(unsigned t,
                                  struct plumb_strategies_event *read,
                                  unsigned most)
{
    const struct awaiting *const a = &awaiting[t];
    unsigned count = 0;
    for (uint64_t i = a->round; a->repeats && i < a->reads && count < most; i++)
        read[count++] = (struct plumb_strategies_event){
            .kind = PLUMB_EVENT_READ,
            .at = (uintptr_t)a->read[i % AWAITING_READS].at,
            .size = a->read[i % AWAITING_READS].size,
        };
    return count;
}
