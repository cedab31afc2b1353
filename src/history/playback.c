/* playback.c - see playback.h. */
#include "playback.h"

#include "base/fail.h"
#include "base/memory.h"
#include <string.h>

void plumb_history_play_close(struct plumb_history_play *p)
{
    if (!p->h)
        return;
    PLUMB_RELEASE(p->budget, p->event, p->h->events);
    PLUMB_RELEASE(p->budget, p->symbol, p->h->symbols->count);
    plumb_builder_free(p->builder);
    *p = (struct plumb_history_play){ .h = NULL };
}

/* UINT32_MAX when memory is used up. */
static uint32_t symbol_of(struct plumb_history_play *p, uint32_t symbol)
{
    size_t length;
    if (p->symbol[symbol])
        return p->symbol[symbol] - 1;
    const char *const text = plumb_symbol_text(p->h->symbols, symbol, &length);
    const uint32_t s = plumb_builder_symbol(p->builder, text, length);
    p->symbol[symbol] = s + 1;
    return s;
}

static bool name_spec(struct plumb_history_play *p)
{
    if (!p->h->spec)
        return true;
    const uint32_t spec = symbol_of(p, p->h->spec);
    if (spec == UINT32_MAX)
        return false;
    plumb_builder_spec(p->builder, spec);
    return true;
}

bool plumb_history_play_open(struct plumb_history_play *p,
                             const struct plumb_history *h,
                             struct plumb_budget *budget)
{
    *p = (struct plumb_history_play){ .h = h, .budget = budget };
    p->builder = plumb_builder_new(budget);
    p->event = plumb_base_alloc(budget, h->events * sizeof *p->event);
    p->symbol =
        plumb_base_alloc_zeroed(budget, h->symbols->count * sizeof *p->symbol);
    if (!p->builder || !p->event || !p->symbol)
        return false;
    plumb_history_builder_stream(p->builder);
    memset(p->event, 0xff, h->events * sizeof *p->event);
    for (uint32_t i = 0; i < h->count; i++) {
        p->event[h->op[i].call] = 2 * i;
        if (h->op[i].resp != PLUMB_NEVER)
            p->event[h->op[i].resp] = 2 * i + 1;
    }
    return name_spec(p);
}

static bool take_values(struct plumb_history_play *p,
                        const struct plumb_value *from, size_t count,
                        struct plumb_value *to)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = from[i];
        if (to[i].tag != PLUMB_STR)
            continue;
        to[i].bits = symbol_of(p, (uint32_t)from[i].bits);
        if (to[i].bits == UINT32_MAX)
            return false;
    }
    return true;
}

static enum plumb_status play_call(struct plumb_history_play *p, uint32_t i,
                                   struct plumb_error *err)
{
    const struct plumb_history *const h = p->h;
    const struct plumb_op *const o = h->op + i;
    const uint32_t thread = symbol_of(p, h->thread[o->thread]);
    const uint32_t object = symbol_of(p, h->object[o->object]);
    const uint32_t name = symbol_of(p, o->name);
    struct plumb_value value[UINT8_MAX];
    if (thread == UINT32_MAX || object == UINT32_MAX || name == UINT32_MAX ||
        !take_values(p, plumb_op_args(h, o), o->nargs, value))
        return plumb_base_fail_memory(err);
    return plumb_builder_call(p->builder, thread, object, name, value, o->nargs,
                              h->origin ? h->origin + 2 * (size_t)i : NULL,
                              err);
}

static enum plumb_status play_response(struct plumb_history_play *p, uint32_t i,
                                       struct plumb_error *err)
{
    const struct plumb_history *const h = p->h;
    const struct plumb_op *const o = h->op + i;
    const uint32_t thread = symbol_of(p, h->thread[o->thread]);
    const uint32_t term = symbol_of(p, o->term);
    struct plumb_value value[UINT8_MAX];
    if (thread == UINT32_MAX || term == UINT32_MAX ||
        !take_values(p, plumb_op_results(h, o), o->nres, value))
        return plumb_base_fail_memory(err);
    return plumb_builder_respond(
        p->builder, thread, UINT32_MAX, (enum plumb_outcome)o->outcome, term,
        value, o->nres, h->origin ? h->origin + 2 * (size_t)i + 1 : NULL, err);
}

/* The builder has other symbols now (history/renaming.h). */
static void begin_anew(struct plumb_history_play *p)
{
    memset(p->symbol, 0, p->h->symbols->count * sizeof *p->symbol);
    p->renamed = p->builder->renamed;
}

enum plumb_status plumb_history_play_some(struct plumb_history_play *p,
                                          unsigned most,
                                          struct plumb_error *err)
{
    if (p->renamed != p->builder->renamed)
        begin_anew(p);
    for (unsigned i = 0; i < most; i++) {
        if (p->next == p->h->events)
            return PLUMB_END;
        const uint32_t event = p->event[p->next++];
        if (event == UINT32_MAX)
            continue;
        const enum plumb_status status = event % 2
                                             ? play_response(p, event / 2, err)
                                             : play_call(p, event / 2, err);
        if (status != PLUMB_OK)
            return status;
    }
    return PLUMB_OK;
}
