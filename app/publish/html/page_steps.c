/* page_steps.c - the steps of an execution or of a model: a column per thread
 * or process; of a model, its variables after each step. */
#include "app/publish/markup.h"
#include "page.h"
#include "quoted.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_STEPS = 2500,   /* rows    */
    MOST_COLUMNS = 16,   /* threads */
    MOST_VARIABLES = 12, /* columns */
    TEXT = 200           /* characters of a cell */
};

struct steps {
    struct page *p;
    size_t count;
    uint32_t column[MOST_COLUMNS]; /* the thread of each */
    uint32_t columns;
    bool wide; /* a column per thread; otherwise one for all */
    const char *variable[MOST_VARIABLES], *value[MOST_VARIABLES];
    uint32_t variables;
    struct quoted quoted;
};

static bool is_model(const struct finding *f)
{
    return strcmp(f->command, "verify") == 0;
}

/* ---- columns ---- */

static int by_name(const void *a, const void *b, void *finding)
{
    const struct finding *const f = finding;
    const uint32_t *const x = a, *const y = b;
    return strverscmp(f->thread[*x], f->thread[*y]);
}

static void find_columns(struct steps *s)
{
    const struct finding *const f = s->p->f;
    s->wide = true;
    for (size_t i = 0; i < s->count && s->wide; i++) {
        const uint32_t thread = f->step[i].thread;
        uint32_t c = 0;
        while (c < s->columns && s->column[c] != thread)
            c++;
        if (c < s->columns || thread == FINDING_NONE)
            continue;
        if (s->columns == MOST_COLUMNS)
            s->wide = false;
        else
            s->column[s->columns++] = thread;
    }
    if (!s->wide)
        s->columns = 1;
    else
        qsort_r(s->column, s->columns, sizeof *s->column, by_name,
                (void *)(uintptr_t)f);
}

static uint32_t find_variable(const struct steps *s, const char *name)
{
    uint32_t v = 0;
    while (v < s->variables && strcmp(s->variable[v], name) != 0)
        v++;
    return v;
}

static void add_variable(struct steps *s, const struct finding_assignment *a)
{
    const uint32_t v = find_variable(s, a->name);
    if (v == s->variables && v < MOST_VARIABLES) {
        s->variable[v] = a->name;
        s->value[v] = "";
        s->variables++;
    }
}

/* Those that change come first; of the others as many as there is room for. */
static void find_variables(struct steps *s)
{
    const struct finding *const f = s->p->f;
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < f->step[i].assignments; k++)
            add_variable(s, f->step[i].assignment + k);
    for (size_t k = 0; k < f->firsts; k++)
        add_variable(s, f->first + k);
    for (size_t k = 0; k < f->firsts; k++) {
        const uint32_t v = find_variable(s, f->first[k].name);
        if (v < s->variables)
            s->value[v] = f->first[k].value;
    }
}

/* ---- cells ---- */

static void put_cell(struct steps *s, const char *class, const char *text)
{
    plumb_base_text_printf(s->p->out, "<td class=\"%s\">", class);
    publish_escape_some(text, TEXT, s->p->out);
}

static void put_head(struct steps *s)
{
    struct page *const p = s->p;
    page_put(p, "<tr><th>#");
    for (uint32_t c = 0; c < s->columns; c++) {
        page_put(p, "<th>");
        publish_escape_some(s->wide ? p->f->thread[s->column[c]] : "Step", 30,
                            p->out);
    }
    for (uint32_t v = 0; v < s->variables; v++) {
        page_put(p, "<th class=\"value\">");
        publish_escape_some(s->variable[v], 40, p->out);
    }
    page_put(p, "<th>Place\n");
}

static void put_values(struct steps *s, const struct finding_step *step)
{
    bool changed[MOST_VARIABLES] = { false };
    for (size_t k = 0; step && k < step->assignments; k++) {
        const uint32_t v = find_variable(s, step->assignment[k].name);
        if (v < s->variables) {
            changed[v] = true;
            s->value[v] = step->assignment[k].value;
        }
    }
    for (uint32_t v = 0; v < s->variables; v++)
        put_cell(s, changed[v] ? "value changed" : "value", s->value[v]);
}

static void put_text(struct steps *s, const struct finding_step *step)
{
    struct page *const p = s->p;
    if (!s->wide && step->thread != FINDING_NONE) {
        publish_escape_some(p->f->thread[step->thread], 30, p->out);
        page_put(p, ": ");
    }
    if (step->kind == FINDING_SWITCH)
        page_put(p, "↳ ");
    publish_escape_some(step->text, TEXT, p->out);
}

static void put_threads(struct steps *s, const struct finding_step *step)
{
    for (uint32_t c = 0; c < s->columns; c++) {
        const bool here = !s->wide || s->column[c] == step->thread ||
                          (step->thread == FINDING_NONE && c == 0);
        if (!here) {
            page_put(s->p, "<td>");
            continue;
        }
        plumb_base_text_printf(s->p->out, "<td class=\"step d%u\">",
                               step->depth < 6 ? step->depth : 6);
        put_text(s, step);
    }
}

