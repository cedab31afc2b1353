/* wordlist.h - the words of a command line, growing.
 *
 * A failed allocation marks the list as broken, and later calls do nothing. */
#ifndef PLUMB_APP_CONSOLE_WORDLIST_H
#define PLUMB_APP_CONSOLE_WORDLIST_H

#include <stdbool.h>
#include <stddef.h>

struct console_wordlist {
    char **word; /* copies; NULL behind the last one */
    size_t count, room;
    bool broken;
};

void console_wordlist_add(struct console_wordlist *l, const char *word);
void console_wordlist_add_all(struct console_wordlist *l,
                              const struct console_wordlist *more);

/* Every word of a text, as blanks separate them. */
void console_wordlist_split(struct console_wordlist *l, const char *text);

void console_wordlist_release(struct console_wordlist *l);

#endif
