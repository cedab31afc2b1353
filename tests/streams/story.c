/* story.c - see story.h. */
#include "story.h"

#include <string.h>

struct object {
    struct item item[ITEMS];
    unsigned count; /* a register has one, or none */
};

struct turn {
    bool open, done; /* a call; that took effect */
    unsigned event;  /* its call */
    bool answers, empty;
    struct item answer;
};

struct stage {
    struct story *story;
    const struct plot *plot;
    struct plumb_base_rng *rng;
    struct object object[OBJECTS];
    struct turn turn[PROCESSES];
};

bool same_item(const struct item *a, const struct item *b)
{
    return a->tag == b->tag && a->number == b->number &&
           strcmp(a->text, b->text) == 0;
}

/* ---- values ---- */

static struct item number_item(int64_t n)
{
    return (struct item){ .tag = PLUMB_INT, .number = n };
}

static struct item bool_item(bool b)
{
    return (struct item){ .tag = PLUMB_BOOL, .number = b };
}

/* Some texts come again and again, some once; some are long, and some have in
 * them what readers look for. */
static struct item text_item(struct plumb_base_rng *rng, bool words)
{
    static const char odd[] = "\"\\(){}[],;:#/* \n\t'=<>";
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz_";
    struct item t = { .tag = PLUMB_STR };
    const unsigned length =
        1 + plumb_base_rng_below(
                rng, plumb_base_rng_chance(rng, 20) ? LONGEST - 2 : 6);
    t.text[0] = 'v';
    for (unsigned i = 1; i < length; i++)
        t.text[i] = !words && plumb_base_rng_chance(rng, 15)
                        ? odd[plumb_base_rng_below(rng, sizeof odd - 1)]
                        : plain[plumb_base_rng_below(rng, sizeof plain - 1)];
    return t;
}

static struct item any_item(struct stage *s)
{
    if (s->plot->numbers || plumb_base_rng_chance(s->rng, 40))
        return number_item(plumb_base_rng_below(
            s->rng, plumb_base_rng_chance(s->rng, 50) ? 4 : 1000000));
    if (plumb_base_rng_chance(s->rng, 40)) {
        struct item few = { .tag = PLUMB_STR };
        few.text[0] = (char)('a' + plumb_base_rng_below(s->rng, 3));
        return few;
    }
    return text_item(s->rng, s->plot->words);
}

/* ---- what operations do ---- */

static unsigned find_item(const struct object *o, const struct item *v)
{
    unsigned i = 0;
    while (i < o->count && !same_item(o->item + i, v))
        i++;
    return i;
}

static void remove_item(struct object *o, unsigned at)
{
    memmove(o->item + at, o->item + at + 1,
            (o->count - at - 1) * sizeof *o->item);
    o->count--;
}

static void answer(struct turn *t, struct item with)
{
    t->answers = true;
    t->answer = with;
}

static void compare_and_set(struct object *o, const struct event *e,
                            struct turn *t)
{
    const bool same = o->count && same_item(o->item, e->arg);
    if (same)
        o->item[0] = e->arg[1];
    answer(t, bool_item(same));
}

static void take_item(struct object *o, enum kind kind, struct turn *t)
{
    t->empty = o->count == 0;
    if (t->empty)
        return;
    const unsigned at = kind == STACK ? o->count - 1 : 0;
    answer(t, o->item[at]);
    remove_item(o, at);
}

static void change_set(struct object *o, const struct event *e, struct turn *t)
{
    const unsigned at = find_item(o, e->arg);
    const bool there = at < o->count;
    answer(t, bool_item(e->deed == INSERT ? !there : there));
    if (e->deed == INSERT && !there)
        o->item[o->count++] = e->arg[0];
    else if (e->deed == DELETE && there)
        remove_item(o, at);
}

static void perform(struct stage *s, const struct event *e, struct turn *t)
{
    struct object *const o = s->object + e->object;
    t->done = true;
    switch (e->deed) {
    case WRITE:
        o->item[0] = e->arg[0];
        o->count = 1;
        return;
    case READ:
        answer(t, o->count ? o->item[0] : (struct item){ .tag = PLUMB_NIL });
        return;
    case CAS:
        compare_and_set(o, e, t);
        return;
    case ADD:
        o->item[o->count++] = e->arg[0];
        return;
    case TAKE:
        take_item(o, s->plot->kind, t);
        return;
    case LOCK:
        o->count = 1;
        return;
    case UNLOCK:
        o->count = 0;
        return;
    default:
        change_set(o, e, t);
    }
}

