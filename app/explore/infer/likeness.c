/* likeness.c - see likeness.h.
 *
 * The automaton of the serial histories and the specification are gone through
 * together: pairs of a position and the states that the specification may be
 * in, each once. */
#include "likeness.h"

#include "base/pair_index.h"
#include "check/search/live_configurations.h"
#include "check/search/stuck.h"
#include "inferred.h"
#include "record/log_history.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_PAIRS = 100000, MOST_RENAMED = EXPLORE_LIKENESS_NAME };

/* Of each line the first that agrees is told, so plainer ones come first. */
static const char *const family[] = {
    "queue queue:blocking queue:cap=1 queue:cap=2 queue:cap=3 queue:cap=4 "
    "queue:cap=1,blocking queue:cap=2,blocking queue:cap=3,blocking "
    "queue:cap=4,blocking",
    "stack stack:blocking stack:cap=1 stack:cap=2 stack:cap=3 stack:cap=4",
    "deque deque:blocking deque:cap=1 deque:cap=2 deque:cap=3 deque:cap=4",
    "priority-queue priority-queue:blocking priority-queue:max "
    "priority-queue:cap=1 priority-queue:cap=2 priority-queue:cap=3 "
    "priority-queue:cap=4",
    "set",
    "multiset",
    "map map:init=0",
    "register register:init=0",
    "counter counter:init=1",
    "semaphore semaphore:n=0 semaphore:n=2 semaphore:n=3 semaphore:n=4",
    "mutex",
    "semiqueue semiqueue:blocking semiqueue:cap=1 semiqueue:cap=2",
    "bag bag:blocking",
};

enum { FAMILIES = sizeof family / sizeof *family, MOST_MEMBERS = 16 };

struct candidate {
    char text[48];
    struct plumb_spec *spec; /* NULL: it does not agree */
};

struct explore_likeness {
    struct candidate member[FAMILIES][MOST_MEMBERS];
    const char *names;
    unsigned tests;
};

/* ---- one test and one specification ---- */

struct comparison {
    const struct explore_likeness *with;
    const struct job *job;
    struct plumb_check_configurations *c;
    uint32_t call[PLUMB_INFER_OPERATIONS]; /* as the specification numbers */
    struct plumb_base_pairs pairs;         /* position, states */
    const struct plumb_spec *spec;
    const struct plumb_infer_edge *path[PLUMB_INFER_OPERATIONS];
    unsigned length;
};

static struct plumb_check_configurations_word word_of(
    const struct plumb_record_entry *e, unsigned i)
{
    const struct plumb_value v = e->value[i];
    return (struct plumb_check_configurations_word){
        .value = v, .text = v.tag == PLUMB_STR ? e->text + v.bits : NULL
    };
}

/* What the specification calls it; `room` for a name that was given. */
static const char *renamed(const char *names, const char *name,
                           char room[MOST_RENAMED])
{
    const size_t length = strlen(name);
    for (const char *at = names ? names : ""; *at;) {
        const size_t size = strcspn(at, ",");
        if (strncmp(at, name, length) == 0 && at[length] == '=' &&
            size - length - 1 < MOST_RENAMED) {
            memcpy(room, at + length + 1, size - length - 1);
            room[size - length - 1] = '\0';
            return room;
        }
        at += size + (at[size] == ',');
    }
    return name;
}

static bool number_operations(struct comparison *k)
{
    const struct plumb_infer_store *const s = &k->job->serial;
    for (unsigned op = 0; op < s->operations; op++) {
        const struct plumb_record_entry *const e = &s->call[op];
        struct plumb_check_configurations_word arg[PLUMB_MAX_ARGUMENTS];
        char room[MOST_RENAMED];
        for (unsigned i = 0; i < e->nargs; i++)
            arg[i] = word_of(e, i);
        k->call[op] = plumb_check_configurations_operation(
            k->c, s->process[op],
            renamed(k->with->names, k->job->target.operation[e->operation].name,
                    room),
            arg, e->nargs);
        if (k->call[op] == UINT32_MAX)
            return false;
    }
    return true;
}

static plumb_check_configuration_set answer(
    struct comparison *k, plumb_check_configuration_set called, unsigned op,
    const struct plumb_record_entry *e)
{
    struct plumb_check_configurations_word result[PLUMB_ENTRY_RESULTS];
    for (unsigned i = 0; i < e->nres; i++)
        result[i] = word_of(e, e->nargs + i);
    const uint32_t number = plumb_check_configurations_answer(
        k->c, k->call[op], *e->term ? e->term : "ok", result, e->nres);
    return number == UINT32_MAX ? PLUMB_CONFIGURATIONS_FAILED
                                : plumb_check_configurations_return(
                                      k->c, called, k->call[op], number);
}

/* The path so far, with the operation that waits behind it, as a history. */
static enum plumb_status build_history(const struct comparison *k,
                                       struct plumb_builder *b,
                                       struct plumb_history *h,
                                       struct plumb_error *err)
{
    static struct plumb_record_entry log[PLUMB_INFER_OPERATIONS];
    static char room[PLUMB_MAX_OPERATIONS][MOST_RENAMED];
    const struct plumb_infer_store *const s = &k->job->serial;
    struct plumb_record_process_log process[PLUMB_INFER_PROCESSES] = { 0 };
    const char *name[PLUMB_MAX_OPERATIONS];
    uint32_t used = 0;
    for (unsigned i = 0; i < k->job->target.operations; i++)
        name[i] =
            renamed(k->with->names, k->job->target.operation[i].name, room[i]);
    for (unsigned p = 0; p < PLUMB_INFER_PROCESSES; p++) {
        process[p].entry = log + used;
        for (unsigned i = 0; i < k->length; i++) {
            const struct plumb_infer_edge *const e = k->path[i];
            const bool stuck = e->next == PLUMB_INFER_STUCK;
            if (s->process[e->op] != p)
                continue;
            memcpy(&log[used], stuck ? &s->call[e->op] : &s->answer[e->answer],
                   sizeof *log);
            log[used].call = i + (uint64_t)1;
            log[used++].ret = stuck ? 0 : i + (uint64_t)2;
            process[p].count++;
        }
    }
    const struct plumb_record_recording r = {
        .object = "object",
        .operation = name,
        .operations = k->job->target.operations,
        .process = process,
        .processes = PLUMB_INFER_PROCESSES,
    };
    return plumb_record_log_history(&r, b, h, err);
}

