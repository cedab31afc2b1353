/* witness_write.c - answers to text. */
#include "subject.h"
#include "witness_file.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { LINE = 76 };

void plumb_report_witness_begin(struct plumb_base_text *out)
{
    plumb_base_text_add(out, "plumb-witness 1\n");
}

/* Items on lines that each begin with a keyword. */
struct items {
    struct plumb_base_text *out;
    const char *keyword;
    size_t column; /* where the last line ends; 0: there is none */
};

static void add_item(struct items *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_item(struct items *l, const char *format, ...)
{
    char item[32];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(item, sizeof item, format, args);
    va_end(args);
    assert(length < (int)sizeof item); /* nothing was cut */
    const size_t start = l->out->size;
    if (l->column > LINE)
        plumb_base_text_add(l->out, "\n");
    const bool fresh = l->column == 0 || l->column > LINE;
    plumb_base_text_printf(l->out, "%s %s", fresh ? l->keyword : "", item);
    l->column = (fresh ? 0 : l->column) + l->out->size - start;
}

static void end_items(const struct items *l)
{
    plumb_base_text_printf(l->out, "%s\n", l->column ? "" : l->keyword);
}

static void write_order(const struct plumb_answer *a,
                        struct plumb_base_text *out)
{
    struct items order = { .out = out, .keyword = "order" };
    for (uint32_t i = 0; i < a->order_count; i++)
        add_item(&order, "%" PRIu32, a->order[i]);
    end_items(&order);
}

static void write_core(const struct plumb_core *c, struct plumb_base_text *out)
{
    struct items core = { .out = out, .keyword = "core" };
    for (uint32_t i = 0; i < c->count; i++)
        add_item(&core, "%" PRIu32 "%s", c->op[i],
                 c->forgotten && c->forgotten[i] ? "*" : "");
    end_items(&core);
}

static void write_certificate(const struct plumb_answer *a,
                              struct plumb_base_text *out)
{
    struct items steps = { .out = out, .keyword = "certificate" };
    for (uint32_t i = 0; i < a->certificate_count; i++)
        add_item(&steps, "%" PRIu32 ":%" PRIu32, a->certificate[i].parent,
                 a->certificate[i].op);
    if (steps.column)
        end_items(&steps);
}

void plumb_report_witness_write(const struct plumb_history *h, uint32_t number,
                                const char *spec, const struct plumb_answer *a,
                                struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "\nhistory %" PRIu32 ": %s\n", number,
                           plumb_report_verdict_name(a->verdict));
    if (spec)
        plumb_base_text_printf(out, "spec %s\n", spec);
    plumb_base_text_printf(out,
                           "operations %" PRIu32 "\nchecksum %016" PRIx64 "\n",
                           h->count, plumb_report_history_checksum(h));
    if (a->verdict == PLUMB_LINEARIZABLE) {
        write_order(a, out);
    } else if (a->verdict == PLUMB_NOT_LINEARIZABLE) {
        plumb_base_text_printf(
            out, "object %" PRIu32 "\ncut %" PRIu32 "\n", a->core.object,
            a->core.cut < h->events ? a->core.cut : h->events);
        write_core(&a->core, out);
        write_certificate(a, out);
    }
}
