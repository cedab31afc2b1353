/* trace_fold.c - what of an execution can be told in fewer lines.
 *
 * What a function of a library does is one line.  A loop that waits does the
 * same again and again: its first round is told, and how often it comes again.  And of a long execution what matters is near
 * where threads change, and what changes what others see. */
#include "trace_rows.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    LONGEST_ROUND = 8, /* lines                                     */
    FEWEST_AGAIN = 2,  /* so often to be folded                     */
    SHORT = 48,        /* lines: told as it is                      */
    NEAR = 3,          /* lines before and after a change of threads */
    MOST_LINES = 200,  /* of all; the last ones are worth more       */
    FIRST_LINES = 60,
    FEWEST_FAR = 3 /* lines that one line can stand for         */
};

static const char *dots(bool ascii)
{
    return ascii ? "..." : "…";
}

/* ---- loops ---- */

static bool same(const struct explore_trace_row *a,
                 const struct explore_trace_row *b)
{
    return a->line.column == b->line.column && a->line.kind == b->line.kind &&
           a->line.kind == PLUMB_LINE_EVENT &&
           strcmp(a->line.text, b->line.text) == 0 &&
           strcmp(a->line.place, b->line.place) == 0;
}

/* How often the `round` rows at `from` come again right behind. */
static size_t times_again(const struct explore_trace_rows *rows, size_t from,
                          size_t round)
{
    size_t again = 0;
    for (size_t at = from + round; at + round <= rows->count; at += round) {
        for (size_t k = 0; k < round; k++)
            if (!same(rows->row + from + k, rows->row + at + k))
                return again;
        again++;
    }
    return again;
}

static size_t shortest_round(const struct explore_trace_rows *rows, size_t from,
                             size_t *again)
{
    for (size_t round = 1; round <= LONGEST_ROUND; round++) {
        *again = times_again(rows, from, round);
        if (*again >= FEWEST_AGAIN)
            return round;
    }
    return 0;
}

static void say_again(const struct explore_trace_rows *rows, size_t from,
                      size_t round, size_t again, bool ascii, char *text,
                      size_t size)
{
    if (round == 1)
        snprintf(text, size, "%s %zu more times: %s", dots(ascii), again,
                 rows->row[from].line.text);
    else
        snprintf(text, size, "%s these %zu lines %zu more times", dots(ascii),
                 round, again);
}

/* A row that stands for others: `like` one of them.  False if its text cannot be
 * had. */
static bool stand_in(struct explore_trace_rows *rows,
                     struct explore_trace_row like, const char *text,
                     struct explore_trace_row *row)
{
    *row = like;
    row->line.kind = PLUMB_LINE_FOLD;
    row->line.step = PLUMB_NO_STEP;
    row->line.place = "";
    row->line.text =
        plumb_base_arena_copy(&rows->arena, text, strlen(text) + 1);
    rows->broken |= !row->line.text;
    return row->line.text;
}

/* ---- libraries ---- */

/* Of one call: nothing else is told in between, and no other step begins. */
static bool same_call(const struct explore_trace_row *a,
                      const struct explore_trace_row *b)
{
    return b->library && b->line.step == PLUMB_NO_STEP &&
           a->line.column == b->line.column &&
           strcmp(a->library, b->library) == 0 &&
           strcmp(a->line.place, b->line.place) == 0;
}

static size_t length_of_call(const struct explore_trace_rows *rows, size_t from)
{
    size_t at = from + 1;
    if (!rows->row[from].library)
        return 1;
    while (at < rows->count && same_call(rows->row + from, rows->row + at))
        at++;
    return at - from;
}

void explore_trace_rows_fold_library(struct explore_trace_rows *rows,
                                     bool ascii)
{
    size_t kept = 0;
    for (size_t at = 0, length; at < rows->count; at += length) {
        const struct explore_trace_row first = rows->row[at];
        struct explore_trace_row row;
        char text[256];
        length = length_of_call(rows, at);
        if (length > 1)
            snprintf(text, sizeof text, "%s %zu steps in %s", dots(ascii),
                     length, first.library);
        if (length == 1 || !stand_in(rows, first, text, &row)) {
            for (size_t k = 0; k < length; k++)
                rows->row[kept++] = rows->row[at + k];
            continue;
        }
        row.line.step = first.line.step;
        row.line.place = first.line.place;
        rows->row[kept++] = row;
    }
    rows->count = kept;
}

/* ---- loops ---- */

