/* resolve_synchronisation.c - events that look as if they would synchronise,
 * and do not.
 *
 * In P || Q an event that carries a program belongs to no alphabet: each side
 * does it alone.  That surprises, so it is said where both sides have an event
 * of the same name and neither data nor hiding keep them apart.  This is a
 * warning and may miss some; with very many events it stops looking. */
#include "model_reader.h"

enum { MOST_WORK = 1 << 20, DEEPEST = 4000 };

struct hidden {
    const struct plumb_csp_event_set *set;
    const struct hidden *outer;
};

struct found {
    const struct plumb_csp_event_text *event;
    bool program;
    uint32_t side;
};

struct look {
    struct plumb_csp_read *r;
    PLUMB_LIST(struct found) found;
    uint32_t *visited; /* of each definition: the last visit */
    uint32_t visit, side;
    uint32_t work, depth;
};

static bool is_hidden(const struct hidden *h,
                      const struct plumb_csp_event_text *event)
{
    for (; h; h = h->outer)
        for (uint32_t i = 0; i < h->set->count; i++)
            if (h->set->event[i].kind == PLUMB_EVENT_PLAIN &&
                h->set->event[i].name == event->name &&
                h->set->event[i].count == event->count)
                return true;
    return false;
}

/* ---- what a side does ---- */

static bool note(struct look *l, const struct plumb_csp_event_text *event,
                 bool program, const struct hidden *hidden)
{
    return event->tau || is_hidden(hidden, event) ||
           PLUMB_LIST_ADD(l->r, &l->found,
                          (struct found){ event, program, l->side });
}

static bool gather(struct look *l, const struct plumb_csp_process *p,
                   const struct hidden *hidden);

static bool gather_definition(struct look *l, uint32_t number,
                              const struct hidden *hidden)
{
    const struct plumb_csp_definition *const d = l->r->definition.at + number;
    if (l->visited[number] == l->visit)
        return true;
    l->visited[number] = l->visit;
    for (uint32_t i = 0; d->alphabet && i < d->alphabet->count; i++)
        if (!note(l, d->alphabet->event + i, false, hidden))
            return false;
    return gather(l, d->body, hidden);
}

static bool gather(struct look *l, const struct plumb_csp_process *p,
                   const struct hidden *hidden)
{
    const struct hidden inner = { &p->hidden, hidden };
    if (l->work++ > MOST_WORK || l->depth == DEEPEST)
        return true;
    if (p->kind == PLUMB_PREFIX &&
        !note(l, &p->event, p->program != NULL, hidden))
        return false;
    l->depth++;
    bool well = p->kind != PLUMB_REFERENCE ||
                gather_definition(l, p->definition, hidden);
    for (uint32_t i = 0; well && i < p->children; i++)
        well = gather(l, p->child[i], p->kind == PLUMB_HIDE ? &inner : hidden);
    l->depth--;
    return well;
}

/* ---- two sides ---- */

static bool all_constant(const struct plumb_csp_event_text *e)
{
    for (uint32_t i = 0; i < e->count; i++)
        if (e->data[i]->kind != PLUMB_EXPR_CONSTANT)
            return false;
    return true;
}

static bool may_be_same(const struct plumb_csp_event_text *a,
                        const struct plumb_csp_event_text *b)
{
    if (a == b)
        return all_constant(a);
    if (a->name != b->name || a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->data[i]->kind == PLUMB_EXPR_CONSTANT &&
            b->data[i]->kind == PLUMB_EXPR_CONSTANT &&
            a->data[i]->value != b->data[i]->value)
            return false;
    return true;
}

static void warn(struct look *l, const struct plumb_csp_event_text *a,
                 const struct plumb_csp_event_text *b)
{
    plumb_csp_read_warn(
        l->r, a->place,
        "%.60s carries a program, so it does not synchronise with "
        "the one at %u:%u",
        l->r->names.entry.at[a->name].text, b->place.line, b->place.column);
}

static void compare(struct look *l)
{
    const struct found *const f = l->found.at;
    for (uint32_t i = 0; i < l->found.count; i++) {
        for (uint32_t j = 0; f[i].program && j < l->found.count; j++) {
            if (l->work++ > MOST_WORK)
                return;
            if (f[i].side != f[j].side && may_be_same(f[i].event, f[j].event)) {
                warn(l, f[i].event, f[j].event);
                break;
            }
        }
    }
}

static bool look_at(struct look *l, const struct plumb_csp_process *p)
{
    const uint32_t sides = p->ranges ? 2 : p->children;
    l->found.count = 0;
    for (uint32_t i = 0; i < sides; i++) {
        l->side = i;
        l->visit++;
        if (!gather(l, p->child[p->ranges ? 0 : i], NULL))
            return false;
    }
    compare(l);
    return true;
}

static bool find_parallel(struct look *l, const struct plumb_csp_process *p)
{
    if (p->kind == PLUMB_PARALLEL && !look_at(l, p))
        return false;
    for (uint32_t i = 0; i < p->children; i++)
        if (!find_parallel(l, p->child[i]))
            return false;
    return true;
}

bool plumb_csp_resolve_synchronisation(struct plumb_csp_read *r)
{
    struct look l = { .r = r };
    l.visited = plumb_csp_read_scratch(r, (r->definition.count + 1u) *
                                              sizeof *l.visited);
    for (uint32_t i = 0; i < r->definition.count; i++)
        if (!l.visited || !find_parallel(&l, r->definition.at[i].body))
            return false;
    return true;
}
