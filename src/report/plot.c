/* plot.c - a line chart in SVG.
 *
 *     +-----------------------------------------+
 *     | title                                   |  TOP
 *     |      +---------------------+            |
 *     | y    |                     |-- names    |  height
 *     |      |                     |            |
 *     |      +---------------------+            |
 *     |        x                                |  BOTTOM
 *     +-----------------------------------------+
 *       LEFT         WIDTH            names
 *
 * A name stands where its line ends, moved up or down as far as it needs not
 * to touch the others. */
#include "plot.h"

#include "label.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    LEFT = 76,
    TOP = 48,
    WIDTH = 500,
    HEIGHT = 320,
    BOTTOM = 60,
    INSET = 14,     /* of the first and last point                */
    SWATCH = 34,    /* from the frame to a name                   */
    LINE = 19,      /* of names, one below the other              */
    NAME = 28,      /* characters; longer ones are cut            */
    ADVANCE = 8,    /* of a character, about; rather more         */
    SHAPES = 8,     /* of marks; as many as colours               */
    MOST_MARKS = 24 /* on a line; more hide it                    */
};

/* For eyes that do not tell red from green, too (after Okabe and Ito); dark
 * enough for a white page. */
static const char *const color[SHAPES] = { "#0072b2", "#d55e00", "#009e73",
                                           "#b2558c", "#000000", "#d18f00",
                                           "#3a9fd8", "#7a7a7a" };

/* Around 0,0. */
static const char *const shape[SHAPES] = {
    "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z", /* disc          */
    "M-4 -4h8v8h-8z",                                /* square        */
    "M0 -5.5L5.2 4H-5.2z",                           /* triangle      */
    "M0 -6L5 0L0 6L-5 0z",                           /* diamond       */
    "M0 5.5L5.2 -4H-5.2z",                           /* triangle down */
    "M-1.8 -5.5h3.6v3.7h3.7v3.6h-3.7v3.7h-3.6v-3.7h-3.7v-3.6h3.7z", /* plus */
    ("M-5.5 -3L-3 -5.5L0 -2.5L3 -5.5L5.5 -3L2.5 0L5.5 3L3 5.5L0 2.5L-3 5.5"
     "L-5.5 3L-2.5 0z"),                   /* cross */
    "M-5 -1.8L0 -5.5L5 -1.8L3.1 4.5H-3.1z" /* pentagon */
};

struct canvas {
    const struct plumb_report_plot *plot;
    struct plumb_base_text *out;
    struct plumb_report_axis y;
    unsigned height, names; /* of the frame; of the space for names */
};

/* ---- text ---- */

/* A text that is not ours, cut at `limit` characters. */
static void add_label(struct plumb_base_text *out, const char *text,
                      size_t limit)
{
    static const struct plumb_report_style style = { .width = 0 };
    struct plumb_base_text shown = { .budget = out->budget };
    plumb_report_label_text(&style, text, strlen(text), limit, &shown);
    out->broken |= shown.broken;
    if (!shown.broken && shown.size)
        plumb_base_text_xml(out, shown.data, shown.size);
    plumb_base_text_release(&shown);
}

static void add_text(struct plumb_base_text *out, double x, double y,
                     const char *attributes, const char *text, size_t limit)
{
    plumb_base_text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" fill=\"#222\"%s>",
                           x, y, attributes);
    add_label(out, text, limit);
    plumb_base_text_add(out, "</text>\n");
}

/* A round number with the unit that suits `like`. */
static void show_tick(char text[32], double value, double like)
{
    static const char *const unit[] = { "", "k", "M", "G", "T", "P" };
    unsigned u = 0;
    for (; like >= 1000 && u < 5; u++, like /= 1000)
        value /= 1000;
    snprintf(text, 32, value > 0 ? "%.4g%s" : "0", value, unit[u]);
}

/* ---- places ---- */

static double x_of(const struct canvas *c, unsigned point)
{
    const double room = WIDTH - 2 * INSET;
    const unsigned steps = c->plot->points - 1;
    return LEFT + INSET + (steps ? room * (point - 1) / steps : room / 2);
}

static double y_of(const struct canvas *c, double value)
{
    return TOP + c->height * (1 - plumb_report_axis_place(&c->y, value));
}

static bool is_there(double value)
{
    return value >= 0;
}

static void find_axis(struct canvas *c)
{
    double least = 0, most = 0;
    for (unsigned i = 0; i < c->plot->count; i++)
        for (unsigned p = 0; p < c->plot->points; p++) {
            const double y = c->plot->series[i].y[p];
            if (y > 0 && (y < least || least == 0))
                least = y;
            most = y > most ? y : most;
        }
    plumb_report_axis_for(&c->y, least, most);
}

