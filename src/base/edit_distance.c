/* edit_distance.c - optimal string alignment, in O(n m). */
#include "edit_distance.h"

enum { LONGEST = 40 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* d[i][j] is the cost of turning the first i letters of `a` into the first j of
 * `b`. */
size_t plumb_base_edit_distance(const char *a, size_t n, const char *b,
                                size_t m)
{
    size_t d[LONGEST + 1][LONGEST + 1];
    if (n > LONGEST || m > LONGEST)
        return n + m;
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            const size_t replace = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            d[i][j] = least(replace, 1 + least(d[i - 1][j], d[i][j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], 1 + d[i - 2][j - 2]);
        }
    return d[n][m];
}
