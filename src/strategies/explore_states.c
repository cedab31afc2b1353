/* explore_states.c - every state once, depth first.
 *
 * Two moments with the same fingerprint have the same future, so that one of
 * them is enough, if its class covers the other's.  With a bound on preemptions the future depends on how many
 * were used, too, and on the thread from which a switch would be one; these are
 * part of the key then.  All steps found are kept as a graph, in which cycles
 * without end are looked for at last, if the search has ever come back to a
 * state it was in. */
#include "run.h"
#include "state_graph.h"

#include "base/memory.h"

struct frame {
    uint64_t left; /* threads to be tried */
    uint32_t node;
};

struct states {
    struct plumb_strategies_run *run;
    struct plumb_strategies_state_graph graph;
    struct frame *frame; /* one per step, and one behind unless seen */
    size_t capacity;
    bool cyclic;
};

/* ---- where it stands ---- */

/* Who ran last, plus 1, if a switch now would be a preemption. */
static unsigned thread_to_preempt(const struct plumb_strategies_run *run)
{
    if (!run->length)
        return 0;
    const struct plumb_strategies_step *const last =
        run->step + run->length - 1;
    return !last->gave_way && run->ready >> last->thread & 1 ? last->thread + 1u
                                                             : 0;
}

static struct plumb_base_hash128 key_of(const struct plumb_strategies_run *run,
                                        uint32_t *class)
{
    const struct plumb_strategies_machine *const m = run->machine;
    uint64_t hash[2];
    *class = m->fingerprint(m->context, hash);
    if (run->options->bounded) {
        const uint64_t spent =
            run->length ? run->step[run->length - 1].preemptions : 0;
        const uint64_t tag = spent << 8 | thread_to_preempt(run);
        hash[0] = plumb_base_mix(hash[0], tag);
        hash[1] = plumb_base_mix(hash[1], ~tag);
    }
    return (struct plumb_base_hash128){ .lo = hash[0], .hi = hash[1] };
}

/* Threads whose turn comes, if schedules are fair. */
static uint64_t has_to_go_on(const struct plumb_strategies_run *run)
{
    const struct plumb_strategies_machine *const m = run->machine;
    return m->calling ? run->ready & ~m->calling(m->context) : run->ready;
}

/* ---- the search ---- */

static bool open_frame(struct states *s, uint32_t node)
{
    const struct plumb_strategies_run *const run = s->run;
    if (!PLUMB_GROW(run->options->budget, s->frame, s->capacity,
                    (size_t)run->length + 1))
        return plumb_strategies_run_fail_memory(s->run);
    s->frame[run->length] = (struct frame){
        .left = plumb_strategies_run_affordable(run, run->length, run->ready),
        .node = node,
    };
    s->run->stats->states++;
    return true;
}

static bool find_node(struct states *s, uint32_t *node, bool *is_new)
{
    const uint32_t nodes = s->graph.nodes;
    uint32_t class;
    const struct plumb_base_hash128 key = key_of(s->run, &class);
    if (!plumb_strategies_state_graph_enter(&s->graph, key, class,
                                            has_to_go_on(s->run), node))
        return plumb_strategies_run_fail_memory(s->run);
    *is_new = *node == nodes;
    return !*is_new || open_frame(s, *node);
}

static bool begin(struct states *s)
{
    uint32_t node;
    bool is_new;
    return plumb_strategies_run_rewind(s->run, 0) &&
           find_node(s, &node, &is_new);
}

/* The thread came back to `node` by itself: it waits for others.  Not if it
 * yields on its round: there they can go on. */
static bool spins(const struct states *s, uint32_t node)
{
    const struct plumb_strategies_run *const run = s->run;
    const unsigned thread = run->step[run->length - 1].thread;
    for (uint32_t at = run->length; at-- > 0;) {
        if (run->step[at].thread != thread || run->step[at].yielded)
            return false;
        if (s->frame[at].node == node)
            return true;
    }
    return false;
}

/* By fairness others go on then, and that is no preemption: it stands there
 * once more as one that has given way. */
static bool give_way(struct states *s, uint32_t *node, bool *is_new)
{
    struct plumb_strategies_step *const last =
        s->run->step + s->run->length - 1;
    const struct plumb_strategies_explore_options *const o = s->run->options;
    if (*is_new || !o->bounded || !o->fair || last->gave_way ||
        !(s->graph.node[*node].flags & STATE_OPEN) || !spins(s, *node))
        return true;
    last->gave_way = true;
    return find_node(s, node, is_new);
}

