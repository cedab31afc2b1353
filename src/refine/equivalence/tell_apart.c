/* tell_apart.c - a formula that holds in one of two states and not in the
 * other.
 *
 * A *goal* is a formula that holds in all states of a class X and not in a
 * state y.  Go up from both to the class N in which they were together last.
 * In the round k before, something can be come to from X, by hidden steps inside
 * N, and not from y; or the other way round.  Let it be (e, B).  Then
 *
 *     F <e> G    with F true in all of N, and G in all of B,
 *
 * holds in all states from which (e, B) can be come to.  To begin with, F and
 * G are true.  As long as the formula holds where it must not, there is a path
 * there that shows it.  Its last state v is not in B: then G has to be false in
 * v, which is a goal (B, v); or the path left N, through a state w, because
 * otherwise (e, B) could be come to: then F has to be false in w, a goal (N, w).
 * The classes of these goals are those of round k, so they were separated
 * before, and there is an end.
 *
 * Goals wait for others on a stack of our own: there may be as many as rounds. */
#include "tell_apart.h"

#include "base/fail.h"
#include "base/pair_index.h"
#include "base/sort_numbers.h"

#define NONE UINT32_MAX

/* Candidates (e, B) that are tried for the smallest formula, of each side; and
 * formulas after which the first one is good enough. */
enum { MOST_TRIED = 4, MANY_FORMULAS = 2000 };

/* A goal that is being worked at. */
struct goal {
    uint32_t class, state; /* X and y: of children of `inside`, and in it */
    uint32_t inside, round;
    size_t first, next, end; /* its candidates, in `candidate` */
    uint32_t left, right;    /* F and G of the next one */
    uint32_t best;           /* formula so far */
};

struct candidate {
    uint32_t event, class; /* hidden steps for ever: PLUMB_TAU and NONE */
    bool negative;         /* it is y that can come to it */
};

/* What is missing: that a formula is false in a state. */
struct lack {
    uint32_t class, state;
    bool right; /* G has to be, else F */
};

struct teller {
    const struct plumb_refine_approximants *a;
    struct plumb_refine_truths *t;
    struct plumb_budget *budget;
    uint32_t *member;                /* a state of each class  */
    struct plumb_base_pairs reached; /* goals ... */
    PLUMB_VECTOR(uint32_t) answer;   /* ... and their formulas */
    PLUMB_VECTOR(struct goal) goal;  /* those that wait for the last */
    PLUMB_VECTOR(struct candidate) candidate;
    /* Breadth first: where a state was come from, NONE: not met. */
    uint32_t *from, *queue;
    PLUMB_VECTOR(uint64_t) word[2]; /* signatures */
    struct plumb_base_pace pace;
};

static bool may_spend(struct teller *w, uint64_t steps)
{
    return plumb_base_pace_allows(&w->pace, steps);
}

/* ---- walks ---- */

static void begin_walk(struct teller *w, uint32_t state, uint32_t *count)
{
    w->queue[0] = state;
    w->from[state] = state;
    *count = 1;
}

static void meet(struct teller *w, uint32_t state, uint32_t from,
                 uint32_t *count)
{
    if (w->from[state] != NONE)
        return;
    w->from[state] = from;
    w->queue[(*count)++] = state;
}

static void end_walk(struct teller *w, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        w->from[w->queue[i]] = NONE;
}

/* ---- signatures ---- */

static uint64_t word_of(uint32_t event, uint32_t class)
{
    return (uint64_t)event << 32 | class;
}

/* The edges of a state in a walk inside a class. */
static bool take_edges(struct teller *w, uint32_t state, uint32_t inside,
                       uint32_t round, unsigned which, uint32_t *count)
{
    const struct plumb_csp_lts *const lts = w->a->lts;
    const uint64_t begin = lts->first[state], end = lts->first[state + 1];
    if (!may_spend(w, 1 + end - begin))
        return false;
    for (uint64_t e = begin; e < end; e++) {
        const struct plumb_csp_edge edge = lts->edge[e];
        uint32_t class = plumb_refine_class_of(w->a, edge.target, round);
        if (edge.event == PLUMB_TAU && class == inside) {
            meet(w, edge.target, state, count);
            if (edge.target != state)
                continue;
            class = NONE; /* a loop */
        }
        if (!PLUMB_PUSH(w->budget, &w->word[which], word_of(edge.event, class)))
            return false;
    }
    return true;
}

