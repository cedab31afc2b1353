/* alphabet.c - from the text of a domain to calls and answers, and from drafts
 * to histories.  See generate.h. */
#include "generate.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A word with parentheses: "enq(1|2)" has one place with two alternatives. */
struct pattern {
    char name[16];
    unsigned places;
    unsigned choices[2];
    struct oracle_value choice[2][8];
};

static const char *parse_choice(const char *at, struct oracle_value *v)
{
    const size_t length = strcspn(at, "|,)");
    if (*at == '\'')
        *v = oracle_text(PLUMB_STR, at + 1, length - 2);
    else
        *v = oracle_value_parse(at, length);
    return at + length;
}

static const char *parse_pattern(const char *at, struct pattern *p)
{
    const size_t length = strcspn(at, "(");
    memset(p, 0, sizeof *p);
    assert(length < sizeof p->name);
    memcpy(p->name, at, length);
    at += length + 1;
    while (*at != ')') {
        const unsigned place = p->places;
        assert(place < 2 && p->choices[place] < 8);
        at = parse_choice(at, &p->choice[place][p->choices[place]++]);
        if (*at != '|')
            p->places++;
        if (*at != ')')
            at++;
    }
    return at + 1;
}

/* How many ways there are to choose, and the values of the number-th. */
static unsigned ways(const struct pattern *p)
{
    unsigned n = 1;
    for (unsigned i = 0; i < p->places; i++)
        n *= p->choices[i];
    return n;
}

static void choose(const struct pattern *p, unsigned number,
                   struct oracle_value *v)
{
    for (unsigned i = 0; i < p->places; i++) {
        v[i] = p->choice[i][number % p->choices[i]];
        number /= p->choices[i];
    }
}

/* The number of a call, added if it is new. */
static unsigned add_call(struct alphabet *a, const struct pattern *p,
                         unsigned number)
{
    struct call c = { .what.nargs = p->places };
    memcpy(c.name, p->name, sizeof c.name);
    if (!oracle_op_parse(p->name, &c.what.op))
        abort();
    choose(p, number, c.what.arg);
    for (unsigned i = 0; i < a->calls; i++)
        if (!memcmp(&a->call[i], &c, sizeof c))
            return i;
    assert(a->calls < MAX_CALLS);
    a->call[a->calls] = c;
    return a->calls++;
}

static void add_instances(struct alphabet *a, unsigned call,
                          const struct pattern *p)
{
    for (unsigned i = 0; i < ways(p); i++) {
        struct oracle_answer answer = { .nres = p->places };
        if (!oracle_term_parse(p->name, &answer.term))
            abort();
        choose(p, i, answer.res);
        assert(a->instances < MAX_INSTANCES);
        a->instance[a->instances++] = (struct instance){ call, answer };
    }
}

/* "call=answer,answer,..." */
static const char *parse_entry(struct alphabet *a, const char *at)
{
    struct pattern call, answer;
    at = parse_pattern(at, &call);
    do {
        at = parse_pattern(at + 1, &answer);
        for (unsigned i = 0; i < ways(&call); i++)
            add_instances(a, add_call(a, &call, i), &answer);
    } while (*at == ',');
    return at;
}

void alphabet_init(struct alphabet *a, const struct domain *domain)
{
    const char *const text[TIERS] = { domain->core, domain->more,
                                      domain->rest };
    memset(a, 0, sizeof *a);
    a->domain = domain;
    if (!oracle_spec_parse(domain->spec, &a->spec))
        abort();
    for (unsigned tier = 0; tier < TIERS; tier++) {
        const char *at = text[tier];
        while (*(at += strspn(at, " ")))
            at = parse_entry(a, at);
        a->tier_calls[tier] = a->calls;
        a->tier_instances[tier] = a->instances;
    }
}

unsigned alphabet_find(const struct alphabet *a, unsigned call,
                       const struct oracle_answer *answer)
{
    unsigned i = 0;
    while (i < a->instances &&
           (a->instance[i].call != call ||
            !oracle_same_answer(&a->instance[i].answer, answer)))
        i++;
    return i;
}

/* ---- drafts ---- */

static uint32_t symbol(struct plumb_builder *b, const char *text)
{
    return plumb_builder_symbol(b, text, strlen(text));
}

static struct plumb_value value(struct plumb_builder *b,
                                const struct oracle_value *v)
{
    switch ((enum plumb_tag)v->tag) {
    case PLUMB_NIL:
        return plumb_nil();
    case PLUMB_BOOL:
        return plumb_bool(v->text[0] == 't');
    case PLUMB_INT:
        return plumb_int(strtoll(v->text, NULL, 10));
    case PLUMB_STR:
        break;
    }
    return plumb_str(plumb_builder_symbol(b, v->text, v->length));
}

static void build_call(const struct alphabet *a, const struct draft_op *o,
                       struct plumb_builder *b, struct plumb_error *err)
{
    const struct call *const c = &a->call[o->call];
    static const char *const thread[] = { "P1", "P2", "P3", "P4" };
    static const char *const object[] = { "X", "Y" };
    struct plumb_value args[2];
    for (unsigned i = 0; i < c->what.nargs; i++)
        args[i] = value(b, &c->what.arg[i]);
    plumb_builder_call(b, symbol(b, thread[o->thread]),
                       symbol(b, object[o->object]), symbol(b, c->name), args,
                       c->what.nargs, NULL, err);
}

static void build_return(const struct draft_op *o, struct plumb_builder *b,
                         struct plumb_error *err)
{
    static const char *const thread[] = { "P1", "P2", "P3", "P4" };
    static const char *const object[] = { "X", "Y" };
    struct plumb_value results[2];
    const bool ok = o->outcome == PLUMB_OUTCOME_OK;
    const unsigned nres = ok ? o->answer.nres : 0;
    for (unsigned i = 0; i < nres; i++)
        results[i] = value(b, &o->answer.res[i]);
    plumb_builder_respond(b, symbol(b, thread[o->thread]),
                          symbol(b, object[o->object]), o->outcome,
                          ok ? symbol(b, oracle_term_name(o->answer.term)) : 0,
                          results, nres, NULL, err);
}

void draft_build(const struct alphabet *a, const struct draft *d,
                 struct plumb_builder *b, struct plumb_history *h)
{
    struct plumb_error err = { .status = PLUMB_OK };
    for (unsigned i = 0; i < d->events && err.status == PLUMB_OK; i++) {
        const struct draft_op *const o = &d->op[d->event[i].op];
        if (d->event[i].is_return)
            build_return(o, b, &err);
        else
            build_call(a, o, b, &err);
    }
    if (err.status == PLUMB_OK)
        plumb_builder_finish(b, PLUMB_TIES_CALL_FIRST, h, &err);
    if (err.status != PLUMB_OK) {
        fprintf(stderr, "a draft is not a history: %s\n", err.message);
        abort();
    }
}
