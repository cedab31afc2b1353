/* bind.c - a history through a specification.
 *
 * Each distinct symbol is resolved once, as a name and as a term; each distinct
 * value gets a number, in the order of first appearance, after nil, false,
 * true and 0.  What is left per operation is a few table look-ups: linear time.
 */
#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/pace.h"
#include "complaint.h"
#include "history/symbols.h"
#include "lexicon.h"
#include "values.h"
#include <assert.h>
#include <string.h>

struct binder {
    const struct plumb_history *h;
    const struct plumb_spec *spec;
    const struct plumb_spec_type *type;
    struct plumb_budget *budget;
    struct plumb_spec_bound *bound;
    struct plumb_error *err;

    struct plumb_spec_lexicon lexicon;
    struct plumb_value *value;
    size_t value_capacity;
    plumb_spec_vid values;
    struct plumb_base_index index; /* of values */
    plumb_spec_vid *vid;           /* where the next argument or result goes */
    struct plumb_spec_complaint complaint; /* the last one made */
};

static const struct plumb_spec_complaint *about(struct binder *b, uint32_t op)
{
    b->complaint = (struct plumb_spec_complaint){ .h = b->h,
                                                  .op = op,
                                                  .type = b->type,
                                                  .row = b->lexicon.row,
                                                  .budget = b->budget,
                                                  .err = b->err };
    return &b->complaint;
}

/* ---- values ---- */

static uint64_t hash_of(const void *context, uint32_t number)
{
    const struct binder *const b = context;
    return plumb_base_mix(b->value[number].bits, b->value[number].tag);
}

static plumb_spec_vid number_of(struct binder *b, struct plumb_value v)
{
    if (!plumb_base_index_room(&b->index, hash_of, b))
        return PLUMB_NO_VALUE;
    struct plumb_base_probe p =
        plumb_base_index_probe(&b->index, plumb_base_mix(v.bits, v.tag));
    PLUMB_FOR_CANDIDATES(&b->index, &p, n)
        if (plumb_value_equal(b->value[n], v))
            return n;
    if (b->values >= INT32_MAX || /* types use the bit above for themselves */
        !PLUMB_APPEND(b->budget, b->value, b->values, b->value_capacity, v))
        return PLUMB_NO_VALUE;
    plumb_base_index_put(&b->index, &p, b->values - 1);
    return b->values - 1;
}

static bool is_symbol(const struct plumb_history *h, uint64_t symbol,
                      const char *text)
{
    size_t length;
    const char *const there =
        plumb_symbol_text(h->symbols, (uint32_t)symbol, &length);
    return length == strlen(text) && memcmp(there, text, length) == 0;
}

bool plumb_spec_value_as_boolean(const struct plumb_history *h,
                                 struct plumb_value *v)
{
    if (v->tag == PLUMB_BOOL)
        return true;
    if (v->tag == PLUMB_INT && v->bits <= 1) {
        *v = plumb_bool(v->bits);
        return true;
    }
    if (v->tag != PLUMB_STR)
        return false;
    const bool t = is_symbol(h, v->bits, "true") || is_symbol(h, v->bits, "t");
    const bool f = is_symbol(h, v->bits, "false") || is_symbol(h, v->bits, "f");
    *v = plumb_bool(t);
    return t || f;
}

static enum plumb_status bind_value(struct binder *b, uint32_t op,
                                    bool response, struct plumb_value v,
                                    char letter)
{
    struct plumb_value coerced = v;
    if (letter == 'b' && !plumb_spec_value_as_boolean(b->h, &coerced))
        return plumb_spec_complain_value(about(b, op), response, v,
                                         "a boolean");
    if (letter == 'i' && v.tag != PLUMB_INT)
        return plumb_spec_complain_value(about(b, op), response, v,
                                         "an integer");
    const plumb_spec_vid n = number_of(b, coerced);
    if (n == PLUMB_NO_VALUE)
        return plumb_base_fail_memory(b->err);
    *b->vid++ = n;
    return PLUMB_OK;
}

/* `letter`: of each; NULL is any. */
static enum plumb_status bind_values(struct binder *b, uint32_t op,
                                     bool response, const struct plumb_value *v,
                                     unsigned count, const char *letter)
{
    enum plumb_status status = PLUMB_OK;
    for (unsigned i = 0; i < count && status == PLUMB_OK; i++)
        status = bind_value(b, op, response, v[i], letter ? letter[i] : 'v');
    return status;
}

