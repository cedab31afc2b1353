/* plain_factor_queue.c - queue:enq=E,deq=K.
 *
 * The permutation of Definition 4 gives every item one place, as an addition
 * and as a removal.  Which items that have left took which places is not known,
 * so a state has all sets of places that may be taken.
 *
 * Numbers and places are counted from the removals so far: the next removal is
 * number 1.  If m places behind the first free one are taken, all before it
 * are, so that one is 1 - m.  What is still to leave has to have a place of at
 * least 1 - K, so m is at most K.
 *
 * list: an item and its number, for each item present, in the order they were
 * added; then the sets, in a fixed order, each a list of its places behind the
 * first free one, in order, with its length in front.
 * number: how many items are present. */
#include "plain_relaxed.h"

#include "base/vector.h"

struct numbers {
    int64_t *at;
    size_t count, capacity;
};

/* A set of places: those behind the first free one. */
struct places {
    const struct plumb_value *at;
    size_t count;
};

/* The sets of the state to come. */
struct family {
    struct numbers flat; /* one after the other, a length in front of each */
    PLUMB_VECTOR(size_t) start;
};

/* What is looked at: the items, without one; and the places, with one more. */
struct trial {
    const struct plumb_proof_plain *p;
    const struct plumb_proof_plain_state *s;
    size_t leaves;
    struct places taken;
    int64_t place;
};

static uint64_t factor(const struct plumb_proof_plain *p,
                       enum plumb_proof_relaxation which)
{
    return plumb_proof_plain_relaxation(p, which, 0);
}

static size_t present(const struct plumb_proof_plain_state *s)
{
    return (size_t)s->number;
}

static struct plumb_value item_at(const struct plumb_proof_plain_state *s,
                                  size_t i)
{
    return *plumb_proof_plain_at(&s->list, 2 * i);
}

/* Those to come, too, have numbers. */
static int64_t number_at(const struct plumb_proof_plain_state *s, size_t i)
{
    return i < present(s)
               ? (int64_t)plumb_proof_plain_at(&s->list, 2 * i + 1)->bits
               : (int64_t)i + 1;
}

static bool within(int64_t a, int64_t b, uint64_t distance)
{
    return (uint64_t)(a > b ? a - b : b - a) <= distance;
}

/* ---- sets of places ---- */

/* The set that begins at `at` of the list; *at moves behind it. */
static struct places read_places(const struct plumb_proof_plain_state *s,
                                 size_t *at)
{
    struct places taken = { .at = NULL, .count = 0 };
    taken.count = (size_t)plumb_proof_plain_at(&s->list, *at)->bits;
    if (taken.count)
        taken.at = plumb_proof_plain_at(&s->list, *at + 1);
    *at += 1 + taken.count;
    return taken;
}

static int64_t first_free(struct places taken)
{
    return 1 - (int64_t)taken.count;
}

static bool is_taken(struct places taken, int64_t place)
{
    for (size_t i = 0; i < taken.count; i++)
        if ((int64_t)taken.at[i].bits == place)
            return true;
    return place < first_free(taken);
}

static bool is_free(const struct trial *t, int64_t place)
{
    return place != t->place && !is_taken(t->taken, place);
}

/* The items that are left, and those to come, in their order get the free
 * places in theirs: if they can get them at all, they can so.  All are removed
 * with number 2 or later. */
static bool others_have_places(const struct trial *t)
{
    const uint64_t e = factor(t->p, PLAIN_ENQ), k = factor(t->p, PLAIN_DEQ);
    const size_t taken = t->taken.count;
    const int64_t last =
        taken ? (int64_t)t->taken.at[taken - 1].bits : t->place;
    int64_t place = first_free(t->taken);
    for (size_t i = 0;; i++) {
        if (i == t->leaves)
            continue;
        while (!is_free(t, place))
            place++;
        const int64_t number = number_at(t->s, i);
        if (!within(place, number, e) || (place < 2 && !within(place, 2, k)))
            return false;
        if (i >= present(t->s) && place > last && place > t->place)
            return true; /* the rest have the places of their numbers */
        place++;
    }
}

static bool is_legal(const struct trial *t)
{
    return !is_taken(t->taken, t->place) &&
           within(t->place, number_at(t->s, t->leaves),
                  factor(t->p, PLAIN_ENQ)) &&
           within(t->place, 1, factor(t->p, PLAIN_DEQ)) &&
           others_have_places(t);
}

