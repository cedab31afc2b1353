/* trace_switches.c - who holds what, and why another thread goes on.
 *
 * A call that waits is recorded when it has been answered.  So a thread that
 * stops before a lock that another holds was waiting for it, and one that
 * stops before anything it could have done was preempted. */
#include "trace_rows.h"

#include <assert.h>
#include <string.h>

enum { LOOK_AHEAD = 4096 }; /* records */

/* ---- locks ---- */

enum { ANYBODY = PLUMB_MAX_THREADS };

static unsigned find_lock(const struct explore_trace_locks *l, uint64_t at,
                          unsigned holder)
{
    unsigned k = 0;
    while (k < l->count && (l->lock[k].at != at ||
                            (holder != ANYBODY && l->lock[k].holder != holder)))
        k++;
    return k;
}

static void take(struct explore_trace_locks *l, uint64_t at, unsigned thread,
                 uint32_t i)
{
    const unsigned k = find_lock(l, at, thread);
    assert(k <= l->count && l->count <= TRACE_LOCKS);
    if (k == TRACE_LOCKS)
        return;
    if (k < l->count) {
        l->lock[k].times++;
        return;
    }
    l->lock[l->count++] = (struct explore_trace_lock){
        .at = at, .since = i, .times = 1, .holder = thread
    };
}

static void drop(struct explore_trace_locks *l, uint64_t at, unsigned thread)
{
    unsigned k = find_lock(l, at, thread);
    if (k == l->count)
        k = find_lock(l, at, ANYBODY);
    if (k < l->count && --l->lock[k].times == 0)
        l->lock[k] = l->lock[--l->count];
}

void explore_trace_locks_pass(struct explore_trace_locks *l,
                              const struct explore_trace_names *n, uint32_t i)
{
    const struct job_trace_record *const r = n->job->record + i;
    if (r->kind != TRACE_SYNC || (r->known && r->after != 0))
        return;
    switch (explore_trace_sync_of(r)) {
    case SYNC_LOCK:
    case SYNC_SHARE:
    case SYNC_TRY:
        take(l, r->at, r->thread, i);
        return;
    case SYNC_UNLOCK:
        drop(l, r->at, r->thread);
        return;
    default:
        return;
    }
}

static bool is_held(const struct explore_trace_locks *l, uint64_t at)
{
    return find_lock(l, at, ANYBODY) < l->count;
}

static bool is_held_by_others(const struct explore_trace_locks *l, uint64_t at,
                              unsigned thread)
{
    for (unsigned k = 0; k < l->count; k++)
        if (l->lock[k].at == at && l->lock[k].holder != thread)
            return true;
    return false;
}

bool explore_trace_locks_holders(const struct explore_trace_locks *l,
                                 const struct explore_trace_names *n,
                                 uint64_t at, struct plumb_base_text *out)
{
    char name[TRACE_THREAD_NAME];
    unsigned left = 0;
    for (unsigned k = 0; k < l->count; k++)
        left += l->lock[k].at == at;
    const bool held = left > 0;
    for (unsigned k = 0; left; k++)
        if (l->lock[k].at == at)
            plumb_base_text_printf(
                out, "%s%s",
                explore_trace_thread(n->job, l->lock[k].holder, name),
                --left > 1 ? ", "
                : left     ? " and "
                           : "");
    return held;
}

/* ---- reasons ---- */

static void wait_for(const struct explore_trace_names *n,
                     const struct explore_trace_locks *l, uint32_t i,
                     uint64_t at, struct plumb_base_text *out)
{
    struct binary_symbol_spot spot;
    explore_trace_spot(n, i, at, 0, &spot);
    plumb_base_text_printf(out, "waits for %s", spot.name);
    if (!is_held(l, at))
        return;
    plumb_base_text_add(out, ", held by ");
    explore_trace_locks_holders(l, n, at, out);
}

static void wait_for_end(const struct explore_trace_names *n, uint64_t thread,
                         struct plumb_base_text *out)
{
    char name[TRACE_THREAD_NAME];
    plumb_base_text_printf(
        out, "waits for the end of %s",
        explore_trace_thread(n->job, (unsigned)thread, name));
}

/* What became of the thread when another one went on after record i. */
static enum job_switch switch_after(const struct explore_trace_names *n,
                                    uint32_t i)
{
    const struct job *const job = n->job;
    const uint32_t steps =
        job->request.schedule < JOB_STEPS ? job->request.schedule : JOB_STEPS;
    uint32_t s = job->record[i].step;
    if (s >= steps)
        return JOB_SWITCH_UNKNOWN;
    const unsigned t = job->step[s].thread;
    while (s < steps && job->step[s].thread == t)
        s++;
    return s < steps ? (enum job_switch)job->switched[s] : JOB_SWITCH_UNKNOWN;
}

static bool ends_later(const struct explore_trace_names *n, uint32_t i,
                       uint64_t thread)
{
    for (uint32_t k = i + 1; k < n->count; k++)
        if (n->job->record[k].kind == TRACE_END &&
            n->job->record[k].thread == thread)
            return true;
    return false;
}

