/* queue_order.c - is it a queue?  One sweep in the order of time.
 *
 * With ec, er, hr, dc of queue_view.h, value u has to be ahead of v
 *     if er(u) < ec(v): it came first, or
 *     if hr(u) < dc(v): it was the front while v had not left.
 * Two values that have to be ahead of each other are a violation.  The largest
 * dc of all values that have come by now, the *cover*, finds them when v comes:
 * some u came before and leaves too late iff cover > hr(v).  It also finds the
 * moments at which no value is surely there, the *gaps*: cover <= now.  A
 * remove or peek that found nothing needs one.
 *
 * Each value leaves as late as it can, at hr(y) of the first y that it has to
 * be ahead of, or of its own.  Those that y drives out are the first ones of
 * the list of values in the order of their er, so a pointer into that list
 * makes the order of the queue; at a gap, all that came are driven out.
 *
 * A peeked value that is surely still there (hr < dc) is *held*: it is the
 * front until dc.  What is driven out meanwhile left before it became the
 * front.  docs/MONITORS.md has the proof. */
#include "check/queue_order.h"

#include "base/arena.h"

#define NOBODY UINT32_MAX

struct sweep {
    const struct plumb_queue_view *view;
    const struct plumb_queue_value *value;
    struct plumb_queue_order *order;
    uint32_t *came; /* values in the order of their er */
    uint32_t comings, driven;
    uint32_t *came_under; /* with peeks: the cover when it came */
    uint32_t cover, gap, held;
};

static void is_wrong(struct sweep *s, uint32_t at)
{
    if (at < s->order->wrong_at)
        s->order->wrong_at = at;
}

static void leave(struct sweep *s, uint32_t v)
{
    struct plumb_queue_order *const o = s->order;
    if (o->place[v] != NOBODY)
        return;
    o->place[v] = o->count;
    o->line[o->count++] = v;
}

static void drive_out(struct sweep *s, uint32_t before)
{
    while (s->driven < s->comings && s->value[s->came[s->driven]].er < before)
        leave(s, s->came[s->driven++]);
}

/* Can y have left before the value that is held became the front? */
static bool fits_before_held(const struct sweep *s, uint32_t y)
{
    const struct plumb_queue_value *const x = s->value + y;
    const struct plumb_queue_value *const held = s->value + s->held;
    return x->dc < held->hr && s->came_under[y] < held->hr && held->er > x->ec;
}

/* It is time(y's hr) for y to be the front, or to have been. */
static void become_front(struct sweep *s, uint32_t y)
{
    const struct plumb_queue_value *const x = s->value + y;
    if (s->order->place[y] != NOBODY)
        return;
    if (s->held != NOBODY && !fits_before_held(s, y))
        is_wrong(s, x->hr);
    drive_out(s, x->ec);
    if (s->came_under && x->dc > x->hr)
        s->held = y;
    else
        leave(s, y);
}

static void see_call(struct sweep *s, const struct plumb_tape_op *o)
{
    if (o->role == PLUMB_ROLE_ADD) {
        const uint32_t v = plumb_queue_value_of(s->view, o);
        if (s->value[v].hr < s->cover)
            is_wrong(s, s->value[v].hr);
        if (s->came_under)
            s->came_under[v] = s->cover;
    }
    if (s->held != NOBODY && s->value[s->held].dc == o->call) {
        leave(s, s->held);
        s->held = NOBODY;
    }
}

static void see_return(struct sweep *s, const struct plumb_tape_op *o)
{
    if (o->term == PLUMB_TERM_EMPTY) {
        if (s->gap == NOBODY || s->gap < o->call)
            is_wrong(s, o->ret);
        return;
    }
    const uint32_t v = plumb_queue_value_of(s->view, o);
    const struct plumb_queue_value *const x = s->value + v;
    if (x->er == o->ret) {
        s->came[s->comings++] = v;
        if (x->dc > s->cover)
            s->cover = x->dc;
    }
    if (x->hr == o->ret)
        become_front(s, v);
}

static bool sweep(struct sweep *s)
{
    const struct plumb_tape *const tape = s->view->tape;
    for (uint32_t i = 0; i < tape->events; i++) {
        if (!plumb_queue_goes_on(s->view, i))
            return false;
        const uint32_t event = tape->event[i];
        const struct plumb_tape_op *const o = &tape->op[event / 2];
        if (plumb_tape_is_return(event))
            see_return(s, o);
        else
            see_call(s, o);
        const uint32_t now = plumb_tape_rank(o, event);
        if (s->cover <= now) {
            s->gap = now;
            drive_out(s, NOBODY);
        }
    }
    return true;
}

