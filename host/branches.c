/* branches.c - see branches.h.
 *
 * Unlike portions, pieces are done in any order, and some in vain.  So a worker
 * tells of each all that was seen in it, whatever it has seen before. */
#include "branches.h"

#include "base/hash.h"
#include "coverage.h"
#include "findings.h"
#include "runtime/common/wait.h"
#include <stdlib.h>

#define PIECE UINT64_C(5000000) /* nanoseconds */

/* ---- what came of a branch ---- */

/* Each word once. */
struct list {
    uint64_t *word;
    uint32_t count, room;
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
        return l->known.slot != NULL;
    if (l->count == l->room) {
        const uint32_t room = l->room ? 2 * l->room : 64;
        uint64_t *const more = realloc(l->word, room * sizeof *more);
        if (!more)
            return false;
        l->word = more;
        l->room = room;
    }
    l->word[l->count++] = word;
    return true;
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
    free(l->word);
    host_hash_set_release(&l->known);
}

void host_branches_drop(unsigned branch)
{
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
    return to ? add_to_pile(to, n, w) : host_sharing_take(s, n, w);
}

bool host_branches_join(struct host_sharing *s, unsigned to, unsigned from)
{
    const struct pile *const p = pile[from];
    if (!p)
        return false;
    const struct host_counted_words w = { .history = p->history.word,
                                          .answer = p->answer.word,
                                          .place = p->place.word };
    return add(s, to, &p->counts, &w);
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
    if (!host_worker_pool_is_worker())
        return PLUMB_HAND_THERE;
    host_findings_know(host_worker_pool_leaders_job());
    return PLUMB_HAND_SELF;
}

enum plumb_strategies_hand host_branches_begin(struct host_sharing *s,
                                               uint64_t executions)
{
    return host_sharing_has_crew(s, executions) ? hand() : PLUMB_HAND_NONE;
}

enum plumb_strategies_hand host_branches_give(struct host_sharing *s,
                                              unsigned branch,
                                              const void *piece, size_t size)
{
    host_worker_pool_reach(0, executions_of(s));
    if (host_worker_pool_give(s->job, branch, piece, size))
        return PLUMB_HAND_THERE;
    return host_worker_pool_is_worker() ? hand() : PLUMB_HAND_NONE;
}

static uint64_t words_of(const struct host_counts *n)
{
    return (uint64_t)n->histories + n->answers + n->places;
}

/* The whole of it has come. */
static bool is_whole(const struct host_counts *n, size_t size)
{
    return size >= sizeof *n &&
           size == sizeof *n + (words_of(n) + (n->piece + UINT64_C(7)) / 8) *
                                   sizeof(uint64_t);
}

static enum plumb_strategies_piece_end look_at(const struct host_counts *n,
                                               size_t size)
{
    if (!is_whole(n, size))
        return PLUMB_PIECE_NEWS;
    if (n->leaves)
        host_worker_pool_let_go();
    return n->news || !n->piece ? PLUMB_PIECE_NEWS : PLUMB_PIECE_DONE;
}

enum plumb_strategies_piece_end host_branches_wait(struct host_sharing *s,
                                                   unsigned *branch,
                                                   const void **piece,
                                                   size_t *size)
{
    const void *what;
    const enum host_worker_pool_answer answer =
        host_worker_pool_wait(branch, &what, size, host_sharing_waits_on, s);
    if (answer == CREW_STOPPED)
        return PLUMB_PIECE_STOP;
    if (answer == CREW_NOBODY)
        return PLUMB_PIECE_NEWS;
    received = what;
    const enum plumb_strategies_piece_end end = look_at(received, *size);
    *piece = (const uint64_t *)(received + 1) + words_of(received);
    *size = received->piece;
    return end;
}

bool host_branches_take(struct host_sharing *s, unsigned branch)
{
    const uint64_t *const word = (const uint64_t *)(received + 1);
    const struct host_counted_words w = { .history = word,
                                          .answer = word + received->histories,
                                          .place = word + received->histories +
                                                   received->answers };
    return add(s, branch, received, &w);
}

/* ---- a worker ---- */

bool host_branches_next(struct host_sharing *s, const void **piece,
                        size_t *size)
{
    if (!host_worker_pool_take(piece, size))
        return false;
    host_hash_set_release(s->histories);
    host_hash_set_release(s->answers);
    host_coverage_forget_places(&s->job->coverage);
    host_sharing_begin_counting(s, 0);
    return true;
}

/* At least one, though there may be no room for it. */
bool host_branches_go_on(struct host_sharing *s, uint64_t executions)
{
    if (executions == 0)
        s->began = runtime_nanoseconds_now();
    return executions == 0 ||
           (runtime_nanoseconds_now() - s->began < PIECE &&
            (!host_worker_pool_is_worker() || executions < s->room));
}
