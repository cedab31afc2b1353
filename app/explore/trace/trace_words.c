/* trace_words.c - a record of a trace in words. */
#include "trace_rows.h"

#include "base/range.h"
#include "trace_types.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { NAME_COLUMNS = 32, LOOK_AHEAD = 4096, TRACE_ANSWER = 16 };

/* ---- names ---- */

/* What is told. */
struct event {
    const struct explore_trace_names *n;
    uint32_t i; /* its record, r */
    const struct job_trace_record *r;
    char name[sizeof((struct job_trace_record *)0)->name + 1];
    struct binary_symbol_spot spot; /* that an access is to */
    struct plumb_base_text *out;
};

/* A long name keeps its beginning and, as that tells more, its end. */
static void write_name(const struct event *e, const char *name)
{
    const size_t size = strlen(name);
    const size_t head = NAME_COLUMNS / 3, tail = NAME_COLUMNS - head - 1;
    if (size <= NAME_COLUMNS)
        plumb_base_text_add(e->out, name);
    else
        plumb_base_text_printf(e->out, "%.*s%s%s", (int)head, name,
                               e->n->ascii ? ".." : "…", name + size - tail);
}

static const char *arrow(const struct event *e)
{
    return e->n->ascii ? "->" : "→";
}

static const char *arrow_back(const struct event *e)
{
    return e->n->ascii ? "<-" : "←";
}

static void copy_name(const struct job_trace_record *r,
                      char name[sizeof r->name + 1])
{
    memcpy(name, r->name, sizeof r->name);
    name[sizeof r->name] = '\0';
}

/* ---- accesses ---- */

static bool overlap(const struct job_trace_record *a,
                    const struct job_trace_record *b)
{
    return plumb_base_ranges_meet(a->at, a->size, b->at, b->size);
}

/* A block that is freed, or a function that ends, leaves what it likes. */
static bool is_there_at_the_end(const struct explore_trace_names *n, uint32_t i)
{
    const uint64_t at = n->job->record[i].at;
    const struct explore_trace_block *const b =
        explore_trace_block_at(n, i, at);
    const unsigned thread = explore_trace_stack_of(n, at);
    struct binary_symbol_spot then, now;
    if (b)
        return b->freed == TRACE_NONE;
    return thread == PLUMB_MAX_THREADS ||
           (explore_trace_spot(n, i, at, 0, &then) &&
            explore_trace_spot(n, n->count - 1, at, 0, &now) &&
            strchr(then.name, '@') && strcmp(then.name, now.name) == 0);
}

/* A plain write is recorded before it is done.  What it wrote is what the next
 * access to the same bytes finds, or what is there at the end. */
bool explore_trace_find_written(const struct explore_trace_names *n, uint32_t i,
                                job_trace_value *value)
{
    const struct job_trace_record *const w = n->job->record + i;
    for (uint32_t k = i + 1; k < n->count; k++) {
        const struct job_trace_record *const r = n->job->record + k;
        if (k - i >= LOOK_AHEAD || (r->kind == TRACE_FREE && r->at == w->at))
            return false;
        if (r->kind > TRACE_CAS || !overlap(w, r))
            continue;
        *value = r->before;
        return r->at == w->at && r->size == w->size &&
               r->size <= sizeof *value &&
               (r->known || r->kind == TRACE_WRITE || r->kind == TRACE_STORE ||
                r->kind == TRACE_MODIFY);
    }
    *value = w->expected;
    return w->lasts && is_there_at_the_end(n, i);
}

/* What the kinds are called that are not told in another way. */
static const char *const words[] = {
    [TRACE_READ] = "read",    [TRACE_WRITE] = "write",  [TRACE_LOAD] = "load",
    [TRACE_STORE] = "store",  [TRACE_FENCE] = "fence",  [TRACE_YIELD] = "yield",
    [TRACE_SPAWN] = "start",  [TRACE_JOIN] = "join",    [TRACE_END] = "end",
    [TRACE_LEAVE] = "return", [TRACE_OUTPUT] = "print",
};

