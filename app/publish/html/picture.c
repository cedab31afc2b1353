/* picture.c - a history as a picture: where everything is, and drawing it. */
#include "picture.h"

#include "app/publish/markup.h"
#include "app/publish/writers.h"
#include "asset.h"
#include "bar_label.h"
#include "base/sort.h"
#include "base/utf8.h"
#include <stdlib.h>
#include <string.h>

enum {
    GAP = 9,    /* between two events  */
    PAD = 8,    /* left and right of everything, and of a label in its bar */
    ROW = 30,   /* from row to row     */
    BAR = 22,   /* how high a bar is   */
    BASE = 15,  /* of a label in a bar */
    ARROW = 14, /* at the end of one that is open */
    NAME = 20,  /* characters of the name of a thread */
    WIDE = 700  /* at least, where time is shown */
};

/* ---- columns ---- */

struct columns {
    uint32_t *rank; /* of each event that is drawn, ascending   */
    uint32_t *ends; /* the operation that ends there, or FINDING_NONE */
    uint32_t *x;
    size_t count;
};

static bool is_open(const struct finding_operation *o)
{
    return o->ret == FINDING_NONE || o->ret <= o->call;
}

static uint32_t column_of(const struct columns *c, uint32_t rank)
{
    size_t low = 0, high = c->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (c->rank[middle] <= rank)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static bool find_columns(const struct picture *t, struct columns *c,
                         struct plumb_base_arena *arena)
{
    const size_t most = 2 * t->count + 1;
    c->rank = plumb_base_arena_zeroed(arena, most * sizeof *c->rank);
    c->ends = plumb_base_arena_zeroed(arena, most * sizeof *c->ends);
    c->x = plumb_base_arena_zeroed(arena, most * sizeof *c->x);
    if (!c->rank || !c->ends || !c->x)
        return false;
    size_t events = 0;
    for (size_t i = 0; i < t->count; i++) {
        const struct finding_operation *const o = t->f->operation + i;
        c->rank[events++] = o->call;
        if (!is_open(o))
            c->rank[events++] = o->ret;
    }
    qsort(c->rank, events, sizeof *c->rank, plumb_base_by_number);
    for (size_t i = 0; i < events; i++)
        if (c->count == 0 || c->rank[i] != c->rank[c->count - 1])
            c->rank[c->count++] = c->rank[i];
    memset(c->ends, 0xff, most * sizeof *c->ends);
    for (size_t i = 0; i < t->count; i++)
        if (!is_open(t->f->operation + i))
            c->ends[column_of(c, t->f->operation[i].ret)] = (uint32_t)i;
    return true;
}

/* How wide the bar of an operation has to be. */
static uint32_t width_of(const struct finding_operation *o)
{
    return bar_label_width(o) + 2 * PAD + (is_open(o) ? ARROW : 0);
}

static void place_columns(struct picture *t, struct columns *c)
{
    uint32_t x = PAD;
    for (size_t i = 0; i < c->count; i++) {
        if (c->ends[i] != FINDING_NONE) {
            const struct finding_operation *const o =
                t->f->operation + c->ends[i];
            const uint32_t least = c->x[column_of(c, o->call)] + width_of(o);
            x = x < least ? least : x;
        }
        c->x[i] = x;
        x += GAP;
    }
    t->width = x;
    for (size_t i = 0; i < t->count; i++) {
        const struct finding_operation *const o = t->f->operation + i;
        t->from[i] = c->x[column_of(c, o->call)];
        if (is_open(o) && t->width < t->from[i] + width_of(o))
            t->width = t->from[i] + width_of(o);
    }
    for (size_t i = 0; i < t->count; i++) {
        const struct finding_operation *const o = t->f->operation + i;
        t->to[i] = is_open(o) ? t->width : c->x[column_of(c, o->ret)];
    }
    t->width += PAD;
}

/* ---- the same by time ---- */

static bool find_times(struct picture *t)
{
    t->first = FINDING_NO_TIME;
    for (size_t i = 0; i < t->count; i++) {
        const struct finding_operation *const o = t->f->operation + i;
        const uint64_t end = is_open(o) ? o->from : o->to;
        if (o->from == FINDING_NO_TIME || end == FINDING_NO_TIME)
            return false;
        t->first = o->from < t->first ? o->from : t->first;
        t->last = end > t->last ? end : t->last;
    }
    return t->count && t->last > t->first;
}

static uint32_t x_of(const struct picture *t, uint64_t time)
{
    const double span = (double)(t->last - t->first);
    const uint64_t since = time > t->first ? time - t->first : 0;
    return PAD + (uint32_t)((double)since / span * (t->width - 2 * PAD));
}

static void place_by_time(struct picture *t, struct plumb_base_arena *arena)
{
    const size_t size = (t->count + 1) * sizeof *t->early;
    t->early = plumb_base_arena_zeroed(arena, size);
    t->late = plumb_base_arena_zeroed(arena, size);
    t->timed = t->early && t->late && find_times(t);
    if (t->timed && t->width < WIDE) {
        t->width = WIDE;
        for (size_t i = 0; i < t->count; i++)
            if (is_open(t->f->operation + i))
                t->to[i] = WIDE - PAD;
    }
    for (size_t i = 0; t->timed && i < t->count; i++) {
        const struct finding_operation *const o = t->f->operation + i;
        t->early[i] = x_of(t, o->from);
        t->late[i] = is_open(o) ? t->width - PAD : x_of(t, o->to);
        if (t->late[i] < t->early[i] + 2)
            t->late[i] = t->early[i] + 2;
    }
}

/* ---- rows ---- */

struct lane {
    const char *name;
    uint32_t thread, number;
    uint32_t busy_until;
};

static int by_name(const void *a, const void *b)
{
    const struct lane *const x = a, *const y = b;
    const int names = strverscmp(x->name, y->name);
    return names ? names : (x->number > y->number) - (x->number < y->number);
}

/* A thread with operations that overlap has several rows. */
static uint32_t find_lane(const struct picture *t, struct lane *lane,
                          uint32_t *lanes, size_t i)
{
    const uint32_t thread = t->f->operation[i].thread;
    uint32_t l = 0;
    while (l < *lanes &&
           (lane[l].thread != thread || lane[l].busy_until > t->from[i]))
        l++;
    if (l == *lanes)
        lane[(*lanes)++] = (struct lane){ t->f->thread[thread], thread, l, 0 };
    lane[l].busy_until = t->to[i];
    return l;
}

static bool find_rows(struct picture *t, struct plumb_base_arena *arena)
{
    struct lane *const lane =
        plumb_base_arena_zeroed(arena, (t->count + 1) * sizeof *lane);
    uint32_t *const place =
        plumb_base_arena_zeroed(arena, (t->count + 1) * sizeof *place);
    if (!lane || !place)
        return false;
    for (size_t i = 0; i < t->count; i++)
        t->row[i] = find_lane(t, lane, &t->rows, i);
    qsort(lane, t->rows, sizeof *lane, by_name);
    for (uint32_t l = 0; l < t->rows; l++) {
        const uint32_t name = bar_label_name_width(lane[l].name, NAME);
        place[lane[l].number] = l;
        t->thread[l] = lane[l].thread;
        t->names = t->names < name ? name : t->names;
    }
    for (size_t i = 0; i < t->count; i++)
        t->row[i] = place[t->row[i]];
    t->names += 2 * PAD;
    return true;
}

struct picture picture_lay_out(const struct finding *f,
                               struct plumb_base_arena *arena)
{
    struct picture t = {
        .f = f,
        .count = f->operations < PICTURE_OPERATIONS ? f->operations
                                                    : PICTURE_OPERATIONS,
    };
    struct columns c = { .count = 0 };
    const size_t size = (t.count + 1) * sizeof *t.row;
    t.row = plumb_base_arena_zeroed(arena, size);
    t.from = plumb_base_arena_zeroed(arena, size);
    t.to = plumb_base_arena_zeroed(arena, size);
    t.thread = plumb_base_arena_zeroed(arena, size);
    t.broken =
        !t.row || !t.from || !t.to || !t.thread || !find_columns(&t, &c, arena);
    if (!t.broken) {
        place_columns(&t, &c);
        place_by_time(&t, arena);
    }
    t.broken = t.broken || !find_rows(&t, arena);
    return t;
}

bool picture_core(const struct finding *f, struct plumb_base_arena *arena,
                  struct finding *core)
{
    struct finding_operation *const list =
        plumb_base_arena_zeroed(arena, (f->operations + 1) * sizeof *list);
    size_t count = 0;
    for (size_t i = 0; list && i < f->operations; i++)
        if (f->operation[i].letter[0])
            list[count++] = f->operation[i];
    *core = *f;
    core->operation = list;
    core->operations = count;
    return list != NULL;
}

/* ---- drawing ---- */

static void draw_rows(const struct picture *t, uint32_t width,
                      struct plumb_base_text *out)
{
    for (uint32_t r = 0; r < t->rows; r++)
        plumb_base_text_printf(out,
                               "<line class=\"row\" x1=\"0\" y1=\"%u\" "
                               "x2=\"%u\" y2=\"%u\"/>\n",
                               r * ROW + ROW / 2, width, r * ROW + ROW / 2);
}

static void draw_names(const struct picture *t, struct plumb_base_text *out)
{
    for (uint32_t r = 0; r < t->rows; r++) {
        if (r && t->thread[r] == t->thread[r - 1])
            continue;
        plumb_base_text_printf(out, "<text class=\"name\" x=\"%u\" y=\"%u\">",
                               PAD, r * ROW + BASE + (ROW - BAR) / 2);
        publish_escape_some(t->f->thread[t->thread[r]], NAME, out);
        plumb_base_text_add(out, "</text>\n");
    }
}

/* Calls and returns are upright lines; what is open ends in an arrow. */
static void draw_shape(uint32_t from, uint32_t to, bool open, uint32_t y,
                       struct plumb_base_text *out)
{
    if (!open) {
        plumb_base_text_printf(out,
                               "<rect class=\"bar\" x=\"%u\" y=\"%u\" "
                               "width=\"%u\" height=\"%u\" rx=\"2\"/>",
                               from, y, to - from, BAR);
        return;
    }
    plumb_base_text_printf(out,
                           "<path class=\"bar\" d=\"M%u %uH%uL%u %uL%u %uH%uz\""
                           "/>",
                           from, y, to - ARROW, to, y + BAR / 2, to - ARROW,
                           y + BAR, from);
}

static void draw_operation(const struct picture *t, size_t i, unsigned number,
                           struct plumb_base_text *out)
{
    const struct finding_operation *const o = t->f->operation + i;
    const uint32_t y = t->row[i] * ROW + (ROW - BAR) / 2;
    plumb_base_text_printf(
        out, "<g class=\"op%s%s%s\"", o->letter[0] ? " core" : "",
        is_open(o) ? " open" : "", o->failed ? " failed" : "");
    if (number) {
        plumb_base_text_printf(out, " id=\"f%u-o%zu\" data-thread=\"", number,
                               i);
        publish_escape_some(t->f->thread[o->thread], NAME, out);
        plumb_base_text_add(out, "\" data-name=\"");
        bar_label_kind(o, out);
        plumb_base_text_add(out, "\" data-key=\"");
        publish_escape_some(o->key, NAME, out);
        plumb_base_text_add(out, "\"");
        if (t->timed)
            plumb_base_text_printf(out,
                                   " data-time=\"%u %u\" data-order=\"%u %u\" "
                                   "data-room=\"%u\"",
                                   t->early[i], t->late[i], t->from[i],
                                   t->to[i], bar_label_width(o) + PAD);
    }
    plumb_base_text_add(out, "><title>");
    bar_label_describe(t->f, o, out);
    plumb_base_text_add(out, "</title>");
    draw_shape(t->from[i], t->to[i], is_open(o), y, out);
    plumb_base_text_printf(out, "<text x=\"%u\" y=\"%u\">", t->from[i] + PAD,
                           y + BASE);
    bar_label_write(o, out);
    plumb_base_text_add(out, "</text></g>\n");
}

static void begin_picture(uint32_t width, uint32_t height, const char *more,
                          struct plumb_base_text *out)
{
    plumb_base_text_printf(out,
                           "<svg class=\"picture%s\" "
                           "xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" "
                           "height=\"%u\" viewBox=\"0 0 %u %u\">\n",
                           more, width, height, width, height);
}

void picture_draw_names(const struct picture *t, struct plumb_base_text *out)
{
    begin_picture(t->names, t->rows * ROW, " names", out);
    draw_names(t, out);
    plumb_base_text_add(out, "</svg>");
}

void picture_draw_bars(const struct picture *t, unsigned number,
                       struct plumb_base_text *out)
{
    begin_picture(t->width, t->rows * ROW, " bars", out);
    draw_rows(t, t->width, out);
    for (size_t i = 0; i < t->count; i++)
        draw_operation(t, i, number, out);
    plumb_base_text_add(out, "</svg>");
}

void picture_draw(const struct picture *t, struct plumb_base_text *out)
{
    const uint32_t width = t->names + t->width, height = t->rows * ROW;
    begin_picture(width, height, "", out);
    plumb_base_text_add(out, "<title>");
    publish_escape_some(t->f->subject, BAR_LABEL_LONGEST, out);
    plumb_base_text_add(out, ": ");
    publish_escape_some(t->f->verdict, BAR_LABEL_LONGEST, out);
    plumb_base_text_add(out, "</title>\n<style>\n");
    plumb_base_text_bytes(out, publish_picture_style.data,
                          publish_picture_style.size);
    plumb_base_text_printf(out,
                           "</style>\n<rect class=\"ground\" width=\"%u\" "
                           "height=\"%u\"/>\n",
                           width, height);
    draw_names(t, out);
    plumb_base_text_printf(out, "<g transform=\"translate(%u 0)\">\n",
                           t->names);
    draw_rows(t, t->width, out);
    for (size_t i = 0; i < t->count; i++)
        draw_operation(t, i, 0, out);
    plumb_base_text_add(out, "</g>\n</svg>\n");
}

/* The first that is no pass, else the first; NULL if none has a history. */
static const struct finding *find_best(const struct finding *f, size_t count)
{
    const struct finding *best = NULL;
    for (size_t i = count; i-- > 0;)
        if (f[i].operations && (!best || best->outcome == PLUMB_SAYS_PASS ||
                                f[i].outcome != PLUMB_SAYS_PASS))
            best = f + i;
    return best;
}

void publish_write_picture(const struct finding *f, size_t count,
                           struct plumb_base_text *out)
{
    enum { MOST = 100 }; /* operations beside the core */
    static const struct finding none = { .subject = "no operations",
                                         .verdict = "nothing to draw" };
    struct plumb_base_arena arena = { .budget = out->budget };
    const struct finding *best = find_best(f, count);
    struct finding core;
    best = best ? best : &none;
    out->broken |= !picture_core(best, &arena, &core);
    if (core.operations && best->operations > MOST)
        best = &core;
    const struct picture t = picture_lay_out(best, &arena);
    out->broken |= t.broken;
    if (!out->broken)
        picture_draw(&t, out);
    plumb_base_arena_release(&arena);
}
