/* explore_round_up.h - what both phases of `--algorithm round-up` looked at. */
#ifndef PLUMB_APP_EXPLORE_REPORT_EXPLORE_ROUND_UP_H
#define PLUMB_APP_EXPLORE_REPORT_EXPLORE_ROUND_UP_H

#include "app/explore/round_up/round_up_tests.h"

/* Nothing, if `t` is NULL. */
void explore_add_round_up(const struct exploration *e,
                          const struct explore_round_up_totals *t,
                          struct plumb_base_text *out);
void explore_json_round_up(const struct exploration *e,
                           const struct explore_round_up_totals *t,
                           struct plumb_base_text *out);

/* Of a violation that the default does not see. */
void explore_add_accepted(const struct exploration *e,
                          struct plumb_base_text *out);

#endif
