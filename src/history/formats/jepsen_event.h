/* jepsen_event.h - one event of a Jepsen test, however it was written down.
 *
 * Jepsen gives a call and its completion one value in common; what of it is
 * argument and what is result follows from the function (history/roles.h), and
 * from the specification if it is known (plumb_reader_signature()). */
#ifndef PLUMB_HISTORY_FORMATS_JEPSEN_EVENT_H
#define PLUMB_HISTORY_FORMATS_JEPSEN_EVENT_H

#include "base/pair_index.h"
#include "edn_scan.h"
#include "history/reader.h"
#include "roles.h"

enum plumb_history_jepsen_type {
    PLUMB_JEPSEN_INVOKE,
    PLUMB_JEPSEN_OK,
    PLUMB_JEPSEN_FAIL,
    PLUMB_JEPSEN_INFO,
    PLUMB_JEPSEN_NO_TYPE
};

/* "invoke" and so on, without the colon. */
enum plumb_history_jepsen_type plumb_history_jepsen_type_of(const char *text,
                                                            size_t length);

struct plumb_history_jepsen_op {
    enum plumb_history_jepsen_type type;
    struct plumb_origin origin;
    const char *process, *function;
    size_t process_length, function_length;
    enum plumb_history_role role; /* of the function */
    /* The value; a missing one is the single value nil. */
    struct plumb_history_edn_values *values;
    bool refused;  /* a failed cas whose comparison failed: ok(false)   */
    bool is_empty; /* the value is the keyword :empty                   */
    bool has_key;  /* Porcupine: a key beside the value                 */
    bool has_part; /* jepsen.independent: a key that names the object   */
    struct plumb_value key;
    uint32_t part; /* symbol */
    bool has_time;
    int64_t time;
    struct plumb_origin time_origin;
};

/* What the values of read, write and cas are in a history. */
enum plumb_history_jepsen_shape {
    PLUMB_JEPSEN_ANY,    /* nobody knows yet                                */
    PLUMB_JEPSEN_PLAIN,  /* of one register                                 */
    PLUMB_JEPSEN_TUPLES, /* [key value], of jepsen.independent              */
    PLUMB_JEPSEN_KEYED,  /* arguments of a map's operations: put [key value] */
    PLUMB_JEPSEN_MIXED   /* tuples, and others                              */
};

/* The time of the last event of each process; zero is an empty one. */
struct plumb_history_process_times {
    struct plumb_base_pairs process; /* both halves of a hash of its name */
    int64_t *time;
    size_t times;
};

/* Of the history so far: between pieces nothing else is known. */
struct plumb_history_jepsen_known {
    bool any;      /* an operation, or an event of the nemesis */
    unsigned seen; /* which functions occurred */
    enum plumb_history_jepsen_shape shape;
    struct plumb_history_process_times times;
};

/* plumb_history_format_class.forget of a reader whose state begins so. */
void plumb_history_jepsen_forget(struct plumb_reader *r);

/* A history being made of such events; for one call of next(). */
struct plumb_history_jepsen {
    struct plumb_builder *builder;
    struct plumb_budget *budget;
    struct plumb_error *err;
    struct plumb_history_jepsen_known *known;
    struct plumb_signature signature;
    uint32_t ok, empty, object; /* symbols */
};

/* This and the others return false after an error, which is then in j->err. */
bool plumb_history_jepsen_begin(struct plumb_history_jepsen *j,
                                const struct plumb_reader *r,
                                struct plumb_history_jepsen_known *known,
                                struct plumb_error *err);

/* Read on, by `read`.  If that finds tuples first and then others, and all of the
 * history is there, read it again: they are arguments. */
typedef enum plumb_status plumb_history_jepsen_reading(struct plumb_reader *r,
                                                       struct plumb_error *err);
enum plumb_status plumb_history_jepsen_next(struct plumb_reader *r,
                                            plumb_history_jepsen_reading *read,
                                            struct plumb_error *err);

/* Is it a client, whose events are the history's?  `is_number`: the process is. */
bool plumb_history_jepsen_is_client(const struct plumb_history_jepsen *j,
                                    const char *process, size_t length,
                                    bool is_number,
                                    enum plumb_history_jepsen_type type);

/* Read the value that begins with `t` into op->values; all else that is to be
 * known of `op` is known. */
bool plumb_history_jepsen_value(struct plumb_history_jepsen *j,
                                struct plumb_history_edn *e,
                                const struct plumb_history_edn_token *t,
                                struct plumb_history_jepsen_op *op);

/* There is none. */
bool plumb_history_jepsen_no_value(struct plumb_history_jepsen *j,
                                   struct plumb_history_jepsen_op *op);

bool plumb_history_jepsen_add(struct plumb_history_jepsen *j,
                              const struct plumb_history_jepsen_op *op);

/* Reading came to its end: name the specification that the functions suggest,
 * if any.  An error stays the error it is. */
bool plumb_history_jepsen_hint(struct plumb_history_jepsen *j, bool good);

#endif
