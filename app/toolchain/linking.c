/* linking.c - what a compiler's command line says about the linker's job.
 *
 * Not whether it links at all: what we would have it link is then not looked
 * at.  Words may stand in a file, @FILE, separated by blanks, with quotes and
 * backslashes as in a shell, and may name files again. */
#include "linking.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_WORD = 4096, MAX_DEPTH = 8 };

/* Is `word` this option for the linker, or -Wl,... with such a part? */
static bool says(const char *word, const char *option)
{
    if (strcmp(word, option) == 0)
        return true;
    if (strncmp(word, "-Wl,", 4) != 0)
        return false;
    for (const char *part = word + 4;; part++) {
        const size_t length = strcspn(part, ",");
        if (length == strlen(option) && memcmp(part, option, length) == 0)
            return true;
        part += length;
        if (*part == '\0')
            return false;
    }
}

static void read_file(struct toolchain_linking *l, const char *path, int depth);

static void read_word(struct toolchain_linking *l, const char *word, int depth)
{
    if (word[0] == '@')
        read_file(l, word + 1, depth);
    /* What follows an option, as -o a.out, counts as well: no harm, unless
     * there is nothing else. */
    l->inputs |= word[0] != '-' ? access(word, F_OK) == 0
                                : word[1] == '\0' || word[1] == 'l';
    l->partial |= says(word, "-shared") || says(word, "--shared") ||
                  says(word, "-r") || says(word, "--relocatable");
    l->complete |= says(word, "--no-undefined") || says(word, "defs") ||
                   says(word, "-zdefs");
}

/* The next word of a file, without its quotes; false if there is none. */
static bool next_word(FILE *from, char word[MAX_WORD])
{
    size_t used = 0;
    int c = getc(from), quote = 0;
    while (isspace(c))
        c = getc(from);
    if (c == EOF)
        return false;
    for (; c != EOF && (quote || !isspace(c)); c = getc(from)) {
        if (c == quote) {
            quote = 0;
            continue;
        }
        if (!quote && (c == '"' || c == '\'')) {
            quote = c;
            continue;
        }
        if (c == '\\' && quote != '\'')
            c = getc(from);
        if (c != EOF && used + 1 < MAX_WORD)
            word[used++] = (char)c;
    }
    word[used] = '\0';
    return true;
}

static void read_file(struct toolchain_linking *l, const char *path, int depth)
{
    char word[MAX_WORD] = { 0 };
    FILE *const from = depth < MAX_DEPTH ? fopen(path, "r") : NULL;
    if (!from)
        return; /* to the compiler it is a word like others */
    while (next_word(from, word))
        read_word(l, word, depth + 1);
    fclose(from);
}

void toolchain_linking_read(struct toolchain_linking *l, int count,
                            const char *const *word)
{
    for (int i = 0; i < count; i++)
        read_word(l, word[i], 0);
}
