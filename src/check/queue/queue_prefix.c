/* queue_prefix.c - is a prefix of a history that of a queue?
 *
 * The sweep of queue_order.c, with *residents*: values that nobody has seen
 * leave.  They leave as late as they can and only if they must, and open removes
 * take them: it is enough that at any time no more residents have left than open
 * removes were called.  A resident that was peeked is held until another one has
 * to be the front.  Then either that one left before, or the held one leaves, out
 * of turn; where both ways have to be tried, the decisions that one pass meets
 * are numbered, and passes are made until one succeeds or all decisions were
 * tried both ways.  docs/how-monitors-work.md (open removes) has the argument. */
#include "queue_prefix.h"

#include "base/arena.h"

#define NOBODY UINT32_MAX

/* Passes over a prefix, if it is short, and if it is long. */
enum { MOST_PASSES = 64, FEW_PASSES = 8, SHORT = 65536 };

struct pass {
    struct plumb_check_queue_prefix *p;
    const struct plumb_check_queue_view *view;
    const struct plumb_check_queue_value *value;
    uint32_t cover, by; /* and the value that makes it */
    uint32_t gap;       /* the last one that an empty answer took */
    uint32_t waiting;   /* empty answers that have been called and have none */
    uint32_t residents; /* that came */
    uint32_t credit;    /* open removes that were called */
    uint32_t turn;      /* residents below it left */
    uint32_t bound;     /* all that came before it have left */
    uint32_t held, held_credit;
    uint64_t way;  /* the decisions to take: a bit each */
    uint32_t fork; /* decisions met so far */
    bool wrong;
};

static bool is_resident(const struct pass *s, uint32_t v)
{
    return s->value[v].rem == PLUMB_NO_OP;
}

static void suspect(struct pass *s, uint32_t v)
{
    struct plumb_check_queue_prefix *const p = s->p;
    if (v == NOBODY || p->suspects == s->view->values)
        return;
    for (uint32_t i = 0; i < p->suspects && i < 64; i++)
        if (p->suspect[i] == v)
            return;
    p->suspect[p->suspects++] = v;
}

static void go(struct pass *s, uint32_t v)
{
    s->p->gone[s->p->gones++] = v;
}

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* How many residents have left once those below `turn` have?  No need to
 * count further than what open removes can take. */
static uint32_t gone_by(const struct pass *s, uint32_t turn)
{
    uint32_t count = s->p->gones;
    for (uint32_t i = s->turn; i < turn && count <= s->credit; i++)
        count += !s->p->out[s->p->resident[i]];
    return count;
}

static void let_go(struct pass *s, uint32_t turn)
{
    for (; s->turn < turn; s->turn++)
        if (!s->p->out[s->p->resident[s->turn]])
            go(s, s->p->resident[s->turn]);
}

static void stray(struct pass *s, uint32_t v)
{
    if (s->p->number[v] < s->turn || s->p->out[v])
        return;
    s->p->out[v] = true;
    go(s, v);
}

static bool has_left(const struct pass *s, uint32_t v)
{
    return s->value[v].er < s->bound || s->p->out[v];
}

/* ---- what is wrong ---- */

/* The residents that had to leave; `count` of them are too many. */
static void suspect_residents(struct pass *s, uint32_t turn, uint32_t count)
{
    const struct plumb_check_queue_prefix *const p = s->p;
    for (uint32_t i = 0; i < turn && i < count; i++)
        suspect(s, p->resident[i]);
    for (uint32_t i = 0; i < p->gones; i++)
        if (p->out[p->gone[i]])
            suspect(s, p->gone[i]);
}

static void is_wrong(struct pass *s, uint32_t v, uint32_t other)
{
    s->wrong = true;
    s->p->suspects = 0;
    suspect(s, v);
    suspect(s, other);
    suspect(s, s->held);
}

/* ---- the front ---- */

/* Can y have left before the value that is held became the front? */
static bool fits_before_held(const struct pass *s, uint32_t y)
{
    const struct plumb_check_queue_value *const x = s->value + y;
    const struct plumb_check_queue_value *const held = s->value + s->held;
    const uint32_t turn = later(s->turn, s->p->stayed_then[y]);
    const bool extra = is_resident(s, y) && s->p->number[y] >= turn;
    return x->dc < held->hr && s->p->came_under[y] < held->hr &&
           held->er > x->ec && gone_by(s, turn) + extra <= s->held_credit;
}

