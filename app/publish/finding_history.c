/* finding_history.c - the operations of a finding: the history as far as it is
 * shown, the core in it, and the order that was tried. */
#include "finding_list.h"

#include <stdlib.h>
#include <string.h>

/* "1,2" */
static void add_values(struct finding_reading *r,
                       const struct publish_json *list)
{
    const struct publish_json *const first = publish_json_first(list);
    for (const struct publish_json *v = first; v; v = v->next) {
        plumb_base_text_add(&r->scratch, v != first ? "," : "");
        plumb_base_text_add(&r->scratch, finding_value(r, v));
    }
}

static const char *answer_of(struct finding_reading *r,
                             const struct publish_json *v)
{
    const char *const term = publish_json_text(v, "term");
    const struct publish_json *const results = publish_json_get(v, "results");
    const size_t count = publish_json_count(results);
    if (strcmp(publish_json_text(v, "outcome"), "fail") == 0)
        return "fail";
    if (strcmp(publish_json_text(v, "outcome"), "ok") != 0)
        return "";
    if (count == 0)
        return term;
    const bool named = term[0] && strcmp(term, "ok") != 0;
    if (named)
        plumb_base_text_add(&r->scratch, term);
    if (named || count > 1)
        plumb_base_text_add(&r->scratch, "(");
    add_values(r, results);
    if (named || count > 1)
        plumb_base_text_add(&r->scratch, ")");
    return finding_take(r);
}

static struct finding_operation operation_of(struct finding_reading *r,
                                             const struct publish_json *v)
{
    struct finding_operation o = {
        .letter = publish_json_text(v, "letter"),
        .key = publish_json_text(v, "object"),
        .thread = finding_thread(r, publish_json_text(v, "thread")),
        .call = (uint32_t)publish_json_number(v, "call", 0),
        .ret = (uint32_t)publish_json_number(v, "return", FINDING_NONE),
        .from = publish_json_number(v, "call_time", FINDING_NO_TIME),
        .to = publish_json_number(v, "return_time", FINDING_NO_TIME),
        .index = (uint32_t)publish_json_number(v, "index", 0),
        .line = (unsigned)publish_json_number(v, "line", 0),
        .forgotten = publish_json_is_true(v, "forgotten"),
    };
    const char *const outcome = publish_json_text(v, "outcome");
    o.failed = strcmp(outcome, "fail") == 0;
    if (strcmp(outcome, "info") == 0)
        o.ret = FINDING_NONE;
    plumb_base_text_printf(&r->scratch, "%s(", publish_json_text(v, "name"));
    add_values(r, publish_json_get(v, "args"));
    plumb_base_text_add(&r->scratch, ")");
    o.name = finding_take(r);
    o.answer = answer_of(r, v);
    return o;
}

static int by_index(const void *a, const void *b)
{
    const struct finding_operation *const x = a, *const y = b;
    return (x->index > y->index) - (x->index < y->index);
}

/* What of the history is shown; those of the core have letters. */
static void read_operations(struct finding_reading *r,
                            const struct publish_json *core,
                            const struct publish_json *history)
{
    const struct publish_json *const few = publish_json_get(core, "operations");
    const struct publish_json *const all =
        publish_json_get(history, "operations");
    struct finding_operation *const list = finding_room(
        r, publish_json_count(few) + publish_json_count(all), sizeof *list);
    size_t count = 0;
    if (!list)
        return;
    for (const struct publish_json *v = publish_json_first(few); v; v = v->next)
        list[count++] = operation_of(r, v);
    const size_t lettered = count;
    qsort(list, lettered, sizeof *list, by_index);
    for (const struct publish_json *v = publish_json_first(all); v;
         v = v->next) {
        const struct finding_operation o = operation_of(r, v);
        if (!bsearch(&o, list, lettered, sizeof *list, by_index))
            list[count++] = o;
    }
    qsort(list, count, sizeof *list, by_index);
    r->f->operation = list;
    r->f->operations = count;
    r->f->operations_in_all =
        publish_json_number(history, "operations_in_all", count);
}

