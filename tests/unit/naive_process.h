/* naive_process.h - the steps of a process, straight from the rules.
 *
 * Nothing is shared with src/model but the model that was read: expressions are
 * walked over, locals stand in an array, a state is a tree that is made anew by
 * each step, events are strings. */
#ifndef TESTS_NAIVE_PROCESS_H
#define TESTS_NAIVE_PROCESS_H

#include "systems.h"

enum { LOCALS = 8, GLOBALS = 16, MOST_STEPS = 96, MOST_CHILDREN = 4 };

enum naive_kind {
    NAIVE_TEXT, /* p, not begun */
    NAIVE_STOP,
    NAIVE_SEQUENCE, /* child[0], then p->child[1] */
    NAIVE_INTERLEAVE,
    NAIVE_PARALLEL,
    NAIVE_HIDE,
    NAIVE_INTERRUPT,
    NAIVE_EXTERNAL
};

struct naive_names {
    const char *name[64];
    uint32_t count;
};

struct naive_env {
    int32_t value[LOCALS];
    bool known[LOCALS];
};

struct naive {
    enum naive_kind kind;
    const struct plumb_csp_process *p;
    struct naive_env env;
    const struct naive *child[MOST_CHILDREN];
    uint32_t children;
    const struct naive_names *alphabet[MOST_CHILDREN];
};

struct naive_step {
    const char *event;
    bool program;
    int32_t globals[GLOBALS];
    const struct naive *to;
};

struct naive_steps {
    struct naive_step step[MOST_STEPS];
    uint32_t count;
};

struct naive_world {
    const struct plumb_csp_model *model;
    struct plumb_base_arena arena;
};

/* ---- expressions ---- */

/* False: it has a local or a global whose value is not known. */
static inline bool naive_value(const struct naive_world *w,
                               const struct plumb_csp_expr *e,
                               const struct naive_env *env,
                               const int32_t *globals, int32_t *value)
{
    int32_t a = 0, b = 0;
    if (e->operands > 0 && !naive_value(w, e->operand[0], env, globals, &a))
        return false;
    if (e->operands > 1 && !naive_value(w, e->operand[1], env, globals, &b))
        return false;
    switch (e->kind) {
    case PLUMB_EXPR_CONSTANT:
        *value = e->value;
        return true;
    case PLUMB_EXPR_LOCAL:
        *value = env->value[e->number];
        return env->known[e->number];
    case PLUMB_EXPR_GLOBAL:
        if (globals)
            *value = globals[w->model->variable[e->number].slot + (uint32_t)a];
        return globals != NULL;
    case PLUMB_EXPR_BINARY:
        break;
    default:
        fail_msg("an expression of kind %d", (int)e->kind);
    }
    switch (e->op) {
    case PLUMB_OP_EQUAL:
        *value = a == b;
        break;
    case PLUMB_OP_UNEQUAL:
        *value = a != b;
        break;
    case PLUMB_OP_GREATER:
        *value = a > b;
        break;
    case PLUMB_OP_ADD:
        *value = a + b;
        break;
    case PLUMB_OP_SUBTRACT:
        *value = a - b;
        break;
    case PLUMB_OP_MODULO:
        *value = ((a % b) + b) % b;
        break;
    default:
        fail_msg("operator %d", (int)e->op);
    }
    return true;
}

static inline int32_t naive_get(const struct naive_world *w,
                                const struct plumb_csp_expr *e,
                                const struct naive_env *env,
                                const int32_t *globals)
{
    int32_t value = 0;
    assert_true(naive_value(w, e, env, globals, &value));
    return value;
}

static inline void naive_run(const struct naive_world *w,
                             const struct plumb_csp_program *program,
                             const struct naive_env *env, int32_t *globals)
{
    if (!program)
        return;
    for (const struct plumb_csp_statement *s = program->first; s; s = s->next) {
        assert_int_equal(s->kind, PLUMB_STATEMENT_ASSIGN);
        const struct plumb_csp_expr *const t = s->target;
        uint32_t slot = w->model->variable[t->number].slot;
        if (t->operands)
            slot += (uint32_t)naive_get(w, t->operand[0], env, globals);
        globals[slot] = naive_get(w, s->value, env, globals);
    }
}

/* NULL: its data are not known without globals. */
static inline const char *naive_event(struct naive_world *w,
                                      const struct plumb_csp_event_text *e,
                                      const struct naive_env *env,
                                      const int32_t *globals)
{
    char text[64];
    if (e->tau)
        return "tau";
    size_t size =
        (size_t)snprintf(text, sizeof text, "%s", w->model->name[e->name]);
    for (uint32_t i = 0; i < e->count; i++) {
        int32_t value = 0;
        if (!naive_value(w, e->data[i], env, globals, &value))
            return NULL;
        size += (size_t)snprintf(text + size, sizeof text - size, ".%d",
                                 (int)value);
    }
    return plumb_base_arena_copy(&w->arena, text, size + 1);
}

