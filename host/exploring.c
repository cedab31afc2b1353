/* exploring.c - see exploring.h.
 *
 * The machine that strategies get notes each step in job->now before it is
 * done: if the target takes this process with it, plumb knows by which
 * schedule. */
#include "exploring.h"

#include "branches.h"
#include "coverage.h"
#include "findings.h"
#include "going_round.h"
#include "hash_set.h"
#include "objection.h"
#include "runtime/explore/heap.h"
#include "runtime/explore/leaks.h"
#include "runtime/explore/races.h"
#include "sharing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS = 50000,
    NOW = sizeof((struct job *)0)->now.step / sizeof(struct job_step)
};

struct exploring {
    struct play *play;
    struct job *job;
    struct plumb_budget *budget;
    struct plumb_machine stage;
    uint32_t at;      /* of job->now */
    uint32_t last;    /* dfs, dpor: length of the execution before, ... */
    bool same;        /* ... with which it has been the same so far */
    uint64_t visited; /* theatre_visited_stacks() */
    bool restart, violated;
    uint32_t counted;          /* findings whose preemptions are known */
    bool endless;              /* dfs: some execution was cut */
    bool sample;               /* this execution counts for coverage */
    enum stage_fault strolled; /* what a stroll has found, which is repeated */
    struct hash_set histories, answers;
    struct sharing sharing;
};

static struct exploring exploring;

/* ---- the machine ---- */

/* Executions begin as the one before did. */
static bool goes_through_all(enum plumb_strategy strategy)
{
    return strategy == PLUMB_DFS || strategy == PLUMB_DPOR ||
           strategy == PLUMB_STATES;
}

static void begin(void *context)
{
    struct exploring *const e = &exploring;
    const uint64_t executions = atomic_load_explicit(
        &e->job->progress.executions, memory_order_relaxed);
    e->same = goes_through_all(e->job->request.strategy);
    e->last = e->at;
    e->at = 0;
    e->sample = e->same || executions < 1000 || executions % 1024 == 0;
    e->job->output = e->job->output_before;
    atomic_store_explicit(&e->job->now.length, 0, memory_order_relaxed);
    e->stage.begin(context);
}

static bool is_again(const struct exploring *e, unsigned thread,
                     unsigned option)
{
    const struct job_step *const before = &e->job->now.step[e->at];
    return e->same && e->at < e->last && before->thread == thread &&
           before->option == option;
}

/* Coverage costs as much as a step: so it is of some executions only, and with
 * dfs, dpor and states of the steps that are not those of the execution before. */
static void note(struct exploring *e, unsigned thread, unsigned option)
{
    if (e->at < NOW) {
        e->same = is_again(e, thread, option);
        e->job->now.step[e->at++] =
            (struct job_step){ (uint8_t)thread, (uint8_t)option };
        atomic_store_explicit(&e->job->now.length, e->at, memory_order_relaxed);
    }
    if (e->sample && !e->same)
        coverage_step(e->play, thread);
}

static void step(void *context, unsigned thread, unsigned option,
                 struct plumb_event *event)
{
    note(&exploring, thread, option);
    exploring.stage.step(context, thread, option, event);
}

static unsigned noted_next(void *walker, const struct plumb_event *done,
                           uint64_t ready, uint64_t yields, unsigned *option)
{
    const struct plumb_walker *const w = walker;
    const unsigned thread = w->next(w->context, done, ready, yields, option);
    if (thread != PLUMB_NOBODY)
        note(&exploring, thread, *option);
    return thread;
}

static void walk(void *context, const struct plumb_walker *walker)
{
    union {
        const struct plumb_walker *walker;
        void *context;
    } u = { .walker = walker };
    const struct plumb_walker noted = { .context = u.context,
                                        .next = noted_next,
                                        .blind = walker->blind };
    exploring.stage.walk(context, &noted);
}

