/* structures.h - lock-free structures as programs of the interpreter.
 *
 * Every atomic access is an event; a pointer is the address of a node's next
 * field, and NULL is 0. */
#ifndef PLUMB_TESTS_STRUCTURES_H
#define PLUMB_TESTS_STRUCTURES_H

#include "interpreter.h"

enum { TOP = 0, HEAD = 112, TAIL = 120, DUMMY = 8, MOST_CODE = 40 };

struct structure {
    struct program program;
    struct instruction code[MOST_THREADS][MOST_CODE];
};

static inline unsigned node_of(unsigned i)
{
    return 8 * (i + 2);
}

/* Treiber's stack: push the thread's own node, pop once.  Numbers count from
 * the first instruction. */
static inline unsigned treiber_code(struct instruction *code, unsigned node)
{
    const struct instruction text[] = {
        { .op = LOAD, .at = TOP, .size = 8, .r = 1 },
        { .op = STORE, .at = node, .size = 8, .r = 1 },
        { .op = SWAP, .at = TOP, .size = 8, .r = 1, .value = node, .to = -1 },
        { .op = LOAD, .at = TOP, .size = 8, .r = 1 },
        { .op = SAME, .r = 1, .to = 3 }, /* empty: the end */
        { .op = LOAD, .base = 1, .size = 8, .r = 2 },
        { .op = SWAP, .at = TOP, .size = 8, .r = 1, .s = 2, .to = -2 },
        { .op = END },
    };
    memcpy(code, text, sizeof text);
    return sizeof text / sizeof *text;
}

static inline unsigned enqueue_code(struct instruction *code, unsigned node)
{
    const struct instruction text[] = {
        { .op = LOAD, .at = TAIL, .size = 8, .r = 1 },
        { .op = LOAD, .base = 1, .size = 8, .r = 2 },
        { .op = LOAD, .at = TAIL, .size = 8, .r = 3 },
        { .op = SAME, .r = 1, .s = 3, .to = 2 },
        { .op = GOTO, .to = -4 },
        { .op = SAME, .r = 2, .to = 4 }, /* tail is the last node */
        { .op = SET, .r = 4, .s = 1 },
        { .op = SWAP, .at = TAIL, .size = 8, .r = 4, .s = 2, .to = 1 },
        { .op = GOTO, .to = -8 },
        { .op = SET, .r = 4 },
        { .op = SWAP, .base = 1, .size = 8, .r = 4, .value = node, .to = -10 },
        { .op = SET, .r = 4, .s = 1 },
        { .op = SWAP, .at = TAIL, .size = 8, .r = 4, .value = node, .to = 1 },
        { .op = END },
    };
    memcpy(code, text, sizeof text);
    return sizeof text / sizeof *text;
}

static inline unsigned dequeue_code(struct instruction *code)
{
    const struct instruction text[] = {
        { .op = LOAD, .at = HEAD, .size = 8, .r = 1 },
        { .op = LOAD, .at = TAIL, .size = 8, .r = 2 },
        { .op = LOAD, .base = 1, .size = 8, .r = 3 },
        { .op = LOAD, .at = HEAD, .size = 8, .r = 4 },
        { .op = SAME, .r = 1, .s = 4, .to = 2 },
        { .op = GOTO, .to = -5 },
        { .op = SAME, .r = 1, .s = 2, .to = 4 }, /* empty, or tail is late */
        { .op = SET, .r = 5, .s = 1 },
        { .op = SWAP, .at = HEAD, .size = 8, .r = 5, .s = 3, .to = -8 },
        { .op = GOTO, .to = 5 },
        { .op = SAME, .r = 3, .to = 4 },
        { .op = SET, .r = 5, .s = 2 },
        { .op = SWAP, .at = TAIL, .size = 8, .r = 5, .s = 3, .to = 1 },
        { .op = GOTO, .to = -13 },
        { .op = END },
    };
    memcpy(code, text, sizeof text);
    return sizeof text / sizeof *text;
}

static inline void open_structure(struct structure *s, unsigned threads)
{
    *s = (struct structure){ .program = { .codes = threads,
                                          .threads = threads } };
    for (unsigned i = 0; i < threads; i++)
        s->program.code[i] = s->code[i];
}

static inline void make_treiber(struct structure *s, unsigned threads)
{
    open_structure(s, threads);
    for (unsigned i = 0; i < threads; i++)
        treiber_code(s->code[i], node_of(i));
}

/* The Michael-Scott queue: enqueue the thread's own node, perhaps dequeue. */
static inline void make_queue(struct structure *s, unsigned threads,
                              bool dequeues)
{
    open_structure(s, threads);
    s->program.memory[HEAD / 8] = s->program.memory[TAIL / 8] = DUMMY;
    for (unsigned i = 0; i < threads; i++) {
        const unsigned length = enqueue_code(s->code[i], node_of(i));
        if (dequeues)
            dequeue_code(s->code[i] + length - 1);
    }
}

/* The same threads, spawned and joined by one more that comes first. */
static inline void add_main(struct structure *s)
{
    struct program *const p = &s->program;
    struct instruction *const code = s->code[MOST_THREADS - 1];
    const unsigned n = p->codes;
    for (unsigned i = n; i > 0; i--)
        p->code[i] = p->code[i - 1];
    p->code[0] = code;
    p->codes = n + 1;
    p->threads = 1;
    for (unsigned i = 0; i < n; i++) {
        code[i] = (struct instruction){ .op = SPAWN, .at = i + 1 };
        code[n + i] = (struct instruction){ .op = JOIN, .at = i + 1 };
    }
    code[2 * n] = (struct instruction){ .op = END };
}

#endif
