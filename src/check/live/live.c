/* live.c - see live.h. */
#include "live.h"

#include "base/memory.h"
#include "check/input/monitor_input.h"
#include "live_numbers.h"
#include "spec/builtin.h"
#include "spec/lexicon.h"
#include "spec/values.h"
#include <string.h>

enum {
    NAMES = 1 << 16,   /* symbols that are not worth forgetting             */
    OBJECTS = 1 << 12, /* ... objects                                      */
    BATCH = 4096,      /* operations that are worth deciding at least       */
    DOUBTED = 1 << 16  /* ... that are kept, lest a machine declines them   */
};

/* One object, if there is a machine for it. */
struct follower {
    void *machine;
    struct plumb_check_live_talk talk;
    struct plumb_check_live_numbers numbers;
};

struct plumb_check_live {
    const struct plumb_spec *spec;
    struct plumb_budget *budget;
    const struct plumb_check_live_class *class;
    struct plumb_history h; /* only its symbols: the stream's */
    struct plumb_spec_lexicon lexicon;
    bool reads; /* the lexicon is open */
    struct plumb_check_live_state state;

    struct follower **follower; /* by object */
    size_t followers;
    struct plumb_check_live_op *op; /* by thread, the open ones */
    size_t ops;
    bool forgets; /* something was forgotten */
    bool hurries; /* ... as soon as it can be */
    /* Symbols and objects that were needed when some were forgotten. */
    uint32_t names, objects;

    size_t seen; /* events of the log */

    /* Batches. */
    uint64_t before;  /* events that were forgotten */
    uint64_t balance; /* additions without removals */
    bool unsettled;   /* for ever: something may have been added or removed */
    uint32_t last;    /* operations when it was last decided */
    struct plumb_history batch;
    struct plumb_answer answer;
    bool answered;
};

/* ---- opening ---- */

/* A string has no number before it turns up in the stream. */
static bool has_string(const struct plumb_spec *spec)
{
    struct plumb_value v;
    const char *text = NULL;
    return plumb_spec_value(spec, &v, &text) && text;
}

/* NULL: it is decided in batches. */
static const struct plumb_check_live_class *class_of(
    const struct plumb_spec *spec)
{
    if (spec->type == &plumb_spec_type_queue)
        return plumb_check_live_queue_follows(spec) ? &plumb_check_live_queue
                                                    : NULL;
    static const struct {
        const struct plumb_spec_type *type;
        const struct plumb_check_live_class *class;
    } known[] = {
        { &plumb_spec_type_set, &plumb_check_live_class_set },
        { &plumb_spec_type_multiset, &plumb_check_live_class_multiset },
        { &plumb_spec_type_map, &plumb_check_live_class_map },
        { &plumb_spec_type_register, &plumb_check_live_class_register },
        { &plumb_spec_type_cas_register, &plumb_check_live_class_register },
    };
    for (unsigned i = 0; i < PLUMB_COUNT_OF(known); i++)
        if (known[i].type == spec->type)
            return known[i].class;
    return NULL;
}

struct plumb_check_live *plumb_check_live_open(const struct plumb_spec *spec,
                                               struct plumb_budget *budget)
{
    struct plumb_check_live *const l =
        plumb_base_alloc_zeroed(budget, sizeof *l);
    if (!l)
        return NULL;
    l->spec = spec;
    l->budget = budget;
    l->class = has_string(spec) ? NULL : class_of(spec);
    l->state.batches = !l->class;
    return l;
}

static void close_follower(struct plumb_check_live *l, struct follower *f)
{
    if (!f)
        return;
    if (f->machine)
        l->class->close(f->machine);
    plumb_check_live_numbers_release(&f->numbers);
    plumb_base_release(l->budget, f, sizeof *f);
}

