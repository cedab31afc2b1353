/* history.h - what happened: operations as intervals.
 *
 * A history is a finite sequence of events.  Each event is the call of an
 * operation or a response to it, and its *rank* is its place in the sequence,
 * 0, 1, 2, ...  An operation precedes another iff its response has a smaller
 * rank than the other's call; otherwise the two overlap.
 *
 * A finished history is immutable and may be read by many threads.  op[] is
 * sorted by call rank, so a decider can scan forward from the first operation
 * it has not placed and stop at the first call later than the earliest return.
 *
 *     event rank   0     1     2     3     4     5
 *     P1           [-- enq(1) --]           [deq()=1]
 *     P2                 [- deq()=empty -]              */
#ifndef PLUMB_HISTORY_H
#define PLUMB_HISTORY_H

#include <plumb/budget.h>
#include <plumb/error.h>
#include <plumb/value.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PLUMB_NEVER   UINT32_MAX /* the rank of an event that is not there */
#define PLUMB_NO_TIME UINT64_MAX /* of an event whose source tells none    */

/* Jepsen's outcomes.  OK: it took effect and returned.  FAIL: it did not take
 * effect.  INFO: told that nobody knows.  OPEN: no response in the history.
 * INFO and OPEN operations may or may not have taken effect, at any time after
 * their call: they are *pending*. */
enum plumb_outcome {
    PLUMB_OUTCOME_OK,
    PLUMB_OUTCOME_FAIL,
    PLUMB_OUTCOME_INFO,
    PLUMB_OUTCOME_OPEN
};

/* One operation: 32 bytes, the same in memory and in a binary file.
 * Its arguments and then its results stand in the history's value pool. */
struct plumb_op {
    uint32_t call;   /* rank of the call                                    */
    uint32_t resp;   /* rank of the response of any outcome, or PLUMB_NEVER */
    uint32_t thread; /* index into the history's threads                    */
    uint32_t object; /* index into the history's objects                    */
    uint32_t name;   /* symbol                                              */
    uint32_t term;   /* symbol of the result term; 0 unless outcome is OK   */
    uint32_t values; /* index of the first argument in the value pool       */
    uint8_t nargs, nres;
    uint8_t outcome; /* enum plumb_outcome                                  */
    uint8_t zero;
};

/* Where an event was read: line and column, from 1; 0 when not known. */
struct plumb_origin {
    uint32_t line, column;
};

struct plumb_symbols; /* numbered strings; number 0 is the empty one */

struct plumb_history {
    const struct plumb_op *op;
    const struct plumb_value *value;
    const uint32_t *thread; /* symbols: the name of each thread */
    const uint32_t *object; /* symbols: the name of each object */
    const struct plumb_symbols *symbols;
    /* The two events of operation i are origin[2i] and origin[2i + 1]; NULL
     * when the history was not read from text. */
    const struct plumb_origin *origin;
    /* Likewise time[2i] and time[2i + 1], or PLUMB_NO_TIME, in the units of the
     * source, and from some instant on: only differences mean something.  NULL
     * unless plumb_reader_keep_times() asked for it.  Nothing is decided by it.
     */
    const uint64_t *time;
    uint32_t count, values, threads, objects;
    uint32_t events; /* ranks are 0 .. events - 1                       */
    uint32_t spec;   /* symbol: the specification its source names, or 0 */
    bool valid;      /* it is known to be what this header promises     */
    void *owner;     /* what plumb_history_release() frees              */
};

static inline bool plumb_op_is_pending(const struct plumb_op *o)
{
    return o->outcome == PLUMB_OUTCOME_INFO || o->outcome == PLUMB_OUTCOME_OPEN;
}

/* The end of the operation's interval: a pending one never returns.  Use this,
 * not `resp`, to order operations; FAIL operations have no interval at all. */
static inline uint32_t plumb_op_ret(const struct plumb_op *o)
{
    return o->outcome == PLUMB_OUTCOME_OK ? o->resp : PLUMB_NEVER;
}

static inline const struct plumb_value *plumb_op_args(
    const struct plumb_history *h, const struct plumb_op *o)
{
    return h->value + o->values;
}

