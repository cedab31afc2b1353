/* formulas.c - expressions and programs in, numbers out.
 *
 * Locals are replaced while an expression is walked; what the nodes are and
 * how they are folded is in formula_nodes.c.
 *
 * A local of an effect stands for the value it had before the effect began.
 * So where what is bound to it reads a slot that the program writes, it is
 * worked out first and kept in a temporary; everywhere else it is put in as
 * it is. */
#include "formulas.h"

#include "base/vector.h"
#include "formula_nodes.h"

/* A walk through an expression or program. */
struct walk {
    struct plumb_csp_formulas *f;
    const plumb_csp_binding *binding;
    /* Of an effect: bindings that read what it writes become temporaries. */
    const uint64_t *writes; /* NULL: none does */
    uint32_t words, temps;
    PLUMB_VECTOR(uint32_t) saved; /* the formula of temporary temps + i */
    uint32_t depth;
};

/* ---- expressions ---- */

static uint32_t walk_expr(struct walk *w, const struct plumb_csp_expr *e);

static uint32_t temp_node(struct plumb_csp_formulas *f, uint32_t number,
                          struct plumb_csp_place place)
{
    const struct plumb_csp_formula_node like = { .kind = PLUMB_NODE_TEMP,
                                                 .number = number,
                                                 .place = place };
    return plumb_csp_node_intern(f, &like, NULL);
}

static bool reads_what_is_written(struct walk *w, uint32_t formula, bool *yes)
{
    const size_t size = w->words * sizeof(uint64_t);
    uint64_t *const reads = plumb_base_alloc_zeroed(w->f->budget, size);
    if (!reads)
        return false;
    plumb_csp_formula_access(w->f, formula, reads);
    *yes = false;
    for (uint32_t i = 0; i < w->words; i++)
        *yes |= (reads[i] & w->writes[i]) != 0;
    plumb_base_release(w->f->budget, reads, size);
    return true;
}

/* The temporary that keeps `formula`, new if there is none yet. */
static uint32_t saved_temp(struct walk *w, uint32_t formula,
                           struct plumb_csp_place place)
{
    size_t i = 0;
    while (i < w->saved.count && w->saved.at[i] != formula)
        i++;
    if (i == w->saved.count && !PLUMB_PUSH(w->f->budget, &w->saved, formula))
        return PLUMB_NO_FORMULA;
    return temp_node(w->f, w->temps + (uint32_t)i, place);
}

static uint32_t walk_local(struct walk *w, const struct plumb_csp_expr *e)
{
    const uint32_t bound =
        w->binding ? w->binding[e->number] : PLUMB_NO_FORMULA;
    bool save = false;
    if (bound == PLUMB_NO_FORMULA) {
        const struct plumb_csp_formula_node like = { .kind = PLUMB_NODE_LOCAL,
                                                     .number = e->number,
                                                     .place = e->place };
        return plumb_csp_node_intern(w->f, &like, NULL);
    }
    if (w->writes && !reads_what_is_written(w, bound, &save))
        return PLUMB_NO_FORMULA;
    return save ? saved_temp(w, bound, e->place) : bound;
}

/* Operands as nodes; more than a few take memory. */
enum { FEW = 8 };

struct operands {
    uint32_t few[FEW], *node;
    size_t size;
};

static bool operands_open(struct walk *w, struct operands *o, uint32_t count)
{
    o->node = o->few;
    o->size = count * sizeof *o->node;
    if (count > FEW)
        o->node = plumb_base_alloc(w->f->budget, o->size);
    return o->node != NULL;
}

static void operands_close(struct walk *w, struct operands *o)
{
    if (o->node != o->few)
        plumb_base_release(w->f->budget, o->node, o->size);
}

static bool walk_operands(struct walk *w, const struct plumb_csp_expr *e,
                          struct operands *o)
{
    if (!operands_open(w, o, e->operands))
        return false;
    for (uint32_t i = 0; i < e->operands; i++) {
        o->node[i] = walk_expr(w, e->operand[i]);
        if (o->node[i] == PLUMB_NO_FORMULA) {
            operands_close(w, o);
            return false;
        }
    }
    return true;
}

static uint32_t build(struct walk *w, const struct plumb_csp_expr *e,
                      const uint32_t *node)
{
    struct plumb_csp_formulas *const f = w->f;
    switch (e->kind) {
    case PLUMB_EXPR_UNARY:
        return plumb_csp_node_unary(f, e->op, node[0], e->place);
    case PLUMB_EXPR_BINARY:
        return plumb_csp_node_binary(f, e->op, node[0], node[1], e->place);
    case PLUMB_EXPR_CALL:
        return plumb_csp_node_call(f, e->number, node, e->operands, e->place);
    case PLUMB_EXPR_CHANNEL:
        return plumb_csp_node_channel(f, e->query, e->number, node, e->operands,
                                      e->place);
    case PLUMB_EXPR_PICK:
        return plumb_csp_node_pick(f, node, e->operands, e->place);
    case PLUMB_EXPR_METHOD:
        return plumb_csp_node_method(f, e->number, e->part, node, e->operands,
                                     e->place);
    default:
        return plumb_csp_node_element(f, e->number, node, e->operands,
                                      e->place);
    }
}