/* Not where steps are to be looked at. */
static bool stroll(void *context, struct plumb_stroll *s)
{
    struct exploring *const e = &exploring;
    struct heap_block lost;
    int status;
    if (e->sample)
        return false;
    s->written = (uint8_t(*)[2])e->job->now.step;
    s->writing = &e->job->now.length;
    s->most = s->most < NOW ? s->most : NOW;
    const bool done = e->stage.stroll(context, s) &&
                      !(e->play->object && theatre_exited(&status)) &&
                      !(e->job->request.leaks && leaks_find(&lost));
    e->strolled = theatre_finding()->fault;
    return done;
}

static void check_repeated(struct exploring *e)
{
    if (e->strolled != FAULT_NONE && e->strolled != theatre_finding()->fault) {
        complain(e->job, "the program is not deterministic: with the same "
                         "schedule it did something else");
        e->play->flawed = true;
    }
    e->strolled = FAULT_NONE;
}

static struct plumb_machine machine_of(struct exploring *e)
{
    e->stage = theatre_machine(&e->play->theatre);
    struct plumb_machine machine = e->stage;
    machine.begin = begin;
    machine.step = step;
    if (machine.walk)
        machine.walk = walk;
    if (machine.stroll)
        machine.stroll = stroll;
    return machine;
}

/* ---- distinct histories ---- */

static void tell_histories(const struct exploring *e)
{
    struct job *const job = e->job;
    job->histories = e->histories.count;
    memcpy(job->history_set, e->histories.whole, sizeof job->history_set);
    memcpy(job->answer_set, e->answers.whole, sizeof job->answer_set);
}

static void count_history(struct exploring *e)
{
    const uint64_t history = play_history_hash(e->play);
    if (!hash_set_add(&e->histories, history))
        return; /* and so were its answers */
    const uint64_t answers = play_answers_hash(e->play);
    const bool are_new = hash_set_add(&e->answers, answers);
    tell_histories(e);
    if (crew_is_worker())
        sharing_note_history(history);
    if (crew_is_worker() && are_new)
        sharing_note_answers(answers);
}

/* What is found once more accesses are events has all of them again. */
static void forget_histories(struct exploring *e)
{
    hash_set_release(&e->histories);
    hash_set_release(&e->answers);
}

/* ---- coverage ---- */

static bool overlap(const struct plumb_entry *a, const struct plumb_entry *b)
{
    const uint64_t a_ret = atomic_load_explicit(&a->ret, memory_order_relaxed);
    const uint64_t b_ret = atomic_load_explicit(&b->ret, memory_order_relaxed);
    return a->call && b->call && (!a_ret || b->call < a_ret) &&
           (!b_ret || a->call < b_ret);
}

/* Also where the execution is not gone on with: whoever returned, did. */
static void count_returned(struct exploring *e)
{
    const struct play *const p = e->play;
    for (unsigned i = 0; i < p->operations; i++)
        if (atomic_load_explicit(&p->entry[i].ret, memory_order_relaxed))
            e->job->coverage.returned[p->entry[i].operation]++;
}

static void count_coverage(struct exploring *e)
{
    struct job_coverage *const c = &e->job->coverage;
    const struct play *const p = e->play;
    for (unsigned i = 0; i < p->operations; i++) {
        const struct plumb_entry *const a = &p->entry[i];
        for (unsigned j = i + 1; j < p->operations; j++)
            if (overlap(a, &p->entry[j])) {
                c->overlaps[a->operation][p->entry[j].operation]++;
                c->overlaps[p->entry[j].operation][a->operation]++;
            }
    }
}

/* ---- the end of an execution ---- */

/* A race may be the cause of something worse: that is looked for a while. */
static bool has_raced_long_ago(const struct exploring *e)
{
    const struct job *const job = e->job;
    return job->findings && job->finding[0].what.fault == FAULT_RACE &&
           atomic_load_explicit(&job->progress.executions,
                                memory_order_relaxed) >
               job->finding[0].executions + AFTER_A_RACE;
}

static bool go_on(const struct exploring *e)
{
    return e->job->request.keep_going ||
           (!e->violated && !has_raced_long_ago(e));
}

