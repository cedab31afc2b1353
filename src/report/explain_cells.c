/* explain_cells.c - objects that are made of cells: registers, the keys of a
 * map, the elements of a set (there or not), a mutex (locked or not).
 *
 * Each operation says what it *found* in its cell and what it *left* there.
 * The one pattern: c found x, but before c was called the cell held y, and
 * every operation that may have brought x was over before that, or called after
 * c had returned. */
#include "story.h"

/* What a cell holds: nothing, or a value. */
struct content {
    bool known, none;
    struct plumb_value value;
};

struct fact {
    bool understood;
    struct plumb_value key;
    struct content found, left; /* if it returned */
    struct content brings;      /* what it may have changed the cell to */
    bool brings_anything;
};

/* In the words, $ is the key and % the value.  The first are for nothing. */
struct kind {
    const char *types;
    void (*read)(const struct plumb_report_story *s, uint32_t i,
                 struct fact *f);
    bool begins_nil;       /* else with nothing */
    const char *held[2];   /* what the cell held        */
    const char *nobody[2]; /* ... and nobody brought it */
};

struct cells {
    const struct plumb_report_story *story;
    const struct plumb_report_scene *scene; /* the story's */
    const struct kind *kind;
    const struct fact *fact;
    uint32_t count;
};

static struct content holds(struct plumb_value v)
{
    return (struct content){ .known = true, .value = v };
}

static const struct content nothing = { .known = true, .none = true };
static const struct content unknown = { .known = false };

static bool differ(struct content a, struct content b)
{
    if (!a.known || !b.known)
        return false;
    if (a.none || b.none)
        return a.none != b.none;
    return !plumb_value_equal(a.value, b.value);
}

static bool same(struct content a, struct content b)
{
    return a.known && b.known && !differ(a, b);
}

/* ---- reading operations ---- */

struct parts {
    const struct plumb_value *arg, *res;
    unsigned nargs, nres;
    bool pending;
};

static struct parts parts_of(const struct plumb_report_story *s, uint32_t i)
{
    const struct plumb_op *const o = plumb_report_scene_op(s->scene, i);
    return (struct parts){ .arg = plumb_op_args(s->scene->h, o),
                           .res = plumb_op_results(s->scene->h, o),
                           .nargs = o->nargs,
                           .nres = o->nres,
                           .pending =
                               plumb_report_scene_is_pending(s->scene, i) };
}

/* The one boolean it answered.  False: it did not return one. */
static bool answered(const struct plumb_report_story *s, const struct parts *p,
                     bool *b)
{
    return !p->pending && p->nres == 1 &&
           plumb_report_story_bool(s, p->res[0], b);
}

static void finds(struct fact *f, struct content c)
{
    f->found = f->left = c;
}

static void changes(struct fact *f, const struct parts *p, struct content found,
                    struct content left)
{
    f->brings = left;
    if (!p->pending) {
        f->found = found;
        f->left = left;
    }
}

/* insert, delete: change the cell if it was otherwise, and say whether. */
static bool switches(const struct plumb_report_story *s, struct fact *f,
                     const struct parts *p, struct content from,
                     struct content to)
{
    bool did = true;
    if (!p->pending && !answered(s, p, &did))
        return false;
    if (did)
        changes(f, p, from, to);
    else
        finds(f, to);
    return true;
}

static void read_set(const struct plumb_report_story *s, uint32_t i,
                     struct fact *f)
{
    const struct parts p = parts_of(s, i);
    const struct content in = holds(plumb_bool(true)), out = nothing;
    bool b = false;
    if (p.nargs != 1)
        return;
    f->key = p.arg[0];
    if (plumb_report_story_name_is(s, i, "insert add")) {
        f->understood = switches(s, f, &p, out, in);
    } else if (plumb_report_story_name_is(s, i, "delete remove erase")) {
        f->understood = switches(s, f, &p, in, out);
    } else if (plumb_report_story_name_is(
                   s, i, "member contains find lookup search has")) {
        f->understood = p.pending || answered(s, &p, &b);
        if (!p.pending)
            finds(f, b ? in : out);
    }
}

static void read_mutex(const struct plumb_report_story *s, uint32_t i,
                       struct fact *f)
{
    const struct parts p = parts_of(s, i);
    const struct content locked = holds(plumb_bool(true)), free = nothing;
    f->understood = true;
    if (plumb_report_story_name_is(s, i, "lock acquire"))
        changes(f, &p, free, locked);
    else if (plumb_report_story_name_is(s, i, "unlock release"))
        changes(f, &p, locked, free);
    else
        f->understood =
            plumb_report_story_name_is(s, i, "trylock tryacquire") &&
            switches(s, f, &p, free, locked);
}

