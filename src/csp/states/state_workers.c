/* state_workers.c - a ring of blocks, and who works on them. */
#include "state_workers.h"

#include "base/memory.h"
#include "base/workers.h"
#include <assert.h>
#include <pthread.h>

enum { MOST_BLOCK = 64, RING = 32, CHUNK = RING / 4 };

struct block {
    uint64_t root[MOST_BLOCK];
    struct plumb_csp_successors_found state[MOST_BLOCK];
    struct plumb_csp_successors successors;
    bool busy;        /* somebody is at it; under the lock */
    atomic_bool done; /* it is prepared */
};

struct member {
    struct plumb_csp_workers *workers;
    struct plumb_base_seat seat;
    struct plumb_csp_successor_pass pass;
    pthread_t thread;
};

struct plumb_csp_workers {
    struct plumb_csp_workers_plan plan;
    uint32_t block; /* states of a block */
    struct member *member;
    unsigned members, started;
    struct block *ring; /* RING of them: block b is ring[b % RING] */
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    /* Under the lock. */
    uint32_t claimed, end; /* blocks from `claimed` on may be taken */
    unsigned sleeping, busy;
    bool waiting; /* the owner */
    bool ending;
    /* The owner's. */
    uint32_t begin; /* the block where it is */
    uint64_t taken, left;
};

/* ---- the pass over a block ---- */

static void prepare_state(struct plumb_csp_successor_pass *p, struct block *b,
                          uint32_t i)
{
    plumb_csp_successor_pass_run(p, b->root[i], 0, &b->state[i],
                                 &b->successors);
}

static void prepare_as_owner(struct plumb_csp_workers *c, struct block *b)
{
    b->successors.count = 0;
    for (uint32_t i = 0; i < c->block; i++)
        prepare_state(c->plan.own, b, i);
}

/* What is looked for is far apart in memory: the processor waits for much of it
 * at once. */
static void look_up(const struct plumb_csp_vectors *v,
                    struct plumb_csp_successors *s)
{
    for (uint32_t k = 0; k < s->count; k++)
        plumb_csp_vectors_fetch(v, s->at[k].root);
    for (uint32_t k = 0; k < s->count; k++)
        s->at[k].number = plumb_csp_vectors_guess(v, s->at[k].root);
    for (uint32_t k = 0; k < s->count; k++)
        if (s->at[k].number != UINT32_MAX &&
            !plumb_csp_vectors_is(v, s->at[k].number, s->at[k].root))
            s->at[k].number = plumb_csp_vectors_find(v, s->at[k].root);
}

static void prepare_as_member(struct member *m, struct block *b)
{
    b->successors.count = 0;
    for (uint32_t i = 0; i < m->workers->block; i++) {
        plumb_base_gate_enter(m->workers->plan.gate, &m->seat);
        prepare_state(&m->pass, b, i);
        plumb_base_gate_exit(&m->seat);
        b->state[i].numbers = true;
    }
    plumb_base_gate_enter(m->workers->plan.gate, &m->seat);
    look_up(m->workers->plan.vectors, &b->successors);
    plumb_base_gate_exit(&m->seat);
}

static struct block *claim(struct plumb_csp_workers *c)
{
    if (c->claimed == c->end)
        return NULL;
    assert(c->claimed < c->end);
    struct block *const b = &c->ring[c->claimed++ % RING];
    b->busy = true;
    c->busy++;
    return b;
}

static void finish(struct plumb_csp_workers *c, struct block *b)
{
    /* release: pairs with the acquire in is_done() */
    atomic_store_explicit(&b->done, true, memory_order_release);
    assert(b->busy && c->busy);
    b->busy = false;
    c->busy--;
    if (c->waiting)
        pthread_cond_signal(&c->done);
}

