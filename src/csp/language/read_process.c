/* read_process.c - processes, by climbing precedence.
 *
 * Loosest first: ||| || [] <> [*] interrupt, P <<b>> Q, \{..}, `;`, then
 * [guard] and ->, which belong to what follows them.  An operator with indices
 * stands before its operand, and that is everything to its right.  A chain of
 * one operator is one process with many children. */
#include "model_reader.h"

enum {
    LEVEL_ALL = 1,
    LEVEL_INTERRUPT = 6,
    LEVEL_LEGACY = 7,
    LEVEL_HIDE = 8,
    LEVEL_SEQUENCE = 9,
    LEVEL_OPERAND = 10
};

struct operator_text {
    const char *text;
    enum plumb_csp_process_kind kind;
    int level;
};

static const struct operator_text operators[] = {
    { "|||", PLUMB_INTERLEAVE, 1 },
    { "||", PLUMB_PARALLEL, 2 },
    { "[]", PLUMB_CHOICE, 3 },
    { "<>", PLUMB_INTERNAL, 4 },
    { "[*]", PLUMB_EXTERNAL, 5 },
    { "interrupt", PLUMB_INTERRUPT, LEVEL_INTERRUPT },
    { "<<", PLUMB_IF, LEVEL_LEGACY },
    { "\\", PLUMB_HIDE, LEVEL_HIDE },
    { ";", PLUMB_SEQUENCE, LEVEL_SEQUENCE },
};

static const struct plumb_csp_process *read_level(struct plumb_csp_read *r,
                                                  int level);

static const struct operator_text *operator_at(const struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (plumb_csp_token_is(t, operators[i].text))
            return operators + i;
    return NULL;
}

/* ---- nodes ---- */

static uint32_t depth_of(const struct plumb_csp_process *p)
{
    return ((const struct plumb_csp_branch *)(const void *)p)->depth;
}

const struct plumb_csp_process *plumb_csp_process_new(
    struct plumb_csp_read *r, const struct plumb_csp_process *node)
{
    struct plumb_csp_branch *const b =
        r->failed ? NULL : plumb_csp_read_new(r, sizeof *b);
    if (!b)
        return NULL;
    b->process = *node;
    for (uint32_t i = 0; i < node->children; i++)
        if (depth_of(node->child[i]) >= b->depth)
            b->depth = depth_of(node->child[i]) + 1;
    if (b->depth >= PLUMB_DEEPEST_TREE)
        return plumb_csp_read_fail(r, node->place, "nested too deeply");
    b->process.child = plumb_csp_list_taken(
        r, node->child, node->children * sizeof *node->child);
    return r->failed ? NULL : &b->process;
}

const struct plumb_csp_process *plumb_csp_process_leaf(
    struct plumb_csp_read *r, enum plumb_csp_process_kind kind,
    struct plumb_csp_place place)
{
    return plumb_csp_process_new(
        r, &(struct plumb_csp_process){ .kind = kind, .place = place });
}

const struct plumb_csp_process *plumb_csp_process_above(
    struct plumb_csp_read *r, struct plumb_csp_process node,
    const struct plumb_csp_process *first,
    const struct plumb_csp_process *second)
{
    const struct plumb_csp_process *const child[] = { first, second };
    if (!first)
        return NULL;
    node.child = child;
    node.children = second ? 2 : 1;
    return plumb_csp_process_new(r, &node);
}

/* ---- operators between processes ---- */

/* Does the ; at the cursor end the definition? */
static bool is_end(const struct plumb_csp_read *r)
{
    return plumb_csp_read_item_begins(r, r->at + 1);
}

static bool read_chain(struct plumb_csp_read *r, const struct operator_text *o,
                       const struct plumb_csp_process *first,
                       struct plumb_csp_processes *chain)
{
    const struct plumb_csp_process *next = first;
    while (plumb_csp_processes_add(r, chain, next)) {
        if (!plumb_csp_read_at(r, o->text) ||
            (o->kind == PLUMB_SEQUENCE && is_end(r)))
            return true;
        r->at++;
        next = read_level(r, o->level + 1);
    }
    return false;
}

