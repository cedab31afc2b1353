/* item_counts.c - see item_counts.h.
 *
 * A *region* is, for each d of a window, the least e that can be reached.
 * Forward, the regions after every return are kept; backward, a path is picked
 * through them, from the end.  Where a path comes to nothing, items next to
 * each other that may be in either order are exchanged near there, and it goes
 * on from where they matter. */
#include "item_counts.h"

#include "base/pace.h"
#include "base/vector.h"
#include "check/keyed/keyed.h"

#define NONE UINT32_MAX

enum { MOST_REGIONS = 24, MOST_ROWS = 64, MOST_OPEN = 64 };

struct region {
    uint32_t empties, fulls; /* so many open ones are explained */
    uint32_t least[MOST_ROWS];
};

/* After an event, or just before it. */
struct front {
    uint32_t d, rows; /* d ... d + rows - 1 */
    uint32_t count;
    struct region region[MOST_REGIONS];
};

/* What calls allow, and which failing answers are open, by call. */
struct moment {
    uint32_t rank;
    uint32_t called, leaving; /* items 1 ... were added, removed: calls */
    uint32_t empty[MOST_OPEN + 1], full[MOST_OPEN + 1];
    uint32_t empties, fulls;
};

struct counter {
    struct plumb_check_counting *c;
    struct moment now;
    struct front front;
    PLUMB_VECTOR(uint32_t) kept; /* fronts, packed */
    uint32_t *start;             /* by event, of returns: where in there */
    uint32_t *out;               /* the order, from its end */
    uint32_t outs;
    bool *listed; /* by operation, of failing ones */
    uint64_t steps;
    PLUMB_VECTOR(uint32_t) exchanged; /* items, with the next */
    uint32_t repairs;
};

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static const struct plumb_check_input_op *operation(const struct counter *s,
                                                    uint32_t event)
{
    return s->c->input->op + event / 2;
}

static bool fails(const struct plumb_check_input_op *o)
{
    return o->term == PLUMB_TERM_EMPTY || o->term == PLUMB_TERM_FULL;
}

/* ---- what a pair allows ---- */

/* Is it open just before the return at hand, if it was called? */
static bool is_open(const struct counter *s, uint32_t ret)
{
    return ret >= s->now.rank;
}

/* The most that may have come, if d have left. */
static uint32_t most(const struct counter *s, uint32_t d)
{
    return smaller(s->now.called, d + s->c->cap);
}

/* The least e from `least` on that allows `empty`; NONE if none does. */
static uint32_t looks_empty(const struct counter *s, uint32_t d, uint32_t least)
{
    const struct plumb_check_counted *const item = s->c->item;
    if (least == d)
        return least;
    if (s->c->rule == PLUMB_COUNT_STRICT)
        return NONE;
    const uint32_t last = s->c->rule == PLUMB_COUNT_GAP ? d + 1 : least;
    for (uint32_t i = d + 1; i <= last; i++)
        if (!is_open(s, item[i].add_ret))
            return NONE;
    return least;
}

/* With e that have come and d that have left: are the removals open that have
 * to be for `full`? */
static bool is_slot_held(const struct counter *s, uint32_t d, uint32_t e)
{
    const struct plumb_check_counted *const item = s->c->item;
    if (s->c->rule == PLUMB_COUNT_STRICT || e < s->c->cap)
        return false;
    const uint32_t first = e + 1 - s->c->cap;
    const uint32_t last = s->c->rule == PLUMB_COUNT_GAP ? first : d;
    for (uint32_t i = first; i <= last; i++)
        if (!is_open(s, item[i].rem_ret))
            return false;
    return true;
}

static uint32_t looks_full(const struct counter *s, uint32_t d, uint32_t least)
{
    const uint32_t end = most(s, d);
    if (s->c->rule == PLUMB_COUNT_STRICT)
        return end == d + s->c->cap ? end : NONE;
    for (uint32_t e = larger(least, s->c->cap); e <= end; e++)
        if (e == d + s->c->cap || is_slot_held(s, d, e))
            return e;
    return NONE;
}

/* ---- regions ---- */

/* More come and leave. */
static void close(const struct counter *s, const struct front *f,
                  struct region *r)
{
    uint32_t before = NONE;
    for (uint32_t i = 0; i < f->rows; i++) {
        const uint32_t d = f->d + i;
        if (before != NONE)
            r->least[i] = smaller(r->least[i], larger(before, d));
        if (r->least[i] != NONE && r->least[i] > most(s, d))
            r->least[i] = NONE;
        before = r->least[i];
    }
}

