/* execution_json.c - an execution that went wrong, for programs. */
#include "execution_json.h"

#include "json.h"
#include <string.h>

/* Members, with a comma in front of each but the first of an object. */
struct members {
    struct plumb_base_text *out;
    bool begun;
};

static struct members open_object(bool first, struct plumb_base_text *out)
{
    plumb_base_text_add(out, first ? "{" : ",{");
    return (struct members){ .out = out };
}

static void add_key(struct members *m, const char *key)
{
    plumb_base_text_printf(m->out, "%s\"%s\":", m->begun ? "," : "", key);
    m->begun = true;
}

/* What is not known is left out. */
static void add_text(struct members *m, const char *key, const char *text)
{
    if (!text || !text[0])
        return;
    add_key(m, key);
    plumb_report_json_string(text, strlen(text), m->out);
}

static void add_step(struct members *m, const char *key, uint32_t step)
{
    if (step == PLUMB_NO_STEP)
        return;
    add_key(m, key);
    plumb_base_text_printf(m->out, "%u", (unsigned)step);
}

static void add_deed(const struct plumb_report_deed *d, bool first,
                     struct plumb_base_text *out)
{
    struct members m = open_object(first, out);
    add_text(&m, "thread", d->thread);
    add_text(&m, "operation", d->operation);
    add_text(&m, "does", d->verb);
    add_text(&m, "place", d->place);
    add_step(&m, "step", d->step);
    plumb_base_text_add(out, "}");
}

void plumb_report_json_deeds(const char *object,
                             const struct plumb_report_deed *deed, size_t count,
                             struct plumb_base_text *out)
{
    struct members m = { .out = out, .begun = true };
    bool first = true;
    add_text(&m, "object", object);
    add_key(&m, "deeds");
    plumb_base_text_add(out, "[");
    for (size_t i = 0; i < count; i++) {
        if (!deed[i].thread)
            continue;
        add_deed(&deed[i], first, out);
        first = false;
    }
    plumb_base_text_add(out, "]");
}

static void add_waiter(const struct plumb_report_waiter *w, bool first,
                       struct plumb_base_text *out)
{
    struct members m = open_object(first, out);
    add_text(&m, "thread", w->thread);
    add_text(&m, "holds", w->holds);
    add_text(&m, "held_since", w->held_since);
    add_text(&m, "waits_for", w->waits_for);
    add_text(&m, "place", w->at);
    add_text(&m, "holder", w->holder);
    if (w->condition) {
        add_step(&m, "signals", w->signals);
        add_step(&m, "signals_for_others", w->for_others);
        add_text(&m, "last_signal",
                 w->signals || w->for_others ? w->signal.place : "");
    }
    plumb_base_text_add(out, "}");
}

void plumb_report_json_waiters(const struct plumb_report_waiter *waiter,
                               size_t count, struct plumb_base_text *out)
{
    struct members m = { .out = out, .begun = true };
    add_key(&m, "waiting");
    plumb_base_text_add(out, "[");
    for (size_t i = 0; i < count; i++)
        add_waiter(waiter + i, i == 0, out);
    plumb_base_text_add(out, "]");
}

static const char *kind_name(enum plumb_report_line_kind kind)
{
    static const char *const name[] = {
        [PLUMB_LINE_EVENT] = "event",   [PLUMB_LINE_CALL] = "call",
        [PLUMB_LINE_ANSWER] = "answer", [PLUMB_LINE_SWITCH] = "switch",
        [PLUMB_LINE_FOLD] = "left out", [PLUMB_LINE_FAULT] = "fault",
    };
    return name[kind];
}

static void add_line(const struct plumb_report_interleaving *what,
                     const struct plumb_report_line *line, bool first,
                     struct plumb_base_text *out)
{
    struct members m = open_object(first, out);
    add_text(&m, "kind", kind_name(line->kind));
    add_step(&m, "step", line->step);
    add_text(&m, "thread", what->heading[line->column]);
    add_text(&m, "text", line->text);
    add_text(&m, "place", line->place);
    plumb_base_text_add(out, "}");
}

void plumb_report_json_interleaving(
    const struct plumb_report_interleaving *what, struct plumb_base_text *out)
{
    struct members m = { .out = out, .begun = true };
    add_key(&m, "interleaving");
    plumb_base_text_add(out, "[");
    for (size_t i = 0; i < what->count; i++)
        add_line(what, what->line + i, i == 0, out);
    plumb_base_text_add(out, "]");
}