static void add_stuck(struct exploring *e, const struct plumb_execution *x)
{
    const bool spins = x->outcome == PLUMB_ENDLESS || theatre_awaits();
    struct stage_finding f = { .fault =
                                   spins ? FAULT_LIVELOCK : FAULT_DEADLOCK };
    if (play_is_justified(e->play, e->budget)) {
        e->job->stuck++;
        return;
    }
    struct plumb_event event;
    /* The same place, whichever thread it is that stands there. */
    for (unsigned t = 0; t < theatre_threads(); t++) {
        const void *const place = theatre_place(t);
        if (e->stage.stand(e->stage.context, t, &event) != PLUMB_WAITING ||
            !place || (f.pc && (uintptr_t)f.pc <= (uintptr_t)place))
            continue;
        f.thread = t;
        f.pc = place;
    }
    struct job_finding *const added =
        findings_add(e->play, &f, x->step, x->length);
    if (added)
        added->cycle = x->cycle;
    e->violated = true;
}

/* An object has no business ending its process. */
static bool has_exited(struct exploring *e, const struct plumb_execution *x)
{
    struct stage_finding f = { .fault = FAULT_ABORT };
    int status;
    if (!theatre_exited(&status))
        return false;
    snprintf(f.text, sizeof f.text, "it ends its process: exit(%d)", status);
    findings_add(e->play, &f, x->step, x->length);
    e->violated = true;
    return true;
}

/* Told by where it was allocated. */
static void add_leak(struct exploring *e, const struct plumb_execution *x)
{
    struct heap_block lost;
    const uint32_t count = leaks_find(&lost);
    if (!count)
        return;
    const struct stage_finding f = { .fault = FAULT_LEAK,
                                     .pc = lost.allocated_by,
                                     .at = lost.at,
                                     .detail = count };
    findings_add(e->play, &f, x->step, x->length);
    e->violated = true;
}

static void add_finding(struct exploring *e, const struct plumb_execution *x)
{
    const struct stage_finding *const f = theatre_finding();
    if (e->play->object && f->fault == FAULT_NONE && has_exited(e, x))
        return;
    if (f->fault != FAULT_NONE) {
        findings_add(e->play, f, x->step, x->length);
        e->violated = true;
    } else if (x->outcome == PLUMB_DEADLOCK || x->outcome == PLUMB_ENDLESS) {
        add_stuck(e, x);
    } else if (x->outcome == PLUMB_COMPLETE && e->job->request.leaks) {
        add_leak(e, x);
    }
}

/* Races are found on the way, where only threads are known. */
static void count_preemptions(struct exploring *e,
                              const struct plumb_execution *x)
{
    for (; e->counted < e->job->findings; e->counted++) {
        struct job_finding *const f = &e->job->finding[e->counted];
        if (f->what.fault != FAULT_RACE || !x->step || !f->length ||
            f->length > x->length)
            continue;
        f->preemptions = x->step[f->length - 1].preemptions;
        findings_keep_rounds(e->job, f, x->step);
    }
}

static bool is_complete(const struct plumb_execution *x)
{
    return x->outcome == PLUMB_COMPLETE || x->outcome == PLUMB_DEADLOCK ||
           x->outcome == PLUMB_ENDLESS;
}

static void count(struct exploring *e, const struct plumb_execution *x)
{
    struct job_progress *const p = &e->job->progress;
    const uint64_t executions =
        1 + atomic_load_explicit(&p->executions, memory_order_relaxed);
    atomic_store_explicit(&p->executions, executions, memory_order_relaxed);
    atomic_store_explicit(&p->depth, x->length, memory_order_relaxed);
    coverage_end(e->play, x);
    if (!e->play->object)
        return;
    count_returned(e);
    if (e->sample)
        count_coverage(e); /* what is given up has overlapped, too */
    if (!is_complete(x))
        return;
    count_history(e);
    if (x->outcome == PLUMB_COMPLETE && e->play->object->teardown &&
        theatre_finding()->fault == FAULT_NONE && heap_used())
        e->job->leaking++;
}

