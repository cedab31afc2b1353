/* read_legacy.c - P <<b>> Q of older models: true goes right.
 *
 * A hidden step decides, as if (b) { Q } else { P }.  If P or Q is written so
 * as well, the same step decides that, too: the register of Liu, Chen, Liu and
 * Sun, as their paper writes it, has the published numbers of states only so.
 * What is nested is therefore one case { } with a row for each end. */
#include "model_reader.h"

struct rows {
    struct plumb_csp_exprs condition; /* NULL: the default */
    struct plumb_csp_processes child;
};

static bool add_row(struct plumb_csp_read *r, struct rows *rows,
                    const struct plumb_csp_expr *condition,
                    const struct plumb_csp_process *child)
{
    return PLUMB_LIST_ADD(r, &rows->condition, condition) &&
           PLUMB_LIST_ADD(r, &rows->child, child);
}

/* What the i-th row of a conditional asks; NULL: it is the default. */
static const struct plumb_csp_expr *test_of(const struct plumb_csp_process *p,
                                            uint32_t i)
{
    if (p->kind == PLUMB_CASE)
        return p->conditions[i];
    return i ? NULL : p->condition;
}

/* The rows of `p` where `only` holds; NULL: always. */
static bool add_rows(struct plumb_csp_read *r, struct rows *rows,
                     const struct plumb_csp_expr *only,
                     const struct plumb_csp_process *p)
{
    if (!p->legacy)
        return add_row(r, rows, only, p);
    for (uint32_t i = 0; i < p->children; i++) {
        const struct plumb_csp_expr *test = test_of(p, i);
        if (!test)
            test = only;
        else if (only)
            test = plumb_csp_expr_binary(r, p->place, PLUMB_OP_AND, only, test);
        if (r->failed || !add_row(r, rows, test, p->child[i]))
            return false;
    }
    return true;
}

static const struct plumb_csp_process *one_case(
    struct plumb_csp_read *r, const struct plumb_csp_process *node)
{
    struct plumb_csp_process all = *node;
    struct rows rows = { 0 };
    if (!add_rows(r, &rows, node->condition, node->child[0]) ||
        !add_rows(r, &rows, NULL, node->child[1]))
        return NULL;
    if (rows.child.count > PLUMB_DEEPEST_TREE)
        return plumb_csp_read_fail(r, node->place, "nested too deeply");
    all.kind = PLUMB_CASE;
    all.condition = NULL;
    all.conditions = PLUMB_LIST_TAKE(r, &rows.condition);
    all.child = rows.child.at;
    all.children = rows.child.count;
    return plumb_csp_process_new(r, &all);
}

const struct plumb_csp_process *plumb_csp_read_legacy(
    struct plumb_csp_read *r, struct plumb_csp_place place,
    const struct plumb_csp_expr *test, const struct plumb_csp_process *right,
    const struct plumb_csp_process *left)
{
    const struct plumb_csp_process *const child[] = { right, left };
    const struct plumb_csp_process node = { .kind = PLUMB_IF,
                                            .place = place,
                                            .condition = test,
                                            .child = child,
                                            .children = 2,
                                            .legacy = true };
    return right->legacy || left->legacy ? one_case(r, &node)
                                         : plumb_csp_process_new(r, &node);
}
