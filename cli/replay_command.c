/* replay_command.c - plumb replay: one schedule again, told step by step. */
#include "app/console/options.h"
#include "app/console/say.h"
#include "app/console/wordlist.h"
#include "app/explore/driver/explore_target.h"
#include "app/explore/driver/gdb_session.h"
#include "app/explore/driver/schedule_file.h"
#include "app/explore/report/explore_report.h"
#include "cli.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

struct replay_settings {
    bool gdb, json, quiet, verbose, color;
    unsigned step;
    struct publish_settings publish;
    struct publication *publication;
};
#define SETTINGS struct replay_settings

static bool take_gdb(const struct console_options *o,
                     const struct console_option *row, const char *value,
                     void *settings)
{
    struct replay_settings *const s = settings;
    uint64_t step = 0;
    if (*value && !console_option_number(o, row, value, &step))
        return false;
    s->gdb = true;
    s->step = (unsigned)step;
    return true;
}

static const struct console_option rows[] = {
    { "gdb", 0, IN_OWN(take_gdb, 0, JOB_STEPS, NULL), "[STEP]",
      .help = "run it in gdb, and stop before STEP (default 0)",
      .more = "gdb stops at the line of the target that does the step.  The "
              "threads of the target are fibers of one thread." },
    OPTION_JSON(NULL, NULL),
    OPTIONS_PUBLISH,
    OPTIONS_OUTPUT("show every access, not only those that other threads can "
                   "see"),
};

/* ---- running it ---- */

struct replay {
    const struct replay_settings *with;
    const char *path; /* of the schedule */
    const struct explore_schedule *schedule;
    bool readable; /* it fits a build with -Og, which is used */
};

static void note_build(const struct exploration *e,
                       const struct explore_schedule *s)
{
    if (s->build_id[0] && strcmp(s->build_id, e->what.build_id) != 0)
        console_note(
            "%s is not what the schedule was made with: its build-id is %s, "
            "and was %s",
            e->target->given,
            e->what.build_id[0] ? e->what.build_id : "unknown", s->build_id);
}

/* What may be behind it if nothing is as it was. */
static const char *why_not(const struct exploration *e,
                           const struct explore_schedule *s)
{
    return strcmp(s->build_id, e->what.build_id) == 0
               ? "the build is the same, so if the file is, too, please report "
                 "this as a bug of plumb"
               : "the target was built from something else; explore it again";
}

static enum console_status diverged(const struct exploration *e,
                                    const struct explore_schedule *s,
                                    const struct job *job)
{
    return console_error(
        "%s: the schedule cannot be repeated: it diverges at step %" PRIu32
        " of %" PRIu32 "; %s",
        e->target->given, (uint32_t)job->now.length, s->length, why_not(e, s));
}

static bool shows(const struct job *job, const char *finding)
{
    for (uint32_t i = 0; i < job->findings; i++)
        if (strcmp(explore_verdict_of_fault(job->finding[i].what.fault),
                   finding) == 0)
            return true;
    return false;
}

static enum console_status report(const struct exploration *e,
                                  const struct replay *r, const struct job *job,
                                  enum job_end end)
{
    const struct explore_schedule *const s = r->schedule;
    if (end == JOB_ERROR)
        return STATUS_ERROR;
    if (end == JOB_DIVERGED)
        return diverged(e, s, job);
    explore_report_replay(e, job, r->path);
    if (end == JOB_STOPPED)
        return STATUS_UNDECIDED;
    if (job->findings && s->finding[0] && !shows(job, s->finding))
        console_note("%s: the schedule was written for another finding: %s",
                     e->target->given, s->finding);
    if (job->findings)
        return STATUS_VIOLATED;
    if (!s->finding[0])
        return STATUS_HOLDS;
    console_say("%s: these steps do not show what they once did (%s); %s",
                e->target->given, s->finding, why_not(e, s));
    return STATUS_UNDECIDED;
}

/* ---- */

static void make_request(const struct exploration *e,
                         const struct explore_schedule *s,
                         struct job_request *request)
{
    exploration_request(e, &s->scenario, request);
    request->calls = s->calls;
    request->races = s->races;
    request->leaks = !strcmp(s->finding, explore_verdict_of_fault(FAULT_LEAK));
    request->reuse = s->reuse;
    request->random = s->random;
    request->points = s->points;
    memcpy(request->point, s->point, sizeof s->point);
    request->deadline = 0;
}

static struct explore_schedule_part part_of(const struct exploration *e,
                                            const struct explore_schedule *s)
{
    const bool same = strcmp(s->build_id, e->what.build_id) == 0;
    return (struct explore_schedule_part){
        .step = s->step,
        .switched = s->switched,
        .length = s->length,
        .points = s->points,
        .cycle = s->cycle,
        .race = { same ? s->race[0] : 0, same ? s->race[1] : 0 },
    };
}

