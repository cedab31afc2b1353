/* execution_json.c - an execution that went wrong, for programs. */
#include "execution_json.h"

#include "json.h"
#include <string.h>

/* What is not known is left out. */
static void add_text(struct plumb_base_text *out, const char *key,
                     const char *text)
{
    if (text && text[0])
        plumb_report_json_text(key, text, out);
}

static void add_step(struct plumb_base_text *out, const char *key,
                     uint32_t step)
{
    if (step != PLUMB_NO_STEP)
        plumb_report_json_number(key, step, out);
}

static void add_deed(const struct plumb_report_deed *d,
                     struct plumb_base_text *out)
{
    plumb_report_json_open('{', out);
    add_text(out, "thread", d->thread);
    add_text(out, "operation", d->operation);
    add_text(out, "does", d->verb);
    add_text(out, "place", d->place);
    add_step(out, "step", d->step);
    plumb_base_text_add(out, "}");
}

void plumb_report_json_deeds(const char *object,
                             const struct plumb_report_deed *deed, size_t count,
                             struct plumb_base_text *out)
{
    add_text(out, "object", object);
    plumb_report_json_begin("deeds", '[', out);
    for (size_t i = 0; i < count; i++) {
        if (deed[i].thread)
            add_deed(&deed[i], out);
    }
    plumb_base_text_add(out, "]");
}

static void add_waiter(const struct plumb_report_waiter *w,
                       struct plumb_base_text *out)
{
    plumb_report_json_open('{', out);
    add_text(out, "thread", w->thread);
    add_text(out, "holds", w->holds);
    add_text(out, "held_since", w->held_since);
    add_text(out, "waits_for", w->waits_for);
    add_text(out, "place", w->at);
    add_text(out, "holder", w->holder);
    if (w->condition) {
        add_step(out, "signals", w->signals);
        add_step(out, "signals_for_others", w->for_others);
        add_text(out, "last_signal",
                 w->signals || w->for_others ? w->signal.place : "");
    }
    plumb_base_text_add(out, "}");
}

void plumb_report_json_waiters(const struct plumb_report_waiter *waiter,
                               size_t count, struct plumb_base_text *out)
{
    plumb_report_json_begin("waiting", '[', out);
    for (size_t i = 0; i < count; i++)
        add_waiter(waiter + i, out);
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

static void add_callers(const char *lines, struct plumb_base_text *out)
{
    plumb_report_json_begin("callers", '[', out);
    for (bool first = true; *lines; first = false) {
        const size_t size = strcspn(lines, "\n");
        plumb_base_text_add(out, first ? "" : ",");
        plumb_report_json_string(lines, size, out);
        lines += size + (lines[size] == '\n');
    }
    plumb_base_text_add(out, "]");
}

static void add_data(const struct plumb_report_step_data *d,
                     struct plumb_base_text *out)
{
    add_text(out, "file", d->file);
    if (d->line)
        plumb_report_json_number("line", d->line, out);
    add_text(out, "function", d->function);
    if (d->callers && d->callers[0])
        add_callers(d->callers, out);
    add_text(out, "does", d->does);
    add_text(out, "object", d->object);
    add_text(out, "before", d->before);
    add_text(out, "after", d->after);
    add_text(out, "result", d->result);
}

static void add_line(const struct plumb_report_interleaving *what,
                     const struct plumb_report_line *line,
                     struct plumb_base_text *out)
{
    plumb_report_json_open('{', out);
    add_text(out, "kind", kind_name(line->kind));
    add_step(out, "step", line->step);
    add_text(out, "thread", what->heading[line->column]);
    add_text(out, "text", line->text);
    add_text(out, "place", line->place);
    if (line->depth)
        plumb_report_json_number("depth", line->depth, out);
    if (line->data)
        add_data(line->data, out);
    plumb_base_text_add(out, "}");
}

void plumb_report_json_interleaving(
    const struct plumb_report_interleaving *what, struct plumb_base_text *out)
{
    plumb_report_json_begin("interleaving", '[', out);
    for (size_t i = 0; i < what->count; i++)
        add_line(what, what->line + i, out);
    plumb_base_text_add(out, "]");
}
