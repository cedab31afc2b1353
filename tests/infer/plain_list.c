/* plain_list.c - with $PLAIN_LIST, serial histories as a tree, nothing merged.
 *
 * Linked with --wrap=plumb_infer_build: after each beginning of a history there
 * is a position of its own, as if the histories were a plain list.  What is
 * decided must be the same; only how many states there are may differ. */
#include "base/memory.h"
#include "unfold.h"
#include <string.h>

enum plumb_status __real_plumb_infer_build(
    const struct plumb_infer_seen *seen, size_t count, uint32_t moments,
    const uint32_t *allowed, struct plumb_budget *budget,
    struct plumb_infer_automaton *a, struct plumb_infer_conflict *conflict,
    struct plumb_error *err);
enum plumb_status __wrap_plumb_infer_build(
    const struct plumb_infer_seen *seen, size_t count, uint32_t moments,
    const uint32_t *allowed, struct plumb_budget *budget,
    struct plumb_infer_automaton *a, struct plumb_infer_conflict *conflict,
    struct plumb_error *err);

static void replace_by_tree(struct plumb_infer_automaton *a,
                            struct plumb_budget *budget)
{
    const struct plumb_infer_automaton tree = unfold(a);
    const size_t size = (tree.positions + (size_t)1) * sizeof *tree.first;
    uint32_t *const first = plumb_base_alloc(budget, size);
    struct plumb_infer_edge *const edge =
        plumb_base_alloc(budget, tree.edges * sizeof *edge + 1);
    if (!first || !edge)
        abort();
    memcpy(first, tree.first, size);
    memcpy(edge, tree.edge, tree.edges * sizeof *edge);
    plumb_infer_release(a, budget);
    *a = (struct plumb_infer_automaton){ tree.positions, tree.edges, first,
                                         edge };
}

enum plumb_status __wrap_plumb_infer_build(
    const struct plumb_infer_seen *seen, size_t count, uint32_t moments,
    const uint32_t *allowed, struct plumb_budget *budget,
    struct plumb_infer_automaton *a, struct plumb_infer_conflict *conflict,
    struct plumb_error *err)
{
    const enum plumb_status status = __real_plumb_infer_build(
        seen, count, moments, allowed, budget, a, conflict, err);
    if (status == PLUMB_OK && getenv("PLAIN_LIST"))
        replace_by_tree(a, budget);
    return status;
}
