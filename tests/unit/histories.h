/* histories.h - what the tests of readers and writers share. */
#ifndef TESTS_HISTORIES_H
#define TESTS_HISTORIES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/text.h"
#include <plumb/format.h>
#include <stdio.h>
#include <string.h>

/* A growing text as a sink. */
static inline int append_to_text(void *context, const void *data, size_t size)
{
    struct plumb_base_text *const t = context;
    plumb_base_text_bytes(t, data, size);
    return t->broken;
}

static inline void show_symbol(struct plumb_base_text *t,
                               const struct plumb_history *h, uint32_t symbol)
{
    size_t length;
    const char *const text = plumb_symbol_text(h->symbols, symbol, &length);
    plumb_base_text_bytes(t, text, length);
}

static inline void show_values(struct plumb_base_text *t,
                               const struct plumb_history *h,
                               const struct plumb_value *v, size_t count)
{
    plumb_base_text_add(t, "(");
    for (size_t i = 0; i < count; i++) {
        plumb_base_text_add(t, i ? "," : "");
        if (v[i].tag == PLUMB_STR) {
            plumb_base_text_add(t, "'");
            show_symbol(t, h, (uint32_t)v[i].bits);
            plumb_base_text_add(t, "'");
        } else if (v[i].tag == PLUMB_INT) {
            plumb_base_text_printf(t, "%lld", (long long)v[i].bits);
        } else if (v[i].tag == PLUMB_BOOL) {
            plumb_base_text_add(t, v[i].bits ? "true" : "false");
        } else {
            plumb_base_text_add(t, "nil");
        }
    }
    plumb_base_text_add(t, ")");
}

/* Everything a history says, but for symbol numbers and origins:
 * "0-2 P1 Q enq(1) ok ok(); ...", then the specification it names. */
static inline void show_history(struct plumb_base_text *t,
                                const struct plumb_history *h)
{
    static const char *const outcome[] = { "ok", "fail", "info", "open" };
    for (uint32_t i = 0; i < h->count; i++) {
        const struct plumb_op *const o = h->op + i;
        plumb_base_text_printf(t, "%s%u-", i ? "; " : "", o->call);
        if (o->resp == PLUMB_NEVER)
            plumb_base_text_add(t, "never ");
        else
            plumb_base_text_printf(t, "%u ", o->resp);
        show_symbol(t, h, h->thread[o->thread]);
        plumb_base_text_add(t, " ");
        show_symbol(t, h, h->object[o->object]);
        plumb_base_text_add(t, " ");
        show_symbol(t, h, o->name);
        show_values(t, h, plumb_op_args(h, o), o->nargs);
        plumb_base_text_printf(t, " %s", outcome[o->outcome]);
        if (o->outcome == PLUMB_OUTCOME_OK) {
            plumb_base_text_add(t, " ");
            show_symbol(t, h, o->term);
            show_values(t, h, plumb_op_results(h, o), o->nres);
        }
    }
    if (h->spec) {
        plumb_base_text_add(t, " spec ");
        show_symbol(t, h, h->spec);
    }
}

/* All histories of some text, one line each; an error is a line
 * "LINE:COLUMN: MESSAGE". */
static inline void read_all(struct plumb_base_text *t, enum plumb_format format,
                            const char *data, size_t size,
                            struct plumb_budget *budget)
{
    struct plumb_reader *r;
    struct plumb_history h;
    struct plumb_error err;
    enum plumb_status status = plumb_reader_open(
        &r, data, size, format, PLUMB_TIES_OF_FORMAT, budget, &err);
    if (status != PLUMB_OK) {
        plumb_base_text_printf(t, "%s\n", err.message);
        return;
    }
    while ((status = plumb_reader_next(r, &h, &err)) != PLUMB_END) {
        if (status == PLUMB_OK) {
            status = plumb_history_validate(&h, &err);
            if (status == PLUMB_OK)
                show_history(t, &h);
            plumb_base_text_add(t, status == PLUMB_OK ? "\n" : "");
            plumb_history_release(&h);
        }
        if (status == PLUMB_OK)
            continue;
        assert_int_equal(err.status, status);
        plumb_base_text_printf(t, "%u:%u: %s\n", (unsigned)err.line,
                               (unsigned)err.column, err.message);
    }
    plumb_reader_close(r);
}

static inline void assert_reads_bytes(enum plumb_format format,
                                      const char *data, size_t size,
                                      const char *expected)
{
    struct plumb_base_text t;
    plumb_base_text_init(&t, NULL);
    read_all(&t, format, data, size, NULL);
    assert_string_equal(plumb_base_text_string(&t), expected);
    plumb_base_text_release(&t);
}

static inline void assert_reads(enum plumb_format format, const char *data,
                                const char *expected)
{
    assert_reads_bytes(format, data, strlen(data), expected);
}

/* Write every history of `data` in format `to`, appended to `out`. */
static inline void convert(enum plumb_format from, const char *data,
                           size_t size, enum plumb_format to,
                           struct plumb_base_text *out,
                           uint64_t losses[PLUMB_LOSSES])
{
    struct plumb_reader *r;
    struct plumb_history h;
    struct plumb_error err;
    const struct plumb_sink sink = { append_to_text, out };
    assert_int_equal(plumb_reader_open(&r, data, size, from,
                                       PLUMB_TIES_OF_FORMAT, NULL, &err),
                     PLUMB_OK);
    enum plumb_status status;
    for (size_t i = 0; (status = plumb_reader_next(r, &h, &err)) == PLUMB_OK;
         i++) {
        assert_int_equal(plumb_history_write(&h, to, i, &sink, losses, &err),
                         PLUMB_OK);
        plumb_history_release(&h);
    }
    assert_int_equal(status, PLUMB_END);
    plumb_reader_close(r);
}

/* Do the histories of `data` survive being written in `to` and read again? */
static inline void assert_survives(enum plumb_format from, const char *data,
                                   size_t size, enum plumb_format to)
{
    struct plumb_base_text expected, there, back;
    uint64_t losses[PLUMB_LOSSES] = { 0 };
    plumb_base_text_init(&expected, NULL);
    plumb_base_text_init(&there, NULL);
    plumb_base_text_init(&back, NULL);
    read_all(&expected, from, data, size, NULL);
    convert(from, data, size, to, &there, losses);
    read_all(&back, to, plumb_base_text_string(&there), there.size, NULL);
    assert_int_equal(back.size, expected.size);
    assert_memory_equal(plumb_base_text_string(&back),
                        plumb_base_text_string(&expected), expected.size);
    plumb_base_text_release(&expected);
    plumb_base_text_release(&there);
    plumb_base_text_release(&back);
}

/* Read `data` with the first, second, ... allocation failing, until none does:
 * each time the reader says so, and nothing stays allocated. */
static inline void assert_survives_lack_of_memory(enum plumb_format format,
                                                  const char *data, size_t size)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    size_t nth = 1;
    assert_non_null(budget);
    for (bool failed = true; failed; nth++) {
        struct plumb_base_text t;
        plumb_base_text_init(&t, NULL);
        plumb_base_budget_fail_at(budget, nth);
        read_all(&t, format, data, size, budget);
        failed = strstr(plumb_base_text_string(&t), "out of memory");
        assert_int_equal(failed, plumb_base_budget_has_failed(budget));
        plumb_base_text_release(&t);
        assert_int_equal(plumb_budget_used(budget), 0);
    }
    assert_true(nth > 3);
    plumb_budget_free(budget);
}

#endif
