/* explain_items.c - objects that items are put into and taken out of.
 *
 * An item is *surely inside* from the return of the operation that added it
 * until the first call of one that may take it.  Nearly every short reason is
 * something that cannot be while an item is surely inside, or that an item was
 * never inside at all.  A pending operation may have taken anything. */
#include "report/story.h"

#include <string.h>

enum role { ADD, TAKE, LOOK, COUNT, UNKNOWN };

/* One operation.  `item`: what it added, took or saw, as far as that is known
 * (a pair for some priority queues). */
struct fact {
    enum role role;
    bool says_empty; /* nothing, or no such item, was inside */
    bool says_full;
    const struct plumb_value *item;
    unsigned size; /* of the item; 0: it is not known */
};

struct kind {
    const char *types;
    const char *add, *take, *look;
    const char *added, *took; /* what somebody did with an item */
};

static const struct kind kinds[] = {
    { "queue semiqueue stuttering-queue", "enq enqueue offer add send put",
      "deq dequeue remove recv receive poll trydeq trydequeue take",
      "peek front head first", "enqueued", "dequeued" },
    { "stack", "push add put", "pop remove trypop poll take", "peek top",
      "pushed", "popped" },
    { "deque",
      "pushfront pushleft addfirst offerfirst pushtop pushback pushright "
      "addlast offerlast pushbottom",
      "popfront popleft pollfirst removefirst steal poptop popback popright "
      "polllast removelast popbottom",
      "peekfront peekleft peekfirst peekback peekright peeklast", "pushed",
      "popped" },
    { "priority-queue", "insert add enq enqueue push offer",
      "delmin deletemin extractmin removemin poll pop deq dequeue delmax "
      "deletemax extractmax removemax take",
      "min peek findmin getmin top max findmax getmax", "inserted", "took" },
    { "multiset", "insert add put", "delete remove erase",
      "member contains has", "inserted", "deleted" },
    { "bag", "insert add put",
      "delete remove erase take get removeany trytake poll",
      "member contains has", "inserted", "took" },
};

struct items {
    const struct plumb_story *story;
    const struct kind *kind;
    const struct fact *fact;
    uint32_t count;
    bool fifo, lifo, largest_first, smallest_first, stutters;
};

/* ---- what each operation says ---- */

static enum role role_of(const struct plumb_story *s, const struct kind *k,
                         uint32_t i)
{
    if (plumb_story_name_is(s, i, k->add))
        return ADD;
    if (plumb_story_name_is(s, i, k->take))
        return TAKE;
    if (plumb_story_name_is(s, i, k->look))
        return LOOK;
    return plumb_story_name_is(s, i, "count") ? COUNT : UNKNOWN;
}

/* delete(x) and member(x): the item is the argument, the result a boolean. */
static void read_by_item(const struct plumb_story *s, uint32_t i,
                         struct fact *f)
{
    const struct plumb_history *const h = s->scene->h;
    const struct plumb_op *const o = plumb_scene_op(s->scene, i);
    bool there = false;
    f->item = plumb_op_args(h, o);
    f->size = o->nargs;
    if (plumb_story_pending(s, i))
        return;
    if (o->nres != 1 || !plumb_story_bool(s, plumb_op_results(h, o)[0], &there))
        f->role = UNKNOWN;
    f->says_empty = !there;
}

static struct fact read_fact(const struct plumb_story *s, const struct kind *k,
                             uint32_t i)
{
    const struct plumb_history *const h = s->scene->h;
    const struct plumb_op *const o = plumb_scene_op(s->scene, i);
    struct fact f = { .role = role_of(s, k, i) };
    if (f.role == ADD) {
        f.item = plumb_op_args(h, o);
        f.size = o->nargs;
        f.says_full =
            !plumb_story_pending(s, i) && plumb_story_term_is(s, i, "full");
    } else if (o->nargs && f.role != COUNT) {
        read_by_item(s, i, &f);
    } else if (!plumb_story_pending(s, i)) {
        f.item = plumb_op_results(h, o);
        f.size = o->nres;
        f.says_empty = plumb_story_term_is(s, i, "empty");
    }
    return f;
}

/* ---- questions about items ---- */

static const struct fact *fact(const struct items *m, uint32_t i)
{
    return m->fact + i;
}

static bool same_item(const struct fact *a, const struct fact *b)
{
    if (a->size == 0 || a->size != b->size)
        return false;
    for (unsigned i = 0; i < a->size; i++)
        if (!plumb_value_equal(a->item[i], b->item[i]))
            return false;
    return true;
}