static void write_value(const struct event *e, job_trace_value value)
{
    explore_trace_value(e->n, e->i, &e->spot, e->r->size, value, e->out);
}

static void write_change(const struct event *e, job_trace_value from,
                         job_trace_value to)
{
    plumb_base_text_add(e->out, " ");
    write_value(e, from);
    plumb_base_text_add(e->out, arrow(e));
    write_value(e, to);
}

/* Some functions read, too, and go on by what they find. */
static void write_access(const struct event *e)
{
    const struct job_trace_record *const r = e->r;
    const bool back = r->kind == TRACE_WRITE || r->kind == TRACE_STORE;
    job_trace_value value = r->after;
    if (r->kind == TRACE_LOAD && e->name[0])
        plumb_base_text_printf(e->out, "%s reads ", e->name);
    else
        plumb_base_text_printf(e->out, "%s ", words[r->kind]);
    write_name(e, e->spot.name);
    if (!r->known && !(back && explore_trace_find_written(e->n, e->i, &value)))
        return;
    plumb_base_text_printf(e->out, " %s ", back ? arrow_back(e) : arrow(e));
    write_value(e, value);
}

static void write_cas(const struct event *e)
{
    const struct job_trace_record *const r = e->r;
    plumb_base_text_add(e->out, "cas ");
    write_name(e, e->spot.name);
    if (!r->known)
        return;
    write_change(e, r->expected, r->after);
    if (job_trace_exchanged(r)) {
        plumb_base_text_add(e->out, " ok");
        return;
    }
    plumb_base_text_add(e->out, " failed (was ");
    write_value(e, r->before);
    plumb_base_text_add(e->out, ")");
}

/* Which function it was is recorded for some only. */
static void write_modify(const struct event *e)
{
    const enum binary_symbol_shape shape = e->spot.shape;
    const bool is_set = shape == SHAPE_POINTER || shape == SHAPE_BOOL;
    const char *const usual = is_set ? "exchange" : "update";
    plumb_base_text_printf(e->out, "%s ", e->name[0] ? e->name : usual);
    write_name(e, e->spot.name);
    job_trace_value after = e->r->after;
    if (e->r->known || explore_trace_find_written(e->n, e->i, &after))
        write_change(e, e->r->before, after);
}

/* ---- synchronisation ---- */

static const struct {
    const char *function, *verb;
    enum explore_trace_sync sync;
} functions[] = {
    { "pthread_mutex_lock", "lock", SYNC_LOCK },
    { "pthread_mutex_trylock", "trylock", SYNC_TRY },
    { "pthread_mutex_timedlock", "timedlock", SYNC_TRY },
    { "pthread_mutex_clocklock", "timedlock", SYNC_TRY },
    { "pthread_mutex_unlock", "unlock", SYNC_UNLOCK },
    { "pthread_spin_lock", "lock", SYNC_LOCK },
    { "pthread_spin_trylock", "trylock", SYNC_TRY },
    { "pthread_spin_unlock", "unlock", SYNC_UNLOCK },
    { "pthread_rwlock_wrlock", "write-lock", SYNC_LOCK },
    { "pthread_rwlock_trywrlock", "try to write-lock", SYNC_TRY },
    { "pthread_rwlock_timedwrlock", "timed write-lock", SYNC_TRY },
    { "pthread_rwlock_clockwrlock", "timed write-lock", SYNC_TRY },
    { "pthread_rwlock_rdlock", "read-lock", SYNC_SHARE },
    { "pthread_rwlock_tryrdlock", "try to read-lock", SYNC_SHARE },
    { "pthread_rwlock_timedrdlock", "timed read-lock", SYNC_SHARE },
    { "pthread_rwlock_clockrdlock", "timed read-lock", SYNC_SHARE },
    { "pthread_rwlock_unlock", "unlock", SYNC_UNLOCK },
    { "mtx_lock", "lock", SYNC_LOCK },
    { "mtx_trylock", "trylock", SYNC_TRY },
    { "mtx_unlock", "unlock", SYNC_UNLOCK },
    { "pthread_cond_wait", "wait", SYNC_WAIT },
    { "pthread_cond_timedwait", "timed wait", SYNC_WAIT },
    { "pthread_cond_clockwait", "timed wait", SYNC_WAIT },
    { "cnd_wait", "wait", SYNC_WAIT },
    { "cnd_timedwait", "timed wait", SYNC_WAIT },
    { "pthread_cond_signal", "signal", SYNC_SIGNAL },
    { "pthread_cond_broadcast", "broadcast", SYNC_SIGNAL },
    { "cnd_signal", "signal", SYNC_SIGNAL },
    { "cnd_broadcast", "broadcast", SYNC_SIGNAL },
};

