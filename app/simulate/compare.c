/* compare.c - implementations of one type side by side. */
#include "compare.h"

#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/console/say.h"
#include "worker_process.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

double simulate_cell_rate(const struct simulate_cell *c)
{
    return c->outcome == CELL_MEASURED ? (double)c->calls / c->seconds : 0;
}

/* ---- the objects ---- */

static bool add_object(struct simulate_comparison *c, const char *name)
{
    const struct simulate_settings *const s = c->with;
    struct simulate_compared *const o = &c->object[c->objects++];
    o->cell = calloc(c->processes, sizeof *o->cell);
    if (!o->cell)
        return console_fails("plumb simulate: out of memory");
    o->is_built = objects_target_build(&o->target, name, TARGET_PLAIN, s->extra,
                                       s->nextra);
    o->label = o->target.label;
    return o->is_built && simulate_worker_learn(&o->target, &o->about);
}

/* Two files of one name in different folders go by what was given. */
static void tell_labels_apart(struct simulate_comparison *c)
{
    for (unsigned a = 0; a < c->objects; a++)
        for (unsigned b = 0; b < c->objects; b++)
            if (a != b &&
                !strcmp(c->object[a].target.label, c->object[b].target.label))
                c->object[a].label = c->object[a].target.given;
}

static void release_objects(struct simulate_comparison *c)
{
    for (unsigned i = 0; i < c->objects; i++) {
        free(c->object[i].cell);
        if (c->object[i].is_built)
            objects_target_release(&c->object[i].target);
    }
}

/* ---- of one type ---- */

static bool has_operation(const struct worker_description *d, const char *name)
{
    for (unsigned i = 0; i < d->operations; i++)
        if (!strcmp(d->operation[i], name))
            return true;
    return false;
}

static bool same_operations(const struct worker_description *a,
                            const struct worker_description *b)
{
    bool same = a->operations == b->operations;
    for (unsigned i = 0; same && i < a->operations; i++)
        same = has_operation(b, a->operation[i]);
    return same;
}

/* "queue:cap=4" and "queue:blocking" are both queues. */
static bool same_spec(const char *a, const char *b)
{
    const size_t length = strcspn(a, ":");
    return !*a || !*b || (length == strcspn(b, ":") && !strncmp(a, b, length));
}

static void add_operations(const struct worker_description *d,
                           struct plumb_base_text *t)
{
    for (unsigned i = 0; i < d->operations; i++) {
        plumb_base_text_add(t, i ? " " : "");
        plumb_report_label_line(d->operation[i], t);
    }
}

static void say_operations(const struct simulate_compared *a,
                           const struct simulate_compared *b)
{
    struct plumb_base_text t = { 0 };
    plumb_base_text_printf(
        &t, "%s and %s have different operations: ", a->label, b->label);
    add_operations(&a->about, &t);
    plumb_base_text_add(&t, " versus ");
    add_operations(&b->about, &t);
    console_say("plumb simulate: %s", plumb_base_text_string(&t));
    plumb_base_text_release(&t);
}

static bool are_of_one_type(const struct simulate_comparison *c)
{
    const struct simulate_compared *const a = &c->object[0];
    for (unsigned i = 1; i < c->objects; i++) {
        const struct simulate_compared *const b = &c->object[i];
        if (!same_operations(&a->about, &b->about)) {
            say_operations(a, b);
            return false;
        }
        if (!same_spec(a->about.spec, b->about.spec))
            return console_fails("plumb simulate: %s and %s have different "
                                 "specifications: %s versus %s",
                                 a->label, b->label, a->about.spec,
                                 b->about.spec);
    }
    return true;
}

/* ---- measuring ---- */

static bool measure_all(struct simulate_comparison *c,
                        struct plumb_budget *budget)
{
    for (unsigned n = 1; n <= c->processes; n++)
        for (unsigned i = 0; i < c->objects; i++) {
            if (!simulate_measure_cell(c->with, budget, &c->object[i], n))
                return false;
            c->interrupted = plumb_budget_state(budget) == PLUMB_ESTOP;
            if (c->interrupted)
                return true;
        }
    return true;
}

static enum console_status status_of(const struct simulate_comparison *c)
{
    enum console_status status =
        c->interrupted ? STATUS_UNDECIDED : STATUS_HOLDS;
    for (unsigned i = 0; i < c->objects; i++)
        for (unsigned n = 0; n < c->processes; n++) {
            const enum simulate_cell_outcome o = c->object[i].cell[n].outcome;
            if (o == CELL_CRASHED)
                status = console_worse_status(status, STATUS_VIOLATED);
            else if (o == CELL_STUCK)
                status = console_worse_status(status, STATUS_UNDECIDED);
        }
    return status;
}

static void note_what_comes(const struct simulate_comparison *c)
{
    const double cells = (double)(c->objects * c->processes);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    double load;
    const double each = (double)c->with->milliseconds / 1000;
    console_note(
        "%u object%s, up to %u process%s, %.3g s each: %.3g s in total",
        c->objects, c->objects == 1 ? "" : "s", c->processes,
        c->processes == 1 ? "" : "es", each, each * cells);
    if (getloadavg(&load, 1) == 1 && load > (double)processors / 2)
        console_note("the machine is busy (load %.1f, %ld processors); the "
                     "numbers will vary",
                     load, processors);
    if (c->processes > processors)
        console_note(
            "this machine has %ld processors; more processes take turns",
            processors);
}

static enum console_status measure_and_print(struct simulate_comparison *c)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    bool good = budget && simulate_measure_cost(c->with, &c->cost);
    if (!budget)
        console_say("plumb simulate: out of memory");
    if (good) {
        note_what_comes(c);
        console_interrupts_stop(budget);
        good = measure_all(c, budget);
        console_interrupts_stop(NULL);
    }
    good = good && simulate_compare_print(c);
    plumb_budget_free(budget);
    return good ? status_of(c) : STATUS_ERROR;
}

/* The plot's file is made first: if it cannot be, nothing is measured. */
static enum console_status run(struct simulate_comparison *c)
{
    struct console_output plot;
    const char *const path = c->with->plot;
    if (!path)
        return measure_and_print(c);
    if (!console_output_create(&plot, path))
        return STATUS_ERROR;
    const enum console_status status = measure_and_print(c);
    const bool drawn =
        status != STATUS_ERROR && simulate_compare_plot(c, &plot);
    return console_output_finish(&plot, drawn) && drawn ? status : STATUS_ERROR;
}

enum console_status simulate_compare_objects(const struct simulate_settings *s,
                                             const char *const *name,
                                             size_t count)
{
    struct simulate_comparison c = { .with = s, .processes = s->processes };
    enum console_status status = STATUS_ERROR;
    bool ready = true;
    for (size_t i = 0; ready && i < count; i++)
        ready = add_object(&c, name[i]);
    tell_labels_apart(&c);
    if (ready && are_of_one_type(&c))
        status = run(&c);
    release_objects(&c);
    return status;
}
