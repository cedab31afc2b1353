/* long_history.c - see long_history.h. */
#include "long_history.h"

#include "base/rng.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 64, USUALLY = 1000, MOST_KEYS = 1000 };

enum phase { IDLE, CALLED, DONE };

struct process {
    enum phase phase;
    unsigned kind;
    struct plumb_value arg[2];
    unsigned args;
    struct plumb_value result[2];
    unsigned results;
    const char *term;
};

/* All that any of them needs. */
struct object {
    int64_t *item; /* queue, stack: a ring; priority queue: a heap */
    size_t first, count, room;
    int64_t key[MOST_KEYS]; /* present, count, or value + 1 */
    int64_t fresh, content;
};

struct maker;

struct type {
    const char *name;
    const char *operation[4];
    /* Choose arguments; take effect. */
    void (*choose)(struct maker *m, struct process *p);
    void (*perform)(struct maker *m, struct process *p);
};

struct maker {
    const struct type *type;
    struct plumb_base_rng rng;
    struct object o;
    struct plumb_builder *b;
    struct plumb_error err;
    uint32_t thread[MOST_THREADS], name[4], object;
    struct process process[MOST_THREADS];
    unsigned threads;
    struct long_history_plan plan;
    uint32_t called;
    bool wrong, failed, resting;
};

/* ---- containers ---- */

static bool make_room(struct object *o)
{
    if (o->count + 1 < o->room)
        return true;
    const size_t room = o->room ? 2 * o->room : 4096;
    int64_t *const item = malloc(room * sizeof *item);
    if (!item)
        return false;
    for (size_t i = 0; o->room && i < o->count; i++)
        item[i] = o->item[(o->first + i) % o->room];
    free(o->item);
    o->item = item;
    o->room = room;
    o->first = 0;
    return true;
}

static void choose_container(struct maker *m, struct process *p)
{
    const bool few = m->o.count < m->plan.resident;
    p->kind = plumb_base_rng_chance(&m->rng, few ? 55 : 45) ? 0 : 1;
    if (plumb_base_rng_chance(&m->rng, 4))
        p->kind = 2; /* peek */
    if (p->kind == 0)
        p->arg[p->args++] = plumb_int(m->o.fresh++);
}

static void answer_item(struct process *p, bool there, int64_t item)
{
    if (there)
        p->result[p->results++] = plumb_int(item);
    else
        p->term = "empty";
}

static int64_t *at(struct object *o, size_t i)
{
    return &o->item[(o->first + i) % o->room];
}

static void perform_queue(struct maker *m, struct process *p)
{
    struct object *const o = &m->o;
    if (p->kind == 0) {
        m->failed |= !make_room(o);
        if (!m->failed)
            *at(o, o->count++) = (int64_t)p->arg[0].bits;
        return;
    }
    answer_item(p, o->count, o->count ? *at(o, 0) : 0);
    if (p->kind == 1 && o->count) {
        o->first = (o->first + 1) % o->room;
        o->count--;
    }
}

static void perform_stack(struct maker *m, struct process *p)
{
    struct object *const o = &m->o;
    if (p->kind == 0) {
        perform_queue(m, p);
        return;
    }
    answer_item(p, o->count, o->count ? *at(o, o->count - 1) : 0);
    if (p->kind == 1 && o->count)
        o->count--;
}

static void sift_up(int64_t *heap, size_t i)
{
    while (i && heap[(i - 1) / 2] > heap[i]) {
        const int64_t x = heap[i];
        heap[i] = heap[(i - 1) / 2];
        heap[(i - 1) / 2] = x;
        i = (i - 1) / 2;
    }
}

static void sift_down(int64_t *heap, size_t count)
{
    size_t i = 0;
    for (;;) {
        size_t least = i;
        for (size_t c = 2 * i + 1; c <= 2 * i + 2; c++)
            if (c < count && heap[c] < heap[least])
                least = c;
        if (least == i)
            return;
        const int64_t x = heap[i];
        heap[i] = heap[least];
        heap[least] = x;
        i = least;
    }
}

