/* resolve_names.c - events that are named and never occur.
 *
 * To hide `push` where the events are push.1 and push.2 hides nothing, and a
 * formula about c.5 says nothing of a channel with room, whose events are c!5
 * and c?5.  So for each event in a set or in a formula the whole text is asked
 * whether something has its name and as many data.  What the data are is not
 * looked at: this is a warning and may miss some. */
#include "model_reader.h"

#include <stdio.h>

/* How many data something has, a bit each; the last stands for more. */
typedef uint64_t counts;

struct occurrences {
    struct plumb_csp_read *r;
    counts *event;           /* of each name */
    counts *sent, *received; /* of each channel */
};

static counts count_bit(uint32_t count)
{
    return (counts)1 << (count < 63 ? count : 63);
}

/* ---- what occurs ---- */

static void note(struct occurrences *o, const struct plumb_csp_process *p)
{
    if (p->kind == PLUMB_PREFIX && !p->event.tau)
        o->event[p->event.name] |= count_bit(p->event.count);
    else if (p->kind == PLUMB_SEND)
        o->sent[p->channel] |= count_bit(p->count);
    else if (p->kind == PLUMB_RECEIVE)
        o->received[p->channel] |= count_bit(p->count);
    for (uint32_t i = 0; i < p->children; i++)
        note(o, p->child[i]);
}

/* ---- what is named ---- */

static const char *name_of(const struct occurrences *o,
                           const struct plumb_csp_event_text *e)
{
    return e->kind == PLUMB_EVENT_PLAIN ? o->r->names.entry.at[e->name].text
                                        : o->r->channel.at[e->name].name;
}

/* The channel that a plain event is called like; NULL if there is none. */
static const struct plumb_csp_channel *channel_named(
    const struct occurrences *o, const struct plumb_csp_event_text *e)
{
    for (uint32_t i = 0; i < o->r->channel.count; i++)
        if (strcmp(o->r->channel.at[i].name, name_of(o, e)) == 0)
            return o->r->channel.at + i;
    return NULL;
}

/* With which numbers of data it occurs: c.5 also where c is sent over. */
static counts counts_of(const struct occurrences *o,
                        const struct plumb_csp_event_text *e)
{
    const struct plumb_csp_channel *const c =
        e->kind == PLUMB_EVENT_PLAIN ? channel_named(o, e) : NULL;
    switch (e->kind) {
    case PLUMB_EVENT_SEND:
        return o->sent[e->name];
    case PLUMB_EVENT_RECEIVE: /* what is received was sent */
        return o->received[e->name] ? o->sent[e->name] : 0;
    case PLUMB_EVENT_MEET:
        return o->r->channel.at[e->name].capacity ? 0 : o->sent[e->name];
    case PLUMB_EVENT_ANY:
        return o->sent[e->name];
    default:
        return o->event[e->name] |
               (c && !c->array && !c->capacity ? o->sent[c - o->r->channel.at]
                                               : 0);
    }
}

static uint32_t data_of(const struct occurrences *o,
                        const struct plumb_csp_event_text *e)
{
    const bool indexed =
        e->kind != PLUMB_EVENT_PLAIN && o->r->channel.at[e->name].array;
    return e->count - indexed;
}

/* ---- warnings ---- */

/* push.x.y or c!x.y, with so many data. */
static void write_example(const struct occurrences *o,
                          const struct plumb_csp_event_text *e, uint32_t data,
                          char *out, size_t size)
{
    const char mark = e->kind == PLUMB_EVENT_SEND      ? '!'
                      : e->kind == PLUMB_EVENT_RECEIVE ? '?'
                                                       : '.';
    size_t at = (size_t)snprintf(out, size, "%.40s", name_of(o, e));
    for (uint32_t i = 0; i < data && i < 3 && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%c%c", i ? '.' : mark,
                               "xyz"[i]);
    if (data > 3 && at < size)
        snprintf(out + at, size - at, "...");
}

static void warn_of_room(const struct occurrences *o,
                         const struct plumb_csp_event_text *e,
                         const char *channel)
{
    plumb_csp_read_warn(o->r, e->place,
                        "this event never occurs: channel %.40s has room for "
                        "messages, so its events are like %.40s!1 and %.40s?1",
                        channel, channel, channel);
}

static void warn_of_data(const struct occurrences *o,
                         const struct plumb_csp_event_text *e, counts known)
{
    const uint32_t data = data_of(o, e);
    char named[80], example[80];
    write_example(o, e, data, named, sizeof named);
    write_example(o, e, (uint32_t)__builtin_ctzll(known), example,
                  sizeof example);
    plumb_csp_read_warn(o->r, e->place, "event %s never occurs; %s does", named,
                        example);
}

static void look_at(const struct occurrences *o,
                    const struct plumb_csp_event_text *e)
{
    const counts known = counts_of(o, e);
    const bool plain = e->kind == PLUMB_EVENT_PLAIN;
    const struct plumb_csp_channel *const c =
        plain ? channel_named(o, e) : o->r->channel.at + e->name;
    if (e->tau || (known && e->kind == PLUMB_EVENT_ANY) ||
        (known & count_bit(data_of(o, e))))
        return;
    if (known)
        warn_of_data(o, e, known);
    else if (c && c->capacity && (plain || e->kind == PLUMB_EVENT_MEET))
        warn_of_room(o, e, c->name);
    else
        plumb_csp_read_warn_unknown(o->r, e->place, name_of(o, e));
}

static void look_at_set(const struct occurrences *o,
                        const struct plumb_csp_event_set *set)
{
    for (uint32_t i = 0; i < set->count; i++)
        look_at(o, &set->event[i]);
}

static void look_at_sets(const struct occurrences *o,
                         const struct plumb_csp_process *p)
{
    if (p->kind == PLUMB_HIDE)
        look_at_set(o, &p->hidden);
    for (uint32_t i = 0; i < p->children; i++)
        look_at_sets(o, p->child[i]);
}

/* ---- the whole text ---- */

bool plumb_csp_resolve_names(struct plumb_csp_read *r)
{
    const size_t channels = r->channel.count + 1u;
    struct occurrences o = {
        .r = r,
        .event = plumb_csp_read_scratch(r, (r->names.entry.count + 1u) *
                                               sizeof *o.event),
        .sent = plumb_csp_read_scratch(r, channels * sizeof *o.sent),
        .received = plumb_csp_read_scratch(r, channels * sizeof *o.received),
    };
    if (r->failed)
        return false;
    for (uint32_t i = 0; i < r->definition.count; i++)
        note(&o, r->definition.at[i].body);
    for (uint32_t i = 0; i < r->definition.count; i++) {
        look_at_sets(&o, r->definition.at[i].body);
        if (r->definition.at[i].alphabet)
            look_at_set(&o, r->definition.at[i].alphabet);
    }
    for (uint32_t i = 0; i < r->mentioned.count; i++)
        look_at(&o, &r->mentioned.at[i]);
    return !r->failed;
}
