/* builder.h - a history under construction.
 *
 * builder.c takes events and intervals; replay.c turns the intervals into
 * events when the history is finished. */
#ifndef PLUMB_HISTORY_BUILDER_H
#define PLUMB_HISTORY_BUILDER_H

#include "symbols.h"

/* plumb_history.owner points to one of these, the first member of whatever
 * holds the history's arrays. */
struct plumb_history_owner {
    void (*release)(struct plumb_history_owner *owner);
};

/* The time stamps of operation i, whose ranks are still unset. */
struct plumb_history_timed {
    uint64_t start, end;
    uint32_t thread; /* symbol, or UINT32_MAX                    */
    uint32_t lane;   /* taken at its call if it has no thread    */
    bool called, returned;
};

/* The result of an open call, if the call named it already. */
struct plumb_history_promise {
    bool given;
    struct plumb_value value;
};

/* The arrays of a history: while it is built, and as its owner afterwards. */
struct plumb_history_arrays {
    struct plumb_history_owner owner; /* first: the history sees only this */
    struct plumb_budget *budget;
    struct plumb_symbols symbols;
    struct plumb_op *op;
    struct plumb_value *value;
    struct plumb_origin *origin;
    uint64_t *time; /* NULL unless the builder keeps times */
    uint32_t *thread, *object;
    size_t time_capacity, op_capacity, value_capacity, origin_capacity;
    size_t thread_capacity, object_capacity;
};

struct plumb_builder {
    struct plumb_history_arrays *a;
    uint32_t count, values, threads, objects, events, open, spec;
    bool has_origin, keeps_times, has_times;
    uint64_t now; /* of the next event: PLUMB_NO_TIME unless it was told */
    uint32_t *thread_of, *object_of; /* by symbol: index + 1 */
    size_t thread_of_capacity, object_of_capacity;
    uint32_t *open_op; /* by thread index: operation + 1 */
    size_t open_op_capacity;
    struct plumb_history_promise
        *promise; /* by thread index, where there are any */
    size_t promise_capacity;
    struct plumb_history_timed *interval;
    size_t intervals, interval_capacity;
    struct plumb_budget *budget;
    /* Of a stream: the events since it was last settled. */
    bool streams;
    uint32_t *log;
    size_t logged, log_capacity;
    uint32_t renamed; /* how often (history/renaming.h) */
};

/* ---- streams ----
 *
 * Of a history that never ends only the last events and the open operations are
 * kept.  Whoever reads it takes the log after every so many events, and then
 * lets go of it. */

/* From now on it is one. */
void plumb_history_builder_stream(struct plumb_builder *b);

/* The events since then, or since it was last settled: 2 * the index of an
 * operation, plus 1 for its response. */
static inline const uint32_t *plumb_history_builder_log(
    const struct plumb_builder *b, size_t *count)
{
    *count = b->logged;
    return b->log;
}

/* The history so far, of events: until the builder is used again.  It owns
 * nothing. */
void plumb_history_builder_view(const struct plumb_builder *b,
                                struct plumb_history *h);

/* Forget the log, and all operations that are not open.  Those get new indexes,
 * and ranks. */
void plumb_history_builder_settle(struct plumb_builder *b);

/* ---- for readers ---- */

/* When the next event happens; without effect unless times are kept. */
static inline void plumb_history_builder_time(struct plumb_builder *b,
                                              uint64_t time)
{
    b->now = time;
}

/* A time that may be negative. */
static inline uint64_t plumb_history_signed_time(int64_t time)
{
    return (uint64_t)time ^ (uint64_t)1 << 63;
}

/* The text of a symbol: until there is another one. */
static inline const char *plumb_history_builder_text(
    const struct plumb_builder *b, uint32_t symbol, size_t *length)
{
    return plumb_symbol_text(&b->a->symbols, symbol, length);
}

/* The open call of `thread` named its result: remember that until the response.
 * False when memory is used up. */
bool plumb_history_builder_promise(struct plumb_builder *b, uint32_t thread,
                                   struct plumb_value value);

/* Did it?  Then `value` is the result it named. */
bool plumb_history_builder_promised(const struct plumb_builder *b,
                                    uint32_t thread, struct plumb_value *value);

/* The index + 1 of a thread by its symbol, made on first sight.  0 when memory
 * is used up. */
uint32_t plumb_history_builder_thread(struct plumb_builder *b, uint32_t symbol);

/* The error of a second call, of `name`, while `op` is open. */
enum plumb_status plumb_history_builder_fail_open(
    struct plumb_builder *b, uint32_t thread, uint32_t name, uint32_t op,
    const struct plumb_origin *origin, struct plumb_error *err);

/* plumb_history_validate(), with errors that give the malformed thing's
 * distance in bytes from the address `origin`; 0: no place is known. */
enum plumb_status plumb_history_validate_from(const struct plumb_history *h,
                                              uintptr_t origin,
                                              struct plumb_error *err);

/* Rank the end points of all intervals, and sort the operations by call. */
enum plumb_status plumb_history_builder_replay(struct plumb_builder *b,
                                               enum plumb_ties ties,
                                               struct plumb_error *err);

#endif
