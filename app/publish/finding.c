/* finding.c - one result of a command, from its line of JSON. */
#include "finding.h"

#include "base/fail.h"
#include "finding_list.h"
#include "markup.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void *finding_room(struct finding_reading *r, size_t count, size_t size)
{
    void *const room = plumb_base_arena_zeroed(r->arena, (count + 1) * size);
    r->broken |= !room;
    return room;
}

const char *finding_take(struct finding_reading *r)
{
    const char *const text = plumb_base_text_string(&r->scratch);
    const char *const copy =
        plumb_base_arena_copy(r->arena, text, strlen(text) + 1);
    r->broken |= !copy || r->scratch.broken;
    plumb_base_text_clear(&r->scratch);
    return copy ? copy : "";
}

const char *finding_value(struct finding_reading *r,
                          const struct publish_json *v)
{
    (void)r;
    return !v || v->type == JSON_NULL ? "nil"
           : v->type <= JSON_STRING   ? v->text
                                      : "...";
}

uint32_t finding_thread(struct finding_reading *r, const char *name)
{
    struct finding *const f = r->f;
    for (uint32_t t = 0; t < f->threads; t++)
        if (strcmp(r->thread[t], name) == 0)
            return t;
    if (f->threads == MOST_THREADS)
        return MOST_THREADS - 1;
    r->thread[f->threads] = name;
    return (uint32_t)f->threads++;
}

static enum plumb_report_outcome outcome_of(const char *name)
{
    return strcmp(name, "pass") == 0        ? PLUMB_SAYS_PASS
           : strcmp(name, "violation") == 0 ? PLUMB_SAYS_VIOLATION
           : strcmp(name, "error") == 0     ? PLUMB_SAYS_ERROR
                                            : PLUMB_SAYS_UNDECIDED;
}

static void read_head(struct finding_reading *r, const struct publish_json *v)
{
    struct finding *const f = r->f;
    const struct publish_json *const file = publish_json_get(v, "file");
    f->command = publish_json_text(v, "command");
    f->subject = publish_json_text(v, "subject");
    f->verdict = publish_json_text(v, "verdict");
    f->spec = publish_json_text(v, "spec");
    f->outcome = outcome_of(publish_json_text(v, "status"));
    f->given = publish_json_text(file, "given");
    f->file.absolute = publish_json_text(file, "absolute");
    f->file.name = f->file.absolute[0] ? f->given : "";
    f->file.function = "";
    f->title = publish_json_text(v, "assertion");
    f->title = f->title[0] ? f->title : f->subject;
    f->reason = publish_json_text(v, "reason");
    f->test = publish_json_text(v, "test");
    f->cycle = FINDING_NONE;
    f->initial = "";
}

static void read_error(struct finding_reading *r, const struct publish_json *v)
{
    const struct publish_json *const e = publish_json_get(v, "error");
    if (!e)
        return;
    r->f->reason = publish_json_text(e, "message");
    r->f->file.line = (unsigned)publish_json_number(e, "line", 0);
}

static const char *replay_of(struct finding_reading *r,
                             const struct publish_json *v)
{
    const char *const schedule = publish_json_text(v, "schedule");
    const char *const given = r->f->given;
    const char *const command = r->f->command;
    struct plumb_base_text *const t = &r->scratch;
    r->f->scheduled = schedule[0];
    if (schedule[0]) {
        plumb_base_text_add(t, "plumb replay ");
        publish_quote(schedule, t);
    } else if (given[0] && strcmp(given, "-") != 0 && command[0] &&
               strcmp(command, "replay") != 0) {
        plumb_base_text_printf(t, "plumb %s ", command);
        if (strcmp(command, "check") == 0 && r->f->spec[0]) {
            plumb_base_text_add(t, "--spec ");
            publish_quote(r->f->spec, t);
            plumb_base_text_add(t, " ");
        }
        if (strcmp(command, "replay") != 0 && given[0] == '-')
            plumb_base_text_add(t, "./");
        publish_quote(given, t);
    }
    return finding_take(r);
}

