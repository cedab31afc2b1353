/* rename_formula.c - walking over a formula, and making its image.
 *
 * Folding looks at constants that are numbers, and asks of process ids only
 * whether two are equal; so the image of a folded formula is the folded
 * image, and nodes are put together as they were. */
#include "rename_formula.h"

#include "base/memory.h"
#include "csp/formulas/formula_nodes.h"
#include "permutation.h"

int32_t plumb_csp_process_id_image(const struct plumb_csp_renamer *r,
                                   int32_t value)
{
    const struct plumb_csp_process_ids *const d = r->ids;
    if (!plumb_csp_is_process_id(d, value))
        return value;
    return d->low +
           (int32_t)plumb_csp_image(r->permutation, (uint32_t)(value - d->low));
}

uint32_t plumb_csp_element_image(const struct plumb_csp_renamer *r,
                                 const struct plumb_csp_model *model,
                                 uint32_t variable, uint32_t element)
{
    const struct plumb_csp_variable *const v = &model->variable[variable];
    const uint32_t ids = r->ids->index[variable];
    uint32_t size = v->size, to = 0;
    for (uint32_t d = 0; d < v->dimensions; d++) {
        size /= v->dimension[d];
        const int32_t at = (int32_t)(element / size);
        element %= size;
        to += size *
              (uint32_t)(ids >> d & 1 ? plumb_csp_process_id_image(r, at) : at);
    }
    return to;
}

struct walk {
    const struct plumb_csp_renamer *r;
    struct plumb_csp_formulas *f;
};

static uint32_t rename_node(const struct walk *w, uint32_t number, bool id);

static bool holds_ids(const struct walk *w, uint32_t number)
{
    const struct plumb_csp_formula_node *const n = w->f->node + number;
    return (n->kind == PLUMB_NODE_SLOT || n->kind == PLUMB_NODE_ELEMENT) &&
           w->r->ids->variable[n->number];
}

/* Does a process id stand as its i-th operand? */
static bool expects(const struct walk *w, uint32_t number, uint32_t i)
{
    const struct plumb_csp_formulas *const f = w->f;
    const struct plumb_csp_formula_node *const n = f->node + number;
    switch (n->kind) {
    case PLUMB_NODE_ELEMENT:
        return n->operands == f->model->variable[n->number].dimensions &&
               (w->r->ids->index[n->number] >> i & 1);
    case PLUMB_NODE_BINARY:
        return (n->op == PLUMB_OP_EQUAL || n->op == PLUMB_OP_UNEQUAL) &&
               (holds_ids(w, f->operand[n->first]) ||
                holds_ids(w, f->operand[n->first + 1]));
    case PLUMB_NODE_ASSIGN:
        return i == 1 && holds_ids(w, f->operand[n->first]);
    default:
        return false;
    }
}

enum { FEW = 16 };

static uint32_t rename_operands(const struct walk *w, uint32_t number)
{
    struct plumb_csp_formula_node like = w->f->node[number];
    uint32_t few[FEW], *operand = few;
    const size_t size = like.operands * sizeof *operand;
    uint32_t image = PLUMB_NO_FORMULA, i = 0;
    if (like.operands > FEW)
        operand = plumb_base_alloc(w->f->budget, size);
    if (!operand)
        return image;
    for (; i < like.operands; i++) {
        operand[i] = rename_node(w, w->f->operand[w->f->node[number].first + i],
                                 expects(w, number, i));
        if (operand[i] == PLUMB_NO_FORMULA)
            break;
    }
    if (i == like.operands)
        image = plumb_csp_node_intern(w->f, &like, operand);
    if (operand != few)
        plumb_base_release(w->f->budget, operand, size);
    return image;
}

static uint32_t rename_node(const struct walk *w, uint32_t number, bool id)
{
    struct plumb_csp_formula_node like = w->f->node[number];
    switch ((enum plumb_csp_formula_node_kind)like.kind) {
    case PLUMB_NODE_CONSTANT:
        return id ? plumb_csp_formula_constant(
                        w->f, plumb_csp_process_id_image(w->r, like.value))
                  : number;
    case PLUMB_NODE_SLOT:
        like.value = (int32_t)plumb_csp_element_image(
            w->r, w->f->model, like.number, (uint32_t)like.value);
        return plumb_csp_node_intern(w->f, &like, NULL);
    default:
        return like.operands ? rename_operands(w, number) : number;
    }
}

uint32_t plumb_csp_formula_image(const struct plumb_csp_renamer *r,
                                 struct plumb_csp_formulas *f, uint32_t formula,
                                 bool id)
{
    const struct walk w = { r, f };
    return rename_node(&w, formula, id);
}
