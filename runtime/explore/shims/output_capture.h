/* output_capture.h - what the target prints, for its report. */
#ifndef PLUMB_RUNTIME_EXPLORE_SHIMS_OUTPUT_CAPTURE_H
#define PLUMB_RUNTIME_EXPLORE_SHIMS_OUTPUT_CAPTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* From here on into buffer[0 .. capacity), of which *used bytes are used; what
 * does not fit is lost.  NULL: all of it is, as at first. */
void shims_output_begin(char *buffer, size_t capacity, uint32_t *used);

void shims_output_write(const char *text, size_t size);

/* As vprintf(). */
int shims_output_format(const char *format, va_list list)
    __attribute__((format(printf, 1, 0)));

#endif
