/* sharing.c - see sharing.h.
 *
 * Everything that is told is a sum, a maximum, or a set in the order in which
 * its elements were first seen; so it does not matter how the exploration is
 * cut into portions, as long as they are taken in order. */
#include "sharing.h"

#include "base/vector.h"
#include "coverage.h"
#include "findings.h"
#include "runtime/common/wait.h"
#include "runtime/explore/scheduler/machine_adapter.h"
#include <assert.h>
#include <string.h>
#include <unistd.h>

enum {
    FEW = 8,    /* executions of a portion that is run alone     */
    ALONE = 64, /* so many are run before there are workers       */
    MOST = 4096
};

#define LARGEST (UINT64_C(1) << 50)

#define MILLISECOND UINT64_C(1000000)

/* ---- what a portion has counted ---- */

struct words {
    PLUMB_VECTOR(uint64_t) word;
    bool lost; /* there was no memory */
};

static struct words histories, answers, record;

static void add_word(struct words *w, uint64_t word)
{
    w->lost |= !PLUMB_PUSH(NULL, &w->word, word);
}

static void add_all(struct words *to, const struct words *from)
{
    for (size_t i = 0; i < from->word.count; i++)
        add_word(to, from->word.at[i]);
}

void host_sharing_note_history(uint64_t hash)
{
    add_word(&histories, hash);
}

void host_sharing_note_answers(uint64_t hash)
{
    add_word(&answers, hash);
}

static uint64_t executions_of(const struct job *job)
{
    return atomic_load_explicit(&job->progress.executions,
                                memory_order_relaxed);
}

static void set_executions(struct job *job, uint64_t executions)
{
    atomic_store_explicit(&job->progress.executions, executions,
                          memory_order_relaxed);
}

static struct host_counts counts_of(const struct host_sharing *s)
{
    const struct job *const job = s->job;
    const struct job_coverage *const c = &job->coverage;
    struct host_counts n = {
        .executions = executions_of(job) - s->first,
        .stats = job->stats,
        .preempted = c->preempted,
        .interruptible = c->interruptible,
        .hooks = scheduler_adapter_hooks() - s->hooks,
        .failed_swaps = scheduler_adapter_failed_swaps() - s->failed_swaps,
        .time = runtime_nanoseconds_now() - s->began,
        .stuck = job->stuck,
        .unknown = job->unknown,
        .leaking = job->leaking,
        .failed = job->failed,
        .assumed = job->assumed,
        .histories = (uint32_t)histories.word.count,
        .answers = (uint32_t)answers.word.count,
        .waits = scheduler_adapter_may_wait(),
        .news = s->news || histories.lost || answers.lost
    };
    memcpy(n.overlaps, c->overlaps, sizeof n.overlaps);
    memcpy(n.returned, c->returned, sizeof n.returned);
    return n;
}

/* ---- a worker ---- */

/* So many more executions, and surely none of them is the last. */
static uint64_t room_after(const struct host_sharing *s, const struct job *job,
                           uint64_t executions)
{
    const struct job_request *const r = &job->request;
    const uint64_t here = executions - s->before;
    uint64_t room = UINT64_MAX;
    if (r->executions)
        room = r->executions > here ? r->executions - here : 0;
    if (r->keep_going || !job->findings ||
        job->finding[0].what.fault != FAULT_RACE)
        return room;
    const uint64_t last = job->finding[0].executions + AFTER_A_RACE;
    const uint64_t more = last > executions ? last - executions : 0;
    return more < room ? more : room;
}

