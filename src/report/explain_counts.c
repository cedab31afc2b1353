/* explain_counts.c - objects whose state has a size: counters, semaphores, and
 * whatever holds at most so many items.
 *
 * At any moment of operation c, everything that returned before c was called
 * has happened, and nothing that was called after c returned has.  What lies in
 * between may have.  That bounds the number that c can have met. */
#include "story.h"

#include <string.h>

/* Beyond this, sums might wrap as the counter's own 64 bits do. */
static const int64_t too_large = (int64_t)1 << 40;
enum { MAX_FACTS = 1000 };

struct fact {
    bool understood;
    int64_t change;            /* what it adds, if it took effect         */
    int64_t at_least, at_most; /* what it says the number was before it   */
};

struct counts {
    const struct plumb_report_story *story;
    const struct plumb_report_scene *scene; /* the story's */
    const struct fact *fact;
    uint32_t count;
    int64_t initial;
    int64_t floor, ceiling; /* what it can never go beyond */
    const char *what;       /* the number of what */
};

struct bounds {
    int64_t least, most;
};

/* One more operation, which has happened for sure, or may have. */
static void extend(struct bounds *b, int64_t change, bool sure)
{
    b->least += sure || change < 0 ? change : 0;
    b->most += sure || change > 0 ? change : 0;
}

static struct bounds bounds_before(const struct counts *m, uint32_t c)
{
    struct bounds b = { m->initial, m->initial };
    for (uint32_t i = 0; i < m->count; i++) {
        if (i == c || plumb_report_scene_precedes(m->scene, c, i))
            continue;
        extend(&b, m->fact[i].change,
               plumb_report_scene_precedes(m->scene, i, c));
    }
    return b;
}

static bool tell_count(const struct counts *m, uint32_t c)
{
    const struct fact *const f = m->fact + c;
    const struct bounds b = bounds_before(m, c);
    const bool exact = f->at_least == f->at_most;
    if (f->at_least > b.most)
        plumb_report_story_tell(
            m->story,
            "during @, ~ was at most # (counting every operation that may have "
            "taken effect by then), yet @ behaved as if it was ~#",
            c, m->what, b.most, c, exact ? "" : "at least ", f->at_least);
    else if (f->at_most < b.least)
        plumb_report_story_tell(
            m->story,
            "during @, ~ was at least # (counting only operations that must "
            "have taken effect by then), yet @ behaved as if it was ~#",
            c, m->what, b.least, c, exact ? "" : "at most ", f->at_most);
    else
        return false;
    return true;
}

/* Even if everything that is uncertain helps, the operations together go beyond
 * what is possible. */
static bool tell_total(const struct counts *m)
{
    struct bounds b = { m->initial, m->initial };
    for (uint32_t i = 0; i < m->count; i++)
        extend(&b, m->fact[i].change,
               !plumb_report_scene_is_pending(m->scene, i));
    if (b.most < m->floor)
        plumb_report_story_tell(
            m->story,
            "all operations together make ~ at most #, but it "
            "cannot be less than #",
            m->what, b.most, m->floor);
    else if (b.least > m->ceiling)
        plumb_report_story_tell(
            m->story,
            "all operations together make ~ at least #, but it "
            "cannot be more than #",
            m->what, b.least, m->ceiling);
    else
        return false;
    return true;
}

/* ---- counters ---- */

static bool is_count(struct plumb_value v)
{
    const int64_t n = (int64_t)v.bits;
    return v.tag == PLUMB_INT && n > -too_large && n < too_large;
}

static int64_t counter_change(const struct plumb_report_story *s, uint32_t i)
{
    const struct plumb_op *const o = plumb_report_scene_op(s->scene, i);
    const struct plumb_value *const arg = plumb_op_args(s->scene->h, o);
    if (plumb_report_story_name_is(
            s, i, "inc increment fetchinc getandincrement fetchandincrement"))
        return 1;
    if (plumb_report_story_name_is(s, i, "dec decrement"))
        return -1;
    if (plumb_report_story_name_is(s, i, "add fetchadd getandadd fetchandadd"))
        return o->nargs == 1 && is_count(arg[0]) ? (int64_t)arg[0].bits
                                                 : too_large;
    return plumb_report_story_name_is(s, i, "get read value load") ? 0
                                                                   : too_large;
}

static void read_counter(const struct plumb_report_story *s, uint32_t i,
                         struct fact *f)
{
    const struct plumb_op *const o = plumb_report_scene_op(s->scene, i);
    const struct plumb_value *const res = plumb_op_results(s->scene->h, o);
    f->change = counter_change(s, i);
    f->understood = f->change < too_large;
    if (plumb_report_scene_is_pending(s->scene, i) || o->nres == 0)
        return;
    f->understood &= is_count(res[0]);
    f->at_least = f->at_most = (int64_t)res[0].bits;
}

/* ---- semaphores ---- */

/* It tried: did it succeed?  False: it does not say. */
static bool answers_whether(const struct plumb_report_story *s, uint32_t i,
                            bool *did)
{
    const struct plumb_op *const o = plumb_report_scene_op(s->scene, i);
    return plumb_report_scene_is_pending(s->scene, i) ||
           (o->nres == 1 && plumb_report_story_bool(
                                s, plumb_op_results(s->scene->h, o)[0], did));
}

