/* trace_data.c - a line of an execution as data: trace_words.c says the same
 * for people. */
#include "trace_data.h"

#include "trace_places.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CALLERS = 8 };

struct telling {
    const struct explore_trace_names *n;
    struct plumb_base_arena *arena;
    struct plumb_base_text scratch;
    uint32_t i;
    const struct job_trace_record *r;
};

static const char *copy(struct telling *t, const char *text)
{
    return text[0] ? plumb_base_arena_copy(t->arena, text, strlen(text) + 1)
                   : NULL;
}

static const char *take(struct telling *t)
{
    const char *const text = copy(t, plumb_base_text_string(&t->scratch));
    plumb_base_text_clear(&t->scratch);
    return text;
}

/* ---- where ---- */

static const char *callers(struct telling *t)
{
    explore_trace_callers_text(t->n, t->i, MOST_CALLERS, &t->scratch);
    return take(t);
}

static void set_place(struct telling *t, struct plumb_report_step_data *d)
{
    const struct binary_symbol_place *const place =
        explore_trace_place(t->n, t->i);
    char whole[PATH_MAX];
    d->function = copy(t, place->function);
    if (!place->line)
        return;
    d->line = place->line;
    d->file =
        copy(t, realpath(place->absolute, whole) ? whole : place->absolute);
}

/* ---- what ---- */

static const char *value(struct telling *t,
                         const struct binary_symbol_spot *spot,
                         job_trace_value v)
{
    explore_trace_value(t->n, t->i, spot, t->r->size, v, &t->scratch);
    return take(t);
}

static const char *word_of(const struct job_trace_record *r)
{
    static const char *const word[] = {
        [TRACE_READ] = "read",     [TRACE_WRITE] = "write",
        [TRACE_LOAD] = "load",     [TRACE_STORE] = "store",
        [TRACE_MODIFY] = "modify", [TRACE_CAS] = "cas",
        [TRACE_FENCE] = "fence",   [TRACE_YIELD] = "yield",
        [TRACE_SPAWN] = "start",   [TRACE_JOIN] = "join",
        [TRACE_END] = "end",       [TRACE_ALLOCATE] = "malloc",
        [TRACE_FREE] = "free",     [TRACE_OUTPUT] = "print",
        [TRACE_CHOICE] = "choice",
    };
    return r->kind < sizeof word / sizeof *word ? word[r->kind] : NULL;
}

static void set_access(struct telling *t, struct plumb_report_step_data *d)
{
    const struct job_trace_record *const r = t->r;
    struct binary_symbol_spot spot = { 0 };
    job_trace_value written = r->after;
    explore_trace_spot(t->n, t->i, r->at, r->size, &spot);
    d->object = copy(t, spot.name);
    switch ((enum job_trace_kind)r->kind) {
    case TRACE_READ:
    case TRACE_LOAD:
        d->after = r->known ? value(t, &spot, r->after) : NULL;
        break;
    case TRACE_WRITE:
    case TRACE_STORE:
        if (r->known || explore_trace_find_written(t->n, t->i, &written))
            d->after = value(t, &spot, written);
        break;
    default:
        if (!r->known && (r->kind != TRACE_MODIFY ||
                          !explore_trace_find_written(t->n, t->i, &written)))
            break;
        d->before = value(t, &spot, r->before);
        if (r->kind == TRACE_CAS)
            d->result = job_trace_exchanged(r) ? "ok" : "failed";
        if (r->kind != TRACE_CAS || job_trace_exchanged(r))
            d->after = value(t, &spot, written);
    }
}

static void set_object(struct telling *t, struct plumb_report_step_data *d)
{
    struct binary_symbol_spot spot = { 0 };
    char name[sizeof t->r->name + 1];
    if (t->r->kind == TRACE_SYNC)
        d->does = copy(t, explore_trace_sync_verb(t->r, name));
    if (!t->r->at)
        return;
    explore_trace_spot(t->n, t->i, t->r->at, 0, &spot);
    d->object = copy(t, spot.name);
}

const struct plumb_report_step_data *explore_trace_data(
    const struct explore_trace_names *n, const struct explore_trace_row *row,
    struct plumb_base_arena *arena)
{
    struct telling t = { .n = n, .arena = arena, .i = row->record };
    if (row->line.kind != PLUMB_LINE_EVENT ||
        !explore_trace_is_sound(n, row->record))
        return NULL;
    struct plumb_report_step_data *const d =
        plumb_base_arena_zeroed(arena, sizeof *d);
    if (!d)
        return NULL;
    plumb_base_text_init(&t.scratch, NULL);
    t.r = n->job->record + row->record;
    set_place(&t, d);
    d->callers = callers(&t);
    d->does = word_of(t.r);
    if (t.r->kind <= TRACE_CAS)
        set_access(&t, d);
    else if (t.r->kind == TRACE_SYNC || t.r->kind == TRACE_FREE ||
             t.r->kind == TRACE_ALLOCATE)
        set_object(&t, d);
    plumb_base_text_release(&t.scratch);
    return d;
}
