/* page_graph.c - the state graph of a model as a picture.
 *
 * A column holds the states that are equally far from the first one, so most
 * edges lead to the right; others go around below. */
#include "app/publish/markup.h"
#include "bar_label.h"
#include "page.h"
#include <inttypes.h>

enum {
    MOST_STATES = 200,
    MOST_LABELS = 120, /* edges whose events are written */
    STATE = 28,        /* characters of a state  */
    EVENT = 18,        /* ... of an event        */
    HIGH = 22,         /* a state                */
    DOWN = 56,         /* from one to the next   */
    PAD = 12,
    GAP = 60 /* between columns, and more for an event */
};

struct node {
    uint32_t column, row, x, y, width;
};

struct graph {
    const struct finding *f;
    struct node node[MOST_STATES];
    uint32_t queue[MOST_STATES];
    uint32_t columns, rows, width, height;
    bool labels;
};

/* ---- where states are ---- */

/* How far each is from the first; those that no edge leads to come last. */
static void find_columns(struct graph *g)
{
    const struct finding *const f = g->f;
    uint32_t tail = 0, next = 0;
    for (uint32_t i = 0; i < f->states; i++)
        g->node[i].column = FINDING_NONE;
    for (uint32_t head = 0; tail < f->states; head++) {
        if (head == tail) {
            while (g->node[next].column != FINDING_NONE)
                next++;
            g->node[next].column = g->columns;
            g->queue[tail++] = next;
        }
        const uint32_t from = g->queue[head];
        for (size_t e = 0; e < f->edges; e++)
            if (f->edge[e].from == from &&
                g->node[f->edge[e].to].column == FINDING_NONE) {
                g->node[f->edge[e].to].column = g->node[from].column + 1;
                g->queue[tail++] = f->edge[e].to;
            }
        g->columns = g->node[g->queue[tail - 1]].column + 1;
    }
}

/* The widest event between a column and the next. */
static uint32_t gap_after(const struct graph *g, uint32_t column)
{
    uint32_t widest = 0;
    for (size_t e = 0; g->labels && e < g->f->edges; e++) {
        const struct finding_edge *const edge = g->f->edge + e;
        const uint32_t width = bar_label_name_width(edge->event, EVENT);
        if (g->node[edge->from].column == column && edge->to != edge->from &&
            widest < width)
            widest = width;
    }
    return GAP + widest;
}

/* A state without variables has a number. */
static uint32_t width_of(const char *state)
{
    return bar_label_name_width(state[0] ? state : "999", STATE) + 16;
}

static void place_states(struct graph *g)
{
    uint32_t x = PAD;
    for (uint32_t c = 0; c < g->columns; c++) {
        uint32_t rows = 0, widest = 0;
        for (uint32_t k = 0; k < g->f->states; k++) {
            struct node *const n = g->node + g->queue[k];
            if (n->column != c)
                continue;
            n->width = width_of(g->f->state[g->queue[k]]);
            n->x = x;
            n->y = PAD + DOWN / 2 + rows++ * DOWN;
            widest = widest < n->width ? n->width : widest;
        }
        g->rows = g->rows < rows ? rows : g->rows;
        g->width = x + widest + GAP;
        x += widest + gap_after(g, c);
    }
    g->height = 2 * PAD + DOWN + g->rows * DOWN;
}

/* ---- drawing ---- */

static void draw_event(const struct graph *g, const struct finding_edge *e,
                       uint32_t x, uint32_t y, struct plumb_base_text *out)
{
    if (!g->labels)
        return;
    plumb_base_text_printf(out, "<text class=\"event\" x=\"%u\" y=\"%u\">", x,
                           y);
    publish_escape_some(e->event, EVENT, out);
    plumb_base_text_add(out, "</text>");
}

/* Edges between the same states share their line; their events are below each
 * other. */
static uint32_t rank_of(const struct graph *g, size_t e)
{
    uint32_t rank = 0;
    for (size_t k = 0; k < e; k++)
        rank += g->f->edge[k].from == g->f->edge[e].from &&
                g->f->edge[k].to == g->f->edge[e].to;
    return rank;
}

