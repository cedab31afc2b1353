/* script.h - operations written down: "enq(1) deq() put(k,\"a b\")".
 *
 * What an object does before and after a history, and the scenarios of the
 * object library.  In a scenario, "enq(1) | deq() deq()", a bar begins the
 * operations of the next process.  An argument is a number, a word, or a text
 * in quotes with the escapes of native histories. */
#ifndef PLUMB_RECORD_SCRIPT_H
#define PLUMB_RECORD_SCRIPT_H

#include "base/arena.h"
#include "log.h"
#include <plumb/error.h>
#include <stddef.h>

struct plumb_record_script_value {
    const char *text; /* NULL: a number */
    int64_t number;
};

struct plumb_record_script_step {
    unsigned process;   /* 0, 1, ... */
    unsigned operation; /* in the object's table */
    unsigned nargs;
    struct plumb_record_script_value args[PLUMB_MAX_ARGUMENTS];
};

/* The steps of a process are in order, and those of process 0 come first. */
struct plumb_record_script {
    struct plumb_record_script_step *step;
    size_t count;
    unsigned processes; /* at least 1 */
    struct plumb_base_arena arena;
};

/* How many operations an object has, and how many arguments an operation. */
unsigned plumb_record_object_size(const struct plumb_object *o);
unsigned plumb_record_operation_arity(const struct plumb_operation *op);

/* The operations must be the object's, with as many arguments and of the kind
 * that it wants.  Errors have a column, and line 1.  On failure there is
 * nothing to release. */
enum plumb_status plumb_record_script_parse(struct plumb_record_script *s,
                                            const char *text,
                                            const struct plumb_object *o,
                                            struct plumb_error *err);

/* What an entry of the log has before its call. */
void plumb_record_script_entry(const struct plumb_record_script_step *step,
                               struct plumb_record_entry *e);

void plumb_record_script_release(struct plumb_record_script *s);

#endif
