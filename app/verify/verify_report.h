/* verify_report.h - telling what was decided about a model. */
#ifndef PLUMB_APP_VERIFY_VERIFY_REPORT_H
#define PLUMB_APP_VERIFY_VERIFY_REPORT_H

#include "base/text.h"
#include "refine/judge.h"
#include "verify_resources.h"
#include "verify_settings.h"

/* The result line, and below it what there is to say. */
void verify_report(const struct verify_settings *s, const char *subject,
                   struct plumb_refine_judgement *j,
                   const struct plumb_error *err, struct plumb_base_text *out);

/* Of a model that could not even be read. */
void verify_unread(const struct verify_settings *s, const char *subject,
                   const struct plumb_error *err, struct plumb_base_text *out);
void verify_unread_json(const char *subject, const char *file,
                        const struct plumb_error *err,
                        struct plumb_base_text *out);

/* Is there an error in the model, or in ours, and no answer at all? */
bool verify_went_wrong(const struct plumb_refine_judgement *j,
                       const struct plumb_error *err);

/* Why a failure that was found proves nothing; NULL if it does. */
const char *verify_doubt(const struct plumb_refine_judgement *j);

/* The steps to where the model goes wrong, if that is known. */
void verify_report_trouble(const struct verify_settings *s,
                           struct plumb_refine_judgement *j,
                           struct plumb_base_text *out);

/* Is there something to show: why it is violated, or where it is reached? */
bool verify_has_finding(const struct plumb_refine_judgement *j);

/* One JSON object on a line; `file` as it was given, `path` where it is.
 * `graph`: members about all states, or "". */
void verify_report_json(const char *subject, const char *file, const char *path,
                        const char *graph, struct plumb_refine_judgement *j,
                        const struct plumb_error *err,
                        const struct verify_resources *used,
                        struct plumb_base_text *out);

#endif