static void draw_edge(const struct graph *g, size_t index,
                      struct plumb_base_text *out)
{
    const struct finding_edge *const e = g->f->edge + index;
    const struct node *const a = g->node + e->from, *const b = g->node + e->to;
    const uint32_t down = 12 * rank_of(g, index);
    const uint32_t ax = a->x + a->width, ay = a->y + HIGH / 2,
                   by = b->y + HIGH / 2;
    plumb_base_text_printf(out, "<g class=\"edge%s\"><title>",
                           e->hidden ? " silent" : "");
    publish_escape_some(e->event, BAR_LABEL_LONGEST, out);
    plumb_base_text_add(out, "</title>");
    if (a == b) {
        plumb_base_text_printf(out, "<path d=\"M%u %uc14 -26 -26 -26 -12 0\"/>",
                               a->x + a->width - 4, a->y);
        draw_event(g, e, a->x + a->width + 6, a->y - 6 - down, out);
    } else if (b->column > a->column) {
        const uint32_t middle = (ax + b->x) / 2;
        plumb_base_text_printf(out, "<path d=\"M%u %uC%u %u %u %u %u %u\"/>",
                               ax, ay, middle, ay, middle, by, b->x - 3, by);
        const uint32_t half = bar_label_name_width(e->event, EVENT) / 2;
        draw_event(g, e, middle - half, (ay + by) / 2 - 4 + down, out);
    } else {
        const uint32_t low = (ay > by ? ay : by) + DOWN / 2;
        const uint32_t bx = b->x + b->width / 2, mx = a->x + a->width / 2;
        plumb_base_text_printf(out, "<path d=\"M%u %uC%u %u %u %u %u %u\"/>",
                               mx, a->y + HIGH, mx, low + 8, bx, low + 8, bx,
                               b->y + HIGH + 3);
        draw_event(g, e, (mx + bx) / 2 + (mx == bx ? 6 : 0), low + 2 + down,
                   out);
    }
    plumb_base_text_add(out, "</g>\n");
}

static void draw_state(const struct graph *g, uint32_t i,
                       struct plumb_base_text *out)
{
    const struct node *const n = g->node + i;
    plumb_base_text_printf(out, "<g class=\"node%s\"><title>",
                           i ? "" : " first");
    publish_escape_some(g->f->state[i], BAR_LABEL_LONGEST, out);
    plumb_base_text_printf(out,
                           "</title><rect class=\"bar\" x=\"%u\" y=\"%u\" "
                           "width=\"%u\" height=\"%u\" rx=\"9\"/>"
                           "<text x=\"%u\" y=\"%u\">",
                           n->x, n->y, n->width, HIGH, n->x + 8, n->y + 15);
    if (g->f->state[i][0])
        publish_escape_some(g->f->state[i], STATE, out);
    else
        plumb_base_text_printf(out, "%" PRIu32, i);
    plumb_base_text_add(out, "</text></g>\n");
}

static void draw(const struct graph *g, unsigned number,
                 struct plumb_base_text *out)
{
    plumb_base_text_printf(
        out,
        "<svg class=\"picture graph\" xmlns=\"http://www.w3.org/2000/svg\" "
        "width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n"
        "<defs><marker id=\"f%u-arrow0\" viewBox=\"0 0 8 8\" refX=\"7\" "
        "refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">"
        "<path class=\"head\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n"
        "<g class=\"edges\" marker-end=\"url(#f%u-arrow0)\">\n",
        g->width, g->height, g->width, g->height, number, number);
    for (size_t e = 0; e < g->f->edges; e++)
        draw_edge(g, e, out);
    plumb_base_text_add(out, "</g>\n");
    for (uint32_t i = 0; i < g->f->states; i++)
        draw_state(g, i, out);
    plumb_base_text_add(out, "</svg>\n");
}

void page_write_graph(struct page *p)
{
    const struct finding *const f = p->f;
    if (!f->states || f->states > MOST_STATES)
        return;
    struct graph *const g = plumb_base_arena_zeroed(p->arena, sizeof *g);
    if (!g) {
        p->out->broken = true;
        return;
    }
    g->f = f;
    g->labels = f->edges <= MOST_LABELS;
    find_columns(g);
    place_states(g);
    page_put(p, "<h3>States</h3>\n<p class=\"note\">");
    page_number(p, f->states);
    page_put(p, f->states == 1 ? " state, " : " states, ");
    page_number(p, f->edges);
    page_put(p, f->edges == 1 ? " step." : " steps.");
    page_put(p, " The first state is on the left. Variables that never change "
                "are left out.</p>\n"
                "<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
                "aria-label=\"States\">");
    draw(g, p->number, p->out);
    page_put(p, "</div>\n");
}
