/* setlin.c - operations that take effect at once, against brute force.
 *
 *     setlin [--sample M] [--random N] [--seed S]
 *
 * Two oracles.  *Blocks* is set-linearizability as it is defined: a sequence of
 * blocks of operations, legal for the set-sequential specification, whose order
 * extends real time; it judges setlin:exchanger and barriers that only wait.
 * *Instants* judges all of setlin:barrier: the operations that wait arrive and
 * leave at instants of their own, and every order of instants is tried.  Where
 * both can judge they are compared.
 *
 * All histories of up to 5 operations on 3 threads are numbered, pending
 * operations included, and every M-th is decided by search, by Wing and Gong's
 * algorithm, by live configurations, and as the end of an execution that is
 * stuck.  Random history number i has seed S + i. */
#include "base/rng.h"
#include "check/search/live_configurations.h"
#include "check/search/stuck.h"
#include <inttypes.h>
#include <plumb/check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPS = 8, THREADS = 4, NEVER = 1000, NONE = -1 };

enum kind {
    WAIT,
    SIGNAL,
    CANCEL,
    ADD,
    REMOVE,
    COUNT,
    REMAINING,
    PHASE,
    EXCHANGE,
    TRY
};
static const char *const names[] = { "wait",
                                     "signal_and_wait",
                                     "cancel_token",
                                     "add_participant",
                                     "remove_participant",
                                     "participant_count",
                                     "participants_remaining",
                                     "current_phase_number",
                                     "exchange",
                                     "try_exchange" };

enum term { OK, CANCELED, INVALID, TIMEOUT };
static const char *const terms[] = { "ok", "canceled", "invalid", "timeout" };

/* What an operation did: NONE where it has no argument or result. */
struct deed {
    enum kind kind;
    int arg;
    enum term term;
    int res;
};

struct op {
    struct deed did;
    int thread, call, ret; /* NEVER: pending */
};

struct event {
    int op;
    bool is_return;
};

struct small {
    int participants; /* 0: an exchanger */
    int count, events;
    struct op op[OPS];
    struct event event[2 * OPS];
};

static bool pending(const struct op *o)
{
    return o->ret == NEVER;
}

/* ---- blocks ---- */

/* Has all that returned before i was called been placed? */
static bool may_follow(const struct small *h, unsigned done, int i)
{
    for (int j = 0; j < h->count; j++)
        if (!(done >> j & 1) && h->op[j].ret < h->op[i].call)
            return false;
    return true;
}

static bool could_answer(const struct op *o, enum term term, int res)
{
    return pending(o) || (o->did.term == term && o->did.res == res);
}

static bool legal_block(const struct small *h, unsigned block)
{
    int member[OPS], n = 0;
    for (int i = 0; i < h->count; i++)
        if (block >> i & 1)
            member[n++] = i;
    if (h->participants)
        return n == h->participants;
    const struct op *const a = h->op + member[0], *const b = h->op + member[1];
    if (n == 1)
        return a->did.kind == TRY && could_answer(a, TIMEOUT, NONE);
    return n == 2 && could_answer(a, OK, b->did.arg) &&
           could_answer(b, OK, a->did.arg);
}

/* `allowed`: operations that may take part. */
static bool has_blocks(const struct small *h, unsigned done, unsigned allowed)
{
    bool complete = true;
    for (int i = 0; i < h->count; i++)
        complete &= pending(h->op + i) || done >> i & 1;
    if (complete)
        return true;
    for (unsigned block = 1; block < 1u << h->count; block++) {
        bool next = !(block & done) && !(block & ~allowed);
        for (int i = 0; i < h->count && next; i++)
            next = !(block >> i & 1) || may_follow(h, done, i);
        if (next && legal_block(h, block) &&
            has_blocks(h, done | block, allowed))
            return true;
    }
    return false;
}

static bool judged_by_blocks(const struct small *h)
{
    return has_blocks(h, 0, ~0u);
}

