/* oracle_types.c - see oracle_types.h; read beside docs/specifications.md. */
#include "oracle_types.h"
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

struct oracle_value oracle_text(enum plumb_tag tag, const char *text,
                                size_t length)
{
    struct oracle_value v = { .tag = (uint8_t)tag, .length = (uint8_t)length };
    assert(length <= sizeof v.text);
    memcpy(v.text, text, length);
    return v;
}

struct oracle_value oracle_int(int64_t i)
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%lld", (long long)i);
    return oracle_text(PLUMB_INT, digits, (size_t)length);
}

struct oracle_value oracle_bool(bool b)
{
    return b ? oracle_text(PLUMB_BOOL, "true", 4)
             : oracle_text(PLUMB_BOOL, "false", 5);
}

struct oracle_value oracle_nil(void)
{
    return oracle_text(PLUMB_NIL, "", 0);
}

bool oracle_same(const struct oracle_value *a, const struct oracle_value *b)
{
    return !memcmp(a, b, sizeof *a);
}

static int64_t number_of(const struct oracle_value *v)
{
    char digits[sizeof v->text + 1] = { 0 };
    assert(v->tag == PLUMB_INT);
    memcpy(digits, v->text, v->length);
    return strtoll(digits, NULL, 10);
}

/* nil < false < true < integers by size < strings byte by byte */
static bool is_less(const struct oracle_value *a, const struct oracle_value *b)
{
    if (a->tag != b->tag)
        return a->tag < b->tag;
    if (a->tag == PLUMB_INT)
        return number_of(a) < number_of(b);
    if (a->tag == PLUMB_BOOL)
        return a->text[0] == 'f' && b->text[0] == 't';
    const size_t least = a->length < b->length ? a->length : b->length;
    const int order = memcmp(a->text, b->text, least);
    return order < 0 || (order == 0 && a->length < b->length);
}

bool oracle_same_answer(const struct oracle_answer *a,
                        const struct oracle_answer *b)
{
    if (a->term != b->term || a->nres != b->nres)
        return false;
    for (unsigned i = 0; i < a->nres; i++)
        if (!oracle_same(&a->res[i], &b->res[i]))
            return false;
    return true;
}

/* ---- states and outcomes ---- */

static void copy_state(struct oracle_state *to, const struct oracle_state *from)
{
    memcpy(to, from,
           offsetof(struct oracle_state, item) +
               from->count * sizeof *from->item);
}

static bool same_item(const struct oracle_item *a, const struct oracle_item *b)
{
    return oracle_same(&a->key, &b->key) && oracle_same(&a->value, &b->value) &&
           a->pair == b->pair && a->number == b->number &&
           a->overtaken == b->overtaken;
}

bool oracle_same_state(const struct oracle_state *a,
                       const struct oracle_state *b)
{
    if (a->number != b->number || a->left != b->left || a->added != b->added ||
        a->count != b->count)
        return false;
    for (unsigned i = 0; i < a->count; i++)
        if (!same_item(&a->item[i], &b->item[i]))
            return false;
    return true;
}

/* One more outcome: `term` without results, and the state as it was. */
static struct oracle_outcome *outcome(struct oracle_outcomes *out,
                                      const struct oracle_state *s,
                                      enum oracle_term term)
{
    assert(out->count <= ORACLE_OPS);
    struct oracle_outcome *const o = &out->at[out->count++];
    o->answer.term = term;
    o->answer.nres = 0;
    copy_state(&o->state, s);
    return o;
}

/* The same, answering ok(value). */
static struct oracle_state *outcome_value(struct oracle_outcomes *out,
                                          const struct oracle_state *s,
                                          const struct oracle_value *value)
{
    struct oracle_outcome *const o = outcome(out, s, TERM_OK);
    o->answer.nres = 1;
    o->answer.res[0] = *value;
    return &o->state;
}

static struct oracle_state *outcome_bool(struct oracle_outcomes *out,
                                         const struct oracle_state *s, bool b)
{
    const struct oracle_value v = oracle_bool(b);
    return outcome_value(out, s, &v);
}

