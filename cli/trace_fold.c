/* trace_fold.c - what of an execution can be told in fewer lines.
 *
 * A loop that waits does the same again and again: its first round is told,
 * and how often it comes again.  And of a long execution what matters is near
 * where threads change, and what changes what others see. */
#include "trace_rows.h"

#include <stdio.h>
#include <string.h>

enum {
    LONGEST_ROUND = 8, /* lines                                     */
    FEWEST_AGAIN = 2,  /* so often to be folded                     */
    SHORT = 48,        /* lines: told as it is                      */
    NEAR = 3,          /* lines before and after a change of threads */
    FEWEST_FAR = 3     /* lines that one line can stand for         */
};

static const char *dots(bool ascii)
{
    return ascii ? "..." : "…";
}

/* ---- loops ---- */

static bool same(const struct trace_row *a, const struct trace_row *b)
{
    return a->line.column == b->line.column && a->line.kind == b->line.kind &&
           a->line.kind == PLUMB_LINE_EVENT &&
           strcmp(a->line.text, b->line.text) == 0 &&
           strcmp(a->line.place, b->line.place) == 0;
}

/* How often the `round` rows at `from` come again right behind. */
static size_t times_again(const struct trace_rows *rows, size_t from,
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

static size_t shortest_round(const struct trace_rows *rows, size_t from,
                             size_t *again)
{
    for (size_t round = 1; round <= LONGEST_ROUND; round++) {
        *again = times_again(rows, from, round);
        if (*again >= FEWEST_AGAIN)
            return round;
    }
    return 0;
}

static void say_again(const struct trace_rows *rows, size_t from, size_t round,
                      size_t again, bool ascii, char *text, size_t size)
{
    if (round == 1)
        snprintf(text, size, "%s %zu more times: %s", dots(ascii), again,
                 rows->row[from].line.text);
    else
        snprintf(text, size, "%s these %zu lines %zu more times", dots(ascii),
                 round, again);
}

/* Rows from `from` on become one that stands for them; a text that cannot be
 * had leaves things as they are. */
static bool replace(struct trace_rows *rows, size_t from, size_t count,
                    const char *text)
{
    struct trace_row stand_in = rows->row[from];
    stand_in.line.kind = PLUMB_LINE_FOLD;
    stand_in.line.step = PLUMB_NO_STEP;
    stand_in.line.place = "";
    stand_in.line.text = plumb_arena_copy(&rows->arena, text, strlen(text) + 1);
    if (!stand_in.line.text)
        return false;
    rows->row[from] = stand_in;
    memmove(rows->row + from + 1, rows->row + from + count,
            (rows->count - from - count) * sizeof *rows->row);
    rows->count -= count - 1;
    return true;
}

void trace_rows_fold_loops(struct trace_rows *rows, bool ascii)
{
    for (size_t at = 0; at < rows->count; at++) {
        char text[256];
        size_t again;
        const size_t round = shortest_round(rows, at, &again);
        if (!round)
            continue;
        say_again(rows, at, round, again, ascii, text, sizeof text);
        if (!replace(rows, at + round, round * again, text))
            return;
        at += round;
    }
}

/* ---- far from anything ---- */

static bool is_edge(const struct trace_rows *rows, size_t at)
{
    const enum plumb_line_kind kind = rows->row[at].line.kind;
    return kind == PLUMB_LINE_SWITCH || kind == PLUMB_LINE_FAULT;
}

static bool is_near(const struct trace_rows *rows, size_t at)
{
    const size_t from = at > NEAR ? at - NEAR : 0;
    if (at + NEAR >= rows->count) /* the end is an edge */
        return true;
    for (size_t k = from; k <= at + NEAR; k++)
        if (is_edge(rows, k))
            return true;
    return false;
}

/* Is it in an operation that runs alone from call to answer? */
static bool runs_alone(const struct trace_rows *rows, size_t at)
{
    const unsigned column = rows->row[at].line.column;
    size_t k = at;
    while (k > 0 && rows->row[k].line.column == column &&
           rows->row[k].line.kind != PLUMB_LINE_CALL && !is_edge(rows, k))
        k--;
    if (rows->row[k].line.column != column ||
        rows->row[k].line.kind != PLUMB_LINE_CALL)
        return false;
    for (k = at; k < rows->count && rows->row[k].line.column == column &&
                 !is_edge(rows, k);
         k++)
        if (rows->row[k].line.kind == PLUMB_LINE_ANSWER)
            return true;
    return false;
}

static bool can_go(const struct trace_rows *rows, size_t at)
{
    const struct trace_row *const row = rows->row + at;
    if (row->keep || row->line.kind == PLUMB_LINE_FOLD)
        return false;
    if (runs_alone(rows, at))
        return true;
    return !row->writes && !is_near(rows, at);
}

void trace_rows_fold_far(struct trace_rows *rows, bool ascii)
{
    if (rows->count <= SHORT)
        return;
    /* looked at before anything is moved: folding must not make things near */
    for (size_t at = 0; at < rows->count; at++)
        rows->row[at].far = can_go(rows, at);
    for (size_t at = 0; at < rows->count; at++) {
        char text[64];
        size_t end = at;
        while (end < rows->count && rows->row[end].far &&
               rows->row[end].line.column == rows->row[at].line.column)
            end++;
        if (end - at < FEWEST_FAR) {
            at = end > at ? end - 1 : at;
            continue;
        }
        snprintf(text, sizeof text, "%s %zu steps", dots(ascii), end - at);
        if (!replace(rows, at, end - at, text))
            return;
    }
}