static inline const struct plumb_value *plumb_op_results(
    const struct plumb_history *h, const struct plumb_op *o)
{
    return h->value + o->values + o->nargs;
}

/* The text of a symbol: NUL-terminated, and may hold NULs before its end. */
const char *plumb_symbol_text(const struct plumb_symbols *symbols,
                              uint32_t symbol, size_t *length);

/* The number of a text; UINT32_MAX if this history has no such symbol. */
uint32_t plumb_symbol_find(const struct plumb_symbols *symbols,
                           const char *text, size_t length);

void plumb_history_release(struct plumb_history *h);

/* Is every index, rank and order in `h` as promised above?  Linear.  Histories
 * from the builder are; one that was put together by hand has to be asked, and
 * one mapped from a binary file too, by plumb_reader_validate(). */
enum plumb_status plumb_history_validate(const struct plumb_history *h,
                                         struct plumb_error *err);

/* ---- building one ----
 *
 * Two ways, not mixed in one history: events in the order they happened
 * (call and respond), or whole operations with time stamps in any order
 * (interval).  Errors leave the builder usable for plumb_builder_reset()
 * and plumb_builder_free() only. */
struct plumb_builder;

struct plumb_builder *plumb_builder_new(struct plumb_budget *budget);
void plumb_builder_free(struct plumb_builder *b);

/* Forget the history under construction and start another. */
void plumb_builder_reset(struct plumb_builder *b);

/* The number of a text in the history under construction.
 * UINT32_MAX when memory is used up. */
uint32_t plumb_builder_symbol(struct plumb_builder *b, const char *text,
                              size_t length);

/* Name the specification the source asks for, as in "queue:cap=4". */
void plumb_builder_spec(struct plumb_builder *b, uint32_t symbol);

/* `thread`, `object`, `name` and `term` are symbols; `origin` may be NULL.
 * A thread has at most one open call: after any response it may call again. */
enum plumb_status plumb_builder_call(struct plumb_builder *b, uint32_t thread,
                                     uint32_t object, uint32_t name,
                                     const struct plumb_value *args,
                                     size_t nargs,
                                     const struct plumb_origin *origin,
                                     struct plumb_error *err);

/* The response to the open call of `thread`.  `object` must be the call's, or
 * UINT32_MAX where the source does not say. */
enum plumb_status plumb_builder_respond(
    struct plumb_builder *b, uint32_t thread, uint32_t object,
    enum plumb_outcome outcome, uint32_t term,
    const struct plumb_value *results, size_t nres,
    const struct plumb_origin *origin, struct plumb_error *err);

/* The open call of `thread`, NULL if none: for readers whose responses need
 * to see it.  `args`, unless NULL, is set to its arguments. */
const struct plumb_op *plumb_builder_open_call(const struct plumb_builder *b,
                                               uint32_t thread,
                                               const struct plumb_value **args);

/* The number of operations so far, and of those that have no response. */
uint32_t plumb_builder_count(const struct plumb_builder *b);
uint32_t plumb_builder_open(const struct plumb_builder *b);

/* One operation with its time stamps; `end` is UINT64_MAX for a pending one.
 * `thread` may be UINT32_MAX: lanes are then made up so that the operations of
 * a lane do not overlap.  `op` supplies object, name, term, nargs, nres and
 * outcome; `values` its arguments, then its results. */
struct plumb_interval {
    uint64_t start, end;
    uint32_t thread;
    struct plumb_op op;
    const struct plumb_value *values;
    struct plumb_origin origin;
};
enum plumb_status plumb_builder_interval(struct plumb_builder *b,
                                         const struct plumb_interval *interval,
                                         struct plumb_error *err);

/* Which comes first at equal time stamps?  CALL: the two overlap. */
enum plumb_ties { PLUMB_TIES_CALL_FIRST, PLUMB_TIES_RETURN_FIRST };

/* Hand over what was built; the builder starts afresh.  On failure `h` is
 * untouched.  `ties` matters to intervals alone. */
enum plumb_status plumb_builder_finish(struct plumb_builder *b,
                                       enum plumb_ties ties,
                                       struct plumb_history *h,
                                       struct plumb_error *err);

#ifdef __cplusplus
}
#endif
#endif
