/* monitor_run.c - from bytes that come to a verdict that may come any time. */
#include "app/archive/packed_input.h"
#include "app/console/interrupt.h"
#include "app/console/memory_limit.h"
#include "app/console/progress.h"
#include "app/console/say.h"
#include "app/objects/choose_spec.h"
#include "app/objects/plugin.h"
#include "base/fail.h"
#include "check/live/live.h"
#include "check_settings.h"
#include "feed.h"
#include "history/stream.h"
#include "report/json.h"
#include "report/label.h"
#include "report/verdict.h"
#include "runtime/common/wait.h"
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    PATIENCE = 100,    /* milliseconds between looks at the clock     */
    NAP = 20,          /* ... and at a recording that is being written */
    AT_ONCE = 1 << 15, /* events of a recording */
    ENOUGH = 1 << 12   /* operations to choose a specification by */
};

struct monitoring {
    const struct check_monitor_settings *with;
    struct plumb_budget *budget;
    struct check_feed feed;
    struct plumb_history_stream stream;
    struct objects_spec_choice specs;
    struct plumb_spec *given;
    const struct plumb_spec *spec;
    bool named; /* the source names it, or its functions do */
    bool asked; /* for it */
    struct plumb_check_live *live; /* NULL until the specification is known */
    struct console_input input;    /* of what is read as a whole ... */
    struct plumb_history whole;    /* ... and what is in it */
    uint64_t told, told_events;    /* when health was, and of how many */
    uint64_t began, shown;         /* ... and progress, on a terminal  */
};

/* ---- health ---- */

static void tell_health(struct monitoring *m, uint64_t now)
{
    const struct plumb_check_live_state *const s =
        plumb_check_live_state(m->live);
    const double seconds = (double)(now - m->told) / 1e9;
    console_say("%s: %" PRIu64 " events, %.0f/s, %" PRIu64 " open, %" PRIu64
                " %s, %.1f MB",
                m->feed.name, s->events,
                (double)(s->events - m->told_events) / seconds, s->open,
                s->resident, s->batches ? "kept" : "resident",
                (double)plumb_budget_used(m->budget) / (1 << 20));
    m->told = now;
    m->told_events = s->events;
}

enum { OFTEN = 200000000 }; /* nanoseconds between two such lines */

static void show_events(struct monitoring *m, uint64_t now)
{
    const struct plumb_check_live_state *const s =
        plumb_check_live_state(m->live);
    char line[64];
    snprintf(line, sizeof line, "%" PRIu64 " events, %.0f/s, %" PRIu64 " open",
             s->events, (double)s->events / ((double)(now - m->began) / 1e9),
             s->open);
    console_progress_line(line);
    m->shown = now;
}

static void look_at_clock(struct monitoring *m)
{
    const uint64_t now = runtime_nanoseconds_now();
    if (m->live && m->with->interval &&
        now - m->told >= m->with->interval * 1000000)
        tell_health(m, now);
    if (m->live && now - m->shown >= OFTEN)
        show_events(m, now);
}

/* ---- following ---- */

/* Choose the specification by the operations so far, unless it is given, and
 * follow from the first event. */
static enum plumb_status begin(struct monitoring *m, struct plumb_error *err)
{
    struct plumb_builder *const b = plumb_history_stream_builder(&m->stream);
    struct plumb_history h;
    struct plumb_base_text notes = { 0 };
    plumb_history_builder_view(b, &h);
    const struct plumb_spec *const spec =
        objects_choose_spec(&m->specs, &h, m->feed.name, &notes, err);
    if (spec && notes.size && !m->with->quiet)
        fputs(plumb_base_text_string(&notes), stderr);
    plumb_base_text_release(&notes);
    if (!spec)
        return PLUMB_EINPUT;
    plumb_check_live_close(m->live);
    m->spec = spec;
    m->named = h.spec;
    m->live = plumb_check_live_open(m->spec, m->budget);
    return m->live ? PLUMB_OK : plumb_base_fail_memory(err);
}

