/* json.h - the report about one subject, for programs: docs/json-output.md. */
#ifndef PLUMB_REPORT_JSON_H
#define PLUMB_REPORT_JSON_H

#include "subject.h"

enum { PLUMB_JSON_FORMAT = 2 };

/* What a verdict means, whatever its words are. */
enum plumb_report_outcome {
    PLUMB_SAYS_PASS,
    PLUMB_SAYS_VIOLATION,
    PLUMB_SAYS_UNDECIDED,
    PLUMB_SAYS_ERROR
};

/* What every line begins with: which command says it, of whom, and of which
 * file. */
struct plumb_report_json_head {
    const char *command, *subject;
    const char *given;    /* the file as it was given; NULL: none */
    const char *absolute; /* ... from the root; NULL: not known   */
};

/* How much is told of a history. */
struct plumb_report_json_detail {
    bool witness; /* the order of a linearizable one, as long as it is   */
    bool picture; /* what a picture of it needs: some of its operations, and
                     states on the way                                   */
};

/* Add one object on one line, with a newline. */
void plumb_report_json(const struct plumb_report_subject *subject,
                       const struct plumb_report_json_head *head,
                       struct plumb_report_json_detail detail,
                       struct plumb_base_text *out);

/* Add a JSON string.  A byte that is no UTF-8 becomes U+FFFD. */
void plumb_report_json_string(const char *text, size_t size,
                              struct plumb_base_text *out);

/* Add the member "history": the operations to draw of one that was not
 * checked. */
void plumb_report_json_history(const struct plumb_history *h,
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

void plumb_report_json_bool(const char *key, bool value,
                            struct plumb_base_text *out);

/* Add "{" and the head; the verdict in words and in general. */
void plumb_report_json_begin_line(const struct plumb_report_json_head *head,
                                  struct plumb_base_text *out);
void plumb_report_json_verdict(const char *verdict,
                               enum plumb_report_outcome outcome,
                               struct plumb_base_text *out);

#endif
