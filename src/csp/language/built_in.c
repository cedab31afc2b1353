/* built_in.c - functions that call(...) knows without an import.
 *
 * mailorder and dominate are of the mailbox's bounded timestamps: seven of
 * them, each beats three others, and for any two there is one that beats both.
 * Timestamps outside 1..7 beat nothing. */
#include "base/spelling.h"
#include "model_reader.h"

static int32_t beats(int32_t v, int32_t w)
{
    /* Bit w of row v: v beats w. */
    static const unsigned char row[8] = {
        0,
        1 << 3 | 1 << 4 | 1 << 5,
        1 << 1 | 1 << 3 | 1 << 7,
        1 << 5 | 1 << 6 | 1 << 7,
        1 << 2 | 1 << 3 | 1 << 6,
        1 << 2 | 1 << 4 | 1 << 7,
        1 << 1 | 1 << 2 | 1 << 5,
        1 << 1 | 1 << 4 | 1 << 6,
    };
    return v >= 1 && v <= 7 && w >= 1 && w <= 7 ? row[v] >> w & 1 : 0;
}

static int32_t mailorder(const union plumb_csp_argument *args,
                         const uint32_t *sizes, uint32_t count)
{
    (void)sizes, (void)count;
    return beats(args[0].value, args[1].value);
}

/* The least timestamp that beats both; -1 if there is none. */
static int32_t dominate(const union plumb_csp_argument *args,
                        const uint32_t *sizes, uint32_t count)
{
    (void)sizes, (void)count;
    for (int32_t x = 1; x <= 7; x++)
        if (beats(x, args[0].value) && beats(x, args[1].value))
            return x;
    return -1;
}

static int32_t greatest(const union plumb_csp_argument *args,
                        const uint32_t *sizes, uint32_t count)
{
    (void)count;
    int32_t most = args[0].array[0];
    for (uint32_t i = 1; i < sizes[0]; i++)
        if (args[0].array[i] > most)
            most = args[0].array[i];
    return most;
}

static int32_t minimum(const union plumb_csp_argument *args,
                       const uint32_t *sizes, uint32_t count)
{
    (void)sizes, (void)count;
    return args[0].value < args[1].value ? args[0].value : args[1].value;
}

static int32_t maximum(const union plumb_csp_argument *args,
                       const uint32_t *sizes, uint32_t count)
{
    (void)sizes, (void)count;
    return args[0].value > args[1].value ? args[0].value : args[1].value;
}

/* Of the least number, which has none, the greatest. */
static int32_t absolute(const union plumb_csp_argument *args,
                        const uint32_t *sizes, uint32_t count)
{
    (void)sizes, (void)count;
    const int32_t v = args[0].value;
    return v >= 0 ? v : v == INT32_MIN ? INT32_MAX : -v;
}

/* As near as an integer comes to it: 2 to the -1 is 0. */
static int32_t power(const union plumb_csp_argument *args,
                     const uint32_t *sizes, uint32_t count)
{
    (void)sizes, (void)count;
    const int32_t base = args[0].value, exponent = args[1].value;
    int64_t p = 1;
    if (exponent < 0)
        return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
    if (base >= -1 && base <= 1)
        return exponent == 0 ? 1 : base == -1 && exponent % 2 == 0 ? 1 : base;
    for (int32_t i = 0; i < exponent; i++) {
        p *= base;
        if (p > INT32_MAX || p < INT32_MIN)
            return p > 0 ? INT32_MAX : INT32_MIN;
    }
    return (int32_t)p;
}

/* Rounded down; 0 of what is negative. */
static int32_t square_root(const union plumb_csp_argument *args,
                           const uint32_t *sizes, uint32_t count)
{
    (void)sizes, (void)count;
    int64_t root = 0;
    for (int64_t bit = 1 << 15; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= args[0].value)
            root += bit;
    return (int32_t)root;
}

/* With a capital as PAT.Math has them. */
static const struct plumb_csp_built_in built_in[] = {
    { "Abs", "v", absolute, PLUMB_TYPE_NUMBER },
    { "Max", "vv", maximum, PLUMB_TYPE_NUMBER },
    { "Min", "vv", minimum, PLUMB_TYPE_NUMBER },
    { "Pow", "vv", power, PLUMB_TYPE_NUMBER },
    { "Sqrt", "v", square_root, PLUMB_TYPE_NUMBER },
    { "abs", "v", absolute, PLUMB_TYPE_NUMBER },
    { "amax", "a", greatest, PLUMB_TYPE_NUMBER },
    { "dominate", "vv", dominate, PLUMB_TYPE_NUMBER },
    { "mailorder", "vv", mailorder, PLUMB_TYPE_TRUTH },
    { "max", "vv", maximum, PLUMB_TYPE_NUMBER },
    { "min", "vv", minimum, PLUMB_TYPE_NUMBER },
    { "pow", "vv", power, PLUMB_TYPE_NUMBER },
    { "sqrt", "v", square_root, PLUMB_TYPE_NUMBER },
};

const struct plumb_csp_built_in *plumb_csp_built_in_at(size_t n)
{
    return n < sizeof built_in / sizeof *built_in ? built_in + n : NULL;
}

const struct plumb_csp_built_in *plumb_csp_built_in(const char *name,
                                                    size_t length)
{
    const struct plumb_csp_built_in *b;
    for (size_t i = 0; (b = plumb_csp_built_in_at(i)); i++)
        if (plumb_base_is_word(name, length, b->name))
            return b;
    return NULL;
}
