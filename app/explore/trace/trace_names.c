/* trace_names.c - what the addresses of a trace are called.
 *
 * The blocks of the heap are listed first, with the records between which they
 * are there, and what they were allocated for.  trace_types.c finds out the
 * rest. */
#include "trace_names.h"

#include "trace_frames.h"
#include "trace_places.h"
#include "trace_types.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 4096 };

bool explore_trace_is_sound(const struct explore_trace_names *n, uint32_t i)
{
    const struct job_trace_record *const r = n->job->record + i;
    return i < n->count && r->thread < PLUMB_MAX_THREADS &&
           r->kind <= TRACE_OUTPUT;
}

const char *explore_trace_thread(const struct job *job, unsigned thread,
                                 char name[TRACE_THREAD_NAME])
{
    const struct job_description *const d = &job->target;
    const unsigned process = thread - (d->leader == 1); /* or far too large */
    if (d->object && d->leader == 1 && thread == 0)
        snprintf(name, TRACE_THREAD_NAME, "main");
    else if (d->object && process < d->processes && process < JOB_PROCESSES)
        snprintf(name, TRACE_THREAD_NAME, "P%u", process + 1);
    else
        snprintf(name, TRACE_THREAD_NAME, "T%u", thread % 1000);
    return name;
}

/* ---- blocks ---- */

const struct explore_trace_block *explore_trace_block_at(
    const struct explore_trace_names *n, uint32_t i, uint64_t at)
{
    if (at < n->low || at >= n->high)
        return NULL;
    /* the last that began before; its memory may be that of earlier ones */
    for (uint32_t b = n->blocks; b-- > 0;) {
        const struct explore_trace_block *const block = n->block + b;
        if (block->from <= i && at >= block->at &&
            at - block->at < (block->size ? block->size : 1))
            return block;
    }
    return NULL;
}

static void add_block(struct explore_trace_names *n, uint32_t i)
{
    assert(n->blocks < MOST_BLOCKS);
    const struct job_trace_record *const r = n->job->record + i;
    const struct explore_trace_block *const old =
        explore_trace_block_at(n, i, r->at);
    const uint64_t base = n->job->memory.base;
    const binary_symbol_type type =
        n->symbols && r->pc >= base
            ? binary_symbols_block(n->symbols, r->pc - base, r->size)
            : 0;
    n->block[n->blocks] = (struct explore_trace_block){
        .at = r->at,
        .size = r->size,
        .from = i,
        .freed = TRACE_NONE,
        .before = old ? (uint32_t)(old - n->block) : TRACE_NONE,
        .type = type,
        .by_site = type != 0,
    };
    n->blocks++;
    const uint64_t end = r->at + (r->size ? r->size : 1);
    n->low = r->at < n->low ? r->at : n->low;
    n->high = end > n->high ? end : n->high;
}

static void free_block(struct explore_trace_names *n, uint32_t i)
{
    const struct explore_trace_block *const b =
        explore_trace_block_at(n, i, n->job->record[i].at);
    if (b && b->freed == TRACE_NONE)
        n->block[b - n->block].freed = i;
}

static bool list_blocks(struct explore_trace_names *n)
{
    n->block = calloc(MOST_BLOCKS, sizeof *n->block);
    n->low = UINT64_MAX;
    if (!n->block)
        return false;
    for (uint32_t i = 0; i < n->count; i++) {
        if (!explore_trace_is_sound(n, i))
            continue;
        const enum job_trace_kind kind = n->job->record[i].kind;
        if (kind == TRACE_ALLOCATE && n->blocks < MOST_BLOCKS)
            add_block(n, i);
        else if (kind == TRACE_FREE)
            free_block(n, i);
    }
    return true;
}

static void type_name(const struct explore_trace_names *n,
                      binary_symbol_type type, char name[SYMBOL_NAME])
{
    if (!type || !binary_symbols_type(n->symbols, type, name, NULL))
        snprintf(name, SYMBOL_NAME, "heap");
}

