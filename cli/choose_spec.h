/* choose_spec.h - by which specification is a history to be judged?
 *
 * The one on the command line; else the one its source names; else the only
 * one that has all its operations, with a note. */
#ifndef PLUMB_CLI_CHOOSE_SPEC_H
#define PLUMB_CLI_CHOOSE_SPEC_H

#include "base/text.h"
#include <plumb/history.h>
#include <plumb/spec.h>

struct known_spec;

struct spec_choice {
    const struct plumb_spec *given; /* NULL: choose */
    bool quiet;                     /* no notes about guesses */
    struct known_spec *known;       /* parsed so far, each once */
};

/* NULL and an error if there is none.  A guess adds a line to `notes`, the
 * first time only.  `subject` is the history's name. */
const struct plumb_spec *choose_spec(struct spec_choice *c,
                                     const struct plumb_history *h,
                                     const char *subject,
                                     struct plumb_text *notes,
                                     struct plumb_error *err);

/* The specification of that text, parsed once. */
const struct plumb_spec *choose_spec_by_text(struct spec_choice *c,
                                             const char *text,
                                             struct plumb_error *err);
void spec_choice_release(struct spec_choice *c);

#endif
