/* check_subject.c - one history to be decided, and what there is to say about
 * it. */
#include "check_subject.h"

#include "report/label.h"
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void check_drop_input(struct check_shared_input *file)
{
    assert(!file || file->users > 0);
    if (!file || --file->users > 0)
        return;
    console_input_close(&file->in);
    free(file);
}

static char *subject_name(const char *file, size_t index)
{
    char *name = NULL;
    const int written = index ? asprintf(&name, "%s#%zu", file, index)
                              : asprintf(&name, "%s", file);
    return written < 0 ? NULL : name;
}

struct check_subject *check_subject_new(const char *name, size_t index,
                                        struct check_shared_input *file)
{
    struct check_subject *const s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->name = subject_name(name, index);
    if (!s->name) {
        free(s);
        return NULL;
    }
    s->file = file;
    if (file) {
        const bool is_stdin =
            strcmp(file->in.name, console_input_name("-")) == 0;
        s->path = is_stdin ? "-" : file->in.name;
        file->users++;
    }
    s->jobs = 1;
    return s;
}

void check_subject_free(struct check_subject *s)
{
    if (s->has_history)
        plumb_history_release(&s->history);
    plumb_base_text_release(&s->complaint);
    plumb_base_text_release(&s->result);
    plumb_base_text_release(&s->witness);
    plumb_base_text_release(&s->published);
    check_drop_input(s->file);
    free(s->name);
    free(s);
}

void check_subject_fails(struct check_subject *s, const struct plumb_error *err)
{
    struct plumb_base_text *const t = &s->complaint;
    const char *const file = s->file ? s->file->in.name : s->name;
    s->status = STATUS_ERROR;
    s->error = *err;
    plumb_report_label_line(err->line || err->column ? file : s->name, t);
    if (err->line && err->column)
        plumb_base_text_printf(t, ":%" PRIu64 ":%" PRIu64, err->line,
                               err->column);
    else if (err->line)
        plumb_base_text_printf(t, ":%" PRIu64, err->line);
    else if (err->column)
        plumb_base_text_printf(t, ": at byte %" PRIu64, err->column);
    plumb_base_text_add(t, ": ");
    plumb_report_label_line(err->message, t);
    plumb_base_text_add(t, "\n");
}
