/* conflict.h - two serial histories that no deterministic object has. */
#ifndef PLUMB_APP_EXPLORE_INFER_CONFLICT_H
#define PLUMB_APP_EXPLORE_INFER_CONFLICT_H

#include "app/explore/driver/exploration.h"
#include "base/text.h"

/* Both, and what to do about it. */
void explore_add_conflict(const struct exploration *e, const struct job *job,
                          struct plumb_base_text *out);

/* ,"serial":[[{"thread":...,"op":...},...],[...]] */
void explore_json_conflict(const struct job *job, struct plumb_base_text *out);

#endif
