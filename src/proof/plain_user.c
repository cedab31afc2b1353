/* plain_user.c - a user's specification as a plain type.
 *
 * bytes: the user's struct.  Nothing is known about the operations: none is
 * read-only, none belongs to a value, and the thread may matter.
 * number: 1 after a step of which the specification says that nobody knows it;
 * the bytes are zeros then. */
#include "plain.h"

#include "base/fail.h"
#include "base/memory.h"
#include <string.h>

enum { MOST_OPERATIONS = 10000 };

static bool init(struct plumb_proof_plain *p, struct plumb_proof_plain_state *s)
{
    if (p->user->init)
        p->user->init(s->bytes);
    return true;
}

static unsigned choose(void *chooser, unsigned n)
{
    const struct plumb_proof_plain_call *const c = chooser;
    return n < 2 ? 0 : c->choose(c->chooser, n);
}

/* Nobody knows what becomes of it. */
static enum plumb_proof_plain_result go_astray(
    const struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    struct plumb_proof_plain_reply *r)
{
    if (!p->lenient)
        return PLAIN_BLOCKS;
    s->number = 1;
    if (s->bytes)
        memset(s->bytes, 0, p->state_size);
    r->anything = true;
    return plumb_proof_plain_answer(r, "unknown");
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    struct plumb_proof_plain_call mine = *c;
    const struct plumb_call call = {
        .op = c->operation->kind,
        .nargs = c->nargs,
        .args = c->args,
        .thread = c->thread,
        .choose = choose,
        .chooser = &mine,
        .symbols = p->symbols,
        .spec = p->user,
    };
    struct plumb_reply reply = { .term = NULL };
    if (s->number)
        return go_astray(p, s, r);
    if (!p->user->step(s->bytes, &call, &reply))
        return PLAIN_BLOCKS;
    if (reply.nres == PLUMB_REPLY_UNKNOWN)
        return go_astray(p, s, r);
    r->term = reply.term ? reply.term : "ok";
    r->nres = reply.nres;
    if (r->nres > PLUMB_MAX_RESULTS)
        r->nres = PLUMB_MAX_RESULTS;
    memcpy(r->res, reply.res, r->nres * sizeof *r->res);
    return PLAIN_RETURNS;
}

/* "enq/1" */
static bool read_operation(const char *text, unsigned kind,
                           struct plumb_proof_plain_operation *o)
{
    const char *const slash = strchr(text, '/');
    unsigned nargs = 0;
    if (!slash || slash == text || !slash[1])
        return false;
    for (const char *digit = slash + 1; *digit; digit++) {
        if (*digit < '0' || *digit > '9' || nargs > UINT8_MAX)
            return false;
        nargs = 10 * nargs + (unsigned)(*digit - '0');
    }
    if (nargs > UINT8_MAX)
        return false;
    *o = (struct plumb_proof_plain_operation){
        .names = text,
        .kind = kind,
        .least = (uint8_t)nargs,
        .most = (uint8_t)nargs,
    };
    return true;
}

enum plumb_status plumb_proof_plain_adapt_user(struct plumb_proof_plain *p,
                                               struct plumb_error *err)
{
    const struct plumb_user_spec *const u = p->user;
    unsigned count = 0;
    if (u->version != PLUMB_SPEC_VERSION || !u->step || !u->ops)
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "the specification has an unsupported version, "
                               "or lacks ops or step");
    while (count < MOST_OPERATIONS && u->ops[count])
        count++;
    p->own_operations =
        plumb_base_alloc_zeroed(p->budget, count * sizeof *p->own_operations);
    if (!p->own_operations)
        return plumb_base_fail_memory(err);
    p->own_type = (struct plumb_proof_plain_type){
        .names = "",
        .parameters = "",
        .operation = p->own_operations,
        .operations = count,
        .changes_first = true,
        .looks_at_thread = true,
        .init = init,
        .perform = perform,
    };
    p->type = &p->own_type;
    p->state_size = u->state_size;
    for (unsigned i = 0; i < count; i++)
        if (!read_operation(u->ops[i], i, p->own_operations + i))
            return plumb_base_fail(
                err, PLUMB_EINPUT, 0, 0,
                "operation \"%.60s\" of the specification is "
                "not of the form name/arguments",
                u->ops[i]);
    return PLUMB_OK;
}
