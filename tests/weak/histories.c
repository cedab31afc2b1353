/* histories.c - see histories.h. */
#include "histories.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- making one ---- */

bool weak_adds(const struct op *o)
{
    return o->kind == ADD || o->kind == PUT;
}

bool weak_has_value(const struct op *o)
{
    return o->answer == OK && !weak_adds(o);
}

const char *weak_term(const struct op *o)
{
    if (o->answer == OK)
        return "ok";
    return weak_adds(o) ? "full" : "empty";
}

static int call(struct history *h, int thread, enum kind kind, int value)
{
    h->op[h->count] = (struct op){ .kind = kind,
                                   .answer = PENDING,
                                   .value = value,
                                   .thread = thread,
                                   .call = h->events,
                                   .ret = NEVER };
    h->event[h->events++] = (struct event){ h->count, false };
    return h->count++;
}

static void give(struct history *h, int op, enum answer answer, int value)
{
    struct op *const o = h->op + op;
    o->answer = answer;
    o->ret = h->events;
    if (!weak_adds(o))
        o->value = value;
    h->event[h->events++] = (struct event){ op, true };
}

static int open_of(const struct history *h, int thread)
{
    for (int i = 0; i < h->count; i++)
        if (h->op[i].thread == thread && h->op[i].answer == PENDING)
            return i;
    return NOTHING;
}

/* ---- in words ---- */

static _Noreturn void refuse(const char *words)
{
    fprintf(stderr, "not a history: %s\n", words);
    abort();
}

static void read_call(struct history *h, int thread, const char *word)
{
    static const char *const name[] = { "enq", "put", "deq", "take", "peek" };
    for (int kind = ADD; kind <= PEEK; kind++) {
        const size_t size = strlen(name[kind]);
        if (strncmp(word, name[kind], size) != 0)
            continue;
        const int value =
            isdigit((unsigned char)word[size]) ? word[size] - '0' : NOTHING;
        call(h, thread, (enum kind)kind, value);
        return;
    }
    refuse(word);
}

static void read_return(struct history *h, int thread, const char *word)
{
    const int op = open_of(h, thread);
    if (op == NOTHING)
        refuse(word);
    if (isdigit((unsigned char)*word) || strncmp(word, "ok", 2) == 0)
        give(h, op, OK, *word - '0');
    else
        give(h, op, REFUSED, NOTHING);
}

/* Words are "A", "enq1(", ")ok": a letter names the thread of what follows. */
struct history weak_read(const char *words)
{
    struct history h = { .count = 0 };
    int thread = 0;
    for (const char *at = words; *at; at++) {
        if (*at == ')')
            read_return(&h, thread, at + 1);
        else if (isupper((unsigned char)*at))
            thread = *at - 'A';
        else if (isalpha((unsigned char)*at) && (at == words || at[-1] == ' '))
            read_call(&h, thread, at);
    }
    return h;
}

void weak_print(const struct history *h, FILE *out)
{
    static const char *const name[] = { "enq", "put", "deq", "take", "peek" };
    for (int i = 0; i < h->events; i++) {
        const struct op *const o = h->op + h->event[i].op;
        fprintf(out, "%s%c ", i ? " " : "", 'A' + o->thread);
        if (!h->event[i].is_return && weak_adds(o))
            fprintf(out, "%s%d(", name[o->kind], o->value);
        else if (!h->event[i].is_return)
            fprintf(out, "%s(", name[o->kind]);
        else if (weak_has_value(o))
            fprintf(out, ")%d", o->value);
        else
            fprintf(out, ")%s", weak_term(o));
    }
    fputc('\n', out);
}

/* ---- for the library ---- */

const struct names weak_queue_names = { { "enq", "put", "deq", "take",
                                          "peek" } };
const struct names weak_stack_names = { { "push", "put", "pop", "take",
                                          "peek" } };
const struct names weak_bag_names = { { "insert", NULL, "take", NULL, NULL } };

static uint32_t symbol(struct plumb_builder *b, const char *text)
{
    return plumb_builder_symbol(b, text, strlen(text));
}

