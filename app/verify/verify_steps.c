/* verify_steps.c - what the processes of a model did, one step after another.
 *
 * A hidden step is told by what it changes; one that changes nothing (a test,
 * a name unfolding) is folded away unless everything is asked for. */
#include "verify_steps.h"

#include "base/arena.h"
#include "base/spelling.h"
#include "report/interleaving.h"
#include "report/wrap.h"
#include "verify_reason.h"
#include <stdio.h>
#include <string.h>

struct strip {
    struct plumb_refine_judgement *j;
    const struct plumb_csp_system *system;
    struct plumb_base_arena arena;
    struct plumb_base_text text; /* to be kept */
    struct plumb_report_line *line;
    size_t count;
    uint32_t folded;
    unsigned columns;
};

/* H = 1, HL[0] = 1: the globals that are not what they were, and those that are
 * shared and were written to. */
static bool add_changes(const struct verify_way *w, const char *separator,
                        struct plumb_base_text *out)
{
    enum { MOST_CHANGES = 8 }; /* of an array, usually: the rest is alike */
    const struct plumb_csp_system *const system =
        plumb_refine_judgement_side(w->j)->system;
    const uint32_t globals = plumb_csp_system_globals(system);
    uint32_t count = 0;
    for (uint32_t i = 0; i < globals; i++) {
        const bool kept = verify_way_keeps_slot(w, i);
        if ((!kept && !verify_way_changes_slot(w, i)) ||
            count++ >= MOST_CHANGES)
            continue;
        plumb_base_text_add(out, count > 1 ? ", " : separator);
        plumb_csp_system_slot_text(system, i, w->after[i], out);
        plumb_base_text_add(out, kept ? " (unchanged)" : "");
    }
    if (count > MOST_CHANGES)
        plumb_base_text_printf(out, " and %u more",
                               (unsigned)count - MOST_CHANGES);
    return count > 0;
}

void verify_step_text(const struct verify_way *w, struct plumb_base_text *out)
{
    const struct plumb_csp_event_numbers *const events = w->j->world.events;
    if (w->step->event != PLUMB_TAU) {
        plumb_csp_event_numbers_text(events, w->step->event, out);
    } else if (w->step->inside != PLUMB_TAU) {
        plumb_base_text_add(out, "[");
        plumb_csp_event_numbers_text(events, w->step->inside, out);
        plumb_base_text_add(out, "]");
    }
    if (!add_changes(w, out->size ? "  " : "", out) && out->size == 0)
        plumb_base_text_add(out, "tau");
}

static char *keep(struct strip *s)
{
    char *const kept = plumb_base_arena_copy(
        &s->arena, plumb_base_text_string(&s->text), s->text.size + 1);
    plumb_base_text_clear(&s->text);
    return kept;
}

static void add_line(struct strip *s, enum plumb_report_line_kind kind,
                     uint32_t step, unsigned column, const char *text,
                     const char *place)
{
    if (text && place)
        s->line[s->count++] = (struct plumb_report_line){ .kind = kind,
                                                          .step = step,
                                                          .column = column,
                                                          .text = text,
                                                          .place = place };
}

static const char *place_text(struct strip *s,
                              const struct plumb_csp_step *step)
{
    const struct plumb_csp_model *const m = s->j->model;
    if (step->place.line == 0)
        return "";
    const char *const file = m->file[step->place.file];
    const char *const slash = strrchr(file, '/');
    if (m->files > 1)
        plumb_base_text_printf(&s->text, "%s:", slash ? slash + 1 : file);
    else
        plumb_base_text_add(&s->text, "line ");
    plumb_base_text_printf(&s->text, "%u", (unsigned)step->place.line);
    return keep(s);
}

/* Of an endless round in which an operation does not return, every step counts.
 */
static bool tells(const struct verify_way *w)
{
    return w->step->event != PLUMB_TAU || verify_way_writes(w) ||
           (w->j->progress.offence != PLUMB_PROGRESS_MADE &&
            w->number > w->j->cycle);
}

static unsigned column_of(const struct strip *s, const struct verify_way *w)
{
    return w->actor < s->columns ? w->actor : 0;
}

static void add_step(struct strip *s, const struct verify_way *w)
{
    const bool last = w->number == s->j->length &&
                      s->j->refinement.offence == PLUMB_OFFENCE_EVENT;
    verify_step_text(w, &s->text);
    const char *const text = keep(s);
    add_line(s,
             last                          ? PLUMB_LINE_FAULT
             : w->step->event != PLUMB_TAU ? PLUMB_LINE_CALL
                                           : PLUMB_LINE_EVENT,
             w->number, column_of(s, w), text, place_text(s, w->step));
}

/* Of a long way to where the model goes wrong the middle is left out. */
static bool is_middle(const struct strip *s, uint32_t number, bool all)
{
    enum { LONG = 100, ENDS = 10 };
    return !all && !s->j->decided && s->j->length > LONG && number > ENDS &&
           number + ENDS <= s->j->length;
}

