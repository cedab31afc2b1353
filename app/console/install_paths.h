/* install_paths.h - where the files are that come with the program.
 *
 * Beside the program's own directory if it was installed (wherever that tree
 * was moved to), else in the source tree. */
#ifndef PLUMB_APP_CONSOLE_INSTALL_PATHS_H
#define PLUMB_APP_CONSOLE_INSTALL_PATHS_H

#include <limits.h>

/* The directory of <plumb/spec.h>, those of the object library and of the
 * models, and the one of libplumb-hooks.a.  The result is `path` or a constant; the directory need
 * not exist. */
const char *console_install_paths_headers(char path[PATH_MAX]);
const char *console_install_paths_objects(char path[PATH_MAX]);
const char *console_install_paths_models(char path[PATH_MAX]);
const char *console_install_paths_hooks(char path[PATH_MAX]);

/* The program plumb-host, which need not exist: beside this program, or in
 * PREFIX/libexec/plumb. */
void console_install_paths_host(char path[PATH_MAX]);

/* The directory of the program that stands in front of the assembler, which
 * need not exist.  $PLUMB_AS_DIRECTORY is another. */
void console_install_paths_assembler(char path[PATH_MAX]);

#endif
