/* race_path.c - steps that do not race are looked at once.
 *
 * dfs and dpor go back by repeating steps, and most executions are one they had
 * before but for its end.  So the accesses of an execution are looked at with a
 * glance that has a way back (glance.h), and the steps are written down with the
 * place of each in what was looked at.  While the next execution takes the same
 * steps, it does the same: nobody has to listen.  Where it takes another, the
 * glance goes back to there.
 *
 * Invariant: all of entry[] is clear, and what the glance knows.  It is from
 * before the first step and from step[0 .. steps), each of which is there as a
 * whole, or is the last and runs.  A step with something that is not clear is
 * not kept: whoever repeats it looks at it, and what is behind it, again. */
#include "race_path.h"

#include "glance.h"
#include "races.h"

#include <string.h>

enum { MOST_STEPS = RACE_ENTRIES };

static struct race_entry entry[RACE_ENTRIES];
static uint32_t first_entries; /* before the first step */
static uint32_t last_entries;  /* all, while nothing is noted */

struct race_path race_path;

static uint16_t name[MOST_STEPS];
static struct {
    uint32_t entries;
    struct glance_mark glance;
} before[MOST_STEPS]; /* the step */
static uint32_t steps;
static bool follows; /* race_path.next says how many of them */

bool race_path_is_known(void)
{
    return follows;
}

void race_path_forget(void)
{
    steps = 0;
}

/* ---- noting ---- */

/* What is not clear is looked at closely, and so is all that comes. */
static void look(struct race_entry *e)
{
    if (__builtin_expect(glance_on(e), 1))
        return;
    race_log.next = e;
    races_now();
    (void)race_entries_look(e, e + 1);
}

static void open_at(uint32_t entries)
{
    race_log.next = entry + entries;
    race_log.end = entry + RACE_ENTRIES;
    race_log.look = look;
}

static uint32_t close(void)
{
    const uint32_t entries = (uint32_t)(race_log.next - entry);
    race_log.next = race_log.end = NULL;
    race_log.look = NULL;
    return entries;
}

void race_path_begin(void)
{
    if (race_log.look)
        last_entries = close();
    follows = false;
    race_path.next = race_path.end = NULL;
}

/* ---- steps ---- */

/* To before step `to`; how many entries there were. */
static uint32_t go_back(uint32_t to, uint32_t entries)
{
    if (to >= steps)
        return entries;
    steps = to;
    glance_back(&before[to].glance);
    return before[to].entries;
}

static bool is_known(const struct race_entry *log, uint32_t count)
{
    bool same = steps && glance_has_begun() && first_entries == count;
    for (uint32_t i = 0; same && i < count; i++)
        same = entry[i].where == log[i].where && entry[i].what == log[i].what;
    return same;
}

static void begin_anew(const struct race_entry *log, uint32_t count)
{
    bool is_clear = true;
    glance_begin();
    steps = 0;
    for (uint32_t i = 0; i < count; i++) {
        entry[i] = log[i];
        is_clear = is_clear && glance_on(&log[i]);
    }
    first_entries = count;
    open_at(count);
    if (!is_clear)
        races_now();
}

/* What it begins with is in the log: threads. */
static void start(void)
{
    uint32_t count;
    const struct race_entry *const log = race_log_close(&count);
    follows = is_known(log, count);
    if (!follows) {
        begin_anew(log, count);
        return;
    }
    race_path.next = name;
    race_path.end = name + steps;
}

static void note_step(uint16_t new)
{
    if (steps == MOST_STEPS) {
        races_now();
        return;
    }
    name[steps] = new;
    before[steps].entries = (uint32_t)(race_log.next - entry);
    before[steps++].glance = glance_mark();
}

/* Here the execution is another than the one before. */
static void part(void)
{
    open_at(go_back((uint32_t)(race_path.next - name), last_entries));
    race_path.next = race_path.end = NULL;
    follows = false;
}

bool race_path_new_step(uint16_t new)
{
    if (race_log.end && !race_log.look)
        start();
    if (race_path_is_next(new)) { /* the first */
        race_path.next++;
        return false;
    }
    if (follows)
        part();
    if (race_log.look)
        note_step(new);
    return true;
}

void race_path_look(void)
{
    const uint32_t entries = close();
    (void)race_entries_look(entry, entry + entries);
    last_entries = go_back(steps ? steps - 1 : 0, entries);
}
