/* relaxed.c - relaxed specifications against their definitions.
 *
 *     relaxed [--sample M] [--random N] [--seed S] [--spec TEXT]
 *     relaxed --definition-4 ITEMS
 *
 * All histories of up to 5 operations on 3 threads are numbered, pending
 * operations included; items have different values, 1, 2, ... in the order of
 * the calls that add them (for priority queues, in any order).  Every M-th is
 * decided by search, by Wing and Gong's algorithm and by live configurations.
 * So are sequences of up to 8 operations, every (M/100)-th, and N random
 * histories of up to 8; in both values repeat.  Random history i has seed S + i.
 *
 * --definition-4 compares all sequences with so many items, and all of their
 * prefixes, with Definition 4 of Round-Up and with each other. */
#include "base/rng.h"
#include "check/search/live_configurations.h"
#include "definitions.h"
#include <inttypes.h>
#include <plumb/check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPS = 8, THREADS = 4, NEVER = 1000 };

static const char *const subjects[] = {
    "queue:k=0",
    "queue:k=1",
    "queue:k=2",
    "queue:early=1",
    "queue:early=2",
    "queue:late=0",
    "queue:late=1",
    "queue:late=2",
    "queue:early=2,late=1",
    "queue:early=1,late=2",
    "queue:segment=1",
    "queue:segment=2",
    "queue:segment=3",
    "queue:late=1,segment=3",
    "queue:enq=1,deq=1",
    "queue:enq=2,deq=1",
    "queue:enq=1,deq=2",
    "queue:enq=1",
    "queue:deq=2",
    "queue:empty=1",
    "queue:k=1,empty=2",
    "queue:enq=1,deq=1,empty=1",
    "stack:k=0",
    "stack:k=1",
    "stack:k=2",
    "stack:late=0",
    "stack:late=1",
    "stack:k=2,late=1",
    "stack:k=1,empty=1",
    "priority-queue:k=0",
    "priority-queue:k=1",
    "priority-queue:k=2",
    "priority-queue:late=0",
    "priority-queue:late=1",
    "priority-queue:k=2,late=1",
    "priority-queue:k=1,empty=1",
};

struct op {
    struct event did;
    int thread, call, ret; /* NEVER: pending */
};

struct small {
    int count, events;
    struct op op[OPS];
    struct {
        int op;
        bool is_return;
    } event[2 * OPS];
};

static struct {
    const char *text;
    struct relaxation relaxation;
    struct plumb_spec *spec;
    struct plumb_check_configurations *live;
    struct plumb_builder *builder;
    const char *source; /* of the history at hand */
    uint64_t number;
    uint64_t right, wrong, cores;
} run;

static bool is_pending(const struct op *o)
{
    return o->ret == NEVER;
}

/* ---- every order ---- */

static bool may_follow(const struct small *h, unsigned done, int i)
{
    for (int j = 0; j < h->count; j++)
        if (!(done >> j & 1) && h->op[j].ret < h->op[i].call)
            return false;
    return true;
}

static bool has_order(const struct small *h, unsigned done, struct sequence *s);

static bool place(const struct small *h, unsigned done, struct sequence *s,
                  struct event e)
{
    s->at[s->count++] = e;
    const bool found = is_legal(&run.relaxation, s) && has_order(h, done, s);
    s->count--;
    return found;
}

/* A pending removal may have taken any item. */
static bool place_pending(const struct small *h, unsigned done,
                          struct sequence *s, struct event e)
{
    if (e.deed == ADDS)
        return place(h, done, s, e);
    for (int i = 0; i < s->count && e.deed != PEEKS; i++)
        if (s->at[i].deed == ADDS &&
            place(h, done, s, (struct event){ REMOVES, s->at[i].value }))
            return true;
    return false; /* what looks need not be there */
}

static bool has_order(const struct small *h, unsigned done, struct sequence *s)
{
    bool complete = true;
    for (int i = 0; i < h->count; i++)
        complete &= is_pending(h->op + i) || done >> i & 1;
    if (complete)
        return true;
    for (int i = 0; i < h->count; i++) {
        const struct op *const o = h->op + i;
        if (done >> i & 1 || !may_follow(h, done, i))
            continue;
        if (is_pending(o) ? place_pending(h, done | 1u << i, s, o->did)
                          : place(h, done | 1u << i, s, o->did))
            return true;
    }
    return false;
}

