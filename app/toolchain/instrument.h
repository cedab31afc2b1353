/* instrument.h - how a compiler is told to call our hooks before every access.
 *
 * gcc and clang both know -fsanitize=thread; what else makes every access one
 * that the hooks see (runtime/common/hook.h), each says in its own way.  Link without
 * these flags: with them, both would add a sanitizer of their own. */
#ifndef PLUMB_APP_TOOLCHAIN_INSTRUMENT_H
#define PLUMB_APP_TOOLCHAIN_INSTRUMENT_H

enum toolchain_language { LANGUAGE_C, LANGUAGE_CXX };

/* The compiler to run: $CC or $CXX, else cc or c++; never `plumb cc`, which
 * would run itself.  For a shell, by INSTRUMENT_EXEC. */
const char *toolchain_instrument_compiler(enum toolchain_language language);

/* Become the compiler that is in $cc, with these words: it is words for the
 * shell to split, unless all of it is a file, whose path may have blanks. */
#define INSTRUMENT_EXEC(words)                                                 \
    "[ ! -f \"$cc\" ] || exec \"$cc\" " words "; exec $cc " words

enum toolchain_family { FAMILY_UNKNOWN, FAMILY_GCC, FAMILY_CLANG };

/* The flags for that compiler, up to a NULL.  Of one that is neither gcc nor
 * clang, or that does not run, only what both understand. */
const char *const *toolchain_instrument_family_flags(
    enum toolchain_family family);

#endif
