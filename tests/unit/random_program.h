/* random_program.h - small programs of the interpreter, by chance.
 *
 * Threads share 16 bytes, which they access in all sizes, and two locks, which
 * they may take in either order or never release; they may wait for threads
 * that never come to be. */
#ifndef PLUMB_TESTS_RANDOM_PROGRAM_H
#define PLUMB_TESTS_RANDOM_PROGRAM_H

#include "base/rng.h"
#include "interpreter.h"

enum { MOST_RANDOM_CODE = 24 };

struct random_program {
    struct program program;
    struct instruction code[4][MOST_RANDOM_CODE];
    bool mixed; /* accesses of several sizes */
};

struct writer {
    struct plumb_base_rng *rng;
    struct instruction *code;
    unsigned length;
    unsigned held; /* locks */
    bool called;
    bool mixed; /* sizes */
};

static inline struct instruction *write_op(struct writer *w, enum op op)
{
    struct instruction *const i = w->code + w->length++;
    *i = (struct instruction){ .op = op };
    return i;
}

static inline struct instruction *write_access(struct writer *w, enum op op)
{
    struct instruction *const i = write_op(w, op);
    const unsigned sizes[] = { 1, 2, 4, 8, 8, 16 };
    i->size = w->mixed ? sizes[plumb_base_rng_below(w->rng, 6)] : 8;
    i->at = w->mixed ? plumb_base_rng_below(w->rng, 17 - i->size)
                     : 8 * plumb_base_rng_below(w->rng, 2);
    i->r = 1 + plumb_base_rng_below(w->rng, 2);
    i->value = 1 + plumb_base_rng_below(w->rng, 2);
    return i;
}

/* Until it succeeds, or a single try that expects what a register has. */
static inline unsigned write_swap(struct writer *w)
{
    if (plumb_base_rng_chance(w->rng, 50)) {
        write_access(w, SWAP)->to = 1;
        return 1;
    }
    const struct instruction load = *write_access(w, LOAD);
    struct instruction *const swap = write_op(w, SWAP);
    *swap = load;
    swap->op = SWAP;
    swap->s = load.r;
    swap->value = 1;
    swap->to = 0;
    return 2;
}

static inline void write_lock(struct writer *w)
{
    const unsigned lock = plumb_base_rng_below(w->rng, 2);
    const bool holds = w->held >> lock & 1;
    if (holds && plumb_base_rng_chance(w->rng, 5))
        write_op(w, LOCK)->at = lock; /* waits for itself */
    else
        write_op(w, holds ? UNLOCK : LOCK)->at = lock;
    w->held ^= 1u << lock;
}

static inline void write_call(struct writer *w)
{
    write_op(w, w->called ? RETURN : CALL)->r = 1;
    w->called = !w->called;
}

/* How many events it wrote, at least. */
static inline unsigned write_event(struct writer *w, unsigned flavour)
{
    const unsigned dice = plumb_base_rng_below(w->rng, 100);
    if (dice < 30 && flavour & 1)
        write_lock(w);
    else if (dice < 60 && flavour & 2)
        write_call(w);
    else if (dice < 62)
        write_op(w, NOTHING);
    else if (dice < 78)
        write_access(w, LOAD);
    else if (dice < 90)
        write_access(w, STORE)->r = plumb_base_rng_below(w->rng, 2);
    else if (dice < 94)
        write_access(w, ADD);
    else
        return write_swap(w);
    return 1;
}

static inline void write_code(struct writer *w, unsigned events,
                              unsigned flavour)
{
    for (unsigned n = 0; n < events;)
        n += write_event(w, flavour);
    write_op(w, END);
}

/* The last thread, sometimes the last two, are spawned by others. */
static inline void write_spawns(struct random_program *p, struct writer *w,
                                unsigned thread)
{
    const unsigned from = p->program.threads, codes = p->program.codes;
    for (unsigned i = from; i < codes; i++)
        if (thread == (i - from) % from)
            write_op(w, SPAWN)->at = i;
    if (from < codes && plumb_base_rng_chance(w->rng, 30))
        write_op(w, JOIN)->at = from + plumb_base_rng_below(w->rng, 2);
}