/* FINDING_NONE if there is none. */
static uint32_t find_letter(const struct finding *f, const char *letter)
{
    for (uint32_t i = 0; i < f->operations; i++)
        if (letter[0] && strcmp(f->operation[i].letter, letter) == 0)
            return i;
    return FINDING_NONE;
}

static uint32_t find_index(const struct finding *f, uint64_t index)
{
    const struct finding_operation key = { .index = (uint32_t)index };
    const struct finding_operation *const o =
        f->operations
            ? bsearch(&key, f->operation, f->operations, sizeof key, by_index)
            : NULL;
    return o ? (uint32_t)(o - f->operation) : FINDING_NONE;
}

/* As far as its operations are shown. */
static void read_order(struct finding_reading *r, const struct publish_json *v)
{
    const struct publish_json *const list = publish_json_get(v, "order");
    struct finding_order *const order =
        finding_room(r, publish_json_count(list), sizeof *order);
    size_t count = 0;
    if (!order)
        return;
    for (const struct publish_json *o = publish_json_first(list); o;
         o = o->next) {
        const struct publish_json *const index = publish_json_get(o, "index");
        const uint32_t at =
            index ? find_index(r->f, publish_json_number(o, "index", 0))
                  : find_letter(r->f, publish_json_text(o, "letter"));
        if (at == FINDING_NONE)
            break;
        order[count++] =
            (struct finding_order){ at, publish_json_text(o, "state") };
    }
    r->f->initial = publish_json_text(v, "state");
    r->f->order = order;
    r->f->orders = count;
}

static void read_refusals(struct finding_reading *r,
                          const struct publish_json *attempt)
{
    const struct publish_json *const list =
        publish_json_get(attempt, "refused");
    struct finding_refusal *const refusal =
        finding_room(r, publish_json_count(list), sizeof *refusal);
    size_t count = 0;
    if (!refusal)
        return;
    for (const struct publish_json *v = publish_json_first(list); v;
         v = v->next) {
        const uint32_t at = find_letter(r->f, publish_json_text(v, "letter"));
        if (at != FINDING_NONE)
            refusal[count++] =
                (struct finding_refusal){ at, publish_json_text(v, "returned"),
                                          publish_json_text(v, "allowed") };
    }
    r->f->refusal = refusal;
    r->f->refusals = count;
}

static void read_sentences(struct finding_reading *r,
                           const struct publish_json *check,
                           const struct publish_json *core)
{
    const struct publish_json *const why =
        publish_json_get(core ? core : check, core ? "why" : "explanation");
    const char *const stuck = publish_json_text(core, "stuck");
    const char **const list =
        finding_room(r, publish_json_count(why) + 2, sizeof *list);
    size_t count = 0;
    if (!list)
        return;
    for (const struct publish_json *v = publish_json_first(why); v; v = v->next)
        list[count++] = v->text;
    if (stuck[0])
        list[count++] = stuck;
    if (!core && publish_json_text(check, "why")[0])
        list[count++] = publish_json_text(check, "why");
    if (publish_json_text(check, "text")[0])
        list[count++] = publish_json_text(check, "text");
    r->f->sentence = list;
    r->f->sentences = count;
}

void finding_read_history(struct finding_reading *r,
                          const struct publish_json *check)
{
    const struct publish_json *const core = publish_json_get(check, "core");
    const struct publish_json *const attempt =
        publish_json_get(core, "attempt");
    if (!r->f->spec[0])
        r->f->spec = publish_json_text(check, "spec");
    read_sentences(r, check, core);
    read_operations(r, core, publish_json_get(check, "history"));
    read_order(r, attempt ? attempt : publish_json_get(check, "linearization"));
    read_refusals(r, attempt);
}
