/* rank_errors.c - see rank_errors.h. */
#include "rank_errors.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/pair_index.h"
#include "rank_search.h"
#include "spec/spec.h"
#include <string.h>

struct counting {
    struct plumb_check_rank_errors *r;
    const struct plumb_history *h;
    const struct plumb_spec_bound *bound;
    struct plumb_budget *budget;
    enum plumb_check_rank_order order;
    struct plumb_base_pairs items; /* of one or two values each */
    struct plumb_check_rank_op *op;
    uint32_t *error, *priority;
};

/* ---- which specifications ---- */

static bool find_order(const struct plumb_spec *spec,
                       enum plumb_check_rank_order *order)
{
    static const char *const name[] = { "queue", "stack", "priority-queue" };
    for (unsigned i = 0; i < sizeof name / sizeof *name; i++)
        if (!plumb_spec_user(spec) && strcmp(spec->type->name, name[i]) == 0) {
            *order = (enum plumb_check_rank_order)i;
            return true;
        }
    return false;
}

bool plumb_check_has_ranks(const struct plumb_spec *spec)
{
    enum plumb_check_rank_order order;
    return find_order(spec, &order);
}

/* "priority-queue:max" */
static bool largest_first(const struct plumb_spec *spec)
{
    for (unsigned i = 0; i < spec->type->nparams; i++)
        if (strcmp(spec->type->params[i].name, "max") == 0)
            return spec->given[i] && spec->param[i];
    return false;
}

/* ---- operations as the search takes them ---- */

static uint32_t item_of(struct counting *c, const plumb_spec_vid *value,
                        unsigned count)
{
    const struct plumb_base_pair pair = { value[0], count > 1
                                                        ? value[1]
                                                        : PLUMB_NO_VALUE };
    return plumb_base_pairs_number(&c->items, pair);
}

static bool answers(const struct plumb_spec_action *a)
{
    return a->term == PLUMB_TERM_OK && a->nres > 0;
}

static enum plumb_check_rank_kind kind_of(const struct counting *c,
                                          const struct plumb_spec_action *a)
{
    const enum plumb_spec_role role = c->bound->spec->type->ops[a->kind].role;
    const bool unknown = a->term == PLUMB_TERM_ANY;
    if (a->skip)
        return PLUMB_RANK_NOTHING;
    if (role == PLUMB_ROLE_ADD)
        return unknown || a->term == PLUMB_TERM_OK ? PLUMB_RANK_ADD
                                                   : PLUMB_RANK_NOTHING;
    if (role == PLUMB_ROLE_REMOVE && (unknown || answers(a)))
        return PLUMB_RANK_REMOVE;
    if (role == PLUMB_ROLE_PEEK && answers(a))
        return PLUMB_RANK_FRONT;
    return a->term == PLUMB_TERM_EMPTY ? PLUMB_RANK_EMPTY : PLUMB_RANK_NOTHING;
}

/* False when memory is refused. */
static bool translate(struct counting *c, uint32_t i,
                      struct plumb_check_rank_op *to)
{
    const struct plumb_spec_action *const a = &c->bound->action[i];
    const enum plumb_check_rank_kind kind = kind_of(c, a);
    const bool adds = kind == PLUMB_RANK_ADD;
    *to = (struct plumb_check_rank_op){
        .kind = kind,
        .call = c->h->op[i].call,
        .ret = plumb_op_ret(&c->h->op[i]),
        .pending = plumb_op_is_pending(&c->h->op[i]),
        .item = UINT32_MAX,
    };
    if (!adds && !(answers(a) &&
                   (kind == PLUMB_RANK_REMOVE || kind == PLUMB_RANK_FRONT)))
        return true;
    to->item = item_of(c, adds ? a->arg : a->res, adds ? a->nargs : a->nres);
    return to->item != UINT32_MAX;
}

static bool set_priorities(struct counting *c)
{
    const bool max = largest_first(c->bound->spec);
    c->priority = plumb_base_alloc(c->budget, (c->items.count + (size_t)1) *
                                                  sizeof *c->priority);
    for (uint32_t i = 0; c->priority && i < c->items.count; i++) {
        const uint32_t value = plumb_base_pairs_at(&c->items, i).left;
        const uint32_t rank = c->bound->rank ? c->bound->rank[value] : value;
        c->priority[i] = max ? c->bound->values - 1 - rank : rank;
    }
    return c->priority;
}

