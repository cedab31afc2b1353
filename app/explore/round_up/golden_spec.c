/* golden_spec.c - the sequential histories of a test that a specification
 * allows.
 *
 * The threads' operations are put into every order.  A specification does not
 * say what it answers, only whether an answer is right, so every answer that
 * could be is tried: the terms there are, and the arguments of the test. */
#include "app/console/say.h"
#include "app/objects/described_object.h"
#include "check/search/live_configurations.h"
#include "golden.h"
#include "record/script.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ANSWERS = JOB_OPERATIONS + 8, MOST_HISTORIES = 1 << 20 };

struct answer {
    uint32_t number; /* of the configurations */
    struct plumb_record_entry entry;
};

struct operation {
    const char *name;
    unsigned process;
    uint32_t number;
    struct plumb_record_entry entry; /* its call */
    struct answer *answer;
    unsigned answers;
};

/* Operations of init are in a process of their own, before the others, and
 * those of final behind them. */
struct serial {
    const struct exploration *e;
    struct plumb_check_configurations *configurations;
    struct operation operation[JOB_OPERATIONS];
    unsigned operations, init, final, processes;
    unsigned next[JOB_PROCESSES], end[JOB_PROCESSES];
    struct explore_golden_call path[JOB_OPERATIONS];
    explore_golden_take *take;
    void *context;
    uint64_t histories;
};

/* ---- what is called ---- */

static bool add_part(struct serial *s, const char *text, unsigned *processes)
{
    struct plumb_record_script script;
    struct plumb_error err = { 0 };
    *processes = 0;
    if (!*text)
        return true;
    if (plumb_record_script_parse(&script, text, &s->e->object, &err) !=
        PLUMB_OK) {
        console_say("%s: %s", s->e->target->given, err.message);
        return false;
    }
    *processes = script.processes;
    for (size_t i = 0; i < script.count && s->operations < JOB_OPERATIONS;
         i++) {
        struct operation *const o = &s->operation[s->operations++];
        o->name = s->e->object.operations[script.step[i].operation].name;
        o->process = script.step[i].process;
        plumb_record_entry_begin(&o->entry, script.step[i].operation);
        plumb_record_script_entry(&script.step[i], &o->entry);
    }
    plumb_record_script_release(&script);
    return true;
}

static bool read_test(struct serial *s, const struct explore_scenario *test)
{
    unsigned one;
    if (!add_part(s, test->init, &one))
        return false;
    s->init = s->operations;
    if (!add_part(s, test->test, &s->processes))
        return false;
    assert(s->processes <= JOB_PROCESSES); /* explore_scenario_check() */
    unsigned op = s->init;
    for (unsigned p = 0; p < s->processes; p++) {
        s->next[p] = op;
        while (op < s->operations && s->operation[op].process == p)
            op++;
        s->end[p] = op;
    }
    if (!add_part(s, test->final, &one))
        return false;
    s->final = s->operations - op;
    return true;
}

/* ---- what may be answered ---- */

static struct plumb_check_configurations_word word_of(
    const struct plumb_record_entry *e, unsigned i)
{
    const struct plumb_value v = e->value[i];
    return (struct plumb_check_configurations_word){
        .value = v, .text = v.tag == PLUMB_STR ? e->text + v.bits : NULL
    };
}

/* A number, if an operation of this kind may answer so at all. */
static void try_answer(struct serial *s, struct operation *o, const char *term,
                       const struct plumb_record_entry *from, unsigned value)
{
    struct answer *const a = &o->answer[o->answers];
    struct plumb_check_configurations_word result;
    assert(o->answers < MOST_ANSWERS);
    memcpy(&a->entry, &o->entry, sizeof a->entry);
    strcpy(a->entry.term, strcmp(term, "ok") == 0 ? "" : term);
    if (from) {
        struct plumb_value v = from->value[value];
        result = word_of(from, value);
        if (result.text)
            v.bits = plumb_record_entry_keep(&a->entry, result.text,
                                             strlen(result.text));
        a->entry.value[a->entry.nargs + a->entry.nres++] = v;
    }
    a->number =
        plumb_check_configurations_answer(s->configurations, o->number, term,
                                          from ? &result : NULL, from != NULL);
    for (unsigned i = 0; i < o->answers && a->number != UINT32_MAX; i++)
        if (o->answer[i].number == a->number)
            return;
    o->answers += a->number != UINT32_MAX;
}

