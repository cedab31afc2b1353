/* known_moves.c - see known_moves.h. */
#include "known_moves.h"

#include "base/fail.h"
#include "base/memory.h"
#include <string.h>

static size_t words_of(const struct plumb_csp_known *k)
{
    return (size_t)k->system->globals / 64 + 1;
}

static void find_joined(struct plumb_csp_known *k)
{
    for (uint32_t c = 0; c < k->system->components; c++) {
        const struct plumb_csp_shape *above =
            k->system->component[c].shape->above;
        for (; above; above = above->above)
            k->joined[c] |=
                above->kind == PLUMB_SHAPE_JOINT && above->alphabet != NULL;
    }
}

bool plumb_csp_known_open(struct plumb_csp_known *k, struct plumb_csp_system *s,
                          struct plumb_budget *budget)
{
    *k = (struct plumb_csp_known){ .system = s,
                                   .t = s->world->terms,
                                   .budget = budget };
    k->bits = plumb_base_alloc(budget, 2 * words_of(k) * sizeof *k->bits);
    k->joined = plumb_base_alloc_zeroed(budget, (s->components + 1) *
                                                    sizeof *k->joined);
    if (!k->bits || !k->joined)
        return false;
    find_joined(k);
    return true;
}

void plumb_csp_known_close(struct plumb_csp_known *k)
{
    const struct plumb_csp_system *const s = k->system;
    PLUMB_RELEASE(k->budget, k->term, k->terms);
    PLUMB_RELEASE(k->budget, k->writes, k->moves);
    PLUMB_RELEASE(k->budget, k->step, k->steps);
    PLUMB_RELEASE(k->budget, k->slot, k->slot_capacity);
    PLUMB_RELEASE(k->budget, k->bits, 2 * words_of(k));
    PLUMB_RELEASE(k->budget, k->joined, s->components + 1);
}

/* Of the number-th of an array nothing is known if it is new. */
#define MAKE_ROOM(k, array, room, number)                                      \
    PLUMB_GROW_ZEROED((k)->budget, array, room, (size_t)(number) + 1)

/* ---- terms ---- */

static void find_term(struct plumb_csp_known *k, uint32_t number,
                      struct plumb_csp_known_term *t, struct plumb_error *err)
{
    bool failed;
    k->t->nesting = 0;
    t->kind = PLUMB_SLOW;
    t->acting = plumb_csp_term_acting(k->t, number, err);
    if (t->acting == PLUMB_NO_TERM)
        return;
    if (plumb_csp_term_is_plain(k->t, t->acting, &failed, err)) {
        const struct plumb_csp_term_node *const n =
            plumb_csp_term_node(k->t, t->acting);
        t->first = n->moves;
        t->count = n->move_count;
        t->kind = PLUMB_MOVING;
    } else if (!failed && plumb_csp_term_node(k->t, t->acting)->operation ==
                              PLUMB_TERM_REFERENCE) {
        t->kind = PLUMB_REFERRING;
    }
}

const struct plumb_csp_known_term *plumb_csp_learn_term(
    struct plumb_csp_known *k, uint32_t number, struct plumb_error *err)
{
    if (!MAKE_ROOM(k, k->term, k->terms, number)) {
        plumb_base_fail_memory(err);
        return NULL;
    }
    if (k->term[number].kind == PLUMB_NOT_ASKED)
        find_term(k, number, &k->term[number], err);
    return &k->term[number];
}

/* ---- what moves write ---- */

static bool add_slot(struct plumb_csp_known *k, uint32_t slot)
{
    return PLUMB_APPEND(k->budget, k->slot, k->slots, k->slot_capacity, slot);
}

static bool find_writes(struct plumb_csp_known *k, uint32_t move,
                        struct plumb_csp_known_writes *w)
{
    const size_t words = words_of(k);
    memset(k->bits, 0, 2 * words * sizeof *k->bits);
    plumb_csp_effect_access(k->t->world->formulas, k->t->move[move].effect,
                            k->bits + words, k->bits);
    w->first = (uint32_t)k->slots;
    for (size_t i = 0; i < words; i++)
        for (uint64_t left = k->bits[i]; left; left &= left - 1)
            if (!add_slot(k,
                          (uint32_t)(64 * i) + (uint32_t)__builtin_ctzll(left)))
                return false;
    w->count = (uint32_t)k->slots - w->first;
    w->known = true;
    return true;
}

const struct plumb_csp_known_writes *plumb_csp_learn_writes(
    struct plumb_csp_known *k, uint32_t move, struct plumb_error *err)
{
    if (MAKE_ROOM(k, k->writes, k->moves, move) &&
        (k->writes[move].known || find_writes(k, move, &k->writes[move])))
        return &k->writes[move];
    plumb_base_fail_memory(err);
    return NULL;
}

/* ---- what moves are ---- */

bool plumb_csp_learn_step(struct plumb_csp_known *k, uint32_t component,
                          uint32_t move, uint32_t event, uint32_t target)
{
    if (!MAKE_ROOM(k, k->step, k->steps, move))
        return false;
    k->step[move] =
        (struct plumb_csp_known_step){ component + 1, event, target };
    return true;
}

/* ---- what is compiled ---- */

void plumb_csp_learn_compiled(struct plumb_csp_known *k,
                              const struct plumb_csp_native_entry *table)
{
    for (; table->go; table++) {
        if (table->most > k->most_said)
            k->most_said = table->most;
        if (table->term < k->terms)
            k->term[table->term].native = table->go;
    }
}
