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
/* Which files may be quoted. */
enum publish_sources {
    SOURCES_NONE,
    SOURCES_HERE, /* in the working directory */
    SOURCES_ALL
};
void publish_write_report(const struct finding *f, size_t count,
                          enum publish_sources sources,
                          struct plumb_base_text *out);
/* The timeline of the first that is no pass, else of the first with one. */
void publish_write_picture(const struct finding *f, size_t count,
                           struct plumb_base_text *out);

#endif