/* Priorities are not in the order of time. */
static void choose_priority(struct maker *m, struct process *p)
{
    choose_container(m, p);
    if (p->kind == 0) {
        const uint64_t x = p->arg[0].bits;
        const uint64_t low = (x * 389) & 1023; /* one to one */
        p->arg[0] = plumb_int((int64_t)((x & ~(uint64_t)1023) | low));
    }
}

static void perform_priority(struct maker *m, struct process *p)
{
    struct object *const o = &m->o;
    if (p->kind == 0) {
        m->failed |= !make_room(o);
        if (m->failed)
            return;
        o->item[o->count] = (int64_t)p->arg[0].bits;
        sift_up(o->item, o->count++);
        return;
    }
    answer_item(p, o->count, o->count ? o->item[0] : 0);
    if (p->kind == 1 && o->count) {
        o->item[0] = o->item[--o->count];
        sift_down(o->item, o->count);
    }
}

/* ---- keys ---- */

static void choose_key(struct maker *m, struct process *p)
{
    p->kind = plumb_base_rng_below(&m->rng, 3);
    p->arg[p->args++] = plumb_int(plumb_base_rng_below(&m->rng, m->plan.keys));
}

static void perform_set(struct maker *m, struct process *p)
{
    int64_t *const present = &m->o.key[p->arg[0].bits];
    const bool was = *present;
    const bool answer = p->kind == 0 ? !was : was;
    if (p->kind < 2)
        *present = p->kind == 0;
    p->result[p->results++] = plumb_bool(answer);
}

static void perform_multiset(struct maker *m, struct process *p)
{
    int64_t *const count = &m->o.key[p->arg[0].bits];
    if (p->kind != 0)
        p->result[p->results++] = plumb_bool(*count > 0);
    if (p->kind == 0)
        ++*count;
    else if (p->kind == 1 && *count)
        --*count;
}

static void choose_map(struct maker *m, struct process *p)
{
    choose_key(m, p);
    if (p->kind == 0)
        p->arg[p->args++] = plumb_int(m->o.fresh++);
}

static void perform_map(struct maker *m, struct process *p)
{
    int64_t *const value = &m->o.key[p->arg[0].bits];
    if (p->kind == 0) {
        *value = (int64_t)p->arg[1].bits + 1;
        return;
    }
    if (*value)
        p->result[p->results++] = plumb_int(*value - 1);
    else
        p->term = "none";
    if (p->kind == 2)
        *value = 0;
}

static void choose_register(struct maker *m, struct process *p)
{
    p->kind = plumb_base_rng_below(&m->rng, 2);
    if (p->kind == 0)
        p->arg[p->args++] = plumb_int(m->o.fresh++);
}

static void perform_register(struct maker *m, struct process *p)
{
    if (p->kind == 0)
        m->o.content = (int64_t)p->arg[0].bits + 1;
    else
        p->result[p->results++] =
            m->o.content ? plumb_int(m->o.content - 1) : plumb_nil();
}

static const struct type types[] = {
    { "queue", { "enq", "deq", "peek" }, choose_container, perform_queue },
    { "stack", { "push", "pop", "peek" }, choose_container, perform_stack },
    { "priority-queue",
      { "insert", "delmin", "min" },
      choose_priority,
      perform_priority },
    { "set", { "insert", "delete", "member" }, choose_key, perform_set },
    { "multiset",
      { "insert", "delete", "member" },
      choose_key,
      perform_multiset },
    { "register", { "write", "read" }, choose_register, perform_register },
    { "map", { "put", "get", "remove" }, choose_map, perform_map },
};

/* ---- threads ---- */

static uint32_t symbol(struct maker *m, const char *text)
{
    return plumb_builder_symbol(m->b, text, strlen(text));
}

static void announce(struct maker *m, unsigned t)
{
    const struct process *const p = &m->process[t];
    m->called++;
    m->failed |=
        plumb_builder_call(m->b, m->thread[t], m->object, m->name[p->kind],
                           p->arg, p->args, NULL, &m->err) != PLUMB_OK;
}

static void call(struct maker *m, unsigned t)
{
    struct process *const p = &m->process[t];
    *p = (struct process){ .phase = CALLED, .term = "ok" };
    m->type->choose(m, p);
    announce(m, t);
}

