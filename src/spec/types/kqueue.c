/* kqueue.c - a queue whose items may be removed up to K too early or late.
 *
 * Items are numbered as they come, and t is the number of items removed.  All
 * rules look at numbers minus t, so that is what a state keeps: the items in
 * order, each with its *turn*, its number - t.  The item whose turn is 1 would
 * be removed next by a plain queue.  There are as many items present as were
 * numbered and not removed, so the next item's turn is that count + 1.
 *
 * A state is an array; a step costs O(items). */

#include "base/memory.h"
#include "queue_family.h"
#include <string.h>

enum { K = PLUMB_OWN_PARAM };

struct item {
    plumb_spec_vid value;
    int32_t turn;
};

/* Where the next state is put together. */
struct scratch {
    struct item *item;
    size_t capacity;
};

bool plumb_spec_kqueue_open(struct plumb_spec_space *space)
{
    space->extra =
        plumb_base_arena_zeroed(&space->arena, sizeof(struct scratch));
    return space->extra && plumb_spec_space_intern(space, "", 0) == 0;
}

void plumb_spec_kqueue_close(struct plumb_spec_space *space)
{
    struct scratch *const scratch = space->extra;
    if (scratch)
        PLUMB_RELEASE(space->arena.budget, scratch->item, scratch->capacity);
}

static uint32_t items_of(const struct plumb_spec_space *space,
                         plumb_spec_state s, const struct item **item)
{
    *item = space->data[s];
    return space->size[s] / (uint32_t)sizeof **item;
}

static struct item *room_for(struct plumb_spec_space *space, size_t count)
{
    struct scratch *const scratch = space->extra;
    const bool room = PLUMB_GROW(space->arena.budget, scratch->item,
                                 scratch->capacity, count);
    return room ? scratch->item : NULL;
}

static plumb_spec_state append(struct plumb_spec_space *space,
                               plumb_spec_state s, plumb_spec_vid value)
{
    const struct item *item;
    const uint32_t n = items_of(space, s, &item);
    struct item *const to =
        n < INT32_MAX / sizeof *to ? room_for(space, (size_t)n + 1) : NULL;
    if (!to)
        return PLUMB_NO_STATE;
    memcpy(to, item, n * sizeof *to);
    to[n] = (struct item){ value, (int32_t)n + 1 };
    return plumb_spec_space_intern(space, to, (n + 1) * (uint32_t)sizeof *to);
}

static plumb_spec_state remove_at(struct plumb_spec_space *space,
                                  plumb_spec_state s, uint32_t at)
{
    const struct item *item;
    const uint32_t n = items_of(space, s, &item);
    struct item *const to = room_for(space, n);
    uint32_t kept = 0;
    if (!to)
        return PLUMB_NO_STATE;
    for (uint32_t i = 0; i < n; i++)
        if (i != at)
            to[kept++] = (struct item){ item[i].value, item[i].turn - 1 };
    return plumb_spec_space_intern(space, to, kept * (uint32_t)sizeof *to);
}

/* v - (t + 1) <= K, and v is the oldest, o, or t + 1 - o < K. */
static bool may_be_removed(const struct plumb_spec_space *space,
                           const struct item *item, uint32_t at)
{
    const uint64_t k = space->spec->param[K];
    const int64_t early = (int64_t)item[at].turn - 1;
    const int64_t late = 1 - (int64_t)item[0].turn;
    if (early > 0 && (uint64_t)early > k)
        return false;
    return at == 0 || late < 0 || (uint64_t)late < k;
}

static bool has_older_equal(const struct item *item, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++)
        if (item[i].value == item[at].value)
            return true;
    return false;
}

bool plumb_spec_kqueue_step(struct plumb_spec_space *space, plumb_spec_state s,
                            const struct plumb_spec_action *a,
                            struct plumb_spec_states *out)
{
    const struct item *item;
    const uint32_t n = items_of(space, s, &item);
    if (plumb_spec_finds_limit(space, PLUMB_CAP, n, a))
        return plumb_spec_step_refused(space, PLUMB_BLOCKING, s, a, out);
    if (plumb_spec_queue_inserts(a))
        return !plumb_spec_answers(a, PLUMB_TERM_OK) ||
               plumb_spec_states_made(out, append(space, s, a->arg[0]));
    for (uint32_t i = 0; i < n; i++) {
        if (!plumb_spec_answers_value(a, PLUMB_TERM_OK, item[i].value) ||
            !may_be_removed(space, item, i) || has_older_equal(item, i))
            continue;
        if (a->kind == PLUMB_QUEUE_PEEK)
            return plumb_spec_states_add(out, s);
        if (!plumb_spec_states_made(out, remove_at(space, s, i)))
            return false;
    }
    return true;
}

void plumb_spec_kqueue_show(const struct plumb_spec_space *space,
                            plumb_spec_state s, struct plumb_base_text *out)
{
    const struct item *item;
    const uint32_t n = items_of(space, s, &item);
    plumb_base_text_add(out, "[");
    for (uint32_t i = 0; i < n; i++) {
        plumb_base_text_add(out, i ? " " : "");
        plumb_spec_vid_show(space, item[i].value, out);
    }
    plumb_base_text_add(out, "]");
}