bool plumb_queue_line_up(struct plumb_queue_view *view,
                         struct plumb_arena *arena,
                         struct plumb_queue_order *order)
{
    const size_t size = view->values * sizeof(uint32_t);
    const bool peeks = view->tape->roles >> PLUMB_ROLE_PEEK & 1;
    *order = (struct plumb_queue_order){
        .line = plumb_arena_alloc(arena, size),
        .place = plumb_arena_alloc(arena, size),
        .wrong_at = view->odd_at,
    };
    struct sweep s = {
        .view = view,
        .value = view->value,
        .order = order,
        .came = plumb_arena_alloc(arena, size),
        .came_under = peeks ? plumb_arena_zeroed(arena, size) : NULL,
        .gap = NOBODY,
        .held = NOBODY,
    };
    if (!order->line || !order->place || !s.came || (peeks && !s.came_under))
        return false;
    for (uint32_t v = 0; v < view->values; v++) {
        order->place[v] = NOBODY;
        if (view->value[v].rem == PLUMB_NO_OP)
            view->value[v].dc = PLUMB_NEVER;
    }
    if (!sweep(&s))
        return false;
    if (s.held != NOBODY)
        leave(&s, s.held);
    drive_out(&s, NOBODY);
    return true;
}

/* ---- the witness ----
 *
 * The same moments, with the order known: adds and removes take effect in the
 * order of the line, adds up to v when some operation of v returns. */

struct writing {
    const struct plumb_queue_view *view;
    const struct plumb_queue_value *value;
    const struct plumb_queue_order *line;
    uint32_t *order; /* what is written */
    uint32_t count;
    uint32_t in, out; /* of the line: so many came, so many left */
    uint32_t cover, held;
    /* Reads that were called and have not taken effect: a list for each value,
     * and one for those that found nothing. */
    uint32_t *reads, *next, nothing;
};

static void write(struct writing *w, uint32_t op)
{
    w->order[w->count++] = op;
}

static void write_reads(struct writing *w, uint32_t *list)
{
    for (; *list != PLUMB_NO_OP; *list = w->next[*list])
        write(w, *list);
}

static void bring_in(struct writing *w, uint32_t count)
{
    for (; w->in < count; w->in++)
        write(w, w->value[w->line->line[w->in]].add);
}

static void take_out(struct writing *w, uint32_t count)
{
    for (; w->out < count; w->out++) {
        const uint32_t v = w->line->line[w->out];
        if (w->reads)
            write_reads(w, w->reads + v);
        write(w, w->value[v].rem);
    }
}

static bool answered_empty(const struct plumb_tape_op *o)
{
    return o->term == PLUMB_TERM_EMPTY && o->ret != PLUMB_NEVER;
}

static void wait(struct writing *w, uint32_t *list, uint32_t op)
{
    w->next[op] = *list;
    *list = op;
}

static void write_call(struct writing *w, uint32_t i)
{
    const struct plumb_tape_op *const o = &w->view->tape->op[i];
    if (answered_empty(o))
        wait(w, &w->nothing, i);
    else if (o->role == PLUMB_ROLE_PEEK && o->ret != PLUMB_NEVER)
        wait(w, &w->reads[plumb_queue_value_of(w->view, o)], i);
    if (w->held != NOBODY && w->value[w->held].dc == o->call) {
        take_out(w, w->line->place[w->held] + 1);
        w->held = NOBODY;
    }
}

static void write_return(struct writing *w, const struct plumb_tape_op *o)
{
    if (answered_empty(o))
        return;
    const uint32_t v = plumb_queue_value_of(w->view, o);
    const struct plumb_queue_value *const x = w->value + v;
    const uint32_t place = w->line->place[v];
    if (x->er == o->ret) {
        bring_in(w, place + 1);
        if (x->dc > w->cover)
            w->cover = x->dc;
    }
    if (x->hr == o->ret && x->dc < x->hr)
        take_out(w, place + 1);
    else if (x->hr == o->ret) {
        take_out(w, place);
        if (w->out == place)
            w->held = v;
    }
    if (o->role == PLUMB_ROLE_PEEK)
        write_reads(w, w->reads + v);
}

static bool write_all(struct writing *w)
{
    const struct plumb_tape *const tape = w->view->tape;
    for (uint32_t i = 0; i < tape->events; i++) {
        if (!plumb_queue_goes_on(w->view, i))
            return false;
        const uint32_t event = tape->event[i];
        const struct plumb_tape_op *const o = &tape->op[event / 2];
        if (plumb_tape_is_return(event))
            write_return(w, o);
        else
            write_call(w, event / 2);
        if (w->cover <= plumb_tape_rank(o, event)) {
            take_out(w, w->in);
            write_reads(w, &w->nothing);
        }
    }
    return true;
}

bool plumb_queue_witness(const struct plumb_queue_view *view,
                         const struct plumb_queue_order *order,
                         struct plumb_monitoring *m)
{
    const size_t size = view->tape->count * sizeof(uint32_t);
    const bool peeks = view->tape->roles >> PLUMB_ROLE_PEEK & 1;
    struct writing w = {
        .view = view,
        .value = view->value,
        .line = order,
        .order = plumb_arena_alloc(m->arena, size),
        .held = NOBODY,
        .next = plumb_arena_alloc(m->scratch, size),
        .nothing = PLUMB_NO_OP,
    };
    if (!w.order || !w.next)
        return false;
    if (peeks) {
        w.reads =
            plumb_arena_alloc(m->scratch, view->values * sizeof(uint32_t));
        if (!w.reads)
            return false;
        for (uint32_t v = 0; v < view->values; v++)
            w.reads[v] = PLUMB_NO_OP;
    }
    if (!write_all(&w))
        return false;
    m->order = w.order;
    m->order_count = w.count;
    return true;
}
