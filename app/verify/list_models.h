/* list_models.h - the models that come with the program. */
#ifndef PLUMB_APP_VERIFY_LIST_MODELS_H
#define PLUMB_APP_VERIFY_LIST_MODELS_H

#include <limits.h>
#include <stdbool.h>

/* One line for each: its name, what comes of it, what it is.  False after
 * saying what is wrong. */
bool verify_list_models(void);

/* Where the model is that has this name: stack is models/stack.csp, unless
 * there is a file called stack.  The result is `path` or `name`. */
const char *verify_model_path(const char *name, char path[PATH_MAX]);

/* Hand over the name of each. */
void verify_each_model(void (*take)(void *context, const char *name),
                       void *context);

/* The name that was probably meant, written to `nearest`; NULL if none is
 * near. */
const char *verify_model_nearest(const char *name, char nearest[NAME_MAX + 1]);

#endif