static bool has_new_visits(struct exploring *e)
{
    const uint64_t before = e->visited;
    e->visited = theatre_visited_stacks();
    return e->visited != before;
}

static bool is_first_without_end(struct exploring *e,
                                 const struct plumb_execution *x)
{
    if (x->outcome != PLUMB_CUT || e->endless || !e->job->request.fair ||
        e->job->request.strategy != PLUMB_DFS)
        return false;
    e->endless = true;
    return true;
}

static bool ended(void *context, const struct plumb_execution *x)
{
    struct exploring *const e = context;
    count(e, x);
    check_repeated(e);
    add_finding(e, x);
    count_preemptions(e, x);
    e->restart = findings_new_points() || has_new_visits(e) ||
                 is_first_without_end(e, x);
    if (sharing_is_stopped(&e->sharing))
        plumb_budget_stop(e->budget);
    const bool more =
        go_on(e) && !e->restart && !e->play->undecidable && !e->play->flawed;
    return crew_is_worker() ? sharing_count(&e->sharing) && more : more;
}

static enum plumb_share portion(void *context, struct plumb_portion *p)
{
    struct exploring *const e = context;
    const enum plumb_share share = sharing_portion(&e->sharing, p);
    if (share == PLUMB_SHARE_SKIP && !crew_is_worker())
        tell_histories(e);
    return share;
}

static void portion_ended(void *context)
{
    struct exploring *const e = context;
    sharing_portion_ended(&e->sharing);
}

/* ---- branches ---- */

static struct sharing *sharing_of(void *context)
{
    struct exploring *const e = context;
    return &e->sharing;
}

static enum plumb_hand hands_begin(void *context, uint64_t executions)
{
    return branches_begin(sharing_of(context), executions);
}

static bool hands_go_on(void *context, uint64_t executions)
{
    return branches_go_on(sharing_of(context), executions);
}

static bool are_hands_idle(void *context)
{
    (void)context;
    return crew_is_idle();
}

static enum plumb_hand hands_give(void *context, unsigned branch,
                                  const void *piece, size_t size)
{
    return branches_give(sharing_of(context), branch, piece, size);
}

static enum plumb_piece_end hands_wait(void *context, unsigned *branch,
                                       const void **piece, size_t *size)
{
    return branches_wait(sharing_of(context), branch, piece, size);
}

static bool hands_take(void *context, unsigned branch)
{
    struct exploring *const e = context;
    if (!branches_take(&e->sharing, branch))
        return false;
    tell_histories(e);
    return true;
}

static bool hands_join(void *context, unsigned to, unsigned from)
{
    struct exploring *const e = context;
    if (!branches_join(&e->sharing, to, from))
        return false;
    tell_histories(e);
    return true;
}

static void hands_drop(void *context, unsigned branch)
{
    (void)context;
    branches_drop(branch);
}

/* The execution before is none that the leader may know of. */
static bool hand_next(void *context, const void **piece, size_t *size)
{
    struct exploring *const e = context;
    e->at = 0;
    return branches_next(&e->sharing, piece, size);
}

static void hand_done(void *context, const void *piece, size_t size)
{
    sharing_send_piece(sharing_of(context), piece, size);
}

static const struct plumb_hands hands = {
    .begin = hands_begin,
    .goes_on = hands_go_on,
    .is_idle = are_hands_idle,
    .give = hands_give,
    .wait = hands_wait,
    .take = hands_take,
    .join = hands_join,
    .drop = hands_drop,
    .next = hand_next,
    .done = hand_done,
};

/* ---- the whole ---- */

/* With dfs it leaves out schedules, so only when it turned out that some do not
 * end.  Chance alone is fair enough. */
static bool is_fair(const struct exploring *e)
{
    const struct job_request *const r = &e->job->request;
    return r->fair && (r->strategy == PLUMB_STATES ||
                       r->strategy == PLUMB_PCT || e->endless);
}

