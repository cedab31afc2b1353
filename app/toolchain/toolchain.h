/* toolchain.h - running the compilers: those of toolchain_instrument_compiler().
 *
 * What the compiler itself says goes to stderr as it is. */
#ifndef PLUMB_APP_TOOLCHAIN_TOOLCHAIN_H
#define PLUMB_APP_TOOLCHAIN_TOOLCHAIN_H

#include "app/console/wordlist.h"
#include "base/text.h"
#include "instrument.h"
#include <stdbool.h>

/* How a kind of file is compiled. */
struct toolchain_recipe {
    const char *flags; /* ours, which come first: plain words            */
    bool user_flags;   /* then those of $CFLAGS or $CXXFLAGS, which win  */
};

/* Run the compiler with the recipe's flags and then with `words`.  Was its
 * exit status 0?  Its stdout is appended to `out`. */
bool toolchain_run(const struct toolchain_recipe *recipe,
                   enum toolchain_language language,
                   const struct console_wordlist *words,
                   struct plumb_base_text *out);

/* The same, but nobody sees its stderr, and it is ended when `budget`, which
 * may be NULL, ends the run. */
bool toolchain_try(const struct toolchain_recipe *recipe,
                   enum toolchain_language language,
                   const struct console_wordlist *words,
                   const struct plumb_budget *budget,
                   struct plumb_base_text *out);

/* Of which family the compiler is, decided by what it answers to --version. */
enum toolchain_family toolchain_family_of(enum toolchain_language language);

/* Append the compiler's version and all of the environment that it depends
 * on.  False after saying that there is no compiler for `subject`; NULL: and
 * nothing is said. */
bool toolchain_version(const char *subject, enum toolchain_language language,
                       struct plumb_base_text *out);

#endif
