/* jepsenop.c - from Jepsen's events to calls and responses. */
#include "history/jepsenop.h"

#include "base/fail.h"
#include "base/memory.h"
#include "history/lines.h"
#include "history/roles.h"
#include <assert.h>
#include <string.h>

enum plumb_jepsen_type plumb_jepsen_type_of(const char *text, size_t length)
{
    static const char *const name[] = { "invoke", "ok", "fail", "info" };
    for (int i = 0; i < 4; i++)
        if (plumb_text_is(text, length, name[i]))
            return (enum plumb_jepsen_type)i;
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

static unsigned seen_bit(const struct plumb_jepsen_op *op)
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
            plumb_text_is(op->function, op->function_length, table[i].name))
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

enum plumb_status plumb_jepsen_hint(struct plumb_jepsen *j,
                                    struct plumb_error *err)
{
    const char *const hint = hint_for(j->seen);
    if (!hint)
        return PLUMB_OK;
    const uint32_t symbol =
        plumb_builder_symbol(j->builder, hint, strlen(hint));
    if (symbol == UINT32_MAX)
        return plumb_fail_memory(err);
    plumb_builder_spec(j->builder, symbol);
    return PLUMB_OK;
}

enum plumb_status plumb_jepsen_begin(struct plumb_jepsen *j,
                                     struct plumb_builder *builder,
                                     struct plumb_budget *budget,
                                     struct plumb_error *err)
{
    *j = (struct plumb_jepsen){
        .builder = builder,
        .budget = budget,
        .ok = plumb_builder_symbol(builder, "ok", 2),
        .empty = plumb_builder_symbol(builder, "empty", 5),
        .object = plumb_builder_symbol(builder, "object", 6),
    };
    if (j->ok == UINT32_MAX || j->empty == UINT32_MAX ||
        j->object == UINT32_MAX)
        return plumb_fail_memory(err);
    return PLUMB_OK;
}

void plumb_jepsen_end(struct plumb_jepsen *j)
{
    plumb_release(j->budget, j->process, j->capacity * sizeof *j->process);
    j->process = NULL;
    j->capacity = 0;
}

/* ---- calls ---- */

static struct plumb_jepsen_process *process_of(struct plumb_jepsen *j,
                                               uint32_t symbol)
{
    const size_t old = j->capacity;
    void *block = j->process;
    if (!plumb_grow(j->budget, &block, &j->capacity, (size_t)symbol + 1,
                    sizeof *j->process))
        return NULL;
    j->process = block;
    if (j->capacity > old)
        memset(j->process + old, 0, (j->capacity - old) * sizeof *j->process);
    return j->process + symbol;
}

/* Jepsen's clients note the time before they get to the journal, so only the
 * events of one client are in the order of their times. */
static enum plumb_status check_time(struct plumb_jepsen_process *p,
                                    const struct plumb_jepsen_op *op,
                                    struct plumb_error *err)
{
    if (!op->has_time)
        return PLUMB_OK;
    if (p->has_time && op->time < p->time)
        return plumb_fail(err, PLUMB_EINPUT, op->time_origin.line,
                          op->time_origin.column,
                          "time runs backwards in process %s",
                          plumb_quote(op->process, op->process_length).text);
    p->has_time = true;
    p->time = op->time;
    return PLUMB_OK;
}

static bool is_nil(const struct plumb_edn_values *values)
{
    return values->count == 1 && values->v[0].tag == PLUMB_NIL;
}

/* Nil stands for "no argument", except where a value is what is added. */
static bool takes_values(enum plumb_role role, const struct plumb_jepsen_op *op)
{
    return role == PLUMB_ROLE_ADD ||
           (role != PLUMB_ROLE_LOCK && !is_nil(op->values));
}

static enum plumb_status call(struct plumb_jepsen *j,
                              const struct plumb_jepsen_op *op,
                              uint32_t process, uint32_t name,
                              enum plumb_role role, struct plumb_error *err)
{
    struct plumb_value args[1 + sizeof op->values->v / sizeof *op->values->v];
    const uint32_t object = op->has_part ? op->part : j->object;
    size_t nargs = 0;
    if (op->has_key)
        args[nargs++] = op->key;
    if (takes_values(role, op)) {
        memcpy(args + nargs, op->values->v, op->values->count * sizeof *args);
        nargs += op->values->count;
    }
    j->process[process].object = object;
    return plumb_builder_call(j->builder, process, object, name, args, nargs,
                              &op->origin, err);
}

