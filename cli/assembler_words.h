/* assembler_words.h - how a compiler is told to run assembler/as.c in front of
 * its assembler. */
#ifndef PLUMB_CLI_ASSEMBLER_WORDS_H
#define PLUMB_CLI_ASSEMBLER_WORDS_H

#include "instrument.h"
#include "wordlist.h"

/* Adds words for each step of the compiler of a language, to stand behind the
 * user's: optimisation at link time would leave out the hooks (gcc) or the
 * assembler (clang), so it is switched off.  Nothing if that program is not
 * installed. */
void assembler_add_words(struct wordlist *words, enum language language,
                         enum family family);

#endif
