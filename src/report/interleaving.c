/* interleaving.c - what threads did one after another, a column per thread. */
#include "interleaving.h"

#include "base/utf8.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    STEP_COLUMNS = 5,
    GAP = 2,        /* between step, threads and places              */
    MOST_NEED = 44, /* columns that a text may ask for               */
    GOOD_PITCH = 9, /* from column to column: more than that is given
                        up so that texts fit                          */
    LEAST_PITCH = 3,
    MOST_PITCH = 44,   /* so that a wide screen does not tear it apart  */
    LEAST_ROOM = 12,   /* for any text, on a screen of any width        */
    LEAST_PLACE = 20,  /* of a long place, on a narrow screen           */
    BESIDE_PLACE = 40, /* before a place may take more than that        */
    MOST_DEPTH = 8,
    MOST_HEADING = 16, /* of a column                   */
    LEAST_LEAD = 8     /* of a name at the start of a line, with a gap */
};

struct marks {
    const char *in, *change, *fault, *gap;
};
static const struct marks unicode = { "│ ", "↳ ", "✗ ", "⋮" };
static const struct marks ascii = { "| ", "> ", "! ", ":" };

struct layout {
    const struct plumb_report_interleaving *what;
    const struct plumb_report_style *style;
    const struct plumb_report_palette *ink;
    const struct marks *mark;
    unsigned indent, pitch, room; /* room: of all texts, before places */
    unsigned most_place;          /* columns that a place may have     */
    unsigned places;              /* columns of the longest place      */
    bool named;                   /* too many threads for columns      */
    unsigned lead;                /* then: columns of names            */
    uint32_t next;                /* the step after the last one       */
    bool gap;                     /* before a line: steps are left out,
                                     and no other line says so         */
    struct plumb_base_text scratch;
};

/* ---- measures ---- */