/* Once: an answer of long ago. */
static void lie(struct maker *m, struct process *p)
{
    if (!m->wrong || m->called < m->plan.wrong_at || !p->results)
        return;
    m->wrong = false;
    p->result[0] = p->result[0].tag == PLUMB_BOOL
                       ? plumb_bool(!p->result[0].bits)
                       : plumb_int(0);
}

static void respond(struct maker *m, unsigned t)
{
    struct process *const p = &m->process[t];
    lie(m, p);
    p->phase = IDLE;
    m->failed |=
        plumb_builder_respond(m->b, m->thread[t], m->object, PLUMB_OUTCOME_OK,
                              symbol(m, p->term), p->result, p->results, NULL,
                              &m->err) != PLUMB_OK;
}

static bool go_on(struct maker *m, unsigned t)
{
    struct process *const p = &m->process[t];
    switch (p->phase) {
    case IDLE:
        if (m->resting || m->called >= m->plan.operations)
            return false;
        call(m, t);
        return true;
    case CALLED:
        m->type->perform(m, p);
        p->phase = DONE;
        return true;
    default:
        respond(m, t);
        return true;
    }
}

/* All that is open returns. */
static void settle(struct maker *m)
{
    m->resting = true;
    for (unsigned t = 0; t < m->threads && !m->failed; t++)
        while (go_on(m, t) && !m->failed)
            ;
    m->resting = false;
}

/* One operation by itself, of that kind and with that argument, if any. */
static void do_alone(struct maker *m, unsigned kind,
                     const struct plumb_value *arg)
{
    struct process *const p = &m->process[0];
    *p = (struct process){ .phase = CALLED, .kind = kind, .term = "ok" };
    if (arg)
        p->arg[p->args++] = *arg;
    announce(m, 0);
    m->type->perform(m, p);
    respond(m, 0);
}

static void empty(struct maker *m)
{
    while (m->o.count && !m->failed)
        do_alone(m, 1, NULL);
    if (m->type->perform != perform_set && m->type->perform != perform_multiset)
        return;
    for (uint32_t k = 0; k < m->plan.keys; k++)
        while (m->o.key[k] && !m->failed) {
            const struct plumb_value key = plumb_int(k);
            do_alone(m, 1, &key);
        }
}

static void run(struct maker *m)
{
    uint32_t rest = m->plan.rest;
    while (m->called < m->plan.operations && !m->failed) {
        go_on(m, plumb_base_rng_below(&m->rng, m->threads));
        if (!rest || m->called < rest)
            continue;
        settle(m);
        empty(m);
        rest = m->called + m->plan.rest;
    }
    settle(m);
}

static void name_all(struct maker *m)
{
    m->object = symbol(m, "object");
    for (unsigned i = 0; i < 4 && m->type->operation[i]; i++)
        m->name[i] = symbol(m, m->type->operation[i]);
    for (unsigned t = 0; t < m->threads; t++) {
        const char name[] = { 'T', (char)('0' + t / 10), (char)('0' + t % 10),
                              0 };
        m->thread[t] = symbol(m, name);
    }
}

static uint32_t usually(uint32_t number)
{
    return number ? number : USUALLY;
}

bool long_history(const struct long_history_plan *plan, struct plumb_history *h)
{
    static struct maker m;
    m = (struct maker){ .b = plumb_builder_new(NULL),
                        .threads = plan->threads,
                        .plan = *plan,
                        .wrong = plan->wrong_at };
    m.plan.resident = usually(plan->resident);
    m.plan.keys = usually(plan->keys);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, plan->type) == 0)
            m.type = types + i;
    if (!m.type || !m.b || m.threads > MOST_THREADS || m.plan.keys > MOST_KEYS)
        return false;
    plumb_base_rng_seed(&m.rng, plan->seed);
    name_all(&m);
    run(&m);
    const bool made =
        !m.failed &&
        plumb_builder_finish(m.b, PLUMB_TIES_CALL_FIRST, h, &m.err) == PLUMB_OK;
    plumb_builder_free(m.b);
    free(m.o.item);
    return made;
}
