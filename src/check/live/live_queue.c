/* live_queue.c - a queue of distinct values, event by event.
 *
 * A dequeue (or peek) that answered v has returned: all that was surely ahead
 * of v has left by now.  Items of these that nobody has answered yet are *in
 * debt*: some open dequeue, called before this deadline, took them.  That is
 * possible iff the i-th open dequeue, by call, was called before the i-th
 * deadline.
 *
 * An empty answer needs an instant since its call at which all that was in line
 * had left.  For each place in line the last such instant is kept
 * (queue_empty_instants.h), and for each answer that is not settled its own.
 *
 * A value that was peeked is the front until it leaves (plumb_check_line_hold).
 * As long as it is not known how long that is, there are choices
 * (queue_state_sets.h).  docs/how-monitors-work.md has the proof. */
#include "live.h"

#include "base/memory.h"
#include "check/input/monitor_input.h"
#include "check/queue/queue_empty_instants.h"
#include "spec/stores/container.h"

enum { FEW = 8 };

struct queue {
    struct plumb_check_live_talk *talk;
    struct plumb_check_line line;
    struct plumb_check_empty_instants instants; /* all so far */
    struct plumb_check_empty_instants
        *empty; /* the answers that are not settled */
    size_t empty_capacity;
    uint32_t empties, many; /* sift them when there are so many */
    uint32_t solid;  /* up to here all items in line are in debt or have left */
    uint32_t *front; /* were peeked and have not left, in the order of time */
    size_t front_capacity;
    uint32_t fronts;
};

bool plumb_check_live_queue_follows(const struct plumb_spec *spec)
{
    return !spec->given[PLUMB_CAP];
}

static void *open(struct plumb_check_live_talk *talk)
{
    struct queue *const q = plumb_base_alloc_zeroed(talk->budget, sizeof *q);
    if (!q)
        return NULL;
    q->talk = talk;
    q->many = FEW;
    if (plumb_check_line_init(&q->line, talk->numbers, talk->budget))
        return q;
    plumb_check_line_release(&q->line);
    plumb_base_release(talk->budget, q, sizeof *q);
    return NULL;
}

static void close(void *machine)
{
    struct queue *const q = machine;
    struct plumb_budget *const budget = q->talk->budget;
    for (uint32_t i = 0; i < q->empties; i++)
        plumb_check_empty_instants_release(&q->empty[i], budget);
    PLUMB_RELEASE(budget, q->empty, q->empty_capacity);
    PLUMB_RELEASE(budget, q->front, q->front_capacity);
    plumb_check_empty_instants_release(&q->instants, budget);
    plumb_check_line_release(&q->line);
    plumb_base_release(budget, q, sizeof *q);
}

static uint64_t resident(const void *machine)
{
    const struct queue *const q = machine;
    return q->line.kept;
}

/* Nobody can ask for an instant any more. */
static bool idle(const void *machine)
{
    const struct queue *const q = machine;
    const struct plumb_check_line *const l = &q->line;
    return !l->kept && !l->dequeues && !q->empties && !q->fronts &&
           !q->talk->numbers->used &&
           l->taker[PLUMB_LINE_DEQUEUES].line.after == PLUMB_LINE_DEQUEUES &&
           l->taker[PLUMB_LINE_PEEKS].line.after == PLUMB_LINE_PEEKS;
}

static enum plumb_check_live_word violated(struct queue *q, const char *reason,
                                           uint32_t word)
{
    return plumb_check_live_objects(q->talk, reason, word, PLUMB_NO_WORD);
}

/* ---- empty answers ---- */

static void drop_empty(struct queue *q, uint32_t i)
{
    plumb_check_empty_instants_release(&q->empty[i], q->talk->budget);
    q->empty[i] = q->empty[--q->empties];
}

/* Drop those that others imply. */
static void sift_empties(struct queue *q)
{
    for (uint32_t i = q->empties; i--;)
        for (uint32_t j = 0; j < q->empties; j++)
            if (i != j && plumb_check_empty_instants_implies(&q->empty[j],
                                                             &q->empty[i])) {
                drop_empty(q, i);
                break;
            }
    q->many = 2 * q->empties + FEW;
}

/* It left before `deadline`, or even earlier. */
static void owe(struct queue *q, uint32_t item, uint64_t deadline)
{
    struct plumb_check_line_item *const x = q->line.item + item;
    if (x->deadline <= deadline)
        return;
    if (x->left) {
        x->deadline = deadline;
        return;
    }
    if (plumb_check_line_owes(&q->line, item))
        plumb_check_line_pay(&q->line, item);
    plumb_check_line_owe(&q->line, item, deadline);
}

