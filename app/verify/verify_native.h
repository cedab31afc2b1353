/* verify_native.h - the moves of a model, compiled and loaded. */
#ifndef PLUMB_APP_VERIFY_VERIFY_NATIVE_H
#define PLUMB_APP_VERIFY_VERIFY_NATIVE_H

#include "csp/terms/compiled_moves.h"

enum verify_native_when { NATIVE_AUTO, NATIVE_ALWAYS, NATIVE_NEVER };

struct verify_native {
    struct plumb_csp_native native;
    const struct plumb_budget *budget;
    bool telling; /* if it does not work */
    bool hopeless;
};

/* Who compiles, or NULL.  `n` has to stay where it is. */
const struct plumb_csp_native *verify_native(struct verify_native *n,
                                             enum verify_native_when when,
                                             bool verbose,
                                             const struct plumb_budget *budget);

#endif
