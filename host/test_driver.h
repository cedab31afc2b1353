/* test_driver.h - what the threads of a target do: a scenario, or its main().
 *
 * Of a scenario, the history is followed while it happens, through the live
 * configurations of its specification (check/search/live_configurations.h). */
#ifndef PLUMB_HOST_TEST_DRIVER_H
#define PLUMB_HOST_TEST_DRIVER_H

#include "check/search/live_configurations.h"
#include "runtime/explore/job/job.h"
#include "runtime/explore/scheduler/machine_adapter.h"
#include <plumb/object.h>

enum { PLAY_ANSWERS = 8 };

struct host_driver_answer {
    struct plumb_value result;
    char term[PLUMB_ENTRY_TERM];
    uint32_t results, number; /* of the configurations, plus 1; 0: not known */
    uint64_t hash;            /* of what the entry says */
};

struct host_driver_operation {
    const struct plumb_operation *what;
    unsigned process;
    /* Its effect may come after its return.  For histories it is pending, in a
     * process of its own; in serial executions, a thread of its own. */
    bool async;
    unsigned own;                   /* process in histories */
    struct plumb_record_entry call; /* operation and arguments alone */
    uint32_t number;                /* of the configurations        */
    struct host_driver_answer answer[PLAY_ANSWERS];
};

struct host_driver {
    struct job *job;
    const struct plumb_object *object; /* NULL: a program                */
    const struct plumb_spec *spec;     /* NULL: histories are not judged */
    struct plumb_check_configurations *configurations;
    struct scheduler_adapter_play adapter;
    struct scheduler_adapter_role role[JOB_PROCESSES + 1];

    /* Of init, then of the processes in order, then of final. */
    struct host_driver_operation operation[JOB_OPERATIONS];
    unsigned operations, init, final, processes, own_processes;
    unsigned first[JOB_PROCESSES + 1]; /* of a process, and one behind  */
    /* Where it ends; if any does so early, it stands there for ever. */
    unsigned end[JOB_PROCESSES];
    bool shortened;
    /* In serial executions: by operation of the object, an answer that it may
     * give without doing anything. */
    struct plumb_record_entry *anywhere[PLUMB_MAX_OPERATIONS];
    bool serial;                              /* this is one */
    unsigned spawned[JOB_OPERATIONS], spawns; /* ... threads of async ones */
    bool leader; /* thread 0 is there before and after the processes     */
    bool often;  /* setup and init are part of every execution           */

    /* Of the execution. */
    struct plumb_record_entry entry[JOB_OPERATIONS];
    uint64_t clock, clock_before;
    /* Bit k: operation k has returned; ... when this one was called. */
    uint64_t returned, returned_before, before[JOB_OPERATIONS];
    const struct host_driver_answer
        *known[JOB_OPERATIONS]; /* its answer, or NULL */
    plumb_check_configuration_set live, live_before;
    uint64_t kind;    /* in which way the history is wrong (wrong_answer.h) */
    bool flawed;      /* job->message says why no history can be told */
    bool undecidable; /* the configurations failed: see their error */
};

/* Read the request, prepare the world.  False after writing job->message. */
bool host_driver_open(struct host_driver *p, struct job *job,
                      struct plumb_budget *budget);
void host_driver_close(struct host_driver *p);

/* From here on histories are judged by this, and threads are scheduled as the
 * request says.  False after writing job->message. */
bool host_driver_judge_by(struct host_driver *p, const struct plumb_spec *spec,
                          struct plumb_budget *budget);

/* From here on process i does only its operations before end[i]. */
void host_driver_shorten(struct host_driver *p,
                         const unsigned end[JOB_PROCESSES]);

/* Of the execution there is nothing yet. */
void host_driver_forget(struct host_driver *p);

/* A number for what the history is up to real-time order: what was answered,
 * and which operations had returned when each was called. */
uint64_t host_driver_history_hash(const struct host_driver *p);

/* The same for the answers alone. */
uint64_t host_driver_answers_hash(const struct host_driver *p);

bool host_driver_has_open_operation(const struct host_driver *p);

/* Some operations wait for ever: may they?  False, too, after an error, which
 * is in job->message. */
bool host_driver_is_justified(struct host_driver *p,
                              struct plumb_budget *budget);

#endif
