/* k_stack.c - a list of segments, at whose top many may work.
 *
 * The k-stack of Henzinger, Kirsch, Payer, Sezgin & Sokolova, "Quantitative
 * relaxation of concurrent data structures" (POPL 2013).  Their k is K + 1
 * here, the number of slots of a segment.  A push fills an empty slot of the top
 * segment, or puts a new segment on top; a pop empties a filled slot of the top
 * segment, and removes it when it is empty, unless it is the only one.
 *
 *     top -> | 5  . | -> | 3  4 | -> | 1  2 |         K = 1
 *
 * Where it takes effect (the paper has the proof):
 * - A slow push may fill its slot when the segment is not the top any more, or
 *   is about to be removed.  So it looks again afterwards: `committed`.  Who
 *   removes a segment counts itself in `removing` first, then looks whether the
 *   segment is empty, and then moves the top.  If nobody is counted, whoever
 *   comes will see the item.  Else the push changes the count of `top`, so that
 *   the removal fails; or takes its item back and pushes it again, unless a pop
 *   has it already.
 * - A pop takes effect with the CAS that empties its slot: at most K items of
 *   the segment are above it, stack:k=K.
 * - Empty: the only segment was looked through twice with no change, the counts
 *   of its slots included.
 *
 * FAULT_DOUBLE_READ: as in the Scal suite, where Round-Up (2015, section VI-D)
 * found it: `removing` is a plain variable, and `committed` reads it twice.  If
 * it is 1 for the first look and 0 for the second, the push believes that its
 * item is out of the stack again, and pushes it a second time.  A compiler that
 * optimises reads once, and the fault is gone: it is there with -O0 alone
 * (`--opt 0`).  It is a data race in the sense of C, too; `--races interleave`
 * goes on to the wrong answer.
 *
 * Segments stay until teardown. */
#include "../common/slots.h"
#include "../smr/tagged.h"

#include <stddef.h>

#ifdef FAULT_DOUBLE_READ
typedef int counter;
#define COUNT_REMOVING(s, n)                                                   \
    __atomic_fetch_add(&(s)->removing, n, __ATOMIC_SEQ_CST)
#else
typedef _Atomic int counter;
#define COUNT_REMOVING(s, n) atomic_fetch_add(&(s)->removing, n)
#endif

struct segment {
    struct slots slots;
    struct segment *below; /* does not change once others can see the segment */
    struct segment *made_before;
    counter removing;
};

static _Atomic tagged top;
static _Atomic(struct segment *) made; /* the last one, for teardown */

static struct segment *segment(tagged t)
{
    return tagged_pointer(t);
}

static struct segment *make_segment(struct segment *below)
{
    struct segment *const s = malloc(sizeof *s);
    if (!s)
        abort();
    slots_init(&s->slots);
    s->below = below;
    s->removing = 0;
    s->made_before = atomic_load(&made);
    while (!atomic_compare_exchange_strong(&made, &s->made_before, s))
        plumb_retry();
    return s;
}

static void setup(void)
{
    atomic_init(&made, NULL);
    atomic_init(&top, tagged_make(make_segment(NULL), 0));
}

static void teardown(void)
{
    for (struct segment *s = atomic_load(&made), *before; s; s = before) {
        before = s->made_before;
        free(s);
    }
}

/* Make `to` the top, if that is `from`, also in its count. */
static bool move(tagged from, struct segment *to)
{
    return atomic_compare_exchange_strong(
        &top, &from, tagged_make(to, tagged_tag(from) + 1));
}

static void add_segment(tagged above)
{
    /* if it fails, somebody else moved the top */
    move(above, make_segment(segment(above)));
}

static bool is_empty(struct slots *s)
{
    for (unsigned n = 0; n <= K; n++)
        if (slot_has_item(slots_load(s, n)))
            return false;
    return true;
}

/* If it is removed, it stays counted. */
static void try_remove(tagged seen)
{
    struct segment *const s = segment(seen);
    COUNT_REMOVING(s, 1);
    if (!is_empty(&s->slots) || !move(seen, s->below))
        COUNT_REMOVING(s, -1);
}

/* Let a removal of `s` fail; or take the item back.  False if it is to be
 * pushed again. */
static bool rescue(struct segment *s, const struct found *f)
{
    const tagged now = atomic_load(&top);
    if (segment(now) == s && move(now, s))
        return true;
    /* if it fails, a pop has it */
    return !slots_replace(&s->slots, f, slot_without(f->word));
}

/* An item was put into a slot of `s`, which is `f` now.  Will it stay? */
static bool committed(struct segment *s, const struct found *f)
{
    if (slots_load(&s->slots, f->index) != f->word)
        return true; /* a pop has it */
#ifdef FAULT_DOUBLE_READ
    if (s->removing == 0)
        return true;
    else if (s->removing >= 1)
        return rescue(s, f);
    return false;
#else
    return atomic_load(&s->removing) == 0 || rescue(s, f);
#endif
}

static void push(plumb_invocation *i)
{
    const uint64_t item = slot_of(plumb_arg(i, 0));
    for (;; plumb_retry()) {
        struct found f;
        const tagged seen = atomic_load(&top);
        struct segment *const s = segment(seen);
        const bool room = slots_find(&s->slots, false, &f);
        if (seen != atomic_load(&top))
            continue;
        if (!room) {
            add_segment(seen);
        } else if (slots_replace(&s->slots, &f, slot_with(f.word, item))) {
            f.word = slot_with(f.word, item);
            if (committed(s, &f))
                return;
        }
    }
}

/* Was no item in any slot, at one moment? */
static bool had_no_item(struct slots *s)
{
    slot_word seen[K + 1];
    for (unsigned n = 0; n <= K; n++)
        if (slot_has_item(seen[n] = slots_load(s, n)))
            return false;
    for (unsigned n = 0; n <= K; n++)
        if (slots_load(s, n) != seen[n])
            return false;
    return true;
}

static void pop(plumb_invocation *i)
{
    for (;; plumb_retry()) {
        struct found f;
        const tagged seen = atomic_load(&top);
        struct segment *const s = segment(seen);
        const bool item = slots_find(&s->slots, true, &f);
        if (seen != atomic_load(&top))
            continue;
        if (item && slots_replace(&s->slots, &f, slot_without(f.word))) {
            plumb_return(i, slot_item(f.word));
            return;
        }
        if (!item && s->below) {
            try_remove(seen);
        } else if (!item && had_no_item(&s->slots) &&
                   seen == atomic_load(&top)) {
            plumb_term(i, "empty");
            return;
        }
    }
}

#define TEXT(x) #x
#if K == 0
#define SPEC_OF(k) "stack"
#else
#define SPEC_OF(k) "stack:k=" TEXT(k)
#endif

PLUMB_OBJECT(.name = "S", .spec = SPEC_OF(K), .setup = setup,
             .teardown = teardown,
             .operations = { { "push", push, { PLUMB_FRESH } },
                             { "pop", pop } });