/* The thread stands there before the event until the end: had it to wait after
 * record i, when these locks were held? */
static bool had_to_wait(const struct explore_trace_names *n,
                        const struct explore_trace_locks *l, uint32_t i,
                        unsigned thread)
{
    const struct job_thread_end *const end = n->job->memory.end + thread;
    const bool waits = end->standing == PLUMB_WAITING;
    const bool left = waits || switch_after(n, i) == JOB_SWITCH_FREE;
    switch (end->kind) {
    case PLUMB_EVENT_LOCK:
        return is_held(l, end->at);
    case PLUMB_EVENT_SYNC:
        return left;
    case PLUMB_EVENT_JOIN:
        return left || ends_later(n, i, end->at);
    default:
        return waits;
    }
}

/* Did another thread do something with that object in between? */
static bool others_touch(const struct explore_trace_names *n, uint32_t i,
                         uint32_t next)
{
    const struct job_trace_record *const r = n->job->record + next;
    for (uint32_t k = i + 1; k < next && k - i < LOOK_AHEAD; k++)
        if (n->job->record[k].kind == TRACE_SYNC &&
            n->job->record[k].at == r->at &&
            n->job->record[k].thread != r->thread)
            return true;
    return false;
}

/* Its name says that it waits if it has to: sem_wait, futex_wait, ... */
static bool may_wait(const struct job_trace_record *r)
{
    static const char *const words[] = { "wait", "lock", "once" };
    char name[sizeof r->name + 1];
    memcpy(name, r->name, sizeof r->name);
    name[sizeof r->name] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(name, words[i]) && !strstr(name, "try") &&
            !strstr(name, "unlock"))
            return true;
    return false;
}

static void say_what_for(const struct explore_trace_names *n,
                         const struct explore_trace_locks *l, uint32_t i,
                         unsigned thread, struct plumb_base_text *out)
{
    if (n->job->memory.end[thread].kind == PLUMB_EVENT_JOIN)
        wait_for_end(n, n->job->memory.end[thread].at, out);
    else
        wait_for(n, l, i, n->job->memory.end[thread].at, out);
}

bool explore_trace_wait_text(const struct explore_trace_names *n,
                             const struct explore_trace_locks *l, uint32_t i,
                             struct plumb_base_text *out)
{
    const unsigned t = n->job->record[i].thread;
    if (t >= n->job->memory.threads || !had_to_wait(n, l, i, t))
        return false;
    say_what_for(n, l, i, t, out);
    return true;
}

bool explore_trace_end_text(const struct explore_trace_names *n,
                            const struct explore_trace_locks *l,
                            unsigned thread, struct plumb_base_text *out)
{
    const uint32_t last = n->count - 1;
    assert(n->count > 0 && thread < n->job->memory.threads);
    if (!had_to_wait(n, l, last, thread))
        return false;
    say_what_for(n, l, last, thread, out);
    return true;
}

/* The same if `next` is what it did when it went on. */
static bool wait_before_text(const struct explore_trace_names *n,
                             const struct explore_trace_locks *l, uint32_t i,
                             uint32_t next, struct plumb_base_text *out)
{
    const struct job_trace_record *const then = n->job->record + next;
    if (then->kind == TRACE_YIELD) {
        plumb_base_text_add(out, "yields");
        return true;
    }
    if (then->kind == TRACE_JOIN) {
        wait_for_end(n, (uint64_t)then->after, out);
        return true;
    }
    if (then->kind != TRACE_SYNC)
        return false;
    const bool waits = is_held(l, then->at)
                           ? is_held_by_others(l, then->at, then->thread)
                           : explore_trace_sync_of(then) != SYNC_LOCK &&
                                 others_touch(n, i, next);
    if (!waits || !may_wait(then))
        return false;
    wait_for(n, l, i, then->at, out);
    return true;
}

/* The trace tells what it waits for, and the host whether it does. */
bool explore_trace_switch_text(const struct explore_trace_names *n,
                               const struct explore_trace_locks *l, uint32_t i,
                               uint32_t next, struct plumb_base_text *out,
                               bool *preempted)
{
    const enum job_switch how = switch_after(n, i);
    const struct job_trace_record *const r = n->job->record + i;
    *preempted = false;
    if (r->kind == TRACE_END ||
        (next == TRACE_NONE && r->thread >= n->job->memory.threads))
        return false;
    if (how == JOB_SWITCH_SPINS) {
        plumb_base_text_add(out, "waits in a loop");
        return true;
    }
    if (how != JOB_SWITCH_PREEMPTS &&
        (next == TRACE_NONE ? explore_trace_wait_text(n, l, i, out)
                            : wait_before_text(n, l, i, next, out)))
        return true;
    *preempted = how != JOB_SWITCH_FREE;
    plumb_base_text_add(out, *preempted ? "preempted" : "waits");
    return true;
}
