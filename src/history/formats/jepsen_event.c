/* jepsen_event.c - from Jepsen's events to calls and responses. */
#include "jepsen_event.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/spelling.h"
#include "history/builder.h"
#include "lines.h"
#include <assert.h>
#include <string.h>

enum plumb_history_jepsen_type plumb_history_jepsen_type_of(const char *text,
                                                            size_t length)
{
    static const char *const name[] = { "invoke", "ok", "fail", "info" };
    for (int i = 0; i < 4; i++)
        if (plumb_base_is_word(text, length, name[i]))
            return (enum plumb_history_jepsen_type)i;
    return PLUMB_JEPSEN_NO_TYPE;
}

/* ---- which specification the functions suggest ---- */

enum {
    SEEN_READ = 1,
    SEEN_WRITE = 2,
    SEEN_CAS = 4,
    SEEN_LOCK = 8,
    SEEN_QUEUE = 16,
    SEEN_KEYED = 32,
    SEEN_OTHER = 64
};

static unsigned seen_bit(const struct plumb_history_jepsen_op *op)
{
    static const struct {
        const char *name;
        bool keyed;
        unsigned bit;
    } table[] = {
        { "read", false, SEEN_READ },     { "write", false, SEEN_WRITE },
        { "cas", false, SEEN_CAS },       { "get", true, SEEN_KEYED },
        { "put", true, SEEN_KEYED },      { "append", true, SEEN_KEYED },
        { "acquire", false, SEEN_LOCK },  { "release", false, SEEN_LOCK },
        { "enqueue", false, SEEN_QUEUE }, { "dequeue", false, SEEN_QUEUE },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].keyed == op->has_key &&
            plumb_base_is_word(op->function, op->function_length,
                               table[i].name))
            return table[i].bit;
    return SEEN_OTHER;
}

static const char *hint_for(unsigned seen)
{
    if (!seen)
        return NULL;
    if (!(seen & ~(unsigned)(SEEN_READ | SEEN_WRITE | SEEN_CAS)))
        return "cas-register";
    return seen == SEEN_KEYED   ? "map:init=\"\""
           : seen == SEEN_LOCK  ? "mutex"
           : seen == SEEN_QUEUE ? "queue"
                                : NULL;
}

bool plumb_history_jepsen_hint(struct plumb_history_jepsen *j, bool good)
{
    const char *const hint = hint_for(j->known->seen);
    const uint32_t symbol =
        hint ? plumb_builder_symbol(j->builder, hint, strlen(hint)) : 0;
    if (symbol != UINT32_MAX)
        plumb_builder_spec(j->builder, symbol);
    else if (good)
        return plumb_history_fail_memory(j->err);
    return good;
}

/* ---- histories ---- */

bool plumb_history_jepsen_begin(struct plumb_history_jepsen *j,
                                const struct plumb_reader *r,
                                struct plumb_history_jepsen_known *known,
                                struct plumb_error *err)
{
    struct plumb_builder *const b = r->builder;
    *j = (struct plumb_history_jepsen){ .builder = b,
                                        .budget = r->budget,
                                        .err = err,
                                        .known = known,
                                        .signature = r->signature };
    return plumb_history_intern(b, "ok", 2, &j->ok, err) &&
           plumb_history_intern(b, "empty", 5, &j->empty, err) &&
           plumb_history_intern(b, "object", 6, &j->object, err);
}

/* A stream may have new processes for ever, so all times are forgotten when there
 * are so many: a clock that runs backwards just then goes unnoticed. */
enum { MOST_TIMES = 1 << 16 };

static void forget_times(struct plumb_history_process_times *t,
                         struct plumb_budget *budget)
{
    if (t->times)
        plumb_base_pairs_release(&t->process);
    PLUMB_RELEASE(budget, t->time, t->times);
    *t = (struct plumb_history_process_times){ .time = NULL };
}

/* The time of its last event, to be changed; `*known` is false if it had none.
 * NULL when memory is used up. */
static int64_t *time_of(struct plumb_history_process_times *t,
                        struct plumb_budget *budget, const char *process,
                        size_t length, bool *known)
{
    const uint64_t hash = plumb_base_hash_bytes(process, length);
    const struct plumb_base_pair p = { (uint32_t)(hash >> 32), (uint32_t)hash };
    if (t->process.count == MOST_TIMES)
        forget_times(t, budget);
    if (!t->times)
        plumb_base_pairs_init(&t->process, budget);
    const uint32_t before = t->process.count;
    if (!PLUMB_GROW(budget, t->time, t->times, (size_t)before + 1))
        return NULL;
    const uint32_t number = plumb_base_pairs_number(&t->process, p);
    *known = number < before;
    return number == UINT32_MAX ? NULL : t->time + number;
}

