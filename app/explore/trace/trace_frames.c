/* trace_frames.c - the functions that threads are in, and what they keep on
 * their stacks.
 *
 * A function is known by the record of entering it.  Where a thread is in it is
 * told by the record of the next function that it calls, or else by the last
 * thing that the thread did there. */
#include "trace_frames.h"

#include "base/hash.h"
#include <assert.h>
#include <stdlib.h>

enum { CACHED = 512, MOST_FRAMES = 128, LOOK_BACK = 256 };

struct explore_trace_frames {
    uint32_t *own; /* the records of thread 0, of thread 1, ... */
    uint32_t start[PLUMB_MAX_THREADS + 1];
    uint32_t *left; /* of LEAVE: the function that was left */
    uint64_t *end;  /* of ENTER: of its variables; 0 is not asked yet, 1 not
                       known */
    struct {
        uint32_t frame;
        bool used, found;
        uint64_t pc, at;
        struct binary_symbol_variable variable;
    } cache[CACHED];
};

/* ---- who is where ---- */

static void find_frames(struct explore_trace_names *n)
{
    uint32_t top[PLUMB_MAX_THREADS];
    for (unsigned t = 0; t < PLUMB_MAX_THREADS; t++)
        top[t] = TRACE_NONE;
    for (uint32_t i = 0; i < n->count; i++) {
        n->frame[i] = TRACE_NONE;
        for (unsigned t = 0; i == n->first && t < PLUMB_MAX_THREADS; t++)
            top[t] = TRACE_NONE;
        if (!explore_trace_is_sound(n, i))
            continue;
        const struct job_trace_record *const r = n->job->record + i;
        uint32_t *const t = top + r->thread;
        if (r->kind == TRACE_LEAVE && *t != TRACE_NONE) {
            n->frames->left[i] = *t;
            *t = n->frame[*t];
        }
        n->frame[i] = *t;
        if (r->kind == TRACE_ENTER)
            *t = i;
    }
}

static void list_records(struct explore_trace_names *n)
{
    struct explore_trace_frames *const f = n->frames;
    uint32_t used = 0;
    for (unsigned t = 0; t < PLUMB_MAX_THREADS; t++) {
        f->start[t] = used;
        for (uint32_t i = n->first; i < n->count; i++)
            if (explore_trace_is_sound(n, i) && n->job->record[i].thread == t)
                f->own[used++] = i;
    }
    f->start[PLUMB_MAX_THREADS] = used;
}

bool explore_trace_frames_init(struct explore_trace_names *n)
{
    const size_t room = (size_t)n->count + 1;
    n->frame = calloc(room, sizeof *n->frame);
    struct explore_trace_frames *const f = calloc(1, sizeof *f);
    n->frames = f;
    if (!f || !n->frame)
        return false;
    f->own = calloc(room, sizeof *f->own);
    f->left = calloc(room, sizeof *f->left);
    f->end = calloc(room, sizeof *f->end);
    if (!f->own || !f->left || !f->end)
        return false;
    find_frames(n);
    list_records(n);
    return true;
}

void explore_trace_frames_release(struct explore_trace_names *n)
{
    if (n->frames) {
        free(n->frames->own);
        free(n->frames->left);
        free(n->frames->end);
    }
    free(n->frames);
    free(n->frame);
}

/* The place in f->own of the last record of the thread up to i; the number of
 * its records in *count, which is 0 if there is none. */
static uint32_t last_record(const struct explore_trace_names *n, uint32_t i,
                            unsigned thread, uint32_t *count)
{
    const struct explore_trace_frames *const f = n->frames;
    uint32_t low = f->start[thread], high = f->start[thread + 1];
    const uint32_t first = low;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (f->own[middle] <= i)
            low = middle + 1;
        else
            high = middle;
    }
    *count = low - first;
    return low - 1;
}

