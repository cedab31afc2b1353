/* breadth.c - places in the order they were met. */
#include "breadth.h"

#include "base/memory.h"
#include <assert.h>
#include <string.h>

void plumb_refine_breadth_release(struct plumb_refine_breadth *b)
{
    PLUMB_RELEASE(b->budget, b->met, b->met_room);
    PLUMB_RELEASE(b->budget, b->from, b->from_room);
    PLUMB_RELEASE(b->budget, b->queue, b->queue_room);
}

void plumb_refine_breadth_clear(struct plumb_refine_breadth *b)
{
    if (b->places)
        memset(b->met, 0, b->places * sizeof *b->met);
    b->head = b->count = 0;
}

bool plumb_refine_breadth_reserve(struct plumb_refine_breadth *b, size_t places)
{
    if (places <= b->places)
        return true;
    if (!PLUMB_GROW(b->budget, b->met, b->met_room, places) ||
        !PLUMB_GROW(b->budget, b->from, b->from_room, places) ||
        !PLUMB_GROW(b->budget, b->queue, b->queue_room, places))
        return false;
    for (; b->places < places; b->places++)
        b->met[b->places] = 0;
    return true;
}

bool plumb_refine_breadth_meet(struct plumb_refine_breadth *b, uint32_t place,
                               uint32_t from, uint32_t index)
{
    if (!plumb_refine_breadth_reserve(b, (size_t)place + 1))
        return false;
    if (b->met[place] & PLUMB_REFINE_MET)
        return true;
    b->met[place] |= PLUMB_REFINE_MET;
    b->from[place] = (struct plumb_refine_breadth_origin){ from, index };
    b->queue[b->count++] = place;
    return true;
}

uint32_t plumb_refine_breadth_distance(const struct plumb_refine_breadth *b,
                                       uint32_t place)
{
    uint32_t n = 0;
    for (; b->from[place].place != PLUMB_NOWHERE; place = b->from[place].place)
        n++;
    return n;
}

struct plumb_refine_hop *plumb_refine_breadth_way(
    const struct plumb_refine_breadth *b, uint32_t place, uint32_t stride,
    struct plumb_base_arena *arena, uint32_t *length)
{
    assert(place < b->places && b->met[place]);
    const uint32_t hops = plumb_refine_breadth_distance(b, place);
    struct plumb_refine_hop *const path =
        plumb_base_arena_alloc(arena, ((size_t)hops + 1) * sizeof *path);
    if (!path)
        return NULL;
    *length = hops;
    for (uint32_t i = hops; i > 0; place = b->from[place].place)
        path[--i] = (struct plumb_refine_hop){ b->from[place].place / stride,
                                               b->from[place].index };
    return path;
}
