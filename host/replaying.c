/* replaying.c - see replaying.h. */
#include "replaying.h"

#include "endings.h"
#include "findings.h"
#include "refusal.h"
#include "runtime/explore/memory/image.h"
#include "runtime/explore/races/races.h"
#include "step_journal.h"
#include "stuck_prefix.h"
#include <assert.h>
#include <stdlib.h>

enum { ACCESSES = JOB_TRACE / 16 }; /* of what comes before an execution */

static void tell_memory(struct job *job)
{
    uintptr_t at;
    size_t size;
    for (unsigned t = 0; t < scheduler_adapter_threads(); t++) {
        if (scheduler_adapter_stack(t, &at, &size)) {
            job->memory.stack[t].at = at;
            job->memory.stack[t].size = size;
        }
        if (scheduler_adapter_locals(t, &at, &size)) {
            job->memory.locals[t].at = at;
            job->memory.locals[t].size = size;
        }
    }
}

void host_replay_listen(struct job *job)
{
    job->trace =
        (struct job_trace){ .record = job->record, .capacity = JOB_TRACE };
    target_trace = &job->trace;
}

/* Blocks must be known, and who allocated them. */
static bool is_of_blocks(const struct job_trace_record *r)
{
    return r->kind == TRACE_ALLOCATE || r->kind == TRACE_FREE ||
           r->kind == TRACE_CALL || r->kind == TRACE_RETURN;
}

/* Pointers tell what blocks are. */
static bool is_of_types(const struct job_trace_record *r)
{
    return r->kind <= TRACE_CAS || r->kind == TRACE_ENTER ||
           r->kind == TRACE_LEAVE;
}

/* Of what is recorded so far only the names of blocks need.  If every execution
 * begins with it, it will be recorded again. */
static void keep_preparation(const struct host_driver *p)
{
    struct job *const job = p->job;
    const uint32_t recorded =
        job->trace.count < JOB_TRACE ? job->trace.count : JOB_TRACE;
    const uint32_t count = p->often ? 0 : recorded;
    uint32_t kept = 0, accesses = 0;
    for (uint32_t i = 0; i < count && kept < JOB_TRACE / 2; i++) {
        const bool tells = is_of_types(&job->record[i]) && accesses < ACCESSES;
        accesses += tells;
        if (tells || is_of_blocks(&job->record[i]))
            job->record[kept++] = job->record[i];
    }
    job->trace.count = job->memory.prepared = kept;
}

static void tell_where_they_stand(struct job *job,
                                  const struct plumb_strategies_machine *m)
{
    job->memory.threads = m->threads(m->context);
    for (unsigned t = 0; t < job->memory.threads; t++) {
        struct plumb_strategies_event event = { 0 };
        job->memory.end[t].standing = m->stand(m->context, t, &event);
        job->memory.end[t].kind = event.kind;
        job->memory.end[t].at = event.at;
        job->memory.end[t].pc = (uintptr_t)scheduler_adapter_place(t);
    }
}

/* What was written last nobody has read: it is there still.  Memory that is no
 * more is left alone, and so is what is too large to tell. */
static void tell_what_lasts(struct job *job)
{
    const uint32_t count =
        job->trace.count < JOB_TRACE ? job->trace.count : JOB_TRACE;
    for (uint32_t i = job->memory.prepared; i < count; i++) {
        struct job_trace_record *const r = job->record + i;
        const bool writes = r->kind == TRACE_WRITE || r->kind == TRACE_STORE;
        if (writes && !r->known && r->size <= sizeof r->expected)
            r->lasts = target_trace_peek((const void *)(uintptr_t)r->at,
                                         r->size, &r->expected);
    }
}

/* `known` is what the request says of it. */
static enum job_switch switch_from(unsigned before, unsigned thread,
                                   uint64_t ready, uint64_t yields,
                                   unsigned known)
{
    if (before == thread)
        return JOB_SWITCH_NONE;
    if (!((ready & ~yields) >> before & 1))
        return JOB_SWITCH_FREE;
    return known == JOB_SWITCH_SPINS || scheduler_adapter_awaits() >> before & 1
               ? JOB_SWITCH_SPINS
               : JOB_SWITCH_PREEMPTS;
}

static bool had_the_option(const struct plumb_strategies_step *s)
{
    return s->option == 0 ||
           (s->event.kind == PLUMB_EVENT_CHOICE && s->option < s->event.size);
}

/* As many of the steps as can be done. */
static uint32_t repeat(struct job *job,
                       const struct plumb_strategies_machine *m,
                       struct plumb_strategies_step *done, uint32_t length)
{
    const struct job_step *const step = job->step;
    uint32_t preemptions = 0;
    m->begin(m->context);
    for (uint32_t i = 0; i < length; i++) {
        const uint64_t ready = m->ready(m->context);
        if (step[i].thread >= PLUMB_MAX_THREADS ||
            !(ready >> step[i].thread & 1))
            return i;
        if (i)
            job->switched[i] =
                (uint8_t)switch_from(done[i - 1].thread, step[i].thread, ready,
                                     m->yields(m->context), job->switched[i]);
        preemptions += job->switched[i] == JOB_SWITCH_PREEMPTS;
        done[i].thread = step[i].thread;
        done[i].option = step[i].option;
        done[i].preemptions = preemptions;
        m->step(m->context, step[i].thread, step[i].option, &done[i].event);
        if (!had_the_option(&done[i]))
            return i;
    }
    return length;
}

