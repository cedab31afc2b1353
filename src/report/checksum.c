/* checksum.c - a history as one number that does not depend on its file.
 *
 * Everything a decider looks at goes in, and nothing else: symbols as their
 * texts, numbers as 8 bytes, lowest first.  XXH3's results are fixed since its
 * version 0.8, so the sum may stand in a file. */
#include "report/witness_file.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static void add_number(XXH3_state_t *sum, uint64_t n)
{
    unsigned char byte[8];
    for (int i = 0; i < 8; i++)
        byte[i] = (unsigned char)(n >> (8 * i));
    XXH3_64bits_update(sum, byte, sizeof byte);
}

static void add_symbol(XXH3_state_t *sum, const struct plumb_history *h,
                       uint32_t symbol)
{
    size_t size;
    const char *const text = plumb_symbol_text(h->symbols, symbol, &size);
    add_number(sum, size);
    XXH3_64bits_update(sum, text, size);
}

static void add_value(XXH3_state_t *sum, const struct plumb_history *h,
                      struct plumb_value v)
{
    add_number(sum, v.tag);
    if (v.tag == PLUMB_STR)
        add_symbol(sum, h, (uint32_t)v.bits);
    else
        add_number(sum, v.bits);
}

static void add_operation(XXH3_state_t *sum, const struct plumb_history *h,
                          const struct plumb_op *o)
{
    add_number(sum, (uint64_t)o->call << 32 | o->resp);
    add_number(sum, (uint64_t)o->outcome << 32 | (uint32_t)(o->nargs << 8) |
                        o->nres);
    add_symbol(sum, h, h->thread[o->thread]);
    add_symbol(sum, h, h->object[o->object]);
    add_symbol(sum, h, o->name);
    add_symbol(sum, h, o->term);
    for (unsigned i = 0; i < (unsigned)o->nargs + o->nres; i++)
        add_value(sum, h, h->value[o->values + i]);
}

uint64_t plumb_history_checksum(const struct plumb_history *h)
{
    XXH3_state_t sum;
    XXH3_INITSTATE(&sum);
    XXH3_64bits_reset(&sum);
    add_number(&sum, h->count);
    for (uint32_t i = 0; i < h->count; i++)
        add_operation(&sum, h, h->op + i);
    return XXH3_64bits_digest(&sum);
}
