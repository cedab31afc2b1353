/* tape.c - see tape.h. */
#include "check/tape.h"

#include "check/incarnations.h"
#include "check/numbering.h"
#include "history/symbols.h"
#include "spec/lexicon.h"
#include "spec/values.h"
#include <string.h>

#define NOTHING UINT32_MAX

/* The arrays of a tape while they are filled. */
struct draft {
    struct plumb_tape_op *op;
    uint32_t *event;
};

/* Operations of one name with one answer. */
struct kind {
    uint32_t name, term;
    uint8_t nargs, nres, role, answer;
    bool known, ok;
    char letter[PLUMB_TAPE_WORDS];
};
enum { KINDS = 32 };

struct maker {
    const struct plumb_history *h;
    const struct plumb_spec *spec;
    struct plumb_arena *arena;
    struct plumb_lexicon lexicon;
    struct plumb_numbering numbers;
    struct plumb_tapes *out;
    struct draft *draft; /* by object */
    struct kind kind[KINDS];
    uint32_t *index; /* by operation of the history: in its tape */
};

/* ---- values ---- */

/* The parameter `init`; false if there is none or it was not given. */
static bool initial_value(const struct maker *m, struct plumb_value *v)
{
    const char *text;
    if (!plumb_spec_value(m->spec, v, &text))
        return false;
    if (text)
        v->bits = plumb_symbol_find(m->h->symbols, text, strlen(text));
    return true;
}

/* False: it cannot be a word. */
static bool word_of(const struct maker *m, struct plumb_value v, char letter,
                    uint32_t *word)
{
    switch (letter) {
    case 'b':
        if (!plumb_value_as_boolean(m->h, &v))
            return false;
        *word = (uint32_t)v.bits;
        return true;
    case 'i':
        *word = (uint32_t)v.bits;
        return v.tag == PLUMB_INT && v.bits <= INT32_MAX;
    default:
        if (v.tag == PLUMB_NIL) {
            *word = PLUMB_NIL_WORD;
            return true;
        }
        *word = plumb_number(&m->numbers, v);
        return *word != PLUMB_NOT_NUMBERED;
    }
}

/* ---- operations ---- */

/* There are few kinds of operations and answers: what is common to all of one
 * kind is worked out once, and found by their symbols. */
static bool learn(struct maker *m, const struct plumb_op *o, struct kind *k)
{
    const int row = plumb_lexicon_row(&m->lexicon, o);
    const bool ok = o->outcome == PLUMB_OUTCOME_OK;
    const unsigned nres = ok ? o->nres : 0;
    if (row < 0 || m->lexicon.row[row].any ||
        o->nargs + nres > PLUMB_TAPE_WORDS)
        return false;
    *k = (struct kind){ .name = o->name,
                        .term = o->term,
                        .nargs = o->nargs,
                        .nres = (uint8_t)nres,
                        .ok = ok,
                        .role = (uint8_t)m->spec->type->ops[row].role,
                        .answer = PLUMB_TERM_ANY };
    memcpy(k->letter, m->lexicon.row[row].args, o->nargs);
    if (!ok)
        return true;
    const unsigned term = plumb_lexicon_term(&m->lexicon, o->term);
    if (term == PLUMB_NO_TERM || !m->lexicon.row[row].answer[term].present)
        return false;
    const struct plumb_shape *const s = m->lexicon.row[row].answer + term;
    if (nres < s->least || nres > s->most)
        return false;
    k->answer = (uint8_t)term;
    memcpy(k->letter + o->nargs, s->letter, nres);
    return true;
}

static bool is_of_kind(const struct plumb_op *o, const struct kind *k)
{
    const bool ok = o->outcome == PLUMB_OUTCOME_OK;
    return o->name == k->name && o->nargs == k->nargs && ok == k->ok &&
           (!ok || (o->term == k->term && o->nres == k->nres));
}

static const struct kind *kind_of(struct maker *m, const struct plumb_op *o)
{
    struct kind *const k = m->kind + (o->name + 3 * o->term) % KINDS;
    if (k->known && is_of_kind(o, k))
        return k;
    k->known = learn(m, o, k);
    return k->known ? k : NULL;
}

