/* dpor_branches.c - dpor by several processes, with the result of one.
 *
 * What the search does below a step depends on the steps up to it and on who
 * sleeps there, and on nothing that is planned above; to what is above it only
 * adds wishes.  So if we know with what thread the search will go on at some
 * choice of its stack when it comes back there, that *branch* can be begun now,
 * by somebody else.  We know it unless another thread is planned there until
 * then that comes before: a branch for which this happens is dropped.
 *
 * A branch has a stack of its own, and so can have branches itself.  When the
 * search comes to where one of its branches began, it *absorbs* it, done or not:
 * the wishes are granted in the order in which they were made, and the stack of
 * the branch is its own from there on.  Thus branch 0, which is the whole, goes
 * through exactly the stacks that one process goes through.
 *
 * Hands run branches a piece at a time.  Where a piece has news, the branch
 * waits until it is absorbed into branch 0; then the leader runs the piece. */
#include "dpor_piece.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

enum state {
    FREE,
    READY, /* to be given to a hand                       */
    GIVEN,
    WAITS, /* for a branch that it has come to, and that is given */
    NEWS,  /* to be gone on with by the leader            */
    DONE,
    GONE /* dropped, and still given */
};

enum {
    NOBODY = PLUMB_MOST_BRANCHES,
    OLD = 4 /* pieces, after which what is below a step seems to be much */
};

struct branch {
    enum state state;
    unsigned parent;
    struct plumb_strategies_turn turn; /* of the parent, with which it begins */
    struct plumb_strategy_block block;
    struct plumb_strategies_wishes wishes;
    uint64_t races;
    uint32_t lowest[OLD]; /* of the last pieces, as in the head of a piece */
    unsigned pieces;
};

struct lead {
    struct plumb_strategies_dpor *d;
    const struct plumb_strategies_explore_options *o;
    struct plumb_strategy_block out;
    unsigned given;
    bool self; /* a hand */
    struct branch branch[PLUMB_MOST_BRANCHES];
};

static bool is_child(const struct lead *l, unsigned i, unsigned parent)
{
    const struct branch *const b = &l->branch[i];
    return i && b->state != FREE && b->state != GONE && b->parent == parent;
}

static unsigned child_at(const struct lead *l, unsigned parent, uint32_t at)
{
    for (unsigned i = 1; i < PLUMB_MOST_BRANCHES; i++)
        if (is_child(l, i, parent) && l->branch[i].turn.at == at)
            return i;
    return NOBODY;
}

static bool turn_of(const struct lead *l, const struct branch *b,
                    struct plumb_strategies_turn *turn)
{
    struct plumb_strategies_piece *const p = b->block.piece;
    return plumb_strategies_stack_turn(l->o, plumb_strategies_piece_step(p),
                                       plumb_strategies_piece_choice(p),
                                       p->length, p->floor - p->fresh, turn);
}

static bool turn_at(const struct lead *l, unsigned i, uint32_t at,
                    struct plumb_strategies_turn *turn)
{
    struct plumb_strategies_piece *const p = l->branch[i].block.piece;
    return plumb_strategies_choice_turn(l->o, plumb_strategies_piece_step(p),
                                        plumb_strategies_piece_choice(p), at,
                                        turn);
}

/* ---- dropping ---- */

static void drop_one(struct lead *l, unsigned i)
{
    struct branch *const b = &l->branch[i];
    l->o->hands->drop(l->o->context, i);
    plumb_strategies_wishes_clear(&b->wishes);
    b->races = 0;
    b->state = b->state == GIVEN ? GONE : FREE;
}

/* With all that are below it: a parent is found before it is dropped. */
static void drop(struct lead *l, unsigned i)
{
    bool below[PLUMB_MOST_BRANCHES] = { false };
    bool more = true;
    below[i] = true;
    while (more) {
        more = false;
        for (unsigned k = 1; k < PLUMB_MOST_BRANCHES; k++)
            if (!below[k] && l->branch[k].state != FREE &&
                l->branch[k].state != GONE && below[l->branch[k].parent])
                more = below[k] = true;
    }
    for (unsigned k = 1; k < PLUMB_MOST_BRANCHES; k++)
        if (below[k])
            drop_one(l, k);
}

/* Those that the search has passed in a piece. */
static void pass(struct lead *l, unsigned parent, uint32_t lowest)
{
    struct branch *const b = &l->branch[parent];
    b->lowest[b->pieces++ % OLD] = lowest;
    for (unsigned i = 1; i < PLUMB_MOST_BRANCHES; i++)
        if (is_child(l, i, parent) && l->branch[i].turn.at >= lowest)
            drop(l, i);
}

