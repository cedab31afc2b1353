/* observations_write.c - see observations.h.
 *
 * All paths of the automaton are gone through, and each is put into the list of
 * its group; then the groups are written, in the order in which they were met.
 */
#include "observations.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/number_lists.h"
#include <inttypes.h>
#include <string.h>

#define NO_HISTORY UINT32_MAX

/* A history of a group, and the one before it in the same group. */
struct history {
    uint32_t before;
    uint8_t length;
    uint8_t order[PLUMB_INFER_OPERATIONS];
};

struct writer {
    const struct plumb_infer_store *store;
    struct plumb_infer_automaton automaton;
    struct plumb_infer_test test;
    const uint32_t *only;
    struct plumb_budget *budget;
    struct plumb_base_text *out;
    struct plumb_base_lists groups; /* an outcome for each operation */
    struct {
        uint32_t *at; /* of a group */
        size_t count, capacity;
    } last;
    struct {
        struct history *at;
        size_t count, capacity;
    } all;
    /* The path that is gone. */
    uint32_t outcome[PLUMB_INFER_OPERATIONS];
    struct history path;
    unsigned id[PLUMB_INFER_OPERATIONS]; /* in the group that is written */
};

/* ---- values ---- */

/* Names and terms: what XML cannot have, and what would end them, as \xNN.  A
 * term that begins as a value does is told from one by its first byte. */
static void add_word(struct plumb_base_text *out, const char *text)
{
    const bool valued = strchr("-0123456789", *text) ||
                        strncmp(text, "true", 4) == 0 ||
                        strncmp(text, "false", 5) == 0;
    for (const char *at = text; *at; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c < ' ' || c > '~' || strchr("\\\"(", c) || (valued && at == text))
            plumb_base_text_printf(out, "\\x%02x", c);
        else
            plumb_base_text_xml(out, at, 1);
    }
}

/* In quotes, with backslashes: a text must not be taken for a term. */
static void add_text_value(struct plumb_base_text *out, const char *text)
{
    plumb_base_text_add(out, "&quot;");
    for (const char *at = text; *at; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c == '"' || c == '\\')
            plumb_base_text_add(out, "\\");
        if (c < ' ' || c > '~')
            plumb_base_text_printf(out, "\\x%02x", c);
        else
            plumb_base_text_xml(out, at, 1);
    }
    plumb_base_text_add(out, "&quot;");
}

static void add_value(struct plumb_base_text *out,
                      const struct plumb_record_entry *e, unsigned i)
{
    const struct plumb_value v = e->value[i];
    if (v.tag == PLUMB_STR)
        add_text_value(out, e->text + v.bits);
    else if (v.tag == PLUMB_BOOL)
        plumb_base_text_add(out, v.bits ? "true" : "false");
    else
        plumb_base_text_printf(out, "%" PRId64, (int64_t)v.bits);
}

static void add_values(struct plumb_base_text *out,
                       const struct plumb_record_entry *e, unsigned from,
                       unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        plumb_base_text_add(out, i ? ", " : "");
        add_value(out, e, from + i);
    }
}

/* ok() says nothing, ok(1) is 1, empty() is empty, some(1) is some(1). */
static void add_result(struct plumb_base_text *out,
                       const struct plumb_record_entry *e)
{
    const bool ok = !*e->term || strcmp(e->term, "ok") == 0;
    if (ok && !e->nres)
        return;
    plumb_base_text_add(out, out->size ? " result=\"" : "result=\"");
    if (!ok)
        add_word(out, e->term);
    if (!ok && e->nres)
        plumb_base_text_add(out, "(");
    add_values(out, e, e->nargs, e->nres);
    if (!ok && e->nres)
        plumb_base_text_add(out, ")");
    plumb_base_text_add(out, "\"");
}

/* ---- all histories ---- */

static bool agrees(const struct writer *w, uint32_t op, uint32_t outcome)
{
    return !w->only || w->only[op] == PLUMB_INFER_ANY_ANSWER ||
           w->only[op] == outcome;
}

enum { POLL_HISTORIES = 4096 };