/* ---- operations ---- */

static enum plumb_status bind_answer(struct binder *b, uint32_t op,
                                     unsigned row, struct plumb_spec_action *a)
{
    static const struct plumb_spec_shape anything = { .most = UINT8_MAX };
    const struct plumb_op *const o = b->h->op + op;
    const struct plumb_spec_row *const r = b->lexicon.row + row;
    const unsigned term = plumb_spec_lexicon_term(&b->lexicon, o->term);
    if (term == PLUMB_NO_TERM || (!r->any && !r->answer[term].present))
        return plumb_spec_complain_term(about(b, op));
    const struct plumb_spec_shape *const s =
        r->any ? &anything : r->answer + term;
    if (o->nres < s->least || o->nres > s->most)
        return plumb_spec_complain_results(about(b, op), row);
    a->term = (uint8_t)term;
    a->nres = o->nres;
    a->res = b->vid;
    return bind_values(b, op, true, plumb_op_results(b->h, o), o->nres,
                       r->any ? NULL : s->letter);
}

static enum plumb_status bind_operation(struct binder *b, uint32_t op,
                                        struct plumb_spec_action *a)
{
    const struct plumb_op *const o = b->h->op + op;
    const int row = plumb_spec_lexicon_row(&b->lexicon, o);
    if (row == PLUMB_NO_OPERATION)
        return plumb_spec_complain_operation(about(b, op));
    if (row == PLUMB_NO_ARITY)
        return plumb_spec_complain_arity(
            about(b, op), plumb_spec_lexicon_first_row(&b->lexicon, o));
    *a = (struct plumb_spec_action){
        .kind = (uint16_t)row,
        .term = PLUMB_TERM_ANY,
        .nargs = o->nargs,
        .skip = o->outcome == PLUMB_OUTCOME_FAIL,
        .thread = o->thread,
        .whose = o->thread,
        .call = o->call,
        .ret = plumb_op_ret(o),
        .arg = b->vid,
    };
    const enum plumb_status status =
        bind_values(b, op, false, plumb_op_args(b->h, o), o->nargs,
                    b->lexicon.row[row].args);
    if (status != PLUMB_OK || o->outcome != PLUMB_OUTCOME_OK)
        return status;
    return bind_answer(b, op, (unsigned)row, a);
}

/* An empty array has an address too: NULL is for failure alone. */
static void *new_array(struct binder *b, size_t count, size_t size)
{
    return plumb_base_arena_alloc(&b->bound->arena, count ? count * size : 1);
}

static bool count_vids(const struct binder *b, size_t *n)
{
    *n = 0;
    for (uint32_t i = 0; i < b->h->count; i++) {
        if (!plumb_base_in_time(b->budget, i))
            return false;
        *n += (size_t)b->h->op[i].nargs + b->h->op[i].nres;
    }
    return true;
}

static enum plumb_status bind_operations(struct binder *b)
{
    const struct plumb_history *const h = b->h;
    struct plumb_spec_action *const action =
        new_array(b, h->count, sizeof *action);
    uint64_t *const kinds = new_array(b, h->objects, sizeof *kinds);
    size_t vids;
    if (!count_vids(b, &vids))
        return plumb_base_fail_budget(b->budget, b->err);
    b->vid = new_array(b, vids, sizeof *b->vid);
    if (!action || !kinds || !b->vid)
        return plumb_base_fail_memory(b->err);
    b->bound->action = action;
    b->bound->kinds = kinds;
    memset(kinds, 0, h->objects * sizeof *kinds);
    for (uint32_t i = 0; i < h->count; i++) {
        enum plumb_status status = bind_operation(b, i, action + i);
        if (status == PLUMB_OK && i % PLUMB_POLL_OPERATIONS == 0)
            status = plumb_budget_state(b->budget);
        if (status != PLUMB_OK)
            return status;
        if (!action[i].skip && action[i].kind < 64)
            kinds[h->op[i].object] |= (uint64_t)1 << action[i].kind;
    }
    for (uint32_t i = 0; i < h->objects; i++)
        b->bound->all_kinds |= kinds[i];
    return PLUMB_OK;
}

/* ---- before and after ---- */

