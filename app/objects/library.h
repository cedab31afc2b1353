/* library.h - the object library: what its index files say.
 *
 * Every folder of objects/ has a file `index`: stanzas of lines `key value`,
 * separated by blank lines; # begins a comment line.
 *
 *     object       queue-reread
 *     source       wing_gong_unbounded.c    beside the index
 *     flags        -DFAULT_REREAD           optional
 *     family       queue
 *     spec         queue:blocking           as its PLUMB_OBJECT has it
 *     weak         queue:weak               optional: a weaker one
 *     expect       violation                or linearizable, weak, stuck
 *     preemptions  2                        optional, unless linearizable
 *     init         enq(7)                   optional, as is `final`
 *     options      --races interleave       of `plumb explore`; optional
 *     scenario     enq(1) enq(2) | deq()
 *     about        one line */
#ifndef PLUMB_APP_OBJECTS_LIBRARY_H
#define PLUMB_APP_OBJECTS_LIBRARY_H

#include "base/arena.h"
#include <plumb/error.h>
#include <stdbool.h>
#include <stddef.h>

enum objects_library_expectation {
    EXPECT_LINEARIZABLE,
    EXPECT_VIOLATION,
    EXPECT_WEAK, /* a violation, but only of when it may say empty or full */
    EXPECT_STUCK /* processes may wait for ever where they should not      */
};

extern const char
    *const objects_library_expectations[]; /* their names, then NULL */

/* What may be left out is NULL, or -1. */
struct objects_library_object {
    const char *name, *family, *spec, *weak, *about;
    const char *source; /* a path that can be opened */
    const char *flags, *init, *final, *options, *scenario;
    enum objects_library_expectation expect;
    int preemptions; /* with how many a schedule shows it */
    const char *index;
    unsigned line; /* where its stanza begins */
};

struct objects_library {
    struct objects_library_object *object; /* by family, then as written */
    size_t count, capacity;
    struct plumb_base_arena arena; /* their texts */
};

/* The whole library.  False after saying what is wrong; then there is nothing
 * to close.  Where there is no library it is empty. */
bool objects_library_open(struct objects_library *l);
void objects_library_close(struct objects_library *l);

/* Add the objects of one index, `size` bytes of text.  For tests, too: begin
 * with objects_library_init(). */
void objects_library_init(struct objects_library *l);
enum plumb_status objects_library_add(struct objects_library *l,
                                      const char *index, const char *text,
                                      size_t size, struct plumb_error *err);

/* By its name, in whatever case, with '-' or '_'; or NULL. */
const struct objects_library_object *objects_library_find(
    const struct objects_library *l, const char *name);

/* The name that was probably meant, or NULL. */
const char *objects_library_nearest(const struct objects_library *l,
                                    const char *name);

#endif
