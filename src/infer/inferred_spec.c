/* inferred_spec.c - see inferred_spec.h. */
#include "inferred_spec.h"

#include "base/memory.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 64 }; /* bytes of "name/arity" */

#define NOBODY UINT8_MAX

struct plumb_infer_spec {
    struct plumb_user_spec user; /* first: a step finds the rest by it */
    struct plumb_budget *budget;
    const struct plumb_infer_automaton *automaton;
    const struct plumb_infer_test *test;
    const struct plumb_record_entry *answer;
    uint8_t process[PLUMB_INFER_PROCESSES]; /* of a thread */
    /* The names of the operations, each once, and which one each is. */
    char name[PLUMB_INFER_OPERATIONS][NAME];
    const char *ops[PLUMB_INFER_OPERATIONS + 1];
    uint8_t row[PLUMB_INFER_OPERATIONS];
    bool open[PLUMB_INFER_OPERATIONS]; /* of the history */
};

/* ---- a step ---- */

/* Values of an entry are those of the history, but for texts. */
static struct plumb_value value_in(const struct plumb_symbols *symbols,
                                   const struct plumb_record_entry *e,
                                   unsigned i)
{
    const struct plumb_value v = e->value[i];
    if (v.tag != PLUMB_STR)
        return v;
    const char *const text = e->text + v.bits;
    return plumb_str(plumb_symbol_find(symbols, text, strlen(text)));
}

static bool is_called(const struct plumb_infer_spec *s, uint32_t op,
                      const struct plumb_call *call)
{
    const struct plumb_record_entry *const e = s->test->operation[op].call;
    if (s->test->operation[op].process != s->process[call->thread] ||
        s->row[op] != call->op || e->nargs != call->nargs)
        return false;
    for (unsigned i = 0; i < e->nargs; i++)
        if (!plumb_value_equal(value_in(call->symbols, e, i), call->args[i]))
            return false;
    return true;
}

static void fill_reply(const struct plumb_record_entry *e,
                       const struct plumb_call *call, struct plumb_reply *reply)
{
    reply->term = *e->term ? e->term : NULL;
    for (unsigned i = 0; i < e->nres; i++)
        plumb_reply_value(reply, value_in(call->symbols, e, e->nargs + i));
}

/* The outcomes of an operation stand together: the first, and how many. */
static unsigned find_outcomes(const struct plumb_infer_spec *s,
                              uint32_t position, const struct plumb_call *call,
                              uint32_t *first)
{
    const struct plumb_infer_automaton *const a = s->automaton;
    const uint32_t end = a->first[position + 1];
    uint32_t i = a->first[position], count = 0;
    while (i < end && !is_called(s, a->edge[i].op, call))
        i++;
    *first = i;
    while (i + count < end && a->edge[i + count].op == a->edge[i].op)
        count++;
    return count;
}

/* What may also be answered anywhere, without effect, is no reason not to wait:
 * Definition 2 asks for a serial history in which it does. */
static bool waits(const struct plumb_infer_spec *s,
                  const struct plumb_infer_edge *e, unsigned count)
{
    bool stuck = false;
    for (unsigned i = 0; i < count; i++)
        stuck |= e[i].next == PLUMB_INFER_STUCK;
    return stuck && s->open[e->op];
}

static bool step(void *state, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    const struct plumb_infer_spec *const s = plumb_infer_spec_of(call->spec);
    uint32_t position, first;
    memcpy(&position, state, sizeof position);
    const unsigned count = call->thread < PLUMB_INFER_PROCESSES
                               ? find_outcomes(s, position, call, &first)
                               : 0;
    if (!count || waits(s, s->automaton->edge + first, count))
        return false;
    const struct plumb_infer_edge *const e =
        s->automaton->edge + first + plumb_call_choose(call, count);
    if (e->next == PLUMB_INFER_STUCK)
        return false;
    fill_reply(s->answer + e->answer, call, reply);
    memcpy(state, &e->next, sizeof e->next);
    return true;
}

