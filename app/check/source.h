/* source.h - the histories of several files, one subject after the other.
 *
 * Whether a history is FILE or FILE#1 depends on what follows, so the source
 * is always one history ahead. */
#ifndef PLUMB_APP_CHECK_SOURCE_H
#define PLUMB_APP_CHECK_SOURCE_H

#include "app/objects/choose_spec.h"
#include "check_subject.h"
#include <plumb/format.h>

struct check_source {
    const char *const *files;
    size_t count, next; /* files, and the first not opened yet */
    enum plumb_format format;
    enum plumb_tie_rule ties;
    bool keeps_times; /* for pictures */
    struct plumb_budget *budget;
    struct objects_spec_choice *specs;

    /* The file that is being read. */
    struct check_shared_input *file;
    struct plumb_reader *reader;
    size_t given; /* subjects from it so far */

    /* What console_input_next() gave for the next subject. */
    enum plumb_status ahead;
    struct plumb_history ahead_history;
    struct plumb_error ahead_error;
    char ahead_note[256]; /* what was left out of it, or "" */
};

/* The next subject, NULL at the end of all files.  Sets `*failed` when memory
 * for even that is gone.  A file that cannot be read, a malformed history and
 * one that the budget had no time for are subjects too, without a history. */
struct check_subject *check_source_next(struct check_source *s, bool *failed);

/* Was that the last one? */
bool check_source_is_exhausted(const struct check_source *s);
void check_source_close(struct check_source *s);

#endif