/* The first operations may suggest several specifications: wait for more. */
static enum plumb_status try_to_begin(struct monitoring *m, bool last,
                                      struct plumb_error *err)
{
    const struct plumb_builder *const b =
        plumb_history_stream_builder(&m->stream);
    struct plumb_error mine;
    if (!b || !b->a || !b->count)
        return PLUMB_OK;
    const enum plumb_status status = begin(m, &mine);
    if (status == PLUMB_EINPUT && !last && b->count < ENOUGH)
        return PLUMB_OK;
    if (status != PLUMB_OK)
        *err = mine;
    return status;
}

/* Does the source name another specification now, or none any more?  Readers of
 * Jepsen's formats name one by all functions so far. */
static bool is_named_otherwise(struct monitoring *m)
{
    const struct plumb_builder *const b =
        plumb_history_stream_builder(&m->stream);
    struct plumb_error err;
    if (!b->spec)
        return m->named;
    return m->spec !=
           objects_choose_spec_by_text(
               &m->specs, plumb_history_builder_text(b, b->spec, NULL), &err);
}

static bool can_choose_again(const struct monitoring *m)
{
    return m->live && !m->given && plumb_check_live_has_all(m->live);
}

/* The chosen specification does not have an operation.  Choose again by all that
 * have come: is it another one? */
static bool chooses_another(struct monitoring *m)
{
    const struct plumb_spec *const spec = m->spec;
    struct plumb_error err;
    return can_choose_again(m) && begin(m, &err) == PLUMB_OK && m->spec != spec;
}

static enum plumb_status follow_events(struct monitoring *m,
                                       struct plumb_error *err)
{
    struct plumb_builder *const b = plumb_history_stream_builder(&m->stream);
    if (can_choose_again(m) && is_named_otherwise(m) &&
        begin(m, err) != PLUMB_OK)
        return err->status;
    const enum plumb_status status = plumb_check_live_take(m->live, b, err);
    return status == PLUMB_EINPUT && chooses_another(m)
               ? plumb_check_live_take(m->live, b, err)
               : status;
}

/* `status`: how reading went.  What came before a mistake may be a violation. */
static enum plumb_status take(struct monitoring *m, enum plumb_status status,
                              bool last, struct plumb_error *err)
{
    struct plumb_error mine;
    if (status != PLUMB_OK && status != PLUMB_EINPUT)
        return status;
    if (!m->live) {
        const enum plumb_status begun =
            try_to_begin(m, last || status != PLUMB_OK, &mine);
        if (begun != PLUMB_OK)
            *err = mine;
        if (!m->live)
            return begun != PLUMB_OK ? begun : status;
    }
    const enum plumb_status taken = follow_events(m, &mine);
    if (plumb_check_live_state(m->live)->verdict == PLUMB_NOT_LINEARIZABLE)
        return PLUMB_OK;
    if (taken != PLUMB_OK)
        *err = mine;
    return taken != PLUMB_OK ? taken : status;
}

static bool is_over(const struct monitoring *m)
{
    return m->live &&
           plumb_check_live_state(m->live)->verdict != PLUMB_LINEARIZABLE;
}

static enum plumb_status end(struct monitoring *m, struct plumb_error *err)
{
    struct plumb_builder *const b = plumb_history_stream_builder(&m->stream);
    if (!m->live && b && !m->with->quiet)
        console_say("note: %s: this history has no operations", m->feed.name);
    if (!m->live)
        return b ? PLUMB_OK : PLUMB_END;
    enum plumb_status status = plumb_check_live_end(m->live, b, m->budget, err);
    if (status != PLUMB_EINPUT || !chooses_another(m))
        return status;
    status = plumb_check_live_take(m->live, b, err);
    return status == PLUMB_OK ? plumb_check_live_end(m->live, b, m->budget, err)
                              : status;
}

/* Events come in portions, by `next`, until one is the last. */
typedef enum plumb_history_recorded next_portion(struct monitoring *m,
                                                 struct plumb_error *err);

