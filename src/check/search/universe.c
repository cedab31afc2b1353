/* universe.c - a history that grows, bound as it does.
 *
 * Binding numbers values in the order of their first appearance, so what is
 * appended leaves the old numbers alone, and the states made of them.  Three
 * things may change all the same, and are told as an upheaval: the ranks of an
 * ordered type, what a type saw in the set of operations when its space was
 * opened, and a text among the parameters, when an operation first has it. */
#include "universe.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"
#include "spec/shape.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- the arrays ---- */

static bool reserve(struct plumb_check_universe *u, uint32_t values,
                    uint32_t threads)
{
    const size_t count = (size_t)u->history.count + 1;
    return PLUMB_GROW(u->budget, u->op, u->op_capacity, count) &&
           PLUMB_GROW(u->budget, u->entry, u->entry_capacity, count) &&
           PLUMB_GROW(u->budget, u->value, u->value_capacity,
                      (size_t)u->history.values + values + 1) &&
           PLUMB_GROW(u->budget, u->thread, u->thread_capacity,
                      (size_t)threads + 1);
}

static bool name_threads(struct plumb_check_universe *u, uint32_t threads)
{
    for (uint32_t i = u->history.threads; i < threads; i++) {
        char name[16];
        const int length = snprintf(name, sizeof name, "%u", (unsigned)i);
        u->thread[i] =
            plumb_history_symbols_intern(&u->symbols, name, (size_t)length);
        if (u->thread[i] == UINT32_MAX)
            return false;
        u->history.threads = i + 1;
    }
    return true;
}

/* The history is what the arrays are. */
static void refresh(struct plumb_check_universe *u)
{
    u->history.op = u->op;
    u->history.value = u->value;
    u->history.thread = u->thread;
    u->history.object = &u->object;
    u->history.objects = 1;
    u->history.symbols = &u->symbols;
    u->history.events = 2 * u->history.count;
}

/* ---- binding ---- */

/* Texts of terms that stay where they are when symbols are added. */
static bool keep_terms(struct plumb_spec_bound *bound)
{
    const char **const term = plumb_base_arena_alloc(
        &bound->arena, (bound->terms + 1) * sizeof *term);
    if (!term)
        return false;
    for (unsigned i = 0; i < bound->terms; i++) {
        term[i] = plumb_base_arena_copy(&bound->arena, bound->term[i],
                                        strlen(bound->term[i]) + 1);
        if (!term[i])
            return false;
    }
    bound->term = term;
    return true;
}

static enum plumb_status bind(struct plumb_check_universe *u,
                              struct plumb_spec_bound *bound,
                              struct plumb_error *err)
{
    refresh(u);
    const enum plumb_status status =
        plumb_spec_bind(&u->history, u->spec, u->budget, bound, err);
    if (status == PLUMB_EINPUT || status == PLUMB_EMEMORY)
        return status;
    if (status != PLUMB_OK)
        return plumb_base_fail_budget(u->budget, err);
    if (keep_terms(bound))
        return PLUMB_OK;
    plumb_spec_bound_release(bound);
    return plumb_base_fail_memory(err);
}

static bool same_ranks(const struct plumb_spec_bound *old,
                       const struct plumb_spec_bound *fresh)
{
    for (plumb_spec_vid v = 0; old->rank && v < old->values; v++)
        if (old->rank[v] != fresh->rank[v])
            return false;
    return true;
}

/* Do the states of the old space mean the same in the new one? */
static bool same_meaning(const struct plumb_spec_bound *old,
                         const struct plumb_spec_bound *fresh)
{
    assert(old->values <= fresh->values && old->terms <= fresh->terms);
    for (plumb_spec_vid v = 0; v < old->values; v++)
        if (!plumb_value_equal(old->value[v], fresh->value[v]))
            return false;
    return old->all_kinds == fresh->all_kinds && same_ranks(old, fresh) &&
           memcmp(old->param, fresh->param, sizeof old->param) == 0;
}

static void adopt(struct plumb_check_universe *u,
                  const struct plumb_spec_bound *fresh)
{
    if (!same_meaning(&u->bound, fresh))
        u->upheavals++;
    plumb_spec_bound_release(&u->bound);
    u->bound = *fresh;
}

/* ---- finding ---- */

