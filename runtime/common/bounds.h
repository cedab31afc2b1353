/* bounds.h - what compilers tell of an index that is outside of its array, with
 * -fsanitize=bounds. */
#ifndef PLUMB_RUNTIME_COMMON_BOUNDS_H
#define PLUMB_RUNTIME_COMMON_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

struct bounds_type {
    uint16_t kind, info; /* of integers: 2 * log2(bits), and 1 if signed */
    char name[];         /* "'struct slot [8]'"                          */
};

struct bounds_data {
    const char *file;
    uint32_t line, column;
    const struct bounds_type *array, *index;
};

/* The index, of which `value` has the bits. */
static inline int64_t bounds_index(const struct bounds_data *d, uintptr_t value)
{
    enum { INTEGER = 0 };
    const unsigned bits = 1u << (d->index->info >> 1);
    const bool negative =
        d->index->kind == INTEGER && (d->index->info & 1) && bits <= 64;
    const unsigned shift = negative ? 64 - bits : 0;
    return (int64_t)((uint64_t)value << shift) >> shift;
}

#endif
