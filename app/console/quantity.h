/* quantity.h - numbers as users write them: 10, 0.5, 2m, 512M. */
#ifndef PLUMB_APP_CONSOLE_QUANTITY_H
#define PLUMB_APP_CONSOLE_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All are false for anything else than the number alone. */

/* Decimal digits, or hexadecimal ones after 0x. */
bool console_read_count(const char *text, uint64_t *count);

/* A negative number, which stands for no end. */
bool console_means_no_end(const char *text);

/* Seconds, or with a unit ms, s, m, h; at least one millisecond. */
bool console_read_duration(const char *text, uint64_t *milliseconds);

/* Bytes, or with a unit k, M, G, T (powers of 1024), as in 512M or 1.5GiB. */
bool console_read_size(const char *text, size_t *bytes);

#endif