static bool take(struct states *s, unsigned thread, unsigned option,
                 bool *is_new)
{
    const uint32_t from = s->frame[s->run->length].node;
    const struct plumb_strategies_machine *const m = s->run->machine;
    uint32_t to;
    if (!plumb_strategies_run_step(s->run, thread, option))
        return false;
    if (m->taken)
        m->taken(m->context);
    if (!find_node(s, &to, is_new) || !give_way(s, &to, is_new))
        return false;
    if (!plumb_strategies_state_graph_connect(&s->graph, from, to, thread,
                                              option))
        return plumb_strategies_run_fail_memory(s->run);
    s->run->stats->edges++;
    s->cyclic |= !*is_new && s->graph.node[to].flags & STATE_OPEN;
    return true;
}

static bool take_lowest(struct states *s, bool *is_new)
{
    struct frame *const f = s->frame + s->run->length;
    const unsigned thread = (unsigned)__builtin_ctzll(f->left);
    f->left &= f->left - 1;
    if (f->left)
        plumb_strategies_run_keep(s->run);
    return take(s, thread, 0, is_new);
}

static bool go_to_the_end(struct states *s, bool is_new)
{
    struct plumb_strategies_run *const run = s->run;
    while (is_new && run->ready && !plumb_strategies_run_is_too_long(run))
        if (!take_lowest(s, &is_new))
            return false;
    if (!is_new)
        return plumb_strategies_run_tell(run, PLUMB_SEEN);
    plumb_strategies_state_graph_close(&s->graph, s->frame[run->length].node);
    return plumb_strategies_run_tell(run, plumb_strategies_run_outcome(run));
}

/* To the last step that has an option or a thread left. */
static bool go_back(struct states *s, bool *is_new)
{
    struct plumb_strategies_run *const run = s->run;
    for (uint32_t at = run->length; at-- > 0;) {
        const struct plumb_strategies_step last = run->step[at];
        const unsigned option = plumb_strategies_step_next_option(&last);
        if (option)
            return plumb_strategies_run_rewind(run, at) &&
                   take(s, last.thread, option, is_new);
        if (s->frame[at].left)
            return plumb_strategies_run_rewind(run, at) &&
                   take_lowest(s, is_new);
        plumb_strategies_state_graph_close(&s->graph, s->frame[at].node);
    }
    return false;
}

/* ---- executions without end ---- */

static bool has_key(const struct plumb_strategies_run *run,
                    const struct plumb_base_hash128 *known)
{
    uint32_t class;
    return plumb_base_hash128_equal(key_of(run, &class), *known);
}

/* It may be as one that has given way, see give_way(). */
static bool stands_at(struct plumb_strategies_run *run,
                      const struct plumb_base_hash128 *known)
{
    struct plumb_strategies_step *const last = run->step + run->length - 1;
    if (has_key(run, known))
        return true;
    last->gave_way = true;
    return has_key(run, known);
}

static bool follow(struct states *s, uint32_t number)
{
    const struct plumb_strategies_state_step e =
        plumb_strategies_state_graph_step(&s->graph, number);
    struct plumb_strategies_run *const run = s->run;
    const uint32_t at = run->length;
    if (!(run->ready >> e.thread & 1))
        return plumb_strategies_run_fail_diverged(run, at, e.thread);
    if (!plumb_strategies_run_step(run, e.thread, e.option))
        return false;
    if (!stands_at(run, &s->graph.node[e.to].key))
        return plumb_strategies_run_fail_diverged(run, at, e.thread);
    run->stats->steps--;
    run->stats->repeated++;
    return true;
}

static bool tell_endless(void *context,
                         const struct plumb_strategies_fair_cycle *c)
{
    struct states *const s = context;
    if (!plumb_strategies_run_rewind(s->run, 0))
        return false;
    for (uint32_t i = 0; i < c->length; i++)
        if (!follow(s, c->step[i]))
            return false;
    s->run->cycle = c->cycle;
    return plumb_strategies_run_tell(s->run, PLUMB_ENDLESS);
}

void plumb_strategies_explore_states(struct plumb_strategies_run *run)
{
    struct plumb_budget *const budget = run->options->budget;
    struct states s = { .run = run };
    plumb_strategies_state_graph_init(&s.graph, run->machine, budget);
    bool is_new = true;
    bool more = begin(&s);
    while (more)
        more = go_to_the_end(&s, is_new) && go_back(&s, &is_new);
    if (s.cyclic && (!run->over || run->enough) &&
        !(plumb_strategies_state_graph_link(&s.graph) &&
          plumb_strategies_fair_cycles(&s.graph, tell_endless, &s)))
        plumb_strategies_run_fail_memory(run);
    PLUMB_RELEASE(budget, s.frame, s.capacity);
    plumb_strategies_state_graph_release(&s.graph);
}
