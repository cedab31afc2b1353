/* utf8.c - decoding UTF-8, strictly. */
#include "utf8.h"
#include <assert.h>

static size_t length_by_first_byte(unsigned char c)
{
    if (c < 0x80)
        return 1;
    if (c < 0xc2)
        return 0;
    return c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
}

size_t plumb_base_utf8_next(const char *text, size_t size, uint32_t *code)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char *const byte = (const unsigned char *)text;
    assert(size > 0);
    const size_t n = length_by_first_byte(byte[0]);
    if (n == 0 || n > size)
        return 0;
    uint32_t c = n == 1 ? byte[0] : byte[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (byte[i] & 0x3fu);
    }
    if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return 0;
    *code = c;
    return n;
}

size_t plumb_base_utf8_columns(const char *text, size_t size)
{
    size_t columns = 0;
    for (size_t i = 0; i < size; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}
