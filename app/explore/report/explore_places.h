/* explore_places.h - which lines of the code ran in an exploration. */
#ifndef PLUMB_APP_EXPLORE_REPORT_EXPLORE_PLACES_H
#define PLUMB_APP_EXPLORE_REPORT_EXPLORE_PLACES_H

#include "app/explore/driver/exploration.h"
#include "explore_totals.h"

/* ,"coverage":[...]: lines with accesses to memory, and whether one of them
 * ever ran while another operation was open. */
void explore_json_places(const struct exploration *e,
                         const struct explore_totals *t,
                         struct plumb_base_text *out);

#endif
