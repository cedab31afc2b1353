/* words.c - operations in words, for messages. */
#include "words.h"

#include "base/fail.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct line {
    char *at, *end; /* *end is kept for the NUL */
    bool cut;
};

/* Control characters would spoil the message. */
static void add(struct line *l, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (l->at == l->end) {
            l->cut = true;
            return;
        }
        const bool prints = (unsigned char)text[i] >= ' ' && text[i] != 127;
        *l->at++ = prints ? text[i] : '?';
    }
}

static void add_string(struct line *l, const char *text)
{
    add(l, text, strlen(text));
}

static void finish(struct line *l, const char *start)
{
    *l->at = '\0';
    if (l->cut && l->at - start > 3)
        memcpy(l->at - 3, "...", 3);
}

static const char *text_of(const struct plumb_symbols *symbols,
                           const struct plumb_proof_plain *p,
                           struct plumb_value v, size_t *size)
{
    return p ? plumb_proof_plain_symbol(p, (uint32_t)v.bits, size)
             : plumb_symbol_text(symbols, (uint32_t)v.bits, size);
}

static void add_value(struct line *l, const struct plumb_symbols *symbols,
                      const struct plumb_proof_plain *p, struct plumb_value v)
{
    char digits[24];
    size_t size;
    const char *text;
    switch (v.tag) {
    case PLUMB_INT:
        snprintf(digits, sizeof digits, "%lld", (long long)(int64_t)v.bits);
        add_string(l, digits);
        break;
    case PLUMB_BOOL:
        add_string(l, v.bits ? "true" : "false");
        break;
    case PLUMB_STR:
        text = text_of(symbols, p, v, &size);
        add(l, text, size);
        break;
    default:
        add_string(l, "nil");
    }
}

static void add_values(struct line *l, const struct plumb_symbols *symbols,
                       const struct plumb_proof_plain *p,
                       const struct plumb_value *v, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i)
            add_string(l, ",");
        add_value(l, symbols, p, v[i]);
    }
}

static void add_text(struct line *l, const struct plumb_history *h,
                     uint32_t symbol)
{
    size_t size;
    const char *const text = plumb_symbol_text(h->symbols, symbol, &size);
    add(l, text, size);
}

static void add_answer(struct line *l, const struct plumb_history *h,
                       const struct plumb_op *o)
{
    const char *const term = plumb_symbol_text(h->symbols, o->term, NULL);
    if (o->outcome != PLUMB_OUTCOME_OK) {
        add_string(l, " (pending)");
        return;
    }
    add_string(l, "=");
    if (!o->nres || strcmp(term, "ok") != 0)
        add_text(l, h, o->term);
    add_values(l, h->symbols, NULL, plumb_op_results(h, o), o->nres);
}

void plumb_proof_words_of_operation(const struct plumb_history *h, uint32_t i,
                                    char words[PLUMB_WORDS])
{
    const struct plumb_op *const o = h->op + i;
    struct line l = { words, words + PLUMB_WORDS - 1, false };
    add_text(&l, h, o->name);
    add_string(&l, "(");
    add_values(&l, h->symbols, NULL, plumb_op_args(h, o), o->nargs);
    add_string(&l, ")");
    add_answer(&l, h, o);
    add_string(&l, " by ");
    add_text(&l, h, h->thread[o->thread]);
    finish(&l, words);
}

void plumb_proof_words_of_reply(const struct plumb_proof_plain *p,
                                const struct plumb_proof_plain_reply *r,
                                char words[PLUMB_WORDS])
{
    struct line l = { words, words + PLUMB_WORDS - 1, false };
    add_string(&l, r->term);
    add_string(&l, "(");
    add_values(&l, NULL, p, r->res, r->nres);
    add_string(&l, ")");
    finish(&l, words);
}

enum plumb_status plumb_proof_words_fail(const struct plumb_history *h,
                                         uint32_t i, struct plumb_error *err,
                                         const char *format, ...)
{
    const struct plumb_origin *const o =
        h->origin ? h->origin + 2 * (size_t)i : NULL;
    va_list args;
    va_start(args, format);
    plumb_base_vfail(err, PLUMB_EINPUT, o ? o->line : 0, o ? o->column : 0,
                     format, args);
    va_end(args);
    return PLUMB_EINPUT;
}

enum plumb_status plumb_proof_words_stop(enum plumb_status why,
                                         struct plumb_error *err)
{
    if (why == PLUMB_EMEMORY)
        return plumb_base_fail_memory(err);
    return plumb_base_fail(err, why, 0, 0,
                           why == PLUMB_ETIME ? "out of time" : "interrupted");
}
