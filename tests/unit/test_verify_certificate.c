/* Certificates: made here by exploring every configuration, with and without
 * the rules that save steps, for random histories of which half are
 * linearizable.  Those of violations are accepted; nothing proves that a
 * linearizable history is a violation. */
#include "effort.h"
#include "story.h"

#include "base/memory.h"
#include "base/rng.h"
#include "proof/plain.h"

enum { MOST_OPS = 14, MOST_CONFIGURATIONS = 20000 };

/* ---- random histories ---- */

struct subject {
    const char *spec;
    const char *ops; /* "enq 1|enq 2|deq" */
};

static const struct subject subjects[] = {
    { "queue", "enq 1|enq 2|deq|deq|peek" },
    { "queue:cap=1", "enq 1|enq 2|put 2|deq|take" },
    { "queue:k=2", "enq 1|enq 2|enq 3|deq|deq" },
    { "semiqueue", "enq 1|enq 2|deq|deq|peek" },
    { "stuttering-queue", "enq 1|enq 2|deq|deq|peek" },
    { "stack", "push 1|push 2|pop|pop|peek" },
    { "deque", "push_front 1|push_back 2|pop_front|pop_back|peek_back" },
    { "priority-queue", "add 1|add 2|add 1 2|add 1 3|poll|poll|min" },
    { "set", "add 1|remove 1|has 1|add 2" },
    { "multiset", "add 1|remove 1|count 1|has 1" },
    { "bag", "add 1|add 2|take|take|count 1" },
    { "map:init=1", "put 1 2|get 1|remove 1|insert 1 1|append 1 2|has 1" },
    { "register", "write 1|write 2|read|cas 1 2|swap 1" },
    { "counter", "inc|dec|get|fetch_add 2|add 0" },
    { "semaphore", "acquire|try_acquire|release" },
    { "mutex", "lock|try_lock|unlock" },
};

enum { SUBJECTS = sizeof subjects / sizeof *subjects };

enum phase { IDLE, CALLED, DONE };

struct actor {
    enum phase phase;
    uint32_t symbol;
    struct plumb_value args[3];
    struct plumb_proof_plain_call call;
    struct plumb_proof_plain_reply reply;
};

struct world {
    struct plumb_base_rng *rng;
    struct plumb_proof_plain
        *p; /* for no history: made texts start at its symbol 1 */
    struct plumb_proof_plain_state *s;
    struct plumb_builder *b;
    struct actor actor[4];
    bool corrupt;
    unsigned left;
};

static unsigned pick(void *chooser, unsigned n)
{
    return plumb_base_rng_below(chooser, n);
}

static void call(struct world *w, struct actor *a, const char *ops)
{
    struct story_event e;
    struct plumb_error err;
    unsigned choices = 1;
    for (const char *c = ops; *c; c++)
        choices += *c == '|';
    for (unsigned skip = plumb_base_rng_below(w->rng, choices); skip; skip--)
        ops = strchr(ops, '|') + 1;
    char op[32];
    snprintf(op, sizeof op, "%.*s", (int)strcspn(ops, "|"), ops);
    story_split(op, &e);
    for (size_t i = 1; i < e.words; i++)
        a->args[i - 1] = story_value(w->b, &e, i);
    a->call = (struct plumb_proof_plain_call){
        .operation = plumb_proof_plain_operation(w->p, e.word[0], e.length[0]),
        .nargs = (unsigned)e.words - 1,
        .args = a->args,
        .choose = pick,
        .chooser = w->rng,
    };
    assert_non_null(a->call.operation);
    plumb_builder_call(w->b, a->symbol, story_symbol(w->b, "x", 1),
                       story_symbol(w->b, e.word[0], e.length[0]), a->args,
                       a->call.nargs, NULL, &err);
    a->phase = CALLED;
    w->left--;
}

/* Texts are numbered anew in the builder. */
static void translate(struct world *w, struct plumb_proof_plain_reply *r)
{
    for (unsigned i = 0; i < r->nres; i++) {
        size_t size;
        if (r->res[i].tag != PLUMB_STR)
            continue;
        const char *const text =
            plumb_proof_plain_symbol(w->p, (uint32_t)r->res[i].bits, &size);
        r->res[i] = plumb_str(story_symbol(w->b, text, size));
    }
}

