/* tell.c - what tellers share, and the formats of lines. */
#include "tell.h"

#include <inttypes.h>
#include <string.h>

#define BIT(kind) (1u << (kind))

const struct teller tellers[] = {
    { PLUMB_FORMAT_NATIVE,
      BIT(REGISTER) | BIT(QUEUE) | BIT(STACK) | BIT(SET) | BIT(MUTEX),
      { .objects = OBJECTS, .outcomes = true },
      tell_native },
    { PLUMB_FORMAT_JSONL,
      BIT(REGISTER) | BIT(QUEUE) | BIT(STACK) | BIT(SET) | BIT(MUTEX),
      { .objects = OBJECTS, .outcomes = true },
      tell_jsonl },
    { PLUMB_FORMAT_JEPSEN,
      BIT(REGISTER) | BIT(QUEUE) | BIT(MUTEX),
      { .objects = OBJECTS, .outcomes = true },
      tell_jepsen },
    { PLUMB_FORMAT_EDN,
      BIT(REGISTER) | BIT(QUEUE) | BIT(MUTEX) | BIT(MAP),
      { .objects = OBJECTS, .outcomes = true },
      tell_edn },
    { PLUMB_FORMAT_CALLRET,
      BIT(QUEUE) | BIT(STACK) | BIT(SET),
      { .objects = 1, .words = true },
      tell_callret },
    { PLUMB_FORMAT_FASTLIN,
      BIT(QUEUE) | BIT(STACK) | BIT(SET),
      { .objects = 1, .numbers = true },
      tell_fastlin },
    { PLUMB_FORMAT_FPTLIN,
      BIT(QUEUE) | BIT(STACK) | BIT(SET),
      { .objects = 1, .numbers = true },
      tell_fptlin },
};
const unsigned teller_count = sizeof tellers / sizeof *tellers;

const char *spec_of(enum kind kind)
{
    static const char *const spec[KINDS] = {
        [REGISTER] = "cas-register", [QUEUE] = "queue",
        [STACK] = "stack",           [SET] = "set",
        [MAP] = "map:init=\"\"",     [MUTEX] = "mutex",
    };
    return spec[kind];
}

const char *name_of(enum kind kind, enum deed deed)
{
    static const char *const name[] = {
        [WRITE] = "write",   [READ] = "read",    [CAS] = "cas",
        [ADD] = "enq",       [TAKE] = "deq",     [INSERT] = "insert",
        [DELETE] = "remove", [HAS] = "contains", [LOCK] = "acquire",
        [UNLOCK] = "release"
    };
    if (kind == STACK)
        return deed == ADD ? "push" : "pop";
    return name[deed];
}

bool is_word(const char *text)
{
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyz_")] == '\0';
}

void tell_string(struct plumb_base_text *out, const char *text)
{
    plumb_base_text_add(out, "\"");
    for (; *text; text++) {
        if (*text == '\n')
            plumb_base_text_add(out, "\\n");
        else if (*text == '\t')
            plumb_base_text_add(out, "\\t");
        else
            plumb_base_text_printf(out, "%s%c",
                                   strchr("\"\\", *text) ? "\\" : "", *text);
    }
    plumb_base_text_add(out, "\"");
}

struct manner any_manner(struct plumb_base_rng *rng)
{
    return (struct manner){ .newline = chance(rng, 15) ? "\r\n" : "\n",
                            .mark = chance(rng, 5),
                            .unended = chance(rng, 20) };
}

void begin_text(const struct manner *m, struct plumb_base_text *out)
{
    plumb_base_text_add(out, m->mark ? "\xef\xbb\xbf" : "");
}

void end_text(const struct manner *m, struct plumb_base_text *out)
{
    if (m->unended && out->size && out->data[out->size - 1] == '\n')
        out->size--;
}

/* ---- native text ---- */

static void native_item(struct plumb_base_text *out, const struct item *v,
                        struct plumb_base_rng *rng)
{
    if (v->tag == PLUMB_NIL)
        plumb_base_text_add(out, "nil");
    else if (v->tag == PLUMB_BOOL)
        plumb_base_text_add(out, v->number ? "true" : "false");
    else if (v->tag == PLUMB_INT)
        plumb_base_text_printf(out, "%" PRId64, v->number);
    else if (is_word(v->text) && chance(rng, 70))
        plumb_base_text_add(out, v->text);
    else
        tell_string(out, v->text);
}

/* Between two words. */
static void native_blank(struct plumb_base_text *out,
                         struct plumb_base_rng *rng)
{
    static const char *const blank[] = {
        " ", "  ", "\t", " /* a, \"b */ ", " /* c\n\n d */ ", " /**/"
    };
    plumb_base_text_add(
        out, blank[chance(rng, 90) ? 0 : plumb_base_rng_below(rng, 6)]);
}

