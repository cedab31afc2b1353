/* list_objects.h - plumb list objects: what is in the object library. */
#ifndef PLUMB_CLI_LIST_OBJECTS_H
#define PLUMB_CLI_LIST_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

/* All of them, or those of a family (NULL: every one).  Both are false after
 * saying what is wrong. */
bool cli_list_objects(const char *family);

/* Everything that is known of some. */
bool cli_show_objects(const char *const *names, size_t count);

#endif
