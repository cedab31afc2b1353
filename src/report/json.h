/* json.h - the report about one subject, for programs: docs/json-output.md. */
#ifndef PLUMB_REPORT_JSON_H
#define PLUMB_REPORT_JSON_H

#include "subject.h"

enum { PLUMB_JSON_FORMAT = 1 };

/* Add one object on one line, with a newline.  `witness`: also the order of a
 * linearizable history, which may be as long as the history. */
void plumb_report_json(const struct plumb_report_subject *subject, bool witness,
                       struct plumb_base_text *out);

/* Add a JSON string.  A byte that is no UTF-8 becomes U+FFFD. */
void plumb_report_json_string(const char *text, size_t size,
                              struct plumb_base_text *out);

/* Writing JSON.  A comma goes before every member and element but the first;
 * which one that is shows in the text itself, so that the writer has no state.
 * Open an object or a list, '{' or '['; begin a member, perhaps one that
 * is such; add a whole one, null if it is NULL. */
void plumb_report_json_open(char bracket, struct plumb_base_text *out);
void plumb_report_json_key(const char *key, struct plumb_base_text *out);
void plumb_report_json_begin(const char *key, char bracket,
                             struct plumb_base_text *out);
void plumb_report_json_text(const char *key, const char *value,
                            struct plumb_base_text *out);
void plumb_report_json_number(const char *key, uint64_t value,
                              struct plumb_base_text *out);

/* What every line begins with: "{", the format, and whom it is about. */
void plumb_report_json_subject(const char *subject,
                               struct plumb_base_text *out);

#endif
