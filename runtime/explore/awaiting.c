/* awaiting.c - see awaiting.h.
 *
 * Of each thread the last moments at which it stood are kept, since it last
 * made progress, as fingerprints of what is its own: where it stands, stack and
 * registers.  Of each place that it read since, the value.  Both are rings: a
 * moment is good for comparing as long as all that was read after it is there.
 *
 * Values are taken at the end of a step.  Nobody else has run until then, and
 * the thread itself has written nothing, or it is progress. */
#include "awaiting.h"

#include "stage_state.h"
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MOMENTS = 16, WIDEST = 16 };

struct seen {
    const void *at;
    uint32_t size;
    char value[WIDEST];
};

struct moment {
    XXH128_hash_t own;
    uint64_t reads; /* so many had been done */
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

bool awaiting_on;
static struct awaiting awaiting[PLUMB_MAX_THREADS];

static struct awaiting *self(void)
{
    return &awaiting[stage.self];
}

static void forget(struct awaiting *a)
{
    a->moments = a->reads = a->valued = 0;
}

void awaiting_begin(void)
{
    for (unsigned t = 0; awaiting_on && t < PLUMB_MAX_THREADS; t++) {
        struct awaiting *const a = &awaiting[t];
        forget(a);
        a->written.size = 0;
        a->progress = a->tries = a->repeats = false;
    }
}

/* ---- what a step does ---- */

void awaiting_progress(void)
{
    self()->progress = true;
}

void awaiting_read(const void *at, size_t size)
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

void awaiting_write(const void *at, size_t size)
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

void awaiting_try(void)
{
    self()->tries = true;
}

void awaiting_look(const void *at, size_t size)
{
    self()->tries = false;
    for (size_t done = 0; done < size; done += WIDEST)
        awaiting_read((const char *)at + done,
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

static XXH128_hash_t add(XXH128_hash_t h, const void *at, size_t size)
{
    const XXH128_hash_t next = XXH3_128bits_withSeed(at, size, h.low64);
    return (XXH128_hash_t){ .low64 = next.low64,
                            .high64 = next.high64 ^ (h.high64 << 1 |
                                                     h.high64 >> 63) };
}

/* What is below of the stack was cleared, so that nothing of calls that have
 * returned is in what was made there later. */
static XXH128_hash_t fingerprint_of(const struct thread *t)
{
    const uint64_t standing[] = {
        (uintptr_t)t->pc,
        t->next.at,
        (uint64_t)t->next.kind << 32 | t->next.size,
        (uint64_t)*t->fiber.error,
    };
    XXH128_hash_t h = XXH3_128bits(standing, sizeof standing);
    h = add(h, t->slot, sizeof t->slot);
    if (t->fiber.exceptions)
        h = add(h, t->fiber.exceptions, FIBER_EXCEPTIONS);
    return add(h, t->fiber.sp,
               (size_t)(t->fiber.stack_end - (const char *)t->fiber.sp));
}

/* The latest moment like this: what was read since then is the least. */
static bool find_round(struct awaiting *a, XXH128_hash_t own)
{
    const uint64_t oldest = a->moments > MOMENTS ? a->moments - MOMENTS : 0;
    for (uint64_t i = a->moments; i-- > oldest;) {
        const struct moment *const m = &a->moment[i % MOMENTS];
        if (a->reads - m->reads > AWAITING_READS)
            return false;
        if (XXH128_isEqual(m->own, own)) {
            a->round = m->reads;
            return true;
        }
    }
    return false;
}

void awaiting_stands(unsigned t)
{
    struct awaiting *const a = &awaiting[t];
    if (made_progress(a))
        forget(a);
    else
        take_values(a);
    const XXH128_hash_t own = fingerprint_of(&stage.thread[t]);
    a->repeats = find_round(a, own);
    a->moment[a->moments++ % MOMENTS] =
        (struct moment){ .own = own, .reads = a->reads };
}

/* ---- afterwards ---- */

bool awaiting_has_repeated(unsigned t)
{
    return awaiting[t].repeats;
}

bool awaiting_would_repeat(unsigned t)
{
    const struct awaiting *const a = &awaiting[t];
    if (!a->repeats)
        return false;
    for (uint64_t i = a->round; i < a->reads; i++)
        if (!is_unchanged(&a->read[i % AWAITING_READS]))
            return false;
    return true;
}

unsigned awaiting_reads(unsigned t, struct plumb_event *read, unsigned most)
{
    const struct awaiting *const a = &awaiting[t];
    unsigned count = 0;
    for (uint64_t i = a->round; a->repeats && i < a->reads && count < most; i++)
        read[count++] = (struct plumb_event){
            .kind = PLUMB_EVENT_READ,
            .at = (uintptr_t)a->read[i % AWAITING_READS].at,
            .size = a->read[i % AWAITING_READS].size,
        };
    return count;
}