static unsigned columns_of(const char *text)
{
    return (unsigned)plumb_base_utf8_columns(text, strlen(text));
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* A place as it is shown, unless it has to be cut. */
static const char *place_text(struct layout *l, const char *place)
{
    plumb_base_text_clear(&l->scratch);
    plumb_report_label_text(l->style, place, strlen(place), 1000, &l->scratch);
    return plumb_base_text_string(&l->scratch);
}

static unsigned longest_place(struct layout *l)
{
    unsigned longest = 0;
    for (size_t i = 0; i < l->what->count; i++) {
        const unsigned columns =
            columns_of(place_text(l, l->what->line[i].place));
        if (columns > longest)
            longest = smaller(columns, l->most_place);
    }
    return longest;
}

/* The columns that a line takes from where its thread's column begins. */
static unsigned need_of(const struct plumb_report_line *line)
{
    const size_t size = plumb_base_utf8_columns(line->text, strlen(line->text));
    const unsigned lead =
        2 * smaller(line->depth, MOST_DEPTH) +
        (line->kind == PLUMB_LINE_SWITCH || line->kind == PLUMB_LINE_FAULT ? 2
                                                                           : 0);
    return lead + (size < MOST_NEED ? (unsigned)size : MOST_NEED);
}

/* Room for the longest name, too. */
static unsigned good_pitch(const struct layout *l)
{
    unsigned good = GOOD_PITCH;
    for (unsigned c = 0; c + 1 < l->what->columns; c++) {
        const unsigned need =
            smaller(columns_of(l->what->heading[c]), MOST_HEADING) + GAP;
        good = need > good ? need : good;
    }
    return good;
}

/* As far apart as can be with all texts in one line; but not too near. */
static unsigned best_pitch(const struct layout *l)
{
    const unsigned even = smaller(l->room / l->what->columns, MOST_PITCH);
    unsigned pitch = even;
    for (size_t i = 0; i < l->what->count; i++) {
        const struct plumb_report_line *const line = l->what->line + i;
        const unsigned need = need_of(line);
        if (line->column > 0)
            pitch = smaller(
                pitch, need < l->room ? (l->room - need) / line->column : 0);
    }
    const unsigned good = smaller(even, good_pitch(l));
    return pitch < good ? good : pitch;
}

static unsigned longest_heading(const struct layout *l)
{
    unsigned longest = 0;
    for (unsigned c = 0; c < l->what->columns; c++) {
        const unsigned columns = columns_of(l->what->heading[c]);
        longest = columns > longest ? columns : longest;
    }
    return longest;
}

static void measure(struct layout *l)
{
    const unsigned width = plumb_report_style_width(l->style);
    l->most_place = width < BESIDE_PLACE + LEAST_PLACE
                        ? LEAST_PLACE
                        : smaller(width - BESIDE_PLACE, PLUMB_MOST_PLACE);
    l->places = longest_place(l);
    const unsigned taken =
        l->indent + STEP_COLUMNS + GAP + l->places + (l->places ? GAP : 0);
    l->room = width > taken + LEAST_ROOM ? width - taken : LEAST_ROOM;
    if (l->what->columns > 1)
        l->pitch = best_pitch(l);
    const unsigned last = l->pitch * (l->what->columns - 1);
    l->named = l->what->columns > 1 &&
               (l->pitch < LEAST_PITCH || last + GAP + LEAST_ROOM > l->room);
    l->lead = smaller(longest_heading(l), MOST_HEADING) + GAP;
    l->lead = l->lead < LEAST_LEAD ? LEAST_LEAD : l->lead;
    /* on a wide screen places come where texts end */
    l->room = smaller(l->room, last + MOST_NEED);
}

/* ---- one line ---- */

/* The end of `text` that fits: the line of a long path is what matters. */
static void write_place(struct layout *l, const char *place,
                        struct plumb_base_text *out)
{
    const char *text = place_text(l, place);
    const unsigned columns = columns_of(text);
    const char *const dots = l->style->ascii ? ".." : "…";
    unsigned skip = 0;
    if (columns > l->most_place) {
        skip = columns - l->most_place + columns_of(dots);
        plumb_base_text_add(out, dots);
    }
    while (skip--) {
        uint32_t code;
        const size_t bytes = plumb_base_utf8_next(text, strlen(text), &code);
        text += bytes ? bytes : 1;
    }
    plumb_base_text_add(out, text);
}

static const char *color_of(const struct layout *l,
                            enum plumb_report_line_kind kind)
{
    switch (kind) {
    case PLUMB_LINE_CALL:
    case PLUMB_LINE_ANSWER:
        return l->ink->bold;
    case PLUMB_LINE_SWITCH:
        return l->ink->yellow;
    case PLUMB_LINE_FOLD:
        return l->ink->dim;
    case PLUMB_LINE_FAULT:
        return l->ink->red;
    default:
        return "";
    }
}

static void write_start(const struct layout *l,
                        const struct plumb_report_line *line, bool first,
                        struct plumb_base_text *out)
{
    const bool gap = first && l->gap;
    plumb_base_text_fill(out, ' ', l->indent - gap);
    plumb_base_text_add(out, gap ? l->mark->gap : "");
    if (first && line->step != PLUMB_NO_STEP)
        plumb_base_text_printf(out, "%*u", STEP_COLUMNS, (unsigned)line->step);
    else
        plumb_base_text_fill(out, ' ', STEP_COLUMNS);
    plumb_base_text_fill(out, ' ', GAP);
}

/* A name that has to be cut keeps its arguments, if they fit: what comes
 * before them is often the same for all. */
static void write_name(const struct layout *l, const char *name, unsigned limit,
                       struct plumb_base_text *out)
{
    const char *const tail = strchr(name, '(');
    const unsigned columns = tail ? columns_of(tail) : limit;
    const size_t size = strlen(name);
    if (columns_of(name) <= limit || columns + 2 > limit) {
        plumb_report_label_text(l->style, name, size, limit, out);
        return;
    }
    plumb_report_label_text(l->style, name, (size_t)(tail - name),
                            limit - columns, out);
    plumb_report_label_text(l->style, tail, strlen(tail), columns, out);
}

/* What stands before the text: where the column begins, the bars of calls. */
static void write_lead(struct layout *l, const struct plumb_report_line *line,
                       bool first, struct plumb_base_text *lead)
{
    plumb_base_text_clear(lead);
    if (l->named && first)
        write_name(l, l->what->heading[line->column], l->lead - GAP, lead);
    if (l->named)
        plumb_base_text_fill(
            lead, ' ', l->lead - columns_of(plumb_base_text_string(lead)));
    else
        plumb_base_text_fill(lead, ' ', (size_t)l->pitch * line->column);
    unsigned used = columns_of(plumb_base_text_string(lead)) + GAP;
    for (unsigned d = 0; d < line->depth && d < MOST_DEPTH; d++) {
        used += columns_of(l->mark->in);
        if (used + LEAST_ROOM <= l->room)
            plumb_base_text_add(lead, l->mark->in);
    }
    if (!first)
        plumb_base_text_fill(lead, ' ', GAP);
    else if (line->kind == PLUMB_LINE_SWITCH)
        plumb_base_text_add(lead, l->mark->change);
    else if (line->kind == PLUMB_LINE_FAULT)
        plumb_base_text_add(lead, l->mark->fault);
}

/* The bytes of text that fit into `room` columns, up to a space; all of it if
 * it does, and one word that does not fit is cut anywhere. */
static size_t piece(const char *text, size_t size, unsigned room)
{
    size_t at = 0, space = 0;
    unsigned columns = 0;
    while (at < size && columns < room) {
        uint32_t code;
        const size_t bytes = plumb_base_utf8_next(text + at, size - at, &code);
        at += bytes ? bytes : 1;
        columns++;
        if (at < size && text[at] == ' ')
            space = at;
    }
    return at >= size ? size : space ? space : at;
}

static size_t without_blanks(const char *text, size_t size)
{
    while (size && text[size - 1] == ' ')
        size--;
    return size;
}

/* What has no place of its own may run on below those of others. */
static unsigned room_of(const struct layout *l,
                        const struct plumb_report_line *line)
{
    return line->place[0] || !l->places ? l->room : l->room + GAP + l->places;
}

static void write_line(struct layout *l, const struct plumb_report_line *line,
                       struct plumb_base_text *out)
{
    struct plumb_base_text lead = { .budget = out->budget };
    struct plumb_base_text all = { .budget = out->budget };
    plumb_report_label_text(l->style, line->text, strlen(line->text), 1000,
                            &all);
    const char *text = plumb_base_text_string(&all);
    size_t size = strlen(text);
    bool first = true;
    do {
        write_start(l, line, first, out);
        write_lead(l, line, first, &lead);
        const unsigned used = columns_of(plumb_base_text_string(&lead));
        const unsigned all_room = room_of(l, line);
        const unsigned room =
            all_room > used + LEAST_ROOM ? all_room - used : LEAST_ROOM;
        const size_t part = piece(text, size, room);
        plumb_base_text_printf(out, "%s%s%.*s%s", plumb_base_text_string(&lead),
                               color_of(l, line->kind),
                               (int)without_blanks(text, part), text,
                               color_of(l, line->kind)[0] ? l->ink->off : "");
        if (first && line->place[0]) {
            const unsigned shown = used + (unsigned)plumb_base_utf8_columns(
                                              text, without_blanks(text, part));
            plumb_base_text_fill(out, ' ',
                                 (shown < l->room ? l->room - shown : 0) + GAP);
            plumb_base_text_add(out, l->ink->dim);
            write_place(l, line->place, out);
            plumb_base_text_add(out, l->ink->off);
        }
        plumb_base_text_add(out, "\n");
        text += part;
        size -= part;
        while (size && *text == ' ')
            text++, size--;
        first = false;
    } while (size && !out->broken);
    out->broken |= all.broken || lead.broken;
    plumb_base_text_release(&all);
    plumb_base_text_release(&lead);
}

/* ---- all of them ---- */

/* A name ends before the next begins, and before the screen does. */
static unsigned heading_room(const struct layout *l, unsigned column)
{
    const unsigned at = column * l->pitch;
    const bool fits = columns_of(l->what->heading[column]) < l->pitch;
    const unsigned gap = fits || l->pitch <= GOOD_PITCH ? 1 : GAP;
    const unsigned room = column + 1 < l->what->columns ? l->pitch - gap
                          : at < l->room                ? l->room - at
                                                        : 1;
    return smaller(room, MOST_HEADING);
}

static void write_heading(const struct layout *l, struct plumb_base_text *out)
{
    unsigned column = 0;
    plumb_base_text_fill(out, ' ', l->indent);
    plumb_base_text_printf(out, "%*s", STEP_COLUMNS, "step");
    plumb_base_text_fill(out, ' ', l->named ? 0 : GAP);
    for (unsigned c = 0; c < l->what->columns && !l->named; c++) {
        const char *const name = l->what->heading[c];
        const unsigned at = c * l->pitch;
        plumb_base_text_fill(out, ' ', at > column ? at - column : 0);
        plumb_base_text_add(out, l->ink->bold);
        const size_t start = out->size;
        write_name(l, name, heading_room(l, c), out);
        if (out->broken)
            return;
        column = at + (unsigned)plumb_base_utf8_columns(out->data + start,
                                                        out->size - start);
        plumb_base_text_add(out, l->ink->off);
    }
    plumb_base_text_add(out, "\n");
}

void plumb_report_interleaving_text(
    const struct plumb_report_interleaving *what,
    const struct plumb_report_style *style, unsigned indent,
    struct plumb_base_text *out)
{
    struct layout l = { .what = what,
                        .style = style,
                        .ink = plumb_report_style_palette(style),
                        .mark = style->ascii ? &ascii : &unicode,
                        .indent = indent,
                        .next = what->from };
    assert(what->columns <= PLUMB_MOST_COLUMNS);
    plumb_base_text_init(&l.scratch, out->budget);
    measure(&l);
    write_heading(&l, out);
    for (size_t i = 0; i < what->count && !out->broken; i++) {
        const struct plumb_report_line *const line = what->line + i;
        assert(line->column < what->columns);
        l.gap = line->step != PLUMB_NO_STEP && line->step > l.next && indent;
        write_line(&l, line, out);
        if (line->kind == PLUMB_LINE_FOLD)
            l.next = PLUMB_NO_STEP;
        else if (line->step != PLUMB_NO_STEP)
            l.next = line->step + 1;
    }
    out->broken |= l.scratch.broken;
    plumb_base_text_release(&l.scratch);
}
