/* verify_resources.h - how much time and memory an assertion took.
 *
 * They differ from run to run, so they are told on stderr and in JSON, never
 * among the results. */
#ifndef PLUMB_APP_VERIFY_VERIFY_RESOURCES_H
#define PLUMB_APP_VERIFY_VERIFY_RESOURCES_H

#include "base/text.h"
#include <plumb/budget.h>
#include <time.h>

struct verify_resources {
    struct plumb_budget *budget;
    struct timespec begin, processor; /* as the clocks were */
};

void verify_resources_begin(struct verify_resources *r,
                            struct plumb_budget *budget);

/* Seconds since then. */
double verify_resources_elapsed(const struct verify_resources *r);

/* ,"resources":{...} */
void verify_resources_json(const struct verify_resources *r,
                           struct plumb_base_text *out);

/* A note, for people at a terminal and those who ask for everything. */
void verify_resources_note(const struct verify_resources *r,
                           const char *subject, bool verbose);

#endif