void plumb_check_live_close(struct plumb_check_live *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->followers; i++)
        close_follower(l, l->follower[i]);
    PLUMB_RELEASE(l->budget, l->follower, l->followers);
    PLUMB_RELEASE(l->budget, l->op, l->ops);
    if (l->reads)
        plumb_spec_lexicon_close(&l->lexicon);
    if (l->answered)
        plumb_answer_release(&l->answer);
    plumb_base_release(l->budget, l, sizeof *l);
}

const struct plumb_check_live_state *plumb_check_live_state(
    const struct plumb_check_live *l)
{
    return &l->state;
}

/* The symbols of the stream, as far as they are known by now. */
static bool look_at(struct plumb_check_live *l, const struct plumb_builder *b)
{
    l->h.symbols = &b->a->symbols;
    if (l->reads)
        return plumb_spec_lexicon_grow(&l->lexicon);
    l->reads = true;
    return plumb_spec_lexicon_open(&l->lexicon, &l->h, l->spec, l->budget);
}

/* ---- what cannot be followed ---- */

/* An operation of its own: binding it says what is wrong with it, if anything
 * is. */
static enum plumb_status complain(struct plumb_check_live *l,
                                  const struct plumb_builder *b, uint32_t op,
                                  struct plumb_error *err)
{
    struct plumb_history all, one;
    struct plumb_spec_bound bound;
    struct plumb_op o = b->a->op[op];
    plumb_history_builder_view(b, &all);
    o.call = 0;
    o.resp = o.outcome == PLUMB_OUTCOME_OPEN ? PLUMB_NEVER : 1;
    one = all;
    one.op = &o;
    one.count = 1;
    one.events = 2;
    one.origin = all.origin ? all.origin + 2 * (size_t)op : NULL;
    const enum plumb_status status =
        plumb_spec_bind(&one, l->spec, l->budget, &bound, err);
    if (status != PLUMB_OK)
        return status;
    plumb_spec_bound_release(&bound);
    l->state.verdict = PLUMB_UNDECIDED;
    l->state.declined = "an operation that no monitor supports";
    return PLUMB_OK;
}

static enum plumb_status no_room(struct plumb_check_live *l)
{
    l->state.verdict = PLUMB_UNDECIDED;
    l->state.why = PLUMB_EMEMORY;
    return PLUMB_OK;
}

/* ---- machines ---- */

static bool word_of(struct plumb_check_live *l, struct follower *f,
                    struct plumb_value v, char letter, uint32_t *word)
{
    switch (letter) {
    case 'b':
        if (!plumb_spec_value_as_boolean(&l->h, &v))
            return false;
        *word = (uint32_t)v.bits;
        return true;
    case 'i':
        *word = (uint32_t)v.bits;
        return v.tag == PLUMB_INT && v.bits <= INT32_MAX;
    default:
        *word = v.tag == PLUMB_NIL ? PLUMB_NIL_WORD
                                   : plumb_check_live_number(&f->numbers, v);
        return *word != PLUMB_NO_WORD;
    }
}

static uint32_t initial_word(struct plumb_check_live *l, struct follower *f)
{
    struct plumb_value v;
    const char *text;
    uint32_t word;
    return plumb_spec_value(l->spec, &v, &text) && word_of(l, f, v, 'v', &word)
               ? word
               : PLUMB_NO_WORD;
}

static struct follower *new_follower(struct plumb_check_live *l)
{
    struct follower *const f = plumb_base_alloc_zeroed(l->budget, sizeof *f);
    if (!f)
        return NULL;
    plumb_check_live_numbers_init(&f->numbers, l->budget);
    f->talk = (struct plumb_check_live_talk){ .spec = l->spec,
                                              .budget = l->budget,
                                              .numbers = &f->numbers };
    f->talk.initial = initial_word(l, f);
    f->machine = l->class->open(&f->talk);
    if (f->machine)
        return f;
    close_follower(l, f);
    return NULL;
}

