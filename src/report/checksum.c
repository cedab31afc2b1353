/* checksum.c - a history as one number that does not depend on its file.
 *
 * Everything a decider looks at goes in, and nothing else: symbols as their
 * texts, numbers as 8 bytes, lowest first.  FNV-1a, because
 * docs/witness-files.md can define it in two lines and any program that writes
 * witnesses can compute it; it guards against a mistaken file, not against
 * malice: what a witness claims is verified anyway. */
#include "base/fnv.h"
#include "witness_file.h"

static uint64_t add_number(uint64_t sum, uint64_t n)
{
    unsigned char byte[8];
    for (int i = 0; i < 8; i++)
        byte[i] = (unsigned char)(n >> (8 * i));
    return plumb_base_fnv(sum, byte, sizeof byte);
}

static uint64_t add_symbol(uint64_t sum, const struct plumb_history *h,
                           uint32_t symbol)
{
    size_t size;
    const char *const text = plumb_symbol_text(h->symbols, symbol, &size);
    sum = add_number(sum, size);
    return plumb_base_fnv(sum, (const unsigned char *)text, size);
}

static uint64_t add_value(uint64_t sum, const struct plumb_history *h,
                          struct plumb_value v)
{
    sum = add_number(sum, v.tag);
    return v.tag == PLUMB_STR ? add_symbol(sum, h, (uint32_t)v.bits)
                              : add_number(sum, v.bits);
}

static uint64_t add_operation(uint64_t sum, const struct plumb_history *h,
                              const struct plumb_op *o)
{
    const uint32_t values = (uint32_t)o->nargs + o->nres;
    sum = add_number(sum, (uint64_t)o->call << 32 | o->resp);
    sum = add_number(sum, (uint64_t)o->outcome << 32 | (uint64_t)o->nargs << 8 |
                              o->nres);
    sum = add_symbol(sum, h, h->thread[o->thread]);
    sum = add_symbol(sum, h, h->object[o->object]);
    sum = add_symbol(sum, h, o->name);
    sum = add_symbol(sum, h, o->term);
    for (uint32_t i = 0; i < values; i++)
        sum = add_value(sum, h, h->value[o->values + i]);
    return sum;
}

uint64_t plumb_report_history_checksum(const struct plumb_history *h)
{
    uint64_t sum = add_number(PLUMB_FNV, h->count);
    for (uint32_t i = 0; i < h->count; i++)
        sum = add_operation(sum, h, h->op + i);
    return sum;
}