/* What a state can come to by hidden steps inside a class, sorted. */
static bool sign(struct teller *w, uint32_t state, uint32_t inside,
                 uint32_t round, unsigned which)
{
    uint32_t count;
    bool good = true;
    w->word[which].count = 0;
    begin_walk(w, state, &count);
    for (uint32_t i = 0; good && i < count; i++)
        good = take_edges(w, w->queue[i], inside, round, which, &count);
    end_walk(w, count);
    return good && plumb_base_sort_words(w->budget, w->word[which].at,
                                         w->word[which].count);
}

/* Words of one signature that are not in the other become candidates. */
static bool add_candidates(struct teller *w, unsigned which)
{
    const uint64_t *const own = w->word[which].at;
    const uint64_t *const other = w->word[1 - which].at;
    size_t added = 0, k = 0;
    for (size_t i = 0; i < w->word[which].count && added < MOST_TRIED; i++) {
        while (k < w->word[1 - which].count && other[k] < own[i])
            k++;
        if ((i && own[i] == own[i - 1]) ||
            (k < w->word[1 - which].count && other[k] == own[i]))
            continue;
        const struct candidate c = { (uint32_t)(own[i] >> 32), (uint32_t)own[i],
                                     which == 1 };
        if (!PLUMB_PUSH(w->budget, &w->candidate, c))
            return false;
        added++;
    }
    return true;
}

/* ---- goals ---- */

/* The children of the class that both are in last. */
static void separate(const struct teller *w, uint32_t *class, uint32_t *other)
{
    const struct plumb_refine_class *const c = w->a->class.at;
    while (c[*class].parent != c[*other].parent) {
        const uint32_t one = c[*class].round, two = c[*other].round;
        if (one >= two)
            *class = c[*class].parent;
        if (two >= one)
            *other = c[*other].parent;
    }
}

/* A formula that holds in all of `class` and not in `state`: if it is known its
 * number, else a new goal is on the stack. */
static bool ask(struct teller *w, uint32_t class, uint32_t state,
                uint32_t *formula)
{
    uint32_t other = w->a->leaf[state];
    separate(w, &class, &other);
    *formula = NONE;
    const struct plumb_base_pair pair = { class, state };
    const uint32_t number = plumb_base_pairs_find(&w->reached, pair);
    if (number != UINT32_MAX) {
        *formula = w->answer.at[number];
        return true;
    }
    const struct plumb_refine_class of = w->a->class.at[class];
    const struct goal g = { .class = class,
                            .state = state,
                            .inside = of.parent,
                            .round = of.round - 1,
                            .first = w->candidate.count,
                            .next = w->candidate.count,
                            .best = NONE };
    if (!sign(w, w->member[class], g.inside, g.round, 0) ||
        !sign(w, state, g.inside, g.round, 1) || !add_candidates(w, 0) ||
        !add_candidates(w, 1) || !PLUMB_PUSH(w->budget, &w->goal, g))
        return false;
    assert(w->candidate.count > g.first);
    w->goal.at[w->goal.count - 1].end = w->candidate.count;
    return true;
}

/* ---- where a formula holds that must not ---- */

/* The state behind a step of the event in which the formula holds. */
static uint32_t step_to(const struct teller *w, uint32_t state, uint32_t event,
                        uint32_t formula)
{
    const struct plumb_csp_lts *const lts = w->a->lts;
    for (uint64_t e = lts->first[state]; e < lts->first[state + 1]; e++)
        if (lts->edge[e].event == event &&
            plumb_refine_truths_hold(w->t, formula, lts->edge[e].target))
            return lts->edge[e].target;
    return NONE;
}

static bool has_loop(const struct teller *w, uint32_t state)
{
    const struct plumb_csp_lts *const lts = w->a->lts;
    for (uint64_t e = lts->first[state]; e < lts->first[state + 1]; e++)
        if (lts->edge[e].event == PLUMB_TAU && lts->edge[e].target == state)
            return true;
    return false;
}

/* Is that state where the path shows the formula?  `*last` is where it leads.
 */