/* ---- responses ---- */

struct reply {
    uint32_t term;
    const struct plumb_value *results;
    size_t nres;
    struct plumb_value own;
};

static bool same_values(const struct plumb_edn_values *values,
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
static bool tells_nothing(const struct plumb_jepsen_op *op,
                          const struct plumb_op *called,
                          const struct plumb_value *args)
{
    const size_t skip = op->has_key && called->nargs ? 1 : 0;
    return is_nil(op->values) ||
           same_values(op->values, args + skip, called->nargs - skip);
}

static void reply_of_cas(const struct plumb_jepsen_op *op, struct reply *reply)
{
    const struct plumb_value first =
        op->values->count == 1 ? op->values->v[0] : plumb_nil();
    reply->own = first.tag == PLUMB_BOOL ? first : plumb_bool(true);
    reply->results = &reply->own;
    reply->nres = 1;
}

static void reply_of_ok(const struct plumb_jepsen *j,
                        const struct plumb_jepsen_op *op, enum plumb_role role,
                        const struct plumb_op *called,
                        const struct plumb_value *args, struct reply *reply)
{
    *reply =
        (struct reply){ j->ok, op->values->v, op->values->count, plumb_nil() };
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

static enum plumb_status fail_other_function(const struct plumb_jepsen_op *op,
                                             struct plumb_error *err)
{
    return plumb_fail(err, PLUMB_EINPUT, op->origin.line, op->origin.column,
                      "process %s completes %s, which is not what it called",
                      plumb_quote(op->process, op->process_length).text,
                      plumb_quote(op->function, op->function_length).text);
}

static enum plumb_status respond(struct plumb_jepsen *j,
                                 const struct plumb_jepsen_op *op,
                                 uint32_t process, uint32_t name,
                                 enum plumb_role role, struct plumb_error *err)
{
    static const enum plumb_outcome outcomes[] = {
        [PLUMB_JEPSEN_OK] = PLUMB_OUTCOME_OK,
        [PLUMB_JEPSEN_FAIL] = PLUMB_OUTCOME_FAIL,
        [PLUMB_JEPSEN_INFO] = PLUMB_OUTCOME_INFO
    };
    const struct plumb_value *args = NULL;
    const struct plumb_op *const called =
        plumb_builder_open_call(j->builder, process, &args);
    if (called && called->name != name)
        return fail_other_function(op, err);

    uint32_t object = called ? j->process[process].object : j->object;
    struct reply reply = { .own = plumb_bool(false) };
    enum plumb_outcome outcome = outcomes[op->type];
    if (op->refused) {
        reply = (struct reply){ j->ok, &reply.own, 1, plumb_bool(false) };
        outcome = PLUMB_OUTCOME_OK;
    } else if (called && outcome == PLUMB_OUTCOME_OK) {
        reply_of_ok(j, op, role, called, args, &reply);
        object = op->has_part ? op->part : object;
    }
    return plumb_builder_respond(j->builder, process, object, outcome,
                                 reply.term, reply.results, reply.nres,
                                 &op->origin, err);
}

enum plumb_status plumb_jepsen_add(struct plumb_jepsen *j,
                                   const struct plumb_jepsen_op *op,
                                   struct plumb_error *err)
{
    assert(op->type != PLUMB_JEPSEN_NO_TYPE);
    const uint32_t process =
        plumb_builder_symbol(j->builder, op->process, op->process_length);
    const uint32_t name =
        plumb_builder_symbol(j->builder, op->function, op->function_length);
    if (process == UINT32_MAX || name == UINT32_MAX)
        return plumb_fail_memory(err);
    const enum plumb_role role =
        plumb_role_of(op->function, op->function_length);
    struct plumb_jepsen_process *const client = process_of(j, process);
    if (!client)
        return plumb_fail_memory(err);
    const enum plumb_status status = check_time(client, op, err);
    if (status != PLUMB_OK)
        return status;
    j->seen |= seen_bit(op);
    return op->type == PLUMB_JEPSEN_INVOKE
               ? call(j, op, process, name, role, err)
               : respond(j, op, process, name, role, err);
}
