/* map.c - a value for some keys.
 *
 * A treap has the keys whose value is not the one they all had at first, so
 * equal maps are equal trees.  What a key has is the number of a value, or, in
 * histories that append, of a rope for every string: then a string made by
 * appending is equal to the same string in the history. */
#include "base/memory.h"
#include "spec/stores/container.h"
#include "spec/stores/ropes.h"
#include "spec/stores/treap.h"

enum { PUT, GET, REMOVE, INSERT, APPEND, MEMBER, OPS };
enum { INIT };

/* What a key has: a plumb_spec_vid, ROPE + a rope, or NOTHING. */
typedef uint32_t content;
#define ROPE    ((content)1 << 31)
#define NOTHING UINT32_MAX
#define NO_ROOM (UINT32_MAX - 1) /* memory is used up */

/* Loads of the treap; all others are a content + 1. */
enum { AS_AT_FIRST = 0 };
#define EMPTIED UINT32_MAX

struct extra {
    struct plumb_spec_treap tree;
    struct plumb_spec_ropes ropes;
    bool appends; /* the history has append() */
    content first;
};

static const struct plumb_spec_opdef ops[OPS] = {
    [PUT] = { "put write store", "vv", "ok()", .key = 0,
              .role = PLUMB_ROLE_WRITE },
    [GET] = { "get read load lookup", "v", "ok(v)|none()", .key = 0,
              .role = PLUMB_ROLE_READ },
    [REMOVE] = { "remove delete erase", "v", "ok(v)|none()", .key = 0,
                 .role = PLUMB_ROLE_DELETE },
    [INSERT] = { "insert add put_if_absent", "vv", "ok(b)", .key = 0,
                 .role = PLUMB_ROLE_INSERT },
    [APPEND] = { "append", "vv", "ok()", .key = 0, .role = PLUMB_ROLE_APPEND },
    [MEMBER] = { "member contains has contains_key", "v", "ok(b)", .key = 0,
                 .role = PLUMB_ROLE_MEMBER },
};

static const struct plumb_spec_param params[] = {
    [INIT] = { .name = "init",
               .kind = PLUMB_PARAM_VALUE,
               .what = "the initial value of every key (default none)" },
};

static content content_of(struct plumb_spec_space *space, plumb_spec_vid v)
{
    struct extra *const e = space->extra;
    if (!e->appends || plumb_spec_vid_value(space, v).tag != PLUMB_STR)
        return v;
    const uint32_t rope = plumb_spec_rope_of(&e->ropes, space, v);
    return rope == PLUMB_NO_ROPE ? NO_ROOM : ROPE | rope;
}

static bool open(struct plumb_spec_space *space)
{
    struct plumb_budget *const budget = space->arena.budget;
    const plumb_spec_vid init = space->bound->param[INIT];
    struct extra *const e = plumb_base_arena_zeroed(&space->arena, sizeof *e);
    if (!e)
        return false;
    space->extra = e;
    plumb_spec_treap_init(&e->tree, budget);
    e->appends = space->bound->all_kinds & 1u << APPEND;
    if (!plumb_spec_ropes_init(&e->ropes, budget))
        return false;
    e->first = init == PLUMB_NO_VALUE ? NOTHING : content_of(space, init);
    return e->first != NO_ROOM;
}

static void close(struct plumb_spec_space *space)
{
    struct extra *const e = space->extra;
    if (!e)
        return;
    plumb_spec_treap_release(&e->tree);
    plumb_spec_ropes_release(&e->ropes);
}

static content content_at(const struct extra *e, plumb_spec_state s,
                          plumb_spec_vid key)
{
    const uint32_t load = plumb_spec_treap_get(&e->tree, s, key);
    if (load == AS_AT_FIRST)
        return e->first;
    return load == EMPTIED ? NOTHING : load - 1;
}

static bool change(struct plumb_spec_space *space, plumb_spec_state s,
                   plumb_spec_vid key, content to,
                   struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    uint32_t load = to == NOTHING ? EMPTIED : to + 1;
    if (to == NO_ROOM)
        return false;
    if (to == e->first)
        load = AS_AT_FIRST;
    return plumb_spec_states_made(out,
                                  plumb_spec_treap_set(&e->tree, s, key, load));
}

