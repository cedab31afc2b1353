/* trace_words.c - a record of a trace in words. */
#include "trace_rows.h"

#include "base/range.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { NAME_COLUMNS = 32, LOOK_AHEAD = 4096, TRACE_ANSWER = 16 };

/* ---- names ---- */

/* A long name keeps its beginning and, as that tells more, its end. */
static void write_name(const struct explore_trace_names *n, const char *name,
                       struct plumb_base_text *out)
{
    const size_t size = strlen(name);
    const size_t head = NAME_COLUMNS / 3, tail = NAME_COLUMNS - head - 1;
    if (size <= NAME_COLUMNS)
        plumb_base_text_add(out, name);
    else
        plumb_base_text_printf(out, "%.*s%s%s", (int)head, name,
                               n->ascii ? ".." : "…", name + size - tail);
}

static const char *arrow(const struct explore_trace_names *n)
{
    return n->ascii ? "->" : "→";
}

static const char *arrow_back(const struct explore_trace_names *n)
{
    return n->ascii ? "<-" : "←";
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

/* A plain write is recorded before it is done.  What it wrote is what the next
 * access to the same bytes finds. */
static bool find_written(const struct explore_trace_names *n, uint32_t i,
                         uint64_t *value)
{
    const struct job_trace_record *const w = n->job->record + i;
    for (uint32_t k = i + 1; k < n->count && k - i < LOOK_AHEAD; k++) {
        const struct job_trace_record *const r = n->job->record + k;
        if (r->kind == TRACE_FREE && r->at == w->at)
            return false;
        if (r->kind > TRACE_CAS || !overlap(w, r))
            continue;
        *value = r->before;
        return r->at == w->at && r->size == w->size && r->size <= 8 &&
               (r->known || r->kind == TRACE_WRITE);
    }
    return false;
}

static void write_access(const struct explore_trace_names *n, uint32_t i,
                         const char *verb, bool back,
                         struct plumb_base_text *out)
{
    const struct job_trace_record *const r = n->job->record + i;
    struct binary_symbol_spot spot;
    uint64_t value = r->after;
    explore_trace_spot(n, i, r->at, r->size, &spot);
    plumb_base_text_printf(out, "%s ", verb);
    write_name(n, spot.name, out);
    if (!r->known && !(back && find_written(n, i, &value)))
        return;
    plumb_base_text_printf(out, " %s ", back ? arrow_back(n) : arrow(n));
    explore_trace_value(n, i, &spot, r->size, value, out);
}

/* Some functions read, too, and go on by what they find. */
static void write_load(const struct explore_trace_names *n, uint32_t i,
                       struct plumb_base_text *out)
{
    char name[sizeof n->job->record->name + 1];
    copy_name(n->job->record + i, name);
    if (name[0])
        plumb_base_text_printf(out, "%s ", name);
    write_access(n, i, name[0] ? "reads" : "load", false, out);
}

static void write_change(const struct explore_trace_names *n, uint32_t i,
                         const struct binary_symbol_spot *spot, uint64_t from,
                         struct plumb_base_text *out)
{
    const struct job_trace_record *const r = n->job->record + i;
    explore_trace_value(n, i, spot, r->size, from, out);
    plumb_base_text_add(out, arrow(n));
    explore_trace_value(n, i, spot, r->size, r->after, out);
}

static void write_cas(const struct explore_trace_names *n, uint32_t i,
                      struct plumb_base_text *out)
{
    const struct job_trace_record *const r = n->job->record + i;
    struct binary_symbol_spot spot;
    explore_trace_spot(n, i, r->at, r->size, &spot);
    plumb_base_text_add(out, "cas ");
    write_name(n, spot.name, out);
    if (!r->known)
        return;
    plumb_base_text_add(out, " ");
    write_change(n, i, &spot, r->expected, out);
    if (r->before != r->expected) {
        plumb_base_text_add(out, " failed (was ");
        explore_trace_value(n, i, &spot, r->size, r->before, out);
        plumb_base_text_add(out, ")");
    } else if (r->size <= 8) /* of wider ones half is known */
        plumb_base_text_add(out, " ok");
}

/* Which function it was is recorded for some only. */
static void write_modify(const struct explore_trace_names *n, uint32_t i,
                         struct plumb_base_text *out)
{
    const struct job_trace_record *const r = n->job->record + i;
    char name[sizeof r->name + 1];
    struct binary_symbol_spot spot;
    explore_trace_spot(n, i, r->at, r->size, &spot);
    copy_name(r, name);
    if (!name[0])
        snprintf(name, sizeof name, "%s",
                 spot.shape == SHAPE_POINTER || spot.shape == SHAPE_BOOL
                     ? "exchange"
                     : "update");
    plumb_base_text_printf(out, "%s ", name);
    write_name(n, spot.name, out);
    if (!r->known)
        return;
    plumb_base_text_add(out, " ");
    write_change(n, i, &spot, r->before, out);
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

enum explore_trace_sync explore_trace_sync_of(const struct job_trace_record *r)
{
    char name[sizeof r->name + 1];
    enum explore_trace_sync sync;
    copy_name(r, name);
    verb_of(name, &sync);
    return r->kind == TRACE_SYNC ? sync : SYNC_OTHER;
}

static const char *error_name(int64_t error)
{
    switch (error) {
    case EBUSY:
        return "busy";
    case ETIMEDOUT:
        return "timed out";
    case EAGAIN:
        return "EAGAIN";
    case EDEADLK:
        return "EDEADLK";
    case EPERM:
        return "EPERM";
    case EINVAL:
        return "EINVAL";
    case EOVERFLOW:
        return "EOVERFLOW";
    default:
        return NULL;
    }
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
    return n->job->memory.end[r->thread].pc == r->pc &&
                   n->job->memory.end[r->thread].kind == PLUMB_EVENT_SYNC
               ? n->job->memory.end[r->thread].at
               : 0;
}

static void write_object(const struct explore_trace_names *n, uint32_t i,
                         uint64_t at, struct plumb_base_text *out)
{
    struct binary_symbol_spot spot;
    explore_trace_spot(n, i, at, 0, &spot);
    write_name(n, spot.name, out);
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

static bool answer_text(const struct job_trace_record *r, const char *name,
                        enum explore_trace_sync sync, char text[TRACE_ANSWER])
{
    const int answer = (int)(uint32_t)r->after;
    switch ((enum job_trace_answer)r->answer) {
    case ANSWER_WOKEN:
        if (answer)
            snprintf(text, TRACE_ANSWER, "wakes %d", answer);
        else
            snprintf(text, TRACE_ANSWER, "wakes nobody");
        return true;
    case ANSWER_CHOSEN:
        snprintf(text, TRACE_ANSWER, "%s",
                 strstr(name, "barrier") ? "serial thread" : "initialises");
        return answer != 0;
    default:
        return error_text(answer, name, sync, text);
    }
}

static void write_sync(const struct explore_trace_names *n, uint32_t i,
                       struct plumb_base_text *out)
{
    const struct job_trace_record *const r = n->job->record + i;
    char name[sizeof r->name + 1];
    enum explore_trace_sync sync;
    copy_name(r, name);
    const char *const verb = verb_of(name, &sync);
    const uint64_t condition = sync == SYNC_UNLOCK ? waits_for(n, i) : 0;
    if (condition) {
        plumb_base_text_add(out, "wait ");
        write_object(n, i, condition, out);
        plumb_base_text_add(out, " (unlock ");
        write_object(n, i, r->at, out);
        plumb_base_text_add(out, ")");
        return;
    }
    plumb_base_text_add(out, sync == SYNC_WAIT ? "woken by" : verb);
    if (r->at) {
        plumb_base_text_add(out, " ");
        write_object(n, i, r->at, out);
    }
    char answer[TRACE_ANSWER];
    if (r->known && answer_text(r, name, sync, answer))
        plumb_base_text_printf(out, " %s %s", arrow(n), answer);
}

/* ---- the rest ---- */

static void write_heap(const struct explore_trace_names *n, uint32_t i,
                       struct plumb_base_text *out)
{
    const struct job_trace_record *const r = n->job->record + i;
    const struct explore_trace_block *const b =
        explore_trace_block_at(n, i, r->at);
    plumb_base_text_add(out, r->kind == TRACE_FREE ? "free " : "malloc ");
    if (!b) {
        struct binary_symbol_spot spot;
        explore_trace_spot(n, i, r->at, 0, &spot);
        plumb_base_text_add(out, spot.name);
        return;
    }
    explore_trace_block_name(n, b, out);
    if (b->from == i && b->before != TRACE_NONE) {
        plumb_base_text_add(out, " (memory of ");
        explore_trace_block_name(n, n->block + b->before, out);
        plumb_base_text_add(out, ")");
    }
}

static void write_choice(const struct explore_trace_names *n, uint32_t i,
                         struct plumb_base_text *out)
{
    const struct job_trace_record *const r = n->job->record + i;
    char name[sizeof r->name + 1];
    copy_name(r, name);
    plumb_base_text_printf(out, "%s %s %llu", name[0] ? name : "choice",
                           arrow(n), (unsigned long long)r->after);
}

static void write_enter(const struct explore_trace_names *n, uint32_t i,
                        struct plumb_base_text *out)
{
    const struct job_trace_record *const r = n->job->record + i;
    const uint64_t base = n->job->memory.base;
    struct binary_symbol_place place = { 0 };
    if (n->symbols && r->at >= base)
        binary_symbols_place(n->symbols, r->at - base, &place);
    const char *const name = place.caller[0] ? place.caller : place.function;
    plumb_base_text_printf(out, "%s()", name[0] ? name : "a function");
}

void explore_trace_event_text(const struct explore_trace_names *n, uint32_t i,
                              struct plumb_base_text *out)
{
    const struct job_trace_record *const r = n->job->record + i;
    char name[TRACE_THREAD_NAME];
    switch ((enum job_trace_kind)r->kind) {
    case TRACE_READ:
        write_access(n, i, "read", false, out);
        return;
    case TRACE_WRITE:
        write_access(n, i, "write", true, out);
        return;
    case TRACE_LOAD:
        write_load(n, i, out);
        return;
    case TRACE_STORE:
        write_access(n, i, "store", true, out);
        return;
    case TRACE_MODIFY:
        write_modify(n, i, out);
        return;
    case TRACE_CAS:
        write_cas(n, i, out);
        return;
    case TRACE_SYNC:
        write_sync(n, i, out);
        return;
    case TRACE_CHOICE:
        write_choice(n, i, out);
        return;
    case TRACE_ALLOCATE:
    case TRACE_FREE:
        write_heap(n, i, out);
        return;
    case TRACE_ENTER:
        write_enter(n, i, out);
        return;
    case TRACE_FENCE:
        plumb_base_text_add(out, "fence");
        return;
    case TRACE_YIELD:
        plumb_base_text_add(out, "yield");
        return;
    case TRACE_SPAWN:
    case TRACE_JOIN:
        plumb_base_text_printf(
            out, "%s %s", r->kind == TRACE_SPAWN ? "start" : "join",
            explore_trace_thread(n->job, (unsigned)r->after, name));
        return;
    case TRACE_END:
        plumb_base_text_add(out, "end");
        return;
    case TRACE_OUTPUT:
        plumb_base_text_add(out, "print");
        return;
    case TRACE_LEAVE:
        plumb_base_text_add(out, "return");
        return;
    case TRACE_CALL:
    case TRACE_RETURN: /* explore_trace_operation_text() */
        return;
    }
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
    plumb_base_text_printf(out, "%.*s(",
                           (int)sizeof job->target.operation[0].name,
                           job->target.operation[e->operation].name);
    write_values(e, 0, e->nargs, out);
    plumb_base_text_add(out, ")");
    if (!answer)
        return;
    plumb_base_text_add(out, " = ");
    write_answer(e, out);
}
