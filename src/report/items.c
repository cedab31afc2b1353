/* items.c - facts about items: what was read, and what follows from it. */
#include "items.h"

#include <string.h>

static const struct plumb_report_item_kind kinds[] = {
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

/* ---- what each operation says ---- */

static enum plumb_report_item_role role_of(
    const struct plumb_report_story *s, const struct plumb_report_item_kind *k,
    uint32_t i)
{
    if (plumb_report_story_name_is(s, i, k->add))
        return ADD;
    if (plumb_report_story_name_is(s, i, k->take))
        return TAKE;
    if (plumb_report_story_name_is(s, i, k->look))
        return LOOK;
    return plumb_report_story_name_is(s, i, "count") ? COUNT : UNKNOWN;
}

/* delete(x) and member(x): the item is the argument, the result a boolean. */
static void read_by_item(const struct plumb_report_story *s, uint32_t i,
                         struct plumb_report_item_fact *f)
{
    const struct plumb_history *const h = s->scene->h;
    const struct plumb_op *const o = plumb_report_scene_op(s->scene, i);
    bool there = false;
    f->item = plumb_op_args(h, o);
    f->size = o->nargs;
    if (plumb_report_scene_is_pending(s->scene, i))
        return;
    if (o->nres != 1 ||
        !plumb_report_story_bool(s, plumb_op_results(h, o)[0], &there))
        f->role = UNKNOWN;
    f->says_empty = !there;
}

static struct plumb_report_item_fact read_fact(
    const struct plumb_report_story *s, const struct plumb_report_item_kind *k,
    uint32_t i)
{
    const struct plumb_history *const h = s->scene->h;
    const struct plumb_op *const o = plumb_report_scene_op(s->scene, i);
    struct plumb_report_item_fact f = { .role = role_of(s, k, i) };
    if (f.role == ADD) {
        f.item = plumb_op_args(h, o);
        f.size = o->nargs;
        f.says_full = !plumb_report_scene_is_pending(s->scene, i) &&
                      plumb_report_story_term_is(s, i, "full");
    } else if (o->nargs && f.role != COUNT) {
        read_by_item(s, i, &f);
    } else if (!plumb_report_scene_is_pending(s->scene, i)) {
        f.item = plumb_op_results(h, o);
        f.size = o->nres;
        f.says_empty = plumb_report_story_term_is(s, i, "empty");
    }
    return f;
}

static const struct plumb_report_item_kind *find_kind(const char *type)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (plumb_report_story_lists(kinds[k].types, type))
            return kinds + k;
    return NULL;
}

/* May items leave in another order than by rights? */
static bool is_relaxed(const struct plumb_report_story *s)
{
    static const char *const names[] = { "k",       "early", "late",
                                         "segment", "enq",   "deq" };
    size_t size;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (plumb_report_story_param(s, names[i], &size))
            return true;
    return false;
}

bool plumb_report_items_read(const struct plumb_report_story *s,
                             const char *type, struct plumb_report_items *m)
{
    size_t size;
    const struct plumb_report_item_kind *const kind = find_kind(type);
    const uint32_t count = s->scene->count;
    struct plumb_report_item_fact *const list =
        plumb_base_arena_zeroed(s->arena, count * sizeof *list);
    if (!kind || !list)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        list[i] = read_fact(s, kind, i);
        if (list[i].role == UNKNOWN)
            return false;
    }
    const bool relaxed = is_relaxed(s);
    const bool max = plumb_report_story_param(s, "max", &size);
    const bool priority = strcmp(type, "priority-queue") == 0;
    *m = (struct plumb_report_items){
        .story = s,
        .scene = s->scene,
        .kind = kind,
        .fact = list,
        .count = count,
        .stutters = strcmp(type, "stuttering-queue") == 0,
        .fifo = kind == kinds && strcmp(type, "semiqueue") != 0 && !relaxed,
        .lifo = strcmp(type, "stack") == 0 && !relaxed,
        .largest_first = priority && max && !relaxed,
        .smallest_first = priority && !max && !relaxed,
        .lenient = plumb_report_story_number(s, "empty", 0) > 0,
    };
    return true;
}

