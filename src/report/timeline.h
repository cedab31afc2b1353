/* timeline.h - a picture of which operations overlapped.
 *
 *     T0  ├ a enq(1) ┤  ├ b enq(2) ┤
 *     T1                  ├ c deq()=2 ┤
 *     T2                    ├ d deq() ╌▷
 *
 * A row per thread.  Columns are ordered as events are: of two events, the
 * later one is further to the right, so that two bars share a column iff the
 * operations overlap.  What does not fit goes on in another block below. */
#ifndef PLUMB_REPORT_TIMELINE_H
#define PLUMB_REPORT_TIMELINE_H

#include "label.h"
#include "scene.h"

enum { PLUMB_TIMELINE_OPERATIONS = 40 }; /* how many are drawn at most */

/* Every line begins with `indent` spaces and ends with a newline. */
void plumb_report_timeline(const struct plumb_report_scene *scene,
                           const struct plumb_report_style *style,
                           unsigned indent, struct plumb_base_text *out);

#endif
