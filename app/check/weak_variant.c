/* weak_variant.c - see weak_variant.h. */
#include "weak_variant.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 4096, MOST_STEPS = 1000000 };

static bool accepts(const char *name, const struct plumb_history *h,
                    struct plumb_budget *budget)
{
    const struct plumb_check_options options = { .budget = budget,
                                                 .most_steps = MOST_STEPS,
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
    return accepted;
}

static bool some_answer_fails(const struct plumb_history *h)
{
    for (uint32_t i = 0; i < h->count; i++) {
        const struct plumb_op *const o = h->op + i;
        const char *const term =
            o->outcome == PLUMB_OUTCOME_OK
                ? plumb_symbol_text(h->symbols, o->term, NULL)
                : "";
        if (strcmp(term, "empty") == 0 || strcmp(term, "full") == 0)
            return true;
    }
    return false;
}

/* The strictest first. */
bool check_add_weak_variant(const struct plumb_history *h, const char *spec,
                            struct plumb_budget *budget,
                            struct plumb_base_text *out)
{
    static const char *const weak[] = { "weak=claim", "weak", "weak=pool",
                                        "weak=scan" };
    char name[LONGEST_NAME];
    if (strstr(spec, "weak") || !some_answer_fails(h))
        return false;
    for (size_t i = 0; i < sizeof weak / sizeof *weak; i++) {
        const int length = snprintf(name, sizeof name, "%s%s%s", spec,
                                    strchr(spec, ':') ? "," : ":", weak[i]);
        if (length >= (int)sizeof name || !accepts(name, h, budget))
            continue;
        plumb_base_text_printf(
            out,
            "Only an answer empty or full is wrong, while another operation is "
            "in its middle. If that is intended, --spec %s accepts it and "
            "finds "
            "other faults (weak-answers.md).",
            name);
        return true;
    }
    return false;
}