static bool is_nothing(const struct front *f, const struct region *r)
{
    for (uint32_t i = 0; i < f->rows; i++)
        if (r->least[i] != NONE)
            return false;
    return true;
}

/* Does `a` reach all that `b` does, and explain as much? */
static bool covers(const struct front *f, const struct region *a,
                   const struct region *b)
{
    if (a->empties < b->empties || a->fulls < b->fulls)
        return false;
    for (uint32_t i = 0; i < f->rows; i++)
        if (a->least[i] > b->least[i])
            return false;
    return true;
}

/* What `from` becomes by a visit that explains all that answered `empty`, or
 * `full`. */
static void visit(const struct counter *s, const struct front *f,
                  const struct region *from, bool full, struct region *to)
{
    to->empties = full ? from->empties : s->now.empties;
    to->fulls = full ? s->now.fulls : from->fulls;
    for (uint32_t i = 0; i < f->rows; i++) {
        const uint32_t least = from->least[i], d = f->d + i;
        to->least[i] = least == NONE ? NONE
                       : full        ? looks_full(s, d, least)
                                     : looks_empty(s, d, least);
    }
    close(s, f, to);
}

static void drop_region(struct front *f, uint32_t i)
{
    f->region[i] = f->region[--f->count];
}

/* False: there are too many. */
static bool take_region(struct front *f, const struct region *r)
{
    for (uint32_t i = 0; i < f->count; i++)
        if (covers(f, f->region + i, r))
            return true;
    if (is_nothing(f, r))
        return true;
    for (uint32_t i = f->count; i-- > 0;)
        if (covers(f, r, f->region + i))
            drop_region(f, i);
    if (f->count == MOST_REGIONS)
        return false;
    f->region[f->count++] = *r;
    return true;
}

/* What calls have made possible: just before the next return.  False: too many
 * overlap. */
static bool open_window(const struct counter *s, struct front *f)
{
    const uint32_t rows = s->now.leaving - f->d + 1;
    if (rows > MOST_ROWS)
        return false;
    for (uint32_t i = 0; i < f->count; i++) {
        for (uint32_t k = f->rows; k < rows; k++)
            f->region[i].least[k] = NONE;
    }
    f->rows = rows;
    for (uint32_t i = 0; i < f->count; i++)
        close(s, f, f->region + i);
    return true;
}

static bool explain(const struct counter *s, struct front *f)
{
    struct region r;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < f->count && !again; i++)
            for (unsigned full = 0; full < 2 && !again; full++) {
                const struct region *const from = f->region + i;
                if (full ? from->fulls == s->now.fulls
                         : from->empties == s->now.empties)
                    continue;
                visit(s, f, from, full, &r);
                bool covered = is_nothing(f, &r);
                for (uint32_t k = 0; k < f->count && !covered; k++)
                    covered = covers(f, f->region + k, &r);
                if (covered)
                    continue;
                if (!take_region(f, &r))
                    return false;
                again = true;
            }
    }
    return true;
}

/* ---- events ---- */

/* False: too many overlap. */
static bool see_call(struct counter *s, uint32_t event)
{
    const struct plumb_check_input_op *const o = operation(s, event);
    struct moment *const now = &s->now;
    if (o->term == PLUMB_TERM_EMPTY && now->empties < MOST_OPEN)
        now->empty[now->empties++] = event / 2;
    else if (o->term == PLUMB_TERM_FULL && now->fulls < MOST_OPEN)
        now->full[now->fulls++] = event / 2;
    else
        return !fails(o);
    return true;
}