static enum plumb_status follow_portions(struct monitoring *m,
                                         next_portion *next,
                                         struct plumb_error *err)
{
    enum plumb_status status = PLUMB_OK;
    while (status == PLUMB_OK && !is_over(m)) {
        const enum plumb_history_recorded found = next(m, err);
        const bool last = found == PLUMB_RECORDED_END;
        status = take(m, found == PLUMB_RECORDED_ERROR ? err->status : PLUMB_OK,
                      last, err);
        if (status == PLUMB_OK && last && !is_over(m))
            return end(m, err);
        if (status == PLUMB_OK && found == PLUMB_RECORDED_LATER)
            poll(NULL, 0, NAP);
        if (status == PLUMB_OK)
            status = plumb_budget_state(m->budget);
        look_at_clock(m);
    }
    return is_over(m) ? PLUMB_OK : status;
}

static enum plumb_history_recorded next_recorded(struct monitoring *m,
                                                 struct plumb_error *err)
{
    return plumb_history_stream_take(&m->stream, AT_ONCE, err);
}

/* It knows itself whether somebody writes it. */
static enum plumb_status follow_recording(struct monitoring *m,
                                          struct plumb_error *err)
{
    const enum plumb_status status =
        plumb_history_stream_record(&m->stream, m->feed.file, err);
    return status == PLUMB_OK ? follow_portions(m, next_recorded, err) : status;
}

/* How a file begins; of a pipe only the first piece tells. */
struct beginning {
    enum plumb_format format;
    bool packed;
};

static struct beginning look_at_beginning(const struct monitoring *m)
{
    char data[4096], unpacked[4096];
    const ssize_t size = pread(m->feed.file, data, sizeof data, 0);
    const size_t seen = size > 0 ? (size_t)size : 0;
    const size_t made = archive_peek(data, seen, unpacked, sizeof unpacked);
    const char *const text = made ? unpacked : data;
    struct beginning b = { .format = m->with->format,
                           .packed = archive_kind_of(data, seen) };
    if (b.format == PLUMB_FORMAT_AUTO)
        b.format = plumb_format_detect(text, made ? made : seen);
    return b;
}

static enum plumb_history_recorded next_played(struct monitoring *m,
                                               struct plumb_error *err)
{
    const enum plumb_status status =
        plumb_history_play_some(&m->stream.play, AT_ONCE, err);
    return status == PLUMB_OK    ? PLUMB_RECORDED_EVENT
           : status == PLUMB_END ? PLUMB_RECORDED_END
                                 : PLUMB_RECORDED_ERROR;
}

static enum plumb_status play(struct monitoring *m,
                              const struct plumb_history *h,
                              struct plumb_error *err)
{
    const enum plumb_status status =
        plumb_history_stream_play(&m->stream, h, err);
    return status == PLUMB_OK ? follow_portions(m, next_played, err) : status;
}

/* Events that are not told in the order of time: all is read first. */
static enum plumb_status follow_whole(struct monitoring *m,
                                      struct plumb_reader *reader,
                                      struct plumb_error *err)
{
    struct plumb_history another;
    enum plumb_status status = console_input_next(reader, &m->whole, err);
    if (status != PLUMB_OK)
        return status;
    status = console_input_next(reader, &another, err);
    if (status == PLUMB_OK) {
        plumb_history_release(&another);
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "several histories in one file; plumb monitor "
                               "follows one, plumb check reads all");
    }
    return status == PLUMB_END ? play(m, &m->whole, err) : status;
}

static enum plumb_status read_whole(struct monitoring *m,
                                    struct plumb_error *err)
{
    struct plumb_reader *reader = NULL;
    enum plumb_status status =
        archive_open_input(&m->input, m->with->file, m->budget, err);
    if (status == PLUMB_OK)
        status = console_input_reader(&m->input, m->with->format,
                                      PLUMB_TIES_OF_FORMAT, &reader, err);
    if (status == PLUMB_OK)
        plumb_reader_signature(reader, objects_signature_of(m->given));
    if (status == PLUMB_OK)
        status = follow_whole(m, reader, err);
    plumb_reader_close(reader);
    return status;
}

