/* term_text.c - terms as they would be written.
 *
 * For people who look at a state: what a process is about to do.  A term is
 * written as deep as its text; references are not unfolded. */
#include "base/text.h"
#include "term_store.h"

static void write_term(const struct plumb_csp_terms *t, uint32_t term,
                       struct plumb_base_text *out);

static const struct plumb_csp_model *model_of(const struct plumb_csp_terms *t)
{
    return t->world->model;
}

static void write_formula(const struct plumb_csp_terms *t, uint32_t formula,
                          struct plumb_base_text *out)
{
    plumb_csp_formula_text(t->world->formulas, formula, out);
}

/* $2 stands for operand 2, which is a term; #2 if it is a formula. */
static void write_form(const struct plumb_csp_terms *t,
                       const struct plumb_csp_term_node *n, const char *form,
                       struct plumb_base_text *out)
{
    for (; *form; form++)
        if (*form == '$')
            write_term(t, n->operand[*++form - '0'], out);
        else if (*form == '#')
            write_formula(t, n->operand[*++form - '0'], out);
        else
            plumb_base_text_bytes(out, form, 1);
}

static void write_list(const struct plumb_csp_terms *t, const uint32_t *formula,
                       uint32_t count, const char *between,
                       struct plumb_base_text *out)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            plumb_base_text_add(out, between);
        write_formula(t, formula[i], out);
    }
}

static void write_arrow(const struct plumb_csp_terms *t, uint32_t effect,
                        uint32_t child, struct plumb_base_text *out)
{
    if (effect) {
        plumb_base_text_add(out, "{");
        write_formula(t, effect, out);
        plumb_base_text_add(out, "}");
    }
    plumb_base_text_add(out, " -> ");
    write_term(t, child, out);
}

static void write_prefix(const struct plumb_csp_terms *t,
                         const struct plumb_csp_term_node *n,
                         struct plumb_base_text *out)
{
    plumb_base_text_add(out, n->operand[0] == PLUMB_UNNAMED
                                 ? "tau"
                                 : model_of(t)->name[n->operand[0]]);
    for (uint32_t i = 3; i < n->count; i++) {
        plumb_base_text_add(out, ".");
        write_formula(t, n->operand[i], out);
    }
    write_arrow(t, n->operand[1], n->operand[2], out);
}

static void write_channel(const struct plumb_csp_terms *t,
                          const struct plumb_csp_term_node *n,
                          struct plumb_base_text *out)
{
    plumb_base_text_add(out, model_of(t)->channel[n->operand[0]].name);
    if (n->operand[1] != PLUMB_NONE)
        write_form(t, n, "[#1]", out);
}

static void write_send(const struct plumb_csp_terms *t,
                       const struct plumb_csp_term_node *n,
                       struct plumb_base_text *out)
{
    write_channel(t, n, out);
    plumb_base_text_add(out, "!");
    write_list(t, n->operand + 4, n->count - 4, ".", out);
    write_arrow(t, n->operand[2], n->operand[3], out);
}

static void write_receive(const struct plumb_csp_terms *t,
                          const struct plumb_csp_term_node *n,
                          struct plumb_base_text *out)
{
    write_channel(t, n, out);
    plumb_base_text_add(out, "?");
    if (n->operand[3] != PLUMB_NONE)
        write_form(t, n, "[#3]", out);
    for (uint32_t i = 5; i < n->count; i += 2) {
        if (i > 5)
            plumb_base_text_add(out, ".");
        if (n->operand[i] == PLUMB_NONE)
            write_formula(t, n->operand[i + 1], out);
        else
            plumb_base_text_printf(out, "x%u", (unsigned)n->operand[i]);
    }
    write_arrow(t, n->operand[2], n->operand[4], out);
}

static void write_reference(const struct plumb_csp_terms *t,
                            const struct plumb_csp_term_node *n,
                            struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "%s(",
                           model_of(t)->definition[n->operand[0]].name);
    write_list(t, n->operand + 1, n->count - 1, ", ", out);
    plumb_base_text_add(out, ")");
}

static void write_several(const struct plumb_csp_terms *t,
                          const struct plumb_csp_term_node *n,
                          struct plumb_base_text *out)
{
    static const char *const between[] = {
        [PLUMB_TERM_CHOICE] = " [] ",   [PLUMB_TERM_EXTERNAL] = " [*] ",
        [PLUMB_TERM_INTERNAL] = " <> ", [PLUMB_TERM_INTERLEAVE] = " ||| ",
        [PLUMB_TERM_PARALLEL] = " || ", [PLUMB_TERM_SYNCHRONY] = " || ",
    };
    const bool alphabets = n->operation == PLUMB_TERM_SYNCHRONY;
    plumb_base_text_add(out, "(");
    for (uint32_t i = 0; i < (alphabets ? n->count / 2 : n->count); i++) {
        if (i)
            plumb_base_text_add(out, between[n->operation]);
        write_term(t, n->operand[i], out);
    }
    plumb_base_text_add(out, ")");
}

