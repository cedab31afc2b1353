/* worker_pool_board.c - what the processes of a worker pool read and write in memory that all
 * share.
 *
 * Who runs a portion is decided by a compare-and-swap of its slot, which holds
 * the number of the portion and of the worker; slots are used again, and nobody
 * claims a portion that is a whole round of them ahead of the leader.  A worker
 * claims in order, so what it sends is in order, too. */
#include "worker_pool_state.h"

#include "runtime/common/wait.h"
#include <assert.h>

uint64_t host_pool_executions(void)
{
    return atomic_load_explicit(&host_pool.board->executions,
                                memory_order_relaxed);
}

void host_pool_count(uint64_t executions)
{
    atomic_store_explicit(&host_pool.board->of[host_pool.self - 1].executions,
                          executions, memory_order_relaxed);
}

/* acquire: pairs with the release in host_pool_reach(). */
static void wait_for_leader(uint64_t portion)
{
    while (atomic_load_explicit(&host_pool.board->reached,
                                memory_order_acquire) <= portion)
        runtime_take_a_nap();
}

void host_pool_foresee_end(uint64_t portion)
{
    _Atomic uint64_t *const last = &host_pool.board->last;
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
           atomic_load_explicit(&host_pool.board->last, memory_order_relaxed))
        runtime_take_a_nap();
}

static bool has_passed(uint64_t portion)
{
    return atomic_load_explicit(&host_pool.board->reached,
                                memory_order_relaxed) > portion + 1;
}

bool host_pool_claim(uint64_t portion)
{
    assert(host_pool.self);
    _Atomic uint64_t *const slot =
        &host_pool.board->slot[portion % POOL_CLAIMS];
    const uint64_t mine =
        (portion + 1) << POOL_WORKER_BITS | (host_pool.self - 1);
    if (portion >= POOL_CLAIMS)
        wait_for_leader(portion - POOL_CLAIMS);
    wait_whether_it_is_needed(portion);
    uint64_t before = atomic_load_explicit(slot, memory_order_relaxed);
    if (before >> POOL_WORKER_BITS > portion || has_passed(portion) ||
        !atomic_compare_exchange_strong_explicit(
            slot, &before, mine, memory_order_relaxed, memory_order_relaxed))
        return false;
    atomic_store_explicit(&host_pool.board->of[host_pool.self - 1].claimed,
                          portion, memory_order_relaxed);
    return true;
}

uint32_t host_pool_meet(uint64_t portion, uint32_t says)
{
    uint32_t *const said =
        &host_pool.board->said[host_pool.met++ % POOL_MEETINGS];
    if (host_pool.self)
        wait_for_leader(portion);
    else
        *said = says;
    return *said;
}

/* The first two epochs are as the leader is at the beginning.  There are only
 * so many: the last one has no end. */
uint64_t host_pool_agree(uint64_t portion, uint64_t most)
{
    const uint64_t all = portion / EPOCH;
    const uint64_t epoch = all < POOL_EPOCHS ? all : POOL_EPOCHS - 1;
    uint64_t *const agreed = host_pool.board->most;
    if (host_pool.self && epoch > 0)
        wait_for_leader((epoch - 1) * EPOCH);
    if (!host_pool.self && portion == 0)
        agreed[0] = most;
    if (!host_pool.self && portion == all * EPOCH && epoch + 1 < POOL_EPOCHS)
        agreed[epoch + 1] = most;
    return host_pool.self && portion < EPOCH ? most : agreed[epoch];
}

/* release: pairs with the acquire in wait_for_leader(). */
void host_pool_reach(uint64_t portion, uint64_t executions)
{
    if (portion >
        atomic_load_explicit(&host_pool.board->last, memory_order_relaxed))
        atomic_store_explicit(&host_pool.board->last, UINT64_MAX,
                              memory_order_relaxed);
    atomic_store_explicit(&host_pool.board->executions, executions,
                          memory_order_relaxed);
    atomic_store_explicit(&host_pool.board->reached, portion + 1,
                          memory_order_release);
}