static bool make_room(struct plumb_check_live *l, const struct plumb_builder *b)
{
    if (!PLUMB_GROW_ZEROED(l->budget, l->follower, l->followers, b->objects))
        return false;
    for (uint32_t i = b->objects; i-- > 0 && !l->follower[i];)
        if (!(l->follower[i] = new_follower(l)))
            return false;
    return PLUMB_GROW(l->budget, l->op, l->ops, b->threads);
}

/* False: it cannot be read. */
static bool read_call(struct plumb_check_live *l, struct follower *f,
                      const struct plumb_op *o, const struct plumb_value *v,
                      struct plumb_check_live_op *op)
{
    const int row = plumb_spec_lexicon_row(&l->lexicon, o);
    if (row < 0 || o->nargs > PLUMB_INPUT_WORDS)
        return false;
    *op = (struct plumb_check_live_op){
        .call = l->state.events,
        .word = { PLUMB_NO_WORD, PLUMB_NO_WORD, PLUMB_NO_WORD },
        .role = (uint8_t)l->spec->type->ops[row].role,
        .term = PLUMB_TERM_ANY,
        .nargs = o->nargs
    };
    for (unsigned i = 0; i < o->nargs; i++)
        if (!word_of(l, f, v[i], l->lexicon.row[row].args[i], &op->word[i]))
            return false;
    return true;
}

static bool read_answer(struct plumb_check_live *l, struct follower *f,
                        const struct plumb_op *o, const struct plumb_value *v,
                        struct plumb_check_live_op *op)
{
    const int row = plumb_spec_lexicon_row(&l->lexicon, o);
    const unsigned term = plumb_spec_lexicon_term(&l->lexicon, o->term);
    if (row < 0 || term == PLUMB_NO_TERM ||
        !l->lexicon.row[row].answer[term].present)
        return false;
    const struct plumb_spec_shape *const s = l->lexicon.row[row].answer + term;
    if (o->nres < s->least || o->nres > s->most ||
        o->nargs + o->nres > PLUMB_INPUT_WORDS)
        return false;
    op->term = (uint8_t)term;
    op->nres = o->nres;
    for (unsigned i = 0; i < o->nres; i++)
        if (!word_of(l, f, v[o->nargs + i], s->letter[i],
                     &op->word[o->nargs + i]))
            return false;
    return true;
}

static enum plumb_check_live_word respond(struct plumb_check_live *l,
                                          struct follower *f,
                                          const struct plumb_op *o,
                                          struct plumb_check_live_op *op)
{
    op->now = l->state.events;
    switch (o->outcome) {
    case PLUMB_OUTCOME_OK:
        return l->class->ret(f->machine, op);
    case PLUMB_OUTCOME_FAIL:
        return l->class->fail(f->machine, op);
    default:
        return l->class->info(f->machine, op);
    }
}

/* Event 2 * i + 1 is the response of operation i.  Lines are counted up to
 * UINT32_MAX, and there is no more than an event on each. */
static uint32_t line_of(const struct plumb_check_live *l,
                        const struct plumb_builder *b, size_t event)
{
    return b->has_origin && l->state.events < UINT32_MAX / 2
               ? b->a->origin[event].line
               : 0;
}

static void take_word(struct plumb_check_live *l, const struct plumb_builder *b,
                      uint32_t object, enum plumb_check_live_word word)
{
    struct plumb_check_live_state *const s = &l->state;
    switch (word) {
    case PLUMB_LIVE_GOOD:
        s->decided = s->events;
        return;
    case PLUMB_LIVE_VIOLATED:
        s->verdict = PLUMB_NOT_LINEARIZABLE;
        s->maybe = s->sure = s->events;
        s->object = b->a->object[object];
        return;
    case PLUMB_LIVE_DECLINED:
        s->verdict = PLUMB_UNDECIDED;
        s->declined = l->follower[object]->talk.declined;
        return;
    case PLUMB_LIVE_NO_ROOM:
        no_room(l);
    }
}

