/* page_meaning.c - what a result means and what it does not; its numbers. */
#include "page.h"
#include <string.h>

struct meaning {
    const char *command;
    const char *means, *does_not;
};

static const struct meaning of_pass[] = {
    { "check",
      "Some order of the operations explains every result: each takes effect "
      "at one instant between its call and its return. The order was verified "
      "by code that shares nothing with the search.",
      "This is about one recorded history. Another run of the same program "
      "may go wrong; try plumb explore for all schedules of small tests." },
    { "monitor",
      "No event of the stream made it impossible to explain all results so "
      "far by one order of the operations.",
      "It is about this stream only." },
    { "simulate",
      "Every history that was recorded can be explained by some order of its "
      "operations.",
      "Real threads show few of the possible schedules. plumb explore runs "
      "all schedules of small tests." },
    { "explore",
      "Every schedule of the tests within the bounds below was run, and every "
      "history is explained by some order of its operations.",
      "Larger tests, more preemptions than the bound, and weaker memory "
      "orders than sequential consistency are not covered. Code that was "
      "never executed, or only ever ran alone, is not tested." },
    { "replay", "This one schedule shows no violation.",
      "Other schedules are not run by plumb replay." },
    { "verify",
      "The assertion holds of the model: every state that it depends on was "
      "visited, and separate code verified the verdict.",
      "It is about the model with the bounds that it states, not about code "
      "that implements it." },
};

static const struct meaning of_undecided = {
    "", "Neither a violation nor its absence was shown. This is no pass.",
    "Try a longer --timeout, more --memory, or a smaller test or history."
};

static const struct meaning *find_meaning(const struct finding *f)
{
    if (f->outcome == PLUMB_SAYS_UNDECIDED)
        return &of_undecided;
    if (f->outcome != PLUMB_SAYS_PASS)
        return NULL;
    for (size_t i = 0; i < sizeof of_pass / sizeof *of_pass; i++)
        if (strcmp(of_pass[i].command, f->command) == 0)
            return of_pass + i;
    return NULL;
}

void page_write_meaning(struct page *p)
{
    const struct meaning *const m = find_meaning(p->f);
    if (!m)
        return;
    page_put(p, "<h3>What this means, and what it does not</h3>\n<p>");
    page_put(p, m->means);
    page_put(p, "</p>\n<p>");
    page_put(p, m->does_not);
    page_put(p, "</p>\n");
}

void page_write_facts(struct page *p)
{
    const struct finding *const f = p->f;
    if (!f->facts)
        return;
    page_put(p, "<h3>Numbers</h3>\n<dl class=\"facts\">\n");
    for (size_t i = 0; i < f->facts; i++) {
        page_put(p, "<dt>");
        page_text(p, f->fact[i].name);
        page_put(p, "</dt><dd>");
        page_text(p, f->fact[i].value);
        page_put(p, "</dd>\n");
    }
    page_put(p, "</dl>\n");
}
