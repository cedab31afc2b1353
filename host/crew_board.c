/* crew_board.c - what the processes of a crew read and write in memory that all
 * share.
 *
 * Who runs a portion is decided by a compare-and-swap of its slot, which holds
 * the number of the portion and of the worker; slots are used again, and nobody
 * claims a portion that is a whole round of them ahead of the leader.  A worker
 * claims in order, so what it sends is in order, too. */
#include "crew_state.h"

uint64_t crew_executions(void)
{
    return atomic_load_explicit(&crew.board->executions, memory_order_relaxed);
}

void crew_count(uint64_t executions)
{
    atomic_store_explicit(&crew.board->of[crew.self - 1].executions, executions,
                          memory_order_relaxed);
}

/* acquire: pairs with the release in crew_reach(). */
static void wait_for_leader(uint64_t portion)
{
    while (atomic_load_explicit(&crew.board->reached, memory_order_acquire) <=
           portion)
        crew_nap();
}

void crew_foresee_end(uint64_t portion)
{
    _Atomic uint64_t *const last = &crew.board->last;
    uint64_t before = atomic_load_explicit(last, memory_order_relaxed);
    while (portion < before && !atomic_compare_exchange_weak_explicit(
                                   last, &before, portion, memory_order_relaxed,
                                   memory_order_relaxed))
        ;
}

/* What comes after the last portion is not needed, unless the leader finds that
 * it was not the last. */
static void wait_whether_it_is_needed(uint64_t portion)
{
    while (portion >
           atomic_load_explicit(&crew.board->last, memory_order_relaxed))
        crew_nap();
}

static bool has_passed(uint64_t portion)
{
    return atomic_load_explicit(&crew.board->reached, memory_order_relaxed) >
           portion + 1;
}

bool crew_claim(uint64_t portion)
{
    _Atomic uint64_t *const slot = &crew.board->slot[portion % CREW_CLAIMS];
    const uint64_t mine = (portion + 1) << CREW_WORKER_BITS | (crew.self - 1);
    if (portion >= CREW_CLAIMS)
        wait_for_leader(portion - CREW_CLAIMS);
    wait_whether_it_is_needed(portion);
    uint64_t before = atomic_load_explicit(slot, memory_order_relaxed);
    if (before >> CREW_WORKER_BITS > portion || has_passed(portion) ||
        !atomic_compare_exchange_strong_explicit(
            slot, &before, mine, memory_order_relaxed, memory_order_relaxed))
        return false;
    atomic_store_explicit(&crew.board->of[crew.self - 1].claimed, portion,
                          memory_order_relaxed);
    return true;
}

uint32_t crew_meet(uint64_t portion, uint32_t says)
{
    uint32_t *const said = &crew.board->said[crew.met++ % CREW_MEETINGS];
    if (crew.self)
        wait_for_leader(portion);
    else
        *said = says;
    return *said;
}

/* The first two epochs are as the leader is at the beginning.  There are only
 * so many: the last one has no end. */
uint64_t crew_agree(uint64_t portion, uint64_t most)
{
    const uint64_t all = portion / EPOCH;
    const uint64_t epoch = all < CREW_EPOCHS ? all : CREW_EPOCHS - 1;
    uint64_t *const agreed = crew.board->most;
    if (crew.self && epoch > 0)
        wait_for_leader((epoch - 1) * EPOCH);
    if (!crew.self && portion == 0)
        agreed[0] = most;
    if (!crew.self && portion == all * EPOCH && epoch + 1 < CREW_EPOCHS)
        agreed[epoch + 1] = most;
    return crew.self && portion < EPOCH ? most : agreed[epoch];
}

/* release: pairs with the acquire in wait_for_leader(). */
void crew_reach(uint64_t portion, uint64_t executions)
{
    if (portion > atomic_load_explicit(&crew.board->last, memory_order_relaxed))
        atomic_store_explicit(&crew.board->last, UINT64_MAX,
                              memory_order_relaxed);
    atomic_store_explicit(&crew.board->executions, executions,
                          memory_order_relaxed);
    atomic_store_explicit(&crew.board->reached, portion + 1,
                          memory_order_release);
}
