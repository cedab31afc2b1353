/* build.h - from sources and objects to one shared object.
 *
 * Every source is compiled by itself, then all is linked.  The result is
 * cached by everything it was made from: the preprocessed sources, the
 * contents of the objects, the flags, the versions of the compilers. */
#ifndef PLUMB_APP_TOOLCHAIN_BUILD_H
#define PLUMB_APP_TOOLCHAIN_BUILD_H

#include "toolchain.h"
#include <limits.h>

enum toolchain_file_kind {
    FILE_OTHER,
    FILE_C,
    FILE_CXX,
    FILE_OBJECT,  /* .o  */
    FILE_ARCHIVE, /* .a  */
    FILE_SHARED   /* .so */
};

/* By its ending. */
enum toolchain_file_kind toolchain_kind_of_file(const char *path);

struct toolchain_build {
    const char *subject; /* for messages */
    const struct toolchain_recipe *recipe;
    struct console_wordlist sources;
    struct console_wordlist compile; /* flags for every source              */
    struct console_wordlist link;    /* objects, archives, libraries, flags  */
    const char *const *hooks[2];     /* more flags, by language; or NULL */
    struct console_wordlist
        last[2]; /* ... behind all others, also for linking */
    bool unseen; /* it depends on more than can be told: never cached */
};

/* What stands behind `--` on a command line, word by word: more sources, what
 * only the linker wants, and flags.  An option takes its argument along, as in
 * `-I directory`.  False if it lacks one, after saying so. */
bool toolchain_build_add_words(struct toolchain_build *b,
                               const char *const *words, size_t count);

/* Does the compiler of this language take part? */
bool toolchain_build_uses(const struct toolchain_build *b,
                          enum toolchain_language language);

/* False after saying what is wrong; the compiler speaks for itself. */
bool toolchain_build_shared_object(const struct toolchain_build *b,
                                   char object[PATH_MAX], bool *temporary);

void toolchain_build_release(struct toolchain_build *b);

#endif
