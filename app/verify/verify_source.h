/* verify_source.h - a model's text, what it includes, and what it imports. */
#ifndef PLUMB_APP_VERIFY_VERIFY_SOURCE_H
#define PLUMB_APP_VERIFY_VERIFY_SOURCE_H

#include "app/console/input.h"
#include "verify_settings.h"
#include <limits.h>
#include <sys/stat.h>

enum { MOST_INCLUDED = 64 };

struct verify_source {
    struct console_input model;
    struct console_input included[MOST_INCLUDED];
    struct stat identity[MOST_INCLUDED]; /* of each of these files */
    size_t count;
    struct plumb_budget *budget;
    struct plumb_csp_model *read;
    bool starved;        /* an included file did not fit */
    const char *path;    /* of the model: includes are beside it */
    char room[PATH_MAX]; /* for the path of one that came with the program */
};

/* Read, and bind what is imported.  PLUMB_EMEMORY, PLUMB_ETIME or PLUMB_ESTOP
 * if there was not enough of it; any other failure after saying what is wrong.
 * To be closed in any case. */
enum plumb_status verify_source_open(struct verify_source *source,
                                     const struct verify_settings *s,
                                     struct plumb_budget *budget,
                                     struct plumb_csp_model **model,
                                     struct plumb_error *err);
void verify_source_close(struct verify_source *source);

/* FILE:LINE:COLUMN: message, the line of the model and a mark below it. */
void verify_say_error(const struct verify_source *source,
                      const struct plumb_error *err);
/* The same as a note about the model that was read. */
void verify_note_at(const struct verify_source *source,
                    struct plumb_csp_place at, const char *about,
                    const char *message);

#endif
