/* check_report.c - deciding one subject and putting the answer into words.
 *
 * Texts are not charged to the budget: a run that has used up its memory must
 * still be able to say so. */
#include "check_report.h"

#include "app/objects/spec_replay.h"
#include "report/json.h"
#include "report/verdict.h"
#include "report/witness_file.h"
#include "report/wrap.h"
#include "weak_variant.h"
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Longer cores are shown without the order that gets stuck. */
enum { LONGEST_REPLAY = 1000 };

static unsigned terminal_width(void)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col;
}

/* What the user's locale can show; LC_ALL=C gets plain ASCII. */
static bool locale_is_utf8(void)
{
    setlocale(LC_CTYPE, "");
    const bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    setlocale(LC_CTYPE, "C");
    return utf8;
}

struct plumb_report_style check_reporting_style(bool color)
{
    return (struct plumb_report_style){ .width = terminal_width(),
                                        .ascii = !locale_is_utf8(),
                                        .color = color };
}

struct check_reporting check_reporting_for(const struct check_settings *s,
                                           struct plumb_budget *budget)
{
    return (struct check_reporting){ .with = s,
                                     .budget = budget,
                                     .style = check_reporting_style(s->color) };
}

static enum plumb_report_detail detail(const struct check_settings *s)
{
    return s->quiet     ? PLUMB_DETAIL_QUIET
           : s->verbose ? PLUMB_DETAIL_FULL
                        : PLUMB_DETAIL_USUAL;
}

static struct plumb_report_subject subject_of(const struct check_reporting *r,
                                              const struct check_subject *s)
{
    return (struct plumb_report_subject){
        .name = s->name,
        .file = s->file ? s->file->in.name : s->name,
        .spec = s->spec && !s->any_spec ? plumb_spec_text(s->spec) : NULL,
        .user_spec = s->spec && plumb_spec_user(s->spec),
        .timeout_seconds = (r->with->timeout + 999) / 1000,
        .memory_bytes = r->with->memory,
    };
}

/* ---- for programs ---- */

/* As a line on stdout, and as what is published. */
static void tell_programs(const struct check_reporting *r,
                          struct check_subject *s,
                          const struct plumb_report_subject *subject)
{
    const struct check_settings *const with = r->with;
    char absolute[PATH_MAX];
    const struct plumb_report_json_head head = publish_json_head(
        with->command ? with->command : "check", s->name, s->path, absolute);
    const struct plumb_report_json_detail detail = { with->verbose,
                                                     with->verbose };
    const struct plumb_report_json_detail picture = { .picture = true };
    if (with->json)
        plumb_report_json(subject, &head, detail, &s->result);
    if (publish_wants(with->publication))
        plumb_report_json(subject, &head, picture, &s->published);
}

/* ---- without a history ---- */

static void report_error(const struct check_reporting *r,
                         struct check_subject *s, const struct plumb_error *err)
{
    struct plumb_report_subject subject = subject_of(r, s);
    subject.error = err;
    tell_programs(r, s, &subject);
}

/* The budget was used up before it could be read. */
static void report_unread(const struct check_reporting *r,
                          struct check_subject *s)
{
    static const struct plumb_history nothing = { .count = 0 };
    const enum plumb_algorithm wanted = r->with->check.algorithm;
    const struct plumb_answer answer = {
        .verdict = PLUMB_UNDECIDED,
        .why = s->unread,
        .algorithm =
            wanted == PLUMB_ALGORITHM_AUTO ? PLUMB_ALGORITHM_SEARCH : wanted,
    };
    struct plumb_report_subject subject = subject_of(r, s);
    subject.answer = &answer;
    subject.history = &nothing;
    tell_programs(r, s, &subject);
    if (r->with->json)
        return;
    plumb_report_verdict(&subject, &r->style, PLUMB_DETAIL_QUIET, &s->result);
    if (!r->with->quiet)
        plumb_base_text_add(
            &s->result, s->file_began ? "  the rest of the file was not read\n"
                                      : "  the file was not read\n");
}

/* ---- with one ---- */

