/* shim_stdio.c - what a target prints is kept (output_capture.h).
 *
 * Streams of libc have buffers and positions, which no execution puts back.  So
 * stdout and stderr are ours while the target runs, and there are no others.
 * Printing is no event: it is seen in the order of the steps.
 *
 * While the target is loaded its constructors print, and nobody else does. */
#undef _FORTIFY_SOURCE
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1 /* <stdio.h> shall not define them itself */
#endif
#include "output_capture.h"
#include "real.h"
#include "runtime/explore/job/trace.h"
#include "runtime/explore/memory/image.h"
#include "runtime/explore/scheduler/scheduler.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#undef putc
#undef putchar

/* Called by what was compiled with _FORTIFY_SOURCE. */
int __printf_chk(int flag, const char *format, ...);
int __vprintf_chk(int flag, const char *format, va_list list);
int __fprintf_chk(FILE *stream, int flag, const char *format, ...);
int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list list);
int __dprintf_chk(int file, int flag, const char *format, ...);
int __vdprintf_chk(int file, int flag, const char *format, va_list list);
int _IO_putc(int c, FILE *stream);

/* ---- whose it is ---- */

static bool is_targets(const FILE *stream)
{
    return scheduler_inside || (memory_image_is_loading() &&
                                (stream == stdout || stream == stderr));
}

static bool is_file_of_target(int file)
{
    return scheduler_inside ||
           (memory_image_is_loading() &&
            (file == STDOUT_FILENO || file == STDERR_FILENO));
}

/* ---- inside ---- */

static void check_stream(const void *pc, const FILE *stream, const char *who)
{
    if (stream != stdout && stream != stderr)
        scheduler_fail(FAULT_UNMODELLED, pc, stream,
                       "%s() to a stream other than stdout and stderr", who);
}

static void check_file(const void *pc, int file, const char *who)
{
    if (file != STDOUT_FILENO && file != STDERR_FILENO)
        scheduler_fail(FAULT_UNMODELLED, pc, NULL,
                       "%s() to a file other than stdout and stderr", who);
}

static void trace(const void *pc, size_t size)
{
    scheduler_changed();
    struct job_trace_record *const r =
        target_trace ? target_trace_add(TRACE_OUTPUT, pc, NULL, 0) : NULL;
    if (!r)
        return;
    r->after = size;
    r->known = true;
}

static void put(const void *pc, const char *text, size_t size)
{
    shims_output_write(text, size);
    trace(pc, size);
}

__attribute__((format(printf, 2, 0))) static int put_format(const void *pc,
                                                            const char *format,
                                                            va_list list)
{
    const int length = shims_output_format(format, list);
    trace(pc, length > 0 ? (size_t)length : 0);
    return length;
}

/* ---- formats ---- */

__attribute__((format(printf, 3, 0))) static int print_to(const void *pc,
                                                          FILE *stream,
                                                          const char *format,
                                                          va_list list)
{
    if (!is_targets(stream))
        return REAL(vfprintf)(stream, format, list);
    check_stream(pc, stream, "fprintf");
    return put_format(pc, format, list);
}

__attribute__((format(printf, 3, 0))) static int print_to_file(
    const void *pc, int file, const char *format, va_list list)
{
    if (!is_file_of_target(file))
        return REAL(vdprintf)(file, format, list);
    check_file(pc, file, "dprintf");
    return put_format(pc, format, list);
}

/* The result of `call`, with `list` being what comes after `format`. */
#define WITH_ARGUMENTS(call)                                                   \
    va_list list;                                                              \
    va_start(list, format);                                                    \
    const int result = call;                                                   \
    va_end(list);                                                              \
    return result

int vfprintf(FILE *stream, const char *format, va_list list)
{
    return print_to(HERE, stream, format, list);
}

int vprintf(const char *format, va_list list)
{
    return print_to(HERE, stdout, format, list);
}

int vdprintf(int file, const char *format, va_list list)
{
    return print_to_file(HERE, file, format, list);
}

int printf(const char *format, ...)
{
    WITH_ARGUMENTS(print_to(HERE, stdout, format, list));
}

int fprintf(FILE *stream, const char *format, ...)
{
    WITH_ARGUMENTS(print_to(HERE, stream, format, list));
}

int dprintf(int file, const char *format, ...)
{
    WITH_ARGUMENTS(print_to_file(HERE, file, format, list));
}

int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list list)
{
    (void)flag;
    return print_to(HERE, stream, format, list);
}

int __vprintf_chk(int flag, const char *format, va_list list)
{
    (void)flag;
    return print_to(HERE, stdout, format, list);
}

int __vdprintf_chk(int file, int flag, const char *format, va_list list)
{
    (void)flag;
    return print_to_file(HERE, file, format, list);
}