/* It says whether it wrote its second argument, where it found `from`. */
static void read_try(const struct plumb_report_story *s, const struct parts *p,
                     struct fact *f, struct content from)
{
    bool did = true;
    f->understood = p->pending || answered(s, p, &did);
    if (f->understood && did)
        changes(f, p, from, holds(p->arg[1]));
}

static void read_register(const struct plumb_report_story *s, uint32_t i,
                          struct fact *f)
{
    const struct parts p = parts_of(s, i);
    if (plumb_report_story_name_is(s, i, "write store set put")) {
        f->understood = p.nargs == 1;
        if (f->understood)
            changes(f, &p, unknown, holds(p.arg[0]));
    } else if (plumb_report_story_name_is(s, i, "read load get")) {
        f->understood = p.pending || p.nres == 1;
        if (!p.pending && p.nres == 1)
            finds(f, holds(p.res[0]));
    } else if (plumb_report_story_name_is(
                   s, i, "cas compareandset compareandswap compareexchange")) {
        if (p.nargs == 2)
            read_try(s, &p, f, holds(p.arg[0]));
    } else if (plumb_report_story_name_is(s, i, "swap exchange getandset")) {
        f->understood = p.nargs == 1 && (p.pending || p.nres == 1);
        if (f->understood)
            changes(f, &p, p.pending ? unknown : holds(p.res[0]),
                    holds(p.arg[0]));
    }
}

/* get, remove: ok(v), or none(). */
static struct content answered_content(const struct plumb_report_story *s,
                                       uint32_t i, const struct parts *p)
{
    if (p->pending)
        return unknown;
    if (plumb_report_story_term_is(s, i, "none"))
        return nothing;
    return p->nres == 1 ? holds(p->res[0]) : unknown;
}

static void read_map_test(const struct plumb_report_story *s,
                          const struct parts *p, struct fact *f)
{
    bool there = true;
    f->understood = p->pending || answered(s, p, &there);
    if (!p->pending && !there)
        finds(f, nothing);
}

static void read_map(const struct plumb_report_story *s, uint32_t i,
                     struct fact *f)
{
    const struct parts p = parts_of(s, i);
    if (p.nargs == 0)
        return;
    f->key = p.arg[0];
    f->understood = true;
    if (plumb_report_story_name_is(s, i, "get read load lookup")) {
        finds(f, answered_content(s, i, &p));
    } else if (plumb_report_story_name_is(s, i, "put write store")) {
        f->understood = p.nargs == 2;
        if (f->understood)
            changes(f, &p, unknown, holds(p.arg[1]));
    } else if (plumb_report_story_name_is(s, i, "remove delete erase")) {
        changes(f, &p, answered_content(s, i, &p), nothing);
    } else if (plumb_report_story_name_is(s, i, "append")) {
        f->brings_anything = true;
    } else {
        f->understood = false;
        if (plumb_report_story_name_is(s, i, "member contains has containskey"))
            read_map_test(s, &p, f);
        else if (plumb_report_story_name_is(s, i, "insert add putifabsent") &&
                 p.nargs == 2)
            read_try(s, &p, f, nothing);
    }
}

/* A parameter init=TEXT that we would have to read as a value makes the
 * initial content unknown, which only makes us more silent. */
static struct content initial(const struct cells *m)
{
    size_t size;
    if (plumb_report_story_param(m->story, "init", &size))
        return unknown;
    return m->kind->begins_nil ? holds(plumb_nil()) : nothing;
}

/* ---- words ---- */

static const struct kind kinds[] = {
    { "set",
      read_set,
      false,
      { "$ was not in the set", "$ was in the set" },
      { "no operation deleted $", "no operation inserted $" } },
    { "mutex",
      read_mutex,
      false,
      { "the mutex was free", "the mutex was locked" },
      { "no operation unlocked the mutex", "no operation locked the mutex" } },
    { "register cas-register",
      read_register,
      true,
      { NULL, "the value was %" },
      { NULL, "no operation wrote %" } },
    { "map",
      read_map,
      false,
      { "$ had no value", "$ had the value %" },
      { "no operation removed $", "no operation gave $ the value %" } },
};

