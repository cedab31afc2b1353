/* event_numbers.c - events by number, and their texts. */
#include "event_numbers.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>

struct event {
    enum plumb_csp_event_kind kind;
    uint32_t name, count;
    int32_t *data;
    uint32_t meeting; /* what it is to those who watch; 0: not asked yet */
};

struct plumb_csp_event_numbers {
    const struct plumb_csp_model *model;
    struct plumb_budget *budget;
    struct plumb_base_gate *gate; /* NULL: nobody else looks */
    struct plumb_base_arena arena;
    struct plumb_base_index index;
    struct event *event; /* the first two are tau and tick */
    size_t capacity;
    uint32_t events;
};

struct plumb_csp_event_numbers *plumb_csp_event_numbers_new(
    const struct plumb_csp_model *model, struct plumb_budget *budget)
{
    struct plumb_csp_event_numbers *const e =
        plumb_base_alloc_zeroed(budget, sizeof *e);
    if (!e)
        return NULL;
    e->model = model;
    e->budget = budget;
    plumb_base_arena_init(&e->arena, budget);
    plumb_base_index_init(&e->index, budget);
    if (!PLUMB_GROW(budget, e->event, e->capacity, PLUMB_FIRST_EVENT)) {
        plumb_csp_event_numbers_free(e);
        return NULL;
    }
    e->event[PLUMB_TAU] = e->event[PLUMB_TICK] = (struct event){ 0 };
    e->events = PLUMB_FIRST_EVENT;
    return e;
}

void plumb_csp_event_numbers_free(struct plumb_csp_event_numbers *events)
{
    if (!events)
        return;
    plumb_base_index_release(&events->index);
    plumb_base_arena_release(&events->arena);
    PLUMB_RELEASE(events->budget, events->event, events->capacity);
    plumb_base_release(events->budget, events, sizeof *events);
}

static uint64_t hash_of(enum plumb_csp_event_kind kind, uint32_t name,
                        const int32_t *data, uint32_t count)
{
    uint64_t h = plumb_base_mix(((uint64_t)name << 3) | kind, count);
    for (uint32_t i = 0; i < count; i++)
        h = plumb_base_mix(h, (uint32_t)data[i]);
    return h;
}

static uint64_t hash_number(const void *context, uint32_t number)
{
    const struct plumb_csp_event_numbers *const events = context;
    const struct event *const e = events->event + number;
    return hash_of(e->kind, e->name, e->data, e->count);
}

void plumb_csp_event_numbers_guard(struct plumb_csp_event_numbers *events,
                                   struct plumb_base_gate *gate)
{
    events->gate = gate;
}

/* Where the search ended is left in `p`. */
static uint32_t find(const struct plumb_csp_event_numbers *events,
                     const struct event *like, const int32_t *data,
                     struct plumb_base_probe *p)
{
    const uint32_t count = like->count;
    *p = plumb_base_index_probe(&events->index,
                                hash_of(like->kind, like->name, data, count));
    PLUMB_FOR_CANDIDATES(&events->index, p, n) {
        const struct event *const e = events->event + n;
        if (e->kind == like->kind && e->name == like->name &&
            e->count == count &&
            (count == 0 || memcmp(e->data, data, count * sizeof *data) == 0))
            return n;
    }
    return UINT32_MAX;
}

uint32_t plumb_csp_event_find(const struct plumb_csp_event_numbers *events,
                              enum plumb_csp_event_kind kind, uint32_t name,
                              const int32_t *data, uint32_t count)
{
    const struct event like = { .kind = kind, .name = name, .count = count };
    struct plumb_base_probe p;
    return find(events, &like, data, &p);
}

static uint32_t add(struct plumb_csp_event_numbers *events, struct event event,
                    const int32_t *data)
{
    struct plumb_base_probe p;
    if (!plumb_base_index_room(&events->index, hash_number, events))
        return UINT32_MAX;
    find(events, &event, data, &p);
    event.data =
        plumb_base_arena_copy(&events->arena, data, event.count * sizeof *data);
    if (!event.data ||
        !PLUMB_GROW(events->budget, events->event, events->capacity,
                    (size_t)events->events + 1))
        return UINT32_MAX;
    events->event[events->events] = event;
    plumb_base_index_put(&events->index, &p, events->events);
    return events->events++;
}