static void insert_at(struct oracle_state *s, unsigned at,
                      const struct oracle_value *key,
                      const struct oracle_value *value, bool pair)
{
    assert(s->count < ORACLE_OPS && at <= s->count);
    memmove(&s->item[at + 1], &s->item[at], (s->count - at) * sizeof *s->item);
    s->count++;
    s->item[at] = (struct oracle_item){
        .key = *key, .value = *value, .pair = pair, .number = ++s->added
    };
}

static void insert_last(struct oracle_state *s, const struct oracle_value *v)
{
    insert_at(s, s->count, v, v, false);
}

static void remove_at(struct oracle_state *s, unsigned at)
{
    assert(at < s->count);
    s->count--;
    memmove(&s->item[at], &s->item[at + 1], (s->count - at) * sizeof *s->item);
}

/* The first item with this value; s->count if there is none. */
static unsigned find(const struct oracle_state *s, const struct oracle_value *v)
{
    unsigned i = 0;
    while (i < s->count && !oracle_same(&s->item[i].value, v))
        i++;
    return i;
}

static _Noreturn void unknown_operation(const struct oracle_call *call)
{
    fprintf(stderr, "oracle: this type has no operation %d\n", (int)call->op);
    abort();
}

/* ---- queue, semiqueue, stuttering-queue, stack, deque ---- */

/* Add an item before item `at`, unless there are `cap` of them. */
static void add_item(const struct oracle_spec *spec,
                     const struct oracle_state *s,
                     const struct oracle_call *call, unsigned at, bool partial,
                     struct oracle_outcomes *out)
{
    if (!spec->cap || s->count < spec->cap)
        insert_at(&outcome(out, s, TERM_OK)->state, at, &call->arg[0],
                  &call->arg[0], false);
    else if (!partial)
        outcome(out, s, TERM_FULL);
}

/* ---- relaxed objects, as docs/relaxed-objects.md words it ---- */

/* Should item y leave before item x? */
static bool precedes(const struct oracle_spec *spec,
                     const struct oracle_state *s, unsigned y, unsigned x)
{
    if (spec->type == ORACLE_QUEUE)
        return y < x;
    if (spec->type == ORACLE_STACK)
        return y > x;
    return spec->max ? is_less(&s->item[x].key, &s->item[y].key)
                     : is_less(&s->item[y].key, &s->item[x].key);
}

/* Is item y in a segment before that of item x? */
static bool is_segment_before(const struct oracle_spec *spec,
                              const struct oracle_state *s, unsigned y,
                              unsigned x)
{
    return spec->segment && s->item[y].number <= (s->item[x].number - 1) /
                                                     spec->segment *
                                                     spec->segment;
}

static bool may_leave(const struct oracle_spec *spec,
                      const struct oracle_state *s, unsigned x)
{
    unsigned index = 0;
    if (spec->type == ORACLE_QUEUE && find(s, &s->item[x].value) != x)
        return false; /* of several equal ones, the oldest present */
    for (unsigned y = 0; y < s->count; y++) {
        if (!precedes(spec, s, y, x))
            continue;
        if (s->item[y].overtaken >= spec->late ||
            is_segment_before(spec, s, y, x))
            return false;
        index++;
    }
    return index <= spec->early;
}

/* Item x leaves, and those that should have left before it take note. */
static void leave(const struct oracle_spec *spec, struct oracle_state *s,
                  unsigned x)
{
    for (unsigned y = 0; y < s->count; y++)
        s->item[y].overtaken += spec->relaxed && precedes(spec, s, y, x);
    remove_at(s, x);
}

/* What a removal answers if there is nothing, or not much. */
static void answer_empty(const struct oracle_spec *spec,
                         const struct oracle_state *s, bool partial,
                         struct oracle_outcomes *out)
{
    if (s->count <= spec->empty && !partial)
        outcome(out, s, TERM_EMPTY);
}