static void find_sizes(struct canvas *c)
{
    size_t longest = 0;
    for (unsigned i = 0; i < c->plot->count; i++) {
        const size_t length = strlen(c->plot->series[i].name);
        longest = length > longest ? length : longest;
    }
    longest = longest > NAME ? NAME : longest;
    c->names = SWATCH + (unsigned)longest * ADVANCE + 10;
    c->height = c->plot->count * LINE > HEIGHT ? c->plot->count * LINE : HEIGHT;
}

/* ---- frame and axes ---- */

static void add_rule(struct plumb_base_text *out, double x1, double y1,
                     double x2, double y2, const char *stroke)
{
    plumb_base_text_printf(out,
                           "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\"/>\n",
                           x1, y1, x2, y2, stroke);
}

static void add_y_axis(const struct canvas *c)
{
    const struct plumb_report_axis *const a = &c->y;
    char label[128];
    for (unsigned t = 0; t < a->ticks; t++) {
        const double y = y_of(c, a->tick[t]);
        char text[32];
        show_tick(text, a->tick[t], a->logarithmic ? a->tick[t] : a->high);
        add_rule(c->out, LEFT, y, LEFT + WIDTH, y, "#ddd");
        add_text(c->out, LEFT - 8, y + 4.5, " text-anchor=\"end\"", text, 32);
    }
    snprintf(label, sizeof label, "%s%s", c->plot->y_label,
             a->logarithmic ? " (logarithmic)" : "");
    char turned[96];
    snprintf(turned, sizeof turned,
             " text-anchor=\"middle\" transform=\"rotate(-90 18 %.1f)\"",
             TOP + c->height / 2.0);
    add_text(c->out, 18, TOP + c->height / 2.0, turned, label, sizeof label);
}

static void add_x_axis(const struct canvas *c)
{
    const unsigned stride = plumb_report_tick_stride(c->plot->points);
    const double bottom = TOP + c->height;
    add_rule(c->out, LEFT, bottom, LEFT + WIDTH, bottom, "#444");
    for (unsigned p = 1; p <= c->plot->points; p++) {
        char text[16];
        if (p != 1 && p % stride != 0)
            continue;
        snprintf(text, sizeof text, "%u", p);
        add_rule(c->out, x_of(c, p), bottom, x_of(c, p), bottom + 5, "#444");
        add_text(c->out, x_of(c, p), bottom + 20, " text-anchor=\"middle\"",
                 text, sizeof text);
    }
    add_text(c->out, LEFT + WIDTH / 2.0, bottom + 44, " text-anchor=\"middle\"",
             c->plot->x_label, 128);
}

/* ---- lines and marks ---- */

static const char *dashes(unsigned series)
{
    return series < SHAPES ? "" : " stroke-dasharray=\"6 4\"";
}

static void add_mark(const struct canvas *c, unsigned series, double x,
                     double y)
{
    plumb_base_text_printf(c->out,
                           "<path d=\"%s\" transform=\"translate(%.1f %.1f)\" "
                           "fill=\"%s\" stroke=\"#fff\"/>\n",
                           shape[series % SHAPES], x, y,
                           color[series % SHAPES]);
}

static void add_line(const struct canvas *c, unsigned series)
{
    const double *const y = c->plot->series[series].y;
    bool any = false;
    for (unsigned p = 1; p <= c->plot->points; p++) {
        const bool joined = p > 1 && is_there(y[p - 2]);
        if (!is_there(y[p - 1]))
            continue;
        plumb_base_text_printf(c->out, "%s%c%.1f %.1f", any ? "" : "<path d=\"",
                               joined ? 'L' : 'M', x_of(c, p),
                               y_of(c, y[p - 1]));
        any = true;
    }
    if (any)
        plumb_base_text_printf(c->out,
                               "\" stroke=\"%s\" stroke-width=\"2\" "
                               "stroke-linejoin=\"round\"%s/>\n",
                               color[series % SHAPES], dashes(series));
}

/* On many points only some are marked, but each that stands alone is. */
static void add_marks(const struct canvas *c, unsigned series)
{
    const double *const y = c->plot->series[series].y;
    const unsigned points = c->plot->points;
    const unsigned stride =
        points <= MOST_MARKS ? 1 : plumb_report_tick_stride(points);
    for (unsigned p = 1; p <= points; p++) {
        const bool alone =
            (p == 1 || !is_there(y[p - 2])) && (p == points || !is_there(y[p]));
        if (is_there(y[p - 1]) && (p == 1 || p % stride == 0 || alone))
            add_mark(c, series, x_of(c, p), y_of(c, y[p - 1]));
    }
}