/* ---- trees ---- */

static inline struct naive *naive_new(struct naive_world *w,
                                      enum naive_kind kind,
                                      const struct plumb_csp_process *p,
                                      const struct naive_env *env)
{
    struct naive *const n = plumb_base_arena_zeroed(&w->arena, sizeof *n);
    n->kind = kind;
    n->p = p;
    if (env)
        n->env = *env;
    return n;
}

static inline bool naive_is_skip(const struct naive *n)
{
    return n->kind == NAIVE_TEXT && n->p->kind == PLUMB_SKIP;
}

static inline const struct naive *naive_start(struct naive_world *w,
                                              const struct plumb_csp_process *p,
                                              const struct naive_env *env);

/* first; p->child[1] */
static inline const struct naive *naive_sequence(
    struct naive_world *w, const struct naive *first,
    const struct plumb_csp_process *p, const struct naive_env *env)
{
    if (naive_is_skip(first))
        return naive_start(w, p->child[1], env);
    struct naive *const n = naive_new(w, NAIVE_SEQUENCE, p, env);
    n->child[0] = first;
    n->children = 1;
    return n;
}

static inline const struct naive *naive_start(struct naive_world *w,
                                              const struct plumb_csp_process *p,
                                              const struct naive_env *env)
{
    if (p->kind == PLUMB_SEQUENCE)
        return naive_sequence(w, naive_start(w, p->child[0], env), p, env);
    return naive_new(w, NAIVE_TEXT, p, env);
}

static inline const struct naive *naive_with(struct naive_world *w,
                                             const struct naive *n, uint32_t i,
                                             const struct naive *child)
{
    struct naive *const copy = naive_new(w, n->kind, n->p, &n->env);
    *copy = *n;
    copy->child[i] = child;
    return copy;
}

/* ---- alphabets ---- */

static inline bool naive_has(const struct naive_names *names, const char *event)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (!strcmp(names->name[i], event))
            return true;
    return false;
}

static inline struct naive_env naive_arguments(
    const struct naive_world *w, const struct plumb_csp_process *p,
    const struct naive_env *env, const int32_t *globals)
{
    struct naive_env inner = { 0 };
    for (uint32_t i = 0; i < p->count; i++)
        inner.known[i] =
            naive_value(w, p->data[i], env, globals, &inner.value[i]);
    return inner;
}

static inline void naive_hidden(struct naive_world *w,
                                const struct plumb_csp_event_set *set,
                                const struct naive_env *env,
                                struct naive_names *names)
{
    for (uint32_t i = 0; i < set->count; i++)
        names->name[names->count++] = naive_event(w, &set->event[i], env, NULL);
}

/* To a depth that is enough for definitions that refer to each other. */
static inline void naive_alphabet(struct naive_world *w,
                                  const struct plumb_csp_process *p,
                                  const struct naive_env *env, int depth,
                                  struct naive_names *names)
{
    struct naive_names inner = { .count = 0 };
    const char *event;
    switch (p->kind) {
    case PLUMB_PREFIX:
        event = naive_event(w, &p->event, env, NULL);
        if (!p->event.tau && !p->program && event && !naive_has(names, event))
            names->name[names->count++] = event;
        break;
    case PLUMB_REFERENCE:
        if (depth > 0) {
            const struct naive_env args = naive_arguments(w, p, env, NULL);
            naive_alphabet(w, w->model->definition[p->definition].body, &args,
                           depth - 1, names);
        }
        break;
    case PLUMB_HIDE: {
        struct naive_names hidden = { .count = 0 };
        naive_alphabet(w, p->child[0], env, depth, &inner);
        naive_hidden(w, &p->hidden, env, &hidden);
        for (uint32_t i = 0; i < inner.count; i++)
            if (!naive_has(&hidden, inner.name[i]) &&
                !naive_has(names, inner.name[i]))
                names->name[names->count++] = inner.name[i];
        return;
    }
    default:
        break;
    }
    for (uint32_t i = 0; i < p->children; i++)
        naive_alphabet(w, p->child[i], env, depth, names);
}

/* ---- steps ---- */

static inline void naive_go(struct naive_world *w, const struct naive *n,
                            const int32_t *globals, struct naive_steps *out);

