/* term_text.c - terms as they would be written.
 *
 * For people who look at a state: what a process is about to do.  A term is
 * written as deep as its text; references are not unfolded. */
#include "base/text.h"
#include "term_store.h"

struct writer {
    const struct plumb_csp_terms *t;
    struct plumb_base_text *out;
};

static void write_term(const struct writer *w, uint32_t term);

static void write_formula(const struct writer *w, uint32_t formula)
{
    plumb_csp_formula_text(w->t->world->formulas, formula, w->out);
}

/* $2 stands for operand 2, which is a term; #2 if it is a formula. */
static void write_form(const struct writer *w,
                       const struct plumb_csp_term_node *n, const char *form)
{
    for (; *form; form++)
        if (*form == '$')
            write_term(w, n->operand[*++form - '0']);
        else if (*form == '#')
            write_formula(w, n->operand[*++form - '0']);
        else
            plumb_base_text_bytes(w->out, form, 1);
}

static void write_list(const struct writer *w, const uint32_t *formula,
                       uint32_t count, const char *between)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            plumb_base_text_add(w->out, between);
        write_formula(w, formula[i]);
    }
}

static void write_arrow(const struct writer *w, uint32_t effect, uint32_t child)
{
    if (effect) {
        plumb_base_text_add(w->out, "{");
        write_formula(w, effect);
        plumb_base_text_add(w->out, "}");
    }
    plumb_base_text_add(w->out, " -> ");
    write_term(w, child);
}

static void write_prefix(const struct writer *w,
                         const struct plumb_csp_term_node *n)
{
    plumb_base_text_add(w->out, n->operand[0] == PLUMB_UNNAMED
                                    ? "tau"
                                    : w->t->world->model->name[n->operand[0]]);
    for (uint32_t i = 3; i < n->count; i++) {
        plumb_base_text_add(w->out, ".");
        write_formula(w, n->operand[i]);
    }
    write_arrow(w, n->operand[1], n->operand[2]);
}

static void write_channel(const struct writer *w,
                          const struct plumb_csp_term_node *n)
{
    plumb_base_text_add(w->out,
                        w->t->world->model->channel[n->operand[0]].name);
    if (n->operand[1] != PLUMB_NONE)
        write_form(w, n, "[#1]");
}

static void write_send(const struct writer *w,
                       const struct plumb_csp_term_node *n)
{
    write_channel(w, n);
    plumb_base_text_add(w->out, "!");
    write_list(w, n->operand + 4, n->count - 4, ".");
    write_arrow(w, n->operand[2], n->operand[3]);
}

static void write_receive(const struct writer *w,
                          const struct plumb_csp_term_node *n)
{
    write_channel(w, n);
    plumb_base_text_add(w->out, "?");
    if (n->operand[3] != PLUMB_NONE)
        write_form(w, n, "[#3]");
    for (uint32_t i = 5; i < n->count; i += 2) {
        if (i > 5)
            plumb_base_text_add(w->out, ".");
        if (n->operand[i] == PLUMB_NONE)
            write_formula(w, n->operand[i + 1]);
        else
            plumb_base_text_printf(w->out, "x%u", (unsigned)n->operand[i]);
    }
    write_arrow(w, n->operand[2], n->operand[4]);
}

static void write_reference(const struct writer *w,
                            const struct plumb_csp_term_node *n)
{
    plumb_base_text_printf(w->out, "%s(",
                           w->t->world->model->definition[n->operand[0]].name);
    write_list(w, n->operand + 1, n->count - 1, ", ");
    plumb_base_text_add(w->out, ")");
}

static void write_several(const struct writer *w,
                          const struct plumb_csp_term_node *n)
{
    static const char *const between[] = {
        [PLUMB_TERM_CHOICE] = " [] ",   [PLUMB_TERM_EXTERNAL] = " [*] ",
        [PLUMB_TERM_INTERNAL] = " <> ", [PLUMB_TERM_INTERLEAVE] = " ||| ",
        [PLUMB_TERM_PARALLEL] = " || ", [PLUMB_TERM_SYNCHRONY] = " || ",
    };
    const bool alphabets = n->operation == PLUMB_TERM_SYNCHRONY;
    plumb_base_text_add(w->out, "(");
    for (uint32_t i = 0; i < (alphabets ? n->count / 2 : n->count); i++) {
        if (i)
            plumb_base_text_add(w->out, between[n->operation]);
        write_term(w, n->operand[i]);
    }
    plumb_base_text_add(w->out, ")");
}

static void write_count(const struct writer *w, uint32_t count)
{
    if (count == PLUMB_MANY)
        plumb_base_text_add(w->out, "|||{..}@");
    else
        plumb_base_text_printf(w->out, "|||{%u}@", (unsigned)count);
}

static void write_copies(const struct writer *w,
                         const struct plumb_csp_term_node *n)
{
    write_count(w, n->operand[0]);
    write_term(w, n->operand[1]);
}

static void write_multiset(const struct writer *w,
                           const struct plumb_csp_term_node *n)
{
    plumb_base_text_add(w->out, "(");
    for (uint32_t i = 0; i < n->count; i += 2) {
        if (i)
            plumb_base_text_add(w->out, " ||| ");
        write_count(w, n->operand[i + 1]);
        write_term(w, n->operand[i]);
    }
    plumb_base_text_add(w->out, ")");
}