static enum console_status work(struct exploration *e, void *context)
{
    const struct replay *const r = context;
    const struct explore_schedule *const s = r->schedule;
    struct job_request *const request = calloc(1, sizeof *request);
    struct explore_host_process h = { .file = -1 };
    enum console_status status = STATUS_ERROR;
    if (!r->readable)
        note_build(e, s);
    if (!request)
        return console_error("plumb replay: out of memory");
    make_request(e, s, request);
    const struct explore_schedule_part part = part_of(e, s);
    if (!r->with->gdb) {
        const enum job_end end = exploration_replay(e, request, &part, &h);
        if (h.job)
            status = report(e, r, h.job, end);
    } else if (exploration_prepare_replay(request, &part, &h)) {
        status = explore_gdb_run(&h, r->with->step);
    }
    explore_host_close(&h);
    free(request);
    return status;
}

/* ---- code that gdb can read ---- */

/* Does the schedule show the same with this build? */
static enum console_status try_build(struct exploration *e, void *context)
{
    struct replay *const r = context;
    const struct explore_schedule *const s = r->schedule;
    struct job_request *const request = calloc(1, sizeof *request);
    struct explore_host_process h = { .file = -1 };
    if (!request)
        return STATUS_ERROR;
    make_request(e, s, request);
    const struct explore_schedule_part part = part_of(e, s);
    const enum job_end end = exploration_replay(e, request, &part, &h);
    r->readable =
        h.job && end == JOB_DONE &&
        (s->finding[0] ? shows(h.job, s->finding) : h.job->findings == 0);
    explore_host_close(&h);
    free(request);
    return STATUS_HOLDS;
}

/* With -Og variables are where gdb finds them.  A schedule that names places of
 * the code is of one build alone. */
static void prefer_readable_code(struct explore_settings *s, struct replay *r,
                                 struct console_wordlist *flags)
{
    const size_t size = strlen(s->object);
    const bool shared = size > 3 && strcmp(s->object + size - 3, ".so") == 0;
    if (shared || r->schedule->points || r->schedule->race[0])
        return;
    struct explore_settings og = *s;
    for (size_t i = 0; i < s->nextra; i++)
        console_wordlist_add(flags, s->extra[i]);
    console_wordlist_add(flags, "-Og");
    og.extra = (const char *const *)flags->word;
    og.nextra = flags->count;
    if (!flags->broken)
        explore_with(&og, NULL, false, try_build, r);
    if (r->readable)
        *s = og;
}

static enum console_status replay(const struct replay_settings *with,
                                  const char *path)
{
    struct explore_schedule *const s = calloc(1, sizeof *s);
    if (!s || !explore_schedule_read(s, path)) {
        free(s);
        return STATUS_ERROR;
    }
    struct console_wordlist flags = { .count = 0 };
    struct explore_settings settings = {
        .object = s->target,
        .spec = s->spec[0] ? s->spec : NULL,
        .nondet = s->nondet[0] ? s->nondet : NULL,
        .async = s->async[0] ? s->async : NULL,
        .jobs = 1,
        .json = with->json,
        .publication = with->publication,
        .quiet = with->quiet,
        .verbose = with->verbose,
        .color = with->color,
        .extra = (const char *const *)s->flags.word,
        .nextra = s->flags.count,
        .args = (const char *const *)s->arguments.word,
        .nargs = s->arguments.count,
    };
    struct replay r = { .with = with, .path = path, .schedule = s };
    if (with->gdb)
        prefer_readable_code(&settings, &r, &flags);
    const enum console_status status =
        explore_with(&settings, NULL, !with->gdb, work, &r);
    console_wordlist_release(&flags);
    explore_schedule_release(s);
    free(s);
    return status;
}

static enum console_status run(const struct console_options *o, void *settings)
{
    struct replay_settings *const s = settings;
    if (o->nargs != 1)
        console_usage_fails(o, o->nargs ? "give one FILE.schedule"
                                        : "no FILE.schedule given");
    else if (s->gdb && (s->json || publish_asked(&s->publish)))
        console_usage_fails(o, "--gdb decides nothing, so there is nothing to "
                               "write");
    else if (publish_open(&s->publication, &s->publish, o, o->args[0], s->json))
        return publish_close(s->publication, replay(s, o->args[0]));
    return STATUS_ERROR;
}

const struct console_command cli_replay = {
    .name = "replay",
    .summary = "run one schedule again, shown step by step",
    .arguments = "FILE.schedule [options]",
    .about = "Build the target of a schedule that `plumb explore` wrote, and "
             "run that execution again.  Run it in the directory where the "
             "target was explored.",
    .examples = "  plumb replay .plumb/queue-3f21.schedule\n"
                "  plumb replay .plumb/queue-3f21.schedule --gdb=17\n",
    .status = "  0  the execution has no violation, and none was expected\n"
              "  1  the execution has a violation\n"
              "  2  error, or the schedule cannot be repeated\n"
              "  3  the expected violation did not occur, or interrupted\n",
    .options = rows,
    .names = NAMES_FILES,
    .settings = sizeof(SETTINGS),
    .run = run,
};
