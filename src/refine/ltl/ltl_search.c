/* ltl_search.c - is there a fair run that breaks the formula?
 *
 * One depth-first search over the product, in the manner of Couvreur (1999):
 * a stack of components, each with what its arcs keep; an arc back merges all
 * components above the one it leads to.  As soon as a component keeps every
 * until, it holds a run that breaks the formula, though it may not be whole.
 *
 * Weak fairness is more of the same: for each process, arcs where it takes
 * part or is not enabled.  Strong fairness has no such arcs; a component is
 * looked at when it is whole, and without the places that no fair run of it
 * may meet, once more (Emerson and Lei 1987).
 *
 * No recursion: stacks are in memory. */
#include "ltl.h"

#include "base/fail.h"
#include "base/pace.h"
#include "base/vector.h"
#include "ltl_lasso.h"
#include <assert.h>
#include <string.h>

#define DEAD UINT32_MAX /* its component is whole */

/* A component that is not whole yet. */
struct root {
    uint32_t number; /* of its first place */
    bool cyclic;
    uint64_t kept, weak;         /* by arcs inside it      */
    uint64_t arc_kept, arc_weak; /* by the arc that led to it */
};

struct frame {
    uint32_t place, edge, move;
};

struct search {
    struct checker *k;
    uint32_t only;    /* places of this set alone; 0: all */
    uint32_t *number; /* of each place, in the order they were met; or DEAD */
    size_t number_room;
    PLUMB_VECTOR(uint32_t) live;
    PLUMB_VECTOR(struct root) root;
    PLUMB_VECTOR(struct frame) frame;
    uint32_t next;
};

/* Components that strong fairness has to look at. */
struct job {
    size_t first, count;
};

struct checker {
    struct plumb_refine_ltl_product p;
    struct plumb_refine_run *run;
    struct plumb_refine_ltl_needs needs; /* untils and weak */
    bool strong;
    struct search main, sub;
    uint32_t *set; /* which set a place belongs to */
    size_t set_room;
    uint32_t last_set;
    PLUMB_VECTOR(uint32_t) member; /* of jobs */
    PLUMB_VECTOR(struct job) job;
};

/* ---- stacks ---- */

static bool know_places(struct checker *k, uint32_t **array, size_t *room)
{
    return PLUMB_GROW_ZEROED(k->p.budget, *array, *room, k->p.places.count);
}

static bool know_numbers(struct search *s)
{
    return know_places(s->k, &s->number, &s->number_room);
}

static bool visit(struct search *s, uint32_t place, uint64_t arc_kept,
                  uint64_t arc_weak)
{
    struct checker *const k = s->k;
    s->number[place] = ++s->next;
    return PLUMB_PUSH(k->p.budget, &s->live, place) &&
           PLUMB_PUSH(k->p.budget, &s->root,
                      (struct root){ .number = s->next,
                                     .arc_kept = arc_kept,
                                     .arc_weak = arc_weak }) &&
           PLUMB_PUSH(k->p.budget, &s->frame, (struct frame){ place, 0, 0 });
}

/* An arc leads back to a place with this number: all between are one. */
static struct root *merge(struct search *s, uint32_t number, uint64_t kept,
                          uint64_t weak)
{
    struct root *top = s->root.at + s->root.count - 1;
    assert(s->root.at[0].number <= number);
    for (; top->number > number; top--, s->root.count--) {
        kept |= top->kept | top->arc_kept;
        weak |= top->weak | top->arc_weak;
    }
    top->cyclic = true;
    top->kept |= kept;
    top->weak |= weak;
    return top;
}

static bool is_enough(const struct checker *k, const struct root *r)
{
    return !k->strong && !(k->needs.untils & ~r->kept) &&
           !(k->needs.weak & ~r->weak);
}

/* The component at the top of the stack is the one to show. */
static enum plumb_status keep_top(struct search *s)
{
    struct checker *const k = s->k;
    const uint32_t from = s->root.at[s->root.count - 1].number;
    if (!know_places(k, &k->set, &k->set_room))
        return plumb_base_fail_budget(k->p.budget, k->p.err);
    k->last_set = 1;
    for (size_t i = s->live.count; i-- > 0;) {
        if (s->number[s->live.at[i]] < from)
            break;
        if (!plumb_base_in_time(k->p.budget, i))
            return plumb_base_fail_budget(k->p.budget, k->p.err);
        k->set[s->live.at[i]] = 1;
    }
    return PLUMB_END;
}

/* ---- components that are whole ---- */

static bool add_job(struct checker *k, const uint32_t *member, size_t count)
{
    if (!PLUMB_RESERVE(k->p.budget, &k->member, k->member.count + count) ||
        !PLUMB_PUSH(k->p.budget, &k->job,
                    (struct job){ k->member.count, count }))
        return false;
    memcpy(k->member.at + k->member.count, member, count * sizeof *member);
    k->member.count += count;
    return true;
}

