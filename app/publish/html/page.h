/* page.h - a report as one HTML file: what its parts share.
 *
 * Everything is in the page as elements, so that it reads without JavaScript;
 * report.js only shows, hides and marks what is there.  Text that is not ours
 * goes through page_text(), which escapes it, and never becomes a style, a
 * script or an address. */
#ifndef PLUMB_APP_PUBLISH_HTML_PAGE_H
#define PLUMB_APP_PUBLISH_HTML_PAGE_H

#include "app/publish/finding.h"
#include "app/publish/writers.h"

struct page {
    struct plumb_base_text *out;
    const struct finding *f;
    unsigned number; /* of the finding, from 1 */
    enum publish_sources sources;
    struct plumb_base_arena *arena;
};

/* Markup of ours, as it is. */
void page_put(struct page *p, const char *markup);
/* Text, at most PAGE_LONGEST characters; "a", or with `number` "f3-a". */
void page_text(struct page *p, const char *text);
void page_id(struct page *p, const char *name, size_t index);
void page_number(struct page *p, uint64_t number);

enum { PAGE_LONGEST = 2000 };

/* Parts of a finding; each is nothing if there is nothing to show. */
void page_write_timeline(struct page *p);
void page_write_attempt(struct page *p);
void page_write_steps(struct page *p);
void page_write_graph(struct page *p);
void page_write_concurrency(struct page *p);
void page_write_coverage(struct page *p);
void page_write_meaning(struct page *p);
void page_write_facts(struct page *p);

#endif
