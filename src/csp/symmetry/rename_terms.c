/* rename_terms.c - the image of a term is made operand by operand. */
#include "rename_terms.h"

#include "base/fail.h"
#include "base/memory.h"
#include "csp/terms/term_store.h"
#include "permutation.h"
#include "rename_formula.h"

void plumb_csp_renames_init(struct plumb_csp_renames *r,
                            struct plumb_csp_world *world,
                            const struct plumb_csp_process_ids *ids)
{
    *r = (struct plumb_csp_renames){ .world = world, .ids = *ids };
    plumb_base_pairs_init(&r->asked, world->budget);
}

void plumb_csp_renames_release(struct plumb_csp_renames *r)
{
    plumb_base_pairs_release(&r->asked);
    PLUMB_RELEASE(r->world->budget, r->image, r->image_room);
}

/* ---- what an operand is ---- */

enum operand { PLAIN, FORMULA, PROCESS_ID, TERM, REFUSED };

static enum operand datum(bool id)
{
    return id ? PROCESS_ID : FORMULA;
}

static enum operand operand_of(const struct plumb_csp_renames *r,
                               const struct plumb_csp_term_node *n, uint32_t i)
{
    const struct plumb_csp_process_ids *const d = &r->ids;
    switch ((enum plumb_csp_term_kind)n->operation) {
    case PLUMB_TERM_STOP:
    case PLUMB_TERM_SKIP:
    case PLUMB_TERM_DONE:
        return PLAIN;
    case PLUMB_TERM_PREFIX:
        if (i < 3)
            return i == 0 ? PLAIN : i == 1 ? FORMULA : TERM;
        return datum(n->operand[0] != PLUMB_UNNAMED && i - 3 < 32 &&
                     (d->event[n->operand[0]] >> (i - 3) & 1));
    case PLUMB_TERM_REFERENCE:
        return i == 0 ? PLAIN : datum(d->local[n->operand[0]][i - 1]);
    case PLUMB_TERM_SEQUENCE:
    case PLUMB_TERM_CHOICE:
    case PLUMB_TERM_EXTERNAL:
    case PLUMB_TERM_INTERNAL:
    case PLUMB_TERM_INTERRUPT:
    case PLUMB_TERM_ATOMIC:
        return TERM;
    case PLUMB_TERM_HIDE:
        return i == 0 ? TERM : PLAIN;
    case PLUMB_TERM_GUARD:
    case PLUMB_TERM_IF:
    case PLUMB_TERM_IFA:
    case PLUMB_TERM_IFB:
    case PLUMB_TERM_ASSERT:
        return i == 0 ? FORMULA : TERM;
    case PLUMB_TERM_CASE:
        return i % 2 == 0 ? FORMULA : TERM;
    case PLUMB_TERM_INDEXED:
        return i < 3 ? PLAIN : i < 3 + n->operand[2] ? FORMULA : TERM;
    case PLUMB_TERM_OUTSIDE:
        return i == 0 ? TERM : PLAIN;
    default:
        return REFUSED;
    }
}

/* ---- images ---- */

static uint32_t make_image(struct plumb_csp_renames *r, uint32_t term,
                           uint32_t permutation, struct plumb_error *err);

static uint32_t rename_operand(struct plumb_csp_renames *r,
                               const struct plumb_csp_term_node *n, uint32_t i,
                               uint32_t permutation, struct plumb_error *err)
{
    const struct plumb_csp_renamer by = { &r->ids, permutation };
    const uint32_t operand = n->operand[i];
    uint32_t image;
    switch (operand_of(r, n, i)) {
    case PLAIN:
        return operand;
    case TERM:
        return make_image(r, operand, permutation, err);
    case FORMULA:
    case PROCESS_ID:
        if (operand == PLUMB_NONE)
            return operand;
        image = plumb_csp_formula_image(&by, r->world->formulas, operand,
                                        operand_of(r, n, i) == PROCESS_ID);
        if (image == PLUMB_NO_FORMULA)
            plumb_base_fail_memory(err);
        return image;
    case REFUSED:
        break;
    }
    r->refused = true;
    plumb_base_fail(err, PLUMB_EINPUT, 0, 0, "a process cannot be renamed");
    return PLUMB_NO_TERM;
}

static uint32_t make_image(struct plumb_csp_renames *r, uint32_t term,
                           uint32_t permutation, struct plumb_error *err)
{
    struct plumb_csp_terms *const t = r->world->terms;
    const struct plumb_csp_term_node n = t->node[term];
    const size_t from = t->listed;
    for (uint32_t i = 0; i < n.count; i++) {
        err->status = PLUMB_OK;
        const uint32_t image = rename_operand(r, &n, i, permutation, err);
        if (err->status == PLUMB_OK && !plumb_csp_term_push(t, image))
            plumb_base_fail_memory(err);
        if (err->status != PLUMB_OK) {
            t->listed = from;
            return PLUMB_NO_TERM;
        }
    }
    return plumb_csp_term_pop(t, from, (enum plumb_csp_term_kind)n.operation,
                              n.origin, err);
}

/* What failed is tried again when it is asked for again. */
uint32_t plumb_csp_term_image(struct plumb_csp_renames *r, uint32_t term,
                              uint32_t permutation, struct plumb_error *err)
{
    const uint32_t before = r->asked.count;
    if (permutation == PLUMB_SAME)
        return term;
    const bool room = PLUMB_GROW(r->world->budget, r->image, r->image_room,
                                 (size_t)before + 1);
    const uint32_t asked =
        room ? plumb_base_pairs_number(
                   &r->asked, (struct plumb_base_pair){ term, permutation })
             : UINT32_MAX;
    if (asked == UINT32_MAX)
        return plumb_csp_term_refuse(err);
    if (asked == before)
        r->image[asked] = PLUMB_NO_TERM;
    if (r->image[asked] == PLUMB_NO_TERM)
        r->image[asked] = make_image(r, term, permutation, err);
    return r->image[asked];
}

uint32_t plumb_csp_event_image(struct plumb_csp_renames *r, uint32_t event,
                               uint32_t permutation)
{
    const struct plumb_csp_renamer by = { &r->ids, permutation };
    int32_t image[PLUMB_MOST_DATA];
    const int32_t *data;
    uint32_t name, count;
    if (event < PLUMB_FIRST_EVENT || permutation == PLUMB_SAME)
        return event;
    const enum plumb_csp_event_kind kind = plumb_csp_event_numbers_parts(
        r->world->events, event, &name, &data, &count);
    if (kind != PLUMB_EVENT_PLAIN || count > PLUMB_MOST_DATA)
        return event;
    for (uint32_t i = 0; i < count; i++)
        image[i] = r->ids.event[name] >> i & 1
                       ? plumb_csp_process_id_image(&by, data[i])
                       : data[i];
    return plumb_csp_event_number(r->world->events, kind, name, image, count);
}