/* All arcs of the top place were seen. */
static enum plumb_status retreat(struct search *s)
{
    struct checker *const k = s->k;
    const uint32_t place = PLUMB_POP(&s->frame).place;
    const struct root *const top = s->root.at + s->root.count - 1;
    size_t first = s->live.count;
    if (top->number != s->number[place])
        return PLUMB_OK;
    do {
        if (!plumb_base_in_time(k->p.budget, first))
            return plumb_base_fail_budget(k->p.budget, k->p.err);
        s->number[s->live.at[--first]] = DEAD;
    } while (s->live.at[first] != place);
    if (k->strong && top->cyclic &&
        !add_job(k, s->live.at + first, s->live.count - first))
        return plumb_base_fail_budget(k->p.budget, k->p.err);
    s->live.count = first;
    s->root.count--;
    return PLUMB_OK;
}

/* ---- the search ---- */

/* PLUMB_END if a run was found. */
static enum plumb_status follow(struct search *s,
                                const struct plumb_refine_ltl_arc *arc,
                                bool *deeper)
{
    struct checker *const k = s->k;
    const uint64_t weak = arc->actors | ~arc->enabled;
    uint32_t number;
    if (!know_numbers(s))
        return plumb_base_fail_budget(k->p.budget, k->p.err);
    if (s->only && k->set[arc->place] != s->only)
        return PLUMB_OK;
    number = s->number[arc->place];
    if (number == DEAD)
        return PLUMB_OK;
    if (number)
        return is_enough(k, merge(s, number, arc->kept, weak)) ? keep_top(s)
                                                               : PLUMB_OK;
    *deeper = true;
    return visit(s, arc->place, arc->kept, weak)
               ? PLUMB_OK
               : plumb_base_fail_budget(k->p.budget, k->p.err);
}

/* Arcs of the top place, until one leads to a new place. */
static enum plumb_status work(struct search *s)
{
    struct checker *const k = s->k;
    struct frame *const top = s->frame.at + s->frame.count - 1;
    struct plumb_refine_ltl_cursor c;
    struct plumb_refine_ltl_arc arc;
    PLUMB_TRY(plumb_refine_ltl_cursor_resume(&k->p, top->place, top->edge,
                                             top->move, &c));
    enum plumb_status status;
    while ((status = plumb_refine_ltl_cursor_next(&k->p, &c, &arc)) ==
           PLUMB_OK) {
        bool deeper = false;
        top->edge = c.edge;
        top->move = c.move;
        k->run->transitions += !s->only;
        status = follow(s, &arc, &deeper);
        if (status != PLUMB_OK || deeper)
            return status;
    }
    return status == PLUMB_END ? retreat(s) : status;
}

/* ---- strong fairness ---- */

struct outline {
    uint64_t kept, actors, enabled;
};

/* What the arcs inside the set of a job do. */
static enum plumb_status outline_of(struct checker *k, const struct job *j,
                                    uint32_t set, struct outline *o)
{
    *o = (struct outline){ .kept = 0 };
    for (size_t i = 0; i < j->count; i++) {
        struct plumb_refine_ltl_cursor c;
        struct plumb_refine_ltl_arc arc;
        enum plumb_status status =
            plumb_refine_ltl_cursor_at(&k->p, k->member.at[j->first + i], &c);
        if (status != PLUMB_OK)
            return status;
        o->enabled |= c.enabled;
        while ((status = plumb_refine_ltl_cursor_next(&k->p, &c, &arc)) ==
               PLUMB_OK) {
            if (k->set[arc.place] != set)
                continue;
            o->kept |= arc.kept;
            o->actors |= arc.actors;
        }
        if (status != PLUMB_END)
            return status;
    }
    return PLUMB_OK;
}

/* Take the places out where one of `starved` is enabled. */
static enum plumb_status take_out(struct checker *k, const struct job *j,
                                  uint64_t starved)
{
    for (size_t i = 0; i < j->count; i++) {
        const uint32_t place = k->member.at[j->first + i];
        struct plumb_refine_ltl_cursor c;
        PLUMB_TRY(plumb_refine_ltl_cursor_at(&k->p, place, &c));
        if (c.enabled & starved)
            k->set[place] = 0;
    }
    return PLUMB_OK;
}

/* The components of what is left become jobs. */
static enum plumb_status split(struct checker *k, const struct job *j,
                               uint32_t set)
{
    struct search *const s = &k->sub;
    if (!know_numbers(s))
        return plumb_base_fail_budget(k->p.budget, k->p.err);
    s->only = set;
    s->next = 0;
    for (size_t i = 0; i < j->count; i++) {
        if (!plumb_base_in_time(k->p.budget, i))
            return plumb_base_fail_budget(k->p.budget, k->p.err);
        s->number[k->member.at[j->first + i]] = 0;
    }
    for (size_t i = 0; i < j->count; i++) {
        const uint32_t place = k->member.at[j->first + i];
        if (k->set[place] != set || s->number[place])
            continue;
        if (!visit(s, place, 0, 0))
            return plumb_base_fail_budget(k->p.budget, k->p.err);
        while (s->frame.count)
            PLUMB_TRY(work(s));
    }
    return PLUMB_OK;
}

