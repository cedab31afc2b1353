/* check_subject.h - one history to be decided, and what there is to say about
 * it.
 *
 * A subject is made by the source, decided by any thread, and printed by the
 * main thread in the order of the sources, so that output does not depend on
 * how many threads there are. */
#ifndef PLUMB_APP_CHECK_CHECK_SUBJECT_H
#define PLUMB_APP_CHECK_CHECK_SUBJECT_H

#include "app/console/exit_status.h"
#include "app/console/input.h"
#include "base/text.h"
#include <plumb/check.h>
#include <stdbool.h>

/* A file, while subjects from it are alive: mapped histories point into it.
 * Counted by the main thread alone. */
struct check_shared_input {
    struct console_input in;
    unsigned users;
};

struct check_subject {
    char *name;       /* FILE, or FILE#k if it holds several */
    const char *path; /* FILE as it was given, or NULL; the command line's */
    struct check_shared_input *file;
    bool has_history;
    struct plumb_history history;
    uint32_t number;          /* of the history in its file, from 1 */
    enum plumb_status unread; /* why there is no history            */
    bool file_began;          /* but there were others before it    */
    struct plumb_error error; /* if the status is ERROR             */
    const struct plumb_spec *spec;
    bool any_spec; /* another one would do as well */
    unsigned jobs; /* threads for this one history */
    size_t place;  /* among all */

    /* Its turns (history_turns.h). */
    uint64_t steps;   /* of the next turn, for a part; 0: any number      */
    bool interrupted; /* it took more                                      */
    bool decided;     /* there is nothing more to do                       */
    uint32_t prefix;  /* the events before this rank were linearized       */

    /* What came of it. */
    enum console_status status;
    struct plumb_base_text complaint; /* whole lines for stderr */
    struct plumb_base_text result;    /* whole lines for stdout */
    struct plumb_base_text witness;   /* for --witness          */
    struct plumb_base_text published; /* for reports            */
    bool done;                        /* owned by the pool      */
};

/* NULL when memory is used up.  `file` gets one more user. */
struct check_subject *check_subject_new(const char *name, size_t index,
                                        struct check_shared_input *file);
void check_subject_free(struct check_subject *s);
void check_drop_input(struct check_shared_input *file);

/* Keep the error, make the status ERROR, and add "FILE:LINE:COL: message" to
 * the complaint. */
void check_subject_fails(struct check_subject *s,
                         const struct plumb_error *err);

#endif