static enum plumb_check_fits fits(
    const struct queue *q, const struct plumb_check_empty_instants_point *p)
{
    return plumb_check_state_sets_fit(&q->line, q->front, q->fronts, p);
}

/* False: some are neither possible nor impossible. */
static bool keep_possible(const struct queue *q,
                          struct plumb_check_empty_instants *c)
{
    uint32_t count = 0;
    bool sure = true;
    for (uint32_t i = 0; i < c->count; i++) {
        const enum plumb_check_fits f = fits(q, &c->point[i]);
        if (f != PLUMB_FITS_NOT)
            c->point[count++] = c->point[i];
        sure = sure && f != PLUMB_FITS_PERHAPS;
    }
    c->count = count;
    return sure;
}

static enum plumb_check_live_word too_many_choices(struct queue *q)
{
    return plumb_check_live_declines(q->talk,
                                     "peeks leave too many possibilities");
}

/* Whichever instant it was, what came before the first left before the last.
 * Of a single one there is no more to say: it is settled. */
static bool has_settled(struct queue *q,
                        const struct plumb_check_empty_instants *c)
{
    if (plumb_check_empty_instants_is_settled(c))
        return true;
    const uint64_t last = c->point[c->count - 1].at;
    for (uint32_t i = c->point[0].item; i; i = q->line.item[i].line.before)
        owe(q, i, last + 1);
    return c->count == 1;
}

static enum plumb_check_live_word answered_empty(struct queue *q, uint64_t call)
{
    struct plumb_check_empty_instants e = { .count = 0 };
    uint32_t i = q->instants.count;
    if (plumb_check_empty_instants_is_settled(&q->instants) &&
        q->instants.point[0].at >= call)
        return PLUMB_LIVE_GOOD;
    if (q->empties == q->many)
        sift_empties(q);
    if (!PLUMB_GROW(q->talk->budget, q->empty, q->empty_capacity,
                    (size_t)q->empties + 1))
        return PLUMB_LIVE_NO_ROOM;
    while (i && q->instants.point[i - 1].at >= call)
        i--;
    for (; i < q->instants.count; i++)
        if (!plumb_check_empty_instants_append(&e, q->instants.point[i],
                                               q->talk->budget)) {
            plumb_check_empty_instants_release(&e, q->talk->budget);
            return PLUMB_LIVE_NO_ROOM;
        }
    const bool sure = keep_possible(q, &e);
    q->empty[q->empties++] = e;
    if (!sure)
        return too_many_choices(q);
    if (!e.count)
        return violated(q,
                        "this operation returned empty, but the queue was "
                        "never empty during the call",
                        PLUMB_NO_WORD);
    if (has_settled(q, &e))
        drop_empty(q, q->empties - 1);
    return PLUMB_LIVE_GOOD;
}

/* ---- what the open dequeues must have done ---- */

static void leave_line(struct queue *q, uint32_t item)
{
    const uint32_t before = q->line.item[item].line.before;
    plumb_check_empty_instants_join(&q->instants, item, before);
    for (uint32_t i = 0; i < q->empties; i++)
        plumb_check_empty_instants_join(&q->empty[i], item, before);
    if (q->solid == item)
        q->solid = before;
    plumb_check_line_unlink(&q->line, item);
}

static void cover(struct queue *q, uint64_t from, uint64_t to)
{
    plumb_check_empty_instants_cover(&q->instants, from, to);
    for (uint32_t i = 0; i < q->empties; i++)
        plumb_check_empty_instants_cover(&q->empty[i], from, to);
}

static enum plumb_check_live_word too_few(struct queue *q, uint32_t debt)
{
    const struct plumb_check_line_item *const item = q->line.item;
    const bool single = debt && !item[debt].debt.after;
    return violated(q,
                    single ? "%0 must have left the queue by now, but no open "
                             "dequeue can have taken it"
                           : "the open dequeues cannot have taken all items "
                             "that must have left the queue",
                    item[debt].word);
}

