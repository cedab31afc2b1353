/* plain_map.c - map.
 *
 * table: the keys whose value is not the initial one.  Without `init` that is
 * none; with it, a key that has no value has an entry with an absent one.
 *
 * Appending makes texts that need not be symbols of the history.  They are
 * kept in the entry and grow there; only when one is answered is it numbered.
 */
#include "plain.h"

#include "base/memory.h"
#include <stdio.h>
#include <string.h>

enum { PUT, GET, REMOVE, INSERT, APPEND, MEMBER };

static const struct plumb_proof_plain_operation operation[] = {
    { "put write store", PUT, 2, 2, "ok/0", PLAIN_WRITES,
      PLAIN_TO_FIRST_ARGUMENT, false, false },
    { "get read load lookup", GET, 1, 1, "ok/1 none/0", PLAIN_READS,
      PLAIN_TO_FIRST_ARGUMENT, false, false },
    { "remove delete erase", REMOVE, 1, 1, "ok/1 none/0", PLAIN_READS_REFUSED,
      PLAIN_TO_FIRST_ARGUMENT, false, false },
    { "insert add put_if_absent", INSERT, 2, 2, "ok/1", PLAIN_READS_FALSE,
      PLAIN_TO_FIRST_ARGUMENT, false, false },
    { "append", APPEND, 2, 2, "ok/0", PLAIN_WRITES, PLAIN_TO_FIRST_ARGUMENT,
      false, false },
    { "member contains has contains_key", MEMBER, 1, 1, "ok/1", PLAIN_READS,
      PLAIN_TO_FIRST_ARGUMENT, false, false },
};

/* What a key has that is not in the table. */
static struct plumb_value initial(const struct plumb_proof_plain *p)
{
    return p->with.has_init ? p->with.init : PLAIN_ABSENT;
}

static struct plumb_proof_plain_entry *find(
    const struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c)
{
    return plumb_proof_plain_find(&s->table, c->args[0], PLAIN_ABSENT);
}

static bool has_value(const struct plumb_proof_plain *p,
                      const struct plumb_proof_plain_entry *e)
{
    return e ? e->text || !plumb_proof_plain_is_absent(e->value)
             : !plumb_proof_plain_is_absent(initial(p));
}

static bool is_initial(const struct plumb_proof_plain *p,
                       const struct plumb_proof_plain_entry *e)
{
    const struct plumb_proof_plain_entry i = { .value = initial(p) };
    size_t size, initial_size;
    if (!e->text)
        return plumb_value_equal(e->value, i.value);
    const char *const text = plumb_proof_plain_entry_text(p, &i, &initial_size);
    const char *const mine = plumb_proof_plain_entry_text(p, e, &size);
    return text && size == initial_size && memcmp(mine, text, size) == 0;
}

/* Give the key of the call this value; absent is none. */
static bool assign(struct plumb_proof_plain *p,
                   struct plumb_proof_plain_state *s,
                   const struct plumb_proof_plain_call *c, struct plumb_value v)
{
    struct plumb_proof_plain_entry *const e =
        plumb_proof_plain_enter(p, &s->table, c->args[0], PLAIN_ABSENT);
    if (!e)
        return false;
    plumb_proof_plain_text_free(p, e->text);
    e->text = NULL;
    e->value = v;
    if (is_initial(p, e))
        plumb_proof_plain_erase(p, &s->table, e);
    return true;
}

/* ok(v), or none(). */
static enum plumb_proof_plain_result answer_value(
    struct plumb_proof_plain *p, struct plumb_proof_plain_reply *r,
    const struct plumb_proof_plain_entry *e)
{
    if (!has_value(p, e))
        return plumb_proof_plain_answer(r, "none");
    if (!e || !e->text)
        return plumb_proof_plain_answer_value(r, e ? e->value : initial(p));
    const uint32_t symbol = plumb_proof_plain_intern(
        p, e->text->data ? e->text->data : "", e->text->size);
    if (symbol == UINT32_MAX)
        return PLAIN_NO_MEMORY;
    return plumb_proof_plain_answer_value(r, plumb_str(symbol));
}

/* The text of v: digits, true or false, nothing, or the string itself. */
static bool append_value(struct plumb_proof_plain *p,
                         struct plumb_proof_plain_text *t, struct plumb_value v)
{
    char digits[24];
    size_t size;
    switch (v.tag) {
    case PLUMB_INT:
        size = (size_t)snprintf(digits, sizeof digits, "%lld",
                                (long long)(int64_t)v.bits);
        return plumb_proof_plain_text_append(p, t, digits, size);
    case PLUMB_BOOL:
        return plumb_proof_plain_text_append(p, t, v.bits ? "true" : "false",
                                             v.bits ? 4 : 5);
    case PLUMB_STR: {
        const char *const text =
            plumb_proof_plain_symbol(p, (uint32_t)v.bits, &size);
        return plumb_proof_plain_text_append(p, t, text, size);
    }
    default: /* nil, or no value at all */
        return true;
    }
}

static bool append(struct plumb_proof_plain *p,
                   struct plumb_proof_plain_state *s,
                   const struct plumb_proof_plain_call *c)
{
    const bool is_new = find(s, c) == NULL;
    struct plumb_proof_plain_entry *const e =
        plumb_proof_plain_enter(p, &s->table, c->args[0], PLAIN_ABSENT);
    if (!e)
        return false;
    if (!e->text) {
        const struct plumb_value before = is_new ? initial(p) : e->value;
        e->text = plumb_base_alloc_zeroed(p->budget, sizeof *e->text);
        e->value = PLAIN_ABSENT;
        if (!e->text || !append_value(p, e->text, before))
            return false;
    }
    if (!append_value(p, e->text, c->args[1]))
        return false;
    if (is_initial(p, e))
        plumb_proof_plain_erase(p, &s->table, e);
    return true;
}

static enum plumb_proof_plain_result removes(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const enum plumb_proof_plain_result result = answer_value(p, r, find(s, c));
    if (result != PLAIN_RETURNS || !r->nres)
        return result;
    return assign(p, s, c, PLAIN_ABSENT) ? result : PLAIN_NO_MEMORY;
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const bool had = has_value(p, find(s, c));
    switch (c->operation->kind) {
    case PUT:
        return assign(p, s, c, c->args[1]) ? plumb_proof_plain_answer(r, "ok")
                                           : PLAIN_NO_MEMORY;
    case GET:
        return answer_value(p, r, find(s, c));
    case REMOVE:
        return removes(p, s, c, r);
    case INSERT:
        if (!had && !assign(p, s, c, c->args[1]))
            return PLAIN_NO_MEMORY;
        return plumb_proof_plain_answer_truth(r, !had);
    case APPEND:
        return append(p, s, c) ? plumb_proof_plain_answer(r, "ok")
                               : PLAIN_NO_MEMORY;
    default:
        return plumb_proof_plain_answer_truth(r, had);
    }
}

const struct plumb_proof_plain_type plumb_proof_plain_map = {
    .names = "map",
    .parameters = "init",
    PLAIN_TABLE(operation),
    .closed = true,
    .by_key = true,
    .perform = perform,
};
