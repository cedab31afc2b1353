/* test_explore_serial.c - serial executions, against recursion over all.
 *
 * The interpreter can be copied, so all serial executions of a small program
 * are run through without repeating steps: at a moment every thread that is
 * about to call goes on, to every way in which its operation can return.  An
 * operation is stuck where nobody can go on, and where it can go on for ever:
 * on a cycle on which everybody who can go on somewhere does so. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"
#include "effort.h"
#include "random_program.h"
#include "serial_histories.h"
#include "strategies/serial.h"

enum {
    MOST_OPERATIONS = 2, /* of a thread */
    MOST_INSIDE = 64,    /* states of an operation */
    MOST_STEPS = 400,    /* from one of those to another */
    MOST_RUNS = 1500,    /* of operations */
    MOST_EDGES = 20000,
    CODE = 48,
    ANSWER = 1 /* the register that is answered */
};

static void claim(bool holds, uint64_t seed, const char *what)
{
    if (!holds)
        fail_msg("random program of seed %llu: %s", (unsigned long long)seed,
                 what);
}

static unsigned op_of(unsigned thread, unsigned call)
{
    return thread * MOST_OPERATIONS + call;
}

/* ---- by recursion ---- */

struct oracle {
    bool leader;
    struct histories *into;
    unsigned runs;
    bool gave_up;
};

static bool are_same(const struct interpreter *a, const struct interpreter *b)
{
    return a->threads == b->threads &&
           !memcmp(a->thread, b->thread, a->threads * sizeof *a->thread) &&
           !memcmp(a->memory, b->memory, sizeof a->memory) &&
           !memcmp(a->owner, b->owner, sizeof a->owner) &&
           !memcmp(a->count, b->count, sizeof a->count) &&
           !memcmp(a->enlisted, b->enlisted, sizeof a->enlisted);
}

/* States, each once. */
struct states {
    struct interpreter *state;
    unsigned count, room;
};

static void open_states(struct states *s, unsigned room)
{
    *s = (struct states){ malloc(room * sizeof *s->state), 0, room };
    assert_non_null(s->state);
}

/* UINT_MAX: there is no room. */
static unsigned put_state(struct states *s, const struct interpreter *m)
{
    unsigned i = 0;
    while (i < s->count && !are_same(&s->state[i], m))
        i++;
    if (i == s->room)
        return UINT_MAX;
    if (i == s->count)
        memcpy(&s->state[s->count++], m, sizeof *m);
    return i;
}

static enum op next_op(const struct interpreter *m, unsigned thread)
{
    return m->thread[thread].at->op;
}

static unsigned options_of(const struct interpreter *m, unsigned thread)
{
    const struct instruction *const i = m->thread[thread].at;
    return i->op == CHOOSE ? i->size : 1;
}

static void go(struct interpreter *m, unsigned thread, unsigned option)
{
    struct plumb_strategies_event event;
    interpreter_step(m, thread, option, &event);
}

/* Who may go on while an operation is open: all but who would call one. */
static uint64_t beside(const struct interpreter *m)
{
    uint64_t set = m->ready;
    for (unsigned t = 0; t < m->threads; t++)
        if (next_op(m, t) == CALL)
            set &= ~((uint64_t)1 << t);
    return set;
}

/* What can happen inside an operation. */
struct inside {
    struct states states, after; /* after it has returned */
    struct {
        unsigned from, to, thread;
    } step[MOST_STEPS];
    unsigned steps;
    bool reaches[MOST_INSIDE][MOST_INSIDE];
};

static bool add_step(struct inside *in, unsigned from, unsigned to,
                     unsigned thread)
{
    if (to == UINT_MAX || in->steps == MOST_STEPS)
        return false;
    in->step[in->steps].from = from;
    in->step[in->steps].to = to;
    in->step[in->steps++].thread = thread;
    return true;
}

/* False: too many. */
static bool leave_inside(struct inside *in, unsigned from, unsigned caller)
{
    for (unsigned t = 0; t < in->states.state[from].threads; t++) {
        if (!(beside(&in->states.state[from]) >> t & 1))
            continue;
        const unsigned options = options_of(&in->states.state[from], t);
        for (unsigned k = 0; k < options; k++) {
            struct interpreter m;
            memcpy(&m, &in->states.state[from], sizeof m);
            const bool returns = t == caller && next_op(&m, t) == RETURN;
            go(&m, t, k);
            if (returns ? put_state(&in->after, &m) == UINT_MAX
                        : !add_step(in, from, put_state(&in->states, &m), t))
                return false;
        }
    }
    return true;
}