static const char *verb_of(const char *name, enum explore_trace_sync *sync)
{
    *sync = SYNC_OTHER;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        /* the record's may be cut */
        if (strncmp(name, functions[i].function,
                    sizeof((struct job_trace_record *)0)->name - 1) == 0) {
            *sync = functions[i].sync;
            return functions[i].verb;
        }
    return strncmp(name, "pthread_", 8) == 0 ? name + 8 : name;
}

const char *explore_trace_sync_verb(const struct job_trace_record *r,
                                    char name[sizeof r->name + 1])
{
    enum explore_trace_sync sync;
    copy_name(r, name);
    return verb_of(name, &sync);
}

enum explore_trace_sync explore_trace_sync_of(const struct job_trace_record *r)
{
    char name[sizeof r->name + 1];
    enum explore_trace_sync sync;
    copy_name(r, name);
    verb_of(name, &sync);
    return r->kind == TRACE_SYNC ? sync : SYNC_OTHER;
}

static const char *error_name(int error)
{
    static const struct {
        int number;
        const char *name;
    } errors[] = {
        { EBUSY, "busy" },          { ETIMEDOUT, "timed out" },
        { EAGAIN, "EAGAIN" },       { EDEADLK, "EDEADLK" },
        { EPERM, "EPERM" },         { EINVAL, "EINVAL" },
        { EOVERFLOW, "EOVERFLOW" },
    };
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == error)
            return errors[i].name;
    return NULL;
}

/* To wait for a condition is to unlock, at the same place in the code, and to
 * be answered later.  What is waited for; 0 if this unlock is no such one. */
static uint64_t waits_for(const struct explore_trace_names *n, uint32_t i)
{
    const struct job_trace_record *const r = n->job->record + i;
    uint32_t k = i + 1;
    for (; k < n->count && k - i < LOOK_AHEAD; k++) {
        const struct job_trace_record *const then = n->job->record + k;
        if (then->thread != r->thread || !explore_trace_is_sound(n, k))
            continue;
        return then->pc == r->pc && explore_trace_sync_of(then) == SYNC_WAIT
                   ? then->at
                   : 0;
    }
    if (k < n->count || r->thread >= n->job->memory.threads)
        return 0;
    const struct job_thread_end *const end = n->job->memory.end + r->thread;
    return end->pc == r->pc && end->kind == PLUMB_EVENT_SYNC ? end->at : 0;
}

static void write_object(const struct event *e, uint64_t at)
{
    struct binary_symbol_spot spot;
    explore_trace_spot(e->n, e->i, at, 0, &spot);
    write_name(e, spot.name);
}

/* False: there is nothing to say, as it went as it should. */
static bool error_text(int error, const char *name,
                       enum explore_trace_sync sync, char text[TRACE_ANSWER])
{
    const char *const word = error_name(error);
    const char *const good = sync == SYNC_TRY                  ? "ok"
                             : strcmp(name, "futex_wait") == 0 ? "woken"
                                                               : "";
    if (error == 0)
        snprintf(text, TRACE_ANSWER, "%s", good);
    else if (word)
        snprintf(text, TRACE_ANSWER, "%s", word);
    else
        snprintf(text, TRACE_ANSWER, "%d", error);
    return text[0] != '\0';
}