void host_sharing_begin_counting(struct host_sharing *s, uint64_t first)
{
    struct job *const job = s->job;
    struct job_coverage *const c = &job->coverage;
    job->stats =
        (struct plumb_strategies_explore_stats){ .longest =
                                                     job->stats.longest };
    memset(c->overlaps, 0, sizeof c->overlaps);
    memset(c->returned, 0, sizeof c->returned);
    c->preempted = c->interruptible = 0;
    job->stuck = job->unknown = job->leaking = job->failed = 0;
    job->assumed = 0;
    job->findings = job->steps = 0;
    host_coverage_forget_news();
    histories.word.count = answers.word.count = 0;
    s->hooks = scheduler_adapter_hooks();
    s->failed_swaps = scheduler_adapter_failed_swaps();
    s->first = s->before + first;
    set_executions(job, s->first);
    s->room = room_after(s, host_pool_leaders_job(), host_pool_executions());
    s->began = runtime_nanoseconds_now();
    s->ours = true;
    s->news = false;
}

static enum plumb_strategies_share ask_as_worker(
    struct host_sharing *s, struct plumb_strategies_portion *p)
{
    const uint64_t number = s->portions++;
    if (p->meets)
        s->job->stats.longest = host_pool_meet(number, 0);
    p->most = host_pool_agree(number, s->most);
    if (!host_pool_claim(number))
        return PLUMB_SHARE_SKIP;
    host_sharing_begin_counting(s, p->first);
    return PLUMB_SHARE_RUN;
}

bool host_sharing_count(struct host_sharing *s)
{
    const struct job *const job = s->job;
    host_pool_count(++s->run);
    s->news |= job->findings || job->message[0] || job->too_many_points;
    return s->given || executions_of(job) - s->first <= s->room;
}

static void record_piece(const void *piece, size_t size)
{
    const char *at = piece;
    for (size_t done = 0; done < size; done += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, at + done,
               size - done < sizeof word ? size - done : sizeof word);
        add_word(&record, word);
    }
}

static void send_counts(struct host_sharing *s, struct host_counts *n,
                        const void *piece)
{
    const struct job_coverage *const c = &s->job->coverage;
    const uint32_t *place;
    n->places = host_coverage_news(&place);
    record.word.count = 0;
    add_all(&record, &histories);
    add_all(&record, &answers);
    for (uint32_t i = 0; i < n->places; i++)
        add_word(&record, c->place[place[i]].offset << 1 |
                              c->place[place[i]].concurrent);
    record_piece(piece, n->piece);
    if (record.lost)
        _exit(1);
    host_pool_send(s->given ? 0 : s->portions - 1, n, sizeof *n, record.word.at,
                   record.word.count * sizeof *record.word.at);
    s->ours = false;
}

void host_sharing_send_piece(struct host_sharing *s, const void *piece,
                             size_t size)
{
    assert(host_pool_is_worker() && s->given);
    struct host_counts n = counts_of(s);
    n.piece = (uint32_t)size;
    send_counts(s, &n, piece);
}

void host_sharing_portion_ended(void *sharing)
{
    struct host_sharing *const s = sharing;
    struct host_counts n = counts_of(s);
    if (s->ours)
        send_counts(s, &n, NULL);
}

/* ---- the leader ---- */

static void add_operations(
    uint64_t returned[PLUMB_MAX_OPERATIONS],
    uint64_t overlaps[PLUMB_MAX_OPERATIONS][PLUMB_MAX_OPERATIONS],
    const struct host_counts *n)
{
    for (unsigned i = 0; i < PLUMB_MAX_OPERATIONS; i++) {
        returned[i] += n->returned[i];
        for (unsigned k = 0; k < PLUMB_MAX_OPERATIONS; k++)
            overlaps[i][k] += n->overlaps[i][k];
    }
}

void host_sharing_add_counts(struct host_counts *to,
                             const struct host_counts *n)
{
    plumb_strategies_add_stats(&to->stats, &n->stats);
    add_operations(to->returned, to->overlaps, n);
    to->executions += n->executions;
    to->time += n->time;
    to->preempted += n->preempted;
    to->interruptible += n->interruptible;
    to->hooks += n->hooks;
    to->failed_swaps += n->failed_swaps;
    to->stuck += n->stuck;
    to->unknown += n->unknown;
    to->leaking += n->leaking;
    to->failed += n->failed;
    to->assumed += n->assumed;
    to->waits |= n->waits;
}