static void respond(struct world *w, struct actor *a)
{
    struct plumb_proof_plain_reply *const r = &a->reply;
    struct plumb_error err;
    const bool info = plumb_base_rng_chance(w->rng, 10);
    translate(w, r);
    if (w->corrupt && r->nres && r->res[0].tag != PLUMB_STR &&
        plumb_base_rng_chance(w->rng, 25))
        r->res[0].bits ^= 1;
    plumb_builder_respond(w->b, a->symbol, story_symbol(w->b, "x", 1),
                          info ? PLUMB_OUTCOME_INFO : PLUMB_OUTCOME_OK,
                          story_symbol(w->b, r->term, strlen(r->term)), r->res,
                          r->nres, NULL, &err);
    a->phase = IDLE;
}

static void act(struct world *w, const char *ops)
{
    struct actor *const a = w->actor + plumb_base_rng_below(w->rng, 4);
    if (a->phase == DONE)
        respond(w, a);
    else if (a->phase == IDLE && w->left)
        call(w, a, ops);
    else if (a->phase == CALLED &&
             plumb_proof_plain_perform(w->p, w->s, &a->call, &a->reply) ==
                 PLAIN_RETURNS)
        a->phase = DONE;
}

static struct plumb_history invent(const struct subject *subject,
                                   struct plumb_base_rng *rng, unsigned ops)
{
    struct world w = { .rng = rng,
                       .left = ops,
                       .corrupt = plumb_base_rng_chance(rng, 60),
                       .b = plumb_builder_new(NULL) };
    struct plumb_error err;
    struct plumb_history h;
    const struct plumb_spec_ref ref = { subject->spec, NULL };
    assert_int_equal(plumb_proof_plain_new(ref, NULL, NULL, &w.p, &err),
                     PLUMB_OK);
    w.s = plumb_proof_plain_initial(w.p);
    for (int i = 0; i < 4; i++) {
        const char name[2] = { (char)('A' + i), '\0' };
        w.actor[i].symbol = story_symbol(w.b, name, 1);
    }
    for (int steps = 0; steps < 300; steps++)
        act(&w, subject->ops);
    assert_int_equal(plumb_builder_finish(w.b, PLUMB_TIES_CALL_FIRST, &h, &err),
                     PLUMB_OK);
    plumb_proof_plain_state_free(w.p, w.s);
    plumb_proof_plain_free(w.p);
    plumb_builder_free(w.b);
    return h;
}

/* ---- exploring their configurations ---- */

/* The rules, and the same with a condition left out, which makes them wrong. */
enum rules {
    NO_RULES = 0,
    READ = 1,
    IDLE_RULE = 2,
    TWIN = 4,
    ALL_RULES = 7,
    READ_THOUGH_IT_WRITES = 8,
    READ_THOUGH_STATES_GO = 16,
    IDLE_THOUGH_RETURNED = 32,
    TWIN_THOUGH_LATER = 64,
    SPARE = 128,
    SPARE_THOUGH_RETURNED = 256,
    SPARE_THOUGH_OTHER_STATES = 512
};

struct configuration {
    uint32_t taken;
    struct plumb_proof_plain_set states;
};

struct explorer {
    const struct plumb_history *h;
    struct plumb_proof_plain *p;
    unsigned rules;
    struct plumb_proof_plain_call call[MOST_OPS];
    struct plumb_proof_plain_seen seen[MOST_OPS];
    struct configuration at[MOST_CONFIGURATIONS];
    struct plumb_certificate_step step[MOST_CONFIGURATIONS];
    uint32_t count; /* configurations; step[i] led to at[i + 1] */
    bool complete;  /* a complete one was found (and left out) */
};

static bool contains(const struct explorer *x,
                     const struct plumb_proof_plain_set *set,
                     const struct plumb_proof_plain_state *s)
{
    for (size_t i = 0; i < set->count; i++)
        if (plumb_proof_plain_state_equal(x->p, set->member[i].state, s))
            return true;
    return false;
}

static bool is_subset(const struct explorer *x,
                      const struct plumb_proof_plain_set *a,
                      const struct plumb_proof_plain_set *b)
{
    for (size_t i = 0; i < a->count; i++)
        if (!contains(x, b, a->member[i].state))
            return false;
    return true;
}

static bool is_listed(const struct explorer *x, const struct configuration *c)
{
    for (uint32_t i = 0; i < x->count; i++)
        if (x->at[i].taken == c->taken &&
            x->at[i].states.count == c->states.count &&
            is_subset(x, &c->states, &x->at[i].states))
            return true;
    return false;
}