/* By steps that stay among the states of `among`. */
static void close_relation(struct inside *in, const bool *among)
{
    const unsigned n = in->states.count;
    for (unsigned i = 0; i < n; i++)
        memset(in->reaches[i], 0, n);
    for (unsigned i = 0; i < in->steps; i++)
        in->reaches[in->step[i].from][in->step[i].to] =
            among[in->step[i].from] && among[in->step[i].to];
    for (unsigned k = 0; k < n; k++)
        for (unsigned i = 0; i < n; i++)
            for (unsigned j = 0; j < n && in->reaches[i][k]; j++)
                in->reaches[i][j] |= in->reaches[k][j];
}

/* Threads that can go on in the component of a state, and never do so within. */
static uint64_t left_out(const struct inside *in, unsigned state)
{
    uint64_t ready = 0, moves = 0;
    for (unsigned i = 0; i < in->states.count; i++)
        if (in->reaches[state][i] && in->reaches[i][state])
            ready |= beside(&in->states.state[i]);
    for (unsigned i = 0; i < in->steps; i++)
        if (in->reaches[state][in->step[i].from] &&
            in->reaches[in->step[i].to][state])
            moves |= (uint64_t)1 << in->step[i].thread;
    return ready & ~moves;
}

/* A component on which nobody is left out can be gone round for ever.  If
 * somebody is, then perhaps a part of it, where they cannot go on. */
static bool goes_round_fairly(struct inside *in, const bool *among)
{
    bool fewer[MOST_INSIDE];
    bool some_less = false;
    close_relation(in, among);
    for (unsigned i = 0; i < in->states.count; i++) {
        const bool is_on_cycle = in->reaches[i][i];
        const uint64_t out = is_on_cycle ? left_out(in, i) : 0;
        if (is_on_cycle && !out)
            return true;
        fewer[i] = is_on_cycle && !(beside(&in->states.state[i]) & out);
        some_less |= among[i] && !fewer[i];
    }
    return some_less && goes_round_fairly(in, fewer);
}

static bool may_be_stuck(struct inside *in)
{
    bool all[MOST_INSIDE];
    for (unsigned i = 0; i < in->states.count; i++) {
        if (!beside(&in->states.state[i]))
            return true;
        all[i] = true;
    }
    return goes_round_fairly(in, all);
}

static void recurse(struct oracle *o, const struct interpreter *m,
                    struct serial_history so_far);

static void run_operation(struct oracle *o, const struct interpreter *m,
                          unsigned caller, struct serial_history so_far)
{
    struct inside *const in = calloc(1, sizeof *in);
    struct interpreter called;
    assert_non_null(in);
    open_states(&in->states, MOST_INSIDE);
    open_states(&in->after, MOST_INSIDE);
    so_far = followed_by(so_far, m->thread[caller].at->at);
    o->gave_up |= ++o->runs > MOST_RUNS;
    memcpy(&called, m, sizeof called);
    go(&called, caller, 0);
    put_state(&in->states, &called);
    for (unsigned i = 0; i < in->states.count && !o->gave_up; i++)
        o->gave_up = !leave_inside(in, i, caller);
    if (!o->gave_up && may_be_stuck(in)) {
        const struct serial_history stuck = followed_by(so_far, STUCK_EVENT);
        add_history(o->into, &stuck);
    }
    for (unsigned i = 0; i < in->after.count && !o->gave_up; i++) {
        const struct interpreter *const after = &in->after.state[i];
        const uint32_t answer = (uint32_t)after->thread[caller].reg[ANSWER];
        recurse(o, after, followed_by(so_far, answer));
    }
    free(in->states.state);
    free(in->after.state);
    free(in);
}

static bool leads(const struct oracle *o, const struct interpreter *m)
{
    return o->leader && m->ready & 1 && next_op(m, 0) != CALL;
}

