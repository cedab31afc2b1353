/* parent_bits.c - a string of bits, written at its end and read backwards. */
#include "parent_bits.h"

#include "base/memory.h"
#include <assert.h>

void plumb_refine_parents_init(struct plumb_refine_parents *p,
                               struct plumb_budget *budget)
{
    *p = (struct plumb_refine_parents){ .budget = budget };
}

void plumb_refine_parents_release(struct plumb_refine_parents *p)
{
    PLUMB_RELEASE(p->budget, p->word, p->words);
    plumb_refine_parents_init(p, p->budget);
}

bool plumb_refine_parents_add(struct plumb_refine_parents *p, bool child)
{
    const size_t at = (size_t)(p->bits / 64);
    if (!PLUMB_GROW(p->budget, p->word, p->words, at + 1))
        return false;
    if (p->bits % 64 == 0)
        p->word[at] = 0;
    p->word[at] |= (uint64_t)child << (p->bits % 64);
    p->bits++;
    p->ones += child;
    return true;
}

/* The bits before `at`, and how many of them are ones. */
struct cursor {
    uint64_t at, ones;
};

static unsigned ones_in(uint64_t word)
{
    return (unsigned)__builtin_popcountll(word);
}

/* Back until the bit at the cursor is the number-th one, counted from 1. */
static void go_back(const struct plumb_refine_parents *p, struct cursor *c,
                    uint32_t number)
{
    while (c->ones >= number) {
        if (c->at % 64 == 0) {
            const uint64_t word = p->word[c->at / 64 - 1];
            if (c->ones - ones_in(word) >= number) {
                c->at -= 64;
                c->ones -= ones_in(word);
                continue;
            }
        }
        c->at--;
        c->ones -= p->word[c->at / 64] >> (c->at % 64) & 1;
    }
}

static uint32_t length_of_line(const struct plumb_refine_parents *p,
                               uint32_t number)
{
    struct cursor c = { p->bits, p->ones };
    uint32_t length = 1;
    for (; number; length++) {
        go_back(p, &c, number);
        assert(c.at - c.ones < number); /* found before what it found */
        number = (uint32_t)(c.at - c.ones);
    }
    return length;
}

uint32_t *plumb_refine_parents_line(const struct plumb_refine_parents *p,
                                    uint32_t number, uint32_t *count)
{
    assert(number <= p->ones);
    struct cursor c = { p->bits, p->ones };
    uint32_t i = length_of_line(p, number);
    uint32_t *const line = plumb_base_alloc(p->budget, i * sizeof *line);
    if (!line)
        return NULL;
    *count = i;
    line[--i] = number;
    while (number) {
        go_back(p, &c, number);
        number = (uint32_t)(c.at - c.ones);
        line[--i] = number;
    }
    assert(i == 0);
    return line;
}