static bool is_enabled(const struct explorer *x, uint32_t taken, uint32_t j)
{
    for (uint32_t i = 0; i < x->h->count; i++)
        if (!(taken >> i & 1) && plumb_op_ret(x->h->op + i) < x->h->op[j].call)
            return false;
    return !(taken >> j & 1);
}

static bool is_complete(const struct explorer *x, uint32_t taken)
{
    for (uint32_t i = 0; i < x->h->count; i++)
        if (!(taken >> i & 1) && !plumb_op_is_pending(x->h->op + i))
            return false;
    return true;
}

static struct configuration after(struct explorer *x,
                                  const struct configuration *c, uint32_t j)
{
    struct configuration next = { .taken = c->taken | 1u << j };
    assert_int_equal(plumb_proof_plain_set_copy(x->p, &next.states, &c->states),
                     PLUMB_OK);
    assert_int_equal(
        plumb_proof_plain_set_step(x->p, &next.states, x->call + j, NULL),
        PLUMB_OK);
    return next;
}

static bool same_values(const struct plumb_value *a,
                        const struct plumb_value *b, unsigned count)
{
    return !count || memcmp(a, b, count * sizeof *a) == 0;
}

static bool are_twins(const struct explorer *x, uint32_t i, uint32_t j)
{
    const struct plumb_op *const a = x->h->op + i, *const b = x->h->op + j;
    return a->outcome == b->outcome && a->name == b->name &&
           a->term == b->term && a->nargs == b->nargs && a->nres == b->nres &&
           same_values(plumb_op_args(x->h, a), plumb_op_args(x->h, b),
                       a->nargs + (unsigned)a->nres);
}

static bool is_legal(struct explorer *x, const struct configuration *c,
                     uint32_t j)
{
    struct configuration next = after(x, c, j);
    const bool legal = next.states.count > 0;
    plumb_proof_plain_set_release(x->p, &next.states);
    return legal;
}

/* Is there a twin to be taken in place of j? */
static bool has_twin(struct explorer *x, const struct configuration *c,
                     uint32_t j)
{
    const uint32_t ret = plumb_op_ret(x->h->op + j);
    for (uint32_t i = 0; i < x->h->count; i++) {
        const uint32_t other = plumb_op_ret(x->h->op + i);
        const bool better =
            x->rules & TWIN_THOUGH_LATER ? other > ret : other < ret;
        if (i != j && is_enabled(x, c->taken, i) && are_twins(x, i, j) &&
            (better || (other == ret && i < j)) && is_legal(x, c, i))
            return true;
    }
    return false;
}

static bool has_same_states(const struct explorer *x,
                            const struct configuration *a,
                            const struct configuration *b)
{
    return a->states.count == b->states.count &&
           is_subset(x, &a->states, &b->states);
}

/* May what `more` has and `less` has not be left out? */
static bool are_spare(const struct explorer *x, uint32_t more, uint32_t less)
{
    for (uint32_t i = 0; i < x->h->count; i++) {
        if (!((more & ~less) >> i & 1) || x->rules & SPARE_THOUGH_RETURNED)
            continue;
        if (!plumb_op_is_pending(x->h->op + i) ||
            plumb_proof_plain_is_read_only(x->p, x->call + i))
            return false;
    }
    return true;
}

/* Is there the same with fewer spare operations? */
static bool is_spared(const struct explorer *x, const struct configuration *c)
{
    for (uint32_t i = 0; i < x->count; i++) {
        const struct configuration *const less = x->at + i;
        if (less->taken != c->taken && !(less->taken & ~c->taken) &&
            are_spare(x, c->taken, less->taken) &&
            (x->rules & SPARE_THOUGH_OTHER_STATES ||
             has_same_states(x, less, c)))
            return true;
    }
    return false;
}

/* Take over the configuration. */
static void visit(struct explorer *x, uint32_t parent, uint32_t j,
                  struct configuration next)
{
    const bool complete = next.states.count && is_complete(x, next.taken);
    const unsigned spare =
        SPARE | SPARE_THOUGH_RETURNED | SPARE_THOUGH_OTHER_STATES;
    x->complete |= complete;
    if (!next.states.count || complete || is_listed(x, &next) ||
        ((x->rules & spare) && is_spared(x, &next))) {
        plumb_proof_plain_set_release(x->p, &next.states);
        return;
    }
    assert_true(x->count < MOST_CONFIGURATIONS);
    x->step[x->count - 1] = (struct plumb_certificate_step){ parent, j };
    x->at[x->count++] = next;
}

