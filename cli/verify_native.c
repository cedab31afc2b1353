/* verify_native.c - the moves of a model, compiled and loaded.
 *
 * It is never needed: without a compiler, or if anything goes wrong, states are
 * made by bytecode as before.  What is loaded stays until the program ends. */
#include "verify_native.h"

#include "base/text.h"
#include "toolchain.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Somewhere of our own. */
struct place {
    char directory[PATH_MAX / 2], source[PATH_MAX], object[PATH_MAX];
};

static bool make_place(struct place *p)
{
    const char *const where = getenv("TMPDIR");
    snprintf(p->directory, sizeof p->directory, "%s/plumb-XXXXXX",
             where && *where ? where : "/tmp");
    if (!mkdtemp(p->directory))
        return false;
    snprintf(p->source, sizeof p->source, "%s/moves.c", p->directory);
    snprintf(p->object, sizeof p->object, "%s/moves.so", p->directory);
    return true;
}

static void remove_place(const struct place *p)
{
    unlink(p->source);
    unlink(p->object);
    rmdir(p->directory);
}

static bool write_source(const struct place *p, const char *text)
{
    FILE *const f = fopen(p->source, "w");
    if (!f)
        return false;
    const bool written = fputs(text, f) >= 0;
    return fclose(f) == 0 && written;
}

static bool run_compiler(const struct place *p)
{
    static const struct recipe recipe = { "-std=gnu17 -O2 -fPIC -shared -w",
                                          false };
    struct wordlist words = { .count = 0 };
    struct plumb_text ignored;
    plumb_text_init(&ignored, NULL);
    wordlist_add(&words, "-o");
    wordlist_add(&words, p->object);
    wordlist_add(&words, p->source);
    const bool done =
        !words.broken && toolchain_try(&recipe, LANGUAGE_C, &words, &ignored);
    wordlist_release(&words);
    plumb_text_release(&ignored);
    return done;
}

static const struct plumb_native_entry *compile(void *context, const char *text)
{
    struct place p;
    void *handle = NULL;
    (void)context;
    if (!make_place(&p))
        return NULL;
    if (write_source(&p, text) && run_compiler(&p))
        handle = dlopen(p.object, RTLD_NOW | RTLD_LOCAL);
    remove_place(&p);
    return handle ? dlsym(handle, "plumb_native_table") : NULL;
}

const struct plumb_native *verify_native(enum native_when when)
{
    enum { MANY = 1000000, FEW = 16 };
    static const struct plumb_native late = { .threshold = MANY,
                                              .compile = compile };
    static const struct plumb_native early = { .threshold = FEW,
                                               .compile = compile };
    return when == NATIVE_NEVER ? NULL : when == NATIVE_ALWAYS ? &early : &late;
}