void plumb_history_jepsen_forget(struct plumb_reader *r)
{
    struct plumb_history_jepsen_known *const known = r->state;
    forget_times(&known->times, r->budget);
}

enum plumb_status plumb_history_jepsen_next(struct plumb_reader *r,
                                            plumb_history_jepsen_reading *read,
                                            struct plumb_error *err)
{
    const struct plumb_reader before = *r;
    struct plumb_history_jepsen_known *const known = r->state;
    /* all of the history is there, and no specification has decided already */
    const bool again = !r->more && !known->any && !r->signature.takes;
    const enum plumb_status status = read(r, err);
    if (status != PLUMB_EINPUT || known->shape != PLUMB_JEPSEN_MIXED || !again)
        return status;
    plumb_builder_reset(r->builder);
    plumb_history_reader_begin(r);
    *r = before;
    known->shape = PLUMB_JEPSEN_KEYED;
    return read(r, err);
}

static bool has_open_call(const struct plumb_history_jepsen *j,
                          const char *process, size_t length)
{
    const uint32_t symbol =
        plumb_symbol_find(&j->builder->a->symbols, process, length);
    return symbol != UINT32_MAX &&
           plumb_builder_open_call(j->builder, symbol, NULL);
}

/* Jepsen numbers its clients, Knossos names them at will.  The nemesis, and
 * others that only have something to tell, say :info without a call. */
bool plumb_history_jepsen_is_client(const struct plumb_history_jepsen *j,
                                    const char *process, size_t length,
                                    bool is_number,
                                    enum plumb_history_jepsen_type type)
{
    if (is_number)
        return true;
    if (type == PLUMB_JEPSEN_NO_TYPE ||
        plumb_base_is_word(process, length, "nemesis") ||
        plumb_base_is_word(process, length, "nil"))
        return false;
    return type != PLUMB_JEPSEN_INFO || has_open_call(j, process, length);
}

/* ---- calls ---- */

/* Jepsen's clients note the time before they get to the journal, so only the
 * events of one client are in the order of their times. */
static bool check_time(struct plumb_history_jepsen *j,
                       const struct plumb_history_jepsen_op *op)
{
    bool known;
    if (!op->has_time)
        return true;
    int64_t *const last = time_of(&j->known->times, j->budget, op->process,
                                  op->process_length, &known);
    if (!last)
        return plumb_history_fail_memory(j->err);
    if (known && op->time < *last)
        return plumb_history_fail(
            j->err, op->time_origin, "time runs backwards in process %s",
            plumb_history_quote(op->process, op->process_length).text);
    *last = op->time;
    return true;
}

static bool is_nil(const struct plumb_history_edn_values *values)
{
    return values->count == 1 && values->v[0].tag == PLUMB_NIL;
}

/* Nil stands for "no argument", except where a value is what is added. */
static bool takes_values(const struct plumb_history_jepsen_op *op)
{
    return op->role == PLUMB_ROLE_ADD || !is_nil(op->values);
}

static bool call(struct plumb_history_jepsen *j,
                 const struct plumb_history_jepsen_op *op, uint32_t process,
                 uint32_t name)
{
    struct plumb_value args[1 + sizeof op->values->v / sizeof *op->values->v];
    const uint32_t object = op->has_part ? op->part : j->object;
    size_t nargs = 0;
    if (op->has_key)
        args[nargs++] = op->key;
    if (takes_values(op)) {
        memcpy(args + nargs, op->values->v, op->values->count * sizeof *args);
        nargs += op->values->count;
    }
    return plumb_builder_call(j->builder, process, object, name, args, nargs,
                              &op->origin, j->err) == PLUMB_OK;
}

/* ---- responses ---- */

struct reply {
    uint32_t term;
    const struct plumb_value *results;
    size_t nres;
    struct plumb_value own;
};

static bool same_values(const struct plumb_history_edn_values *values,
                        const struct plumb_value *args, size_t nargs)
{
    if (values->count != nargs)
        return false;
    for (size_t i = 0; i < nargs; i++)
        if (!plumb_value_equal(values->v[i], args[i]))
            return false;
    return true;
}

