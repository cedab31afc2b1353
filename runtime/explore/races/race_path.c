/* race_path.c - steps that do not race are looked at once.
 *
 * dfs and dpor go back by repeating steps, and most executions are one they had
 * before but for its end.  So the accesses of an execution are looked at with a
 * prefilter that has a way back (race_prefilter.h), and the steps are written down with the
 * place of each in what was looked at.  While the next execution takes the same
 * steps, it does the same: nobody has to listen.  Where it takes another, the
 * prefilter goes back to there.  An access that it does not pass has all of
 * the execution looked at closely, from the beginning, and what comes at once.
 *
 * Invariant: all of entry[] is clear, and what the prefilter knows.  It is from
 * before the first step and from name[0 .. steps), each of which is there as a
 * whole, or is the last and runs.  A step with something that is not clear is
 * not kept: whoever repeats it looks at it, and what is behind it, again. */
#include "race_path.h"

#include "race_prefilter.h"
#include "races.h"
#include <assert.h>

enum { MOST_STEPS = RACE_ENTRIES };

static struct race_entry entry[RACE_ENTRIES];
static uint32_t entries, first_entries; /* all; before the first step */

struct race_path race_path;

static uint16_t name[MOST_STEPS];
static struct {
    uint32_t entries;
    struct races_prefilter_mark mark;
} before[MOST_STEPS]; /* the step */
static uint32_t steps;

static bool is_known(unsigned kind, unsigned thread, const void *pc,
                     const void *at, size_t size, int order)
{
    (void)kind, (void)thread, (void)pc, (void)at, (void)size, (void)order;
    return true;
}

static bool is_clear(unsigned kind, unsigned thread, const void *pc,
                     const void *at, size_t size, int order)
{
    struct race_entry *const e = entry + entries;
    if (!race_entry_make(e, entry + RACE_ENTRIES, kind, thread, pc, at, size,
                         order) ||
        !races_prefilter_on(e))
        return false;
    entries++;
    return true;
}

bool race_path_is_open(void)
{
    return race_log.take == is_clear;
}

void race_path_forget(void)
{
    steps = 0;
}

void race_path_begin(void)
{
    race_log.take = NULL;
    race_path.next = race_path.end = NULL;
}

/* To before step `to`. */
static void go_back(uint32_t to)
{
    assert(steps <= MOST_STEPS);
    if (to >= steps)
        return;
    steps = to;
    entries = before[to].entries;
    races_prefilter_back(&before[to].mark);
}

static bool begins_alike(const struct race_entry *log, uint32_t count)
{
    bool same = steps && races_prefilter_has_begun() && first_entries == count;
    for (uint32_t i = 0; same && i < count; i++)
        same = entry[i].where == log[i].where && entry[i].what == log[i].what;
    return same;
}

static void begin_anew(const struct race_entry *log, uint32_t count)
{
    bool clear = true;
    races_prefilter_begin();
    for (uint32_t i = 0; i < count; i++) {
        entry[i] = log[i];
        clear = clear && races_prefilter_on(&log[i]);
    }
    assert(count <= RACE_ENTRIES);
    entries = first_entries = count;
    steps = 0;
    race_log.take = is_clear;
    if (!clear)
        races_now();
}

/* What it begins with is in the log: threads. */
static void start(void)
{
    uint32_t count;
    const struct race_entry *const log = race_log_close(&count);
    if (!begins_alike(log, count)) {
        begin_anew(log, count);
        return;
    }
    race_log.take = is_known;
    race_path.next = name;
    race_path.end = name + steps;
}

/* Here the execution is another than the one before. */
static void part(void)
{
    go_back((uint32_t)(race_path.next - name));
    race_path.next = race_path.end = NULL;
    race_log.take = is_clear;
}

static void add_step(uint16_t new)
{
    if (steps == MOST_STEPS) {
        races_now();
        return;
    }
    name[steps] = new;
    before[steps].entries = entries;
    before[steps++].mark = races_prefilter_mark();
}

bool race_path_new_step(uint16_t new)
{
    if (race_log.end)
        start();
    if (race_path_is_next(new)) { /* the first */
        race_path.next++;
        return false;
    }
    if (race_log.take == is_known)
        part();
    if (race_log.take)
        add_step(new);
    return true;
}

void race_path_look(void)
{
    race_log.take = NULL;
    (void)race_entries_look(entry, entry + entries);
    go_back(steps ? steps - 1 : 0);
}