static void put_place(struct steps *s, const struct finding_step *step)
{
    struct page *const p = s->p;
    const uint32_t line = quoted_at(&s->quoted, &step->place);
    page_put(p, "<td class=\"place\">");
    if (!step->place.line)
        return;
    if (line != FINDING_NONE)
        plumb_base_text_printf(p->out, "<a href=\"#f%u-q%" PRIu32 "\">",
                               p->number, line);
    publish_escape_some(step->place.name, 80, p->out);
    plumb_base_text_printf(p->out, ":%u", step->place.line);
    page_put(p, line != FINDING_NONE ? "</a>" : "");
    if (step->place.function[0]) {
        page_put(p, " <span class=\"note\">");
        publish_escape_some(step->place.function, 80, p->out);
        for (size_t i = 0; i < step->callers && i < 4; i++) {
            page_put(p, " ← ");
            publish_escape_some(step->caller[i], 80, p->out);
        }
        page_put(p, "</span>");
    }
}

/* ---- rows ---- */

static const char *class_of(const struct finding_step *step)
{
    static const char *const names[] = {
        [FINDING_EVENT] = "event",   [FINDING_CALL] = "call",
        [FINDING_ANSWER] = "answer", [FINDING_SWITCH] = "switch",
        [FINDING_FOLD] = "fold",     [FINDING_FAULT] = "fault",
    };
    return names[step->kind];
}

static void put_number(struct steps *s, const struct finding_step *step,
                       uint32_t *last)
{
    page_put(s->p, "<td class=\"number\">");
    if (step->number != FINDING_NONE && step->number != *last)
        page_number(s->p, step->number);
    *last = step->number;
}

static void put_first(struct steps *s)
{
    if (!s->variables)
        return;
    page_put(s->p, "<tr><td class=\"number\">0");
    for (uint32_t c = 0; c < s->columns; c++)
        put_cell(s, "note", c ? "" : "at first");
    put_values(s, NULL);
    page_put(s->p, "<td>\n");
}

static void put_note(struct steps *s, const char *note)
{
    plumb_base_text_printf(s->p->out,
                           "<tr class=\"switch\"><td><td colspan=\"%u\">%s\n",
                           s->columns + s->variables + 1, note);
}

static void put_rows(struct steps *s)
{
    const struct finding *const f = s->p->f;
    uint32_t last = FINDING_NONE;
    put_first(s);
    for (size_t i = 0; i < s->count; i++) {
        const struct finding_step *const step = f->step + i;
        if (i == f->cycle)
            put_note(s, "the steps from here on repeat for ever");
        plumb_base_text_printf(s->p->out, "<tr class=\"%s%s\"", class_of(step),
                               step->hidden ? " silent" : "");
        page_id(s->p, "s", i);
        page_put(s->p, ">");
        put_number(s, step, &last);
        put_threads(s, step);
        put_values(s, step);
        put_place(s, step);
        page_put(s->p, "\n");
    }
    if (is_model(f) && f->outcome == PLUMB_SAYS_VIOLATION &&
        f->cycle == FINDING_NONE && s->count == f->steps)
        put_note(s, "here the assertion is violated");
}

/* ---- around them ---- */

static void put_boxes(struct steps *s)
{
    const struct finding *const f = s->p->f;
    bool silent = false, event = false, call = false;
    for (size_t i = 0; i < s->count; i++) {
        silent |= f->step[i].hidden;
        event |= f->step[i].kind == FINDING_EVENT && !is_model(f);
        call |= f->step[i].kind == FINDING_CALL;
    }
    page_put(s->p, "<div class=\"tools\">");
    if (event && call)
        page_put(s->p, "<label><input type=\"checkbox\" data-steps=\"event\" "
                       "checked> accesses to memory</label>\n");
    if (silent)
        page_put(s->p, "<label><input type=\"checkbox\" data-steps=\"silent\" "
                       "checked> hidden events</label>\n");
    page_put(s->p, "</div>\n");
}

static void put_title(struct steps *s)
{
    struct page *const p = s->p;
    if (is_model(p->f)) {
        page_put(p, "<h3>The way there</h3>\n<p class=\"note\">A column per "
                    "process, then the variables after each step.</p>\n");
        return;
    }
    page_put(p, "<h3>What the threads did</h3>\n<p class=\"note\">A column per "
                "thread; one step happens after the other, in this order.");
    if (s->quoted.count)
        page_put(p, " Places lead to the lines of code.");
    page_put(p, "</p>\n");
}

void page_write_steps(struct page *p)
{
    const struct finding *const f = p->f;
    struct steps s = { .p = p,
                       .count = f->steps < MOST_STEPS ? f->steps : MOST_STEPS };
    if (!f->steps)
        return;
    find_columns(&s);
    find_variables(&s);
    s.quoted = quoted_find(p, s.count);
    page_put(p, "<div class=\"beside\"><section>\n");
    put_title(&s);
    put_boxes(&s);
    page_put(p, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
                "aria-label=\"Steps\"><table class=\"steps\">\n");
    put_head(&s);
    put_rows(&s);
    page_put(p, "</table></div>\n");
    if (s.count < f->steps) {
        page_put(p, "<p class=\"note\">");
        page_number(p, f->steps - s.count);
        page_put(p, " more steps are not shown.</p>\n");
    }
    page_put(p, "</section>\n");
    quoted_write(p, &s.quoted);
    page_put(p, "</div>\n");
}
