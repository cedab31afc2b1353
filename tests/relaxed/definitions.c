/* definitions.c - see definitions.h; read beside docs/relaxed-objects.md. */
#include "definitions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sequence, and which addition each removal took: its event. */
struct story {
    const struct relaxation *r;
    const struct sequence *s;
    int took[LONGEST];
};

/* ---- what is where ---- */

/* Is what event y added there just before event m? */
static bool is_present(const struct story *t, int y, int m)
{
    if (t->s->at[y].deed != ADDS || y >= m)
        return false;
    for (int i = y + 1; i < m; i++)
        if (t->s->at[i].deed == REMOVES && t->took[i] == y)
            return false;
    return true;
}

static int items(const struct story *t, int m)
{
    int n = 0;
    for (int y = 0; y < m; y++)
        n += is_present(t, y, m);
    return n;
}

/* Should item y leave before item x, by rights? */
static bool precedes(const struct story *t, int y, int x)
{
    switch (t->r->object) {
    case A_QUEUE:
        return y < x;
    case A_STACK:
        return y > x;
    default:
        return t->s->at[y].value < t->s->at[x].value;
    }
}

static int index_of(const struct story *t, int x, int m)
{
    int n = 0;
    for (int y = 0; y < m; y++)
        n += is_present(t, y, m) && precedes(t, y, x);
    return n;
}

/* How often is item y overtaken, by removals up to and including event m? */
static int overtaken(const struct story *t, int y, int m)
{
    int n = 0;
    for (int i = 0; i <= m; i++)
        n += t->s->at[i].deed == REMOVES && is_present(t, y, i) &&
             t->took[i] != y && precedes(t, y, t->took[i]);
    return n;
}

/* Items are numbered from 1. */
static int number(const struct story *t, int x)
{
    int n = 0;
    for (int i = 0; i <= x; i++)
        n += t->s->at[i].deed == ADDS;
    return n;
}

/* ---- parameters ---- */

/* The bounds of a plain object; -1: there is none. */
static int most_early(const struct relaxation *r)
{
    if (r->k != ABSENT)
        return r->k;
    return r->early == ABSENT && r->late == ABSENT && r->segment == ABSENT
               ? 0
               : r->early;
}

static int most_late(const struct relaxation *r)
{
    return r->object == A_QUEUE && r->k != ABSENT ? r->k : r->late;
}

static bool segment_allows(const struct story *t, int x, int m)
{
    const int size = t->r->segment;
    if (size == ABSENT)
        return true;
    const int bound = (number(t, x) - 1) / size * size;
    for (int y = 0; y < m; y++)
        if (is_present(t, y, m) && number(t, y) <= bound)
            return false;
    return true;
}

/* The removal of x at event m. */
static bool removal_is_allowed(const struct story *t, int x, int m)
{
    const int early = most_early(t->r), late = most_late(t->r);
    if (early != ABSENT && index_of(t, x, m) > early)
        return false;
    for (int y = 0; y < m && late != ABSENT; y++)
        if (is_present(t, y, m) && overtaken(t, y, m) > late)
            return false;
    return segment_allows(t, x, m);
}

/* ---- factors, Definition 3 ---- */

struct places {
    int items, removed, e, k;
    int item_at[LONGEST];    /* by place, from 1: the number of an item */
    int removed_as[LONGEST]; /* by number of item; 0: it is still there */
};

/* Could the removals be completed so that the items left come as the
 * (removed+1)-th, ...?  Every order is tried. */
static bool complete(struct places *p, const int *place_of, int next)
{
    if (next > p->items)
        return true;
    for (int i = 1; i <= p->items; i++) {
        if (p->removed_as[i] || abs(place_of[i] - next) > p->k)
            continue;
        p->removed_as[i] = next;
        const bool found = complete(p, place_of, next + 1);
        p->removed_as[i] = 0;
        if (found)
            return true;
    }
    return false;
}

static bool fits(const struct places *p, int item, int place)
{
    return abs(place - item) <= p->e &&
           (!p->removed_as[item] || abs(place - p->removed_as[item]) <= p->k);
}

/* Every way to give places to items. */
static bool has_places(struct places *p, int *place_of, int place)
{
    if (place > p->items)
        return complete(p, place_of, p->removed + 1);
    for (int i = 1; i <= p->items; i++) {
        if (place_of[i] || !fits(p, i, place))
            continue;
        place_of[i] = place;
        const bool found = has_places(p, place_of, place + 1);
        place_of[i] = 0;
        if (found)
            return true;
    }
    return false;
}

static bool factors_allow(const struct story *t)
{
    struct places p = { .e = t->r->enq == ABSENT ? 0 : t->r->enq,
                        .k = t->r->deq == ABSENT ? 0 : t->r->deq };
    int place_of[LONGEST + 1] = { 0 };
    for (int i = 0; i < t->s->count; i++) {
        p.items += t->s->at[i].deed == ADDS;
        if (t->s->at[i].deed == REMOVES)
            p.removed_as[number(t, t->took[i])] = ++p.removed;
    }
    return has_places(&p, place_of, 1);
}

/* ---- sequences ---- */

static bool has_factors(const struct relaxation *r)
{
    return r->enq != ABSENT || r->deq != ABSENT;
}

static bool try_items(struct story *t, int i);

/* May the object show item x at event m?  Then x might be removed there. */
static bool may_be_shown(const struct story *t, int x, int m)
{
    struct sequence shorter = *t->s;
    struct story would = *t;
    would.s = &shorter;
    shorter.count = m + 1;
    shorter.at[m].deed = REMOVES;
    would.took[m] = x;
    return has_factors(t->r) ? factors_allow(&would)
                             : removal_is_allowed(&would, x, m);
}