/* Is there a read-only step to be taken first?  Take it. */
static bool take_read(struct explorer *x, uint32_t number)
{
    const struct configuration *const c = x->at + number;
    for (uint32_t j = 0; j < x->h->count; j++) {
        const bool reads = (x->rules & READ_THOUGH_IT_WRITES) ||
                           plumb_proof_plain_is_read_only(x->p, x->call + j);
        if (!is_enabled(x, c->taken, j) || !reads)
            continue;
        struct configuration next = after(x, c, j);
        const bool same = next.states.count &&
                          ((x->rules & READ_THOUGH_STATES_GO) ||
                           next.states.count == c->states.count) &&
                          is_subset(x, &next.states, &c->states);
        if (!same || is_complete(x, next.taken)) {
            plumb_proof_plain_set_release(x->p, &next.states);
            continue;
        }
        visit(x, number, j, next);
        return true;
    }
    return false;
}

static void expand(struct explorer *x, uint32_t number)
{
    const struct configuration *const c = x->at + number;
    const unsigned reads = READ | READ_THOUGH_IT_WRITES | READ_THOUGH_STATES_GO;
    const unsigned twins = TWIN | TWIN_THOUGH_LATER;
    if ((x->rules & reads) && take_read(x, number))
        return;
    for (uint32_t j = 0; j < x->h->count; j++) {
        if (!is_enabled(x, c->taken, j) ||
            ((x->rules & twins) && has_twin(x, c, j)))
            continue;
        struct configuration next = after(x, c, j);
        const bool may_idle =
            (x->rules & IDLE_THOUGH_RETURNED) ||
            ((x->rules & IDLE_RULE) && plumb_op_is_pending(x->h->op + j));
        if (may_idle && is_subset(x, &next.states, &c->states))
            plumb_proof_plain_set_release(x->p, &next.states);
        else
            visit(x, number, j, next);
    }
}

static void explore(struct explorer *x, const struct plumb_history *h,
                    const char *spec, unsigned rules)
{
    struct plumb_error err;
    const struct plumb_spec_ref ref = { spec, NULL };
    x->h = h;
    x->rules = rules;
    x->count = 1;
    assert_true(h->count <= MOST_OPS);
    assert_int_equal(plumb_proof_plain_new(ref, h->symbols, NULL, &x->p, &err),
                     PLUMB_OK);
    for (uint32_t i = 0; i < h->count; i++)
        assert_int_equal(plumb_proof_plain_read(x->p, h, i,
                                                plumb_op_is_pending(h->op + i),
                                                x->call + i, x->seen + i, &err),
                         PLUMB_OK);
    x->at[0].taken = 0;
    assert_int_equal(plumb_proof_plain_set_init(x->p, &x->at[0].states),
                     PLUMB_OK);
    x->complete = is_complete(x, 0);
    for (uint32_t i = 0; i < x->count; i++)
        expand(x, i);
}

static void forget(struct explorer *x)
{
    for (uint32_t i = 0; i < x->count; i++)
        plumb_proof_plain_set_release(x->p, &x->at[i].states);
    plumb_proof_plain_free(x->p);
}

static enum plumb_status verify(const struct plumb_history *h, const char *spec,
                                const struct plumb_certificate_step *step,
                                uint32_t count, struct plumb_error *err)
{
    static const uint32_t op[] = {
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    };
    const struct plumb_core core = { 0, PLUMB_NEVER, h->count, op, NULL };
    return plumb_verify_violation(h, (struct plumb_spec_ref){ spec, NULL },
                                  &core, step, count, NULL, err);
}

/* ---- claims ---- */

static struct explorer explorer;

static void judge(const struct subject *subject, unsigned rules, uint64_t seed,
                  unsigned ops, unsigned *violations)
{
    struct plumb_base_rng rng;
    struct plumb_error err = { .message = "accepted" };
    plumb_base_rng_seed(&rng, seed);
    struct plumb_history h = invent(subject, &rng, ops);
    explore(&explorer, &h, subject->spec, NO_RULES);
    const bool linearizable = explorer.complete;
    forget(&explorer);
    explore(&explorer, &h, subject->spec, rules);
    const uint32_t steps = ops <= PLUMB_ENUMERATE ? 0 : explorer.count - 1;
    const enum plumb_status status =
        verify(&h, subject->spec, explorer.step, steps, &err);
    const enum plumb_status expected = linearizable ? PLUMB_EINPUT : PLUMB_OK;
    if (status != expected)
        fail_msg("%s, rules %u, seed %llu: %s", subject->spec, rules,
                 (unsigned long long)seed, err.message);
    *violations += !linearizable;
    forget(&explorer);
    plumb_history_release(&h);
}

