/* quoted.h - lines of files that steps are at, with a few around them. */
#ifndef PLUMB_APP_PUBLISH_HTML_QUOTED_H
#define PLUMB_APP_PUBLISH_HTML_QUOTED_H

#include "page.h"

struct quoted_line {
    uint32_t file, line;
    uint32_t first; /* the first step that is there, or FINDING_NONE: none */
    const char *text;
};

/* Lines by file and number; an element's id is "f1-q" and its index here. */
struct quoted {
    struct quoted_line *line;
    size_t count;
    const struct finding_place **file; /* a place in each */
    size_t files;
};

/* What can be read of them; nothing without p->sources. */
struct quoted quoted_find(struct page *p, size_t steps);

/* The index of the line of a place, or FINDING_NONE. */
uint32_t quoted_at(const struct quoted *q, const struct finding_place *place);

void quoted_write(struct page *p, const struct quoted *q);

#endif
