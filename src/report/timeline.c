/* timeline.c - drawing operations as bars.
 *
 * Within a block each event gets the leftmost column that is right of the
 * event before it and leaves room for the label of the bar it closes.  So the
 * columns are strictly increasing in rank, which is the whole promise of the
 * picture.  A block takes as many events as fit; bars that cross its border
 * are labelled again in the next one. */
#include "timeline.h"

#include "base/spelling.h"
#include "base/utf8.h"
#include <stdlib.h>
#include <string.h>

enum {
    MAX_BARS = PLUMB_TIMELINE_OPERATIONS,
    MAX_LABEL = 48, /* columns */
    MAX_NAME = 12,
    MIN_ROOM = 24
};

/* Columns from an event to the next; from a return to a call there are more,
 * because precedence is what the reader looks for.  `spare` is line that a
 * label has beside it at least. */
struct spacing {
    unsigned step, gap, spare;
};
static const struct spacing roomy = { 2, 4, 1 };
static const struct spacing tight = { 1, 2, 0 };

struct strokes {
    const char *start, *end, *line, *from_before, *to_next, *open_line, *open;
};

static const struct strokes unicode = { "├", "┤", "─", "┄", "┄", "╌", "▷" };
static const struct strokes ascii = { "|", "|", "-", "~", "~", ".", ">" };

struct bar {
    uint32_t call, ret; /* ranks */
    uint32_t thread;
    size_t label, label_size; /* in picture.labels */
    unsigned columns;         /* of the label */
    unsigned row;
    unsigned left, right; /* in the block at hand */
};

struct event {
    uint32_t rank;
    unsigned bar;
};

struct row {
    uint32_t thread;
    uint32_t busy_until; /* rank */
};

struct picture {
    const struct plumb_report_scene *scene;
    const struct plumb_report_style *style;
    const struct strokes *stroke;
    struct spacing spacing;
    struct plumb_base_text labels;
    struct bar bar[MAX_BARS];
    struct event event[2 * MAX_BARS];
    struct row row[MAX_BARS];
    unsigned bars, events, rows;
    uint32_t first; /* of the scene that is drawn: the last ones matter most */
    unsigned indent, names, room; /* columns: before, of names, for bars */
};

/* ---- what there is to draw ---- */

static bool has_many_objects(const struct plumb_report_scene *s)
{
    for (uint32_t i = 1; i < s->count; i++)
        if (plumb_report_scene_op(s, i)->object !=
            plumb_report_scene_op(s, 0)->object)
            return true;
    return false;
}

static void write_label(struct picture *p, uint32_t i, unsigned what,
                        struct plumb_base_text *scratch)
{
    struct bar *const b = p->bar + i;
    const uint32_t op = p->first + i;
    if (!plumb_report_scene_is_pending(p->scene, op))
        what |= PLUMB_LABEL_ANSWER;
    plumb_base_text_clear(scratch);
    plumb_report_label_op(p->style, p->scene->h,
                          plumb_report_scene_op(p->scene, op), what, scratch);
    b->label = p->labels.size;
    plumb_report_scene_letter(op, &p->labels);
    plumb_base_text_add(&p->labels, " ");
    const size_t used = p->labels.size - b->label;
    const unsigned most = p->room - 8 < MAX_LABEL ? p->room - 8 : MAX_LABEL;
    const char *const text = plumb_base_text_string(scratch);
    plumb_report_label_text(p->style, text, strlen(text), most - used,
                            &p->labels);
    if (p->labels.broken)
        return;
    b->label_size = p->labels.size - b->label;
    b->columns = (unsigned)plumb_base_utf8_columns(p->labels.data + b->label,
                                                   b->label_size);
}

static void write_labels(struct picture *p)
{
    struct plumb_base_text scratch = { .budget = p->labels.budget };
    const unsigned what =
        has_many_objects(p->scene) ? PLUMB_LABEL_OBJECT : PLUMB_LABEL_CALL;
    for (uint32_t i = 0; i < p->bars; i++)
        write_label(p, i, what, &scratch);
    p->labels.broken |= scratch.broken;
    plumb_base_text_release(&scratch);
}

static void list_bars(struct picture *p)
{
    const struct plumb_report_scene *const s = p->scene;
    p->bars = s->count < MAX_BARS ? (unsigned)s->count : MAX_BARS;
    p->first = s->count - p->bars;
    for (unsigned i = 0; i < p->bars; i++) {
        const struct plumb_op *const o = plumb_report_scene_op(s, p->first + i);
        p->bar[i] =
            (struct bar){ .call = o->call,
                          .ret = plumb_report_scene_ret(s, p->first + i),
                          .thread = o->thread };
    }
}

static int by_rank(const void *a, const void *b)
{
    const uint32_t x = ((const struct event *)a)->rank;
    const uint32_t y = ((const struct event *)b)->rank;
    return (x > y) - (x < y);
}

