/* write_spec.c - see write_spec.h. */
#include "write_spec.h"

#include "app/console/output.h"
#include "app/console/say.h"
#include "infer/written_spec.h"
#include "inferred.h"
#include <stdlib.h>

enum { MOST_NAMED = 200 }; /* tests */

struct explore_written {
    struct console_output file;
    struct plumb_infer_merged merged;
    struct plumb_base_text tests;
    bool broken; /* memory was refused */
};

bool explore_written_open(const struct exploration *e,
                          struct explore_written **w)
{
    *w = NULL;
    if (!e->with->write_spec)
        return true;
    struct explore_written *const fresh = calloc(1, sizeof *fresh);
    if (!fresh || !console_output_create(&fresh->file, e->with->write_spec)) {
        if (!fresh)
            console_say("plumb explore: out of memory");
        free(fresh);
        return false;
    }
    plumb_infer_merged_init(&fresh->merged, e->budget);
    plumb_base_text_init(&fresh->tests, NULL);
    *w = fresh;
    return true;
}

static void name_test(struct explore_written *w, const struct job_request *r)
{
    const unsigned tests = w->merged.tests;
    struct plumb_base_text *const out = &w->tests;
    if (tests > MOST_NAMED)
        return;
    if (*r->init)
        plumb_base_text_printf(out, "%s, then ", r->init);
    plumb_base_text_add(out, r->test);
    if (*r->final)
        plumb_base_text_printf(out, ", then %s", r->final);
    plumb_base_text_add(out, "\n");
}

void explore_written_add(struct explore_written *w, const struct job *job)
{
    if (!w || w->broken || job->serial.end != PLUMB_INFER_DETERMINISTIC ||
        !explore_serial_is_sound(job))
        return;
    w->broken = !plumb_infer_merged_add(&w->merged, &job->serial);
    name_test(w, &job->request);
}

static struct plumb_infer_about describe(struct explore_written *w,
                                         const struct exploration *e)
{
    const struct job_description *const d = &e->what;
    struct plumb_infer_about about = { .object = e->target->label,
                                       .build = d->build_id,
                                       .operations = d->operations };
    for (unsigned i = 0; i < d->operations; i++) {
        about.name[i] = d->operation[i].name;
        about.arity[i] = d->operation[i].arity;
    }
    if (w->merged.tests > MOST_NAMED)
        plumb_base_text_printf(&w->tests, "... and %u more\n",
                               w->merged.tests - MOST_NAMED);
    about.tests = plumb_base_text_string(&w->tests);
    return about;
}

static bool write_file(struct explore_written *w, const struct exploration *e)
{
    const struct plumb_infer_about about = describe(w, e);
    const struct plumb_sink sink = console_output_sink(&w->file);
    struct plumb_error err = { 0 };
    struct plumb_base_text text;
    plumb_base_text_init(&text, e->budget);
    const bool made =
        !w->broken && !w->tests.broken &&
        plumb_infer_write_spec(&w->merged, &about, &text, &err) == PLUMB_OK;
    if (made)
        sink.write(sink.context, text.data, text.size);
    else
        console_say("%s: not written: %s", e->with->write_spec,
                    *err.message ? err.message : "out of memory");
    plumb_base_text_release(&text);
    return made;
}

bool explore_written_close(struct explore_written *w,
                           const struct exploration *e, bool passed)
{
    if (!w)
        return true;
    const bool any = passed && w->merged.tests;
    const bool made = any && write_file(w, e);
    if (!any)
        console_note("%s: not written: the object did not pass",
                     e->with->write_spec);
    const bool kept = console_output_finish(&w->file, made);
    plumb_infer_merged_release(&w->merged);
    plumb_base_text_release(&w->tests);
    free(w);
    return kept && (made || !any);
}
