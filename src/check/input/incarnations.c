/* incarnations.c - a value that is used again is another value.
 *
 * Monitors of containers want every value to be added once.  Programs use few
 * values again and again.  Where all that was added of a value has been removed,
 * and no operation on it is open, what follows has nothing to do with what was
 * before: from there on the value can be called by another name.
 *
 * Say that of value v as many additions were called as removals have returned,
 * and that no operation on v is open.  Every addition precedes its removal, so
 * these removals took just what these additions put there; the first of v that
 * comes later is added later.  In every order all operations on v up to here
 * come before those that follow, as real time wants it.  So whether the later
 * ones are of v or of another value makes no difference to anybody: containers
 * compare values only for being the same (a priority queue also by their order,
 * which is kept). */
#include "kinds.h"

struct past {
    uint32_t added, removed; /* called, and returned, of this incarnation */
    uint32_t open;
    uint32_t number; /* incarnations so far */
    bool lives;      /* there is one that is not over */
};

static bool has_value(const struct plumb_check_input *input,
                      const struct plumb_check_input_op *o)
{
    return o->word[0] < input->values;
}

/* added[]: a bit for each value. */
static bool some_value_is_added_twice(const struct plumb_check_input *input,
                                      uint64_t *added)
{
    uint64_t twice = 0;
    for (uint32_t i = 0; i < input->count && !twice; i++) {
        const struct plumb_check_input_op *const o = input->op + i;
        const uint32_t adds = (o->role == PLUMB_ROLE_ADD) &
                              (o->term != PLUMB_TERM_FULL) &
                              has_value(input, o);
        const uint32_t value = o->word[0] & (0 - adds);
        const uint64_t bit = (uint64_t)adds << value % 64;
        twice = added[value / 64] & bit;
        added[value / 64] |= bit;
    }
    return twice;
}

static void call(struct past *p, const struct plumb_check_input_op *o)
{
    if (!p->lives) {
        p->lives = true;
        p->added = p->removed = 0;
        p->number++;
    }
    p->added += o->role == PLUMB_ROLE_ADD && o->term != PLUMB_TERM_FULL;
    p->open++;
}

static void respond(struct past *p, const struct plumb_check_input_op *o)
{
    p->removed += o->role == PLUMB_ROLE_REMOVE;
    p->open--;
    if (p->open == 0 && p->added == p->removed && p->added)
        p->lives = false;
}

/* age[i]: of which incarnation operation i is, from 0. */
static void live_through(const struct plumb_check_input *input,
                         struct past *past, uint32_t *age)
{
    for (uint32_t e = 0; e < input->events; e++) {
        const uint32_t i = input->event[e] / 2;
        const struct plumb_check_input_op *const o = input->op + i;
        if (!has_value(input, o))
            continue;
        struct past *const p = past + o->word[0];
        if (plumb_check_input_is_return(input->event[e])) {
            respond(p, o);
            continue;
        }
        call(p, o);
        age[i] = p->number - 1;
    }
}

/* All of a smaller value come before all of a larger. */
static uint64_t number_them(const struct plumb_check_input *input,
                            struct past *past)
{
    uint64_t next = 0;
    for (uint32_t v = 0; v < input->values; v++) {
        const uint32_t number = past[v].number;
        past[v].number = (uint32_t)next;
        next += number;
    }
    return next;
}

bool plumb_check_incarnations(struct plumb_check_input *input,
                              struct plumb_check_input_op *op,
                              struct plumb_base_arena *scratch)
{
    uint64_t *const added = plumb_base_arena_zeroed(
        scratch, (input->values / 64 + 1) * sizeof *added);
    if (!added)
        return false;
    if (!some_value_is_added_twice(input, added))
        return true;
    struct past *const past = plumb_base_arena_zeroed(
        scratch, ((size_t)input->values + 1) * sizeof *past);
    uint32_t *const age = plumb_base_arena_alloc(
        scratch, ((size_t)input->count + 1) * sizeof *age);
    if (!past || !age)
        return false;
    live_through(input, past, age);
    const uint64_t values = number_them(input, past);
    if (values >= PLUMB_NIL_WORD)
        return true;
    for (uint32_t i = 0; i < input->count; i++)
        if (has_value(input, op + i))
            op[i].word[0] = past[op[i].word[0]].number + age[i];
    input->values = (uint32_t)values;
    return true;
}
