/* trace.h - everything that happened in one execution, for telling it.
 *
 * Written only while an execution is replayed to be reported: exploring leaves
 * it off.  One record per event, plain access, call, allocation. */
#ifndef PLUMB_RUNTIME_EXPLORE_JOB_TRACE_H
#define PLUMB_RUNTIME_EXPLORE_JOB_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum job_trace_kind {
    TRACE_READ,  /* plain                                                */
    TRACE_WRITE, /* plain; `expected` is what was there at the end of the
                     trace, if it `lasts`                                 */
    TRACE_LOAD,  /* atomic or volatile; `name` if it is a function's     */
    TRACE_STORE,
    TRACE_MODIFY, /* exchange, fetch_add, ...                             */
    TRACE_CAS,    /* `expected` and `after`; success iff before ==
                     expected                                             */
    TRACE_FENCE,
    TRACE_SYNC,   /* `name` tells which: "pthread_mutex_lock"; `after` is
                     what it answered, and `answer` what that means       */
    TRACE_CHOICE, /* `before` options, `after` was taken                  */
    TRACE_YIELD,
    TRACE_SPAWN, /* thread `after`                                       */
    TRACE_JOIN,
    TRACE_END,  /* of the thread                                        */
    TRACE_CALL, /* operation `after` of the scenario                    */
    TRACE_RETURN,
    TRACE_ENTER, /* a function: `at` is in its code, pc where it was
                     called; `before` and `after` are the pointers to
                     its stack and its frame there; 0: not known         */
    TRACE_LEAVE,
    TRACE_ALLOCATE, /* `at`, `size`; block number `after` of the execution;
                       `before`: an array of elements of so many bytes, or 0 */
    TRACE_FREE,
    TRACE_OUTPUT /* the target printed something                         */
};

/* What `after` of a TRACE_SYNC means. */
enum job_trace_answer {
    ANSWER_ERROR, /* as in errno, or 0                                   */
    ANSWER_WOKEN, /* so many threads were woken                          */
    ANSWER_CHOSEN /* not 0: of all threads, this one is to do something  */
};

__extension__ typedef unsigned __int128 job_trace_value;

struct job_trace_record {
    uint64_t at, pc; /* pc: where the target called it, if it is not its own */
    job_trace_value before, after, expected; /* their first 16 bytes */
    char name[24]; /* LOAD, SYNC, CHOICE: the function, cut */
    uint32_t step; /* of the schedule, from 0            */
    uint32_t size;
    uint8_t thread, kind, order; /* order: memory_order_... */
    uint8_t answer;              /* SYNC: enum job_trace_answer       */
    /* not bool: a target may have damaged them, and then a bool is undefined */
    uint8_t known; /* before, after are             */
    uint8_t lasts; /* WRITE, STORE: see there       */
};

/* A TRACE_CAS whose values are known: has it exchanged them? */
static inline bool job_trace_exchanged(const struct job_trace_record *r)
{
    return r->before == r->expected;
}

/* NULL: nothing is recorded. */
struct job_trace {
    struct job_trace_record *record;
    uint32_t count, capacity; /* further ones are counted, not kept */
};
extern struct job_trace *target_trace;

/* A breakpoint for debuggers: a thread that was told to go on is about to do
 * what it stood before; `pc` is in the target, or NULL. */
void target_trace_goes_on(uint32_t step, const void *pc);

/* Append a record of which there is nothing to tell but a number: `after`. */
void target_trace_number(enum job_trace_kind kind, const void *pc,
                         uint64_t number);

/* Append a record for the thread that runs, or NULL if nothing is recorded; the
 * caller fills in what it knows. */
struct job_trace_record *target_trace_add(enum job_trace_kind kind,
                                          const void *pc,
                                          const volatile void *at,
                                          uint32_t size);

/* The thread that runs enters a function of the target, where its stack ends
 * there; and leaves it. */
void target_trace_enters(uintptr_t stack);
void target_trace_leaves(void);

/* The first bytes at `at`, up to 16.  False if there is no such memory. */
bool target_trace_peek(const void *at, size_t size, job_trace_value *value);

/* What was just allocated is an array of elements of so many bytes. */
void target_trace_elements(size_t size);

#endif
