/* explore_report.c - a violation that was found, or replayed, in words. */
#include "explore_report.h"

#include "app/explore/driver/schedule_file.h"
#include "app/explore/infer/allowances.h"
#include "app/explore/infer/conflict.h"
#include "app/explore/infer/inferred.h"

#include "app/console/say.h"
#include "app/explore/trace/explore_interleaving.h"
#include "app/objects/object_spec.h"
#include "app/objects/spec_replay.h"
#include "base/spelling.h"
#include "check/search/stuck.h"
#include "explore_cycles.h"
#include "explore_round_up.h"
#include "explore_words.h"
#include "report/json.h"
#include "report/timeline.h"
#include "report/verdict.h"
#include "weak_hint.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { INDENT = 2, LABEL = 7 };

/* ---- a violation ---- */

static void add_row(const char *label, const char *text, size_t length,
                    struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "  %-*s", LABEL, label);
    plumb_base_text_printf(out, "%.*s\n", (int)length, text);
}

/* The length of one thread's part of a test: up to its bar. */
static size_t part_length(const char *text)
{
    bool quoted = false;
    size_t n = 0;
    for (; text[n] && (quoted || text[n] != '|'); n++) {
        if (text[n] == '"')
            quoted = !quoted;
        else if (quoted && text[n] == '\\' && text[n + 1])
            n++;
    }
    return n;
}

/* A row for each thread, with one before them and one after. */
static void add_rows(const struct explore_scenario *s,
                     struct plumb_base_text *out)
{
    const char *at = s->test;
    char label[16];
    if (s->init[0])
        add_row("init", s->init, strlen(s->init), out);
    for (unsigned p = 1;; p++) {
        at += strspn(at, " ");
        const size_t length = part_length(at);
        size_t shown = length;
        while (shown > 0 && at[shown - 1] == ' ')
            shown--;
        snprintf(label, sizeof label, "P%u", p);
        add_row(label, at, shown, out);
        if (!at[length])
            break;
        at += length + 1;
    }
    if (s->final[0])
        add_row("final", s->final, strlen(s->final), out);
}

static bool has_entries(const struct job *job, const struct job_finding *f)
{
    for (unsigned i = 0; i < job->target.scenario; i++)
        if (f->entry[i].call)
            return true;
    return false;
}

/* With the answers, if they are known: not if the host died. */
static void add_scenario(const struct exploration *e,
                         const struct explore_scenario *s,
                         const struct job *job, const struct job_finding *f,
                         struct plumb_base_text *out)
{
    const struct plumb_report_style style = explore_style(e);
    if (f && has_entries(job, f))
        explore_show_scenario(job, f, &style, out);
    else
        add_rows(s, out);
}

/* The interleaving says it better (explore_fault.c). */
static bool is_told_with_names(const struct scheduler_finding *what)
{
    const enum scheduler_fault fault = what->fault;
    return fault == FAULT_DEADLOCK || fault == FAULT_RACE ||
           fault == FAULT_FREED || (fault == FAULT_OVERFLOW && what->at) ||
           fault == FAULT_FREE;
}

static void add_what(const struct exploration *e, const struct job_finding *f,
                     struct plumb_base_text *out)
{
    struct plumb_base_text line;
    if (!f->what.text[0] || is_told_with_names(&f->what))
        return;
    plumb_base_text_init(&line, NULL);
    plumb_report_label_line(f->what.text, &line);
    if (f->offset) {
        plumb_base_text_add(&line, ", at ");
        explore_show_place(e->target->object, f->offset, &line);
    }
    explore_wrapped_line(e, plumb_base_text_string(&line), out);
    plumb_base_text_release(&line);
}

/* All but the first line of a text. */
static void add_body(const struct plumb_base_text *from,
                     struct plumb_base_text *out)
{
    const char *const text = plumb_base_text_string(from);
    const char *const newline = strchr(text, '\n');
    if (newline)
        plumb_base_text_add(out, newline + 1);
}

