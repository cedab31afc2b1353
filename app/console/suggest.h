/* suggest.h - the known word that the user probably meant. */
#ifndef PLUMB_CLI_SUGGEST_H
#define PLUMB_CLI_SUGGEST_H

#include <stddef.h>

struct suggestion {
    const char *given;
    const char *best;
    size_t distance;
};

void suggestion_begin(struct suggestion *s, const char *given);
void suggestion_offer(struct suggestion *s, const char *known);

/* NULL if nothing offered is near. */
const char *suggestion_end(const struct suggestion *s);

#endif
