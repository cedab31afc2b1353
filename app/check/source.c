/* source.c - the histories of several files, one subject after the other. */
#include "source.h"

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

static void look_ahead(struct source *s)
{
    s->ahead = plumb_budget_state(s->budget);
    if (s->ahead != PLUMB_OK && nothing_is_left(s->reader))
        s->ahead = PLUMB_END;
    if (s->ahead == PLUMB_OK)
        s->ahead = input_next(s->reader, &s->ahead_history, &s->ahead_error);
    const char *const note = plumb_reader_note(s->reader);
    snprintf(s->ahead_note, sizeof s->ahead_note, "%s", note ? note : "");
}

static void leave_file(struct source *s)
{
    plumb_reader_close(s->reader);
    drop_input(s->file);
    s->reader = NULL;
    s->file = NULL;
}

/* A subject that has no history, for a reason. */
static struct subject *without_history(const char *name,
                                       struct shared_input *file,
                                       enum plumb_status why,
                                       const struct plumb_error *err)
{
    struct subject *const subject = subject_new(name, 0, file);
    if (!subject)
        return NULL;
    subject->unread = why;
    if (is_used_up(why))
        subject->status = STATUS_UNDECIDED;
    else
        subject_fails(subject, err);
    return subject;
}

static enum plumb_status open_file(struct source *s, struct input *in,
                                   const char *path, struct plumb_error *err)
{
    in->name = input_name(path);
    enum plumb_status status = plumb_budget_state(s->budget);
    if (status == PLUMB_OK)
        status = input_open(in, path, s->budget, err);
    if (status == PLUMB_OK)
        status = input_reader(in, s->format, s->ties, &s->reader, err);
    if (status == PLUMB_OK)
        plumb_reader_signature(s->reader, signature_of(s->specs->given));
    return status;
}

/* Open the next file and look at its first history.  A subject if that ends
 * the matter. */
static struct subject *enter_file(struct source *s)
{
    struct plumb_error err = { 0 };
    struct shared_input *const file = calloc(1, sizeof *file);
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
            status = fail_no_history(&err);
            leave_file(s);
        }
    }
    struct subject *const subject =
        status == PLUMB_OK ? NULL
                           : without_history(file->in.name, file, status, &err);
    drop_input(file);
    return subject;
}

static void add_note(const struct source *s, struct subject *subject,
                     const char *note)
{
    struct plumb_text *const t = &subject->complaint;
    if (!note[0] || s->specs->quiet)
        return;
    plumb_text_add(t, "note: ");
    plumb_label_line(subject->name, t);
    plumb_text_printf(t, ": %s\n", note);
}

static void give_history(struct source *s, struct subject *subject,
                         const struct plumb_history *h)
{
    subject->has_history = true;
    subject->history = *h;
    subject->number = (uint32_t)s->given;
    subject->any_spec = any_spec_will_do(s->specs, h);
    subject->spec = choose_spec(s->specs, h, subject->name, &subject->complaint,
                                &subject->error);
    if (!subject->spec)
        subject_fails(subject, &subject->error);
}

/* The subject that is ahead, and look further. */
static struct subject *from_file(struct source *s)
{
    const enum plumb_status status = s->ahead;
    const struct plumb_history history = s->ahead_history;
    const struct plumb_error err = s->ahead_error;
    char note[sizeof s->ahead_note];
    memcpy(note, s->ahead_note, sizeof note);
    if (is_used_up(status)) {
        struct subject *const rest =
            without_history(s->file->in.name, s->file, status, &err);
        if (rest)
            rest->file_began = s->given > 0;
        leave_file(s);
        return rest;
    }
    look_ahead(s);
    s->given++;
    const bool alone = s->given == 1 && s->ahead == PLUMB_END;
    struct subject *const subject =
        subject_new(s->file->in.name, alone ? 0 : s->given, s->file);
    if (subject && status == PLUMB_OK) {
        add_note(s, subject, note);
        give_history(s, subject, &history);
    } else if (subject) {
        subject_fails(subject, &err);
    }
    if (s->ahead == PLUMB_END)
        leave_file(s);
    return subject;
}

struct subject *source_next(struct source *s, bool *failed)
{
    struct subject *subject = NULL;
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

bool source_is_exhausted(const struct source *s)
{
    return !s->file && s->next == s->count;
}

void source_close(struct source *s)
{
    if (!s->file)
        return;
    if (s->ahead == PLUMB_OK)
        plumb_history_release(&s->ahead_history);
    leave_file(s);
}
