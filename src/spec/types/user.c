/* user.c - a specification written in C as a type like the others.
 *
 * Its states are bytes in the space's store.  A step copies them, has the
 * user's function change the copy, and keeps it if the reply is the one that
 * the history has.  Where the function chooses, it is run again for each
 * sequence of choices, depth first: all but the last choices are replayed.
 *
 * Such a specification declares nothing about itself, so no operation is taken
 * for read-only, none belongs to a value, and every step may branch.
 *
 * The unknown state is zeros, one more than the user's states have bytes. */
#include "base/fail.h"
#include "base/memory.h"
#include "spec/names.h"
#include "spec/values.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGS = UINT8_MAX };

/* The type made for a user's specification: one block, this and then ops[]
 * and the characters of their names. */
struct adapter {
    struct plumb_spec_type type;
    char any[MAX_ARGS + 1]; /* "vvv...": the shapes of arguments are its ends */
    struct plumb_spec_opdef ops[];
};

struct choice {
    unsigned chosen, of;
};

enum { POLL_EVERY = 256 };

struct user_space {
    struct plumb_budget *budget;
    void *state; /* the copy that the user's function works on */
    struct plumb_value arg[MAX_ARGS];
    struct choice *choice;
    size_t choices, at, capacity; /* those before `at` are being replayed */
    uint64_t steps;               /* of the user's function, for the polls */
    struct plumb_reply reply;     /* zeros behind what the last one used */
    bool failed;
};

/* ---- choices ---- */

static unsigned choose(void *chooser, unsigned n)
{
    struct user_space *const u = chooser;
    if (n <= 1 || u->failed)
        return 0;
    if (u->at == u->choices) {
        u->failed = !PLUMB_APPEND(u->budget, u->choice, u->choices, u->capacity,
                                  (struct choice){ 0, n });
        if (u->failed)
            return 0;
    }
    struct choice *const c = u->choice + u->at++;
    c->of = n;
    return c->chosen % n; /* below n, if the user's function is a function */
}

/* On to the next sequence of choices; false after the last. */
static bool choose_otherwise(struct user_space *u)
{
    while (u->choices) {
        struct choice *const last = u->choice + u->choices - 1;
        if (++last->chosen < last->of)
            return true;
        u->choices--;
    }
    return false;
}

/* ---- replies ---- */

/* A specification's true is the history's true, t and 1, as for the built-in
 * types; other values are equal iff they are the same. */
static bool is_result(const struct plumb_history *h, struct plumb_value reply,
                      struct plumb_value result)
{
    if (plumb_value_equal(reply, result))
        return true;
    return reply.tag == PLUMB_BOOL && plumb_spec_value_as_boolean(h, &result) &&
           plumb_value_equal(reply, result);
}

static bool is_reply(const struct plumb_spec_bound *bound,
                     const struct plumb_spec_action *a,
                     const struct plumb_reply *reply)
{
    const char *const term = reply->term ? reply->term : "ok";
    if (a->term == PLUMB_TERM_ANY)
        return true;
    const char *const wanted = bound->term[a->term];
    if (reply->nres != a->nres || reply->nres > PLUMB_MAX_RESULTS ||
        !plumb_spec_name_equal(term, strlen(term), wanted, strlen(wanted)))
        return false;
    for (unsigned i = 0; i < reply->nres; i++)
        if (!is_result(bound->history, reply->res[i], bound->value[a->res[i]]))
            return false;
    return true;
}

/* ---- the type ---- */

static bool open(struct plumb_spec_space *space)
{
    struct plumb_budget *const budget = space->arena.budget;
    struct user_space *const u =
        plumb_base_arena_zeroed(&space->arena, sizeof *u);
    if (!u)
        return false;
    u->budget = budget;
    u->state = plumb_base_arena_alloc(&space->arena,
                                      space->spec->user->state_size + 1);
    space->extra = u;
    return u->state;
}

static void close(struct plumb_spec_space *space)
{
    struct user_space *const u = space->extra;
    if (u)
        PLUMB_RELEASE(u->budget, u->choice, u->capacity);
}

