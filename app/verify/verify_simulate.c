/* verify_simulate.c - one run of a model: chosen by hand, or by chance.
 *
 * By hand: the steps there are, numbered; a number takes one, u goes back, q
 * ends.  By chance: --steps N of them, the same for the same --seed, and the
 * variables as they are then. */
#include "verify_settings.h"

#include "app/console/say.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/text.h"
#include "verify_steps.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct walk {
    const struct verify_settings *with;
    struct plumb_refine_judgement
        j;                 /* for the texts of steps: impl and world only */
    struct verify_way way; /* its steps are those of the last state */
    uint32_t *been;        /* the states so far, for going back */
    size_t count, capacity;
    struct plumb_base_rng rng;
};

static void print_step(struct walk *s, uint32_t index, const char *lead)
{
    struct plumb_base_text text, who;
    plumb_base_text_init(&text, NULL);
    plumb_base_text_init(&who, NULL);
    verify_way_take(&s->way, index);
    verify_step_text(&s->way, &text);
    if (s->way.step->actors)
        plumb_csp_system_component_text(s->j.impl.system, s->way.actor, &who);
    printf("%s%-16s %s\n", lead, plumb_base_text_string(&who),
           plumb_base_text_string(&text));
    plumb_base_text_release(&text);
    plumb_base_text_release(&who);
}

static void print_globals(struct walk *s)
{
    const uint32_t globals = plumb_csp_system_globals(s->j.impl.system);
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    for (uint32_t i = 0; i < globals; i++) {
        if (plumb_csp_system_slot_passes(s->j.impl.system, i))
            continue;
        plumb_base_text_add(&text, text.size ? ", " : "");
        plumb_csp_system_slot_text(s->j.impl.system, i, s->way.before[i],
                                   &text);
    }
    printf("\n%s\n",
           text.size ? plumb_base_text_string(&text) : "(no variables)");
    plumb_base_text_release(&text);
}

/* Which step next?  -1: back, -2: the end. */
static long ask(struct walk *s)
{
    char answer[64];
    print_globals(s);
    const uint32_t count = s->way.steps.count;
    for (uint32_t i = 0; i < count; i++) {
        char lead[32];
        snprintf(lead, sizeof lead, "  %2u  ", (unsigned)i + 1);
        print_step(s, i, lead);
    }
    for (;;) {
        printf("step 1..%u, u to undo, q to quit: ", (unsigned)count);
        fflush(stdout);
        if (!fgets(answer, sizeof answer, stdin)) {
            putchar('\n');
            return -2;
        }
        if (answer[0] == 'q')
            return -2;
        if (answer[0] == 'u')
            return -1;
        char *end;
        const unsigned long number = strtoul(answer, &end, 10);
        if (end != answer && number >= 1 && number <= count)
            return (long)number - 1;
    }
}

static long choose(struct walk *s)
{
    if (!s->with->steps)
        return ask(s);
    const uint32_t step = plumb_base_rng_below(&s->rng, s->way.steps.count);
    print_step(s, step, "  ");
    return step;
}

static bool remember(struct walk *s, uint32_t state)
{
    return PLUMB_APPEND(NULL, s->been, s->count, s->capacity, state);
}

/* One step on, or back.  False at the end. */
static bool go_on(struct walk *s, struct plumb_error *err)
{
    const uint32_t state = s->been[s->count - 1];
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(s->j.impl.graph, state, err);
    if (out.status != PLUMB_OK ||
        verify_way_look(&s->way, state, err) != PLUMB_OK)
        return false;
    if (s->way.steps.count == 0 && s->with->steps) {
        printf("  no step is possible any more\n");
        return false;
    }
    const long step = choose(s);
    if (step == -2)
        return false;
    if (step == -1) {
        s->count -= s->count > 1 ? 1 : 0;
        return true;
    }
    return remember(s, out.edge[step].target);
}

static enum plumb_status begin(struct walk *s,
                               const struct plumb_csp_model *model,
                               const struct plumb_csp_assertion *a,
                               struct plumb_budget *budget,
                               struct plumb_error *err)
{
    enum plumb_status status = plumb_csp_world_open(
        &s->j.world, model, s->with->counting, budget, err);
    verify_way_begin(&s->way, &s->j);
    s->j.model = model;
    s->j.assertion = a;
    if (status == PLUMB_OK)
        status = plumb_refine_side_open(&s->j.impl, &s->j.world, a->process,
                                        PLUMB_REDUCE_NOTHING, false, err);
    if (status != PLUMB_OK)
        return status;
    return remember(s, 0) ? PLUMB_OK : plumb_base_fail_memory(err);
}

static void end(struct walk *s)
{
    verify_way_end(&s->way);
    PLUMB_RELEASE(NULL, s->been, s->capacity);
    plumb_refine_side_close(&s->j.impl);
    plumb_csp_world_close(&s->j.world);
}

/* Where it has come to. */
static void print_end(struct walk *s, struct plumb_error *err)
{
    if (s->with->steps && err->status == PLUMB_OK &&
        verify_way_look(&s->way, s->been[s->count - 1], err) == PLUMB_OK)
        print_globals(s);
}

static enum plumb_status run(struct walk *s,
                             const struct plumb_csp_model *model,
                             const struct plumb_csp_assertion *a,
                             struct plumb_budget *budget,
                             struct plumb_error *err)
{
    const unsigned long steps = s->with->steps;
    PLUMB_TRY(begin(s, model, a, budget, err));
    for (unsigned long n = 0; steps == 0 || n < steps; n++)
        if (plumb_budget_state(budget) != PLUMB_OK || !go_on(s, err))
            break;
    print_end(s, err);
    return err->status;
}

enum console_status verify_simulate(const struct verify_settings *with,
                                    const struct plumb_csp_model *model,
                                    struct plumb_budget *budget)
{
    const unsigned long which = with->assertion ? with->assertion - 1 : 0;
    struct walk s = { .with = with };
    struct plumb_error err = { 0 };
    if (which >= model->assertions) {
        console_say("%s: there is no assertion %lu; --simulate runs the "
                    "process of an assertion",
                    with->file, which + 1);
        return STATUS_ERROR;
    }
    plumb_base_rng_seed(&s.rng, with->seed);
    const enum plumb_status status =
        run(&s, model, &model->assertion[which], budget, &err);
    end(&s);
    if (status != PLUMB_OK)
        console_say_error(with->file, &err);
    return status != PLUMB_OK ? STATUS_ERROR : STATUS_HOLDS;
}