static bool answer_text(const struct event *e, enum explore_trace_sync sync,
                        char text[TRACE_ANSWER])
{
    const int answer = (int)(uint32_t)e->r->after;
    switch ((enum job_trace_answer)e->r->answer) {
    case ANSWER_WOKEN:
        if (answer)
            snprintf(text, TRACE_ANSWER, "wakes %d", answer);
        else
            snprintf(text, TRACE_ANSWER, "wakes nobody");
        return true;
    case ANSWER_CHOSEN:
        snprintf(text, TRACE_ANSWER, "%s",
                 strstr(e->name, "barrier") ? "serial thread" : "initialises");
        return answer != 0;
    default:
        return error_text(answer, e->name, sync, text);
    }
}

static void write_sync(const struct event *e)
{
    enum explore_trace_sync sync;
    const char *const verb = verb_of(e->name, &sync);
    const uint64_t condition = sync == SYNC_UNLOCK ? waits_for(e->n, e->i) : 0;
    char answer[TRACE_ANSWER];
    if (condition) {
        plumb_base_text_add(e->out, "wait ");
        write_object(e, condition);
        plumb_base_text_add(e->out, " (unlock ");
        write_object(e, e->r->at);
        plumb_base_text_add(e->out, ")");
        return;
    }
    plumb_base_text_add(e->out, sync == SYNC_WAIT ? "woken by" : verb);
    if (e->r->at) {
        plumb_base_text_add(e->out, " ");
        write_object(e, e->r->at);
    }
    if (e->r->known && answer_text(e, sync, answer))
        plumb_base_text_printf(e->out, " %s %s", arrow(e), answer);
}

/* ---- the rest ---- */

static void write_heap(const struct event *e)
{
    const struct explore_trace_block *const b =
        explore_trace_block_at(e->n, e->i, e->r->at);
    plumb_base_text_add(e->out, e->r->kind == TRACE_FREE ? "free " : "malloc ");
    if (!b) {
        struct binary_symbol_spot spot;
        explore_trace_spot(e->n, e->i, e->r->at, 0, &spot);
        plumb_base_text_add(e->out, spot.name);
        return;
    }
    explore_trace_block_name(e->n, b, e->out);
    if (b->from == e->i && b->before != TRACE_NONE) {
        plumb_base_text_add(e->out, " (memory of ");
        explore_trace_block_name(e->n, e->n->block + b->before, e->out);
        plumb_base_text_add(e->out, ")");
    }
}

static void write_choice(const struct event *e)
{
    plumb_base_text_printf(e->out, "%s %s %llu",
                           e->name[0] ? e->name : "choice", arrow(e),
                           (unsigned long long)e->r->after);
}

static void write_enter(const struct event *e)
{
    const uint64_t base = e->n->job->memory.base, at = e->r->at;
    struct binary_symbol_place place = { 0 };
    if (e->n->symbols && at >= base)
        binary_symbols_place(e->n->symbols, at - base, &place);
    const char *const name = place.caller[0] ? place.caller : place.function;
    plumb_base_text_printf(e->out, "%s()", name[0] ? name : "a function");
}

static void write_thread(const struct event *e)
{
    char name[TRACE_THREAD_NAME];
    plumb_base_text_printf(
        e->out, "%s %s", words[e->r->kind],
        explore_trace_thread(e->n->job, (unsigned)e->r->after, name));
}

