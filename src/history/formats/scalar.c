/* scalar.c - values that are no strings, as text and from it. */
#include "scalar.h"

#include "base/spelling.h"
#include <inttypes.h>

bool plumb_history_scalar_show(struct plumb_value v, const char *nil,
                               struct plumb_base_text *out)
{
    switch (v.tag) {
    case PLUMB_NIL:
        plumb_base_text_add(out, nil);
        return true;
    case PLUMB_BOOL:
        plumb_base_text_add(out, v.bits ? "true" : "false");
        return true;
    case PLUMB_INT:
        plumb_base_text_printf(out, "%" PRId64, (int64_t)v.bits);
        return true;
    default:
        return false;
    }
}

enum plumb_history_number plumb_history_read_digits(const char *text,
                                                    size_t length,
                                                    uint64_t *value)
{
    enum plumb_history_number kind = length ? PLUMB_NUMBER : PLUMB_NO_NUMBER;
    *value = 0;
    for (size_t i = 0; i < length; i++) {
        const unsigned digit = (unsigned)(unsigned char)text[i] - '0';
        if (digit > 9)
            return PLUMB_NO_NUMBER;
        if (*value > (UINT64_MAX - digit) / 10)
            kind = PLUMB_NUMBER_TOO_LARGE;
        *value = *value * 10 + digit;
    }
    return kind;
}

enum plumb_history_number plumb_history_read_integer(const char *text,
                                                     size_t length,
                                                     int64_t *value)
{
    const bool sign = length && (*text == '-' || *text == '+');
    const bool negative = sign && *text == '-';
    const uint64_t limit = (uint64_t)INT64_MAX + negative;
    uint64_t digits;
    const enum plumb_history_number kind =
        plumb_history_read_digits(text + sign, length - sign, &digits);
    if (kind != PLUMB_NUMBER)
        return kind;
    if (digits > limit)
        return PLUMB_NUMBER_TOO_LARGE;
    /* -(digits - 1) - 1 reaches INT64_MIN without overflow */
    *value = negative && digits ? -(int64_t)(digits - 1) - 1 : (int64_t)digits;
    return PLUMB_NUMBER;
}

bool plumb_history_scalar_word(const char *text, size_t length,
                               struct plumb_value *v)
{
    if (plumb_base_is_word(text, length, "nil"))
        *v = plumb_nil();
    else if (plumb_base_is_word(text, length, "true"))
        *v = plumb_bool(true);
    else if (plumb_base_is_word(text, length, "false"))
        *v = plumb_bool(false);
    else
        return false;
    return true;
}