static plumb_spec_state initial(struct plumb_spec_space *space)
{
    const struct plumb_user_spec *const user = space->spec->user;
    struct user_space *const u = space->extra;
    memset(u->state, 0, user->state_size);
    if (user->init)
        user->init(u->state);
    return plumb_spec_space_intern(space, u->state, (uint32_t)user->state_size);
}

static bool add_once(struct plumb_spec_states *out, size_t from,
                     plumb_spec_state s)
{
    for (size_t i = from; i < out->count; i++)
        if (out->state[i] == s)
            return true;
    return plumb_spec_states_made(out, s);
}

bool plumb_spec_is_unknown(const struct plumb_spec_space *space,
                           plumb_spec_state s)
{
    const struct plumb_user_spec *const user = space->spec->user;
    return user && space->size[s] != user->state_size;
}

/* What u->state and u->reply lead to, if they are what `a` answered. */
static bool add_outcome(struct plumb_spec_space *space,
                        const struct plumb_spec_action *a,
                        struct plumb_spec_states *out, size_t from)
{
    struct user_space *const u = space->extra;
    uint32_t size = (uint32_t)space->spec->user->state_size;
    const bool unknown = u->reply.nres == PLUMB_REPLY_UNKNOWN;
    if (unknown ? space->spec->strict : !is_reply(space->bound, a, &u->reply))
        return true;
    if (unknown) {
        space->unknown = true;
        memset(u->state, 0, ++size);
    }
    return add_once(out, from, plumb_spec_space_intern(space, u->state, size));
}

static struct plumb_call call_of(const struct plumb_spec_space *space,
                                 const struct plumb_spec_action *a)
{
    struct user_space *const u = space->extra;
    for (unsigned i = 0; i < a->nargs; i++)
        u->arg[i] = plumb_spec_vid_value(space, a->arg[i]);
    return (struct plumb_call){ .op = a->kind,
                                .nargs = a->nargs,
                                .args = u->arg,
                                .thread = a->thread,
                                .choose = choose,
                                .chooser = u,
                                .symbols = space->bound->history->symbols,
                                .spec = space->spec->user };
}

/* It is large, and little of it is used. */
static void clear_reply(struct plumb_reply *r)
{
    const unsigned used =
        r->nres < PLUMB_MAX_RESULTS ? r->nres : PLUMB_MAX_RESULTS;
    memset(r->res, 0, used * sizeof *r->res);
    r->term = NULL;
    r->nres = 0;
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    const struct plumb_user_spec *const user = space->spec->user;
    const uint32_t size = (uint32_t)user->state_size;
    struct user_space *const u = space->extra;
    const struct plumb_call call = call_of(space, a);
    const size_t from = out->count;
    u->choices = 0;
    u->failed = space->waits = false;
    if (plumb_spec_is_unknown(space, s))
        return plumb_spec_states_made(out, s);
    do {
        clear_reply(&u->reply);
        if (++u->steps % POLL_EVERY == 0 &&
            plumb_budget_state(u->budget) != PLUMB_OK)
            return false;
        u->at = 0;
        memcpy(u->state, space->data[s], size);
        const bool returns = user->step(u->state, &call, &u->reply);
        space->waits |= !returns;
        if (u->failed || (returns && !add_outcome(space, a, out, from)))
            return false;
    } while (choose_otherwise(u));
    return true;
}

static bool branches(const struct plumb_spec_bound *bound,
                     const struct plumb_spec_action *a)
{
    (void)bound;
    (void)a;
    return true;
}

static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    const unsigned char *const byte = space->data[s];
    if (plumb_spec_is_unknown(space, s)) {
        plumb_base_text_add(out, "<unknown>");
        return;
    }
    plumb_base_text_add(out, "<");
    for (uint32_t i = 0; i < space->size[s]; i++)
        plumb_base_text_printf(out, "%02x", (unsigned)byte[i]);
    plumb_base_text_add(out, ">");
}

/* ---- making the type ---- */

/* "enq/1": the length of the name, and the number behind the slash. */
static bool split_operation(const char *op, size_t *length, unsigned *arity)
{
    *length = strcspn(op, "/");
    const char *const digits = op + *length + (op[*length] == '/');
    const size_t count = strspn(digits, "0123456789");
    if (*length == 0 || op[*length] != '/' || count == 0 || count > 3 ||
        digits[count] != '\0' || memchr(op, ' ', *length))
        return false;
    *arity = (unsigned)strtoul(digits, NULL, 10);
    return *arity <= MAX_ARGS;
}

