/* histogram.c - see histogram.h. */
#include "histogram.h"

#include "label.h"
#include "plot.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_BARS = 24,
    LONGEST = 40, /* characters of a bar */
    LEFT = 76,
    TOP = 48,
    WIDTH = 500,
    HEIGHT = 320,
    BOTTOM = 60,
    RIGHT = 24,
    SPACE = 3 /* between bars */
};

/* Bars are of equally many numbers. */
struct bars {
    const struct plumb_report_histogram *of;
    size_t width; /* numbers of a bar */
    unsigned count;
    uint64_t most, total;
};

static uint64_t bar_of(const struct bars *b, unsigned i)
{
    uint64_t sum = 0;
    for (size_t n = i * b->width; n < (i + 1) * b->width; n++)
        sum += n < b->of->numbers ? b->of->count[n] : 0;
    return sum;
}

static struct bars bars_of(const struct plumb_report_histogram *h)
{
    struct bars b = { .of = h, .width = (h->numbers - 1) / MOST_BARS + 1 };
    assert(h->numbers > 0);
    b.count = (unsigned)((h->numbers - 1) / b.width + 1);
    for (unsigned i = 0; i < b.count; i++) {
        const uint64_t bar = bar_of(&b, i);
        b.total += bar;
        b.most = bar > b.most ? bar : b.most;
    }
    return b;
}

static void name_bar(const struct bars *b, unsigned i, char name[48])
{
    const size_t first = i * b->width, last = first + b->width - 1;
    if (first == last)
        snprintf(name, 48, "%zu", first);
    else
        snprintf(name, 48, "%zu-%zu", first, last);
}

static double share_of(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static void write_bar(const struct bars *b, unsigned i, unsigned indent,
                      struct plumb_base_text *out)
{
    const uint64_t bar = bar_of(b, i);
    const unsigned length =
        (unsigned)(share_of(bar, b->most) * LONGEST + (bar ? 0.999 : 0));
    char name[48];
    name_bar(b, i, name);
    plumb_base_text_printf(out, "%*s%7s  ", (int)indent, "", name);
    for (unsigned k = 0; k < LONGEST; k++)
        plumb_base_text_add(out, k < length ? "#" : " ");
    plumb_base_text_printf(out, "  %9" PRIu64 "  %5.1f %%\n", bar,
                           100 * share_of(bar, b->total));
}

void plumb_report_histogram_text(const struct plumb_report_histogram *h,
                                 unsigned indent, struct plumb_base_text *out)
{
    const struct bars b = bars_of(h);
    for (unsigned i = 0; i < b.count; i++)
        write_bar(&b, i, indent, out);
}

/* ---- the picture ---- */

static void write_words(const char *place, const char *words,
                        struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "<text %s>", place);
    plumb_base_text_xml(out, words, strlen(words));
    plumb_base_text_add(out, "</text>\n");
}

static void write_axis(const struct plumb_report_axis *y,
                       struct plumb_base_text *out)
{
    for (unsigned i = 0; i < y->ticks; i++) {
        const double up = plumb_report_axis_place(y, y->tick[i]) * HEIGHT;
        char place[96], words[32];
        if (y->tick[i] - (double)(uint64_t)y->tick[i] > 0)
            continue; /* of whole things there is no half */
        plumb_base_text_printf(out,
                               "<path d=\"M%d %.1fh%d\" stroke=\"#ddd\"/>\n",
                               LEFT, TOP + HEIGHT - up, WIDTH);
        snprintf(place, sizeof place, "x=\"%d\" y=\"%.1f\" text-anchor=\"end\"",
                 LEFT - 8, TOP + HEIGHT - up + 4);
        snprintf(words, sizeof words, "%.0f", y->tick[i]);
        write_words(place, words, out);
    }
}

static void draw_bars(const struct bars *b, const struct plumb_report_axis *y,
                      struct plumb_base_text *out)
{
    const double step = (double)WIDTH / b->count;
    const unsigned stride = plumb_report_tick_stride(b->count);
    for (unsigned i = 0; i < b->count; i++) {
        const double left = LEFT + i * step;
        const double up =
            plumb_report_axis_place(y, (double)bar_of(b, i)) * HEIGHT;
        char place[96], name[48];
        plumb_base_text_printf(
            out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
            "fill=\"#0072b2\"/>\n",
            left + SPACE / 2.0, TOP + HEIGHT - up, step - SPACE, up);
        if (i % stride)
            continue;
        name_bar(b, i, name);
        snprintf(place, sizeof place,
                 "x=\"%.1f\" y=\"%d\" text-anchor=\"middle\"", left + step / 2,
                 TOP + HEIGHT + 18);
        write_words(place, name, out);
    }
}

void plumb_report_histogram_svg(const struct plumb_report_histogram *h,
                                struct plumb_base_text *out)
{
    const struct bars b = bars_of(h);
    const double tallest = b.most ? (double)b.most : 1;
    struct plumb_report_axis y;
    char place[96];
    plumb_report_axis_for(&y, tallest, tallest); /* from 0, not logarithmic */
    plumb_base_text_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
        LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM);
    snprintf(place, sizeof place, "x=\"%d\" y=\"26\" font-size=\"15\"", LEFT);
    write_words(place, h->title, out);
    write_axis(&y, out);
    draw_bars(&b, &y, out);
    plumb_base_text_printf(out,
                           "<path d=\"M%d %dv%dh%d\" fill=\"none\" "
                           "stroke=\"#000\"/>\n",
                           LEFT, TOP, HEIGHT, WIDTH);
    snprintf(place, sizeof place, "x=\"%d\" y=\"%d\" text-anchor=\"middle\"",
             LEFT + WIDTH / 2, TOP + HEIGHT + 44);
    write_words(place, h->x_label, out);
    snprintf(place, sizeof place,
             "transform=\"translate(20 %d) rotate(-90)\" "
             "text-anchor=\"middle\"",
             TOP + HEIGHT / 2);
    write_words(place, h->y_label, out);
    plumb_base_text_add(out, "</svg>\n");
}