/* No more comes at the moment, and the specification is still open. */
static void ask_for_spec(struct monitoring *m)
{
    const struct plumb_builder *const b =
        plumb_history_stream_builder(&m->stream);
    struct plumb_error err = { 0 };
    if (m->asked || m->live || m->with->quiet || !b || !b->a || !b->count)
        return;
    m->asked = true;
    if (begin(m, &err) == PLUMB_EINPUT)
        console_say("note: %s: waiting for more operations, or %s",
                    m->feed.name, err.message);
}

/* There are no more pieces. */
static enum plumb_status end_text(struct monitoring *m, struct plumb_error *err)
{
    enum plumb_status status = plumb_history_stream_end(&m->stream, err);
    if (status != PLUMB_END)
        status = take(m, status, true, err);
    return status == PLUMB_OK && !is_over(m) ? end(m, err) : status;
}

static enum plumb_status follow_text(struct monitoring *m,
                                     struct plumb_error *err)
{
    const char *piece;
    size_t size;
    while (!is_over(m)) {
        enum plumb_status status = plumb_budget_state(m->budget);
        if (status != PLUMB_OK)
            return status;
        status = check_feed_next(&m->feed, PATIENCE, &piece, &size, err);
        if (status == PLUMB_END)
            return end_text(m, err);
        if (status == PLUMB_OK && size)
            status =
                take(m, plumb_history_stream_feed(&m->stream, piece, size, err),
                     false, err);
        else if (status == PLUMB_OK)
            ask_for_spec(m);
        if (status != PLUMB_OK)
            return status;
        look_at_clock(m);
    }
    return PLUMB_OK;
}

/* ---- telling ---- */

static const struct plumb_check_live_state *state_of(const struct monitoring *m)
{
    static const struct plumb_check_live_state nothing;
    return m->live ? plumb_check_live_state(m->live) : &nothing;
}

/* A violation stays one, however the stream ended. */
static enum plumb_verdict verdict_of(const struct monitoring *m,
                                     enum plumb_status ended)
{
    const enum plumb_verdict verdict = state_of(m)->verdict;
    return verdict == PLUMB_LINEARIZABLE && ended != PLUMB_OK ? PLUMB_UNDECIDED
                                                              : verdict;
}

static const char *why_undecided(const struct plumb_check_live_state *s,
                                 enum plumb_status ended)
{
    const enum plumb_status why = ended != PLUMB_OK ? ended : s->why;
    return why == PLUMB_ETIME     ? "time"
           : why == PLUMB_EMEMORY ? "memory"
           : why == PLUMB_ESTOP   ? "interrupted"
                                  : s->declined;
}

static void tell_event(const struct plumb_check_live_state *s,
                       struct plumb_base_text *out)
{
    if (s->maybe == s->sure)
        plumb_base_text_printf(out, "  became a violation at event %" PRIu64,
                               s->sure);
    else
        plumb_base_text_printf(out,
                               "  became a violation at an event from %" PRIu64
                               " to %" PRIu64,
                               s->maybe, s->sure);
    if (s->line)
        plumb_base_text_printf(out, " (line %" PRIu32 ")", s->line);
    plumb_base_text_add(out, "\n");
}

static void tell_violation(const struct monitoring *m,
                           struct plumb_base_text *out)
{
    const struct plumb_history *h;
    const struct plumb_answer *a;
    if (!plumb_check_live_batch(m->live, &h, &a)) {
        plumb_base_text_add(out, "  ");
        plumb_check_live_explain(m->live, out);
        plumb_base_text_add(out, "\n");
        return;
    }
    struct plumb_base_text whole = { 0 };
    const struct plumb_report_style style = { .color = m->with->color };
    const struct plumb_report_subject subject = { .name = m->feed.name,
                                                  .file = m->feed.name,
                                                  .spec =
                                                      plumb_spec_text(m->spec),
                                                  .history = h,
                                                  .answer = a };
    plumb_report_verdict(&subject, &style, PLUMB_DETAIL_USUAL, &whole);
    const char *const rest = strchr(plumb_base_text_string(&whole), '\n');
    if (rest)
        plumb_base_text_add(out, rest + 1);
    plumb_base_text_release(&whole);
}

