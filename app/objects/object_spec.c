/* object_spec.c - a sequential object as a specification.
 *
 * The object is run; what it answered is kept.
 *
 *     state 0 --enq(1)=ok--> 1 --enq(2)=ok--> 2 --deq()=1--> 5
 *         \--enq(2)=ok--> 3 ...
 *
 * A call in a state is looked up among the edges of the state.  If it is new,
 * the object is brought into the state and the operation invoked.  If all of
 * its state is in its variables (object_image.h), that is copying them, and
 * equal states are recognised.  Otherwise the object is set up and the path to
 * the state invoked again, and the graph is a tree. */
#include "object_spec.h"

#include "app/console/say.h"
#include "base/vector.h"
#include "object_image.h"
#include "record/script.h"
#include "runtime/common/invocation.h"
#include <plumb/history.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct edge {
    uint32_t from, to;
    uint32_t next; /* of the same state; 0 ends, as edge 0 is not used */
    uint32_t thread;
    uint16_t args_text;              /* how much of entry.text is arguments */
    struct plumb_record_entry entry; /* operation, arguments, and the answer */
};

struct state {
    uint32_t edges; /* the first one */
    uint32_t by;    /* the edge that led here first */
};

static struct {
    const struct plumb_object *object;
    struct plumb_user_spec spec;
    char names[PLUMB_MAX_OPERATIONS][80];
    const char *ops[PLUMB_MAX_OPERATIONS + 1];
    pthread_mutex_t lock; /* there is one object, and there may be threads */
    bool comparable;      /* states are those of object_image.h            */
    PLUMB_VECTOR(struct edge) edge;
    PLUMB_VECTOR(struct state) state;
    PLUMB_VECTOR(uint32_t) path; /* edges, the last one first */
} graph = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Neither is the history's fault, and neither is a verdict: end here, in the
 * child process that runs specifications. */
static _Noreturn void refuse(const char *what)
{
    console_say("%s: as a specification: %s", graph.spec.name, what);
    exit(EXIT_FAILURE);
}

static void need_memory(bool granted)
{
    if (!granted)
        refuse("out of memory");
}

/* ---- running the object ---- */

static void invoke(uint32_t thread, struct plumb_record_entry *e)
{
    plumb_invocation i = { .entry = e, .process = thread };
    e->nres = 0;
    e->term[0] = '\0';
    graph.object->operations[e->operation].run(&i);
}

/* Set the object up and lead it where `state` is. */
static void lead_to(uint32_t state)
{
    graph.path.count = 0;
    while (state) {
        const uint32_t by = graph.state.at[state].by;
        need_memory(PLUMB_PUSH(NULL, &graph.path, by));
        state = graph.edge.at[by].from;
    }
    if (graph.object->setup)
        graph.object->setup();
    while (graph.path.count > 0) {
        const struct edge *const e = &graph.edge.at[PLUMB_POP(&graph.path)];
        struct plumb_record_entry again = e->entry;
        again.text_used = e->args_text;
        invoke(e->thread, &again);
    }
}

/* Invoke the edge's operation in its state; the number of the next. */
static uint32_t run_edge(struct edge *e)
{
    if (graph.comparable) {
        object_image_enter(e->from);
        invoke(e->thread, &e->entry);
        const uint32_t to = object_image_state();
        need_memory(to != UINT32_MAX);
        return to;
    }
    lead_to(e->from);
    invoke(e->thread, &e->entry);
    if (graph.object->teardown)
        graph.object->teardown();
    return (uint32_t)graph.state.count;
}

/* ---- the graph ---- */

static bool same_call(const struct edge *a, const struct edge *b)
{
    const struct plumb_record_entry *const x = &a->entry, *const y = &b->entry;
    if (x->operation != y->operation || x->nargs != y->nargs ||
        a->thread != b->thread)
        return false;
    for (unsigned i = 0; i < x->nargs; i++) {
        const struct plumb_value v = x->value[i], w = y->value[i];
        if (v.tag != w.tag || (v.tag != PLUMB_STR && v.bits != w.bits))
            return false;
        if (v.tag == PLUMB_STR &&
            strcmp(x->text + v.bits, y->text + w.bits) != 0)
            return false;
    }
    return true;
}

static void add_states(uint32_t upto, uint32_t by)
{
    while (graph.state.count <= upto)
        need_memory(PLUMB_PUSH(NULL, &graph.state, (struct state){ .by = by }));
}