/* Few are written though the time is up: it was needed for phase 2. */
static bool is_in_time(const struct writer *w, size_t history)
{
    return history % POLL_HISTORIES != POLL_HISTORIES - 1 ||
           plumb_budget_state(w->budget) == PLUMB_OK;
}

/* At the end of a path. */
static bool keep_history(struct writer *w)
{
    const uint32_t groups = w->groups.count;
    struct history *const h = &w->path;
    for (unsigned op = 0; op < w->test.operations; op++)
        if (!agrees(w, op, w->outcome[op]))
            return true;
    if (w->all.count == PLUMB_INFER_MOST_WRITTEN ||
        !is_in_time(w, w->all.count))
        return false;
    const uint32_t group =
        plumb_base_lists_put(&w->groups, w->outcome, w->test.operations);
    if (group == PLUMB_ABSENT ||
        (group == groups && !PLUMB_APPEND(w->budget, w->last.at, w->last.count,
                                          w->last.capacity, NO_HISTORY)))
        return false;
    h->before = w->last.at[group];
    w->last.at[group] = (uint32_t)w->all.count;
    return PLUMB_APPEND(w->budget, w->all.at, w->all.count, w->all.capacity,
                        *h);
}

static bool go_on_from(struct writer *w, uint32_t position);

static bool follow(struct writer *w, const struct plumb_infer_edge *e)
{
    const bool stuck = e->next == PLUMB_INFER_STUCK;
    const uint32_t outcome = stuck ? PLUMB_INFER_WAITS : e->answer;
    if (!agrees(w, e->op, outcome))
        return true;
    w->outcome[e->op] = outcome;
    w->path.order[w->path.length++] = (uint8_t)e->op;
    const bool done = stuck ? keep_history(w) : go_on_from(w, e->next);
    w->path.length--;
    w->outcome[e->op] = PLUMB_INFER_NOT_DONE;
    return done;
}

/* As deep as there are operations. */
static bool go_on_from(struct writer *w, uint32_t position)
{
    const uint32_t first = w->automaton.first[position];
    const uint32_t end = w->automaton.first[position + 1];
    if (first == end)
        return keep_history(w);
    for (uint32_t i = first; i < end; i++)
        if (!follow(w, &w->automaton.edge[i]))
            return false;
    return true;
}

/* ---- a group ---- */

/* Operations of a process in their order; ids are given here. */
static void write_thread(struct writer *w, const uint32_t *group,
                         unsigned process, unsigned *ids)
{
    const char *blank = "";
    plumb_base_text_printf(w->out, "<thread id=\"%c\">", 'A' + (int)process);
    for (unsigned op = 0; op < w->test.operations; op++) {
        if (w->test.operation[op].process != process ||
            group[op] == PLUMB_INFER_NOT_DONE)
            continue;
        w->id[op] = ++*ids;
        plumb_base_text_printf(w->out, "%s%u%s", blank, w->id[op],
                               group[op] == PLUMB_INFER_WAITS ? "B" : "");
        blank = " ";
    }
    plumb_base_text_add(w->out, "</thread>\n");
}

/* `answer`: what it answered; NULL: it has not. */
static void write_operation(const struct writer *w, unsigned op,
                            const struct plumb_record_entry *answer)
{
    const struct plumb_infer_operation *const o = &w->test.operation[op];
    struct plumb_base_text said;
    plumb_base_text_init(&said, w->budget);
    if (o->call->nargs) {
        plumb_base_text_add(&said, "value=\"");
        add_values(&said, o->call, 0, o->call->nargs);
        plumb_base_text_add(&said, "\"");
    }
    if (answer)
        add_result(&said, answer);
    plumb_base_text_printf(w->out, "<op id=\"%u\" name=\"", w->id[op]);
    add_word(w->out, o->name);
    if (said.size)
        plumb_base_text_printf(w->out, "\">%s</op>\n",
                               plumb_base_text_string(&said));
    else
        plumb_base_text_add(w->out, "\" />\n");
    plumb_base_text_release(&said);
}

