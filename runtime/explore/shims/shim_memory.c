/* shim_memory.c - copying, filling and comparing, told to the scheduler.
 *
 * An access must be done in the step that it was told in: when something else
 * is told, other threads may come in between.  So what is read is put aside
 * before what is written is told, a piece at a time; libc promises no order
 * among bytes, either.  Of a string only what decides is read; as it may have
 * grown while the thread stood, one looks again. */
#include "runtime/explore/hooks/scheduler_hook.h"
#include "wrapped.h"

#include <string.h>

enum { PIECE = 256 };

static inline size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void copy_piece(const void *pc, char *to, const char *from, size_t size)
{
    char aside[PIECE];
    hooks_plain(pc, from, size, false);
    memcpy(aside, from, size);
    hooks_plain(pc, to, size, true);
    memcpy(to, aside, size);
}

/* Upwards if that overwrites nothing that is still to be read. */
static void *copy(const void *pc, char *to, const char *from, size_t size)
{
    if ((uintptr_t)to - (uintptr_t)from >= size) {
        for (size_t i = 0; i < size; i += PIECE)
            copy_piece(pc, to + i, from + i, smaller(size - i, PIECE));
        return to;
    }
    for (size_t left = size; left > 0;) {
        const size_t piece = smaller(left, PIECE);
        left -= piece;
        copy_piece(pc, to + left, from + left, piece);
    }
    return to;
}

static void *fill(const void *pc, void *to, int byte, size_t size)
{
    if (size == 0)
        return to;
    hooks_plain(pc, to, size, true);
    return memset(to, byte, size);
}

/* Where `byte` is in [at, at + size): the first, or NULL. */
static const char *find(const void *pc, const char *at, int byte, size_t size)
{
    while (size > 0) {
        const char *const now = memchr(at, byte, size);
        const size_t looked = now ? (size_t)(now - at) + 1 : size;
        hooks_plain(pc, at, looked, false);
        const char *const found = memchr(at, byte, looked);
        if (found)
            return found;
        at += looked;
        size -= looked;
    }
    return NULL;
}

/* As much as a pointer can have behind it. */
static size_t rest_of_memory(const void *at)
{
    return UINTPTR_MAX - (uintptr_t)at;
}

/* How many bytes decide a comparison, of the first `size`. */
static size_t deciding(const unsigned char *a, const unsigned char *b,
                       size_t size, bool text)
{
    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i] || (text && a[i] == 0))
            return i + 1;
    return size;
}

static int compare(const void *pc, const void *left, const void *right,
                   size_t size, bool text)
{
    const unsigned char *a = left, *b = right;
    while (size > 0) {
        unsigned char aside[PIECE];
        const size_t piece = deciding(a, b, smaller(size, PIECE), text);
        hooks_plain(pc, a, piece, false);
        memcpy(aside, a, piece);
        hooks_plain(pc, b, piece, false);
        const size_t last = deciding(aside, b, piece, text) - 1;
        if (aside[last] != b[last] || (text && aside[last] == 0))
            return aside[last] - b[last];
        a += piece;
        b += piece;
        size -= piece;
    }
    return 0;
}

/* Copy a string with its end, but no more than `size` bytes: how many. */
static size_t copy_text(const void *pc, char *to, const char *from, size_t size)
{
    size_t done = 0;
    while (done < size) {
        char aside[PIECE];
        size_t piece = smaller(size - done, PIECE);
        piece = smaller(strnlen(from + done, piece) + 1, piece);
        hooks_plain(pc, from + done, piece, false);
        memcpy(aside, from + done, piece);
        const bool ends = memchr(aside, 0, piece) != NULL;
        if (ends)
            piece = strnlen(aside, piece) + 1;
        hooks_plain(pc, to + done, piece, true);
        memcpy(to + done, aside, piece);
        done += piece;
        if (ends)
            break;
    }
    return done;
}

#if PLUMB_HOOKS

/* ---- clang since 15 ---- */

HOOK(void *, __tsan_memcpy, void *to, const void *from, size_t size)
{
    return copy(HERE, to, from, size);
}

HOOK(void *, __tsan_memmove, void *to, const void *from, size_t size)
{
    return copy(HERE, to, from, size);
}

HOOK(void *, __tsan_memset, void *to, int byte, size_t size)
{
    return fill(HERE, to, byte, size);
}

#endif

/* ---- what the linker puts in the place of libc's ---- */

HOOK(void *, __wrap_memcpy, void *to, const void *from, size_t size)
{
    return copy(HERE, to, from, size);
}

HOOK(void *, __wrap_memmove, void *to, const void *from, size_t size)
{
    return copy(HERE, to, from, size);
}

HOOK(void *, __wrap_memset, void *to, int byte, size_t size)
{
    return fill(HERE, to, byte, size);
}

HOOK(int, __wrap_memcmp, const void *a, const void *b, size_t size)
{
    return compare(HERE, a, b, size, false);
}

/* clang: memcmp() of which only matters whether it is 0 */
HOOK(int, __wrap_bcmp, const void *a, const void *b, size_t size)
{
    return compare(HERE, a, b, size, false);
}

HOOK(void *, __wrap_memchr, const void *at, int byte, size_t size)
{
    return (void *)(uintptr_t)find(HERE, at, byte,
                                   smaller(size, rest_of_memory(at)));
}

HOOK(size_t, __wrap_strlen, const char *text)
{
    return (size_t)(find(HERE, text, 0, rest_of_memory(text)) - text);
}

HOOK(int, __wrap_strcmp, const char *a, const char *b)
{
    return compare(HERE, a, b, SIZE_MAX, true);
}

HOOK(int, __wrap_strncmp, const char *a, const char *b, size_t size)
{
    return compare(HERE, a, b, size, true);
}

HOOK(char *, __wrap_strcpy, char *to, const char *from)
{
    (void)copy_text(HERE, to, from, SIZE_MAX);
    return to;
}

HOOK(char *, __wrap_strncpy, char *to, const char *from, size_t size)
{
    const size_t done = copy_text(HERE, to, from, size);
    (void)fill(HERE, to + done, 0, size - done);
    return to;
}

HOOK(char *, __wrap_strcat, char *to, const char *from)
{
    const char *const end = find(HERE, to, 0, rest_of_memory(to));
    (void)copy_text(HERE, to + (end - to), from, SIZE_MAX);
    return to;
}

#define REFERENCE(name) (void (*)(void)) __wrap_##name,
void (*const shims_wrapped_functions[])(void) = { WRAPPED(REFERENCE) NULL };