/* ---- questions about items ---- */

bool plumb_report_items_same(const struct plumb_report_item_fact *a,
                             const struct plumb_report_item_fact *b)
{
    if (a->size == 0 || a->size != b->size)
        return false;
    for (unsigned i = 0; i < a->size; i++)
        if (!plumb_value_equal(a->item[i], b->item[i]))
            return false;
    return true;
}

bool plumb_report_items_may_add(const struct plumb_report_items *m, uint32_t i,
                                const struct plumb_report_item_fact *f)
{
    return m->fact[i].role == ADD && !m->fact[i].says_full &&
           plumb_report_items_same(m->fact + i, f);
}

bool plumb_report_items_surely_adds(const struct plumb_report_items *m,
                                    uint32_t i)
{
    return m->fact[i].role == ADD && !m->fact[i].says_full &&
           !plumb_report_scene_is_pending(m->scene, i);
}

static bool may_take(const struct plumb_report_items *m, uint32_t i,
                     const struct plumb_report_item_fact *f)
{
    const struct plumb_report_item_fact *const g = m->fact + i;
    if (g->role != TAKE || g->says_empty)
        return false;
    return (plumb_report_scene_is_pending(m->scene, i) && g->size == 0) ||
           plumb_report_items_same(g, f);
}

bool plumb_report_items_answers(const struct plumb_report_items *m, uint32_t i)
{
    const struct plumb_report_item_fact *const f = m->fact + i;
    return (f->role == TAKE || f->role == LOOK) &&
           !plumb_report_scene_is_pending(m->scene, i) && !f->says_empty &&
           f->size;
}

bool plumb_report_items_surely_takes(const struct plumb_report_items *m,
                                     uint32_t i)
{
    return m->fact[i].role == TAKE && plumb_report_items_answers(m, i);
}

uint32_t plumb_report_items_count_adds(const struct plumb_report_items *m,
                                       const struct plumb_report_item_fact *f,
                                       uint32_t *last)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->count; i++)
        if (plumb_report_items_may_add(m, i, f)) {
            count++;
            *last = i;
        }
    return count;
}

uint32_t plumb_report_items_first_taker(const struct plumb_report_items *m,
                                        uint32_t add)
{
    for (uint32_t i = 0; i < m->count; i++) /* in the order of calls */
        if (may_take(m, i, m->fact + add) &&
            !plumb_report_scene_precedes(m->scene, i, add))
            return i;
    return m->count;
}

uint32_t plumb_report_items_inside_until(const struct plumb_report_items *m,
                                         uint32_t add)
{
    const uint32_t taker = plumb_report_items_first_taker(m, add);
    return taker < m->count ? plumb_report_scene_op(m->scene, taker)->call
                            : PLUMB_NEVER;
}

bool plumb_report_items_inside_throughout(const struct plumb_report_items *m,
                                          uint32_t add, uint32_t i)
{
    return plumb_report_items_surely_adds(m, add) &&
           plumb_report_scene_precedes(m->scene, add, i) &&
           plumb_report_items_inside_until(m, add) >
               plumb_report_scene_ret(m->scene, i);
}

uint32_t plumb_report_items_only_adder(const struct plumb_report_items *m,
                                       uint32_t i)
{
    uint32_t add = m->count;
    return plumb_report_items_count_adds(m, m->fact + i, &add) == 1 ? add
                                                                    : m->count;
}

uint32_t plumb_report_items_longest_inside(
    const struct plumb_report_items *m, uint32_t rank,
    const struct plumb_report_item_fact *only)
{
    uint32_t best = m->count, until = rank;
    for (uint32_t a = 0; a < m->count; a++) {
        if (!plumb_report_items_surely_adds(m, a) ||
            plumb_report_scene_ret(m->scene, a) > rank)
            continue;
        if (only->size && !plumb_report_items_same(only, m->fact + a))
            continue;
        const uint32_t end = plumb_report_items_inside_until(m, a);
        if (end > until) {
            until = end;
            best = a;
        }
    }
    return best;
}
