/* assembler_words.h - how a compiler is told to run assembler/as.c in front of
 * its assembler. */
#ifndef PLUMB_CLI_ASSEMBLER_WORDS_H
#define PLUMB_CLI_ASSEMBLER_WORDS_H

#include "instrument.h"
#include "app/console/wordlist.h"

/* Adds words for each step of the compiler of a language.  Nothing if that
 * program is not installed.  Optimisation at link time would leave out the hooks
 * (gcc) or the assembler (clang): it has to be switched off, too, by a word that
 * stands behind the user's. */
void assembler_add_words(struct wordlist *words, enum language language,
                         enum family family);

#endif