/* Why it is not linearizable, in the words of plumb check. */
static void add_why(const struct exploration *e, const struct plumb_history *h,
                    struct plumb_base_text *out)
{
    /* Serial histories are of whole tests. */
    const struct plumb_check_options options = { .jobs = 1,
                                                 .no_core = e->infers };
    const struct plumb_report_style style = explore_style(e);
    struct plumb_report_subject subject = { .name = e->subject,
                                            .file = e->subject,
                                            .spec = plumb_spec_text(e->spec),
                                            .observed = e->infers,
                                            .user_spec =
                                                plumb_spec_user(e->spec),
                                            .history = h };
    struct plumb_answer answer;
    struct plumb_error err = { 0 };
    struct objects_spec_replay replay;
    struct plumb_base_text text;
    if (plumb_check(h, e->spec, &options, &answer, &err) != PLUMB_OK) {
        console_say_error(e->subject, &err);
        return;
    }
    plumb_base_text_init(&text, NULL);
    const bool can_replay = objects_spec_replay_open(&replay, h, e->spec, NULL);
    subject.answer = &answer;
    subject.replay = can_replay ? &replay.replay : NULL;
    if (e->with->json) {
        const bool pictured =
            e->with->verbose || publish_wants(e->with->publication);
        const struct plumb_report_json_head head = { .command = "check",
                                                     .subject = e->subject };
        const struct plumb_report_json_detail detail = { .picture = pictured };
        plumb_report_json(&subject, &head, detail, &text);
    }
    if (!e->with->json)
        plumb_report_verdict(&subject, &style, PLUMB_DETAIL_USUAL, &text);
    if (e->with->json && text.size > 0) {
        plumb_base_text_add(out, ",\"check\":");
        plumb_base_text_bytes(out, text.data, text.size - 1);
    } else {
        add_body(&text, out);
    }
    if (can_replay)
        objects_spec_replay_close(&replay);
    plumb_base_text_release(&text);
    plumb_answer_release(&answer);
}

/* Who waits for ever, though the specification has an answer. */
static void add_unanswered(const struct exploration *e,
                           const struct plumb_report_scene *scene,
                           struct plumb_base_text *out)
{
    struct plumb_error err = { 0 };
    uint32_t culprit, i = 0;
    bool justified;
    object_spec_forget();
    if (plumb_check_stuck(scene->h, e->spec, NULL, &justified, NULL, &culprit,
                          &err) != PLUMB_OK ||
        justified)
        return;
    while (i < scene->count && scene->op[i] != culprit)
        i++;
    if (i == scene->count)
        return;
    plumb_base_text_add(out, "\n  why    ");
    plumb_report_scene_letter(i, out);
    plumb_base_text_printf(
        out,
        " waits for ever, although the specification (%s)\n         has an "
        "answer in every order of the other operations\n",
        plumb_spec_text(e->spec));
}

static void add_timeline(const struct exploration *e,
                         const struct plumb_history *h, bool stuck,
                         struct plumb_base_text *out)
{
    const struct plumb_report_style style = explore_style(e);
    struct plumb_base_arena arena;
    struct plumb_report_scene scene;
    plumb_base_arena_init(&arena, NULL);
    if (h->count && plumb_report_scene_of_history(h, &arena, &scene)) {
        plumb_base_text_add(out, "\n");
        plumb_report_timeline(&scene, &style, INDENT, out);
        if (stuck)
            add_unanswered(e, &scene, out);
    }
    plumb_base_arena_release(&arena);
}

/* What the operations answered, and if that is what is wrong, why. */
static void add_history(const struct exploration *e, const struct job *job,
                        const struct job_finding *f, bool accepted,
                        struct plumb_base_text *out)
{
    struct plumb_history h;
    struct plumb_error err = { 0 };
    struct explore_inferred inferred;
    struct exploration with = *e;
    if ((!e->spec && !e->infers) ||
        explore_finding_history(job, f, NULL, &h, &err) != PLUMB_OK)
        return;
    with.spec = explore_spec_of(e, job, &h, &inferred, &err);
    if (with.spec && e->infers && !e->with->json)
        explore_add_observation(job, f, out);
    if (with.spec && f->what.fault == FAULT_HISTORY && !accepted) {
        add_why(&with, &h, out);
        if (!e->with->json)
            explore_add_weak_hint(e, &h, out);
    }
    if (with.spec && (f->what.fault != FAULT_HISTORY || accepted) &&
        !e->with->json)
        add_timeline(&with, &h,
                     f->what.fault == FAULT_DEADLOCK ||
                         f->what.fault == FAULT_LIVELOCK,
                     out);
    explore_inferred_release(&inferred);
    plumb_history_release(&h);
}