static enum plumb_status follow(struct plumb_check_live *l,
                                const struct plumb_builder *b, uint32_t event,
                                struct plumb_error *err)
{
    const uint32_t index = event / 2;
    const struct plumb_op *const o = b->a->op + index;
    const struct plumb_value *const v = b->a->value + o->values;
    struct follower *const f = l->follower[o->object];
    struct plumb_check_live_op *const op = l->op + o->thread;
    l->state.events++;
    if (event % 2 == 0) {
        if (!read_call(l, f, o, v, op))
            return complain(l, b, index, err);
        l->state.open++;
        take_word(l, b, o->object, l->class->call(f->machine, op));
        return PLUMB_OK;
    }
    if (o->outcome == PLUMB_OUTCOME_OK && !read_answer(l, f, o, v, op))
        return complain(l, b, index, err);
    l->state.open--;
    take_word(l, b, o->object, respond(l, f, o, op));
    if (l->state.verdict == PLUMB_NOT_LINEARIZABLE)
        l->state.line = line_of(l, b, event);
    return PLUMB_OK;
}

static void count_resident(struct plumb_check_live *l)
{
    l->state.resident = 0;
    for (size_t i = 0; i < l->followers; i++) {
        const struct follower *const f = l->follower[i];
        if (f)
            l->state.resident += l->class->resident
                                     ? l->class->resident(f->machine)
                                     : f->numbers.used;
    }
}

/* ---- forgetting names ---- */

/* By thread; all that are open. */
static void move_operations(struct plumb_check_live *l,
                            const struct plumb_history_renaming *r)
{
    for (uint32_t i = 0; i < r->threads && i < l->ops; i++)
        if (r->thread[i] != UINT32_MAX)
            l->op[r->thread[i]] = l->op[i];
}

static bool is_idle(const struct plumb_check_live *l, const struct follower *f)
{
    return l->class->idle && l->class->idle(f->machine);
}

/* What is kept of the objects.  In batches nothing is, when they are settled. */
static void need_followers(const struct plumb_check_live *l,
                           struct plumb_history_renaming *r)
{
    for (size_t i = 0; i < l->followers; i++) {
        const struct follower *const f = l->follower[i];
        if (!f || is_idle(l, f))
            continue;
        r->kept[i] = true;
        plumb_check_live_numbers_need(&f->numbers, r->needed);
    }
}

/* Those of objects that are forgotten go. */
static void move_followers(struct plumb_check_live *l,
                           const struct plumb_history_renaming *r)
{
    for (uint32_t i = 0; i < r->objects && i < l->followers; i++) {
        struct follower *const f = l->follower[i];
        l->follower[i] = NULL;
        if (!f)
            continue;
        if (r->object[i] == UINT32_MAX) {
            close_follower(l, f);
            continue;
        }
        plumb_check_live_numbers_rename(&f->numbers, r);
        l->follower[r->object[i]] = f;
    }
}

/* Where there is no room for it, it is not done: perhaps there is enough to go
 * on. */
static void rename_all(struct plumb_check_live *l, struct plumb_builder *b,
                       struct plumb_history_renaming *r)
{
    need_followers(l, r);
    if (!plumb_history_builder_rename(b, r))
        return;
    move_followers(l, r);
    move_operations(l, r);
    plumb_spec_lexicon_close(&l->lexicon);
    l->reads = false;
    if (!look_at(l, b))
        no_room(l);
}

/* The builder was just settled. */
static void forget_names(struct plumb_check_live *l, struct plumb_builder *b)
{
    struct plumb_history_renaming r;
    if (!l->hurries && b->a->symbols.count < NAMES + 2 * l->names &&
        b->objects < OBJECTS + 2 * l->objects)
        return;
    if (plumb_history_renaming_open(&r, b))
        rename_all(l, b, &r);
    plumb_history_renaming_close(&r);
    l->names = b->a->symbols.count;
    l->objects = b->objects;
}

/* ---- batches ---- */