/* After an open dequeue has gone, or something else has become certain. */
static enum plumb_check_live_word check(struct queue *q)
{
    const uint32_t debt = q->line.item->debt.after;
    const enum plumb_check_fits f =
        debt || q->fronts ? fits(q, NULL) : PLUMB_FITS;
    if (f == PLUMB_FITS_PERHAPS)
        return too_many_choices(q);
    if (f == PLUMB_FITS_NOT)
        return too_few(q, debt);
    for (uint32_t i = q->empties; i--;) {
        if (!keep_possible(q, &q->empty[i]))
            return too_many_choices(q);
        if (!q->empty[i].count)
            return violated(q,
                            "an operation returned empty, but the queue was "
                            "never empty during the call",
                            PLUMB_NO_WORD);
        if (has_settled(q, &q->empty[i]))
            drop_empty(q, i);
    }
    return PLUMB_LIVE_GOOD;
}

/* All that came before event `call` has left. */
static void clear_way(struct queue *q, uint64_t call, uint64_t now)
{
    struct plumb_check_line_item *const item = q->line.item;
    for (uint32_t i = item[q->solid].line.after; i && item[i].came < call;
         i = item[i].line.after) {
        q->solid = i;
        owe(q, i, now);
    }
}

/* Some item was the front after event `call`: those that were peeked by then
 * are ahead of it, and it left, or became the front, by `deadline`. */
static void clear_fronts(struct queue *q, uint32_t item, uint64_t call,
                         uint64_t deadline)
{
    for (uint32_t i = 0; i < q->fronts; i++) {
        const uint32_t front = q->front[i];
        const struct plumb_check_line_item *const x = &q->line.item[front];
        if (x->seen > call)
            return;
        if (front != item)
            owe(q, front, deadline);
    }
}

/* The same for those that left, if a peek that was called after the deadline
 * may still answer them. */
static void clear_gone(struct queue *q, uint32_t item, uint64_t call,
                       uint64_t deadline)
{
    const struct plumb_check_line_item *const x = q->line.item;
    for (uint32_t i = x->gone.before; i && x[i].left > deadline;
         i = x[i].gone.before)
        if (i != item && x[i].seen < call)
            owe(q, i, deadline);
}

/* An operation that was called at `call` answered the item: it was the front
 * at some time since. */
static enum plumb_check_live_word was_front(struct queue *q, uint32_t item,
                                            uint64_t call, uint64_t now)
{
    struct plumb_check_line_item *const x = q->line.item + item;
    if (x->deadline <= call)
        return violated(
            q, "%0 must have left the queue before this operation was called",
            x->word);
    if (!x->came)
        plumb_check_line_enter(&q->line, item, now);
    if (x->seen && x->seen < call)
        plumb_check_line_hold(&q->line, x->seen, call);
    cover(q, x->came, call);
    if (!x->seen)
        x->seen = now;
    const uint64_t deadline = x->seen < x->deadline ? x->seen : x->deadline;
    clear_fronts(q, item, call, deadline);
    clear_gone(q, item, call, deadline);
    clear_way(q, x->call, now);
    return PLUMB_LIVE_GOOD;
}

static bool add_front(struct queue *q, uint32_t item)
{
    for (uint32_t i = 0; i < q->fronts; i++)
        if (q->front[i] == item)
            return true;
    return PLUMB_APPEND(q->talk->budget, q->front, q->fronts, q->front_capacity,
                        item);
}

static void drop_front(struct queue *q, uint32_t item)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < q->fronts; i++)
        if (q->front[i] != item)
            q->front[count++] = q->front[i];
    q->fronts = count;
}

/* ---- values that left ---- */

static void forget_item(struct queue *q, uint32_t item)
{
    if (q->line.item[item].lined)
        leave_line(q, item);
    plumb_check_line_unname(&q->line, item);
    plumb_check_line_drop(&q->line, item);
}

/* An open peek may still answer it; and say that it was there longer, if it
 * came before the peek was called. */
static void keep_gone(struct queue *q, uint32_t item)
{
    if (!plumb_check_line_is_watched(&q->line, item))
        leave_line(q, item);
    plumb_check_line_keep(&q->line, item);
}

static void left(struct queue *q, uint32_t item, uint64_t now)
{
    struct plumb_check_line *const l = &q->line;
    l->item[item].left = now;
    l->inside--;
    if (plumb_check_line_owes(l, item))
        plumb_check_line_pay(l, item);
    drop_front(q, item);
    if (l->taker[PLUMB_LINE_PEEKS].line.after == PLUMB_LINE_PEEKS)
        forget_item(q, item);
    else
        keep_gone(q, item);
}