static bool shows(const struct teller *w, const struct goal *g,
                  const struct candidate *c, uint32_t state, uint32_t *last)
{
    *last = NONE;
    if (c->class == NONE)
        return has_loop(w, state);
    if (c->event != PLUMB_TAU)
        *last = step_to(w, state, c->event, g->right);
    else if (plumb_refine_truths_hold(w->t, g->right, state))
        *last = state;
    return *last != NONE;
}

/* A path from `state` that shows the formula: its last state, NONE for one that
 * goes on for ever, and the first that is not inside. */
static bool find_path(struct teller *w, const struct goal *g,
                      const struct candidate *c, uint32_t state, uint32_t *last,
                      uint32_t *outside)
{
    const struct plumb_csp_lts *const lts = w->a->lts;
    uint32_t count, i = 0;
    bool good = true;
    begin_walk(w, state, &count);
    for (; !shows(w, g, c, w->queue[i], last) && good; i++) {
        const uint32_t s = w->queue[i];
        good = may_spend(w, 1 + lts->first[s + 1] - lts->first[s]);
        for (uint64_t e = lts->first[s]; e < lts->first[s + 1]; e++) {
            const uint32_t to = lts->edge[e].target;
            const bool ends = c->class != NONE && c->event == PLUMB_TAU &&
                              plumb_refine_truths_hold(w->t, g->right, to);
            if (lts->edge[e].event == PLUMB_TAU &&
                (ends || plumb_refine_truths_hold(w->t, g->left, to)))
                meet(w, to, s, &count);
        }
        assert(i + 1 < count);
    }
    *outside = NONE;
    for (uint32_t s = w->queue[i]; good && s != state; s = w->from[s])
        if (plumb_refine_class_of(w->a, s, g->round) != g->inside)
            *outside = s;
    end_walk(w, count);
    return good;
}

/* What the path from `state` asks for. */
static bool find_lack(struct teller *w, const struct goal *g,
                      const struct candidate *c, uint32_t state,
                      struct lack *lack)
{
    uint32_t last, outside;
    if (!find_path(w, g, c, state, &last, &outside))
        return false;
    lack->right =
        last != NONE && plumb_refine_class_of(w->a, last, g->round) != c->class;
    assert(lack->right || outside != NONE);
    lack->class = lack->right ? c->class : g->inside;
    lack->state = lack->right ? last : outside;
    return true;
}

/* A state in which the formula holds, but must not; NONE: there is none. */
static bool find_wrong(struct teller *w, const struct goal *g, bool negative,
                       uint32_t formula, uint32_t *state)
{
    *state = NONE;
    if (!negative) {
        if (plumb_refine_truths_hold(w->t, formula, g->state))
            *state = g->state;
        return true;
    }
    for (uint32_t s = 0; s < w->a->lts->states; s++) {
        if (!may_spend(w, 1))
            return false;
        if (plumb_refine_truths_hold(w->t, formula, s) &&
            plumb_refine_class_of(w->a, s, g->round + 1) == g->class) {
            *state = s;
            break;
        }
    }
    return true;
}

/* ---- working at goals ---- */

static uint32_t join(struct teller *w, uint32_t one, uint32_t other)
{
    return plumb_refine_truths_put(
        w->t, (struct plumb_refine_modal){ PLUMB_MODAL_AND, 0, one, other });
}

static uint32_t formula_of(struct teller *w, const struct goal *g,
                           const struct candidate *c)
{
    const bool diverges = c->class == NONE;
    return plumb_refine_truths_put(
        w->t, (struct plumb_refine_modal){
                  diverges ? PLUMB_MODAL_DIVERGE : PLUMB_MODAL_STEP,
                  diverges ? 0 : c->event, g->left, diverges ? 0 : g->right });
}

/* The candidate gave a formula: keep it if it is smaller, and on to the next
 * one. */
static bool keep(struct teller *w, bool negative, uint32_t formula)
{
    if (negative)
        formula = plumb_refine_truths_put(
            w->t,
            (struct plumb_refine_modal){ PLUMB_MODAL_NOT, 0, formula, 0 });
    struct goal *const g = w->goal.at + w->goal.count - 1;
    if (formula == UINT32_MAX)
        return false;
    if (g->best == NONE ||
        w->t->truth.at[formula].size < w->t->truth.at[g->best].size)
        g->best = formula;
    g->left = g->right = 0;
    g->next = w->t->truth.count > MANY_FORMULAS ? g->end : g->next + 1;
    return true;
}