static bool peek_is_allowed(const struct story *t, int m)
{
    for (int x = 0; x < m; x++)
        if (is_present(t, x, m) && t->s->at[x].value == t->s->at[m].value &&
            may_be_shown(t, x, m))
            return true;
    return false;
}

static bool removal_can_be(struct story *t, int i)
{
    for (int x = 0; x < i; x++) {
        if (!is_present(t, x, i) || t->s->at[x].value != t->s->at[i].value)
            continue;
        t->took[i] = x;
        if ((has_factors(t->r) || removal_is_allowed(t, x, i)) &&
            try_items(t, i + 1))
            return true;
    }
    return false;
}

/* Events from i on, all ways to say what their removals took. */
static bool try_items(struct story *t, int i)
{
    const int empty = t->r->empty == ABSENT ? 0 : t->r->empty;
    if (i == t->s->count)
        return !has_factors(t->r) || factors_allow(t);
    switch (t->s->at[i].deed) {
    case ADDS:
        return try_items(t, i + 1);
    case SAYS_EMPTY:
        return items(t, i) <= empty && try_items(t, i + 1);
    case PEEKS:
        return peek_is_allowed(t, i) && try_items(t, i + 1);
    default:
        return removal_can_be(t, i);
    }
}

bool is_legal(const struct relaxation *r, const struct sequence *s)
{
    struct story t = { .r = r, .s = s };
    return try_items(&t, 0);
}

/* ---- Definition 4 ---- */

struct permutation {
    int count;
    int value[LONGEST];
};

static void project(const struct sequence *s, enum deed deed,
                    struct permutation *p)
{
    p->count = 0;
    for (int i = 0; i < s->count; i++)
        if (s->at[i].deed == deed)
            p->value[p->count++] = s->at[i].value;
}

/* Is there a shuffle of the two that is first in, first out? */
static bool has_shuffle(const struct permutation *adds,
                        const struct permutation *removes, int a, int r)
{
    if (r == removes->count)
        return true;
    if (r < a && removes->value[r] == adds->value[r] &&
        has_shuffle(adds, removes, a, r + 1))
        return true;
    return a < adds->count && has_shuffle(adds, removes, a + 1, r);
}

typedef bool use(const struct permutation *p, const void *context);

/* All permutations of `from` in which nothing is more than `most` places from
 * where it was. */
static bool each_permutation(const struct permutation *from, int most,
                             struct permutation *to, unsigned used, use *visit,
                             const void *context)
{
    if (to->count == from->count)
        return visit(to, context);
    for (int i = 0; i < from->count; i++) {
        if (used >> i & 1 || abs(i - to->count) > most)
            continue;
        to->value[to->count++] = from->value[i];
        const bool found =
            each_permutation(from, most, to, used | 1u << i, visit, context);
        to->count--;
        if (found)
            return true;
    }
    return false;
}

struct both {
    const struct permutation *adds, *removes;
    int k;
};

static bool shuffles(const struct permutation *removes, const void *context)
{
    return has_shuffle(context, removes, 0, 0);
}

static bool permute_removes(const struct permutation *adds, const void *context)
{
    const struct both *const b = context;
    struct permutation to = { .count = 0 };
    return each_permutation(b->removes, b->k, &to, 0, shuffles, adds);
}

static bool is_causal(const struct sequence *s)
{
    for (int i = 0; i < s->count; i++) {
        bool added = s->at[i].deed == ADDS;
        for (int y = 0; y < i; y++)
            added |= s->at[y].deed == ADDS && s->at[y].value == s->at[i].value;
        if (!added)
            return false;
    }
    return true;
}

/* Every order in which what is left might be removed. */
static bool complete_sequence(const struct sequence *s, int e, int k)
{
    struct permutation adds, removes;
    bool drained = true;
    project(s, ADDS, &adds);
    project(s, REMOVES, &removes);
    for (int i = 0; i < adds.count; i++) {
        bool removed = false;
        for (int n = 0; n < removes.count; n++)
            removed |= removes.value[n] == adds.value[i];
        if (removed)
            continue;
        struct sequence longer = *s;
        longer.at[longer.count++] = (struct event){ REMOVES, adds.value[i] };
        drained = false;
        if (complete_sequence(&longer, e, k))
            return true;
    }
    struct permutation to = { .count = 0 };
    const struct both b = { &adds, &removes, k };
    return drained && each_permutation(&adds, e, &to, 0, permute_removes, &b);
}

bool satisfies_definition_4(const struct sequence *s, int e, int k)
{
    return is_causal(s) && complete_sequence(s, e, k);
}

/* ---- names ---- */

struct relaxation read_relaxation(const char *text)
{
    struct relaxation r = { text,   A_QUEUE, ABSENT, ABSENT, ABSENT,
                            ABSENT, ABSENT,  ABSENT, ABSENT };
    const struct {
        const char *name;
        int *value;
    } known[] = { { "k", &r.k },        { "early", &r.early },
                  { "late", &r.late },  { "segment", &r.segment },
                  { "enq", &r.enq },    { "deq", &r.deq },
                  { "empty", &r.empty } };
    r.object = text[0] == 'q'   ? A_QUEUE
               : text[0] == 's' ? A_STACK
                                : A_PRIORITY_QUEUE;
    for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ',')) {
        const char *const value = strchr(at, '=') + 1;
        size_t i = 0;
        while (i < sizeof known / sizeof *known &&
               strncmp(known[i].name, at + 1, (size_t)(value - at - 2)) != 0)
            i++;
        if (i == sizeof known / sizeof *known)
            abort();
        *known[i].value = atoi(value);
    }
    return r;
}