static bool oracle(const struct small *h)
{
    struct sequence s = { .count = 0 };
    return has_order(h, 0, &s);
}

/* ---- the program's words for them ---- */

static const char *name_of(enum deed deed)
{
    static const char *const names[3][4] = {
        { "enq", "deq", "peek", "deq" },
        { "push", "pop", "peek", "pop" },
        { "insert", "delmin", "min", "delmin" },
    };
    return names[run.relaxation.object][deed];
}

static const char *term_of(const struct op *o)
{
    return o->did.deed == SAYS_EMPTY ? "empty" : "ok";
}

/* Has its call, or its response, a value? */
static bool has_value(const struct op *o, bool is_return)
{
    return o->did.deed == ADDS ? !is_return
                               : is_return && o->did.deed != SAYS_EMPTY;
}

static void print(const struct small *h)
{
    for (int i = 0; i < h->events; i++) {
        const struct op *const o = h->op + h->event[i].op;
        const bool back = h->event[i].is_return;
        fprintf(stderr, "X %s(", back ? term_of(o) : name_of(o->did.deed));
        if (has_value(o, back))
            fprintf(stderr, "%d", o->did.value);
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
    const uint32_t object = symbol("X");
    for (int i = 0; i < h->events && err.status == PLUMB_OK; i++) {
        const struct op *const o = h->op + h->event[i].op;
        const bool back = h->event[i].is_return;
        const struct plumb_value value = plumb_int(o->did.value);
        char thread[16];
        snprintf(thread, sizeof thread, "P%d", o->thread);
        if (back)
            plumb_builder_respond(run.builder, symbol(thread), object,
                                  PLUMB_OUTCOME_OK, symbol(term_of(o)), &value,
                                  has_value(o, true), NULL, &err);
        else
            plumb_builder_call(run.builder, symbol(thread), object,
                               symbol(name_of(o->did.deed)), &value,
                               has_value(o, false), NULL, &err);
    }
    if (err.status == PLUMB_OK)
        plumb_builder_finish(run.builder, PLUMB_TIES_CALL_FIRST, &built, &err);
    if (err.status != PLUMB_OK)
        differ(h, err.message);
    return built;
}

/* ---- what is compared ---- */

/* The operations `kept`, without the responses of those `forgotten`, and the
 * events before `cut`. */
static void weaken(struct small *to, const struct small *from, unsigned kept,
                   unsigned forgotten, int cut)
{
    int at[OPS];
    *to = (struct small){ .count = 0 };
    for (int i = 0; i < from->events && i < cut; i++) {
        const int n = from->event[i].op;
        const bool back = from->event[i].is_return;
        if (!(kept >> n & 1) || (back && forgotten >> n & 1))
            continue;
        if (back) {
            to->op[at[n]].ret = to->events;
        } else {
            at[n] = to->count++;
            to->op[at[n]] = from->op[n];
            to->op[at[n]].call = to->events;
            to->op[at[n]].ret = NEVER;
        }
        to->event[to->events].op = at[n];
        to->event[to->events++].is_return = back;
    }
}

static void judge_core(const struct small *h, const struct plumb_core *core)
{
    struct small weak;
    unsigned kept = 0, forgotten = 0;
    for (uint32_t i = 0; i < core->count; i++) {
        kept |= 1u << core->op[i];
        forgotten |= (unsigned)core->forgotten[i] << core->op[i];
    }
    weaken(&weak, h, kept, forgotten, (int)core->cut);
    if (oracle(&weak))
        differ(h, "a core that is no violation");
    run.cores++;
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
        const struct plumb_check_configurations_word word = {
            .value = plumb_int(o->did.value)
        };
        if (!back) {
            call[n] = plumb_check_configurations_operation(
                run.live, (unsigned)o->thread, name_of(o->did.deed), &word,
                has_value(o, false));
            set = plumb_check_configurations_call(run.live, set, call[n]);
        } else {
            const uint32_t answer = plumb_check_configurations_answer(
                run.live, call[n], term_of(o), &word, has_value(o, true));
            set = plumb_check_configurations_return(run.live, set, call[n],
                                                    answer);
        }
        if (set == PLUMB_CONFIGURATIONS_FAILED)
            differ(h, plumb_check_configurations_error(run.live)->message);
    }
    return set != PLUMB_CONFIGURATIONS_NONE;
}