static void try_truth(struct serial *s, struct operation *o, bool truth)
{
    struct plumb_record_entry e = { .nres = 1 };
    e.value[0] = plumb_bool(truth);
    try_answer(s, o, "ok", &e, 0);
}

static bool number_operation(struct serial *s, struct operation *o)
{
    struct plumb_check_configurations_word word[PLUMB_MAX_ARGUMENTS];
    static const char *const term[] = { "ok", "empty", "full", "none" };
    for (unsigned i = 0; i < o->entry.nargs; i++)
        word[i] = word_of(&o->entry, i);
    o->number = plumb_check_configurations_operation(
        s->configurations, o->process, o->name, word, o->entry.nargs);
    o->answer = calloc(MOST_ANSWERS, sizeof *o->answer);
    if (!o->answer) {
        console_say("plumb explore: out of memory");
        return false;
    }
    if (o->number == UINT32_MAX) {
        console_say(
            "%s: %s", s->e->target->given,
            plumb_check_configurations_error(s->configurations)->message);
        return false;
    }
    for (unsigned i = 0; i < sizeof term / sizeof *term; i++)
        try_answer(s, o, term[i], NULL, 0);
    try_truth(s, o, false);
    try_truth(s, o, true);
    for (unsigned i = 0; i < s->operations; i++)
        if (s->operation[i].entry.nargs == 1)
            try_answer(s, o, "ok", &s->operation[i].entry, 0);
    return true;
}

static bool number_operations(struct serial *s)
{
    for (unsigned i = 0; i < s->operations; i++)
        if (!number_operation(s, &s->operation[i]))
            return false;
    return true;
}

/* ---- every order ---- */

static bool go_on(struct serial *s, plumb_check_configuration_set set,
                  unsigned done);

static bool perform(struct serial *s, plumb_check_configuration_set set,
                    unsigned done, unsigned op)
{
    const struct operation *const o = &s->operation[op];
    for (unsigned i = 0; i < o->answers; i++) {
        plumb_check_configuration_set next =
            plumb_check_configurations_call(s->configurations, set, o->number);
        if (next < PLUMB_CONFIGURATIONS_FAILED)
            next = plumb_check_configurations_return(
                s->configurations, next, o->number, o->answer[i].number);
        if (next == PLUMB_CONFIGURATIONS_FAILED) {
            console_say(
                "%s: %s", s->e->target->given,
                plumb_check_configurations_error(s->configurations)->message);
            return false;
        }
        s->path[done] =
            (struct explore_golden_call){ .name = o->name,
                                          .entry = &o->answer[i].entry };
        if (next != PLUMB_CONFIGURATIONS_NONE && !go_on(s, next, done + 1))
            return false;
    }
    return true;
}

static bool take_history(struct serial *s)
{
    if (s->histories++ == MOST_HISTORIES) {
        console_say("%s: the test has more than %d sequential histories",
                    s->e->target->given, MOST_HISTORIES);
        return false;
    }
    return s->take(s->context, s->path, s->operations);
}

static bool go_on(struct serial *s, plumb_check_configuration_set set,
                  unsigned done)
{
    if (done == s->operations)
        return take_history(s);
    if (done < s->init || done >= s->operations - s->final)
        return perform(s, set, done, done);
    for (unsigned p = 0; p < s->processes; p++)
        if (s->next[p] < s->end[p]) {
            const bool whole = perform(s, set, done, s->next[p]++);
            s->next[p]--;
            if (!whole)
                return false;
        }
    return true;
}

bool explore_golden_run_spec(const struct explore_golden *g,
                             const struct explore_scenario *test,
                             explore_golden_take *take, void *context)
{
    struct serial *const s = calloc(1, sizeof *s);
    bool whole = false;
    if (s) {
        s->e = g->e;
        s->take = take;
        s->context = context;
        s->configurations =
            plumb_check_configurations_open(g->spec, g->e->budget);
    }
    if (!s || !s->configurations)
        console_say("plumb explore: out of memory");
    else
        whole =
            read_test(s, test) && number_operations(s) &&
            go_on(s, plumb_check_configurations_start(s->configurations), 0);
    for (unsigned i = 0; s && i < s->operations; i++)
        free(s->operation[i].answer);
    if (s && s->configurations)
        plumb_check_configurations_free(s->configurations);
    free(s);
    return whole;
}
