/* weak_hint.c - see weak_hint.h. */
#include "weak_hint.h"

#include "explore_words.h"
#include <plumb/check.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_DECISION = 10000 }; /* milliseconds: they are small */

static bool accepts(const char *name, const struct plumb_history *h)
{
    struct plumb_budget *const budget = plumb_budget_new(LONGEST_DECISION, 0);
    const struct plumb_check_options options = { .budget = budget,
                                                 .no_core = true };
    struct plumb_spec *spec = NULL;
    struct plumb_answer answer;
    struct plumb_error err = { 0 };
    bool accepted = false;
    if (plumb_spec_parse(name, &spec, &err) == PLUMB_OK &&
        plumb_check(h, spec, &options, &answer, &err) == PLUMB_OK) {
        accepted = answer.verdict == PLUMB_LINEARIZABLE;
        plumb_answer_release(&answer);
    }
    plumb_spec_free(spec);
    plumb_budget_free(budget);
    return accepted;
}

/* The strictest first. */
void explore_add_weak_hint(const struct exploration *e,
                           const struct plumb_history *h,
                           struct plumb_base_text *out)
{
    static const char *const weak[] = { "weak=claim", "weak", "weak=pool",
                                        "weak=scan" };
    char name[JOB_TEXT], line[JOB_TEXT + 200];
    if (e->infers || e->plugin || !e->spec_name[0] ||
        strstr(e->spec_name, "weak"))
        return;
    for (size_t i = 0; i < sizeof weak / sizeof *weak; i++) {
        snprintf(name, sizeof name, "%.200s%s%s", e->spec_name,
                 strchr(e->spec_name, ':') ? "," : ":", weak[i]);
        if (!accepts(name, h))
            continue;
        snprintf(line, sizeof line,
                 "Only an answer empty or full is wrong, while another "
                 "operation is in its middle. If that is intended, --spec %s "
                 "accepts it and finds other faults (weak-answers.md).",
                 name);
        plumb_base_text_add(out, "\n");
        explore_wrapped_line(e, line, out);
        return;
    }
}