uint32_t plumb_csp_event_number(struct plumb_csp_event_numbers *events,
                                enum plumb_csp_event_kind kind, uint32_t name,
                                const int32_t *data, uint32_t count)
{
    uint32_t number = plumb_csp_event_find(events, kind, name, data, count);
    if (number != UINT32_MAX)
        return number;
    plumb_base_gate_close(events->gate);
    number =
        add(events,
            (struct event){ .kind = kind, .name = name, .count = count }, data);
    plumb_base_gate_open(events->gate);
    return number;
}

static uint32_t name_of_channel(const struct plumb_csp_model *model,
                                const struct plumb_csp_channel *c)
{
    uint32_t i = 0;
    while (i < model->names && strcmp(model->name[i], c->name) != 0)
        i++;
    return i;
}

static uint32_t find_meeting(struct plumb_csp_event_numbers *events,
                             uint32_t event)
{
    const struct event e = events->event[event];
    const struct plumb_csp_channel *const c = events->model->channel + e.name;
    const uint32_t name = name_of_channel(events->model, c);
    if (c->array || name == events->model->names)
        return event;
    return plumb_csp_event_number(events, PLUMB_EVENT_PLAIN, name, e.data,
                                  e.count);
}

uint32_t plumb_csp_event_meeting(struct plumb_csp_event_numbers *events,
                                 uint32_t event)
{
    assert(events->event[event].kind == PLUMB_EVENT_MEET);
    if (events->event[event].meeting == 0) {
        const uint32_t meeting = find_meeting(events, event);
        if (meeting == UINT32_MAX)
            return meeting;
        events->event[event].meeting = meeting;
    }
    return events->event[event].meeting;
}

bool plumb_csp_event_is_of_channel(const struct plumb_csp_event_numbers *events,
                                   uint32_t event, uint32_t channel,
                                   uint32_t index)
{
    const struct event *const e = events->event + event;
    const struct plumb_csp_channel *const c = events->model->channel + channel;
    if (event < PLUMB_FIRST_EVENT || event >= events->events)
        return false;
    if (e->kind == PLUMB_EVENT_PLAIN) /* so it is called where they meet */
        return !c->array && strcmp(events->model->name[e->name], c->name) == 0;
    return e->name == channel &&
           (index == UINT32_MAX || (uint32_t)e->data[0] == index);
}

uint32_t plumb_csp_event_numbers_count(
    const struct plumb_csp_event_numbers *events)
{
    return events->events;
}

/* "c!5.3", and for the third channel of an array "c[2]!5.3". */
static void channel_text(const struct plumb_csp_event_numbers *events,
                         const struct event *e, struct plumb_base_text *out)
{
    static const char *const mark[] = { "", "!", "?", ".", "" };
    const struct plumb_csp_channel *const c = events->model->channel + e->name;
    const uint32_t from = c->array ? 1 : 0;
    plumb_base_text_add(out, c->name);
    if (c->array)
        plumb_base_text_printf(out, "[%d]", (int)e->data[0]);
    for (uint32_t i = from; i < e->count; i++)
        plumb_base_text_printf(out, "%s%d", i == from ? mark[e->kind] : ".",
                               (int)e->data[i]);
    if (from == e->count)
        plumb_base_text_add(out, mark[e->kind]);
}

void plumb_csp_event_numbers_text(const struct plumb_csp_event_numbers *events,
                                  uint32_t event, struct plumb_base_text *out)
{
    assert(event < events->events);
    const struct event *const e = events->event + event;
    if (event < PLUMB_FIRST_EVENT) {
        plumb_base_text_add(out, event == PLUMB_TAU ? "tau" : "terminate");
        return;
    }
    if (e->kind != PLUMB_EVENT_PLAIN) {
        channel_text(events, e, out);
        return;
    }
    plumb_base_text_add(out, events->model->name[e->name]);
    for (uint32_t i = 0; i < e->count; i++)
        plumb_base_text_printf(out, ".%d", (int)e->data[i]);
}

enum plumb_csp_event_kind plumb_csp_event_numbers_parts(
    const struct plumb_csp_event_numbers *events, uint32_t event,
    uint32_t *name, const int32_t **data, uint32_t *count)
{
    assert(event >= PLUMB_FIRST_EVENT && event < events->events);
    const struct event *const e = events->event + event;
    *name = e->name;
    *data = e->data;
    *count = e->count;
    return e->kind;
}