/* Stuck: the completed ones form blocks, and no block of open ones completes. */
static bool blocks_justify(const struct small *h)
{
    unsigned open = 0, opens = 0;
    bool tries = false;
    for (int i = 0; i < h->count; i++)
        if (pending(h->op + i)) {
            open |= 1u << i;
            opens++;
            tries |= h->op[i].did.kind == TRY;
        }
    const unsigned enough = h->participants ? (unsigned)h->participants : 2;
    return has_blocks(h, 0, ~open) && opens < enough && !tries;
}

/* ---- instants ---- */

struct machine {
    int participants, phase;
    bool canceled;
    enum { AWAY, READY, REFUSED, USELESS, HERE, GONE } at[OPS];
    int since[OPS]; /* phase of arrival */
    int taken[OPS]; /* steps */
};

static int steps_of(enum kind kind)
{
    return kind == SIGNAL ? 3 : kind == WAIT ? 2 : 1;
}

static int waiting(const struct machine *m)
{
    int n = 0;
    for (int i = 0; i < OPS; i++)
        n += m->at[i] == HERE && m->since[i] == m->phase;
    return n;
}

static void end_phase(struct machine *m)
{
    if (m->participants && waiting(m) == m->participants)
        m->phase++;
}

/* The answer of an operation that takes effect at one instant. */
static struct deed at_once(struct machine *m, enum kind kind)
{
    struct deed d = { .kind = kind, .res = NONE };
    if (kind == CANCEL)
        m->canceled = true;
    if (kind == ADD) {
        m->participants++;
        d.res = m->phase;
    }
    if (kind == REMOVE && m->participants == waiting(m)) {
        d.term = INVALID;
    } else if (kind == REMOVE) {
        m->participants--;
        end_phase(m);
    }
    if (kind == COUNT)
        d.res = m->participants;
    if (kind == REMAINING)
        d.res = m->participants - waiting(m);
    if (kind == PHASE)
        d.res = m->phase;
    return d;
}

static bool leaves(struct machine *m, int i, enum kind kind, struct deed *d)
{
    const bool waits = m->at[i] == HERE && m->since[i] == m->phase;
    if (waits && (kind == WAIT || !m->canceled))
        return false;
    d->term = m->at[i] == USELESS            ? INVALID
              : m->at[i] == REFUSED || waits ? CANCELED
                                             : OK;
    m->at[i] = GONE;
    return true;
}

/* The next step of operation i; its answer, if it is the last.  False: not
 * now. */
static bool advance(struct machine *m, int i, enum kind kind, struct deed *d)
{
    const int left = steps_of(kind) - ++m->taken[i];
    *d = (struct deed){ .kind = kind, .res = NONE };
    if (steps_of(kind) == 1) {
        *d = at_once(m, kind);
        return true;
    }
    if (left == 0)
        return leaves(m, i, kind, d);
    if (left == 2) {
        m->at[i] = m->canceled ? REFUSED : READY;
        return true;
    }
    if (m->at[i] == REFUSED)
        return true;
    if (m->participants == 0 && kind == WAIT)
        return false;
    m->at[i] = m->participants ? HERE : USELESS;
    m->since[i] = m->phase;
    if (m->participants)
        end_phase(m);
    return true;
}

static bool is_done(const struct small *h, const struct machine *m, int i)
{
    return m->taken[i] == steps_of(h->op[i].did.kind);
}

static bool all_returned(const struct small *h, const struct machine *m)
{
    for (int i = 0; i < h->count; i++)
        if (!pending(h->op + i) && !is_done(h, m, i))
            return false;
    return true;
}

static bool now_allowed(const struct small *h, const struct machine *m, int i)
{
    for (int j = 0; j < h->count; j++)
        if (!is_done(h, m, j) && h->op[j].ret < h->op[i].call)
            return false;
    return !is_done(h, m, i);
}

/* Does every open operation wait here? */
static bool all_wait(const struct small *h, const struct machine *m)
{
    for (int i = 0; i < h->count; i++) {
        struct machine next = *m;
        struct deed d;
        if (pending(h->op + i) &&
            (is_done(h, m, i) || advance(&next, i, h->op[i].did.kind, &d)))
            return false;
    }
    return true;
}

