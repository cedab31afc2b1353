/* check_witness.c - plumb check --verify: accept or reject the answers in a
 * file, whoever wrote it, by the verifier alone. */
#include "app/archive/packed_input.h"
#include "app/console/say.h"
#include "app/objects/choose_spec.h"
#include "check_settings.h"
#include "report/json.h"
#include "report/label.h"
#include "report/witness_file.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct verifying {
    const struct check_settings *with;
    const struct check_setting_up *up;
    struct objects_spec_choice specs;
    struct plumb_base_arena arena;
    struct plumb_report_witnesses witnesses;
    struct console_input file, witness_file;
    uint32_t number; /* of the history */
    bool several;    /* histories in the file */
};

/* What came of one proof. */
struct finding {
    enum console_status status;
    const char *proof;   /* accepted, rejected or undecided */
    const char *verdict; /* what it proves */
    const char *why;     /* it proves nothing, else NULL */
    const char *spec;    /* it is accepted by this one: the witness chose it,
                            unless --spec did */
};

static void tell_text(const struct finding *f, const char *subject)
{
    struct plumb_base_text t = { 0 };
    plumb_report_label_line(subject, &t);
    if (f->why) {
        plumb_base_text_printf(&t, ": %s: ", f->proof);
        plumb_report_label_line(f->why, &t);
    } else {
        plumb_base_text_printf(&t, ": %s %s (%s, ",
                               f->status == STATUS_HOLDS ? "witness"
                                                         : "certificate",
                               f->proof, f->verdict);
        plumb_report_label_line(f->spec, &t);
        plumb_base_text_add(&t, ")");
    }
    printf("%s\n", plumb_base_text_string(&t));
    plumb_base_text_release(&t);
}

/* A proof that is accepted proves its verdict; a rejected one nothing. */
static enum plumb_report_outcome outcome_of(const struct finding *f)
{
    return f->status == STATUS_HOLDS      ? PLUMB_SAYS_PASS
           : f->status == STATUS_VIOLATED ? PLUMB_SAYS_VIOLATION
           : f->status == STATUS_ERROR    ? PLUMB_SAYS_ERROR
                                          : PLUMB_SAYS_UNDECIDED;
}

static void tell_json(const struct verifying *v, const struct finding *f,
                      const char *subject)
{
    struct plumb_base_text t = { 0 };
    publish_json_begin("check", subject, v->with->files[0], &t);
    plumb_report_json_verdict(f->verdict, outcome_of(f), &t);
    plumb_report_json_text("proof", f->proof, &t);
    if (f->spec)
        plumb_report_json_text("spec", f->spec, &t);
    if (f->why)
        plumb_report_json_text("why", f->why, &t);
    plumb_base_text_add(&t, "}\n");
    publish_result(v->with->publication, &t);
    if (v->with->json)
        fputs(plumb_base_text_string(&t), stdout);
    plumb_base_text_release(&t);
}

static enum console_status tell(const struct verifying *v, struct finding f)
{
    struct plumb_base_text name = { 0 };
    plumb_base_text_add(&name, v->file.name);
    if (v->several)
        plumb_base_text_printf(&name, "#%" PRIu32, v->number);
    if (v->with->json || publish_wants(v->with->publication))
        tell_json(v, &f, plumb_base_text_string(&name));
    if (!v->with->json)
        tell_text(&f, plumb_base_text_string(&name));
    plumb_base_text_release(&name);
    return f.status;
}

static enum console_status reject(const struct verifying *v, const char *why)
{
    return tell(
        v, (struct finding){ STATUS_ERROR, "rejected", "error", why, NULL });
}

static enum console_status give_up(const struct verifying *v,
                                   enum plumb_status status)
{
    const char *const why = status == PLUMB_ETIME     ? "time"
                            : status == PLUMB_EMEMORY ? "memory"
                                                      : "interrupted";
    return tell(v, (struct finding){ STATUS_UNDECIDED, "undecided", "undecided",
                                     why, NULL });
}

/* The specification: --spec, or the one that the witness is for. */
static const struct plumb_spec *spec_for(struct verifying *v,
                                         const struct plumb_report_witness *w,
                                         const struct plumb_history *h,
                                         struct plumb_error *err)
{
    struct plumb_base_text notes = { 0 };
    const struct plumb_spec *const spec =
        w->spec && !v->specs.given
            ? objects_choose_spec_by_text(&v->specs, w->spec, err)
            : objects_choose_spec(&v->specs, h, v->file.name, &notes, err);
    if (notes.size > 0)
        fputs(plumb_base_text_string(&notes), stderr);
    plumb_base_text_release(&notes);
    return spec;
}

static enum console_status heed(const struct verifying *v,
                                enum plumb_verdict verdict, const char *spec,
                                enum plumb_status word,
                                const struct plumb_error *err)
{
    if (word == PLUMB_EINPUT)
        return reject(v, err->message);
    if (word != PLUMB_OK)
        return give_up(v, word);
    const enum console_status status =
        verdict == PLUMB_LINEARIZABLE ? STATUS_HOLDS : STATUS_VIOLATED;
    return tell(v, (struct finding){ status, "accepted",
                                     plumb_report_verdict_name(verdict), NULL,
                                     spec });
}