static void leave_before_held(struct pass *s, uint32_t y)
{
    let_go(s, later(s->turn, s->p->stayed_then[y]));
    s->bound = later(s->bound, s->value[y].ec);
    if (is_resident(s, y))
        stray(s, y);
}

static bool held_can_leave(const struct pass *s, uint32_t now)
{
    return is_resident(s, s->held) && s->value[s->held].dc < now;
}

/* Both ways are open: which one is this pass to take? */
static bool choose(struct pass *s)
{
    return s->fork < 64 ? s->way >> s->fork++ & 1 : false;
}

/* True if that is all: y has left. */
static bool pass_held(struct pass *s, uint32_t y)
{
    const uint32_t now = s->value[y].hr;
    const bool before = fits_before_held(s, y);
    const bool after = held_can_leave(s, now);
    if (!before && !after) {
        is_wrong(s, y, s->p->cover_by[y]);
        suspect_residents(s, s->p->stayed_then[y], s->credit + 1);
        return true;
    }
    if (before && (!after || !is_resident(s, y) || choose(s))) {
        leave_before_held(s, y);
        return true;
    }
    stray(s, s->held);
    s->held = NOBODY;
    return false;
}

static void hold(struct pass *s, uint32_t y)
{
    s->held = y;
    s->held_credit = s->credit;
}

static void become_front(struct pass *s, uint32_t y)
{
    const struct plumb_check_queue_value *const x = s->value + y;
    if (has_left(s, y) || (s->held != NOBODY && pass_held(s, y)))
        return;
    let_go(s, later(s->turn, s->p->stayed_then[y]));
    s->bound = later(s->bound, x->ec);
    if (s->p->gones > s->credit) {
        is_wrong(s, y, NOBODY);
        suspect_residents(s, s->turn, s->credit + 1);
    }
    if (is_resident(s, y) || x->dc > x->hr)
        hold(s, y);
}

/* ---- the sweep ---- */

static bool is_empty_answer(const struct pass *s,
                            const struct plumb_check_input_op *o)
{
    return o->term == PLUMB_TERM_EMPTY &&
           plumb_check_queue_has_returned(s->view, o);
}

static void see_add(struct pass *s, uint32_t v)
{
    s->p->came_under[v] = s->cover;
    s->p->cover_by[v] = s->by;
    s->p->stayed_then[v] = s->residents;
    if (s->value[v].hr < s->cover)
        is_wrong(s, v, s->by);
}

static void see_call(struct pass *s, const struct plumb_check_input_op *o)
{
    if (o->role == PLUMB_ROLE_ADD)
        see_add(s, plumb_check_queue_value_of(s->view, o));
    else if (is_empty_answer(s, o))
        s->waiting++;
    else if (o->role == PLUMB_ROLE_REMOVE &&
             !plumb_check_queue_has_returned(s->view, o))
        s->credit++;
    if (s->held != NOBODY && s->value[s->held].dc == o->call &&
        !is_resident(s, s->held))
        s->held = NOBODY;
}

static void come(struct pass *s, uint32_t v)
{
    if (is_resident(s, v)) {
        s->p->number[v] = s->residents;
        s->p->resident[s->residents++] = v;
    }
    if (s->value[v].dc > s->cover) {
        s->cover = s->value[v].dc;
        s->by = v;
    }
}

static void see_return(struct pass *s, const struct plumb_check_input_op *o)
{
    if (!plumb_check_queue_has_returned(s->view, o))
        return;
    if (is_empty_answer(s, o)) {
        if (s->gap != NOBODY && s->gap >= o->call)
            return;
        is_wrong(s, NOBODY, NOBODY);
        s->p->empty = (uint32_t)(o - s->view->input->op);
        return;
    }
    const uint32_t v = plumb_check_queue_value_of(s->view, o);
    if (s->value[v].er == o->ret)
        come(s, v);
    if (s->value[v].hr == o->ret)
        become_front(s, v);
}

/* All that came can have left: let an empty answer that waits be now. */
static void see_gap(struct pass *s, uint32_t now)
{
    if (!s->waiting)
        return;
    s->waiting = 0;
    s->gap = now;
    let_go(s, s->residents);
    s->bound = now + 1;
    s->held = NOBODY;
}

