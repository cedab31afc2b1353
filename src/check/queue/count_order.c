/* count_order.c - items in another order: where real time leaves the order of
 * items next to each other open, they are exchanged near the place at which a
 * path came to nothing. */
#include "item_counter.h"

static bool may_exchange(const struct plumb_check_counter *s, uint32_t i)
{
    const struct plumb_check_counted *const a = s->c->item + i, *const b =
                                                                    a + 1;
    return a->add_ret > b->add_call &&
           (i > s->c->removed ||
            (i < s->c->removed && a->rem_ret > b->rem_call));
}

static void number_item(const struct plumb_check_counter *s, uint32_t i)
{
    const struct plumb_check_counted *const a = s->c->item + i;
    s->c->number[a->add] = i;
    if (a->rem != PLUMB_NEVER)
        s->c->number[a->rem] = i;
}

static void exchange(const struct plumb_check_counter *s, uint32_t i)
{
    struct plumb_check_counted *const a = s->c->item + i, b = a[1];
    a[1] = a[0];
    a[0] = b;
    number_item(s, i);
    number_item(s, i + 1);
}

/* Back to before event `to`; those from there to `at` - 1 were seen. */
static void rewind_to(struct plumb_check_counter *s, uint32_t to, uint32_t at)
{
    const uint32_t *const event = s->c->input->event;
    while (at > to)
        plumb_check_count_unsee(s, event[--at]);
    while (at && !plumb_check_input_is_return(event[at - 1]))
        at--;
    plumb_check_count_recall(s, at ? at - 1 : COUNT_NONE);
    s->kept.count =
        at ? s->start[at - 1] + plumb_check_count_size(&s->front) : 0;
}

/* ---- repairs ---- */

/* What to have first of two that may be in either order. */
enum preference {
    ADD_CALLED,
    ADD_RETURNED,
    ADD_RETURNED_LAST,
    REM_CALLED,
    REM_RETURNED,
    REM_RETURNED_LAST,
    PREFERENCES
};

static uint32_t key_of(const struct plumb_check_counted *x, unsigned preference)
{
    const uint32_t key[PREFERENCES] = { x->add_call, x->add_ret, ~x->add_ret,
                                        x->rem_call, x->rem_ret, ~x->rem_ret };
    return key[preference];
}

static bool note_exchange(struct plumb_check_counter *s, uint32_t i)
{
    exchange(s, i);
    return PLUMB_PUSH(s->c->budget, &s->exchanged, i);
}

/* Items `first` ... `last` as preferred. */
static bool prefer(struct plumb_check_counter *s, uint32_t first, uint32_t last,
                   unsigned preference)
{
    const struct plumb_check_counted *const item = s->c->item;
    for (uint32_t i = first; i < last; i++) {
        if (!plumb_base_in_time(s->c->budget, s->steps++))
            return false;
        for (uint32_t k = i;
             k >= first && may_exchange(s, k) &&
             key_of(item + k, preference) > key_of(item + k + 1, preference);
             k--)
            if (!note_exchange(s, k))
                return false;
    }
    return true;
}

/* The first event at which items that were exchanged matter. */
static uint32_t first_event(const struct plumb_check_counter *s)
{
    uint32_t call = PLUMB_NEVER;
    for (size_t i = 0; i < s->exchanged.count; i++) {
        const struct plumb_check_counted *const a =
            s->c->item + s->exchanged.at[i];
        call = counted_smaller(call,
                               counted_smaller(a[0].add_call, a[1].add_call));
    }
    return plumb_check_input_events_before(s->c->input, call);
}

/* It went wrong at event *at, whose return was seen.  Is it better with what
 * was exchanged since?  FINE: it is, and *at is the next event.  Else that is
 * taken back. */
static enum plumb_check_count_word try_exchanged(struct plumb_check_counter *s,
                                                 uint32_t *at)
{
    const uint32_t end = *at + 1, from = first_event(s);
    uint32_t reached = from;
    enum plumb_check_count_word word = PLUMB_COUNT_WRONG;
    if (from < end && s->exchanged.count) {
        rewind_to(s, from, end);
        word = plumb_check_count_sweep(s, &reached, end);
    }
    if (word == PLUMB_COUNT_FINE)
        *at = end;
    if (word == PLUMB_COUNT_WRONG) {
        while (s->exchanged.count)
            exchange(s, PLUMB_POP(&s->exchanged));
        if (from < end) {
            rewind_to(s, from, reached + 1);
            reached = from;
            const enum plumb_check_count_word again =
                plumb_check_count_sweep(s, &reached, end);
            assert(again != PLUMB_COUNT_FINE); /* as before */
            word = again;
        }
    }
    s->exchanged.count = 0;
    return word;
}

enum { NEAR = 12, MOST_REPAIRS = 10000 };

static enum plumb_check_count_word repair_near(struct plumb_check_counter *s,
                                               uint32_t middle, uint32_t *at)
{
    const uint32_t first = middle > NEAR ? middle - NEAR : 1;
    const uint32_t last = counted_smaller(middle + NEAR, s->c->items);
    enum plumb_check_count_word word = PLUMB_COUNT_WRONG;
    for (unsigned p = 0; p < PREFERENCES && word == PLUMB_COUNT_WRONG; p++)
        word = prefer(s, first, last, p) ? try_exchanged(s, at)
                                         : PLUMB_COUNT_ENDED;
    for (uint32_t i = last; i-- > first && word == PLUMB_COUNT_WRONG;)
        if (may_exchange(s, i))
            word =
                note_exchange(s, i) ? try_exchanged(s, at) : PLUMB_COUNT_ENDED;
    return word;
}

/* Near the items that come next, those that leave, and those whose slots are
 * needed. */
enum plumb_check_count_word plumb_check_count_repair(
    struct plumb_check_counter *s, uint32_t *at)
{
    const uint32_t called = s->now.called, cap = s->c->cap;
    const uint32_t middle[] = { s->now.leaving, called,
                                called > cap ? called + 1 - cap : 0 };
    enum plumb_check_count_word word = PLUMB_COUNT_WRONG;
    if (s->repairs++ > MOST_REPAIRS)
        return word;
    for (unsigned i = 0; i < 3 && word == PLUMB_COUNT_WRONG; i++)
        if (i == 0 || middle[i] != middle[0])
            word = repair_near(s, middle[i], at);
    return word;
}

/* Of two that may be in either order, the one whose addition returns later is
 * first: so long may others answer because of it. */
bool plumb_check_count_late_first(struct plumb_check_counter *s)
{
    for (uint32_t i = 1; i <= s->c->items; i++) {
        if (!plumb_base_in_time(s->c->budget, s->steps++))
            return false;
        number_item(s, i);
    }
    if (s->c->rule == PLUMB_COUNT_GAP &&
        !prefer(s, 1, s->c->items, ADD_RETURNED_LAST))
        return false;
    s->exchanged.count = 0;
    return true;
}
