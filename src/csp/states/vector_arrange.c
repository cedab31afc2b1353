/* vector_arrange.c - where the two sides of a vector are best cut.
 *
 * A side that has many contents costs a node for each, and its nodes leave the
 * cache.  With every slot that goes over to the left there are more contents on
 * the left and fewer on the right: the cut is where they are as many.  Contents
 * are counted in a sample of the states.
 *
 * If time ends meanwhile, all stays as it is. */
#include "base/hash.h"
#include "base/memory.h"
#include "base/pace.h"
#include "vector_store.h"
#include <string.h>

enum { SAMPLE = 2048, TABLE = 4 * SAMPLE };
enum { FEW = 1 << 14 }; /* states, which are put in again in no time */

struct sample {
    struct plumb_csp_vectors *v;
    const uint32_t *order;
    uint32_t used;
    uint32_t *value;        /* SAMPLE of each of the slots in use       */
    uint32_t *left, *right; /* contents with so many slots on the left  */
    struct plumb_base_pace pace;
    uint64_t hash[SAMPLE];
    uint64_t table[TABLE]; /* 0 is free */
};

/* From the later half: in the beginning little has happened. */
static bool draw(struct sample *s)
{
    const uint32_t count = plumb_csp_vectors_count(s->v);
    for (uint32_t k = 0; k < SAMPLE; k++) {
        const uint32_t number =
            count - 1 - (uint32_t)((uint64_t)k * (count / 2) / SAMPLE);
        const uint32_t *const vector = plumb_csp_cursor_go(
            &s->v->own, plumb_csp_vectors_root(s->v, number));
        if (!plumb_base_pace_allows(&s->pace, s->v->tree.slots))
            return false;
        for (uint32_t i = 0; i < s->used; i++)
            s->value[(size_t)i * SAMPLE + k] = vector[s->order[i]];
    }
    return true;
}

/* ---- contents ---- */

static void begin(struct sample *s)
{
    for (uint32_t k = 0; k < SAMPLE; k++)
        s->hash[k] = 1;
}

static void add_slot(struct sample *s, uint32_t i)
{
    for (uint32_t k = 0; k < SAMPLE; k++)
        s->hash[k] =
            plumb_base_mix(s->hash[k], s->value[(size_t)i * SAMPLE + k]) | 1;
}

/* How many different ones are there? */
static uint32_t count(struct sample *s)
{
    uint32_t different = 0;
    memset(s->table, 0, sizeof s->table);
    for (uint32_t k = 0; k < SAMPLE; k++) {
        size_t at = s->hash[k] >> 32 & (TABLE - 1);
        while (s->table[at] && s->table[at] != s->hash[k])
            at = (at + 1) & (TABLE - 1);
        different += !s->table[at];
        s->table[at] = s->hash[k];
    }
    return different;
}

static bool count_contents(struct sample *s)
{
    s->left[0] = s->right[s->used] = 1;
    begin(s);
    for (uint32_t i = 0; i < s->used; i++) {
        if (!plumb_base_pace_allows(&s->pace, 2 * SAMPLE))
            return false;
        add_slot(s, i);
        s->left[i + 1] = count(s);
    }
    begin(s);
    for (uint32_t i = s->used; i-- > 0;) {
        if (!plumb_base_pace_allows(&s->pace, 2 * SAMPLE))
            return false;
        add_slot(s, i);
        s->right[i] = count(s);
    }
    return true;
}

/* Of a side as it is now. */
static uint32_t count_side(struct sample *s, bool right)
{
    const struct plumb_csp_tree *const t = &s->v->tree;
    begin(s);
    for (uint32_t i = 0; i < s->used; i++)
        if ((t->place[s->order[i]] >= t->side[0]) == right)
            add_slot(s, i);
    return count(s);
}

