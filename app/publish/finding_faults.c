/* finding_faults.c - what went wrong in an execution, as sentences. */
#include "finding_list.h"

#include <inttypes.h>
#include <string.h>

struct sentences {
    struct finding_reading *r;
    const char **list;
    size_t count;
};

/* What is in the scratch text becomes a sentence. */
static void end_sentence(struct sentences *s)
{
    s->list[s->count++] = finding_take(s->r);
}

static void add(struct sentences *s, const char *before, const char *text,
                const char *after)
{
    if (text[0])
        plumb_base_text_printf(&s->r->scratch, "%s%s%s", before, text, after);
}

/* "T1 reads size at step 8 (tally.c:17)" */
static void add_deed(struct sentences *s, const char *object,
                     const struct publish_json *v)
{
    const char *const thread = publish_json_text(v, "thread");
    const char *const does = publish_json_text(v, "does");
    add(s, "", thread[0] ? thread : "some thread", " ");
    add(s, "", does[0] ? does : "acts", "");
    add(s, " ", object, "");
    add(s, " in ", publish_json_text(v, "operation"), "");
    add(s, " at step ", publish_json_text(v, "step"), "");
    add(s, " (", publish_json_text(v, "place"), ")");
    end_sentence(s);
}

/* "T0 holds a (bank.c:12) and waits for b, held by T1 (bank.c:13)" */
static void add_waiter(struct sentences *s, const struct publish_json *v)
{
    const char *const what = publish_json_text(v, "waits_for");
    add(s, "", publish_json_text(v, "thread"), " ");
    if (publish_json_text(v, "holds")[0]) {
        add(s, "holds ", publish_json_text(v, "holds"), "");
        add(s, " (", publish_json_text(v, "held_since"), ")");
        plumb_base_text_add(&s->r->scratch, " and ");
    }
    add(s, "waits for ", what[0] ? what : "something", "");
    add(s, ", held by ", publish_json_text(v, "holder"), "");
    add(s, " (", publish_json_text(v, "place"), ")");
    if (publish_json_get(v, "signals"))
        add(s, "; ", publish_json_text(v, "signals"),
            " signals came before it waited");
    end_sentence(s);
}

static void add_texts(struct sentences *s, const char *before,
                      const struct publish_json *list, const char *after)
{
    for (const struct publish_json *v = publish_json_first(list); v;
         v = v->next) {
        add(s, before, v->text ? v->text : "", after);
        end_sentence(s);
    }
}

static void add_cycle(struct sentences *s, const struct publish_json *result)
{
    add(s, "the last ", publish_json_text(result, "cycle"),
        " steps repeat for ever");
    end_sentence(s);
}

void finding_read_faults(struct finding_reading *r,
                         const struct publish_json *result)
{
    struct finding *const f = r->f;
    const struct publish_json *const deeds = publish_json_get(result, "deeds"),
                                     *const waiting =
                                         publish_json_get(result, "waiting"),
                                     *const calls = publish_json_get(
                                         result, "calls_no_more"),
                                     *const allowances =
                                         publish_json_get(result, "allowances");
    const size_t most =
        f->sentences + publish_json_count(deeds) + publish_json_count(waiting) +
        publish_json_count(calls) + publish_json_count(allowances) + 1;
    struct sentences s = { r, finding_room(r, most, sizeof *s.list), 0 };
    if (!s.list)
        return;
    for (; s.count < f->sentences; s.count++)
        s.list[s.count] = f->sentence[s.count];
    for (const struct publish_json *v = publish_json_first(deeds); v;
         v = v->next)
        add_deed(&s, publish_json_text(result, "object"), v);
    for (const struct publish_json *v = publish_json_first(waiting); v;
         v = v->next)
        add_waiter(&s, v);
    add_texts(&s, "", calls, " could go on, but makes no more calls");
    if (publish_json_get(result, "interleaving") &&
        publish_json_get(result, "cycle"))
        add_cycle(&s, result);
    add_texts(&s, "the test passes with ", allowances, "");
    f->sentence = s.list;
    f->sentences = s.count;
}
