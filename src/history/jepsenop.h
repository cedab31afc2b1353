/* jepsenop.h - one event of a Jepsen test, however it was written down.
 *
 * Jepsen gives a call and its completion one value in common; what of it is
 * argument and what is result follows from the function (history/roles.h). */
#ifndef PLUMB_HISTORY_JEPSENOP_H
#define PLUMB_HISTORY_JEPSENOP_H

#include "history/ednscan.h"

enum plumb_jepsen_type {
    PLUMB_JEPSEN_INVOKE,
    PLUMB_JEPSEN_OK,
    PLUMB_JEPSEN_FAIL,
    PLUMB_JEPSEN_INFO,
    PLUMB_JEPSEN_NO_TYPE
};

/* "invoke" and so on, without the colon. */
enum plumb_jepsen_type plumb_jepsen_type_of(const char *text, size_t length);

struct plumb_jepsen_op {
    enum plumb_jepsen_type type;
    struct plumb_origin origin;
    const char *process, *function;
    size_t process_length, function_length;
    /* The value; a missing one is the single value nil. */
    const struct plumb_edn_values *values;
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

/* What is known of a client. */
struct plumb_jepsen_process {
    uint32_t object; /* symbol: of its open call */
    bool has_time;
    int64_t time; /* of its last event */
};

/* A history being made of such events. */
struct plumb_jepsen {
    struct plumb_builder *builder;
    struct plumb_budget *budget;
    uint32_t ok, empty, object;           /* symbols */
    unsigned seen;                        /* which functions occurred */
    struct plumb_jepsen_process *process; /* by symbol */
    size_t capacity;
};

enum plumb_status plumb_jepsen_begin(struct plumb_jepsen *j,
                                     struct plumb_builder *builder,
                                     struct plumb_budget *budget,
                                     struct plumb_error *err);
enum plumb_status plumb_jepsen_add(struct plumb_jepsen *j,
                                   const struct plumb_jepsen_op *op,
                                   struct plumb_error *err);

/* Name the specification that the functions suggest, if any. */
enum plumb_status plumb_jepsen_hint(struct plumb_jepsen *j,
                                    struct plumb_error *err);
void plumb_jepsen_end(struct plumb_jepsen *j);

#endif
