/* queue_state_sets.c - the choices, tried one by one.
 *
 * Go through the deadlines and the returns of peeks in the order of time.  At
 * most one value is held as the front.  What comes next is either put before
 * it, so that its deadline becomes the moment since which the front is held; or
 * behind it, and the front must have left by then.  In the end the deadlines
 * must suit the open dequeues.  The choices are few, as each value but one that
 * was peeked needs an open dequeue. */
#include "queue_empty_instants.h"

enum { MOST = 64, STEPS = 4096, NOBODY = -1 };

struct debtor {
    uint64_t deadline; /* UINT64_MAX: none */
    uint64_t seen;     /* the front since; 0: not peeked */
    uint64_t chosen;   /* deadline; 0: not yet */
};

struct event {
    uint64_t at;
    int who;
    bool due; /* its deadline; else it was seen */
};

struct choice {
    const struct plumb_check_line *line;
    struct debtor debtor[MOST];
    struct event event[2 * MOST];
    int debtors, events;
    int steps;
    uint64_t due; /* debtors with a deadline */
};

/* ---- who owes what ---- */

static bool add(struct choice *c, const struct plumb_check_line_item *x,
                uint64_t latest)
{
    if (c->debtors == MOST)
        return false;
    struct debtor *const d = &c->debtor[c->debtors++];
    d->deadline = x->deadline < latest ? x->deadline : latest;
    d->seen = x->seen && x->seen < d->deadline ? x->seen : 0;
    d->chosen = 0;
    c->due += d->deadline != UINT64_MAX;
    return c->due <= c->line->dequeues;
}

/* All debts; all that was in line before p; all fronts.  False: too many. */
static bool add_all(struct choice *c, const uint32_t *front, uint32_t fronts,
                    const struct plumb_check_empty_instants_point *p)
{
    const struct plumb_check_line_item *const item = c->line->item;
    const uint64_t then = p ? p->at : 0;
    for (uint32_t i = p ? p->item : 0; i; i = item[i].line.before)
        if (!item[i].left && !add(c, &item[i], then + 1))
            return false;
    for (uint32_t i = item->debt.after; i; i = item[i].debt.after)
        if (item[i].came > then && !add(c, &item[i], UINT64_MAX))
            return false;
    for (uint32_t i = 0; i < fronts; i++) {
        const struct plumb_check_line_item *const x = &item[front[i]];
        if (x->came > then && x->deadline == UINT64_MAX &&
            !add(c, x, UINT64_MAX))
            return false;
    }
    return true;
}

/* At the same time, who is due leaves before somebody else is seen. */
static bool is_behind(const struct event *a, const struct event *b)
{
    return a->at > b->at || (a->at == b->at && b->due && !a->due);
}

static void insert(struct choice *c, struct event e)
{
    int i = c->events++;
    for (; i && is_behind(&c->event[i - 1], &e); i--)
        c->event[i] = c->event[i - 1];
    c->event[i] = e;
}

static void sort(struct choice *c)
{
    for (int i = 0; i < c->debtors; i++) {
        const struct debtor *const d = &c->debtor[i];
        if (d->seen)
            insert(c, (struct event){ .at = d->seen, .who = i });
        if (d->deadline != UINT64_MAX)
            insert(c, (struct event){ .at = d->deadline, .who = i, true });
    }
}

/* ---- choosing ---- */

/* The i-th dequeue is called before the i-th deadline. */
static bool suits(const struct choice *c)
{
    const struct plumb_check_line_taker *const taker = c->line->taker;
    uint64_t due[MOST];
    int count = 0;
    for (int i = 0; i < c->debtors; i++) {
        const uint64_t chosen = c->debtor[i].chosen;
        int at = count;
        if (!chosen)
            continue;
        for (; at && due[at - 1] > chosen; at--)
            due[at] = due[at - 1];
        due[at] = chosen;
        count++;
    }
    uint32_t dequeue = PLUMB_LINE_DEQUEUES;
    for (int i = 0; i < count; i++) {
        dequeue = taker[dequeue].line.after;
        if (dequeue == PLUMB_LINE_DEQUEUES || taker[dequeue].call >= due[i])
            return false;
    }
    return true;
}

static bool choose(struct choice *c, int at, int held);

/* Somebody is held when event e comes. */
static bool choose_place(struct choice *c, int at, int held)
{
    const struct event *const e = &c->event[at];
    struct debtor *const d = &c->debtor[e->who];
    struct debtor *const h = &c->debtor[held];
    const uint64_t before = h->seen < e->at ? h->seen : e->at;
    d->chosen = before;
    if (choose(c, at + 1, held))
        return true;
    d->chosen = e->due ? e->at : 0;
    h->chosen = e->at;
    if (choose(c, at + 1, e->due ? NOBODY : e->who))
        return true;
    d->chosen = h->chosen = 0;
    return false;
}

static bool choose(struct choice *c, int at, int held)
{
    if (at == c->events)
        return suits(c);
    if (c->steps == STEPS)
        return false;
    c->steps++;
    const struct event *const e = &c->event[at];
    struct debtor *const d = &c->debtor[e->who];
    if (d->chosen)
        return choose(c, at + 1, held);
    if (held == NOBODY && !e->due)
        return choose(c, at + 1, e->who);
    if (held != NOBODY && held != e->who && c->debtor[held].deadline > e->at)
        return choose_place(c, at, held);
    d->chosen = e->at;
    if (choose(c, at + 1, held == e->who ? NOBODY : held))
        return true;
    d->chosen = 0;
    return false;
}

enum plumb_check_fits plumb_check_state_sets_fit(
    const struct plumb_check_line *l, const uint32_t *front, uint32_t fronts,
    const struct plumb_check_empty_instants_point *p)
{
    struct choice c;
    if (!fronts)
        return plumb_check_empty_instants_fits(l, p) ? PLUMB_FITS
                                                     : PLUMB_FITS_NOT;
    if (fronts == 1 && !l->item->debt.after && !p)
        return PLUMB_FITS;
    c.line = l;
    c.debtors = c.events = c.steps = 0;
    c.due = 0;
    if (!add_all(&c, front, fronts, p))
        return c.due > l->dequeues ? PLUMB_FITS_NOT : PLUMB_FITS_PERHAPS;
    sort(&c);
    if (choose(&c, 0, NOBODY))
        return PLUMB_FITS;
    return c.steps == STEPS ? PLUMB_FITS_PERHAPS : PLUMB_FITS_NOT;
}
