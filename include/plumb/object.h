/* object.h - how an object under test describes itself.
 *
 * One file says how to make the object, what its operations are and where
 * their arguments come from; `plumb simulate` runs it with real threads.  A
 * whole one, for a queue of somebody's:
 *
 *     #include "my_queue.h"
 *     #include <plumb/object.h>
 *
 *     static struct my_queue *q;
 *     static void setup(void) { q = my_queue_new(); }
 *     static void teardown(void) { my_queue_free(q); }
 *
 *     static void enq(plumb_invocation *i) { my_queue_put(q, plumb_arg(i, 0)); }
 *     static void deq(plumb_invocation *i)
 *     {
 *         long x;
 *         if (my_queue_get(q, &x))
 *             plumb_return(i, x);
 *         else
 *             plumb_term(i, "empty");
 *     }
 *     PLUMB_OBJECT(.name = "Q", .spec = "queue",
 *                  .setup = setup, .teardown = teardown,
 *                  .operations = { { "enq", enq, { PLUMB_FRESH } },
 *                                  { "deq", deq } });
 *
 * docs/testing-an-object.md teaches it.  C and C++; in C++ the members must be
 * named in the order in which they are declared here. */
#ifndef PLUMB_OBJECT_H
#define PLUMB_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PLUMB_MAX_ARGUMENTS = 4, PLUMB_MAX_OPERATIONS = 16 };

/* ---- in an operation ----
 *
 * An operation gets its arguments and gives its answer through the invocation.
 * It answers ok() unless it says otherwise.  It may block for ever. */

typedef struct plumb_invocation plumb_invocation;

int64_t plumb_arg(const plumb_invocation *i, unsigned n);
const char *plumb_arg_text(const plumb_invocation *i, unsigned n);

/* One more result, up to a hundred; in recordings that `plumb simulate` keeps
 * (--seconds), up to eight. */
void plumb_return(plumb_invocation *i, int64_t result);
void plumb_return_bool(plumb_invocation *i, bool result);
void plumb_return_text(plumb_invocation *i, const char *result); /* copied */

/* Another term than ok: `empty`, `full`, `none`.  Copied, at most 23 bytes. */
void plumb_term(plumb_invocation *i, const char *term);

/* It can never return, as things are: how a sequential object that serves as a
 * specification says that the operation waits.  A concurrent one just waits. */
void plumb_block(plumb_invocation *i);

/* The process that runs it, 0, 1, ...: for objects that want to know. */
unsigned plumb_process(const plumb_invocation *i);

/* ---- anywhere in the object ---- */

/* Count an attempt that has to be repeated, or a lock that was found taken:
 * they appear in the statistics. */
void plumb_retry(void);
void plumb_contend(void);

/* One of 0 .. n - 1, by chance. */
unsigned plumb_choose(unsigned n);

/* Executions in which it does not hold are of no interest: the thread goes no
 * further.  `plumb explore` counts them apart, and calls none a deadlock. */
void plumb_assume(bool condition);

/* ---- the object ---- */

enum plumb_domain_kind {
    PLUMB_DOMAIN_NONE, /* no argument */
    PLUMB_DOMAIN_FRESH,
    PLUMB_DOMAIN_FRESH_TEXT,
    PLUMB_DOMAIN_RANGE,
    PLUMB_DOMAIN_ONE_OF
};

/* Where the values of an argument come from. */
struct plumb_domain {
    enum plumb_domain_kind kind;
    int64_t low, high;
    const char *words;
};

#ifdef __cplusplus
#define PLUMB_DOMAIN_NO_WORDS nullptr
#else
#define PLUMB_DOMAIN_NO_WORDS ((void *)0)
#endif

/* A number, or a text, that no other call of the history has. */
#define PLUMB_FRESH                                                            \
    {                                                                          \
        PLUMB_DOMAIN_FRESH, 0, 0, PLUMB_DOMAIN_NO_WORDS                        \
    }
#define PLUMB_FRESH_TEXT                                                       \
    {                                                                          \
        PLUMB_DOMAIN_FRESH_TEXT, 0, 0, PLUMB_DOMAIN_NO_WORDS                   \
    }
/* A number from low to high, both included. */
#define PLUMB_RANGE(low, high)                                                 \
    {                                                                          \
        PLUMB_DOMAIN_RANGE, low, high, PLUMB_DOMAIN_NO_WORDS                   \
    }
/* One of the words of a text: "1 2 3" are numbers, "red green" are texts. */
#define PLUMB_ONE_OF(words)                                                    \
    {                                                                          \
        PLUMB_DOMAIN_ONE_OF, 0, 0, words                                       \
    }

/* Which processes may invoke an operation: a queue may have one consumer, who is
 * the first process, and one producer, the second. */
enum plumb_caller {
    PLUMB_BY_ANY,
    PLUMB_BY_FIRST,
    PLUMB_BY_OTHERS,
    PLUMB_BY_SECOND
};

struct plumb_operation {
    const char *name;
    void (*run)(plumb_invocation *i);
    struct plumb_domain args[PLUMB_MAX_ARGUMENTS]; /* up to the first NONE */
    enum plumb_caller by;
    unsigned weight; /* how often it is chosen, relative to others; 0 is 1 */
};

struct plumb_object {
    unsigned version; /* PLUMB_OBJECT() fills it in */
    const char *name; /* in histories; NULL is the file's name */
    /* What it should be, "queue:cap=4" or a file as after --spec; or NULL. */
    const char *spec;
    void (*setup)(void);    /* before every history; NULL if nothing to do */
    void (*teardown)(void); /* after it, unless the history got stuck      */
    /* One more than there may be, so that too many are noticed. */
    struct plumb_operation operations[PLUMB_MAX_OPERATIONS + 1];
    /* Operations before and after those of the processes, "enq(1) enq(2)"; or
     * NULL.  They belong to the history. */
    const char *init, *final;
    /* Operations that one thread invokes in a row, "enq(1) deq(); deq() deq()":
     * what `plumb explore --spec infer` generates has such sequences, each as
     * one operation, too; or NULL. */
    const char *sequences;
    /* Tests of `plumb explore` have no more threads than this, unless a test is
     * given; 0: as many as are asked for. */
    unsigned threads;
};

#define PLUMB_OBJECT_VERSION 3 /* 1 has no sequences, 2 no threads */
#define PLUMB_OBJECT_SYMBOL  "plumb_object_v1"

extern const struct plumb_object plumb_object_v1;

/* Members that are left out are zero, as meant. */
#define PLUMB_OBJECT(...)                                                      \
    _Pragma("GCC diagnostic push")                                             \
        _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"")     \
            const struct plumb_object plumb_object_v1 = {                      \
                .version = PLUMB_OBJECT_VERSION, __VA_ARGS__                   \
            };                                                                 \
    _Pragma("GCC diagnostic pop") struct                                       \
        plumb_object /* lets a semicolon follow */

#ifdef __cplusplus
}
#endif
#endif
