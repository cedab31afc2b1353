/* writers.h - what is made of findings, one function per form. */
#ifndef PLUMB_APP_PUBLISH_WRITERS_H
#define PLUMB_APP_PUBLISH_WRITERS_H

#include "finding.h"

void publish_write_junit(const struct finding *f, size_t count,
                         struct plumb_base_text *out);
void publish_write_sarif(const struct finding *f, size_t count,
                         struct plumb_base_text *out);
void publish_write_annotations(const struct finding *f, size_t count,
                               struct plumb_base_text *out);

#endif