/* Of few operations no certificate is given: all orders are tried. */
static void judge_all(unsigned rules, unsigned ops, unsigned rounds)
{
    for (size_t i = 0; i < SUBJECTS; i++) {
        unsigned violations = 0;
        for (unsigned round = 0; round < rounds; round++)
            judge(subjects + i, rules, round, ops, &violations);
        if (violations < rounds / 20 || violations > rounds - rounds / 10)
            fail_msg("%s: %u violations of %u are no test", subjects[i].spec,
                     violations, rounds);
    }
}

enum { ROUNDS = TEST_EFFORT > 1 ? 10 : 40 };

static void enumeration_agrees_with_exploration(void **state)
{
    (void)state;
    judge_all(NO_RULES, 6, 60);
}

static void complete_explorations_prove_violations(void **state)
{
    (void)state;
    judge_all(NO_RULES, 12, ROUNDS);
}

static void rules_save_steps_and_still_prove(void **state)
{
    (void)state;
    judge_all(READ, 12, ROUNDS);
    judge_all(IDLE_RULE, 12, ROUNDS);
    judge_all(TWIN, 12, ROUNDS);
    judge_all(ALL_RULES, 12, ROUNDS);
    judge_all(SPARE, 12, ROUNDS);
    judge_all(ALL_RULES | SPARE, 12, ROUNDS);
}

/* A rule without one of its conditions misses legal orders of some histories;
 * what was explored with it then looks like a proof. */
static unsigned count_misled(const struct subject *s, unsigned rule,
                             uint64_t seed)
{
    struct plumb_base_rng rng;
    struct plumb_error err;
    plumb_base_rng_seed(&rng, seed);
    struct plumb_history h = invent(s, &rng, 12);
    explore(&explorer, &h, s->spec, NO_RULES);
    const bool linearizable = explorer.complete;
    forget(&explorer);
    explore(&explorer, &h, s->spec, rule);
    const bool misled = linearizable && !explorer.complete;
    if (misled && verify(&h, s->spec, explorer.step, explorer.count - 1,
                         &err) != PLUMB_EINPUT)
        fail_msg("%s, rule %u, seed %llu: accepted", s->spec, rule,
                 (unsigned long long)seed);
    forget(&explorer);
    plumb_history_release(&h);
    return misled;
}

static void every_condition_of_the_rules_is_checked(void **state)
{
    (void)state;
    static const unsigned wrong[] = {
        READ_THOUGH_IT_WRITES, READ_THOUGH_STATES_GO, IDLE_THOUGH_RETURNED,
        TWIN_THOUGH_LATER,     SPARE_THOUGH_RETURNED, SPARE_THOUGH_OTHER_STATES
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        unsigned misled = 0;
        for (unsigned round = 0; round < ROUNDS * SUBJECTS; round++)
            misled += count_misled(subjects + round % SUBJECTS, wrong[i],
                                   1000 + round);
        if (!misled)
            fail_msg("rule %u misled nobody: this is no test", wrong[i]);
    }
}

/* Change a certificate in some way; whatever it is, it proves nothing. */
static void spoil(struct plumb_base_rng *rng,
                  struct plumb_certificate_step *step, uint32_t *count)
{
    const uint32_t n = plumb_base_rng_below(rng, *count);
    switch (plumb_base_rng_below(rng, 4)) {
    case 0:
        step[n].op = plumb_base_rng_below(rng, 14);
        break;
    case 1:
        step[n].parent = plumb_base_rng_below(rng, *count);
        break;
    case 2:
        step[n] = step[--*count];
        break;
    default:
        step[n] = (struct plumb_certificate_step){
            (uint32_t)plumb_base_rng_next(rng),
            (uint32_t)plumb_base_rng_next(rng)
        };
    }
}