static void compare(const struct small *h)
{
    const bool linearizable = oracle(h);
    struct plumb_history built = build(h);
    ++*(linearizable ? &run.right : &run.wrong);
    if (checks(h, &built, PLUMB_ALGORITHM_SEARCH, run.number % 8 == 0) !=
        linearizable)
        differ(h, "search");
    if (checks(h, &built, PLUMB_ALGORITHM_WING_GONG, false) != linearizable)
        differ(h, "Wing and Gong");
    if (lives(h) != linearizable)
        differ(h, "live configurations");
    plumb_history_release(&built);
}

/* ---- all small histories ---- */

struct enumeration {
    uint64_t sample, seen;
    int values[OPS]; /* what the additions add, in order */
};

static int adds_of(const struct small *h)
{
    int adds = 0;
    for (int i = 0; i < h->count; i++)
        adds += h->op[i].did.deed == ADDS;
    return adds;
}

static void visit(struct enumeration *e, struct small *h)
{
    int adds = 0;
    for (int i = 0; i < h->count; i++)
        if (h->op[i].did.deed == ADDS)
            h->op[i].did.value = e->values[adds++];
    run.number = e->seen++;
    if (run.number % e->sample == 0)
        compare(h);
}

/* Priorities are compared: every order of them is another history. */
static void order_values(struct enumeration *e, struct small *h, int next,
                         unsigned used)
{
    const int adds = adds_of(h);
    if (next == adds) {
        visit(e, h);
        return;
    }
    for (int v = 0; v < adds; v++) {
        if (used >> v & 1)
            continue;
        e->values[next] =
            run.relaxation.object == A_PRIORITY_QUEUE ? v + 1 : next + 1;
        order_values(e, h, next + 1, used | 1u << v);
        if (run.relaxation.object != A_PRIORITY_QUEUE)
            return;
    }
}

/* What operation i, which does not add, answered. */
static void answer(struct enumeration *e, struct small *h, int i)
{
    const int adds = adds_of(h);
    while (i < h->count && (h->op[i].did.deed == ADDS || is_pending(h->op + i)))
        i++;
    if (i == h->count) {
        order_values(e, h, 0, 0);
        return;
    }
    const enum deed deed = h->op[i].did.deed;
    for (int value = 1; value <= adds; value++) {
        h->op[i].did.value = value;
        answer(e, h, i + 1);
    }
    if (deed != REMOVES)
        return;
    h->op[i].did.deed = SAYS_EMPTY;
    answer(e, h, i + 1);
    h->op[i].did.deed = REMOVES;
}

/* What operation i did; shorter histories look at the first item, too. */
static void fill_in(struct enumeration *e, struct small *h, int i)
{
    if (i == h->count) {
        answer(e, h, 0);
        return;
    }
    const int deeds = h->count > 4 || is_pending(h->op + i) ? 2 : 3;
    for (int d = 0; d < deeds; d++) {
        h->op[i].did = (struct event){ (enum deed)d, 0 };
        fill_in(e, h, i + 1);
    }
}

static int free_thread(const struct small *h, int threads)
{
    for (int t = 0; t < threads; t++) {
        bool busy = false;
        for (int i = 0; i < h->count; i++)
            busy |= h->op[i].thread == t && is_pending(h->op + i);
        if (!busy)
            return t;
    }
    return -1;
}

static void add_call(struct small *h, int thread, struct event did)
{
    h->op[h->count] = (struct op){ did, thread, h->events, NEVER };
    h->event[h->events].op = h->count++;
    h->event[h->events++].is_return = false;
}

