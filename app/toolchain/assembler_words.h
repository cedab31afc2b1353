/* assembler_words.h - how a compiler is told to run assembler/as.c in front of
 * its assembler. */
#ifndef PLUMB_APP_TOOLCHAIN_ASSEMBLER_WORDS_H
#define PLUMB_APP_TOOLCHAIN_ASSEMBLER_WORDS_H

#include "app/console/wordlist.h"
#include "instrument.h"

/* Adds words for each step of the compiler of a language; none for a compiler
 * that is not known.  False after saying that the program is not there: nobody
 * would then look at inline assembly.  Optimisation at link time would leave out
 * the hooks (gcc) or the assembler (clang): it has to be switched off, too, by a
 * word that stands behind the user's. */
bool toolchain_assembler_add_words(struct console_wordlist *words,
                                   enum toolchain_language language,
                                   enum toolchain_family family);

#endif
