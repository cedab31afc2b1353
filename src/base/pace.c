/* pace.c - large blocks, a piece at a time. */
#include "pace.h"

#include <string.h>

/* Memory that is written for the first time takes some ten milliseconds. */
enum { PIECE = 8 << 20 };

static size_t piece_of(size_t left)
{
    return left < PIECE ? left : PIECE;
}

static bool is_late(const struct plumb_budget *budget, size_t done)
{
    return done && plumb_budget_state(budget) != PLUMB_OK;
}

bool plumb_base_paced_set(const struct plumb_budget *budget, void *block,
                          int byte, size_t size)
{
    for (size_t done = 0, piece; done < size; done += piece) {
        if (is_late(budget, done))
            return false;
        piece = piece_of(size - done);
        memset((char *)block + done, byte, piece);
    }
    return true;
}

bool plumb_base_paced_copy(const struct plumb_budget *budget, void *to,
                           const void *from, size_t size)
{
    for (size_t done = 0, piece; done < size; done += piece) {
        if (is_late(budget, done))
            return false;
        piece = piece_of(size - done);
        memcpy((char *)to + done, (const char *)from + done, piece);
    }
    return true;
}
