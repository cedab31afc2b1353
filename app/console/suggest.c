/* suggest.c - edit distance with swaps of neighbours, on short words. */
#include "suggest.h"

#include <string.h>

enum { LONGEST = 32 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment: d[i][j] is the cost of turning the first i letters
 * of `a` into the first j of `b` by inserting, deleting, replacing a letter,
 * or swapping two neighbours.  O(|a| |b|). */
static size_t edit_distance(const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b);
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

void console_suggestion_begin(struct console_suggestion *s, const char *given)
{
    /* Farther than a third of the word is a different word. */
    *s = (struct console_suggestion){ .given = given,
                                      .distance = 2 + strlen(given) / 3 };
}

void console_suggestion_offer(struct console_suggestion *s, const char *known)
{
    const size_t distance = edit_distance(s->given, known);
    if (distance >= s->distance || distance >= strlen(known))
        return;
    s->best = known;
    s->distance = distance;
}

const char *console_suggestion_end(const struct console_suggestion *s)
{
    return s->best;
}
