/* wordlist.c - the words of a command line, growing. */
#include "wordlist.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool has_room(struct console_wordlist *l)
{
    if (l->count + 1 < l->room)
        return true;
    const size_t room = l->room ? 2 * l->room : 16;
    char **const word = realloc(l->word, room * sizeof *word);
    if (!word)
        return false;
    l->word = word;
    l->room = room;
    return true;
}

static void add_bytes(struct console_wordlist *l, const char *text,
                      size_t length)
{
    assert(!l->count || !l->word[l->count]);
    char *const copy = l->broken ? NULL : strndup(text, length);
    if (!copy || !has_room(l)) {
        free(copy);
        l->broken = true;
        return;
    }
    l->word[l->count++] = copy;
    l->word[l->count] = NULL;
}

void console_wordlist_add(struct console_wordlist *l, const char *word)
{
    add_bytes(l, word, strlen(word));
}

void console_wordlist_add_all(struct console_wordlist *l,
                              const struct console_wordlist *more)
{
    for (size_t i = 0; i < more->count; i++)
        console_wordlist_add(l, more->word[i]);
    l->broken |= more->broken;
}

void console_wordlist_split(struct console_wordlist *l, const char *text)
{
    static const char blanks[] = " \t";
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        const size_t length = strcspn(text, blanks);
        add_bytes(l, text, length);
        text += length;
    }
}

void console_wordlist_release(struct console_wordlist *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->word[i]);
    free(l->word);
    *l = (struct console_wordlist){ .count = 0 };
}