static enum console_status verify(struct verifying *v,
                                  const struct plumb_history *h)
{
    const struct plumb_report_witness *const w =
        plumb_report_witness_find(&v->witnesses, v->number);
    struct plumb_error err = { 0 };
    if (!w)
        return reject(v, "the witness file has no entry for this history");
    if (plumb_report_witness_is_about(w, h, &err) != PLUMB_OK)
        return reject(v, err.message);
    const struct plumb_spec *const spec = spec_for(v, w, h, &err);
    if (!spec)
        return reject(v, err.message);
    const struct plumb_spec_ref ref = { plumb_spec_text(spec),
                                        plumb_spec_user(spec) };
    const enum plumb_status word =
        w->verdict == PLUMB_LINEARIZABLE
            ? plumb_verify_witness(h, ref, w->order, w->order_count,
                                   v->up->budget, &err)
            : plumb_verify_violation(h, ref, &w->core, w->certificate,
                                     w->certificate_count, v->up->budget, &err);
    return heed(v, w->verdict, ref.text, word, &err);
}

/* ---- the files ---- */

/* The history of that number, read as it was when its witness was written. */
static enum plumb_status read_history(struct verifying *v,
                                      struct plumb_reader *reader,
                                      uint32_t number, struct plumb_history *h,
                                      struct plumb_error *err)
{
    struct plumb_error mine;
    const struct plumb_report_witness *const w =
        plumb_report_witness_find(&v->witnesses, number);
    const struct plumb_spec *const spec =
        v->specs.given || !w || !w->spec
            ? v->specs.given
            : objects_choose_spec_by_text(&v->specs, w->spec, &mine);
    plumb_reader_signature(reader, objects_signature_of(spec));
    return console_input_next(reader, h, err);
}

static enum console_status verify_histories(struct verifying *v,
                                            struct plumb_reader *reader)
{
    enum console_status worst = STATUS_HOLDS;
    struct plumb_history h, ahead;
    struct plumb_error err = { 0 }, ahead_err = { 0 };
    enum plumb_status status = read_history(v, reader, 1, &h, &err);
    if (status == PLUMB_END)
        return console_error("%s: contains no history", v->file.name);
    for (v->number = 1; status != PLUMB_END; v->number++) {
        const bool readable = status == PLUMB_OK || status == PLUMB_EINPUT;
        const enum plumb_status next =
            readable
                ? read_history(v, reader, v->number + 1, &ahead, &ahead_err)
                : PLUMB_END;
        v->several |= next != PLUMB_END;
        if (status == PLUMB_OK) {
            worst = console_worse_status(worst, verify(v, &h));
            plumb_history_release(&h);
        } else if (readable) {
            console_say_error(v->file.name, &err);
            worst = STATUS_ERROR;
        } else {
            worst = console_worse_status(worst, give_up(v, status));
        }
        status = next;
        h = ahead;
        err = ahead_err;
    }
    return worst;
}

static enum console_status verify_file(struct verifying *v)
{
    struct plumb_reader *reader;
    struct plumb_error err = { 0 };
    const enum plumb_status status = console_input_reader(
        &v->file, v->with->format, v->with->ties, &reader, &err);
    if (status != PLUMB_OK) {
        console_say_error(v->file.name, &err);
        return STATUS_ERROR;
    }
    const enum console_status worst = verify_histories(v, reader);
    plumb_reader_close(reader);
    return worst;
}

static enum console_status read_and_verify(struct verifying *v)
{
    struct plumb_error err = { 0 };
    const enum plumb_status status =
        plumb_report_witness_read(v->witness_file.data, v->witness_file.size,
                                  &v->arena, &v->witnesses, &err);
    if (status == PLUMB_OK)
        return verify_file(v);
    console_say_error(v->witness_file.name, &err);
    return STATUS_ERROR;
}

static bool open_input(struct console_input *in, const char *path,
                       struct plumb_budget *budget)
{
    struct plumb_error err = { .message = "interrupted" };
    if (archive_open_input(in, path, budget, &err) == PLUMB_OK)
        return true;
    console_say_error(in->name, &err);
    return false;
}

enum console_status check_witness(const struct check_settings *s)
{
    struct check_setting_up up;
    enum console_status status = STATUS_ERROR;
    if (!check_set_up(s, &up))
        return status;
    struct verifying v = { .with = s,
                           .up = &up,
                           .specs = { .given = up.spec, .quiet = s->quiet } };
    plumb_base_arena_init(&v.arena, up.budget);
    if (open_input(&v.witness_file, s->verify, up.budget)) {
        if (open_input(&v.file, s->files[0], up.budget)) {
            status = read_and_verify(&v);
            console_input_close(&v.file);
        }
        console_input_close(&v.witness_file);
    }
    plumb_base_arena_release(&v.arena);
    objects_spec_choice_release(&v.specs);
    check_clean_up(&up);
    return status;
}
