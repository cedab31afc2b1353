/* race_path.c - steps that do not race are looked at once.
 *
 * dfs, dpor and states go back, by restoring or by repeating, and most
 * executions are one they had before but for its end.  So the accesses of an
 * execution are looked at with a prefilter that has a way back
 * (race_prefilter.h), and the steps are written down with the place of each in
 * what was looked at.  While the next execution takes the same steps, it does
 * the same: nobody has to listen.  Where it takes another, the prefilter goes
 * back to there.  An access that it does not pass has all of the execution
 * looked at closely, from the beginning, and what comes at once.
 *
 * What a step does is only written down, always at the same place, and looked
 * at when the step is done.  Who compares stacks has hooks write it down though
 * it is known: then they leave the same on the stack whatever was before.
 *
 * Invariant: all of entry[] is clear, and what the prefilter knows.  It is from
 * before the first step and from name[0 .. steps), each of which is there as a
 * whole, or is the last and runs.  A step with something that is not clear is
 * not kept: whoever repeats it looks at it, and what is behind it, again. */
#include "race_path.h"

#include "race_prefilter.h"
#include "races.h"
#include "runtime/explore/memory/tape.h"
#include <assert.h>

enum { MOST_STEPS = RACE_ENTRIES };

static struct race_entry entry[RACE_ENTRIES];
static uint32_t entries, first_entries; /* all; before the first step */

static struct race_entry of_step[RACE_ENTRIES]; /* that runs */
static bool is_open;                            /* it is written down */

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

static void be_deaf(void)
{
    is_open = false;
    race_log.next = race_log.end = NULL;
    race_log.take = NULL;
}

static void write_down(bool is_new)
{
    is_open = is_new;
    race_log.next = of_step;
    race_log.end = of_step + RACE_ENTRIES;
    race_log.take = is_new ? NULL : is_known;
}

bool race_path_is_open(void)
{
    return is_open;
}

void race_path_forget(void)
{
    steps = 0;
}

void race_path_begin(void)
{
    be_deaf();
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
    write_down(true);
    if (!clear)
        races_now();
}

/* After `at` steps of those that are known. */
static void stand_after(uint32_t at)
{
    assert(at <= steps);
    write_down(false);
    race_path.next = name + at;
    race_path.end = name + steps;
}

/* What it begins with is in the log: threads. */
static void start(void)
{
    uint32_t count;
    const struct race_entry *const log = race_log_close(&count);
    if (begins_alike(log, count))
        stand_after(0);
    else
        begin_anew(log, count);
}

/* Here the execution is another than the one before. */
static void part(void)
{
    go_back((uint32_t)(race_path.next - name));
    race_path.next = race_path.end = NULL;
    write_down(true);
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
    if (race_log_is_open())
        start();
    if (race_path_is_next(new)) { /* the first */
        race_path.next++;
        return false;
    }
    if (race_log.take == is_known)
        part();
    if (is_open)
        add_step(new);
    return true;
}

static bool looks_from_afar(void)
{
    return is_open || race_log.take == is_known;
}

static uint32_t steps_done(void)
{
    return is_open ? steps : (uint32_t)(race_path.next - name);
}

/* After the last step that there is room for, it is looked closely. */
bool race_path_can_pass(void)
{
    return looks_from_afar() && steps_done() < MOST_STEPS;
}

/* False: some of it is not clear. */
static bool is_clear(const struct race_entry *end)
{
    uint32_t count = entries;
    for (const struct race_entry *e = of_step; e != end; e++) {
        if (count == RACE_ENTRIES || !races_prefilter_on(e))
            return false;
        entry[count++] = *e;
    }
    entries = count;
    return true;
}

void race_path_settle(void)
{
    if (is_open && !is_clear(race_log.next))
        races_now();
    if (looks_from_afar())
        race_log.next = of_step;
}

void race_path_look(void)
{
    const struct race_entry *const end = race_log.next;
    be_deaf();
    (void)race_entries_look(entry, entry + entries);
    (void)race_entries_look(of_step, end);
    go_back(steps ? steps - 1 : 0);
}

void race_path_pass(struct memory_tape *tape)
{
    uint32_t at = steps_done();
    memory_tape_pass(tape, &at, sizeof at);
    if (tape->reads)
        stand_after(at);
}
