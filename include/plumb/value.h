/* value.h - a value is a tag and 64 bits.
 *
 * The same everywhere: arguments and results in histories, in specifications,
 * in objects under test.  A string is the number of a symbol of the history it
 * came from, so two values of one history are equal iff tag and bits are. */
#ifndef PLUMB_VALUE_H
#define PLUMB_VALUE_H

#include <stdbool.h>
#include <stdint.h>

enum plumb_tag { PLUMB_NIL, PLUMB_BOOL, PLUMB_INT, PLUMB_STR };

/* 16 bytes without hidden padding: `zero` is always 0, so that values can be
 * compared, hashed and mapped from a file as bytes. */
struct plumb_value {
    uint64_t bits;
    uint32_t tag;
    uint32_t zero;
};

static inline struct plumb_value plumb_nil(void)
{
    const struct plumb_value v = { 0, PLUMB_NIL, 0 };
    return v;
}

static inline struct plumb_value plumb_bool(bool b)
{
    const struct plumb_value v = { b ? 1u : 0u, PLUMB_BOOL, 0 };
    return v;
}

static inline struct plumb_value plumb_int(int64_t i)
{
    const struct plumb_value v = { (uint64_t)i, PLUMB_INT, 0 };
    return v;
}

static inline struct plumb_value plumb_str(uint32_t symbol)
{
    const struct plumb_value v = { symbol, PLUMB_STR, 0 };
    return v;
}

static inline bool plumb_value_equal(struct plumb_value a, struct plumb_value b)
{
    return a.bits == b.bits && a.tag == b.tag;
}

#endif