static enum plumb_check_queue_word sweep(struct pass *s)
{
    const struct plumb_check_input *const input = s->view->input;
    for (uint32_t i = 0; i < input->events && !s->wrong; i++) {
        const uint32_t event = input->event[i];
        const struct plumb_check_input_op *const o = &input->op[event / 2];
        const uint32_t now = plumb_check_input_rank(input, event);
        if (now > s->view->end)
            break;
        if (!plumb_check_queue_goes_on(s->view, i))
            return PLUMB_QUEUE_ENDED;
        if (plumb_check_input_is_return(event))
            see_return(s, o);
        else
            see_call(s, o);
        if (s->cover <= now && s->residents <= s->credit)
            see_gap(s, now);
    }
    return s->wrong ? PLUMB_QUEUE_WRONG : PLUMB_QUEUE_FINE;
}

/* Without open removes residents never leave, and the cover says it all. */
static void let_residents_stay(struct plumb_check_queue_view *view)
{
    if (view->opens)
        return;
    for (uint32_t v = 0; v < view->values; v++)
        if (view->value[v].rem == PLUMB_NO_OP)
            view->value[v].dc = PLUMB_NEVER;
}

static enum plumb_check_queue_word try(struct plumb_check_queue_prefix *p,
                                       uint64_t way, uint32_t *forks)
{
    struct pass s = { .p = p,
                      .view = p->view,
                      .value = p->view->value,
                      .by = NOBODY,
                      .gap = NOBODY,
                      .held = NOBODY,
                      .way = way };
    while (p->gones)
        p->out[p->gone[--p->gones]] = false;
    p->suspects = 0;
    p->empty = PLUMB_NO_OP;
    const enum plumb_check_queue_word word = sweep(&s);
    *forks = s.fork;
    return word;
}

/* The next way after one that failed: the last decision that was not taken
 * the other way is, and those after it start again.  False if none is left. */
static bool next_way(uint64_t *way, uint32_t forks)
{
    while (forks > 0 && *way >> (forks - 1) & 1)
        forks--;
    if (forks == 0)
        return false;
    *way = (*way & ((UINT64_C(1) << (forks - 1)) - 1)) | UINT64_C(1)
                                                             << (forks - 1);
    return true;
}

enum plumb_check_queue_word plumb_check_queue_prefix_decide(
    struct plumb_check_queue_prefix *p, uint32_t end)
{
    if (!plumb_check_queue_look(p->view, end))
        return PLUMB_QUEUE_ENDED;
    if (p->view->odd_at != PLUMB_NEVER) {
        p->suspect[0] = p->view->odd;
        p->suspects = 1;
        p->empty = PLUMB_NO_OP;
        return PLUMB_QUEUE_WRONG;
    }
    let_residents_stay(p->view);
    const uint32_t most =
        p->view->input->events < SHORT ? MOST_PASSES : FEW_PASSES;
    uint64_t way = 0;
    for (uint32_t passes = 0; passes < most; passes++) {
        uint32_t forks;
        const enum plumb_check_queue_word word = try(p, way, &forks);
        if (word != PLUMB_QUEUE_WRONG || (forks == 0 && way == 0))
            return word;
        if (forks == 64)
            return PLUMB_QUEUE_UNCLEAR;
        if (!next_way(&way, forks))
            return PLUMB_QUEUE_WRONG;
    }
    return PLUMB_QUEUE_UNCLEAR;
}

bool plumb_check_queue_prefix_open(struct plumb_check_queue_prefix *p,
                                   struct plumb_check_queue_view *view,
                                   struct plumb_base_arena *arena)
{
    const size_t size = view->values * sizeof(uint32_t);
    uint32_t **const array[] = { &p->came_under, &p->cover_by, &p->stayed_then,
                                 &p->number,     &p->resident, &p->gone,
                                 &p->suspect };
    *p = (struct plumb_check_queue_prefix){ .view = view };
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        if (!(*array[i] = plumb_base_arena_alloc(arena, size)))
            return false;
    p->out = plumb_base_arena_zeroed(arena, view->values * sizeof *p->out);
    return p->out;
}
