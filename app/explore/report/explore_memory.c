/* explore_memory.c - see explore_memory.h.
 *
 * The compiler makes several accesses of one that is inlined in several places:
 * lines are counted. */
#include "explore_memory.h"

#include "app/explore/trace/explore_interleaving.h"
#include "base/spelling.h"
#include "explore_words.h"
#include "report/json.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 3 };

struct lines {
    struct binary_symbol_place *at;
    uint32_t count;
};

static int by_line(const void *one, const void *other)
{
    const struct binary_symbol_place *const a = one, *const b = other;
    const int files = strcmp(a->path, b->path);
    return files ? files : (a->line > b->line) - (a->line < b->line);
}

/* Each once; without debug information there is none.  Of an exploration that
 * is incomplete none are told: which were met depends on how many processes went
 * ahead. */
static struct lines find_lines(const struct exploration *e,
                               const struct explore_totals *t)
{
    struct lines l = { .count = 0 };
    uint32_t found = 0;
    l.at = t->weak_orders && t->exhausted ? calloc(t->weak_orders, sizeof *l.at)
                                          : NULL;
    for (uint32_t i = 0; l.at && i < t->weak_orders; i++)
        found += explore_find_place(e->target->object, t->weak_order[i],
                                    &l.at[found]) &&
                 l.at[found].line > 0;
    if (found)
        qsort(l.at, found, sizeof *l.at, by_line);
    for (uint32_t i = 0; i < found; i++)
        if (i == 0 || by_line(&l.at[i], &l.at[l.count - 1]) != 0)
            l.at[l.count++] = l.at[i];
    return l;
}

/* "stack.c:41, 44, list.c:3, ..." */
static void add_lines(const struct lines *l, uint32_t most,
                      struct plumb_base_text *out)
{
    for (uint32_t i = 0; i < l->count && i < most; i++) {
        const bool same = i > 0 && !strcmp(l->at[i].path, l->at[i - 1].path);
        plumb_base_text_add(out, i ? ", " : "");
        if (!same)
            plumb_base_text_printf(out, "%s:", l->at[i].file);
        plumb_base_text_printf(out, "%u", l->at[i].line);
    }
    if (l->count > most)
        plumb_base_text_add(out, ", ...");
}

void explore_add_memory(const struct exploration *e,
                        const struct explore_totals *t,
                        struct plumb_base_text *out)
{
    const struct lines l = find_lines(e, t);
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    plumb_base_text_add(&text, "Memory was sequentially consistent.");
    if (l.count)
        plumb_base_text_printf(&text, " %u line%s weaker orders (", l.count,
                               l.count == 1 ? " asks for" : "s ask for");
    add_lines(&l, e->with->verbose ? l.count : MOST_LINES, &text);
    if (l.count)
        plumb_base_text_printf(&text,
                               "); a missing barrier there is not covered.");
    else if (t->weak_orders && t->exhausted)
        plumb_base_text_printf(
            &text,
            " %u access%s weaker orders; a missing barrier there is not "
            "covered.",
            t->weak_orders, t->weak_orders == 1 ? " asks for" : "es ask for");
    explore_wrapped_line(e, plumb_base_text_string(&text), out);
    plumb_base_text_release(&text);
    free(l.at);
}

void explore_json_memory(const struct exploration *e,
                         const struct explore_totals *t,
                         struct plumb_base_text *out)
{
    const struct lines l = find_lines(e, t);
    plumb_report_json_text("memory", "sequentially consistent", out);
    if (l.count)
        plumb_report_json_begin("weaker_orders", '[', out);
    for (uint32_t i = 0; i < l.count; i++) {
        plumb_report_json_open('{', out);
        plumb_report_json_text("path", l.at[i].path, out);
        if (l.at[i].absolute[0])
            plumb_report_json_text("file", l.at[i].absolute, out);
        plumb_report_json_number("line", l.at[i].line, out);
        plumb_base_text_add(out, "}");
    }
    plumb_base_text_add(out, l.count ? "]" : "");
    free(l.at);
}
