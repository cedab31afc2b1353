/* trace_types.c - what lies in the memory of a trace.
 *
 * The type of a block is what it was allocated for, if that is known; else what
 * pointers say that hold its address: a `struct node *` in memory points to a
 * node.  What the block is beyond that node is not known.  It may be an object
 * that only begins with a node, or other things behind it.
 *
 * A name that may be wrong is none:
 *
 * - Pointers of different types to one block contradict each other, unless one
 *   of the types begins with the other: the first member, or a base class.
 * - Where memory is used again, an old pointer may be left to what was there.
 * - A block is an array only if calloc() was told so, or if one instruction,
 *   called from the same places, touches the same member in the first of them
 *   and in another.
 *
 * The same goes for what lies on stacks, where one operation's variables are
 * followed by those of the next. */
#include "trace_types.h"

#include "base/hash.h"
#include <stdlib.h>

enum { ROUNDS = 8, LOOK_AHEAD = 4096 };

static bool fits(const struct explore_trace_names *n, binary_symbol_type whole,
                 binary_symbol_type part)
{
    return binary_symbols_contains(n->symbols, whole, 0, part);
}

/* ---- blocks ---- */

/* A pointer to something of that type has the address of the block. */
static bool claim_block(struct explore_trace_names *n,
                        struct explore_trace_block *b, binary_symbol_type type)
{
    struct binary_symbol_record record;
    if (b->doubtful || b->type == type ||
        !binary_symbols_record(n->symbols, type, &record) ||
        record.size > b->size)
        return false;
    if (b->type && fits(n, b->type, type))
        return false;
    if (!b->type || fits(n, type, b->type)) {
        b->type = type;
        return true;
    }
    b->doubtful = !b->by_site;
    return b->doubtful;
}

static bool same_calls(const struct explore_trace_names *n, uint32_t i,
                       uint32_t k)
{
    while (i != TRACE_NONE && k != TRACE_NONE &&
           n->job->record[i].pc == n->job->record[k].pc) {
        i = n->frame[i];
        k = n->frame[k];
    }
    return i == TRACE_NONE && k == TRACE_NONE;
}

static bool writes(const struct job_trace_record *r, uint64_t value)
{
    return r->known && r->kind <= TRACE_CAS && r->kind != TRACE_READ &&
           r->kind != TRACE_LOAD && r->size == sizeof(void *) &&
           r->after == value &&
           (r->kind != TRACE_CAS || job_trace_exchanged(r));
}

/* The first pointer to it that is written, by who allocated it, is a new one:
 * does that say what it is? */
static bool is_told_anew(const struct explore_trace_names *n,
                         const struct explore_trace_block *b)
{
    const unsigned thread = n->job->record[b->from].thread;
    struct binary_symbol_spot spot;
    for (uint32_t i = b->from + 1; i < n->count && i - b->from < LOOK_AHEAD;
         i++) {
        const struct job_trace_record *const r = n->job->record + i;
        if (explore_trace_is_sound(n, i) && writes(r, b->at))
            return r->thread == thread &&
                   explore_trace_spot(n, i, r->at, r->size, &spot) &&
                   spot.pointee && fits(n, b->type, spot.pointee);
    }
    return false;
}

/* Did one of that type have the same memory before, that was allocated
 * elsewhere?  Then the pointers may be those to it. */
static bool may_be_old(const struct explore_trace_names *n,
                       const struct explore_trace_block *b)
{
    bool old = false;
    for (uint32_t c = b->before; c != TRACE_NONE; c = n->block[c].before) {
        const binary_symbol_type type = n->block[c].type;
        if (!type || (!fits(n, type, b->type) && !fits(n, b->type, type)))
            continue;
        if (same_calls(n, n->block[c].from, b->from))
            return false;
        old = true;
    }
    return old && !is_told_anew(n, b);
}

static bool doubt_old(struct explore_trace_names *n)
{
    bool doubts = false;
    for (uint32_t k = 0; k < n->blocks; k++) {
        struct explore_trace_block *const b = n->block + k;
        if (!b->type || b->by_site || b->doubtful || !may_be_old(n, b))
            continue;
        b->doubtful = doubts = true;
    }
    return doubts;
}

/* ---- stacks ---- */

static bool is_in(uint64_t at, uint64_t start, uint64_t size)
{
    return at >= start && at - start < size;
}

