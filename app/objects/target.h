/* target.h - an object under test: from its name to a shared object.
 *
 * NAME is a path, or a name of the object library (`plumb list objects`).
 * Sources (.c, and C++ as .cc .cpp .cxx .C) are compiled by ${CC:-cc} or
 * ${CXX:-c++} with CFLAGS or CXXFLAGS; .o files are linked; .so files are
 * taken as they are.  What is compiled is cached as specifications are. */
#ifndef PLUMB_APP_OBJECTS_TARGET_H
#define PLUMB_APP_OBJECTS_TARGET_H

#include <limits.h>
#include <plumb/object.h>
#include <stdbool.h>
#include <stddef.h>

struct objects_target {
    const char *given;     /* as the user named it, for messages        */
    char label[256];       /* what histories and results call it        */
    char object[PATH_MAX]; /* the shared object                         */
    bool temporary;        /* there is no cache: remove it after loading */
    bool unread;           /* inline assembly was not looked for in all of it */
};

/* What it is built for: to be measured; to be disturbed, with hooks in every
 * access; or to be explored, where also what libc would do to its memory is
 * done by functions of ours. */
enum objects_target_use { TARGET_PLAIN, TARGET_HOOKED, TARGET_EXPLORED };

/* `extra`, `nextra`: what stood behind `--` on the command line: more sources,
 * objects, -I -D -l.  False after saying what is wrong; a compiler speaks for
 * itself. */
bool objects_target_build(struct objects_target *t, const char *name,
                          enum objects_target_use use, const char *const *extra,
                          size_t nextra);

/* Load it into this process, for good.  NULL after saying what is wrong (also
 * operations without a name or function, domains that are empty, ...).  Runs
 * its constructors: call it where it may crash. */
const struct plumb_object *objects_target_load(const struct objects_target *t);

/* Does it define an object, PLUMB_OBJECT(...)?  Without running anything. */
bool objects_target_is_object(const struct objects_target *t);

void objects_target_release(struct objects_target *t);

/* NAME with one of the endings, if there is such a file. */
bool objects_target_file(const char *name, char path[PATH_MAX]);

#endif
