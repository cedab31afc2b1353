/* recording_copy.c - see recording_copy.h. */
#include "recording_copy.h"

#include "base/fail.h"
#include "base/memory.h"
#include "history/builder.h"
#include "history/symbols.h"
#include "recording_format.h"
#include <string.h>

static uint32_t *entry_of(struct plumb_history_recording_copy *c,
                          struct plumb_history_renumbering *n, uint32_t i)
{
    return PLUMB_GROW_ZEROED(c->budget, n->symbol, n->count, (size_t)i + 1)
               ? n->symbol + i
               : NULL;
}

static uint32_t intern(struct plumb_history_recording_copy *c, uint32_t *entry,
                       const char *text, size_t length)
{
    const uint32_t s = plumb_builder_symbol(c->builder, text, length);
    if (s != UINT32_MAX)
        *entry = s + 1;
    return s;
}

/* UINT32_MAX when memory is used up. */
static uint32_t symbol_of(struct plumb_history_recording_copy *c,
                          uint32_t symbol)
{
    uint32_t *const e = entry_of(c, &c->symbols, symbol);
    size_t length;
    if (!e || *e)
        return e ? *e - 1 : UINT32_MAX;
    const char *const text = plumb_symbol_text(
        plumb_history_recording_symbols(c->recording), symbol, &length);
    return intern(c, e, text, length);
}

static uint32_t process_of(struct plumb_history_recording_copy *c,
                           uint32_t process)
{
    uint32_t *const e = entry_of(c, &c->processes, process);
    char name[32];
    if (!e || *e)
        return e ? *e - 1 : UINT32_MAX;
    plumb_history_recording_process_name(c->recording, process, name);
    return intern(c, e, name, strlen(name));
}

static bool take_values(struct plumb_history_recording_copy *c,
                        const struct plumb_history_recorded_event *e,
                        struct plumb_value *value)
{
    for (uint32_t i = 0; i < e->values; i++) {
        value[i] = e->value[i];
        if (value[i].tag == PLUMB_STR) {
            const uint32_t symbol = symbol_of(c, (uint32_t)value[i].bits);
            if (symbol == UINT32_MAX)
                return false;
            value[i].bits = symbol;
        }
    }
    return true;
}

static enum plumb_status take_event(
    struct plumb_history_recording_copy *c,
    const struct plumb_history_recorded_event *e, struct plumb_error *err)
{
    struct plumb_builder *const b = c->builder;
    struct plumb_value value[RECORDING_VALUES];
    const uint32_t process = process_of(c, e->process);
    const uint32_t name = symbol_of(c, e->name);
    if (process == UINT32_MAX || name == UINT32_MAX ||
        !take_values(c, e, value))
        return plumb_base_fail_memory(err);
    plumb_history_builder_time(b, e->time);
    if (!e->is_call)
        return plumb_builder_respond(b, process, UINT32_MAX, PLUMB_OUTCOME_OK,
                                     name, value, e->values, NULL, err);
    const uint32_t object = symbol_of(c, e->object);
    if (object == UINT32_MAX)
        return plumb_base_fail_memory(err);
    return plumb_builder_call(b, process, object, name, value, e->values, NULL,
                              err);
}

void plumb_history_recording_copy_release(
    struct plumb_history_recording_copy *c)
{
    plumb_base_release(c->budget, c->symbols.symbol,
                       c->symbols.count * sizeof(uint32_t));
    plumb_base_release(c->budget, c->processes.symbol,
                       c->processes.count * sizeof(uint32_t));
    c->symbols = c->processes = (struct plumb_history_renumbering){ NULL, 0 };
}

/* The builder has other numbers now, and so may the recording: an event that was
 * found already would have the old ones. */
static void begin_anew(struct plumb_history_recording_copy *c)
{
    plumb_history_recording_forget_texts(c->recording);
    struct plumb_history_renumbering *const n[] = { &c->symbols,
                                                    &c->processes };
    for (unsigned i = 0; i < 2; i++)
        if (n[i]->symbol)
            memset(n[i]->symbol, 0, n[i]->count * sizeof *n[i]->symbol);
    c->renamed = c->builder->renamed;
}

enum plumb_history_recorded plumb_history_recording_copy_event(
    struct plumb_history_recording_copy *c, struct plumb_error *err)
{
    struct plumb_history_recorded_event e;
    if (c->renamed != c->builder->renamed)
        begin_anew(c);
    const enum plumb_history_recorded found =
        plumb_history_recording_next(c->recording, &e, err);
    if (found != PLUMB_RECORDED_EVENT)
        return found;
    return take_event(c, &e, err) == PLUMB_OK ? found : PLUMB_RECORDED_ERROR;
}

enum plumb_status plumb_history_recording_copy_spec(
    struct plumb_history_recording_copy *c, struct plumb_error *err)
{
    const uint32_t spec = plumb_history_recording_spec(c->recording);
    if (!spec)
        return PLUMB_OK;
    if (c->renamed != c->builder->renamed)
        begin_anew(c);
    const uint32_t symbol = symbol_of(c, spec);
    if (symbol == UINT32_MAX)
        return plumb_base_fail_memory(err);
    plumb_builder_spec(c->builder, symbol);
    return PLUMB_OK;
}