static bool pending(const struct items *m, uint32_t i)
{
    return plumb_story_pending(m->story, i);
}

/* Did the i-th surely add, or may it have added, the item of `f`? */
static bool may_add(const struct items *m, uint32_t i, const struct fact *f)
{
    return fact(m, i)->role == ADD && !fact(m, i)->says_full &&
           same_item(fact(m, i), f);
}

static bool surely_adds(const struct items *m, uint32_t i)
{
    return fact(m, i)->role == ADD && !fact(m, i)->says_full && !pending(m, i);
}

static bool may_take(const struct items *m, uint32_t i, const struct fact *f)
{
    const struct fact *const g = fact(m, i);
    if (g->role != TAKE || g->says_empty)
        return false;
    return (pending(m, i) && g->size == 0) || same_item(g, f);
}

/* It returned, and answered an item. */
static bool answers_item(const struct items *m, uint32_t i)
{
    const struct fact *const f = fact(m, i);
    return (f->role == TAKE || f->role == LOOK) && !pending(m, i) &&
           !f->says_empty && f->size;
}

static bool surely_takes(const struct items *m, uint32_t i)
{
    return fact(m, i)->role == TAKE && answers_item(m, i);
}

static uint32_t count_adds(const struct items *m, const struct fact *f,
                           uint32_t *last)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->count; i++)
        if (may_add(m, i, f)) {
            count++;
            *last = i;
        }
    return count;
}

/* The operation whose call ends the time in which what `add` added is surely
 * inside; m->count if there is none. */
static uint32_t first_taker(const struct items *m, uint32_t add)
{
    for (uint32_t i = 0; i < m->count; i++) /* in the order of calls */
        if (may_take(m, i, fact(m, add)) &&
            !plumb_story_precedes(m->story, i, add))
            return i;
    return m->count;
}

static uint32_t inside_until(const struct items *m, uint32_t add)
{
    const uint32_t taker = first_taker(m, add);
    return taker < m->count ? plumb_story_call(m->story, taker) : PLUMB_NEVER;
}

/* Was what `add` added inside during all of operation `i`? */
static bool inside_throughout(const struct items *m, uint32_t add, uint32_t i)
{
    return surely_adds(m, add) && plumb_story_precedes(m->story, add, i) &&
           inside_until(m, add) > plumb_story_ret(m->story, i);
}

/* ---- sentences that patterns share ---- */

/* The text of an item; lives as long as the story's arena. */
static const char *item_text(const struct items *m, const struct fact *f)
{
    struct plumb_text t;
    plumb_text_init(&t, m->story->arena->budget);
    if (f->size > 1)
        plumb_text_add(&t, "(");
    plumb_label_values(m->story->style, m->story->scene->h, f->item, f->size,
                       &t);
    if (f->size > 1)
        plumb_text_add(&t, ")");
    const char *const text = plumb_text_string(&t);
    const char *const kept =
        plumb_arena_copy(m->story->arena, text, strlen(text) + 1);
    plumb_text_release(&t);
    return kept ? kept : "?";
}

static void tell_inside(const struct items *m, uint32_t add)
{
    const uint32_t taker = first_taker(m, add);
    const char *const item = item_text(m, fact(m, add));
    if (taker < m->count)
        plumb_story_tell(m->story,
                         "~ was inside from the return of @ until @ was called",
                         item, add, taker);
    else
        plumb_story_tell(m->story, "~ was inside from the return of @ on", item,
                         add);
}

/* ---- patterns ---- */

/* An item came out that had not been put in. */
static bool came_from_nowhere(const struct items *m, uint32_t i)
{
    uint32_t first = m->count;
    if (!answers_item(m, i))
        return false;
    for (uint32_t a = m->count; a-- > 0;)
        if (may_add(m, a, fact(m, i)))
            first = a;
    const char *const item = item_text(m, fact(m, i));
    if (first == m->count) {
        plumb_story_tell(m->story, "@ answered ~, which nobody ~", i, item,
                         m->kind->added);
        return true;
    }
    if (plumb_story_call(m->story, first) < plumb_story_ret(m->story, i))
        return false;
    plumb_story_tell(m->story,
                     "@ answered ~ and returned before anybody ~ it: @ was "
                     "called later",
                     i, item, m->kind->added, first);
    return true;
}

