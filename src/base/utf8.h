/* utf8.h - one code point at a time.
 *
 * Values come from files we did not write, so every byte is suspect: overlong
 * forms, surrogates and truncated sequences are not code points. */
#ifndef PLUMB_BASE_UTF8_H
#define PLUMB_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of the code point that `size` > 0 bytes of text begin with; 0 if
 * they begin with none. */
size_t plumb_base_utf8_next(const char *text, size_t size, uint32_t *code);

/* The columns of valid UTF-8 on a terminal: a column per code point. */
size_t plumb_base_utf8_columns(const char *text, size_t size);

#endif
