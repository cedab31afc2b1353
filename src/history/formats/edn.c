/* edn.c - reading operation maps in EDN: Jepsen, Knossos, Porcupine.
 *
 *     {:process 3, :type :invoke, :f :cas, :value [2 4]}
 *
 * Each vector or list of such maps is a history; maps that stand in none make
 * one history together.  A map is read in two passes: its keys are found
 * first, since only then it is known whether a client's value is worth
 * understanding; the nemesis may say what it likes.
 *
 * Pieces of a stream end anywhere.  A map that does not end in one is read
 * again when there is more. */
#include "base/fail.h"
#include "base/spelling.h"
#include "jepsen_event.h"
#include "lines.h"
#include <string.h>

enum { LOOK_AT = 4096 }; /* bytes that detecting looks at */

/* Of the history so far. */
struct known {
    struct plumb_history_jepsen_known jepsen;
    bool maps; /* it is of maps outside any collection */
    char open; /* or of a collection: [ or (, else 0   */
    struct plumb_origin opened;
};

struct history {
    struct plumb_reader *reader;
    struct known *known;
    struct plumb_history_jepsen jepsen;
    struct plumb_history_edn edn;
    bool whole; /* the map that is being read: all of it is there */
    struct plumb_history_edn_values values;
};

/* Where a key's value stands: its first token, and the cursor behind that. */
struct place {
    bool given;
    struct plumb_history_edn_token token;
    struct plumb_history_edn after;
};

enum key { PROCESS, TYPE, F, VALUE, TIME, KEY, KEYS };

static const char *const key_name[KEYS] = { "process", "type", "f",
                                            "value",   "time", "key" };

struct map {
    struct plumb_history_edn_token open;
    struct place at[KEYS];
};

static enum plumb_status fail_at(struct plumb_error *err,
                                 const struct plumb_history_edn_token *t,
                                 const char *message)
{
    return plumb_base_fail(err, PLUMB_EINPUT, t->origin.line, t->origin.column,
                           "%s", message);
}

/* ---- one map ---- */

static struct place *place_for(struct map *m,
                               const struct plumb_history_edn_token *t)
{
    if (t->kind != PLUMB_EDN_KEYWORD)
        return NULL;
    for (int i = 0; i < KEYS; i++)
        if (plumb_base_is_word(t->text, t->length, key_name[i]))
            return m->at + i;
    return NULL;
}

static enum plumb_status find_value(struct plumb_history_edn *e,
                                    struct place *place,
                                    struct plumb_error *err)
{
    struct plumb_history_edn_token t;
    const enum plumb_status status = plumb_history_edn_next(e, &t, err);
    if (status != PLUMB_OK)
        return status;
    if (place)
        *place = (struct place){ true, t, *e };
    return plumb_history_edn_skip(e, &t, err);
}

/* Find the keys of the map that `open` began. */
static enum plumb_status find_keys(struct plumb_history_edn *e,
                                   const struct plumb_history_edn_token *open,
                                   struct map *m, struct plumb_error *err)
{
    *m = (struct map){ .open = *open };
    for (;;) {
        struct plumb_history_edn_token t;
        enum plumb_status status = plumb_history_edn_next(e, &t, err);
        if (status != PLUMB_OK)
            return status;
        if (t.bracket == '}')
            return PLUMB_OK;
        if (t.kind == PLUMB_EDN_END)
            return fail_at(err, open, "{ is never closed");
        status = plumb_history_edn_skip(e, &t, err);
        if (status == PLUMB_OK)
            status = find_value(e, place_for(m, &t), err);
        if (status != PLUMB_OK)
            return status;
    }
}

static enum plumb_status read_time(const struct map *m,
                                   struct plumb_history_jepsen_op *op,
                                   struct plumb_error *err)
{
    const struct plumb_history_edn_token *const t = &m->at[TIME].token;
    const struct plumb_history_field field = { t->text, t->length, t->origin };
    if (!m->at[TIME].given || plumb_base_is_word(t->text, t->length, "nil"))
        return PLUMB_OK;
    op->has_time = true;
    op->time_origin = t->origin;
    return plumb_history_field_integer(&field, ":time should be an integer",
                                       &op->time, err);
}

static enum plumb_status read_value(struct history *h, const struct map *m,
                                    struct plumb_history_jepsen_op *op,
                                    struct plumb_error *err)
{
    struct plumb_history_edn e = m->at[VALUE].after;
    return m->at[VALUE].given
               ? plumb_history_jepsen_value(&h->jepsen, &e, &m->at[VALUE].token,
                                            op, err)
               : plumb_history_jepsen_no_value(&h->jepsen, op, err);
}

