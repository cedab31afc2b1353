/* check_settings.h - what `plumb check` and `plumb monitor` were asked to do. */
#ifndef PLUMB_APP_CHECK_CHECK_SETTINGS_H
#define PLUMB_APP_CHECK_CHECK_SETTINGS_H

#include "app/console/exit_status.h"
#include "app/objects/plugin.h"
#include "app/objects/quasi.h"
#include "app/publish/publication.h"
#include <plumb/check.h>
#include <plumb/format.h>

struct check_settings {
    const char *const *files;
    size_t nfiles;
    const char *spec;              /* text of --spec, or NULL             */
    struct objects_target *plugin; /* if that is a file, ready to load    */
    struct objects_quasi quasi;    /* --quasi                             */
    enum plumb_format format;      /* AUTO: detect                        */
    enum plumb_tie_rule ties;
    struct plumb_check_options check; /* without budget and jobs     */
    unsigned jobs;
    uint64_t timeout; /* milliseconds; 0 is none             */
    size_t memory;    /* bytes; 0 is none                    */
    bool json, quiet, verbose, color;
    const char *witness;     /* file to write, or NULL              */
    const char *rank_errors; /* --rank-errors, or NULL          */
    const char *verify;      /* file with what is to be accepted    */
    const char *command;     /* that results name; NULL: "check"    */
    struct publish_settings publish;
    struct publication *publication; /* NULL: nothing is published */
};

/* Decide every history of the files. */
enum console_status check_histories(const struct check_settings *s);

/* Accept or reject the answers in s->verify. */
enum console_status check_witness(const struct check_settings *s);

/* The specification of that name, or of `plugin` unless that is NULL: then this
 * is called where it may crash.  Relaxed, if that is asked for.  `option` is how
 * a message about a built-in one begins: "plumb check: --spec".  NULL after
 * saying what is wrong. */
struct plumb_spec *check_load_spec(const char *name,
                                   const struct objects_target *plugin,
                                   const struct objects_quasi *quasi,
                                   const char *option);

/* Call work(context); if `spec` names a file, in a process that is watched, with
 * *plugin ready to load.  After `milliseconds` (0: never) that is ended. */
enum console_status check_with_spec(const char *spec,
                                    struct objects_target **plugin,
                                    uint64_t milliseconds,
                                    enum console_status (*work)(void *context),
                                    void *context);

/* What both need: a budget that Ctrl-C stops (once; a second one kills), and
 * the specification of --spec, NULL if none was given.  False after saying
 * what is wrong. */
struct check_setting_up {
    struct plumb_budget *budget;
    struct plumb_spec *spec;
};
bool check_set_up(const struct check_settings *s, struct check_setting_up *up);
void check_clean_up(struct check_setting_up *up);

/* ---- plumb monitor ---- */

struct check_monitor_settings {
    const char *file; /* or "-" */
    const char *spec; /* NULL: guess */
    struct objects_quasi quasi;
    enum plumb_format format;
    uint64_t interval; /* milliseconds; 0: no health lines */
    uint64_t timeout;  /* milliseconds; 0: none */
    size_t memory;     /* bytes; 0: no limit */
    bool follow, json, quiet, verbose, color;
    struct publish_settings publish;
    struct publication *publication; /* NULL: nothing is published */
};

enum console_status check_monitor_run(const struct check_monitor_settings *s);

#endif