/* A;B;C is A;(B;C). */
static const struct plumb_csp_process *sequence(
    struct plumb_csp_read *r, struct plumb_csp_place place,
    const struct plumb_csp_processes *chain)
{
    const struct plumb_csp_process node = { .kind = PLUMB_SEQUENCE,
                                            .place = place };
    const struct plumb_csp_process *all = chain->at[chain->count - 1];
    for (uint32_t i = chain->count - 1; all && i-- > 0;)
        all = plumb_csp_process_above(r, node, chain->at[i], all);
    return all;
}

/* P <<b>> Q: true goes right. */
static const struct plumb_csp_process *read_legacy(
    struct plumb_csp_read *r, struct plumb_csp_place place,
    const struct plumb_csp_process *left)
{
    if (!r->reading->legacy)
        return plumb_csp_read_fail(
            r, place,
            "P <<b>> Q is old syntax; give --legacy, or write "
            "if (b) {Q} else {P}");
    r->at++;
    const struct plumb_csp_expr *const test = plumb_csp_read_condition(r);
    if (!test || !plumb_csp_read_expect(r, ">>", "after the condition"))
        return NULL;
    const struct plumb_csp_process *const right =
        read_level(r, LEVEL_LEGACY + 1);
    return right ? plumb_csp_read_legacy(r, place, test, right, left) : NULL;
}

static const struct plumb_csp_process *read_joined(
    struct plumb_csp_read *r, const struct operator_text *o,
    const struct plumb_csp_process *left)
{
    struct plumb_csp_process node = { .kind = o->kind,
                                      .place = plumb_csp_read_token(r)->place };
    struct plumb_csp_processes chain = { 0 };
    switch (o->level) {
    case LEVEL_HIDE:
        r->at++;
        return plumb_csp_read_event_set(r, true, &node.hidden)
                   ? plumb_csp_process_above(r, node, left, NULL)
                   : NULL;
    case LEVEL_LEGACY:
        return read_legacy(r, node.place, left);
    case LEVEL_INTERRUPT: {
        r->at++;
        const struct plumb_csp_process *const right =
            read_level(r, LEVEL_INTERRUPT + 1);
        return right ? plumb_csp_process_above(r, node, left, right) : NULL;
    }
    default:
        break;
    }
    if (!read_chain(r, o, left, &chain))
        return NULL;
    if (o->level == LEVEL_SEQUENCE)
        return sequence(r, node.place, &chain);
    node.child = chain.at;
    node.children = chain.count;
    return plumb_csp_process_new(r, &node);
}

/* ---- operators with indices ---- */

static const struct plumb_csp_process *read_copies(
    struct plumb_csp_read *r, struct plumb_csp_process node)
{
    node.kind = PLUMB_COPIES;
    r->at++; /* { */
    if (!plumb_csp_read_accept(r, "..")) {
        const struct plumb_csp_place place = plumb_csp_read_token(r)->place;
        const struct plumb_csp_expr *const n = plumb_csp_read_expression(r);
        if (!n || !plumb_csp_read_is_bound(r, place, n, "the number of copies"))
            return NULL;
        if (n->kind == PLUMB_EXPR_CONSTANT && n->value < 0)
            return plumb_csp_read_fail(
                r, place, "%d copies; the number cannot be negative",
                (int)n->value);
        node.copies = n;
    }
    if (!plumb_csp_read_expect(r, "}", "after the number of copies") ||
        !plumb_csp_read_expect(r, "@", "and a process"))
        return NULL;
    return plumb_csp_process_above(r, node, plumb_csp_read_process(r), NULL);
}