struct plumb_history weak_build(const struct history *h,
                                const struct names *names,
                                struct plumb_builder *b)
{
    struct plumb_history built;
    struct plumb_error err = { .status = PLUMB_OK };
    const uint32_t object = symbol(b, "q");
    for (int i = 0; i < h->events && err.status == PLUMB_OK; i++) {
        const struct op *const o = h->op + h->event[i].op;
        const struct plumb_value v = plumb_int(o->value);
        char thread[16];
        snprintf(thread, sizeof thread, "%d", o->thread);
        if (!h->event[i].is_return)
            plumb_builder_call(b, symbol(b, thread), object,
                               symbol(b, names->kind[o->kind]), &v,
                               weak_adds(o), NULL, &err);
        else
            plumb_builder_respond(b, symbol(b, thread), object,
                                  PLUMB_OUTCOME_OK, symbol(b, weak_term(o)), &v,
                                  weak_has_value(o), NULL, &err);
    }
    if (err.status != PLUMB_OK ||
        plumb_builder_finish(b, PLUMB_TIES_CALL_FIRST, &built, &err) !=
            PLUMB_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
    return built;
}

struct history weak_weaken(const struct history *h, unsigned kept,
                           unsigned forgotten, int cut)
{
    struct history to = { .count = 0 };
    int place[WEAK_OPS];
    for (int i = 0; i < h->events && i < cut; i++) {
        const int n = h->event[i].op;
        const struct op *const o = h->op + n;
        if (!(kept >> n & 1) || (h->event[i].is_return && forgotten >> n & 1))
            continue;
        if (h->event[i].is_return)
            give(&to, place[n], o->answer, o->value);
        else
            place[n] = call(&to, n, o->kind, o->value);
    }
    return to;
}

/* ---- all of them ---- */

struct enumeration {
    struct history h;
    int ops;
    bool full;
    weak_visit *visit;
    void *context;
};

static void extend(struct enumeration *e);

static int free_thread(const struct history *h)
{
    int thread = 0;
    while (open_of(h, thread) != NOTHING)
        thread++;
    return thread;
}

static void extend_with_call(struct enumeration *e, enum kind kind)
{
    const struct history before = e->h;
    call(&e->h, free_thread(&before), kind,
         kind == ADD ? before.count : NOTHING);
    extend(e);
    e->h = before;
}

static void extend_with_return(struct enumeration *e, int op,
                               enum answer answer, int value)
{
    const struct history before = e->h;
    give(&e->h, op, answer, value);
    extend(e);
    e->h = before;
}

/* Has the item that operation i adds been removed? */
static bool is_removed(const struct history *h, int i)
{
    for (int k = 0; k < h->count; k++)
        if (weak_has_value(h->op + k) && h->op[k].value == h->op[i].value)
            return true;
    return false;
}

static void extend_with_returns(struct enumeration *e, int op)
{
    if (weak_adds(e->h.op + op)) {
        extend_with_return(e, op, OK, NOTHING);
        if (e->full && !is_removed(&e->h, op))
            extend_with_return(e, op, REFUSED, NOTHING);
        return;
    }
    extend_with_return(e, op, REFUSED, NOTHING);
    for (int i = 0; i < e->h.count; i++)
        if (weak_adds(e->h.op + i) && e->h.op[i].answer != REFUSED &&
            !is_removed(&e->h, i))
            extend_with_return(e, op, OK, e->h.op[i].value);
}

static void extend(struct enumeration *e)
{
    e->visit(&e->h, e->context);
    if (e->h.count < e->ops && free_thread(&e->h) < 3) {
        extend_with_call(e, ADD);
        extend_with_call(e, REMOVE);
    }
    for (int i = 0; i < e->h.count; i++)
        if (e->h.op[i].answer == PENDING)
            extend_with_returns(e, i);
}

void weak_enumerate(int ops, bool full, weak_visit *visit, void *context)
{
    struct enumeration e = {
        .ops = ops, .full = full, .visit = visit, .context = context
    };
    extend(&e);
}

/* ---- by chance ----
 *
 * Threads call, take effect and return on a plain container, one random step at
 * a time.  Where an operation takes effect it may be refused instead, rightly or
 * not. */

struct simulation {
    struct plumb_base_rng *rng;
    const struct mixture *m;
    struct history h;
    int item[WEAK_OPS], items;
    enum answer answer[WEAK_OPS]; /* once it took effect */
    int value[WEAK_OPS];
};

static int below(struct simulation *s, int n)
{
    return (int)plumb_base_rng_below(s->rng, (uint32_t)n);
}

static void call_something(struct simulation *s, int thread)
{
    const int die = below(s, 20);
    enum kind kind = die < 10 ? ADD : REMOVE;
    if (s->m->waits && die % 10 == 0)
        kind = kind == ADD ? PUT : TAKE;
    if (s->m->peeks && die == 19)
        kind = PEEK;
    const bool adds = kind == ADD || kind == PUT;
    const int value = s->m->values ? below(s, s->m->values) : s->h.count;
    const int op = call(&s->h, thread, kind, adds ? value : NOTHING);
    s->answer[op] = PENDING;
}

static bool is_limit(const struct simulation *s, const struct op *o)
{
    return weak_adds(o) ? s->m->cap && s->items == s->m->cap : s->items == 0;
}

static int place_to_take(struct simulation *s)
{
    switch (s->m->container) {
    case QUEUE:
        return 0;
    case STACK:
        return s->items - 1;
    default:
        return below(s, s->items);
    }
}

static void take_effect(struct simulation *s, int op)
{
    const struct op *const o = s->h.op + op;
    const bool waits = o->kind == PUT || o->kind == TAKE;
    if (is_limit(s, o) || (!waits && below(s, 100) < 25)) {
        s->answer[op] = waits ? PENDING : REFUSED;
        return;
    }
    s->answer[op] = OK;
    if (weak_adds(o)) {
        s->item[s->items++] = o->value;
        return;
    }
    const int place = place_to_take(s);
    s->value[op] = s->item[place];
    if (o->kind == PEEK)
        return;
    s->items--;
    for (int i = place; i < s->items; i++)
        s->item[i] = s->item[i + 1];
}

struct history weak_random(struct plumb_base_rng *rng, const struct mixture *m)
{
    struct simulation s = { .rng = rng, .m = m };
    const int steps = 2 * m->ops + below(&s, 2 * m->ops);
    for (int i = 0; i < steps; i++) {
        const int thread = below(&s, m->threads);
        const int op = open_of(&s.h, thread);
        if (op == NOTHING && s.h.count < m->ops)
            call_something(&s, thread);
        else if (op != NOTHING && s.answer[op] == PENDING)
            take_effect(&s, op);
        else if (op != NOTHING)
            give(&s.h, op, s.answer[op], s.value[op]);
    }
    return s.h;
}
