/* weak_hint.c - see weak_hint.h. */
#include "weak_hint.h"

#include "app/check/weak_variant.h"
#include "explore_words.h"

enum { LONGEST_DECISION = 10000 }; /* milliseconds: they are small */

void explore_add_weak_hint(const struct exploration *e,
                           const struct plumb_history *h,
                           struct plumb_base_text *out)
{
    if (e->infers || e->plugin || !e->spec_name[0])
        return;
    struct plumb_budget *const budget = plumb_budget_new(LONGEST_DECISION, 0);
    struct plumb_base_text line;
    plumb_base_text_init(&line, NULL);
    if (check_add_weak_variant(h, e->spec_name, budget, &line)) {
        plumb_base_text_add(out, "\n");
        explore_wrapped_line(e, plumb_base_text_string(&line), out);
    }
    plumb_base_text_release(&line);
    plumb_budget_free(budget);
}
