/* item_counts.c - see item_counts.h.
 *
 * A *region* is, for each d of a window, the least e that can be reached.
 * Forward, the regions after every return are kept; backward, a path is picked
 * through them, from the end.  Where a path comes to nothing, items next to
 * each other that may be in either order are exchanged near there, and it goes
 * on from where they matter. */
#include "item_counter.h"

static enum plumb_check_count_word go_forward(struct plumb_check_counter *s,
                                              uint32_t *at)
{
    enum plumb_check_count_word word;
    *at = 0;
    plumb_check_count_begin(s);
    do {
        word = plumb_check_count_sweep(s, at, s->c->input->events);
        if (word == PLUMB_COUNT_WRONG)
            word = plumb_check_count_repair(s, at);
        else
            break;
    } while (word == PLUMB_COUNT_FINE);
    return word;
}

static bool open_counter(struct plumb_check_counter *s,
                         struct plumb_base_arena *scratch)
{
    const struct plumb_check_input *const input = s->c->input;
    s->start =
        plumb_base_arena_alloc(scratch, input->events * sizeof *s->start);
    s->listed = plumb_base_arena_zeroed(scratch, input->count + 1);
    return s->start && s->listed;
}

static bool tell(struct plumb_check_counter *s,
                 struct plumb_check_monitoring *m)
{
    const uint32_t size = 2 * s->c->input->count + 1;
    s->out = plumb_base_arena_alloc(m->arena, size * sizeof *s->out);
    if (!s->out || !plumb_check_count_backward(s))
        return false;
    for (uint32_t i = 0, k = s->outs; i + 1 < k; i++) {
        if (!plumb_base_in_time(s->c->budget, i))
            return false;
        const uint32_t op = s->out[--k];
        s->out[k] = s->out[i];
        s->out[i] = op;
    }
    m->order = s->out;
    m->order_count = s->outs;
    return true;
}

enum plumb_check_count_word plumb_check_count(struct plumb_check_counting *c,
                                              struct plumb_check_monitoring *m,
                                              uint32_t *at)
{
    struct plumb_check_counter *const s =
        plumb_base_arena_zeroed(m->scratch, sizeof *s);
    enum plumb_check_count_word word = PLUMB_COUNT_ENDED;
    if (!s)
        return word;
    s->c = c;
    if (open_counter(s, m->scratch)) {
        if (plumb_check_count_late_first(s))
            word = go_forward(s, at);
        if (word == PLUMB_COUNT_FINE && !tell(s, m))
            word = PLUMB_COUNT_ENDED;
    }
    PLUMB_VECTOR_RELEASE(c->budget, &s->kept);
    PLUMB_VECTOR_RELEASE(c->budget, &s->exchanged);
    return word;
}