static bool has_instants(const struct small *h, const struct machine *m,
                         bool stuck)
{
    if (all_returned(h, m) && (!stuck || all_wait(h, m)))
        return true;
    for (int i = 0; i < h->count; i++) {
        const struct op *const o = h->op + i;
        struct machine next = *m;
        struct deed d;
        if (!now_allowed(h, m, i) || !advance(&next, i, o->did.kind, &d))
            continue;
        if (is_done(h, &next, i) && !could_answer(o, d.term, d.res))
            continue;
        if (has_instants(h, &next, stuck))
            return true;
    }
    return false;
}

static bool judged_by_instants(const struct small *h, bool stuck)
{
    const struct machine m = { .participants = h->participants };
    return has_instants(h, &m, stuck);
}

/* ---- both ---- */

static bool only_waits(const struct small *h)
{
    for (int i = 0; i < h->count; i++)
        if (h->op[i].did.kind != WAIT)
            return false;
    return true;
}

static _Noreturn void differ(const struct small *h, const char *why);

static bool oracle(const struct small *h, bool stuck)
{
    const bool by_blocks =
        !h->participants || only_waits(h)
            ? (stuck ? blocks_justify(h) : judged_by_blocks(h))
            : false;
    if (!h->participants)
        return by_blocks;
    const bool by_instants = judged_by_instants(h, stuck);
    if (only_waits(h) && by_blocks != by_instants)
        differ(h, stuck ? "the oracles differ when it is stuck"
                        : "the oracles differ");
    return by_instants;
}

/* ---- what is compared ---- */

static struct {
    char text[32];
    struct plumb_spec *spec;
    struct plumb_check_configurations *live;
    struct plumb_builder *builder;
    const char *source; /* of the history at hand */
    uint64_t number;
    uint64_t right, wrong, justified, stuck, cores;
} run;

static void print(const struct small *h)
{
    for (int i = 0; i < h->events; i++) {
        const struct op *const o = h->op + h->event[i].op;
        fprintf(stderr, "B %s(",
                h->event[i].is_return ? terms[o->did.term]
                                      : names[o->did.kind]);
        const int v = h->event[i].is_return ? o->did.res : o->did.arg;
        if (v != NONE)
            fprintf(stderr, "%d", v);
        fprintf(stderr, ") P%d\n", o->thread);
    }
}

static _Noreturn void differ(const struct small *h, const char *why)
{
    fprintf(stderr, "%s: %s %" PRIu64 ": %s\n", run.text, run.source,
            run.number, why);
    print(h);
    exit(1);
}

static uint32_t symbol(const char *text)
{
    return plumb_builder_symbol(run.builder, text, strlen(text));
}

static struct plumb_history build(const struct small *h)
{
    struct plumb_history built;
    struct plumb_error err = { .status = PLUMB_OK };
    const uint32_t object = symbol("B");
    for (int i = 0; i < h->events; i++) {
        const struct op *const o = h->op + h->event[i].op;
        const bool back = h->event[i].is_return;
        const int v = back ? o->did.res : o->did.arg;
        const struct plumb_value value = plumb_int(v);
        char thread[8];
        snprintf(thread, sizeof thread, "P%d", o->thread);
        if (back)
            plumb_builder_respond(run.builder, symbol(thread), object,
                                  PLUMB_OUTCOME_OK, symbol(terms[o->did.term]),
                                  &value, v != NONE, NULL, &err);
        else
            plumb_builder_call(run.builder, symbol(thread), object,
                               symbol(names[o->did.kind]), &value, v != NONE,
                               NULL, &err);
        if (err.status != PLUMB_OK)
            differ(h, err.message);
    }
    if (plumb_builder_finish(run.builder, PLUMB_TIES_CALL_FIRST, &built,
                             &err) != PLUMB_OK)
        differ(h, err.message);
    return built;
}

/* ---- weakenings ---- */

