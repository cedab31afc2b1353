/* output_capture.c - see output_capture.h.
 *
 * Text is made where it is to stay: nothing is allocated, and a target that
 * gives us bad pointers crashes in its own step. */
#include "output_capture.h"

#include <stdio.h>
#include <string.h>

static struct {
    char *buffer;
    size_t capacity;
    uint32_t *used;
} output;

void shims_output_begin(char *buffer, size_t capacity, uint32_t *used)
{
    output.buffer = buffer;
    output.capacity = buffer ? capacity : 0;
    output.used = used;
}

/* The buffer is shared with others, who may have written anything there. */
static size_t room(void)
{
    return output.buffer && *output.used < output.capacity
               ? output.capacity - *output.used
               : 0;
}

void shims_output_write(const char *text, size_t size)
{
    const size_t most = room();
    const size_t fits = size < most ? size : most;
    if (fits == 0)
        return;
    memcpy(output.buffer + *output.used, text, fits);
    *output.used += (uint32_t)fits;
}

/* The last byte of the room is lost to a 0. */
int shims_output_format(const char *format, va_list list)
{
    const size_t most = room();
    const int length =
        most ? vsnprintf(output.buffer + *output.used, most, format, list)
             : vsnprintf(NULL, 0, format, list);
    if (length > 0 && most)
        *output.used +=
            (uint32_t)((size_t)length < most ? (size_t)length : most - 1);
    return length;
}