static void nothing_proves_a_linearizable_history_wrong(void **state)
{
    (void)state;
    struct plumb_base_rng rng;
    unsigned tried = 0;
    plumb_base_rng_seed(&rng, 3);
    for (unsigned round = 0; round < 300; round++) {
        const struct subject *const s = subjects + round % SUBJECTS;
        struct plumb_error err;
        struct plumb_history h = invent(s, &rng, 12);
        explore(&explorer, &h, s->spec, round % 8 | (round & 8 ? SPARE : 0));
        uint32_t count = explorer.count - 1;
        for (int n = 0; explorer.complete && count > 1 && n < 6; n++) {
            spoil(&rng, explorer.step, &count);
            assert_int_equal(verify(&h, s->spec, explorer.step, count, &err),
                             PLUMB_EINPUT);
            tried++;
        }
        forget(&explorer);
        plumb_history_release(&h);
    }
    assert_true(tried > 300);
}

/* ---- by hand ---- */

/* Ten sequential enqueues, then a dequeue of the wrong one. */
#define ENQ(x) "A enq " #x "; A ok; "
#define TEN                                                                    \
    ENQ(1)                                                                     \
    ENQ(2) ENQ(3) ENQ(4) ENQ(5) ENQ(6) ENQ(7) ENQ(8) ENQ(9) ENQ(10)

static void check_by_hand(const char *spec, const char *text,
                          const struct plumb_certificate_step *step,
                          uint32_t count, const char *message)
{
    struct plumb_history h = story(text);
    struct plumb_error err = { .message = "accepted" };
    const enum plumb_status status = verify(&h, spec, step, count, &err);
    if (message ? status != PLUMB_EINPUT || !strstr(err.message, message)
                : status != PLUMB_OK)
        fail_msg("expected \"%s\": %s", message ? message : "accepted",
                 err.message);
    plumb_history_release(&h);
}

static void wrong_certificates_are_rejected(void **state)
{
    (void)state;
    const struct plumb_certificate_step right[10] = {
        { 0, 0 }, { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 },
        { 5, 5 }, { 6, 6 }, { 7, 7 }, { 8, 8 }, { 9, 9 },
    };
    struct plumb_certificate_step step[11];
#define RESET() memcpy(step, right, sizeof right)
    RESET();
    check_by_hand("queue", TEN "B deq; B ok 2", right, 10, NULL);
    /* One configuration short. */
    check_by_hand("queue", TEN "B deq; B ok 2", right, 9,
                  "leads to a configuration that is not listed");
    check_by_hand("queue", TEN "B deq; B ok 2", NULL, 0,
                  "leads to a configuration that is not listed");
    /* Repeated configurations do no harm. */
    step[10] = right[4];
    check_by_hand("queue", TEN "B deq; B ok 2", step, 11, NULL);
    /* The core is linearizable. */
    step[10] = (struct plumb_certificate_step){ 10, 10 };
    check_by_hand("queue", TEN "B deq; B ok 1", step, 11, "is complete");
    check_by_hand("queue", TEN "B deq; B ok 1", step, 10,
                  "leads to a configuration that is not listed");
    check_by_hand("queue", TEN "B deq; B ok 2", step, 11,
                  "step 11 of the certificate: the states do not allow");
    RESET();
    step[4].parent = 5;
    check_by_hand("queue", TEN "B deq; B ok 2", step, 10,
                  "step 5 of the certificate: its parent does not come");
    RESET();
    step[4].op = 11;
    check_by_hand("queue", TEN "B deq; B ok 2", step, 10, "is not in the core");
    step[4].op = 3;
    check_by_hand("queue", TEN "B deq; B ok 2", step, 10,
                  "has taken effect already");
    step[4].op = 5;
    check_by_hand("queue", TEN "B deq; B ok 2", step, 10,
                  "must wait for another");
#undef RESET
}