static void native_event(struct plumb_base_text *out, const struct story *s,
                         const struct event *e, struct plumb_base_rng *rng)
{
    static const char *const outcome[] = { "ok", "fail", "info" };
    plumb_base_text_printf(out, "o%u", e->object);
    native_blank(out, rng);
    plumb_base_text_add(out, e->call    ? name_of(s->kind, e->deed)
                             : e->empty ? "empty"
                                        : outcome[e->outcome]);
    plumb_base_text_add(out, "(");
    for (unsigned i = 0; e->call && i < e->nargs; i++) {
        plumb_base_text_add(out, i ? ", " : "");
        native_item(out, e->arg + i, rng);
    }
    if (!e->call && e->answers)
        native_item(out, &e->answer, rng);
    plumb_base_text_add(out, ")");
    native_blank(out, rng);
    plumb_base_text_printf(out, "P%u", e->process);
}

void tell_native(const struct story *s, struct plumb_base_rng *rng,
                 struct plumb_base_text *out)
{
    const struct manner m = any_manner(rng);
    begin_text(&m, out);
    if (chance(rng, 20))
        plumb_base_text_printf(out, "%s/* a\n story */%s%s", m.newline,
                               m.newline, m.newline);
    for (unsigned i = 0; i < s->count; i++) {
        native_event(out, s, s->event + i, rng);
        plumb_base_text_add(out, chance(rng, 3) ? " /* so */" : "");
        plumb_base_text_add(out, m.newline);
        if (chance(rng, 3))
            plumb_base_text_printf(out, "/* then\n\n * Q enq(1) P1 */%s",
                                   m.newline);
    }
    if (chance(rng, 10))
        plumb_base_text_printf(out, "%s /* end\n */%s", m.newline, m.newline);
    end_text(&m, out);
}

/* ---- JSON lines ---- */

static void json_item(struct plumb_base_text *out, const struct item *v)
{
    if (v->tag == PLUMB_NIL)
        plumb_base_text_add(out, "null");
    else if (v->tag == PLUMB_BOOL)
        plumb_base_text_add(out, v->number ? "true" : "false");
    else if (v->tag == PLUMB_INT)
        plumb_base_text_printf(out, "%" PRId64, v->number);
    else
        tell_string(out, v->text);
}

static void json_call(struct plumb_base_text *out, const struct story *s,
                      const struct event *e)
{
    plumb_base_text_printf(out, "\"f\": \"%s\",\"args\":[",
                           name_of(s->kind, e->deed));
    for (unsigned i = 0; i < e->nargs; i++) {
        plumb_base_text_add(out, i ? " , " : "");
        json_item(out, e->arg + i);
    }
    plumb_base_text_add(out, "]");
}

static void json_answer(struct plumb_base_text *out, const struct event *e)
{
    if (e->outcome != PLUMB_OUTCOME_OK) {
        plumb_base_text_add(out, "\"why\":{\"a\":[\"}\"]}");
        return;
    }
    plumb_base_text_printf(out, "\"term\":\"%s\",\"results\":[",
                           e->empty ? "empty" : "ok");
    if (e->answers)
        json_item(out, &e->answer);
    plumb_base_text_add(out, "]");
}

void tell_jsonl(const struct story *s, struct plumb_base_rng *rng,
                struct plumb_base_text *out)
{
    static const char *const type[] = { "ok", "fail", "info" };
    const struct manner m = any_manner(rng);
    const bool timed = chance(rng, 30);
    begin_text(&m, out);
    if (chance(rng, 50))
        plumb_base_text_printf(out, "{\"plumb\":1}%s", m.newline);
    for (unsigned i = 0; i < s->count; i++) {
        const struct event *const e = s->event + i;
        plumb_base_text_printf(out, "{\"process\":%u, \"type\":\"%s\",",
                               e->process,
                               e->call ? "invoke" : type[e->outcome]);
        if (timed)
            plumb_base_text_printf(out, "\"time\":%u,", i / 3);
        if (e->call || chance(rng, 50))
            plumb_base_text_printf(out, "\"object\":\"o%u\",", e->object);
        if (e->call)
            json_call(out, s, e);
        else
            json_answer(out, e);
        plumb_base_text_printf(out, "}%s%s", m.newline,
                               chance(rng, 5) ? m.newline : "");
    }
    end_text(&m, out);
}

/* ---- calls and returns ---- */

static void plain_item(struct plumb_base_text *out, const struct item *v)
{
    if (v->tag == PLUMB_STR)
        plumb_base_text_add(out, v->text);
    else if (v->tag == PLUMB_BOOL)
        plumb_base_text_add(out, v->number ? "true" : "false");
    else
        plumb_base_text_printf(out, "%" PRId64, v->number);
}