static void tell_numbers(const struct monitoring *m,
                         struct plumb_base_text *out)
{
    const struct plumb_check_live_state *const s =
        plumb_check_live_state(m->live);
    plumb_base_text_printf(
        out, "  %s, %s: %" PRIu64 " events, %" PRIu64 " open\n",
        plumb_spec_text(m->spec), s->batches ? "in batches" : "event by event",
        s->events, s->open);
}

static void tell(const struct monitoring *m, enum plumb_status ended,
                 struct plumb_base_text *out)
{
    const struct plumb_check_live_state *const s = state_of(m);
    const enum plumb_verdict verdict = verdict_of(m, ended);
    const bool violated = verdict == PLUMB_NOT_LINEARIZABLE;
    const bool undecided = verdict == PLUMB_UNDECIDED;
    plumb_report_label_line(m->feed.name, out);
    plumb_base_text_printf(out, ": %s", plumb_report_verdict_name(verdict));
    if (undecided)
        plumb_base_text_printf(out, " (%s)", why_undecided(s, ended));
    plumb_base_text_add(out, "\n");
    if (m->with->quiet)
        return;
    if (undecided)
        plumb_base_text_printf(
            out, "  no violation in the first %" PRIu64 " events\n",
            s->decided);
    if (violated) {
        tell_event(s, out);
        tell_violation(m, out);
    }
    if (m->live && (m->with->verbose || !violated))
        tell_numbers(m, out);
}

static void tell_json(const struct monitoring *m, enum plumb_status ended,
                      struct plumb_base_text *out)
{
    const struct plumb_check_live_state *const s = state_of(m);
    const enum plumb_verdict verdict = verdict_of(m, ended);
    publish_json_begin("monitor", m->feed.name, m->with->file, out);
    plumb_report_json_verdict(plumb_report_verdict_name(verdict),
                              verdict == PLUMB_LINEARIZABLE ? PLUMB_SAYS_PASS
                              : verdict == PLUMB_NOT_LINEARIZABLE
                                  ? PLUMB_SAYS_VIOLATION
                                  : PLUMB_SAYS_UNDECIDED,
                              out);
    plumb_report_json_text("spec", m->spec ? plumb_spec_text(m->spec) : NULL,
                           out);
    if (verdict == PLUMB_UNDECIDED)
        plumb_report_json_text("reason", why_undecided(s, ended), out);
    if (verdict == PLUMB_NOT_LINEARIZABLE) {
        struct plumb_base_text why;
        plumb_base_text_init(&why, NULL);
        plumb_check_live_explain(m->live, &why);
        plumb_base_text_printf(
            out, ",\"first_event\":{\"from\":%" PRIu64 ",\"to\":%" PRIu64 "}",
            s->maybe, s->sure);
        if (s->line)
            plumb_report_json_number("line", s->line, out);
        if (why.size)
            plumb_report_json_text("why", plumb_base_text_string(&why), out);
        plumb_base_text_release(&why);
    }
    plumb_base_text_printf(out,
                           ",\"events\":%" PRIu64 ",\"decided\":%" PRIu64
                           ",\"open\":%" PRIu64 ",\"resident\":%" PRIu64
                           ",\"batches\":%s}\n",
                           s->events, s->decided, s->open, s->resident,
                           s->batches ? "true" : "false");
}