static uint32_t walk_compound(struct walk *w, const struct plumb_csp_expr *e)
{
    struct operands o;
    uint32_t result = PLUMB_NO_FORMULA;
    if (w->depth >= PLUMB_DEEPEST_NODE)
        return result;
    w->depth++;
    if (walk_operands(w, e, &o)) {
        result = build(w, e, o.node);
        operands_close(w, &o);
    }
    w->depth--;
    return result;
}

static uint32_t walk_expr(struct walk *w, const struct plumb_csp_expr *e)
{
    switch (e->kind) {
    case PLUMB_EXPR_CONSTANT:
        return plumb_csp_formula_constant(w->f, e->value);
    case PLUMB_EXPR_LOCAL:
        return walk_local(w, e);
    case PLUMB_EXPR_TEMP:
        return temp_node(w->f, e->number, e->place);
    default:
        return walk_compound(w, e);
    }
}

/* ---- programs ---- */

static uint32_t walk_block(struct walk *w, const struct plumb_csp_statement *s);

static uint32_t statement_node(struct plumb_csp_formulas *f,
                               enum plumb_csp_formula_node_kind kind,
                               const uint32_t *operand, uint32_t operands,
                               struct plumb_csp_place place)
{
    const struct plumb_csp_formula_node like = { .kind = (uint8_t)kind,
                                                 .operands = operands,
                                                 .place = place };
    return plumb_csp_node_intern(f, &like, operand);
}

static uint32_t walk_assign(struct walk *w, const struct plumb_csp_statement *s)
{
    uint32_t part[2];
    if ((part[0] = walk_expr(w, s->target)) == PLUMB_NO_FORMULA ||
        (part[1] = walk_expr(w, s->value)) == PLUMB_NO_FORMULA)
        return PLUMB_NO_FORMULA;
    return statement_node(w->f, PLUMB_NODE_ASSIGN, part, 2, s->place);
}

static uint32_t walk_if(struct walk *w, const struct plumb_csp_statement *s)
{
    uint32_t part[3];
    int32_t known;
    part[0] = walk_expr(w, s->value);
    if (part[0] == PLUMB_NO_FORMULA)
        return PLUMB_NO_FORMULA;
    if (plumb_csp_formula_is_constant(w->f, part[0], &known))
        return walk_block(w, known ? s->body : s->otherwise);
    if ((part[1] = walk_block(w, s->body)) == PLUMB_NO_FORMULA ||
        (part[2] = walk_block(w, s->otherwise)) == PLUMB_NO_FORMULA)
        return PLUMB_NO_FORMULA;
    return statement_node(w->f, PLUMB_NODE_IF, part, 3, s->place);
}

static uint32_t walk_while(struct walk *w, const struct plumb_csp_statement *s)
{
    uint32_t part[2];
    int32_t known;
    part[0] = walk_expr(w, s->value);
    if (part[0] == PLUMB_NO_FORMULA)
        return PLUMB_NO_FORMULA;
    if (plumb_csp_formula_is_constant(w->f, part[0], &known) && !known)
        return 0;
    part[1] = walk_block(w, s->body);
    if (part[1] == PLUMB_NO_FORMULA)
        return PLUMB_NO_FORMULA;
    return statement_node(w->f, PLUMB_NODE_WHILE, part, 2, s->place);
}

static uint32_t walk_evaluate(struct walk *w,
                              const struct plumb_csp_statement *s)
{
    int32_t known;
    const uint32_t value = walk_expr(w, s->value);
    if (value == PLUMB_NO_FORMULA)
        return PLUMB_NO_FORMULA;
    if (plumb_csp_formula_is_constant(w->f, value, &known))
        return 0;
    return statement_node(w->f, PLUMB_NODE_EVALUATE, &value, 1, s->place);
}

static uint32_t walk_statement(struct walk *w,
                               const struct plumb_csp_statement *s)
{
    switch (s->kind) {
    case PLUMB_STATEMENT_ASSIGN:
        return walk_assign(w, s);
    case PLUMB_STATEMENT_IF:
        return walk_if(w, s);
    case PLUMB_STATEMENT_WHILE:
        return walk_while(w, s);
    default:
        return walk_evaluate(w, s);
    }
}