static const struct plumb_csp_process *read_indexed(
    struct plumb_csp_read *r, const struct operator_text *o)
{
    struct plumb_csp_process node = { .kind = o->kind,
                                      .place = plumb_csp_read_token(r)->place };
    const uint32_t bound = r->bound.count;
    struct plumb_csp_ranges ranges = { 0 };
    r->at++;
    if (o->kind == PLUMB_INTERLEAVE && plumb_csp_read_at(r, "{"))
        return read_copies(r, node);
    if (!plumb_csp_read_ranges(r, &ranges))
        return NULL;
    node.range = PLUMB_LIST_TAKE(r, &ranges);
    node.ranges = ranges.count;
    const struct plumb_csp_process *const p =
        plumb_csp_process_above(r, node, plumb_csp_read_process(r), NULL);
    r->bound.count = bound;
    return p;
}

/* ---- if, case, atomic, assert ---- */

static const struct plumb_csp_process *read_braced(struct plumb_csp_read *r)
{
    if (!plumb_csp_read_expect(r, "{", "and a process"))
        return NULL;
    const struct plumb_csp_process *const p = plumb_csp_read_process(r);
    return p && plumb_csp_read_expect(r, "}", "or an operator") ? p : NULL;
}

static bool is_if(const struct plumb_csp_token *t)
{
    return plumb_csp_token_is_one(t, "if ifa ifb");
}

static const struct plumb_csp_process *read_if(struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    const enum plumb_csp_process_kind kind =
        plumb_csp_token_is(t, "if")    ? PLUMB_IF
        : plumb_csp_token_is(t, "ifa") ? PLUMB_IFA
                                       : PLUMB_IFB;
    r->at++;
    const struct plumb_csp_process node = {
        .kind = kind, .place = t->place, .condition = plumb_csp_read_test(r)
    };
    const struct plumb_csp_process *const first =
        node.condition ? read_braced(r) : NULL;
    const struct plumb_csp_process *other = NULL;
    if (!first)
        return NULL;
    if (node.kind == PLUMB_IFB && plumb_csp_read_at(r, "else"))
        return plumb_csp_read_fail(
            r, plumb_csp_read_token(r)->place,
            "ifb waits for its condition and cannot have an else");
    if (!plumb_csp_read_accept(r, "else"))
        other = node.kind == PLUMB_IFB
                    ? NULL
                    : plumb_csp_process_leaf(r, PLUMB_SKIP, t->place);
    else if (!is_if(plumb_csp_read_token(r)))
        other = read_braced(r);
    else if (plumb_csp_read_enter(r)) {
        other = read_if(r);
        plumb_csp_read_leave(r);
    }
    return r->failed ? NULL : plumb_csp_process_above(r, node, first, other);
}

static bool read_branch(struct plumb_csp_read *r,
                        struct plumb_csp_exprs *conditions,
                        struct plumb_csp_processes *children)
{
    const struct plumb_csp_expr *condition = NULL;
    if (!plumb_csp_read_accept(r, "default") &&
        !(condition = plumb_csp_read_condition(r)))
        return false;
    return plumb_csp_read_expect(r, ":", "after the condition") &&
           PLUMB_LIST_ADD(r, conditions, condition) &&
           plumb_csp_processes_add(r, children, plumb_csp_read_process(r));
}

/* The default is the last. */
static const struct plumb_csp_process *read_case(struct plumb_csp_read *r)
{
    struct plumb_csp_process node = { .kind = PLUMB_CASE,
                                      .place = plumb_csp_read_token(r)->place };
    struct plumb_csp_exprs conditions = { 0 };
    struct plumb_csp_processes children = { 0 };
    r->at++;
    if (!plumb_csp_read_expect(r, "{", "and conditions"))
        return NULL;
    do {
        const bool last = plumb_csp_read_at(r, "default");
        if (!read_branch(r, &conditions, &children))
            return NULL;
        if (last && !plumb_csp_read_at(r, "}"))
            return plumb_csp_read_unexpected(r, "'}' after the default");
    } while (!plumb_csp_read_at(r, "}"));
    r->at++;
    node.conditions = PLUMB_LIST_TAKE(r, &conditions);
    node.child = children.at;
    node.children = children.count;
    return plumb_csp_process_new(r, &node);
}

