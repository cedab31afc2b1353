/* log_history.c - from the logs of the processes to one history.
 *
 * Each log is in order already, so this is a merge.  The stamps (log.h) give
 * returns different times and let a call have the time of the return just
 * before it: at equal times the return comes first. */
#include "log_history.h"

#include "base/fail.h"
#include <stdio.h>
#include <string.h>

/* No clock gets there; and twice as much can be counted. */
#define STAMP_END (UINT64_C(1) << 62)

struct cursor {
    const struct plumb_record_entry *entry, *end;
    bool open;     /* the call of *entry is told, its return is next */
    bool unknown;  /* as in plumb_record_process_log                 */
    uint64_t last; /* the stamp of the last return, 0 before it      */
    uint32_t name;
};

struct merge {
    const struct plumb_record_recording *r;
    struct plumb_builder *b;
    struct plumb_error *err;
    struct cursor cursor[PLUMB_MAX_PROCESSES];
    uint32_t object;
};

static uint64_t return_time(const struct plumb_record_entry *e)
{
    return atomic_load_explicit(&e->ret, memory_order_relaxed);
}

/* Calls follow the return before them, returns their call, and nothing follows
 * a call that is open. */
static bool is_in_order(const struct cursor *c)
{
    const uint64_t call = c->entry->call, ret = return_time(c->entry);
    if (call < c->last || call >= STAMP_END)
        return false;
    return ret ? ret > call && ret < STAMP_END : c->entry + 1 == c->end;
}

/* The time of the cursor's next event, UINT64_MAX if there is none: twice the
 * stamp, plus one for a call.  What is out of order is to be found at once. */
static uint64_t next_time(const struct cursor *c)
{
    if (c->entry == c->end)
        return UINT64_MAX;
    if (!c->open)
        return is_in_order(c) ? 2 * c->entry->call + 1 : 0;
    const uint64_t ret = return_time(c->entry);
    return ret ? 2 * ret : UINT64_MAX;
}

static struct cursor *next_cursor(struct merge *m)
{
    struct cursor *first = NULL;
    uint64_t least = UINT64_MAX;
    for (unsigned p = 0; p < m->r->processes; p++) {
        const uint64_t time = next_time(&m->cursor[p]);
        if (time < least) {
            least = time;
            first = &m->cursor[p];
        }
    }
    return first;
}

enum plumb_status plumb_record_log_is_damaged(struct plumb_error *err)
{
    return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                           "the log of the history is damaged: the object "
                           "wrote to memory that it does not own");
}

static enum plumb_status flawed(const struct merge *m,
                                const struct plumb_record_entry *e)
{
    const char *const name = m->r->operation[e->operation];
    if (e->flaws & PLUMB_FLAW_RESULTS)
        return plumb_base_fail(m->err, PLUMB_EINPUT, 0, 0,
                               "%s returns more than %d results", name,
                               PLUMB_ENTRY_RESULTS);
    if (e->flaws & PLUMB_FLAW_TERM)
        return plumb_base_fail(m->err, PLUMB_EINPUT, 0, 0,
                               "a term of %s is longer than %d bytes", name,
                               PLUMB_ENTRY_TERM - 1);
    if (e->flaws & PLUMB_FLAW_TEXT)
        return plumb_base_fail(m->err, PLUMB_EINPUT, 0, 0,
                               "the texts of %s exceed %d bytes in total", name,
                               PLUMB_ENTRY_TEXT - 1);
    return plumb_base_fail(m->err, PLUMB_EINPUT, 0, 0,
                           "%s asks for an argument that it does not have, or "
                           "for a number where the argument is a text",
                           name);
}

static bool is_whole(const struct merge *m, const struct plumb_record_entry *e)
{
    return e->operation < m->r->operations && e->nargs <= PLUMB_MAX_ARGUMENTS &&
           e->nres <= PLUMB_ENTRY_RESULTS &&
           e->flaws < 2 * PLUMB_FLAW_ARGUMENT &&
           e->term[sizeof e->term - 1] == 0 && e->text[sizeof e->text - 1] == 0;
}