unsigned explore_trace_stack_of(const struct explore_trace_names *n,
                                uint64_t at)
{
    for (unsigned t = 0; t < PLUMB_MAX_THREADS; t++)
        if (is_in(at, n->job->memory.stack[t].at, n->job->memory.stack[t].size))
            return t;
    return PLUMB_MAX_THREADS;
}

static bool lives(const struct explore_trace_local *l, uint32_t i)
{
    return i >= l->from && i < l->to;
}

const struct explore_trace_local *explore_trace_local_at(
    const struct explore_trace_names *n, uint32_t i, uint64_t at)
{
    for (uint32_t k = 0; k < n->locals; k++)
        if (lives(n->local + k, i) &&
            is_in(at, n->local[k].at, n->local[k].size))
            return n->local[k].doubtful ? NULL : n->local + k;
    return NULL;
}

/* The operation of the thread that record i is in: variables of others are
 * elsewhere, or gone. */
static void set_life(const struct explore_trace_names *n, uint32_t i,
                     struct explore_trace_local *l)
{
    const uint32_t begin = i < n->first ? 0 : n->first;
    l->from = i;
    while (l->from > begin && (n->job->record[l->from].thread != l->thread ||
                               (n->job->record[l->from].kind != TRACE_CALL &&
                                n->job->record[l->from].kind != TRACE_RETURN)))
        l->from--;
    l->to = i + 1;
    while (l->to < n->count && (n->job->record[l->to].thread != l->thread ||
                                n->job->record[l->to].kind != TRACE_RETURN))
        l->to++;
}

/* Of two that overlap, the one that has the other in it; else neither. */
static bool claim_again(struct explore_trace_names *n,
                        struct explore_trace_local *old,
                        const struct explore_trace_local *new)
{
    if (old->doubtful ||
        (new->at >= old->at &&binary_symbols_contains(
                        n->symbols, old->type, new->at - old->at, new->type)))
        return false;
    if (old->at >= new->at &&
        binary_symbols_contains(n->symbols, new->type, old->at - new->at,
                                old->type)) {
        old->at = new->at;
        old->size = new->size;
        old->type = new->type;
        return true;
    }
    const uint64_t end = new->at + new->size;
    if (end > old->at + old->size)
        old->size = end - old->at;
    if (new->at < old->at) {
        old->size += old->at - new->at;
        old->at = new->at;
    }
    return old->doubtful = true;
}

static bool claim_local(struct explore_trace_names *n, uint32_t i, uint64_t at,
                        binary_symbol_type type)
{
    char name[SYMBOL_NAME];
    struct explore_trace_local new = { .at = at, .type = type };
    new.thread = explore_trace_stack_of(n, at);
    if (new.thread == PLUMB_MAX_THREADS ||
        !binary_symbols_type(n->symbols, type, name, &new.size) ||
        new.size == 0)
        return false;
    for (uint32_t k = 0; k < n->locals; k++) {
        struct explore_trace_local *const l = n->local + k;
        if (lives(l, i) &&
            (is_in(at, l->at, l->size) || is_in(l->at, at, new.size)))
            return claim_again(n, l, &new);
    }
    if (n->locals == TRACE_LOCALS)
        return false;
    set_life(n, i, &new);
    n->local[n->locals++] = new;
    return true;
}

/* ---- what pointers tell ---- */

static bool learn(struct explore_trace_names *n, uint32_t i, uint64_t value,
                  binary_symbol_type type)
{
    const struct explore_trace_block *const b =
        explore_trace_block_at(n, i, value);
    if (!b)
        return claim_local(n, i, value, type);
    return b->at == value && claim_block(n, n->block + (b - n->block), type);
}

static bool has_values(const struct job_trace_record *r)
{
    return r->known && r->kind <= TRACE_CAS;
}

static bool learn_from(struct explore_trace_names *n, uint32_t i)
{
    const struct job_trace_record *const r = n->job->record + i;
    struct binary_symbol_spot spot;
    if (!has_values(r) || r->size != sizeof(void *) ||
        !explore_trace_spot(n, i, r->at, r->size, &spot) || !spot.pointee ||
        spot.into)
        return false;
    bool more = learn(n, i, (uint64_t)r->after, spot.pointee);
    if (r->kind != TRACE_WRITE && r->kind != TRACE_STORE)
        more |= learn(n, i, (uint64_t)r->before, spot.pointee);
    return more;
}