/* More came out than was put in. */
static bool came_out_too_often(const struct items *m, uint32_t i)
{
    uint32_t takes = 0, earlier = i, add = 0;
    if (m->stutters || !surely_takes(m, i))
        return false;
    for (uint32_t j = 0; j <= i; j++)
        if (surely_takes(m, j) && same_item(fact(m, j), fact(m, i))) {
            takes++;
            earlier = j < i ? j : earlier;
        }
    const uint32_t adds = count_adds(m, fact(m, i), &add);
    if (takes <= adds || adds == 0)
        return false;
    const char *const item = item_text(m, fact(m, i));
    if (adds == 1)
        plumb_story_tell(m->story,
                         "@ and @ both ~ ~, which only @ ~, and only once",
                         earlier, i, m->kind->took, item, add, m->kind->added);
    else
        plumb_story_tell(m->story, "~ was ~ # times, yet only # times ~", item,
                         m->kind->took, (int64_t)takes, (int64_t)adds,
                         m->kind->added);
    return true;
}

/* Of the items inside at `rank`, the one that surely stays longest. */
static uint32_t longest_inside(const struct items *m, uint32_t rank,
                               const struct fact *only)
{
    uint32_t best = m->count, until = rank;
    for (uint32_t a = 0; a < m->count; a++) {
        if (!surely_adds(m, a) || plumb_story_ret(m->story, a) > rank)
            continue;
        if (only->size && !same_item(only, fact(m, a)))
            continue;
        const uint32_t end = inside_until(m, a);
        if (end > until) {
            until = end;
            best = a;
        }
    }
    return best;
}

/* "Empty", although at each moment of the operation something was inside: the
 * times of several items may together cover it. */
static bool was_never_empty(const struct items *m, uint32_t i)
{
    const struct fact *const f = fact(m, i);
    uint32_t chain[8], links = 0;
    uint32_t rank = plumb_story_call(m->story, i);
    if (!f->says_empty || pending(m, i))
        return false;
    while (rank <= plumb_story_ret(m->story, i)) {
        const uint32_t a = longest_inside(m, rank, f);
        if (a == m->count || links == 8)
            return false;
        chain[links++] = a;
        rank = inside_until(m, a);
    }
    for (uint32_t k = 0; k < links; k++)
        tell_inside(m, chain[k]);
    plumb_story_tell(m->story,
                     f->size ? "all of @ lies in that time, yet it found none"
                             : "all of @ lies in that time, yet it answered "
                               "empty",
                     i);
    return true;
}

/* Is the item of `i` added by one operation alone?  That one, or m->count. */
static uint32_t only_adder(const struct items *m, uint32_t i)
{
    uint32_t add = m->count;
    return count_adds(m, fact(m, i), &add) == 1 ? add : m->count;
}

static void tell_overtaking(const struct items *m, uint32_t d, uint32_t e)
{
    const char *const y = item_text(m, fact(m, d));
    const char *const x = item_text(m, fact(m, e));
    const char *const format =
        fact(m, d)->role == LOOK ? "@ returned before @ was called, so ~ was "
                                   "first while ~ was inside"
        : fact(m, e)->role == LOOK
            ? "@ returned before @ was called, so ~ left while ~ was inside"
            : "@ returned before @ was called, so ~ left before ~";
    plumb_story_tell(m->story, format, d, e, y, x);
}

/* The older item of the queue: d answers y while the x of `a` is inside. */
static bool overtakes(const struct items *m, uint32_t a, uint32_t d)
{
    const uint32_t b = only_adder(m, d);
    if (b == m->count || only_adder(m, a) != a || !surely_adds(m, a) ||
        !plumb_story_precedes(m->story, a, b))
        return false;
    uint32_t e = 0;
    while (e < m->count &&
           !(answers_item(m, e) && same_item(fact(m, e), fact(m, a)) &&
             plumb_story_precedes(m->story, d, e)))
        e++;
    if (e == m->count && inside_until(m, a) < plumb_story_ret(m->story, d))
        return false;
    const char *const x = item_text(m, fact(m, a));
    const char *const y = item_text(m, fact(m, d));
    plumb_story_tell(m->story,
                     "@ returned before @ was called, so ~ entered before ~", a,
                     b, x, y);
    if (e < m->count)
        tell_overtaking(m, d, e);
    else
        plumb_story_tell(m->story,
                         "@ answered ~, although nobody had taken ~, which was "
                         "before it",
                         d, y, x);
    return true;
}

static bool broke_first_in_first_out(const struct items *m, uint32_t d)
{
    if (!m->fifo || !answers_item(m, d))
        return false;
    for (uint32_t a = 0; a < m->count; a++)
        if (fact(m, a)->role == ADD && overtakes(m, a, d))
            return true;
    return false;
}