/* Of a set: e.0.1, c!5, c[2]?5.1, c or c[2] of a channel. */
static void write_event(const struct writer *w, const uint32_t *key)
{
    static const char *const mark[] = { ".", "!", "?", ".", "" };
    const struct plumb_csp_model *const m = w->t->world->model;
    const enum plumb_csp_event_kind kind = plumb_csp_event_sets_kind(key[0]);
    const uint32_t name = plumb_csp_event_sets_name(key[0]);
    const bool plain = kind == PLUMB_EVENT_PLAIN;
    const uint32_t index = !plain && m->channel[name].array && key[1] ? 1 : 0;
    plumb_base_text_add(w->out, plain ? m->name[name] : m->channel[name].name);
    if (index) {
        plumb_base_text_add(w->out, "[");
        write_formula(w, key[2]);
        plumb_base_text_add(w->out, "]");
    }
    if (key[1] > index)
        plumb_base_text_add(w->out, mark[kind]);
    write_list(w, key + 2 + index, key[1] - index, ".");
}

static void write_hide(const struct writer *w,
                       const struct plumb_csp_term_node *n)
{
    uint32_t count;
    const uint32_t *key =
        plumb_csp_event_sets_key(&w->t->sets, n->operand[1], &count);
    const uint32_t *const end = key + count;
    write_form(w, n, "($0 \\ {");
    for (const char *between = ""; key != end; key += 2 + key[1]) {
        if (key[0] == PLUMB_NO_NAME)
            continue;
        plumb_base_text_add(w->out, between);
        write_event(w, key);
        between = ", ";
    }
    plumb_base_text_add(w->out, "})");
}

/* The name of the index is not known here: it is written as the others. */
static void write_indexed(const struct writer *w,
                          const struct plumb_csp_term_node *n)
{
    static const char *const text[] = {
        [PLUMB_EXTERNAL] = "[*]", [PLUMB_CHOICE] = "[]",
        [PLUMB_INTERNAL] = "<>",  [PLUMB_INTERLEAVE] = "|||",
        [PLUMB_PARALLEL] = "||",  [PLUMB_COPIES] = "|||",
    };
    const uint32_t bounds = n->operand[2];
    plumb_base_text_printf(w->out, "(%s", text[n->operand[0]]);
    for (uint32_t i = 0; i < bounds; i++) {
        plumb_base_text_add(w->out, i == 0 ? "{" : i % 2 ? ".." : ", ");
        write_formula(w, n->operand[3 + i]);
    }
    plumb_base_text_add(w->out, "} @ ");
    for (uint32_t i = 3 + bounds; i < n->count; i++)
        write_term(w, n->operand[i]);
    plumb_base_text_add(w->out, ")");
}

static void write_case(const struct writer *w,
                       const struct plumb_csp_term_node *n)
{
    plumb_base_text_add(w->out, "case {");
    for (uint32_t i = 0; i < n->count; i += 2) {
        plumb_base_text_add(w->out, " ");
        if (n->operand[i] == PLUMB_NONE)
            plumb_base_text_add(w->out, "default");
        else
            write_formula(w, n->operand[i]);
        plumb_base_text_add(w->out, ": ");
        write_term(w, n->operand[i + 1]);
    }
    plumb_base_text_add(w->out, " }");
}

static void write_term(const struct writer *w, uint32_t term)
{
    static const char *const form[] = {
        [PLUMB_TERM_STOP] = "Stop",
        [PLUMB_TERM_SKIP] = "Skip",
        [PLUMB_TERM_DONE] = "Stop",
        [PLUMB_TERM_MESSAGE] = "$0",
        [PLUMB_TERM_RECEIVED] = "$2",
        [PLUMB_TERM_SEQUENCE] = "($0; $1)",
        [PLUMB_TERM_INTERRUPT] = "($0 interrupt $1)",
        [PLUMB_TERM_GUARD] = "[#0] $1",
        [PLUMB_TERM_IF] = "if(#0) { $1 } else { $2 }",
        [PLUMB_TERM_IFA] = "ifa(#0) { $1 } else { $2 }",
        [PLUMB_TERM_IFB] = "ifb(#0) { $1 }",
        [PLUMB_TERM_ATOMIC] = "atomic { $0 }",
        [PLUMB_TERM_ASSERT] = "assert(#0); $1",
        [PLUMB_TERM_OUTSIDE] = "$0",
    };
    static void (*const write[])(const struct writer *w,
                                 const struct plumb_csp_term_node *n) = {
        [PLUMB_TERM_PREFIX] = write_prefix,
        [PLUMB_TERM_SEND] = write_send,
        [PLUMB_TERM_RECEIVE] = write_receive,
        [PLUMB_TERM_REFERENCE] = write_reference,
        [PLUMB_TERM_CHOICE] = write_several,
        [PLUMB_TERM_EXTERNAL] = write_several,
        [PLUMB_TERM_INTERNAL] = write_several,
        [PLUMB_TERM_INTERLEAVE] = write_several,
        [PLUMB_TERM_PARALLEL] = write_several,
        [PLUMB_TERM_SYNCHRONY] = write_several,
        [PLUMB_TERM_COPIES] = write_copies,
        [PLUMB_TERM_MULTISET] = write_multiset,
        [PLUMB_TERM_HIDE] = write_hide,
        [PLUMB_TERM_CASE] = write_case,
        [PLUMB_TERM_INDEXED] = write_indexed,
        [PLUMB_TERM_OUTSIDE] = NULL, /* the last kind */
    };
    const struct plumb_csp_term_node *const n = &w->t->node[term];
    if (write[n->operation])
        write[n->operation](w, n);
    else
        write_form(w, n, form[n->operation]);
}

void plumb_csp_term_text(const struct plumb_csp_terms *t, uint32_t term,
                         struct plumb_base_text *out)
{
    const struct writer w = { t, out };
    write_term(&w, term);
}