/* Not threads that only go round, nor those before calls where operations
 * wait for what these would do. */
static uint64_t has_to_go_on(const struct host_driver *p,
                             const struct plumb_strategies_machine *m)
{
    const uint64_t may =
        host_stuck_prefix_is_here(p) ? scheduler_adapter_calling() : 0;
    return m->ready(m->context) & ~may & ~scheduler_adapter_awaits();
}

static enum plumb_strategies_ending outcome_of(
    const struct host_driver *p, const struct plumb_strategies_machine *m)
{
    struct plumb_strategies_event event;
    if (has_to_go_on(p, m))
        return PLUMB_CUT;
    for (unsigned t = 0; t < m->threads(m->context); t++)
        if (m->stand(m->context, t, &event) != PLUMB_ENDED)
            return PLUMB_DEADLOCK;
    return PLUMB_COMPLETE;
}

/* ---- the cycle of a livelock ---- */

struct round {
    const struct host_driver *play;
    uint64_t moved, always_ready;
};

static bool do_round(const struct plumb_strategies_machine *m,
                     const struct job_step *step, uint32_t cycle,
                     struct round *r)
{
    struct plumb_strategies_event ignored;
    for (uint32_t i = 0; i < cycle; i++) {
        const uint64_t ready = m->ready(m->context);
        const unsigned thread = step[i].thread;
        if (thread >= PLUMB_MAX_THREADS || !(ready >> thread & 1))
            return false;
        r->always_ready &= ready;
        if (host_stuck_prefix_is_here(r->play))
            r->always_ready &= ~scheduler_adapter_calling();
        r->moved |= (uint64_t)1 << thread;
        m->step(m->context, thread, step[i].option, &ignored);
    }
    return true;
}

/* The machine stands at the end of a round.  Do two more: true if both can be
 * done, lead to the same state, and leave out nobody who is ready all the time.
 * Then they can be done for ever, however fair the schedule.  States are
 * compared after rounds of which no trace is recorded: what recording leaves
 * behind on the stacks of threads is another each time. */
static bool leads_back(const struct host_driver *p,
                       const struct plumb_strategies_machine *m,
                       const struct job_step *step, uint32_t cycle)
{
    assert(cycle > 0);
    struct round r = { .play = p, .always_ready = UINT64_MAX };
    uint64_t before[2], after[2];
    if (!m->fingerprint || !do_round(m, step, cycle, &r))
        return false;
    m->fingerprint(m->context, before);
    if (!do_round(m, step, cycle, &r))
        return false;
    m->fingerprint(m->context, after);
    return before[0] == after[0] && before[1] == after[1] &&
           !(r.always_ready & ~r.moved);
}

/* A livelock is one only to who goes round. */
static void tell_round(const struct host_driver *p,
                       const struct plumb_strategies_machine *m,
                       struct plumb_strategies_execution *x)
{
    const struct job *const job = p->job;
    const uint32_t length = job->request.schedule;
    const uint32_t cycle = job->request.cycle;
    races_wanted = races_on = false;
    if (!cycle || cycle > length || x->length < length ||
        !leads_back(p, m, job->step + length - cycle, cycle))
        return;
    x->outcome = PLUMB_ENDLESS;
    x->cycle = cycle;
}

/* Places that are not the target's own have no name: any race will do. */
static void narrow_races(const struct job_request *r)
{
    if (r->race[0] && r->race[1])
        races_narrow((const void *)(memory_image_base() + r->race[0]),
                     (const void *)(memory_image_base() + r->race[1]));
}

void host_replay_play(struct host_driver *p)
{
    struct job *const job = p->job;
    const uint32_t length = job->request.schedule;
    uint32_t counted = 0;
    struct plumb_strategies_step *const done =
        calloc((size_t)length + 1, sizeof *done);
    if (!done || length > JOB_STEPS) {
        host_complain(job, "the schedule is too long");
        job->end = JOB_ERROR;
        free(done);
        return;
    }
    races_wanted = job->request.races != JOB_RACES_IGNORE;
    p->adapter.raced = host_findings_race;
    narrow_races(&job->request);
    job->steps = length; /* those of the request stay */
    keep_preparation(p);
    const struct plumb_strategies_machine m = host_step_journal_machine(p);
    const uint32_t repeated = repeat(job, &m, done, length);
    target_trace = NULL;
    tell_memory(job);
    tell_where_they_stand(job, &m);
    tell_what_lasts(job);
    struct plumb_strategies_execution x = { .outcome = outcome_of(p, &m),
                                            .step = done,
                                            .length = repeated };
    job->end = repeated < length ? JOB_DIVERGED : JOB_DONE;
    atomic_store(&job->now.length, repeated);
    tell_round(p, &m, &x);
    host_ending_is_wrong(p, NULL, &x);
    host_findings_count_preemptions(job, &x, &counted);
    free(done);
}