/* Those that would begin otherwise now. */
static void drop_mistaken(struct lead *l, unsigned parent)
{
    const uint32_t length = l->branch[parent].block.piece->length;
    for (unsigned i = 1; i < PLUMB_MOST_BRANCHES; i++) {
        const struct plumb_strategies_turn *const turn = &l->branch[i].turn;
        struct plumb_strategies_turn now;
        if (is_child(l, i, parent) &&
            (turn->at >= length || !turn_at(l, parent, turn->at, &now) ||
             !plumb_strategies_turns_are_equal(turn, &now)))
            drop(l, i);
    }
}

/* ---- absorbing ---- */

static bool grant(struct lead *l, struct branch *b,
                  const struct plumb_strategies_wish *w)
{
    struct plumb_strategies_piece *const p = b->block.piece;
    struct plumb_strategies_choice *const c =
        plumb_strategies_piece_choice(p) + w->at;
    if (w->at < p->floor)
        return plumb_strategies_wishes_add(l->o->budget, &b->wishes, c, w) ||
               plumb_strategies_run_fail_memory(l->d->run);
    b->races += plumb_strategies_choice_plan(c, w);
    return true;
}

static bool grant_all(struct lead *l, struct branch *b,
                      const struct plumb_strategies_wish *wish, uint32_t wishes)
{
    for (uint32_t i = 0; i < wishes; i++)
        if (!grant(l, b, &wish[i]))
            return false;
    return true;
}

/* Up to where the branch begins plans are the parent's; who sleeps there is
 * the same in both. */
static void take_stack(struct branch *b, struct branch *from)
{
    struct plumb_strategies_piece *const theirs = from->block.piece;
    const struct plumb_strategies_choice *const c =
        plumb_strategies_piece_choice(b->block.piece);
    for (uint32_t at = 0; at <= from->turn.at; at++)
        plumb_strategies_piece_choice(theirs)[at].plan = c[at].plan;
    theirs->floor = b->block.piece->floor;
    const struct plumb_strategy_block block = b->block;
    b->block = from->block;
    from->block = block;
}

static bool absorb(struct lead *l, unsigned to, unsigned from)
{
    struct branch *const b = &l->branch[to], *const c = &l->branch[from];
    assert(c->parent == to && c->state != GIVEN);
    if (c->block.piece->fresh || !l->o->hands->join(l->o->context, to, from)) {
        drop(l, from);
        return true;
    }
    take_stack(b, c);
    memcpy(b->lowest, c->lowest, sizeof b->lowest);
    b->races += c->races;
    b->state = c->state == NEWS ? NEWS : READY;
    for (unsigned i = 1; i < PLUMB_MOST_BRANCHES; i++)
        if (is_child(l, i, from))
            l->branch[i].parent = to;
    const bool granted = grant_all(l, b, c->wishes.wish, c->wishes.count);
    drop_one(l, from);
    return granted;
}

/* ---- after each change ---- */

static void settle_one(struct lead *l, unsigned i)
{
    struct branch *const b = &l->branch[i];
    for (;;) {
        struct plumb_strategies_turn turn;
        drop_mistaken(l, i);
        if (b->state == NEWS)
            return;
        b->state = DONE;
        if (!turn_of(l, b, &turn))
            return;
        const unsigned child = child_at(l, i, turn.at);
        b->state = child == NOBODY ? READY : WAITS;
        if (child == NOBODY || l->branch[child].state == GIVEN ||
            !absorb(l, i, child))
            return;
    }
}

static void settle(struct lead *l, unsigned i)
{
    settle_one(l, i);
    while (i && l->branch[l->branch[i].parent].state == WAITS) {
        i = l->branch[i].parent;
        settle_one(l, i);
    }
}

/* What was counted for the whole is the exploration's. */
static bool count(struct lead *l)
{
    struct plumb_strategies_run *const run = l->d->run;
    run->stats->races += l->branch[0].races;
    l->branch[0].races = 0;
    return !run->over &&
           plumb_strategies_run_goes_on(run, plumb_strategies_run_told(run));
}

/* ---- beginning branches ---- */

static unsigned free_branch(const struct lead *l)
{
    unsigned i = 1;
    while (i < PLUMB_MOST_BRANCHES && l->branch[i].state != FREE)
        i++;
    return i;
}

/* The last choice below which the branch has been for some pieces. */
static uint32_t old_choice(const struct branch *b)
{
    uint32_t old = UINT32_MAX;
    for (unsigned i = 0; i < OLD; i++)
        old = b->lowest[i] < old ? b->lowest[i] : old;
    return old;
}

static bool can_have_branches(const struct branch *b)
{
    return (b->state == READY || b->state == GIVEN || b->state == WAITS) &&
           !b->block.piece->fresh;
}

