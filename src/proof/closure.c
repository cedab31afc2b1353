/* closure.c - answers in the way of deleting values. */
#include "closure.h"

#include "base/memory.h"
#include "base/pace.h"
#include <string.h>

static bool has_answered(const struct plumb_proof_plain_call *c,
                         const char *term)
{
    return c->seen &&
           plumb_proof_plain_same(c->seen->term, strlen(c->seen->term), term,
                                  strlen(term));
}

static bool adds(const struct plumb_proof_plain_call *c)
{
    return c->operation->belongs == PLAIN_TO_FIRST_ARGUMENT;
}

/* It takes an item out, if there is one: it does not just look. */
static bool removes(const struct plumb_proof_plain_call *c)
{
    return c->operation->belongs == PLAIN_TO_RESULT &&
           c->operation->reads != PLAIN_READS;
}

static bool note_empty(const struct plumb_proof_core *c,
                       struct plumb_proof_closure *closure,
                       const struct plumb_op *o)
{
    struct plumb_budget *const b = c->p->budget;
    const size_t n = closure->count;
    if (!PLUMB_GROW(b, closure->call, closure->call_capacity, n + 1) ||
        !PLUMB_GROW(b, closure->ret, closure->ret_capacity, n + 1))
        return false;
    const uint32_t ret = plumb_op_ret(o);
    closure->call[n] = o->call;
    closure->ret[n] =
        n && closure->ret[n - 1] > ret ? closure->ret[n - 1] : ret;
    closure->count++;
    return true;
}

bool plumb_proof_closure_of_core(const struct plumb_proof_core *c,
                                 struct plumb_proof_closure *closure)
{
    uint32_t last = UINT32_MAX;
    if (closure->kind == PLAIN_NOT_CLOSED || closure->kind == PLAIN_CLOSED)
        return true;
    for (uint32_t n = 0; n < c->count; n++) {
        const struct plumb_proof_core_op *const o =
            c->op + plumb_proof_core_nth(c, n);
        if (!plumb_base_in_time(c->p->budget, n))
            return false;
        closure->full |= has_answered(&o->call, "full");
        if (o->index != last && removes(&o->call) &&
            has_answered(&o->call, "empty") &&
            !note_empty(c, closure, c->h->op + o->index))
            return false;
        last = o->index;
    }
    return true;
}

void plumb_proof_closure_release(const struct plumb_proof_core *c,
                                 struct plumb_proof_closure *closure)
{
    PLUMB_RELEASE(c->p->budget, closure->call, closure->call_capacity);
    PLUMB_RELEASE(c->p->budget, closure->ret, closure->ret_capacity);
}

/* Was an `empty` under way at the same time? */
static bool overlaps_empty(const struct plumb_proof_closure *closure,
                           const struct plumb_op *o)
{
    size_t low = 0, high = closure->count; /* those called before it returned */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (closure->call[middle] < plumb_op_ret(o))
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && closure->ret[low - 1] > o->call;
}

bool plumb_proof_closure_keeps(const struct plumb_proof_closure *closure,
                               const struct plumb_proof_plain_call *call,
                               const struct plumb_op *o)
{
    switch (closure->kind) {
    case PLAIN_CLOSED_BUT_FULL:
        return closure->full;
    case PLAIN_CLOSED_BUT_ADDED:
        return closure->full || (adds(call) && overlaps_empty(closure, o));
    case PLAIN_CLOSED_BUT_REMOVED:
        return closure->full || (removes(call) && overlaps_empty(closure, o));
    default:
        return false;
    }
}