static void *work(void *context)
{
    struct member *const m = context;
    struct plumb_csp_workers *const c = m->workers;
    pthread_mutex_lock(&c->lock);
    while (!c->ending) {
        struct block *const b = claim(c);
        if (!b) {
            c->sleeping++;
            pthread_cond_wait(&c->work, &c->lock);
            c->sleeping--;
            continue;
        }
        pthread_mutex_unlock(&c->lock);
        prepare_as_member(m, b);
        pthread_mutex_lock(&c->lock);
        finish(c, b);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* ---- making one ---- */

static bool make_members(struct plumb_csp_workers *c)
{
    c->ring = plumb_base_alloc_zeroed(c->plan.budget, RING * sizeof *c->ring);
    c->member =
        plumb_base_alloc_zeroed(c->plan.budget, c->members * sizeof *c->member);
    if (!c->ring || !c->member)
        return false;
    for (unsigned i = 0; i < c->members; i++) {
        struct member *const m = &c->member[i];
        m->workers = c;
        if (!plumb_csp_successor_pass_fork(&m->pass, c->plan.own,
                                           c->plan.vectors))
            return false;
    }
    return true;
}

static void start(struct plumb_csp_workers *c)
{
    plumb_csp_vectors_share(c->plan.vectors, c->plan.gate);
    for (unsigned i = 0; i < c->members; i++) {
        struct member *const m = &c->member[i];
        plumb_base_gate_add(c->plan.gate, &m->seat);
        if (pthread_create(&m->thread, NULL, work, m)) {
            plumb_base_gate_remove(c->plan.gate, &m->seat);
            return;
        }
        c->started++;
    }
}

struct plumb_csp_workers *plumb_csp_workers_new(
    const struct plumb_csp_workers_plan *plan)
{
    struct plumb_csp_workers *const c =
        plumb_base_alloc_zeroed(plan->budget, sizeof *c);
    assert(plan->threads > 1);
    if (!c)
        return NULL;
    c->plan = *plan;
    c->block =
        plan->block && plan->block < MOST_BLOCK ? plan->block : MOST_BLOCK;
    c->members = plan->threads < PLUMB_MOST_WORKERS ? plan->threads - 1
                                                    : PLUMB_MOST_WORKERS - 1;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->work, NULL);
    pthread_cond_init(&c->done, NULL);
    if (make_members(c))
        start(c);
    if (c->started)
        return c;
    plumb_csp_workers_free(c);
    return NULL;
}

static void end(struct plumb_csp_workers *c)
{
    pthread_mutex_lock(&c->lock);
    c->ending = true;
    pthread_cond_broadcast(&c->work);
    pthread_mutex_unlock(&c->lock);
    for (unsigned i = 0; i < c->started; i++) {
        pthread_join(c->member[i].thread, NULL);
        plumb_base_gate_remove(c->plan.gate, &c->member[i].seat);
    }
}

void plumb_csp_workers_free(struct plumb_csp_workers *c)
{
    if (!c)
        return;
    struct plumb_budget *const budget = c->plan.budget;
    end(c);
    for (unsigned i = 0; c->member && i < c->members; i++)
        plumb_csp_successor_pass_close_fork(&c->member[i].pass);
    for (unsigned i = 0; c->ring && i < RING; i++)
        plumb_csp_successors_release(&c->ring[i].successors, budget);
    PLUMB_RELEASE(budget, c->member, c->members);
    PLUMB_RELEASE(budget, c->ring, RING);
    pthread_cond_destroy(&c->work);
    pthread_cond_destroy(&c->done);
    pthread_mutex_destroy(&c->lock);
    plumb_base_release(budget, c, sizeof *c);
}

/* ---- the owner ---- */

static void wait_for_members(struct plumb_csp_workers *c)
{
    c->waiting = true;
    pthread_cond_wait(&c->done, &c->lock);
    c->waiting = false;
}

/* Somewhere else: what was opened before is not asked for. */
static void jump(struct plumb_csp_workers *c, uint32_t block)
{
    c->claimed = c->end;
    while (c->busy)
        wait_for_members(c);
    c->claimed = c->end = block;
}

static void open_block(struct plumb_csp_workers *c)
{
    struct block *const b = &c->ring[c->end % RING];
    atomic_store_explicit(&b->done, false, memory_order_relaxed);
    for (uint32_t i = 0; i < c->block; i++)
        b->root[i] =
            plumb_csp_vectors_root(c->plan.vectors, c->end * c->block + i);
    c->end++;
}

static void open_blocks(struct plumb_csp_workers *c, uint32_t here)
{
    const uint32_t known = plumb_csp_vectors_count(c->plan.vectors) / c->block;
    const uint32_t limit = known - here < RING ? known : here + RING;
    const bool elsewhere = here < c->begin || here >= c->end;
    if (elsewhere)
        jump(c, here + 1);
    c->begin = here + elsewhere;
    if (c->claimed < c->begin)
        c->claimed = c->begin; /* the owner did without */
    while (c->end < limit && !c->ring[c->end % RING].busy)
        open_block(c);
    if (c->sleeping && c->claimed < c->end)
        pthread_cond_broadcast(&c->work);
}

void plumb_csp_workers_expect(struct plumb_csp_workers *c, uint32_t state)
{
    const uint32_t here = state / c->block;
    if (state % c->block)
        return;
    /* Many at once, so that sleepers are seldom woken. */
    if (here >= c->begin && here + 1 < c->end && c->end - here > RING - CHUNK)
        return;
    plumb_csp_vectors_tidy(c->plan.vectors);
    pthread_mutex_lock(&c->lock);
    open_blocks(c, here);
    pthread_mutex_unlock(&c->lock);
}

/* Prepare a block, if there is one that nobody has begun. */
static void help(struct plumb_csp_workers *c)
{
    pthread_mutex_lock(&c->lock);
    struct block *const b = claim(c);
    pthread_mutex_unlock(&c->lock);
    if (!b)
        return;
    prepare_as_owner(c, b);
    pthread_mutex_lock(&c->lock);
    finish(c, b);
    pthread_mutex_unlock(&c->lock);
}

static bool is_done(const struct block *b)
{
    /* acquire: pairs with the release in finish() */
    return atomic_load_explicit(&b->done, memory_order_acquire);
}

bool plumb_csp_workers_take(struct plumb_csp_workers *c, uint32_t state,
                            struct plumb_csp_successors_found *p,
                            const struct plumb_csp_successor **at)
{
    const uint32_t number = state / c->block;
    const struct block *const b = &c->ring[number % RING];
    if (number < c->begin || number >= c->end)
        return false;
    if (!is_done(b))
        help(c);
    if (!is_done(b))
        return false;
    *p = b->state[state % c->block];
    *at = p->count ? b->successors.at + p->first : NULL;
    c->taken++;
    c->left += p->slow || p->refused;
    return !p->slow && !p->refused;
}

bool plumb_csp_workers_is_idle(const struct plumb_csp_workers *c)
{
    enum { ENOUGH = 1024 };
    return c->taken >= ENOUGH && c->left > c->taken / 2;
}