/* One node for `count` statements. */
static uint32_t block_of(struct plumb_csp_formulas *f, const uint32_t *node,
                         uint32_t count)
{
    if (count == 0)
        return 0;
    if (count == 1)
        return node[0];
    return statement_node(f, PLUMB_NODE_BLOCK, node, count,
                          f->node[node[0]].place);
}

static uint32_t walk_block(struct walk *w, const struct plumb_csp_statement *s)
{
    struct operands o;
    uint32_t count = 0, statements = 0, result;
    for (const struct plumb_csp_statement *i = s; i; i = i->next)
        statements++;
    if (w->depth >= PLUMB_DEEPEST_NODE || !operands_open(w, &o, statements))
        return PLUMB_NO_FORMULA;
    w->depth++;
    for (result = 0; s && result != PLUMB_NO_FORMULA; s = s->next) {
        result = walk_statement(w, s);
        if (result != PLUMB_NO_FORMULA && result != 0)
            o.node[count++] = result;
    }
    w->depth--;
    if (result != PLUMB_NO_FORMULA)
        result = block_of(w->f, o.node, count);
    operands_close(w, &o);
    return result;
}

/* temporary := formula, for each that is saved, then `body`. */
static uint32_t with_saves(struct walk *w, uint32_t body,
                           struct plumb_csp_place place)
{
    struct operands o;
    const uint32_t saves = (uint32_t)w->saved.count;
    uint32_t result = PLUMB_NO_FORMULA;
    if (!operands_open(w, &o, saves + 1))
        return PLUMB_NO_FORMULA;
    for (uint32_t i = 0; i < saves; i++) {
        const uint32_t part[] = { temp_node(w->f, w->temps + i, place),
                                  w->saved.at[i] };
        if (part[0] == PLUMB_NO_FORMULA)
            goto out;
        o.node[i] = statement_node(w->f, PLUMB_NODE_ASSIGN, part, 2, place);
        if (o.node[i] == PLUMB_NO_FORMULA)
            goto out;
    }
    o.node[saves] = body;
    result = block_of(w->f, o.node, saves + 1);
out:
    operands_close(w, &o);
    return result;
}

/* The effect again, with what reads its writes saved first. */
static uint32_t walk_saving(struct walk *w,
                            const struct plumb_csp_program *program,
                            uint32_t plain)
{
    const size_t size = w->words * sizeof(uint64_t);
    uint64_t *const writes = plumb_base_alloc_zeroed(w->f->budget, size);
    if (!writes)
        return PLUMB_NO_FORMULA;
    plumb_csp_effect_access(w->f, plain, NULL, writes);
    w->writes = writes;
    uint32_t result = walk_block(w, program->first);
    if (result != PLUMB_NO_FORMULA)
        result = w->saved.count ? with_saves(w, result, program->place) : plain;
    PLUMB_VECTOR_RELEASE(w->f->budget, &w->saved);
    plumb_base_release(w->f->budget, writes, size);
    return result;
}

/* ---- the interface ---- */

uint32_t plumb_csp_formula(struct plumb_csp_formulas *f,
                           const struct plumb_csp_expr *e,
                           const plumb_csp_binding *binding)
{
    struct walk w = { .f = f, .binding = binding };
    return walk_expr(&w, e);
}

uint32_t plumb_csp_formula_not(struct plumb_csp_formulas *f, uint32_t formula)
{
    return plumb_csp_node_unary(f, PLUMB_OP_NOT, formula,
                                f->node[formula].place);
}

uint32_t plumb_csp_formula_and(struct plumb_csp_formulas *f, uint32_t a,
                               uint32_t b)
{
    return plumb_csp_node_binary(f, PLUMB_OP_AND, a, b, f->node[a].place);
}

uint32_t plumb_csp_effect(struct plumb_csp_formulas *f,
                          const struct plumb_csp_program *program,
                          const plumb_csp_binding *binding)
{
    if (!program || !program->first)
        return 0;
    struct walk w = { .f = f,
                      .binding = binding,
                      .words = (f->model->slots + 63) / 64,
                      .temps = program->temps };
    const uint32_t plain = walk_block(&w, program->first);
    if (plain == PLUMB_NO_FORMULA || plain == 0 || !binding || !w.words)
        return plain;
    return walk_saving(&w, program, plain);
}

uint32_t plumb_csp_effect_idle(struct plumb_csp_formulas *f)
{
    const struct plumb_csp_place nowhere = { 0, 0, 0 };
    const uint32_t zero = plumb_csp_formula_constant(f, 0);
    return zero == PLUMB_NO_FORMULA
               ? zero
               : statement_node(f, PLUMB_NODE_EVALUATE, &zero, 1, nowhere);
}
