/* faults.c - what went wrong in an execution, in plain words. */
#include "faults.h"

#include "interleaving.h"
#include "wrap.h"
#include <string.h>

/* Where lines about a thread begin, and where they go on. */
enum { THREAD_COLUMN = 4, MORE_COLUMN = 6 };

static void add_in_brackets(const char *text, struct plumb_base_text *out)
{
    if (!text[0])
        return;
    plumb_base_text_add(out, " (");
    plumb_report_label_line(text, out);
    plumb_base_text_add(out, ")");
}

static void begin(const char *thread, struct plumb_base_text *out)
{
    plumb_base_text_fill(out, ' ', THREAD_COLUMN);
    plumb_report_label_line(thread, out);
}

static void add_step(uint32_t step, struct plumb_base_text *out)
{
    if (step != PLUMB_NO_STEP)
        plumb_base_text_printf(out, " at step %u", (unsigned)step);
}

/* ---- deadlocks ---- */

static void tell_signals(const struct plumb_report_waiter *w,
                         struct plumb_base_text *out)
{
    const uint32_t signals = w->signals + w->for_others;
    if (signals == 0) {
        plumb_base_text_add(out, ";\nno thread has signalled the condition");
        return;
    }
    plumb_base_text_printf(out, ";\nthe %s signal came",
                           signals == 1 ? "only" : "last");
    add_step(w->signal.step, out);
    add_in_brackets(w->signal.place, out);
    if (w->for_others) {
        plumb_base_text_add(out, " and woke another thread");
        return;
    }
    const bool woke_it = w->woke && strcmp(w->woke, w->thread) == 0;
    if (w->woke && !woke_it) {
        plumb_base_text_add(out, " and woke ");
        plumb_report_label_line(w->woke, out);
        return;
    }
    plumb_base_text_add(out, ", before ");
    plumb_report_label_line(w->thread, out);
    plumb_base_text_add(out, woke_it ? " waited again" : " waited");
    if (w->signals == 1 && !woke_it)
        plumb_base_text_add(out, ": a lost wake-up");
}

static void tell_waiter(const struct plumb_report_waiter *w,
                        struct plumb_base_text *out)
{
    plumb_report_label_line(w->thread, out);
    if (w->holds[0]) {
        plumb_base_text_add(out, " holds ");
        plumb_report_label_line(w->holds, out);
        add_in_brackets(w->held_since, out);
        plumb_base_text_add(out, " and");
    }
    plumb_base_text_printf(out, " waits for %s",
                           w->condition ? "condition " : "");
    plumb_report_label_line(w->waits_for[0] ? w->waits_for : "something", out);
    if (w->holder[0]) {
        plumb_base_text_add(out, ", held by ");
        plumb_report_label_line(w->holder, out);
    }
    add_in_brackets(w->at, out);
    if (w->condition)
        tell_signals(w, out);
}

void plumb_report_fault_deadlock(const struct plumb_report_waiter *waiter,
                                 size_t count,
                                 const struct plumb_report_style *style,
                                 struct plumb_base_text *out)
{
    struct plumb_base_text lines = { 0 };
    plumb_base_text_add(out, "  deadlock: no thread can continue\n");
    for (size_t i = 0; i < count; i++) {
        plumb_base_text_clear(&lines);
        tell_waiter(waiter + i, &lines);
        plumb_report_wrap_lines("    ", &lines, MORE_COLUMN, style, out);
    }
    plumb_base_text_release(&lines);
}

/* ---- accesses ---- */

static void tell_deed(const struct plumb_report_deed *d, const char *object,
                      struct plumb_base_text *out)
{
    if (!d->thread)
        return;
    const bool of_operation = d->operation && d->operation[0];
    begin(of_operation ? d->operation : d->thread, out);
    if (of_operation)
        plumb_base_text_printf(out, " of %s", d->thread);
    plumb_base_text_printf(out, " %s %s", d->verb, object);
    add_step(d->step, out);
    add_in_brackets(d->place, out);
    plumb_base_text_add(out, "\n");
}

void plumb_report_fault_race(const char *what,
                             const struct plumb_report_deed access[2],
                             struct plumb_base_text *out)
{
    plumb_base_text_add(out, "  race on ");
    plumb_report_label_line(what, out);
    plumb_base_text_add(out, ": nothing orders these two accesses\n");
    tell_deed(access, "it", out);
    tell_deed(access + 1, "it", out);
}

void plumb_report_fault_block(const char *what,
                              const struct plumb_report_deed *deed,
                              size_t count, struct plumb_base_text *out)
{
    plumb_base_text_add(out, "  ");
    plumb_report_label_line(what, out);
    plumb_base_text_add(out, "\n");
    for (size_t i = 0; i < count; i++)
        tell_deed(deed + i, "it", out);
}
