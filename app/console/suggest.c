/* suggest.c - the nearest of the words offered. */
#include "suggest.h"

#include "base/edit_distance.h"
#include <string.h>

void console_suggestion_begin(struct console_suggestion *s, const char *given)
{
    /* Farther than a third of the word is a different word. */
    *s = (struct console_suggestion){ .given = given,
                                      .distance = 2 + strlen(given) / 3 };
}

void console_suggestion_offer(struct console_suggestion *s, const char *known)
{
    const size_t length = strlen(known);
    const size_t distance =
        plumb_base_edit_distance(s->given, strlen(s->given), known, length);
    if (distance >= s->distance || distance >= length)
        return;
    s->best = known;
    s->distance = distance;
}

const char *console_suggestion_end(const struct console_suggestion *s)
{
    return s->best;
}