static void list_events(struct picture *p)
{
    for (unsigned i = 0; i < p->bars; i++) {
        p->event[p->events++] = (struct event){ p->bar[i].call, i };
        if (p->bar[i].ret != PLUMB_NEVER)
            p->event[p->events++] = (struct event){ p->bar[i].ret, i };
    }
    qsort(p->event, p->events, sizeof *p->event, by_rank);
}

static int by_thread(const void *a, const void *b)
{
    const struct row *const x = a, *const y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return 0;
}

/* A thread goes on after a call whose outcome nobody knows, so it may need
 * several rows.  Counted first, so that the rows of a thread are together. */
static unsigned find_row(struct picture *p, const struct bar *b)
{
    for (unsigned r = 0; r < p->rows; r++)
        if (p->row[r].thread == b->thread && p->row[r].busy_until <= b->call)
            return r;
    return p->rows;
}

static void fill_rows(struct picture *p)
{
    for (unsigned i = 0; i < p->bars; i++) {
        struct bar *const b = p->bar + i;
        b->row = find_row(p, b);
        if (b->row == p->rows)
            p->row[p->rows++].thread = b->thread;
        p->row[b->row].busy_until = b->ret;
    }
}

static void list_rows(struct picture *p)
{
    fill_rows(p);
    qsort(p->row, p->rows, sizeof *p->row, by_thread);
    for (unsigned r = 0; r < p->rows; r++)
        p->row[r].busy_until = 0;
    fill_rows(p); /* the same rows suffice, now in the order of threads */
}

static void measure_names(struct picture *p)
{
    struct plumb_base_text name = { .budget = p->labels.budget };
    for (unsigned i = 0; i < p->bars; i++) {
        plumb_base_text_clear(&name);
        plumb_report_label_thread(p->style, p->scene->h, p->bar[i].thread,
                                  &name);
        const char *const text = plumb_base_text_string(&name);
        const size_t columns = plumb_base_utf8_columns(text, strlen(text));
        if (columns > p->names)
            p->names = columns < MAX_NAME ? (unsigned)columns : MAX_NAME;
    }
    p->labels.broken |= name.broken;
    plumb_base_text_release(&name);
}

/* ---- columns ---- */

static bool is_call(const struct picture *p, const struct event *e)
{
    return e->rank == p->bar[e->bar].call;
}

static uint32_t first_rank(const struct picture *p, unsigned from)
{
    return p->event[from].rank;
}

static bool comes_from_before(const struct picture *p, const struct bar *b,
                              unsigned from)
{
    return b->call < first_rank(p, from) && b->ret >= first_rank(p, from);
}

static bool goes_on(const struct picture *p, const struct bar *b, unsigned to)
{
    return b->call <= p->event[to - 1].rank && b->ret > p->event[to - 1].rank;
}

static bool is_in_block(const struct picture *p, const struct bar *b,
                        unsigned from, unsigned to)
{
    return b->call <= p->event[to - 1].rank && b->ret >= first_rank(p, from);
}

/* The column of event `e`, whose predecessor in the block stands at `last`. */
static unsigned column_after(struct picture *p, const struct event *e,
                             unsigned last, bool after_return)
{
    const struct bar *const b = p->bar + e->bar;
    const struct spacing *const s = &p->spacing;
    if (is_call(p, e))
        return last + (after_return ? s->gap : s->step);
    const unsigned least = b->left + b->columns + 3 + s->spare;
    return last + s->step > least ? last + s->step : least;
}

/* Place the events [from, to) from the left; the columns they take. */
static unsigned place(struct picture *p, unsigned from, unsigned to)
{
    unsigned last = 0;
    bool started = false, after_return = false;
    for (unsigned i = 0; i < p->bars; i++)
        if (comes_from_before(p, p->bar + i, from)) {
            p->bar[i].left = 0;
            started = true;
        }
    for (unsigned e = from; e < to; e++) {
        struct bar *const b = p->bar + p->event[e].bar;
        if (started)
            last = column_after(p, p->event + e, last, after_return);
        started = true;
        after_return = !is_call(p, p->event + e);
        *(after_return ? &b->right : &b->left) = last;
    }
    unsigned edge = last;
    for (unsigned i = 0; i < p->bars; i++) {
        const struct bar *const b = p->bar + i;
        if (!goes_on(p, b, to))
            continue;
        const unsigned least = b->left + b->columns + 4;
        edge = edge > last ? edge : last + p->spacing.step;
        edge = edge > least ? edge : least;
    }
    for (unsigned i = 0; i < p->bars; i++)
        if (goes_on(p, p->bar + i, to))
            p->bar[i].right = edge;
    return edge + 1;
}

/* The end of the block that begins at `from`: placed when this returns. */
static unsigned end_of_block(struct picture *p, unsigned from)
{
    unsigned to = from + 1;
    while (to < p->events && place(p, from, to + 1) <= p->room)
        to++;
    place(p, from, to);
    return to;
}

