/* enumerate.c - small cores: try every order.
 *
 * Orders respect real time, may leave out pending operations, and end where
 * they stop being legal.  Nothing is remembered. */
#include "core.h"

#include "base/fail.h"

/* Operations that have taken effect: bit i for operation i of the core. */
typedef uint32_t taken_set;

static bool is_taken(taken_set taken, uint32_t i)
{
    return taken >> i & 1;
}

static bool is_complete(const struct plumb_proof_core *c, taken_set taken)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (!is_taken(taken, i) && !plumb_proof_core_op_is_pending(c->op + i))
            return false;
    return true;
}

/* Has everything that precedes operation j taken effect? */
static bool is_enabled(const struct plumb_proof_core *c, taken_set taken,
                       uint32_t j)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (!is_taken(taken, i) && c->op[i].ret < c->op[j].called)
            return false;
    return !is_taken(taken, j);
}

static enum plumb_status try_orders(const struct plumb_proof_core *c,
                                    taken_set taken,
                                    const struct plumb_proof_plain_set *states);

static enum plumb_status try_next(const struct plumb_proof_core *c,
                                  taken_set taken,
                                  const struct plumb_proof_plain_set *states,
                                  uint32_t j)
{
    struct plumb_proof_plain_set after;
    enum plumb_status status = plumb_proof_plain_set_copy(c->p, &after, states);
    if (status == PLUMB_OK)
        status = plumb_proof_plain_set_step(c->p, &after, &c->op[j].call, NULL);
    if (status != PLUMB_OK)
        plumb_proof_words_stop(status, c->err);
    else if (after.count)
        status = try_orders(c, taken | (taken_set)1 << j, &after);
    plumb_proof_plain_set_release(c->p, &after);
    return status;
}

static enum plumb_status try_orders(const struct plumb_proof_core *c,
                                    taken_set taken,
                                    const struct plumb_proof_plain_set *states)
{
    enum plumb_status status = PLUMB_OK;
    if (is_complete(c, taken))
        return plumb_base_fail(c->err, PLUMB_EINPUT, 0, 0,
                               "core: its operations have a legal order");
    for (uint32_t j = 0; j < c->count && status == PLUMB_OK; j++)
        if (is_enabled(c, taken, j))
            status = try_next(c, taken, states, j);
    return status;
}

enum plumb_status plumb_proof_core_enumerate(const struct plumb_proof_core *c)
{
    struct plumb_proof_plain_set states;
    enum plumb_status status = plumb_proof_plain_set_init(c->p, &states);
    status = status == PLUMB_OK ? try_orders(c, 0, &states)
                                : plumb_proof_words_stop(status, c->err);
    plumb_proof_plain_set_release(c->p, &states);
    return status;
}