static void keep(struct small *to, const struct small *from, unsigned kept,
                 unsigned forgotten, int cut)
{
    int place[OPS];
    *to = (struct small){ .participants = from->participants };
    for (int i = 0; i < from->events && i < cut; i++) {
        const int n = from->event[i].op;
        if (!(kept >> n & 1) ||
            (from->event[i].is_return && forgotten >> n & 1))
            continue;
        if (from->event[i].is_return) {
            to->op[place[n]].ret = to->events;
        } else {
            to->op[place[n] = to->count++] =
                (struct op){ from->op[n].did, from->op[n].thread, to->events,
                             NEVER };
        }
        to->event[to->events++] =
            (struct event){ place[n], from->event[i].is_return };
    }
}

/* A core is a violation by itself. */
static void judge_core(const struct small *h, const struct plumb_core *core)
{
    struct small weak;
    unsigned kept = 0, forgotten = 0;
    for (uint32_t i = 0; i < core->count; i++) {
        kept |= 1u << core->op[i];
        forgotten |= (unsigned)core->forgotten[i] << core->op[i];
    }
    keep(&weak, h, kept, forgotten, (int)core->cut);
    if (oracle(&weak, false))
        differ(h, "a core that is no violation");
    run.cores++;
}

/* Exchanges of a value may be left out: setlin:exchanger is closed under it. */
static void judge_closure(const struct small *h)
{
    for (int value = 1; value <= 3; value++) {
        struct small weak;
        unsigned kept = 0;
        for (int i = 0; i < h->count; i++) {
            const struct deed *const d = &h->op[i].did;
            const int other = d->res == NONE ? d->arg : d->res;
            if (pending(h->op + i) ||
                (d->arg < other ? d->arg : other) != value)
                kept |= 1u << i;
        }
        keep(&weak, h, kept, 0, NEVER);
        if (!oracle(&weak, false))
            differ(h, "it is not closed under deleting a value");
    }
}

static bool checks(const struct small *h, const struct plumb_history *built,
                   enum plumb_algorithm algorithm, bool core)
{
    const struct plumb_check_options options = { .algorithm = algorithm,
                                                 .no_core = !core };
    struct plumb_answer answer;
    struct plumb_error err;
    if (plumb_check(built, run.spec, &options, &answer, &err) != PLUMB_OK)
        differ(h, err.message);
    if (answer.verdict == PLUMB_UNDECIDED)
        differ(h, "undecided");
    const bool linearizable = answer.verdict == PLUMB_LINEARIZABLE;
    if (!linearizable && core)
        judge_core(h, &answer.core);
    plumb_answer_release(&answer);
    return linearizable;
}

static bool lives(const struct small *h)
{
    plumb_check_configuration_set set =
        plumb_check_configurations_start(run.live);
    uint32_t call[OPS];
    for (int i = 0; i < h->events; i++) {
        const int n = h->event[i].op;
        const struct op *const o = h->op + n;
        const bool back = h->event[i].is_return;
        const int v = back ? o->did.res : o->did.arg;
        const struct plumb_check_configurations_word word = {
            .value = plumb_int(v)
        };
        if (!back) {
            call[n] = plumb_check_configurations_operation(
                run.live, (unsigned)o->thread, names[o->did.kind], &word,
                v != NONE);
            set = plumb_check_configurations_call(run.live, set, call[n]);
        } else {
            const uint32_t answer = plumb_check_configurations_answer(
                run.live, call[n], terms[o->did.term], &word, v != NONE);
            set = plumb_check_configurations_return(run.live, set, call[n],
                                                    answer);
        }
        if (set == PLUMB_CONFIGURATIONS_FAILED)
            differ(h, plumb_check_configurations_error(run.live)->message);
    }
    return set != PLUMB_CONFIGURATIONS_NONE;
}

static void compare_stuck(const struct small *h,
                          const struct plumb_history *built)
{
    struct plumb_error err;
    bool justified;
    uint32_t culprit;
    if (plumb_check_stuck(built, run.spec, NULL, &justified, NULL, &culprit,
                          &err) != PLUMB_OK)
        differ(h, err.message);
    run.stuck++;
    run.justified += justified;
    if (justified != oracle(h, true))
        differ(h, justified ? "it is not stuck for a reason"
                            : "it is stuck for a reason");
    if (!justified && culprit != UINT32_MAX && !pending(h->op + culprit))
        differ(h, "who returned cannot be stuck");
}