/* The highest place that item i might have. */
static int64_t last_place(const struct plumb_proof_plain *p,
                          const struct plumb_proof_plain_state *s, size_t i)
{
    const uint64_t k = factor(p, PLAIN_DEQ), e = factor(p, PLAIN_ENQ);
    const int64_t number = number_at(s, i);
    const int64_t most = (int64_t)s->list.count + number; /* far enough */
    const int64_t of_k = k < (uint64_t)most ? 1 + (int64_t)k : most;
    const int64_t of_e = e < (uint64_t)most ? number + (int64_t)e : most;
    return of_k < of_e ? of_k : of_e;
}

/* ---- families ---- */

static const int64_t *set_of(const struct family *f, size_t i)
{
    return f->flat.at + f->start.at[i];
}

static int compare_sets(const int64_t *a, const int64_t *b)
{
    for (int64_t i = 0; i <= a[0]; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* The last set of `flat` goes where it belongs, unless it is there. */
static bool keep_last(struct plumb_budget *budget, struct family *f,
                      size_t start)
{
    const int64_t *const fresh = f->flat.at + start;
    size_t at = 0;
    while (at < f->start.count && compare_sets(set_of(f, at), fresh) < 0)
        at++;
    if (at < f->start.count && compare_sets(set_of(f, at), fresh) == 0) {
        f->flat.count = start;
        return true;
    }
    if (!PLUMB_PUSH(budget, &f->start, start))
        return false;
    for (size_t i = f->start.count - 1; i > at; i--)
        f->start.at[i] = f->start.at[i - 1];
    f->start.at[at] = start;
    return true;
}

/* The set with the place that is tried, counted from the next removal on. */
static bool add_set(struct family *f, const struct trial *t)
{
    struct plumb_budget *const budget = t->p->budget;
    const size_t start = f->flat.count;
    int64_t first = first_free(t->taken);
    while (!is_free(t, first))
        first++;
    const int64_t most = (int64_t)t->taken.count + 1;
    if (!PLUMB_PUSH(budget, &f->flat, 0))
        return false;
    /* With m places behind it, the first free one is 2 - m from here. */
    for (int64_t place = first + 1; f->flat.at[start] < 2 - first; place++) {
        assert(f->flat.at[start] <= most);
        if (is_free(t, place))
            continue;
        if (!PLUMB_PUSH(budget, &f->flat, place - 1))
            return false;
        f->flat.at[start]++;
    }
    return keep_last(budget, f, start);
}

/* All sets that there may be when item i has left. */
static bool find_sets(const struct plumb_proof_plain *p,
                      const struct plumb_proof_plain_state *s, size_t i,
                      struct family *f)
{
    const int64_t last = last_place(p, s, i);
    for (size_t at = 2 * present(s); at < s->list.count;) {
        struct trial t = { .p = p, .s = s, .leaves = i };
        t.taken = read_places(s, &at);
        for (t.place = first_free(t.taken); t.place <= last; t.place++)
            if (is_legal(&t) && !add_set(f, &t))
                return false;
    }
    return true;
}

static void release(struct plumb_budget *budget, struct family *f)
{
    PLUMB_VECTOR_RELEASE(budget, &f->flat);
    PLUMB_VECTOR_RELEASE(budget, &f->start);
}

/* ---- the state ---- */

static bool write_sets(struct plumb_proof_plain *p,
                       struct plumb_proof_plain_state *s,
                       const struct family *f)
{
    for (size_t i = 0; i < f->start.count; i++)
        for (int64_t k = 0; k <= set_of(f, i)[0]; k++)
            if (!plumb_proof_plain_push_back(p, &s->list,
                                             plumb_int(set_of(f, i)[k])))
                return false;
    return true;
}

/* Item i has left, and `f` are the sets of places. */
static bool leave(struct plumb_proof_plain *p,
                  struct plumb_proof_plain_state *s, size_t i,
                  const struct family *f)
{
    while (s->list.count > 2 * present(s))
        plumb_proof_plain_pop_back(&s->list);
    for (size_t k = i; k + 1 < present(s); k++) {
        *plumb_proof_plain_at(&s->list, 2 * k) = item_at(s, k + 1);
        *plumb_proof_plain_at(&s->list, 2 * k + 1) =
            plumb_int(number_at(s, k + 1));
    }
    s->number--;
    plumb_proof_plain_pop_back(&s->list);
    plumb_proof_plain_pop_back(&s->list);
    for (size_t k = 0; k < present(s); k++)
        plumb_proof_plain_at(&s->list, 2 * k + 1)->bits--;
    return write_sets(p, s, f);
}

static bool init(struct plumb_proof_plain *p, struct plumb_proof_plain_state *s)
{
    return plumb_proof_plain_push_back(p, &s->list, plumb_int(0));
}

/* ---- operations ---- */

/* Is an equal item among those before item i?  Then that one leaves first. */
static bool has_older_equal(const struct plumb_proof_plain_state *s, size_t i)
{
    for (size_t older = 0; older < i; older++)
        if (plumb_value_equal(item_at(s, older), item_at(s, i)))
            return true;
    return false;
}

/* Might item i be removed?  Then with which sets of places after it?  False
 * when memory is used up. */
static bool try_item(const struct plumb_proof_plain *p,
                     const struct plumb_proof_plain_state *s, size_t i,
                     struct family *f)
{
    release(p->budget, f);
    return has_older_equal(s, i) || find_sets(p, s, i, f);
}

static bool is_wanted(const struct plumb_proof_plain_state *s,
                      const struct plumb_proof_plain_seen *seen, size_t i)
{
    return !seen ||
           (seen->nres == 1 && plumb_value_equal(seen->res[0], item_at(s, i)));
}

/* How many of the items that are wanted might be removed, up to the n-th?  That
 * one is *item, and `f` its sets.  False when memory is used up. */
static bool nth_item(const struct plumb_proof_plain *p,
                     const struct plumb_proof_plain_state *s,
                     const struct plumb_proof_plain_seen *seen, size_t n,
                     size_t *count, size_t *item, struct family *f)
{
    *count = 0;
    for (size_t i = 0; i < present(s); i++) {
        if (!is_wanted(s, seen, i))
            continue;
        if (!try_item(p, s, i, f))
            return false;
        if (f->start.count && (*count)++ == n) {
            *item = i;
            return true;
        }
    }
    return true;
}

static bool choose_item(const struct plumb_proof_plain *p,
                        const struct plumb_proof_plain_state *s,
                        const struct plumb_proof_plain_call *call, size_t *item,
                        struct family *f)
{
    size_t ways;
    if (!nth_item(p, s, call->seen, SIZE_MAX, &ways, item, f))
        return false;
    if (!ways) /* the answer is not what was seen: some other */
        return nth_item(p, s, NULL, 0, &ways, item, f);
    const unsigned n = plumb_proof_plain_choose(call, ways);
    return nth_item(p, s, call->seen, n, &ways, item, f);
}

static enum plumb_proof_plain_result remove_or_look(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *call, bool looks,
    struct plumb_proof_plain_reply *r)
{
    struct family f = { .flat = { .at = NULL } };
    size_t item = 0;
    bool room = choose_item(p, s, call, &item, &f);
    if (room) {
        plumb_proof_plain_answer_value(r, item_at(s, item));
        room = looks || leave(p, s, item, &f);
    }
    release(p->budget, &f);
    return room ? PLAIN_RETURNS : PLAIN_NO_MEMORY;
}

/* The sets go behind the new item. */
static bool insert_item(struct plumb_proof_plain *p,
                        struct plumb_proof_plain_state *s, struct plumb_value x)
{
    const struct plumb_value fresh[] = { x, plumb_int((int64_t)s->number + 1) };
    const size_t before = 2 * present(s), sets = s->list.count - before;
    for (unsigned i = 0; i < 2; i++)
        if (!plumb_proof_plain_push_back(p, &s->list, fresh[i]))
            return false;
    struct plumb_value *const at = plumb_proof_plain_at(&s->list, before);
    for (size_t i = sets; i-- > 0;)
        at[i + 2] = at[i];
    at[0] = fresh[0];
    at[1] = fresh[1];
    s->number++;
    return true;
}

static enum plumb_proof_plain_result add(struct plumb_proof_plain *p,
                                         struct plumb_proof_plain_state *s,
                                         const struct plumb_proof_plain_call *c,
                                         struct plumb_proof_plain_reply *r)
{
    if (p->with.has_cap && s->number >= p->with.cap)
        return plumb_proof_relaxed_refuse(c->operation->kind == QUEUE_PUT, r);
    return insert_item(p, s, c->args[0]) ? plumb_proof_plain_answer(r, "ok")
                                         : PLAIN_NO_MEMORY;
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const unsigned kind = c->operation->kind;
    const bool looks = kind == QUEUE_PEEK;
    const bool partial =
        kind == QUEUE_TAKE || (kind == QUEUE_DEQ && p->with.blocking);
    if (kind == QUEUE_ENQ || kind == QUEUE_PUT)
        return add(p, s, c, r);
    if (!present(s))
        return plumb_proof_plain_nothing_there(partial, r);
    if (!looks && !partial && plumb_proof_says_empty(p, c, present(s)))
        return plumb_proof_plain_answer(r, "empty");
    return remove_or_look(p, s, c, looks, r);
}

const struct plumb_proof_plain_type plumb_proof_factor_queue = {
    .names = "queue",
    .parameters = "",
    PLAIN_TABLE(plumb_proof_queue_operations),
    .closed = true,
    .init = init,
    .perform = perform,
};