static bool resolve(struct plumb_check_universe *u,
                    const struct plumb_check_configurations_word *word,
                    unsigned count, struct plumb_value *out)
{
    for (unsigned i = 0; i < count; i++) {
        out[i] = word[i].value;
        if (out[i].tag != PLUMB_STR)
            continue;
        const uint32_t symbol = plumb_history_symbols_intern(
            &u->symbols, word[i].text, strlen(word[i].text));
        if (symbol == UINT32_MAX)
            return false;
        out[i] = plumb_str(symbol);
    }
    return true;
}

static unsigned values_of(const struct plumb_op *o)
{
    return (unsigned)o->nargs + o->nres;
}

static uint64_t hash_of(const struct plumb_op *o, uint32_t call,
                        const struct plumb_value *value)
{
    uint64_t hash = plumb_base_mix(plumb_base_mix(o->thread, o->name),
                                   plumb_base_mix(o->term, call));
    for (unsigned i = 0; i < values_of(o); i++)
        hash = plumb_base_mix(hash + value[i].tag, value[i].bits);
    return hash;
}

static uint64_t hash_of_number(const void *context, uint32_t number)
{
    const struct plumb_check_universe *const u = context;
    const struct plumb_op *const o = u->op + number;
    const uint32_t call = u->entry[number].call;
    return hash_of(o, call == number ? UINT32_MAX : call, u->value + o->values);
}

/* `call` is UINT32_MAX of a call, so it is told from its answers by its own
 * entry naming itself. */
static bool is_same(const struct plumb_check_universe *u, uint32_t number,
                    const struct plumb_op *o, uint32_t call,
                    const struct plumb_value *value)
{
    const struct plumb_op *const there = u->op + number;
    const uint32_t of = u->entry[number].call;
    if (there->thread != o->thread || there->name != o->name ||
        there->term != o->term || there->nargs != o->nargs ||
        there->nres != o->nres || (of == number ? UINT32_MAX : of) != call)
        return false;
    for (unsigned i = 0; i < values_of(o); i++)
        if (!plumb_value_equal(u->value[there->values + i], value[i]))
            return false;
    return true;
}

/* ---- adding ---- */

/* Which answers a row has, if they can be listed. */
static uint16_t list_answers(const struct plumb_spec_opdef *def)
{
    struct plumb_spec_row row;
    uint16_t answers = 0;
    plumb_spec_row_read(def, &row);
    if (row.any)
        return 0;
    for (unsigned t = 0; t < PLUMB_TERMS; t++) {
        const struct plumb_spec_shape *const s = row.answer + t;
        if (!s->present)
            continue;
        if (s->most > 1 || (s->most == 1 && s->letter[0] != 'b'))
            return 0;
        answers |= plumb_check_answer_bit(t, false);
        if (s->most == 1)
            answers |= plumb_check_answer_bit(t, true);
    }
    return answers;
}

/* Append what reserve() made room for; false leaves all as it was. */
static bool append(struct plumb_check_universe *u, struct plumb_op o,
                   uint32_t call, const struct plumb_value *value,
                   struct plumb_error *err)
{
    const uint32_t number = u->history.count;
    struct plumb_spec_bound fresh;
    o.values = u->history.values;
    o.call = 2 * number;
    o.resp = o.outcome == PLUMB_OUTCOME_OK ? o.call + 1 : PLUMB_NEVER;
    memcpy(u->value + o.values, value, values_of(&o) * sizeof *value);
    u->op[number] = o;
    u->history.count++;
    u->history.values += values_of(&o);
    if (bind(u, &fresh, err) != PLUMB_OK) {
        u->history.count--;
        u->history.values -= values_of(&o);
        return false;
    }
    adopt(u, &fresh);
    u->entry[number] = (struct plumb_check_universe_entry){
        call == UINT32_MAX ? number : call,
        list_answers(u->spec->type->ops + u->bound.action[number].kind)
    };
    return true;
}

static uint32_t no_room(struct plumb_error *err)
{
    plumb_base_fail_memory(err);
    return UINT32_MAX;
}