static void compare(const struct small *h)
{
    const bool linearizable = oracle(h, false);
    struct plumb_history built = build(h);
    bool open = false;
    for (int i = 0; i < h->count; i++)
        open |= pending(h->op + i);
    ++*(linearizable ? &run.right : &run.wrong);
    if (checks(h, &built, PLUMB_ALGORITHM_SEARCH, run.number % 4 == 0) !=
        linearizable)
        differ(h, "search");
    if (checks(h, &built, PLUMB_ALGORITHM_WING_GONG, false) != linearizable)
        differ(h, "Wing and Gong");
    if (lives(h) != linearizable)
        differ(h, "live configurations");
    if (open)
        compare_stuck(h, &built);
    if (linearizable && !h->participants)
        judge_closure(h);
    plumb_history_release(&built);
}

/* ---- all small histories ---- */

struct alphabet {
    const struct deed *deed;
    int deeds;
    uint64_t sample, seen;
};

/* Deeds of one call stand together: the first of them is what a pending
 * operation is told by. */
static bool is_first(const struct alphabet *a, int d)
{
    return d == 0 || a->deed[d].kind != a->deed[d - 1].kind ||
           a->deed[d].arg != a->deed[d - 1].arg;
}

static void fill_in(struct alphabet *a, struct small *h, int i)
{
    if (i == h->count) {
        run.number = a->seen++;
        if (run.number % a->sample == 0)
            compare(h);
        return;
    }
    for (int d = 0; d < a->deeds; d++) {
        if (pending(h->op + i) && !is_first(a, d))
            continue;
        h->op[i].did = a->deed[d];
        fill_in(a, h, i + 1);
    }
}

static int free_thread(const struct small *h, int threads)
{
    int t = 0;
    for (int i = 0; i < h->count; i++)
        if (pending(h->op + i) && h->op[i].thread == t) {
            t++;
            i = -1;
        }
    return t < threads ? t : NONE;
}

static void add_call(struct small *h, int thread, struct deed did)
{
    h->op[h->count] = (struct op){ did, thread, h->events, NEVER };
    h->event[h->events++] = (struct event){ h->count++, false };
}

static void add_return(struct small *h, int i)
{
    h->op[i].ret = h->events;
    h->event[h->events++] = (struct event){ i, true };
}

/* Shapes: threads that are free are alike, so the first one calls. */
static void extend(struct alphabet *a, const struct small *h, int ops)
{
    const int thread = free_thread(h, 3);
    if (h->count == ops) {
        struct small copy = *h;
        fill_in(a, &copy, 0);
    } else if (thread != NONE) {
        struct small next = *h;
        add_call(&next, thread, (struct deed){ WAIT, NONE, OK, NONE });
        extend(a, &next, ops);
    }
    for (int i = 0; i < h->count; i++)
        if (pending(h->op + i)) {
            struct small next = *h;
            add_return(&next, i);
            extend(a, &next, ops);
        }
}

/* ---- random histories ---- */

static struct deed random_call(struct plumb_base_rng *rng, bool barrier)
{
    static const enum kind often[] = { WAIT,   SIGNAL,    SIGNAL, SIGNAL,
                                       CANCEL, ADD,       REMOVE, COUNT,
                                       PHASE,  REMAINING, WAIT };
    if (!barrier)
        return (struct deed){ plumb_base_rng_chance(rng, 50) ? EXCHANGE : TRY,
                              1 + (int)plumb_base_rng_below(rng, 3), OK, NONE };
    return (struct deed){
        often[plumb_base_rng_below(rng, sizeof often / sizeof *often)], NONE,
        OK, NONE
    };
}