/* What can be given: a branch that is ready, or one to be begun, with the
 * turn of its parent. */
struct offer {
    unsigned ready, parent; /* or NOBODY */
    struct plumb_strategies_turn turn;
    bool over; /* what comes next may never be wanted */
};

static bool is_found(const struct offer *f)
{
    return f->over || f->ready != NOBODY || f->parent != NOBODY;
}

/* The first in order, if it has much below it: it will be wanted soonest, and
 * is least likely to be a mistake.  At its own turn a branch is already. */
static void find_next(const struct lead *l, unsigned i, struct offer *f)
{
    const struct branch *const b = &l->branch[i];
    struct plumb_strategies_turn own;
    f->over = b->state == NEWS;
    f->ready = b->state == READY ? i : NOBODY;
    if (is_found(f) || !can_have_branches(b) || !turn_of(l, b, &own))
        return;
    const uint32_t old = old_choice(b);
    for (uint32_t at = own.at + 1; at-- > b->block.piece->floor;) {
        struct plumb_strategies_turn turn;
        if (!turn_at(l, i, at, &turn))
            continue; /* and then there is no child either */
        const unsigned child = child_at(l, i, at);
        if (child != NOBODY) {
            find_next(l, child, f);
        } else if (at < own.at && at <= old) {
            f->turn = turn;
            f->parent = i;
        }
        if (is_found(f))
            return;
    }
}

/* Nowhere is much below, as far as is known; near the beginning there should
 * be. */
static void find_first(const struct lead *l, struct offer *f)
{
    f->turn.at = UINT32_MAX;
    for (unsigned i = 0; i < PLUMB_MOST_BRANCHES; i++) {
        const struct branch *const b = &l->branch[i];
        struct plumb_strategies_turn own, turn;
        if (!can_have_branches(b) || !turn_of(l, b, &own))
            continue;
        for (uint32_t at = b->block.piece->floor;
             at < own.at && at < f->turn.at; at++)
            if (turn_at(l, i, at, &turn) && child_at(l, i, at) == NOBODY) {
                f->turn = turn;
                f->parent = i;
            }
    }
}

/* NOBODY: there is no room. */
static unsigned begin_branch(struct lead *l, const struct offer *f)
{
    const unsigned new = free_branch(l);
    if (new == NOBODY)
        return NOBODY;
    struct branch *const b = &l->branch[new];
    if (!plumb_strategies_block_cut(l->o->budget, &b->block,
                                    l->branch[f->parent].block.piece,
                                    f->turn.at)) {
        plumb_strategies_run_fail_memory(l->d->run);
        return NOBODY;
    }
    b->parent = f->parent;
    b->turn = f->turn;
    b->state = READY;
    for (unsigned i = 0; i < OLD; i++)
        b->lowest[i] = f->turn.at;
    return new;
}

/* Or NOBODY. */
static unsigned branch_to_give(struct lead *l)
{
    struct offer f = { .ready = NOBODY, .parent = NOBODY };
    find_next(l, 0, &f);
    if (!is_found(&f))
        find_first(l, &f);
    return f.parent == NOBODY ? f.ready : begin_branch(l, &f);
}

/* ---- giving and taking ---- */

/* The stack, and the turns of its own branches as stops. */
static bool write_piece(struct lead *l, unsigned i)
{
    struct plumb_strategies_piece *const p = l->branch[i].block.piece;
    struct plumb_strategies_piece head = *p;
    head.wishes = head.stops = 0;
    const size_t size = plumb_strategies_piece_size(&head);
    for (unsigned k = 1; k < PLUMB_MOST_BRANCHES; k++)
        head.stops += is_child(l, k, i);
    if (!plumb_strategies_block_set(l->o->budget, &l->out, &head))
        return plumb_strategies_run_fail_memory(l->d->run);
    memcpy(l->out.piece + 1, p + 1, size - sizeof head);
    struct plumb_strategies_turn *stop =
        plumb_strategies_piece_stop(l->out.piece);
    for (unsigned k = 1; k < PLUMB_MOST_BRANCHES; k++)
        if (is_child(l, k, i))
            *stop++ = l->branch[k].turn;
    assert(stop == plumb_strategies_piece_stop(l->out.piece) + head.stops);
    return true;
}

static bool give(struct lead *l, unsigned i)
{
    if (!write_piece(l, i))
        return false;
    const enum plumb_strategies_hand hand =
        l->o->hands->give(l->o->context, i, l->out.piece,
                          plumb_strategies_piece_size(l->out.piece));
    l->self = hand == PLUMB_HAND_SELF;
    if (hand != PLUMB_HAND_THERE)
        return false;
    l->branch[i].state = GIVEN;
    l->given++;
    return true;
}