/* May a deq, or a pop of a stack, answer item i? */
static bool may_answer(const struct oracle_spec *spec,
                       const struct oracle_state *s, unsigned i)
{
    if (spec->relaxed)
        return may_leave(spec, s, i);
    switch (spec->type) {
    case ORACLE_SEMIQUEUE:
        return find(s, &s->item[i].value) == i; /* equal ones are the same */
    case ORACLE_STACK:
        return i == s->count - 1;
    default:
        return i == 0;
    }
}

static void remove_item(const struct oracle_spec *spec,
                        const struct oracle_state *s, bool partial,
                        struct oracle_outcomes *out)
{
    answer_empty(spec, s, partial, out);
    for (unsigned i = 0; i < s->count; i++) {
        if (!may_answer(spec, s, i))
            continue;
        struct oracle_state *const next =
            outcome_value(out, s, &s->item[i].value);
        leave(spec, next, i);
        next->left = 0;
        if (spec->type == ORACLE_STUTTERING_QUEUE && s->left < spec->j)
            outcome_value(out, s, &s->item[i].value)->left++;
    }
}

static void peek_item(const struct oracle_spec *spec,
                      const struct oracle_state *s, struct oracle_outcomes *out)
{
    if (s->count == 0)
        outcome(out, s, TERM_EMPTY);
    for (unsigned i = 0; i < s->count; i++)
        if (may_answer(spec, s, i))
            outcome_value(out, s, &s->item[i].value);
}

static void queue_outcomes(const struct oracle_spec *spec,
                           const struct oracle_state *s,
                           const struct oracle_call *call,
                           struct oracle_outcomes *out)
{
    switch (call->op) {
    case OP_ENQ:
    case OP_PUSH:
        add_item(spec, s, call, s->count, false, out);
        break;
    case OP_PUT:
        add_item(spec, s, call, s->count, true, out);
        break;
    case OP_DEQ:
    case OP_POP:
        remove_item(spec, s, spec->blocking, out);
        break;
    case OP_POLL:
    case OP_TRY_POP:
        remove_item(spec, s, false, out);
        break;
    case OP_TAKE:
        remove_item(spec, s, true, out);
        break;
    case OP_PEEK:
        peek_item(spec, s, out);
        break;
    default:
        unknown_operation(call);
    }
}

static void deque_end(const struct oracle_spec *spec,
                      const struct oracle_state *s, bool front, bool remove,
                      struct oracle_outcomes *out)
{
    if (s->count == 0) {
        if (!remove || !spec->blocking)
            outcome(out, s, TERM_EMPTY);
        return;
    }
    const unsigned at = front ? 0 : s->count - 1;
    struct oracle_state *const next = outcome_value(out, s, &s->item[at].value);
    if (remove)
        remove_at(next, at);
}

static void deque_outcomes(const struct oracle_spec *spec,
                           const struct oracle_state *s,
                           const struct oracle_call *call,
                           struct oracle_outcomes *out)
{
    switch (call->op) {
    case OP_PUSH_FRONT:
        add_item(spec, s, call, 0, false, out);
        break;
    case OP_PUSH_BACK:
        add_item(spec, s, call, s->count, false, out);
        break;
    case OP_POP_FRONT:
        deque_end(spec, s, true, true, out);
        break;
    case OP_POP_BACK:
        deque_end(spec, s, false, true, out);
        break;
    case OP_PEEK_FRONT:
        deque_end(spec, s, true, false, out);
        break;
    case OP_PEEK_BACK:
        deque_end(spec, s, false, false, out);
        break;
    default:
        unknown_operation(call);
    }
}

/* ---- priority-queue ---- */

/* Is there no item of smaller (with `max`: larger) priority? */
static bool is_first(const struct oracle_spec *spec,
                     const struct oracle_state *s, unsigned i)
{
    for (unsigned other = 0; other < s->count; other++) {
        const struct oracle_value *const mine = &s->item[i].key;
        const struct oracle_value *const its = &s->item[other].key;
        if (spec->max ? is_less(mine, its) : is_less(its, mine))
            return false;
    }
    return true;
}