/* Who is about to call does so; everybody else goes on unseen. */
static bool leave_moment(struct oracle *o, struct states *here, unsigned at,
                         struct serial_history so_far)
{
    struct interpreter m;
    memcpy(&m, &here->state[at], sizeof m);
    const uint64_t may = leads(o, &m) ? 1 : m.ready;
    bool any = false;
    for (unsigned t = 0; t < m.threads; t++) {
        if (!(may >> t & 1))
            continue;
        if (next_op(&m, t) == CALL) {
            any = true;
            run_operation(o, &m, t, so_far);
            continue;
        }
        for (unsigned k = 0; k < options_of(&m, t); k++) {
            struct interpreter after;
            memcpy(&after, &m, sizeof after);
            go(&after, t, k);
            o->gave_up |= put_state(here, &after) == UINT_MAX;
        }
    }
    return any;
}

static void recurse(struct oracle *o, const struct interpreter *m,
                    struct serial_history so_far)
{
    struct states here;
    bool goes_on = false;
    open_states(&here, MOST_INSIDE);
    put_state(&here, m);
    for (unsigned i = 0; i < here.count && !o->gave_up; i++) {
        goes_on |= leave_moment(o, &here, i, so_far);
        o->gave_up |= o->into->too_many;
    }
    if (!goes_on)
        add_history(o->into, &so_far);
    free(here.state);
}

/* False: too many. */
static bool run_all(const struct program *p, bool leader,
                    struct histories *into)
{
    struct interpreter m;
    struct oracle o = { .leader = leader, .into = into };
    interpreter_machine(&m, p);
    interpreter_begin(&m);
    into->count = 0;
    into->too_many = false;
    recurse(&o, &m, (struct serial_history){ .length = 0 });
    sort_histories(into);
    drop_equals(into);
    return !o.gave_up && !into->too_many;
}

/* ---- by the strategy ---- */

enum { MOST_KEPT = 64 };

struct collection {
    struct interpreter machine;
    bool at_once; /* what needs no choice is done in the step of the call */
    struct plumb_infer_seen seen[MOST_EDGES];
    size_t count, most;
    uint64_t broken; /* the value of the first variable that breaks it */
    struct interpreter kept[MOST_KEPT];
    unsigned refuses, restored; /* moments: one in so many; so often  */
    bool restores_badly;
};

static bool keep_moment(void *context, unsigned n)
{
    struct collection *const c = context;
    if (n == MOST_KEPT || (c->refuses && c->count % c->refuses == 0))
        return false;
    memcpy(&c->kept[n], &c->machine, sizeof c->machine);
    return true;
}

static void restore_moment(void *context, unsigned n)
{
    struct collection *const c = context;
    memcpy(&c->machine, &c->kept[n], sizeof c->machine);
    c->machine.memory[0] ^= c->restores_badly;
    c->restored++;
}

static uint32_t tell_answer(void *context, unsigned op)
{
    const struct collection *const c = context;
    return (uint32_t)c->machine.thread[op / MOST_OPERATIONS].reg[ANSWER];
}

static bool has_broken(void *context)
{
    const struct collection *const c = context;
    return c->broken && peek(&c->machine, 0, 8) == c->broken;
}

static bool collect(void *context, const struct plumb_strategies_serial_edge *e)
{
    struct collection *const c = context;
    assert_true(c->count < MOST_EDGES);
    c->seen[c->count++] = (struct plumb_infer_seen){
        .from = e->from,
        .to = e->kind == PLUMB_SERIAL_STUCK ? PLUMB_INFER_STUCK : e->to,
        .op = e->kind == PLUMB_SERIAL_HIDDEN ? PLUMB_INFER_HIDDEN : e->op,
        .answer = e->answer
    };
    return c->count < c->most;
}

static bool needs_no_choice(const struct interpreter *m, unsigned thread)
{
    const enum op op = next_op(m, thread);
    return m->threads == m->program->threads && m->ready >> thread & 1 &&
           op >= LOAD && op <= AWAIT && op != CALL && op != RETURN &&
           op != SPAWN && op != JOIN;
}

/* As a target does: calls, goes on as long as nobody else could, and perhaps
 * returns, which is then what the step was. */
static void step_at_once(void *context, unsigned thread, unsigned option,
                         struct plumb_strategies_event *event)
{
    struct interpreter *const m = context;
    interpreter_step(m, thread, option, event);
    if (event->kind != PLUMB_EVENT_CALL)
        return;
    for (unsigned i = 0; i < 8 && needs_no_choice(m, thread); i++)
        go(m, thread, 0);
    if (next_op(m, thread) == RETURN && m->threads == m->program->threads)
        interpreter_step(m, thread, 0, event);
}

