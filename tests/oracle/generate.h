/* generate.h - small histories: all of them, or random ones.
 *
 * A *domain* lists the operations of a specification over two values, and all
 * answers they might give, right or wrong.  A *draft* is a history that is
 * easily changed: a list of events that refer to operations. */
#ifndef GENERATE_H
#define GENERATE_H

#include "oracle_types.h"
#include <plumb/history.h>

/* The texts list calls with their answers: "enq(1|2)=ok() deq()=ok(1|2),none()"
 * stands for enq(1) and enq(2), each answered by ok(), and deq() answered by
 * ok(1), ok(2) or none().  '1' is the string, 1 the integer.
 * Exhaustive histories of 4 operations use `core` alone, of 3 also `more`, of
 * 2 and 1, and random ones, also `rest`. */
struct domain {
    const char *spec;
    const char *core, *more, *rest;
    unsigned wrong; /* percent of random histories that are changed, so that
                       30 to 70 percent of all are linearizable */
};

extern const struct domain domains[];
extern const unsigned domain_count;

#define MAX_CALLS     48
#define MAX_INSTANCES 96
#define TIERS         3 /* core, more, rest */

/* A call as it is written in a history. */
struct call {
    char name[16];
    struct oracle_call what;
};

/* A completed operation: a call and an answer. */
struct instance {
    unsigned call;
    struct oracle_answer answer;
};

struct alphabet {
    const struct domain *domain;
    struct oracle_spec spec;
    unsigned calls, instances;
    unsigned tier_calls[TIERS], tier_instances[TIERS]; /* the first so many */
    struct call call[MAX_CALLS];
    struct instance instance[MAX_INSTANCES];
};

void alphabet_init(struct alphabet *a, const struct domain *domain);

/* The instance with this call and answer; a->instances if there is none. */
unsigned alphabet_find(const struct alphabet *a, unsigned call,
                       const struct oracle_answer *answer);

struct draft_op {
    unsigned call; /* of the alphabet */
    unsigned thread, object;
    enum plumb_outcome outcome;
    struct oracle_answer answer; /* if it is OK */
};

struct draft_event {
    uint8_t op;
    bool is_return;
};

struct draft {
    unsigned count, events;
    struct draft_op op[ORACLE_OPS];
    struct draft_event event[2 * ORACLE_OPS];
};

/* The history of a draft, to be released by the caller. */
void draft_build(const struct alphabet *a, const struct draft *d,
                 struct plumb_builder *b, struct plumb_history *h);

/* ---- all histories of `ops` operations on at most three threads ----
 *
 * A *shape* is a sequence of calls and returns; operations that have not
 * returned at its end are pending.  Threads that are free are alike, so the
 * first free one calls: this removes renamings of threads and nothing else
 * that linearizability could see.  Histories are numbered: those of a shape by
 * their instances as digits. */
#define MAX_SHAPES 400

struct shape {
    unsigned events;
    struct draft_event event[8];
    bool returns[4];
    uint64_t first; /* number of its first history */
};

struct exhaustive {
    const struct alphabet *alphabet;
    unsigned ops, calls, instances, shapes;
    struct shape shape[MAX_SHAPES];
    uint64_t count;
};

void exhaustive_init(struct exhaustive *e, const struct alphabet *a,
                     unsigned ops);
void exhaustive_draft(const struct exhaustive *e, uint64_t number,
                      struct draft *d);

/* ---- a random history of up to 12 operations on up to 4 threads ---- */
void random_draft(const struct alphabet *a, uint64_t seed, struct draft *d);

/* The same of up to `most` operations, 4 .. ORACLE_OPS. */
void random_draft_of(const struct alphabet *a, uint64_t seed, unsigned most,
                     struct draft *d);

#endif