static void first_item(const struct oracle_spec *spec,
                       const struct oracle_state *s, bool remove, bool partial,
                       struct oracle_outcomes *out)
{
    if (remove)
        answer_empty(spec, s, partial, out);
    else if (s->count == 0)
        outcome(out, s, TERM_EMPTY);
    for (unsigned i = 0; i < s->count; i++) {
        if (spec->relaxed ? !may_leave(spec, s, i) : !is_first(spec, s, i))
            continue;
        const struct oracle_item *const item = &s->item[i];
        struct oracle_outcome *const o = outcome(out, s, TERM_OK);
        if (item->pair)
            o->answer.res[o->answer.nres++] = item->key;
        o->answer.res[o->answer.nres++] = item->value;
        if (remove)
            leave(spec, &o->state, i);
    }
}

static void priority_queue_outcomes(const struct oracle_spec *spec,
                                    const struct oracle_state *s,
                                    const struct oracle_call *call,
                                    struct oracle_outcomes *out)
{
    switch (call->op) {
    case OP_INSERT:
        if (spec->cap && s->count >= spec->cap)
            outcome(out, s, TERM_FULL);
        else
            insert_at(&outcome(out, s, TERM_OK)->state, s->count, &call->arg[0],
                      &call->arg[call->nargs - 1], call->nargs == 2);
        break;
    case OP_DELMIN:
        first_item(spec, s, true, spec->blocking, out);
        break;
    case OP_TAKE:
        first_item(spec, s, true, true, out);
        break;
    case OP_MIN:
        first_item(spec, s, false, false, out);
        break;
    default:
        unknown_operation(call);
    }
}

/* ---- set, multiset, bag ---- */

static void set_outcomes(const struct oracle_state *s,
                         const struct oracle_call *call,
                         struct oracle_outcomes *out)
{
    const unsigned at = find(s, &call->arg[0]);
    const bool present = at < s->count;
    switch (call->op) {
    case OP_INSERT:
        if (present)
            outcome_bool(out, s, false);
        else
            insert_last(outcome_bool(out, s, true), &call->arg[0]);
        break;
    case OP_DELETE:
        if (present)
            remove_at(outcome_bool(out, s, true), at);
        else
            outcome_bool(out, s, false);
        break;
    case OP_MEMBER:
        outcome_bool(out, s, present);
        break;
    default:
        unknown_operation(call);
    }
}

static void take_any(const struct oracle_spec *spec,
                     const struct oracle_state *s, struct oracle_outcomes *out)
{
    if (s->count == 0 && !spec->blocking)
        outcome(out, s, TERM_EMPTY);
    for (unsigned i = 0; i < s->count; i++)
        if (find(s, &s->item[i].value) == i)
            remove_at(outcome_value(out, s, &s->item[i].value), i);
}

static void count_equal(const struct oracle_state *s,
                        const struct oracle_call *call,
                        struct oracle_outcomes *out)
{
    int64_t equal = 0;
    for (unsigned i = 0; i < s->count; i++)
        equal += oracle_same(&s->item[i].value, &call->arg[0]);
    const struct oracle_value n = oracle_int(equal);
    outcome_value(out, s, &n);
}

static void multiset_outcomes(const struct oracle_spec *spec,
                              const struct oracle_state *s,
                              const struct oracle_call *call,
                              struct oracle_outcomes *out)
{
    switch (call->op) {
    case OP_INSERT:
        insert_last(&outcome(out, s, TERM_OK)->state, &call->arg[0]);
        break;
    case OP_DELETE:
    case OP_MEMBER:
        set_outcomes(s, call, out);
        break;
    case OP_COUNT:
        count_equal(s, call, out);
        break;
    case OP_TAKE:
        if (spec->type != ORACLE_BAG)
            unknown_operation(call);
        take_any(spec, s, out);
        break;
    default:
        unknown_operation(call);
    }
}

/* ---- map ----
 *
 * A key that was never changed is not listed; one that was has an item, whose
 * `pair` tells whether it has a value now. */

static unsigned find_key(const struct oracle_state *s,
                         const struct oracle_value *key)
{
    unsigned i = 0;
    while (i < s->count && !oracle_same(&s->item[i].key, key))
        i++;
    return i;
}