/* An exchanger as instants: who is met is left to chance. */
static bool meet(struct small *h, int *got, int i, struct plumb_base_rng *rng)
{
    for (int j = 0; j < h->count; j++)
        if (j != i && pending(h->op + j) && got[j] == NONE &&
            plumb_base_rng_chance(rng, 50)) {
            got[i] = h->op[j].did.arg;
            got[j] = h->op[i].did.arg;
            return true;
        }
    return false;
}

/* Operation i goes on; true if it can return, and its answer is set. */
static bool go_on(struct small *h, struct machine *m, int *got, int i,
                  struct plumb_base_rng *rng)
{
    struct deed *const did = &h->op[i].did;
    if (!h->participants) {
        if (got[i] == NONE && !meet(h, got, i, rng) &&
            (did->kind != TRY || plumb_base_rng_chance(rng, 60)))
            return false;
        did->term = got[i] == NONE ? TIMEOUT : OK;
        did->res = got[i];
        return true;
    }
    struct machine next = *m;
    struct deed d;
    if (!advance(&next, i, did->kind, &d))
        return false;
    *m = next;
    if (!is_done(h, m, i))
        return false;
    *did = d;
    did->arg = NONE;
    return true;
}

static void spoil(struct small *h, struct plumb_base_rng *rng)
{
    struct deed *const d =
        &h->op[plumb_base_rng_below(rng, (uint32_t)h->count)].did;
    if (d->kind == SIGNAL)
        d->term = (enum term)plumb_base_rng_below(rng, 3);
    else if (d->kind == TRY && plumb_base_rng_chance(rng, 30))
        *d = (struct deed){ TRY, d->arg, TIMEOUT, NONE };
    else if (d->res != NONE)
        d->res = (int)plumb_base_rng_below(rng, 4);
}

static void random_history(struct small *h, uint64_t seed)
{
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, seed);
    struct machine m = { .participants = h->participants };
    const int ops =
        3 + (int)plumb_base_rng_below(&rng, h->participants ? 4 : 6);
    const int threads = 2 + (int)plumb_base_rng_below(&rng, THREADS - 1);
    int got[OPS];
    for (int turn = 0; turn < 60; turn++) {
        const int thread = free_thread(h, threads);
        const int i = (int)plumb_base_rng_below(&rng, OPS);
        if (h->count < ops && thread != NONE &&
            plumb_base_rng_chance(&rng, 40)) {
            got[h->count] = NONE;
            add_call(h, thread, random_call(&rng, h->participants));
        } else if (i < h->count && pending(h->op + i) &&
                   go_on(h, &m, got, i, &rng)) {
            add_return(h, i);
        }
    }
    if (h->count && plumb_base_rng_chance(&rng, 60))
        spoil(h, &rng);
}

/* ---- everything ---- */

#define MEET(x, y)                                                             \
    {                                                                          \
        EXCHANGE, x, OK, y                                                     \
    }
#define VISIT(x, y)                                                            \
    {                                                                          \
        TRY, x, OK, y                                                          \
    }
static const struct deed exchanger[] = { MEET(1, 1),
                                         MEET(1, 2),
                                         MEET(2, 1),
                                         MEET(2, 2),
                                         VISIT(1, 1),
                                         VISIT(1, 2),
                                         { TRY, 1, TIMEOUT, NONE } };
static const struct deed exchanger_few[] = { MEET(1, 1),
                                             MEET(1, 2),
                                             MEET(2, 1),
                                             { TRY, 2, OK, 1 },
                                             { TRY, 2, TIMEOUT, NONE } };
#define PLAIN(kind, term)                                                      \
    {                                                                          \
        kind, NONE, term, NONE                                                 \
    }
#define NUMBER(kind, res)                                                      \
    {                                                                          \
        kind, NONE, OK, res                                                    \
    }
static const struct deed waits[] = { PLAIN(WAIT, OK) };
static const struct deed barrier_few[] = { PLAIN(WAIT, OK), PLAIN(SIGNAL, OK),
                                           PLAIN(SIGNAL, CANCELED),
                                           PLAIN(CANCEL, OK),
                                           NUMBER(REMAINING, 1) };