static void give_all(struct lead *l)
{
    while (l->o->hands->is_idle(l->o->context)) {
        const unsigned i = branch_to_give(l);
        if (i == NOBODY || !give(l, i))
            return;
    }
}

static bool take_piece(struct lead *l, unsigned i, const void *piece,
                       size_t size)
{
    struct branch *const b = &l->branch[i];
    if (!l->o->hands->take(l->o->context, i)) {
        b->state = NEWS;
        return true;
    }
    if (!plumb_strategies_block_copy(l->o->budget, &b->block, piece, size))
        return plumb_strategies_run_fail_memory(l->d->run);
    struct plumb_strategies_piece *const p = b->block.piece;
    b->state = READY;
    pass(l, i, p->lowest);
    return grant_all(l, b, plumb_strategies_piece_wish(p), p->wishes);
}

static bool wait_for_one(struct lead *l)
{
    const void *piece = NULL;
    size_t size = 0;
    unsigned i = 0;
    const enum plumb_strategies_piece_end answer =
        l->o->hands->wait(l->o->context, &i, &piece, &size);
    if (answer == PLUMB_PIECE_STOP) {
        plumb_strategies_run_stop(l->d->run);
        return false;
    }
    struct branch *const b = &l->branch[i];
    assert(b->state == GIVEN || b->state == GONE);
    l->given--;
    if (b->state == GONE) {
        b->state = FREE;
        return true;
    }
    b->state = NEWS;
    if (answer == PLUMB_PIECE_DONE && !take_piece(l, i, piece, size))
        return false;
    settle(l, i);
    return count(l);
}

/* What was news to others may be known now. */
static void forget_news(struct lead *l)
{
    for (unsigned i = 0; i < PLUMB_MOST_BRANCHES; i++)
        if (l->branch[i].state == NEWS) {
            l->branch[i].state = READY;
            settle(l, i);
        }
}

static bool run_here(struct lead *l)
{
    struct branch *const b = &l->branch[0];
    uint32_t lowest;
    if (!write_piece(l, 0) ||
        !plumb_strategies_piece_run(l->d, l->out.piece, &lowest) ||
        !plumb_strategies_block_save(&b->block, l->d, lowest))
        return false;
    b->state = READY;
    pass(l, 0, lowest);
    settle(l, 0);
    forget_news(l);
    return count(l);
}

/* ---- the whole ---- */

static bool lead_on(struct lead *l)
{
    const enum state whole = l->branch[0].state;
    if (whole == DONE)
        return false;
    if (whole == NEWS)
        return run_here(l);
    give_all(l);
    if (l->self || l->d->run->over)
        return false;
    return l->given ? wait_for_one(l) : run_here(l);
}

void plumb_strategies_dpor_serve(struct plumb_strategies_dpor *d)
{
    const struct plumb_strategies_explore_options *const o = d->run->options;
    struct plumb_strategy_block in = { NULL, 0 }, out = { NULL, 0 };
    const void *piece;
    size_t size;
    uint32_t lowest;
    while (o->hands->next(o->context, &piece, &size)) {
        if (!plumb_strategies_block_copy(o->budget, &in, piece, size)) {
            plumb_strategies_run_fail_memory(d->run);
            break;
        }
        if (!plumb_strategies_piece_run(d, in.piece, &lowest) ||
            !plumb_strategies_block_save(&out, d, lowest))
            break;
        o->hands->done(o->context, out.piece,
                       plumb_strategies_piece_size(out.piece));
    }
    plumb_strategies_block_release(o->budget, &in);
    plumb_strategies_block_release(o->budget, &out);
}

static void release(struct lead *l)
{
    struct plumb_budget *const budget = l->o->budget;
    for (unsigned i = 0; i < PLUMB_MOST_BRANCHES; i++) {
        plumb_strategies_block_release(budget, &l->branch[i].block);
        plumb_strategies_wishes_release(budget, &l->branch[i].wishes);
    }
    plumb_strategies_block_release(budget, &l->out);
    plumb_base_release(budget, l, sizeof *l);
}

void plumb_strategies_dpor_lead(struct plumb_strategies_dpor *d)
{
    struct lead *const l =
        plumb_base_alloc_zeroed(d->run->options->budget, sizeof *l);
    if (!l) {
        plumb_strategies_run_fail_memory(d->run);
        return;
    }
    l->d = d;
    l->o = d->run->options;
    l->branch[0].state = READY;
    bool more = plumb_strategies_block_save(&l->branch[0].block, d, UINT32_MAX);
    if (more)
        settle(l, 0);
    while (more)
        more = lead_on(l);
    if (l->self)
        plumb_strategies_dpor_serve(d);
    release(l);
}
