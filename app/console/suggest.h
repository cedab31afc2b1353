/* suggest.h - the known word that the user probably meant. */
#ifndef PLUMB_APP_CONSOLE_SUGGEST_H
#define PLUMB_APP_CONSOLE_SUGGEST_H

#include <stddef.h>

struct console_suggestion {
    const char *given;
    const char *best;
    size_t distance;
};

void console_suggestion_begin(struct console_suggestion *s, const char *given);
void console_suggestion_offer(struct console_suggestion *s, const char *known);

/* NULL if nothing offered is near. */
const char *console_suggestion_end(const struct console_suggestion *s);

#endif