/* Whatever the specification would answer, it must have none here. */
static bool may_wait(const struct comparison *k)
{
    struct plumb_builder *const b = plumb_builder_new(NULL);
    struct plumb_error err;
    struct plumb_history h;
    bool waits = false;
    uint32_t culprit;
    if (b && build_history(k, b, &h, &err) == PLUMB_OK) {
        if (plumb_check_stuck(&h, k->spec, NULL, &waits, NULL, &culprit,
                              &err) != PLUMB_OK)
            waits = false;
        plumb_history_release(&h);
    }
    plumb_builder_free(b);
    return waits;
}

static bool visit(struct comparison *k, uint32_t position,
                  plumb_check_configuration_set states);

static bool follow(struct comparison *k, const struct plumb_infer_edge *e,
                   plumb_check_configuration_set states)
{
    const plumb_check_configuration_set called =
        plumb_check_configurations_call(k->c, states, k->call[e->op]);
    if (called == PLUMB_CONFIGURATIONS_NONE ||
        called == PLUMB_CONFIGURATIONS_FAILED)
        return false;
    bool same;
    k->path[k->length++] = e;
    if (e->next == PLUMB_INFER_STUCK) {
        same = may_wait(k);
    } else {
        const plumb_check_configuration_set after =
            answer(k, called, e->op, &k->job->serial.answer[e->answer]);
        same = after != PLUMB_CONFIGURATIONS_NONE &&
               after != PLUMB_CONFIGURATIONS_FAILED && visit(k, e->next, after);
    }
    k->length--;
    return same;
}

/* As deep as there are operations. */
static bool visit(struct comparison *k, uint32_t position,
                  plumb_check_configuration_set states)
{
    const struct plumb_infer_store *const s = &k->job->serial;
    const uint32_t before = k->pairs.count;
    if (before == MOST_PAIRS)
        return false;
    if (plumb_base_pairs_number(
            &k->pairs, (struct plumb_base_pair){ position, states }) != before)
        return true;
    for (uint32_t i = s->first[position]; i < s->first[position + 1]; i++)
        if (!follow(k, &s->edge[i], states))
            return false;
    return true;
}

static bool agrees(const struct explore_likeness *l,
                   const struct plumb_spec *spec, const struct job *job)
{
    struct comparison k = { .with = l,
                            .job = job,
                            .spec = spec,
                            .c = plumb_check_configurations_open(spec, NULL) };
    if (!k.c)
        return false;
    plumb_base_pairs_init(&k.pairs, NULL);
    const bool same = number_operations(&k) &&
                      visit(&k, 0, plumb_check_configurations_start(k.c));
    plumb_base_pairs_release(&k.pairs);
    plumb_check_configurations_free(k.c);
    return same;
}

/* ---- all of them ---- */

static void read_family(struct candidate *member, const char *texts)
{
    struct plumb_error err;
    for (unsigned i = 0; i < MOST_MEMBERS && *texts; i++) {
        const size_t length = strcspn(texts, " ");
        memcpy(member[i].text, texts, length);
        if (plumb_spec_parse(member[i].text, &member[i].spec, &err) != PLUMB_OK)
            member[i].spec = NULL;
        texts += length + strspn(texts + length, " ");
    }
}

struct explore_likeness *explore_likeness_open(const char *names)
{
    struct explore_likeness *const l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->names = names;
    for (unsigned f = 0; f < FAMILIES; f++)
        read_family(l->member[f], family[f]);
    return l;
}

static void leave_out(struct candidate *c)
{
    if (c->spec)
        plumb_spec_free(c->spec);
    c->spec = NULL;
}

void explore_likeness_close(struct explore_likeness *l)
{
    for (unsigned i = 0; l && i < FAMILIES * MOST_MEMBERS; i++)
        leave_out(&l->member[i / MOST_MEMBERS][i % MOST_MEMBERS]);
    free(l);
}

void explore_likeness_add(struct explore_likeness *l, const struct job *job)
{
    if (job->serial.end != PLUMB_INFER_DETERMINISTIC ||
        !explore_serial_is_sound(job))
        return;
    l->tests++;
    for (unsigned i = 0; i < FAMILIES * MOST_MEMBERS; i++) {
        struct candidate *const c =
            &l->member[i / MOST_MEMBERS][i % MOST_MEMBERS];
        if (c->spec && !agrees(l, c->spec, job))
            leave_out(c);
    }
}

void explore_likeness_show(const struct explore_likeness *l,
                           struct plumb_base_text *out)
{
    for (unsigned f = 0; l->tests && f < FAMILIES; f++)
        for (unsigned i = 0; i < MOST_MEMBERS; i++)
            if (l->member[f][i].spec) {
                plumb_base_text_printf(out, "%s%s", out->size ? " or " : "",
                                       l->member[f][i].text);
                break;
            }
}