static void add_interleaving(const struct exploration *e,
                             const struct job *replayed,
                             struct plumb_base_text *out)
{
    const struct plumb_report_style style = explore_style(e);
    struct plumb_base_text text;
    if (replayed->trace.count == 0)
        return;
    plumb_base_text_init(&text, NULL);
    explore_show_interleaving(replayed, e->target->object, &style,
                              e->with->verbose, &text);
    if (text.size) {
        plumb_base_text_add(out, "\n");
        plumb_base_text_bytes(out, text.data, text.size);
    }
    plumb_base_text_release(&text);
}

/* ---- what it printed ---- */

static const char *end_of_line(const char *at, const char *end)
{
    const char *const newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
}

static size_t count_lines(const char *at, const char *end)
{
    size_t count = 0;
    for (; at < end; at = end_of_line(at, end) + 1)
        count++;
    return count;
}

static void add_printed_line(const char *at, const char *stop,
                             struct plumb_base_text *out)
{
    char line[256];
    snprintf(line, sizeof line, "%.*s", (int)(stop - at), at);
    plumb_base_text_add(out, "    ");
    plumb_report_label_line(line, out);
    plumb_base_text_add(out, "\n");
}

/* The first lines and the last ones, unless all are wanted. */
static void add_printed(const struct exploration *e, const struct job *job,
                        struct plumb_base_text *out)
{
    enum { SOME = 10 };
    const char *at = job->printed;
    const char *const end = job->printed + job->output;
    const size_t count = count_lines(at, end);
    const bool all = e->with->verbose || count <= 2 * SOME + 1;
    if (at == end)
        return;
    plumb_base_text_add(out, "\n  the target printed:\n");
    for (size_t i = 0; at < end; i++, at = end_of_line(at, end) + 1) {
        if (all || i < SOME || i + SOME >= count)
            add_printed_line(at, end_of_line(at, end), out);
        else if (i == SOME)
            plumb_base_text_printf(out,
                                   "  ... %zu more lines, --verbose for all\n",
                                   count - 2 * (size_t)SOME);
    }
    if (job->output + 1 >= JOB_OUTPUT)
        plumb_base_text_printf(out, "  ... output beyond %d KB was not kept\n",
                               JOB_OUTPUT / 1024);
}

/* Of operations that wait as they may not, so many as its replay has: dpor finds
 * that in a test without the calls that are not made, where who makes none has
 * ended. */
static unsigned preemptions_of(const struct explore_found *f)
{
    const struct job_finding *const told =
        explore_violation_finding(&f->violation);
    const bool waits = told->what.fault == FAULT_DEADLOCK ||
                       told->what.fault == FAULT_LIVELOCK;
    return waits ? f->replayed.job->finding[0].preemptions : told->preemptions;
}

/* In lines that a terminal has room for. */
static void add_how_found(const struct exploration *e,
                          const struct explore_found *f,
                          struct plumb_base_text *out)
{
    const unsigned preemptions = preemptions_of(f);
    const unsigned size = explore_scenario_size(&f->violation.scenario);
    struct plumb_base_text line;
    plumb_base_text_init(&line, NULL);
    plumb_base_text_printf(
        &line, "Found after %" PRIu64 " schedule%s (%u preemption%s",
        f->executions, plumb_base_plural(f->executions), preemptions,
        plumb_base_plural(preemptions));
    if (e->with->automatic)
        plumb_base_text_printf(&line, ", test %u", f->scenario + 1);
    else if (f->scenarios > 1)
        plumb_base_text_printf(&line, ", test %u of %u, seed %" PRIu64,
                               f->scenario + 1, f->scenarios, e->with->seed);
    plumb_base_text_add(&line, ")");
    if (!e->program && size < f->size)
        plumb_base_text_printf(&line, "; reduced from %u operations to %u",
                               f->size, size);
    plumb_base_text_add(&line, ".");
    explore_wrapped_line(e, plumb_base_text_string(&line), out);
    plumb_base_text_release(&line);
}

/* ---- races ---- */

void explore_races_add(struct explore_races *r, uint64_t a, uint64_t b)
{
    const uint64_t low = a < b ? a : b, high = a < b ? b : a;
    enum { ROOM = sizeof r->race / sizeof *r->race };
    for (unsigned i = 0; i < r->count; i++)
        if (r->race[i].place[0] == low && r->race[i].place[1] == high)
            return;
    if (r->count == ROOM)
        return;
    r->race[r->count].place[0] = low;
    r->race[r->count++].place[1] = high;
}