static inline void naive_add(struct naive_steps *out, const char *event,
                             bool program, const int32_t *globals,
                             const struct naive *to)
{
    assert_true(out->count < MOST_STEPS);
    struct naive_step *const s = &out->step[out->count++];
    *s = (struct naive_step){ .event = event, .program = program, .to = to };
    memcpy(s->globals, globals, sizeof s->globals);
}

static inline bool naive_is(const struct naive_step *s, const char *event)
{
    return !strcmp(s->event, event);
}

static inline const struct naive *naive_expand(struct naive_world *w,
                                               const struct naive *n)
{
    static const enum naive_kind kinds[] = {
        [PLUMB_INTERLEAVE] = NAIVE_INTERLEAVE,
        [PLUMB_PARALLEL] = NAIVE_PARALLEL,
        [PLUMB_HIDE] = NAIVE_HIDE,
        [PLUMB_INTERRUPT] = NAIVE_INTERRUPT,
        [PLUMB_EXTERNAL] = NAIVE_EXTERNAL,
    };
    struct naive *const made = naive_new(w, kinds[n->p->kind], n->p, &n->env);
    assert_true(n->p->children <= MOST_CHILDREN);
    for (uint32_t i = 0; i < n->p->children; i++) {
        made->child[i] = naive_start(w, n->p->child[i], &n->env);
        struct naive_names *const names =
            plumb_base_arena_zeroed(&w->arena, sizeof *names);
        if (n->p->kind == PLUMB_PARALLEL)
            naive_alphabet(w, n->p->child[i], &n->env, DEFINITIONS + 2, names);
        if (n->p->kind == PLUMB_HIDE)
            naive_hidden(w, &n->p->hidden, &n->env, names);
        made->alphabet[i] = names;
    }
    made->children = n->p->children;
    return made;
}

static inline void naive_go_case(struct naive_world *w, const struct naive *n,
                                 const int32_t *g, struct naive_steps *out)
{
    const struct plumb_csp_process *const p = n->p;
    for (uint32_t i = 0; i < p->children; i++)
        if (!p->conditions[i] || naive_get(w, p->conditions[i], &n->env, g)) {
            naive_add(out, "tau", false, g,
                      naive_start(w, p->child[i], &n->env));
            return;
        }
}

static inline void naive_go_text(struct naive_world *w, const struct naive *n,
                                 const int32_t *g, struct naive_steps *out)
{
    const struct plumb_csp_process *const p = n->p;
    const bool holds = p->condition && naive_get(w, p->condition, &n->env, g);
    int32_t changed[GLOBALS];
    struct naive_env args;
    switch (p->kind) {
    case PLUMB_STOP:
        return;
    case PLUMB_SKIP:
        naive_add(out, "terminate", false, g,
                  naive_new(w, NAIVE_STOP, NULL, NULL));
        return;
    case PLUMB_PREFIX:
        memcpy(changed, g, sizeof changed);
        naive_run(w, p->program, &n->env, changed);
        naive_add(out, naive_event(w, &p->event, &n->env, g),
                  p->program != NULL, changed,
                  naive_start(w, p->child[0], &n->env));
        return;
    case PLUMB_REFERENCE:
        args = naive_arguments(w, p, &n->env, g);
        naive_go(
            w, naive_start(w, w->model->definition[p->definition].body, &args),
            g, out);
        return;
    case PLUMB_CHOICE:
        for (uint32_t i = 0; i < p->children; i++)
            naive_go(w, naive_start(w, p->child[i], &n->env), g, out);
        return;
    case PLUMB_INTERNAL:
        for (uint32_t i = 0; i < p->children; i++)
            naive_add(out, "tau", false, g,
                      naive_start(w, p->child[i], &n->env));
        return;
    case PLUMB_GUARD:
        if (holds)
            naive_go(w, naive_start(w, p->child[0], &n->env), g, out);
        return;
    case PLUMB_IFA:
        naive_go(w, naive_start(w, p->child[holds ? 0 : 1], &n->env), g, out);
        return;
    case PLUMB_IF:
        naive_add(out, "tau", false, g,
                  naive_start(w, p->child[holds ? 0 : 1], &n->env));
        return;
    case PLUMB_IFB:
        if (holds)
            naive_add(out, "tau", false, g,
                      naive_start(w, p->child[0], &n->env));
        return;
    case PLUMB_CASE:
        naive_go_case(w, n, g, out);
        return;
    default:
        naive_go(w, naive_expand(w, n), g, out);
    }
}