static const struct plumb_csp_process *read_assert(struct plumb_csp_read *r)
{
    struct plumb_csp_process node = { .kind = PLUMB_ASSERT,
                                      .place = plumb_csp_read_token(r)->place };
    r->at++;
    node.condition = plumb_csp_read_test(r);
    return node.condition ? plumb_csp_process_new(r, &node) : NULL;
}

/* ---- references ---- */

/* Of PAT 2: wf(e) and wl(e), sf(e) and sl(e) said what is fair to an event. */
static bool is_annotation(const struct plumb_csp_token *name)
{
    return name->length == 2 && strchr("ws", name->text[0]) &&
           strchr("fl", name->text[1]);
}

static const struct plumb_csp_process *fail_reference(
    struct plumb_csp_read *r, const struct plumb_csp_token *name)
{
    if (!plumb_csp_read_at(r, "("))
        return plumb_csp_read_fail(
            r, name->place,
            "%.*s is not a process; if it is an event, '->' must follow",
            PLUMB_TOKEN_ARGS(name));
    if (!is_annotation(name))
        return plumb_csp_read_undefined(r, name, "process", &r->definitions,
                                        false);
    return plumb_csp_read_fail(
        r, name->place,
        "%.*s(...) is old syntax; write the event alone and give --fairness %s",
        PLUMB_TOKEN_ARGS(name), name->text[0] == 'w' ? "weak" : "strong");
}

/* Up to and with the ), arrays element by element. */
static bool read_passed(struct plumb_csp_read *r,
                        struct plumb_csp_shapes *shapes,
                        struct plumb_csp_exprs *values)
{
    if (!plumb_csp_read_accept(r, "(") || plumb_csp_read_accept(r, ")"))
        return true;
    do
        if (!plumb_csp_read_passed(r, shapes, values))
            return false;
    while (plumb_csp_read_accept(r, ","));
    return plumb_csp_read_expect(r, ")", "after the arguments");
}

const struct plumb_csp_process *plumb_csp_read_reference(
    struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const name =
        plumb_csp_read_name(r, "a process");
    struct plumb_csp_process node = { .kind = PLUMB_REFERENCE };
    struct plumb_csp_shapes shapes = { 0 };
    struct plumb_csp_exprs args = { 0 };
    if (!name)
        return NULL;
    node.place = name->place;
    node.definition =
        plumb_csp_table_find(&r->definitions, name->text, name->length);
    if (node.definition == UINT32_MAX)
        return fail_reference(r, name);
    if (!read_passed(r, &shapes, &args))
        return NULL;
    const uint32_t wanted = r->parameter.at[node.definition].count;
    if (shapes.count != wanted)
        return plumb_csp_read_fail_count(r, name, wanted, shapes.count);
    if (!plumb_csp_shapes_call(r, node.definition, &shapes, &node.definition))
        return NULL;
    node.data = PLUMB_LIST_TAKE(r, &args);
    node.count = args.count;
    return plumb_csp_process_new(r, &node);
}

/* ---- operands ---- */

static bool is_word(const struct plumb_csp_token *t)
{
    return plumb_csp_token_is_one(
        t, "Stop Skip if ifa ifb case atomic assert else default");
}

static const struct plumb_csp_process *read_constant(
    struct plumb_csp_read *r, enum plumb_csp_process_kind kind)
{
    const struct plumb_csp_place place = plumb_csp_read_token(r)->place;
    r->at++;
    if (plumb_csp_read_at(r, "(") &&
        plumb_csp_token_is(plumb_csp_read_ahead(r, 1), ")"))
        r->at += 2;
    return plumb_csp_process_leaf(r, kind, place);
}

