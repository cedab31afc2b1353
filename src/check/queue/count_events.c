/* count_events.c - the regions after every return, event by event; they are kept
 * packed, so that one can come back to each. */
#include "item_counter.h"

/* False: too many overlap. */
static bool see_call(struct plumb_check_counter *s, uint32_t event)
{
    const struct plumb_check_input_op *const o = counted_operation(s, event);
    struct plumb_check_moment *const now = &s->now;
    if (o->term == PLUMB_TERM_EMPTY && now->empties < MOST_OPEN)
        now->empty[now->empties++] = event / 2;
    else if (o->term == PLUMB_TERM_FULL && now->fulls < MOST_OPEN)
        now->full[now->fulls++] = event / 2;
    else
        return !counted_fails(o);
    return true;
}

static void catch_up(struct plumb_check_counter *s)
{
    const struct plumb_check_counting *const c = s->c;
    struct plumb_check_moment *const now = &s->now;
    while (now->called < c->items &&
           c->item[now->called + 1].add_call < now->rank)
        now->called++;
    while (now->leaving < c->removed &&
           c->item[now->leaving + 1].rem_call < now->rank)
        now->leaving++;
}

/* Those called before it are explained with it. */
static void forget(uint32_t *open, uint32_t *count, uint32_t op,
                   uint32_t *place)
{
    uint32_t i = 0;
    while (open[i] != op)
        i++;
    *place = i;
    for ((*count)--; i < *count; i++)
        open[i] = open[i + 1];
}

static void keep_explained(struct plumb_check_front *f, bool full,
                           uint32_t place)
{
    for (uint32_t i = f->count; i-- > 0;) {
        uint32_t *const explained =
            full ? &f->region[i].fulls : &f->region[i].empties;
        if (*explained <= place)
            plumb_check_count_drop(f, i);
        else
            (*explained)--;
    }
}

static void keep_done(const struct plumb_check_counter *s,
                      struct plumb_check_front *f, uint32_t number, bool added)
{
    for (uint32_t i = f->count; i-- > 0;) {
        struct plumb_check_region *const r = f->region + i;
        for (uint32_t k = 0; k < f->rows; k++) {
            const uint32_t d = f->d + k;
            if (added && r->least[k] != COUNT_NONE)
                r->least[k] = counted_larger(r->least[k], number);
            if (r->least[k] > plumb_check_count_most(s, d) ||
                (!added && d < number))
                r->least[k] = COUNT_NONE;
        }
        if (plumb_check_count_is_nothing(f, r))
            plumb_check_count_drop(f, i);
    }
}

/* Rows that nobody reaches any more are left behind. */
static void move_window(struct plumb_check_front *f)
{
    uint32_t gone = f->rows;
    for (uint32_t i = 0; i < f->count; i++)
        for (uint32_t k = 0; k < gone; k++)
            if (f->region[i].least[k] != COUNT_NONE)
                gone = k;
    for (uint32_t i = 0; gone && i < f->count; i++)
        for (uint32_t k = gone; k < f->rows; k++)
            f->region[i].least[k - gone] = f->region[i].least[k];
    f->d += gone;
    f->rows -= gone;
}

static bool see_return(struct plumb_check_counter *s, uint32_t event)
{
    const struct plumb_check_input_op *const o = counted_operation(s, event);
    struct plumb_check_front *const f = &s->front;
    uint32_t place;
    s->now.rank = o->ret;
    catch_up(s);
    if (!plumb_check_count_open_window(s, f) ||
        ((s->now.empties || s->now.fulls) && !plumb_check_count_explain(s, f)))
        return false;
    if (o->term == PLUMB_TERM_EMPTY) {
        forget(s->now.empty, &s->now.empties, event / 2, &place);
        keep_explained(f, false, place);
    } else if (o->term == PLUMB_TERM_FULL) {
        forget(s->now.full, &s->now.fulls, event / 2, &place);
        keep_explained(f, true, place);
    } else {
        keep_done(s, f, s->c->number[event / 2], o->role == PLUMB_ROLE_ADD);
    }
    move_window(f);
    return true;
}

