/* queue_order.c - is it a queue?  One sweep in the order of time.
 *
 * With ec, er, hr, dc of queue_view.h, value u has to be ahead of v
 *     if er(u) < ec(v): it came first, or
 *     if hr(u) < dc(v): it was the front while v had not left.
 *
 * Each value leaves as late as it can: at hr(y) of the first y that it has to
 * be ahead of, or of its own.  Those that y drives out are the first ones of
 * the list of values in the order of their er, so a pointer into that list
 * makes the order of the queue.  One that is driven out before its dc is in the
 * wrong.  The largest dc of all values that have come by now, the *cover*, tells
 * the *gaps*, where no value is surely there: cover < now.  A peeked value that
 * is surely still there (hr < dc) is *held*: it is the front until dc.
 * docs/how-monitors-work.md has the proof. */
#include "queue_view.h"

#include "base/arena.h"
#include <assert.h>

#define NOBODY UINT32_MAX

struct sweep {
    const struct plumb_check_queue_view *view;
    const struct plumb_check_queue_value *value;
    struct plumb_check_queue_order *order;
    uint32_t *came; /* values in the order of their er */
    uint32_t comings, driven;
    uint32_t cover, gap, held;
};

static void is_wrong(struct sweep *s, uint32_t at)
{
    if (at < s->order->wrong_at)
        s->order->wrong_at = at;
}

static void leave(struct sweep *s, uint32_t v)
{
    struct plumb_check_queue_order *const o = s->order;
    o->place[v] = o->count;
    o->line[o->count++] = v;
}

/* All that came before rank `before` leave, at rank `now` at the latest.  False
 * if one of them cannot. */
static bool drive_out(struct sweep *s, uint32_t before, uint32_t now)
{
    bool can = true;
    for (; s->driven < s->comings; s->driven++) {
        const uint32_t v = s->came[s->driven];
        if (s->value[v].er >= before)
            break;
        if (s->order->place[v] != NOBODY)
            continue;
        can &= s->value[v].dc <= now;
        leave(s, v);
    }
    return can;
}

/* It is time for y to be the front, or to have been. */
static void become_front(struct sweep *s, uint32_t y)
{
    const struct plumb_check_queue_value *const x = s->value + y;
    uint32_t now = x->hr;
    if (s->order->place[y] != NOBODY)
        return;
    if (s->held != NOBODY) {
        const struct plumb_check_queue_value *const held = s->value + s->held;
        now = held->hr;
        if (x->dc > now)
            is_wrong(s, x->hr);
    }
    if (!drive_out(s, x->ec, now))
        is_wrong(s, x->hr);
    if (s->order->place[y] != NOBODY)
        return;
    if (x->dc > x->hr)
        s->held = y;
    else
        leave(s, y);
}

static void let_held_go(struct sweep *s)
{
    if (s->order->place[s->held] == NOBODY)
        leave(s, s->held);
    s->held = NOBODY;
}

static void see_return(struct sweep *s, const struct plumb_check_input_op *o)
{
    if (s->cover < o->ret) {
        s->gap = o->ret;
        drive_out(s, NOBODY, NOBODY);
    }
    if (o->term == PLUMB_TERM_EMPTY) {
        if (s->gap == NOBODY || s->gap < o->call)
            is_wrong(s, o->ret);
        return;
    }
    const uint32_t v = plumb_check_queue_value_of(s->view, o);
    const struct plumb_check_queue_value *const x = s->value + v;
    if (x->er == o->ret) {
        s->came[s->comings++] = v;
        if (x->dc > s->cover)
            s->cover = x->dc;
    }
    if (x->hr == o->ret)
        become_front(s, v);
}

/* Calls and returns come as they like, which a processor cannot foresee: it is
 * faster to sort some of them out first, without a branch. */
enum { SOME = 4096 };

/* The operations that return among the next events; how many. */
static uint32_t returns(const struct plumb_check_input *input, uint32_t from,
                        uint32_t some[SOME])
{
    const uint32_t end =
        input->events - from < SOME ? input->events - from : SOME;
    uint32_t count = 0;
    for (uint32_t i = 0; i < end; i++) {
        some[count] = input->event[from + i] / 2;
        count += plumb_check_input_is_return(input->event[from + i]);
    }
    return count;
}

static bool sweep(struct sweep *s)
{
    const struct plumb_check_input *const input = s->view->input;
    uint32_t some[SOME];
    for (uint32_t i = 0; i < input->events; i += SOME) {
        if (plumb_budget_state(s->view->budget) != PLUMB_OK)
            return false;
        const uint32_t count = returns(input, i, some);
        for (uint32_t j = 0; j < count; j++) {
            const struct plumb_check_input_op *const o = &input->op[some[j]];
            if (s->held != NOBODY && s->value[s->held].dc < o->ret)
                let_held_go(s);
            see_return(s, o);
        }
    }
    return true;
}