/* Does the type say what adds and what removes? */
static void weigh(struct plumb_check_live *l, const struct plumb_op *o)
{
    const int row = plumb_spec_lexicon_row(&l->lexicon, o);
    const enum plumb_spec_role role =
        row < 0 ? PLUMB_ROLE_OTHER : l->spec->type->ops[row].role;
    if (role == PLUMB_ROLE_PEEK || o->outcome == PLUMB_OUTCOME_FAIL)
        return;
    if ((role != PLUMB_ROLE_ADD && role != PLUMB_ROLE_REMOVE) ||
        o->outcome != PLUMB_OUTCOME_OK) {
        l->unsettled = true;
        return;
    }
    if (plumb_spec_lexicon_term(&l->lexicon, o->term) != PLUMB_TERM_OK)
        return;
    l->balance += role == PLUMB_ROLE_ADD ? 1u : -(uint64_t)1;
}

/* Of the event with that rank. */
static uint32_t line_of_rank(const struct plumb_check_live *l,
                             const struct plumb_builder *b, uint32_t rank)
{
    for (uint32_t i = 0; i < b->count; i++)
        if (b->a->op[i].call == rank || b->a->op[i].resp == rank)
            return line_of(l, b, 2 * (size_t)i + (b->a->op[i].resp == rank));
    return 0;
}

static enum plumb_status decide(struct plumb_check_live *l,
                                struct plumb_builder *b,
                                struct plumb_budget *budget,
                                struct plumb_error *err)
{
    struct plumb_check_live_state *const s = &l->state;
    struct plumb_check_options o = { .budget = budget, .no_core = true };
    plumb_history_builder_view(b, &l->batch);
    enum plumb_status status =
        plumb_check(&l->batch, l->spec, &o, &l->answer, err);
    if (status == PLUMB_OK && l->answer.verdict == PLUMB_NOT_LINEARIZABLE) {
        plumb_answer_release(&l->answer);
        o.no_core = false;
        status = plumb_check(&l->batch, l->spec, &o, &l->answer, err);
    }
    if (status != PLUMB_OK)
        return status;
    l->last = b->count;
    s->verdict = l->answer.verdict;
    s->why = l->answer.why;
    if (s->verdict == PLUMB_LINEARIZABLE) {
        s->decided = s->events;
        plumb_answer_release(&l->answer);
        return PLUMB_OK;
    }
    l->answered = true;
    if (s->verdict == PLUMB_NOT_LINEARIZABLE) {
        s->maybe = l->before + l->answer.maybe + 1;
        s->sure = l->before + l->answer.sure + 1;
        s->line = line_of_rank(l, b, l->answer.sure);
        s->object = l->batch.object[l->answer.core.object];
    }
    return PLUMB_OK;
}

static bool is_settled(const struct plumb_check_live *l,
                       const struct plumb_builder *b)
{
    return !l->unsettled && l->balance == 0 && plumb_builder_open(b) == 0;
}

static void settle(struct plumb_check_live *l, struct plumb_builder *b)
{
    plumb_history_builder_settle(b);
    forget_names(l, b);
    l->before = l->state.events;
    l->seen = 0;
    l->last = 0;
}

static enum plumb_status keep_all(struct plumb_check_live *l,
                                  struct plumb_builder *b,
                                  struct plumb_error *err)
{
    size_t count;
    const uint32_t *const log = plumb_history_builder_log(b, &count);
    for (; l->seen < count; l->seen++, l->state.events++)
        if (log[l->seen] % 2)
            weigh(l, b->a->op + log[l->seen] / 2);
    l->state.open = plumb_builder_open(b);
    l->state.resident = b->count;
    const bool settled = is_settled(l, b);
    if (l->hurries ? !settled
                   : b->count < BATCH || (!settled && b->count < 2 * l->last))
        return PLUMB_OK;
    const enum plumb_status status = decide(l, b, l->budget, err);
    if (status == PLUMB_OK && settled && l->state.verdict == PLUMB_LINEARIZABLE)
        settle(l, b);
    return status;
}

/* ---- one or the other ---- */

