/* edn.c - reading operation maps in EDN: Jepsen, Knossos, Porcupine.
 *
 *     {:process 3, :type :invoke, :f :cas, :value [2 4]}
 *
 * Each vector or list of such maps is a history; maps that stand in none make
 * one history together.  A map is read in two passes: its keys are found
 * first, since only then it is known whether a client's value is worth
 * understanding; the nemesis may say what it likes. */
#include "base/fail.h"
#include "history/jepsenop.h"
#include "history/lines.h"
#include <string.h>

enum { LOOK_AT = 4096 }; /* bytes that detecting looks at */

struct history {
    struct plumb_reader *reader;
    struct plumb_jepsen jepsen;
    struct plumb_edn edn;
    struct plumb_edn_values values;
};

/* Where a key's value stands: its first token, and the cursor behind that. */
struct place {
    bool given;
    struct plumb_edn_token token;
    struct plumb_edn after;
};

enum key { PROCESS, TYPE, F, VALUE, TIME, KEY, KEYS };

static const char *const key_name[KEYS] = { "process", "type", "f",
                                            "value",   "time", "key" };

struct map {
    struct plumb_edn_token open;
    struct place at[KEYS];
};

static enum plumb_status fail_at(struct plumb_error *err,
                                 const struct plumb_edn_token *t,
                                 const char *message)
{
    return plumb_fail(err, PLUMB_EINPUT, t->origin.line, t->origin.column, "%s",
                      message);
}

/* ---- one map ---- */

static struct place *place_for(struct map *m, const struct plumb_edn_token *t)
{
    if (t->kind != PLUMB_EDN_KEYWORD)
        return NULL;
    for (int i = 0; i < KEYS; i++)
        if (plumb_text_is(t->text, t->length, key_name[i]))
            return m->at + i;
    return NULL;
}

static enum plumb_status find_value(struct plumb_edn *e, struct place *place,
                                    struct plumb_error *err)
{
    struct plumb_edn_token t;
    const enum plumb_status status = plumb_edn_next(e, &t, err);
    if (status != PLUMB_OK)
        return status;
    if (place)
        *place = (struct place){ true, t, *e };
    return plumb_edn_skip(e, &t, err);
}

/* Find the keys of the map that `open` began. */
static enum plumb_status find_keys(struct plumb_edn *e,
                                   const struct plumb_edn_token *open,
                                   struct map *m, struct plumb_error *err)
{
    *m = (struct map){ .open = *open };
    for (;;) {
        struct plumb_edn_token t;
        enum plumb_status status = plumb_edn_next(e, &t, err);
        if (status != PLUMB_OK)
            return status;
        if (t.bracket == '}')
            return PLUMB_OK;
        if (t.kind == PLUMB_EDN_END)
            return fail_at(err, open, "{ is never closed");
        status = plumb_edn_skip(e, &t, err);
        if (status == PLUMB_OK)
            status = find_value(e, place_for(m, &t), err);
        if (status != PLUMB_OK)
            return status;
    }
}

/* Jepsen numbers its clients; anything else is the nemesis or its like. */
static bool is_client(const struct map *m)
{
    const struct plumb_edn_token *const t = &m->at[PROCESS].token;
    int64_t number;
    return t->kind == PLUMB_EDN_WORD &&
           plumb_read_integer(t->text, t->length, &number) == PLUMB_NUMBER;
}

static enum plumb_status read_time(const struct map *m,
                                   struct plumb_jepsen_op *op,
                                   struct plumb_error *err)
{
    const struct plumb_edn_token *const t = &m->at[TIME].token;
    const struct plumb_field field = { t->text, t->length, t->origin };
    if (!m->at[TIME].given || plumb_text_is(t->text, t->length, "nil"))
        return PLUMB_OK;
    op->has_time = true;
    op->time_origin = t->origin;
    return plumb_field_integer(&field, ":time should be an integer", &op->time,
                               err);
}

static bool is_tuple_tag(const struct plumb_edn_token *t)
{
    static const char prefix[] = "jepsen.independent";
    return t->kind == PLUMB_EDN_TAG && t->length >= sizeof prefix - 1 &&
           memcmp(t->text, prefix, sizeof prefix - 1) == 0;
}

/* A value's text as the name of an object. */
static enum plumb_status name_part(struct history *h,
                                   const struct plumb_edn_token *t,
                                   const struct plumb_edn *after,
                                   struct plumb_value key,
                                   struct plumb_jepsen_op *op,
                                   struct plumb_error *err)
{
    const char *const text = t->kind == PLUMB_EDN_OPEN ? t->begin : t->text;
    const size_t length =
        t->kind == PLUMB_EDN_OPEN ? (size_t)(after->at - t->begin) : t->length;
    op->has_part = true;
    op->part = key.tag == PLUMB_STR
                   ? (uint32_t)key.bits
                   : plumb_builder_symbol(h->reader->builder, text, length);
    return op->part == UINT32_MAX ? plumb_fail_memory(err) : PLUMB_OK;
}