/* Types may have one name and be two, in two units: by name. */
static void number_blocks(struct explore_trace_names *n)
{
    char name[SYMBOL_NAME], other[SYMBOL_NAME];
    for (uint32_t b = 0; b < n->blocks; b++) {
        n->block[b].number = 1;
        type_name(n, n->block[b].type, name);
        for (uint32_t c = b; c-- > 0;) {
            if (n->block[c].type != n->block[b].type)
                type_name(n, n->block[c].type, other);
            if (n->block[c].type != n->block[b].type &&
                strcmp(name, other) != 0)
                continue;
            n->block[b].number = n->block[c].number + 1;
            break;
        }
    }
}

void explore_trace_block_name(const struct explore_trace_names *n,
                              const struct explore_trace_block *b,
                              struct plumb_base_text *out)
{
    char name[SYMBOL_NAME];
    type_name(n, b->type, name);
    plumb_base_text_printf(out, "%s#%u", name, b->number);
}

bool explore_trace_names_init(struct explore_trace_names *n,
                              const struct job *job,
                              const struct binary_symbols *symbols, bool ascii)
{
    *n = (struct explore_trace_names){ .job = job,
                                       .symbols = symbols,
                                       .ascii = ascii };
    n->count = job->trace.count < JOB_TRACE ? job->trace.count : JOB_TRACE;
    n->first = job->memory.prepared < n->count ? job->memory.prepared : 0;
    n->local = calloc(TRACE_LOCALS, sizeof *n->local);
    if (!n->local || !explore_trace_places_init(n) ||
        !explore_trace_frames_init(n) || !list_blocks(n)) {
        explore_trace_names_release(n);
        return false;
    }
    explore_trace_find_types(n);
    number_blocks(n);
    return true;
}

void explore_trace_names_release(struct explore_trace_names *n)
{
    explore_trace_frames_release(n);
    free(n->block);
    free(n->local);
    free(n->cache);
    *n = (struct explore_trace_names){ 0 };
}

/* ---- spots ---- */

static void prepend(struct binary_symbol_spot *spot, const char *first)
{
    char rest[SYMBOL_NAME];
    memcpy(rest, spot->name, sizeof rest);
    const int used =
        snprintf(spot->name, sizeof spot->name, "%.*s", SYMBOL_NAME / 2, first);
    snprintf(spot->name + used, sizeof spot->name - (size_t)used, "%s", rest);
}

static void add_offset(struct binary_symbol_spot *spot, uint64_t offset)
{
    const size_t used = strlen(spot->name);
    if (offset)
        snprintf(spot->name + used, sizeof spot->name - used, "+%llu",
                 (unsigned long long)offset);
}

/* The offset into something whose members are not known. */
static void finish(struct binary_symbol_spot *spot)
{
    add_offset(spot, spot->into);
}

static void spot_in_type(const struct explore_trace_names *n, const char *first,
                         binary_symbol_type type, uint64_t offset,
                         uint32_t size, struct binary_symbol_spot *spot)
{
    if (n->symbols && type &&
        binary_symbols_inside(n->symbols, type, offset, size, spot)) {
        prepend(spot, first);
        finish(spot);
        return;
    }
    *spot = (struct binary_symbol_spot){ 0 };
    snprintf(spot->name, sizeof spot->name, "%.*s", SYMBOL_NAME / 2, first);
    add_offset(spot, offset);
}

static bool spot_in_block(const struct explore_trace_names *n, uint32_t i,
                          uint64_t at, uint32_t size,
                          struct binary_symbol_spot *spot)
{
    const struct explore_trace_block *const b =
        explore_trace_block_at(n, i, at);
    char type[SYMBOL_NAME], name[SYMBOL_NAME + 40];
    if (!b)
        return false;
    uint64_t offset = at - b->at;
    type_name(n, b->type, type);
    const int used = snprintf(name, sizeof name, "%.*s#%u",
                              SYMBOL_NAME / 2 - 32, type, b->number);
    if (b->several) {
        snprintf(name + used, sizeof name - (size_t)used, "[%llu]",
                 (unsigned long long)(offset / b->each));
        offset %= b->each;
    }
    spot_in_type(n, name, b->type, offset, size, spot);
    return true;
}

