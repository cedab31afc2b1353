/* jepsen_value.c - what the value of a Jepsen event means.
 *
 * The call of a read or a dequeue may carry a value although it takes none:
 * Knossos completes invocations with the values of their completions, and people
 * write histories that way.  Such a value is ignored, unless the specification
 * says that the operation takes it as an argument.
 *
 * Tests with jepsen.independent run on many registers, each under a key: all
 * values are tuples [key value], usually printed without a tag.  The first call
 * of read, write or cas tells, because a register's write takes one argument and
 * not two, and its read none.  Where the specification takes two (the write of a
 * map), the pair is two arguments.  Without a specification, a whole history in
 * which only some values are pairs is read as arguments as well. */
#include "base/spelling.h"
#include "jepsen_event.h"

#include "lines.h"
#include <string.h>

/* What a form looks like from outside. */
struct form {
    size_t count; /* of values: nil is none, a vector has many */
    bool pair;    /* a vector of two */
    bool nested;  /* ... of which the second is such a vector itself */
};

enum meaning { ARGUMENTS, TUPLE, NOTHING, CONTRADICTION };

/* ---- looking at it ---- */

/* How many elements has the list that is open, and which is the second? */
static bool count_elements(struct plumb_history_edn *e, size_t *count,
                           struct plumb_history_edn_token *second,
                           struct plumb_history_edn *behind_second)
{
    struct plumb_history_edn_token t;
    for (*count = 0;; ++*count) {
        if (!plumb_history_edn_next(e, &t) || !plumb_history_edn_untag(e, &t))
            return false;
        if (t.kind == PLUMB_EDN_CLOSE)
            return true;
        if (*count == 1) {
            *second = t;
            *behind_second = *e;
        }
        if (!plumb_history_edn_skip(e, &t))
            return false;
    }
}

/* A malformed form counts as one value; reading it gives the error. */
static struct form look_at(struct plumb_history_edn e,
                           struct plumb_history_edn_token t)
{
    const struct form odd = { .count = 1 };
    struct plumb_error err;
    struct plumb_history_edn_token second;
    struct plumb_history_edn inside;
    struct form form = odd;
    size_t inner = 0;
    e.err = &err;
    if (!plumb_history_edn_untag(&e, &t))
        return odd;
    if (t.kind == PLUMB_EDN_WORD && plumb_base_is_word(t.text, t.length, "nil"))
        form.count = 0;
    if (!plumb_history_edn_is_list(&t))
        return form;
    if (!count_elements(&e, &form.count, &second, &inside))
        return odd;
    form.pair = form.count == 2;
    if (form.pair && plumb_history_edn_is_list(&second)) {
        struct plumb_history_edn_token other;
        struct plumb_history_edn behind;
        if (!count_elements(&inside, &inner, &other, &behind))
            return odd;
    }
    form.nested = inner == 2;
    return form;
}

/* ---- what it means ---- */

/* Does the specification say that the operation has as many arguments? */
static bool takes(const struct plumb_history_jepsen *j,
                  const struct plumb_history_jepsen_op *op, size_t nargs)
{
    return j->signature.takes &&
           j->signature.takes(j->signature.context, op->function,
                              op->function_length, nargs);
}

static bool is_function(const struct plumb_history_jepsen_op *op,
                        const char *name)
{
    return plumb_base_is_word(op->function, op->function_length, name);
}

/* Of the tests on registers. */
static bool is_on_register(const struct plumb_history_jepsen_op *op)
{
    return !op->has_key && (is_function(op, "read") ||
                            is_function(op, "write") || is_function(op, "cas"));
}

static bool is_tuple(const struct plumb_history_jepsen_op *op,
                     const struct form *form)
{
    return op->role == PLUMB_ROLE_CAS ? form->nested : form->pair;
}

/* The value in the call of an operation that answers a value.  The specification
 * decides; without one, only get and remove are known to take arguments, and the
 * reads of a history whose keys are arguments. */
static enum meaning meaning_of_question(
    const struct plumb_history_jepsen *j,
    const struct plumb_history_jepsen_op *op, const struct form *form)
{
    const size_t key = op->has_key;
    if (takes(j, op, key + form->count))
        return ARGUMENTS;
    if (j->signature.takes)
        return takes(j, op, key) ? NOTHING : ARGUMENTS;
    if (op->has_key)
        return NOTHING;
    return j->known->shape == PLUMB_JEPSEN_KEYED || is_function(op, "get") ||
                   is_function(op, "remove")
               ? ARGUMENTS
               : NOTHING;
}

/* Of a value that is no tuple, or what is in one. */
static enum meaning meaning_without_key(
    const struct plumb_history_jepsen *j,
    const struct plumb_history_jepsen_op *op, const struct form *form)
{
    switch (op->role) {
    case PLUMB_ROLE_READ:
    case PLUMB_ROLE_TAKE:
        return form->count ? meaning_of_question(j, op, form) : ARGUMENTS;
    case PLUMB_ROLE_LOCK:
        return takes(j, op, form->count) ? ARGUMENTS : NOTHING;
    default:
        return ARGUMENTS;
    }
}

static enum meaning meaning_on_register(
    struct plumb_history_jepsen *j, const struct plumb_history_jepsen_op *op,
    const struct form *form)
{
    enum plumb_history_jepsen_shape *const shape = &j->known->shape;
    const bool tuple = is_tuple(op, form);
    if (tuple &&
        (*shape == PLUMB_JEPSEN_ANY || *shape == PLUMB_JEPSEN_TUPLES) &&
        (op->role == PLUMB_ROLE_CAS || !takes(j, op, 2))) {
        *shape = PLUMB_JEPSEN_TUPLES;
        return TUPLE;
    }
    if (*shape == PLUMB_JEPSEN_TUPLES) {
        *shape = PLUMB_JEPSEN_MIXED;
        return CONTRADICTION;
    }
    if (*shape == PLUMB_JEPSEN_ANY && !tuple)
        *shape = PLUMB_JEPSEN_PLAIN;
    return meaning_without_key(j, op, form);
}

