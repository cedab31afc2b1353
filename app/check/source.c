/* source.c - the histories of several files, one subject after the other. */
#include "source.h"

#include "app/archive/packed_input.h"
#include "history/reader.h"
#include "report/label.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_used_up(enum plumb_status status)
{
    return status == PLUMB_ETIME || status == PLUMB_EMEMORY ||
           status == PLUMB_ESTOP;
}

/* Nothing but blanks follows: this much can be told without a budget. */
static bool nothing_is_left(const struct plumb_reader *r)
{
    size_t at = r->at;
    while (at < r->size && isspace((unsigned char)r->data[at]))
        at++;
    return at == r->size;
}

static void look_ahead(struct check_source *s)
{
    s->ahead = plumb_budget_state(s->budget);
    if (s->ahead != PLUMB_OK && nothing_is_left(s->reader))
        s->ahead = PLUMB_END;
    if (s->ahead == PLUMB_OK)
        s->ahead =
            console_input_next(s->reader, &s->ahead_history, &s->ahead_error);
    const char *const note = plumb_reader_note(s->reader);
    snprintf(s->ahead_note, sizeof s->ahead_note, "%s", note ? note : "");
}

static void leave_file(struct check_source *s)
{
    plumb_reader_close(s->reader);
    check_drop_input(s->file);
    s->reader = NULL;
    s->file = NULL;
}

/* A subject that has no history, for a reason. */
static struct check_subject *without_history(const char *name,
                                             struct check_shared_input *file,
                                             enum plumb_status why,
                                             const struct plumb_error *err)
{
    struct check_subject *const subject = check_subject_new(name, 0, file);
    if (!subject)
        return NULL;
    subject->unread = why;
    if (is_used_up(why))
        subject->status = STATUS_UNDECIDED;
    else
        check_subject_fails(subject, err);
    return subject;
}

static enum plumb_status open_file(struct check_source *s,
                                   struct console_input *in, const char *path,
                                   struct plumb_error *err)
{
    in->name = console_input_name(path);
    enum plumb_status status = plumb_budget_state(s->budget);
    if (status == PLUMB_OK)
        status = archive_open_input(in, path, s->budget, err);
    if (status == PLUMB_OK)
        status = console_input_reader(in, s->format, s->ties, &s->reader, err);
    if (status == PLUMB_OK)
        plumb_reader_signature(s->reader,
                               objects_signature_of(s->specs->given));
    if (status == PLUMB_OK && s->keeps_times)
        plumb_reader_keep_times(s->reader);
    return status;
}

/* Open the next file and look at its first history.  A subject if that ends
 * the matter. */
static struct check_subject *enter_file(struct check_source *s)
{
    struct plumb_error err = { 0 };
    struct check_shared_input *const file = calloc(1, sizeof *file);
    if (!file)
        return NULL;
    file->users = 1;
    enum plumb_status status =
        open_file(s, &file->in, s->files[s->next++], &err);
    if (status == PLUMB_OK) {
        s->file = file;
        s->given = 0;
        file->users++;
        look_ahead(s);
        if (s->ahead == PLUMB_END) {
            status = console_fail_no_history(&err);
            leave_file(s);
        }
    }
    struct check_subject *const subject =
        status == PLUMB_OK ? NULL
                           : without_history(file->in.name, file, status, &err);
    check_drop_input(file);
    return subject;
}

static void add_note(const struct check_source *s,
                     struct check_subject *subject, const char *note)
{
    struct plumb_base_text *const t = &subject->complaint;
    if (!note[0] || s->specs->quiet)
        return;
    plumb_base_text_add(t, "note: ");
    plumb_report_label_line(subject->name, t);
    plumb_base_text_printf(t, ": %s\n", note);
}

static void give_history(struct check_source *s, struct check_subject *subject,
                         const struct plumb_history *h)
{
    subject->has_history = true;
    subject->history = *h;
    subject->number = (uint32_t)s->given;
    subject->any_spec = objects_any_spec_will_do(s->specs, h);
    subject->spec = objects_choose_spec(s->specs, h, subject->name,
                                        &subject->complaint, &subject->error);
    if (!subject->spec)
        check_subject_fails(subject, &subject->error);
}

/* The subject that is ahead, and look further. */
static struct check_subject *from_file(struct check_source *s)
{
    const enum plumb_status status = s->ahead;
    const struct plumb_history history = s->ahead_history;
    const struct plumb_error err = s->ahead_error;
    char note[sizeof s->ahead_note];
    memcpy(note, s->ahead_note, sizeof note);
    if (is_used_up(status)) {
        struct check_subject *const rest =
            without_history(s->file->in.name, s->file, status, &err);
        if (rest)
            rest->file_began = s->given > 0;
        leave_file(s);
        return rest;
    }
    look_ahead(s);
    s->given++;
    const bool alone = s->given == 1 && s->ahead == PLUMB_END;
    struct check_subject *const subject =
        check_subject_new(s->file->in.name, alone ? 0 : s->given, s->file);
    if (subject && status == PLUMB_OK) {
        add_note(s, subject, note);
        give_history(s, subject, &history);
    } else if (subject) {
        check_subject_fails(subject, &err);
    }
    if (s->ahead == PLUMB_END)
        leave_file(s);
    return subject;
}

struct check_subject *check_source_next(struct check_source *s, bool *failed)
{
    struct check_subject *subject = NULL;
    while (!subject && (s->file || s->next < s->count)) {
        const bool in_file = s->file;
        subject = in_file ? from_file(s) : enter_file(s);
        if (!subject && (in_file || !s->file)) {
            *failed = true;
            return NULL;
        }
    }
    return subject;
}

bool check_source_is_exhausted(const struct check_source *s)
{
    return !s->file && s->next == s->count;
}

void check_source_close(struct check_source *s)
{
    if (!s->file)
        return;
    if (s->ahead == PLUMB_OK)
        plumb_history_release(&s->ahead_history);
    leave_file(s);
}