/* The edge of this call, which knows where it is from. */
static const struct edge *follow(struct edge *call)
{
    const uint32_t number = (uint32_t)graph.edge.count;
    for (uint32_t n = graph.state.at[call->from].edges; n;
         n = graph.edge.at[n].next)
        if (same_call(&graph.edge.at[n], call))
            return &graph.edge.at[n];
    call->to = run_edge(call);
    add_states(call->to, number);
    struct state *const from = &graph.state.at[call->from];
    call->next = from->edges;
    from->edges = number;
    need_memory(PLUMB_PUSH(NULL, &graph.edge, *call));
    return &graph.edge.at[number];
}

void object_spec_forget(void)
{
    if (!graph.object)
        return;
    object_image_forget();
    graph.edge.count = graph.state.count = 0;
    need_memory(PLUMB_PUSH(NULL, &graph.edge, (struct edge){ .to = 0 }));
    add_states(0, 0);
}

/* ---- calls and replies of a specification ---- */

static void add_argument(struct plumb_record_entry *e,
                         const struct plumb_call *call, struct plumb_value v)
{
    if (v.tag == PLUMB_STR) {
        size_t length;
        const char *const text =
            plumb_symbol_text(call->symbols, (uint32_t)v.bits, &length);
        v = plumb_str(plumb_record_entry_keep(e, text, length));
    } else if (v.tag == PLUMB_BOOL) {
        v = plumb_int((int64_t)v.bits);
    }
    e->value[e->nargs++] = v;
}

static void read_call(struct edge *e, const struct plumb_call *call)
{
    *e = (struct edge){ .thread = call->thread };
    e->entry.operation = (uint8_t)call->op;
    for (unsigned i = 0; i < call->nargs && i < PLUMB_MAX_ARGUMENTS; i++)
        add_argument(&e->entry, call, call->args[i]);
    e->args_text = e->entry.text_used;
}

/* A text that the history does not have is none of its answers. */
static struct plumb_value result_of(const struct plumb_record_entry *e,
                                    unsigned i,
                                    const struct plumb_symbols *symbols)
{
    const struct plumb_value v = e->value[e->nargs + i];
    if (v.tag != PLUMB_STR)
        return v;
    const char *const text = e->text + v.bits;
    return plumb_str(plumb_symbol_find(symbols, text, strlen(text)));
}

static void answer(const struct plumb_record_entry *e,
                   const struct plumb_call *call, struct plumb_reply *reply)
{
    static _Thread_local char term[PLUMB_ENTRY_TERM];
    memcpy(term, e->term, sizeof term);
    reply->term = term[0] ? term : NULL;
    for (unsigned i = 0; i < e->nres; i++)
        plumb_reply_value(reply, result_of(e, i, call->symbols));
}

static bool step_locked(uint32_t *state, const struct plumb_call *call,
                        struct plumb_reply *reply)
{
    struct edge e;
    read_call(&e, call);
    e.from = *state;
    const struct edge *const known = follow(&e);
    if (known->entry.flaws & PLUMB_FLAW_ARGUMENT)
        refuse("an operation asks for an argument that it does not have, or "
               "for a number where the argument is a text");
    if (known->entry.flaws)
        refuse("an operation has too many or too long texts or results");
    if (known->entry.blocked)
        return false;
    *state = known->to;
    answer(&known->entry, call, reply);
    return true;
}

static bool step(void *state, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    pthread_mutex_lock(&graph.lock);
    const bool returns = step_locked(state, call, reply);
    pthread_mutex_unlock(&graph.lock);
    return returns;
}

/* ---- the specification ---- */

static void list_operations(const struct plumb_object *object)
{
    for (unsigned i = 0; i < plumb_record_object_size(object); i++) {
        const struct plumb_operation *const o = &object->operations[i];
        snprintf(graph.names[i], sizeof graph.names[i], "%s/%u", o->name,
                 plumb_record_operation_arity(o));
        graph.ops[i] = graph.names[i];
    }
}

const struct plumb_user_spec *object_spec(const struct plumb_object *object)
{
    graph.object = object;
    graph.spec = (struct plumb_user_spec){
        .version = PLUMB_SPEC_VERSION,
        .name = object->name ? object->name : "object",
        .state_size = sizeof(uint32_t),
        .ops = graph.ops,
        .step = step,
    };
    list_operations(object);
    if (object->setup)
        object->setup();
    graph.comparable = object_image_begin(object);
    if (!graph.comparable) {
        if (object->teardown)
            object->teardown();
        console_note(
            "%s: the object may keep state outside its own variables, so plumb "
            "cannot recognise equal states, and deciding may take long",
            graph.spec.name);
    }
    object_spec_forget();
    return &graph.spec;
}