/* The races of this test, then those of others. */
static struct explore_races all_races(const struct explore_found *f)
{
    const struct job *const job = f->violation.host.job;
    struct explore_races all = { .count = 0 };
    for (uint32_t i = 0; i < job->findings; i++)
        if (job->finding[i].what.fault == FAULT_RACE)
            explore_races_add(&all, job->finding[i].offset,
                              job->finding[i].other);
    for (unsigned i = 0; i < f->races->count; i++)
        explore_races_add(&all, f->races->race[i].place[0],
                          f->races->race[i].place[1]);
    all.incomplete = f->races->incomplete || job->too_many_points;
    return all;
}

static void name_race(const struct exploration *e, const uint64_t place[2],
                      struct plumb_base_text *out)
{
    struct plumb_base_text line;
    plumb_base_text_init(&line, NULL);
    plumb_base_text_clear(out);
    plumb_base_text_add(&line, "also: data race between ");
    explore_show_place(e->target->object, place[0], &line);
    plumb_base_text_add(&line, " and ");
    explore_show_place(e->target->object, place[1], &line);
    explore_wrapped_line(e, plumb_base_text_string(&line), out);
    plumb_base_text_release(&line);
}

/* Several accesses of the same lines are told once. */
static unsigned add_race_lines(const struct exploration *e,
                               const struct explore_races *races,
                               const struct job_finding *told,
                               struct plumb_base_text *out)
{
    enum { MOST = 3 };
    const uint64_t itself[] = {
        told->offset < told->other ? told->offset : told->other,
        told->offset < told->other ? told->other : told->offset
    };
    struct plumb_base_text line, own;
    unsigned count = 0;
    plumb_base_text_init(&line, NULL);
    plumb_base_text_init(&own, NULL);
    if (told->what.fault == FAULT_RACE)
        name_race(e, itself, &own);
    for (unsigned i = 0; i < races->count && count < MOST; i++) {
        name_race(e, races->race[i].place, &line);
        const char *const text = plumb_base_text_string(&line);
        if (!strcmp(text, plumb_base_text_string(&own)) ||
            strstr(plumb_base_text_string(out), text))
            continue;
        plumb_base_text_add(out, count++ ? "" : "\n");
        plumb_base_text_add(out, text);
    }
    plumb_base_text_release(&line);
    plumb_base_text_release(&own);
    return count;
}

/* What may be behind it. */
static void add_races(const struct exploration *e,
                      const struct explore_found *f,
                      const struct job_finding *told,
                      struct plumb_base_text *out)
{
    const struct explore_races races = all_races(f);
    if (add_race_lines(e, &races, told, out) && told->what.fault != FAULT_RACE)
        explore_wrapped_line(
            e,
            "What follows a race is what this binary does on sequentially "
            "consistent memory.",
            out);
    if (races.incomplete)
        explore_wrapped_line(e,
                             "incomplete: too many plain accesses race for "
                             "threads to be preempted at all of them",
                             out);
}

/* What was asked for and changes what is run. */
static void add_ways(const struct exploration *e, unsigned preemptions,
                     struct plumb_base_text *out)
{
    enum { USUAL_PREEMPTIONS = 2, USUAL_RANDOM = 2, USUAL_STEPS = 50000 };
    const struct explore_settings *const with = e->with;
    if (preemptions > USUAL_PREEMPTIONS)
        plumb_base_text_printf(out, " --preemptions %u", preemptions);
    if (with->races != JOB_RACES_REPORT)
        plumb_base_text_printf(out, " --races %s",
                               explore_schedule_races[with->races]);
    if (with->reuse != HEAP_REUSE_AT_ONCE)
        plumb_base_text_printf(out, " --reuse %s",
                               explore_schedule_reuse[with->reuse]);
    if (with->random != USUAL_RANDOM)
        plumb_base_text_printf(out, " --random %u", with->random);
    if (with->steps != USUAL_STEPS)
        plumb_base_text_printf(out, " --steps %u", with->steps);
    plumb_base_text_add(out, with->leaks ? " --leaks" : "");
}