static struct plumb_explore_options options_of(struct exploring *e)
{
    const struct job_request *const r = &e->job->request;
    return (struct plumb_explore_options){
        .strategy = r->strategy,
        .calls = r->calls == JOB_CALLS_SPLIT,
        .bounded = r->bounded,
        .preemptions = r->preemptions,
        .seed = r->seed,
        .changes = r->changes,
        .fair = is_fair(e),
        .executions = r->executions,
        .steps = r->steps ? r->steps : STEPS,
        .budget = e->budget,
        .ended = ended,
        .context = e,
        .portion = r->workers > 1 ? portion : NULL,
        .portion_ended = portion_ended,
        .hands = r->workers > 1 ? &hands : NULL,
    };
}

static enum job_end end_of(enum plumb_status status)
{
    switch (status) {
    case PLUMB_OK:
        return JOB_DONE;
    case PLUMB_ETIME:
        return JOB_TIME;
    case PLUMB_EMEMORY:
        return JOB_MEMORY;
    case PLUMB_ESTOP:
        return JOB_STOPPED;
    default:
        return JOB_ERROR;
    }
}

static void explore(struct exploring *e)
{
    struct plumb_error err = { 0 };
    enum plumb_status status;
    do {
        const struct plumb_explore_options o = options_of(e);
        const struct plumb_machine m = machine_of(e);
        e->restart = false;
        e->at = 0;
        forget_histories(e);
        sharing_begin(&e->sharing);
        status = plumb_explore(&m, &o, &e->job->stats, &err);
        if (status == PLUMB_ETIME || status == PLUMB_ESTOP)
            sharing_adopt_finding(&e->sharing);
        sharing_end(&e->sharing);
    } while (e->restart && status == PLUMB_OK && go_on(e));
    e->job->end = end_of(status);
    if (e->job->end == JOB_ERROR)
        complain(e->job, "%s", err.message);
}

void explore_play(struct play *p, struct plumb_budget *budget)
{
    struct exploring *const e = &exploring;
    struct job *const job = p->job;
    *e = (struct exploring){ .play = p, .job = job, .budget = budget };
    e->sharing = (struct sharing){ .job = job,
                                   .budget = budget,
                                   .histories = &e->histories,
                                   .answers = &e->answers };
    races_on = job->request.races != JOB_RACES_IGNORE;
    tails_on = races_on && job->request.strategy == PLUMB_STATES;
    p->theatre.raced = findings_race;
    p->theatre.suspected = findings_suspect;
    explore(e);
    job->exhausted =
        job->stats.exhausted && job->end == JOB_DONE && !job->too_many_points;
    job->coverage.instrumented = theatre_hooks() + e->sharing.hooks;
    job->coverage.failed_swaps =
        theatre_failed_swaps() + e->sharing.failed_swaps;
    if (p->flawed)
        job->end = JOB_ERROR;
    if (p->undecidable) {
        job->end = JOB_ERROR;
        complain(job, "%s", plumb_frontier_error(p->frontier)->message);
    }
    forget_histories(e);
}

/* ---- again ---- */

static void tell_memory(struct job *job)
{
    uintptr_t at;
    size_t size;
    for (unsigned t = 0; t < theatre_threads(); t++) {
        if (theatre_stack(t, &at, &size)) {
            job->memory.stack[t].at = at;
            job->memory.stack[t].size = size;
        }
        if (theatre_locals(t, &at, &size)) {
            job->memory.locals[t].at = at;
            job->memory.locals[t].size = size;
        }
    }
}

void replay_listen(struct job *job)
{
    job->trace = (struct trace){ .record = job->record, .capacity = JOB_TRACE };
    stage_trace = &job->trace;
}

/* Of what is recorded so far only the names of blocks need. */
static void keep_allocations(struct job *job)
{
    const uint32_t count =
        job->trace.count < JOB_TRACE ? job->trace.count : JOB_TRACE;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count && kept < JOB_TRACE / 2; i++)
        if (job->record[i].kind == TRACE_ALLOCATE ||
            job->record[i].kind == TRACE_FREE)
            job->record[kept++] = job->record[i];
    job->trace.count = job->memory.prepared = kept;
}

