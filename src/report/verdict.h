/* verdict.h - the report about one subject, for people.
 *
 *     queue.hist#3: not linearizable
 *       queue, general search: 3 parts, 120 configurations
 *       these 4 of 60 operations alone are a violation; nothing can be left out
 *
 *       T0  ├ a enq(1) ─┤    ├ b enq(2) ─┤
 *       ...
 *       why    a returned before b was called, so 1 entered the queue before 2
 */
#ifndef PLUMB_REPORT_VERDICT_H
#define PLUMB_REPORT_VERDICT_H

#include "subject.h"

enum plumb_report_detail {
    PLUMB_DETAIL_QUIET, /* the result line alone                       */
    PLUMB_DETAIL_USUAL, /* and what is to be known about a bad result  */
    PLUMB_DETAIL_FULL   /* and about a good one                        */
};

void plumb_report_verdict(const struct plumb_report_subject *subject,
                          const struct plumb_report_style *style,
                          enum plumb_report_detail detail,
                          struct plumb_base_text *out);

#endif
