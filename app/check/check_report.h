/* check_report.h - deciding one subject and putting the answer into words. */
#ifndef PLUMB_CLI_CHECK_REPORT_H
#define PLUMB_CLI_CHECK_REPORT_H

#include "check_settings.h"
#include "check_subject.h"
#include "report/label.h"

/* The same for all subjects of a run, and read by all its threads. */
struct reporting {
    const struct check_settings *with;
    struct plumb_budget *budget;
    struct plumb_style style;
};

/* What the user's terminal and locale can show. */
struct plumb_style reporting_style(bool color);

struct reporting reporting_for(const struct check_settings *s,
                               struct plumb_budget *budget);

/* Fill in what came of it: status, complaint, result, witness. */
void decide_subject(const struct reporting *r, struct subject *s);

#endif
