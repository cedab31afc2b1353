/* monitor_pieces.c - each piece has its own input and its own monitor.
 *
 * That also needs less memory, and the memory is nearer: an input and what its
 * monitor needs are gone before the next piece.  Orders are written to where
 * they belong in the whole.  The pieces depend on the history alone, and what
 * is behind the first that is a violation does not count, so the answer does
 * not depend on the number of threads. */
#include "monitor.h"

#include "base/pace.h"
#include "base/workers.h"
#include "cuts.h"
#include <string.h>

enum fate { NOT_DECIDED, FINE, VIOLATED, DECLINED };

struct finding {
    enum fate fate;
    enum plumb_status why; /* NOT_DECIDED */
    uint32_t count;        /* FINE: how many are in the order */
    uint32_t *blame;       /* VIOLATED */
    uint32_t blames, maybe, sure;
};

struct pieces {
    const struct plumb_history *h;
    const struct plumb_spec *spec;
    struct plumb_base_arena *arena;
    struct plumb_check_cuts cuts;
    struct finding *finding; /* by piece */
    uint32_t *order;         /* that of a piece begins at its first operation */
    struct plumb_base_arena *blames; /* of each thread */
    unsigned each;                   /* threads for one piece */
    uint32_t least;                  /* operations for a thread */
};

/* ---- one piece ---- */

static void note_order(const struct pieces *p, uint32_t piece,
                       const struct plumb_check_monitoring *m)
{
    const uint32_t from = p->cuts.from[piece];
    uint32_t *const order = p->order + from;
    p->finding[piece].why = PLUMB_EMEMORY;
    for (uint32_t i = 0; i < m->order_count; i++) {
        if (!plumb_base_in_time(m->budget, i))
            return;
        order[i] = from + plumb_check_input_origin(m->input, m->order[i]);
    }
    p->finding[piece].count = m->order_count;
    p->finding[piece].fate = FINE;
}

static void note_violation(const struct pieces *p, uint32_t piece,
                           const struct plumb_check_monitoring *m,
                           uint32_t rank, struct plumb_base_arena *arena)
{
    struct finding *const f = p->finding + piece;
    f->blame =
        plumb_base_arena_copy(arena, m->blame, m->blames * sizeof *f->blame);
    f->why = PLUMB_EMEMORY;
    if (!f->blame)
        return;
    for (uint32_t i = 0; i < m->blames; i++)
        f->blame[i] = p->cuts.from[piece] +
                      plumb_check_input_origin(m->input, f->blame[i]);
    f->blames = m->blames;
    f->maybe = rank + m->maybe;
    f->sure = rank + m->sure;
    f->fate = VIOLATED;
}

/* Its input is made of `part`, whose first event has that rank. */
static void run_monitor(const struct pieces *p, uint32_t piece,
                        const struct plumb_check_input *input, uint32_t rank,
                        struct plumb_base_arena *scratch,
                        struct plumb_base_arena *blames)
{
    struct finding *const f = p->finding + piece;
    struct plumb_check_monitoring m = { .input = input,
                                        .spec = p->spec,
                                        .budget = scratch->budget,
                                        .arena = scratch,
                                        .scratch = scratch,
                                        .jobs = p->each,
                                        .least = p->least,
                                        .verdict = PLUMB_UNDECIDED };
    if (!plumb_check_monitor_of(p->spec)(&m))
        f->why = m.why;
    else if (m.verdict == PLUMB_UNDECIDED || m.left)
        f->fate = DECLINED;
    else if (m.verdict == PLUMB_LINEARIZABLE)
        note_order(p, piece, &m);
    else
        note_violation(p, piece, &m, rank, blames);
}

