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
static uint32_t entries, first_entries; /* all; before the first step */

static struct {
    uint8_t thread, option;
    uint32_t entries; /* before it */
    struct glance_mark before;
} step[MOST_STEPS];
static uint32_t steps;
static uint32_t at; /* so many has this execution begun */

static enum { CLOSED, FOLLOWS, NOTES } path;

bool race_path_is_open(void)
{
    return path != CLOSED;
}

void race_path_forget(void)
{
    steps = 0;
}

void race_path_begin(void)
{
    path = CLOSED;
    at = 0;
}

/* To before step `to`. */
static void go_back(uint32_t to)
{
    if (to >= steps)
        return;
    entries = step[to].entries;
    glance_back(&step[to].before);
    steps = to;
}

static bool note(const struct race_entry *e)
{
    if (!glance_on(e))
        return false;
    entries++;
    return true;
}

/* What it begins with is in the log: threads. */
static void start(void)
{
    uint32_t count;
    const struct race_entry *const log = race_log_close(&count);
    const size_t size = count * sizeof *log;
    const bool is_known = steps && glance_has_begun() &&
                          first_entries == count && !memcmp(entry, log, size);
    path = is_known ? FOLLOWS : NOTES;
    if (is_known)
        return;
    glance_begin();
    memcpy(entry, log, size);
    entries = steps = 0;
    while (entries < count && note(&entry[entries]))
        ;
    first_entries = entries;
    if (entries == count)
        return;
    entries = count;
    races_now();
}

static bool add_step(unsigned thread, unsigned option)
{
    if (at == MOST_STEPS)
        return false;
    step[at].thread = (uint8_t)thread;
    step[at].option = (uint8_t)option;
    step[at].entries = entries;
    step[at].before = glance_mark();
    steps = ++at;
    return true;
}

static bool is_same_step(unsigned thread, unsigned option)
{
    return at < steps && step[at].thread == thread && step[at].option == option;
}

bool race_path_step(unsigned thread, unsigned option)
{
    if (race_log.end)
        start();
    if (path == FOLLOWS && is_same_step(thread, option)) {
        at++;
        return false;
    }
    if (path == FOLLOWS) {
        go_back(at);
        path = NOTES;
    }
    if (path == NOTES && !add_step(thread, option))
        races_now();
    return true;
}

bool race_path_note(unsigned kind, unsigned thread, const void *pc,
                    const void *where, size_t size, int order)
{
    if (path != NOTES)
        return path == FOLLOWS;
    struct race_entry *const e = &entry[entries];
    return race_entry_make(e, entry + RACE_ENTRIES, kind, thread, pc, where,
                           size, order) &&
           note(e);
}

void race_path_look(void)
{
    if (path == FOLLOWS)
        go_back(at);
    path = CLOSED;
    (void)race_entries_look(entry, entry + entries);
    go_back(at ? at - 1 : 0);
}
