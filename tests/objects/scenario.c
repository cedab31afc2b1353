/* scenario.c - see scenario.h. */
#include "scenario.h"

#include "record/script.h"
#include <stdio.h>
#include <string.h>

static bool complain(const char *text, const char *what)
{
    fprintf(stderr, "schedules: '%s': %s\n", text, what);
    return false;
}

static bool may_call(const struct plumb_operation *o, unsigned process)
{
    if (o->by == PLUMB_BY_ANY)
        return true;
    return (o->by == PLUMB_BY_FIRST) == (process == 0);
}

static bool add_step(struct scenario *s, const struct plumb_object *object,
                     const char *text,
                     const struct plumb_record_script_step *step, unsigned part)
{
    if (s->count == MAX_INVOKED)
        return complain(text, "too many operations");
    struct invoked *const i = &s->op[s->count];
    if (s->length[part]++ == 0)
        s->first[part] = s->count;
    s->count++;
    i->process = step->process;
    i->operation = &object->operations[step->operation];
    plumb_record_script_entry(step, &i->entry);
    if (part < MAX_PROCESSES && !may_call(i->operation, part))
        return complain(text, "a process may not call that");
    return !i->entry.flaws || complain(text, "too much text");
}

static bool add_steps(struct scenario *s, const struct plumb_object *object,
                      const char *text,
                      const struct plumb_record_script *script, unsigned part)
{
    for (size_t i = 0; i < script->count; i++) {
        const struct plumb_record_script_step *const step = &script->step[i];
        if (!add_step(s, object, text, step, part ? part : step->process))
            return false;
    }
    return true;
}

/* The operations of a text; of `part`, unless it is 0: then of processes. */
static bool add_text(struct scenario *s, const struct plumb_object *object,
                     const char *text, unsigned part)
{
    struct plumb_record_script script;
    struct plumb_error err;
    bool good;
    if (plumb_record_script_parse(&script, text, object, &err) != PLUMB_OK)
        return complain(text, err.message);
    if (script.processes > (part ? 1 : MAX_PROCESSES))
        good = complain(text, "too many processes");
    else
        good = add_steps(s, object, text, &script, part);
    if (!part)
        s->processes = script.processes;
    plumb_record_script_release(&script);
    return good;
}

bool scenario_parse(struct scenario *s, const struct plumb_object *object,
                    const char *init, const char *text, const char *final)
{
    memset(s, 0, sizeof *s);
    if ((init && !add_text(s, object, init, BEFORE)) ||
        !add_text(s, object, text, 0) ||
        (final && !add_text(s, object, final, AFTER)))
        return false;
    for (unsigned p = 0; p < s->processes; p++)
        if (!s->length[p])
            return complain(text, "a process does nothing");
    return true;
}