static void report_answer(const struct check_reporting *r,
                          struct check_subject *s,
                          const struct plumb_answer *answer,
                          const struct plumb_report_replay *replay)
{
    struct plumb_report_subject subject = subject_of(r, s);
    subject.history = &s->history;
    subject.answer = answer;
    subject.replay = replay;
    tell_programs(r, s, &subject);
    if (!r->with->json)
        plumb_report_verdict(&subject, &r->style, detail(r->with), &s->result);
    if (r->with->witness && answer->verdict != PLUMB_UNDECIDED)
        plumb_report_witness_write(&s->history, s->number, subject.spec, answer,
                                   &s->witness);
}

/* It may be a violation of the strict object only. */
static void add_weak_variant(const struct check_reporting *r,
                             struct check_subject *s)
{
    enum { INDENT = 2, HANGING = 2 };
    struct plumb_base_text line;
    if (r->with->json || r->with->quiet || plumb_spec_user(s->spec))
        return;
    plumb_base_text_init(&line, NULL);
    if (check_add_weak_variant(&s->history, plumb_spec_text(s->spec), r->budget,
                               &line)) {
        plumb_base_text_add(&s->result, "\n");
        plumb_base_text_fill(&s->result, ' ', INDENT);
        plumb_report_wrap(plumb_base_text_string(&line), line.size, INDENT,
                          HANGING, &r->style, &s->result);
    }
    plumb_base_text_release(&line);
}

static bool wants_replay(const struct check_reporting *r,
                         const struct plumb_answer *answer)
{
    const bool published = publish_wants(r->with->publication);
    const bool pictured = published || (r->with->json && r->with->verbose);
    return (answer->verdict == PLUMB_NOT_LINEARIZABLE
                ? !r->with->quiet || published
                : pictured) &&
           answer->core.count <= LONGEST_REPLAY &&
           plumb_budget_state(r->budget) == PLUMB_OK;
}

static void explain_answer(const struct check_reporting *r,
                           struct check_subject *s,
                           const struct plumb_answer *answer)
{
    struct objects_spec_replay replay;
    if (wants_replay(r, answer) &&
        objects_spec_replay_open(&replay, &s->history, s->spec, r->budget)) {
        report_answer(r, s, answer, &replay.replay);
        objects_spec_replay_close(&replay);
    } else {
        report_answer(r, s, answer, NULL);
    }
}

static enum console_status status_of(enum plumb_verdict verdict)
{
    return verdict == PLUMB_LINEARIZABLE       ? STATUS_HOLDS
           : verdict == PLUMB_NOT_LINEARIZABLE ? STATUS_VIOLATED
                                               : STATUS_UNDECIDED;
}

/* It waits for its next turn. */
static void put_off(struct check_subject *s, struct plumb_answer *answer)
{
    s->interrupted = true;
    if (answer->prefix > s->prefix)
        s->prefix = answer->prefix;
    plumb_answer_release(answer);
}

static void decide_history(const struct check_reporting *r,
                           struct check_subject *s)
{
    struct plumb_check_options options = r->with->check;
    struct plumb_answer answer;
    struct plumb_error err = { 0 };
    options.jobs = s->jobs;
    options.most_steps = s->steps;
    options.budget = r->budget;
    const enum plumb_status status =
        plumb_check(&s->history, s->spec, &options, &answer, &err);
    if (status != PLUMB_OK) {
        check_subject_fails(s, &err);
        if (status == PLUMB_EBUG)
            plumb_base_text_add(
                &s->complaint,
                "this is a bug in plumb; please report it with the history\n");
        report_error(r, s, &err);
        return;
    }
    if (answer.interrupted) {
        put_off(s, &answer);
        return;
    }
    if (answer.verdict == PLUMB_UNDECIDED && answer.prefix < s->prefix)
        answer.prefix = s->prefix;
    s->status = status_of(answer.verdict);
    explain_answer(r, s, &answer);
    if (answer.verdict == PLUMB_NOT_LINEARIZABLE)
        add_weak_variant(r, s);
    plumb_answer_release(&answer);
}

void check_decide_subject(const struct check_reporting *r,
                          struct check_subject *s)
{
    if (s->has_history && s->spec)
        decide_history(r, s);
    else if (s->status == STATUS_UNDECIDED)
        report_unread(r, s);
    else
        report_error(r, s, &s->error);
}