/* Calls and returns are for explore_trace_operation_text(). */
void explore_trace_event_text(const struct explore_trace_names *n, uint32_t i,
                              struct plumb_base_text *out)
{
    static void (*const writer[])(const struct event *e) = {
        [TRACE_READ] = write_access,   [TRACE_WRITE] = write_access,
        [TRACE_LOAD] = write_access,   [TRACE_STORE] = write_access,
        [TRACE_MODIFY] = write_modify, [TRACE_CAS] = write_cas,
        [TRACE_SYNC] = write_sync,     [TRACE_CHOICE] = write_choice,
        [TRACE_ALLOCATE] = write_heap, [TRACE_FREE] = write_heap,
        [TRACE_ENTER] = write_enter,   [TRACE_SPAWN] = write_thread,
        [TRACE_JOIN] = write_thread,   [TRACE_OUTPUT] = NULL,
    };
    const struct job_trace_record *const r = n->job->record + i;
    struct event e = { .n = n, .i = i, .r = r, .out = out };
    assert(r->kind <= TRACE_OUTPUT);
    copy_name(r, e.name);
    if (r->kind <= TRACE_CAS)
        explore_trace_spot(n, i, r->at, r->size, &e.spot);
    if (writer[r->kind])
        writer[r->kind](&e);
    else if (words[r->kind])
        plumb_base_text_add(out, words[r->kind]);
}

/* ---- operations ---- */

static void write_entry_value(const struct plumb_record_entry *e, unsigned i,
                              struct plumb_base_text *out)
{
    const struct plumb_value v = e->value[i];
    switch (v.tag) {
    case PLUMB_NIL:
        plumb_base_text_add(out, "nil");
        return;
    case PLUMB_BOOL:
        plumb_base_text_add(out, v.bits ? "true" : "false");
        return;
    case PLUMB_STR:
        if (v.bits < sizeof e->text)
            plumb_base_text_printf(out, "%.*s", (int)(sizeof e->text - v.bits),
                                   e->text + v.bits);
        return;
    default:
        plumb_base_text_printf(out, "%lld", (long long)v.bits);
        return;
    }
}

static void write_values(const struct plumb_record_entry *e, unsigned from,
                         unsigned count, struct plumb_base_text *out)
{
    const unsigned most = sizeof e->value / sizeof *e->value;
    for (unsigned i = from; i < from + count && i < most; i++) {
        if (i > from)
            plumb_base_text_add(out, ",");
        write_entry_value(e, i, out);
    }
}

static void write_answer(const struct plumb_record_entry *e,
                         struct plumb_base_text *out)
{
    if (e->term[0] || e->nres == 0)
        plumb_base_text_printf(out, "%.*s", (int)sizeof e->term,
                               e->term[0] ? e->term : "ok");
    if (e->nres == 0)
        return;
    if (e->term[0] || e->nres > 1)
        plumb_base_text_add(out, "(");
    write_values(e, e->nargs, e->nres, out);
    if (e->term[0] || e->nres > 1)
        plumb_base_text_add(out, ")");
}

void explore_trace_entry_text(const char *name,
                              const struct plumb_record_entry *e, bool answer,
                              struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "%s(", name);
    write_values(e, 0, e->nargs, out);
    plumb_base_text_add(out, ")");
    if (!answer)
        return;
    plumb_base_text_add(out, " = ");
    write_answer(e, out);
}

void explore_trace_operation_text(const struct job *job,
                                  const struct job_finding *finding,
                                  uint64_t op, bool answer,
                                  struct plumb_base_text *out)
{
    const struct plumb_record_entry *const e =
        finding && op < JOB_OPERATIONS ? &finding->entry[op] : NULL;
    if (!e || e->operation >= PLUMB_MAX_OPERATIONS ||
        !job->target.operation[e->operation].name[0]) {
        plumb_base_text_printf(out, "operation %llu",
                               (unsigned long long)op + 1);
        return;
    }
    char name[sizeof job->target.operation[0].name + 1];
    snprintf(name, sizeof name, "%.*s",
             (int)sizeof job->target.operation[0].name,
             job->target.operation[e->operation].name);
    explore_trace_entry_text(name, e, answer, out);
}