static void say(const struct cells *m, const char *const words[2],
                struct plumb_value key, struct content c,
                struct plumb_base_text *out)
{
    for (const char *at = words[!c.none]; *at; at++)
        if (*at == '$' || *at == '%')
            plumb_report_label_value(m->story->style, m->scene->h,
                                     *at == '$' ? key : c.value, out);
        else
            plumb_base_text_bytes(out, at, 1);
}

/* ---- the pattern ---- */

static bool same_cell(const struct cells *m, uint32_t i, uint32_t j)
{
    return plumb_value_equal(m->fact[i].key, m->fact[j].key);
}

/* May operation i have changed the cell of c to what c found? */
static bool may_bring(const struct cells *m, uint32_t i, uint32_t c)
{
    const struct fact *const f = m->fact + i;
    return i != c && same_cell(m, i, c) &&
           (f->brings_anything || same(f->brings, m->fact[c].found));
}

/* May one that does lie between b (none: the beginning) and c? */
static bool may_be_brought_between(const struct cells *m, uint32_t b,
                                   uint32_t c)
{
    for (uint32_t i = 0; i < m->count; i++) {
        if (!may_bring(m, i, c))
            continue;
        const bool after = plumb_report_scene_precedes(m->scene, c, i);
        const bool before =
            b < m->count && plumb_report_scene_precedes(m->scene, i, b);
        if (!after && !before)
            return true;
    }
    return false;
}

static void tell_contradiction(const struct cells *m, uint32_t b, uint32_t c,
                               struct content y)
{
    const struct fact *const f = m->fact + c;
    struct plumb_base_text held, nobody, found;
    struct plumb_budget *const budget = m->story->out->budget;
    plumb_base_text_init(&held, budget);
    plumb_base_text_init(&nobody, budget);
    plumb_base_text_init(&found, budget);
    say(m, m->kind->held, f->key, y, &held);
    say(m, m->kind->nobody, f->key, f->found, &nobody);
    say(m, m->kind->held, f->key, f->found, &found);
    if (b < m->count)
        plumb_report_story_tell(m->story,
                                "after @, ~; @ returned before @ was called\n"
                                "~ in between, yet @ behaved as if ~",
                                b, plumb_base_text_string(&held), b, c,
                                plumb_base_text_string(&nobody), c,
                                plumb_base_text_string(&found));
    else
        plumb_report_story_tell(
            m->story, "initially ~\n~ before @ returned, yet @ behaved as if ~",
            plumb_base_text_string(&held), plumb_base_text_string(&nobody), c,
            c, plumb_base_text_string(&found));
    plumb_base_text_release(&held);
    plumb_base_text_release(&nobody);
    plumb_base_text_release(&found);
}

static bool contradicts_beginning(const struct cells *m, uint32_t c)
{
    const struct content y = initial(m);
    if (!differ(y, m->fact[c].found) || may_be_brought_between(m, m->count, c))
        return false;
    tell_contradiction(m, m->count, c, y);
    return true;
}

static bool contradicts(const struct cells *m, uint32_t b, uint32_t c)
{
    if (!same_cell(m, b, c) || !plumb_report_scene_precedes(m->scene, b, c) ||
        !differ(m->fact[b].left, m->fact[c].found) ||
        may_be_brought_between(m, b, c))
        return false;
    tell_contradiction(m, b, c, m->fact[b].left);
    return true;
}

static bool tell_cells(const struct cells *m)
{
    for (uint32_t c = 0; c < m->count; c++)
        if (contradicts_beginning(m, c))
            return true;
    for (uint32_t c = 0; c < m->count; c++)
        for (uint32_t b = 0; b < m->count; b++)
            if (contradicts(m, b, c))
                return true;
    return false;
}

bool plumb_report_story_of_cells(const struct plumb_report_story *s,
                                 const char *type)
{
    struct cells m = { .story = s,
                       .scene = s->scene,
                       .count = s->scene->count };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (plumb_report_story_lists(kinds[k].types, type))
            m.kind = kinds + k;
    struct fact *const list =
        plumb_base_arena_zeroed(s->arena, m.count * sizeof *list);
    if (!m.kind || !list)
        return false;
    for (uint32_t i = 0; i < m.count; i++) {
        m.kind->read(s, i, list + i);
        if (!list[i].understood)
            return false;
    }
    m.fact = list;
    return tell_cells(&m);
}