/* The candidate's formula is made stronger once, or a goal is put before it. */
static bool strengthen(struct teller *w, const struct candidate *c,
                       uint32_t state)
{
    struct goal *g = w->goal.at + w->goal.count - 1;
    struct lack lack;
    uint32_t formula;
    if (!find_lack(w, g, c, state, &lack) ||
        !ask(w, lack.class, lack.state, &formula))
        return false;
    if (formula == NONE)
        return true; /* later */
    g = w->goal.at + w->goal.count - 1;
    uint32_t *const part = lack.right ? &g->right : &g->left;
    *part = join(w, *part, formula);
    return *part != UINT32_MAX;
}

static bool reach(struct teller *w)
{
    const struct goal g = PLUMB_POP(&w->goal);
    const struct plumb_base_pair pair = { g.class, g.state };
    w->candidate.count = g.first;
    return plumb_base_pairs_number(&w->reached, pair) != UINT32_MAX &&
           PLUMB_PUSH(w->budget, &w->answer, g.best);
}

/* One piece of work at the last goal. */
static bool work(struct teller *w)
{
    const struct goal *const g = w->goal.at + w->goal.count - 1;
    if (g->next == g->end)
        return reach(w);
    const struct candidate c = w->candidate.at[g->next];
    const uint32_t formula = formula_of(w, g, &c);
    uint32_t wrong;
    if (formula == UINT32_MAX || !find_wrong(w, g, c.negative, formula, &wrong))
        return false;
    return wrong == NONE ? keep(w, c.negative, formula)
                         : strengthen(w, &c, wrong);
}

/* ---- all ---- */

static bool prepare(struct teller *w)
{
    const struct plumb_refine_approximants *const a = w->a;
    const size_t states = a->lts->states * sizeof(uint32_t);
    const size_t classes = a->class.count * sizeof(uint32_t);
    w->member = plumb_base_alloc(w->budget, classes);
    w->from = plumb_base_alloc(w->budget, states);
    w->queue = plumb_base_alloc(w->budget, states);
    if (!w->member || !w->from || !w->queue ||
        !plumb_base_paced_set(w->budget, w->member, 0xff, classes) ||
        !plumb_base_paced_set(w->budget, w->from, 0xff, states))
        return false;
    for (uint32_t s = 0; s < a->lts->states; s++) {
        if (!may_spend(w, 1))
            return false;
        for (uint32_t c = a->leaf[s]; c != NONE && w->member[c] == NONE;
             c = a->class.at[c].parent)
            w->member[c] = s;
    }
    return true;
}

static bool tell(struct teller *w, uint32_t one, uint32_t other,
                 uint32_t *formula)
{
    bool good = prepare(w) && ask(w, w->a->leaf[one], other, formula);
    while (good && w->goal.count)
        good = work(w);
    return good && ask(w, w->a->leaf[one], other, formula);
}

static void release(struct teller *w)
{
    PLUMB_RELEASE(w->budget, w->member, w->a->class.count);
    PLUMB_RELEASE(w->budget, w->from, w->a->lts->states);
    PLUMB_RELEASE(w->budget, w->queue, w->a->lts->states);
    plumb_base_pairs_release(&w->reached);
    PLUMB_VECTOR_RELEASE(w->budget, &w->answer);
    PLUMB_VECTOR_RELEASE(w->budget, &w->goal);
    PLUMB_VECTOR_RELEASE(w->budget, &w->candidate);
    PLUMB_VECTOR_RELEASE(w->budget, &w->word[0]);
    PLUMB_VECTOR_RELEASE(w->budget, &w->word[1]);
}

enum plumb_status plumb_refine_tell_apart(
    const struct plumb_refine_approximants *a, struct plumb_refine_truths *t,
    uint32_t one, uint32_t other, uint32_t *formula, struct plumb_error *err)
{
    struct teller w = {
        .a = a, .t = t, .budget = a->budget, .pace = { .budget = a->budget }
    };
    plumb_base_pairs_init(&w.reached, w.budget);
    const bool good = tell(&w, one, other, formula);
    release(&w);
    return good ? PLUMB_OK : plumb_base_fail_budget(w.budget, err);
}
