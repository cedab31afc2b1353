/* quasi.h - `--quasi K`: a specification, relaxed by the quasi factor K.
 *
 * It is what the parameter k says (docs/relaxed-objects.md), for whoever does
 * not want to spell out the specification. */
#ifndef PLUMB_APP_OBJECTS_QUASI_H
#define PLUMB_APP_OBJECTS_QUASI_H

#include "app/console/options.h"
#include <plumb/spec.h>

struct objects_quasi {
    bool given, automatic; /* "auto": find the smallest K; `k` says nothing */
    bool replaces;         /* a k that the specification has gives way      */
    unsigned k;
};

enum { OBJECTS_MOST_QUASI = 1000000 };

/* The place of the option: `words_` are WORDS("auto"), or NULL. */
#define IN_QUASI(m, words_)                                                    \
    PLACE(OWN, struct objects_quasi, m, .most = OBJECTS_MOST_QUASI,            \
          .words = (words_), .take = objects_quasi_take)
console_option_take objects_quasi_take;

#define OPTION_QUASI                                                           \
    {                                                                          \
        "quasi", 0, IN_QUASI(quasi, NULL), "K",                                \
            .help = "relax the specification by the quasi factor K: add k=K",  \
            .more = "A queue may then hand out an item up to K places early "  \
                    "or late; see docs/relaxed-objects.md."                    \
    }

/* Replace *spec by the same with k=K.  On failure it is untouched: one of the
 * user's, one without such a parameter, or one that has a k. */
enum plumb_status objects_relax_spec(struct plumb_spec **spec, unsigned k,
                                     struct plumb_error *err);

/* ... and this one takes a k away, if it has one. */
enum plumb_status objects_strict_spec(struct plumb_spec **spec,
                                      struct plumb_error *err);

/* What an operation does to the items of such a specification. */
enum objects_part { OBJECTS_NEITHER, OBJECTS_ADDS, OBJECTS_REMOVES };
enum objects_part objects_part_of(const struct plumb_spec *spec,
                                  const char *operation);

#endif