/* A tuple [key value] of jepsen.independent: the key names an object. */
static enum plumb_status read_tuple(struct history *h, struct plumb_edn *e,
                                    const struct plumb_edn_token *tag,
                                    struct plumb_jepsen_op *op,
                                    struct plumb_error *err)
{
    struct plumb_builder *const b = h->reader->builder;
    struct plumb_budget *const budget = h->reader->budget;
    struct plumb_edn_token t;
    struct plumb_value key;
    enum plumb_status status = plumb_edn_next(e, &t, err);
    if (status == PLUMB_OK && t.bracket != '[')
        status = plumb_edn_unexpected(&t, "the [ of a tuple", err);
    if (status == PLUMB_OK)
        status = plumb_edn_next(e, &t, err);
    if (status == PLUMB_OK)
        status = plumb_edn_value(e, &t, b, budget, &key, err);
    if (status == PLUMB_OK)
        status = name_part(h, &t, e, key, op, err);
    if (status == PLUMB_OK)
        status = plumb_edn_next(e, &t, err);
    if (status == PLUMB_OK)
        status = plumb_edn_list(e, &t, b, budget, &h->values, err);
    if (status == PLUMB_OK)
        status = plumb_edn_next(e, &t, err);
    if (status == PLUMB_OK && t.bracket != ']')
        status = fail_at(err, tag, "a tuple should have a key and a value");
    return status;
}

static enum plumb_status read_value(struct history *h, const struct map *m,
                                    struct plumb_jepsen_op *op,
                                    struct plumb_error *err)
{
    struct plumb_edn e = m->at[VALUE].after;
    const struct plumb_edn_token *const t = &m->at[VALUE].token;
    h->values.v[0] = plumb_nil();
    h->values.count = 1;
    if (!m->at[VALUE].given)
        return PLUMB_OK;
    op->is_empty = t->kind == PLUMB_EDN_KEYWORD &&
                   plumb_text_is(t->text, t->length, "empty");
    if (is_tuple_tag(t))
        return read_tuple(h, &e, t, op, err);
    return plumb_edn_list(&e, t, h->reader->builder, h->reader->budget,
                          &h->values, err);
}

static enum plumb_status read_key(struct history *h, const struct map *m,
                                  struct plumb_jepsen_op *op,
                                  struct plumb_error *err)
{
    struct plumb_edn e = m->at[KEY].after;
    op->has_key = m->at[KEY].given;
    return op->has_key
               ? plumb_edn_value(&e, &m->at[KEY].token, h->reader->builder,
                                 h->reader->budget, &op->key, err)
               : PLUMB_OK;
}

static enum plumb_status read_function(const struct map *m,
                                       struct plumb_jepsen_op *op,
                                       struct plumb_error *err)
{
    const struct plumb_edn_token *const t = &m->at[F].token;
    if (!m->at[F].given)
        return fail_at(err, &m->open, "the operation has no :f");
    if ((t->kind != PLUMB_EDN_KEYWORD && t->kind != PLUMB_EDN_WORD &&
         t->kind != PLUMB_EDN_STRING) ||
        !t->length)
        return plumb_edn_unexpected(t, "the name of a function", err);
    op->function = t->text;
    op->function_length = t->length;
    return PLUMB_OK;
}

static enum plumb_status read_type(const struct map *m,
                                   struct plumb_jepsen_op *op,
                                   struct plumb_error *err)
{
    const struct plumb_edn_token *const t = &m->at[TYPE].token;
    if (!m->at[TYPE].given)
        return fail_at(err, &m->open, "the operation has no :type");
    op->type = t->kind == PLUMB_EDN_KEYWORD
                   ? plumb_jepsen_type_of(t->text, t->length)
                   : PLUMB_JEPSEN_NO_TYPE;
    return op->type != PLUMB_JEPSEN_NO_TYPE
               ? PLUMB_OK
               : plumb_edn_unexpected(t, ":invoke, :ok, :fail or :info", err);
}

/* What a client says.  The value of an operation that failed, or of which
 * nobody knows, is of no consequence and may have any form. */
static enum plumb_status read_client(struct history *h, const struct map *m,
                                     struct plumb_error *err)
{
    struct plumb_jepsen_op op = {
        .origin = m->open.origin,
        .process = m->at[PROCESS].token.text,
        .process_length = m->at[PROCESS].token.length,
        .values = &h->values,
    };
    enum plumb_status status = read_type(m, &op, err);
    if (status == PLUMB_OK)
        status = read_function(m, &op, err);
    if (status == PLUMB_OK)
        status = read_time(m, &op, err);
    if (status == PLUMB_OK)
        status = read_key(h, m, &op, err);
    if (status == PLUMB_OK &&
        (op.type == PLUMB_JEPSEN_INVOKE || op.type == PLUMB_JEPSEN_OK))
        status = read_value(h, m, &op, err);
    return status == PLUMB_OK ? plumb_jepsen_add(&h->jepsen, &op, err) : status;
}

static enum plumb_status read_map(struct history *h,
                                  const struct plumb_edn_token *open,
                                  struct plumb_error *err)
{
    struct map m;
    const enum plumb_status status = find_keys(&h->edn, open, &m, err);
    if (status != PLUMB_OK)
        return status;
    if (!m.at[PROCESS].given)
        return fail_at(err, open, "the operation has no :process");
    return is_client(&m) ? read_client(h, &m, err) : PLUMB_OK;
}

