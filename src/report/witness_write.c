/* witness_write.c - answers to text. */
#include "subject.h"
#include "witness_file.h"

#include <inttypes.h>
#include <stdio.h>

enum { LINE = 76 };

void plumb_report_witness_begin(struct plumb_base_text *out)
{
    plumb_base_text_add(out, "plumb-witness 1\n");
}

/* Add an item to lines that each begin with `keyword`.  `column` is where the
 * last line ends; 0: there is none. */
static void add_item(struct plumb_base_text *out, const char *keyword,
                     const char *item, size_t *column)
{
    const size_t start = out->size;
    if (*column > LINE)
        plumb_base_text_add(out, "\n");
    const bool fresh = *column == 0 || *column > LINE;
    plumb_base_text_printf(out, "%s %s", fresh ? keyword : "", item);
    *column = fresh ? out->size - start : *column + out->size - start;
}

static void end_items(struct plumb_base_text *out, const char *keyword,
                      size_t column)
{
    plumb_base_text_printf(out, "%s\n", column ? "" : keyword);
}

static void write_order(const struct plumb_answer *a,
                        struct plumb_base_text *out)
{
    char item[16];
    size_t column = 0;
    for (uint32_t i = 0; i < a->order_count; i++) {
        snprintf(item, sizeof item, "%" PRIu32, a->order[i]);
        add_item(out, "order", item, &column);
    }
    end_items(out, "order", column);
}

static void write_core(const struct plumb_core *core,
                       struct plumb_base_text *out)
{
    char item[16];
    size_t column = 0;
    for (uint32_t i = 0; i < core->count; i++) {
        snprintf(item, sizeof item, "%" PRIu32 "%s", core->op[i],
                 core->forgotten && core->forgotten[i] ? "*" : "");
        add_item(out, "core", item, &column);
    }
    end_items(out, "core", column);
}

static void write_certificate(const struct plumb_answer *a,
                              struct plumb_base_text *out)
{
    char item[32];
    size_t column = 0;
    for (uint32_t i = 0; i < a->certificate_count; i++) {
        snprintf(item, sizeof item, "%" PRIu32 ":%" PRIu32,
                 a->certificate[i].parent, a->certificate[i].op);
        add_item(out, "certificate", item, &column);
    }
    if (column)
        end_items(out, "certificate", column);
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