static void write_history(const struct writer *w, const uint32_t *group,
                          const struct history *h)
{
    plumb_base_text_add(w->out, "<history>");
    for (unsigned i = 0; i < h->length; i++) {
        const unsigned op = h->order[i];
        plumb_base_text_printf(w->out, "%s%u[ ", i ? " " : "", w->id[op]);
        if (group[op] == PLUMB_INFER_WAITS)
            plumb_base_text_add(w->out, "#");
        else
            plumb_base_text_printf(w->out, "]%u", w->id[op]);
    }
    plumb_base_text_add(w->out, "</history>\n");
}

/* They are linked from the last to the first. */
static bool write_histories(struct writer *w, const uint32_t *group,
                            uint32_t number)
{
    uint32_t first = NO_HISTORY;
    for (uint32_t at = w->last.at[number], before; at != NO_HISTORY;
         at = before) {
        before = w->all.at[at].before;
        w->all.at[at].before = first;
        first = at;
    }
    for (; first != NO_HISTORY; first = w->all.at[first].before) {
        if (!is_in_time(w, first))
            return false;
        write_history(w, group, &w->all.at[first]);
    }
    return true;
}

static unsigned processes_of(const struct writer *w)
{
    unsigned count = 0;
    for (unsigned op = 0; op < w->test.operations; op++)
        if (w->test.operation[op].process >= count)
            count = w->test.operation[op].process + 1;
    return count;
}

static bool write_group(struct writer *w, uint32_t number)
{
    size_t count;
    const uint32_t *const group =
        plumb_base_lists_get(&w->groups, number, &count);
    unsigned ids = 0;
    plumb_base_text_add(w->out, "<observation>\n");
    for (unsigned p = 0; p < processes_of(w); p++)
        write_thread(w, group, p, &ids);
    for (unsigned p = 0; p < processes_of(w); p++)
        for (unsigned op = 0; op < w->test.operations; op++)
            if (w->test.operation[op].process == p &&
                group[op] != PLUMB_INFER_NOT_DONE)
                write_operation(w, op,
                                group[op] == PLUMB_INFER_WAITS
                                    ? NULL
                                    : &w->store->answer[group[op]]);
    const bool done = write_histories(w, group, number);
    plumb_base_text_add(w->out, "</observation>\n");
    return done;
}

/* ---- the whole ---- */

/* Two hyphens must not stand in a comment. */
static void write_comment(struct plumb_base_text *out, const char *what,
                          const char *text)
{
    plumb_base_text_printf(out, "<!-- %s: ", what);
    for (const char *at = text; *at; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c == '\\')
            plumb_base_text_add(out, "\\\\");
        else if (c < ' ' || c > '~' || c == '-' || c == '&')
            plumb_base_text_printf(out, "\\x%02x", c);
        else
            plumb_base_text_printf(out, "%c", c);
    }
    plumb_base_text_add(out, " -->\n");
}

/* A digit that was changed makes another observation: the digest tells. */
static bool write_all(struct writer *w, const struct plumb_infer_origin *origin)
{
    const size_t before = w->out->size;
    plumb_base_text_add(w->out, "<?xml version=\"1.0\"?>\n");
    write_comment(w->out, "object", origin->object);
    write_comment(w->out, "build", origin->build);
    write_comment(w->out, "options", origin->options);
    write_comment(w->out, "init", origin->init);
    write_comment(w->out, "test", origin->test);
    write_comment(w->out, "final", origin->final);
    plumb_base_text_printf(w->out, "<!-- histories: %zu -->\n", w->all.count);
    plumb_base_text_add(w->out, "<observationset>\n");
    for (uint32_t g = 0; g < w->groups.count; g++)
        if (!write_group(w, g))
            return false;
    plumb_base_text_add(w->out, "</observationset>\n");
    const char *const written = plumb_base_text_string(w->out) + before;
    const uint64_t digest =
        plumb_base_hash_bytes(written, w->out->size - before);
    plumb_base_text_printf(w->out, "<!-- digest: %016" PRIx64 " -->\n", digest);
    return true;
}

