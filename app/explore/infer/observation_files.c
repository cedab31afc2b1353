/* observation_files.c - see observation_files.h. */
#include "observation_files.h"

#include "app/console/input.h"
#include "app/console/output.h"
#include "app/console/say.h"
#include "app/objects/described_object.h"
#include "infer/observations.h"
#include "inferred.h"
#include "record/script.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- which file ---- */

static bool find_path(const struct exploration *e, unsigned number,
                      unsigned tests, char path[PATH_MAX])
{
    const char *const given = e->with->observations;
    const int length =
        tests == 1 && e->with->test
            ? snprintf(path, PATH_MAX, "%s", given)
            : snprintf(path, PATH_MAX, "%s/%04u.xml", given, number + 1);
    if (length < PATH_MAX)
        return true;
    console_say("%s: the name is too long", given);
    return false;
}

static bool is_there(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

/* A pipe or a device may have no end.  Directories are refused by who reads. */
static bool may_be_read(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || S_ISREG(about.st_mode) ||
        S_ISDIR(about.st_mode))
        return true;
    console_say("%s: this is no regular file", path);
    return false;
}

static bool make_directory(const struct exploration *e, unsigned tests)
{
    const char *const given = e->with->observations;
    if ((tests == 1 && e->with->test) || mkdir(given, 0777) == 0 ||
        errno == EEXIST)
        return true;
    console_say("%s: cannot make this directory: %s", given, console_reason());
    return false;
}

enum { OPTIONS = 2 * JOB_TEXT + 64 };

/* What an object does serially depends on these. */
static struct plumb_infer_origin origin_of(const struct exploration *e,
                                           const struct job_request *r,
                                           char options[OPTIONS])
{
    snprintf(options, OPTIONS,
             "random %" PRIu32 ", reuse %" PRIu32 ", nondet %s%s%s", r->random,
             r->reuse, r->nondet, *r->async ? ", async " : "", r->async);
    return (struct plumb_infer_origin){ .object = e->target->label,
                                        .build = e->what.build_id,
                                        .options = options,
                                        .init = r->init,
                                        .test = r->test,
                                        .final = r->final };
}

/* ---- the operations of a test ---- */

/* `next`: one behind the processes that there are. */
static bool add_operations(const char *text, const struct plumb_object *object,
                           struct plumb_infer_store *s, unsigned *next)
{
    struct plumb_record_script script;
    struct plumb_error err;
    if (!*text)
        return true;
    if (plumb_record_script_parse(&script, text, object, &err) != PLUMB_OK)
        return false;
    for (size_t i = 0; i < script.count && s->operations < JOB_OPERATIONS;
         i++) {
        const struct plumb_record_script_step *const step = &script.step[i];
        struct plumb_record_entry *const call = &s->call[s->operations];
        plumb_record_entry_begin(call, step->operation);
        plumb_record_script_entry(step, call);
        call->call = 0;
        s->process[s->operations++] = (uint8_t)step->process;
    }
    if (script.processes > *next)
        *next = script.processes;
    plumb_record_script_release(&script);
    return true;
}

static void number_async(const char *async, const struct plumb_object *object,
                         struct plumb_infer_store *s, unsigned next)
{
    s->async = 0;
    for (unsigned op = 0; op < s->operations; op++)
        if (plumb_infer_is_listed(
                async, object->operations[s->call[op].operation].name)) {
            s->process[op] = (uint8_t)next++;
            s->async |= UINT64_C(1) << op;
        }
}

/* As the host numbers them. */
static bool describe(const struct job_request *r,
                     const struct plumb_object *object,
                     struct plumb_infer_store *s)
{
    unsigned next = 0;
    s->operations = 0;
    if (!add_operations(r->init, object, s, &next))
        return false;
    s->init = s->operations;
    if (!add_operations(r->test, object, s, &next))
        return false;
    const unsigned before = s->operations;
    if (!add_operations(r->final, object, s, &next))
        return false;
    s->final = s->operations - before;
    number_async(r->async, object, s, next);
    return true;
}

/* ---- reading and writing ---- */

static bool read_file(const struct exploration *e, const char *path,
                      struct job *job)
{
    char options[OPTIONS];
    const struct plumb_infer_origin origin =
        origin_of(e, &job->request, options);
    const char *name[PLUMB_MAX_OPERATIONS];
    struct console_input in;
    struct plumb_error err = { 0 };
    for (unsigned i = 0; i < e->what.operations; i++)
        name[i] = e->what.operation[i].name;
    if (console_input_open(&in, path, NULL, &err) != PLUMB_OK) {
        console_say_error(path, &err);
        return false;
    }
    const enum plumb_status status = plumb_infer_read(
        in.data, in.size, &origin, name, NULL, &job->serial, &err);
    console_input_close(&in);
    if (status == PLUMB_OK)
        return true;
    console_say_error(path, &err);
    return false;
}

bool explore_observations_load(const struct exploration *e, unsigned number,
                               unsigned tests, struct job *job)
{
    char path[PATH_MAX];
    if (!e->infers || !e->with->observations)
        return true;
    if (!find_path(e, number, tests, path))
        return false;
    if (!is_there(path))
        return true;
    if (!describe(&job->request, &e->object, &job->serial)) {
        console_say("plumb explore: out of memory");
        return false;
    }
    if (!may_be_read(path) || !read_file(e, path, job))
        return false;
    /* What is no specification is run again, for the schedules that show it. */
    if (job->serial.end == PLUMB_INFER_DETERMINISTIC)
        job->request.spec_from = JOB_SPEC_OBSERVED;
    return true;
}

static bool write_file(const char *path, const struct plumb_base_text *text)
{
    struct console_output out;
    if (text->broken) {
        console_say("plumb explore: out of memory");
        return false;
    }
    if (!console_output_create(&out, path))
        return false;
    const struct plumb_sink sink = console_output_sink(&out);
    sink.write(sink.context, text->data, text->size);
    return console_output_finish(&out, true);
}

static bool write_observations(const struct exploration *e, const char *path,
                               const struct job *job)
{
    char options[OPTIONS];
    const struct plumb_infer_origin origin =
        origin_of(e, &job->request, options);
    const char *name[PLUMB_MAX_OPERATIONS];
    struct plumb_error err = { 0 };
    struct plumb_base_text text;
    for (unsigned i = 0; i < e->what.operations; i++)
        name[i] = e->what.operation[i].name;
    plumb_base_text_init(&text, e->budget);
    const enum plumb_status status = plumb_infer_write(
        &job->serial, name, &origin, NULL, e->budget, &text, &err);
    /* Time that is up is no error: what was found until then counts. */
    const bool late = status == PLUMB_ETIME || status == PLUMB_ESTOP;
    if (late)
        console_say("%s: not written: %s", path, err.message);
    else if (status != PLUMB_OK)
        console_say_error(path, &err);
    const bool done = late || (status == PLUMB_OK && write_file(path, &text));
    plumb_base_text_release(&text);
    return done;
}

bool explore_observations_save(const struct exploration *e, unsigned number,
                               unsigned tests, const struct job *job)
{
    char path[PATH_MAX];
    const enum plumb_infer_end end = job->serial.end;
    if (!e->infers || !e->with->observations ||
        (end != PLUMB_INFER_DETERMINISTIC &&
         end != PLUMB_INFER_NONDETERMINISTIC) ||
        !explore_serial_is_sound(job))
        return true;
    return find_path(e, number, tests, path) &&
           (is_there(path) ||
            (make_directory(e, tests) && write_observations(e, path, job)));
}