static bool get_or_remove(struct plumb_spec_space *space, plumb_spec_state s,
                          const struct plumb_spec_action *a,
                          struct plumb_spec_states *out)
{
    const content now = content_at(space->extra, s, a->arg[0]);
    if (!plumb_spec_answers(a,
                            now == NOTHING ? PLUMB_TERM_NONE : PLUMB_TERM_OK))
        return true;
    if (a->term == PLUMB_TERM_OK) {
        const content answer = content_of(space, a->res[0]);
        if (answer != now)
            return answer != NO_ROOM;
    }
    return a->kind == GET || now == NOTHING
               ? plumb_spec_states_add(out, s)
               : change(space, s, a->arg[0], NOTHING, out);
}

static bool insert(struct plumb_spec_space *space, plumb_spec_state s,
                   const struct plumb_spec_action *a,
                   struct plumb_spec_states *out)
{
    const bool absent = content_at(space->extra, s, a->arg[0]) == NOTHING;
    if (!plumb_spec_answers_bool(a, absent))
        return true;
    if (!absent)
        return plumb_spec_states_add(out, s);
    return change(space, s, a->arg[0], content_of(space, a->arg[1]), out);
}

static bool append(struct plumb_spec_space *space, plumb_spec_state s,
                   const struct plumb_spec_action *a,
                   struct plumb_spec_states *out)
{
    struct extra *const e = space->extra;
    const content now = content_at(e, s, a->arg[0]);
    uint32_t rope = PLUMB_EMPTY_ROPE;
    if (now != NOTHING)
        rope = now & ROPE ? now & ~ROPE
                          : plumb_spec_rope_of(&e->ropes, space, now);
    if (rope == PLUMB_NO_ROPE)
        return false;
    rope = plumb_spec_rope_append(&e->ropes, space, rope, a->arg[1]);
    return rope != PLUMB_NO_ROPE &&
           change(space, s, a->arg[0], ROPE | rope, out);
}

static bool step(struct plumb_spec_space *space, plumb_spec_state s,
                 const struct plumb_spec_action *a,
                 struct plumb_spec_states *out)
{
    switch (a->kind) {
    case PUT:
        return change(space, s, a->arg[0], content_of(space, a->arg[1]), out);
    case INSERT:
        return insert(space, s, a, out);
    case APPEND:
        return append(space, s, a, out);
    case MEMBER:
        return !plumb_spec_answers_bool(
                   a, content_at(space->extra, s, a->arg[0]) != NOTHING) ||
               plumb_spec_states_add(out, s);
    default:
        return get_or_remove(space, s, a, out);
    }
}

static void show_content(const struct plumb_spec_space *space, content c,
                         struct plumb_base_text *out)
{
    const struct extra *const e = space->extra;
    if (c == NOTHING)
        plumb_base_text_add(out, "none()");
    else if (c & ROPE)
        plumb_spec_rope_show(&e->ropes, space, c & ~ROPE, out);
    else
        plumb_spec_vid_show(space, c, out);
}

static void show(const struct plumb_spec_space *space, plumb_spec_state s,
                 struct plumb_base_text *out)
{
    const struct extra *const e = space->extra;
    const char *between = "";
    plumb_base_text_add(out, "{");
    for (uint64_t k = 0; plumb_spec_treap_at_least(&e->tree, s, &k); k++) {
        plumb_base_text_add(out, between);
        plumb_spec_vid_show(space, (plumb_spec_vid)k, out);
        plumb_base_text_add(out, "=");
        show_content(space, content_at(e, s, (plumb_spec_vid)k), out);
        between = " ";
    }
    if (e->first != NOTHING) {
        plumb_base_text_add(out, between);
        plumb_base_text_add(out, "*=");
        show_content(space, e->first, out);
    }
    plumb_base_text_add(out, "}");
}

const struct plumb_spec_type plumb_spec_type_map = {
    .name = "map",
    .what = "a map from keys to values",
    PLUMB_TABLES(ops, params),
    .guessable = true,
    .open = open,
    .close = close,
    .initial = plumb_spec_initial_empty,
    .step = step,
    .reads = plumb_spec_reads,
    .owner = plumb_spec_owner,
    .show = show,
};
