/* simulate_settings.h - what `plumb simulate` was asked to do. */
#ifndef PLUMB_APP_SIMULATE_SIMULATE_SETTINGS_H
#define PLUMB_APP_SIMULATE_SIMULATE_SETTINGS_H

#include "app/check/check_settings.h"
#include "app/console/exit_status.h"
#include "app/objects/plugin.h"
#include <plumb/spec.h>

/* How long: a number of milliseconds, of histories, or neither. */
enum simulate_span { SPAN_UNKNOWN, SPAN_TIME, SPAN_HISTORIES, SPAN_FOREVER };

enum {
    DEFAULT_PROCESSES = 4,
    DEFAULT_OPERATIONS = 10,
    DEFAULT_SECONDS = 10,
    MOST_OPERATIONS = 100000,
    DEFAULT_ROUND = 10000, /* operations of each process, with --compare */
    MOST_NOISE = 1000
};

struct simulate_settings {
    const char *object; /* -c, or NULL                                 */
    const char *spec;   /* -s, or NULL: the object's own               */
    struct objects_quasi quasi;
    const char *input, *output;
    bool defaults;       /* -d: ask nothing                             */
    bool asks;           /* --ask                                       */
    unsigned processes;  /* 0: not said yet                             */
    unsigned operations; /* 0: not said yet                             */
    enum simulate_span span;
    uint64_t milliseconds, histories;
    uint64_t seed;
    unsigned noise;
    bool statistics, json, quiet, verbose, color;
    size_t memory; /* bytes for deciding; 0 is no limit           */
    bool compare;
    const char *record;      /* --record, or NULL                           */
    bool unique;             /* --unique                                    */
    const char *plot;        /* --plot, or NULL                             */
    const char *rank_errors; /* --rank-errors, or NULL                 */
    const char *const *extra;
    size_t nextra;                 /* what stood behind `--`      */
    struct objects_target *plugin; /* the specification, if it is a file   */
    struct plumb_spec *parsed;     /* ... or if it is a name               */
    struct publish_settings publish;
    struct publication *publication; /* NULL: nothing is published          */
};

/* .init in the working directory, if it is there; then the paper's defaults.
 * What was said already stays.  False after saying what is wrong. */
bool simulate_read_defaults(struct simulate_settings *s);

/* Ask for what is missing, as in section 4.1 of the paper; `wait` is called
 * where it says "Just a moment...".  False when there is no answer, after
 * saying which option would have given it, and when wait() fails. */
struct simulate_answers {
    char object[1024], spec[1024];
};
bool simulate_ask(struct simulate_settings *s, struct simulate_answers *a,
                  bool (*wait)(struct simulate_settings *s, void *context),
                  void *context);

/* How a message about a specification begins. */
#define SIMULATE_SPEC_OPTION "plumb simulate: -s"

/* How results are to be told, in the words of `plumb check`. */
struct check_settings simulate_telling(const struct simulate_settings *s);

/* Test each history of the input file. */
enum console_status simulate_file(const struct simulate_settings *s);

/* Run the object. */
struct objects_target;
enum console_status simulate_object(const struct simulate_settings *s,
                                    const struct objects_target *target);

/* --record: run it for a time, or a number of operations.  Nothing is decided.
 */
enum console_status simulate_record(const struct simulate_settings *s,
                                    const struct objects_target *target);

#endif
