/* finding.h - one result of a command, as everything that is written of it
 * needs it.
 *
 * Between the line of JSON (docs/json-output.md), of any command, and the
 * writers: HTML, SVG, JUnit, SARIF, annotations.  Texts are NUL-terminated,
 * "" where nothing is known, and may hold anything that a user can name: each
 * writer escapes them. */
#ifndef PLUMB_APP_PUBLISH_FINDING_H
#define PLUMB_APP_PUBLISH_FINDING_H

#include "base/arena.h"
#include "report/json.h"
#include <plumb/error.h>

#define FINDING_NONE    UINT32_MAX
#define FINDING_NO_TIME UINT64_MAX

/* A place in a file: as it is called, and from the root; line 0: not known. */
struct finding_place {
    const char *name, *absolute, *function;
    unsigned line;
};

/* An operation of a history. */
struct finding_operation {
    const char *letter;         /* in the core; "" outside */
    const char *name;           /* "enq(1)"                */
    const char *answer;         /* "ok", "2", "empty"; "" if it has none */
    const char *key;            /* its object              */
    uint32_t thread, call, ret; /* ret: FINDING_NONE if it is pending */
    uint64_t from, to;          /* times, or FINDING_NO_TIME */
    uint32_t index;             /* in the history */
    unsigned line;              /* of its call, in the file */
    bool failed, forgotten;
};

/* One step of an order; `operation` of finding->operation. */
struct finding_order {
    uint32_t operation;
    const char *state; /* after it */
};

/* Where an order is stuck. */
struct finding_refusal {
    uint32_t operation;
    const char *returned, *allowed; /* allowed "": nothing */
};

enum finding_step_kind {
    FINDING_EVENT,
    FINDING_CALL,
    FINDING_ANSWER,
    FINDING_SWITCH,
    FINDING_FOLD,
    FINDING_FAULT
};

struct finding_assignment {
    const char *name, *value;
    bool same; /* it had that value */
};

/* A step of an execution or of a model. */
struct finding_step {
    enum finding_step_kind kind;
    uint32_t number, thread; /* or FINDING_NONE */
    unsigned depth;
    const char *text;
    struct finding_place place;
    const char *const *caller;
    size_t callers;
    const struct finding_assignment *assignment;
    size_t assignments;
    bool hidden;
};

/* Something worth knowing, "schedules" "1125". */
struct finding_fact {
    const char *name, *value;
};

struct finding_edge {
    uint32_t from, to;
    const char *event;
    bool hidden;
};

/* A line that ran. */
struct finding_covered {
    struct finding_place place;
    bool concurrent; /* while another operation was open */
};

struct finding {
    const char *command, *subject, *verdict, *spec;
    const char *given;         /* what was given to the command        */
    struct finding_place file; /* ... if that is a file; else no name  */
    enum plumb_report_outcome outcome;
    const char *title;  /* of a test case: the assertion or the subject */
    const char *reason; /* of undecided and error                       */
    const char *test;   /* that was run                                 */
    const char *replay; /* the command that shows it again              */
    bool scheduled;     /* ... by a schedule                            */
    const char *const *sentence; /* why, in words                       */
    size_t sentences;
    const struct finding_fact *fact;
    size_t facts;
    const char *const *thread; /* their names */
    size_t threads;
    const struct finding_operation *operation; /* in the order of calls */
    size_t operations;
    uint64_t operations_in_all;
    const char *initial; /* state before the order */
    const struct finding_order *order;
    size_t orders;
    const struct finding_refusal *refusal;
    size_t refusals;
    const struct finding_step *step;
    size_t steps;
    uint32_t cycle; /* the step where one begins, or FINDING_NONE */
    const struct finding_assignment *first; /* variables before the steps */
    size_t firsts;
    const struct finding_covered *covered;
    size_t covereds;
    const char *const *state; /* of the state graph */
    size_t states;
    const struct finding_edge *edge;
    size_t edges;
};

/* Read a line.  All of it lives in `arena`. */
enum plumb_status finding_read(const char *line, size_t size,
                               struct plumb_base_arena *arena,
                               struct finding *f, struct plumb_error *err);

/* The best place to point at: of the last step with one, else the line of the
 * operation that is refused, else the file.  NULL if there is none. */
const struct finding_place *finding_where(const struct finding *f,
                                          struct finding_place *room);

/* One line for people: "q.hist: not linearizable: a returned before ...". */
void finding_summary(const struct finding *f, struct plumb_base_text *out);

/* Everything about it in plain words, a line each; perhaps with its steps. */
void finding_describe(const struct finding *f, bool steps,
                      struct plumb_base_text *out);

#endif