static struct plumb_value parameter_value(const struct binder *b, unsigned i)
{
    const struct plumb_spec *const spec = b->spec;
    struct plumb_value v = { spec->param[i], spec->param_tag[i], 0 };
    if (v.tag != PLUMB_STR)
        return v;
    const uint32_t symbol = plumb_symbol_find(
        b->h->symbols, spec->param_text[i], strlen(spec->param_text[i]));
    static_assert(PLUMB_FOREIGN_SYMBOL == UINT32_MAX,
                  "what a failed find gives");
    return plumb_str(symbol);
}

static bool number_constants(struct binder *b)
{
    struct plumb_spec_bound *const bound = b->bound;
    const struct plumb_value constant[] = {
        [PLUMB_VID_NIL] = plumb_nil(),
        [PLUMB_VID_FALSE] = plumb_bool(false),
        [PLUMB_VID_TRUE] = plumb_bool(true),
        [PLUMB_VID_ZERO] = plumb_int(0),
    };
    for (plumb_spec_vid i = 0; i < sizeof constant / sizeof *constant; i++)
        if (number_of(b, constant[i]) != i)
            return false; /* an allocation failed */
    for (unsigned i = 0; i < PLUMB_MAX_PARAMS; i++) {
        bound->param[i] = PLUMB_NO_VALUE;
        if (i >= b->type->nparams || !b->spec->given[i] ||
            b->type->params[i].kind != PLUMB_PARAM_VALUE)
            continue;
        bound->param[i] = number_of(b, parameter_value(b, i));
        if (bound->param[i] == PLUMB_NO_VALUE)
            return false;
    }
    return true;
}

static bool keep_values(struct binder *b)
{
    struct plumb_value *const value = new_array(b, b->values, sizeof *value);
    const char **const term = new_array(b, b->lexicon.terms, sizeof *term);
    if (!value || !term)
        return false;
    memcpy(value, b->value, b->values * sizeof *value);
    memcpy(term, b->lexicon.term, b->lexicon.terms * sizeof *term);
    b->bound->value = value;
    b->bound->values = b->values;
    b->bound->term = term;
    b->bound->terms = b->lexicon.terms;
    return true;
}

/* Does some action?  False if there is no time to tell. */
static bool ask_whether_it_branches(struct plumb_spec_bound *bound)
{
    const struct plumb_spec_type *const type = bound->spec->type;
    const uint32_t count = type->branches ? bound->history->count : 0;
    for (uint32_t i = 0; i < count && !bound->branches; i++) {
        if (!plumb_base_in_time(bound->arena.budget, i))
            return false;
        bound->branches =
            !bound->action[i].skip && type->branches(bound, bound->action + i);
    }
    return true;
}

static enum plumb_status bind(struct binder *b)
{
    if (!plumb_spec_lexicon_open(&b->lexicon, b->h, b->spec, b->budget) ||
        !number_constants(b))
        return plumb_base_fail_memory(b->err);
    const enum plumb_status status = bind_operations(b);
    if (status != PLUMB_OK)
        return status;
    if (!keep_values(b))
        return plumb_base_fail_memory(b->err);
    if ((b->type->ordered && !plumb_spec_rank_values(b->bound)) ||
        !ask_whether_it_branches(b->bound))
        return plumb_base_fail_budget(b->budget, b->err);
    return PLUMB_OK;
}

enum plumb_status plumb_spec_bind(const struct plumb_history *h,
                                  const struct plumb_spec *spec,
                                  struct plumb_budget *budget,
                                  struct plumb_spec_bound *bound,
                                  struct plumb_error *err)
{
    assert(h && spec && bound && err);
    struct binder b = { .h = h,
                        .spec = spec,
                        .type = spec->type,
                        .budget = budget,
                        .bound = bound,
                        .err = err };
    *bound = (struct plumb_spec_bound){ .history = h, .spec = spec };
    plumb_base_arena_init(&bound->arena, budget);
    plumb_base_index_init(&b.index, budget);
    const enum plumb_status status = bind(&b);
    plumb_base_index_release(&b.index);
    PLUMB_RELEASE(budget, b.value, b.value_capacity);
    plumb_spec_lexicon_close(&b.lexicon);
    if (status != PLUMB_OK)
        plumb_spec_bound_release(bound);
    return status;
}

void plumb_spec_bound_release(struct plumb_spec_bound *bound)
{
    plumb_base_arena_release(&bound->arena);
    *bound = (struct plumb_spec_bound){ .history = NULL };
}
