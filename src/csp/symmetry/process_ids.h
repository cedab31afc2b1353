/* process_ids.h - which numbers of a model are names of processes.
 *
 * In |||i:{0..3}@Client(i) the i may be no more than a name: compared with
 * other names, an index of arrays with an element for each client, a datum of
 * events, kept in variables for names.  Then renaming the clients changes
 * nothing but names.  Once locals are replaced by what they stand for, a 2 is
 * a 2; so it is worked out on the text, before: every local, every variable,
 * every index of an array, every datum of an event is for process ids alone, or
 * never is one.
 *
 * What is not sure is refused, with the place where a process id would be
 * something else.  docs/how-verification-works.md has the rules and why they
 * suffice. */
#ifndef PLUMB_CSP_SYMMETRY_PROCESS_IDS_H
#define PLUMB_CSP_SYMMETRY_PROCESS_IDS_H

#include "csp/language/model.h"

/* More processes than this are not renamed, nor data behind this many. */
enum { PLUMB_MOST_PROCESS_IDS = 8, PLUMB_MOST_DATA = 16 };

struct plumb_csp_process_ids {
    int32_t low;    /* they are low .. low + count - 1                   */
    uint32_t count; /* 0: there are none                                 */
    /* By variable: does it hold process ids; a bit for each index that is. */
    const bool *variable;
    const uint32_t *index;
    const bool *const *local; /* by definition and local                 */
    const uint32_t *event;    /* by name: a bit for each datum that is    */
};

/* Why there are none.  `what` is NULL if nothing looks like one. */
struct plumb_csp_process_ids_refusal {
    struct plumb_csp_place place;
    const char *what;
};

/* Of the processes of an assertion.  `called` are the events of a built-in
 * specification, whose first datum is a client and whose others are not, for
 * clients 0 .. `clients` - 1.  On PLUMB_OK without process ids there is a
 * refusal. */
struct plumb_csp_process_ids_request {
    const struct plumb_csp_model *model;
    const struct plumb_csp_assertion *assertion;
    const uint32_t *called;
    uint32_t calls, clients;
};
enum plumb_status plumb_csp_process_ids_find(
    const struct plumb_csp_process_ids_request *request,
    struct plumb_base_arena *arena, struct plumb_csp_process_ids *found,
    struct plumb_csp_process_ids_refusal *why, struct plumb_error *err);

static inline bool plumb_csp_is_process_id(
    const struct plumb_csp_process_ids *d, int32_t value)
{
    return value >= d->low && (int64_t)value < (int64_t)d->low + d->count;
}

#endif
