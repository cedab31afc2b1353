/* deadline_rule.c - enqueues that come too late.
 *
 * A queue without `k`, and a configuration of the operations A that
 * is reached by steps from the initial one.  Let o be an enqueue of w that is
 * not in A, the j-th w if it comes next, and let A have i >= 1 enqueues of v.
 * Call an operation that takes an item away a removal.
 *
 *   r   the j-th smallest return of the completed dequeues that answered w
 *   c   the i-th smallest call of the completed dequeues that answered v
 *       together with all pending dequeues, which might answer v
 *
 * are infinite if there are fewer.  If c > r, then o is late: no legal order
 * of the core begins with the steps to A and then o.
 *
 * (A stuttering queue, and `cap`: below.)
 *
 * Suppose one does.  Its n-th removal of a value takes away the n-th item of
 * that value that was enqueued.  Let x be the i-th v, and y the j-th w, which o
 * enqueues.  r is finite, so j completed dequeues of w return at r or before.
 * All are somewhere in the order, and not all can be among the first j - 1
 * removals of w: one, z, is the removal of y, or comes behind it.  So y is
 * removed; x was enqueued before y, so it is removed before y.  The i removals
 * of v up to that of x are different operations among those of which c is the
 * i-th smallest call.  So there are that many, c is finite, and one of them, m,
 * is called at c or later.  The order has m, at or before the removal of x,
 * before z.  So z does not precede m in real time: m is called before z
 * returns.  Hence c <= call of m < return of z <= r.
 *
 * A stuttering queue: an item answers up to s dequeues and leaves
 * with the last of them.  Now let r be the (s (j - 1) + 1)-th smallest return.
 * The first j - 1 items of w answer at most s (j - 1) of the dequeues of w, so
 * one of those that return at r or before, z, is answered by y or by a w behind
 * it.  x was enqueued before, so it has answered and left before z.  The first
 * i items of v, x the last of them, have each answered a dequeue by the time
 * that x answers its first: i different operations, one of which, m, is called
 * at c or later.  m is at or before x's first answer, before z; go on as above.
 *
 * With `cap`: an enqueue of A that returned is one that answered ok, so it put its
 * item in, and so does o if it returned.  A pending one may have been refused.  The
 * rule is not used where there are any.
 *
 * Whether o is late takes no look at all of A.  For the k-th operation, if it
 * is an enqueue, let reach[k] be the c of its value if all operations up to k
 * were in A, and 0 for others.  As c grows with i, it is enough to find an
 * enqueue k in A such that c > r for the enqueues of its value in A up to k;
 * and then reach[k] > r.  higher[k] is the last operation before k that reaches
 * further than k does, so those with reach[k] > r are found from the end of A
 * without a look at those between.  The calls of dequeues follow the order of
 * the enqueues but for overlaps: few are looked at. */
#include "deadline_rule.h"

#include "base/memory.h"
#include "base/sort.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* Ranges of the lists below. */
struct value {
    uint32_t enqueue, enqueues; /* in l->enqueue                      */
    uint32_t dequeue, dequeues; /* in l->call and l->ret              */
    uint32_t gone;              /* scratch: enqueues that are missing */
};

struct plumb_proof_deadline {
    const struct plumb_proof_core *core;
    uint64_t answers; /* s; 1 if the queue does not stutter */
    struct value *value;
    uint32_t values;
    uint32_t *words; /* all of these, `count` each */
    /* By operation. */
    uint32_t *of;      /* the value of an enqueue or a completed dequeue */
    uint32_t *ordinal; /* of an enqueue, from 1 for each value; else 0   */
    uint32_t *reach, *higher;
    /* Lists, those of a value side by side, ascending. */
    uint32_t *enqueue;    /* operations                */
    uint32_t *call, *ret; /* of completed dequeues     */
    uint32_t *pending;    /* calls of pending dequeues */
    uint32_t pendings;
};

enum { LISTS = 8 };

/* ---- ranks ---- */

/* The n-th smallest of two ascending lists, n >= 1; PLUMB_NEVER if there are
 * fewer.  The loop finds how many of the n are in a. */
static uint32_t nth_of_two(const uint32_t *a, uint32_t as, const uint32_t *b,
                           uint32_t bs, uint32_t n)
{
    if (n > (uint64_t)as + bs)
        return PLUMB_NEVER;
    uint32_t low = n > bs ? n - bs : 0, high = n < as ? n : as;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (a[middle] < b[n - middle - 1])
            low = middle + 1;
        else
            high = middle;
    }
    const uint32_t in_a = low ? a[low - 1] : 0,
                   in_b = n > low ? b[n - low - 1] : 0;
    return in_a > in_b ? in_a : in_b;
}