static void add_coverage(struct host_sharing *s, const struct host_counts *n)
{
    struct job_coverage *const c = &s->job->coverage;
    add_operations(c->returned, c->overlaps, n);
    c->preempted += n->preempted;
    c->interruptible += n->interruptible;
    s->hooks += n->hooks;
    s->failed_swaps += n->failed_swaps;
    s->waits |= n->waits;
}

void host_sharing_tell_histories(const struct host_sharing *s)
{
    struct job *const job = s->job;
    job->histories = s->histories->seen.count;
    memcpy(job->history_set, s->histories->whole, sizeof job->history_set);
    memcpy(job->answer_set, s->answers->whole, sizeof job->answer_set);
}

static void add_words(struct host_sharing *s, const struct host_counts *n,
                      const struct host_counted_words *w)
{
    for (uint32_t i = 0; i < n->histories; i++)
        host_hash_set_add(s->histories, w->history[i]);
    for (uint32_t i = 0; i < n->answers; i++)
        host_hash_set_add(s->answers, w->answer[i]);
    for (uint32_t i = 0; i < n->places; i++)
        host_coverage_add_place(&s->job->coverage, w->place[i] >> 1,
                                w->place[i] & 1);
}

bool host_sharing_take(struct host_sharing *s, const struct host_counts *n,
                       const struct host_counted_words *w)
{
    struct job *const job = s->job;
    const uint64_t executions = executions_of(job);
    if (n->news || n->executions > room_after(s, job, executions))
        return false;
    plumb_strategies_add_stats(&job->stats, &n->stats);
    add_coverage(s, n);
    add_words(s, n, w);
    host_sharing_tell_histories(s);
    job->stuck += n->stuck;
    job->unknown += n->unknown;
    job->leaking += n->leaking;
    job->failed += n->failed;
    job->assumed += n->assumed;
    s->time += n->time;
    s->taken++;
    set_executions(job, executions + n->executions);
    atomic_store_explicit(&job->progress.depth, n->stats.longest,
                          memory_order_relaxed);
    return true;
}

bool host_sharing_is_stopped(const struct host_sharing *s)
{
    const struct job *const job =
        host_pool_is_worker() ? host_pool_leaders_job() : s->job;
    return atomic_load_explicit(&job->stop, memory_order_relaxed);
}

static bool is_time_left(const struct host_sharing *s)
{
    if (host_sharing_is_stopped(s))
        plumb_budget_stop(s->budget);
    return plumb_budget_state(s->budget) == PLUMB_OK;
}

/* While it waits plumb sees that others do something.  It is not told as so many
 * executions: what they do in vain never counts. */
bool host_sharing_waits_on(void *context, uint64_t executions)
{
    const struct host_sharing *const s = context;
    atomic_store_explicit(&s->job->progress.others, executions,
                          memory_order_relaxed);
    return is_time_left(s);
}

void host_sharing_count_all(struct host_sharing *s)
{
    const uint64_t all =
        s->together +
        atomic_load_explicit(&s->job->progress.others, memory_order_relaxed);
    if (!host_pool_is_worker() && all > executions_of(s->job))
        set_executions(s->job, all);
}

static enum plumb_strategies_share receive(struct host_sharing *s,
                                           uint64_t number)
{
    const void *what;
    size_t size;
    const enum host_pool_answer answer =
        host_pool_receive(number, &what, &size, host_sharing_waits_on, s);
    if (answer == POOL_STOPPED)
        return PLUMB_SHARE_END;
    if (answer == POOL_NOBODY || size < sizeof(struct host_counts))
        return PLUMB_SHARE_RUN;
    const struct host_counts *const n = what;
    if (size != sizeof *n + host_counts_words(n) * sizeof(uint64_t))
        return PLUMB_SHARE_RUN;
    const struct host_counted_words w = host_counted_words_of(n);
    return host_sharing_take(s, n, &w) ? PLUMB_SHARE_SKIP : PLUMB_SHARE_RUN;
}

/* Portions should take about as many milliseconds as there are workers: all of
 * them come along each, and the leader must not be asked too often. */