/* What is kept moves up; what is looked at lies behind it. */
void explore_trace_rows_fold_loops(struct explore_trace_rows *rows, bool ascii)
{
    size_t kept = 0, at = 0;
    while (at < rows->count) {
        char text[256];
        size_t again;
        struct explore_trace_row row;
        const size_t round = shortest_round(rows, at, &again);
        if (round)
            say_again(rows, at, round, again, ascii, text, sizeof text);
        if (!round || !stand_in(rows, rows->row[at + round], text, &row)) {
            rows->row[kept++] = rows->row[at++];
            continue;
        }
        for (size_t k = 0; k < round; k++)
            rows->row[kept++] = rows->row[at + k];
        rows->row[kept++] = row;
        at += round * (again + 1);
    }
    rows->count = kept;
}

/* ---- far from anything ---- */

static bool is_edge(const struct explore_trace_rows *rows, size_t at)
{
    const enum plumb_report_line_kind kind = rows->row[at].line.kind;
    return kind == PLUMB_LINE_SWITCH || kind == PLUMB_LINE_FAULT;
}

static bool is_near(const struct explore_trace_rows *rows, size_t at)
{
    const size_t from = at > NEAR ? at - NEAR : 0;
    if (at + NEAR >= rows->count) /* the end is an edge */
        return true;
    for (size_t k = from; k <= at + NEAR; k++)
        if (is_edge(rows, k))
            return true;
    return false;
}

/* Which rows are of operations that run alone from call to answer?  Those with
 * their call before them and their answer behind, and nobody else between. */
static void find_alone(struct explore_trace_rows *rows)
{
    bool inside = false;
    for (size_t at = 0; at < rows->count; at++) {
        struct explore_trace_row *const row = rows->row + at;
        if (is_edge(rows, at) ||
            (at && row->line.column != row[-1].line.column))
            inside = false;
        row->alone = inside;
        if (row->line.kind == PLUMB_LINE_CALL && row->line.depth == 0)
            inside = true;
    }
    inside = false;
    for (size_t at = rows->count; at-- > 0;) {
        struct explore_trace_row *const row = rows->row + at;
        if (is_edge(rows, at) ||
            (at + 1 < rows->count && row->line.column != row[1].line.column))
            inside = false;
        row->alone &= inside;
        if (row->line.kind == PLUMB_LINE_ANSWER)
            inside = true;
    }
}

static bool can_go(const struct explore_trace_rows *rows, size_t at)
{
    const struct explore_trace_row *const row = rows->row + at;
    if (row->keep || row->line.kind == PLUMB_LINE_FOLD)
        return false;
    return row->alone || (!row->writes && !is_near(rows, at));
}

/* The end of the rows of one thread from here that can go. */
static size_t end_of_far(const struct explore_trace_rows *rows, size_t at)
{
    size_t end = at;
    assert(at < rows->count);
    while (end < rows->count && rows->row[end].far &&
           rows->row[end].line.column == rows->row[at].line.column)
        end++;
    return end;
}

static void fold_runs(struct explore_trace_rows *rows, bool ascii)
{
    size_t kept = 0, at = 0;
    find_alone(rows);
    for (size_t k = 0; k < rows->count; k++)
        rows->row[k].far = can_go(rows, k);
    while (at < rows->count) {
        char text[64];
        struct explore_trace_row row;
        const size_t end = end_of_far(rows, at);
        snprintf(text, sizeof text, "%s %zu steps", dots(ascii), end - at);
        if (end - at >= FEWEST_FAR &&
            stand_in(rows, rows->row[at], text, &row)) {
            rows->row[kept++] = row;
            at = end;
            continue;
        }
        do
            rows->row[kept++] = rows->row[at++];
        while (at < end);
    }
    rows->count = kept;
}

static void cut_middle(struct explore_trace_rows *rows, bool ascii)
{
    char text[64];
    struct explore_trace_row row;
    if (rows->count <= MOST_LINES)
        return;
    const size_t cut = rows->count - MOST_LINES;
    snprintf(text, sizeof text, "%s %zu lines of all threads", dots(ascii),
             cut);
    if (!stand_in(rows, rows->row[0], text, &row))
        return;
    row.line.depth = 0;
    rows->row[FIRST_LINES] = row;
    memmove(rows->row + FIRST_LINES + 1, rows->row + FIRST_LINES + cut,
            (MOST_LINES - FIRST_LINES) * sizeof row);
    rows->count = MOST_LINES + 1;
}

void explore_trace_rows_fold_far(struct explore_trace_rows *rows, bool ascii)
{
    if (rows->count <= SHORT)
        return;
    fold_runs(rows, ascii);
    cut_middle(rows, ascii);
}
