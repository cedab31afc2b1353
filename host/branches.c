/* branches.c - see branches.h.
 *
 * Unlike portions, pieces are done in any order, and some in vain.  So a worker
 * tells of each all that was seen in it, whatever it has seen before. */
#include "branches.h"

#include "base/hash.h"
#include "base/memory.h"
#include "coverage.h"
#include "findings.h"
#include "runtime/common/wait.h"
#include "step_journal.h"
#include <assert.h>
#include <stdlib.h>

#define PIECE UINT64_C(5000000) /* nanoseconds */

/* ---- what came of a branch ---- */

/* Each word once. */
struct list {
    uint64_t *word;
    uint32_t count;
    size_t room;
    struct host_hash_set known;
};

struct pile {
    struct host_counts counts;
    struct list history, answer, place;
};

static struct pile *pile[PLUMB_MOST_BRANCHES];

static bool add_word(struct list *l, uint64_t word)
{
    if (!host_hash_set_add(&l->known, plumb_base_mix1(word)))
        return l->known.seen.count != 0;
    return PLUMB_APPEND(NULL, l->word, l->count, l->room, word);
}

static bool add_words(struct list *l, const uint64_t *word, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!add_word(l, word[i]))
            return false;
    return true;
}

static void release(struct list *l)
{
    PLUMB_RELEASE(NULL, l->word, l->room);
    host_hash_set_release(&l->known);
}

static void drop(void *context, unsigned branch)
{
    (void)context;
    assert(branch < PLUMB_MOST_BRANCHES);
    struct pile *const p = pile[branch];
    if (!p)
        return;
    release(&p->history);
    release(&p->answer);
    release(&p->place);
    free(p);
    pile[branch] = NULL;
}

/* Words that were added before there was no more memory are no harm: the piece
 * is run again. */
static bool add_to_pile(unsigned to, const struct host_counts *n,
                        const struct host_counted_words *w)
{
    if (!pile[to])
        pile[to] = calloc(1, sizeof *pile[to]);
    struct pile *const p = pile[to];
    if (!p || !add_words(&p->history, w->history, n->histories) ||
        !add_words(&p->answer, w->answer, n->answers) ||
        !add_words(&p->place, w->place, n->places))
        return false;
    host_sharing_add_counts(&p->counts, n);
    p->counts.histories = p->history.count;
    p->counts.answers = p->answer.count;
    p->counts.places = p->place.count;
    return true;
}

static bool add(struct host_sharing *s, unsigned to,
                const struct host_counts *n, const struct host_counted_words *w)
{
    assert(to < PLUMB_MOST_BRANCHES);
    return to ? add_to_pile(to, n, w) : host_sharing_take(s, n, w);
}

static bool join(void *context, unsigned to, unsigned from)
{
    const struct pile *const p = pile[from];
    if (!p)
        return false;
    const struct host_counted_words w = { .history = p->history.word,
                                          .answer = p->answer.word,
                                          .place = p->place.word };
    return add(context, to, &p->counts, &w);
}

/* ---- the leader ---- */

static const struct host_counts *received;

static uint64_t executions_of(const struct host_sharing *s)
{
    return atomic_load_explicit(&s->job->progress.executions,
                                memory_order_relaxed);
}

static enum plumb_strategies_hand hand(void)
{
    if (!host_pool_is_worker())
        return PLUMB_HAND_THERE;
    host_findings_know(host_pool_leaders_job());
    return PLUMB_HAND_SELF;
}

static enum plumb_strategies_hand begin(void *context, uint64_t executions)
{
    return host_sharing_has_pool(context, executions) ? hand()
                                                      : PLUMB_HAND_NONE;
}

static bool is_idle(void *context)
{
    (void)context;
    return host_pool_is_idle();
}

static enum plumb_strategies_hand give(void *context, unsigned branch,
                                       const void *piece, size_t size)
{
    const struct host_sharing *const s = context;
    host_pool_reach(0, executions_of(s));
    if (host_pool_give(s->job, branch, piece, size))
        return PLUMB_HAND_THERE;
    return host_pool_is_worker() ? hand() : PLUMB_HAND_NONE;
}

/* The whole of it has come. */
static bool is_whole(const struct host_counts *n, size_t size)
{
    return size >= sizeof *n &&
           size == sizeof *n +
                       (host_counts_words(n) + (n->piece + UINT64_C(7)) / 8) *
                           sizeof(uint64_t);
}

static enum plumb_strategies_piece_end look_at(const struct host_counts *n,
                                               size_t size)
{
    if (!is_whole(n, size))
        return PLUMB_PIECE_NEWS;
    if (n->leaves)
        host_pool_let_go();
    return n->news || !n->piece ? PLUMB_PIECE_NEWS : PLUMB_PIECE_DONE;
}

static enum plumb_strategies_piece_end wait(void *context, unsigned *branch,
                                            const void **piece, size_t *size)
{
    const void *what;
    const enum host_pool_answer answer =
        host_pool_wait(branch, &what, size, host_sharing_waits_on, context);
    if (answer == POOL_STOPPED)
        return PLUMB_PIECE_STOP;
    if (answer == POOL_NOBODY)
        return PLUMB_PIECE_NEWS;
    received = what;
    const enum plumb_strategies_piece_end end = look_at(received, *size);
    *piece = (const uint64_t *)(received + 1) + host_counts_words(received);
    *size = received->piece;
    return end;
}

static bool take(void *context, unsigned branch)
{
    const struct host_counted_words w = host_counted_words_of(received);
    return add(context, branch, received, &w);
}

/* ---- a worker ---- */

/* The execution before is none that the leader may know of. */
static bool next(void *context, const void **piece, size_t *size)
{
    struct host_sharing *const s = context;
    host_step_journal_forget();
    if (!host_pool_take(piece, size))
        return false;
    host_hash_set_release(s->histories);
    host_hash_set_release(s->answers);
    host_coverage_forget_places(&s->job->coverage);
    host_sharing_begin_counting(s, 0);
    return true;
}

/* At least one, though there may be no room for it. */
static bool goes_on(void *context, uint64_t executions)
{
    struct host_sharing *const s = context;
    if (executions == 0)
        s->began = runtime_nanoseconds_now();
    return executions == 0 ||
           (runtime_nanoseconds_now() - s->began < PIECE &&
            (!host_pool_is_worker() || executions < s->room));
}

static void done(void *context, const void *piece, size_t size)
{
    host_sharing_send_piece(context, piece, size);
}

const struct plumb_strategies_hands host_branches = {
    .begin = begin,
    .goes_on = goes_on,
    .is_idle = is_idle,
    .give = give,
    .wait = wait,
    .take = take,
    .join = join,
    .drop = drop,
    .next = next,
    .done = done,
};