/* "node@P1": the variable itself, in the function that it is of. */
static bool spot_in_frame(const struct explore_trace_names *n, uint32_t i,
                          uint64_t at, uint32_t size,
                          struct binary_symbol_spot *spot)
{
    const unsigned thread = explore_trace_stack_of(n, at);
    const struct binary_symbol_variable *const v =
        thread < PLUMB_MAX_THREADS ? explore_trace_variable_at(n, i, at, thread)
                                   : NULL;
    char name[SYMBOL_NAME], owner[TRACE_THREAD_NAME];
    if (!v)
        return false;
    snprintf(name, sizeof name, "%.*s@%s", SYMBOL_NAME / 2 - 12, v->name,
             explore_trace_thread(n->job, thread, owner));
    spot_in_type(n, name, v->type, at - v->at, size, spot);
    return true;
}

static bool spot_on_stack(const struct explore_trace_names *n, uint32_t i,
                          uint64_t at, uint32_t size,
                          struct binary_symbol_spot *spot)
{
    const struct explore_trace_local *const l =
        explore_trace_local_at(n, i, at);
    const unsigned thread = explore_trace_stack_of(n, at);
    char type[SYMBOL_NAME], name[SYMBOL_NAME], owner[TRACE_THREAD_NAME];
    if (l) {
        type_name(n, l->type, type);
        snprintf(name, sizeof name, "%.*s@%s", SYMBOL_NAME / 2 - 12, type,
                 explore_trace_thread(n->job, l->thread, owner));
        spot_in_type(n, name, l->type, at - l->at, size, spot);
        return true;
    }
    if (thread == PLUMB_MAX_THREADS)
        return false;
    /* from its end: where it lies may change from run to run */
    const uint64_t end =
        n->job->memory.stack[thread].at + n->job->memory.stack[thread].size;
    *spot = (struct binary_symbol_spot){ 0 };
    snprintf(spot->name, sizeof spot->name, "stack of %s-%llu",
             explore_trace_thread(n->job, thread, owner),
             (unsigned long long)(end - at));
    return true;
}

static bool is_in(uint64_t at, uint64_t start, uint64_t size)
{
    return at >= start && at - start < size;
}

static bool spot_in_locals(const struct explore_trace_names *n, uint64_t at,
                           uint32_t size, struct binary_symbol_spot *spot)
{
    for (unsigned t = 0; n->symbols && t < PLUMB_MAX_THREADS; t++) {
        const uint64_t start = n->job->memory.locals[t].at;
        char first[16], owner[TRACE_THREAD_NAME];
        if (!is_in(at, start, n->job->memory.locals[t].size) ||
            !binary_symbols_thread_local(n->symbols, at - start, size, spot))
            continue;
        snprintf(first, sizeof first,
                 "%s:", explore_trace_thread(n->job, t, owner));
        prepend(spot, first);
        finish(spot);
        return true;
    }
    return false;
}

static bool spot_in_variables(const struct explore_trace_names *n, uint64_t at,
                              uint32_t size, struct binary_symbol_spot *spot)
{
    const uint64_t base = n->job->memory.base;
    if (!n->symbols || at < base ||
        !binary_symbols_variable(n->symbols, at - base, size, spot))
        return false;
    finish(spot);
    return true;
}

bool explore_trace_spot(const struct explore_trace_names *n, uint32_t i,
                        uint64_t at, uint32_t size,
                        struct binary_symbol_spot *spot)
{
    if (spot_in_block(n, i, at, size, spot) ||
        spot_in_variables(n, at, size, spot) ||
        spot_in_locals(n, at, size, spot) ||
        spot_in_frame(n, i, at, size, spot) ||
        spot_on_stack(n, i, at, size, spot))
        return true;
    *spot = (struct binary_symbol_spot){ 0 };
    snprintf(spot->name, sizeof spot->name, "0x%llx", (unsigned long long)at);
    return false;
}
