/* spelling.h - small questions about characters, words and numbers in text. */
#ifndef PLUMB_BASE_SPELLING_H
#define PLUMB_BASE_SPELLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Is a text of that length this word? */
static inline bool plumb_base_is_word(const char *text, size_t length,
                                      const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* A letter of ASCII in lower case; all else as it is. */
static inline char plumb_base_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | ('a' ^ 'A')) : c;
}

/* What a hexadecimal digit is worth; -1 if it is none. */
static inline int plumb_base_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 'a' ^ 'A';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* What makes "state" the right word for so many: "" or "s". */
static inline const char *plumb_base_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

#endif