static inline void draw_program(struct random_program *p,
                                struct plumb_base_rng *rng, unsigned threads,
                                unsigned flavour, unsigned most)
{
    const bool mixed = plumb_base_rng_chance(rng, 40);
    *p = (struct random_program){
        .program = { .codes = threads, .threads = threads }, .mixed = mixed
    };
    if (plumb_base_rng_chance(rng, 20))
        p->program.threads = 1 + plumb_base_rng_below(rng, threads - 1);
    for (unsigned i = 0; i < threads; i++) {
        struct writer w = { .rng = rng, .code = p->code[i], .mixed = mixed };
        p->program.code[i] = p->code[i];
        if (i < p->program.threads)
            write_spawns(p, &w, i);
        write_code(&w, 2 + plumb_base_rng_below(rng, most - 1), flavour);
    }
}

static inline void make_random_program(struct random_program *p, uint64_t seed)
{
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, seed);
    const unsigned threads = 2 + plumb_base_rng_below(&rng, 2),
                   flavour = plumb_base_rng_below(&rng, 4);
    draw_program(p, &rng, threads, flavour, threads == 2 ? 5 : 4);
}

/* Three or four threads, with locks. */
static inline void make_crowded_program(struct random_program *p, uint64_t seed)
{
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, seed);
    const unsigned threads = 3 + plumb_base_rng_below(&rng, 2);
    draw_program(p, &rng, threads, 1, threads == 3 ? 4 : 3);
}

/* ---- other ways to wait ---- */

/* Released at once if it was taken. */
static inline unsigned write_try(struct writer *w)
{
    const unsigned lock = plumb_base_rng_below(w->rng, 2);
    struct instruction *const i = write_op(w, TRY);
    i->at = lock;
    i->r = 1 + plumb_base_rng_below(w->rng, 2);
    if (plumb_base_rng_chance(w->rng, 30))
        return 1; /* never */
    struct instruction *const skip = write_op(w, SAME);
    skip->r = i->r;
    skip->to = 2;
    write_op(w, UNLOCK)->at = lock;
    return 2;
}

/* By reading again and again until it is no longer 0. */
static inline unsigned write_spin(struct writer *w)
{
    const unsigned r = write_access(w, LOAD)->r;
    const bool yields = plumb_base_rng_chance(w->rng, 30);
    if (yields)
        write_op(w, YIELD);
    struct instruction *const again = write_op(w, SAME);
    again->r = r;
    again->to = yields ? -2 : -1;
    return 2;
}

static inline unsigned write_sync_event(struct writer *w, unsigned flavour)
{
    const unsigned dice = plumb_base_rng_below(w->rng, 100);
    const bool signals = flavour & 1, spins = flavour & 2;
    if (dice < 15)
        write_lock(w);
    else if (dice < 30)
        return write_try(w);
    else if (dice < 50)
        write_op(w, plumb_base_rng_chance(w->rng, 60) ? POST : DOWN)->at =
            plumb_base_rng_below(w->rng, 2);
    else if (dice < 65 && signals) {
        if (plumb_base_rng_chance(w->rng, 60)) {
            write_op(w, SIGNAL);
            return 1;
        }
        write_op(w, ENLIST);
        write_op(w, AWAIT);
        return 2;
    } else if (dice < 70) {
        struct instruction *const i = write_op(w, CHOOSE);
        i->size = 1 + plumb_base_rng_below(w->rng, 3);
        i->r = 1;
    } else if (dice < 75)
        write_op(w, YIELD);
    else if (dice < 85 && spins)
        return write_spin(w);
    else
        return write_event(w, 2);
    return 1;
}

/* Locks that are tried, semaphores, conditions, choices; perhaps loops that
 * need not end. */
static inline void make_sync_program(struct random_program *p, uint64_t seed,
                                     bool spins)
{
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, seed);
    const unsigned threads = 2 + plumb_base_rng_below(&rng, 2),
                   flavour = plumb_base_rng_below(&rng, 2) + (spins ? 2 : 0),
                   most = threads == 2 ? 5 : 4;
    *p = (struct random_program){ .program = { .codes = threads,
                                               .threads = threads } };
    if (plumb_base_rng_chance(&rng, 20))
        p->program.threads = 1 + plumb_base_rng_below(&rng, threads - 1);
    for (unsigned i = 0; i < threads; i++) {
        struct writer w = { .rng = &rng, .code = p->code[i] };
        const unsigned events = 2 + plumb_base_rng_below(&rng, most - 1);
        p->program.code[i] = p->code[i];
        if (i < p->program.threads)
            write_spawns(p, &w, i);
        for (unsigned n = 0; n < events;)
            n += write_sync_event(&w, flavour);
        write_op(&w, END);
    }
}

#endif
