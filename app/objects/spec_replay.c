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

static bool same_step(struct plumb_replay_step a, struct plumb_replay_step b)
{
    return a.op == b.op && a.any == b.any;
}

static plumb_front_id step_from(struct spec_replay *r, plumb_front_id from,
                                struct plumb_replay_step step)
{
    struct plumb_action a = r->bound.action[step.op];
    plumb_front_id next;
    if (step.any)
        a.term = PLUMB_TERM_ANY;
    return plumb_fronts_step(&r->fronts, from, &a, &next) ? next
                                                          : PLUMB_NO_FRONT;
}

/* What the object may be after the sequence; PLUMB_NO_FRONT if it cannot. */
static plumb_front_id run(struct spec_replay *r,
                          const struct plumb_replay_step *step, uint32_t count)
{
    uint32_t d = 0;
    while (d < count && d < r->depth && same_step(step[d], r->step[d]))
        d++;
    for (r->depth = d; d < count; d++) {
        const plumb_front_id next = step_from(r, r->front[d], step[d]);
        if (next == PLUMB_NO_FRONT)
            return PLUMB_NO_FRONT;
        r->step[d] = step[d];
        r->front[d + 1] = next;
        r->depth = d + 1;
    }
    return r->front[count];
}

static bool allows(void *context, const struct plumb_replay_step *step,
                   uint32_t count)
{
    return run(context, step, count) != PLUMB_NO_FRONT;
}

static void show_state(struct spec_replay *r, plumb_state s,
                       struct plumb_text *out)
{
    r->bound.spec->type->show(&r->fronts.space, s, out);
}

static void state(void *context, const struct plumb_replay_step *step,
                  uint32_t count, struct plumb_text *out)
{
    struct spec_replay *const r = context;
    const plumb_front_id front = run(r, step, count);
    if (front == PLUMB_NO_FRONT)
        return;
    const uint32_t states = r->fronts.count[front];
    for (uint32_t i = 0; i < states && i < STATES_SHOWN; i++) {
        plumb_text_add(out, i ? " or " : "");
        show_state(r, r->fronts.member[front][i], out);
    }
    if (states > STATES_SHOWN)
        plumb_text_add(out, " or ...");
}

/* ---- answers ---- */

static void show_value(const struct spec_replay *r, struct plumb_value v,
                       struct plumb_text *out)
{
    static const struct plumb_style plain_style = { .ascii = true };
    size_t size;
    if (v.tag != PLUMB_STR) {
        plumb_label_value(&plain_style, r->history, v, out);
        return;
    }
    const char *const text =
        plumb_plain_symbol(r->plain, (uint32_t)v.bits, &size);
    plumb_label_text(&plain_style, text, size, PLUMB_VALUE_COLUMNS, out);
}

static void show_reply(const struct spec_replay *r,
                       const struct plain_reply *reply, struct plumb_text *out)
{
    const char *const term = reply->term ? reply->term : "ok";
    if (reply->nres == 0 || strcmp(term, "ok") != 0)
        plumb_text_add(out, term);
    if (reply->nres > 1)
        plumb_text_add(out, "(");
    for (unsigned i = 0; i < reply->nres; i++) {
        plumb_text_add(out, i ? "," : "");
        show_value(r, reply->res[i], out);
    }
    if (reply->nres > 1)
        plumb_text_add(out, ")");
}

/* Distinct answers, as text. */
struct answers {
    struct plumb_text text[ANSWERS_SHOWN];
    unsigned count;
    bool more;
};

static void add_answer(struct answers *a, const struct spec_replay *r,
                       const struct plain_reply *reply)
{
    struct plumb_text t;
    plumb_text_init(&t, NULL);
    show_reply(r, reply, &t);
    for (unsigned i = 0; i < a->count; i++)
        if (strcmp(plumb_text_string(&a->text[i]), plumb_text_string(&t)) == 0)
            goto out;
    if (a->count < ANSWERS_SHOWN) {
        a->text[a->count++] = t;
        return;
    }
    a->more = true;
out:
    plumb_text_release(&t);
}