/* PLUMB_END if there is a fair run in it. */
static enum plumb_status do_job(struct checker *k, const struct job *j)
{
    const uint32_t set = ++k->last_set;
    struct outline o;
    enum plumb_status status;
    for (size_t i = 0; i < j->count; i++) {
        if (!plumb_base_in_time(k->p.budget, i))
            return plumb_base_fail_budget(k->p.budget, k->p.err);
        k->set[k->member.at[j->first + i]] = set;
    }
    status = outline_of(k, j, set, &o);
    if (status != PLUMB_OK || (k->needs.untils & ~o.kept))
        return status;
    if (!(o.enabled & ~o.actors)) {
        k->needs.strong = o.enabled;
        return PLUMB_END;
    }
    status = take_out(k, j, o.enabled & ~o.actors);
    return status == PLUMB_OK ? split(k, j, set) : status;
}

static enum plumb_status do_jobs(struct checker *k)
{
    size_t next = 0;
    enum plumb_status status = PLUMB_OK;
    if (k->job.count && !know_places(k, &k->set, &k->set_room))
        return plumb_base_fail_budget(k->p.budget, k->p.err);
    while (status == PLUMB_OK && next < k->job.count) {
        const struct job j = k->job.at[next++];
        status = do_job(k, &j);
    }
    k->job.count = k->member.count = 0;
    return status;
}

/* ---- all ---- */

static enum plumb_status explore(struct checker *k, uint32_t place)
{
    struct search *const s = &k->main;
    if (!know_numbers(s))
        return plumb_base_fail_budget(k->p.budget, k->p.err);
    if (s->number[place])
        return PLUMB_OK;
    if (!visit(s, place, 0, 0))
        return plumb_base_fail_budget(k->p.budget, k->p.err);
    while (s->frame.count) {
        PLUMB_TRY(work(s));
        if (k->job.count)
            PLUMB_TRY(do_jobs(k));
    }
    return PLUMB_OK;
}

/* PLUMB_END if there is a run, PLUMB_OK if there is none. */
static enum plumb_status look_for_run(struct checker *k)
{
    struct plumb_refine_ltl_cursor c;
    struct plumb_refine_ltl_arc arc;
    enum plumb_status status;
    plumb_refine_ltl_cursor_begin(&c);
    while ((status = plumb_refine_ltl_cursor_next(&k->p, &c, &arc)) == PLUMB_OK)
        PLUMB_TRY(explore(k, arc.place));
    return status == PLUMB_END ? PLUMB_OK : status;
}

static void release_search(struct search *s, struct plumb_budget *b)
{
    PLUMB_RELEASE(b, s->number, s->number_room);
    PLUMB_VECTOR_RELEASE(b, &s->live);
    PLUMB_VECTOR_RELEASE(b, &s->root);
    PLUMB_VECTOR_RELEASE(b, &s->frame);
}

static void release(struct checker *k)
{
    struct plumb_budget *const b = k->p.budget;
    release_search(&k->main, b);
    release_search(&k->sub, b);
    PLUMB_RELEASE(b, k->set, k->set_room);
    PLUMB_VECTOR_RELEASE(b, &k->member);
    PLUMB_VECTOR_RELEASE(b, &k->job);
    plumb_refine_ltl_product_release(&k->p);
}

static uint64_t all_of(unsigned count)
{
    return count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
}

static enum plumb_status check(struct checker *k,
                               struct plumb_base_arena *arena)
{
    enum plumb_status status = look_for_run(k);
    k->run->states = k->p.places.count;
    k->run->holds = status == PLUMB_OK;
    if (status != PLUMB_END)
        return status;
    return plumb_refine_ltl_lasso(&k->p, k->set, k->last_set, k->p.places.count,
                                  k->needs, arena, k->run);
}

enum plumb_status plumb_refine_ltl_check(
    struct plumb_csp_graph *g, const struct plumb_refine_formula *formula,
    const struct plumb_refine_labels *labels,
    enum plumb_refine_fairness fairness, struct plumb_base_arena *arena,
    struct plumb_refine_run *run, struct plumb_error *err)
{
    struct plumb_refine_ltl_automaton *a;
    struct checker k = { .run = run, .main.k = &k, .sub.k = &k };
    *run = (struct plumb_refine_run){ .holds = false };
    PLUMB_TRY(plumb_refine_ltl_automaton_open(&a, formula, arena->budget, err));
    plumb_refine_ltl_product_init(&k.p, g, a, labels, formula->atoms,
                                  fairness != PLUMB_UNFAIR, arena->budget, err);
    k.strong = fairness == PLUMB_STRONG_FAIRNESS;
    k.needs.untils = plumb_refine_ltl_automaton_untils(a);
    if (fairness == PLUMB_WEAK_FAIRNESS)
        k.needs.weak = all_of(labels->processes);
    const enum plumb_status status = check(&k, arena);
    release(&k);
    plumb_refine_ltl_automaton_free(a);
    return status;
}
