/* plain.c - making a plain specification, and reading operations by it. */
#include "plain.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/pace.h"
#include "base/spelling.h"
#include "words.h"
#include <string.h>

static const struct plumb_proof_plain_type *const types[] = {
    &plumb_proof_plain_queue,
    &plumb_proof_plain_semiqueue,
    &plumb_proof_plain_stuttering_queue,
    &plumb_proof_plain_stack,
    &plumb_proof_plain_deque,
    &plumb_proof_plain_priority_queue,
    &plumb_proof_plain_set,
    &plumb_proof_plain_multiset,
    &plumb_proof_plain_bag,
    &plumb_proof_plain_map,
    &plumb_proof_plain_register,
    &plumb_proof_plain_counter,
    &plumb_proof_plain_semaphore,
    &plumb_proof_plain_mutex,
    &plumb_proof_plain_barrier,
    &plumb_proof_plain_exchanger,
    &plumb_proof_local_queue,
    &plumb_proof_local_stack,
};

/* ---- names ---- */

static bool is_ignored(char c)
{
    return c == '-' || c == '_';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool plumb_proof_plain_same(const char *a, size_t a_size, const char *b,
                            size_t b_size)
{
    const char *const a_end = a + a_size, *const b_end = b + b_size;
    for (;;) {
        while (a < a_end && is_ignored(*a))
            a++;
        while (b < b_end && is_ignored(*b))
            b++;
        if (a == a_end || b == b_end)
            return a == a_end && b == b_end;
        if (lower(*a++) != lower(*b++))
            return false;
    }
}

/* Is `name` in a list like "deq dequeue remove"? */
static bool is_listed(const char *list, const char *name, size_t length)
{
    while (*list) {
        const size_t size = strcspn(list, " /");
        if (plumb_proof_plain_same(list, size, name, length))
            return true;
        list += strcspn(list, " ");
        list += strspn(list, " ");
    }
    return false;
}

const struct plumb_proof_plain_operation *plumb_proof_plain_operation(
    const struct plumb_proof_plain *p, const char *name, size_t length)
{
    for (unsigned i = 0; i < p->type->operations; i++)
        if (is_listed(p->type->operation[i].names, name, length))
            return p->type->operation + i;
    return NULL;
}

/* ---- texts ---- */

const char *plumb_proof_plain_symbol(const struct plumb_proof_plain *p,
                                     uint32_t symbol, size_t *size)
{
    const struct plumb_symbols *const s = p->has_more ? &p->more : p->symbols;
    if (symbol < s->count)
        return plumb_symbol_text(s, symbol, size);
    *size = 0; /* a number that a user's specification made up */
    return "";
}

/* Interned in their order, the symbols of the history keep their numbers. */
static bool copy_symbols(struct plumb_proof_plain *p)
{
    if (p->has_more)
        return true;
    if (!plumb_history_symbols_init(&p->more, p->budget))
        return false;
    for (uint32_t i = 0; p->symbols && i < p->symbols->count; i++) {
        size_t size;
        const char *const text = plumb_symbol_text(p->symbols, i, &size);
        if (plumb_history_symbols_intern(&p->more, text, size) != i ||
            !plumb_base_in_time(p->budget, i)) {
            plumb_history_symbols_release(&p->more);
            return false;
        }
    }
    p->has_more = true;
    return true;
}

uint32_t plumb_proof_plain_intern(struct plumb_proof_plain *p, const char *text,
                                  size_t size)
{
    if (!copy_symbols(p))
        return UINT32_MAX;
    return plumb_history_symbols_intern(&p->more, text, size);
}

/* ---- parameters ---- */

struct parser {
    struct plumb_proof_plain *p;
    const char *start, *at;
    struct plumb_error *err;
};

static enum plumb_status fail_at(const struct parser *s, const char *what)
{
    return plumb_base_fail(s->err, PLUMB_EINPUT, 0,
                           (uint64_t)(s->at - s->start) + 1,
                           "specification %.100s: %s", s->start, what);
}

/* A parameter's text: up to the next comma outside quotes. */
static size_t parameter_length(const char *text)
{
    size_t n = 0;
    bool quoted = false;
    for (; text[n] && (quoted || text[n] != ','); n++) {
        if (text[n] == '\\' && quoted && text[n + 1])
            n++;
        else if (text[n] == '"')
            quoted = !quoted;
    }
    return n;
}

/* Decimal digits, with a sign or without; false if it is anything else. */
static bool read_integer(const char *text, size_t length, int64_t *number)
{
    const bool negative = length && text[0] == '-';
    const uint64_t limit = (uint64_t)INT64_MAX + negative;
    uint64_t n = 0;
    if (length == negative)
        return false;
    for (size_t i = negative; i < length; i++) {
        const uint64_t digit = (uint64_t)text[i] - '0';
        if (text[i] < '0' || text[i] > '9' || n > (limit - digit) / 10)
            return false;
        n = 10 * n + digit;
    }
    *number = (int64_t)(negative ? 0 - n : n);
    return true;
}

/* "a \"quoted\" text" without its quotes; UINT32_MAX when out of memory. */
static uint32_t read_text(struct plumb_proof_plain *p, const char *text,
                          size_t length)
{
    char plain[256];
    size_t size = 0;
    const bool quoted = length >= 2 && *text == '"' && text[length - 1] == '"';
    if (!quoted || length > sizeof plain)
        return plumb_proof_plain_intern(p, text, length);
    for (size_t i = 1; i + 1 < length; i++) {
        if (text[i] == '\\' && i + 2 < length)
            i++;
        plain[size++] = text[i];
    }
    return plumb_proof_plain_intern(p, plain, size);
}

static enum plumb_status read_value(struct parser *s, const char *text,
                                    size_t length, struct plumb_value *v)
{
    int64_t number;
    if (read_integer(text, length, &number)) {
        *v = plumb_int(number);
    } else if (plumb_base_is_word(text, length, "nil")) {
        *v = plumb_nil();
    } else if (plumb_base_is_word(text, length, "true") ||
               plumb_base_is_word(text, length, "false")) {
        *v = plumb_bool(*text == 't');
    } else {
        const uint32_t symbol = read_text(s->p, text, length);
        if (symbol == UINT32_MAX)
            return plumb_base_fail_memory(s->err);
        *v = plumb_str(symbol);
    }
    return PLUMB_OK;
}

static enum plumb_status read_init(struct parser *s, const char *value,
                                   size_t length)
{
    struct plumb_proof_plain_parameters *const with = &s->p->with;
    if (!length)
        return fail_at(s, "init needs a value");
    with->has_init = true;
    const enum plumb_status status = read_value(s, value, length, &with->init);
    if (status == PLUMB_OK && s->p->type == &plumb_proof_plain_counter &&
        with->init.tag != PLUMB_INT)
        return fail_at(s, "init of a counter must be an integer");
    return status;
}

/* A relaxing parameter? */
static bool read_relaxation(struct plumb_proof_plain_parameters *with,
                            const char *key, size_t size, uint64_t number)
{
    static const char *const names[PLAIN_RELAXATIONS] = {
        [PLAIN_K] = "k",         [PLAIN_EARLY] = "early",
        [PLAIN_LATE] = "late",   [PLAIN_SEGMENT] = "segment",
        [PLAIN_ENQ] = "enq",     [PLAIN_DEQ] = "deq",
        [PLAIN_EMPTY] = "empty",
    };
    for (unsigned i = 0; i < PLAIN_RELAXATIONS; i++)
        if (plumb_base_is_word(key, size, names[i])) {
            with->relaxed |= 1u << i;
            with->relaxation[i] = number;
            return true;
        }
    return false;
}

static enum plumb_status read_number(struct parser *s, const char *key,
                                     size_t size, int64_t number)
{
    struct plumb_proof_plain_parameters *const with = &s->p->with;
    if (number < 0)
        return fail_at(s, "the number must not be negative");
    if (read_relaxation(with, key, size, (uint64_t)number))
        return with->relaxed & 1u << PLAIN_SEGMENT &&
                       !with->relaxation[PLAIN_SEGMENT]
                   ? fail_at(s, "segment must be at least 1")
                   : PLUMB_OK;
    if (plumb_base_is_word(key, size, "cap")) {
        if (number == 0)
            return fail_at(s, "cap must be at least 1");
        with->has_cap = true;
        with->cap = (uint64_t)number;
    } else if (plumb_base_is_word(key, size, "j")) {
        with->j = (uint64_t)number;
    } else {
        with->has_n = true;
        with->n = (uint64_t)number;
    }
    return PLUMB_OK;
}

/* `weak` alone is `weak=gap`. */
static enum plumb_status read_weak(struct parser *s, const char *value,
                                   size_t length)
{
    static const char *const kind[] = { "gap", "claim", "pool", "scan" };
    for (unsigned i = 0; i < sizeof kind / sizeof *kind; i++)
        if (!value || plumb_base_is_word(value, length, kind[i])) {
            s->p->with.weak = PLAIN_GAP + i;
            return PLUMB_OK;
        }
    return fail_at(s, "weak is one of gap, claim, pool, scan");
}

/* Parameters, unlike operations, have one spelling. */
static bool takes(const struct plumb_proof_plain_type *type, const char *key,
                  size_t size)
{
    for (const char *t = type->parameters; *t; t += strspn(t, " ")) {
        const size_t length = strcspn(t, " ");
        if (length == size && memcmp(t, key, size) == 0)
            return true;
        t += length;
    }
    return false;
}

static enum plumb_status read_parameter(struct parser *s, const char *key,
                                        size_t length)
{
    const char *const equals = memchr(key, '=', length);
    const size_t size = equals ? (size_t)(equals - key) : length;
    int64_t number;
    if (!takes(s->p->type, key, size))
        return fail_at(s, "no such parameter");
    const bool is_flag = plumb_base_is_word(key, size, "blocking") ||
                         plumb_base_is_word(key, size, "max");
    if (plumb_base_is_word(key, size, "weak"))
        return read_weak(s, equals ? equals + 1 : NULL,
                         length - size - !!equals);
    if (is_flag != !equals)
        return fail_at(s, is_flag ? "this parameter takes no value"
                                  : "this parameter needs a value");
    if (is_flag) {
        *(*key == 'b' ? &s->p->with.blocking : &s->p->with.max) = true;
        return PLUMB_OK;
    }
    const char *const value = equals + 1;
    const size_t rest = length - size - 1;
    if (plumb_base_is_word(key, size, "init"))
        return read_init(s, value, rest);
    if (!read_integer(value, rest, &number))
        return fail_at(s, "this parameter needs a number");
    return read_number(s, key, size, number);
}

/* Of these a specification has one at most, but for early and late. */
static enum plumb_status relax(struct parser *s)
{
    struct plumb_proof_plain *const p = s->p;
    const unsigned given = p->with.relaxed;
    const unsigned factors = given & (1u << PLAIN_ENQ | 1u << PLAIN_DEQ);
    const unsigned ends = given & (1u << PLAIN_EARLY | 1u << PLAIN_LATE);
    const unsigned k = given & 1u << PLAIN_K;
    const unsigned segment = given & 1u << PLAIN_SEGMENT;
    const bool is_queue = p->type == &plumb_proof_plain_queue;
    if ((factors && (ends || k || segment)) ||
        (segment && (k || given & 1u << PLAIN_EARLY)) ||
        (is_queue && k && ends))
        return fail_at(s, "these parameters exclude each other");
    if (given && p->with.weak)
        return fail_at(s, "a relaxed specification has no weak answers");
    if (given)
        p->type = factors ? &plumb_proof_factor_queue : p->type->relaxed;
    if (p->with.weak)
        p->type = p->type->weak;
    if (p->with.weak >= PLAIN_POOL && p->type->weak)
        p->type = p->type->weak;
    return PLUMB_OK;
}

static enum plumb_status parse(struct plumb_proof_plain *p, const char *text,
                               struct plumb_error *err)
{
    struct parser s = { p, text, text, err };
    size_t length = strcspn(text, ":");
    if ((plumb_base_is_word(text, length, "setlin") ||
         plumb_base_is_word(text, length, "local")) &&
        text[length])
        length += 1 + strcspn(text + length + 1, ":");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (length && is_listed(types[i]->names, text, length))
            p->type = types[i];
    if (!p->type)
        return fail_at(&s, "no such specification");
    s.at += length;
    while (*s.at) {
        s.at++; /* ':' or ',' */
        const size_t size = parameter_length(s.at);
        const enum plumb_status status = read_parameter(&s, s.at, size);
        if (status != PLUMB_OK)
            return status;
        s.at += size;
    }
    return relax(&s);
}

/* ---- making one ---- */

enum plumb_status plumb_proof_plain_new(struct plumb_spec_ref ref,
                                        const struct plumb_symbols *symbols,
                                        struct plumb_budget *budget,
                                        struct plumb_proof_plain **p,
                                        struct plumb_error *err)
{
    struct plumb_proof_plain *const fresh =
        plumb_base_alloc_zeroed(budget, sizeof *fresh);
    if (!fresh)
        return plumb_base_fail_memory(err);
    fresh->budget = budget;
    fresh->symbols = symbols;
    fresh->with.j = fresh->with.n = 1;
    fresh->user = ref.user;
    fresh->knowns = symbols ? symbols->count : 0;
    fresh->known =
        plumb_base_alloc_zeroed(budget, fresh->knowns * sizeof *fresh->known);
    enum plumb_status status;
    if (!fresh->known || (!symbols && !copy_symbols(fresh)))
        status = plumb_base_fail_memory(err);
    else if (ref.user)
        status = plumb_proof_plain_adapt_user(fresh, err);
    else if (ref.text)
        status = parse(fresh, ref.text, err);
    else
        status = plumb_base_fail(err, PLUMB_EINPUT, 0, 0, "no specification");
    if (status != PLUMB_OK) {
        plumb_proof_plain_free(fresh);
        return status;
    }
    *p = fresh;
    return PLUMB_OK;
}

void plumb_proof_plain_free(struct plumb_proof_plain *p)
{
    if (!p)
        return;
    if (p->has_more)
        plumb_history_symbols_release(&p->more);
    PLUMB_RELEASE(p->budget, p->known, p->knowns);
    PLUMB_RELEASE(p->budget, p->own_operations, p->own_type.operations);
    plumb_base_release(p->budget, p, sizeof *p);
}

/* ---- reading operations ---- */

/* Operations are looked up once for each name. */
static const struct plumb_proof_plain_operation *known_operation(
    struct plumb_proof_plain *p, uint32_t symbol)
{
    if (!p->known[symbol]) {
        size_t length;
        const char *const name = plumb_proof_plain_symbol(p, symbol, &length);
        const struct plumb_proof_plain_operation *const o =
            plumb_proof_plain_operation(p, name, length);
        if (!o)
            return NULL;
        p->known[symbol] = (uint16_t)(o - p->type->operation + 1);
    }
    return p->type->operation + p->known[symbol] - 1;
}

/* Is "term/nres" among the answers of the operation? */
static bool is_answer(const struct plumb_proof_plain_operation *o,
                      const struct plumb_proof_plain_seen *seen)
{
    const size_t length = strlen(seen->term);
    for (const char *a = o->answers; a && *a; a += *a == ' ') {
        const size_t size = strcspn(a, "/");
        const unsigned nres = (unsigned)(a[size + 1] - '0');
        if (nres == seen->nres &&
            plumb_proof_plain_same(a, size, seen->term, length))
            return true;
        a += size + 2;
    }
    return !o->answers;
}

static bool has_integers(const struct plumb_proof_plain_call *c)
{
    for (unsigned i = 0; i < c->nargs; i++)
        if (c->args[i].tag != PLUMB_INT)
            return false;
    return true;
}

static enum plumb_status unreadable(const struct plumb_history *h, uint32_t i,
                                    const char *why, struct plumb_error *err)
{
    char words[PLUMB_WORDS];
    plumb_proof_words_of_operation(h, i, words);
    return plumb_proof_words_fail(h, i, err, "%s: %s", words, why);
}

unsigned plumb_proof_plain_steps(struct plumb_proof_plain *p, uint32_t name)
{
    const struct plumb_proof_plain_operation *const o =
        p->type->steps ? known_operation(p, name) : NULL;
    return o ? p->type->steps[o->kind] : 1;
}

enum plumb_status plumb_proof_plain_read(struct plumb_proof_plain *p,
                                         const struct plumb_history *h,
                                         uint32_t i, bool pending,
                                         struct plumb_proof_plain_call *call,
                                         struct plumb_proof_plain_seen *seen,
                                         struct plumb_error *err)
{
    const struct plumb_op *const o = h->op + i;
    const struct plumb_proof_plain_operation *const what =
        known_operation(p, o->name);
    if (!what)
        return unreadable(h, i, "the specification has no such operation", err);
    *call = (struct plumb_proof_plain_call){
        .operation = what,
        .nargs = o->nargs,
        .thread = p->type->steps ? i : o->thread,
        .whose = i,
        .args = plumb_op_args(h, o),
    };
    if (o->nargs < what->least || o->nargs > what->most)
        return unreadable(h, i, "wrong number of arguments", err);
    if (what->integers && !has_integers(call))
        return unreadable(h, i, "the argument is not an integer", err);
    if (pending)
        return PLUMB_OK;
    *seen = (struct plumb_proof_plain_seen){
        .term = plumb_symbol_text(h->symbols, o->term, NULL),
        .nres = o->nres,
        .res = plumb_op_results(h, o),
    };
    if (!is_answer(what, seen))
        return unreadable(h, i, "the operation has no such result", err);
    call->seen = seen;
    return PLUMB_OK;
}

static bool is_term(const struct plumb_proof_plain_seen *seen, const char *term)
{
    return plumb_proof_plain_same(seen->term, strlen(seen->term), term,
                                  strlen(term));
}

/* ---- booleans, as the sources of histories write them ---- */

static bool is_text_of(const struct plumb_proof_plain *p, struct plumb_value v,
                       const char *word)
{
    size_t size;
    const char *const text =
        plumb_proof_plain_symbol(p, (uint32_t)v.bits, &size);
    return plumb_base_is_word(text, size, word);
}

static bool is_truth(const struct plumb_proof_plain *p, struct plumb_value v,
                     bool b)
{
    switch (v.tag) {
    case PLUMB_BOOL:
    case PLUMB_INT:
        return v.bits == (b ? 1u : 0u);
    case PLUMB_STR:
        return is_text_of(p, v, b ? "true" : "false") ||
               is_text_of(p, v, b ? "t" : "f");
    default:
        return false;
    }
}

bool plumb_proof_plain_agrees(const struct plumb_proof_plain *p,
                              const struct plumb_proof_plain_reply *r,
                              const struct plumb_proof_plain_seen *seen)
{
    if (r->anything)
        return true;
    if (r->nres != seen->nres || !is_term(seen, r->term))
        return false;
    if (r->truth)
        return is_truth(p, seen->res[0], r->res[0].bits);
    for (unsigned i = 0; i < r->nres; i++)
        if (!plumb_value_equal(r->res[i], seen->res[i]))
            return false;
    return true;
}

/* ---- what docs/specifications.md says about operations ---- */

bool plumb_proof_plain_is_read_only(const struct plumb_proof_plain *p,
                                    const struct plumb_proof_plain_call *c)
{
    if (p->type->also_reads && p->type->also_reads(c))
        return true;
    switch (c->operation->reads) {
    case PLAIN_READS:
        return true;
    case PLAIN_READS_REFUSED:
        return c->seen && !is_term(c->seen, "ok");
    case PLAIN_READS_FALSE:
        return c->seen && c->seen->nres == 1 && is_term(c->seen, "ok") &&
               is_truth(p, c->seen->res[0], false);
    default:
        return false;
    }
}

static bool is_smaller(struct plumb_value a, struct plumb_value b)
{
    return a.tag != b.tag ? a.tag < b.tag : a.bits < b.bits;
}

bool plumb_proof_plain_belongs(const struct plumb_proof_plain_call *c,
                               struct plumb_value *to)
{
    switch (c->operation->belongs) {
    case PLAIN_TO_FIRST_ARGUMENT:
        *to = c->args[0];
        return true;
    case PLAIN_TO_LAST_ARGUMENT:
        *to = c->args[c->nargs - 1];
        return true;
    case PLAIN_TO_RESULT:
        if (!c->seen || !c->seen->nres || !is_term(c->seen, "ok"))
            return false;
        *to = c->seen->res[c->seen->nres - 1];
        return true;
    case PLAIN_TO_SMALLER:
        if (!c->seen)
            return false;
        *to = c->args[0];
        if (c->seen->nres && is_smaller(c->seen->res[0], *to))
            *to = c->seen->res[0];
        return true;
    default:
        return false;
    }
}

/* closure.h says why. */
enum plumb_proof_plain_closed plumb_proof_plain_closure(
    const struct plumb_proof_plain *p)
{
    if (!p->type->closed || p->with.relaxed & 1u << PLAIN_SEGMENT)
        return PLAIN_NOT_CLOSED;
    switch (p->with.weak) {
    case PLAIN_GAP:
        return PLAIN_CLOSED_BUT_ADDED;
    case PLAIN_SCAN:
        return PLAIN_CLOSED_BUT_REMOVED;
    default:
        return p->with.has_cap ? PLAIN_CLOSED_BUT_FULL : PLAIN_CLOSED;
    }
}