static void catch_up(struct counter *s)
{
    const struct plumb_check_counting *const c = s->c;
    struct moment *const now = &s->now;
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

static void keep_explained(struct front *f, bool full, uint32_t place)
{
    for (uint32_t i = f->count; i-- > 0;) {
        uint32_t *const explained =
            full ? &f->region[i].fulls : &f->region[i].empties;
        if (*explained <= place)
            drop_region(f, i);
        else
            (*explained)--;
    }
}

static void keep_done(const struct counter *s, struct front *f, uint32_t number,
                      bool added)
{
    for (uint32_t i = f->count; i-- > 0;) {
        struct region *const r = f->region + i;
        for (uint32_t k = 0; k < f->rows; k++) {
            const uint32_t d = f->d + k;
            if (added && r->least[k] != NONE)
                r->least[k] = larger(r->least[k], number);
            if (r->least[k] > most(s, d) || (!added && d < number))
                r->least[k] = NONE;
        }
        if (is_nothing(f, r))
            drop_region(f, i);
    }
}

/* Rows that nobody reaches any more are left behind. */
static void move_window(struct front *f)
{
    uint32_t gone = f->rows;
    for (uint32_t i = 0; i < f->count; i++)
        for (uint32_t k = 0; k < gone; k++)
            if (f->region[i].least[k] != NONE)
                gone = k;
    for (uint32_t i = 0; gone && i < f->count; i++)
        for (uint32_t k = gone; k < f->rows; k++)
            f->region[i].least[k - gone] = f->region[i].least[k];
    f->d += gone;
    f->rows -= gone;
}

static bool see_return(struct counter *s, uint32_t event)
{
    const struct plumb_check_input_op *const o = operation(s, event);
    struct front *const f = &s->front;
    uint32_t place;
    s->now.rank = o->ret;
    catch_up(s);
    if (!open_window(s, f) ||
        ((s->now.empties || s->now.fulls) && !explain(s, f)))
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

/* ---- keeping ---- */

enum { KEPT_HEAD = 5 };

static uint32_t size_of(const struct front *f)
{
    return KEPT_HEAD + f->count * (2 + f->rows);
}

/* What calls allow, d, rows, count; and of each region what it explains, and
 * its least ones. */
static bool keep(struct counter *s, uint32_t at)
{
    const struct front *const f = &s->front;
    const size_t size = size_of(f);
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

static void begin(struct counter *s)
{
    s->now.called = s->now.leaving = 0;
    s->front.d = 0;
    s->front.rows = 1;
    s->front.count = 1;
    s->front.region[0] = (struct region){ .empties = 0 };
}

/* After the return at event `at`, or at first if there is none (NONE). */
static void recall(struct counter *s, uint32_t at)
{
    struct front *const f = &s->front;
    if (at == NONE) {
        begin(s);
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
static enum plumb_check_count_word sweep(struct counter *s, uint32_t *at,
                                         uint32_t to)
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

/* ---- in another order ---- */

static bool may_exchange(const struct counter *s, uint32_t i)
{
    const struct plumb_check_counted *const a = s->c->item + i, *const b =
                                                                    a + 1;
    return a->add_ret > b->add_call &&
           (i > s->c->removed ||
            (i < s->c->removed && a->rem_ret > b->rem_call));
}

static void number_item(const struct counter *s, uint32_t i)
{
    const struct plumb_check_counted *const a = s->c->item + i;
    s->c->number[a->add] = i;
    if (a->rem != PLUMB_NEVER)
        s->c->number[a->rem] = i;
}

static void exchange(const struct counter *s, uint32_t i)
{
    struct plumb_check_counted *const a = s->c->item + i, b = a[1];
    a[1] = a[0];
    a[0] = b;
    number_item(s, i);
    number_item(s, i + 1);
}

/* Take back what was seen of an event. */
static void unsee(struct counter *s, uint32_t event)
{
    const uint32_t op = event / 2;
    const struct plumb_check_input_op *const o = s->c->input->op + op;
    uint32_t *const open =
        o->term == PLUMB_TERM_FULL ? s->now.full : s->now.empty;
    uint32_t *const count =
        o->term == PLUMB_TERM_FULL ? &s->now.fulls : &s->now.empties;
    uint32_t place;
    if (!fails(o))
        return;
    if (!plumb_check_input_is_return(event)) {
        forget(open, count, op, &place);
        return;
    }
    for (place = (*count)++; place && open[place - 1] > op; place--)
        open[place] = open[place - 1];
    open[place] = op;
}

/* Back to before event `to`; those from there to `at` - 1 were seen. */
static void rewind_to(struct counter *s, uint32_t to, uint32_t at)
{
    const uint32_t *const event = s->c->input->event;
    while (at > to)
        unsee(s, event[--at]);
    while (at && !plumb_check_input_is_return(event[at - 1]))
        at--;
    recall(s, at ? at - 1 : NONE);
    s->kept.count = at ? s->start[at - 1] + size_of(&s->front) : 0;
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

static bool note_exchange(struct counter *s, uint32_t i)
{
    exchange(s, i);
    return PLUMB_PUSH(s->c->budget, &s->exchanged, i);
}

/* Items `first` ... `last` as preferred. */
static bool prefer(struct counter *s, uint32_t first, uint32_t last,
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
static uint32_t first_event(const struct counter *s)
{
    uint32_t call = PLUMB_NEVER;
    for (size_t i = 0; i < s->exchanged.count; i++) {
        const struct plumb_check_counted *const a =
            s->c->item + s->exchanged.at[i];
        call = smaller(call, smaller(a[0].add_call, a[1].add_call));
    }
    return plumb_check_input_events_before(s->c->input, call);
}

/* It went wrong at event *at, whose return was seen.  Is it better with what
 * was exchanged since?  FINE: it is, and *at is the next event.  Else that is
 * taken back. */
static enum plumb_check_count_word try_exchanged(struct counter *s,
                                                 uint32_t *at)
{
    const uint32_t end = *at + 1, from = first_event(s);
    uint32_t reached = from;
    enum plumb_check_count_word word = PLUMB_COUNT_WRONG;
    if (from < end && s->exchanged.count) {
        rewind_to(s, from, end);
        word = sweep(s, &reached, end);
    }
    if (word == PLUMB_COUNT_FINE)
        *at = end;
    if (word == PLUMB_COUNT_WRONG) {
        while (s->exchanged.count)
            exchange(s, PLUMB_POP(&s->exchanged));
        if (from < end) {
            rewind_to(s, from, reached + 1);
            reached = from;
            const enum plumb_check_count_word again = sweep(s, &reached, end);
            assert(again != PLUMB_COUNT_FINE); /* as before */
            word = again;
        }
    }
    s->exchanged.count = 0;
    return word;
}

enum { NEAR = 12, MOST_REPAIRS = 10000 };

static enum plumb_check_count_word repair_near(struct counter *s,
                                               uint32_t middle, uint32_t *at)
{
    const uint32_t first = middle > NEAR ? middle - NEAR : 1;
    const uint32_t last = smaller(middle + NEAR, s->c->items);
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
static enum plumb_check_count_word repair(struct counter *s, uint32_t *at)
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
static bool begin_with_late_ones(struct counter *s)
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

static enum plumb_check_count_word go_forward(struct counter *s, uint32_t *at)
{
    enum plumb_check_count_word word;
    *at = 0;
    begin(s);
    do {
        word = sweep(s, at, s->c->input->events);
        if (word == PLUMB_COUNT_WRONG)
            word = repair(s, at);
        else
            break;
    } while (word == PLUMB_COUNT_FINE);
    return word;
}

/* ---- backward ---- */

/* A pair, and how many answers are explained by then. */
struct pair {
    uint32_t e, d, empties, fulls;
};

static bool contains(const struct front *f, const struct region *r,
                     const struct pair *p)
{
    return r->empties >= p->empties && r->fulls >= p->fulls && p->d >= f->d &&
           p->d - f->d < f->rows && r->least[p->d - f->d] <= p->e;
}

static void list(struct counter *s, uint32_t op)
{
    s->out[s->outs++] = op;
}

/* From `from` to `to`, backward: never too many are there, nor too few. */
static void list_moves(struct counter *s, const struct pair *from,
                       const struct pair *to)
{
    uint32_t e = to->e, d = to->d;
    while (e > from->e || d > from->d)
        if (d > from->d && e - d < s->c->cap)
            list(s, s->c->item[d--].rem);
        else
            list(s, s->c->item[e--].add);
}

/* All that are open take effect here, unless they do later. */
static void list_failing(struct counter *s, bool full)
{
    const uint32_t *const open = full ? s->now.full : s->now.empty;
    const uint32_t count = full ? s->now.fulls : s->now.empties;
    for (uint32_t i = 0; i < count; i++)
        if (!s->listed[open[i]]) {
            s->listed[open[i]] = true;
            list(s, open[i]);
        }
}

/* `to` was reached by a visit from region r: go back to where it was made. */
static void leave_visit(struct counter *s, const struct region *r, bool full,
                        struct pair *to)
{
    const struct front *const f = &s->front;
    for (uint32_t k = 0; k < f->rows; k++) {
        const uint32_t d = f->d + k, least = r->least[k];
        if (least == NONE || d > to->d)
            continue;
        const uint32_t e =
            full ? looks_full(s, d, least) : looks_empty(s, d, least);
        if (e == NONE || e > to->e)
            continue;
        const struct pair at = { e, d, r->empties, r->fulls };
        list_moves(s, &at, to);
        list_failing(s, full);
        *to = at;
        return;
    }
    assert(!"a visit");
}

/* Which visits lead from a region to `to`: up to two, of one kind each. */
static bool leave_visits(struct counter *s, const struct region *r,
                         struct pair *to)
{
    struct region once[2], twice;
    if (contains(&s->front, r, to))
        return true;
    for (unsigned full = 0; full < 2; full++) {
        visit(s, &s->front, r, full, &once[full]);
        if (contains(&s->front, &once[full], to)) {
            leave_visit(s, r, full, to);
            return true;
        }
    }
    for (unsigned full = 0; full < 2; full++) {
        visit(s, &s->front, &once[!full], full, &twice);
        if (contains(&s->front, &twice, to)) {
            leave_visit(s, &once[!full], full, to);
            leave_visit(s, r, !full, to);
            return true;
        }
    }
    return false;
}

/* What calls allowed, and is in no front, does not count. */
static void leave_calls(struct counter *s, uint32_t before, struct pair *to)
{
    struct pair at = *to;
    struct front *const f = &s->front;
    recall(s, before);
    for (uint32_t i = 0; i < f->count; i++)
        for (uint32_t k = 0; k < f->rows; k++) {
            at = (struct pair){ f->region[i].least[k], f->d + k,
                                f->region[i].empties, f->region[i].fulls };
            if (at.e > to->e || at.d > to->d || at.empties != to->empties ||
                at.fulls != to->fulls)
                continue;
            list_moves(s, &at, to);
            *to = at;
            return;
        }
    assert(!"a way back");
}

/* `to` holds just before the return at hand: go back to what held after the one
 * before, at event `before`. */
static void walk_back(struct counter *s, uint32_t before, struct pair *to)
{
    const uint32_t called = s->now.called, leaving = s->now.leaving;
    recall(s, before);
    s->now.called = called;
    s->now.leaving = leaving;
    open_window(s, &s->front);
    for (uint32_t i = 0; i < s->front.count; i++) {
        const struct region r = s->front.region[i];
        if (!leave_visits(s, &r, to))
            continue;
        to->empties = r.empties;
        to->fulls = r.fulls;
        break;
    }
    leave_calls(s, before, to);
}

static uint32_t return_before(const struct counter *s, uint32_t at)
{
    while (at > 0)
        if (plumb_check_input_is_return(s->c->input->event[--at]))
            return at;
    return NONE;
}

static bool go_backward(struct counter *s)
{
    const struct plumb_check_input *const input = s->c->input;
    uint32_t at = return_before(s, input->events);
    struct pair to = { 0, 0, 0, 0 };
    recall(s, at);
    s->now.empties = s->now.fulls = 0;
    for (to.d = s->front.d;
         s->front.region[0].least[to.d - s->front.d] == NONE;)
        to.d++;
    to.e = s->front.region[0].least[to.d - s->front.d];
    for (uint32_t i = input->events; i-- > 0;) {
        const struct plumb_check_input_op *const o =
            operation(s, input->event[i]);
        if (!plumb_base_in_time(s->c->budget, s->steps++))
            return false;
        unsee(s, input->event[i]);
        if (i != at)
            continue;
        s->now.rank = o->ret;
        if (s->c->told)
            list(s, input->event[i] / 2);
        to.empties += o->term == PLUMB_TERM_EMPTY;
        to.fulls += o->term == PLUMB_TERM_FULL;
        recall(s, i);
        at = return_before(s, i);
        walk_back(s, at, &to);
    }
    return true;
}

/* ---- all of it ---- */

static bool open_counter(struct counter *s, struct plumb_base_arena *scratch)
{
    const struct plumb_check_input *const input = s->c->input;
    s->start =
        plumb_base_arena_alloc(scratch, input->events * sizeof *s->start);
    s->listed = plumb_base_arena_zeroed(scratch, input->count + 1);
    return s->start && s->listed;
}

static bool tell(struct counter *s, struct plumb_check_monitoring *m)
{
    const uint32_t size = 2 * s->c->input->count + 1;
    s->out = plumb_base_arena_alloc(m->arena, size * sizeof *s->out);
    if (!s->out || !go_backward(s))
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
    struct counter *const s = plumb_base_arena_zeroed(m->scratch, sizeof *s);
    enum plumb_check_count_word word = PLUMB_COUNT_ENDED;
    if (!s)
        return word;
    s->c = c;
    if (open_counter(s, m->scratch)) {
        if (begin_with_late_ones(s))
            word = go_forward(s, at);
        if (word == PLUMB_COUNT_FINE && !tell(s, m))
            word = PLUMB_COUNT_ENDED;
    }
    PLUMB_VECTOR_RELEASE(c->budget, &s->kept);
    PLUMB_VECTOR_RELEASE(c->budget, &s->exchanged);
    return word;
}
