/* explore_words.h - what all reports of an exploration have.
 *
 * Only what is the same every time goes to the standard output. */
#ifndef PLUMB_APP_EXPLORE_REPORT_EXPLORE_WORDS_H
#define PLUMB_APP_EXPLORE_REPORT_EXPLORE_WORDS_H

#include "app/explore/driver/exploration.h"
#include "base/text.h"
#include "report/json.h"
#include "report/label.h"

struct plumb_report_style explore_style(const struct exploration *e);

/* On stdout, with the progress line out of the way. */
void explore_print(struct plumb_base_text *text);

/* "NAME: verdict (more)" in red, green or yellow; "" is no more. */
void explore_result_line(const struct exploration *e, const char *color,
                         const char *verdict, const char *more,
                         struct plumb_base_text *out);

/* A line of the details, over as many as it takes. */
void explore_wrapped_line(const struct exploration *e, const char *line,
                          struct plumb_base_text *out);

/* The same exploration with results for programs; `with` is room for that. */
struct exploration explore_for_programs(const struct exploration *e,
                                        struct explore_settings *with);

/* The beginning of an object with what every one has. */
void explore_json_begin(const struct exploration *e, const char *verdict,
                        enum plumb_report_outcome outcome,
                        struct plumb_base_text *out);

#endif
