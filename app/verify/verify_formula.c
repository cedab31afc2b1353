/* verify_formula.c - the formula that tells two processes apart, as text. */
#include "verify_formula.h"

#include "base/vector.h"
#include <string.h>

/* What surrounds a part: nothing, &&, or what binds tighter; or it is what
 * comes behind its own (F). */
enum place { ALONE, CONJUNCT, OPERAND, BEHIND };

/* A piece that is to be written: a part, or words. */
struct piece {
    const char *words; /* NULL: the part */
    uint32_t part;
    enum place place;
};

struct writer {
    const struct plumb_refine_judgement *j;
    const struct plumb_refine_equivalence *e;
    uint32_t *name;                  /* of each part; 0: none */
    PLUMB_VECTOR(struct piece) left; /* to be written, the next one last */
    struct plumb_base_text *out;
    bool broken;
};

static bool has_two(const struct plumb_refine_modal *f)
{
    return f->kind == PLUMB_MODAL_AND || f->kind == PLUMB_MODAL_STEP;
}

static bool is_true(const struct writer *w, uint32_t part)
{
    return w->e->formula[part].kind == PLUMB_MODAL_TRUE;
}

/* ---- names ---- */

/* Parts that are used more than once and are more than <e> or its negation. */
static void give_names(struct writer *w)
{
    const struct plumb_refine_equivalence *const e = w->e;
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->formulas; i++) {
        const struct plumb_refine_modal *const f = e->formula + i;
        if (f->kind == PLUMB_MODAL_TRUE)
            continue;
        w->name[f->left]++;
        if (has_two(f))
            w->name[f->right]++;
    }
    for (uint32_t i = 0; i < e->formulas; i++) {
        const struct plumb_refine_modal *f = e->formula + i;
        if (f->kind == PLUMB_MODAL_NOT)
            f = e->formula + f->left;
        const bool brief =
            f->kind == PLUMB_MODAL_TRUE ||
            (f->kind != PLUMB_MODAL_AND && is_true(w, f->left) &&
             (f->kind != PLUMB_MODAL_STEP || is_true(w, f->right)));
        w->name[i] = w->name[i] > 1 && !brief ? ++count : 0;
    }
}

/* ---- writing ---- */

static void push(struct writer *w, const char *words, uint32_t part,
                 enum place place)
{
    const struct piece piece = { words, part, place };
    w->broken |= !PLUMB_PUSH(NULL, &w->left, piece);
}

static void push_words(struct writer *w, const char *words)
{
    push(w, words, 0, ALONE);
}

static void add_event(struct writer *w, const struct plumb_refine_modal *f)
{
    plumb_base_text_add(w->out, "<");
    if (f->kind == PLUMB_MODAL_DIVERGE)
        plumb_base_text_add(w->out, "~");
    else
        plumb_csp_event_numbers_text(w->j->world.events, f->event, w->out);
    plumb_base_text_add(w->out, ">");
}

/* What follows is pushed in the order from the end. */
static void write_step(struct writer *w, uint32_t part, bool constrained)
{
    const struct plumb_refine_modal *const f = w->e->formula + part;
    if (constrained && !is_true(w, f->left)) {
        plumb_base_text_add(w->out, "(");
        push(w, NULL, part, BEHIND); /* once more, without */
        push_words(w, ") ");
        push(w, NULL, f->left, ALONE);
        return;
    }
    add_event(w, f);
    if (f->kind == PLUMB_MODAL_STEP && !is_true(w, f->right)) {
        plumb_base_text_add(w->out, " ");
        push(w, NULL, f->right, OPERAND);
    }
}

static bool is_constrained(const struct writer *w,
                           const struct plumb_refine_modal *f)
{
    return (f->kind == PLUMB_MODAL_STEP || f->kind == PLUMB_MODAL_DIVERGE) &&
           !is_true(w, f->left);
}

static void write_part(struct writer *w, struct piece piece)
{
    const struct plumb_refine_modal *const f = w->e->formula + piece.part;
    if (piece.place != BEHIND && w->name[piece.part]) {
        plumb_base_text_printf(w->out, "f%u", (unsigned)w->name[piece.part]);
        return;
    }
    if ((piece.place == OPERAND && f->kind == PLUMB_MODAL_AND) ||
        ((piece.place == OPERAND || piece.place == CONJUNCT) &&
         is_constrained(w, f))) {
        plumb_base_text_add(w->out, "(");
        push_words(w, ")");
    }
    switch (f->kind) {
    case PLUMB_MODAL_TRUE:
        plumb_base_text_add(w->out, "true");
        break;
    case PLUMB_MODAL_NOT:
        plumb_base_text_add(w->out, "!");
        push(w, NULL, f->left, OPERAND);
        break;
    case PLUMB_MODAL_AND:
        push(w, NULL, f->right, CONJUNCT);
        push_words(w, " && ");
        push(w, NULL, f->left, CONJUNCT);
        break;
    default:
        write_step(w, piece.part, piece.place != BEHIND);
    }
}

/* A line: the part itself, even if it has a name. */
static void write_line(struct writer *w, uint32_t part)
{
    const uint32_t name = w->name[part];
    if (name)
        plumb_base_text_printf(w->out, "f%u = ", (unsigned)name);
    w->name[part] = 0;
    push(w, NULL, part, ALONE);
    while (w->left.count && !w->broken) {
        const struct piece piece = PLUMB_POP(&w->left);
        if (piece.words)
            plumb_base_text_add(w->out, piece.words);
        else
            write_part(w, piece);
    }
    w->name[part] = name;
    plumb_base_text_add(w->out, "\n");
}

void verify_formula(const struct plumb_refine_judgement *j,
                    struct plumb_base_text *out)
{
    const struct plumb_refine_equivalence *const e = &j->equivalence;
    const size_t size = e->formulas * sizeof(uint32_t);
    struct writer w = { .j = j, .e = e, .out = out };
    w.name = plumb_base_alloc_zeroed(NULL, size);
    w.broken = !w.name;
    if (!w.broken) {
        give_names(&w);
        write_line(&w, e->formulas - 1);
        for (uint32_t i = e->formulas - 1; i-- > 0;)
            if (w.name[i])
                write_line(&w, i);
    }
    out->broken |= w.broken;
    PLUMB_VECTOR_RELEASE(NULL, &w.left);
    plumb_base_release(NULL, w.name, size);
}