enum plumb_status finding_read(const char *line, size_t size,
                               struct plumb_base_arena *arena,
                               struct finding *f, struct plumb_error *err)
{
    struct finding_reading r = { .arena = arena, .f = f };
    const struct publish_json *const v =
        publish_json_read(line, size, arena, err);
    *f = (struct finding){ 0 };
    if (!v)
        return err->status;
    if (publish_json_number(v, "format", 0) != PLUMB_JSON_FORMAT ||
        !publish_json_get(v, "status"))
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "not a result of format %d (see "
                               "docs/json-output.md)",
                               PLUMB_JSON_FORMAT);
    r.thread = finding_room(&r, MOST_THREADS, sizeof *r.thread);
    if (!r.thread)
        return plumb_base_fail_memory(err);
    f->thread = r.thread;
    read_head(&r, v);
    read_error(&r, v);
    const struct publish_json *const check = publish_json_get(v, "check");
    finding_read_history(&r, check ? check : v);
    finding_read_faults(&r, v);
    finding_read_steps(&r, v);
    finding_read_facts(&r, v);
    f->replay = replay_of(&r, v);
    const bool broken = r.broken || r.scratch.broken;
    plumb_base_text_release(&r.scratch);
    return broken ? plumb_base_fail_memory(err) : PLUMB_OK;
}

/* ---- pointing ---- */

static bool is_place(const struct finding_place *p)
{
    return p->line && p->name[0];
}

const struct finding_place *finding_where(const struct finding *f,
                                          struct finding_place *room)
{
    for (size_t i = f->steps; i-- > 0;)
        if (is_place(&f->step[i].place) && (f->step[i].kind == FINDING_FAULT ||
                                            f->step[i].kind == FINDING_EVENT))
            return &f->step[i].place;
    *room = f->file;
    for (size_t i = 0; i < f->refusals && !room->line; i++)
        room->line = f->operation[f->refusal[i].operation].line;
    for (size_t i = f->operations; i-- > 0 && !room->line;)
        if (f->operation[i].letter[0])
            room->line = f->operation[i].line;
    return room->name[0] ? room : NULL;
}

/* ---- in words ---- */

void finding_summary(const struct finding *f, struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "%s: %s", f->subject, f->verdict);
    if (f->title != f->subject)
        plumb_base_text_printf(out, ": %s", f->title);
    if (f->sentences)
        plumb_base_text_printf(out, ": %s", f->sentence[0]);
    else if (f->reason[0])
        plumb_base_text_printf(out, ": %s", f->reason);
}

static void describe_operations(const struct finding *f,
                                struct plumb_base_text *out)
{
    for (size_t i = 0; i < f->operations; i++) {
        const struct finding_operation *const o = f->operation + i;
        if (!o->letter[0])
            continue;
        plumb_base_text_printf(out, "  %s  %s: %s", o->letter,
                               f->thread[o->thread], o->name);
        if (o->answer[0])
            plumb_base_text_printf(out, " = %s", o->answer);
        if (o->line && f->file.name[0])
            plumb_base_text_printf(out, " (%s:%u)", f->file.name, o->line);
        plumb_base_text_add(out, "\n");
    }
}

static void describe_steps(const struct finding *f, struct plumb_base_text *out)
{
    for (size_t i = 0; i < f->steps; i++) {
        const struct finding_step *const s = f->step + i;
        plumb_base_text_add(out, "  ");
        if (s->number != FINDING_NONE)
            plumb_base_text_printf(out, "%" PRIu32 " ", s->number);
        if (s->thread != FINDING_NONE)
            plumb_base_text_printf(out, "%s: ", f->thread[s->thread]);
        plumb_base_text_add(out, s->text);
        if (s->place.line)
            plumb_base_text_printf(out, " (%s:%u)", s->place.name,
                                   s->place.line);
        plumb_base_text_add(out, "\n");
    }
}

void finding_describe(const struct finding *f, bool steps,
                      struct plumb_base_text *out)
{
    finding_summary(f, out);
    plumb_base_text_add(out, "\n");
    if (f->test[0])
        plumb_base_text_printf(out, "  test: %s\n", f->test);
    describe_operations(f, out);
    for (size_t i = 1; i < f->sentences; i++)
        plumb_base_text_printf(out, "  %s\n", f->sentence[i]);
    if (steps)
        describe_steps(f, out);
    if (f->replay[0])
        plumb_base_text_printf(out, "  replay: %s\n", f->replay);
}