/* ---- making one ---- */

static void name_operations(struct plumb_infer_spec *s)
{
    unsigned rows = 0;
    for (unsigned i = 0; i < s->test->operations; i++) {
        const struct plumb_infer_operation *const o = &s->test->operation[i];
        unsigned row = 0;
        snprintf(s->name[rows], NAME, "%s/%u", o->name, o->call->nargs);
        while (strcmp(s->name[row], s->name[rows]) != 0)
            row++;
        s->row[i] = (uint8_t)row;
        s->ops[row] = s->name[row];
        rows += row == rows;
    }
    s->ops[rows] = NULL;
}

/* "P3" is process 2. */
static bool find_process(const struct plumb_history *h, uint32_t thread,
                         uint8_t *process)
{
    const char *const name =
        plumb_symbol_text(h->symbols, h->thread[thread], NULL);
    unsigned number = 0;
    if (*name != 'P' || !name[1])
        return false;
    for (const char *at = name + 1; *at; at++) {
        if (*at < '0' || *at > '9' || number > PLUMB_INFER_PROCESSES)
            return false;
        number = 10 * number + (unsigned)(*at - '0');
    }
    *process = (uint8_t)(number - 1);
    return number && number <= PLUMB_INFER_PROCESSES;
}

static bool find_processes(struct plumb_infer_spec *s,
                           const struct plumb_history *h)
{
    if (h && h->threads > PLUMB_INFER_PROCESSES)
        return false;
    for (uint32_t t = 0; t < PLUMB_INFER_PROCESSES; t++)
        s->process[t] = h ? NOBODY : (uint8_t)t;
    for (uint32_t t = 0; h && t < h->threads; t++)
        if (!find_process(h, t, &s->process[t]))
            return false;
    return true;
}

/* The operations of a process come in the same order in both. */
static void find_open(struct plumb_infer_spec *s, const struct plumb_history *h)
{
    for (uint32_t t = 0; t < h->threads; t++) {
        unsigned op = 0;
        for (uint32_t i = 0; i < h->count; i++) {
            if (h->op[i].thread != t)
                continue;
            while (op < s->test->operations &&
                   s->test->operation[op].process != s->process[t])
                op++;
            if (op < s->test->operations)
                s->open[op++] = plumb_op_is_pending(&h->op[i]);
        }
    }
}

struct plumb_infer_spec *plumb_infer_spec_new(
    const struct plumb_infer_automaton *a, const struct plumb_infer_test *test,
    const struct plumb_record_entry *answer, const struct plumb_history *h,
    struct plumb_budget *budget)
{
    assert(a->positions && test->operations <= PLUMB_INFER_OPERATIONS);
    struct plumb_infer_spec *const s =
        plumb_base_alloc_zeroed(budget, sizeof *s);
    if (!s)
        return NULL;
    s->budget = budget;
    s->automaton = a;
    s->test = test;
    s->answer = answer;
    name_operations(s);
    s->user = (struct plumb_user_spec){ .version = PLUMB_SPEC_VERSION,
                                        .name = "inferred",
                                        .state_size = sizeof(uint32_t),
                                        .ops = s->ops,
                                        .step = step };
    if (!find_processes(s, h)) {
        plumb_infer_spec_free(s);
        return NULL;
    }
    if (h)
        find_open(s, h);
    return s;
}

void plumb_infer_spec_free(struct plumb_infer_spec *s)
{
    if (s)
        plumb_base_release(s->budget, s, sizeof *s);
}

struct plumb_infer_spec *plumb_infer_spec_of(const struct plumb_user_spec *user)
{
    union {
        const void *given;
        struct plumb_infer_spec *spec;
    } u = { user };
    return u.spec;
}

const struct plumb_user_spec *plumb_infer_spec_user(
    const struct plumb_infer_spec *s)
{
    return &s->user;
}
