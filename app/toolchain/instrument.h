/* instrument.h - how a compiler is told to call our hooks before every access.
 *
 * gcc and clang both know -fsanitize=thread; what else makes every access one
 * that the hooks see (runtime/hook.h), each says in its own way.  Link without
 * these flags: with them, both would add a sanitizer of their own. */
#ifndef PLUMB_CLI_INSTRUMENT_H
#define PLUMB_CLI_INSTRUMENT_H

#include <stdbool.h>

enum language { LANGUAGE_C, LANGUAGE_CXX };

/* The compiler to run: $CC or $CXX, else cc or c++; never `plumb cc`, which
 * would run itself.  For a shell, by INSTRUMENT_EXEC. */
const char *instrument_compiler(enum language language);

/* Become the compiler that is in $cc, with these words: it is words for the
 * shell to split, unless all of it is a file, whose path may have blanks. */
#define INSTRUMENT_EXEC(words)                                                 \
    "[ ! -f \"$cc\" ] || exec \"$cc\" " words "; exec $cc " words

enum family { FAMILY_UNKNOWN, FAMILY_GCC, FAMILY_CLANG };

/* Which it is, decided by what it answers to --version. */
enum family instrument_family(const char *compiler);

/* The flags for that compiler, up to a NULL.  Of one that is neither gcc nor
 * clang, or that does not run, only what both understand. */
const char *const *instrument_flags(const char *compiler);
const char *const *instrument_family_flags(enum family family);

#endif
