/* bar_label.h - an operation in a few characters, and in full. */
#ifndef PLUMB_APP_PUBLISH_HTML_BAR_LABEL_H
#define PLUMB_APP_PUBLISH_HTML_BAR_LABEL_H

#include "app/publish/finding.h"

enum {
    BAR_LABEL_LONGEST = 300
}; /* characters of a name that are shown in full */

/* "a enq(1)=ok", escaped; how wide that is, and a name of `most` characters. */
void bar_label_write(const struct finding_operation *o,
                     struct plumb_base_text *out);
uint32_t bar_label_width(const struct finding_operation *o);
uint32_t bar_label_name_width(const char *name, unsigned most);

/* "enq" */
void bar_label_kind(const struct finding_operation *o,
                    struct plumb_base_text *out);

/* "enq(1) = ok", and everything that is known of it, escaped. */
void bar_label_operation(const struct finding_operation *o,
                         struct plumb_base_text *out);
void bar_label_describe(const struct finding *f,
                        const struct finding_operation *o,
                        struct plumb_base_text *out);

#endif