static bool is_ours(const struct explore_trace_names *n, uint64_t pc)
{
    const uint64_t base = n->job->memory.base;
    struct binary_symbol_place place;
    return pc > base && binary_symbols_place(n->symbols, pc - base - 1, &place);
}

/* Where in its innermost function the thread is after that record. */
static uint64_t place_at(const struct explore_trace_names *n, uint32_t i)
{
    const struct job_trace_record *const r = n->job->record + i;
    if (r->kind == TRACE_ENTER)
        return r->at;
    return r->kind == TRACE_LEAVE ? n->job->record[n->frames->left[i]].pc
                                  : r->pc;
}

static uint32_t frame_after(const struct explore_trace_names *n, uint32_t i)
{
    return n->job->record[i].kind == TRACE_ENTER ? i : n->frame[i];
}

/* The same; if that is in a library that was called, where it was before. */
static uint64_t place_in_frame(const struct explore_trace_names *n,
                               uint32_t last, uint32_t count)
{
    const uint32_t *const own = n->frames->own;
    const uint32_t frame = frame_after(n, own[last]);
    for (uint32_t k = 0; k < count && k < LOOK_BACK; k++) {
        const uint32_t i = own[last - k];
        if (frame_after(n, i) == frame && is_ours(n, place_at(n, i)))
            return place_at(n, i);
    }
    return 0;
}

/* ---- variables ---- */

/* The function with that address among its variables. */
static bool measure(const struct explore_trace_names *n, uint32_t enter,
                    uint64_t at, struct binary_symbol_frame *frame)
{
    const struct job_trace_record *const r = n->job->record + enter;
    uint64_t *const end = n->frames->end + enter;
    if (r->at <= n->job->memory.base || at < r->before)
        return false;
    *frame = (struct binary_symbol_frame){ .pc = r->at - n->job->memory.base,
                                           .stack = (uint64_t)r->before,
                                           .frame = (uint64_t)r->after };
    if (*end == 0)
        *end = binary_symbols_frame(n->symbols, frame) ? frame->end : 1;
    frame->end = *end;
    return at < frame->end;
}

static const struct binary_symbol_variable *look_up(
    const struct explore_trace_names *n, uint32_t enter,
    const struct binary_symbol_frame *frame, uint64_t pc, uint64_t at)
{
    const uint64_t key = plumb_base_mix(plumb_base_mix(enter, pc), at);
    const size_t slot = (size_t)(key % CACHED);
    struct explore_trace_frames *const f = n->frames;
    if (!f->cache[slot].used || f->cache[slot].frame != enter ||
        f->cache[slot].pc != pc || f->cache[slot].at != at) {
        f->cache[slot].used = true;
        f->cache[slot].frame = enter;
        f->cache[slot].pc = pc;
        f->cache[slot].at = at;
        f->cache[slot].found = binary_symbols_stack_variable(
            n->symbols, frame, pc - n->job->memory.base - 1, at,
            &f->cache[slot].variable);
    }
    return f->cache[slot].found ? &f->cache[slot].variable : NULL;
}

const struct binary_symbol_variable *explore_trace_variable_at(
    const struct explore_trace_names *n, uint32_t i, uint64_t at,
    unsigned thread)
{
    uint32_t count;
    assert(thread < PLUMB_MAX_THREADS);
    if (!n->symbols || i < n->first)
        return NULL;
    const uint32_t last = last_record(n, i, thread, &count);
    if (count == 0)
        return NULL;
    uint32_t enter = frame_after(n, n->frames->own[last]);
    uint64_t pc = 0;
    for (unsigned d = 0; d < MOST_FRAMES && enter != TRACE_NONE; d++) {
        struct binary_symbol_frame frame;
        if (measure(n, enter, at, &frame)) {
            if (d == 0)
                pc = place_in_frame(n, last, count);
            return pc > n->job->memory.base ? look_up(n, enter, &frame, pc, at)
                                            : NULL;
        }
        pc = n->job->record[enter].pc;
        enter = n->frame[enter];
    }
    return NULL;
}