/* Take back what was seen of an event. */
void plumb_check_count_unsee(struct plumb_check_counter *s, uint32_t event)
{
    const uint32_t op = event / 2;
    const struct plumb_check_input_op *const o = s->c->input->op + op;
    uint32_t *const open =
        o->term == PLUMB_TERM_FULL ? s->now.full : s->now.empty;
    uint32_t *const count =
        o->term == PLUMB_TERM_FULL ? &s->now.fulls : &s->now.empties;
    uint32_t place;
    if (!counted_fails(o))
        return;
    if (!plumb_check_input_is_return(event)) {
        forget(open, count, op, &place);
        return;
    }
    for (place = (*count)++; place && open[place - 1] > op; place--)
        open[place] = open[place - 1];
    open[place] = op;
}

/* ---- keeping ---- */

enum { KEPT_HEAD = 5 };

uint32_t plumb_check_count_size(const struct plumb_check_front *f)
{
    return KEPT_HEAD + f->count * (2 + f->rows);
}

/* What calls allow, d, rows, count; and of each region what it explains, and
 * its least ones. */
static bool keep(struct plumb_check_counter *s, uint32_t at)
{
    const struct plumb_check_front *const f = &s->front;
    const size_t size = plumb_check_count_size(f);
    s->start[at] = (uint32_t)s->kept.count;
    if (s->kept.count + size > UINT32_MAX ||
        !PLUMB_RESERVE(s->c->budget, &s->kept, s->kept.count + size))
        return false;
    uint32_t *to = s->kept.at + s->kept.count;
    *to++ = s->now.called;
    *to++ = s->now.leaving;
    *to++ = f->d;
    *to++ = f->rows;
    *to++ = f->count;
    for (uint32_t i = 0; i < f->count; i++) {
        *to++ = f->region[i].empties;
        *to++ = f->region[i].fulls;
        for (uint32_t k = 0; k < f->rows; k++)
            *to++ = f->region[i].least[k];
    }
    s->kept.count += size;
    return true;
}

void plumb_check_count_begin(struct plumb_check_counter *s)
{
    s->now.called = s->now.leaving = 0;
    s->front.d = 0;
    s->front.rows = 1;
    s->front.count = 1;
    s->front.region[0] = (struct plumb_check_region){ .empties = 0 };
}

/* After the return at event `at`, or at first if there is none (COUNT_NONE). */
void plumb_check_count_recall(struct plumb_check_counter *s, uint32_t at)
{
    struct plumb_check_front *const f = &s->front;
    if (at == COUNT_NONE) {
        plumb_check_count_begin(s);
        return;
    }
    const uint32_t *from = s->kept.at + s->start[at];
    s->now.called = *from++;
    s->now.leaving = *from++;
    f->d = *from++;
    f->rows = *from++;
    f->count = *from++;
    for (uint32_t i = 0; i < f->count; i++) {
        f->region[i].empties = *from++;
        f->region[i].fulls = *from++;
        for (uint32_t k = 0; k < f->rows; k++)
            f->region[i].least[k] = *from++;
    }
}

/* ---- forward ---- */

/* What happens at events *at ... `to` - 1; *at is where it ended. */
enum plumb_check_count_word plumb_check_count_sweep(
    struct plumb_check_counter *s, uint32_t *at, uint32_t to)
{
    const uint32_t *const event = s->c->input->event;
    for (; *at < to; ++*at) {
        if (!plumb_base_in_time(s->c->budget, s->steps++))
            return PLUMB_COUNT_ENDED;
        if (!plumb_check_input_is_return(event[*at])) {
            if (!see_call(s, event[*at]))
                return PLUMB_COUNT_TOO_MANY;
            continue;
        }
        if (!see_return(s, event[*at]))
            return PLUMB_COUNT_TOO_MANY;
        if (s->front.count == 0)
            return PLUMB_COUNT_WRONG;
        if (!keep(s, *at))
            return PLUMB_COUNT_ENDED;
    }
    return PLUMB_COUNT_FINE;
}