int __printf_chk(int flag, const char *format, ...)
{
    (void)flag;
    WITH_ARGUMENTS(print_to(HERE, stdout, format, list));
}

int __fprintf_chk(FILE *stream, int flag, const char *format, ...)
{
    (void)flag;
    WITH_ARGUMENTS(print_to(HERE, stream, format, list));
}

int __dprintf_chk(int file, int flag, const char *format, ...)
{
    (void)flag;
    WITH_ARGUMENTS(print_to_file(HERE, file, format, list));
}

/* ---- characters and texts ---- */

static int character_to(const void *pc, int c, FILE *stream)
{
    if (!is_targets(stream))
        return REAL(fputc)(c, stream);
    const char text = (char)c;
    check_stream(pc, stream, "fputc");
    put(pc, &text, 1);
    return (unsigned char)text;
}

#define PUTS_CHARACTER(declaration, stream)                                    \
    declaration                                                                \
    {                                                                          \
        return character_to(HERE, c, stream);                                  \
    }

PUTS_CHARACTER(int fputc(int c, FILE *stream), stream)
PUTS_CHARACTER(int putc(int c, FILE *stream), stream)
PUTS_CHARACTER(int _IO_putc(int c, FILE *stream), stream)
PUTS_CHARACTER(int putchar(int c), stdout)
PUTS_CHARACTER(int fputc_unlocked(int c, FILE *stream), stream)
PUTS_CHARACTER(int putc_unlocked(int c, FILE *stream), stream)
PUTS_CHARACTER(int putchar_unlocked(int c), stdout)

static int text_to(const void *pc, const char *text, FILE *stream)
{
    if (!is_targets(stream))
        return REAL(fputs)(text, stream);
    check_stream(pc, stream, "fputs");
    put(pc, text, strlen(text));
    return 1;
}

int fputs(const char *text, FILE *stream)
{
    return text_to(HERE, text, stream);
}

int fputs_unlocked(const char *text, FILE *stream)
{
    return text_to(HERE, text, stream);
}

int puts(const char *text)
{
    if (!is_targets(stdout))
        return REAL(puts)(text);
    shims_output_write(text, strlen(text));
    shims_output_write("\n", 1);
    trace(HERE, strlen(text) + 1);
    return 1;
}

void perror(const char *text)
{
    const int error = errno;
    char message[128];
    if (!is_targets(stdout)) {
        REAL(perror)(text);
        return;
    }
    const char *const said = strerror_r(error, message, sizeof message);
    if (text && *text) {
        shims_output_write(text, strlen(text));
        shims_output_write(": ", 2);
    }
    shims_output_write(said, strlen(said));
    put(HERE, "\n", 1);
    errno = error;
}

/* ---- bytes ---- */

static size_t bytes_to(const void *pc, const void *from, size_t size,
                       size_t count, FILE *stream)
{
    size_t whole;
    if (!is_targets(stream))
        return REAL(fwrite)(from, size, count, stream);
    check_stream(pc, stream, "fwrite");
    if (__builtin_mul_overflow(size, count, &whole)) {
        errno = EFAULT;
        return 0;
    }
    put(pc, from, whole);
    return size ? count : 0;
}

size_t fwrite(const void *from, size_t size, size_t count, FILE *stream)
{
    return bytes_to(HERE, from, size, count, stream);
}

size_t fwrite_unlocked(const void *from, size_t size, size_t count,
                       FILE *stream)
{
    return bytes_to(HERE, from, size, count, stream);
}

ssize_t write(int file, const void *from, size_t size)
{
    if (!is_file_of_target(file))
        return REAL(write)(file, from, size);
    check_file(HERE, file, "write");
    put(HERE, from, size);
    return (ssize_t)size;
}

/* ---- buffers, of which there are none ---- */

static int flush(const void *pc, FILE *stream)
{
    if (!is_targets(stream))
        return REAL(fflush)(stream);
    if (stream)
        check_stream(pc, stream, "fflush");
    return 0;
}

int fflush(FILE *stream)
{
    return flush(HERE, stream);
}

int fflush_unlocked(FILE *stream)
{
    return flush(HERE, stream);
}

int setvbuf(FILE *stream, char *buffer, int mode, size_t size)
{
    if (!is_targets(stream))
        return REAL(setvbuf)(stream, buffer, mode, size);
    check_stream(HERE, stream, "setvbuf");
    return 0;
}

void setbuf(FILE *stream, char *buffer)
{
    if (!is_targets(stream))
        REAL(setbuf)(stream, buffer);
    else
        check_stream(HERE, stream, "setbuf");
}

void setlinebuf(FILE *stream)
{
    if (!is_targets(stream))
        REAL(setlinebuf)(stream);
    else
        check_stream(HERE, stream, "setlinebuf");
}
