/* explore_settings.h - what `plumb explore` was asked to do. */
#ifndef PLUMB_APP_EXPLORE_DRIVER_EXPLORE_SETTINGS_H
#define PLUMB_APP_EXPLORE_DRIVER_EXPLORE_SETTINGS_H

#include "app/console/exit_status.h"
#include "app/objects/plugin.h"
#include "app/objects/quasi.h"
#include "app/publish/publication.h"
#include "runtime/explore/job/job.h"
#include "runtime/explore/memory/heap.h"

enum {
    DEFAULT_SAMPLES = 20,
    MORE_SAMPLES = 480, /* as long as there were few executions */
    FEW_EXECUTIONS = 200000,
    MOST_SAMPLES = 10000,
    DEFAULT_EXECUTIONS = 100000 /* of strategies that never end */
};

enum explore_algorithm {
    EXPLORE_DEFAULT,
    EXPLORE_ROUND_UP /* sequential histories and quasi permutations */
};

/* Section VI-C of Round-Up: what is alike is looked at again, a bit each. */
enum explore_duplicates {
    DUPLICATE_SERIAL = 1,
    DUPLICATE_HISTORIES = 2,
    DUPLICATE_PERMUTATIONS = 4
};

struct explore_settings {
    const char *object; /* as it was given                             */
    const char *spec;   /* --spec, or NULL: the object's own           */
    struct objects_quasi quasi;
    enum explore_algorithm algorithm;
    const char *golden;       /* --golden: "OBJECT FLAG..."; or NULL   */
    unsigned permute;         /* --permute all: 1                      */
    const char *rank_errors;  /* --rank-errors, or NULL                */
    unsigned duplicates;      /* enum explore_duplicates               */
    const char *observations; /* of the serial phase: a file; or NULL  */
    const char *write_spec;   /* a file for what was observed; or NULL */
    /* --test, --init, --final; or NULL.  Without a test, samples. */
    const char *test, *init, *final;
    unsigned threads, ops;
    bool own_ops;          /* --ops was given                             */
    bool automatic;        /* --auto                                      */
    const char *sequences; /* --sequence, or NULL                         */
    const char *nondet;    /* --nondet, or NULL                           */
    const char *async;     /* --async, or NULL                            */
    const char *names;     /* --names, or NULL                            */
    unsigned samples;      /* 0: as many as are worth it */
    uint64_t seed;
    enum plumb_strategy strategy;
    bool bounded, rises; /* the second: more preemptions while it is cheap */
    unsigned preemptions;
    uint64_t executions; /* 0: no limit                                  */
    unsigned changes, steps;
    enum plumb_strategies_back back;
    enum job_races races;
    enum memory_heap_reuse reuse;
    unsigned random;
    bool no_fairness, no_pruning, keep_going, require_complete, no_minimise;
    bool leaks;
    unsigned also; /* --also serializability: 1                   */
    unsigned jobs;
    const char *levels; /* --opt: "0,2"; or NULL                       */
    uint64_t timeout;   /* milliseconds; 0 is none                     */
    size_t memory;      /* bytes; 0 is none                            */
    bool json, quiet, verbose, color;
    const char *const *extra; /* what stood behind `--`                      */
    size_t nextra;
    const char *const *args; /* ... and behind --args, for a main()         */
    size_t nargs;
    struct publish_settings publish;
    struct publication *publication; /* NULL: nothing is published          */
};

#endif