/* Two pending twins that point at each other would prove anything. */
static void a_rule_needs_the_step_it_points_at(void **state)
{
    (void)state;
    const struct plumb_certificate_step nine[9] = {
        { 0, 0 }, { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 },
        { 5, 5 }, { 6, 6 }, { 7, 7 }, { 8, 8 },
    };
    struct plumb_certificate_step step[16];
#define NINE ENQ(1) ENQ(2) ENQ(3) ENQ(4) ENQ(5) ENQ(6) ENQ(7) ENQ(8) ENQ(9)
    memcpy(step, nine, sizeof nine);
    /* 9 and 10 dequeue 1 and 2, pending; 11 answers 3: linearizable. */
    check_by_hand("queue", NINE "B deq; C deq; D deq; D ok 3", step, 9,
                  "leads to a configuration that is not listed");
    /* 11 answers 4: a violation, and one of the twins is enough each time. */
    step[9] = (struct plumb_certificate_step){ 9, 9 };
    step[10] = (struct plumb_certificate_step){ 10, 10 };
    check_by_hand("queue", NINE "B deq; C deq; D deq; D ok 4", step, 11, NULL);
    check_by_hand("queue", NINE "B deq; C deq; D deq; D ok 4", step, 10,
                  "leads to a configuration that is not listed");
    /* A read that would lead out. */
    check_by_hand("queue", NINE "B peek; C deq; B ok 1; C ok 1", step, 9,
                  "leads to a configuration that is not listed");
#undef NINE
}

/* 8 and 9 answer 1, 10 answers 2 and returns first.  All overlap; the only
 * legal order is 8 9 10 (or 9 8 10). */
static void unlike_answers_are_no_twins(void **state)
{
    (void)state;
    static const char text[] =
        "A peek; A empty; A peek; A empty; A peek; A empty; A peek; A empty; "
        "A peek; A empty; A peek; A empty; A enq 1; A ok; A enq 2; A ok; "
        "B deq; C deq; D deq; D ok 2; B ok 1; C ok 1";
    static const struct plumb_certificate_step step[10] = {
        { 0, 0 }, { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 },
        { 5, 5 }, { 6, 6 }, { 7, 7 }, { 8, 8 }, { 9, 10 },
    };
    check_by_hand(
        "stuttering-queue", text, step, 10,
        "the step by deq()=1 by C leads to a configuration that is not listed");
}

/* 8 and 9 overlap, and 8 returns first, but must take effect last. */
static void unlike_arguments_are_no_twins(void **state)
{
    (void)state;
    static const char text[] =
        "A read; A ok nil; A read; A ok nil; A read; A ok nil; A read; A ok "
        "nil; A read; A ok nil; A read; A ok nil; A read; A ok nil; A read; A "
        "ok nil; B write 1; C write 2; B ok; C ok; A read; A ok 1";
    static const struct plumb_certificate_step step[10] = {
        { 0, 0 }, { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 },
        { 5, 5 }, { 6, 6 }, { 7, 7 }, { 8, 8 }, { 9, 9 },
    };
    check_by_hand("register", text, step, 10,
                  "the step by write(2)=ok by C leads to a configuration that "
                  "is not listed");
}

static enum plumb_status with_failure(size_t nth)
{
    struct plumb_base_rng rng;
    struct plumb_error err;
    static const uint32_t op[] = {
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    };
    plumb_base_rng_seed(&rng, 8);
    struct plumb_history h = invent(subjects + 3, &rng, 12);
    const struct plumb_core core = { 0, PLUMB_NEVER, h.count, op, NULL };
    explore(&explorer, &h, "semiqueue", NO_RULES);
    struct plumb_budget *const b = plumb_budget_new(0, 0);
    plumb_base_budget_fail_at(b, nth);
    const enum plumb_status status = plumb_verify_violation(
        &h, (struct plumb_spec_ref){ "semiqueue", NULL }, &core, explorer.step,
        explorer.count - 1, b, &err);
    assert_int_equal(plumb_budget_used(b), 0);
    plumb_budget_free(b);
    forget(&explorer);
    plumb_history_release(&h);
    return status;
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    const enum plumb_status whole = with_failure(0);
    enum plumb_status status = PLUMB_EMEMORY;
    size_t nth = 1;
    for (; status == PLUMB_EMEMORY; nth += nth < 200 ? 1 : nth / 8) {
        status = with_failure(nth);
        assert_true(status == whole || status == PLUMB_EMEMORY);
    }
    assert_true(nth > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enumeration_agrees_with_exploration),
        cmocka_unit_test(complete_explorations_prove_violations),
        cmocka_unit_test(rules_save_steps_and_still_prove),
        cmocka_unit_test(every_condition_of_the_rules_is_checked),
        cmocka_unit_test(nothing_proves_a_linearizable_history_wrong),
        cmocka_unit_test(wrong_certificates_are_rejected),
        cmocka_unit_test(a_rule_needs_the_step_it_points_at),
        cmocka_unit_test(unlike_answers_are_no_twins),
        cmocka_unit_test(unlike_arguments_are_no_twins),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