static enum console_status conclude(const struct monitoring *m,
                                    enum plumb_status ended,
                                    const struct plumb_error *err)
{
    static const enum console_status status[] = {
        [PLUMB_LINEARIZABLE] = STATUS_HOLDS,
        [PLUMB_NOT_LINEARIZABLE] = STATUS_VIOLATED,
        [PLUMB_UNDECIDED] = STATUS_UNDECIDED
    };
    if (ended == PLUMB_EINPUT || ended == PLUMB_EIO || ended == PLUMB_EBUG) {
        console_say_error(m->feed.name, err);
        return STATUS_ERROR;
    }
    struct plumb_base_text out = { 0 };
    if (publish_wants(m->with->publication)) {
        tell_json(m, ended, &out);
        publish_result(m->with->publication, &out);
        plumb_base_text_clear(&out);
    }
    if (m->with->json)
        tell_json(m, ended, &out);
    else
        tell(m, ended, &out);
    fputs(plumb_base_text_string(&out), stdout);
    plumb_base_text_release(&out);
    return status[verdict_of(m, ended)];
}

/* ---- the whole ---- */

static bool find_spec(struct monitoring *m)
{
    m->specs.quasi = m->with->quasi;
    if (!m->with->spec)
        return true;
    if (objects_is_plugin(m->with->spec))
        return console_fails(
            "plumb monitor: --spec %s: plumb monitor supports only "
            "built-in specifications; use plumb check for your own",
            m->with->spec);
    m->given = check_load_spec(m->with->spec, NULL, &m->with->quasi,
                               "plumb monitor: --spec");
    m->specs.given = m->given;
    return m->given != NULL;
}

static enum plumb_status follow(struct monitoring *m, struct plumb_error *err)
{
    const struct beginning b = look_at_beginning(m);
    const bool recorded = b.format == PLUMB_FORMAT_RECORDING;
    if (recorded && !b.packed)
        return follow_recording(m, err);
    return b.format == PLUMB_FORMAT_AUTO ||
                   (!recorded && plumb_history_stream_comes_in_order(b.format))
               ? follow_text(m, err)
               : read_whole(m, err);
}

static enum console_status monitor(struct monitoring *m)
{
    struct plumb_error err = { 0 };
    enum plumb_status status = check_feed_open(
        &m->feed, m->with->file, m->with->follow, m->budget, &err);
    if (status == PLUMB_OK) {
        plumb_history_stream_init(&m->stream, m->with->format, m->budget);
        m->stream.signature = objects_signature_of(m->given);
        m->told = m->began = m->shown = runtime_nanoseconds_now();
        if (!m->with->quiet && !m->with->interval)
            console_progress_start(m->budget);
        status = follow(m, &err);
        console_progress_stop();
        if (status == PLUMB_END) { /* it was empty */
            status = PLUMB_EINPUT;
            snprintf(err.message, sizeof err.message, "contains no event");
        }
    }
    /* Interrupted, it says what is known of all that has come. */
    if (status == PLUMB_ESTOP && m->live &&
        plumb_check_live_end(m->live, plumb_history_stream_builder(&m->stream),
                             NULL, &err) != PLUMB_OK)
        status = PLUMB_EBUG;
    const enum console_status result = conclude(m, status, &err);
    plumb_check_live_close(m->live);
    plumb_history_stream_release(&m->stream);
    plumb_history_release(&m->whole);
    if (m->input.budget)
        console_input_close(&m->input);
    check_feed_close(&m->feed);
    return result;
}

enum console_status check_monitor_run(const struct check_monitor_settings *with)
{
    struct monitoring m = { .with = with, .specs.quiet = with->quiet };
    enum console_status status = STATUS_ERROR;
    m.budget =
        plumb_budget_new(with->timeout, console_memory_limit(with->memory));
    if (!m.budget) {
        console_say("plumb monitor: out of memory");
        return status;
    }
    if (find_spec(&m)) {
        console_interrupts_stop(m.budget);
        status = monitor(&m);
        console_interrupts_stop(NULL);
    }
    objects_spec_choice_release(&m.specs);
    plumb_spec_free(m.given);
    plumb_budget_free(m.budget);
    return status;
}
