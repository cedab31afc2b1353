/* dpor_piece.c - see dpor_piece.h. */
#include "dpor_piece.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

_Static_assert(sizeof(struct plumb_strategies_piece) % 8 == 0 &&
                   sizeof(struct plumb_strategies_step) % 8 == 0 &&
                   sizeof(struct plumb_strategies_choice) % 8 == 0 &&
                   sizeof(struct plumb_strategies_sleeper) % 8 == 0,
               "what follows is aligned");

size_t plumb_strategies_piece_size(const struct plumb_strategies_piece *p)
{
    return sizeof *p + p->length * sizeof(struct plumb_strategies_step) +
           ((size_t)p->length + 1) * sizeof(struct plumb_strategies_choice) +
           p->sleepers * sizeof(struct plumb_strategies_sleeper) +
           p->wishes * sizeof(struct plumb_strategies_wish) +
           p->stops * sizeof(struct plumb_strategies_turn);
}

static bool make_room(struct plumb_budget *budget,
                      struct plumb_strategy_block *b, size_t size)
{
    unsigned char *bytes = (unsigned char *)b->piece;
    const bool grown = PLUMB_GROW(budget, bytes, b->room, size);
    b->piece = (struct plumb_strategies_piece *)(void *)bytes;
    return grown;
}

bool plumb_strategies_block_set(struct plumb_budget *budget,
                                struct plumb_strategy_block *b,
                                const struct plumb_strategies_piece *head)
{
    if (!make_room(budget, b, plumb_strategies_piece_size(head)))
        return false;
    *b->piece = *head;
    return true;
}

bool plumb_strategies_block_copy(struct plumb_budget *budget,
                                 struct plumb_strategy_block *b,
                                 const void *piece, size_t size)
{
    if (!make_room(budget, b, size))
        return false;
    memcpy(b->piece, piece, size);
    return true;
}

void plumb_strategies_block_release(struct plumb_budget *budget,
                                    struct plumb_strategy_block *b)
{
    plumb_base_release(budget, b->piece, b->room);
    *b = (struct plumb_strategy_block){ NULL, 0 };
}

static void copy_stack(struct plumb_strategies_piece *to,
                       const struct plumb_strategies_step *step,
                       const struct plumb_strategies_choice *choice,
                       const struct plumb_strategies_sleeper *sleeper)
{
    memcpy(plumb_strategies_piece_step(to), step, to->length * sizeof *step);
    memcpy(plumb_strategies_piece_choice(to), choice,
           ((size_t)to->length + 1) * sizeof *choice);
    if (to->sleepers)
        memcpy(plumb_strategies_piece_sleeper(to), sleeper,
               to->sleepers * sizeof *sleeper);
}

bool plumb_strategies_block_cut(struct plumb_budget *budget,
                                struct plumb_strategy_block *b,
                                struct plumb_strategies_piece *from,
                                uint32_t at)
{
    assert(at < from->length);
    const struct plumb_strategies_choice *const choice =
        plumb_strategies_piece_choice(from);
    const struct plumb_strategies_piece head = { .floor = at + 1,
                                                 .length = at + 1,
                                                 .sleepers =
                                                     choice[at + 1].sleepers,
                                                 .fresh = 1 };
    if (!plumb_strategies_block_set(budget, b, &head))
        return false;
    copy_stack(b->piece, plumb_strategies_piece_step(from), choice,
               plumb_strategies_piece_sleeper(from));
    return true;
}

bool plumb_strategies_block_save(struct plumb_strategy_block *b,
                                 const struct plumb_strategies_dpor *d,
                                 uint32_t lowest)
{
    const struct plumb_strategies_piece head = { .floor = d->floor,
                                                 .fresh = d->fresh,
                                                 .length = d->run->length,
                                                 .sleepers = d->sleepers,
                                                 .wishes = d->wishes.count,
                                                 .lowest = lowest };
    if (!plumb_strategies_block_set(d->run->options->budget, b, &head))
        return plumb_strategies_run_fail_memory(d->run);
    copy_stack(b->piece, d->run->step, d->choice, d->sleeper);
    if (head.wishes)
        memcpy(plumb_strategies_piece_wish(b->piece), d->wishes.wish,
               head.wishes * sizeof *d->wishes.wish);
    return true;
}

static bool load(struct plumb_strategies_dpor *d,
                 struct plumb_strategies_piece *p)
{
    assert(p->floor <= p->length + 1 && p->fresh <= p->floor);
    if (!plumb_strategies_dpor_make_room(d, p->length, p->sleepers))
        return false;
    memcpy(d->run->step, plumb_strategies_piece_step(p),
           p->length * sizeof *d->run->step);
    memcpy(d->choice, plumb_strategies_piece_choice(p),
           ((size_t)p->length + 1) * sizeof *d->choice);
    if (p->sleepers)
        memcpy(d->sleeper, plumb_strategies_piece_sleeper(p),
               p->sleepers * sizeof *d->sleeper);
    d->sleepers = p->sleepers;
    d->floor = p->floor;
    d->fresh = p->fresh;
    plumb_strategies_wishes_clear(&d->wishes);
    return plumb_strategies_dpor_stand(d, p->length);
}

static bool is_stop(struct plumb_strategies_piece *p,
                    const struct plumb_strategies_turn *turn)
{
    const struct plumb_strategies_turn *const stop =
        plumb_strategies_piece_stop(p);
    for (uint32_t i = 0; i < p->stops; i++)
        if (plumb_strategies_turns_are_equal(&stop[i], turn))
            return true;
    return false;
}

bool plumb_strategies_piece_run(struct plumb_strategies_dpor *d,
                                struct plumb_strategies_piece *piece,
                                uint32_t *lowest)
{
    const struct plumb_strategies_explore_options *const o = d->run->options;
    *lowest = UINT32_MAX;
    if (!load(d, piece))
        return false;
    for (uint64_t done = 0; o->hands->goes_on(o->context, done); done++) {
        struct plumb_strategies_turn turn;
        if (!plumb_strategies_stack_turn(o, d->run->step, d->choice,
                                         d->run->length, d->floor - d->fresh,
                                         &turn) ||
            is_stop(piece, &turn))
            return true;
        if (turn.at < *lowest)
            *lowest = turn.at;
        if (!plumb_strategies_dpor_next(d))
            return false;
    }
    return true;
}