static void add_gap(struct strip *s, const struct verify_way *w)
{
    if (!s->count || s->line[s->count - 1].kind != PLUMB_LINE_FOLD)
        add_line(s, PLUMB_LINE_FOLD, PLUMB_NO_STEP, column_of(s, w),
                 "steps omitted; --verbose shows them", "");
}

static void add_hops(struct strip *s, bool all)
{
    struct verify_way w;
    verify_way_begin(&w, s->j);
    while (verify_way_next(&w)) {
        if (is_middle(s, w.number, all) && tells(&w)) {
            add_gap(s, &w);
            continue;
        }
        if (w.number == s->j->cycle + 1)
            add_line(s, PLUMB_LINE_SWITCH, PLUMB_NO_STEP, column_of(s, &w),
                     "the steps below repeat for ever", "");
        if (all || tells(&w) || w.number == s->j->length)
            add_step(s, &w);
        else
            s->folded++;
    }
    verify_way_end(&w);
}

/* The first component, from `own` on, that differs between two states; the
 * number of components if only globals do. */
static uint32_t differing(const struct plumb_csp_system *system, uint32_t own,
                          const uint32_t *one, const uint32_t *other)
{
    const uint32_t globals = plumb_csp_system_globals(system);
    const uint32_t components = plumb_csp_system_components(system);
    for (uint32_t i = 0; i < components; i++) {
        const uint32_t c = (own + i) % components;
        if (one[globals + c] != other[globals + c])
            return c;
    }
    return components;
}

/* What a process goes on as. */
static void add_rest(struct strip *s, unsigned column, uint32_t term)
{
    plumb_base_text_add(&s->text, "then ");
    plumb_csp_system_term_text(s->system, term, &s->text);
    add_line(s, PLUMB_LINE_SWITCH, PLUMB_NO_STEP, column, keep(s), "");
}

/* Two steps of which either may be the next one, and what tells them apart. */
static void add_either(struct strip *s)
{
    const struct plumb_refine_examination *const x = &s->j->examination;
    struct plumb_error err;
    struct verify_way w;
    verify_way_begin(&w, s->j);
    w.number = s->j->length + 1;
    if (verify_way_look(&w, x->final, &err) == PLUMB_OK) {
        verify_way_take(&w, x->edge[1]);
        const uint32_t *const other = w.after;
        verify_way_take(&w, x->edge[0]);
        const uint32_t c = differing(s->system, w.actor, w.after, other);
        for (unsigned k = 0; k < 2; k++) {
            verify_way_take(&w, x->edge[k]);
            add_step(s, &w);
            if (c < plumb_csp_system_components(s->system))
                add_rest(s, c < s->columns ? c : 0,
                         w.after[plumb_csp_system_globals(s->system) + c]);
        }
    }
    verify_way_end(&w);
}

static const char *const *headings(struct strip *s)
{
    const char **const heading =
        plumb_base_arena_alloc(&s->arena, s->columns * sizeof *heading);
    for (unsigned i = 0; i < s->columns && heading; i++) {
        plumb_csp_system_component_text(s->system, i, &s->text);
        heading[i] = keep(s);
        if (!heading[i])
            return NULL;
    }
    return heading;
}

void verify_steps(struct plumb_refine_judgement *j,
                  const struct plumb_report_style *style, bool all,
                  unsigned indent, struct plumb_base_text *out)
{
    enum { MOST_MORE = 5 }; /* lines, other than steps of the way */
    struct strip s = { .j = j,
                       .system = plumb_refine_judgement_side(j)->system };
    const uint32_t components = plumb_csp_system_components(s.system);
    s.columns =
        components < PLUMB_MOST_COLUMNS ? components : PLUMB_MOST_COLUMNS;
    plumb_base_arena_init(&s.arena, NULL);
    plumb_base_text_init(&s.text, NULL);
    s.line = plumb_base_arena_alloc(&s.arena, ((size_t)j->length + MOST_MORE) *
                                                  sizeof *s.line);
    const char *const *const heading = headings(&s);
    if (s.line && heading) {
        add_hops(&s, all);
        if (verify_is_ambiguous(j))
            add_either(&s);
        const struct plumb_report_interleaving told = { .heading = heading,
                                                        .columns = s.columns,
                                                        .line = s.line,
                                                        .count = s.count,
                                                        .from = 1 };
        plumb_report_interleaving_text(&told, style, indent, out);
        if (s.folded) {
            plumb_base_text_clear(&s.text);
            plumb_base_text_printf(&s.text,
                                   "%u hidden step%s omitted (no variable "
                                   "changes); --verbose shows all",
                                   (unsigned)s.folded,
                                   plumb_base_plural(s.folded));
            plumb_base_text_fill(out, ' ', indent);
            plumb_report_wrap(plumb_base_text_string(&s.text), s.text.size,
                              indent, 2 * indent, style, out);
        }
    }
    plumb_base_text_release(&s.text);
    plumb_base_arena_release(&s.arena);
}