/* In the middle of where they are as many. */
static uint32_t find_cut(const struct sample *s)
{
    uint32_t low = 0, high = s->used;
    while (low < s->used && s->left[low] < s->right[low])
        low++;
    while (high > 0 && s->left[high] > s->right[high])
        high--;
    return (low + high) / 2;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Is it better by a quarter? */
static bool is_better(struct sample *s, uint32_t cut)
{
    const uint32_t now = larger(count_side(s, false), count_side(s, true));
    return 4 * larger(s->left[cut], s->right[cut]) <= 3 * now;
}

/* What does not change goes to both sides, so that both are as large: in use
 * on the left, then not in use there; on the right likewise. */
static uint32_t lay_out(const struct sample *s, uint32_t cut, uint32_t *order)
{
    const uint32_t slots = s->v->tree.slots, idle = slots - s->used;
    const uint32_t half = (slots + 1) / 2;
    uint32_t left = half > cut ? half - cut : 0;
    if (left > idle)
        left = idle;
    memcpy(order, s->order, cut * sizeof *order);
    memcpy(order + cut, s->order + s->used, left * sizeof *order);
    memcpy(order + cut + left, s->order + cut, (s->used - cut) * sizeof *order);
    memcpy(order + left + s->used, s->order + s->used + left,
           (idle - left) * sizeof *order);
    return cut + left;
}

/* All vectors anew. */
static bool put_again(struct plumb_csp_vectors *v, struct plumb_csp_vectors *to)
{
    struct plumb_base_pace pace = { .budget = v->budget };
    for (uint32_t i = 0; i < plumb_csp_vectors_count(v); i++)
        if (!plumb_base_pace_allows(&pace, 64 * (uint64_t)v->tree.slots) ||
            plumb_csp_vectors_put(
                to, plumb_csp_cursor_go(&v->own,
                                        plumb_csp_vectors_root(v, i))) != i)
            return false;
    return true;
}

/* Who has `v` keeps it: what is in the two is exchanged. */
static void exchange(struct plumb_csp_vectors *v, struct plumb_csp_vectors *w)
{
    const struct plumb_csp_vectors kept = *v;
    *v = *w;
    *w = kept;
    v->own.v = v;
    w->own.v = w;
}

static void rebuild(struct plumb_csp_vectors *v, const uint32_t *order,
                    uint32_t cut)
{
    struct plumb_csp_vectors *const w =
        plumb_csp_vectors_ordered(v->tree.slots, order, cut, v->budget);
    if (!w)
        return;
    if (put_again(v, w))
        exchange(v, w);
    plumb_csp_vectors_free(w);
}

static void arrange(struct sample *s)
{
    struct plumb_csp_vectors *const v = s->v;
    const size_t size = v->tree.slots * sizeof(uint32_t);
    uint32_t *const order = plumb_base_alloc(v->budget, size);
    if (order && draw(s) && count_contents(s)) {
        const uint32_t cut = find_cut(s);
        if (plumb_csp_vectors_count(v) < FEW || is_better(s, cut))
            rebuild(v, order, lay_out(s, cut, order));
    }
    plumb_base_release(v->budget, order, size);
}

void plumb_csp_vectors_arrange(struct plumb_csp_vectors *v,
                               const uint32_t *order, uint32_t used)
{
    struct plumb_budget *const b = v->budget;
    const size_t values = (size_t)SAMPLE * used * sizeof(uint32_t);
    const size_t counts = ((size_t)used + 1) * sizeof(uint32_t);
    struct sample *const s = plumb_base_alloc(b, sizeof *s);
    if (!s)
        return;
    s->v = v;
    s->order = order;
    s->used = used;
    s->pace = (struct plumb_base_pace){ .budget = b };
    s->value = plumb_base_alloc(b, values);
    s->left = plumb_base_alloc(b, counts);
    s->right = plumb_base_alloc(b, counts);
    if (s->value && s->left && s->right && used > 1)
        arrange(s);
    plumb_base_release(b, s->value, values);
    plumb_base_release(b, s->left, counts);
    plumb_base_release(b, s->right, counts);
    plumb_base_release(b, s, sizeof *s);
}
