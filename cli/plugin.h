/* plugin.h - a user's own specification: from C source to a loaded object. */
#ifndef PLUMB_CLI_PLUGIN_H
#define PLUMB_CLI_PLUGIN_H

#include <limits.h>
#include <plumb/spec.h>
#include <stdbool.h>

struct plugin {
    const char *name;      /* as the user gave it, for messages         */
    char object[PATH_MAX]; /* the shared object                         */
    bool temporary;        /* there is no cache: remove it after loading */
};

/* Does --spec NAME mean a file, *.c or *.so, and not a built-in? */
bool is_plugin(const char *spec);

/* Compile `file` unless the cache has it, or it is a shared object itself.
 * False after saying what is wrong. */
bool plugin_build(struct plugin *p, const char *file);

/* Load it into this process, for good.  NULL after saying what is wrong.  Runs
 * the plug-in's constructors: call it where it may crash. */
const struct plumb_user_spec *plugin_load(const struct plugin *p);

/* Remove what is not cached. */
void plugin_release(struct plugin *p);

#endif