static bool convert_text(const struct merge *m,
                         const struct plumb_record_entry *e, uint64_t at,
                         struct plumb_value *to)
{
    if (at >= PLUMB_ENTRY_TEXT)
        return false;
    const char *const text = e->text + at;
    *to = plumb_str(plumb_builder_symbol(m->b, text, strlen(text)));
    return true;
}

/* The values with the texts as symbols; false if they are damaged. */
static bool convert(const struct merge *m, const struct plumb_record_entry *e,
                    const struct plumb_value *from, unsigned count,
                    struct plumb_value *to)
{
    for (unsigned i = 0; i < count; i++) {
        const uint64_t bits = from[i].bits;
        if (from[i].tag == PLUMB_INT)
            to[i] = plumb_int((int64_t)bits);
        else if (from[i].tag == PLUMB_BOOL && bits <= 1)
            to[i] = plumb_bool(bits);
        else if (from[i].tag != PLUMB_STR || !convert_text(m, e, bits, &to[i]))
            return false;
    }
    return true;
}

static enum plumb_status tell_call(struct merge *m, struct cursor *c)
{
    const struct plumb_record_entry *const e = c->entry;
    struct plumb_value args[PLUMB_MAX_ARGUMENTS];
    if (!is_whole(m, e) || !is_in_order(c))
        return plumb_record_log_is_damaged(m->err);
    if (e->flaws)
        return flawed(m, e);
    if (!convert(m, e, e->value, e->nargs, args))
        return plumb_record_log_is_damaged(m->err);
    const char *const name = m->r->operation[e->operation];
    c->open = true;
    return plumb_builder_call(m->b, c->name, m->object,
                              plumb_builder_symbol(m->b, name, strlen(name)),
                              args, e->nargs, NULL, m->err);
}

static enum plumb_status tell_return(struct merge *m, struct cursor *c)
{
    const struct plumb_record_entry *const e = c->entry++;
    struct plumb_value results[PLUMB_ENTRY_RESULTS];
    const char *const term = e->term[0] ? e->term : "ok";
    c->open = false;
    c->last = return_time(e);
    if (c->unknown)
        return plumb_builder_respond(m->b, c->name, m->object,
                                     PLUMB_OUTCOME_INFO, 0, NULL, 0, NULL,
                                     m->err);
    if (!convert(m, e, e->value + e->nargs, e->nres, results))
        return plumb_record_log_is_damaged(m->err);
    return plumb_builder_respond(m->b, c->name, m->object, PLUMB_OUTCOME_OK,
                                 plumb_builder_symbol(m->b, term, strlen(term)),
                                 results, e->nres, NULL, m->err);
}

static void begin(struct merge *m)
{
    const char *const object = m->r->object;
    plumb_builder_reset(m->b);
    m->object = plumb_builder_symbol(m->b, object, strlen(object));
    for (unsigned p = 0; p < m->r->processes; p++) {
        const struct plumb_record_process_log *const log = &m->r->process[p];
        char name[16];
        const int length = snprintf(name, sizeof name, "P%u", p + 1);
        m->cursor[p] = (struct cursor){
            .entry = log->entry,
            .end = log->entry + log->count,
            .unknown = log->unknown,
            .name = plumb_builder_symbol(m->b, name, (size_t)length),
        };
    }
}

enum plumb_status plumb_record_log_history(
    const struct plumb_record_recording *r, struct plumb_builder *b,
    struct plumb_history *h, struct plumb_error *err)
{
    struct merge m = { .r = r, .b = b, .err = err };
    struct cursor *c;
    begin(&m);
    while ((c = next_cursor(&m))) {
        const enum plumb_status status =
            c->open ? tell_return(&m, c) : tell_call(&m, c);
        if (status != PLUMB_OK)
            return status;
    }
    return plumb_builder_finish(b, PLUMB_TIES_CALL_FIRST, h, err);
}
