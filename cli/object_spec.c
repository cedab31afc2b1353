/* object_spec.c - a sequential object as a specification.
 *
 * An object cannot be copied or compared, so its state is taken to be the
 * sequence of operations that led to it: a node of a tree.
 *
 *     root --enq(1)--> 1 --enq(2)--> 2 --deq()=1--> 5
 *       \--enq(2)--> 3 ...
 *
 * A step from a node is looked up among its children.  If it is new, the
 * object is set up, the path to the node is invoked again, then the operation;
 * its answer is kept.  So every step is run once, but states that are the same
 * in different ways are not recognised as the same. */
#include "object_spec.h"

#include "runtime/invocation.h"
#include <plumb/history.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    uint32_t parent, child, sibling; /* 0: none */
    uint32_t thread;
    uint16_t args_text;       /* how much of entry.text is arguments */
    struct plumb_entry entry; /* operation, arguments, and the answer */
};

static struct {
    const struct plumb_object *object;
    struct plumb_user_spec spec;
    char names[PLUMB_MAX_OPERATIONS][80];
    const char *ops[PLUMB_MAX_OPERATIONS + 1];
    pthread_mutex_t lock; /* there is one object, and there may be threads */
    struct node *node;    /* node[0] is the root */
    uint32_t count, capacity, *path;
} tree = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- running the object ---- */

static void invoke(const struct node *n, struct plumb_entry *e)
{
    plumb_invocation i = { .entry = e, .process = n->thread };
    e->nres = 0;
    e->term[0] = '\0';
    tree.object->operations[e->operation].run(&i);
}

/* Bring the object where `at` is, and invoke `last` there. */
static void run_from(uint32_t at, struct node *last)
{
    uint32_t depth = 0;
    struct plumb_entry again;
    for (; at; at = tree.node[at].parent)
        tree.path[depth++] = at;
    if (tree.object->setup)
        tree.object->setup();
    while (depth-- > 0) {
        const struct node *const n = &tree.node[tree.path[depth]];
        again = n->entry;
        again.text_used = n->args_text;
        invoke(n, &again);
    }
    invoke(last, &last->entry);
    if (tree.object->teardown)
        tree.object->teardown();
}

/* ---- the tree ---- */

static bool same_call(const struct node *a, const struct node *b)
{
    const struct plumb_entry *const x = &a->entry, *const y = &b->entry;
    if (x->operation != y->operation || x->nargs != y->nargs ||
        a->thread != b->thread)
        return false;
    for (unsigned i = 0; i < x->nargs; i++) {
        const struct plumb_value v = x->value[i], w = y->value[i];
        if (v.tag != w.tag ||
            (v.tag == PLUMB_STR ? strcmp(x->text + v.bits, y->text + w.bits)
                                : v.bits != w.bits))
            return false;
    }
    return true;
}

static bool make_room(void)
{
    if (tree.count < tree.capacity)
        return true;
    const uint32_t capacity = tree.capacity ? 2 * tree.capacity : 256;
    struct node *const node =
        realloc(tree.node, capacity * sizeof *tree.node);
    if (!node)
        return false;
    tree.node = node;
    uint32_t *const path = realloc(tree.path, capacity * sizeof *tree.path);
    if (!path)
        return false;
    tree.path = path;
    tree.capacity = capacity;
    return true;
}

/* The child of `at` by this call; 0 when memory is used up. */
static uint32_t child_of(uint32_t at, struct node *call)
{
    for (uint32_t c = tree.node[at].child; c; c = tree.node[c].sibling)
        if (same_call(&tree.node[c], call))
            return c;
    if (!make_room())
        return 0;
    run_from(at, call);
    call->parent = at;
    call->sibling = tree.node[at].child;
    tree.node[at].child = tree.count;
    tree.node[tree.count] = *call;
    return tree.count++;
}

/* ---- calls and replies of a specification ---- */

static bool add_argument(struct plumb_entry *e, const struct plumb_call *call,
                         struct plumb_value v)
{
    if (v.tag == PLUMB_STR) {
        size_t length;
        const char *const text =
            plumb_symbol_text(call->symbols, (uint32_t)v.bits, &length);
        v = plumb_str(invocation_keep_text(e, text));
    } else if (v.tag == PLUMB_BOOL) {
        v = plumb_int((int64_t)v.bits);
    }
    e->value[e->nargs++] = v;
    return !e->flaws;
}

static bool is_call(struct node *n, const struct plumb_call *call)
{
    *n = (struct node){ .thread = call->thread };
    n->entry.operation = (uint8_t)call->op;
    for (unsigned i = 0; i < call->nargs && i < PLUMB_MAX_ARGUMENTS; i++)
        if (!add_argument(&n->entry, call, call->args[i]))
            return false;
    n->args_text = n->entry.text_used;
    return true;
}

/* A text that the history does not have is none of its answers. */
static struct plumb_value result_of(const struct plumb_entry *e, unsigned i,
                                    const struct plumb_symbols *symbols)
{
    const struct plumb_value v = e->value[e->nargs + i];
    if (v.tag != PLUMB_STR)
        return v;
    const char *const text = e->text + v.bits;
    return plumb_str(plumb_symbol_find(symbols, text, strlen(text)));
}

static bool step_locked(uint32_t *at, const struct plumb_call *call,
                        struct plumb_reply *reply)
{
    static _Thread_local char term[PLUMB_ENTRY_TERM];
    struct node n;
    if (!is_call(&n, call))
        return false;
    const uint32_t child = child_of(*at, &n);
    const struct plumb_entry *const e = &tree.node[child].entry;
    if (!child || e->blocked || e->flaws)
        return false;
    *at = child;
    memcpy(term, e->term, sizeof term);
    reply->term = term[0] ? term : NULL;
    for (unsigned i = 0; i < e->nres; i++)
        plumb_reply_value(reply, result_of(e, i, call->symbols));
    return true;
}

static bool step(void *state, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    pthread_mutex_lock(&tree.lock);
    const bool returns = step_locked(state, call, reply);
    pthread_mutex_unlock(&tree.lock);
    return returns;
}

/* ---- the specification ---- */

static unsigned arity(const struct plumb_operation *o)
{
    unsigned n = 0;
    while (n < PLUMB_MAX_ARGUMENTS && o->args[n].kind != PLUMB_DOMAIN_NONE)
        n++;
    return n;
}

void object_spec_forget(void)
{
    if (!tree.node)
        return;
    tree.count = 1;
    tree.node[0] = (struct node){ 0 };
}

const struct plumb_user_spec *object_spec(const struct plumb_object *object)
{
    tree.object = object;
    for (unsigned i = 0; i < PLUMB_MAX_OPERATIONS; i++) {
        const struct plumb_operation *const o = &object->operations[i];
        if (!o->name)
            break;
        snprintf(tree.names[i], sizeof tree.names[i], "%s/%u", o->name,
                 arity(o));
        tree.ops[i] = tree.names[i];
    }
    if (!make_room())
        return NULL;
    object_spec_forget();
    tree.spec = (struct plumb_user_spec){
        .version = PLUMB_SPEC_VERSION,
        .name = object->name ? object->name : "object",
        .state_size = sizeof(uint32_t),
        .ops = tree.ops,
        .step = step,
    };
    return &tree.spec;
}
