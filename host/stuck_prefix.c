/* stuck_prefix.c - see stuck_prefix.h.
 *
 * The same history comes again and again, in most executions of an object that
 * blocks.  So those that were found to be right are remembered, by their hash. */
#include "stuck_prefix.h"

#include "endings.h"
#include "hash_set.h"

static struct {
    struct plumb_budget *budget;
    struct host_hash_set right;
} prefixes;

static bool stuck(void *context, struct scheduler_finding *finding)
{
    struct host_driver *const p = context;
    const uint64_t hash = host_driver_history_hash(p);
    if (!host_driver_has_open_operation(p) || scheduler_has_given_up() ||
        host_hash_set_has(&prefixes.right, hash))
        return true;
    if (host_driver_is_justified(p, prefixes.budget)) {
        host_hash_set_add(&prefixes.right, hash);
        return true;
    }
    *finding = host_ending_waits(false);
    return false;
}

void host_stuck_prefix_judge(struct host_driver *p, struct plumb_budget *budget)
{
    prefixes.budget = budget;
    if (p->object && p->spec)
        p->adapter.stuck = stuck;
}

void host_stuck_prefix_forget(void)
{
    host_hash_set_release(&prefixes.right);
}

bool host_stuck_prefix_has_calls_left(const struct host_driver *p)
{
    return p->shortened || scheduler_adapter_calling();
}

bool host_stuck_prefix_is_here(const struct host_driver *p)
{
    return p->spec && host_stuck_prefix_has_calls_left(p) &&
           host_driver_has_open_operation(p);
}
