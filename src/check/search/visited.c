/* visited.c - open addressing with linear probing, at most three quarters full.
 *
 * Not base/index.h: the key is all there is, so it stands in the slot itself,
 * and a look-up, the innermost step of every search, is one cache line. */
#include "visited.h"

#include "base/memory.h"
#include "base/pace.h"
#include <string.h>

enum { FIRST_SLOTS = 64 };

void plumb_check_visited_init(struct plumb_check_visited *v,
                              struct plumb_budget *budget)
{
    *v = (struct plumb_check_visited){ .budget = budget };
}

void plumb_check_visited_release(struct plumb_check_visited *v)
{
    PLUMB_RELEASE(v->budget, v->slot, v->capacity);
    plumb_check_visited_init(v, v->budget);
}

static bool is_free(struct plumb_base_hash128 k)
{
    return !(k.lo | k.hi);
}

bool plumb_check_visited_clear(struct plumb_check_visited *v)
{
    if (!v->capacity) {
        v->slot = plumb_base_alloc(v->budget, FIRST_SLOTS * sizeof *v->slot);
        if (!v->slot)
            return false;
        v->capacity = FIRST_SLOTS;
    }
    v->slots = FIRST_SLOTS;
    v->count = 0;
    memset(v->slot, 0, v->slots * sizeof *v->slot);
    return true;
}

static struct plumb_base_hash128 *find(struct plumb_base_hash128 *slot,
                                       size_t slots,
                                       struct plumb_base_hash128 key)
{
    size_t i = key.lo & (slots - 1);
    while (!is_free(slot[i]) && (slot[i].lo != key.lo || slot[i].hi != key.hi))
        i = (i + 1) & (slots - 1);
    return slot + i;
}

/* Into a new table: with the old one kept until all keys have moved, the peak
 * is one and a half times the new table. */
static bool double_slots(struct plumb_check_visited *v)
{
    const size_t slots = 2 * v->slots;
    struct plumb_base_hash128 *const fresh =
        plumb_base_alloc_zeroed(v->budget, slots * sizeof *fresh);
    if (!fresh)
        return false;
    for (size_t i = 0; i < v->slots; i++) {
        if (!plumb_base_in_time(v->budget, i)) {
            PLUMB_RELEASE(v->budget, fresh, slots);
            return false;
        }
        if (!is_free(v->slot[i]))
            *find(fresh, slots, v->slot[i]) = v->slot[i];
    }
    PLUMB_RELEASE(v->budget, v->slot, v->capacity);
    v->slot = fresh;
    v->slots = v->capacity = slots;
    return true;
}

static struct plumb_base_hash128 usable(struct plumb_base_hash128 key)
{
    if (is_free(key))
        key.lo = 1;
    return key;
}

bool plumb_check_visited_has(const struct plumb_check_visited *v,
                             struct plumb_base_hash128 key)
{
    return !is_free(*find(v->slot, v->slots, usable(key)));
}

enum plumb_check_visit plumb_check_visited_add(struct plumb_check_visited *v,
                                               struct plumb_base_hash128 key)
{
    key = usable(key);
    struct plumb_base_hash128 *at = find(v->slot, v->slots, key);
    if (!is_free(*at))
        return PLUMB_VISIT_SEEN;
    if (4 * (v->count + 1) > 3 * v->slots) {
        if (!double_slots(v))
            return PLUMB_VISIT_NO_MEMORY;
        at = find(v->slot, v->slots, key);
    }
    *at = key;
    v->count++;
    return PLUMB_VISIT_NEW;
}
