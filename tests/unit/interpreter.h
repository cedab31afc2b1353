/* interpreter.h - a machine that runs tiny programs, for tests of strategies.
 *
 * A thread runs an array of instructions with a few registers over one small
 * memory.  Instructions that touch only registers are no events: a thread runs
 * through them as soon as it comes to them. */
#ifndef PLUMB_TESTS_INTERPRETER_H
#define PLUMB_TESTS_INTERPRETER_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "strategies/machine.h"

enum {
    MEMORY = 128,
    REGISTERS = 8,
    LOCKS = 4, /* and as many semaphores and conditions */
    MOST_THREADS = 12
};

enum op {
    END,
    /* events; the address is at + register[base], and register 0 is 0 */
    LOAD,  /* register[r] = memory                                    */
    STORE, /* memory = value + register[r]                            */
    ADD,   /* memory += value; register[r] = what it was              */
    SWAP,  /* if memory == register[r], memory = value + register[s];
               else register[r] = memory and go `to` on                */
    LOCK,  /* number `at` */
    UNLOCK,
    CALL,
    RETURN, /* register[r] is the result */
    SPAWN,  /* a thread that runs program `at` */
    JOIN,   /* thread `at` */
    TRY,    /* lock `at`: register[r] = 1 if it was free and is taken, or 0 */
    POST,   /* semaphore `at` */
    DOWN,   /* ... waits until it is above 0 */
    ENLIST, /* wants to be woken by condition `at` */
    SIGNAL, /* wakes the least thread enlisted, if there is one */
    AWAIT,  /* waits until it is woken */
    CHOOSE, /* register[r] = one of 0 to size - 1 */
    YIELD,  /* the thread gives way until its next step */
    NOTHING,
    /* no events */
    SET,  /* register[r] = value + register[s] */
    SAME, /* if register[r] == register[s], go to `to` */
    GOTO
};

struct instruction {
    enum op op;
    unsigned at, size, base, r, s;
    int to; /* relative to this one */
    uint64_t value;
};

struct program {
    const struct instruction *code[MOST_THREADS];
    unsigned codes;   /* those without a SPAWN come last */
    unsigned threads; /* there from the beginning: the first so many */
    uint64_t memory[MEMORY / 8];
};

struct thread {
    const struct instruction *at;
    uint64_t reg[REGISTERS];
};

struct interpreter {
    const struct program *program;
    unsigned threads;
    struct thread thread[MOST_THREADS];
    uint8_t memory[MEMORY];
    unsigned owner[LOCKS];    /* thread + 1 */
    unsigned count[LOCKS];    /* of semaphores */
    unsigned enlisted[LOCKS]; /* threads, by their bits */
    uint64_t ready, yielding;
    /* Per thread: for every CALL, which RETURNs came before it. */
    bool tells_histories;
    unsigned returns[MOST_THREADS];
    uint64_t history[MOST_THREADS];
};

static inline uint64_t address_of(const struct thread *t)
{
    return t->at->at + t->reg[t->at->base];
}

/* More than 8 bytes are folded into a word, and written over and over. */
static inline uint64_t peek(const struct interpreter *m, uint64_t at,
                            unsigned size)
{
    uint64_t value = 0;
    assert(at + size <= MEMORY);
    for (unsigned done = 0; done < size; done += 8) {
        uint64_t word = 0;
        memcpy(&word, m->memory + at + done, size - done < 8 ? size - done : 8);
        value ^= word;
    }
    return value;
}

static inline void poke(struct interpreter *m, uint64_t at, unsigned size,
                        uint64_t value)
{
    assert(at + size <= MEMORY);
    for (unsigned done = 0; done < size; done += 8)
        memcpy(m->memory + at + done, &value,
               size - done < 8 ? size - done : 8);
}

static inline void run_to_event(struct thread *t)
{
    for (;; t->at++) {
        const struct instruction *const i = t->at;
        if (i->op == SET)
            t->reg[i->r] = i->value + t->reg[i->s];
        else if (i->op == GOTO ||
                 (i->op == SAME && t->reg[i->r] == t->reg[i->s]))
            t->at += i->to - 1;
        else if (i->op != SAME)
            return;
    }
}