/* ---- who does what ---- */

static bool is_full(const struct stage *s, const struct object *o)
{
    return o->count + PROCESSES >= ITEMS && s->plot->kind != REGISTER;
}

static enum deed choose_deed(struct stage *s, const struct object *o)
{
    static const enum deed by_kind[KINDS][3] = {
        [REGISTER] = { WRITE, READ, CAS }, [QUEUE] = { ADD, TAKE, TAKE },
        [STACK] = { ADD, TAKE, TAKE },     [SET] = { INSERT, DELETE, HAS },
        [MAP] = { WRITE, READ, READ },     [MUTEX] = { LOCK, UNLOCK, UNLOCK },
    };
    const enum deed deed =
        by_kind[s->plot->kind][plumb_base_rng_below(s->rng, 3)];
    if (s->plot->kind == MUTEX)
        return o->count ? UNLOCK : LOCK;
    return is_full(s, o) && deed == ADD      ? TAKE
           : is_full(s, o) && deed == INSERT ? DELETE
                                             : deed;
}

static unsigned args_of(enum deed deed)
{
    switch (deed) {
    case WRITE:
    case ADD:
    case INSERT:
    case DELETE:
    case HAS:
        return 1;
    case CAS:
        return 2;
    default:
        return 0;
    }
}

static struct event *new_event(struct stage *s)
{
    struct event *const e = s->story->event + s->story->count++;
    memset(e, 0, sizeof *e);
    return e;
}

/* A lock is taken and released at once: whoever waits would wait for ever. */
static bool at_once(const struct stage *s)
{
    return s->plot->kind == MUTEX || plumb_base_rng_chance(s->rng, 50);
}

static void call(struct stage *s, unsigned process)
{
    struct turn *const t = s->turn + process;
    const unsigned index = s->story->count;
    struct event *const e = new_event(s);
    e->call = true;
    e->process = process;
    e->object = plumb_base_rng_below(s->rng, s->plot->objects);
    e->deed = choose_deed(s, s->object + e->object);
    e->nargs = args_of(e->deed);
    for (unsigned i = 0; i < e->nargs; i++)
        e->arg[i] = any_item(s);
    if (e->deed == CAS && s->object[e->object].count &&
        plumb_base_rng_chance(s->rng, 60))
        e->arg[0] = s->object[e->object].item[0];
    *t = (struct turn){ .open = true, .event = index };
    if (at_once(s))
        perform(s, e, t);
}

static void lie(struct stage *s, struct event *e)
{
    if (!s->plot->lies || !plumb_base_rng_chance(s->rng, 25))
        return;
    if (e->deed == TAKE && plumb_base_rng_chance(s->rng, 30)) {
        e->answers = false;
        e->empty = true;
    } else if (e->answers && e->answer.tag == PLUMB_BOOL) {
        e->answer.number = !e->answer.number;
    } else if (e->answers) {
        e->answer = any_item(s);
    }
}

static void respond(struct stage *s, unsigned process)
{
    struct turn *const t = s->turn + process;
    const struct event *const called = s->story->event + t->event;
    struct event *const e = new_event(s);
    const bool unsure = s->plot->outcomes && s->plot->kind != MUTEX &&
                        plumb_base_rng_chance(s->rng, 8);
    *e = *called;
    e->call = false;
    e->outcome = PLUMB_OUTCOME_OK;
    t->open = false;
    if (unsure) {
        e->outcome = t->done || plumb_base_rng_chance(s->rng, 50)
                         ? PLUMB_OUTCOME_INFO
                         : PLUMB_OUTCOME_FAIL;
        return;
    }
    if (!t->done)
        perform(s, called, t);
    e->answers = t->answers;
    e->empty = t->empty;
    e->answer = t->answer;
    lie(s, e);
}

void make_story(struct story *s, const struct plot *plot,
                struct plumb_base_rng *rng)
{
    struct stage stage = { .story = s, .plot = plot, .rng = rng };
    s->kind = plot->kind;
    s->objects = plot->objects;
    s->words = plot->words;
    s->count = 0;
    while (s->count < plot->events) {
        const unsigned process = plumb_base_rng_below(rng, PROCESSES);
        if (stage.turn[process].open)
            respond(&stage, process);
        else if (plot->kind != MUTEX || plumb_base_rng_chance(rng, 50))
            call(&stage, process);
    }
}
