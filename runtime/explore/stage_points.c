/* stage_points.c - the plain accesses that are events, by their place. */
#include "stage_state.h"

enum { SLOTS_OF_POINTS = 1024 };

unsigned points_count;
static const void *point[SLOTS_OF_POINTS];

static unsigned slot_of(const void *pc)
{
    unsigned at = (unsigned)((uintptr_t)pc * 0x9E3779B97F4A7C15u >> 54);
    while (point[at] && point[at] != pc)
        at = (at + 1) % SLOTS_OF_POINTS;
    return at;
}

bool points_have(const void *pc)
{
    return point[slot_of(pc)] == pc;
}

bool theatre_interleave(const void *pc)
{
    if (points_have(pc) || points_count == SLOTS_OF_POINTS / 2)
        return false;
    point[slot_of(pc)] = pc;
    points_count++;
    return true;
}
