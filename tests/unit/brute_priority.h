/* brute_priority.h - priority queues by the definition: all orders are tried.
 *
 * Histories of a few operations, whose events are listed; the queue is a set of
 * the operations that added what is in it. */
#ifndef PLUMB_TESTS_BRUTE_PRIORITY_H
#define PLUMB_TESTS_BRUTE_PRIORITY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BRUTE_OPS = 14, BRUTE_EMPTY = -1, BRUTE_NONE = -2 };
enum brute_role { BRUTE_ADD, BRUTE_REMOVE, BRUTE_PEEK };

/* Item: a priority (or BRUTE_EMPTY, as a result) and BRUTE_NONE, or a pair. */
struct brute_op {
    int role, priority, item;
    int call, ret; /* ranks; -1: pending, and its result is not known */
};

struct brute {
    struct brute_op op[BRUTE_OPS];
    int count;
    bool largest_first;
    uint8_t seen[1 << BRUTE_OPS][1 << 8]; /* [done][what is in it]: 8 adds */
};

static inline bool brute_is_ahead(const struct brute *b, int x, int y)
{
    return b->largest_first ? x > y : x < y;
}

/* May item `i` (by what added it) be handed out? */
static inline bool brute_is_first(const struct brute *b, uint32_t in, int i)
{
    for (int j = 0; j < b->count; j++)
        if (in >> j & 1 &&
            brute_is_ahead(b, b->op[j].priority, b->op[i].priority))
            return false;
    return true;
}

/* The next thing that `o` may do to the queue `in`, from item *i on; false if
 * there is none.  *out is the queue after that. */
static inline bool brute_step(const struct brute *b, int o, uint32_t in, int *i,
                              uint32_t *out)
{
    const struct brute_op *const op = b->op + o;
    const bool pending = op->ret < 0;
    *out = in;
    if (op->role == BRUTE_ADD) {
        *out = in | 1u << o;
        return (*i)++ == 0;
    }
    if (!pending && op->priority == BRUTE_EMPTY)
        return (*i)++ == 0 && in == 0;
    for (; *i < b->count; ++*i) {
        if (!(in >> *i & 1) || !brute_is_first(b, in, *i))
            continue;
        if (!pending &&
            (b->op[*i].priority != op->priority || b->op[*i].item != op->item))
            continue;
        if (op->role == BRUTE_REMOVE)
            *out = in & ~(1u << *i);
        ++*i;
        return true;
    }
    return false;
}

static inline bool brute_may_be_next(const struct brute *b, uint32_t done,
                                     int i)
{
    for (int j = 0; j < b->count; j++)
        if (!(done >> j & 1) && b->op[j].ret >= 0 &&
            b->op[j].ret < b->op[i].call)
            return false;
    return !(done >> i & 1);
}

static inline bool brute_search(struct brute *b, uint32_t done, uint32_t in);

static inline bool brute_goes_on(struct brute *b, uint32_t done, uint32_t in)
{
    bool all = true;
    for (int o = 0; o < b->count; o++) {
        all &= b->op[o].ret < 0 || done >> o & 1;
        if (!brute_may_be_next(b, done, o))
            continue;
        uint32_t out;
        for (int i = 0; brute_step(b, o, in, &i, &out);)
            if (brute_search(b, done | 1u << o, out))
                return true;
    }
    return all;
}

/* What is in it, as bits of the adds alone. */
static inline uint32_t brute_pack(const struct brute *b, uint32_t in)
{
    uint32_t bits = 0;
    for (int i = 0, n = 0; i < b->count; i++)
        if (b->op[i].role == BRUTE_ADD)
            bits |= (in >> i & 1) << n++;
    return bits;
}

static inline bool brute_search(struct brute *b, uint32_t done, uint32_t in)
{
    uint8_t *const seen = &b->seen[done][brute_pack(b, in)];
    if (*seen)
        return false;
    *seen = 1;
    return brute_goes_on(b, done, in);
}

static inline bool brute_is_linearizable(struct brute *b)
{
    memset(b->seen, 0, sizeof b->seen[0] << b->count);
    return brute_search(b, 0, 0);
}

/* The operations called before rank `cut`; those that returned later are
 * pending. */
static inline void brute_prefix(const struct brute *b, int cut,
                                struct brute *out)
{
    out->count = 0;
    out->largest_first = b->largest_first;
    for (int i = 0; i < b->count; i++) {
        if (b->op[i].call >= cut)
            continue;
        out->op[out->count] = b->op[i];
        if (b->op[i].ret >= cut)
            out->op[out->count].ret = -1;
        out->count++;
    }
}

static inline void brute_print(const struct brute *b)
{
    static const char *const role[] = { "add", "remove", "peek" };
    for (int i = 0; i < b->count; i++)
        fprintf(stderr, "  [%d] %d-%d %s %d,%d\n", i, b->op[i].call,
                b->op[i].ret, role[b->op[i].role], b->op[i].priority,
                b->op[i].item);
}

#endif