static inline bool can_go_on(const struct interpreter *m, unsigned thread)
{
    const struct instruction *const i = m->thread[thread].at;
    switch (i->op) {
    case END:
        return false;
    case LOCK:
        return !m->owner[i->at];
    case DOWN:
        return m->count[i->at] > 0;
    case AWAIT:
        return !(m->enlisted[i->at] >> thread & 1);
    case JOIN:
        return i->at < m->threads && m->thread[i->at].at->op == END;
    default:
        return true;
    }
}

static inline void look_around(struct interpreter *m)
{
    m->ready = 0;
    for (unsigned t = 0; t < m->threads; t++)
        m->ready |= (uint64_t)can_go_on(m, t) << t;
}

static inline void add_thread(struct interpreter *m,
                              const struct instruction *code)
{
    struct thread *const t = m->thread + m->threads++;
    *t = (struct thread){ .at = code };
    run_to_event(t);
}

static inline void interpreter_begin(void *context)
{
    struct interpreter *const m = context;
    m->threads = 0;
    memcpy(m->memory, m->program->memory, MEMORY);
    memset(m->owner, 0, sizeof m->owner);
    memset(m->count, 0, sizeof m->count);
    memset(m->enlisted, 0, sizeof m->enlisted);
    memset(m->returns, 0, sizeof m->returns);
    memset(m->history, 0, sizeof m->history);
    m->yielding = 0;
    for (unsigned i = 0; i < m->program->threads; i++)
        add_thread(m, m->program->code[i]);
    look_around(m);
}

static inline unsigned interpreter_threads(void *context)
{
    return ((struct interpreter *)context)->threads;
}

static inline uint64_t interpreter_ready(void *context)
{
    return ((struct interpreter *)context)->ready;
}

static inline uint64_t interpreter_yields(void *context)
{
    return ((struct interpreter *)context)->yielding;
}

/* For who wants that nobody has to make a call. */
static inline uint64_t interpreter_calling(void *context)
{
    const struct interpreter *const m = context;
    uint64_t calling = 0;
    for (unsigned t = 0; t < m->threads; t++)
        calling |= (uint64_t)(m->thread[t].at->op == CALL) << t;
    return calling;
}

/* All but who gives way, which is no matter of what comes. */
static inline uint32_t interpreter_fingerprint(void *context, uint64_t hash[2])
{
    const struct interpreter *const m = context;
    const struct plumb_base_hash128 threads = plumb_base_hash128_bytes(
                                        m->thread,
                                        m->threads * sizeof *m->thread),
                                    memory = plumb_base_hash128_bytes(m->memory,
                                                                      MEMORY);
    uint64_t h = plumb_base_mix(memory.hi, m->threads);
    for (unsigned i = 0; i < LOCKS; i++)
        h = plumb_base_mix(h, (uint64_t)m->owner[i] << 40 |
                                  (uint64_t)m->count[i] << 20 | m->enlisted[i]);
    if (m->tells_histories) {
        h = plumb_base_mix(
            h, plumb_base_hash_bytes(m->returns, sizeof m->returns));
        h = plumb_base_mix(
            h, plumb_base_hash_bytes(m->history, sizeof m->history));
    }
    hash[0] = plumb_base_mix(threads.lo, h);
    hash[1] = plumb_base_mix(threads.hi, plumb_base_mix(memory.lo, ~h));
    return 0;
}

/* What it will be, as far as it can be told before it happens. */
static inline struct plumb_strategies_event event_of(
    const struct interpreter *m, const struct thread *t)
{
    static const enum plumb_strategies_event_kind kind[] = {
        [LOAD] = PLUMB_EVENT_READ,     [STORE] = PLUMB_EVENT_WRITE,
        [ADD] = PLUMB_EVENT_WRITE,     [SWAP] = PLUMB_EVENT_WRITE,
        [LOCK] = PLUMB_EVENT_LOCK,     [UNLOCK] = PLUMB_EVENT_UNLOCK,
        [CALL] = PLUMB_EVENT_CALL,     [RETURN] = PLUMB_EVENT_RETURN,
        [SPAWN] = PLUMB_EVENT_SPAWN,   [JOIN] = PLUMB_EVENT_JOIN,
        [TRY] = PLUMB_EVENT_SYNC,      [POST] = PLUMB_EVENT_SYNC,
        [DOWN] = PLUMB_EVENT_SYNC,     [ENLIST] = PLUMB_EVENT_SYNC,
        [SIGNAL] = PLUMB_EVENT_SYNC,   [AWAIT] = PLUMB_EVENT_SYNC,
        [CHOOSE] = PLUMB_EVENT_CHOICE, [YIELD] = PLUMB_EVENT_LOCAL,
        [NOTHING] = PLUMB_EVENT_LOCAL,
    };
    const struct instruction *const i = t->at;
    struct plumb_strategies_event e = { .at = i->at, .kind = kind[i->op] };
    if (i->op <= SWAP) {
        e.at = address_of(t);
        e.size = i->size;
    } else if (i->op == SPAWN)
        e.at = m->threads;
    else if (i->op == POST || i->op == DOWN)
        e.at = LOCKS + i->at;
    else if (i->op == ENLIST || i->op == SIGNAL || i->op == AWAIT)
        e.at = 2 * LOCKS + i->at;
    else if (i->op == CHOOSE)
        e.size = i->size;
    return e;
}

