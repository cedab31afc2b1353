/* check_report.h - deciding one subject and putting the answer into words. */
#ifndef PLUMB_APP_CHECK_CHECK_REPORT_H
#define PLUMB_APP_CHECK_CHECK_REPORT_H

#include "check_settings.h"
#include "check_subject.h"
#include "report/label.h"

/* The same for all subjects of a run, and read by all its threads. */
struct check_reporting {
    const struct check_settings *with;
    struct plumb_budget *budget;
    struct plumb_report_style style;
};

/* What the user's terminal and locale can show. */
struct plumb_report_style check_reporting_style(bool color);

struct check_reporting check_reporting_for(const struct check_settings *s,
                                           struct plumb_budget *budget);

/* Fill in what came of it: status, complaint, result, witness. */
void check_decide_subject(const struct check_reporting *r,
                          struct check_subject *s);

#endif
