/* faults.c - what went wrong in an execution, in plain words. */
#include "report/faults.h"

#include "report/interleaving.h"
#include "report/label.h"

static void add_in_brackets(const char *text, struct plumb_text *out)
{
    if (!text[0])
        return;
    plumb_text_add(out, " (");
    plumb_label_line(text, out);
    plumb_text_add(out, ")");
}

static void begin(const char *thread, struct plumb_text *out)
{
    plumb_text_add(out, "    ");
    plumb_label_line(thread, out);
}

static void add_step(uint32_t step, struct plumb_text *out)
{
    if (step != PLUMB_NO_STEP)
        plumb_text_printf(out, " at step %u", (unsigned)step);
}

/* ---- deadlocks ---- */

static void tell_signals(const struct plumb_waiter *w, struct plumb_text *out)
{
    const uint32_t signals = w->signals + w->for_others;
    if (signals == 0) {
        plumb_text_add(out, ";\n      nobody has signalled it");
        return;
    }
    plumb_text_printf(out, ";\n      the %s signal came",
                      signals == 1 ? "only" : "last");
    add_step(w->signal.step, out);
    add_in_brackets(w->signal.place, out);
    if (w->for_others) {
        plumb_text_add(out, " and woke another");
        return;
    }
    plumb_text_add(out, ", before ");
    plumb_label_line(w->thread, out);
    plumb_text_add(out, " waited");
    if (w->signals == 1)
        plumb_text_add(out, ": a lost wake-up");
}

static void tell_waiter(const struct plumb_waiter *w, struct plumb_text *out)
{
    begin(w->thread, out);
    if (w->holds[0]) {
        plumb_text_add(out, " holds ");
        plumb_label_line(w->holds, out);
        add_in_brackets(w->held_since, out);
        plumb_text_add(out, " and");
    }
    plumb_text_printf(out, " waits for %s", w->condition ? "condition " : "");
    plumb_label_line(w->waits_for[0] ? w->waits_for : "something", out);
    if (w->holder[0]) {
        plumb_text_add(out, ", held by ");
        plumb_label_line(w->holder, out);
    }
    add_in_brackets(w->at, out);
    if (w->condition)
        tell_signals(w, out);
    plumb_text_add(out, "\n");
}

void plumb_fault_deadlock(const struct plumb_waiter *waiter, size_t count,
                          struct plumb_text *out)
{
    plumb_text_add(out, "  deadlock: nobody can go on\n");
    for (size_t i = 0; i < count; i++)
        tell_waiter(waiter + i, out);
}

/* ---- accesses ---- */

static void tell_deed(const struct plumb_deed *d, const char *object,
                      struct plumb_text *out)
{
    if (!d->thread)
        return;
    begin(d->thread, out);
    plumb_text_printf(out, " %s %s", d->verb, object);
    add_step(d->step, out);
    add_in_brackets(d->place, out);
    plumb_text_add(out, "\n");
}

void plumb_fault_race(const char *what, const struct plumb_deed access[2],
                      struct plumb_text *out)
{
    plumb_text_add(out, "  race on ");
    plumb_label_line(what, out);
    plumb_text_add(out, ": nothing orders these two accesses\n");
    tell_deed(access, "it", out);
    tell_deed(access + 1, "it", out);
}

void plumb_fault_block(const char *what, const struct plumb_deed *deed,
                       size_t count, struct plumb_text *out)
{
    plumb_text_add(out, "  ");
    plumb_label_line(what, out);
    plumb_text_add(out, "\n");
    for (size_t i = 0; i < count; i++)
        tell_deed(deed + i, "it", out);
}
