/* queue_view.c - gather the operations of a queue by value. */
#include "queue_view.h"

#include "base/arena.h"
#include <assert.h>

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

bool plumb_check_queue_view_open(struct plumb_check_queue_view *view,
                                 const struct plumb_check_input *input,
                                 struct plumb_budget *budget,
                                 struct plumb_base_arena *arena)
{
    *view = (struct plumb_check_queue_view){ .input = input,
                                             .budget = budget,
                                             .values = input->values + 1 };
    view->value =
        plumb_base_arena_alloc(arena, view->values * sizeof *view->value);
    return view->value;
}

static void is_odd(struct plumb_check_queue_view *view, uint32_t v, uint32_t at)
{
    if (at < view->odd_at) {
        view->odd = v;
        view->odd_at = at;
    }
}

static void removed(struct plumb_check_queue_view *view, uint32_t i)
{
    const struct plumb_check_input_op *const op = view->input->op;
    const uint32_t v = plumb_check_queue_value_of(view, op + i);
    struct plumb_check_queue_value *const x = &view->value[v];
    if (x->rem != PLUMB_NO_OP)
        is_odd(view, v, larger(op[x->rem].ret, op[i].ret));
    if (x->rem == PLUMB_NO_OP || op[i].ret < op[x->rem].ret)
        x->rem = i;
    x->hr = smaller(x->hr, op[i].ret);
}

static void peeked(struct plumb_check_queue_view *view,
                   const struct plumb_check_input_op *o)
{
    struct plumb_check_queue_value *const x =
        &view->value[plumb_check_queue_value_of(view, o)];
    x->dc = larger(x->dc, o->call);
    x->hr = smaller(x->hr, o->ret);
}

static void added(struct plumb_check_queue_view *view, uint32_t i)
{
    const struct plumb_check_input_op *const o = &view->input->op[i];
    struct plumb_check_queue_value *const x =
        &view->value[plumb_check_queue_value_of(view, o)];
    if (x->add != PLUMB_NO_OP)
        view->strange = "values repeat";
    x->add = i;
    x->ec = o->call;
    x->dc = larger(x->dc, o->call);
    if (plumb_check_queue_has_returned(view, o))
        x->er = o->ret;
}

static bool has_value(const struct plumb_check_queue_view *view,
                      const struct plumb_check_input_op *o)
{
    return o->word[0] < view->values - 1 || o->word[0] == PLUMB_NIL_WORD;
}

/* An operation that is none of a queue without limit. */
static bool is_strange(const struct plumb_check_queue_view *view,
                       const struct plumb_check_input_op *o)
{
    if (o->role == PLUMB_ROLE_ADD)
        return o->term == PLUMB_TERM_FULL || !has_value(view, o);
    if (o->role != PLUMB_ROLE_REMOVE && o->role != PLUMB_ROLE_PEEK)
        return true;
    return !plumb_check_input_is_pending(o) && o->term != PLUMB_TERM_EMPTY &&
           (o->term != PLUMB_TERM_OK || !has_value(view, o));
}

static void gather(struct plumb_check_queue_view *view, uint32_t i)
{
    const struct plumb_check_input_op *const o = &view->input->op[i];
    if (is_strange(view, o))
        view->strange = "an operation of another type";
    else if (o->role == PLUMB_ROLE_ADD)
        added(view, i);
    else if (!plumb_check_queue_has_returned(view, o)) {
        if (o->role == PLUMB_ROLE_REMOVE)
            view->opens++;
    } else if (o->term == PLUMB_TERM_EMPTY) {
        view->vain |= o->role == PLUMB_ROLE_REMOVE;
    } else if (o->role == PLUMB_ROLE_REMOVE) {
        removed(view, i);
    } else {
        peeked(view, o);
    }
}

/* An add that has returned, or a remove of a value: nearly all are.  Without a
 * branch for which it is, as nobody can guess that.  False: it is none, or not
 * the first of its value. */