/* ---- ink ---- */

static void repeat(struct plumb_base_text *out, const char *stroke,
                   unsigned count)
{
    while (count--)
        plumb_base_text_add(out, stroke);
}

static void draw_bar(const struct picture *p, const struct bar *b,
                     unsigned from, unsigned to, struct plumb_base_text *out)
{
    const struct strokes *const s = p->stroke;
    const struct plumb_report_palette *const c =
        plumb_report_style_palette(p->style);
    const bool cut = goes_on(p, b, to);
    const bool open = cut && to == p->events;
    const unsigned spare = b->right - b->left - b->columns - 3;
    const unsigned before = cut ? 0 : spare / 2;

    plumb_base_text_add(out, c->dim);
    plumb_base_text_add(out, comes_from_before(p, b, from) ? s->from_before
                                                           : s->start);
    repeat(out, s->line, before);
    plumb_base_text_printf(out, "%s ", c->off);
    plumb_base_text_bytes(out, plumb_base_text_string(&p->labels) + b->label,
                          b->label_size);
    plumb_base_text_printf(out, " %s", c->dim);
    repeat(out, open ? s->open_line : s->line, spare - before);
    plumb_base_text_add(out, open ? s->open : cut ? s->to_next : s->end);
    plumb_base_text_add(out, c->off);
}

/* The thread's name, once per thread, and the columns up to the bars. */
static void draw_name(const struct picture *p, unsigned row,
                      struct plumb_base_text *out)
{
    plumb_base_text_fill(out, ' ', p->indent);
    const size_t start = out->size;
    if (row == 0 || p->row[row].thread != p->row[row - 1].thread) {
        struct plumb_base_text name;
        plumb_base_text_init(&name, out->budget);
        plumb_report_label_thread(p->style, p->scene->h, p->row[row].thread,
                                  &name);
        const char *const text = plumb_base_text_string(&name);
        plumb_report_label_text(p->style, text, strlen(text), MAX_NAME, out);
        out->broken |= name.broken;
        plumb_base_text_release(&name);
    }
    if (out->broken)
        return;
    const size_t columns =
        plumb_base_utf8_columns(out->data + start, out->size - start);
    plumb_base_text_fill(out, ' ', p->names + 2 - columns);
}

static void trim(struct plumb_base_text *out)
{
    while (out->size && !out->broken && out->data[out->size - 1] == ' ')
        out->data[--out->size] = '\0';
}

static void draw_row(const struct picture *p, unsigned row, unsigned from,
                     unsigned to, struct plumb_base_text *out)
{
    unsigned column = 0;
    draw_name(p, row, out);
    for (unsigned i = 0; i < p->bars; i++) {
        const struct bar *const b = p->bar + i;
        if (b->row != row || !is_in_block(p, b, from, to))
            continue;
        plumb_base_text_fill(out, ' ', b->left - column);
        draw_bar(p, b, from, to, out);
        column = b->right + 1;
    }
    trim(out);
    plumb_base_text_add(out, "\n");
}

static void draw_blocks(struct picture *p, struct plumb_base_text *out)
{
    p->spacing = roomy;
    if (p->events && place(p, 0, p->events) > p->room)
        p->spacing = tight;
    for (unsigned from = 0, to; from < p->events; from = to) {
        to = end_of_block(p, from);
        if (from)
            plumb_base_text_add(out, "\n");
        for (unsigned r = 0; r < p->rows; r++)
            draw_row(p, r, from, to, out);
    }
}

static void tell_what_is_missing(const struct picture *p,
                                 struct plumb_base_text *out)
{
    const uint32_t rest = p->scene->count - p->bars;
    if (rest == 0)
        return;
    plumb_base_text_add(out, "\n");
    plumb_base_text_fill(out, ' ', p->indent);
    plumb_base_text_printf(
        out, "%s after %u more operation%s; --json has all\n",
        p->style->ascii ? "..." : "…", (unsigned)rest, plumb_base_plural(rest));
}

void plumb_report_timeline(const struct plumb_report_scene *scene,
                           const struct plumb_report_style *style,
                           unsigned indent, struct plumb_base_text *out)
{
    struct picture p = { .scene = scene,
                         .style = style,
                         .stroke = style->ascii ? &ascii : &unicode,
                         .indent = indent };
    plumb_base_text_init(&p.labels, out->budget);
    list_bars(&p);
    measure_names(&p);
    const unsigned taken = indent + p.names + 2;
    const unsigned width = plumb_report_style_width(style);
    p.room = width > taken + MIN_ROOM ? width - taken : MIN_ROOM;
    write_labels(&p);
    list_events(&p);
    list_rows(&p);
    if (!p.labels.broken)
        draw_blocks(&p, out);
    tell_what_is_missing(&p, out);
    out->broken |= p.labels.broken;
    plumb_base_text_release(&p.labels);
}
