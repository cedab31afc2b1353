/* graph.h - the state graph of a model as a picture.
 *
 * A column holds the states that are equally far from the first one, so most
 * edges lead to the right; others go around below. */
#ifndef PLUMB_APP_PUBLISH_HTML_GRAPH_H
#define PLUMB_APP_PUBLISH_HTML_GRAPH_H

#include "page.h"

void page_write_graph(struct page *p);

#endif
