/* intervals.h - what the interval formats have in common.
 *
 * A header "# type", then one complete operation a line, with time stamps and
 * a value that is argument or result as the method's name tells.  -1 is the
 * result of an operation that found nothing. */
#ifndef PLUMB_HISTORY_FORMATS_INTERVALS_H
#define PLUMB_HISTORY_FORMATS_INTERVALS_H

#include "lines.h"

enum { PLUMB_MOST_FIELDS = 8 };

enum plumb_history_interval_kind {
    PLUMB_KIND_NONE,  /* no header yet                              */
    PLUMB_KIND_ITEMS, /* items go in and come out                  */
    PLUMB_KIND_SET,
    PLUMB_KIND_RMW,      /* fptlin: a register that is only swapped */
    PLUMB_KIND_SEMAPHORE /* fptlin                                  */
};

struct plumb_history_intervals {
    struct plumb_reader *reader;
    struct plumb_error *err;
    struct plumb_history_lines lines;
    enum plumb_history_interval_kind kind;
    uint32_t object, ok, empty;                          /* symbols           */
    struct plumb_history_field field[PLUMB_MOST_FIELDS]; /* of the operation */
    size_t fields;
    struct plumb_history_field after; /* the empty field behind them */
};

/* One operation, as the line tells it. */
struct plumb_history_interval_op {
    struct plumb_origin origin;
    uint32_t thread; /* symbol, or UINT32_MAX */
    uint64_t start, end;
    const char *name;
    size_t name_length;
    bool is_empty;
    struct plumb_value value[2]; /* arguments, then results */
    uint8_t nargs, nres;
};

/* Read the whole file: `read_op` is called for each operation line.  It, and
 * what follows, return false after an error, which is then in v->err. */
typedef bool plumb_history_read_op(struct plumb_history_intervals *v);
enum plumb_status plumb_history_intervals_read(struct plumb_reader *r,
                                               plumb_history_read_op *read_op,
                                               struct plumb_error *err);

/* Fill in name and values of an operation on items: push 1, pop -1. */
bool plumb_history_intervals_item(struct plumb_history_intervals *v,
                                  const struct plumb_history_field *method,
                                  const struct plumb_history_field *value,
                                  struct plumb_history_interval_op *op);

/* The same on a set.  Without a result it was successful. */
bool plumb_history_intervals_set(struct plumb_history_intervals *v,
                                 const struct plumb_history_field *method,
                                 const struct plumb_history_field *value,
                                 const struct plumb_history_field *result,
                                 struct plumb_history_interval_op *op);

bool plumb_history_intervals_bool(struct plumb_history_intervals *v,
                                  const struct plumb_history_field *f, bool *b);

bool plumb_history_intervals_is(const struct plumb_history_field *method,
                                const char *name);

/* The first field is the process. */
bool plumb_history_intervals_process(struct plumb_history_intervals *v,
                                     struct plumb_history_interval_op *op);

/* The field and the next are the times. */
bool plumb_history_intervals_times(struct plumb_history_intervals *v,
                                   const struct plumb_history_field *start,
                                   struct plumb_history_interval_op *op);

/* Hand the operation to the builder. */
bool plumb_history_intervals_add(struct plumb_history_intervals *v,
                                 const struct plumb_history_interval_op *op);

/* The first line that is neither blank nor comment, split into fields, and
 * whether a comment before it names a type.  For detecting. */
bool plumb_history_intervals_peek(const char *data, size_t size,
                                  struct plumb_history_intervals *v);

/* How sure is a format whose operations look like this one, if this is where
 * they have the method? */
int plumb_history_intervals_sureness(const struct plumb_history_intervals *v,
                                     size_t method);

#endif