static bool decide_piece(void *context, unsigned member, uint32_t piece)
{
    struct pieces *const p = context;
    struct finding *const f = p->finding + piece;
    struct plumb_history part;
    struct plumb_check_inputs inputs;
    struct plumb_base_arena scratch = { .budget = p->arena->budget };
    uint32_t rank;
    f->why = plumb_budget_state(p->arena->budget);
    if (f->why != PLUMB_OK)
        return false;
    if (!plumb_check_cuts_piece(p->h, &p->cuts, piece, &scratch, &part,
                                &rank) ||
        !plumb_check_inputs_make(&part, p->spec, &scratch, &inputs))
        f->why = PLUMB_EMEMORY;
    else if (inputs.declined)
        f->fate = DECLINED;
    else
        run_monitor(p, piece, inputs.input, rank, &scratch, p->blames + member);
    plumb_base_arena_release(&scratch);
    return f->fate == FINE;
}

/* ---- all of them ---- */

/* Close the gaps where pending operations did not take effect, and failed ones
 * have none. */
static bool put_together(const struct pieces *p,
                         struct plumb_check_monitored *out)
{
    uint32_t end = 0;
    out->cut =
        plumb_base_arena_alloc(p->arena, p->cuts.pieces * sizeof *out->cut);
    if (!out->cut)
        return false;
    for (uint32_t i = 0; i < p->cuts.pieces; i++) {
        const uint32_t from = p->cuts.from[i], count = p->finding[i].count;
        if (end != from)
            memmove(p->order + end, p->order + from, count * sizeof *p->order);
        if (i)
            out->cut[out->cuts++] = end;
        end += count;
    }
    out->verdict = PLUMB_LINEARIZABLE;
    out->parts = 1;
    out->order = p->order;
    out->order_count = end;
    return true;
}

static bool take_violation(const struct pieces *p, const struct finding *f,
                           struct plumb_check_monitored *out)
{
    out->blame =
        plumb_base_arena_copy(p->arena, f->blame, f->blames * sizeof *f->blame);
    out->verdict = PLUMB_NOT_LINEARIZABLE;
    out->blames = f->blames;
    out->maybe = f->maybe;
    out->sure = f->sure;
    return out->blame;
}

/* `first`: all pieces before it are fine. */
static bool sum_up(const struct pieces *p, uint32_t first,
                   struct plumb_check_monitored *out, bool *declined)
{
    if (first == p->cuts.pieces)
        return put_together(p, out);
    const struct finding *const f = p->finding + first;
    out->why = f->why;
    switch (f->fate) {
    case VIOLATED:
        out->why = PLUMB_OK;
        return take_violation(p, f, out);
    case DECLINED:
        *declined = true;
        return true;
    default:
        return false;
    }
}

static bool decide(struct pieces *p, unsigned jobs,
                   struct plumb_base_arena *scratch,
                   struct plumb_check_monitored *out, bool *declined)
{
    const uint32_t pieces = p->cuts.pieces;
    const unsigned size = plumb_base_workers_size(jobs, pieces);
    p->each = jobs / size;
    p->finding = plumb_base_arena_zeroed(scratch, pieces * sizeof *p->finding);
    p->blames = plumb_base_arena_zeroed(scratch, size * sizeof *p->blames);
    p->order = plumb_base_arena_alloc(p->arena, p->h->count * sizeof *p->order);
    if (!p->finding || !p->blames || !p->order)
        return false;
    for (unsigned j = 0; j < size; j++)
        plumb_base_arena_init(p->blames + j, p->arena->budget);
    const uint32_t first =
        plumb_base_workers_run(jobs, pieces, decide_piece, p);
    const bool done = sum_up(p, first, out, declined);
    for (unsigned j = 0; j < size; j++)
        plumb_base_arena_release(p->blames + j);
    return done;
}

bool plumb_check_monitor_pieces(const struct plumb_history *h,
                                const struct plumb_spec *spec, unsigned jobs,
                                uint32_t least, struct plumb_base_arena *arena,
                                struct plumb_check_monitored *out,
                                bool *declined)
{
    struct pieces p = { .h = h, .spec = spec, .arena = arena, .least = least };
    struct plumb_base_arena scratch = { .budget = arena->budget };
    bool done = plumb_check_cuts_find(h, spec, least, &scratch, &p.cuts);
    if (done && p.cuts.pieces > 1)
        done = decide(&p, jobs, &scratch, out, declined);
    else
        *declined = true;
    plumb_base_arena_release(&scratch);
    return done;
}
