/* judge.h - the distinct histories of an exploration, each decided once. */
#ifndef JUDGE_H
#define JUDGE_H

#include "scheduler.h"
#include <stdio.h>

struct judge;

/* `spec` as of an object.  NULL after saying why on stderr. */
struct judge *judge_new(const struct plumb_object *object,
                        const struct scenario *scenario, const char *spec);
void judge_free(struct judge *j);

/* Is the history of this execution linearizable? */
bool judge_accepts(struct judge *j, const struct run *run);

size_t judge_distinct(const struct judge *j);

/* The history as native text. */
void judge_print(struct judge *j, const struct run *run, FILE *out);

#endif