/* The line for a regression test. */
static void add_test(const struct exploration *e, const struct explore_found *f,
                     struct plumb_base_text *out)
{
    const struct explore_scenario *const s = &f->violation.scenario;
    plumb_base_text_printf(out, "\n  Test:    plumb explore %s --spec infer",
                           e->target->given);
    if (s->init[0])
        plumb_base_text_printf(out, " --init '%s'", s->init);
    plumb_base_text_printf(out, " --test '%s'", s->test);
    if (s->final[0])
        plumb_base_text_printf(out, " --final '%s'", s->final);
    if (e->with->nondet)
        plumb_base_text_printf(out, " --nondet %s", e->with->nondet);
    if (e->with->async)
        plumb_base_text_printf(out, " --async %s", e->with->async);
    add_ways(e, preemptions_of(f), out);
    plumb_base_text_add(out, e->with->nextra ? " --" : "");
    for (size_t i = 0; i < e->with->nextra; i++)
        plumb_base_text_printf(out, " %s", e->with->extra[i]);
    plumb_base_text_add(out, "\n");
}

/* "NAME: not linearizable" */
static void add_verdict(const struct exploration *e,
                        const struct job_finding *f, bool accepted,
                        struct plumb_base_text *out)
{
    char verdict[64];
    snprintf(verdict, sizeof verdict, "%s%s",
             explore_verdict_of_fault(f->what.fault),
             e->no_factor ? " with any K"
             : accepted   ? " as Round-Up is printed"
                          : "");
    explore_result_line(e, "red", verdict, "", out);
}

/* Of one that is not the first. */
static void add_heading(const struct explore_found *f,
                        const struct job_finding *finding,
                        struct plumb_base_text *out)
{
    if (f->heading[0])
        plumb_base_text_printf(out, "\n  %s %s\n", f->heading,
                               explore_verdict_of_fault(finding->what.fault));
    else
        plumb_base_text_printf(out, "\n  also: %s\n",
                               explore_verdict_of_fault(finding->what.fault));
}

static void text_violation(const struct exploration *e,
                           const struct explore_found *f, bool first,
                           struct plumb_base_text *out)
{
    const struct job_finding *const finding =
        explore_violation_finding(&f->violation);
    const struct job *const job = f->violation.host.job;
    if (first)
        add_verdict(e, finding, f->accepted, out);
    if (e->with->quiet)
        return;
    if (!first)
        add_heading(f, finding, out);
    if (!e->program)
        add_scenario(e, &f->violation.scenario, job, finding, out);
    add_what(e, finding, out);
    if (finding->what.fault == FAULT_NONDETERMINISTIC)
        explore_add_conflict(e, job, out);
    add_how_found(e, f, out);
    add_history(e, job, finding, f->accepted, out);
    if (f->accepted)
        explore_add_accepted(e, out);
    if (finding->what.fault != FAULT_NONDETERMINISTIC)
        add_interleaving(e, f->replayed.job, out);
    if (e->infers)
        explore_add_allowances(e, &f->violation, out);
    add_printed(e, f->replayed.job, out);
    if (!e->with->keep_going)
        add_races(e, f, finding, out);
    if (first && e->with->also)
        plumb_base_text_add(out, "\n");
    if (first)
        explore_add_cycles(e, f->cycles, out);
    if (first && f->round_up)
        plumb_base_text_add(out, "\n");
    if (first)
        explore_add_round_up(e, f->round_up, out);
    if (e->infers)
        add_test(e, f, out);
    if (f->schedule[0])
        plumb_base_text_printf(out, "%s  Replay:  plumb replay %s\n",
                               e->infers ? "" : "\n", f->schedule);
}

static void json_violation(const struct exploration *e,
                           const struct explore_found *f,
                           struct plumb_base_text *out)
{
    const struct job_finding *const finding =
        explore_violation_finding(&f->violation);
    const struct explore_scenario *const s = &f->violation.scenario;
    explore_json_begin(e, explore_verdict_of_fault(finding->what.fault),
                       f->heading[0] ? PLUMB_SAYS_PASS : PLUMB_SAYS_VIOLATION,
                       out);
    if (f->heading[0])
        plumb_report_json_number("too_small", e->factor, out);
    if (e->no_factor)
        plumb_base_text_add(out, ",\"quasi\":null");
    if (finding->what.text[0])
        plumb_report_json_text("text", finding->what.text, out);
    if (s->init[0])
        plumb_report_json_text("init", s->init, out);
    if (s->test[0])
        plumb_report_json_text("test", s->test, out);
    if (s->final[0])
        plumb_report_json_text("final", s->final, out);
    plumb_report_json_number("preemptions", preemptions_of(f), out);
    plumb_report_json_number("steps", finding->length, out);
    plumb_report_json_number("executions", f->executions, out);
    plumb_report_json_number("scenario", f->scenario + 1, out);
    plumb_report_json_number("scenarios", f->scenarios, out);
    plumb_report_json_number("seed", e->with->seed, out);
    if (f->schedule[0])
        plumb_report_json_text("schedule", f->schedule, out);
    if (finding->what.fault == FAULT_NONDETERMINISTIC)
        explore_json_conflict(f->violation.host.job, out);
    if (e->infers)
        explore_add_allowances(e, &f->violation, out);
    explore_json_cycles(e, f->cycles, out);
    explore_json_round_up(e, f->round_up, out);
    if (f->accepted)
        plumb_report_json_bool("accepted_by_default", true, out);
    explore_show_interleaving(f->replayed.job, e->target->object, NULL,
                              e->with->verbose, out);
    add_history(e, f->violation.host.job, finding, f->accepted, out);
    plumb_base_text_add(out, "}\n");
}

