/* quantity.c - numbers as users write them. */
#include "quantity.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool console_read_count(const char *text, uint64_t *count)
{
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return false; /* strtoull takes signs and blanks */
    errno = 0;
    const unsigned long long value = strtoull(text, &end, hex ? 16 : 10);
    if (errno || *end || (hex && end == text + 2))
        return false;
    *count = value;
    return true;
}

bool console_means_no_end(const char *text)
{
    uint64_t size;
    return text[0] == '-' && console_read_count(text + 1, &size) && size > 0;
}

/* A decimal fraction without sign, exponent or words such as "inf". */
static bool read_decimal(const char *text, double *value, const char **rest)
{
    const size_t whole = strspn(text, "0123456789");
    size_t length = whole;
    if (text[whole] == '.')
        length += 1 + strspn(text + whole + 1, "0123456789");
    if (whole == 0 || length > 30)
        return false;
    char digits[32];
    memcpy(digits, text, length);
    digits[length] = '\0';
    *value = strtod(digits, NULL);
    *rest = text + length;
    return true;
}

struct unit {
    const char *name;
    double factor;
};

static bool scale(const char *name, const struct unit *units, double *value)
{
    for (const struct unit *u = units; u->name; u++)
        if (strcasecmp(name, u->name) == 0) {
            *value *= u->factor;
            return true;
        }
    return false;
}

bool console_read_duration(const char *text, uint64_t *milliseconds)
{
    static const struct unit units[] = {
        { "", 1e3 },   { "s", 1e3 },  { "ms", 1 },
        { "m", 60e3 }, { "h", 36e5 }, { NULL, 0 },
    };
    const char *rest;
    double value;
    if (!read_decimal(text, &value, &rest) || !scale(rest, units, &value))
        return false;
    if (value <= 0 || value > 1e15)
        return false;
    *milliseconds = value < 1 ? 1 : (uint64_t)(value + 0.5);
    return true;
}

bool console_read_size(const char *text, size_t *bytes)
{
    static const struct unit units[] = {
        { "", 1 },        { "b", 1 },          { "k", 1024 },
        { "m", 1048576 }, { "g", 1073741824 }, { "t", 1099511627776 },
        { NULL, 0 },
    };
    char unit[4] = "";
    const char *rest;
    double value;
    if (!read_decimal(text, &value, &rest) || strlen(rest) >= sizeof unit)
        return false;
    memcpy(unit, rest, strlen(rest));
    if (strcasecmp(unit + 1, "b") == 0 || strcasecmp(unit + 1, "ib") == 0)
        unit[1] = '\0'; /* kB, KiB */
    if (!scale(unit, units, &value) || value < 1 || value > 1e18)
        return false;
    *bytes = (size_t)value;
    return true;
}
