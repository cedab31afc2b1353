/* process_times.c - see process_times.h. */
#include "process_times.h"

#include "base/hash.h"
#include "base/memory.h"
#include <string.h>

enum { FEWEST = 64, MOST = 1 << 17 /* slots, of which half are in use */ };

struct plumb_history_process_time {
    uint64_t key; /* a hash of its name, or 0: free */
    int64_t time;
};

static struct plumb_history_process_time *find(
    const struct plumb_history_process_times *t, uint64_t key)
{
    size_t i = key & (t->slots - 1);
    while (t->slot[i].key && t->slot[i].key != key)
        i = (i + 1) & (t->slots - 1);
    return t->slot + i;
}

static bool resize(struct plumb_history_process_times *t,
                   struct plumb_budget *budget)
{
    struct plumb_history_process_times fresh = {
        .slots = t->slots ? 2 * t->slots : FEWEST, .used = t->used
    };
    fresh.slot =
        plumb_base_alloc_zeroed(budget, fresh.slots * sizeof *fresh.slot);
    if (!fresh.slot)
        return false;
    for (size_t i = 0; i < t->slots; i++)
        if (t->slot[i].key)
            *find(&fresh, t->slot[i].key) = t->slot[i];
    plumb_history_process_times_release(t, budget);
    *t = fresh;
    return true;
}

static bool make_room(struct plumb_history_process_times *t,
                      struct plumb_budget *budget)
{
    if (t->used < t->slots / 2)
        return true;
    if (t->slots < MOST)
        return resize(t, budget);
    memset(t->slot, 0, t->slots * sizeof *t->slot);
    t->used = 0;
    return true;
}

void plumb_history_process_times_release(struct plumb_history_process_times *t,
                                         struct plumb_budget *budget)
{
    PLUMB_RELEASE(budget, t->slot, t->slots);
    *t = (struct plumb_history_process_times){ NULL, 0, 0 };
}

int64_t *plumb_history_process_time(struct plumb_history_process_times *t,
                                    struct plumb_budget *budget,
                                    const char *process, size_t length,
                                    bool *known)
{
    const uint64_t hash = plumb_base_hash_bytes(process, length);
    if (!make_room(t, budget))
        return NULL;
    struct plumb_history_process_time *const p = find(t, hash ? hash : 1);
    *known = p->key;
    if (!*known) {
        p->key = hash ? hash : 1;
        t->used++;
    }
    return &p->time;
}
