/* explore_interleaving.c - an execution, told step by step. */
#include "explore_interleaving.h"

#include "app/binary/debug_symbols.h"
#include "base/spelling.h"
#include "explore_fault.h"
#include "report/execution_json.h"
#include "report/interleaving.h"
#include "trace_data.h"
#include "trace_names.h"
#include "trace_places.h"
#include "trace_rows.h"
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT = 2 };

/* Races are told on the way; anything else ended it. */
static const struct job_finding *finding_of(const struct job *job)
{
    const uint32_t count =
        job->findings < JOB_FINDINGS ? job->findings : JOB_FINDINGS;
    const struct job_finding *found = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const enum scheduler_fault fault = job->finding[i].what.fault;
        if (fault == FAULT_NONE)
            continue;
        if (!found || fault != FAULT_RACE)
            found = &job->finding[i];
    }
    return found;
}

/* ---- columns ---- */

struct columns {
    char name[PLUMB_MAX_THREADS][TRACE_THREAD_NAME];
    const char *heading[PLUMB_MAX_THREADS];
    unsigned of[PLUMB_MAX_THREADS]; /* the column of a thread */
    unsigned count;
};

/* Whoever sets the scene for the processes has no column: it acts before them
 * and after them. */
static bool is_leader(const struct job *job, unsigned thread)
{
    return job->target.object && job->target.leader == 1 && thread == 0;
}

static void choose_columns(struct columns *c, const struct job *job,
                           const struct explore_trace_rows *rows)
{
    bool acts[PLUMB_MAX_THREADS] = { false };
    *c = (struct columns){ 0 };
    for (size_t k = 0; k < rows->count; k++)
        acts[rows->row[k].line.column] = true;
    for (unsigned t = 0; t < PLUMB_MAX_THREADS; t++) {
        if (!acts[t] || is_leader(job, t))
            continue;
        c->of[t] = c->count;
        c->heading[c->count] = explore_trace_thread(job, t, c->name[c->count]);
        c->count++;
    }
    if (c->count == 0)
        c->heading[c->count++] = explore_trace_thread(job, 0, c->name[0]);
}

static struct plumb_report_line rule(bool before, bool ascii)
{
    const char *const text = before  ? ascii ? "-- before" : "── before"
                             : ascii ? "-- after"
                                     : "── after";
    return (struct plumb_report_line){ .kind = PLUMB_LINE_FOLD,
                                       .step = PLUMB_NO_STEP,
                                       .text = text,
                                       .place = "" };
}

/* The lines, with rules between the leader and the processes. */
static size_t arrange(const struct job *job,
                      const struct explore_trace_rows *rows,
                      const struct columns *columns, bool ascii,
                      struct plumb_report_line *line)
{
    size_t count = 0;
    bool leads = false, begun = false;
    for (size_t k = 0; k < rows->count; k++) {
        const struct plumb_report_line *const now = &rows->row[k].line;
        const bool leader = is_leader(job, now->column);
        if (leader && now->kind == PLUMB_LINE_SWITCH)
            continue;
        if (leader && !leads)
            line[count++] = rule(!begun, ascii);
        leads = leader;
        begun |= !leader;
        line[count] = *now;
        line[count++].column = columns->of[now->column];
    }
    return count;
}

static void show_rows(const struct job *job,
                      const struct explore_trace_rows *rows,
                      const struct plumb_report_style *style,
                      struct plumb_base_text *out)
{
    struct columns columns;
    struct plumb_report_line *const line =
        rows->count ? calloc(rows->count, 2 * sizeof *line) : NULL;
    if (!line)
        return;
    choose_columns(&columns, job, rows);
    const struct plumb_report_interleaving what = {
        .heading = columns.heading,
        .columns = columns.count,
        .line = line,
        .count = arrange(job, rows, &columns, style->ascii, line),
    };
    plumb_report_interleaving_text(&what, style, INDENT, out);
    free(line);
}

/* For programs every line has its thread, with the names that they have in
 * deeds. */
static void json_rows(const struct explore_trace_names *n,
                      const struct explore_trace_rows *rows,
                      struct plumb_base_text *out)
{
    const struct job *const job = n->job;
    struct plumb_base_arena arena;
    char name[PLUMB_MAX_THREADS][TRACE_THREAD_NAME];
    const char *heading[PLUMB_MAX_THREADS];
    struct plumb_report_line *const line =
        rows->count ? calloc(rows->count, sizeof *line) : NULL;
    if (!line)
        return;
    for (unsigned t = 0; t < PLUMB_MAX_THREADS; t++)
        heading[t] = explore_trace_thread(job, t, name[t]);
    plumb_base_arena_init(&arena, NULL);
    for (size_t k = 0; k < rows->count; k++) {
        line[k] = rows->row[k].line;
        line[k].data = explore_trace_data(n, &rows->row[k], &arena);
    }
    const struct plumb_report_interleaving what = { .heading = heading,
                                                    .columns =
                                                        PLUMB_MAX_THREADS,
                                                    .line = line,
                                                    .count = rows->count };
    plumb_report_json_interleaving(&what, out);
    plumb_base_arena_release(&arena);
    free(line);
}

/* ---- before and behind ---- */