static enum plumb_status read_key(struct history *h, const struct map *m,
                                  struct plumb_history_jepsen_op *op,
                                  struct plumb_error *err)
{
    struct plumb_history_edn e = m->at[KEY].after;
    op->has_key = m->at[KEY].given;
    return op->has_key
               ? plumb_history_edn_value(&e, &m->at[KEY].token,
                                         h->reader->builder, h->reader->budget,
                                         &op->key, err)
               : PLUMB_OK;
}

static enum plumb_status read_function(const struct map *m,
                                       struct plumb_history_jepsen_op *op,
                                       struct plumb_error *err)
{
    const struct plumb_history_edn_token *const t = &m->at[F].token;
    if (!m->at[F].given)
        return fail_at(err, &m->open, "the operation has no :f");
    if ((t->kind != PLUMB_EDN_KEYWORD && t->kind != PLUMB_EDN_WORD &&
         t->kind != PLUMB_EDN_STRING) ||
        !t->length)
        return plumb_history_edn_unexpected(t, "the name of a function", err);
    op->function = t->text;
    op->function_length = t->length;
    op->role = plumb_history_role_of(t->text, t->length);
    return PLUMB_OK;
}

static enum plumb_history_jepsen_type type_of(const struct map *m)
{
    const struct plumb_history_edn_token *const t = &m->at[TYPE].token;
    return m->at[TYPE].given && t->kind == PLUMB_EDN_KEYWORD
               ? plumb_history_jepsen_type_of(t->text, t->length)
               : PLUMB_JEPSEN_NO_TYPE;
}

static enum plumb_status read_type(const struct map *m,
                                   struct plumb_history_jepsen_op *op,
                                   struct plumb_error *err)
{
    const struct plumb_history_edn_token *const t = &m->at[TYPE].token;
    if (!m->at[TYPE].given)
        return fail_at(err, &m->open, "the operation has no :type");
    op->type = type_of(m);
    return op->type != PLUMB_JEPSEN_NO_TYPE
               ? PLUMB_OK
               : plumb_history_edn_unexpected(t, ":invoke, :ok, :fail or :info",
                                              err);
}

/* What a client says.  The value of an operation that failed, or of which
 * nobody knows, is of no consequence and may have any form. */