/* False: plumb_bind() is to look at it. */
static bool add_operation(struct maker *m, uint32_t op, struct plumb_tape *tape,
                          struct plumb_tape_op *t)
{
    const struct plumb_op *const o = m->h->op + op;
    const struct kind *const k = kind_of(m, o);
    if (!k)
        return false;
    *t = (struct plumb_tape_op){
        .call = o->call,
        .ret = plumb_op_ret(o),
        .op = op,
        .word = { PLUMB_NO_WORD, PLUMB_NO_WORD, PLUMB_NO_WORD },
        .role = k->role,
        .term = k->answer,
        .nargs = k->nargs,
        .nres = k->nres,
    };
    tape->roles |= (uint64_t)1 << k->role;
    const struct plumb_value *const value = plumb_op_args(m->h, o);
    for (unsigned i = 0; i < (unsigned)k->nargs + k->nres; i++)
        if (!word_of(m, value[i], k->letter[i], &t->word[i]))
            return false;
    return true;
}

/* ---- tapes ---- */

static bool is_on_tape(const struct plumb_op *o)
{
    return o->outcome != PLUMB_OUTCOME_FAIL;
}

/* A single object has no more than the history has. */
static void count(struct maker *m)
{
    const struct plumb_history *const h = m->h;
    struct plumb_tape *const tape = m->out->tape;
    if (h->objects == 1) {
        tape->count = h->count;
        tape->events = h->events;
        return;
    }
    for (uint32_t i = 0; i < h->count; i++)
        if (is_on_tape(h->op + i)) {
            tape[h->op[i].object].count++;
            tape[h->op[i].object].events +=
                1u + (plumb_op_ret(h->op + i) != PLUMB_NEVER);
        }
}

static bool make_room(struct maker *m)
{
    struct plumb_tape *const tape = m->out->tape;
    count(m);
    for (uint32_t i = 0; i < m->h->objects; i++) {
        struct draft *const d = m->draft + i;
        d->op = plumb_arena_alloc(m->arena,
                                  ((size_t)tape[i].count + 1) * sizeof *d->op);
        d->event = plumb_arena_alloc(m->arena, ((size_t)tape[i].events + 1) *
                                                   sizeof *d->event);
        if (!d->op || !d->event)
            return false;
        tape[i].op = d->op;
        tape[i].event = d->event;
        tape[i].object = i;
        tape[i].count = tape[i].events = 0;
    }
    return true;
}

static bool add_operations(struct maker *m)
{
    const struct plumb_history *const h = m->h;
    for (uint32_t i = 0; i < h->count; i++) {
        const uint32_t object = h->op[i].object;
        struct plumb_tape *const tape = m->out->tape + object;
        if (!is_on_tape(h->op + i))
            continue;
        if (!add_operation(m, i, tape, m->draft[object].op + tape->count++)) {
            m->out->declined = "operations that no monitor reads";
            return true;
        }
        if (i % PLUMB_POLL_OPERATIONS == 0 &&
            plumb_budget_state(m->arena->budget) != PLUMB_OK)
            return false;
    }
    return true;
}

/* ---- events ---- */

/* Put the events of a tape where their ranks are; how many there are. */
static uint32_t place(const struct plumb_tape *tape, uint32_t *at)
{
    uint32_t returns = 0;
    for (uint32_t i = 0; i < tape->count; i++) {
        at[tape->op[i].call] = 2 * i;
        if (tape->op[i].ret == PLUMB_NEVER)
            continue;
        at[tape->op[i].ret] = 2 * i + 1;
        returns++;
    }
    return tape->count + returns;
}

/* A single object: if every rank is one of its events, they are where they
 * belong. */
static void add_events_of_one(struct maker *m)
{
    struct plumb_tape *const tape = m->out->tape;
    uint32_t *const event = m->draft->event;
    const uint32_t used = place(tape, event);
    tape->events = used;
    if (used == m->h->events)
        return;
    memset(event, 0xff, m->h->events * sizeof *event);
    place(tape, event);
    uint32_t kept = 0;
    for (uint32_t r = 0; r < m->h->events; r++)
        if (event[r] != NOTHING)
            event[kept++] = event[r];
}

