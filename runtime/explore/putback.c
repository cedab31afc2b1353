/* putback.c - see putback.h.
 *
 * A copy of a few lines costs less than finding out that none is needed. */
#include "putback.h"

#include <string.h>

enum { SMALL = 1024, PIECE = 1024 };

void put_back(char *at, const char *copy, size_t size)
{
    if (size <= SMALL) {
        memcpy(at, copy, size);
        return;
    }
    for (size_t from = 0; from < size; from += PIECE) {
        const size_t piece = size - from < PIECE ? size - from : PIECE;
        if (memcmp(at + from, copy + from, piece) != 0)
            memcpy(at + from, copy + from, piece);
    }
}
