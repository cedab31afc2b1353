/* plain_list.c - with $PLAIN_LIST, serial histories as a tree, nothing merged.
 *
 * Linked with --wrap=plumb_infer_build: after each beginning of a history there
 * is a position of its own, as if the histories were a plain list.  What is
 * decided must be the same; only how many states there are may differ. */
#include "base/memory.h"
#include "infer/automaton.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 18 }; /* positions of a tree */

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

/* Breadth first: position n of the tree is from[n] of the automaton. */
static void unfold(struct plumb_infer_automaton *a, struct plumb_budget *budget)
{
    static uint32_t from[MOST], first[MOST + 1];
    static struct plumb_infer_edge edge[MOST];
    uint32_t positions = 1, edges = 0;
    from[0] = 0;
    for (uint32_t p = 0; p < positions; p++) {
        first[p] = edges;
        for (uint32_t i = a->first[from[p]]; i < a->first[from[p] + 1]; i++) {
            if (positions == MOST || edges == MOST)
                abort();
            edge[edges] = a->edge[i];
            if (edge[edges].next != PLUMB_INFER_STUCK) {
                from[positions] = edge[edges].next;
                edge[edges].next = positions++;
            }
            edges++;
        }
    }
    first[positions] = edges;
    plumb_infer_release(a, budget);
    const size_t size = (positions + (size_t)1) * sizeof *first;
    uint32_t *const own_first = plumb_base_alloc(budget, size);
    struct plumb_infer_edge *const own_edge =
        plumb_base_alloc(budget, edges * sizeof *edge + 1);
    if (!own_first || !own_edge)
        abort();
    memcpy(own_first, first, size);
    memcpy(own_edge, edge, edges * sizeof *edge);
    *a =
        (struct plumb_infer_automaton){ positions, edges, own_first, own_edge };
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
        unfold(a, budget);
    return status;
}
