/* verify_record.c - a counterexample written down as a history.
 *
 * Where linearizability is asserted, what is written is not linearizable: its
 * last event is a response that the specification cannot give, and where the
 * specification is a built-in one, it is decided once more as `plumb check`
 * will do.  An assertion can also be violated by what is wrong in no history:
 * by a client, or a value, of which it does not speak. */
#include "verify_record.h"

#include "app/console/files.h"
#include "app/console/output.h"
#include "app/console/say.h"
#include "verify_history.h"
#include <plumb/check.h>

static enum verify_recorded decline(const struct verify_settings *s,
                                    const char *why)
{
    console_say("%s: no history was written: %s", s->file, why);
    return VERIFY_NO_RECORD;
}

/* Why a history says nothing about what is violated; NULL if it does. */
static const char *misfit(const struct plumb_refine_judgement *j,
                          const struct verify_pairing *p)
{
    if (!p->calls)
        return "the counterexample has no calls and responses (OP_inv, OP_res)";
    if (!p->pairs)
        return "calls and responses of the counterexample do not pair up";
    if (j->assertion->kind == PLUMB_ASSERT_LINEARIZABLE && !p->responded)
        return "the counterexample does not end with a response; does the "
               "assertion list all clients and values?";
    return NULL;
}

/* Why the history is not a violation of a built-in specification; NULL if it
 * is, or if that cannot be decided within the limits. */
static const char *acquit(const struct plumb_history *h, const char *text,
                          struct plumb_budget *budget, struct plumb_error *err)
{
    const struct plumb_check_options options = { .no_core = true,
                                                 .budget = budget };
    struct plumb_spec *spec;
    struct plumb_answer answer;
    if (plumb_spec_parse(text, &spec, err) != PLUMB_OK)
        return err->message;
    const enum plumb_status status =
        plumb_check(h, spec, &options, &answer, err);
    plumb_spec_free(spec);
    if (status != PLUMB_OK)
        return err->message;
    const bool fine = answer.verdict == PLUMB_LINEARIZABLE;
    plumb_answer_release(&answer);
    return fine
               ? "the calls and responses of the counterexample are "
                 "linearizable; does the assertion list all clients and values?"
               : NULL;
}

void verify_excuse(struct plumb_refine_judgement *j,
                   struct plumb_budget *budget, struct plumb_base_text *out)
{
    const char *const spec = j->assertion->built_in;
    struct plumb_history h;
    struct plumb_error err = { 0 };
    struct verify_pairing p;
    if (!spec || j->assertion->points || !verify_history(j, &h, &p))
        return;
    const bool fine = p.pairs && acquit(&h, spec, budget, &err);
    plumb_history_release(&h);
    if (fine && err.status == PLUMB_EINPUT)
        plumb_base_text_printf(out,
                               "  the counterexample does not fit %s: %s\n",
                               spec, err.message);
    else if (fine && err.status == PLUMB_OK)
        plumb_base_text_add(
            out, "  the calls and responses are linearizable nevertheless; "
                 "does the assertion list all clients and values?\n");
}

/* What is told to the user beside the file. */
static void tell_use(const struct verify_settings *s,
                     const struct plumb_refine_judgement *j,
                     const struct verify_pairing *p, bool spec_lost)
{
    if (spec_lost)
        console_note("check the history with plumb check --spec %s %s",
                     j->assertion->built_in, s->history);
    if (!p->responded)
        console_note("%s may be linearizable: the event that violates the "
                     "assertion is not a response",
                     s->history);
}

static enum verify_recorded write_out(const struct verify_settings *s,
                                      const struct plumb_refine_judgement *j,
                                      const struct plumb_history *h,
                                      const struct verify_pairing *p)
{
    struct plumb_error err = { 0 };
    struct console_output out;
    struct console_loss_count losses = { { 0 } };
    if (!console_output_create(&out, s->history))
        return VERIFY_RECORD_FAILED;
    const struct plumb_sink sink = console_output_sink(&out);
    bool well = console_write_history(h, s->history_format, 0, &sink, &losses,
                                      &err) == PLUMB_OK;
    well = console_output_finish(&out, well) && well;
    if (well)
        tell_use(s, j, p, losses.histories[PLUMB_LOSS_SPEC] != 0);
    return well ? VERIFY_RECORDED : VERIFY_RECORD_FAILED;
}

enum verify_recorded verify_record(const struct verify_settings *s,
                                   struct plumb_refine_judgement *j,
                                   struct plumb_budget *budget)
{
    const char *const spec = j->assertion->built_in;
    struct plumb_history h;
    struct plumb_error err = { 0 };
    struct verify_pairing p;
    enum verify_recorded recorded;
    const bool told = verify_history(j, &h, &p);
    const char *why = misfit(j, &p);
    if (!told)
        return decline(s, why ? why : "out of memory");
    if (!why && spec)
        why = acquit(&h, spec, budget, &err);
    recorded = why ? decline(s, why) : write_out(s, j, &h, &p);
    plumb_history_release(&h);
    return recorded;
}
