/* explore_words.c - what all reports of an exploration have. */
#include "explore_words.h"

#include "app/check/check_report.h"
#include "app/console/progress.h"
#include "app/console/say.h"
#include "report/json.h"
#include "report/wrap.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct plumb_report_style explore_style(const struct exploration *e)
{
    return check_reporting_style(e->with->color);
}

void explore_print(struct plumb_base_text *text)
{
    console_progress_print(text);
    if (text->broken)
        console_say("plumb explore: out of memory while writing the report");
}

void explore_result_line(const struct exploration *e, const char *color,
                         const char *verdict, const char *more,
                         struct plumb_base_text *out)
{
    const struct plumb_report_style style = explore_style(e);
    const struct plumb_report_palette *const c =
        plumb_report_style_palette(&style);
    const char *const on = !strcmp(color, "red")     ? c->red
                           : !strcmp(color, "green") ? c->green
                                                     : c->yellow;
    plumb_report_label_line(e->subject, out);
    plumb_base_text_printf(out, ": %s%s%s", on, verdict, c->off);
    if (*more)
        plumb_base_text_printf(out, " (%s)", more);
    plumb_base_text_add(out, "\n");
}

void explore_wrapped_line(const struct exploration *e, const char *line,
                          struct plumb_base_text *out)
{
    enum { INDENT = 2, HANGING = 4 };
    const struct plumb_report_style style = explore_style(e);
    plumb_base_text_fill(out, ' ', INDENT);
    plumb_report_wrap(line, strlen(line), INDENT, HANGING, &style, out);
}

/* ---- JSON ---- */

struct exploration explore_for_programs(const struct exploration *e,
                                        struct explore_settings *with)
{
    struct exploration as = *e;
    *with = *e->with;
    with->json = true;
    as.with = with;
    return as;
}

void explore_json_begin(const struct exploration *e, const char *verdict,
                        enum plumb_report_outcome outcome,
                        struct plumb_base_text *out)
{
    publish_json_begin(e->command ? e->command : "explore", e->subject,
                       e->target->given, out);
    plumb_report_json_verdict(verdict, outcome, out);
}
