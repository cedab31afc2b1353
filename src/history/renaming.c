/* renaming.c - a stream forgets names and strings that nobody needs any more.
 *
 * Symbols are numbers of texts in one table, and everything that has been said
 * stands in it.  Of a stream most of that is settled.  So now and then what is
 * still needed goes into a new table: what open operations are and say, and what
 * the deciders keep.  Threads that are not at work are forgotten as well, and
 * objects that no decider keeps: if they come back, they are new ones.
 *
 * It is done when there are twice as many symbols as were needed the last time,
 * so it costs a constant time for each. */
#include "renaming.h"

#include "base/memory.h"
#include <assert.h>
#include <string.h>

static void need_value(bool *needed, struct plumb_value v)
{
    if (v.tag == PLUMB_STR)
        needed[v.bits] = true;
}

/* What the call of this thread told already, if it is open; else NULL. */
static struct plumb_value *promise_of(const struct plumb_builder *b,
                                      uint32_t thread)
{
    return thread < b->promise_capacity && b->open_op[thread] &&
                   b->promise[thread].given
               ? &b->promise[thread].value
               : NULL;
}

static void need_promises(const struct plumb_builder *b, bool *needed)
{
    for (uint32_t i = 0; i < b->threads; i++) {
        const struct plumb_value *const v = promise_of(b, i);
        if (v)
            need_value(needed, *v);
    }
}

/* What the builder itself needs. */
static void need_own(const struct plumb_builder *b,
                     struct plumb_history_renaming *r)
{
    const struct plumb_history_arrays *const a = b->a;
    bool *const needed = r->needed;
    needed[0] = needed[b->spec] = true;
    for (uint32_t i = 0; i < b->count; i++)
        r->kept[a->op[i].object] = true;
    for (uint32_t i = 0; i < b->objects; i++)
        if (r->kept[i])
            needed[a->object[i]] = true;
    for (uint32_t i = 0; i < b->count; i++) {
        const struct plumb_op *const o = a->op + i;
        needed[o->name] = needed[o->term] = true;
        needed[a->thread[o->thread]] = true;
        for (unsigned k = 0; k < (unsigned)o->nargs + o->nres; k++)
            need_value(needed, a->value[o->values + k]);
    }
    need_promises(b, needed);
}

/* ---- the builder, renamed ---- */

/* A table by symbol; before the first event there is none. */
static void clear(uint32_t *table, size_t capacity)
{
    if (table)
        memset(table, 0, capacity * sizeof *table);
}

/* Those of threads that are kept; none overtakes another. */
static void rename_promise(struct plumb_builder *b,
                           const struct plumb_history_renaming *r,
                           uint32_t from, uint32_t to)
{
    struct plumb_value *const v = promise_of(b, from);
    if (v)
        plumb_history_rename_value(r, v);
    if (from < b->promise_capacity)
        b->promise[to] = b->promise[from];
    else if (to < b->promise_capacity)
        b->promise[to].given = false;
}

static void rename_threads(struct plumb_builder *b,
                           const struct plumb_history_renaming *r)
{
    struct plumb_history_arrays *const a = b->a;
    uint32_t kept = 0;
    clear(b->thread_of, b->thread_of_capacity);
    for (uint32_t i = 0; i < r->threads; i++) {
        r->thread[i] = UINT32_MAX;
        if (!b->open_op[i])
            continue;
        r->thread[i] = kept;
        rename_promise(b, r, i, kept);
        a->thread[kept] = r->symbol[a->thread[i]];
        b->open_op[kept] = b->open_op[i];
        b->thread_of[a->thread[kept]] = kept + 1;
        kept++;
    }
    b->threads = kept;
}

static void rename_objects(struct plumb_builder *b,
                           const struct plumb_history_renaming *r)
{
    struct plumb_history_arrays *const a = b->a;
    uint32_t kept = 0;
    clear(b->object_of, b->object_of_capacity);
    for (uint32_t i = 0; i < r->objects; i++) {
        r->object[i] = UINT32_MAX;
        if (!r->kept[i])
            continue;
        r->object[i] = kept;
        a->object[kept] = r->symbol[a->object[i]];
        b->object_of[a->object[kept]] = kept + 1;
        kept++;
    }
    b->objects = kept;
}

static void rename_operations(struct plumb_builder *b,
                              const struct plumb_history_renaming *r)
{
    struct plumb_history_arrays *const a = b->a;
    for (uint32_t i = 0; i < b->count; i++) {
        struct plumb_op *const o = a->op + i;
        o->name = r->symbol[o->name];
        o->term = r->symbol[o->term];
        o->thread = r->thread[o->thread];
        o->object = r->object[o->object];
        for (unsigned k = 0; k < (unsigned)o->nargs + o->nres; k++)
            plumb_history_rename_value(r, a->value + o->values + k);
    }
}

void plumb_history_rename_value(const struct plumb_history_renaming *r,
                                struct plumb_value *v)
{
    assert(v->tag != PLUMB_STR || r->needed[v->bits]);
    if (v->tag == PLUMB_STR)
        v->bits = r->symbol[v->bits];
}

/* ---- all of it ---- */

bool plumb_history_renaming_open(struct plumb_history_renaming *r,
                                 const struct plumb_builder *b)
{
    *r = (struct plumb_history_renaming){ .budget = b->budget,
                                          .symbols = b->a->symbols.count,
                                          .threads = b->threads,
                                          .objects = b->objects };
    r->needed =
        plumb_base_alloc_zeroed(r->budget, r->symbols * sizeof *r->needed);
    r->symbol = plumb_base_alloc(r->budget, r->symbols * sizeof *r->symbol);
    r->thread = plumb_base_alloc(r->budget, r->threads * sizeof *r->thread);
    r->kept = plumb_base_alloc_zeroed(r->budget, r->objects * sizeof *r->kept);
    r->object = plumb_base_alloc(r->budget, r->objects * sizeof *r->object);
    return r->needed && r->symbol && r->thread && r->kept && r->object;
}

void plumb_history_renaming_close(struct plumb_history_renaming *r)
{
    PLUMB_RELEASE(r->budget, r->needed, r->symbols);
    PLUMB_RELEASE(r->budget, r->symbol, r->symbols);
    PLUMB_RELEASE(r->budget, r->thread, r->threads);
    PLUMB_RELEASE(r->budget, r->kept, r->objects);
    PLUMB_RELEASE(r->budget, r->object, r->objects);
}

bool plumb_history_builder_rename(struct plumb_builder *b,
                                  struct plumb_history_renaming *r)
{
    struct plumb_symbols fresh;
    need_own(b, r);
    if (!plumb_history_symbols_copy(&b->a->symbols, r->needed, &fresh,
                                    r->symbol)) {
        plumb_history_symbols_release(&fresh);
        return false;
    }
    plumb_history_symbols_release(&b->a->symbols);
    b->a->symbols = fresh;
    b->spec = r->symbol[b->spec];
    rename_threads(b, r);
    rename_objects(b, r);
    rename_operations(b, r);
    b->renamed++;
    return true;
}