/* ---- one object ---- */

static bool count_error(struct counting *c, uint32_t error)
{
    struct plumb_check_rank_errors *const r = c->r;
    if (!PLUMB_GROW_ZEROED(NULL, r->count, r->capacity, (size_t)error + 1))
        return false;
    if (error >= r->errors)
        r->errors = (size_t)error + 1;
    r->count[error]++;
    r->removals++;
    r->sum += error;
    return true;
}

static enum plumb_status count_object(struct counting *c, uint32_t object,
                                      bool *ordered)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->h->count; i++) {
        if (c->h->op[i].object != object)
            continue;
        if (!translate(c, i, &c->op[count]))
            return PLUMB_EMEMORY;
        count += c->op[count].kind != PLUMB_RANK_NOTHING;
    }
    if (!set_priorities(c))
        return PLUMB_EMEMORY;
    const struct plumb_check_rank_search search = {
        .op = c->op,
        .count = count,
        .order = c->order,
        .priority = c->priority,
        .budget = c->budget,
    };
    enum plumb_status status =
        plumb_check_rank_search(&search, c->error, ordered);
    for (uint32_t i = 0; status == PLUMB_OK && *ordered && i < count; i++)
        if (c->error[i] != UINT32_MAX && !count_error(c, c->error[i]))
            status = PLUMB_EMEMORY;
    plumb_base_release(c->budget, c->priority,
                       (c->items.count + (size_t)1) * sizeof *c->priority);
    return status;
}

static enum plumb_status count_objects(struct counting *c, bool *ordered)
{
    enum plumb_status status = PLUMB_OK;
    *ordered = true;
    for (uint32_t i = 0; i < c->h->objects && status == PLUMB_OK && *ordered;
         i++)
        status = count_object(c, i, ordered);
    return status;
}

static enum plumb_status count_bound(struct counting *c)
{
    const size_t count = c->h->count + (size_t)1;
    enum plumb_status status = PLUMB_EMEMORY;
    bool ordered = false;
    plumb_base_pairs_init(&c->items, c->budget);
    c->op = plumb_base_alloc(c->budget, count * sizeof *c->op);
    c->error = plumb_base_alloc(c->budget, count * sizeof *c->error);
    if (c->op && c->error)
        status = count_objects(c, &ordered);
    if (c->op)
        plumb_base_release(c->budget, c->op, count * sizeof *c->op);
    if (c->error)
        plumb_base_release(c->budget, c->error, count * sizeof *c->error);
    plumb_base_pairs_release(&c->items);
    if (status == PLUMB_EMEMORY || status == PLUMB_ETIME) {
        c->r->undecided++;
        return PLUMB_OK;
    }
    c->r->histories += status == PLUMB_OK && ordered;
    c->r->unordered += status == PLUMB_OK && !ordered;
    return status;
}

/* ---- a history ---- */

enum plumb_status plumb_check_rank_errors_add(struct plumb_check_rank_errors *r,
                                              const struct plumb_history *h,
                                              const struct plumb_spec *spec,
                                              struct plumb_budget *budget,
                                              struct plumb_error *err)
{
    struct plumb_spec_bound bound;
    struct counting c = { .r = r, .h = h, .bound = &bound, .budget = budget };
    if (!find_order(spec, &c.order))
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "rank errors are of queues, stacks and priority "
                               "queues, not of %.100s",
                               plumb_spec_text(spec));
    enum plumb_status status = plumb_spec_bind(h, spec, budget, &bound, err);
    if (status != PLUMB_OK)
        return status;
    status = count_bound(&c);
    plumb_spec_bound_release(&bound);
    return status == PLUMB_OK ? PLUMB_OK : plumb_base_fail_budget(budget, err);
}

void plumb_check_rank_errors_release(struct plumb_check_rank_errors *r)
{
    PLUMB_RELEASE(NULL, r->count, r->capacity);
    *r = (struct plumb_check_rank_errors){ .histories = 0 };
}
