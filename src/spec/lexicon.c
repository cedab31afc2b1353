/* lexicon.c - see lexicon.h. */
#include "lexicon.h"

#include "base/memory.h"
#include "history/symbols.h"
#include "names.h"
#include <assert.h>
#include <string.h>

enum { UNKNOWN = UINT16_MAX };

/* Numbers + 1; 0 if not looked up yet. */
struct plumb_spec_meaning {
    uint16_t row;
    uint16_t term;
};

static size_t rows_size(const struct plumb_spec_lexicon *l)
{
    return l->spec->type->nops * sizeof *l->row;
}

bool plumb_spec_lexicon_open(struct plumb_spec_lexicon *l,
                             const struct plumb_history *h,
                             const struct plumb_spec *spec,
                             struct plumb_budget *budget)
{
    *l = (struct plumb_spec_lexicon){ .h = h, .spec = spec, .budget = budget };
    l->row = plumb_base_alloc(budget, rows_size(l));
    if (!l->row || !plumb_spec_lexicon_grow(l))
        return false;
    for (unsigned i = 0; i < spec->type->nops; i++)
        plumb_spec_row_read(spec->type->ops + i, l->row + i);
    return true;
}

bool plumb_spec_lexicon_grow(struct plumb_spec_lexicon *l)
{
    return PLUMB_GROW_ZEROED(l->budget, l->meaning, l->meanings,
                             l->h->symbols->count);
}

void plumb_spec_lexicon_close(struct plumb_spec_lexicon *l)
{
    plumb_base_release(l->budget, l->row, rows_size(l));
    PLUMB_RELEASE(l->budget, l->meaning, l->meanings);
    l->row = NULL;
    l->meaning = NULL;
}

/* ---- names ---- */

static uint16_t look_up_row(const struct plumb_spec_lexicon *l, uint32_t symbol)
{
    const struct plumb_spec_type *const type = l->spec->type;
    size_t length;
    const char *const name = plumb_symbol_text(l->h->symbols, symbol, &length);
    for (unsigned i = 0; i < type->nops; i++)
        if (plumb_spec_names_have(type->ops[i].names, name, length))
            return (uint16_t)(i + 1);
    return UNKNOWN;
}

unsigned plumb_spec_lexicon_first_row(const struct plumb_spec_lexicon *l,
                                      const struct plumb_op *o)
{
    assert(l->meaning[o->name].row && l->meaning[o->name].row != UNKNOWN);
    return l->meaning[o->name].row - 1u;
}

int plumb_spec_lexicon_row(struct plumb_spec_lexicon *l,
                           const struct plumb_op *o)
{
    const struct plumb_spec_type *const type = l->spec->type;
    struct plumb_spec_meaning *const m = l->meaning + o->name;
    if (!m->row)
        m->row = look_up_row(l, o->name);
    if (m->row == UNKNOWN)
        return PLUMB_NO_OPERATION;
    const unsigned first = m->row - 1u;
    for (unsigned i = first; i < type->nops; i++) {
        if (i > first &&
            strcmp(type->ops[i].names, type->ops[first].names) != 0)
            break;
        if (l->row[i].nargs == o->nargs)
            return (int)i;
    }
    return PLUMB_NO_ARITY;
}

/* ---- terms ---- */

static uint16_t look_up_user_term(struct plumb_spec_lexicon *l,
                                  const char *text, size_t length)
{
    unsigned t = 0;
    while (t < l->terms &&
           !plumb_spec_name_equal(l->term[t], strlen(l->term[t]), text, length))
        t++;
    if (t == PLUMB_MAX_USER_TERMS)
        return UNKNOWN;
    if (t == l->terms)
        l->term[l->terms++] = text;
    return (uint16_t)(t + 1);
}

static uint16_t look_up_term(struct plumb_spec_lexicon *l, uint32_t symbol)
{
    size_t length;
    const char *const text = plumb_symbol_text(l->h->symbols, symbol, &length);
    if (l->spec->user)
        return look_up_user_term(l, text, length);
    const unsigned t = plumb_spec_term_number(text, length);
    return t < PLUMB_TERMS ? (uint16_t)(t + 1) : UNKNOWN;
}

unsigned plumb_spec_lexicon_term(struct plumb_spec_lexicon *l, uint32_t symbol)
{
    struct plumb_spec_meaning *const m = l->meaning + symbol;
    if (!m->term)
        m->term = look_up_term(l, symbol);
    return m->term == UNKNOWN ? (unsigned)PLUMB_NO_TERM : m->term - 1u;
}