static void add_return(struct small *h, int i)
{
    h->op[i].ret = h->events;
    h->event[h->events].op = i;
    h->event[h->events++].is_return = true;
}

/* Shapes: threads that are free are alike, so the first one calls. */
static void extend(struct enumeration *e, const struct small *h, int ops)
{
    const int thread = free_thread(h, 3);
    if (h->count == ops) {
        struct small copy = *h;
        fill_in(e, &copy, 0);
    } else if (thread >= 0) {
        struct small next = *h;
        add_call(&next, thread, (struct event){ ADDS, 0 });
        extend(e, &next, ops);
    }
    for (int i = 0; i < h->count; i++)
        if (is_pending(h->op + i)) {
            struct small next = *h;
            add_return(&next, i);
            extend(e, &next, ops);
        }
}

/* ---- all sequences ---- */

/* One thread, one operation after another, so that a removal is legal or not.
 * Values may repeat.  A sequence that is not legal has no continuation. */
static void extend_sequence(struct enumeration *e, struct small *h,
                            struct sequence *s, int ops);

static void try_next(struct enumeration *e, struct small *h, struct sequence *s,
                     int ops, struct event did)
{
    const struct small before = *h;
    add_call(h, 0, did);
    add_return(h, h->count - 1);
    s->at[s->count++] = did;
    run.number = e->seen++;
    if (run.number % e->sample == 0)
        compare(h);
    if (s->count < ops && is_legal(&run.relaxation, s))
        extend_sequence(e, h, s, ops);
    s->count--;
    *h = before;
}

static void extend_sequence(struct enumeration *e, struct small *h,
                            struct sequence *s, int ops)
{
    int most = 0;
    for (int i = 0; i < s->count; i++)
        if (s->at[i].deed == ADDS && s->at[i].value > most)
            most = s->at[i].value;
    for (int v = 1; v <= most + 1; v++) {
        try_next(e, h, s, ops, (struct event){ ADDS, v });
        if (v <= most) {
            try_next(e, h, s, ops, (struct event){ REMOVES, v });
            if (s->count == ops - 1)
                try_next(e, h, s, ops, (struct event){ PEEKS, v });
        }
    }
    try_next(e, h, s, ops, (struct event){ SAYS_EMPTY, 0 });
}

static void try_sequences(uint64_t sample)
{
    struct enumeration e = { .sample = sample };
    struct small h = { .count = 0 };
    struct sequence s = { .count = 0 };
    run.source = "sequence";
    extend_sequence(&e, &h, &s, OPS);
}

/* ---- random histories ---- */

static int below(struct plumb_base_rng *rng, int n)
{
    return (int)plumb_base_rng_below(rng, (uint32_t)n);
}

/* What a removal might answer here: any item that is legal, or empty. */
static bool take_effect(struct small *h, struct sequence *s, int i,
                        const struct relaxation *r, struct plumb_base_rng *rng)
{
    struct event choice[LONGEST + 1];
    int choices = 0;
    struct event e = h->op[i].did;
    for (int k = 0; k <= s->count; k++) {
        if (e.deed != ADDS && k < s->count)
            e = (struct event){ h->op[i].did.deed, s->at[k].value };
        else if (e.deed == REMOVES)
            e = (struct event){ SAYS_EMPTY, 0 };
        s->at[s->count++] = e;
        if ((e.deed == ADDS || e.deed == SAYS_EMPTY || s->at[k].deed == ADDS) &&
            is_legal(r, s))
            choice[choices++] = e;
        s->count--;
    }
    if (!choices)
        return false;
    s->at[s->count] = h->op[i].did = choice[below(rng, choices)];
    s->count++;
    return true;
}

static void spoil(struct small *h, struct plumb_base_rng *rng)
{
    struct event *const d = &h->op[below(rng, h->count)].did;
    if (d->deed == REMOVES && below(rng, 4) == 0)
        d->deed = SAYS_EMPTY;
    else if (d->deed != SAYS_EMPTY)
        d->value = 1 + below(rng, 5);
}

