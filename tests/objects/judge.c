/* judge.c - see judge.h.
 *
 * The oracle decides, by the definition alone; libplumb decides what the
 * oracle has no type for, and must agree with it elsewhere. */
#include "judge.h"

#include "oracle.h"
#include <plumb/check.h>
#include <plumb/format.h>
#include <stdlib.h>
#include <string.h>

struct seen {
    uint64_t hash; /* 0: a free place */
    bool accepted;
};

struct judge {
    const struct plumb_object *object;
    const struct scenario *scenario;
    const char *spec_text;
    struct plumb_spec *spec;
    struct plumb_builder *builder;
    bool oracle_knows;
    struct seen *seen;
    size_t distinct, places; /* a power of two */
};

static _Noreturn void stop(const char *what, const struct plumb_error *err)
{
    fprintf(stderr, "schedules: %s: %s\n", what, err ? err->message : "");
    exit(2);
}

/* ---- the history of an execution ---- */

static uint32_t symbol(struct judge *j, const char *text)
{
    return plumb_builder_symbol(j->builder, text, strlen(text));
}

/* Texts of an entry become symbols of the history. */
static const struct plumb_value *values(struct judge *j,
                                        const struct plumb_record_entry *e,
                                        unsigned from, unsigned count,
                                        struct plumb_value *to)
{
    for (unsigned i = 0; i < count; i++) {
        to[i] = e->value[from + i];
        if (to[i].tag == PLUMB_STR)
            to[i] = plumb_str(symbol(j, e->text + to[i].bits));
    }
    return to;
}

static uint32_t process_symbol(struct judge *j, unsigned process)
{
    char name[16];
    snprintf(name, sizeof name, "P%u", process + 1);
    return symbol(j, name);
}

static void add_event(struct judge *j, const struct run *run,
                      const struct event *event)
{
    const struct invoked *const i = &j->scenario->op[event->op];
    const struct plumb_record_entry *const e = &run->entry[event->op];
    const uint32_t process = process_symbol(j, i->process);
    const uint32_t object = symbol(j, j->object->name ? j->object->name : "X");
    struct plumb_value value[PLUMB_ENTRY_RESULTS];
    struct plumb_error err;
    enum plumb_status status;
    if (event->is_return)
        status = plumb_builder_respond(
            j->builder, process, object, PLUMB_OUTCOME_OK,
            symbol(j, *e->term ? e->term : "ok"),
            values(j, e, e->nargs, e->nres, value), e->nres, NULL, &err);
    else
        status = plumb_builder_call(
            j->builder, process, object, symbol(j, i->operation->name),
            values(j, e, 0, e->nargs, value), e->nargs, NULL, &err);
    if (status != PLUMB_OK)
        stop("history", &err);
}

static struct plumb_history history_of(struct judge *j, const struct run *run)
{
    struct plumb_history h;
    struct plumb_error err;
    plumb_builder_reset(j->builder);
    for (unsigned i = 0; i < run->events; i++)
        add_event(j, run, &run->event[i]);
    if (plumb_builder_finish(j->builder, PLUMB_TIES_CALL_FIRST, &h, &err) !=
        PLUMB_OK)
        stop("history", &err);
    return h;
}

/* ---- deciding ---- */

static bool decide(struct judge *j, const struct plumb_history *h)
{
    const struct plumb_check_options options = { .no_core = true };
    struct plumb_answer answer;
    struct plumb_error err;
    if (plumb_check(h, j->spec, &options, &answer, &err) != PLUMB_OK)
        stop("cannot decide", &err);
    if (answer.verdict == PLUMB_UNDECIDED)
        stop("undecided", NULL);
    const bool accepted = answer.verdict == PLUMB_LINEARIZABLE;
    plumb_answer_release(&answer);
    if (j->oracle_knows && accepted != oracle_linearizable(h, j->spec_text))
        stop("the oracle and the library disagree", NULL);
    return accepted;
}

static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *const byte = data; /* FNV-1a */
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3;
    return hash;
}