static const struct plumb_csp_process *read_word(struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    if (plumb_csp_token_is(t, "Stop"))
        return read_constant(r, PLUMB_STOP);
    if (plumb_csp_token_is(t, "Skip"))
        return read_constant(r, PLUMB_SKIP);
    if (is_if(t))
        return read_if(r);
    if (plumb_csp_token_is(t, "case"))
        return read_case(r);
    if (plumb_csp_token_is(t, "assert"))
        return read_assert(r);
    if (plumb_csp_read_accept(r, "atomic"))
        return plumb_csp_process_above(
            r,
            (struct plumb_csp_process){ .kind = PLUMB_ATOMIC,
                                        .place = t->place },
            read_braced(r), NULL);
    return plumb_csp_read_unexpected(r, "a process");
}

static const struct plumb_csp_process *read_bracketed(struct plumb_csp_read *r)
{
    r->at++;
    const struct plumb_csp_process *const p = plumb_csp_read_process(r);
    return p && plumb_csp_read_expect(r, ")", "or an operator") ? p : NULL;
}

static const struct plumb_csp_process *read_operand(struct plumb_csp_read *r);

static const struct plumb_csp_process *read_guard(struct plumb_csp_read *r)
{
    struct plumb_csp_process node = { .kind = PLUMB_GUARD,
                                      .place = plumb_csp_read_token(r)->place };
    r->at++;
    node.condition = plumb_csp_read_condition(r);
    if (!node.condition || !plumb_csp_read_expect(r, "]", "after the guard"))
        return NULL;
    return plumb_csp_process_above(r, node, read_operand(r), NULL);
}

static const struct plumb_csp_process *read_atom(struct plumb_csp_read *r)
{
    const struct plumb_csp_token *const t = plumb_csp_read_token(r);
    const struct operator_text *const o = operator_at(r);
    if (o && o->level < LEVEL_INTERRUPT)
        return read_indexed(r, o);
    if (plumb_csp_token_is(t, "("))
        return read_bracketed(r);
    if (plumb_csp_token_is(t, "["))
        return read_guard(r);
    if (t->kind == PLUMB_TOKEN_NAME)
        return is_word(t) ? read_word(r) : plumb_csp_read_reference(r);
    return plumb_csp_read_unexpected(r, "a process");
}

/* P behind what stands before its arrow. */
static const struct plumb_csp_process *behind(struct plumb_csp_read *r,
                                              struct plumb_csp_process prefix,
                                              const struct plumb_csp_process *p)
{
    return prefix.kind == PLUMB_SEQUENCE
               ? plumb_csp_process_above(r, prefix, prefix.child[0], p)
               : plumb_csp_process_above(r, prefix, p, NULL);
}

/* a -> b -> P: what is bound on the way is bound in P. */
static const struct plumb_csp_process *read_operand(struct plumb_csp_read *r)
{
    const uint32_t bound = r->bound.count;
    PLUMB_LIST(struct plumb_csp_process) prefixes = { 0 };
    if (!plumb_csp_read_enter(r))
        return NULL;
    while (!is_word(plumb_csp_read_token(r)) &&
           plumb_csp_read_prefix_begins(r)) {
        struct plumb_csp_process *const p = PLUMB_LIST_NEW(r, &prefixes);
        if (!p || !plumb_csp_read_prefix(r, p))
            return NULL;
    }
    const struct plumb_csp_process *all = read_atom(r);
    for (uint32_t i = prefixes.count; all && i-- > 0;)
        all = behind(r, prefixes.at[i], all);
    plumb_csp_read_leave(r);
    r->bound.count = bound;
    return all;
}

static const struct plumb_csp_process *read_level(struct plumb_csp_read *r,
                                                  int level)
{
    const struct plumb_csp_process *left = read_operand(r);
    for (const struct operator_text *o;
         left && (o = operator_at(r)) && o->level >= level;) {
        if (o->kind == PLUMB_SEQUENCE && is_end(r))
            break;
        left = read_joined(r, o, left);
    }
    return left;
}

const struct plumb_csp_process *plumb_csp_read_process(struct plumb_csp_read *r)
{
    if (r->failed || !plumb_csp_read_enter(r))
        return NULL;
    const struct plumb_csp_process *const p = read_level(r, LEVEL_ALL);
    plumb_csp_read_leave(r);
    return p;
}