static void random_history(struct small *h, uint64_t seed)
{
    struct plumb_base_rng rng;
    struct sequence s = { .count = 0 };
    bool done[OPS] = { false };
    /* Most of them follow an object that hands out any item. */
    struct relaxation loose = run.relaxation;
    plumb_base_rng_seed(&rng, seed);
    if (below(&rng, 4))
        loose = (struct relaxation){ "",      run.relaxation.object,
                                     ABSENT,  ABSENT,
                                     LONGEST, ABSENT,
                                     ABSENT,  ABSENT,
                                     ABSENT };
    const int ops = 5 + below(&rng, OPS - 4),
              threads = below(&rng, 3) ? 1 + below(&rng, THREADS) : 1;
    const int values =
        below(&rng, 2) ? 3 + below(&rng, 3) : 0; /* 0: all differ */
    *h = (struct small){ .count = 0 };
    for (int turn = 0; turn < 8 * ops; turn++) {
        const int thread = free_thread(h, threads), i = below(&rng, OPS);
        if (h->count < ops && thread >= 0 && below(&rng, 3) == 0) {
            const int what = below(&rng, 16) + (h->count < 3 ? 0 : 3);
            add_call(h, thread,
                     (struct event){
                         what < 10   ? ADDS
                         : what < 18 ? REMOVES
                                     : PEEKS,
                         values
                             ? 1 + below(&rng, values)
                             : 1 + (int)(seed + 3u * (unsigned)h->count) % 8 });
        } else if (i < h->count && is_pending(h->op + i)) {
            done[i] = done[i] || take_effect(h, &s, i, &loose, &rng);
            if (done[i] && below(&rng, 3))
                add_return(h, i);
        }
    }
    if (h->count && below(&rng, 3) == 0)
        spoil(h, &rng);
}

/* ---- everything ---- */

static void open_run(const char *text)
{
    struct plumb_error err;
    memset(&run, 0, sizeof run);
    run.text = text;
    run.relaxation = read_relaxation(text);
    run.builder = plumb_builder_new(NULL);
    if (plumb_spec_parse(text, &run.spec, &err) != PLUMB_OK ||
        !(run.live = plumb_check_configurations_open(run.spec, NULL)))
        abort();
}

static void close_run(void)
{
    plumb_check_configurations_free(run.live);
    plumb_spec_free(run.spec);
    plumb_builder_free(run.builder);
}

static void examine(const char *text, uint64_t sample, uint64_t random,
                    uint64_t seed)
{
    open_run(text);
    run.source = "number";
    for (int ops = 1; ops <= 5; ops++) {
        struct enumeration e = { .sample = ops < 3 ? 1 : sample };
        const struct small none = { .count = 0 };
        extend(&e, &none, ops);
    }
    try_sequences(sample < 100 ? 1 : sample / 100);
    const uint64_t right = run.right, wrong = run.wrong;
    run.source = "seed";
    for (uint64_t i = 0; i < random; i++) {
        struct small h;
        run.number = seed + i;
        random_history(&h, run.number);
        compare(&h);
    }
    printf("%s: small %" PRIu64 " right, %" PRIu64 " wrong; random %" PRIu64
           " right, %" PRIu64 " wrong; %" PRIu64 " cores\n",
           text, right, wrong, run.right - right, run.wrong - wrong, run.cores);
    fflush(stdout);
    if (random > 100 &&
        (run.right - right < random / 20 || run.wrong - wrong < random / 20)) {
        fprintf(stderr, "%s: the random histories are one-sided\n", text);
        exit(1);
    }
    close_run();
}

/* ---- Definition 4, and what includes what ---- */

struct tally {
    uint64_t sequences, legal, differences;
};

