/* recording_texts.c - a recording that is followed forgets its texts.
 *
 * Every text among the values becomes a symbol of the reader.  Those of events
 * that were given are not needed any more (history/renaming.h). */
#include "recording_state.h"

#include "base/memory.h"

struct texts {
    bool *needed;
    uint32_t
        *symbol; /* by symbol: the new one; NULL: find out which are needed */
};

static void meet(const struct texts *t, uint32_t *symbol)
{
    if (t->symbol)
        *symbol = t->symbol[*symbol];
    else
        t->needed[*symbol] = true;
}

static void meet_event(const struct texts *t,
                       struct plumb_history_track_event *e)
{
    for (uint32_t i = 0; i < e->values; i++) {
        uint32_t symbol = (uint32_t)e->value[i].bits;
        if (e->value[i].tag != PLUMB_STR)
            continue;
        meet(t, &symbol);
        e->value[i].bits = symbol;
    }
}

/* Everything that has one. */
static void meet_all(struct plumb_history_recording *r, const struct texts *t)
{
    for (uint32_t i = 0; i < r->names_known; i++)
        meet(t, &r->name[i]);
    for (size_t i = 0; i < r->objects_known; i++)
        meet(t, &r->object[i]);
    meet(t, &r->spec);
    if (r->names.state == TRACK_READY)
        meet(t, &r->names.next.name);
    for (size_t i = 0; i < r->tracks; i++)
        if (r->track[i].state == TRACK_READY)
            meet_event(t, &r->track[i].next);
    for (size_t i = 0; i < r->waiting; i++)
        meet_event(t, &r->queue[(r->first + i) % r->queue_capacity].event);
    meet_event(t, &r->given);
}

void plumb_history_recording_forget_texts(struct plumb_history_recording *r)
{
    const uint32_t count = r->symbols.count;
    struct plumb_symbols fresh;
    struct texts t = { .needed = plumb_base_alloc_zeroed(r->budget, count) };
    uint32_t *const symbol =
        plumb_base_alloc(r->budget, count * sizeof *symbol);
    if (t.needed && symbol) {
        t.needed[0] = true;
        meet_all(r, &t);
        if (plumb_history_symbols_copy(&r->symbols, t.needed, &fresh, symbol)) {
            t.symbol = symbol;
            meet_all(r, &t);
            plumb_history_symbols_release(&r->symbols);
            r->symbols = fresh;
        } else {
            plumb_history_symbols_release(&fresh);
        }
    }
    plumb_base_release(r->budget, t.needed, count);
    PLUMB_RELEASE(r->budget, symbol, count);
}