/* Jepsen repeats the value of the call where there is nothing to tell. */
static bool tells_nothing(const struct plumb_history_jepsen_op *op,
                          const struct plumb_op *called,
                          const struct plumb_value *args)
{
    const size_t skip = op->has_key && called->nargs ? 1 : 0;
    return is_nil(op->values) ||
           same_values(op->values, args + skip, called->nargs - skip);
}

static void reply_of_cas(const struct plumb_history_jepsen_op *op,
                         struct reply *reply)
{
    const struct plumb_value first =
        op->values->count == 1 ? op->values->v[0] : plumb_nil();
    reply->own = first.tag == PLUMB_BOOL ? first : plumb_bool(true);
    reply->results = &reply->own;
    reply->nres = 1;
}

static void reply_of_ok(const struct plumb_history_jepsen *j,
                        const struct plumb_history_jepsen_op *op,
                        const struct plumb_op *called,
                        const struct plumb_value *args, struct reply *reply)
{
    *reply =
        (struct reply){ j->ok, op->values->v, op->values->count, plumb_nil() };
    /* remove(x) of a set takes nothing out */
    const enum plumb_history_role role =
        op->role == PLUMB_ROLE_TAKE && called->nargs ? PLUMB_ROLE_OTHER
                                                     : op->role;
    switch (role) {
    case PLUMB_ROLE_READ:
        return;
    case PLUMB_ROLE_TAKE:
        if (!is_nil(op->values) && !op->is_empty)
            return;
        reply->term = j->empty;
        reply->nres = 0;
        return;
    case PLUMB_ROLE_CAS:
        reply_of_cas(op, reply);
        return;
    case PLUMB_ROLE_LOCK:
        reply->nres = 0;
        return;
    default:
        if (tells_nothing(op, called, args))
            reply->nres = 0;
    }
}

static bool respond(struct plumb_history_jepsen *j,
                    const struct plumb_history_jepsen_op *op, uint32_t process,
                    uint32_t name)
{
    static const enum plumb_outcome outcomes[] = {
        [PLUMB_JEPSEN_OK] = PLUMB_OUTCOME_OK,
        [PLUMB_JEPSEN_FAIL] = PLUMB_OUTCOME_FAIL,
        [PLUMB_JEPSEN_INFO] = PLUMB_OUTCOME_INFO
    };
    assert(op->type != PLUMB_JEPSEN_INVOKE);
    const struct plumb_value *args = NULL;
    const struct plumb_op *const called =
        plumb_builder_open_call(j->builder, process, &args);
    if (called && called->name != name)
        return plumb_history_fail(
            j->err, op->origin,
            "process %s completes %s, but called another operation",
            plumb_history_quote(op->process, op->process_length).text,
            plumb_history_quote(op->function, op->function_length).text);

    uint32_t object = UINT32_MAX; /* the call told */
    struct reply reply = { .own = plumb_bool(false) };
    enum plumb_outcome outcome = outcomes[op->type];
    if (op->refused) {
        reply = (struct reply){ j->ok, &reply.own, 1, plumb_bool(false) };
        outcome = PLUMB_OUTCOME_OK;
    } else if (called && outcome == PLUMB_OUTCOME_OK) {
        reply_of_ok(j, op, called, args, &reply);
        object = op->has_part ? op->part : object;
    }
    return plumb_builder_respond(j->builder, process, object, outcome,
                                 reply.term, reply.results, reply.nres,
                                 &op->origin, j->err) == PLUMB_OK;
}

bool plumb_history_jepsen_add(struct plumb_history_jepsen *j,
                              const struct plumb_history_jepsen_op *op)
{
    uint32_t process, name;
    assert(op->type != PLUMB_JEPSEN_NO_TYPE);
    if (!plumb_history_intern(j->builder, op->process, op->process_length,
                              &process, j->err) ||
        !plumb_history_intern(j->builder, op->function, op->function_length,
                              &name, j->err) ||
        !check_time(j, op))
        return false;
    j->known->any = true;
    j->known->seen |= seen_bit(op);
    if (op->has_time)
        plumb_history_builder_time(j->builder,
                                   plumb_history_signed_time(op->time));
    return op->type == PLUMB_JEPSEN_INVOKE ? call(j, op, process, name)
                                           : respond(j, op, process, name);
}