/* ---- names ---- */

struct name {
    unsigned series;
    double wanted, y; /* where its line ends; where it stands */
};

/* The last point with a value; 0 if there is none. */
static unsigned last_point(const struct canvas *c, unsigned series)
{
    unsigned p = c->plot->points;
    while (p > 0 && !is_there(c->plot->series[series].y[p - 1]))
        p--;
    return p;
}

/* Where the line ends, or the bottom. */
static double end_of_line(const struct canvas *c, unsigned series)
{
    const unsigned p = last_point(c, series);
    return p ? y_of(c, c->plot->series[series].y[p - 1]) : TOP + c->height;
}

static void sort_names(struct name *name, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        for (unsigned j = i; j > 0 && name[j].wanted < name[j - 1].wanted;
             j--) {
            const struct name swap = name[j];
            name[j] = name[j - 1];
            name[j - 1] = swap;
        }
}

/* Push each down from the one above it, then what fell out up again. */
static void spread_names(struct name *name, unsigned count, double bottom)
{
    for (unsigned i = 0; i < count; i++) {
        const double least = i ? name[i - 1].y + LINE : TOP;
        name[i].y = name[i].wanted < least ? least : name[i].wanted;
    }
    for (unsigned i = count; i-- > 0;) {
        const double most = i + 1 < count ? name[i + 1].y - LINE : bottom;
        name[i].y = name[i].y > most ? most : name[i].y;
    }
}

static void add_name(const struct canvas *c, const struct name *n)
{
    const struct plumb_report_series *const s = &c->plot->series[n->series];
    const double right = LEFT + WIDTH;
    const unsigned last = last_point(c, n->series);
    if (last == c->plot->points)
        plumb_base_text_printf(c->out,
                               "<path d=\"M%.1f %.1fL%.1f %.1fH%.1f\" "
                               "stroke=\"%s\" opacity=\"0.45\"%s/>\n",
                               x_of(c, c->plot->points), n->wanted, right + 8,
                               n->y, right + 20, color[n->series % SHAPES],
                               dashes(n->series));
    if (last)
        add_mark(c, n->series, right + 20, n->y);
    else /* nothing on the bottom line, but no value */
        add_text(c->out, right + 20, n->y + 4.5, " text-anchor=\"middle\"", "?",
                 1);
    add_text(c->out, right + SWATCH, n->y + 4.5, "", s->name, NAME);
}

static void add_names(const struct canvas *c)
{
    struct name name[PLUMB_MOST_SERIES];
    const unsigned count = c->plot->count;
    for (unsigned i = 0; i < count; i++)
        name[i] = (struct name){ .series = i, .wanted = end_of_line(c, i) };
    sort_names(name, count);
    spread_names(name, count, TOP + c->height);
    for (unsigned i = 0; i < count; i++)
        add_name(c, &name[i]);
}

/* ---- the picture ---- */

static void add_head(const struct canvas *c)
{
    const unsigned width = LEFT + WIDTH + c->names;
    const unsigned height = TOP + c->height + BOTTOM;
    plumb_base_text_printf(
        c->out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" "
        "height=\"%u\" viewBox=\"0 0 %u %u\" fill=\"none\" "
        "font-family=\"'DejaVu Sans',Verdana,sans-serif\" "
        "font-size=\"13\">\n<title>",
        width, height, width, height);
    add_label(c->out, c->plot->title, 128);
    plumb_base_text_add(c->out,
                        "</title>\n<rect width=\"100%\" height=\"100%\" "
                        "fill=\"#fff\"/>\n");
    add_text(c->out, LEFT, 28, " font-size=\"16\"", c->plot->title, 128);
}

void plumb_report_plot_svg(const struct plumb_report_plot *plot,
                           struct plumb_base_text *out)
{
    struct canvas c = { .plot = plot, .out = out };
    assert(plot->points >= 1 && plot->count >= 1 &&
           plot->count <= PLUMB_MOST_SERIES);
    find_axis(&c);
    find_sizes(&c);
    add_head(&c);
    add_y_axis(&c);
    add_x_axis(&c);
    for (unsigned i = 0; i < plot->count; i++)
        add_line(&c, i);
    for (unsigned i = 0; i < plot->count; i++)
        add_marks(&c, i);
    add_names(&c);
    plumb_base_text_add(out, "</svg>\n");
}
