/* toolchain.h - running the C compiler, ${CC:-cc}, on a specification.
 *
 * All are false after saying what is wrong; what the compiler itself says goes
 * to stderr as it is. */
#ifndef PLUMB_CLI_TOOLCHAIN_H
#define PLUMB_CLI_TOOLCHAIN_H

#include "base/text.h"
#include <stdbool.h>

/* Append the compiler's version and our flags. */
bool toolchain_version(const char *file, struct plumb_text *out);

/* Append the preprocessed source. */
bool toolchain_preprocess(const char *file, struct plumb_text *out);

/* Make a shared object of `file`. */
bool toolchain_compile(const char *file, const char *object);

#endif