static enum plumb_status explore(const struct program *p,
                                 struct plumb_strategies_serial serial,
                                 struct collection *c,
                                 struct plumb_strategies_serial_stats *stats)
{
    struct plumb_strategies_machine m = interpreter_machine(&c->machine, p);
    struct plumb_error err = { 0 };
    if (c->at_once)
        m.step = step_at_once;
    m.keep = keep_moment;
    m.restore = restore_moment;
    c->restored = 0;
    serial.machine = &m;
    serial.context = c;
    serial.answer = tell_answer;
    serial.is_broken = has_broken;
    serial.edge = collect;
    c->count = 0;
    if (!c->most)
        c->most = MOST_EDGES;
    const enum plumb_status status =
        plumb_strategies_explore_serial(&serial, stats, &err);
    assert_int_equal(err.status, status);
    return status;
}

static struct collection *new_collection(void)
{
    struct collection *const c = calloc(1, sizeof *c);
    assert_non_null(c);
    return c;
}

/* ---- random programs ---- */

struct serial_program {
    struct program program;
    struct instruction code[MOST_THREADS][CODE];
    unsigned callers; /* code of threads that call */
    bool leader, helpers, loops;
};

/* As long as 0 is chosen, or a variable is 0; or for ever. */
static void write_loop(struct writer *w)
{
    const unsigned dice = plumb_base_rng_below(w->rng, 10);
    struct instruction *i;
    if (dice < 4) {
        i = write_op(w, CHOOSE);
        i->size = 2;
        i->r = 2;
        i = write_op(w, SAME);
        i->r = 2;
    } else if (dice < 9) {
        const unsigned r = write_access(w, LOAD)->r;
        i = write_op(w, SAME);
        i->r = r;
    } else {
        write_op(w, NOTHING);
        i = write_op(w, GOTO);
    }
    i->to = -1;
}

static void write_semaphore(struct writer *w)
{
    const bool posts = plumb_base_rng_chance(w->rng, 60);
    write_op(w, posts ? POST : DOWN)->at = plumb_base_rng_below(w->rng, 2);
}

static void write_condition(struct writer *w)
{
    if (plumb_base_rng_chance(w->rng, 60)) {
        write_op(w, SIGNAL);
        return;
    }
    write_op(w, ENLIST);
    write_op(w, AWAIT);
}

static void write_choice(struct writer *w)
{
    struct instruction *const i = write_op(w, CHOOSE);
    i->size = 1 + plumb_base_rng_below(w->rng, 3);
    i->r = 1 + plumb_base_rng_below(w->rng, 2);
}

static void write_inside(const struct serial_program *p, struct writer *w)
{
    const unsigned dice = plumb_base_rng_below(w->rng, 100);
    if (dice < 12)
        write_lock(w);
    else if (dice < 20)
        write_try(w);
    else if (dice < 32)
        write_semaphore(w);
    else if (dice < 40)
        write_condition(w);
    else if (dice < 48)
        write_choice(w);
    else if (dice < 58 && p->loops)
        write_loop(w);
    else
        write_event(w, 0);
}

static void write_helper(struct serial_program *p, struct plumb_base_rng *rng,
                         unsigned number)
{
    struct writer w = { .rng = rng, .code = p->code[number] };
    const unsigned events = 1 + plumb_base_rng_below(rng, 2);
    for (unsigned i = 0; i < events; i++)
        write_inside(p, &w);
    const int back = -(int)w.length;
    if (p->loops && plumb_base_rng_chance(rng, 20))
        write_op(&w, GOTO)->to = back;
    write_op(&w, END);
}

static void write_spawn(const struct serial_program *p, struct writer *w)
{
    write_op(w, SPAWN)->at = p->callers; /* the helper's */
    if (plumb_base_rng_chance(w->rng, 20))
        write_op(w, JOIN)->at = p->callers;
}

static void write_operation(const struct serial_program *p, struct writer *w,
                            unsigned op, unsigned most)
{
    const unsigned events = 1 + plumb_base_rng_below(w->rng, most);
    write_op(w, CALL)->at = op;
    for (unsigned i = 0; i < events; i++)
        if (p->helpers && plumb_base_rng_chance(w->rng, 25))
            write_spawn(p, w);
        else
            write_inside(p, w);
    struct instruction *const end = write_op(w, RETURN);
    end->at = op;
    end->r = ANSWER;
}

