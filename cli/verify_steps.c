/* verify_steps.c - what the processes of a model did, one step after another.
 *
 * A hidden step is told by what it changes; one that changes nothing (a test,
 * a name unfolding) is folded away unless everything is asked for. */
#include "verify_steps.h"

#include "base/arena.h"
#include "base/memory.h"
#include "report/interleaving.h"
#include <stdio.h>
#include <string.h>

struct strip {
    struct plumb_judgement *j;
    struct plumb_arena arena;
    struct plumb_line *line;
    size_t count;
    uint32_t folded;
    unsigned columns;
};

/* H=1, HL[0]=1: the globals that are not what they were. */
static bool add_changes(struct plumb_judgement *j, const uint32_t *before,
                        const uint32_t *after, const char *separator,
                        struct plumb_text *out)
{
    enum { MOST_CHANGES = 8 }; /* of an array, usually: the rest is alike */
    const uint32_t globals = plumb_system_globals(j->impl.system);
    uint32_t count = 0;
    for (uint32_t i = 0; i < globals; i++) {
        if (before[i] == after[i] || count++ >= MOST_CHANGES)
            continue;
        plumb_text_add(out, count > 1 ? ", " : separator);
        plumb_system_slot_text(j->impl.system, i, after[i], out);
    }
    if (count > MOST_CHANGES)
        plumb_text_printf(out, " and %u more", (unsigned)count - MOST_CHANGES);
    return count > 0;
}

void verify_step_text(struct plumb_judgement *j, const struct plumb_step *step,
                      const uint32_t *before, const uint32_t *after,
                      struct plumb_text *out)
{
    if (step->event != PLUMB_TAU) {
        plumb_event_numbers_text(j->world.events, step->event, out);
    } else if (step->inside != PLUMB_TAU) {
        plumb_text_add(out, "[");
        plumb_event_numbers_text(j->world.events, step->inside, out);
        plumb_text_add(out, "]");
    }
    if (!add_changes(j, before, after, out->size ? "  " : "", out) &&
        out->size == 0)
        plumb_text_add(out, "tau");
}

static char *keep(struct strip *s, const struct plumb_text *text)
{
    return plumb_arena_copy(&s->arena, plumb_text_string(text), text->size + 1);
}

static void add_line(struct strip *s, enum plumb_line_kind kind, uint32_t step,
                     unsigned column, const char *text, const char *place)
{
    if (text && place)
        s->line[s->count++] = (struct plumb_line){ .kind = kind,
                                                   .step = step,
                                                   .column = column,
                                                   .text = text,
                                                   .place = place };
}

static const char *place_text(struct strip *s, const struct plumb_step *step)
{
    const struct plumb_model *const m = s->j->model;
    struct plumb_text text;
    if (step->place.line == 0)
        return "";
    const char *const file = m->file[step->place.file];
    const char *const slash = strrchr(file, '/');
    plumb_text_init(&text, NULL);
    if (m->files > 1)
        plumb_text_printf(&text, "%s:", slash ? slash + 1 : file);
    else
        plumb_text_add(&text, "line ");
    plumb_text_printf(&text, "%u", (unsigned)step->place.line);
    const char *const kept = keep(s, &text);
    plumb_text_release(&text);
    return kept;
}

static bool tells(const struct plumb_judgement *j,
                  const struct plumb_step *step, const uint32_t *before,
                  const uint32_t *after)
{
    return step->event != PLUMB_TAU ||
           memcmp(before, after,
                  plumb_system_globals(j->impl.system) * sizeof *before) != 0;
}

static void add_step(struct strip *s, uint32_t number,
                     const struct plumb_step *step, const uint32_t *before,
                     const uint32_t *after)
{
    struct plumb_text text;
    const unsigned actor =
        step->actors ? (unsigned)__builtin_ctzll(step->actors) : 0;
    const bool last = number == s->j->length &&
                      s->j->refinement.offence == PLUMB_OFFENCE_EVENT;
    plumb_text_init(&text, NULL);
    verify_step_text(s->j, step, before, after, &text);
    add_line(s,
             last                       ? PLUMB_LINE_FAULT
             : step->event != PLUMB_TAU ? PLUMB_LINE_CALL
                                        : PLUMB_LINE_EVENT,
             number, actor < s->columns ? actor : 0, keep(s, &text),
             place_text(s, step));
    plumb_text_release(&text);
}

static void add_hops(struct strip *s, bool all)
{
    struct plumb_judgement *const j = s->j;
    const uint32_t slots = plumb_system_slots(j->impl.system);
    uint32_t *const before =
        plumb_arena_alloc(&s->arena, slots * sizeof *before);
    struct plumb_steps steps = { 0 };
    struct plumb_error err;
    for (uint32_t i = 0; i < j->length && before; i++) {
        const struct plumb_hop *const hop = &j->path[i];
        if (plumb_census_steps(j->impl.census, hop->state, &steps, &err) !=
            PLUMB_OK)
            break;
        const struct plumb_step *const step = &steps.step[hop->index];
        const uint32_t *const after =
            steps.vector + (size_t)step->target * slots;
        plumb_census_vector(j->impl.census, hop->state, before);
        if (i == j->cycle)
            add_line(s, PLUMB_LINE_SWITCH, PLUMB_NO_STEP, 0,
                     "from here on again and again", "");
        if (all || tells(j, step, before, after) || i + 1 == j->length)
            add_step(s, i + 1, step, before, after);
        else
            s->folded++;
    }
    plumb_steps_release(&steps, j->world.budget);
}

static const char *const *headings(struct strip *s)
{
    const char **const heading =
        plumb_arena_alloc(&s->arena, s->columns * sizeof *heading);
    for (unsigned i = 0; i < s->columns && heading; i++) {
        struct plumb_text name;
        plumb_text_init(&name, NULL);
        plumb_system_component_text(s->j->impl.system, i, &name);
        heading[i] = keep(s, &name);
        plumb_text_release(&name);
        if (!heading[i])
            return NULL;
    }
    return heading;
}

void verify_steps(struct plumb_judgement *j, const struct plumb_style *style,
                  bool all, unsigned indent, struct plumb_text *out)
{
    const uint32_t components = plumb_system_components(j->impl.system);
    struct strip s = { .j = j,
                       .columns = components < PLUMB_MOST_COLUMNS
                                      ? components
                                      : PLUMB_MOST_COLUMNS };
    plumb_arena_init(&s.arena, NULL);
    s.line =
        plumb_arena_alloc(&s.arena, ((size_t)j->length + 1) * sizeof *s.line);
    const char *const *const heading = headings(&s);
    if (s.line && heading) {
        add_hops(&s, all);
        const struct plumb_interleaving told = { .heading = heading,
                                                 .columns = s.columns,
                                                 .line = s.line,
                                                 .count = s.count };
        plumb_interleaving_text(&told, style, indent, out);
        if (s.folded)
            plumb_text_printf(out,
                              "%*s%u hidden step%s that change%s no variable "
                              "left out: see --verbose\n",
                              (int)indent, "", (unsigned)s.folded,
                              s.folded == 1 ? "" : "s",
                              s.folded == 1 ? "s" : "");
    }
    plumb_arena_release(&s.arena);
}