static enum plumb_status count_operations(const struct plumb_user_spec *user,
                                          unsigned *ops, size_t *characters,
                                          struct plumb_error *err)
{
    *ops = 0;
    *characters = 0;
    for (; user->ops[*ops]; ++*ops) {
        size_t length;
        unsigned arity;
        if (*ops >= UINT16_MAX - 1)
            return plumb_base_fail(
                err, PLUMB_EINPUT, 0, 0,
                "specification %.80s has too many operations", user->name);
        if (!split_operation(user->ops[*ops], &length, &arity))
            return plumb_base_fail(
                err, PLUMB_EINPUT, 0, 0,
                "operation \"%.80s\" of %.80s is not of the form "
                "name/arity",
                user->ops[*ops], user->name);
        *characters += length + 1;
    }
    return PLUMB_OK;
}

static enum plumb_status check_user(const struct plumb_user_spec *user,
                                    struct plumb_error *err)
{
    if (user->version != PLUMB_SPEC_VERSION)
        return plumb_base_fail(
            err, PLUMB_EINPUT, 0, 0,
            "the specification has version %u; plumb supports version %u",
            user->version, (unsigned)PLUMB_SPEC_VERSION);
    if (!user->name || !user->name[0])
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "the specification has no name");
    if (!user->step || !user->ops || !user->ops[0])
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "specification %.80s has no %s", user->name,
                               user->step ? "operations" : "step function");
    if (user->state_size >= UINT32_MAX)
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "the state of specification %.80s is too large",
                               user->name);
    return PLUMB_OK;
}

static void fill_operations(struct adapter *a,
                            const struct plumb_user_spec *user, unsigned ops)
{
    char *name = (char *)(a->ops + ops);
    memset(a->any, 'v', MAX_ARGS);
    for (unsigned i = 0; i < ops; i++) {
        size_t length = 0;
        unsigned arity = 0;
        split_operation(user->ops[i], &length, &arity);
        memcpy(name, user->ops[i], length);
        name[length] = '\0';
        a->ops[i] = (struct plumb_spec_opdef){
            .names = name, .args = a->any + MAX_ARGS - arity, .key = -1
        };
        name += length + 1;
    }
}

static struct adapter *new_adapter(const struct plumb_user_spec *user,
                                   unsigned ops, size_t characters)
{
    struct adapter *const a = plumb_base_alloc_zeroed(
        NULL, sizeof *a + ops * sizeof *a->ops + characters);
    if (!a)
        return NULL;
    fill_operations(a, user, ops);
    a->type = (struct plumb_spec_type){
        .name = user->name,
        .what = "written in C",
        .ops = a->ops,
        .nops = ops,
        .open = open,
        .close = close,
        .initial = initial,
        .step = step,
        .branches = branches,
        .show = show,
    };
    return a;
}

enum plumb_status plumb_spec_from_user(const struct plumb_user_spec *user,
                                       struct plumb_spec **spec,
                                       struct plumb_error *err)
{
    assert(user && spec && err);
    unsigned ops;
    size_t characters;
    enum plumb_status status = check_user(user, err);
    if (status == PLUMB_OK)
        status = count_operations(user, &ops, &characters, err);
    if (status != PLUMB_OK)
        return status;
    struct plumb_spec *const fresh =
        plumb_base_alloc_zeroed(NULL, sizeof *fresh);
    if (!fresh)
        return plumb_base_fail_memory(err);
    struct adapter *const a = new_adapter(user, ops, characters);
    const size_t length = strlen(user->name);
    fresh->extra = a;
    fresh->user = user;
    fresh->text = plumb_base_alloc(NULL, length + 1);
    if (!a || !fresh->text) {
        plumb_spec_free(fresh);
        return plumb_base_fail_memory(err);
    }
    memcpy(fresh->text, user->name, length + 1);
    fresh->type = &a->type;
    *spec = fresh;
    return PLUMB_OK;
}