static void read_semaphore(const struct plumb_report_story *s, uint32_t i,
                           struct fact *f)
{
    bool did = true;
    f->understood = true;
    if (plumb_report_story_name_is(s, i, "release post signal v up")) {
        f->change = 1;
    } else if (plumb_report_story_name_is(s, i, "acquire wait p down")) {
        f->change = -1;
        f->at_least = 1;
    } else if (plumb_report_story_name_is(s, i, "tryacquire trywait trydown")) {
        f->understood = answers_whether(s, i, &did);
        f->change = did ? -1 : 0;
        f->at_least = did ? 1 : 0;
        f->at_most = did ? too_large : 0;
    } else {
        f->understood = false;
    }
}

/* A mutex is a number of locks held, 0 or 1. */
static void read_mutex(const struct plumb_report_story *s, uint32_t i,
                       struct fact *f)
{
    bool did = true;
    f->understood = true;
    if (plumb_report_story_name_is(s, i, "unlock release")) {
        f->change = -1;
        f->at_least = 1;
        return;
    }
    f->understood = plumb_report_story_name_is(s, i, "trylock tryacquire")
                        ? answers_whether(s, i, &did)
                        : plumb_report_story_name_is(s, i, "lock acquire");
    f->change = did ? 1 : 0;
    f->at_least = did ? f->at_least : 1;
    f->at_most = did ? 0 : f->at_most;
}

/* ---- what has room for `cap` items ---- */

static const char adders[] =
    "enq enqueue offer add send put push insert pushfront pushleft addfirst "
    "offerfirst pushtop pushback pushright addlast offerlast pushbottom";
static const char lookers[] =
    "peek front head first top min findmin getmin max findmax getmax peekfront "
    "peekleft peekfirst peekback peekright peeklast";

static void read_bounded(const struct plumb_report_story *s, uint32_t i,
                         struct fact *f)
{
    const int64_t cap = plumb_report_story_number(s, "cap", 0);
    const bool pending = plumb_report_scene_is_pending(s->scene, i);
    f->understood = true;
    if (plumb_report_story_name_is(s, i, adders)) {
        const bool full = !pending && plumb_report_story_term_is(s, i, "full");
        f->change = full ? 0 : 1;
        f->at_least = full ? cap : f->at_least;
        f->at_most = full ? f->at_most : cap - 1;
    } else if (!pending && plumb_report_story_term_is(s, i, "empty")) {
        f->at_most = 0;
    } else {
        f->change = plumb_report_story_name_is(s, i, lookers) ? 0 : -1;
        f->at_least = 1;
    }
}

/* ---- */

static void list_facts(const struct plumb_report_story *s, struct fact *list,
                       void (*read)(const struct plumb_report_story *, uint32_t,
                                    struct fact *))
{
    for (uint32_t i = 0; i < s->scene->count; i++) {
        list[i] = (struct fact){ .at_least = -too_large, .at_most = too_large };
        read(s, i, list + i);
        if (plumb_report_scene_is_pending(s->scene, i)) {
            list[i].at_least = -too_large;
            list[i].at_most = too_large;
        }
    }
}

static bool tell_counts(const struct counts *m)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (!m->fact[i].understood)
            return false;
    if (m->initial <= -too_large || m->initial >= too_large)
        return false;
    for (uint32_t i = 0; i < m->count; i++)
        if (tell_count(m, i))
            return true;
    return tell_total(m);
}

static bool is_kind(const struct plumb_report_story *s, const char *type,
                    struct counts *m, struct fact *list)
{
    const int64_t cap = plumb_report_story_number(s, "cap", 0);
    m->floor = 0;
    m->ceiling = too_large;
    if (strcmp(type, "counter") == 0) {
        m->what = "the counter";
        m->initial = plumb_report_story_number(s, "init", 0);
        m->floor = -too_large * (MAX_FACTS + 1);
        m->ceiling = too_large * (MAX_FACTS + 1);
        list_facts(s, list, read_counter);
    } else if (strcmp(type, "semaphore") == 0) {
        m->what = "the count";
        m->initial = plumb_report_story_number(s, "n", 1);
        list_facts(s, list, read_semaphore);
    } else if (strcmp(type, "mutex") == 0) {
        m->what = "the number of locks held";
        m->ceiling = 1;
        list_facts(s, list, read_mutex);
    } else if (cap > 0) {
        m->what = "the number of items";
        m->ceiling = cap;
        list_facts(s, list, read_bounded);
    }
    return m->what;
}

bool plumb_report_story_of_counts(const struct plumb_report_story *s,
                                  const char *type)
{
    struct counts m = { .story = s,
                        .scene = s->scene,
                        .count = s->scene->count };
    struct fact *const list =
        plumb_base_arena_zeroed(s->arena, m.count * sizeof *list);
    if (!list || m.count > MAX_FACTS || !is_kind(s, type, &m, list))
        return false;
    m.fact = list;
    return tell_counts(&m);
}