static uint32_t find_or_add(struct plumb_check_universe *u,
                            const struct plumb_op *o, uint32_t call,
                            const struct plumb_value *value,
                            struct plumb_error *err)
{
    if (u->history.count >= UINT32_MAX / 2 ||
        !plumb_base_index_room(&u->index, hash_of_number, u))
        return no_room(err);
    struct plumb_base_probe p =
        plumb_base_index_probe(&u->index, hash_of(o, call, value));
    PLUMB_FOR_CANDIDATES(&u->index, &p, number)
        if (is_same(u, number, o, call, value))
            return number;
    if (!reserve(u, values_of(o), o->thread + 1) ||
        !name_threads(u, o->thread + 1))
        return no_room(err);
    if (!append(u, *o, call, value, err))
        return UINT32_MAX;
    const uint32_t number = u->history.count - 1;
    plumb_base_index_put(&u->index, &p, number);
    return number;
}

uint32_t plumb_check_universe_call(
    struct plumb_check_universe *u, unsigned thread, const char *name,
    const struct plumb_check_configurations_word *arg, unsigned nargs,
    struct plumb_error *err)
{
    struct plumb_value value[UINT8_MAX];
    if (nargs > UINT8_MAX || thread >= UINT16_MAX) {
        plumb_base_fail(err, PLUMB_EINPUT, 0, 0, "%.80s has too many %s", name,
                        nargs > UINT8_MAX ? "arguments" : "threads");
        return UINT32_MAX;
    }
    const uint32_t symbol =
        plumb_history_symbols_intern(&u->symbols, name, strlen(name));
    if (symbol == UINT32_MAX || !resolve(u, arg, nargs, value))
        return no_room(err);
    const struct plumb_op o = { .thread = thread,
                                .name = symbol,
                                .nargs = (uint8_t)nargs,
                                .outcome = PLUMB_OUTCOME_OPEN };
    return find_or_add(u, &o, UINT32_MAX, value, err);
}

uint32_t plumb_check_universe_answer(
    struct plumb_check_universe *u, uint32_t call, const char *term,
    const struct plumb_check_configurations_word *result, unsigned nresults,
    struct plumb_error *err)
{
    struct plumb_value value[2 * UINT8_MAX];
    assert(call < u->history.count && u->entry[call].call == call);
    struct plumb_op o = u->op[call];
    if (nresults > UINT8_MAX) {
        plumb_base_fail(err, PLUMB_EINPUT, 0, 0, "%.80s has too many results",
                        term);
        return UINT32_MAX;
    }
    o.term = plumb_history_symbols_intern(&u->symbols, term, strlen(term));
    memcpy(value, u->value + o.values, o.nargs * sizeof *value);
    if (o.term == UINT32_MAX || !resolve(u, result, nresults, value + o.nargs))
        return no_room(err);
    o.nres = (uint8_t)nresults;
    o.outcome = PLUMB_OUTCOME_OK;
    return find_or_add(u, &o, call, value, err);
}

/* ---- the life of a universe ---- */

static bool fill(struct plumb_check_universe *u)
{
    struct plumb_error err;
    if (!plumb_history_symbols_init(&u->symbols, u->budget))
        return false;
    u->object =
        plumb_history_symbols_intern(&u->symbols, "object", strlen("object"));
    return u->object != UINT32_MAX && reserve(u, 0, 0) &&
           bind(u, &u->bound, &err) == PLUMB_OK;
}

bool plumb_check_universe_open(struct plumb_check_universe *u,
                               const struct plumb_spec *spec,
                               struct plumb_budget *budget)
{
    *u = (struct plumb_check_universe){ .budget = budget, .spec = spec };
    plumb_base_index_init(&u->index, budget);
    if (fill(u))
        return true;
    plumb_check_universe_close(u);
    return false;
}

void plumb_check_universe_close(struct plumb_check_universe *u)
{
    struct plumb_budget *const b = u->budget;
    plumb_spec_bound_release(&u->bound);
    plumb_base_index_release(&u->index);
    plumb_history_symbols_release(&u->symbols);
    PLUMB_RELEASE(b, u->op, u->op_capacity);
    PLUMB_RELEASE(b, u->entry, u->entry_capacity);
    PLUMB_RELEASE(b, u->value, u->value_capacity);
    PLUMB_RELEASE(b, u->thread, u->thread_capacity);
    *u = (struct plumb_check_universe){ .budget = b, .spec = u->spec };
    plumb_base_index_init(&u->index, b);
}
