/* dpor_piece.h - a stack in one block of memory, to be sent.
 *
 * Behind the head come the steps, the choices (one more), the sleepers, the
 * wishes, and the turns at which to stop. */
#ifndef PLUMB_STRATEGIES_DPOR_PIECE_H
#define PLUMB_STRATEGIES_DPOR_PIECE_H

#include "dpor.h"

struct plumb_strategies_piece {
    uint32_t floor;
    uint32_t length, sleepers, wishes, stops; /* that follow            */
    uint32_t lowest; /* choice that was gone back to; UINT32_MAX is none */
    uint32_t fresh;  /* 0 or 1 */
    uint32_t reserved;
};

/* A piece, and room for it. */
struct plumb_strategy_block {
    struct plumb_strategies_piece *piece;
    size_t room;
};

static inline struct plumb_strategies_step *plumb_strategies_piece_step(
    struct plumb_strategies_piece *p)
{
    return (struct plumb_strategies_step *)(p + 1);
}

static inline struct plumb_strategies_choice *plumb_strategies_piece_choice(
    struct plumb_strategies_piece *p)
{
    return (struct plumb_strategies_choice *)(plumb_strategies_piece_step(p) +
                                              p->length);
}

static inline struct plumb_strategies_sleeper *plumb_strategies_piece_sleeper(
    struct plumb_strategies_piece *p)
{
    return (
        struct plumb_strategies_sleeper *)(plumb_strategies_piece_choice(p) +
                                           p->length + 1);
}

static inline struct plumb_strategies_wish *plumb_strategies_piece_wish(
    struct plumb_strategies_piece *p)
{
    return (struct plumb_strategies_wish *)(plumb_strategies_piece_sleeper(p) +
                                            p->sleepers);
}

static inline struct plumb_strategies_turn *plumb_strategies_piece_stop(
    struct plumb_strategies_piece *p)
{
    return (struct plumb_strategies_turn *)(plumb_strategies_piece_wish(p) +
                                            p->wishes);
}

size_t plumb_strategies_piece_size(const struct plumb_strategies_piece *p);

/* Each false: memory is refused. */
bool plumb_strategies_block_set(struct plumb_budget *budget,
                                struct plumb_strategy_block *b,
                                const struct plumb_strategies_piece *head);
bool plumb_strategies_block_copy(struct plumb_budget *budget,
                                 struct plumb_strategy_block *b,
                                 const void *piece, size_t size);
/* What is below the choice `at`, to be begun with. */
bool plumb_strategies_block_cut(struct plumb_budget *budget,
                                struct plumb_strategy_block *b,
                                struct plumb_strategies_piece *from,
                                uint32_t at);
bool plumb_strategies_block_save(struct plumb_strategy_block *b,
                                 const struct plumb_strategies_dpor *d,
                                 uint32_t lowest);
void plumb_strategies_block_release(struct plumb_budget *budget,
                                    struct plumb_strategy_block *b);

/* Go on with it, up to one of the stops or until it is enough; `lowest` becomes
 * what the head says.  False: the exploration is over. */
bool plumb_strategies_piece_run(struct plumb_strategies_dpor *d,
                                struct plumb_strategies_piece *piece,
                                uint32_t *lowest);

#endif