/* A peek is no longer open. */
static void end_peek(struct queue *q, uint32_t peek)
{
    struct plumb_check_line *const l = &q->line;
    const uint64_t since = l->taker[peek].since;
    plumb_check_line_untake(l, PLUMB_LINE_PEEKS, peek);
    for (uint32_t i = l->item->gone.before; i && l->item[i].left > since;
         i = l->item[i].gone.before)
        if (l->item[i].lined && !plumb_check_line_is_watched(l, i))
            leave_line(q, i);
    const uint32_t first = l->taker[PLUMB_LINE_PEEKS].line.after;
    const uint64_t oldest =
        first == PLUMB_LINE_PEEKS ? UINT64_MAX : l->taker[first].call;
    for (uint32_t i; (i = l->item->gone.after) && l->item[i].left < oldest;) {
        plumb_check_line_unkeep(l, i);
        forget_item(q, i);
    }
}

/* ---- values that nobody will answer ---- */

static bool is_doubtful(const struct queue *q, uint32_t item, uint64_t deadline)
{
    for (uint32_t i = 0; i < q->empties; i++)
        if (q->empty[i].point[0].at < deadline)
            return true;
    for (uint32_t i = 0; i < q->fronts; i++)
        if (q->front[i] != item && q->line.item[q->front[i]].seen < deadline)
            return true;
    return false;
}

/* Whoever may have taken it and has not returned never will.  Which of them did
 * makes no difference, if nobody asks for what was before the deadline. */
static void settle_debts(struct queue *q)
{
    struct plumb_check_line *const l = &q->line;
    for (uint32_t item; (item = l->item->debt.after);) {
        const uint64_t deadline = l->item[item].deadline;
        if (!plumb_check_line_is_past(l, deadline) ||
            is_doubtful(q, item, deadline))
            return;
        plumb_check_line_untake(l, PLUMB_LINE_DEQUEUES,
                                l->taker[PLUMB_LINE_DEQUEUES].line.after);
        plumb_check_line_pay(l, item);
        drop_front(q, item);
        l->inside--;
        forget_item(q, item);
    }
}

/* ---- events ---- */

/* Until the next event: may it be empty? */
static enum plumb_check_live_word then(struct queue *q,
                                       enum plumb_check_live_word word,
                                       uint64_t now)
{
    struct plumb_check_empty_instants *const c = &q->instants;
    if (word != PLUMB_LIVE_GOOD)
        return word;
    if (q->line.item->debt.after)
        settle_debts(q);
    const uint32_t last = q->line.item->line.before;
    if (q->line.inside > q->line.dequeues)
        return word;
    if (c->count && c->point[c->count - 1].item == last) {
        c->point[c->count - 1].at = now;
        return word;
    }
    const struct plumb_check_empty_instants_point p = { .at = now,
                                                        .item = last };
    return plumb_check_empty_instants_append(c, p, q->talk->budget)
               ? PLUMB_LIVE_GOOD
               : PLUMB_LIVE_NO_ROOM;
}

static enum plumb_check_live_word call_add(struct queue *q,
                                           struct plumb_check_live_op *o)
{
    if (plumb_check_line_find(&q->line, o->word[0]))
        return plumb_check_live_declines(q->talk, "values repeat");
    o->ticket = plumb_check_line_add(&q->line, o->word[0], o->call);
    return o->ticket ? PLUMB_LIVE_GOOD : PLUMB_LIVE_NO_ROOM;
}

static uint32_t list_of(const struct plumb_check_live_op *o)
{
    return o->role == PLUMB_ROLE_PEEK ? PLUMB_LINE_PEEKS : PLUMB_LINE_DEQUEUES;
}

static enum plumb_check_live_word call(void *machine,
                                       struct plumb_check_live_op *o)
{
    struct queue *const q = machine;
    if (o->role == PLUMB_ROLE_ADD)
        return then(q, call_add(q, o), o->call);
    o->ticket = plumb_check_line_take(&q->line, list_of(o), o->call);
    return then(q, o->ticket ? PLUMB_LIVE_GOOD : PLUMB_LIVE_NO_ROOM, o->call);
}

static enum plumb_check_live_word ret_add(struct queue *q,
                                          const struct plumb_check_live_op *o)
{
    if (o->term != PLUMB_TERM_OK)
        return plumb_check_live_declines(q->talk,
                                         "full without a capacity limit");
    struct plumb_check_line_item *const x = q->line.item + o->ticket;
    x->adding = false;
    if (x->came)
        plumb_check_line_drop(&q->line, o->ticket);
    else
        plumb_check_line_enter(&q->line, o->ticket, o->now);
    return PLUMB_LIVE_GOOD;
}

