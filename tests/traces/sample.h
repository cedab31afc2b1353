/* sample.h - a sample, loaded and with its symbols. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/binary/debug_symbols.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sample {
    char path[512];
    void *handle;
    struct binary_symbols *symbols;
    uint64_t base;
};

/* False if its compiler is not here. */
static inline bool sample_open(struct sample *s, const char *name,
                               const char *any_symbol)
{
    Dl_info info;
    *s = (struct sample){ 0 };
    snprintf(s->path, sizeof s->path, "%s/%s.so", SAMPLES, name);
    if (access(s->path, R_OK) != 0)
        return false;
    s->handle = dlopen(s->path, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(s->handle);
    assert_int_not_equal(dladdr(dlsym(s->handle, any_symbol), &info), 0);
    s->base = (uintptr_t)info.dli_fbase;
    s->symbols = binary_symbols_open(s->path);
    assert_non_null(s->symbols);
    return true;
}

static inline void sample_close(struct sample *s)
{
    binary_symbols_close(s->symbols);
    dlclose(s->handle);
}

static inline uint64_t sample_at(const struct sample *s, const char *symbol)
{
    void *const at = dlsym(s->handle, symbol);
    assert_non_null(at);
    return (uintptr_t)at;
}

/* What is not exported. */
static inline uint64_t sample_hidden(const struct sample *s, const char *name)
{
    union {
        void *symbol;
        void *(*where)(const char *);
    } u = { .symbol = dlsym(s->handle, "where") };
    assert_non_null(u.symbol);
    return (uintptr_t)u.where(name);
}

/* The line of the sample's source that begins with this text. */
static inline unsigned sample_line(const char *text)
{
    char line[256];
    unsigned number = 0;
    FILE *const f = fopen(SAMPLE_SOURCE, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        number++;
        if (strncmp(line, text, strlen(text)) == 0 && !strchr(line, ';'))
            break;
        if (strncmp(line, text, strlen(text)) == 0 && *line == ' ')
            break;
    }
    fclose(f);
    return number;
}

/* A place in the function on that line of its source. */
static inline uint64_t sample_code(const struct sample *s, const char *function,
                                   const char *text)
{
    const uint64_t from = sample_at(s, function) - s->base;
    const unsigned line = sample_line(text);
    struct binary_symbol_place place;
    for (uint64_t at = from; at < from + 400; at++)
        if (binary_symbols_place(s->symbols, at, &place) && place.line == line)
            return at + 1; /* where it returns to */
    return 0;
}

/* Call a function that allocates: where in it the result comes to. */
static inline uint64_t sample_allocates(const struct sample *s,
                                        const char *function)
{
    union {
        void *symbol;
        void *(*allocates)(long);
    } u = { .symbol = dlsym(s->handle, function) };
    void *const *const returned_to = dlsym(s->handle, "returned_to");
    void *const *const allocated = dlsym(s->handle, "allocated");
    assert_non_null(u.symbol);
    assert_non_null(returned_to);
    assert_non_null(allocated);
    u.allocates(8);
    free(*allocated);
    return (uintptr_t)*returned_to - s->base;
}

#endif