/* at[]: by rank, as above; of[]: the object of the event. */
static void add_events(struct maker *m, uint32_t *at, uint32_t *of)
{
    struct plumb_tape *const tape = m->out->tape;
    memset(at, 0xff, m->h->events * sizeof *at);
    for (uint32_t i = 0; i < m->h->objects; i++) {
        place(tape + i, at);
        for (uint32_t k = 0; k < tape[i].count; k++) {
            of[tape[i].op[k].call] = i;
            if (tape[i].op[k].ret != PLUMB_NEVER)
                of[tape[i].op[k].ret] = i;
        }
    }
    for (uint32_t r = 0; r < m->h->events; r++)
        if (at[r] != NOTHING)
            m->draft[of[r]].event[tape[of[r]].events++] = at[r];
}

static bool add_all_events(struct maker *m, struct plumb_arena *scratch)
{
    const size_t size = ((size_t)m->h->events + 1) * sizeof(uint32_t);
    if (m->h->objects == 1) {
        add_events_of_one(m);
        return true;
    }
    uint32_t *const at = plumb_arena_alloc(scratch, size);
    uint32_t *const of = plumb_arena_alloc(scratch, size);
    if (at && of)
        add_events(m, at, of);
    return at && of;
}

/* ---- the whole ---- */

/* Items that are one word. */
static bool is_container(const struct plumb_tape *tape)
{
    for (uint32_t i = 0; i < tape->count; i++)
        if (tape->op[i].nargs > 1)
            return false;
    return tape->roles >> PLUMB_ROLE_ADD & 1;
}

static bool tell_incarnations(struct maker *m, struct plumb_arena *scratch)
{
    for (uint32_t i = 0; i < m->out->count; i++)
        if (is_container(m->out->tape + i) &&
            !plumb_incarnations(m->out->tape + i, m->draft[i].op, scratch))
            return false;
    return true;
}

static bool make(struct maker *m, struct plumb_arena *scratch)
{
    const struct plumb_history *const h = m->h;
    struct plumb_tapes *const out = m->out;
    struct plumb_value init;
    const bool given = initial_value(m, &init);
    uint32_t initial = PLUMB_NO_WORD;
    if (!plumb_numbering_make(&m->numbers, h, given ? &init : NULL,
                              m->spec->type->ordered, scratch))
        return false;
    if (given && !word_of(m, init, 'v', &initial))
        out->declined = "an initial value that is not in the history";
    out->count = h->objects;
    out->tape =
        plumb_arena_zeroed(m->arena, (h->objects + 1) * sizeof *out->tape);
    m->draft = plumb_arena_zeroed(scratch, (h->objects + 1) * sizeof *m->draft);
    if (!out->tape || !m->draft || !make_room(m) || !add_operations(m) ||
        (!out->declined && !add_all_events(m, scratch)))
        return false;
    for (uint32_t i = 0; i < out->count; i++) {
        out->tape[i].values = m->numbers.count;
        out->tape[i].initial = initial;
        out->tape[i].ordered = m->spec->type->ordered && !m->numbers.strings;
    }
    return out->declined || tell_incarnations(m, scratch);
}

bool plumb_tapes_make(const struct plumb_history *h,
                      const struct plumb_spec *spec, struct plumb_arena *arena,
                      struct plumb_tapes *tapes)
{
    struct maker m = { .h = h, .spec = spec, .arena = arena, .out = tapes };
    struct plumb_arena scratch;
    *tapes = (struct plumb_tapes){ .tape = NULL };
    plumb_arena_init(&scratch, arena->budget);
    const bool made = plumb_lexicon_open(&m.lexicon, h, spec, arena->budget) &&
                      make(&m, &scratch);
    plumb_lexicon_close(&m.lexicon);
    plumb_arena_release(&scratch);
    return made;
}
