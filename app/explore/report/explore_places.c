/* explore_places.c - which lines of the code ran in an exploration. */
#include "explore_places.h"

#include "app/explore/trace/explore_interleaving.h"
#include "report/json.h"

static void add_place(const struct binary_symbol_place *place, bool concurrent,
                      struct plumb_base_text *out)
{
    plumb_report_json_open('{', out);
    plumb_report_json_text("path", place->path, out);
    if (place->absolute[0])
        plumb_report_json_text("file", place->absolute, out);
    plumb_report_json_number("line", place->line, out);
    if (place->function[0])
        plumb_report_json_text("function", place->function, out);
    plumb_report_json_bool("concurrent", concurrent, out);
    plumb_base_text_add(out, "}");
}

void explore_json_places(const struct exploration *e,
                         const struct explore_totals *t,
                         struct plumb_base_text *out)
{
    plumb_report_json_begin("coverage", '[', out);
    for (uint32_t i = 0; i < t->coverage.places; i++) {
        struct binary_symbol_place place;
        if (explore_find_place(e->target->object, t->coverage.place[i].offset,
                               &place))
            add_place(&place, t->coverage.place[i].concurrent, out);
    }
    plumb_base_text_add(out, "]");
}
