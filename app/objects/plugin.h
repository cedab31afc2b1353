/* plugin.h - a user's own specification: from a file to a loaded object.
 *
 * It is a PLUMB_SPEC, or a PLUMB_OBJECT that serves as one (object_spec.h). */
#ifndef PLUMB_APP_OBJECTS_PLUGIN_H
#define PLUMB_APP_OBJECTS_PLUGIN_H

#include "target.h"
#include <plumb/spec.h>

/* Does --spec NAME mean a file and not a built-in?  One with a slash or a known
 * ending does, and one that is the name of no built-in but of an object of the
 * library or of a file here. */
bool objects_is_plugin(const char *spec);

/* Compile `file` unless the cache has it, or it is a shared object itself;
 * without an ending it is the first there is.  False after saying what is
 * wrong.  It is released as a target is. */
bool objects_plugin_build(struct objects_target *p, const char *file);

/* Load it into this process, for good.  NULL after saying what is wrong.  Runs
 * the plug-in's constructors: call it where it may crash. */
const struct plumb_user_spec *objects_plugin_load(
    const struct objects_target *p);

#endif
