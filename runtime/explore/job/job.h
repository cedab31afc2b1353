/* job.h - what plumb and the process that runs a target tell each other.
 *
 * A target is explored in a process of its own (host/main.c), because it may do
 * anything to it.  The two share this memory: plumb writes the request, the
 * host writes the rest.  It holds no pointers, and outlives the host: when a
 * target takes the host down with it, `now` still has the schedule that did.
 *
 * What the host writes is not to be trusted more than the target is: counts and
 * indexes are checked by whoever reads them. */
#ifndef PLUMB_RUNTIME_EXPLORE_JOB_JOB_H
#define PLUMB_RUNTIME_EXPLORE_JOB_JOB_H

#include "infer/serial_store.h"
#include "record/log.h"
#include "runtime/explore/scheduler/scheduler.h"
#include "strategies/explore.h"
#include "trace.h"
#include <limits.h>
#include <stdatomic.h>

enum {
    JOB_VERSION = 1,
    JOB_OPERATIONS = 64, /* of a scenario, with init and final  */
    JOB_PROCESSES = 16,
    /* ... and asynchronous operations, in histories: as many as letters */
    JOB_OWN_PROCESSES = 26,
    JOB_FINDINGS = 32, /* that are kept; `more_findings`: there were more */
    JOB_TEXT = 4096,
    JOB_STEPS = 1 << 22,  /* of all schedules that are kept      */
    JOB_TRACE = 1 << 18,  /* records of the trace                */
    JOB_OUTPUT = 1 << 16, /* what the target printed             */
    JOB_PLACES = 1 << 12, /* for coverage                        */
    JOB_WEAK_ORDERS = 1 << 10,
    JOB_POINTS = 512,     /* plain accesses that are events      */
    JOB_KEPT = 1 << 26,   /* words of histories that are kept    */
    JOB_ARGUMENTS = 1000, /* of main()                           */
    JOB_ARGUMENT_BYTES = 1 << 16
};

enum job_mode {
    JOB_DESCRIBE, /* load the target and say what it is          */
    JOB_EXPLORE,
    JOB_REPLAY /* run request.schedule, recording a trace     */
};

/* Where the specification of a test comes from. */
enum job_spec {
    JOB_SPEC_GIVEN,    /* request.spec or request.plugin                 */
    JOB_SPEC_INFERRED, /* phase 1 of Line-Up fills in job->serial        */
    JOB_SPEC_OBSERVED  /* plumb has filled it in                         */
};

/* Which histories a job keeps, for who decides them itself. */
enum job_keeps {
    JOB_KEEPS_NONE,
    JOB_KEEPS_HISTORIES, /* each once               */
    JOB_KEEPS_EXECUTIONS /* one for every execution */
};

/* In job->kept, one after the other: so many words for each operation of the
 * scenario, then its schedule, a step in half a word. */
struct job_kept {
    uint32_t length, points, preemptions, executions; /* as in job_finding */
};
struct job_kept_operation {
    uint32_t answer;    /* in job->serial, where there is no serial phase */
    uint32_t before[2]; /* bit k: operation k had returned when it was called */
};

enum job_races { JOB_RACES_REPORT, JOB_RACES_INTERLEAVE, JOB_RACES_IGNORE };

/* Where the call of an operation is: with its first event, so that operations
 * overlap no more than they have to; or an event of its own, as the reduction
 * of dpor needs it.  The same for its return and its last event. */
enum job_calls { JOB_CALLS_MERGED, JOB_CALLS_SPLIT };

struct job_request {
    uint32_t version;
    enum job_mode mode;
    char target[PATH_MAX]; /* a shared object                             */
    char given[PATH_MAX];  /* what the user calls it                      */
    char spec[JOB_TEXT];   /* of built-in specs, "queue:cap=4"; or ""     */
    char plugin[PATH_MAX]; /* a shared object with a specification; or "" */
    enum job_spec spec_from;
    /* "count=0,try_take=fail": answers that are right anywhere; or "". */
    char nondet[JOB_TEXT];
    char async[JOB_TEXT]; /* "close,cancel": asynchronous operations; or "" */
    /* "enq(1) deq() | deq()": of an object.  "" for init and final: none. */
    char init[JOB_TEXT], test[JOB_TEXT], final[JOB_TEXT];
    bool program;       /* it has a main() and is run whole            */
    uint32_t arguments; /* of main(): so many, each ending with a 0    */
    char argument[JOB_ARGUMENT_BYTES];