/* It starts the others, waits for them, and has the last word. */
static void write_leader(struct serial_program *p, struct writer *w)
{
    write_operation(p, w, op_of(0, 0), 1);
    for (unsigned t = 1; t < p->callers; t++)
        write_op(w, SPAWN)->at = t;
    for (unsigned t = 1; t < p->callers; t++)
        write_op(w, JOIN)->at = t;
    write_operation(p, w, op_of(0, 1), 1);
}

static void draw_serial_program(struct serial_program *p, uint64_t seed)
{
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, seed);
    memset(p, 0, sizeof *p);
    p->leader = plumb_base_rng_chance(&rng, 30);
    p->helpers = !p->leader && plumb_base_rng_chance(&rng, 40);
    p->loops = plumb_base_rng_chance(&rng, 60);
    p->callers = p->leader ? 3 : 2 + plumb_base_rng_below(&rng, 2);
    for (unsigned t = 0; t < p->callers; t++) {
        struct writer w = { .rng = &rng, .code = p->code[t] };
        const unsigned calls = 1 + plumb_base_rng_below(&rng, MOST_OPERATIONS);
        if (p->leader && t == 0)
            write_leader(p, &w);
        for (unsigned i = 0; i < calls && !(p->leader && t == 0); i++)
            write_operation(p, &w, op_of(t, i), 3);
        write_op(&w, END);
        assert_true(w.length <= CODE);
    }
    write_helper(p, &rng, p->callers);
    p->program.codes = p->callers + 1;
    p->program.threads = p->leader ? 1 : p->callers;
    for (unsigned i = 0; i < p->program.codes; i++)
        p->program.code[i] = p->code[i];
}

/* ---- both ---- */

static void compare_counts(const struct collection *c, uint32_t moments,
                           const struct histories *h, uint64_t seed)
{
    struct plumb_infer_automaton a;
    struct plumb_infer_conflict conflict;
    struct plumb_error err;
    uint64_t full, stuck, waiting = 0;
    for (size_t i = 0; i < h->count; i++)
        waiting += is_stuck(&h->item[i]);
    claim(plumb_infer_build(c->seen, c->count, moments, NULL, NULL, &a,
                            &conflict, &err) == PLUMB_OK,
          seed, "no automaton");
    claim(plumb_infer_count(&a, NULL, &full, &stuck), seed, "not counted");
    claim(stuck == waiting, seed, "other stuck histories");
    claim(full == h->count - waiting, seed, "other full histories");
    plumb_infer_release(&a, NULL);
}

/* False: too many. */
static bool compare_with(const struct serial_program *p, uint64_t seed,
                         struct collection *c, const struct histories *all,
                         struct histories *some)
{
    struct plumb_strategies_serial_stats stats;
    const struct plumb_strategies_serial with = { .leader = p->leader,
                                                  .back = PLUMB_BACK_BOTH };
    claim(explore(&p->program, with, c, &stats) == PLUMB_OK, seed, "it failed");
    claim(!stats.cut && !stats.broken, seed, "cut or broken");
    if (stats.moments > MOST_MOMENTS)
        return false;
    spell_graph(&(struct moments){ c->seen, c->count }, some);
    if (some->too_many)
        return false;
    claim(are_same_histories(all, some), seed, "other histories");
    compare_counts(c, stats.moments, all, seed);
    return true;
}

static bool compare(const struct serial_program *p, uint64_t seed,
                    struct collection *c, struct histories *all,
                    struct histories *some)
{
    bool done = run_all(&p->program, p->leader, all);
    for (int at_once = 0; done && at_once < 2; at_once++) {
        c->at_once = at_once;
        c->refuses = (unsigned)seed % 4;
        done = compare_with(p, seed, c, all, some);
    }
    return done;
}

static void histories_are_those_of_all_serial_executions(void **state)
{
    (void)state;
    struct collection *const c = new_collection();
    struct histories all, some;
    static struct serial_program p;
    unsigned compared = 0, stuck = 0, cases = SOME_OF(3000);
    open_histories(&all);
    open_histories(&some);
    for (uint64_t seed = 0; seed < cases; seed++) {
        draw_serial_program(&p, seed);
        if (!compare(&p, seed, c, &all, &some))
            continue;
        compared++;
        for (size_t i = 0; i < all.count; i++)
            if (is_stuck(&all.item[i])) {
                stuck++;
                break;
            }
    }
    assert_true(compared > cases * 9 / 10);
    assert_in_range(stuck, compared / 8, compared * 7 / 8);
    free(all.item);
    free(some.item);
    free(c);
}

