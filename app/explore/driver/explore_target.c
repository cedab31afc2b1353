/* explore_target.c - making a target ready to be explored. */
#include "explore_target.h"

#include "app/binary/exports.h"
#include "app/console/interrupt.h"
#include "app/console/memory_limit.h"
#include "app/console/say.h"
#include "app/objects/guard.h"
#include "app/objects/plugin.h"
#include "quasi_factor.h"
#include "runtime/common/wait.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char INFER[] = "infer";

struct readiness {
    struct exploration *e;
    bool judges;
    exploration_work *work;
    void *context;
};

/* ---- the specification ---- */

static bool relax(struct exploration *e)
{
    const struct objects_quasi *const q = &e->with->quasi;
    struct plumb_error err;
    if (!q->given)
        return true;
    if (e->infers || e->plugin) {
        console_say("plumb explore: --quasi relaxes built-in specifications "
                    "only; the specification is %s",
                    e->spec_name);
        return false;
    }
    if (!e->with->spec && objects_strict_spec(&e->spec, &err) != PLUMB_OK) {
        console_say("%s: %s", e->spec_name, err.message);
        return false;
    }
    snprintf(e->strict_name, sizeof e->strict_name, "%s",
             plumb_spec_text(e->spec));
    return exploration_relax(e, q->automatic ? 0 : q->k);
}

static bool load_spec(struct exploration *e)
{
    struct plumb_error err = { 0 };
    if (e->program || e->infers)
        return true;
    if (!e->plugin) {
        const bool good =
            plumb_spec_parse(e->spec_name, &e->spec, &err) == PLUMB_OK;
        if (!good)
            console_say("%s%s %s: %s",
                        e->with->spec ? "plumb explore: " : e->target->given,
                        e->with->spec ? "--spec" : ": its .spec", e->spec_name,
                        err.message);
        return good;
    }
    const struct plumb_user_spec *const user = objects_plugin_load(e->plugin);
    if (!user)
        return false;
    if (plumb_spec_from_user(objects_guard_spec(user), &e->spec, &err) ==
        PLUMB_OK)
        return true;
    console_say("%s: %s", e->spec_name, err.message);
    return false;
}

/* In a process of its own, if there is a specification of the user's. */
static enum console_status run(void *context)
{
    const struct readiness *const r = context;
    struct exploration *const e = r->e;
    enum console_status status = STATUS_ERROR;
    console_interrupts_stop(e->budget);
    if (!r->judges || (load_spec(e) && relax(e)))
        status = r->work(e, r->context);
    console_interrupts_stop(NULL);
    if (e->spec)
        plumb_spec_free(e->spec);
    e->spec = NULL;
    return status;
}

static enum console_status run_with_plugin(struct readiness *r)
{
    struct objects_target plugin;
    if (!objects_plugin_build(&plugin, r->e->spec_name))
        return STATUS_ERROR;
    r->e->plugin = &plugin; /* cppcheck-suppress autoVariables; until below */
    const enum console_status status =
        r->judges ? objects_guard_run(&plugin, r->e->with->timeout, run, r)
                  : run(r);
    r->e->plugin = NULL;
    objects_target_release(&plugin);
    return status;
}

/* Without a specification, the object is compared with itself. */
static void find_spec(struct exploration *e)
{
    e->spec_name = e->program      ? ""
                   : e->with->spec ? e->with->spec
                                   : e->what.spec;
    if (!e->program && !*e->spec_name)
        e->spec_name = INFER;
    e->infers = strcmp(e->spec_name, INFER) == 0;
}

/* ---- the target ---- */

/* What it is, without running it. */
static bool find_kind(struct exploration *e)
{
    const struct explore_settings *const s = e->with;
    e->program = !objects_target_is_object(e->target);
    if (!e->program)
        return true;
    if (!binary_exports(e->target->object, "main"))
        console_say("%s: found neither a PLUMB_OBJECT(...) nor a main() "
                    "(`plumb new` writes a file to start from)",
                    e->target->given);
    else if (s->test || s->init || s->final || s->spec || s->quasi.given)
        console_say("%s: this is a program with a main(); --test, --init, "
                    "--final, --spec and --quasi are for objects only",
                    e->target->given);
    else
        return true;
    return false;
}

static enum console_status explore_built(struct readiness *r)
{
    struct exploration *const e = r->e;
    if (!find_kind(e) || !exploration_describe(e))
        return plumb_budget_state(e->budget) != PLUMB_OK ? STATUS_UNDECIDED
                                                         : STATUS_ERROR;
    find_spec(e);
    return !e->program && objects_is_plugin(e->spec_name) ? run_with_plugin(r)
                                                          : run(r);
}

static void set_subject(struct exploration *e, const char *level)
{
    snprintf(e->subject, sizeof e->subject, "%s%s%s", e->target->label,
             level ? " " : "", level ? level : "");
}

static bool arguments_fit(const struct explore_settings *s)
{
    size_t bytes = 0;
    for (size_t i = 0; i < s->nargs; i++)
        bytes += strlen(s->args[i]) + 1;
    if (s->nargs <= JOB_ARGUMENTS && bytes <= JOB_ARGUMENT_BYTES)
        return true;
    console_say("%s: main() can have at most %d arguments, %d bytes in total",
                s->object, JOB_ARGUMENTS, JOB_ARGUMENT_BYTES);
    return false;
}

enum console_status explore_with(const struct explore_settings *s,
                                 const char *level, bool judges,
                                 exploration_work *work, void *context)
{
    struct objects_target target;
    struct exploration *const e = calloc(1, sizeof *e);
    enum console_status status = STATUS_ERROR;
    char host[PATH_MAX];
    if (!arguments_fit(s) || !explore_host_find(host) ||
        !objects_target_build(&target, s->object, TARGET_EXPLORED, s->extra,
                              s->nextra)) {
        free(e);
        return STATUS_ERROR;
    }
    struct plumb_budget *const budget = plumb_budget_new(s->timeout, 0);
    if (e && budget) {
        *e = (struct exploration){ .with = s,
                                   .target = &target,
                                   .spec_name = "",
                                   .budget = budget,
                                   .memory = console_memory_limit(s->memory) };
        if (s->timeout)
            e->deadline =
                runtime_nanoseconds_now() + s->timeout * UINT64_C(1000000);
        set_subject(e, level);
        console_interrupts_stop(budget);
        struct readiness r = {
            .e = e, .judges = judges, .work = work, .context = context
        };
        status = explore_built(&r);
        console_interrupts_stop(NULL);
    } else {
        console_say("plumb explore: out of memory");
    }
    plumb_budget_free(budget);
    objects_target_release(&target);
    free(e);
    return status;
}

static enum console_status search(struct exploration *e, void *context)
{
    (void)context;
    return exploration_search(e);
}

enum console_status explore_target(const struct explore_settings *s,
                                   const char *level)
{
    return explore_with(s, level, true, search, NULL);
}
