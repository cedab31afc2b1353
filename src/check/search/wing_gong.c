/* wing_gong.c - "A Simulator for Concurrent Objects", section 5, Figure 6.
 *
 * The history is a doubly linked list of events.  The first call of what
 * remains and its response enclose the first *section*; any operation called in
 * it before the first response may be the next to take effect.  If the
 * sequential object allows it, it is pushed on a stack and its two events are
 * *lifted* from the list; if nothing can be lifted, the last one is popped,
 * *unlifted*, and the search goes on behind it.  No memory of what failed
 * before: the time is exponential, the code is the definition.
 *
 * Three extensions, for what the paper leaves out:
 *   - A pending operation has its response at infinity, behind all others, and
 *     may be dropped: the search is over when only pending ones remain.
 *   - The paper undoes an operation on its one sequential object.  Here each
 *     element of the stack keeps the set of states it started from, which
 *     also serves specifications that branch.
 *   - An operation that takes effect in several steps is several operations
 *     here, with the same call and the same response.  So are calls and returns
 *     that the specification is told of (told.h). */
#include "search.h"

#include "told.h"

struct event {
    struct event *match; /* of a call: its response; of a response: NULL */
    struct event *next, *prev;
    const struct plumb_check_part_item *item;
};

struct element {
    struct event *inv;          /* the operation that was selected */
    plumb_check_state_set from; /* the states before it            */
};

struct analysis {
    struct plumb_check_state_sets *sets;
    struct event head; /* sentinel before the first event */
    struct element *stack;
    uint32_t in;        /* elements on the stack */
    uint32_t returning; /* operations left that are not pending */
    uint64_t steps;
    uint32_t prefix;
};

static bool is_response(const struct event *e)
{
    return e->match == NULL;
}

static bool is_pending(const struct event *call)
{
    return call->item->ret == PLUMB_NEVER;
}

static void unlink_event(struct event *e)
{
    e->prev->next = e->next;
    if (e->next)
        e->next->prev = e->prev;
}

static void relink_event(struct event *e)
{
    e->prev->next = e;
    if (e->next)
        e->next->prev = e;
}

static void lift(struct analysis *a, struct event *inv)
{
    unlink_event(inv);
    unlink_event(inv->match);
    a->returning -= !is_pending(inv);
}

/* In the reverse order of lift: the two events may have been neighbours. */
static void unlift(struct analysis *a, struct event *inv)
{
    relink_event(inv->match);
    relink_event(inv);
    a->returning += !is_pending(inv);
}

/* Behind those of the same rank: steps of one operation. */
static void add_event(struct event **at, struct event *e)
{
    while (*at)
        at = &(*at)->next;
    *at = e;
}

/* Merge calls and responses by rank; the responses of pending operations come
 * last.  Calls are sorted already; responses are placed by counting. */
static bool make_list(struct analysis *a, const struct plumb_check_part *part,
                      struct plumb_base_arena *arena)
{
    const uint32_t n = part->count;
    uint32_t last = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct plumb_check_part_item *const x = part->item + i;
        const uint32_t end = x->ret == PLUMB_NEVER ? x->call : x->ret;
        last = end > last ? end : last;
    }
    struct event *const event =
        plumb_base_arena_zeroed(arena, 2 * (size_t)n * sizeof *event);
    struct event **const at =
        plumb_base_arena_zeroed(arena, ((size_t)last + 1) * sizeof *at);
    a->stack = plumb_base_arena_alloc(arena, n * sizeof *a->stack);
    if (!event || !at || !a->stack)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct plumb_check_part_item *const x = part->item + i;
        struct event *const call = event + 2 * (size_t)i;
        call->match = call + 1;
        call->item = call[1].item = x;
        add_event(at + x->call, call);
        if (x->ret == PLUMB_NEVER)
            continue;
        add_event(at + x->ret, call + 1);
        a->returning++;
    }
    struct event *tail = &a->head;
    for (size_t r = 0; r <= last && n; r++)
        for (struct event *e = at[r], *next; e; e = next) {
            next = e->next;
            tail->next = e;
            e->prev = tail;
            tail = e;
        }
    for (uint32_t i = 0; i < n; i++)
        if (part->item[i].ret == PLUMB_NEVER) {
            struct event *const response = event + 2 * (size_t)i + 1;
            tail->next = response;
            response->prev = tail;
            tail = response;
        }
    return true;
}

/* The earliest response left: everything before it has been linearized. */
static void note_progress(struct analysis *a)
{
    const struct event *e = a->head.next;
    while (e && !is_response(e))
        e = e->next;
    if (e && e->item->ret > a->prefix)
        a->prefix = e->item->ret;
}

/* Select from `inv` on, within the first section, the next operation that
 * `from` allows; NULL if there is none.  False when the budget is used up. */
static bool select_operation(struct analysis *a, struct event **inv,
                             plumb_check_state_set from,
                             plumb_check_state_set *after)
{
    struct event *e = *inv;
    *inv = NULL;
    for (; e && !is_response(e); e = e->next) {
        if (++a->steps % 1024 == 0 &&
            plumb_budget_state(a->sets->out.budget) != PLUMB_OK)
            return false;
        if (!plumb_check_state_sets_step(a->sets, from, e->item->action, after))
            return false;
        if (*after == PLUMB_NO_STATE_SET)
            continue;
        *inv = e;
        return true;
    }
    return true;
}

static enum plumb_verdict analyze(struct analysis *a)
{
    plumb_check_state_set state = plumb_check_state_sets_initial(a->sets);
    if (state == PLUMB_NO_STATE_SET)
        return PLUMB_UNDECIDED;
    struct event *inv = a->head.next;
    while (a->returning) {
        plumb_check_state_set after;
        note_progress(a);
        if (!select_operation(a, &inv, state, &after))
            return PLUMB_UNDECIDED;
        if (inv) {
            a->stack[a->in++] = (struct element){ inv, state };
            lift(a, inv);
            state = after;
            inv = a->head.next;
            continue;
        }
        if (!a->in)
            return PLUMB_NOT_LINEARIZABLE;
        const struct element *const top = a->stack + --a->in;
        unlift(a, top->inv);
        state = top->from;
        inv = top->inv->next;
    }
    return PLUMB_LINEARIZABLE;
}

void plumb_check_wing_gong(struct plumb_check_state_sets *f,
                           const struct plumb_check_part *part,
                           struct plumb_base_arena *arena,
                           struct plumb_check_finding *found)
{
    struct analysis a = { .sets = f };
    *found = (struct plumb_check_finding){ .verdict = PLUMB_UNDECIDED };
    uint32_t *const order =
        plumb_base_arena_alloc(arena, part->count * sizeof *order);
    if (order && make_list(&a, part, arena))
        found->verdict = analyze(&a);
    found->steps = a.steps;
    found->prefix = plumb_check_part_rank(part, a.prefix);
    if (found->verdict == PLUMB_UNDECIDED) {
        found->why = plumb_budget_state(arena->budget);
        if (found->why == PLUMB_OK)
            found->why = PLUMB_EMEMORY;
    }
    if (found->verdict != PLUMB_LINEARIZABLE)
        return;
    for (uint32_t i = 0; i < a.in; i++)
        order[i] = a.stack[i].inv->item->op;
    found->order = order;
    found->order_count = a.in;
}
