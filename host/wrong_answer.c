/* wrong_answer.c - see wrong_answer.h. */
#include "wrong_answer.h"

#include "base/hash.h"
#include <string.h>

/* The worst of several values counts. */
enum how { HAS_NO_VALUE, OUT_OF_TURN, TOO_OFTEN, FROM_NOWHERE };

static bool is_value(struct plumb_value v)
{
    return v.tag != PLUMB_NIL && v.tag != PLUMB_BOOL;
}

static bool is_same(const struct plumb_record_entry *a, unsigned i,
                    const struct plumb_record_entry *b, unsigned k)
{
    const struct plumb_value v = a->value[i], w = b->value[k];
    if (v.tag != w.tag)
        return false;
    if (v.tag != PLUMB_STR)
        return v.bits == w.bits;
    return v.bits < sizeof a->text && w.bits < sizeof b->text &&
           strcmp(a->text + v.bits, b->text + w.bits) == 0;
}

/* How often value `i` of `e` is among the values of `of` from `first` on. */
static unsigned count_in(const struct plumb_record_entry *e, unsigned i,
                         const struct plumb_record_entry *of, unsigned first,
                         unsigned count)
{
    unsigned found = 0;
    for (unsigned k = first; k < first + count; k++)
        found += is_same(e, i, of, k);
    return found;
}

static enum how how_wrong(const struct host_driver *p, unsigned op,
                          unsigned value)
{
    const struct plumb_record_entry *const e = &p->entry[op];
    unsigned in = 0, out = 0;
    for (unsigned k = 0; k < p->operations; k++) {
        const struct plumb_record_entry *const other = &p->entry[k];
        if (other->call)
            in += count_in(e, value, other, 0, other->nargs);
        if (p->returned >> k & 1 && other->operation == e->operation)
            out += count_in(e, value, other, other->nargs, other->nres);
    }
    return !in ? FROM_NOWHERE : out > in ? TOO_OFTEN : OUT_OF_TURN;
}

/* What is no value is an answer by itself, as a term is. */
uint64_t host_wrong_answer_kind(const struct host_driver *p, unsigned op)
{
    const struct plumb_record_entry *const e = &p->entry[op];
    enum how worst = HAS_NO_VALUE;
    uint64_t hash = plumb_base_mix(
        e->operation, plumb_base_hash_bytes(e->term, sizeof e->term));
    for (unsigned i = e->nargs; i < e->nargs + (unsigned)e->nres; i++) {
        const enum how how =
            is_value(e->value[i]) ? how_wrong(p, op, i) : HAS_NO_VALUE;
        worst = how > worst ? how : worst;
        if (!is_value(e->value[i]))
            hash =
                plumb_base_mix(hash, e->value[i].tag ^ e->value[i].bits << 8);
    }
    hash = plumb_base_mix(hash, worst);
    return hash ? hash : 1;
}