/* Arguments do not differ between executions, so they are left out. */
static uint64_t hash_of(const struct run *run)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (unsigned i = 0; i < run->events; i++) {
        const struct event *const v = &run->event[i];
        const struct plumb_record_entry *const e = &run->entry[v->op];
        hash = mix(hash, &v->op, 1);
        hash = mix(hash, &v->is_return, 1);
        if (!v->is_return)
            continue;
        hash = mix(hash, e->term, strlen(e->term) + 1);
        hash = mix(hash, &e->nres, 1);
        hash = mix(hash, e->value + e->nargs, e->nres * sizeof *e->value);
        hash = mix(hash, e->text, e->text_used);
    }
    return hash ? hash : 1;
}

static void check_flaws(const struct judge *j, const struct run *run)
{
    for (unsigned i = 0; i < j->scenario->count; i++)
        if (run->entry[i].flaws)
            stop("an operation asks for arguments it does not have, or its "
                 "answer is too long",
                 NULL);
}

static struct seen *find(const struct judge *j, uint64_t hash)
{
    size_t at = hash & (j->places - 1);
    while (j->seen[at].hash && j->seen[at].hash != hash)
        at = (at + 1) & (j->places - 1);
    return &j->seen[at];
}

static void make_room(struct judge *j)
{
    const size_t places = j->places;
    struct seen *const old = j->seen;
    if (2 * j->distinct < places)
        return;
    j->places = places ? 2 * places : 256;
    j->seen = calloc(j->places, sizeof *j->seen);
    if (!j->seen)
        stop("no memory", NULL);
    for (size_t i = 0; i < places; i++)
        if (old[i].hash)
            *find(j, old[i].hash) = old[i];
    free(old);
}

bool judge_accepts(struct judge *j, const struct run *run)
{
    make_room(j);
    const uint64_t hash = hash_of(run);
    struct seen *const s = find(j, hash);
    if (s->hash)
        return s->accepted;
    check_flaws(j, run);
    struct plumb_history h = history_of(j, run);
    *s = (struct seen){ hash, decide(j, &h) };
    plumb_history_release(&h);
    j->distinct++;
    return s->accepted;
}

size_t judge_distinct(const struct judge *j)
{
    return j->distinct;
}

/* ---- printing ---- */

static int put(void *out, const void *data, size_t size)
{
    return fwrite(data, 1, size, out) != size;
}

void judge_print(struct judge *j, const struct run *run, FILE *out)
{
    const struct plumb_sink sink = { put, out };
    uint64_t losses[PLUMB_LOSSES] = { 0 };
    struct plumb_error err;
    struct plumb_history h = history_of(j, run);
    if (plumb_history_write(&h, PLUMB_FORMAT_NATIVE, 0, &sink, losses, &err) !=
        PLUMB_OK)
        stop("cannot write the history", &err);
    plumb_history_release(&h);
}

/* ---- the judge ---- */

static bool oracle_knows(const struct plumb_object *object, const char *spec)
{
    struct oracle_spec parsed;
    enum oracle_op op;
    if (!oracle_spec_parse(spec, &parsed))
        return false;
    for (unsigned i = 0; i < PLUMB_MAX_OPERATIONS; i++)
        if (object->operations[i].name &&
            !oracle_op_parse(object->operations[i].name, &op))
            return false;
    return true;
}

struct judge *judge_new(const struct plumb_object *object,
                        const struct scenario *scenario, const char *spec)
{
    struct plumb_error err;
    struct judge *const j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    *j = (struct judge){ .object = object,
                         .scenario = scenario,
                         .spec_text = spec,
                         .oracle_knows = oracle_knows(object, spec),
                         .builder = plumb_builder_new(NULL) };
    if (j->builder && plumb_spec_parse(spec, &j->spec, &err) == PLUMB_OK)
        return j;
    fprintf(stderr, "schedules: specification %s: %s\n", spec,
            j->builder ? err.message : "no memory");
    judge_free(j);
    return NULL;
}

void judge_free(struct judge *j)
{
    plumb_spec_free(j->spec);
    plumb_builder_free(j->builder);
    free(j->seen);
    free(j);
}
