/* publication.h - what else becomes of the results of a command: reports,
 * pictures, and what other programs read.
 *
 * A command tells each result as the line that --json prints
 * (docs/json-output.md).  The lines are kept in a file without a name, so that
 * a process that was forked can add to them; at the end they are read into
 * findings (finding.h), from which everything is written. */
#ifndef PLUMB_APP_PUBLISH_PUBLICATION_H
#define PLUMB_APP_PUBLISH_PUBLICATION_H

#include "app/console/exit_status.h"
#include "app/console/options.h"
#include "base/text.h"
#include "report/json.h"

/* What was asked for; NULL or 0: nothing. */
struct publish_settings {
    const char *junit, *sarif, *report, *svg;
    bool no_source;       /* in the report: no lines of files */
    unsigned annotations; /* 1: of GitHub */
    bool json;            /* the standard output is for JSON alone */
    const char *subject;  /* for a run that ends without a result */
    const char *lines_of; /* not NULL: the lines are from this file, written
                             by another run */
};

/* The rows; the settings of the command have a member `publish`. */
#define OPTIONS_PUBLISH                                                        \
    { "report",                                                                \
      0,                                                                       \
      IN_FILE(publish.report),                                                 \
      "OUT.html",                                                              \
      .help = "write a report to look at, one file for a browser",             \
      .more =                                                                  \
          "It has a timeline, the order that was tried, the steps and the "    \
          "lines of code; it loads nothing.  OUT.html must not exist." },      \
        { "no-source", 0, IN_FLAG(publish.no_source),                          \
          .help = "quote no lines of files in the report" },                   \
        { "svg",                                                               \
          0,                                                                   \
          IN_FILE(publish.svg),                                                \
          "OUT.svg",                                                           \
          .help = "write the timeline of the report as a picture",             \
          .more = "OUT.svg must not exist." },                                 \
        { "junit",                                                             \
          0,                                                                   \
          IN_FILE(publish.junit),                                              \
          "OUT.xml",                                                           \
          .help = "write the results as JUnit does, a test case each",         \
          .more =                                                              \
              "OUT.xml must not exist.  An undecided result is an error." },   \
        { "sarif",                                                             \
          0,                                                                   \
          IN_FILE(publish.sarif),                                              \
          "OUT.sarif",                                                         \
          .help = "write the results in the format SARIF 2.1.0",               \
          .more = "The steps of a violation are one thread flow per thread.  " \
                  "OUT.sarif must not exist." },                               \
    {                                                                          \
        "annotations", 0, IN_WORD(publish.annotations, 1, WORDS("github")),    \
            "WHERE",                                                           \
            .help = "print a line for each result but passes that GitHub "     \
                    "shows beside the code",                                   \
            .more = "They go to the standard output; with --json to the "      \
                    "standard error."                                          \
    }

struct publication;

/* Is anything asked for? */
bool publish_asked(const struct publish_settings *with);

/* Create the files that are asked for, of a command about `subject` (NULL:
 * several).  *p is NULL if nothing is; false after saying why not.  `with` has
 * to outlive it. */
bool publish_open(struct publication **p, struct publish_settings *with,
                  const struct console_options *o, const char *subject,
                  bool json);

/* Is anything published?  Then tell it every result. */
static inline bool publish_wants(const struct publication *p)
{
    return p;
}
void publish_result(struct publication *p, const struct plumb_base_text *line);

/* Write everything, and give the worse of `status` and what came of that. */
enum console_status publish_close(struct publication *p,
                                  enum console_status status);

/* Is a text one of results?  Write about those in it as `with` says, whatever
 * their verdicts are; `name` is where they are from.  Of the files that they
 * name only those in the working directory are quoted. */
bool publish_is_result(const char *text, size_t size);
enum console_status publish_results_of(struct publish_settings *with,
                                       const struct console_options *o,
                                       const char *name, const char *text,
                                       size_t size);

/* Begin a line about a subject; `file` may be NULL, or not be one. */
void publish_json_begin(const char *command, const char *subject,
                        const char *file, struct plumb_base_text *out);

/* The same head, for who writes the line; `absolute` is room for a path. */
struct plumb_report_json_head publish_json_head(const char *command,
                                                const char *subject,
                                                const char *file,
                                                char *absolute);

#endif