    enum plumb_strategy strategy;
    enum job_calls calls;
    bool bounded;
    uint32_t preemptions, changes;
    uint64_t seed, executions; /* 0 executions: no limit                  */
    uint32_t steps;            /* of an execution; 0: a limit of the host */
    uint64_t deadline;         /* CLOCK_MONOTONIC, nanoseconds; 0: none   */
    uint64_t memory;           /* bytes of a process; 0: no limit         */
    uint32_t workers;          /* processes that share it; 0 is 1         */
    enum job_races races;
    uint32_t reuse;   /* enum heap_reuse                         */
    uint32_t random;  /* rand() is one of so many numbers        */
    bool fair, prune; /* of loops that wait                      */
    enum plumb_strategies_back back;
    bool keep_going; /* after the first violation               */
    bool leaks;      /* a block that is lost is a violation     */
    bool cycles;     /* of conflicts are counted                */
    enum job_keeps keeps;
    /* Offsets of plain accesses that are events from the first execution on.
     * The host adds those that it finds to race. */
    uint32_t points, point[JOB_POINTS];
    uint32_t schedule; /* REPLAY: its length, in step[0], ...     */
    uint32_t cycle;    /* ... of which the last so many repeat; 0 */
    uint64_t race[2];  /* REPLAY: offsets of the two accesses whose race is
                          to be shown; 0: it has no name, or any     */
};

struct job_step {
    uint8_t thread, option;
};

/* Of a step: what became of the thread of the step before. */
enum job_switch {
    JOB_SWITCH_UNKNOWN,
    JOB_SWITCH_NONE,  /* it goes on                              */
    JOB_SWITCH_FREE,  /* it has ended, or waits, or gives way    */
    JOB_SWITCH_SPINS, /* ... by going round until something changes */
    JOB_SWITCH_PREEMPTS
};

struct job_finding {
    struct scheduler_finding what; /* pc and at as in the process that ended  */
    uint64_t offset;               /* image_offset(what.pc), if in the target */
    uint64_t other;                /* race: offset of the other access        */
    unsigned other_thread;
    uint64_t kind; /* HISTORY: in which way it is wrong; else 0 */
    uint32_t preemptions;
    uint32_t points;        /* of the request: so many were events   */
    uint32_t first, length; /* its schedule: step[first], ...          */
    uint32_t cycle;         /* LIVELOCK: the last so many steps repeat */
    uint64_t executions;    /* so many had been run                    */
    /* The history: an entry per operation of the scenario.  call == 0: it was
     * not called; ret == 0: it has not returned. */
    struct plumb_record_entry entry[JOB_OPERATIONS];
};

/* What the target is, and which scenario was run. */
struct job_description {
    bool object; /* a PLUMB_OBJECT, else a program */
    char name[64];
    /* As it says; or "". */
    char spec[256], init[JOB_TEXT], final[JOB_TEXT], sequences[JOB_TEXT];
    unsigned threads; /* at most, in a test; 0: not said */
    unsigned operations;
    struct {
        char name[32];
        unsigned arity, weight;
        enum plumb_caller by;
        struct plumb_domain args[PLUMB_MAX_ARGUMENTS]; /* words is NULL */
        char words[PLUMB_MAX_ARGUMENTS][1024];
    } operation[PLUMB_MAX_OPERATIONS];
    /* Operation k of the scenario is of process[k], 0 ... ; those of init come
     * first, then the processes in order, then those of final. */
    unsigned scenario, init_count, final_count, processes;
    uint8_t process[JOB_OPERATIONS];
    /* The same in histories: asynchronous operations are processes of their
     * own, behind the others. */
    unsigned own_processes;
    uint8_t own[JOB_OPERATIONS];
    /* 1: thread 0 waits for the processes, which are threads 1, 2, ...; 0: they
     * are threads 0, 1, ... */
    unsigned leader;
    char build_id[64];
    char unseen[256]; /* "qsort snprintf ": they write, and are not seen */
    bool chance;      /* it calls rand(), or something like it            */
};

/* Where things are in the host, for naming the addresses of a trace.  Its first
 * `prepared` records are of what came before the execution: allocations, and
 * accesses that tell what they are. */
struct job_memory {
    uint32_t prepared;
    uint64_t base; /* offsets in the target are addresses minus this */
    struct {
        uint64_t at, size;
    } stack[PLUMB_MAX_THREADS], locals[PLUMB_MAX_THREADS];
    /* Where each thread stands at the end of a trace, and before what. */
    struct job_thread_end {
        uint64_t at, pc;
        enum plumb_strategies_standing standing;
        enum plumb_strategies_event_kind kind;
    } end[PLUMB_MAX_THREADS];
    unsigned threads;
};

