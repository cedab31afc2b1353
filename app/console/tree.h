/* tree.h - where the files are that come with the program.
 *
 * Beside the program's own directory if it was installed (wherever that tree
 * was moved to), else in the source tree. */
#ifndef PLUMB_CLI_TREE_H
#define PLUMB_CLI_TREE_H

#include <limits.h>

/* The directory of <plumb/spec.h>, those of the object library and of the
 * models, and the one of libplumb-hooks.a.  The result is `path` or a constant; the directory need
 * not exist. */
const char *tree_headers(char path[PATH_MAX]);
const char *tree_objects(char path[PATH_MAX]);
const char *tree_models(char path[PATH_MAX]);
const char *tree_hooks(char path[PATH_MAX]);

/* The program plumb-host, which need not exist: beside this program, or in
 * PREFIX/libexec/plumb. */
void tree_host(char path[PATH_MAX]);

/* The directory of the program that stands in front of the assembler, which
 * need not exist.  $PLUMB_AS_DIRECTORY is another. */
void tree_assembler(char path[PATH_MAX]);

#endif
