/* stage_points.c - the plain accesses that are events, by their place.
 *
 * Places that are added count from the next execution on: else the steps of the
 * one that runs would be others when they are repeated. */
#include "stage_state.h"

#include <assert.h>

enum { MOST_POINTS = 512, POINT_SLOTS = 1024 };

unsigned points_count;
static const void *added[MOST_POINTS]; /* in their order */
static unsigned adds;
static const void *point[POINT_SLOTS];

static unsigned slot_of(const void *pc)
{
    unsigned at = (unsigned)((uintptr_t)pc * 0x9E3779B97F4A7C15u >> 54);
    while (point[at] && point[at] != pc)
        at = (at + 1) % POINT_SLOTS;
    return at;
}

bool points_have(const void *pc)
{
    return point[slot_of(pc)] == pc;
}

static bool is_added(const void *pc)
{
    for (unsigned i = points_count; i < adds; i++)
        if (added[i] == pc)
            return true;
    return points_have(pc);
}

/* ---- copies ---- */

static struct {
    const void *written, *read;
} copy[POINT_SLOTS];
static unsigned copies;

static unsigned slot_of_copy(const void *written)
{
    unsigned at = (unsigned)((uintptr_t)written * 0x9E3779B97F4A7C15u >> 54);
    while (copy[at].written && copy[at].written != written)
        at = (at + 1) % POINT_SLOTS;
    return at;
}

bool points_have_copy(const void *written)
{
    const void *const read = copy[slot_of_copy(written)].read;
    return points_have(written) || (read && points_have(read));
}

void points_pair(const void *written, const void *read)
{
    const unsigned at = slot_of_copy(written);
    if (copy[at].written || copies == MOST_POINTS)
        return;
    copy[at].written = written;
    copy[at].read = read;
    copies++;
}

bool theatre_interleave(const void *pc)
{
    if (is_added(pc) || adds == MOST_POINTS)
        return false;
    added[adds++] = pc;
    return true;
}

unsigned theatre_points(void)
{
    return points_count;
}

bool points_begin(void)
{
    const unsigned before = points_count;
    for (; points_count < adds; points_count++)
        point[slot_of(added[points_count])] = added[points_count];
    return points_count > before;
}
