/* read_formula.c - the text of a temporal formula, as whoever checks it wants
 * it: constants in events are put in, and c!5 of a channel where sender and
 * receiver meet is c.5, the event that is seen there.
 *
 * Blanks behind an event make up for what it got shorter, so that columns in
 * messages stay right. */
#include "model_reader.h"

#include "base/text.h"

struct formula_text {
    struct plumb_csp_read *r;
    struct plumb_base_text text;
    size_t wanted; /* its length, with what was left out */
};

static void write_token(struct formula_text *f, const struct plumb_csp_token *t)
{
    plumb_base_text_bytes(&f->text, t->text, t->length);
    f->wanted += t->length;
}

/* ---- events ---- */

static bool is_operator_word(const struct plumb_csp_token *t)
{
    return plumb_csp_token_is_one(t, "U V R X G F true false xor");
}

/* The channel of c! or c?; NULL if that is not what comes. */
static const struct plumb_csp_channel *channel_at(
    const struct plumb_csp_read *r)
{
    const struct plumb_csp_symbol *const s =
        plumb_csp_read_symbol(r, plumb_csp_read_token(r));
    return s && s->kind == PLUMB_SYMBOL_CHANNEL &&
                   plumb_csp_token_is_one(plumb_csp_read_ahead(r, 1), "! ?")
               ? r->channel.at + s->number
               : NULL;
}

/* c!5 of c[3] would never be seen. */
static bool fail_array(struct plumb_csp_read *r,
                       const struct plumb_csp_channel *c)
{
    return plumb_csp_read_fail(
        r, plumb_csp_read_token(r)->place,
        "%s is an array of channels; name one in quotes, such as \"%s[0]!5\"",
        c->name, c->name);
}

static bool datum_named(struct plumb_csp_read *r,
                        const struct plumb_csp_token *t, int32_t *value)
{
    *value = plumb_csp_token_is(t, "true");
    if (*value || plumb_csp_token_is(t, "false"))
        return true;
    const struct plumb_csp_expr *const e = plumb_csp_read_constant_named(r, t);
    if (!e)
        return plumb_csp_read_fail(
            r, t->place, "event data must be numbers or constants here");
    *value = e->value;
    return true;
}

/* 5, -5 or N */
static bool write_datum(struct formula_text *f)
{
    struct plumb_csp_read *const r = f->r;
    const struct plumb_csp_token *t = plumb_csp_read_token(r);
    int32_t value;
    if (plumb_csp_token_is(t, "-") &&
        plumb_csp_read_ahead(r, 1)->kind == PLUMB_TOKEN_NUMBER) {
        write_token(f, t);
        r->at++;
    }
    t = plumb_csp_read_token(r);
    if (t->kind == PLUMB_TOKEN_NUMBER) {
        write_token(f, t);
    } else {
        if (!datum_named(r, t, &value))
            return false;
        plumb_base_text_printf(&f->text, "%d", (int)value);
        f->wanted += t->length;
    }
    r->at++;
    return true;
}

/* An event with so many data is named.  A name that nothing has is an error
 * later on. */
static bool mention(struct plumb_csp_read *r,
                    const struct plumb_csp_token *name, uint32_t data)
{
    const struct plumb_csp_symbol *const s = plumb_csp_read_symbol(r, name);
    struct plumb_csp_event_text e = { .place = name->place, .count = data };
    if (s && s->kind == PLUMB_SYMBOL_CHANNEL &&
        r->channel.at[s->number].capacity &&
        plumb_csp_token_is_one(name + 1, "! ?")) {
        e.kind = plumb_csp_token_is(name + 1, "!") ? PLUMB_EVENT_SEND
                                                   : PLUMB_EVENT_RECEIVE;
        e.name = s->number;
    } else if ((s && s->kind == PLUMB_SYMBOL_DEFINE) ||
               plumb_csp_token_is_one(name, "tau terminate")) {
        return true;
    } else if (s && s->kind == PLUMB_SYMBOL_CHANNEL) {
        if (!plumb_csp_read_event_name(r, name->text, name->length, &e.name))
            return false;
    } else {
        e.name = plumb_csp_table_find(&r->names, name->text, name->length);
    }
    return e.name == UINT32_MAX || PLUMB_LIST_ADD(r, &r->mentioned, e);
}

/* eat.0.N, c!5.N */
static bool write_event(struct formula_text *f)
{
    struct plumb_csp_read *const r = f->r;
    const struct plumb_csp_token *const name = plumb_csp_read_token(r);
    const struct plumb_csp_channel *const c = channel_at(r);
    const bool meets = c && c->capacity == 0;
    bool data = c != NULL;
    uint32_t count = 0;
    if (c && c->array)
        return fail_array(r, c);
    write_token(f, plumb_csp_read_token(r));
    r->at++;
    for (; data || plumb_csp_read_at(r, "."); data = false) {
        const struct plumb_csp_token *const t = plumb_csp_read_token(r);
        f->wanted += t->gap + t[1].gap;
        if (data && meets)
            plumb_base_text_bytes(&f->text, ".", 1), f->wanted++;
        else
            write_token(f, t);
        r->at++;
        if (!write_datum(f))
            return false;
        count++;
    }
    while (f->text.size < f->wanted && !f->text.broken)
        plumb_base_text_bytes(&f->text, " ", 1);
    return mention(r, name, count);
}

/* ---- the whole ---- */

static bool write_formula(struct formula_text *f, uint32_t end)
{
    struct plumb_csp_read *const r = f->r;
    for (const uint32_t first = r->at; r->at < end;) {
        const struct plumb_csp_token *const t = plumb_csp_read_token(r);
        if (t->gap && r->at > first)
            plumb_base_text_bytes(&f->text, " ", 1), f->wanted++;
        if (t->kind == PLUMB_TOKEN_NAME && !is_operator_word(t)) {
            if (!write_event(f))
                return false;
        } else {
            write_token(f, t);
            r->at++;
        }
    }
    return !f->text.broken || plumb_csp_read_fail_memory(r);
}

const char *plumb_csp_read_formula(struct plumb_csp_read *r, uint32_t end)
{
    struct formula_text f = { .r = r };
    plumb_base_text_init(&f.text, r->reading->budget);
    const char *const text =
        write_formula(&f, end)
            ? plumb_csp_read_text(r, plumb_base_text_string(&f.text),
                                  f.text.size)
            : NULL;
    plumb_base_text_release(&f.text);
    return text;
}
