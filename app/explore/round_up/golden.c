/* golden.c - see golden.h. */
#include "golden.h"

#include "app/console/say.h"
#include "app/console/wordlist.h"
#include "app/explore/infer/inferred.h"

/* ---- an object ---- */

struct walk {
    const struct job *job;
    struct plumb_infer_automaton automaton;
    struct explore_golden_call path[PLUMB_INFER_OPERATIONS];
    explore_golden_take *take;
    void *context;
};

/* Every way through the automaton.  Whoever waits for ever has not returned. */
static bool walk_from(struct walk *w, uint32_t position, unsigned done)
{
    const struct plumb_infer_automaton *const a = &w->automaton;
    const struct plumb_infer_store *const s = &w->job->serial;
    if (done == s->operations)
        return w->take(w->context, w->path, done);
    for (uint32_t i = a->first[position]; i < a->first[position + 1]; i++) {
        const struct plumb_infer_edge *const edge = &a->edge[i];
        if (edge->next == PLUMB_INFER_STUCK)
            continue;
        const struct plumb_record_entry *const e = &s->answer[edge->answer];
        w->path[done] = (struct explore_golden_call){
            .name = w->job->target.operation[e->operation].name, .entry = e
        };
        if (!walk_from(w, edge->next, done + 1))
            return false;
    }
    return true;
}

static bool is_whole(const struct job *job)
{
    return (job->serial.end == PLUMB_INFER_DETERMINISTIC ||
            job->serial.end == PLUMB_INFER_NONDETERMINISTIC) &&
           explore_serial_is_sound(job);
}

/* It runs serially, and then one execution more that nobody asks about. */
static bool run_object(const struct explore_golden *g,
                       const struct explore_scenario *s,
                       explore_golden_take *take, void *context)
{
    struct explore_settings with = *g->e->with;
    struct exploration golden = *g->e;
    struct explore_host_process h;
    bool done = false;
    with.algorithm = EXPLORE_DEFAULT;
    golden.with = &with;
    golden.target = &g->target;
    golden.infers = true;
    if (!explore_host_open(&h))
        return false;
    exploration_request(&golden, s, &h.job->request);
    h.job->request.executions = 1;
    if (exploration_run_job(&golden, &h, 0) == JOB_ERROR) {
        /* it was said */
    } else if (!is_whole(h.job)) {
        console_say("%s: phase 1 has not all sequential histories of this test",
                    g->target.given);
    } else {
        struct walk w = { .job = h.job,
                          .automaton =
                              plumb_infer_store_automaton(&h.job->serial),
                          .take = take,
                          .context = context };
        done = walk_from(&w, 0, 0);
    }
    explore_host_close(&h);
    return done;
}

/* "OBJECT FLAG..." */
static bool build_object(struct explore_golden *g, const char *text)
{
    struct console_wordlist words = { 0 };
    console_wordlist_split(&words, text);
    if (words.broken || words.count == 0) {
        console_say(words.broken ? "plumb explore: out of memory"
                                 : "plumb explore: --golden names no object");
        console_wordlist_release(&words);
        return false;
    }
    const bool built = objects_target_build(
        &g->target, words.word[0], TARGET_EXPLORED,
        (const char *const *)words.word + 1, words.count - 1);
    console_wordlist_release(&words);
    return built;
}

/* ---- either ---- */

bool explore_golden_open(struct explore_golden *g, const struct exploration *e)
{
    struct plumb_error err = { 0 };
    *g = (struct explore_golden){ .e = e };
    if (e->with->golden)
        return build_object(g, e->with->golden);
    if (plumb_spec_parse(e->strict_name, &g->spec, &err) == PLUMB_OK)
        return true;
    console_say("%s: %s", e->target->given, err.message);
    return false;
}

void explore_golden_close(struct explore_golden *g)
{
    if (g->spec)
        plumb_spec_free(g->spec);
    else
        objects_target_release(&g->target);
    g->spec = NULL;
}

const char *explore_golden_name(const struct explore_golden *g)
{
    return g->spec ? plumb_spec_text(g->spec) : g->e->with->golden;
}

bool explore_golden_run(const struct explore_golden *g,
                        const struct explore_scenario *s,
                        explore_golden_take *take, void *context)
{
    return g->spec ? explore_golden_run_spec(g, s, take, context)
                   : run_object(g, s, take, context);
}
