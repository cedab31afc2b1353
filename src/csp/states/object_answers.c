/* object_answers.c - the names that an operation's answers have in models. */
#include "object_answers.h"

#include "spec/event_names.h"
#include "spec/names.h"
#include <string.h>

struct hint {
    const struct plumb_csp_model *model;
    const struct plumb_spec *spec;
    const char *name; /* of the event that is not allowed */
    struct plumb_base_text *out;
    unsigned told;
    bool odd; /* not all is as the specification has it */
};

static bool is_given(const struct plumb_spec *s, const char *parameter,
                     bool without)
{
    for (unsigned i = 0; i < s->type->nparams; i++)
        if (strcmp(s->type->params[i].name, parameter) == 0)
            return s->given[i];
    return without;
}

/* Without a capacity nothing is ever full. */
static bool may_answer(const struct plumb_spec *s,
                       const struct plumb_spec_row *row, unsigned term)
{
    return row->answer[term].present &&
           (term != PLUMB_TERM_FULL || is_given(s, "cap", true)) &&
           (term != PLUMB_TERM_EMPTY || !is_given(s, "blocking", false));
}

static bool is_event(const struct plumb_csp_model *m, const char *name,
                     size_t length)
{
    for (uint32_t i = 0; i < m->names; i++)
        if (strncmp(m->name[i], name, length) == 0 && !m->name[i][length])
            return true;
    return false;
}

static void tell(struct hint *h, const struct plumb_spec_row *row,
                 unsigned term, size_t length)
{
    struct plumb_base_text event;
    plumb_base_text_init(&event, h->out->budget);
    plumb_spec_answer_event(row, term, h->name, length, "CLIENT", &event);
    const char *const text = plumb_base_text_string(&event);
    const size_t name = strcspn(text, ".");
    h->odd |= !is_event(h->model, text, name);
    plumb_base_text_printf(h->out, "%s%s", h->told++ ? " or " : "", text);
    plumb_base_text_release(&event);
}

static void tell_all(struct hint *h, const struct plumb_spec_opdef *def,
                     size_t length)
{
    struct plumb_spec_row row;
    const char *const ending = h->name + length + 1;
    const unsigned own = plumb_spec_term_number(ending, strlen(ending));
    plumb_spec_row_read(def, &row);
    h->odd = strcmp(ending, "res") != 0 &&
             (own == PLUMB_TERMS || own == PLUMB_TERM_OK ||
              !may_answer(h->spec, &row, own));
    plumb_base_text_printf(h->out, "%s answers %.*s with ", h->spec->type->name,
                           (int)length, h->name);
    for (unsigned t = 0; t < PLUMB_TERMS; t++)
        if (may_answer(h->spec, &row, t))
            tell(h, &row, t, length);
}

/* The operation is called in the model, as enq is by enq_inv. */
static const struct plumb_spec_opdef *operation_of(const struct hint *h,
                                                   size_t length)
{
    const struct plumb_spec_type *const t = h->spec->type;
    for (unsigned i = 0; i < t->nops; i++)
        if (plumb_spec_names_have(t->ops[i].names, h->name, length))
            return t->ops + i;
    return NULL;
}

void plumb_csp_object_answers(const struct plumb_csp_model *model,
                              const struct plumb_csp_assertion *assertion,
                              const char *name, struct plumb_budget *budget,
                              struct plumb_base_text *out)
{
    struct plumb_spec *spec = NULL;
    struct plumb_base_text text;
    struct plumb_error err;
    const char *const end = strrchr(name, '_');
    if (!assertion->built_in || assertion->points || !end ||
        strcmp(end, "_inv") == 0 ||
        plumb_spec_parse(assertion->built_in, &spec, &err) != PLUMB_OK)
        return;
    plumb_base_text_init(&text, budget);
    struct hint h = { model, spec, name, &text, 0, false };
    const struct plumb_spec_opdef *const def =
        operation_of(&h, (size_t)(end - name));
    if (def)
        tell_all(&h, def, (size_t)(end - name));
    if (h.odd && !text.broken)
        plumb_base_text_add(out, plumb_base_text_string(&text));
    plumb_base_text_release(&text);
    plumb_spec_free(spec);
}