static const struct deed barrier[] = {
    PLAIN(WAIT, OK),        PLAIN(SIGNAL, OK),    PLAIN(SIGNAL, CANCELED),
    PLAIN(SIGNAL, INVALID), PLAIN(CANCEL, OK),    NUMBER(ADD, 0),
    NUMBER(ADD, 1),         PLAIN(REMOVE, OK),    PLAIN(REMOVE, INVALID),
    NUMBER(COUNT, 1),       NUMBER(COUNT, 2),     NUMBER(REMAINING, 0),
    NUMBER(REMAINING, 1),   NUMBER(REMAINING, 2), NUMBER(PHASE, 0),
    NUMBER(PHASE, 1)
};

#define LIST(list) list, sizeof(list) / sizeof *(list)
static const struct subject {
    int participants;
    const struct deed *deed;
    size_t deeds;
    int least, most;  /* operations */
    uint64_t thinned; /* only every so many-th of them, even in full */
} subjects[] = {
    { 0, LIST(exchanger), 1, 4, 1 },   { 0, LIST(exchanger_few), 5, 5, 1 },
    { 1, LIST(waits), 1, 5, 1 },       { 2, LIST(waits), 1, 5, 1 },
    { 3, LIST(waits), 1, 5, 1 },       { 1, LIST(barrier), 1, 3, 1 },
    { 2, LIST(barrier), 1, 3, 1 },     { 2, LIST(barrier), 4, 4, 7 },
    { 2, LIST(barrier_few), 5, 5, 3 }, { 3, LIST(barrier_few), 4, 4, 1 },
};

static void open_run(int participants)
{
    struct plumb_error err;
    memset(&run, 0, sizeof run);
    snprintf(run.text, sizeof run.text,
             participants ? "setlin:barrier:n=%d" : "setlin:exchanger",
             participants);
    run.builder = plumb_builder_new(NULL);
    if (plumb_spec_parse(run.text, &run.spec, &err) != PLUMB_OK ||
        !(run.live = plumb_check_configurations_open(run.spec, NULL)))
        abort();
}

static void close_run(const char *what)
{
    printf("%s, %s: %" PRIu64 " right, %" PRIu64 " wrong, %" PRIu64
           " cores; stuck %" PRIu64 ", justified %" PRIu64 "\n",
           run.text, what, run.right, run.wrong, run.cores, run.stuck,
           run.justified);
    fflush(stdout);
    plumb_check_configurations_free(run.live);
    plumb_spec_free(run.spec);
    plumb_builder_free(run.builder);
}

static void try_all(const struct subject *s, uint64_t sample)
{
    for (int ops = s->least; ops <= s->most; ops++) {
        struct alphabet a = { s->deed, (int)s->deeds,
                              ops < 3 || s->deeds == 1 ? 1
                                                       : sample * s->thinned,
                              0 };
        char what[32];
        open_run(s->participants);
        run.source = "number";
        const struct small none = { .participants = s->participants };
        extend(&a, &none, ops);
        snprintf(what, sizeof what, "%d operations", ops);
        close_run(what);
    }
}

static void try_random(int participants, uint64_t count, uint64_t seed)
{
    open_run(participants);
    run.source = "seed";
    for (uint64_t i = 0; i < count; i++) {
        struct small h = { .participants = participants };
        run.number = seed + i;
        random_history(&h, run.number);
        if (h.count)
            compare(&h);
    }
    if (count > 100 && (!run.right || !run.wrong || !run.justified ||
                        run.justified == run.stuck)) {
        fprintf(stderr, "%s: chance gave no variety\n", run.text);
        exit(1);
    }
    close_run("random");
}

int main(int argc, char **argv)
{
    uint64_t sample = 1, random = 1000, seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        uint64_t *const to = strcmp(argv[i], "--sample") == 0   ? &sample
                             : strcmp(argv[i], "--random") == 0 ? &random
                                                                : &seed;
        *to = strtoull(argv[i + 1], NULL, 10);
    }
    printf("seed %" PRIu64 "\n", seed);
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        try_all(subjects + i, sample);
    for (int n = 0; n <= 3; n++)
        try_random(n, random, seed);
    return 0;
}