/* The value of a key, or NULL if it has none. */
static const struct oracle_value *lookup(const struct oracle_spec *spec,
                                         const struct oracle_state *s,
                                         const struct oracle_value *key)
{
    const unsigned at = find_key(s, key);
    if (at == s->count)
        return spec->has_init ? &spec->init : NULL;
    return s->item[at].pair ? &s->item[at].value : NULL;
}

static void store(struct oracle_state *s, const struct oracle_value *key,
                  const struct oracle_value *value)
{
    const unsigned at = find_key(s, key);
    if (at == s->count)
        insert_at(s, at, key, value, true);
    s->item[at].value = *value;
    s->item[at].pair = true;
}

static void forget(struct oracle_state *s, const struct oracle_value *key)
{
    const struct oracle_value nil = oracle_nil();
    store(s, key, &nil);
    s->item[find_key(s, key)].pair = false;
}

static struct oracle_value append(const struct oracle_value *old,
                                  const struct oracle_value *more)
{
    char text[2 * sizeof more->text];
    size_t length = 0;
    if (old) {
        memcpy(text, old->text, old->length);
        length = old->length;
    }
    memcpy(text + length, more->text, more->length);
    return oracle_text(PLUMB_STR, text, length + more->length);
}

static void map_remove(const struct oracle_state *s,
                       const struct oracle_value *key,
                       const struct oracle_value *value,
                       struct oracle_outcomes *out)
{
    if (value)
        forget(outcome_value(out, s, value), key);
    else
        outcome(out, s, TERM_NONE);
}

static void map_insert(const struct oracle_state *s,
                       const struct oracle_call *call, bool present,
                       struct oracle_outcomes *out)
{
    struct oracle_state *const next = outcome_bool(out, s, !present);
    if (!present)
        store(next, &call->arg[0], &call->arg[1]);
}

static void map_outcomes(const struct oracle_spec *spec,
                         const struct oracle_state *s,
                         const struct oracle_call *call,
                         struct oracle_outcomes *out)
{
    const struct oracle_value *const key = &call->arg[0];
    const struct oracle_value *const value = lookup(spec, s, key);
    struct oracle_value longer;
    switch (call->op) {
    case OP_PUT:
        store(&outcome(out, s, TERM_OK)->state, key, &call->arg[1]);
        break;
    case OP_GET:
        if (value)
            outcome_value(out, s, value);
        else
            outcome(out, s, TERM_NONE);
        break;
    case OP_REMOVE:
        map_remove(s, key, value, out);
        break;
    case OP_INSERT:
        map_insert(s, call, value != NULL, out);
        break;
    case OP_APPEND:
        longer = append(value, &call->arg[1]);
        store(&outcome(out, s, TERM_OK)->state, key, &longer);
        break;
    case OP_MEMBER:
        outcome_bool(out, s, value != NULL);
        break;
    default:
        unknown_operation(call);
    }
}

/* ---- register, counter, semaphore, mutex ---- */

static void register_outcomes(const struct oracle_state *s,
                              const struct oracle_call *call,
                              struct oracle_outcomes *out)
{
    const struct oracle_value *const value = &s->item[0].value;
    switch (call->op) {
    case OP_WRITE:
        outcome(out, s, TERM_OK)->state.item[0].value = call->arg[0];
        break;
    case OP_READ:
        outcome_value(out, s, value);
        break;
    case OP_CAS:
        if (oracle_same(value, &call->arg[0]))
            outcome_bool(out, s, true)->item[0].value = call->arg[1];
        else
            outcome_bool(out, s, false);
        break;
    case OP_SWAP:
        outcome_value(out, s, value)->item[0].value = call->arg[0];
        break;
    default:
        unknown_operation(call);
    }
}

