/* choose_spec.h - by which specification is a history to be judged?
 *
 * The one on the command line; else the one its source names; else the only
 * one that has all its operations, with a note. */
#ifndef PLUMB_APP_OBJECTS_CHOOSE_SPEC_H
#define PLUMB_APP_OBJECTS_CHOOSE_SPEC_H

#include "app/objects/quasi.h"
#include "base/text.h"
#include <plumb/format.h>
#include <plumb/spec.h>

struct objects_known_spec;

struct objects_spec_choice {
    const struct plumb_spec *given;   /* NULL: choose */
    struct objects_quasi quasi;       /* ... and relax what was chosen by it */
    bool quiet;                       /* no notes about guesses */
    struct objects_known_spec *known; /* parsed so far, each once */
};

/* NULL and an error if there is none.  A guess adds a line to `notes`, the
 * first time only, and so does a history without operations, for which any one
 * will do.  `subject` is the history's name. */
const struct plumb_spec *objects_choose_spec(struct objects_spec_choice *c,
                                             const struct plumb_history *h,
                                             const char *subject,
                                             struct plumb_base_text *notes,
                                             struct plumb_error *err);

/* The specification of that text, parsed once. */
const struct plumb_spec *objects_choose_spec_by_text(
    struct objects_spec_choice *c, const char *text, struct plumb_error *err);

/* Is any as good?  Then none is to be named. */
bool objects_any_spec_will_do(const struct objects_spec_choice *c,
                              const struct plumb_history *h);

/* How many arguments operations have, for readers; of NULL nobody knows. */
struct plumb_signature objects_signature_of(const struct plumb_spec *spec);
void objects_spec_choice_release(struct objects_spec_choice *c);

#endif