static enum plumb_check_live_word ret_remove(
    struct queue *q, const struct plumb_check_live_op *o, uint64_t since)
{
    const uint32_t item = plumb_check_line_find(&q->line, o->word[0]);
    plumb_check_line_untake(&q->line, PLUMB_LINE_DEQUEUES, o->ticket);
    if (!item)
        return violated(q, "%0 was dequeued, but it was not in the queue",
                        o->word[0]);
    if (q->line.item[item].left)
        return violated(q, "%0 was dequeued twice", o->word[0]);
    const enum plumb_check_live_word word = was_front(q, item, since, o->now);
    if (word != PLUMB_LIVE_GOOD)
        return word;
    left(q, item, o->now);
    return check(q);
}

static enum plumb_check_live_word ret_peek(struct queue *q,
                                           const struct plumb_check_live_op *o,
                                           uint64_t since)
{
    const uint32_t item = plumb_check_line_find(&q->line, o->word[0]);
    const struct plumb_check_line_item *const x = q->line.item + item;
    if (!item || (x->left && x->left < since))
        return violated(q, "a peek returned %0, but it was not in the queue",
                        o->word[0]);
    const enum plumb_check_live_word word = was_front(q, item, since, o->now);
    if (word != PLUMB_LIVE_GOOD)
        return word;
    if (!x->left && !add_front(q, item))
        return PLUMB_LIVE_NO_ROOM;
    end_peek(q, o->ticket);
    return check(q);
}

static enum plumb_check_live_word ret_empty(struct queue *q,
                                            const struct plumb_check_live_op *o,
                                            uint64_t since)
{
    if (q->talk->spec->param[PLUMB_BLOCKING])
        return plumb_check_live_declines(q->talk,
                                         "a blocking queue returned empty");
    if (o->role == PLUMB_ROLE_PEEK)
        end_peek(q, o->ticket);
    else
        plumb_check_line_untake(&q->line, PLUMB_LINE_DEQUEUES, o->ticket);
    const enum plumb_check_live_word word = check(q);
    return word == PLUMB_LIVE_GOOD ? answered_empty(q, since) : word;
}

static enum plumb_check_live_word ret(void *machine,
                                      struct plumb_check_live_op *o)
{
    struct queue *const q = machine;
    enum plumb_check_live_word word;
    if (o->role == PLUMB_ROLE_ADD)
        return then(q, ret_add(q, o), o->now);
    const uint64_t since = q->line.taker[o->ticket].call;
    if (o->term == PLUMB_TERM_EMPTY)
        word = ret_empty(q, o, since);
    else if (o->role == PLUMB_ROLE_PEEK)
        word = ret_peek(q, o, since);
    else
        word = ret_remove(q, o, since);
    return then(q, word, o->now);
}

static enum plumb_check_live_word info(void *machine,
                                       struct plumb_check_live_op *o)
{
    struct queue *const q = machine;
    if (o->role == PLUMB_ROLE_ADD) {
        q->line.item[o->ticket].adding = false;
        plumb_check_line_drop(&q->line, o->ticket);
    } else if (o->role == PLUMB_ROLE_PEEK) {
        end_peek(q, o->ticket);
    } else {
        plumb_check_line_hang(&q->line, o->ticket);
    }
    return PLUMB_LIVE_GOOD;
}

static enum plumb_check_live_word fail(void *machine,
                                       struct plumb_check_live_op *o)
{
    struct queue *const q = machine;
    if (o->role == PLUMB_ROLE_PEEK)
        return info(q, o);
    if (o->role == PLUMB_ROLE_REMOVE) {
        plumb_check_line_untake(&q->line, PLUMB_LINE_DEQUEUES, o->ticket);
        return check(q);
    }
    struct plumb_check_line_item *const x = q->line.item + o->ticket;
    if (x->came)
        return violated(q, "an enqueue failed, but its value was returned",
                        PLUMB_NO_WORD);
    x->adding = false;
    plumb_check_line_unname(&q->line, o->ticket);
    plumb_check_line_drop(&q->line, o->ticket);
    return PLUMB_LIVE_GOOD;
}

const struct plumb_check_live_class plumb_check_live_queue = {
    .open = open,
    .close = close,
    .call = call,
    .ret = ret,
    .info = info,
    .fail = fail,
    .resident = resident,
    .idle = idle,
};