/* 64 bits that wrap around. */
static int64_t plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static void counter_outcomes(const struct oracle_state *s,
                             const struct oracle_call *call,
                             struct oracle_outcomes *out)
{
    const struct oracle_value old = oracle_int(s->number);
    const int64_t n = call->nargs ? number_of(&call->arg[0]) : 1;
    switch (call->op) {
    case OP_INC:
    case OP_ADD:
        outcome(out, s, TERM_OK)->state.number = plus(s->number, n);
        break;
    case OP_DEC:
        outcome(out, s, TERM_OK)->state.number = plus(s->number, -1);
        break;
    case OP_GET:
        outcome_value(out, s, &old);
        break;
    case OP_FETCH_INC:
    case OP_FETCH_ADD:
        outcome_value(out, s, &old)->number = plus(s->number, n);
        break;
    default:
        unknown_operation(call);
    }
}

static void semaphore_outcomes(const struct oracle_state *s,
                               const struct oracle_call *call,
                               struct oracle_outcomes *out)
{
    switch (call->op) {
    case OP_ACQUIRE:
        if (s->number > 0)
            outcome(out, s, TERM_OK)->state.number--;
        break;
    case OP_TRY_ACQUIRE:
        if (s->number > 0)
            outcome_bool(out, s, true)->number--;
        else
            outcome_bool(out, s, false);
        break;
    case OP_RELEASE:
        outcome(out, s, TERM_OK)->state.number++;
        break;
    default:
        unknown_operation(call);
    }
}

static void mutex_outcomes(const struct oracle_state *s,
                           const struct oracle_call *call,
                           struct oracle_outcomes *out)
{
    switch (call->op) {
    case OP_LOCK:
        if (!s->number)
            outcome(out, s, TERM_OK)->state.number = 1;
        break;
    case OP_TRY_LOCK:
        outcome_bool(out, s, !s->number)->number = 1;
        break;
    case OP_UNLOCK:
        if (s->number)
            outcome(out, s, TERM_OK)->state.number = 0;
        break;
    default:
        unknown_operation(call);
    }
}

/* ---- all of them ---- */

void oracle_initial(const struct oracle_spec *spec, struct oracle_state *s)
{
    const struct oracle_value nil = oracle_nil();
    memset(s, 0, sizeof *s);
    if (spec->type == ORACLE_REGISTER)
        insert_last(s, spec->has_init ? &spec->init : &nil);
    if (spec->type == ORACLE_COUNTER && spec->has_init)
        s->number = number_of(&spec->init);
    if (spec->type == ORACLE_SEMAPHORE)
        s->number = spec->n;
}

void oracle_outcomes(const struct oracle_spec *spec,
                     const struct oracle_state *s,
                     const struct oracle_call *call,
                     struct oracle_outcomes *out)
{
    out->count = 0;
    switch (spec->type) {
    case ORACLE_QUEUE:
    case ORACLE_SEMIQUEUE:
    case ORACLE_STUTTERING_QUEUE:
    case ORACLE_STACK:
        queue_outcomes(spec, s, call, out);
        break;
    case ORACLE_DEQUE:
        deque_outcomes(spec, s, call, out);
        break;
    case ORACLE_PRIORITY_QUEUE:
        priority_queue_outcomes(spec, s, call, out);
        break;
    case ORACLE_SET:
        set_outcomes(s, call, out);
        break;
    case ORACLE_MULTISET:
    case ORACLE_BAG:
        multiset_outcomes(spec, s, call, out);
        break;
    case ORACLE_MAP:
        map_outcomes(spec, s, call, out);
        break;
    case ORACLE_REGISTER:
        register_outcomes(s, call, out);
        break;
    case ORACLE_COUNTER:
        counter_outcomes(s, call, out);
        break;
    case ORACLE_SEMAPHORE:
        semaphore_outcomes(s, call, out);
        break;
    case ORACLE_MUTEX:
        mutex_outcomes(s, call, out);
        break;
    }
}

bool oracle_answers_boolean(const struct oracle_spec *spec, enum oracle_op op)
{
    switch (op) {
    case OP_INSERT:
        return spec->type == ORACLE_SET || spec->type == ORACLE_MAP;
    case OP_DELETE:
    case OP_MEMBER:
    case OP_CAS:
    case OP_TRY_ACQUIRE:
    case OP_TRY_LOCK:
        return true;
    default:
        return false;
    }
}
