/* explore_memory.h - the order of memory that was explored, and the one that
 * was asked for. */
#ifndef PLUMB_APP_EXPLORE_REPORT_EXPLORE_MEMORY_H
#define PLUMB_APP_EXPLORE_REPORT_EXPLORE_MEMORY_H

#include "explore_totals.h"

/* "Memory was sequentially consistent.", and how many lines ask for less. */
void explore_add_memory(const struct exploration *e,
                        const struct explore_totals *t,
                        struct plumb_base_text *out);

/* ,"memory":"sequentially consistent","weaker_orders":[...] */
void explore_json_memory(const struct exploration *e,
                         const struct explore_totals *t,
                         struct plumb_base_text *out);

#endif