/* c, for i enqueues of the value. */
static uint32_t earliest_call(const struct plumb_proof_deadline *l,
                              const struct value *v, uint32_t i)
{
    return nth_of_two(l->call + v->dequeue, v->dequeues, l->pending,
                      l->pendings, i);
}

/* r, if the value's j-th enqueue is next. */
static uint32_t latest_return(const struct plumb_proof_deadline *l,
                              const struct value *w, uint32_t j)
{
    const uint64_t before = (uint64_t)(j - 1) * l->answers;
    return before < w->dequeues ? l->ret[w->dequeue + before] : PLUMB_NEVER;
}

/* ---- making it ready ---- */

enum role { OTHER, ENQUEUE, DEQUEUE, PENDING_DEQUEUE };

/* What answered full or empty adds and removes nothing; nor does a peek. */
static enum role role_of(const struct plumb_proof_core_op *o,
                         struct plumb_value *v)
{
    const struct plumb_proof_plain_operation *const what = o->call.operation;
    const bool belongs = plumb_proof_plain_belongs(&o->call, v);
    if (what->belongs == PLAIN_TO_FIRST_ARGUMENT)
        return plumb_proof_core_op_is_pending(o) ||
                       plumb_proof_plain_same(o->seen.term,
                                              strlen(o->seen.term), "ok", 2)
                   ? ENQUEUE
                   : OTHER;
    if (what->belongs != PLAIN_TO_RESULT || what->reads == PLAIN_READS)
        return OTHER;
    if (plumb_proof_core_op_is_pending(o))
        return PENDING_DEQUEUE;
    return belongs ? DEQUEUE : OTHER;
}

static bool allocate(struct plumb_proof_deadline *l)
{
    struct plumb_budget *const b = l->core->p->budget;
    const size_t count = l->core->count;
    uint32_t **const list[LISTS] = { &l->of,     &l->ordinal, &l->reach,
                                     &l->higher, &l->enqueue, &l->call,
                                     &l->ret,    &l->pending };
    l->words = plumb_base_alloc_zeroed(b, LISTS * count * sizeof *l->words);
    if (!l->words)
        return false;
    for (size_t i = 0; i < LISTS; i++)
        *list[i] = l->words + i * count;
    return true;
}

/* Number the values in the table, and the enqueues of each. */
static bool number_values(struct plumb_proof_deadline *l,
                          struct plumb_proof_plain_table *table)
{
    for (uint32_t k = 0; k < l->core->count; k++) {
        struct plumb_value v;
        const enum role role = role_of(l->core->op + k, &v);
        l->of[k] = NONE;
        if (role == PENDING_DEQUEUE)
            l->pending[l->pendings++] = l->core->op[k].called;
        if (role != ENQUEUE && role != DEQUEUE)
            continue;
        const struct plumb_proof_plain_entry *const e =
            plumb_proof_plain_enter(l->core->p, table, v, PLAIN_ABSENT);
        if (!e)
            return false;
        l->of[k] = (uint32_t)(e - table->entry);
        l->ordinal[k] = role == ENQUEUE;
    }
    l->values = (uint32_t)table->count;
    l->value = plumb_base_alloc_zeroed(l->core->p->budget,
                                       l->values * sizeof *l->value);
    return l->value != NULL;
}

static bool find_values(struct plumb_proof_deadline *l)
{
    struct plumb_proof_plain *const p = l->core->p;
    struct plumb_proof_plain_state *const s =
        plumb_proof_plain_state_new(p); /* its table */
    const bool found = s && number_values(l, &s->table);
    if (s)
        plumb_proof_plain_state_free(p, s);
    return found;
}

static void make_room(struct plumb_proof_deadline *l)
{
    uint32_t enqueues = 0, dequeues = 0;
    for (uint32_t k = 0; k < l->core->count; k++) {
        if (l->of[k] == NONE)
            continue;
        struct value *const v = l->value + l->of[k];
        if (l->ordinal[k])
            v->enqueues++;
        else
            v->dequeues++;
    }
    for (struct value *v = l->value; v != l->value + l->values; v++) {
        v->enqueue = enqueues;
        v->dequeue = dequeues;
        enqueues += v->enqueues;
        dequeues += v->dequeues;
        v->enqueues = v->dequeues = 0;
    }
}

static void fill_lists(struct plumb_proof_deadline *l)
{
    for (uint32_t k = 0; k < l->core->count; k++) {
        if (l->of[k] == NONE)
            continue;
        struct value *const v = l->value + l->of[k];
        if (l->ordinal[k]) {
            l->enqueue[v->enqueue + v->enqueues] = k;
            l->ordinal[k] = ++v->enqueues;
        } else {
            l->call[v->dequeue + v->dequeues] = l->core->op[k].called;
            l->ret[v->dequeue + v->dequeues] = l->core->op[k].ret;
            v->dequeues++;
        }
    }
    for (struct value *v = l->value; v != l->value + l->values; v++)
        qsort(l->ret + v->dequeue, v->dequeues, sizeof *l->ret,
              plumb_base_by_number);
}