enum job_end {
    JOB_RUNNING, /* or it died: what waitpid() says is the reason      */
    JOB_DONE,    /* see `exhausted`                                    */
    JOB_TIME,
    JOB_MEMORY,
    JOB_STOPPED,  /* by `stop`                                          */
    JOB_DIVERGED, /* replay: step `now` could not be done               */
    JOB_ERROR     /* `message` says it: the request, the target, a bug  */
};

/* Counted while it runs: a progress line may read it at any time. */
struct job_progress {
    _Atomic uint64_t executions, states, steps, findings;
    _Atomic uint64_t others; /* executions of the workers; not all may count */
    _Atomic uint32_t depth;
};

/* For telling how good a pass is. */
struct job_coverage {
    uint64_t overlaps[PLUMB_MAX_OPERATIONS][PLUMB_MAX_OPERATIONS];
    uint64_t returned[PLUMB_MAX_OPERATIONS]; /* executions in which it did */
    uint64_t failed_swaps, preempted;
    uint64_t interruptible; /* executions in which a thread stood in the midst
                               of its operation */
    uint64_t instrumented;  /* hooks that were called                      */
    uint32_t places;        /* events: offsets in the code, and whether any
                              ran while another operation was open        */
    struct {
        uint64_t offset;
        bool concurrent;
    } place[JOB_PLACES];
};

/* Executions that are not conflict-serializable, for who asked. */
struct job_cycles {
    uint64_t executions, cyclic; /* that were looked at, and are not */
    /* By operations of the object: an access of the first came before one of
     * the second, on a cycle; so many times, and where in the code. */
    struct job_conflict {
        uint64_t count, place[2];
    } conflict[PLUMB_MAX_OPERATIONS][PLUMB_MAX_OPERATIONS];
};

struct job {
    struct job_request request;
    _Atomic int stop;     /* plumb asks for the end */
    _Atomic bool judging; /* the specification runs, not the target */

    struct job_progress progress;
    enum job_end end;
    char message[512];
    struct job_description target;
    struct plumb_strategies_explore_stats stats;
    uint64_t nanoseconds; /* of the processor, for all executions          */
    uint64_t histories;   /* distinct ones that were decided               */
    /* Numbers for the set of them, and for the set of what was answered in
     * them: to be compared with those of another strategy. */
    uint64_t history_set[2], answer_set[2];
    uint64_t stuck;   /* executions in which operations wait for ever, as
                           the specification says they have to           */
    uint64_t unknown; /* executions that nobody can judge: the specification
                           does not know enough (plumb_reply_unknown)    */
    uint64_t leaking; /* executions that did not free all              */
    uint64_t failed;  /* ... of a program, that exited with no 0       */
    uint64_t assumed; /* ... in which an assumption does not hold      */
    bool exhausted;
    char unfollowed[256]; /* inline assembly that ran: "queue.c:12: rdrand" */
    bool too_many_points; /* some races were not run both ways           */
    struct job_coverage coverage;
    /* Accesses that ask for less than sequential consistency: offsets in the
     * code, in any order, and 0 where there is none. */
    _Atomic uint32_t weak_order[JOB_WEAK_ORDERS];
    struct job_cycles cycles;
    struct plumb_infer_store serial;
    uint32_t findings;
    bool more_findings; /* there was no room for all of them              */
    struct job_finding finding[JOB_FINDINGS];

    struct { /* the execution that runs */
        _Atomic uint32_t length;
        struct job_step step[JOB_STEPS];
    } now;

    struct job_memory memory;
    uint32_t steps; /* used of step[] */
    struct job_step step[JOB_STEPS];
    /* enum job_switch, per step.  Of a finding, and of a request to REPLAY:
     * SPINS, where a strategy knows that and a machine does not; else UNKNOWN. */
    uint8_t switched[JOB_STEPS];
    struct job_trace trace; /* .record is meaningless outside the host */
    struct job_trace_record record[JOB_TRACE];
    uint32_t keeps, kept_words; /* so many histories; words of them     */
    bool more_kept;             /* there was no room for all of them    */
    uint32_t kept[JOB_KEPT];
    uint32_t output, output_before; /* the second: before any execution */
    char printed[JOB_OUTPUT];
};

#endif