/* What a machine declines can be decided in batches, while all is there. */
static bool can_begin_anew(const struct plumb_check_live *l)
{
    return l->state.verdict == PLUMB_UNDECIDED && l->state.declined &&
           !l->forgets;
}

static enum plumb_status begin_anew(struct plumb_check_live *l,
                                    struct plumb_builder *b,
                                    struct plumb_error *err)
{
    for (size_t i = 0; i < l->followers; i++) {
        close_follower(l, l->follower[i]);
        l->follower[i] = NULL;
    }
    l->class = NULL;
    l->seen = 0;
    l->state = (struct plumb_check_live_state){ .batches = true };
    return keep_all(l, b, err);
}

static enum plumb_status follow_all(struct plumb_check_live *l,
                                    struct plumb_builder *b,
                                    struct plumb_error *err)
{
    size_t count;
    const uint32_t *const log = plumb_history_builder_log(b, &count);
    enum plumb_status status = PLUMB_OK;
    if (!make_room(l, b))
        return no_room(l);
    while (l->seen < count && status == PLUMB_OK &&
           l->state.verdict == PLUMB_LINEARIZABLE)
        status = follow(l, b, log[l->seen++], err);
    count_resident(l);
    if (status == PLUMB_OK && can_begin_anew(l))
        return begin_anew(l, b, err);
    if (status != PLUMB_OK || l->state.verdict != PLUMB_LINEARIZABLE ||
        (!l->forgets && !l->hurries && b->count < DOUBTED))
        return status;
    l->forgets = true;
    l->seen = 0;
    plumb_history_builder_settle(b);
    forget_names(l, b);
    return status;
}

/* ---- all of it ---- */

enum plumb_status plumb_check_live_take(struct plumb_check_live *l,
                                        struct plumb_builder *b,
                                        struct plumb_error *err)
{
    if (l->state.verdict != PLUMB_LINEARIZABLE || !b->a)
        return PLUMB_OK;
    if (!look_at(l, b))
        return no_room(l);
    return l->class ? follow_all(l, b, err) : keep_all(l, b, err);
}

void plumb_check_live_hurry(struct plumb_check_live *l)
{
    l->hurries = true;
}

bool plumb_check_live_has_all(const struct plumb_check_live *l)
{
    return !l->forgets && !l->before;
}

enum plumb_status plumb_check_live_end(struct plumb_check_live *l,
                                       struct plumb_builder *b,
                                       struct plumb_budget *budget,
                                       struct plumb_error *err)
{
    if (!b || !b->a || l->class || l->state.verdict != PLUMB_LINEARIZABLE)
        return PLUMB_OK;
    return decide(l, b, budget, err);
}

bool plumb_check_live_batch(const struct plumb_check_live *l,
                            const struct plumb_history **history,
                            const struct plumb_answer **answer)
{
    if (!l->answered)
        return false;
    *history = &l->batch;
    *answer = &l->answer;
    return true;
}

/* ---- telling ---- */

static void show_word(const struct plumb_check_live *l,
                      const struct follower *f, uint32_t word,
                      struct plumb_base_text *out)
{
    if (word == PLUMB_NIL_WORD)
        plumb_base_text_add(out, "nil");
    else if (word < f->numbers.count)
        plumb_spec_value_show(&l->h, plumb_check_live_value(&f->numbers, word),
                              out);
    else
        plumb_base_text_add(out, "?");
}

void plumb_check_live_explain(const struct plumb_check_live *l,
                              struct plumb_base_text *out)
{
    for (size_t i = 0; i < l->followers; i++) {
        const struct follower *const f = l->follower[i];
        if (!f || !f->talk.reason)
            continue;
        for (const char *at = f->talk.reason; *at; at++)
            if (*at == '%' && (at[1] == '0' || at[1] == '1'))
                show_word(l, f, f->talk.word[*++at - '0'], out);
            else
                plumb_base_text_bytes(out, at, 1);
        return;
    }
}