/* The last operation before k that reaches further than rank r, or NONE. */
static uint32_t find_before(const struct plumb_proof_deadline *l, uint32_t k,
                            uint32_t r)
{
    if (!k)
        return NONE;
    k--;
    while (k != NONE && l->reach[k] <= r)
        k = l->higher[k];
    return k;
}

static void find_reaches(struct plumb_proof_deadline *l)
{
    for (uint32_t k = 0; k < l->core->count; k++) {
        if (l->ordinal[k])
            l->reach[k] = earliest_call(l, l->value + l->of[k], l->ordinal[k]);
        l->higher[k] = find_before(l, k, l->reach[k]);
    }
}

static bool prepare(struct plumb_proof_deadline *l)
{
    if (!allocate(l) || !find_values(l))
        return false;
    make_room(l);
    fill_lists(l);
    find_reaches(l);
    return true;
}

static bool has_pending_enqueue(const struct plumb_proof_core *core)
{
    struct plumb_value v;
    for (uint32_t k = 0; k < core->count; k++)
        if (plumb_proof_core_op_is_pending(core->op + k) &&
            role_of(core->op + k, &v) == ENQUEUE)
            return true;
    return false;
}

bool plumb_proof_deadline_new(const struct plumb_proof_core *core,
                              struct plumb_proof_deadline **late)
{
    const struct plumb_proof_plain *const p = core->p;
    assert(core->count);
    *late = NULL;
    const bool stutters = p->type == &plumb_proof_plain_stuttering_queue;
    if ((p->type != &plumb_proof_plain_queue && !stutters) ||
        (p->with.has_cap && has_pending_enqueue(core)))
        return true;
    struct plumb_proof_deadline *const l =
        plumb_base_alloc_zeroed(p->budget, sizeof *l);
    if (!l)
        return false;
    l->core = core;
    l->answers = !stutters                 ? 1
                 : p->with.j >= UINT32_MAX ? UINT32_MAX
                                           : p->with.j + 1;
    if (!prepare(l)) {
        plumb_proof_deadline_free(l);
        return false;
    }
    *late = l;
    return true;
}

void plumb_proof_deadline_free(struct plumb_proof_deadline *l)
{
    if (!l)
        return;
    struct plumb_budget *const b = l->core->p->budget;
    const size_t words = (size_t)LISTS * l->core->count;
    PLUMB_RELEASE(b, l->value, l->values);
    PLUMB_RELEASE(b, l->words, words);
    plumb_base_release(b, l, sizeof *l);
}

/* ---- asking ---- */

/* The enqueues of a value among the first `upto` operations. */
static uint32_t enqueues_before(const struct plumb_proof_deadline *l,
                                const struct value *v, uint32_t upto)
{
    const uint32_t *const at = l->enqueue + v->enqueue;
    uint32_t low = 0, high = v->enqueues;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (at[middle] < upto)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void mark_missing(struct plumb_proof_deadline *l,
                         const uint32_t *missing, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        if (l->ordinal[missing[n]])
            l->value[l->of[missing[n]]].gone++;
}

/* Take back the marks of those from k on, and forget them. */
static void unmark_from(struct plumb_proof_deadline *l, uint32_t k,
                        const uint32_t *missing, uint32_t *count)
{
    for (; *count && missing[*count - 1] >= k; --*count)
        if (l->ordinal[missing[*count - 1]])
            l->value[l->of[missing[*count - 1]]].gone--;
}

bool plumb_proof_deadline_is(struct plumb_proof_deadline *l, uint32_t o,
                             uint32_t upto, const uint32_t *missing,
                             uint32_t count)
{
    if (!l || !l->ordinal[o])
        return false;
    mark_missing(l, missing, count);
    const struct value *const w = l->value + l->of[o];
    const uint32_t j = 1 + enqueues_before(l, w, upto) - w->gone;
    const uint32_t r = latest_return(l, w, j);
    uint32_t k = r == PLUMB_NEVER ? NONE : find_before(l, upto, r);
    bool late = false;
    for (; k != NONE && !late; k = find_before(l, k, r)) {
        const struct value *const v = l->value + l->of[k];
        unmark_from(l, k + 1, missing, &count);
        const bool is_missing = count && missing[count - 1] == k;
        late = !is_missing && earliest_call(l, v, l->ordinal[k] - v->gone) > r;
        l->core->p->work++;
    }
    unmark_from(l, 0, missing, &count);
    return late;
}