static inline enum plumb_strategies_standing interpreter_stand(
    void *context, unsigned thread, struct plumb_strategies_event *event)
{
    const struct interpreter *const m = context;
    const struct thread *const t = m->thread + thread;
    if (t->at->op == END)
        return PLUMB_ENDED;
    *event = event_of(m, t);
    return m->ready >> thread & 1 ? PLUMB_READY : PLUMB_WAITING;
}

/* True if it swapped. */
static inline bool swap(struct interpreter *m, struct thread *t)
{
    const struct instruction *const i = t->at;
    const uint64_t at = address_of(t), old = peek(m, at, i->size);
    if (old == t->reg[i->r]) {
        poke(m, at, i->size, i->value + t->reg[i->s]);
        return true;
    }
    t->reg[i->r] = old;
    t->at += i->to - 1;
    return false;
}

static inline void interpreter_step(void *context, unsigned thread,
                                    unsigned option,
                                    struct plumb_strategies_event *event)
{
    struct interpreter *const m = context;
    struct thread *const t = m->thread + thread;
    const struct instruction *const i = t->at;
    assert(m->ready >> thread & 1);
    *event = event_of(m, t);
    m->yielding &= ~((uint64_t)1 << thread);
    switch (i->op) {
    case LOAD:
        t->reg[i->r] = peek(m, event->at, i->size);
        break;
    case STORE:
        poke(m, event->at, i->size, i->value + t->reg[i->r]);
        break;
    case ADD: {
        const uint64_t old = peek(m, event->at, i->size);
        poke(m, event->at, i->size, old + i->value);
        t->reg[i->r] = old;
        break;
    }
    case SWAP:
        if (!swap(m, t))
            event->kind = PLUMB_EVENT_FAILED;
        break;
    case LOCK:
        m->owner[i->at] = thread + 1;
        break;
    case UNLOCK:
        m->owner[i->at] = 0;
        break;
    case SPAWN:
        add_thread(m, m->program->code[i->at]);
        break;
    case TRY:
        t->reg[i->r] = !m->owner[i->at];
        if (!m->owner[i->at])
            m->owner[i->at] = thread + 1;
        break;
    case POST:
        m->count[i->at]++;
        break;
    case DOWN:
        m->count[i->at]--;
        break;
    case ENLIST:
        m->enlisted[i->at] |= 1u << thread;
        break;
    case SIGNAL:
        m->enlisted[i->at] &= m->enlisted[i->at] - 1;
        break;
    case CHOOSE:
        t->reg[i->r] = option;
        break;
    case YIELD:
        m->yielding |= (uint64_t)1 << thread;
        break;
    case CALL:
        m->history[thread] = plumb_base_mix(
            m->history[thread],
            plumb_base_hash_bytes(m->returns, sizeof m->returns));
        break;
    case RETURN:
        m->returns[thread]++;
        break;
    default:
        break;
    }
    t->at++;
    run_to_event(t);
    look_around(m);
}

static inline struct plumb_strategies_machine interpreter_machine(
    struct interpreter *m, const struct program *program)
{
    *m = (struct interpreter){ .program = program };
    return (struct plumb_strategies_machine){ .context = m,
                                              .begin = interpreter_begin,
                                              .threads = interpreter_threads,
                                              .ready = interpreter_ready,
                                              .stand = interpreter_stand,
                                              .step = interpreter_step,
                                              .yields = interpreter_yields,
                                              .fingerprint =
                                                  interpreter_fingerprint };
}

#endif