/* What is learned of one block may tell what a pointer in it points to. */
static void learn_all(struct explore_trace_names *n)
{
    bool more = true;
    for (unsigned round = 0; round < ROUNDS && more; round++) {
        more = false;
        for (uint32_t i = 0; i < n->count; i++)
            if (explore_trace_is_sound(n, i))
                more |= learn_from(n, i);
    }
}

/* Nothing that was learned from what is in doubt is kept. */
static unsigned forget_all(struct explore_trace_names *n)
{
    unsigned doubts = 0;
    for (uint32_t k = 0; k < n->blocks; k++) {
        doubts += n->block[k].doubtful;
        if (!n->block[k].by_site)
            n->block[k].type = 0;
    }
    n->locals = 0;
    return doubts;
}

static void learn_types(struct explore_trace_names *n)
{
    unsigned doubts = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        learn_all(n);
        doubt_old(n);
        unsigned now = 0;
        for (uint32_t k = 0; k < n->blocks; k++)
            now += n->block[k].doubtful;
        if (now == doubts)
            return;
        doubts = forget_all(n);
    }
    forget_all(n);
}

/* ---- arrays ---- */

/* A block is touched, by one instruction and the calls that lead to it. */
struct touch {
    uint32_t block;
    uint32_t size;
    uint64_t code, offset;
};

static int by_block_and_code(const void *a, const void *b)
{
    const struct touch *const x = a, *const y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    if (x->code != y->code)
        return x->code < y->code ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* How large is one, if there is room for several?  0: there is not. */
static uint64_t each_of(const struct explore_trace_names *n,
                        const struct explore_trace_block *b)
{
    struct binary_symbol_record record;
    if (!b->type || !binary_symbols_record(n->symbols, b->type, &record) ||
        record.open_end || b->size / record.size < 2 || b->size % record.size)
        return 0;
    return record.size;
}

/* What is called with different members is not one instruction. */
static uint64_t code_of(const struct explore_trace_names *n, uint32_t i)
{
    uint64_t code = 0;
    for (; i != TRACE_NONE; i = n->frame[i])
        code = plumb_base_mix(code, n->job->record[i].pc);
    return code;
}

static uint32_t list_touches(const struct explore_trace_names *n,
                             struct touch *touch)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->count; i++) {
        const struct job_trace_record *const r = n->job->record + i;
        const struct explore_trace_block *const b =
            explore_trace_is_sound(n, i) && r->kind <= TRACE_CAS
                ? explore_trace_block_at(n, i, r->at)
                : NULL;
        if (b && b->each)
            touch[count++] = (struct touch){ .block = (uint32_t)(b - n->block),
                                             .size = r->size,
                                             .code = code_of(n, i),
                                             .offset = r->at - b->at };
    }
    return count;
}

/* Touches of one block by one instruction, in order. */
static bool is_of_array(const struct touch *t, uint32_t count, uint64_t each)
{
    for (uint32_t i = 0; i < count; i++)
        if (t[i].offset % each != t[0].offset || t[i].size > each - t[0].offset)
            return false;
    return t[0].offset < each && t[count - 1].offset >= each;
}

static void find_touched_arrays(struct explore_trace_names *n)
{
    struct touch *const t = calloc((size_t)n->count + 1, sizeof *t);
    const uint32_t count = t ? list_touches(n, t) : 0;
    if (t)
        qsort(t, count, sizeof *t, by_block_and_code);
    for (uint32_t i = 0, next; i < count; i = next) {
        struct explore_trace_block *const b = n->block + t[i].block;
        for (next = i + 1; next < count && t[next].block == t[i].block &&
                           t[next].code == t[i].code;)
            next++;
        b->several |= is_of_array(t + i, next - i, b->each);
    }
    free(t);
}

static void find_arrays(struct explore_trace_names *n)
{
    bool any = false;
    for (uint32_t k = 0; k < n->blocks; k++) {
        struct explore_trace_block *const b = n->block + k;
        b->each = each_of(n, b);
        b->several = b->each && n->job->record[b->from].before == b->each;
        any |= b->each && !b->several;
    }
    if (any)
        find_touched_arrays(n);
}

/* The elements of an array may have pointers. */
void explore_trace_find_types(struct explore_trace_names *n)
{
    if (!n->symbols)
        return;
    learn_types(n);
    find_arrays(n);
    learn_types(n);
    find_arrays(n);
}
