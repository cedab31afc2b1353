// explore: --races interleave --spec queue:cap=1,weak=claim --test 'enq(1) | enq(2) deq()' -- -DSIZE=2 -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -march=corei7
// expect: no violation
// needs: dpdk/rte_ring.h
// machine: x86_64
// explore: --races interleave --spec queue:cap=1 --test 'enq(1) | enq(2) deq()' -- -DSIZE=2 -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -march=corei7
// expect: not linearizable
// needs: dpdk/rte_ring.h
// machine: x86_64
// explore: --races interleave --spec queue:cap=3,weak=claim --init 'enq(9)' --test 'enq(1) deq() | enq(2) deq()' -- -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -march=corei7
// expect: no violation
// needs: dpdk/rte_ring.h
// machine: x86_64

/* rte_ring of the DPDK, for many producers and consumers, as its headers have it;
 * SIZE places, one of which stays free.  Only the memory of the ring is ours.
 * On x86 its barriers are hints to the compiler, hence the races. */
#include <plumb/object.h>
#include <rte_config.h>
#include <rte_ring.h>

#ifndef SIZE
#define SIZE 4
#endif

static struct {
    _Alignas(RTE_CACHE_LINE_SIZE) struct rte_ring ring;
    void *slot[SIZE];
} all;

static void setup(void)
{
    memset(&all, 0, sizeof all);
    all.ring.size = SIZE;
    all.ring.mask = SIZE - 1;
    all.ring.capacity = SIZE - 1;
    all.ring.prod.sync_type = RTE_RING_SYNC_MT;
    all.ring.cons.sync_type = RTE_RING_SYNC_MT;
}

static void enq(plumb_invocation *i)
{
    if (rte_ring_mp_enqueue(&all.ring, (void *)(uintptr_t)plumb_arg(i, 0)) != 0)
        plumb_term(i, "full");
}

static void deq(plumb_invocation *i)
{
    void *value = NULL;
    if (rte_ring_mc_dequeue(&all.ring, &value) == 0)
        plumb_return(i, (int64_t)(uintptr_t)value);
    else
        plumb_term(i, "empty");
}

PLUMB_OBJECT(.name = "Q", .spec = "queue:cap=3,weak=claim", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
