/* spec.h - sequential specifications: built-in ones by name, and your own in C.
 *
 * Your own: write a step function on a plain struct, name the operations, and
 * give the file to `plumb check --spec my_spec.c`.  docs/specifications.md has
 * a complete example.  The struct must be all there is to the state: it is
 * copied and compared as bytes, so it holds no pointers, and starts as zeros.
 */
#ifndef PLUMB_SPEC_H
#define PLUMB_SPEC_H

#include <plumb/error.h>
#include <plumb/value.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PLUMB_MAX_RESULTS 100

struct plumb_symbols; /* plumb_symbol_text() in plumb/history.h reads them */
struct plumb_user_spec;

/* An operation that is being performed: number `op` of the list below. */
struct plumb_call {
    unsigned op;
    unsigned nargs;
    const struct plumb_value *args;
    unsigned thread;
    /* Nondeterminism: see plumb_call_choose(). */
    unsigned (*choose)(void *chooser, unsigned n);
    void *chooser;
    /* Of the history: a string among the arguments is a number of these. */
    const struct plumb_symbols *symbols;
    /* Whose step this is, for a step function that serves several. */
    const struct plumb_user_spec *spec;
};

/* What it answers: a term, "ok" if left NULL, and results.  It is the answer of
 * the history if the terms are equal without regard to case, '-' and '_', and
 * the results are equal; a boolean also equals t, f, 1 and 0 as in the built-in
 * types. */
struct plumb_reply {
    const char *term;
    unsigned nres;
    struct plumb_value res[PLUMB_MAX_RESULTS];
};

/* One of 0 .. n - 1: the specification allows every choice. */
static inline unsigned plumb_call_choose(const struct plumb_call *call,
                                         unsigned n)
{
    return call->choose(call->chooser, n);
}

/* One more result.  A reply with more than PLUMB_MAX_RESULTS is no answer. */
static inline void plumb_reply_value(struct plumb_reply *reply,
                                     struct plumb_value v)
{
    if (reply->nres < PLUMB_MAX_RESULTS)
        reply->res[reply->nres] = v;
    reply->nres++;
}

/* `return plumb_reply_unknown(reply);` in a step: nobody knows what the call
 * answers here, or whether it does, nor what may follow.  A verdict that
 * depends on that is *undecided*. */
#define PLUMB_REPLY_UNKNOWN (~0u) /* as nres */
static inline bool plumb_reply_unknown(struct plumb_reply *reply)
{
    reply->nres = PLUMB_REPLY_UNKNOWN;
    return true;
}

struct plumb_user_spec {
    unsigned version; /* PLUMB_SPEC_VERSION */
    const char *name;
    size_t state_size;
    /* Operations with their number of arguments, "enq/1", ending with NULL. */
    const char *const *ops;
    /* Make the initial state from zeros; NULL if zeros are the initial state.
     */
    void (*init)(void *state);
    /* Perform the call on the state and fill in the reply.  False: in this
     * state the operation cannot return (it blocks). */
    bool (*step)(void *state, const struct plumb_call *call,
                 struct plumb_reply *reply);
};

#define PLUMB_SPEC_VERSION 1
#define PLUMB_SPEC_SYMBOL  "plumb_user_spec_v1"

/* Export a specification from a plug-in:
 *     PLUMB_SPEC(.name = "cell", .state_size = sizeof(struct cell),
 *                .ops = ops, .step = step);                               */
#define PLUMB_SPEC(...)                                                        \
    const struct plumb_user_spec plumb_user_spec_v1 = {                        \
        .version = PLUMB_SPEC_VERSION, __VA_ARGS__                             \
    }

/* ---- using one ---- */

struct plumb_spec;

/* "queue", "queue:cap=4", "priority-queue:max", ...  The error's column is
 * the place in `text`. */
enum plumb_status plumb_spec_parse(const char *text, struct plumb_spec **spec,
                                   struct plumb_error *err);
enum plumb_status plumb_spec_from_user(const struct plumb_user_spec *user,
                                       struct plumb_spec **spec,
                                       struct plumb_error *err);
void plumb_spec_free(struct plumb_spec *spec);

/* Has it an operation of that name with so many arguments? */
bool plumb_spec_takes(const struct plumb_spec *spec, const char *name,
                      size_t length, size_t nargs);

/* As given, and normalised: what was parsed. */
const char *plumb_spec_text(const struct plumb_spec *spec);
const struct plumb_user_spec *plumb_spec_user(const struct plumb_spec *spec);

#ifdef __cplusplus
}
#endif
#endif