/* d answers x, added by a, while the later y of `b` lies on top of it. */
static bool reaches_below(const struct items *m, uint32_t b, uint32_t d)
{
    const uint32_t a = only_adder(m, d);
    if (a == m->count || a == b || !plumb_story_precedes(m->story, a, b) ||
        !inside_throughout(m, b, d))
        return false;
    const char *const x = item_text(m, fact(m, d));
    const char *const y = item_text(m, fact(m, b));
    plumb_story_tell(m->story,
                     "@ returned before @ was called, so ~ was put on top of ~",
                     a, b, y, x);
    tell_inside(m, b);
    plumb_story_tell(m->story, "all of @ lies in that time, yet it answered ~",
                     d, x);
    return true;
}

static bool broke_last_in_first_out(const struct items *m, uint32_t d)
{
    if (!m->lifo || !answers_item(m, d))
        return false;
    for (uint32_t b = 0; b < m->count; b++)
        if (reaches_below(m, b, d))
            return true;
    return false;
}

static int compare_texts(const struct plumb_history *h, struct plumb_value a,
                         struct plumb_value b)
{
    size_t x, y;
    const char *const s = plumb_symbol_text(h->symbols, (uint32_t)a.bits, &x);
    const char *const t = plumb_symbol_text(h->symbols, (uint32_t)b.bits, &y);
    const int order = memcmp(s, t, x < y ? x : y);
    return order ? order : (x > y) - (x < y);
}

/* nil < false < true < integers < strings, as docs/SPECS.md has it. */
static int compare_values(const struct plumb_history *h, struct plumb_value a,
                          struct plumb_value b)
{
    if (a.tag != b.tag)
        return a.tag < b.tag ? -1 : 1;
    if (a.tag == PLUMB_STR)
        return compare_texts(h, a, b);
    const int64_t x = (int64_t)a.bits, y = (int64_t)b.bits;
    return (x > y) - (x < y);
}

static bool passed_over(const struct items *m, uint32_t d)
{
    if (!(m->smallest_first || m->largest_first) || !answers_item(m, d))
        return false;
    for (uint32_t a = 0; a < m->count; a++) {
        if (!inside_throughout(m, a, d) || fact(m, a)->size == 0)
            continue;
        const int order = compare_values(
            m->story->scene->h, fact(m, a)->item[0], fact(m, d)->item[0]);
        if (m->largest_first ? order <= 0 : order >= 0)
            continue;
        tell_inside(m, a);
        plumb_story_tell(m->story,
                         "all of @ lies in that time, yet it answered ~, which "
                         "is ~ than ~",
                         d, item_text(m, fact(m, d)),
                         m->largest_first ? "smaller" : "larger",
                         item_text(m, fact(m, a)));
        return true;
    }
    return false;
}

/* The plainest reason first. */
static bool (*const patterns[])(const struct items *m, uint32_t i) = {
    came_from_nowhere,        came_out_too_often,      was_never_empty,
    broke_first_in_first_out, broke_last_in_first_out, passed_over,
};

static bool tell_items(const struct items *m)
{
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++)
        for (uint32_t i = 0; i < m->count; i++)
            if (patterns[p](m, i))
                return true;
    return false;
}

static const struct kind *find_kind(const char *type)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (plumb_story_lists(kinds[k].types, type))
            return kinds + k;
    return NULL;
}

bool plumb_story_of_items(const struct plumb_story *s, const char *type)
{
    size_t size;
    const struct kind *const kind = find_kind(type);
    const uint32_t count = s->scene->count;
    struct fact *const list =
        plumb_arena_zeroed(s->arena, count * sizeof *list);
    if (!kind || !list)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        list[i] = read_fact(s, kind, i);
        if (list[i].role == UNKNOWN)
            return false;
    }
    const bool quasi = plumb_story_param(s, "k", &size);
    const bool max = plumb_story_param(s, "max", &size);
    const bool priority = strcmp(type, "priority-queue") == 0;
    const struct items m = {
        .story = s,
        .kind = kind,
        .fact = list,
        .count = count,
        .stutters = strcmp(type, "stuttering-queue") == 0,
        .fifo = kind == kinds && strcmp(type, "semiqueue") != 0 && !quasi,
        .lifo = strcmp(type, "stack") == 0,
        .largest_first = priority && max,
        .smallest_first = priority && !max,
    };
    return tell_items(&m);
}
