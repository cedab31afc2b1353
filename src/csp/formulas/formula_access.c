/* formula_access.c - which slots a formula or effect may read or write.
 *
 * What is constant was put in before, so a slot that is named is exactly that
 * slot.  Both branches of an if count. */
#include "formula_nodes.h"

struct access {
    const struct plumb_csp_formulas *f;
    uint64_t *reads, *writes;
};

static void mark(uint64_t *set, uint32_t slot, uint32_t count)
{
    if (!set)
        return;
    for (uint32_t i = slot; i < slot + count; i++)
        set[i / 64] |= (uint64_t)1 << i % 64;
}

static void mark_variable(const struct access *a, uint64_t *set,
                          const struct plumb_csp_formula_node *n)
{
    const struct plumb_csp_variable *const v =
        a->f->model->variable + n->number;
    if (n->kind == PLUMB_NODE_SLOT)
        mark(set, v->slot + (uint32_t)n->value, 1);
    else
        mark(set, v->slot, v->size);
}

static void mark_channel(const struct access *a,
                         const struct plumb_csp_formula_node *n)
{
    const struct plumb_csp_channel *const c = a->f->model->channel + n->number;
    int32_t at = 0;
    const bool known = !n->operands || plumb_csp_formula_is_constant(
                                           a->f, a->f->operand[n->first], &at);
    if (!known)
        mark(a->reads, c->slot, c->size);
    else if (at >= 0 && (uint32_t)at < c->size)
        mark(a->reads, c->slot + (uint32_t)at, 1);
}

static void visit(const struct access *a, uint32_t number);

static void visit_operands(const struct access *a,
                           const struct plumb_csp_formula_node *n,
                           uint32_t from)
{
    for (uint32_t i = from; i < n->operands; i++)
        visit(a, a->f->operand[n->first + i]);
}

/* The target of an assignment is written, its indices are read. */
static void visit_assign(const struct access *a,
                         const struct plumb_csp_formula_node *n)
{
    const struct plumb_csp_formula_node *const target =
        a->f->node + a->f->operand[n->first];
    if (target->kind != PLUMB_NODE_TEMP)
        mark_variable(a, a->writes, target);
    visit_operands(a, target, 0);
    visit_operands(a, n, 1);
}

static void visit(const struct access *a, uint32_t number)
{
    const struct plumb_csp_formula_node *const n = a->f->node + number;
    switch (n->kind) {
    case PLUMB_NODE_SLOT:
    case PLUMB_NODE_ELEMENT:
    case PLUMB_NODE_ARRAY:
        mark_variable(a, a->reads, n);
        break;
    case PLUMB_NODE_CHANNEL:
        mark_channel(a, n);
        break;
    case PLUMB_NODE_ASSIGN:
        visit_assign(a, n);
        return;
    default:
        break;
    }
    visit_operands(a, n, 0);
}

void plumb_csp_formula_access(const struct plumb_csp_formulas *f,
                              uint32_t formula, uint64_t *reads)
{
    const struct access a = { .f = f, .reads = reads };
    visit(&a, formula);
}

void plumb_csp_effect_access(const struct plumb_csp_formulas *f,
                             uint32_t effect, uint64_t *reads, uint64_t *writes)
{
    const struct access a = { .f = f, .reads = reads, .writes = writes };
    visit(&a, effect);
}
