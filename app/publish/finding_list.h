/* finding_list.h - lists of a finding while it is read: arrays in its arena
 * whose length is known before. */
#ifndef PLUMB_APP_PUBLISH_FINDING_LIST_H
#define PLUMB_APP_PUBLISH_FINDING_LIST_H

#include "finding.h"
#include "json_tree.h"

struct finding_reading {
    struct plumb_base_arena *arena;
    struct finding *f;
    struct plumb_base_text scratch;
    const char **thread; /* room for MOST_THREADS */
    bool broken;         /* memory is used up     */
};

enum { MOST_THREADS = 4096 };

/* Room for `count` elements, all zero; NULL, and broken, if there is none. */
void *finding_room(struct finding_reading *r, size_t count, size_t size);

/* The text of a value: of a string itself, otherwise as JSON has it. */
const char *finding_value(struct finding_reading *r,
                          const struct publish_json *v);
/* What is in r->scratch, which is empty then. */
const char *finding_take(struct finding_reading *r);

/* The number of a thread, by its name. */
uint32_t finding_thread(struct finding_reading *r, const char *name);

/* The operations of a result of `check`, its orders, and why. */
void finding_read_history(struct finding_reading *r,
                          const struct publish_json *check);
/* What went wrong in an execution: more sentences. */
void finding_read_faults(struct finding_reading *r,
                         const struct publish_json *result);
/* The steps of an execution and of a model, and its state graph. */
void finding_read_steps(struct finding_reading *r,
                        const struct publish_json *result);
/* Numbers and names worth knowing. */
void finding_read_facts(struct finding_reading *r,
                        const struct publish_json *result);

#endif