static enum meaning meaning_of_call(struct plumb_history_jepsen *j,
                                    const struct plumb_history_jepsen_op *op,
                                    const struct form *form)
{
    if (is_on_register(op))
        return meaning_on_register(j, op, form);
    if (op->role == PLUMB_ROLE_ADD && form->pair && !op->has_key &&
        j->known->shape == PLUMB_JEPSEN_ANY)
        j->known->shape = PLUMB_JEPSEN_KEYED;
    return meaning_without_key(j, op, form);
}

static enum meaning meaning_of(struct plumb_history_jepsen *j,
                               const struct plumb_history_jepsen_op *op,
                               const struct form *form)
{
    if (op->type == PLUMB_JEPSEN_INVOKE)
        return meaning_of_call(j, op, form);
    return form->pair && is_on_register(op) &&
                   j->known->shape == PLUMB_JEPSEN_TUPLES
               ? TUPLE
               : ARGUMENTS;
}

/* ---- reading it ---- */

/* A value's text as the name of an object. */
static bool name_part(struct plumb_history_jepsen *j,
                      const struct plumb_history_edn_token *t,
                      const char *behind, struct plumb_value key,
                      struct plumb_history_jepsen_op *op)
{
    const bool open = t->kind == PLUMB_EDN_OPEN;
    const size_t length = open ? (size_t)(behind - t->begin) : t->length;
    op->has_part = true;
    op->part = (uint32_t)key.bits;
    return key.tag == PLUMB_STR ||
           plumb_history_intern(j->builder, open ? t->begin : t->text, length,
                                &op->part, j->err);
}

static void read_nothing(struct plumb_history_jepsen_op *op)
{
    op->values->v[0] = plumb_nil();
    op->values->count = 1;
}

/* What is in a tuple beside its key. */
static bool read_inner(struct plumb_history_jepsen *j,
                       struct plumb_history_edn *e,
                       const struct plumb_history_edn_token *t,
                       struct plumb_history_jepsen_op *op)
{
    const struct form form = look_at(*e, *t);
    if (op->type != PLUMB_JEPSEN_INVOKE ||
        meaning_without_key(j, op, &form) != NOTHING)
        return plumb_history_edn_list(e, t, op->values);
    read_nothing(op);
    return plumb_history_edn_skip(e, t);
}

/* A tuple [key value]: the key names an object. */
static bool read_tuple(struct plumb_history_jepsen *j,
                       struct plumb_history_edn *e,
                       const struct plumb_history_edn_token *begin,
                       struct plumb_history_jepsen_op *op)
{
    struct plumb_history_edn_token t = *begin;
    struct plumb_value key;
    if (!plumb_history_edn_untag(e, &t))
        return false;
    if (!plumb_history_edn_is_list(&t))
        return plumb_history_edn_unexpected(e, &t, "the [ of a tuple");
    if (!plumb_history_edn_next(e, &t) ||
        !plumb_history_edn_value(e, &t, &key) ||
        !name_part(j, &t, e->at, key, op) || !plumb_history_edn_next(e, &t) ||
        !read_inner(j, e, &t, op) || !plumb_history_edn_next(e, &t))
        return false;
    return t.kind == PLUMB_EDN_CLOSE ||
           plumb_history_fail(j->err, begin->origin,
                              "a tuple should have a key and a value");
}

static bool fail_contradiction(struct plumb_history_jepsen *j,
                               const struct plumb_history_jepsen_op *op)
{
    return plumb_history_fail(
        j->err, op->origin,
        "process %s calls %s without a key, but earlier calls have [key "
        "value]; if keys are arguments, give --spec",
        plumb_history_quote(op->process, op->process_length).text,
        plumb_history_quote(op->function, op->function_length).text);
}

static bool is_tuple_tag(const struct plumb_history_edn_token *t)
{
    static const char prefix[] = "jepsen.independent";
    return t->kind == PLUMB_EDN_TAG && t->length >= sizeof prefix - 1 &&
           memcmp(t->text, prefix, sizeof prefix - 1) == 0;
}

bool plumb_history_jepsen_value(struct plumb_history_jepsen *j,
                                struct plumb_history_edn *e,
                                const struct plumb_history_edn_token *t,
                                struct plumb_history_jepsen_op *op)
{
    op->is_empty = t->kind == PLUMB_EDN_KEYWORD &&
                   plumb_base_is_word(t->text, t->length, "empty");
    if (is_tuple_tag(t))
        return read_tuple(j, e, t, op);
    const struct form form = look_at(*e, *t);
    switch (meaning_of(j, op, &form)) {
    case TUPLE:
        return read_tuple(j, e, t, op);
    case NOTHING:
        read_nothing(op);
        return true;
    case CONTRADICTION:
        return fail_contradiction(j, op);
    default:
        return plumb_history_edn_list(e, t, op->values);
    }
}

bool plumb_history_jepsen_no_value(struct plumb_history_jepsen *j,
                                   struct plumb_history_jepsen_op *op)
{
    const struct form form = { .count = 0 };
    read_nothing(op);
    return meaning_of(j, op, &form) != CONTRADICTION ||
           fail_contradiction(j, op);
}