static void show_heading(const struct explore_trace_rows *rows, size_t lines,
                         bool all, struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "  interleaving (%u preemption%s",
                           (unsigned)rows->preemptions,
                           plumb_base_plural(rows->preemptions));
    if (rows->count < lines)
        plumb_base_text_printf(out, "; %zu of %zu lines, --verbose for all",
                               rows->count, lines);
    else if (!all)
        plumb_base_text_add(out, "; --verbose for more");
    plumb_base_text_add(out, ")\n");
}

static void show_cut(const struct job *job, struct plumb_base_text *out)
{
    if (job->trace.count > JOB_TRACE)
        plumb_base_text_printf(out,
                               "  ... %" PRIu32 " more records were not kept\n",
                               job->trace.count - (uint32_t)JOB_TRACE);
}

/* The thread to which it happened did this last. */
static void add_fault(struct explore_trace_rows *rows,
                      const struct explore_trace_names *n,
                      const struct job_finding *f)
{
    struct plumb_base_text text, place;
    if (!f || f->what.fault == FAULT_NONE || f->what.fault == FAULT_LEAK ||
        f->what.fault == FAULT_RACE || f->what.fault == FAULT_HISTORY ||
        f->what.thread >= PLUMB_MAX_THREADS)
        return;
    plumb_base_text_init(&text, NULL);
    plumb_base_text_init(&place, NULL);
    explore_fault_name(f->what.fault, &text);
    if (f->what.fault == FAULT_FREED || f->what.fault == FAULT_OVERFLOW)
        explore_fault_object(n, f, &text);
    explore_trace_code_text(n, f->offset ? n->job->memory.base + f->offset : 0,
                            &place);
    const struct explore_trace_row row = {
        .line = { .kind = PLUMB_LINE_FAULT,
                  .step = f->length ? f->length - 1 : PLUMB_NO_STEP,
                  .column = f->what.thread },
        .record = n->count,
        .keep = true,
    };
    if (f->what.fault != FAULT_DEADLOCK && f->what.fault != FAULT_LIVELOCK)
        explore_trace_rows_add(rows, row, plumb_base_text_string(&text),
                               plumb_base_text_string(&place));
    plumb_base_text_release(&text);
    plumb_base_text_release(&place);
}

/* No style: for programs. */
static void tell(const struct explore_trace_names *n,
                 const struct plumb_report_style *style, bool all,
                 struct plumb_base_text *out)
{
    struct explore_trace_rows rows;
    const struct job_finding *const finding = finding_of(n->job);
    if (n->count == 0) /* it died before anything was recorded, or so */
        return;
    explore_trace_rows_init(&rows, n, finding, all);
    add_fault(&rows, n, finding);
    if (style)
        explore_trace_rows_number(&rows);
    const size_t lines = rows.count;
    if (!all && style)
        explore_trace_rows_fold_library(&rows, n->ascii);
    if (!all)
        explore_trace_rows_fold_loops(&rows, n->ascii);
    if (!all && style)
        explore_trace_rows_fold_far(&rows, n->ascii);
    explore_tell_fault(n, finding, style, out);
    if (!style) {
        json_rows(n, &rows, out);
    } else {
        if (rows.count) {
            show_heading(&rows, lines, all, out);
            show_rows(n->job, &rows, style, out);
        }
        show_cut(n->job, out);
    }
    out->broken |= rows.broken;
    explore_trace_rows_release(&rows);
}

void explore_show_interleaving(const struct job *replayed, const char *object,
                               const struct plumb_report_style *style, bool all,
                               struct plumb_base_text *out)
{
    struct binary_symbols *const symbols = binary_symbols_open(object);
    struct explore_trace_names names;
    if (explore_trace_names_init(&names, replayed, symbols,
                                 style && style->ascii)) {
        tell(&names, style, all, out);
        explore_trace_names_release(&names);
    } else
        out->broken = true;
    binary_symbols_close(symbols);
}

/* Places are asked for one by one, of one object mostly: it stays open. */
static struct binary_symbols *symbols_of(const char *object)
{
    static char *known;
    static struct binary_symbols *symbols;
    if (known && strcmp(known, object) == 0)
        return symbols;
    free(known);
    binary_symbols_close(symbols);
    known = strdup(object);
    symbols = binary_symbols_open(object);
    return symbols;
}

bool explore_find_place(const char *object, uint64_t offset,
                        struct binary_symbol_place *place)
{
    struct binary_symbols *const symbols = symbols_of(object);
    char whole[PATH_MAX];
    *place = (struct binary_symbol_place){ 0 };
    if (symbols && offset)
        binary_symbols_place(symbols, offset - 1, place);
    if (place->line && realpath(place->absolute, whole) &&
        strlen(whole) < sizeof place->absolute)
        memcpy(place->absolute, whole, strlen(whole) + 1);
    return place->line != 0;
}

void explore_show_place(const char *object, uint64_t offset,
                        struct plumb_base_text *out)
{
    struct binary_symbols *const symbols = symbols_of(object);
    struct binary_symbol_place place = { 0 };
    if (symbols && offset)
        binary_symbols_place(symbols, offset - 1, &place);
    if (place.function[0] && place.line)
        plumb_base_text_printf(out, "%s (%s:%u)", place.function, place.path,
                               place.line);
    else if (place.line)
        plumb_base_text_printf(out, "%s:%u", place.path, place.line);
    else if (place.function[0])
        plumb_base_text_printf(out, "%s()", place.function);
    else
        plumb_base_text_printf(out, "+0x%" PRIx64, offset);
}
