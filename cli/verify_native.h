/* verify_native.h - the moves of a model, compiled and loaded. */
#ifndef PLUMB_CLI_VERIFY_NATIVE_H
#define PLUMB_CLI_VERIFY_NATIVE_H

#include "model/compiled_moves.h"

enum native_when { NATIVE_AUTO, NATIVE_ALWAYS, NATIVE_NEVER };

/* Who compiles, or NULL. */
const struct plumb_native *verify_native(enum native_when when);

#endif