void explore_report_violation(const struct exploration *e,
                              const struct explore_found *f, bool first)
{
    struct plumb_base_text out;
    plumb_base_text_init(&out, NULL);
    if (publish_wants(e->with->publication) && !f->heading[0]) {
        struct explore_settings with;
        const struct exploration as = explore_for_programs(e, &with);
        json_violation(&as, f, &out);
        publish_result(with.publication, &out);
        plumb_base_text_clear(&out);
    }
    if (e->with->json)
        json_violation(e, f, &out);
    else
        text_violation(e, f, first, &out);
    explore_print(&out);
    plumb_base_text_release(&out);
}

/* ---- replay ---- */

static void text_replay(const struct exploration *e, const struct job *job,
                        const struct job_finding *f,
                        struct plumb_base_text *out)
{
    struct explore_scenario s;
    explore_result_line(
        e, f ? "red" : "green",
        f ? explore_verdict_of_fault(f->what.fault) : "no violation", "", out);
    if (e->with->quiet)
        return;
    memcpy(s.init, job->request.init, sizeof s.init);
    memcpy(s.test, job->request.test, sizeof s.test);
    memcpy(s.final, job->request.final, sizeof s.final);
    if (!e->program)
        add_scenario(e, &s, job, f, out);
    if (f) {
        add_what(e, f, out);
        add_history(e, job, f, false, out);
    }
    add_interleaving(e, job, out);
    add_printed(e, job, out);
}

static void json_replay(const struct exploration *e, const struct job *job,
                        const struct job_finding *f, const char *schedule,
                        struct plumb_base_text *out)
{
    const struct job_request *const request = &job->request;
    const char *const verdict =
        f ? explore_verdict_of_fault(f->what.fault) : "no violation";
    explore_json_begin(e, verdict, f ? PLUMB_SAYS_VIOLATION : PLUMB_SAYS_PASS,
                       out);
    if (f && f->what.text[0])
        plumb_report_json_text("text", f->what.text, out);
    if (request->init[0])
        plumb_report_json_text("init", request->init, out);
    if (request->test[0])
        plumb_report_json_text("test", request->test, out);
    if (request->final[0])
        plumb_report_json_text("final", request->final, out);
    plumb_report_json_text("schedule", schedule, out);
    explore_show_interleaving(job, e->target->object, NULL, e->with->verbose,
                              out);
    if (f)
        add_history(e, job, f, false, out);
    plumb_base_text_add(out, "}\n");
}

/* As what is published, and on stdout if that is for programs. */
static void tell_replay_to_programs(const struct exploration *e,
                                    const struct job *job,
                                    const struct job_finding *f,
                                    const char *schedule)
{
    struct explore_settings with;
    struct exploration as = explore_for_programs(e, &with);
    struct plumb_base_text out;
    as.command = "replay";
    plumb_base_text_init(&out, NULL);
    json_replay(&as, job, f, schedule, &out);
    publish_result(with.publication, &out);
    if (e->with->json)
        explore_print(&out);
    plumb_base_text_release(&out);
}

void explore_report_replay(const struct exploration *e, const struct job *job,
                           const char *schedule)
{
    const struct job_finding *f = NULL;
    struct plumb_base_text out;
    for (uint32_t i = 0; i < job->findings; i++)
        if (!f || f->what.fault == FAULT_RACE)
            f = &job->finding[i]; /* races only if there is nothing worse */
    if (e->with->json || publish_wants(e->with->publication))
        tell_replay_to_programs(e, job, f, schedule);
    if (e->with->json)
        return;
    plumb_base_text_init(&out, NULL);
    text_replay(e, job, f, &out);
    explore_print(&out);
    plumb_base_text_release(&out);
}
