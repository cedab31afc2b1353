/* roles.h - what an operation does with a value, told by its name.
 *
 * Sources that name neither arguments nor results ("pop", then 3) are read by
 * what the operation must mean.  The names are those of the built-in types
 * (docs/specifications.md), without regard to case, - and _. */
#ifndef PLUMB_HISTORY_FORMATS_ROLES_H
#define PLUMB_HISTORY_FORMATS_ROLES_H

#include <stdbool.h>
#include <stddef.h>

enum plumb_history_role {
    PLUMB_ROLE_OTHER,
    PLUMB_ROLE_ADD,  /* takes a value, answers none: enq, push, write     */
    PLUMB_ROLE_TAKE, /* answers an item, or empty: deq, pop, peek         */
    PLUMB_ROLE_READ, /* answers a value, which may be nil: read, get      */
    PLUMB_ROLE_CAS,  /* takes two values, answers whether it was done     */
    PLUMB_ROLE_LOCK, /* neither takes nor answers: acquire, release       */
};

enum plumb_history_role plumb_history_role_of(const char *name, size_t length);

/* `name` is `word` (lower case, no - or _), written in any of the ways above.
 */
bool plumb_history_name_is(const char *name, size_t length, const char *word);

#endif