static inline bool gather_usual(struct plumb_check_queue_view *view, uint32_t i)
{
    const struct plumb_check_input_op *const o = &view->input->op[i];
    const bool adds = o->role == PLUMB_ROLE_ADD;
    const uint32_t add = 0 - (uint32_t)adds;
    const uint32_t v = o->word[0];
    if (!(adds | (o->role == PLUMB_ROLE_REMOVE)) | (o->term != PLUMB_TERM_OK) |
        (o->ret > view->end) | (v >= view->values - 1))
        return false;
    struct plumb_check_queue_value *const x = &view->value[v];
    if (((x->add | ~add) & (x->rem | add)) != PLUMB_NO_OP)
        return false;
    x->add &= i | ~add; /* all its bits were set */
    x->rem &= i | add;
    x->ec ^= (x->ec ^ o->call) & add;
    x->er ^= (x->er ^ o->ret) & add;
    x->dc = larger(x->dc, o->call & add);
    x->hr = smaller(x->hr, o->ret | add);
    return true;
}

/* A value comes before it is the front.  True if it was peeked after it left.
 */
static bool settle(struct plumb_check_queue_view *view, uint32_t v)
{
    struct plumb_check_queue_value *const x = &view->value[v];
    const struct plumb_check_input_op *const op = view->input->op;
    if (x->hr != PLUMB_NEVER && x->ec > x->hr)
        is_odd(view, v, x->hr);
    x->er = smaller(x->er, x->hr);
    if (x->rem == PLUMB_NO_OP)
        return false;
    if (x->dc > op[x->rem].ret)
        return true;
    x->dc = larger(x->dc, op[x->rem].call);
    return false;
}

/* Peeks at a value that had left are wrong, and do not make it stay. */
static void settle_late_peeks(struct plumb_check_queue_view *view)
{
    const struct plumb_check_input_op *const op = view->input->op;
    for (uint32_t v = 0; v < view->values; v++) {
        struct plumb_check_queue_value *const x = &view->value[v];
        if (x->rem != PLUMB_NO_OP && x->dc > op[x->rem].ret)
            x->dc = op[x->rem].call;
    }
    for (uint32_t i = 0; i < view->input->count; i++) {
        const struct plumb_check_input_op *const o = op + i;
        if (o->role != PLUMB_ROLE_PEEK || o->term != PLUMB_TERM_OK ||
            !plumb_check_queue_has_returned(view, o))
            continue;
        const uint32_t v = plumb_check_queue_value_of(view, o);
        struct plumb_check_queue_value *const x = &view->value[v];
        if (x->rem == PLUMB_NO_OP)
            continue;
        if (o->call > op[x->rem].ret)
            is_odd(view, v, o->ret);
        else
            x->dc = larger(x->dc, o->call);
    }
}

bool plumb_check_queue_look(struct plumb_check_queue_view *view, uint32_t end)
{
    const struct plumb_check_input *const input = view->input;
    view->end = end;
    assert(view->values == input->values + 1);
    view->opens = 0;
    view->vain = false;
    view->strange = NULL;
    view->odd = view->odd_at = PLUMB_NEVER;
    for (uint32_t v = 0; v < view->values; v++)
        view->value[v] = (struct plumb_check_queue_value){
            .ec = PLUMB_NEVER,
            .er = PLUMB_NEVER,
            .hr = PLUMB_NEVER,
            .add = PLUMB_NO_OP,
            .rem = PLUMB_NO_OP,
        };
    for (uint32_t i = 0; i < input->count && input->op[i].call <= end; i++) {
        if (!plumb_check_queue_goes_on(view, i))
            return false;
        if (!gather_usual(view, i))
            gather(view, i);
    }
    bool late = false;
    for (uint32_t v = 0; v < view->values; v++)
        late |= settle(view, v);
    if (late)
        settle_late_peeks(view);
    return true;
}
