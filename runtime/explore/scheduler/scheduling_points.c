/* scheduling_points.c - the plain accesses that are events, by their place.
 *
 * Places that are added count from the next execution on: else the steps of the
 * one that runs would be others when they are repeated. */
#include "scheduler_state.h"

enum { MOST_POINTS = 512, POINT_SLOTS = 1024 };

unsigned scheduler_points_count;
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

bool scheduler_points_have(const void *pc)
{
    return point[slot_of(pc)] == pc;
}

static bool is_added(const void *pc)
{
    for (unsigned i = scheduler_points_count; i < adds; i++)
        if (added[i] == pc)
            return true;
    return scheduler_points_have(pc);
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

bool scheduler_points_have_copy(const void *written)
{
    const void *const read = copy[slot_of_copy(written)].read;
    return scheduler_points_have(written) ||
           (read && scheduler_points_have(read));
}

void scheduler_points_pair(const void *written, const void *read)
{
    const unsigned at = slot_of_copy(written);
    if (copy[at].written || copies == MOST_POINTS)
        return;
    copy[at].written = written;
    copy[at].read = read;
    copies++;
}

bool scheduler_adapter_interleave(const void *pc)
{
    if (is_added(pc) || adds == MOST_POINTS)
        return false;
    added[adds++] = pc;
    return true;
}

unsigned scheduler_adapter_points(void)
{
    return scheduler_points_count;
}

bool scheduler_points_begin(void)
{
    const unsigned before = scheduler_points_count;
    for (; scheduler_points_count < adds; scheduler_points_count++)
        point[slot_of(added[scheduler_points_count])] =
            added[scheduler_points_count];
    return scheduler_points_count > before;
}
