/* native_emit.c - the moves of terms, written as C. */
#include "native_emit.h"

#include "base/memory.h"
#include "csp/terms/term_moves.h"

/* What compiles in a second or so. */
enum { LARGEST_TEXT = 1 << 19 };

struct emitter {
    struct plumb_csp_quick *q;
    struct plumb_csp_terms *t;
    struct plumb_base_text *out;
    struct plumb_base_text table;
    uint8_t *formula; /* by number: 0 not asked, WRITTEN, NOT_WRITTEN */
    size_t formulas;
};

enum { WRITTEN = 1, NOT_WRITTEN = 2 };

/* Write a formula or an effect, if that was not done.  Can it be? */
static bool emit_formula(struct emitter *e, uint32_t number)
{
    if (!PLUMB_GROW_ZEROED(e->out->budget, e->formula, e->formulas,
                           (size_t)number + 1))
        return false;
    if (!e->formula[number]) {
        const size_t begin = e->out->size;
        const bool written =
            plumb_csp_formula_emit(e->t->world->formulas, number, e->out);
        if (!written && !e->out->broken) {
            e->out->size = begin;
            e->out->data[begin] = '\0';
        }
        e->formula[number] = written ? WRITTEN : NOT_WRITTEN;
    }
    return e->formula[number] == WRITTEN;
}

static bool emit_formulas(struct emitter *e, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++) {
        const struct plumb_csp_move m = e->t->move[i];
        if ((m.guard != PLUMB_NONE && !emit_formula(e, m.guard)) ||
            (m.effect && !emit_formula(e, m.effect)))
            return false;
    }
    return true;
}

/* What an effect changed is told and put back; neighbours in a loop. */
static void emit_changes(struct emitter *e, const uint32_t *slot,
                         uint32_t count)
{
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && slot[end] == slot[end - 1] + 1;)
            end++;
        plumb_base_text_printf(
            e->out,
            "for (unsigned k = %u; k < %u; k++) "
            "if (w[k] != s[k]) { *o++ = k; "
            "*o++ = (uint32_t)w[k]; w[k] = s[k]; n[0]++; }\n",
            (unsigned)slot[i], (unsigned)(slot[end - 1] + 1));
    }
}

/* False when memory is refused. */
static bool emit_move(struct emitter *e, uint32_t first, uint32_t number,
                      uint32_t *most)
{
    const struct plumb_csp_move m = e->t->move[number];
    const uint32_t *slot = NULL;
    uint32_t count = 0;
    if (m.effect && !plumb_csp_quick_writes(e->q, number, &slot, &count))
        return false;
    *most += 2 + 2 * count;
    plumb_base_text_add(e->out, "  ");
    if (m.guard != PLUMB_NONE)
        plumb_base_text_printf(e->out, "if (f%u(w, &v)) return -1;\n  if (v) ",
                               (unsigned)m.guard);
    plumb_base_text_add(e->out, "{\n");
    if (m.effect)
        plumb_base_text_printf(e->out, "if (f%u(w, &v)) return -1;\n",
                               (unsigned)m.effect);
    plumb_base_text_printf(e->out, "*o++ = %u; n = o; *o++ = 0;\n",
                           (unsigned)(number - first));
    emit_changes(e, slot, count);
    plumb_base_text_add(e->out, "}\n");
    return true;
}

static bool emit_term(struct emitter *e, uint32_t term)
{
    uint32_t first, count, most = 0;
    if (!plumb_csp_quick_moves(e->q, term, &first, &count) ||
        !emit_formulas(e, first, count))
        return true;
    plumb_base_text_printf(
        e->out,
        "static int t%u(const int32_t *s, int32_t *w, "
        "uint32_t *out)\n{ uint32_t *o = out, *n; int32_t v; "
        "(void)n; (void)v;\n",
        (unsigned)term);
    for (uint32_t i = first; i < first + count; i++)
        if (!emit_move(e, first, i, &most))
            return false;
    plumb_base_text_add(e->out, "  return (int)(o - out);\n}\n");
    plumb_base_text_printf(&e->table, "{ %u, %u, t%u },\n", (unsigned)term,
                           (unsigned)most, (unsigned)term);
    return !e->out->broken && !e->table.broken;
}

bool plumb_csp_native_emit(struct plumb_csp_quick *q, struct plumb_csp_terms *t,
                           struct plumb_base_text *out)
{
    struct emitter e = { .q = q, .t = t, .out = out };
    const uint32_t terms = t->count;
    bool good = true;
    plumb_base_text_init(&e.table, out->budget);
    plumb_csp_formula_emit_prelude(out);
    for (uint32_t i = 0; good && i < terms && out->size < LARGEST_TEXT; i++)
        good = emit_term(&e, i);
    plumb_base_text_printf(
        out,
        "const struct { uint32_t term, most; int (*go)(const "
        "int32_t *, int32_t *, uint32_t *); } "
        "plumb_native_table[] = {\n%s{ 0, 0, 0 } };\n",
        plumb_base_text_string(&e.table));
    good = good && !out->broken && !e.table.broken;
    plumb_base_release(out->budget, e.formula, e.formulas);
    plumb_base_text_release(&e.table);
    return good;
}
