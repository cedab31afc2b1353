/* spec_replay.c - letting the report run a specification step by step.
 *
 * States come from the specifications that decided, and what an operation may
 * answer from the verifier's plain ones, which can list it. */
#include "spec_replay.h"

#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { STATES_SHOWN = 3, ANSWERS_SHOWN = 4 };

/* ---- states ---- */

static bool same_step(struct plumb_report_replay_step a,
                      struct plumb_report_replay_step b)
{
    return a.op == b.op && a.any == b.any;
}

static plumb_check_state_set step_from(struct objects_spec_replay *r,
                                       plumb_check_state_set from,
                                       struct plumb_report_replay_step step)
{
    struct plumb_spec_action a = r->bound.action[step.op];
    plumb_check_state_set next;
    if (step.any)
        a.term = PLUMB_TERM_ANY;
    return plumb_check_state_sets_step(&r->sets, from, &a, &next)
               ? next
               : PLUMB_NO_STATE_SET;
}

/* What the object may be after the sequence; PLUMB_NO_STATE_SET if it cannot. */
static plumb_check_state_set run(struct objects_spec_replay *r,
                                 const struct plumb_report_replay_step *step,
                                 uint32_t count)
{
    uint32_t d = 0;
    while (d < count && d < r->depth && same_step(step[d], r->step[d]))
        d++;
    for (r->depth = d; d < count; d++) {
        const plumb_check_state_set next = step_from(r, r->set[d], step[d]);
        if (next == PLUMB_NO_STATE_SET)
            return PLUMB_NO_STATE_SET;
        r->step[d] = step[d];
        r->set[d + 1] = next;
        r->depth = d + 1;
    }
    return r->set[count];
}

static bool allows(void *context, const struct plumb_report_replay_step *step,
                   uint32_t count)
{
    return run(context, step, count) != PLUMB_NO_STATE_SET;
}

static void state(void *context, const struct plumb_report_replay_step *step,
                  uint32_t count, struct plumb_base_text *out)
{
    struct objects_spec_replay *const r = context;
    const plumb_check_state_set set = run(r, step, count);
    if (set == PLUMB_NO_STATE_SET)
        return;
    size_t states;
    const plumb_spec_state *const member =
        plumb_base_lists_get(&r->sets.set, set, &states);
    for (size_t i = 0; i < states && i < STATES_SHOWN; i++) {
        plumb_base_text_add(out, i ? " or " : "");
        r->bound.spec->type->show(&r->sets.space, member[i], out);
    }
    if (states > STATES_SHOWN)
        plumb_base_text_add(out, " or ...");
}

/* ---- answers ---- */

static void show_value(const struct objects_spec_replay *r,
                       struct plumb_value v, struct plumb_base_text *out)
{
    static const struct plumb_report_style plain_style = { .ascii = true };
    size_t size;
    if (v.tag != PLUMB_STR) {
        plumb_report_label_value(&plain_style, r->history, v, out);
        return;
    }
    const char *const text =
        plumb_proof_plain_symbol(r->plain, (uint32_t)v.bits, &size);
    plumb_report_label_text(&plain_style, text, size, PLUMB_VALUE_COLUMNS, out);
}

static void show_reply(const struct objects_spec_replay *r,
                       const struct plumb_proof_plain_reply *reply,
                       struct plumb_base_text *out)
{
    const char *const term = reply->term ? reply->term : "ok";
    if (reply->nres == 0 || strcmp(term, "ok") != 0)
        plumb_base_text_add(out, term);
    if (reply->nres > 1)
        plumb_base_text_add(out, "(");
    for (unsigned i = 0; i < reply->nres; i++) {
        plumb_base_text_add(out, i ? "," : "");
        show_value(r, reply->res[i], out);
    }
    if (reply->nres > 1)
        plumb_base_text_add(out, ")");
}

/* Distinct answers, as text. */
struct answers {
    struct plumb_base_text text[ANSWERS_SHOWN];
    unsigned count;
    bool more;
};

static void add_answer(struct answers *a, const struct objects_spec_replay *r,
                       const struct plumb_proof_plain_reply *reply)
{
    struct plumb_base_text t = { 0 };
    show_reply(r, reply, &t);
    for (unsigned i = 0; i < a->count; i++)
        if (strcmp(plumb_base_text_string(&a->text[i]),
                   plumb_base_text_string(&t)) == 0)
            goto out;
    if (a->count < ANSWERS_SHOWN) {
        a->text[a->count++] = t;
        return;
    }
    a->more = true;
out:
    plumb_base_text_release(&t);
}