/* ---- going back ---- */

static bool is_same_told(const struct collection *a, const struct collection *b)
{
    return a->count == b->count &&
           !memcmp(a->seen, b->seen, a->count * sizeof *a->seen);
}

static void restoring_tells_what_repeating_tells(void **state)
{
    (void)state;
    struct collection *const c = new_collection(), *const d = new_collection();
    static struct serial_program p;
    struct plumb_strategies_serial_stats stats[2];
    unsigned restored = 0;
    for (uint64_t seed = 0; seed < SOME_OF(1000); seed++) {
        draw_serial_program(&p, seed);
        struct plumb_strategies_serial with = { .steps = 100,
                                                .leader = p.leader,
                                                .back = PLUMB_BACK_REPEAT };
        c->most = d->most = 200;
        d->refuses = (unsigned)seed % 3;
        claim(explore(&p.program, with, c, &stats[0]) == PLUMB_OK, seed,
              "it failed");
        claim(!c->restored, seed, "restored");
        with.back = PLUMB_BACK_RESTORE;
        claim(explore(&p.program, with, d, &stats[1]) == PLUMB_OK, seed,
              "restoring failed");
        claim(is_same_told(c, d), seed, "other edges");
        claim(stats[0].moments == stats[1].moments &&
                  stats[0].runs == stats[1].runs &&
                  stats[0].cut == stats[1].cut,
              seed, "other numbers");
        restored += d->restored != 0;
    }
    assert_true(restored > SOME_OF(1000) / 2);
    free(c);
    free(d);
}

static void restoring_what_was_not_there_is_noticed(void **state)
{
    (void)state;
    struct collection *const c = new_collection();
    static struct serial_program p;
    unsigned noticed = 0;
    c->restores_badly = true;
    for (uint64_t seed = 0; seed < SOME_OF(100); seed++) {
        struct plumb_strategies_serial_stats stats;
        draw_serial_program(&p, seed);
        const struct plumb_strategies_serial with = { .steps = 300,
                                                      .leader = p.leader,
                                                      .back = PLUMB_BACK_BOTH };
        const bool good = explore(&p.program, with, c, &stats) == PLUMB_OK;
        claim(good == !c->restored, seed, "not noticed");
        noticed += !good;
    }
    assert_true(noticed > SOME_OF(100) / 2);
    free(c);
}

/* ---- single ones ---- */

/* One thread, and one operation. */
static struct program alone(const struct instruction *code)
{
    return (struct program){ .code = { code }, .codes = 1, .threads = 1 };
}

static const struct instruction call = { .op = CALL },
                                ret = { .op = RETURN, .r = ANSWER },
                                end = { .op = END };

static void an_operation_may_be_long(void **state)
{
    (void)state;
    const struct instruction code[] = {
        call,
        { .op = SET, .r = 2, .value = 3000 },
        { .op = NOTHING },
        { .op = SET, .r = 2, .s = 2, .value = UINT64_MAX },
        { .op = SAME, .r = 2, .to = 2 },
        { .op = GOTO, .to = -3 },
        ret,
        end,
    };
    const struct program p = alone(code);
    struct collection *const c = new_collection();
    struct plumb_strategies_serial_stats stats;
    const struct plumb_strategies_serial with = { .steps = 5000 };
    assert_int_equal(explore(&p, with, c, &stats), PLUMB_OK);
    assert_false(stats.cut);
    assert_int_equal(stats.moments, 2);
    assert_int_equal(stats.runs, 1);
    assert_int_equal(c->count, 1);
    assert_int_equal(c->seen[0].to, 1);
    free(c);
}

