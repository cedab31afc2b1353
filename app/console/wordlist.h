/* wordlist.h - the words of a command line, growing.
 *
 * A failed allocation marks the list as broken, and later calls do nothing. */
#ifndef PLUMB_CLI_WORDLIST_H
#define PLUMB_CLI_WORDLIST_H

#include <stdbool.h>
#include <stddef.h>

struct wordlist {
    char **word; /* copies; NULL behind the last one */
    size_t count, room;
    bool broken;
};

void wordlist_add(struct wordlist *l, const char *word);
void wordlist_add_all(struct wordlist *l, const struct wordlist *more);

/* Every word of a text, as blanks separate them. */
void wordlist_split(struct wordlist *l, const char *text);

void wordlist_release(struct wordlist *l);

#endif