static void write_count(uint32_t count, struct plumb_base_text *out)
{
    if (count == PLUMB_MANY)
        plumb_base_text_add(out, "|||{..}@");
    else
        plumb_base_text_printf(out, "|||{%u}@", (unsigned)count);
}

static void write_copies(const struct plumb_csp_terms *t,
                         const struct plumb_csp_term_node *n,
                         struct plumb_base_text *out)
{
    write_count(n->operand[0], out);
    write_term(t, n->operand[1], out);
}

static void write_multiset(const struct plumb_csp_terms *t,
                           const struct plumb_csp_term_node *n,
                           struct plumb_base_text *out)
{
    plumb_base_text_add(out, "(");
    for (uint32_t i = 0; i < n->count; i += 2) {
        if (i)
            plumb_base_text_add(out, " ||| ");
        write_count(n->operand[i + 1], out);
        write_term(t, n->operand[i], out);
    }
    plumb_base_text_add(out, ")");
}

static void write_hide(const struct plumb_csp_terms *t,
                       const struct plumb_csp_term_node *n,
                       struct plumb_base_text *out)
{
    uint32_t count;
    const uint32_t *key =
        plumb_csp_event_sets_key(&t->sets, n->operand[1], &count);
    const uint32_t *const end = key + count;
    write_form(t, n, "($0 \\ {", out);
    for (const char *between = ""; key != end; key += 2 + key[1]) {
        if (key[0] == PLUMB_NO_NAME)
            continue;
        plumb_base_text_printf(out, "%s%s", between, model_of(t)->name[key[0]]);
        if (key[1])
            plumb_base_text_add(out, ".");
        write_list(t, key + 2, key[1], ".", out);
        between = ", ";
    }
    plumb_base_text_add(out, "})");
}

/* The name of the index is not known here: it is written as the others. */
static void write_indexed(const struct plumb_csp_terms *t,
                          const struct plumb_csp_term_node *n,
                          struct plumb_base_text *out)
{
    static const char *const text[] = {
        [PLUMB_EXTERNAL] = "[*]", [PLUMB_CHOICE] = "[]",
        [PLUMB_INTERNAL] = "<>",  [PLUMB_INTERLEAVE] = "|||",
        [PLUMB_PARALLEL] = "||",  [PLUMB_COPIES] = "|||",
    };
    const uint32_t bounds = n->operand[2];
    plumb_base_text_printf(out, "(%s", text[n->operand[0]]);
    for (uint32_t i = 0; i < bounds; i++) {
        plumb_base_text_add(out, i == 0 ? "{" : i % 2 ? ".." : ", ");
        write_formula(t, n->operand[3 + i], out);
    }
    plumb_base_text_add(out, "} @ ");
    for (uint32_t i = 3 + bounds; i < n->count; i++)
        write_term(t, n->operand[i], out);
    plumb_base_text_add(out, ")");
}

static void write_case(const struct plumb_csp_terms *t,
                       const struct plumb_csp_term_node *n,
                       struct plumb_base_text *out)
{
    plumb_base_text_add(out, "case {");
    for (uint32_t i = 0; i < n->count; i += 2) {
        plumb_base_text_add(out, " ");
        if (n->operand[i] == PLUMB_NONE)
            plumb_base_text_add(out, "default");
        else
            write_formula(t, n->operand[i], out);
        plumb_base_text_add(out, ": ");
        write_term(t, n->operand[i + 1], out);
    }
    plumb_base_text_add(out, " }");
}

static void write_term(const struct plumb_csp_terms *t, uint32_t term,
                       struct plumb_base_text *out)
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
    static void (*const write[])(const struct plumb_csp_terms *t,
                                 const struct plumb_csp_term_node *n,
                                 struct plumb_base_text *out) = {
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
    const struct plumb_csp_term_node *const n = &t->node[term];
    if (write[n->operation])
        write[n->operation](t, n, out);
    else
        write_form(t, n, form[n->operation], out);
}

void plumb_csp_term_text(const struct plumb_csp_terms *t, uint32_t term,
                         struct plumb_base_text *out)
{
    write_term(t, term, out);
}