/* Bytes that are counted up and over, as numbers of one or two of them. */
static void an_operation_that_goes_round_a_long_way_is_stuck(void **state)
{
    (void)state;
    const struct instruction code[] = {
        call,
        { .op = ADD, .size = 1, .r = 2, .value = 1 },
        { .op = ADD, .at = 1, .size = 1, .r = 2, .value = 7 },
        { .op = SAME, .to = -2 },
        ret,
        end,
    };
    const struct program p = alone(code);
    struct collection *const c = new_collection();
    struct plumb_strategies_serial_stats stats;
    const struct plumb_strategies_serial with = { .steps = 5000 };
    assert_int_equal(explore(&p, with, c, &stats), PLUMB_OK);
    assert_false(stats.cut);
    assert_int_equal(stats.moments, 1);
    assert_int_equal(c->count, 1);
    assert_int_equal(c->seen[0].to, PLUMB_INFER_STUCK);
    free(c);
}

static void executions_that_are_too_long_are_cut(void **state)
{
    (void)state;
    const struct instruction code[] = {
        call,
        { .op = ADD, .size = 8, .r = 2, .value = 1 },
        { .op = GOTO, .to = -1 },
        ret,
        end,
    };
    const struct program p = alone(code);
    struct collection *const c = new_collection();
    struct plumb_strategies_serial_stats stats;
    const struct plumb_strategies_serial with = { .steps = 1000 };
    assert_int_equal(explore(&p, with, c, &stats), PLUMB_OK);
    assert_true(stats.cut);
    assert_int_equal(c->count, 0);
    free(c);
}

/* Of two options one breaks it. */
static void nothing_is_told_of_an_operation_that_breaks(void **state)
{
    (void)state;
    const struct instruction code[] = {
        call,
        { .op = CHOOSE, .size = 2, .r = 1 },
        { .op = STORE, .size = 8, .r = 1 },
        ret,
        end,
    };
    const struct program p = alone(code);
    struct collection *const c = new_collection();
    struct plumb_strategies_serial_stats stats;
    c->broken = 1;
    const struct plumb_strategies_serial with = { .steps = 0 };
    assert_int_equal(explore(&p, with, c, &stats), PLUMB_OK);
    assert_true(stats.broken);
    assert_int_equal(c->count, 1);
    assert_int_equal(c->seen[0].answer, 0);
    free(c);
}

static void it_ends_when_that_is_enough(void **state)
{
    (void)state;
    static struct serial_program p;
    struct collection *const c = new_collection();
    struct plumb_strategies_serial_stats stats;
    for (uint64_t seed = 0; seed < SOME_OF(50); seed++) {
        draw_serial_program(&p, seed);
        for (c->most = 1; c->most < 4; c->most++) {
            const struct plumb_strategies_serial with = { .steps = 500,
                                                          .leader = p.leader };
            assert_int_equal(explore(&p.program, with, c, &stats), PLUMB_OK);
            assert_true(c->count <= c->most);
        }
    }
    free(c);
}

/* ---- memory ---- */

static size_t allocations_that_fail(const struct serial_program *p,
                                    struct collection *c)
{
    struct plumb_strategies_serial with = { .steps = 300,
                                            .leader = p->leader,
                                            .budget = plumb_budget_new(0, 0) };
    struct plumb_strategies_serial_stats stats;
    size_t nth = 0;
    bool failed;
    do {
        plumb_base_budget_fail_at(with.budget, ++nth);
        const enum plumb_status status = explore(&p->program, with, c, &stats);
        failed = plumb_base_budget_has_failed(with.budget);
        assert_int_equal(status, failed ? PLUMB_EMEMORY : PLUMB_OK);
        assert_int_equal(plumb_budget_used(with.budget), 0);
    } while (failed);
    plumb_budget_free(with.budget);
    return nth - 1;
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    static struct serial_program p;
    struct collection *const c = new_collection();
    struct histories all;
    open_histories(&all);
    for (uint64_t seed = 0; seed < SOME_OF(60); seed++) {
        draw_serial_program(&p, seed);
        if (run_all(&p.program, p.leader, &all)) /* it is small */
            assert_true(allocations_that_fail(&p, c) >= 5);
    }
    free(all.item);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(histories_are_those_of_all_serial_executions),
        cmocka_unit_test(restoring_tells_what_repeating_tells),
        cmocka_unit_test(restoring_what_was_not_there_is_noticed),
        cmocka_unit_test(an_operation_may_be_long),
        cmocka_unit_test(an_operation_that_goes_round_a_long_way_is_stuck),
        cmocka_unit_test(executions_that_are_too_long_are_cut),
        cmocka_unit_test(nothing_is_told_of_an_operation_that_breaks),
        cmocka_unit_test(it_ends_when_that_is_enough),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