/* ---- histories ---- */

/* The next token behind tags: records print as #jepsen.history.Op{...}. */
static enum plumb_status next_untagged(struct plumb_edn *e,
                                       struct plumb_edn_token *t,
                                       struct plumb_error *err)
{
    const enum plumb_status status = plumb_edn_next(e, t, err);
    return status == PLUMB_OK ? plumb_edn_untag(e, t, err) : status;
}

static enum plumb_status read_collection(struct history *h,
                                         const struct plumb_edn_token *open,
                                         struct plumb_error *err)
{
    const char close = open->bracket == '[' ? ']' : ')';
    for (;;) {
        struct plumb_edn_token t;
        enum plumb_status status = next_untagged(&h->edn, &t, err);
        if (status != PLUMB_OK)
            return status;
        if (t.bracket == close)
            return PLUMB_OK;
        if (t.kind == PLUMB_EDN_END)
            return plumb_fail(err, PLUMB_EINPUT, open->origin.line,
                              open->origin.column, "%c is never closed",
                              open->bracket);
        if (t.bracket != '{')
            return plumb_edn_unexpected(&t, "an operation map", err);
        status = read_map(h, &t, err);
        if (status != PLUMB_OK)
            return status;
    }
}

/* Maps up to the end or the next collection; `open` began the first. */
static enum plumb_status read_stream(struct history *h,
                                     struct plumb_edn_token open,
                                     struct plumb_error *err)
{
    for (;;) {
        enum plumb_status status = read_map(h, &open, err);
        if (status != PLUMB_OK)
            return status;
        const struct plumb_edn before = h->edn;
        status = next_untagged(&h->edn, &open, err);
        if (status != PLUMB_OK || open.kind == PLUMB_EDN_END)
            return status;
        if (open.bracket == '[' || open.bracket == '(') {
            h->edn = before;
            return PLUMB_OK;
        }
        if (open.bracket != '{')
            return plumb_edn_unexpected(&open, "an operation map", err);
    }
}

static enum plumb_status read_history(struct history *h,
                                      struct plumb_error *err)
{
    struct plumb_edn_token t;
    enum plumb_status status = next_untagged(&h->edn, &t, err);
    if (status != PLUMB_OK)
        return status;
    if (t.kind == PLUMB_EDN_END)
        return PLUMB_END;
    if (t.bracket == '{')
        status = read_stream(h, t, err);
    else if (t.bracket == '[' || t.bracket == '(')
        status = read_collection(h, &t, err);
    else
        status = plumb_edn_unexpected(&t, "an operation map or a vector", err);
    return status == PLUMB_OK ? plumb_jepsen_hint(&h->jepsen, err) : status;
}

static const char *line_start(const struct plumb_reader *r)
{
    const char *const newline = memrchr(r->data, '\n', r->at);
    return newline ? newline + 1 : r->data;
}

static enum plumb_status next(struct plumb_reader *r, struct plumb_error *err)
{
    if (r->at >= r->size)
        return PLUMB_END;
    struct history h = { .reader = r,
                         .edn = { r->data + r->at, r->data + r->size,
                                  line_start(r), r->line, 0 } };
    enum plumb_status status =
        plumb_jepsen_begin(&h.jepsen, r->builder, r->budget, err);
    if (status == PLUMB_OK)
        status = read_history(&h, err);
    plumb_jepsen_end(&h.jepsen);
    r->at = status == PLUMB_OK ? (size_t)(h.edn.at - r->data) : r->size;
    r->line = h.edn.line;
    return status;
}

/* ---- detecting ---- */

/* The first token behind tags and at most one opening [ or (. */
static bool first_inside(struct plumb_edn *e, struct plumb_edn_token *t)
{
    struct plumb_error err;
    bool opened = false;
    for (;;) {
        if (next_untagged(e, t, &err) != PLUMB_OK)
            return false;
        if (t->bracket != '[' && t->bracket != '(')
            return true;
        if (opened)
            return false;
        opened = true;
    }
}

static int detect(const char *data, size_t size)
{
    struct plumb_error err;
    struct plumb_edn_token t;
    struct plumb_edn e = { data, data + (size < LOOK_AT ? size : LOOK_AT), data,
                           1, 0 };
    if (!first_inside(&e, &t))
        return 0;
    if (t.bracket == ']' || t.bracket == ')')
        return 50; /* an empty history */
    if (t.bracket != '{' || plumb_edn_next(&e, &t, &err) != PLUMB_OK ||
        t.kind != PLUMB_EDN_KEYWORD)
        return 0;
    return memmem(data, (size_t)(e.end - data), ":process", 8) ? 95 : 60;
}

const struct plumb_format_class plumb_format_edn = {
    .format = PLUMB_FORMAT_EDN,
    .name = "edn",
    .what = "operation maps of Jepsen, Knossos and Porcupine",
    .ties = PLUMB_TIES_CALL_FIRST,
    .detect = detect,
    .next = next,
};