static uint64_t portion_size(struct host_sharing *s, uint64_t number)
{
    const uint64_t goal = s->job->request.workers * MILLISECOND;
    if (number % EPOCH != 0 || !s->taken)
        return s->most;
    const uint64_t took = s->time / s->taken;
    if (took < goal / 2 && s->most < LARGEST)
        s->most *= 2;
    else if (took > goal * 2 && s->most > 1)
        s->most /= 2;
    s->time = s->taken = 0;
    return s->most;
}

/* Where plain accesses were just found to race, all begins anew after this
 * execution. */
static enum plumb_strategies_share ask_as_leader(
    struct host_sharing *s, struct plumb_strategies_portion *p)
{
    const uint64_t number = s->portions++;
    p->most = host_pool_agree(number, portion_size(s, number));
    if (p->meets)
        host_pool_meet(number, s->job->stats.longest);
    host_pool_reach(number, executions_of(s->job));
    if (!is_time_left(s))
        return PLUMB_SHARE_END;
    if (host_findings_has_new_points())
        return PLUMB_SHARE_RUN;
    return receive(s, number);
}

/* ---- the worker pool ---- */

void host_sharing_begin(struct host_sharing *s)
{
    s->before = executions_of(s->job);
    s->began = runtime_nanoseconds_now();
    s->portions = s->time = s->taken = 0;
}

void host_sharing_end(struct host_sharing *s)
{
    if (!host_pool_is_worker()) {
        host_pool_end();
        return;
    }
    if (s->ours) {
        struct host_counts n = counts_of(s);
        n.news = n.leaves = true;
        if (!s->given)
            host_pool_foresee_end(s->portions - 1);
        send_counts(s, &n, NULL);
    }
    _exit(0);
}

/* Executions that take long are shared soon. */
static bool is_early(const struct host_sharing *s,
                     const struct plumb_strategies_portion *p)
{
    return p->first < ALONE &&
           runtime_nanoseconds_now() - s->began < 10 * MILLISECOND;
}

/* About a millisecond. */
static uint64_t portion_of_random(const struct host_sharing *s,
                                  const struct plumb_strategies_portion *p)
{
    const uint64_t took = runtime_nanoseconds_now() - s->began;
    const uint64_t most = took ? p->first * MILLISECOND / took : MOST;
    return most < 1 ? 1 : most < MOST ? most : MOST;
}

static bool has_pool(struct host_sharing *s,
                     const struct plumb_strategies_portion *p)
{
    if (host_pool_is_there())
        return true;
    if (s->alone || is_early(s, p))
        return false;
    s->most = portion_of_random(s, p);
    s->together = executions_of(s->job);
    s->alone = !host_pool_start(s->job, s->job->request.workers);
    if (host_pool_is_worker())
        host_findings_know(host_pool_leaders_job());
    return !s->alone;
}

bool host_sharing_has_pool(struct host_sharing *s, uint64_t executions)
{
    const struct plumb_strategies_portion p = { .first = executions };
    s->given = true;
    return has_pool(s, &p);
}

enum plumb_strategies_share host_sharing_portion(
    void *sharing, struct plumb_strategies_portion *p)
{
    struct host_sharing *const s = sharing;
    p->most = s->alone ? LARGEST : FEW;
    if (!has_pool(s, p))
        return PLUMB_SHARE_RUN;
    return host_pool_is_worker() ? ask_as_worker(s, p) : ask_as_leader(s, p);
}

/* ---- at the end ---- */

void host_sharing_adopt_finding(struct host_sharing *s)
{
    struct job *const job = s->job;
    const struct job *const from = host_pool_is_there() && !job->findings
                                       ? host_pool_first_finding()
                                       : NULL;
    if (!from || from->findings > JOB_FINDINGS || from->steps > JOB_STEPS)
        return;
    memcpy(job->finding, from->finding, from->findings * sizeof *from->finding);
    memcpy(job->step, from->step, from->steps * sizeof *from->step);
    job->steps = from->steps;
    job->findings = from->findings;
}