static void compare_with_others(const struct sequence *s, struct tally *tally)
{
    static const char *const pairs[][2] = {
        { "queue:segment=2", "queue:k=1" },
        { "queue:segment=3", "queue:k=2" },
        { "queue:k=1", "queue:early=1" },
        { "queue:k=1", "queue:late=1" },
        { "queue:k=1", "queue:early=1,late=1" },
        { "queue:early=1,late=1", "queue:k=1" },
        { "queue:early=1", "queue:early=20" },
        { "queue:late=1", "queue:early=20" },
        { "queue:enq=1,deq=1", "queue:k=2" },
        { "queue:enq=2", "queue:k=2" },
        { "queue:k=2", "queue:enq=2" },
        { "queue:deq=2", "queue:k=2" },
        { "queue:k=2", "queue:deq=2" },
        { "queue:k=0", "queue:early=0" },
        { "queue:early=0", "queue:late=0" },
        { "queue:late=0", "queue:segment=1" },
        { "queue:segment=1", "queue:k=0" },
        { "stack:k=0", "stack:late=0" },
        { "stack:late=0", "stack:k=0" },
        { "priority-queue:k=0", "priority-queue:late=0" },
        { "priority-queue:late=0", "priority-queue:k=0" },
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const struct relaxation narrow = read_relaxation(pairs[i][0]);
        const struct relaxation wide = read_relaxation(pairs[i][1]);
        if (!is_legal(&narrow, s) || is_legal(&wide, s))
            continue;
        tally->differences++;
        fprintf(stderr, "%s is not part of %s\n", pairs[i][0], pairs[i][1]);
    }
}

static void compare_with_definition_4(const struct sequence *s,
                                      struct tally *tally)
{
    static const char *const specs[] = {
        "queue:k=0",         "queue:k=1",         "queue:k=2",
        "queue:k=3",         "queue:enq=1,deq=1", "queue:enq=2,deq=1",
        "queue:enq=1,deq=2",
    };
    static const int factor[][2] = { { 0, 0 }, { 0, 1 }, { 0, 2 }, { 0, 3 },
                                     { 1, 1 }, { 2, 1 }, { 1, 2 } };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        const struct relaxation r = read_relaxation(specs[i]);
        const bool legal = is_legal(&r, s);
        tally->sequences++;
        tally->legal += legal;
        if (legal == satisfies_definition_4(s, factor[i][0], factor[i][1]))
            continue;
        tally->differences++;
        fprintf(stderr, "%s:", specs[i]);
        for (int k = 0; k < s->count; k++)
            fprintf(stderr, " %s%d",
                    s->at[k].deed == ADDS ? "enq" : "deq=", s->at[k].value);
        fprintf(stderr, ": %s\n", legal ? "legal" : "not legal");
    }
}

static void each_sequence(struct sequence *s, int items, int added,
                          unsigned present, struct tally *tally)
{
    compare_with_definition_4(s, tally);
    compare_with_others(s, tally);
    if (added < items) {
        s->at[s->count++] = (struct event){ ADDS, added + 1 };
        each_sequence(s, items, added + 1, present | 1u << (added + 1), tally);
        s->count--;
    }
    for (int v = 1; v <= added; v++)
        if (present >> v & 1) {
            s->at[s->count++] = (struct event){ REMOVES, v };
            each_sequence(s, items, added, present & ~(1u << v), tally);
            s->count--;
        }
}

static int definition_4(int items)
{
    struct sequence s = { .count = 0 };
    struct tally tally = { 0 };
    each_sequence(&s, items, 0, 0, &tally);
    printf("Definition 4, up to %d items: %" PRIu64 " sequences, %" PRIu64
           " legal, %" PRIu64 " differences\n",
           items, tally.sequences, tally.legal, tally.differences);
    return tally.differences || !tally.legal;
}

int main(int argc, char **argv)
{
    uint64_t sample = 1, random = 1000, seed = 1, items = 0;
    const char *only = NULL;
    for (int i = 1; i + 1 < argc; i += 2) {
        uint64_t *const to = strcmp(argv[i], "--sample") == 0   ? &sample
                             : strcmp(argv[i], "--random") == 0 ? &random
                             : strcmp(argv[i], "--seed") == 0   ? &seed
                                                                : &items;
        if (strcmp(argv[i], "--spec") == 0)
            only = argv[i + 1];
        else
            *to = strtoull(argv[i + 1], NULL, 10);
    }
    if (items)
        return definition_4((int)items);
    printf("seed %" PRIu64 "\n", seed);
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        if (!only || strcmp(only, subjects[i]) == 0)
            examine(subjects[i], sample, random, seed);
    return 0;
}
