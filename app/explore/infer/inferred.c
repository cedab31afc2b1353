/* inferred.c - see inferred.h. */
#include "inferred.h"

#include "base/fail.h"
#include "infer/observations.h"
#include "proof/serial_witness.h"
#include <stdio.h>
#include <string.h>

static unsigned name_operations(const struct job *job,
                                const char *name[PLUMB_MAX_OPERATIONS])
{
    const unsigned count = job->target.operations < PLUMB_MAX_OPERATIONS
                               ? job->target.operations
                               : PLUMB_MAX_OPERATIONS;
    for (unsigned i = 0; i < count; i++)
        name[i] = job->target.operation[i].name;
    return count;
}

bool explore_serial_is_sound(const struct job *job)
{
    const char *name[PLUMB_MAX_OPERATIONS];
    return plumb_infer_store_is_sound(&job->serial, name_operations(job, name));
}

bool explore_is_unwitnessed(const struct job *job,
                            const struct plumb_history *h, bool stuck,
                            char why[256])
{
    enum { MOST = 100000 };
    static const struct plumb_infer_origin nothing = { "", "", "", "", "", "" };
    const struct plumb_infer_store *const s = &job->serial;
    const char *name[PLUMB_MAX_OPERATIONS];
    struct plumb_base_text text;
    struct plumb_error err = { 0 };
    if (s->full > MOST || s->stuck > MOST)
        return true;
    name_operations(job, name);
    plumb_base_text_init(&text, NULL);
    enum plumb_status status =
        plumb_infer_write(s, name, &nothing, NULL, NULL, &text, &err);
    if (status == PLUMB_OK && text.broken)
        status = plumb_base_fail_memory(&err);
    if (status == PLUMB_OK)
        status = plumb_proof_no_serial_witness(
            h, stuck, plumb_base_text_string(&text), NULL, &err);
    plumb_base_text_release(&text);
    if (status != PLUMB_OK)
        snprintf(why, 256, "the verifier rejects a violation: %.180s",
                 err.message);
    return status == PLUMB_OK;
}

/* Indented, line by line; of histories not more than `most`. */
static void add_lines(const char *text, const char *only, unsigned most,
                      struct plumb_base_text *out)
{
    while (*text) {
        const size_t length = strcspn(text, "\n");
        if (!only || strncmp(text, only, strlen(only)) == 0) {
            if (most-- == 0)
                break;
            plumb_base_text_add(out, "    ");
            plumb_base_text_bytes(out, text, length);
            plumb_base_text_add(out, "\n");
        }
        text += length + (text[length] == '\n');
    }
}

static uint32_t find_answer(const struct plumb_infer_store *s,
                            const struct plumb_record_entry *e)
{
    for (uint32_t i = 0; i < s->answers; i++)
        if (plumb_infer_same_answer(&s->answer[i], e))
            return i;
    return PLUMB_INFER_NOT_DONE; /* no history has it */
}

static unsigned count_histories(const char *text)
{
    unsigned count = 0;
    while ((text = strstr(text, "<history>"))) {
        count++;
        text++;
    }
    return count;
}

static void add_serial(const struct job *job, const struct job_finding *f,
                       const char *const *name, struct plumb_base_text *out)
{
    enum { SHOWN = 6 };
    static const struct plumb_infer_origin nothing = { "", "", "", "", "", "" };
    uint32_t only[PLUMB_INFER_OPERATIONS];
    struct plumb_base_text text;
    struct plumb_error err;
    for (unsigned op = 0; op < job->serial.operations; op++)
        only[op] =
            atomic_load(&f->entry[op].ret) && !(job->serial.async >> op & 1)
                ? find_answer(&job->serial, &f->entry[op])
                : PLUMB_INFER_ANY_ANSWER;
    plumb_base_text_init(&text, NULL);
    if (plumb_infer_write(&job->serial, name, &nothing, only, NULL, &text,
                          &err) == PLUMB_OK) {
        const unsigned count = count_histories(plumb_base_text_string(&text));
        if (!count)
            plumb_base_text_add(
                out, "  No serial execution of this test has these answers.\n");
        else
            plumb_base_text_printf(
                out,
                "  %u serial execution%s %s these answers, in another "
                "order:\n",
                count, count == 1 ? "" : "s", count == 1 ? "has" : "have");
        add_lines(plumb_base_text_string(&text), "<history>", SHOWN, out);
        if (count > SHOWN)
            plumb_base_text_printf(out, "    ... and %u more\n", count - SHOWN);
    }
    plumb_base_text_release(&text);
}

void explore_add_observation(const struct job *job, const struct job_finding *f,
                             struct plumb_base_text *out)
{
    const char *name[PLUMB_MAX_OPERATIONS];
    struct plumb_base_text text;
    name_operations(job, name);
    plumb_base_text_init(&text, NULL);
    plumb_infer_write_found(&job->serial, name, f->entry,
                            f->what.fault == FAULT_DEADLOCK ||
                                f->what.fault == FAULT_LIVELOCK,
                            &text);
    plumb_base_text_add(out, "\n");
    add_lines(plumb_base_text_string(&text), NULL, UINT_MAX, out);
    if (f->what.fault == FAULT_HISTORY)
        add_serial(job, f, name, out);
    plumb_base_text_release(&text);
}

static enum plumb_status make(const struct job *job,
                              const struct plumb_history *h,
                              struct explore_inferred *room,
                              struct plumb_error *err)
{
    if (job->serial.end != PLUMB_INFER_DETERMINISTIC ||
        !explore_serial_is_sound(job))
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "the target overwrote the serial histories");
    name_operations(job, room->name);
    room->automaton = plumb_infer_store_automaton(&job->serial);
    plumb_infer_store_test(&job->serial, room->name, &room->test);
    room->inferred = plumb_infer_spec_new(&room->automaton, &room->test,
                                          job->serial.answer, h, NULL);
    if (!room->inferred)
        return plumb_base_fail_memory(err);
    return plumb_spec_from_user(plumb_infer_spec_user(room->inferred),
                                &room->spec, err);
}

struct plumb_spec *explore_spec_of(const struct exploration *e,
                                   const struct job *job,
                                   const struct plumb_history *h,
                                   struct explore_inferred *room,
                                   struct plumb_error *err)
{
    *room = (struct explore_inferred){ .spec = NULL };
    if (!e->infers)
        return e->spec;
    if (make(job, h, room, err) != PLUMB_OK) {
        explore_inferred_release(room);
        return NULL;
    }
    return room->spec;
}

void explore_inferred_release(struct explore_inferred *room)
{
    if (room->spec)
        plumb_spec_free(room->spec);
    plumb_infer_spec_free(room->inferred);
    *room = (struct explore_inferred){ .spec = NULL };
}