enum plumb_status plumb_infer_write(const struct plumb_infer_store *store,
                                    const char *const *name,
                                    const struct plumb_infer_origin *origin,
                                    const uint32_t *only,
                                    struct plumb_budget *budget,
                                    struct plumb_base_text *out,
                                    struct plumb_error *err)
{
    struct writer w = { .store = store,
                        .automaton = plumb_infer_store_automaton(store),
                        .only = only,
                        .budget = budget,
                        .out = out };
    enum plumb_status status = PLUMB_OK;
    plumb_infer_store_test(store, name, &w.test);
    for (unsigned op = 0; op < w.test.operations; op++)
        w.outcome[op] = PLUMB_INFER_NOT_DONE;
    plumb_base_lists_init(&w.groups, budget);
    const bool done = go_on_from(&w, 0) && write_all(&w, origin);
    if (!done && w.all.count == PLUMB_INFER_MOST_WRITTEN)
        status = plumb_base_fail(
            err, PLUMB_EINPUT, 0, 0,
            "the test has more than %d serial histories, too many for a file",
            PLUMB_INFER_MOST_WRITTEN);
    else if (!done)
        status = plumb_base_fail_budget(budget, err);
    plumb_base_lists_release(&w.groups);
    PLUMB_RELEASE(budget, w.last.at, w.last.capacity);
    PLUMB_RELEASE(budget, w.all.at, w.all.capacity);
    return status;
}

/* ---- a concurrent history ---- */

static uint64_t returned_at(const struct plumb_record_entry *e)
{
    return atomic_load_explicit(&e->ret, memory_order_relaxed);
}

static bool is_async(const struct writer *w, unsigned op)
{
    return w->store->async >> op & 1;
}

/* The next event after `time`: a return is at twice its stamp, a call one
 * later.  False: there is none. */
static bool find_event(const struct writer *w,
                       const struct plumb_record_entry *entry, uint64_t *time,
                       unsigned *op, bool *returns)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < w->test.operations; i++) {
        const uint64_t call = 2 * entry[i].call + 1;
        const uint64_t ret = is_async(w, i) ? 0 : 2 * returned_at(&entry[i]);
        if (entry[i].call && call > *time && call < next) {
            next = call;
            *op = i;
            *returns = false;
        }
        if (entry[i].call && ret > *time && ret < next) {
            next = ret;
            *op = i;
            *returns = true;
        }
    }
    *time = next;
    return next != UINT64_MAX;
}

/* Calls of one time: one after the other, by their operations. */
static void write_events(const struct writer *w,
                         const struct plumb_record_entry *entry, bool stuck)
{
    const unsigned operations = w->test.operations;
    uint64_t time = 0;
    unsigned op;
    bool returns;
    const char *blank = "";
    plumb_base_text_add(w->out, "<history>");
    while (find_event(w, entry, &time, &op, &returns)) {
        for (unsigned i = op; i < operations; i++)
            if (returns ? i == op
                        : entry[i].call && 2 * entry[i].call + 1 == time) {
                plumb_base_text_printf(w->out, returns ? "%s]%u" : "%s%u[",
                                       blank, w->id[i]);
                blank = " ";
            }
    }
    plumb_base_text_add(w->out, stuck ? " #</history>\n" : "</history>\n");
}

void plumb_infer_write_found(const struct plumb_infer_store *store,
                             const char *const *name,
                             const struct plumb_record_entry *entry, bool stuck,
                             struct plumb_base_text *out)
{
    enum { RETURNED, OPEN }; /* in place of an answer */
    struct writer w = { .store = store, .out = out };
    uint32_t group[PLUMB_INFER_OPERATIONS];
    unsigned ids = 0;
    plumb_infer_store_test(store, name, &w.test);
    for (unsigned op = 0; op < w.test.operations; op++)
        group[op] = !entry[op].call ? PLUMB_INFER_NOT_DONE
                    : returned_at(&entry[op])
                        ? is_async(&w, op) ? OPEN : RETURNED
                    : stuck ? PLUMB_INFER_WAITS
                            : OPEN;
    for (unsigned p = 0; p < processes_of(&w); p++)
        write_thread(&w, group, p, &ids);
    for (unsigned p = 0; p < processes_of(&w); p++)
        for (unsigned op = 0; op < w.test.operations; op++)
            if (w.test.operation[op].process == p &&
                group[op] != PLUMB_INFER_NOT_DONE)
                write_operation(&w, op,
                                group[op] == RETURNED ? &entry[op] : NULL);
    write_events(&w, entry, stuck);
}