static void join_answers(struct answers *a, struct plumb_base_text *out)
{
    for (unsigned i = 0; i < a->count; i++) {
        plumb_base_text_add(out, i ? " or " : "");
        plumb_base_text_add(out, plumb_base_text_string(&a->text[i]));
        plumb_base_text_release(&a->text[i]);
    }
    if (a->more)
        plumb_base_text_add(out, " or ...");
}

static bool list_answers(struct objects_spec_replay *r,
                         const struct plumb_proof_plain_set *set, uint32_t op,
                         struct answers *answers)
{
    struct plumb_proof_plain_seen seen;
    struct plumb_proof_plain_call call;
    struct plumb_error err;
    if (plumb_proof_plain_read(r->plain, r->history, op, true, &call, &seen,
                               &err) != PLUMB_OK)
        return false;
    for (size_t i = 0; i < set->count; i++) {
        struct plumb_proof_plain_outcomes list = { 0 };
        const enum plumb_status status = plumb_proof_plain_outcomes(
            r->plain, set->member[i].state, &call, &list);
        for (size_t k = 0; status == PLUMB_OK && k < list.count; k++)
            add_answer(answers, r, &list.item[k].reply);
        plumb_proof_plain_outcomes_release(r->plain, &list);
        if (status != PLUMB_OK)
            return false;
    }
    return true;
}

static bool run_plainly(struct objects_spec_replay *r,
                        struct plumb_proof_plain_set *set,
                        const struct plumb_report_replay_step *step,
                        uint32_t count)
{
    enum plumb_status status = PLUMB_OK;
    for (uint32_t d = 0; d < count && status == PLUMB_OK; d++) {
        struct plumb_proof_plain_seen seen;
        struct plumb_proof_plain_call call;
        struct plumb_error err;
        status = plumb_proof_plain_read(r->plain, r->history, step[d].op,
                                        step[d].any, &call, &seen, &err);
        if (status == PLUMB_OK)
            status = plumb_proof_plain_set_step(r->plain, set, &call, NULL);
    }
    return status == PLUMB_OK;
}

static void answers(void *context, const struct plumb_report_replay_step *step,
                    uint32_t count, uint32_t op, struct plumb_base_text *out)
{
    struct objects_spec_replay *const r = context;
    struct answers list = { .count = 0 };
    struct plumb_proof_plain_set set = { 0 };
    if (plumb_proof_plain_set_init(r->plain, &set) == PLUMB_OK &&
        run_plainly(r, &set, step, count) && list_answers(r, &set, op, &list))
        join_answers(&list, out);
    plumb_proof_plain_set_release(r->plain, &set);
}

/* ---- */

static bool open_plain(struct objects_spec_replay *r,
                       const struct plumb_spec *spec)
{
    const struct plumb_spec_ref ref = { plumb_spec_text(spec),
                                        plumb_spec_user(spec) };
    struct plumb_error err;
    return plumb_proof_plain_new(ref, r->history->symbols, r->budget, &r->plain,
                                 &err) == PLUMB_OK;
}

bool objects_spec_replay_open(struct objects_spec_replay *r,
                              const struct plumb_history *h,
                              const struct plumb_spec *spec,
                              struct plumb_budget *budget)
{
    const size_t room = (size_t)h->count + 1;
    struct plumb_error err;
    *r = (struct objects_spec_replay){ .history = h, .budget = budget };
    r->replay = (struct plumb_report_replay){ r, allows, state, answers };
    if (plumb_spec_user(spec))
        r->replay.state = NULL; /* bytes that only their author can read */
    /* an order of operations is not all they have */
    if (spec->type->stepwise || plumb_spec_is_told(spec->type))
        return false;
    if (plumb_spec_bind(h, spec, budget, &r->bound, &err) != PLUMB_OK)
        return false;
    /* Sets of states: an answer that is forgotten may have been any. */
    if (!plumb_check_state_sets_open(&r->sets, &r->bound, true, budget)) {
        plumb_spec_bound_release(&r->bound);
        return false;
    }
    r->step = plumb_base_alloc(budget, room * sizeof *r->step);
    r->set = plumb_base_alloc(budget, room * sizeof *r->set);
    if (r->step && r->set && open_plain(r, spec)) {
        r->set[0] = plumb_check_state_sets_initial(&r->sets);
        if (r->set[0] != PLUMB_NO_STATE_SET)
            return true;
    }
    objects_spec_replay_close(r);
    return false;
}

void objects_spec_replay_close(struct objects_spec_replay *r)
{
    const size_t room = (size_t)r->history->count + 1;
    PLUMB_RELEASE(r->budget, r->step, room);
    PLUMB_RELEASE(r->budget, r->set, room);
    if (r->plain)
        plumb_proof_plain_free(r->plain);
    plumb_check_state_sets_close(&r->sets);
    plumb_spec_bound_release(&r->bound);
}