static void join_answers(struct answers *a, struct plumb_text *out)
{
    for (unsigned i = 0; i < a->count; i++) {
        plumb_text_add(out, i ? " or " : "");
        plumb_text_add(out, plumb_text_string(&a->text[i]));
        plumb_text_release(&a->text[i]);
    }
    if (a->more)
        plumb_text_add(out, " or ...");
}

static bool list_answers(struct spec_replay *r, const struct plain_set *set,
                         uint32_t op, struct answers *answers)
{
    struct plain_seen seen;
    struct plain_call call;
    struct plumb_error err;
    if (plumb_plain_read(r->plain, r->history, op, true, &call, &seen, &err) !=
        PLUMB_OK)
        return false;
    for (size_t i = 0; i < set->count; i++) {
        struct plain_outcomes list = { 0 };
        const enum plumb_status status =
            plumb_plain_outcomes(r->plain, set->member[i].state, &call, &list);
        for (size_t k = 0; status == PLUMB_OK && k < list.count; k++)
            add_answer(answers, r, &list.item[k].reply);
        plumb_plain_outcomes_release(r->plain, &list);
        if (status != PLUMB_OK)
            return false;
    }
    return true;
}

static bool run_plainly(struct spec_replay *r, struct plain_set *set,
                        const struct plumb_replay_step *step, uint32_t count)
{
    enum plumb_status status = PLUMB_OK;
    for (uint32_t d = 0; d < count && status == PLUMB_OK; d++) {
        struct plain_seen seen;
        struct plain_call call;
        struct plumb_error err;
        status = plumb_plain_read(r->plain, r->history, step[d].op, step[d].any,
                                  &call, &seen, &err);
        if (status == PLUMB_OK)
            status = plumb_plain_set_step(r->plain, set, &call, NULL);
    }
    return status == PLUMB_OK;
}

static void answers(void *context, const struct plumb_replay_step *step,
                    uint32_t count, uint32_t op, struct plumb_text *out)
{
    struct spec_replay *const r = context;
    struct answers list = { .count = 0 };
    struct plain_set set = { 0 };
    if (plumb_plain_set_init(r->plain, &set) == PLUMB_OK &&
        run_plainly(r, &set, step, count) && list_answers(r, &set, op, &list))
        join_answers(&list, out);
    plumb_plain_set_release(r->plain, &set);
}

/* ---- */

static bool open_plain(struct spec_replay *r, const struct plumb_spec *spec)
{
    const struct plumb_spec_ref ref = { plumb_spec_text(spec),
                                        plumb_spec_user(spec) };
    struct plumb_error err;
    return plumb_plain_new(ref, r->history->symbols, r->budget, &r->plain,
                           &err) == PLUMB_OK;
}

bool spec_replay_open(struct spec_replay *r, const struct plumb_history *h,
                      const struct plumb_spec *spec,
                      struct plumb_budget *budget)
{
    const size_t room = (size_t)h->count + 1;
    struct plumb_error err;
    *r = (struct spec_replay){ .history = h, .budget = budget };
    r->replay = (struct plumb_replay){ r, allows, state, answers };
    if (plumb_spec_user(spec))
        r->replay.state = NULL; /* bytes that only their author can read */
    if (plumb_bind(h, spec, budget, &r->bound, &err) != PLUMB_OK)
        return false;
    /* Sets of states: an answer that is forgotten may have been any. */
    if (!plumb_fronts_open(&r->fronts, &r->bound, true, budget)) {
        plumb_bound_release(&r->bound);
        return false;
    }
    r->step = plumb_alloc(budget, room * sizeof *r->step);
    r->front = plumb_alloc(budget, room * sizeof *r->front);
    if (r->step && r->front && open_plain(r, spec)) {
        r->front[0] = plumb_fronts_initial(&r->fronts);
        if (r->front[0] != PLUMB_NO_FRONT)
            return true;
    }
    spec_replay_close(r);
    return false;
}

void spec_replay_close(struct spec_replay *r)
{
    const size_t room = (size_t)r->history->count + 1;
    plumb_release(r->budget, r->step, room * sizeof *r->step);
    plumb_release(r->budget, r->front, room * sizeof *r->front);
    if (r->plain)
        plumb_plain_free(r->plain);
    plumb_fronts_close(&r->fronts);
    plumb_bound_release(&r->bound);
}
