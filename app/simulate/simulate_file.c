/* simulate_file.c - simulate -i: test each history of a file. */
#include "app/check/check_report.h"
#include "app/check/rank_histogram.h"
#include "app/console/input.h"
#include "app/console/interrupt.h"
#include "app/console/memory_limit.h"
#include "app/console/say.h"
#include "app/objects/choose_spec.h"
#include "simulate_output.h"
#include "simulate_settings.h"
#include <stdio.h>

struct test {
    const struct simulate_settings *with;
    struct plumb_budget *budget;
    struct plumb_spec *given;
    struct objects_spec_choice specs;
    struct simulate_output output;
    struct check_ranks ranks;
    enum console_status status;
    bool over;
};

static enum plumb_verdict verdict_of(enum console_status status)
{
    return status == STATUS_HOLDS      ? PLUMB_LINEARIZABLE
           : status == STATUS_VIOLATED ? PLUMB_NOT_LINEARIZABLE
                                       : PLUMB_UNDECIDED;
}

static void print_subject(struct test *t, const struct check_subject *s)
{
    t->status = console_worse_status(t->status, s->status);
    if (s->complaint.size > 0)
        fputs(plumb_base_text_string(&s->complaint), stderr);
    fwrite(s->result.data, 1, s->result.size, stdout);
    publish_result(t->with->publication, &s->published);
    if (!console_flush_results()) {
        t->status = STATUS_ERROR;
        t->over = true;
    }
}

static void test_history(struct test *t, const struct console_input *in,
                         struct plumb_history *h, size_t number)
{
    const struct check_settings with = simulate_telling(t->with);
    const struct check_reporting reporting =
        check_reporting_for(&with, t->budget);
    struct check_subject *const s = check_subject_new(in->name, number, NULL);
    struct plumb_error err = { 0 };
    if (!s) {
        console_say("plumb simulate: out of memory");
        t->status = STATUS_ERROR;
        return;
    }
    s->history = *h;
    s->has_history = true;
    s->path = t->with->input;
    s->any_spec = objects_any_spec_will_do(&t->specs, h);
    s->spec = objects_choose_spec(&t->specs, h, s->name, &s->complaint, &err);
    if (!s->spec)
        check_subject_fails(s, &err);
    check_decide_subject(&reporting, s);
    print_subject(t, s);
    if (s->spec && s->status != STATUS_ERROR)
        check_ranks_add(&t->ranks, h, s->spec);
    if (s->status != STATUS_ERROR &&
        !simulate_output_write(&t->output, h, number, verdict_of(s->status))) {
        t->status = STATUS_ERROR;
        t->over = true;
    }
    s->has_history = false;
    check_subject_free(s);
}

static void test_all(struct test *t, const struct console_input *in,
                     struct plumb_reader *reader)
{
    struct plumb_history h;
    struct plumb_error err = { 0 };
    enum plumb_status status;
    for (size_t number = 1; !t->over; number++) {
        status = console_input_next(reader, &h, &err);
        if (status == PLUMB_END)
            break;
        if (status == PLUMB_OK) {
            test_history(t, in, &h, number);
            plumb_history_release(&h);
        } else if (status == PLUMB_EINPUT) {
            console_say_error(in->name, &err);
            t->status = STATUS_ERROR;
        } else {
            t->status = console_worse_status(t->status, STATUS_UNDECIDED);
            t->over = true;
        }
    }
}

static void test_input(struct test *t)
{
    struct console_input in;
    struct plumb_reader *reader = NULL;
    struct plumb_error err = { 0 };
    const char *const name = console_input_name(t->with->input);
    enum plumb_status status =
        console_input_open(&in, t->with->input, t->budget, &err);
    if (status == PLUMB_OK) {
        status = console_input_reader(&in, PLUMB_FORMAT_AUTO,
                                      PLUMB_TIES_OF_FORMAT, &reader, &err);
        if (status == PLUMB_OK)
            plumb_reader_signature(reader,
                                   objects_signature_of(t->specs.given));
        if (status == PLUMB_OK)
            test_all(t, &in, reader);
        plumb_reader_close(reader);
        console_input_close(&in);
    }
    if (!reader) {
        console_say_error(name, &err);
        t->status = STATUS_ERROR;
    }
}

enum console_status simulate_file(const struct simulate_settings *s)
{
    struct test t = { .with = s };
    t.budget = plumb_budget_new(0, console_memory_limit(s->memory));
    if (!t.budget)
        return console_error("plumb simulate: out of memory");
    if (s->spec)
        t.given = check_load_spec(s->spec, s->plugin, &s->quasi,
                                  SIMULATE_SPEC_OPTION);
    t.specs = (struct objects_spec_choice){ .given = t.given,
                                            .quasi = s->quasi,
                                            .quiet = s->quiet };
    console_interrupts_stop(t.budget);
    if ((s->spec && !t.given) || !simulate_output_open(&t.output, s->output) ||
        !check_ranks_open(&t.ranks, s->rank_errors, !s->json, s->memory)) {
        t.status = STATUS_ERROR;
    } else {
        test_input(&t);
        if (!simulate_output_close(&t.output) || !check_ranks_close(&t.ranks))
            t.status = STATUS_ERROR;
    }
    console_interrupts_stop(NULL);
    objects_spec_choice_release(&t.specs);
    if (t.given)
        plumb_spec_free(t.given);
    plumb_budget_free(t.budget);
    return t.status;
}
