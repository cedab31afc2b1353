/* toolchain.h - running the compilers: those of instrument_compiler().
 *
 * What the compiler itself says goes to stderr as it is. */
#ifndef PLUMB_CLI_TOOLCHAIN_H
#define PLUMB_CLI_TOOLCHAIN_H

#include "base/text.h"
#include "instrument.h"
#include "app/console/wordlist.h"
#include <stdbool.h>

/* How a kind of file is compiled. */
struct recipe {
    const char *flags; /* ours, which come first: plain words            */
    bool user_flags;   /* then those of $CFLAGS or $CXXFLAGS, which win  */
};

/* Run the compiler with the recipe's flags and then with `words`.  Was its
 * exit status 0?  Its stdout is appended to `out`. */
bool toolchain_run(const struct recipe *recipe, enum language language,
                   const struct wordlist *words, struct plumb_text *out);

/* The same, but nobody sees its stderr, and it is ended when `budget`, which
 * may be NULL, ends the run. */
bool toolchain_try(const struct recipe *recipe, enum language language,
                   const struct wordlist *words,
                   const struct plumb_budget *budget, struct plumb_text *out);

/* Append the compiler's version and all of the environment that it depends
 * on.  False after saying that there is no compiler for `subject`; NULL: and
 * nothing is said. */
bool toolchain_version(const char *subject, enum language language,
                       struct plumb_text *out);

#endif
