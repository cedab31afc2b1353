/* oracle_claims.c - the columns of docs/specifications.md that are not
 * behaviour: read-only, belongs to, closed, by key.  closure.c tests them by
 * brute force against the behaviour in oracle_types.c. */
#include "oracle_types.h"
#include <stddef.h>

static bool is_ok(const struct oracle_answer *answer)
{
    return answer && answer->term == TERM_OK;
}

static bool says(const struct oracle_answer *answer, bool b)
{
    const struct oracle_value v = oracle_bool(b);
    return is_ok(answer) && answer->nres == 1 &&
           oracle_same(&answer->res[0], &v);
}

static bool is_zero(const struct oracle_value *v)
{
    const struct oracle_value zero = oracle_int(0);
    return oracle_same(v, &zero);
}

bool oracle_reads(const struct oracle_spec *spec,
                  const struct oracle_call *call,
                  const struct oracle_answer *answer)
{
    switch (call->op) {
    case OP_PEEK:
    case OP_PEEK_FRONT:
    case OP_PEEK_BACK:
    case OP_MIN:
    case OP_MEMBER:
    case OP_COUNT:
    case OP_GET:
    case OP_READ:
        return true;
    case OP_ADD:
    case OP_FETCH_ADD:
        return is_zero(&call->arg[0]);
    case OP_CAS:
        return oracle_same(&call->arg[0], &call->arg[1]) || says(answer, false);
    case OP_SWAP:
        return is_ok(answer) && oracle_same(&call->arg[0], &answer->res[0]);
    default:
        break;
    }
    if (answer && !is_ok(answer)) /* full, empty, none */
        return true;
    return oracle_answers_boolean(spec, call->op) && says(answer, false);
}

static bool owner_of_item(const struct oracle_call *call,
                          const struct oracle_answer *answer,
                          struct oracle_value *value)
{
    if (call->nargs) {
        *value = call->arg[call->nargs - 1];
        return true;
    }
    if (!is_ok(answer) || !answer->nres)
        return false;
    *value = answer->res[answer->nres - 1];
    return true;
}

bool oracle_owner(const struct oracle_spec *spec,
                  const struct oracle_call *call,
                  const struct oracle_answer *answer,
                  struct oracle_value *value)
{
    switch (spec->type) {
    case ORACLE_COUNTER:
    case ORACLE_SEMAPHORE:
    case ORACLE_MUTEX:
        return false;
    case ORACLE_MAP:
        *value = call->arg[0];
        return true;
    case ORACLE_REGISTER:
        return call->op != OP_CAS && call->op != OP_SWAP &&
               owner_of_item(call, answer, value);
    default:
        return owner_of_item(call, answer, value);
    }
}

bool oracle_closed(const struct oracle_spec *spec, bool exchanges)
{
    switch (spec->type) {
    case ORACLE_COUNTER:
    case ORACLE_SEMAPHORE:
    case ORACLE_MUTEX:
        return false;
    case ORACLE_REGISTER:
        return !exchanges;
    default:
        return !spec->cap && !spec->segment;
    }
}

bool oracle_closed_but_full(const struct oracle_spec *spec)
{
    return spec->cap && !spec->segment;
}

bool oracle_by_key(const struct oracle_spec *spec)
{
    return spec->type == ORACLE_SET || spec->type == ORACLE_MULTISET ||
           spec->type == ORACLE_MAP;
}
