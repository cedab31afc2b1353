/* chase_lev.c - the deque of a work-stealing scheduler.
 *
 * David Chase and Yossi Lev, 2005; the order of the accesses as in Le, Pop,
 * Cohen, Zappa Nardelli, 2013.  One process, the owner, pushes and pops at the
 * back.  All others steal at the front.  Only for the last item do they have
 * to agree, with a CAS.
 *
 *     top = 2            bottom = 5            Items have the numbers top to
 *      |                  |                    bottom - 1; n lies at n modulo
 *      v                  v                    the size.  The owner moves to a
 *      [2]   [3]   [4]                         larger array when it is full.
 *
 * Proof sketch.  `top` only grows, by one at a time, and by CAS.
 * - push_back linearizes where it stores `bottom`.
 * - pop_front = ok linearizes at its CAS of `top` from t: nobody took item t
 *   before.  It was in the array that was read: items do not change in old
 *   arrays, and place t is not written again while `top` is t.
 * - pop_back first stores bottom = b, then reads top = t.
 *   t < b: item b is the owner's: thieves that come later see `bottom`, and
 *   those that saw the old one want items up to b - 1 first, since `top` was
 *   below b.  Linearizes at the store.
 *   t = b: the last one.  The CAS decides between owner and thieves.
 *   t > b: empty.  Linearizes at the load of `top`.
 *   Then bottom = b + 1 again, where `top` is, or is about to be.
 * - pop_front = empty linearizes where it read `bottom` <= t.  If that is so
 *   only because of a pop_back in progress, then the last item will go to it,
 *   or to a thief that is already under way: these linearize just before.
 * - A thief that loses its race knows only that another won: it tries again.
 * - Reclamation: thieves may read an old array at any time.  It stays until
 *   teardown; all old ones together are smaller than the present one.
 *
 * FAULT_UNDERFLOW: the owner that loses the last item does not store `bottom`
 * again.  `bottom` is then below `top`, and the next item it pushes is at a
 * place that everybody believes to be taken. */
#include <plumb/object.h>
#include <stdatomic.h>
#include <stdlib.h>

struct array {
    struct array *before; /* the smaller one it replaced */
    int64_t size;
    _Atomic int64_t item[];
};

static _Atomic int64_t top, bottom;
static _Atomic(struct array *) array;

static struct array *array_make(int64_t size, struct array *before)
{
    struct array *const a =
        malloc(sizeof *a + (size_t)size * sizeof a->item[0]);
    if (!a)
        abort();
    a->before = before;
    a->size = size;
    return a;
}

/* relaxed: what is read counts only if `bottom`, `top` or `array`, which are
 * seq_cst, say that the item is there */
static int64_t get(struct array *a, int64_t n)
{
    return atomic_load_explicit(&a->item[n % a->size], memory_order_relaxed);
}

/* relaxed: published by the store to `bottom` or `array` */
static void put(struct array *a, int64_t n, int64_t x)
{
    atomic_store_explicit(&a->item[n % a->size], x, memory_order_relaxed);
}

static int64_t load(_Atomic int64_t *index)
{
    return atomic_load_explicit(index, memory_order_seq_cst);
}

static void set_bottom(int64_t b)
{
    atomic_store_explicit(&bottom, b, memory_order_seq_cst);
}

static bool take_top(int64_t t)
{
    return atomic_compare_exchange_strong_explicit(
        &top, &t, t + 1, memory_order_seq_cst, memory_order_seq_cst);
}

static struct array *grow(struct array *old, int64_t t, int64_t b)
{
    struct array *const a = array_make(2 * old->size, old);
    for (int64_t n = t; n < b; n++)
        put(a, n, get(old, n));
    atomic_store_explicit(&array, a, memory_order_seq_cst);
    return a;
}

static struct array *load_array(void)
{
    return atomic_load_explicit(&array, memory_order_seq_cst);
}

static void push_back(plumb_invocation *i)
{
    const int64_t b = load(&bottom), t = load(&top);
    struct array *a = load_array();
    if (b - t == a->size)
        a = grow(a, t, b);
    put(a, b, plumb_arg(i, 0));
    set_bottom(b + 1);
}

/* Take the last item with number b, against the thieves.  False if there is
 * none, or they were faster. */
static bool take_last(int64_t t, int64_t b)
{
    const bool won = t == b && take_top(t);
#ifdef FAULT_UNDERFLOW
    if (t == b && !won)
        return false;
#endif
    set_bottom(b + 1);
    return won;
}

static void pop_back(plumb_invocation *i)
{
    const int64_t b = load(&bottom) - 1;
    set_bottom(b);
    const int64_t t = load(&top);
    if (t < b || take_last(t, b))
        plumb_return(i, get(load_array(), b));
    else
        plumb_term(i, "empty");
}

static void pop_front(plumb_invocation *i)
{
    for (;; plumb_retry()) {
        const int64_t t = load(&top);
        if (load(&bottom) <= t) {
            plumb_term(i, "empty");
            return;
        }
        const int64_t x = get(load_array(), t);
        if (take_top(t)) {
            plumb_return(i, x);
            return;
        }
    }
}

static void setup(void)
{
    atomic_init(&top, 0);
    atomic_init(&bottom, 0);
    atomic_init(&array, array_make(2, NULL));
}

static void teardown(void)
{
    for (struct array *a = load_array(), *before; a; a = before) {
        before = a->before;
        free(a);
    }
}

PLUMB_OBJECT(.name = "D", .spec = "deque", .setup = setup, .teardown = teardown,
             .operations = {
                 { "push_back", push_back, { PLUMB_FRESH }, PLUMB_BY_FIRST, 2 },
                 { "pop_back", pop_back, .by = PLUMB_BY_FIRST },
                 { "pop_front", pop_front, .by = PLUMB_BY_OTHERS } });