/* The response to a call; NULL if there is none. */
static const struct event *response_to(const struct story *s, unsigned call)
{
    for (unsigned i = call + 1; i < s->count; i++)
        if (s->event[i].process == s->event[call].process)
            return s->event + i;
    return NULL;
}

/* Some tell at the call what they will take. */
static bool tells_early(const struct event *response, unsigned seed)
{
    return response && response->deed == TAKE && response->answers &&
           (seed + response->process) % 3 == 0;
}

static void callret_call(struct plumb_base_text *out, const struct story *s,
                         unsigned i, unsigned seed, struct plumb_base_rng *rng)
{
    const struct event *const e = s->event + i, *const r = response_to(s, i);
    const bool brackets = chance(rng, 60);
    const struct item *const v = e->nargs               ? e->arg
                                 : tells_early(r, seed) ? &r->answer
                                                        : NULL;
    plumb_base_text_printf(out, "call %s", name_of(s->kind, e->deed));
    if (!v)
        return;
    plumb_base_text_add(out, brackets ? "(" : " ");
    plain_item(out, v);
    plumb_base_text_add(out, brackets ? ")" : "");
}

static void callret_return(struct plumb_base_text *out, const struct event *e,
                           unsigned seed, struct plumb_base_rng *rng)
{
    plumb_base_text_add(out, "return");
    if (e->empty)
        plumb_base_text_add(out, chance(rng, 50) ? " empty" : "");
    if (!e->answers || (tells_early(e, seed) && chance(rng, 80)))
        return;
    plumb_base_text_add(out, " ");
    plain_item(out, &e->answer);
}

void tell_callret(const struct story *s, struct plumb_base_rng *rng,
                  struct plumb_base_text *out)
{
    const struct manner m = any_manner(rng);
    const unsigned seed = plumb_base_rng_below(rng, 100);
    const bool single = chance(rng, 50); /* an id for each operation */
    unsigned id[PROCESSES] = { 0 }, ids = 0;
    begin_text(&m, out);
    plumb_base_text_printf(out, "# @object atomic-%s%s", spec_of(s->kind),
                           m.newline);
    for (unsigned i = 0; i < s->count; i++) {
        const struct event *const e = s->event + i;
        if (e->call)
            id[e->process] = single ? ids++ : e->process;
        plumb_base_text_printf(out, "%s[%u] ", chance(rng, 10) ? "   " : "",
                               id[e->process]);
        if (e->call)
            callret_call(out, s, i, seed, rng);
        else
            callret_return(out, e, seed, rng);
        plumb_base_text_printf(out, "%s%s", m.newline,
                               chance(rng, 5) ? "# [1] call\n" : "");
    }
    end_text(&m, out);
}

/* ---- intervals ---- */

/* Index of the response; the length of the story if there is none. */
static unsigned end_of(const struct story *s, unsigned call)
{
    const struct event *const r = response_to(s, call);
    return r ? (unsigned)(r - s->event) : s->count;
}

static int64_t value_of(const struct event *r)
{
    return r->nargs ? r->arg[0].number : r->empty ? -1 : r->answer.number;
}

static void tell_intervals(const struct story *s, struct plumb_base_rng *rng,
                           struct plumb_base_text *out, bool shouts)
{
    const struct manner m = any_manner(rng);
    begin_text(&m, out);
    plumb_base_text_printf(out, "# %s%s", spec_of(s->kind), m.newline);
    for (unsigned i = 0; i < s->count; i++) {
        const unsigned end = end_of(s, i);
        if (!s->event[i].call || end == s->count)
            continue;
        const struct event *const r = s->event + end;
        const char *const name = name_of(s->kind, r->deed);
        if (shouts)
            plumb_base_text_printf(out, "%u %u %u %s %" PRId64, r->process, i,
                                   end, name, value_of(r));
        else
            plumb_base_text_printf(out, "%s %" PRId64, name, value_of(r));
        if (s->kind == SET)
            plumb_base_text_printf(out, " %d", (int)r->answer.number);
        if (!shouts)
            plumb_base_text_printf(out, " %u %u", i, end);
        plumb_base_text_add(out, m.newline);
    }
    end_text(&m, out);
}

void tell_fastlin(const struct story *s, struct plumb_base_rng *rng,
                  struct plumb_base_text *out)
{
    tell_intervals(s, rng, out, false);
}

void tell_fptlin(const struct story *s, struct plumb_base_rng *rng,
                 struct plumb_base_text *out)
{
    tell_intervals(s, rng, out, true);
}