static inline void naive_go_sequence(struct naive_world *w,
                                     const struct naive *n, const int32_t *g,
                                     struct naive_steps *out)
{
    uint32_t k = out->count;
    naive_go(w, n->child[0], g, out);
    for (; k < out->count; k++) {
        struct naive_step *const s = &out->step[k];
        if (naive_is(s, "terminate")) {
            s->event = "tau";
            s->to = naive_start(w, n->p->child[1], &n->env);
        } else {
            s->to = naive_sequence(w, s->to, n->p, &n->env);
        }
    }
}

static inline bool naive_shares(const struct naive *n, uint32_t i,
                                const struct naive_step *s)
{
    return n->kind == NAIVE_PARALLEL && !s->program && !naive_is(s, "tau") &&
           naive_has(n->alphabet[i], s->event);
}

/* Everybody from the i-th on who has the event takes part. */
static inline void naive_join(struct naive_world *w, const struct naive *n,
                              const struct naive_steps *parts, uint32_t i,
                              const struct naive_step *so_far,
                              const struct naive *to, struct naive_steps *out)
{
    while (i < n->children && !naive_has(n->alphabet[i], so_far->event))
        i++;
    if (i == n->children) {
        naive_add(out, so_far->event, false, so_far->globals, to);
        return;
    }
    for (uint32_t k = 0; k < parts[i].count; k++)
        if (naive_is(&parts[i].step[k], so_far->event) &&
            naive_shares(n, i, &parts[i].step[k]))
            naive_join(w, n, parts, i + 1, so_far,
                       naive_with(w, to, i, parts[i].step[k].to), out);
}

static inline bool naive_is_first(const struct naive *n, uint32_t i,
                                  const char *event)
{
    for (uint32_t before = 0; before < i; before++)
        if (naive_has(n->alphabet[before], event))
            return false;
    return true;
}

static inline void naive_go_several(struct naive_world *w,
                                    const struct naive *n, const int32_t *g,
                                    struct naive_steps *out)
{
    struct naive_steps *const parts =
        plumb_base_arena_zeroed(&w->arena, n->children * sizeof *parts);
    uint32_t ends = 0;
    for (uint32_t i = 0; i < n->children; i++)
        naive_go(w, n->child[i], g, &parts[i]);
    for (uint32_t i = 0; i < n->children; i++) {
        bool can_end = false;
        for (uint32_t k = 0; k < parts[i].count; k++) {
            const struct naive_step *const s = &parts[i].step[k];
            if (naive_is(s, "terminate"))
                can_end = true;
            else if (!naive_shares(n, i, s))
                naive_add(out, s->event, s->program, s->globals,
                          naive_with(w, n, i, s->to));
            else if (naive_is_first(n, i, s->event))
                naive_join(w, n, parts, i + 1, s, naive_with(w, n, i, s->to),
                           out);
        }
        ends += can_end;
    }
    if (ends == n->children)
        naive_add(out, "terminate", false, g,
                  naive_new(w, NAIVE_STOP, NULL, NULL));
}

static inline void naive_go_hide(struct naive_world *w, const struct naive *n,
                                 const int32_t *g, struct naive_steps *out)
{
    uint32_t k = out->count;
    naive_go(w, n->child[0], g, out);
    for (; k < out->count; k++) {
        if (naive_has(n->alphabet[0], out->step[k].event))
            out->step[k].event = "tau";
        out->step[k].to = naive_with(w, n, 0, out->step[k].to);
    }
}

static inline void naive_go_external(struct naive_world *w,
                                     const struct naive *n, const int32_t *g,
                                     struct naive_steps *out)
{
    for (uint32_t i = 0; i < n->children; i++) {
        uint32_t k = out->count;
        naive_go(w, n->child[i], g, out);
        for (; k < out->count; k++)
            if (naive_is(&out->step[k], "tau") ||
                (n->kind == NAIVE_INTERRUPT && i == 0 &&
                 !naive_is(&out->step[k], "terminate")))
                out->step[k].to = naive_with(w, n, i, out->step[k].to);
    }
}

static inline void naive_go(struct naive_world *w, const struct naive *n,
                            const int32_t *globals, struct naive_steps *out)
{
    switch (n->kind) {
    case NAIVE_STOP:
        return;
    case NAIVE_TEXT:
        naive_go_text(w, n, globals, out);
        return;
    case NAIVE_SEQUENCE:
        naive_go_sequence(w, n, globals, out);
        return;
    case NAIVE_INTERLEAVE:
    case NAIVE_PARALLEL:
        naive_go_several(w, n, globals, out);
        return;
    case NAIVE_HIDE:
        naive_go_hide(w, n, globals, out);
        return;
    case NAIVE_INTERRUPT:
    case NAIVE_EXTERNAL:
        naive_go_external(w, n, globals, out);
        return;
    }
}

#endif