bool plumb_check_queue_line_up(struct plumb_check_queue_view *view,
                               struct plumb_base_arena *arena,
                               struct plumb_check_queue_order *order)
{
    const size_t size = view->values * sizeof(uint32_t);
    *order = (struct plumb_check_queue_order){
        .line = plumb_base_arena_alloc(arena, size),
        .place = plumb_base_arena_alloc(arena, size),
        .wrong_at = view->odd_at,
    };
    struct sweep s = {
        .view = view,
        .value = view->value,
        .order = order,
        .came = plumb_base_arena_alloc(arena, size),
        .gap = NOBODY,
        .held = NOBODY,
    };
    if (!order->line || !order->place || !s.came)
        return false;
    for (uint32_t v = 0; v < view->values; v++) {
        if (!plumb_check_queue_goes_on(view, v))
            return false;
        order->place[v] = NOBODY;
        if (view->value[v].rem == PLUMB_NO_OP)
            view->value[v].dc = PLUMB_NEVER;
    }
    if (!sweep(&s))
        return false;
    if (s.held != NOBODY)
        let_held_go(&s);
    drive_out(&s, NOBODY, NOBODY);
    assert(order->count <= view->values); /* each leaves once */
    return true;
}

/* ---- the witness ----
 *
 * The same moments, with the order known: adds and removes take effect in the
 * order of the line, adds up to v when some operation of v returns. */

struct writing {
    const struct plumb_check_queue_view *view;
    const struct plumb_check_queue_value *value;
    const struct plumb_check_queue_order *line;
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

static void wait(struct writing *w, uint32_t *list, uint32_t op)
{
    w->next[op] = *list;
    *list = op;
}

static void write_call(struct writing *w, uint32_t i)
{
    const struct plumb_check_input_op *const o = &w->view->input->op[i];
    if (o->ret == PLUMB_NEVER)
        return;
    if (o->term == PLUMB_TERM_EMPTY)
        wait(w, &w->nothing, i);
    else if (o->role == PLUMB_ROLE_PEEK)
        wait(w, &w->reads[plumb_check_queue_value_of(w->view, o)], i);
}

static void write_return(struct writing *w,
                         const struct plumb_check_input_op *o)
{
    if (w->held != NOBODY && w->value[w->held].dc < o->ret) {
        take_out(w, w->line->place[w->held] + 1);
        w->held = NOBODY;
    }
    if (w->cover < o->ret) {
        take_out(w, w->in);
        write_reads(w, &w->nothing);
    }
    if (o->term == PLUMB_TERM_EMPTY)
        return;
    const uint32_t v = plumb_check_queue_value_of(w->view, o);
    const struct plumb_check_queue_value *const x = w->value + v;
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

/* The next events that matter: returns, and calls of reads; how many. */
static uint32_t matters(const struct plumb_check_queue_view *view,
                        uint32_t from, uint32_t some[SOME])
{
    const struct plumb_check_input *const input = view->input;
    const uint32_t left = input->events - from, end = left < SOME ? left : SOME;
    uint32_t count = 0;
    for (uint32_t i = 0; i < end; i++) {
        const uint32_t event = input->event[from + i];
        const struct plumb_check_input_op *const o = &input->op[event / 2];
        some[count] = event;
        count += (event & 1) | (o->term == PLUMB_TERM_EMPTY) |
                 (o->role == PLUMB_ROLE_PEEK);
    }
    return count;
}

static bool write_all(struct writing *w)
{
    const struct plumb_check_input *const input = w->view->input;
    uint32_t some[SOME];
    for (uint32_t i = 0; i < input->events; i += SOME) {
        if (plumb_budget_state(w->view->budget) != PLUMB_OK)
            return false;
        const uint32_t count = matters(w->view, i, some);
        for (uint32_t j = 0; j < count; j++)
            if (plumb_check_input_is_return(some[j]))
                write_return(w, &input->op[some[j] / 2]);
            else
                write_call(w, some[j] / 2);
    }
    return true;
}

bool plumb_check_queue_witness(const struct plumb_check_queue_view *view,
                               const struct plumb_check_queue_order *order,
                               struct plumb_check_monitoring *m)
{
    const size_t size = view->input->count * sizeof(uint32_t);
    const bool peeks = view->input->roles >> PLUMB_ROLE_PEEK & 1;
    struct writing w = {
        .view = view,
        .value = view->value,
        .line = order,
        .order = plumb_base_arena_alloc(m->arena, size),
        .held = NOBODY,
        .next = plumb_base_arena_alloc(m->scratch, size),
        .nothing = PLUMB_NO_OP,
    };
    if (!w.order || !w.next)
        return false;
    if (peeks) {
        w.reads =
            plumb_base_arena_alloc(m->scratch, view->values * sizeof(uint32_t));
        if (!w.reads)
            return false;
        for (uint32_t v = 0; v < view->values; v++)
            w.reads[v] = PLUMB_NO_OP;
    }
    if (!write_all(&w))
        return false;
    m->order = w.order;
    m->order_count = w.count;
    assert(w.count <= view->input->count);
    return true;
}
