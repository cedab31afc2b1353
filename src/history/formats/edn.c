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
#include "base/spelling.h"
#include "jepsen_event.h"
#include "lines.h"
#include <string.h>

enum { LOOK_AT = 4096 }; /* bytes that detecting looks at */

/* Of the history so far. */
struct known {
    struct plumb_history_jepsen_known jepsen; /* first, see jepsen_event.h */
    bool maps; /* it is of maps outside any collection */
    char open; /* or of a collection: [ or (, else 0   */
    struct plumb_origin opened;
};

struct history {
    struct plumb_reader *reader;
    struct known *known;
    struct plumb_history_jepsen jepsen;
    struct plumb_history_edn edn;
    bool whole;  /* the map that is being read: all of it is there */
    bool at_end; /* ... of the data */
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

/* Find the keys of the map that `open` began. */
static bool find_keys(struct history *h,
                      const struct plumb_history_edn_token *open, struct map *m)
{
    struct plumb_history_edn *const e = &h->edn;
    struct plumb_history_edn_token key, value;
    *m = (struct map){ .open = *open };
    while (plumb_history_edn_next(e, &key)) {
        if (key.bracket == '}')
            return true;
        if (key.kind == PLUMB_EDN_END)
            return plumb_history_fail(h->edn.err, open->origin,
                                      "{ is never closed");
        if (!plumb_history_edn_skip(e, &key) ||
            !plumb_history_edn_next(e, &value))
            return false;
        struct place *const place = place_for(m, &key);
        if (place)
            *place = (struct place){ true, value, *e };
        if (!plumb_history_edn_skip(e, &value))
            return false;
    }
    return false;
}

static bool read_time(struct history *h, const struct map *m,
                      struct plumb_history_jepsen_op *op)
{
    const struct plumb_history_edn_token *const t = &m->at[TIME].token;
    const struct plumb_history_field field = { t->text, t->length, t->origin };
    if (!m->at[TIME].given || plumb_base_is_word(t->text, t->length, "nil"))
        return true;
    op->has_time = true;
    op->time_origin = t->origin;
    return plumb_history_field_integer(&field, ":time should be an integer",
                                       &op->time, h->edn.err);
}

static bool read_value(struct history *h, const struct map *m,
                       struct plumb_history_jepsen_op *op)
{
    struct plumb_history_edn e = m->at[VALUE].after;
    return m->at[VALUE].given ? plumb_history_jepsen_value(
                                    &h->jepsen, &e, &m->at[VALUE].token, op)
                              : plumb_history_jepsen_no_value(&h->jepsen, op);
}

static bool read_key(const struct map *m, struct plumb_history_jepsen_op *op)
{
    struct plumb_history_edn e = m->at[KEY].after;
    op->has_key = m->at[KEY].given;
    return !op->has_key ||
           plumb_history_edn_value(&e, &m->at[KEY].token, &op->key);
}

static bool read_function(struct history *h, const struct map *m,
                          struct plumb_history_jepsen_op *op)
{
    const struct plumb_history_edn_token *const t = &m->at[F].token;
    if (!m->at[F].given)
        return plumb_history_fail(h->edn.err, m->open.origin,
                                  "the operation has no :f");
    if ((t->kind != PLUMB_EDN_KEYWORD && t->kind != PLUMB_EDN_WORD &&
         t->kind != PLUMB_EDN_STRING) ||
        !t->length)
        return plumb_history_edn_unexpected(&h->edn, t,
                                            "the name of a function");
    op->function = t->text;
    op->function_length = t->length;
    op->role = plumb_history_role_of(t->text, t->length);
    return true;
}

static enum plumb_history_jepsen_type type_of(const struct map *m)
{
    const struct plumb_history_edn_token *const t = &m->at[TYPE].token;
    return m->at[TYPE].given && t->kind == PLUMB_EDN_KEYWORD
               ? plumb_history_jepsen_type_of(t->text, t->length)
               : PLUMB_JEPSEN_NO_TYPE;
}

static bool read_type(struct history *h, const struct map *m,
                      struct plumb_history_jepsen_op *op)
{
    if (!m->at[TYPE].given)
        return plumb_history_fail(h->edn.err, m->open.origin,
                                  "the operation has no :type");
    op->type = type_of(m);
    return op->type != PLUMB_JEPSEN_NO_TYPE ||
           plumb_history_edn_unexpected(&h->edn, &m->at[TYPE].token,
                                        ":invoke, :ok, :fail or :info");
}

/* What a client says.  The value of an operation that failed, or of which
 * nobody knows, is of no consequence and may have any form. */
static bool read_client(struct history *h, const struct map *m)
{
    struct plumb_history_jepsen_op op = {
        .origin = m->open.origin,
        .process = m->at[PROCESS].token.text,
        .process_length = m->at[PROCESS].token.length,
        .values = &h->values,
    };
    return read_type(h, m, &op) && read_function(h, m, &op) &&
           read_time(h, m, &op) && read_key(m, &op) &&
           ((op.type != PLUMB_JEPSEN_INVOKE && op.type != PLUMB_JEPSEN_OK) ||
            read_value(h, m, &op)) &&
           plumb_history_jepsen_add(&h->jepsen, &op);
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

static bool read_map(struct history *h,
                     const struct plumb_history_edn_token *open)
{
    struct map m;
    h->whole = false;
    if (!find_keys(h, open, &m))
        return false;
    h->whole = true;
    h->known->maps |= !h->known->open;
    if (!m.at[PROCESS].given)
        return plumb_history_fail(h->edn.err, open->origin,
                                  "the operation has no :process");
    h->known->jepsen.any = true;
    return !is_client(h, &m) || read_client(h, &m);
}

/* ---- histories ---- */

/* The next token behind tags: records print as #jepsen.history.Op{...}. */
static bool next_untagged(struct plumb_history_edn *e,
                          struct plumb_history_edn_token *t)
{
    return plumb_history_edn_next(e, t) && plumb_history_edn_untag(e, t);
}

/* Behind the last map: the end of the data.  In a piece that says nothing. */
static bool end_data(struct history *h)
{
    const struct known *const k = h->known;
    h->at_end = true;
    return !k->open || h->reader->more ||
           plumb_history_fail(h->edn.err, k->opened, "%c is never closed",
                              k->open);
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
static bool read_item(struct history *h)
{
    struct known *const k = h->known;
    struct plumb_history_edn_token t;
    h->whole = false;
    if (!next_untagged(&h->edn, &t))
        return false;
    if (t.kind == PLUMB_EDN_END)
        return end_data(h);
    if (!k->jepsen.any)
        h->reader->first = t.origin;
    if (t.bracket == '{')
        return read_map(h, &t);
    if (!k->open && plumb_history_edn_is_list(&t)) {
        begin_list(h, &t);
        return true;
    }
    h->reader->ended = k->open && t.bracket == (k->open == '[' ? ']' : ')');
    return h->reader->ended ||
           plumb_history_edn_unexpected(&h->edn, &t,
                                        k->open || k->maps
                                            ? "an operation map"
                                            : "an operation map or a vector");
}

/* What failed because the piece ends there may go on in the next one. */
static bool waits(const struct history *h, bool good)
{
    return h->reader->more && !h->whole &&
           (good ? h->at_end
                 : h->edn.err->status == PLUMB_EINPUT &&
                       h->edn.at == h->edn.end);
}

/* Up to the end of the history, or of the data. */
static bool read_items(struct history *h)
{
    for (;;) {
        const struct plumb_history_edn before = h->edn;
        const bool good = read_item(h), wait = waits(h, good);
        if (wait || (h->reader->ended && h->known->maps))
            h->edn = before;
        if (wait || !good || h->at_end || h->reader->ended)
            return wait || good;
    }
}

static enum plumb_status read_on(struct plumb_reader *r,
                                 struct plumb_error *err)
{
    const char *const from = r->data + r->at;
    struct history h = { .reader = r,
                         .known = r->state,
                         .edn = { .at = from,
                                  .end = r->data + r->size,
                                  .line_start = from,
                                  .line = r->line,
                                  .before = r->column,
                                  .err = err,
                                  .builder = r->builder,
                                  .budget = r->budget } };
    const bool good =
        plumb_history_jepsen_begin(&h.jepsen, r, &h.known->jepsen, err) &&
        plumb_history_jepsen_hint(&h.jepsen, read_items(&h));
    r->at = good ? (size_t)(h.edn.at - r->data) : r->size;
    r->line = h.edn.line;
    r->column = h.edn.before + (size_t)(h.edn.at - h.edn.line_start);
    if (!good)
        return err->status;
    return h.known->jepsen.any ? PLUMB_OK : PLUMB_END;
}

static enum plumb_status next(struct plumb_reader *r, struct plumb_error *err)
{
    return plumb_history_jepsen_next(r, read_on, err);
}

/* ---- detecting ---- */

/* The first token behind tags and at most one opening [ or (. */
static bool first_inside(struct plumb_history_edn *e,
                         struct plumb_history_edn_token *t)
{
    bool opened = false;
    while (next_untagged(e, t)) {
        if (!plumb_history_edn_is_list(t))
            return true;
        if (opened)
            break;
        opened = true;
    }
    return false;
}

static int detect(const char *data, size_t size)
{
    struct plumb_error err;
    struct plumb_history_edn_token t;
    struct plumb_history_edn e = { .at = data,
                                   .end =
                                       data + (size < LOOK_AT ? size : LOOK_AT),
                                   .line_start = data,
                                   .line = 1,
                                   .err = &err };
    if (!first_inside(&e, &t))
        return 0;
    if (t.bracket == ']' || t.bracket == ')')
        return 50; /* an empty history */
    if (t.bracket != '{' || !plumb_history_edn_next(&e, &t) ||
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
    .forget = plumb_history_jepsen_forget,
    .detect = detect,
    .next = next,
};