static enum plumb_status read_client(struct history *h, const struct map *m,
                                     struct plumb_error *err)
{
    struct plumb_history_jepsen_op op = {
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
    return status == PLUMB_OK ? plumb_history_jepsen_add(&h->jepsen, &op, err)
                              : status;
}

static bool is_client(const struct history *h, const struct map *m)
{
    const struct plumb_history_edn_token *const t = &m->at[PROCESS].token;
    int64_t number;
    const bool is_word = t->kind == PLUMB_EDN_WORD;
    const bool is_number =
        is_word &&
        plumb_history_read_integer(t->text, t->length, &number) == PLUMB_NUMBER;
    if (!is_word && t->kind != PLUMB_EDN_KEYWORD && t->kind != PLUMB_EDN_STRING)
        return false;
    return plumb_history_jepsen_is_client(&h->jepsen, t->text, t->length,
                                          is_number, type_of(m));
}

static enum plumb_status read_map(struct history *h,
                                  const struct plumb_history_edn_token *open,
                                  struct plumb_error *err)
{
    struct map m;
    h->whole = false;
    const enum plumb_status status = find_keys(&h->edn, open, &m, err);
    if (status != PLUMB_OK)
        return status;
    h->whole = true;
    h->known->maps |= !h->known->open;
    if (!m.at[PROCESS].given)
        return fail_at(err, open, "the operation has no :process");
    h->known->jepsen.any = true;
    return is_client(h, &m) ? read_client(h, &m, err) : PLUMB_OK;
}

/* ---- histories ---- */

/* The next token behind tags: records print as #jepsen.history.Op{...}. */
static enum plumb_status next_untagged(struct plumb_history_edn *e,
                                       struct plumb_history_edn_token *t,
                                       struct plumb_error *err)
{
    const enum plumb_status status = plumb_history_edn_next(e, t, err);
    return status == PLUMB_OK ? plumb_history_edn_untag(e, t, err) : status;
}

/* Behind the last map: the end of the data.  In a piece that says nothing. */
static enum plumb_status end_data(struct history *h, struct plumb_error *err)
{
    const struct known *const k = h->known;
    if (!k->open || h->reader->more)
        return PLUMB_END;
    return plumb_base_fail(err, PLUMB_EINPUT, k->opened.line, k->opened.column,
                           "%c is never closed", k->open);
}

/* A list begins: of this history, or the next one's.  */
static void begin_list(struct history *h,
                       const struct plumb_history_edn_token *t)
{
    h->reader->ended = h->known->maps;
    if (h->known->maps)
        return;
    h->known->jepsen.any = true;
    h->known->open = t->bracket;
    h->known->opened = t->origin;
}

/* What comes next: a map, or the beginning or end of a collection of them. */
static enum plumb_status read_item(struct history *h, struct plumb_error *err)
{
    struct known *const k = h->known;
    struct plumb_history_edn_token t;
    h->whole = false;
    const enum plumb_status status = next_untagged(&h->edn, &t, err);
    if (status != PLUMB_OK)
        return status;
    if (t.kind == PLUMB_EDN_END)
        return end_data(h, err);
    if (!k->jepsen.any)
        h->reader->first = t.origin;
    if (t.bracket == '{')
        return read_map(h, &t, err);
    if (!k->open && plumb_history_edn_is_list(&t)) {
        begin_list(h, &t);
        return PLUMB_OK;
    }
    h->reader->ended = k->open && t.bracket == (k->open == '[' ? ']' : ')');
    if (h->reader->ended)
        return PLUMB_OK;
    return plumb_history_edn_unexpected(&t,
                                        k->open || k->maps
                                            ? "an operation map"
                                            : "an operation map or a vector",
                                        err);
}

/* What failed because the piece ends there may go on in the next one. */
static bool waits(const struct history *h, enum plumb_status status)
{
    return h->reader->more && !h->whole &&
           (status == PLUMB_END ||
            (status == PLUMB_EINPUT && h->edn.at == h->edn.end));
}

/* Up to the end of the history, or of the data: PLUMB_END. */
static enum plumb_status read_items(struct history *h, struct plumb_error *err)
{
    for (;;) {
        const struct plumb_history_edn before = h->edn;
        const enum plumb_status status = read_item(h, err);
        const bool wait = waits(h, status);
        if (wait || (h->reader->ended && h->known->maps))
            h->edn = before;
        if (wait)
            return PLUMB_END;
        if (status != PLUMB_OK || h->reader->ended)
            return status;
    }
}

static enum plumb_status read_history(struct history *h,
                                      struct plumb_error *err)
{
    const enum plumb_status status = read_items(h, err);
    const enum plumb_status hinted =
        plumb_history_jepsen_hint(&h->jepsen, err, status);
    return hinted == PLUMB_OK && !h->known->jepsen.any ? PLUMB_END : hinted;
}

static enum plumb_status read_on(struct plumb_reader *r,
                                 struct plumb_error *err)
{
    struct history h = { .reader = r,
                         .known = r->state,
                         .edn = { r->data + r->at, r->data + r->size,
                                  r->data + r->at, r->line, 0, r->column } };
    enum plumb_status status =
        plumb_history_jepsen_begin(&h.jepsen, r, &h.known->jepsen, err);
    if (status == PLUMB_OK)
        status = read_history(&h, err);
    r->at = status == PLUMB_OK || status == PLUMB_END
                ? (size_t)(h.edn.at - r->data)
                : r->size;
    r->line = h.edn.line;
    r->column = h.edn.before + (size_t)(h.edn.at - h.edn.line_start);
    return status;
}

static enum plumb_status next(struct plumb_reader *r, struct plumb_error *err)
{
    struct known *const known = r->state;
    return plumb_history_jepsen_next(r, &known->jepsen, read_on, err);
}

static void forget(struct plumb_reader *r)
{
    struct known *const known = r->state;
    plumb_history_jepsen_forget(&known->jepsen, r->budget);
}

/* ---- detecting ---- */

/* The first token behind tags and at most one opening [ or (. */
static bool first_inside(struct plumb_history_edn *e,
                         struct plumb_history_edn_token *t)
{
    struct plumb_error err;
    bool opened = false;
    for (;;) {
        if (next_untagged(e, t, &err) != PLUMB_OK)
            return false;
        if (!plumb_history_edn_is_list(t))
            return true;
        if (opened)
            return false;
        opened = true;
    }
}

static int detect(const char *data, size_t size)
{
    struct plumb_error err;
    struct plumb_history_edn_token t;
    struct plumb_history_edn e = {
        data, data + (size < LOOK_AT ? size : LOOK_AT), data, 1, 0, 0
    };
    if (!first_inside(&e, &t))
        return 0;
    if (t.bracket == ']' || t.bracket == ')')
        return 50; /* an empty history */
    if (t.bracket != '{' || plumb_history_edn_next(&e, &t, &err) != PLUMB_OK ||
        t.kind != PLUMB_EDN_KEYWORD)
        return 0;
    return memmem(data, (size_t)(e.end - data), ":process", 8) ? 95 : 60;
}

const struct plumb_history_format_class plumb_history_format_edn = {
    .format = PLUMB_FORMAT_EDN,
    .name = "edn",
    .what = "operation maps of Jepsen, Knossos and Porcupine",
    .ties = PLUMB_TIES_CALL_FIRST,
    .in_order = true,
    .state = sizeof(struct known),
    .forget = forget,
    .detect = detect,
    .next = next,
};