static void tell_where_they_stand(struct job *job,
                                  const struct plumb_machine *m)
{
    job->memory.threads = m->threads(m->context);
    for (unsigned t = 0; t < job->memory.threads; t++) {
        struct plumb_event event = { 0 };
        job->memory.end[t].standing = m->stand(m->context, t, &event);
        job->memory.end[t].kind = event.kind;
        job->memory.end[t].at = event.at;
        job->memory.end[t].pc = (uintptr_t)theatre_place(t);
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
    return known == JOB_SWITCH_SPINS || theatre_awaits() >> before & 1
               ? JOB_SWITCH_SPINS
               : JOB_SWITCH_PREEMPTS;
}

/* As many of the steps as can be done. */
static uint32_t repeat(struct exploring *e, const struct plumb_machine *m,
                       struct plumb_step *done, uint32_t length)
{
    const struct job_step *const step = e->job->step;
    uint32_t preemptions = 0;
    m->begin(m->context);
    for (uint32_t i = 0; i < length; i++) {
        const uint64_t ready = m->ready(m->context);
        if (step[i].thread >= PLUMB_MAX_THREADS ||
            !(ready >> step[i].thread & 1))
            return i;
        if (i)
            e->job->switched[i] = (uint8_t)switch_from(
                done[i - 1].thread, step[i].thread, ready,
                m->yields(m->context), e->job->switched[i]);
        preemptions += e->job->switched[i] == JOB_SWITCH_PREEMPTS;
        done[i].thread = step[i].thread;
        done[i].option = step[i].option;
        done[i].preemptions = preemptions;
        m->step(m->context, step[i].thread, step[i].option, &done[i].event);
    }
    return length;
}

static enum plumb_ending outcome_of(const struct plumb_machine *m)
{
    struct plumb_event event;
    if (m->ready(m->context) & ~theatre_awaits())
        return PLUMB_CUT;
    for (unsigned t = 0; t < m->threads(m->context); t++)
        if (m->stand(m->context, t, &event) != PLUMB_ENDED)
            return PLUMB_DEADLOCK;
    return PLUMB_COMPLETE;
}

/* A livelock is one only to who goes round. */
static void tell_round(struct exploring *e, const struct plumb_machine *m,
                       struct plumb_execution *x)
{
    const uint32_t length = e->job->request.schedule;
    const uint32_t cycle = e->job->request.cycle;
    races_on = false;
    if (!cycle || cycle > length || x->length < length ||
        !goes_round(m, e->job->step + length - cycle, cycle))
        return;
    x->outcome = PLUMB_ENDLESS;
    x->cycle = cycle;
}

void replay_play(struct play *p)
{
    struct exploring *const e = &exploring;
    struct job *const job = p->job;
    const uint32_t length = job->request.schedule;
    struct plumb_step *const done = calloc((size_t)length + 1, sizeof *done);
    if (!done || length > JOB_STEPS) {
        complain(job, "the schedule is too long");
        job->end = JOB_ERROR;
        free(done);
        return;
    }
    *e = (struct exploring){ .play = p, .job = job };
    races_on = job->request.races != JOB_RACES_IGNORE;
    p->theatre.raced = findings_race;
    job->steps = length; /* those of the request stay */
    keep_allocations(job);
    const struct plumb_machine m = machine_of(e);
    const uint32_t repeated = repeat(e, &m, done, length);
    stage_trace = NULL;
    tell_memory(job);
    tell_where_they_stand(job, &m);
    struct plumb_execution x = { .outcome = outcome_of(&m),
                                 .step = done,
                                 .length = repeated };
    job->end = repeated < length ? JOB_DIVERGED : JOB_DONE;
    tell_round(e, &m, &x);
    add_finding(e, &x);
    count_preemptions(e, &x);
    free(done);
}
