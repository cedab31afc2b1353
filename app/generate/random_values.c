/* random_values.c - what made-up operations are called with.
 *
 * From a few values that come again and again; or from new ones; or, with
 * --values unique, so that nothing is ever stored twice: then operations that
 * look for something mostly name what is there, lest long histories be full of
 * failures.  What an operation is to the monitors of its type tells which of
 * its arguments are stored. */
#include "random_values.h"

#include "spec/spec.h"
#include <string.h>

enum { RECENT = 16, INTEGERS = 10 };

static struct plumb_value recent_value(struct generate_random_values *r)
{
    const uint64_t back = plumb_base_rng_below(r->rng, RECENT);
    return plumb_int((int64_t)(r->fresh > back ? r->fresh - back : 1));
}

/* With new values each time: what is stored is new, what is looked for was
 * stored lately, or is not there yet. */
static struct plumb_value fresh_or_recent(
    struct generate_random_values *r,
    const struct plumb_proof_plain_operation *o, bool last)
{
    const bool stores = last && o->reads == PLAIN_WRITES && !o->integers;
    if (stores || plumb_base_rng_chance(r->rng, 25))
        return plumb_int((int64_t)++r->fresh);
    return recent_value(r);
}

/* ---- nothing is stored twice ---- */

/* The first of the names that are separated by blanks, or end with "/...". */
static size_t first_name(const char *names)
{
    return strcspn(names, " /");
}

static enum plumb_spec_role role_of(const struct generate_random_settings *with,
                                    const struct plumb_proof_plain_operation *o)
{
    const struct plumb_spec_type *const type = with->type;
    const size_t length = first_name(o->names);
    for (unsigned i = 0; i < type->nops; i++) {
        const char *const names = type->ops[i].names;
        for (const char *name = names; *name;) {
            const size_t size = strcspn(name, " ");
            if (plumb_proof_plain_same(name, size, o->names, length))
                return type->ops[i].role;
            name += size + (name[size] == ' ');
        }
    }
    return PLUMB_ROLE_OTHER;
}

/* The numbers 0 ... 2^bits - 1 in another order: each step can be undone. */
static uint64_t shuffled(uint64_t i, unsigned bits)
{
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    uint64_t x = i & mask;
    for (int round = 0; round < 2; round++) {
        x = (x * 0x5bd1e995u) & mask;
        x ^= x >> bits / 2;
    }
    return (i & ~mask) | x;
}

static unsigned bits_of(uint32_t n)
{
    unsigned bits = 4;
    while (bits < 32 && n >> bits)
        bits++;
    return bits;
}

/* Where the order of values matters, they do not come in that order. */
static struct plumb_value new_value(struct generate_random_values *r)
{
    const uint64_t i = r->fresh++;
    if (!r->with->type->ordered)
        return plumb_int((int64_t)i + 1);
    return plumb_int((int64_t)shuffled(i, bits_of(r->with->operations)) + 1);
}

static size_t residents(const struct plumb_proof_plain_state *s)
{
    const size_t most =
        s->list.count > s->table.count ? s->list.count : s->table.count;
    return most > s->heap.count ? most : s->heap.count;
}

static bool is_full(const struct generate_random_values *r)
{
    return r->with->resident && residents(r->state) >= r->with->resident;
}

/* Some key that is there, if there is one. */
static struct plumb_value resident_key(struct generate_random_values *r)
{
    const struct plumb_proof_plain_table *const t = &r->state->table;
    if (t->count == 0)
        return recent_value(r);
    return t->entry[plumb_base_rng_below(r->rng, (uint32_t)t->count)].key[0];
}

static struct plumb_value key_to_look_for(struct generate_random_values *r)
{
    return plumb_base_rng_chance(r->rng, 75) ? resident_key(r)
                                             : recent_value(r);
}

static struct plumb_value key_to_write(struct generate_random_values *r)
{
    if (is_full(r) || plumb_base_rng_chance(r->rng, 50))
        return resident_key(r);
    return new_value(r);
}

/* Strings have other numbers in the history. */
static struct plumb_value value_to_replace(struct generate_random_values *r)
{
    return plumb_base_rng_chance(r->rng, 75) && r->state->value.tag != PLUMB_STR
               ? r->state->value
               : recent_value(r);
}

static struct plumb_value unique_argument(
    struct generate_random_values *r,
    const struct plumb_proof_plain_operation *o, enum plumb_spec_role role,
    unsigned i)
{
    if (o->integers)
        return plumb_int(1 + plumb_base_rng_below(r->rng, INTEGERS));
    switch (role) {
    case PLUMB_ROLE_DELETE:
    case PLUMB_ROLE_MEMBER:
    case PLUMB_ROLE_COUNT:
    case PLUMB_ROLE_READ:
        return key_to_look_for(r);
    case PLUMB_ROLE_WRITE:
    case PLUMB_ROLE_APPEND:
        return i + 1 < o->least ? key_to_write(r) : new_value(r);
    case PLUMB_ROLE_CAS:
        return i + 1 < o->least ? value_to_replace(r) : new_value(r);
    default:
        return new_value(r);
    }
}

static bool unique_arguments(struct generate_random_values *r,
                             const struct plumb_proof_plain_operation *o,
                             struct plumb_value *to)
{
    const enum plumb_spec_role role = role_of(r->with, o);
    const bool adds = role == PLUMB_ROLE_ADD || role == PLUMB_ROLE_INSERT ||
                      role == PLUMB_ROLE_OTHER;
    const bool refused = o->least && adds && is_full(r);
    const uint64_t before = r->fresh;
    for (unsigned i = 0; i < o->least; i++)
        to[i] = unique_argument(r, o, role, i);
    if (refused)
        r->fresh = before;
    return !refused;
}

bool generate_random_arguments(struct generate_random_values *r,
                               const struct plumb_proof_plain_operation *o,
                               struct plumb_value *to)
{
    const struct generate_random_settings *const w = r->with;
    if (w->unique)
        return unique_arguments(r, o, to);
    for (unsigned i = 0; i < o->least; i++)
        to[i] = w->values
                    ? plumb_int(1 + plumb_base_rng_below(r->rng, w->values))
                    : fresh_or_recent(r, o, i + 1 == o->least);
    return true;
}
