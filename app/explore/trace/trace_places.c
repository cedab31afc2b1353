/* trace_places.c - where in the source the records of a trace are.
 *
 * What a function of a library does is at the line that calls it; a line in
 * another file of the target's own is told with the line it is called from:
 * "ring.h:83 in push, queue.c:41". */
#include "trace_places.h"

#include "base/utf8.h"
#include "report/interleaving.h"
#include <stdlib.h>
#include <string.h>

enum { CACHED = 256, INLINED = 8, DEPTH = 24 };

struct explore_trace_place_cache {
    struct {
        uint64_t pc;
        bool used;
        struct binary_symbol_place place;
    } entry[CACHED];
    struct {
        uint64_t pc;
        unsigned count;
        struct binary_symbol_place place[INLINED];
    } inlined[CACHED];
    struct binary_symbol_place
        around; /* the function around what is not ours */
};

bool explore_trace_places_init(struct explore_trace_names *n)
{
    n->cache = calloc(1, sizeof *n->cache);
    return n->cache;
}

static size_t slot_of(uint64_t pc)
{
    return (size_t)((pc * 0x9e3779b97f4a7c15u) >> 56);
}

/* ---- one place ---- */

const struct binary_symbol_place *explore_trace_code_place(
    const struct explore_trace_names *n, uint64_t pc)
{
    static const struct binary_symbol_place nowhere;
    const uint64_t base = n->job->memory.base;
    if (!n->symbols || pc <= base)
        return &nowhere;
    const size_t slot = slot_of(pc);
    if (!n->cache->entry[slot].used || n->cache->entry[slot].pc != pc) {
        n->cache->entry[slot].used = true;
        n->cache->entry[slot].pc = pc;
        /* the call, which is before where it returns to */
        binary_symbols_place(n->symbols, pc - base - 1,
                             &n->cache->entry[slot].place);
    }
    return &n->cache->entry[slot].place;
}

/* It was written by a library that the function called: that is all we know. */
static const struct binary_symbol_place *function_around(
    const struct explore_trace_names *n, uint32_t frame)
{
    struct binary_symbol_place *const around = &n->cache->around;
    *around = *explore_trace_code_place(n, n->job->record[frame].at);
    around->line = 0;
    return around;
}

/* In a library, and what calls it is not: there. */
const struct binary_symbol_place *explore_trace_place(
    const struct explore_trace_names *n, uint32_t i)
{
    const struct binary_symbol_place *place =
        explore_trace_code_place(n, n->job->record[i].pc);
    uint32_t at = n->frame[i];
    if (!place->line && !place->function[0] && at != TRACE_NONE)
        place = function_around(n, at);
    for (unsigned d = 0; d < TRACE_FRAMES && at != TRACE_NONE; d++) {
        if ((place->line || place->function[0]) && !place->library)
            break;
        place = explore_trace_code_place(n, n->job->record[at].pc);
        at = n->frame[at];
    }
    return place;
}

/* ---- all that called it ---- */

/* A place, and where what is inlined there was called. */
static const struct binary_symbol_place *inlined_at(
    const struct explore_trace_names *n, uint64_t pc, unsigned *count)
{
    const uint64_t base = n->job->memory.base;
    *count = 0;
    if (!n->symbols || pc <= base)
        return NULL;
    const size_t slot = slot_of(pc);
    if (n->cache->inlined[slot].pc != pc) {
        n->cache->inlined[slot].pc = pc;
        n->cache->inlined[slot].count = binary_symbols_places(
            n->symbols, pc - base - 1, n->cache->inlined[slot].place, INLINED);
    }
    *count = n->cache->inlined[slot].count;
    return n->cache->inlined[slot].place;
}

/* Goes through the places of a record, outwards, until `stop` says so. */
typedef bool stop_at(void *context, const struct binary_symbol_place *place);

static void walk(const struct explore_trace_names *n, uint32_t i, stop_at *stop,
                 void *context)
{
    uint64_t pc = n->job->record[i].pc;
    uint32_t at = n->frame[i];
    for (unsigned d = 0; d < DEPTH; d++) {
        unsigned count;
        const struct binary_symbol_place *const place =
            inlined_at(n, pc, &count);
        for (unsigned k = 0; k < count; k++)
            if (stop(context, place + k))
                return;
        if (at == TRACE_NONE)
            return;
        pc = n->job->record[at].pc;
        at = n->frame[at];
    }
}

/* The first place in a file of ours, and the first behind it in another one. */
struct caller {
    char file[SYMBOL_NAME];
    unsigned line;
    char from[SYMBOL_NAME], function[SYMBOL_NAME];
};

static bool find_caller(void *context, const struct binary_symbol_place *place)
{
    struct caller *const c = context;
    if (!place->line || place->library)
        return false;
    if (!c->from[0])
        memcpy(c->from, place->file, sizeof c->from);
    if (strcmp(c->from, place->file) == 0)
        return false;
    memcpy(c->file, place->file, sizeof c->file);
    memcpy(c->function, place->function, sizeof c->function);
    c->line = place->line;
    return true;
}

/* The last function of a library before the first place of ours. */
struct library {
    char function[SYMBOL_NAME];
    bool ours;
};

static bool find_library(void *context, const struct binary_symbol_place *place)
{
    struct library *const l = context;
    l->ours = place->line && !place->library;
    if (!l->ours)
        memcpy(l->function, place->function, sizeof l->function);
    return l->ours;
}

bool explore_trace_library_text(const struct explore_trace_names *n, uint32_t i,
                                struct plumb_base_text *out)
{
    struct library l = { .ours = false };
    walk(n, i, find_library, &l);
    if (!l.ours || !l.function[0])
        return false;
    plumb_base_text_add(out, l.function);
    return true;
}

/* Places behind the record's own. */
struct callers {
    const struct binary_symbol_place *own;
    struct plumb_base_text *out;
    unsigned left;
    bool begun;
};

static bool write_caller(void *context, const struct binary_symbol_place *place)
{
    struct callers *const c = context;
    if (!c->begun) {
        c->begun = place->line == c->own->line &&
                   strcmp(place->path, c->own->path) == 0;
        return false;
    }
    if (!place->line || !place->function[0])
        return false;
    plumb_base_text_printf(c->out, "%s (%s:%u)\n", place->function, place->file,
                           place->line);
    return --c->left == 0;
}

void explore_trace_callers_text(const struct explore_trace_names *n, uint32_t i,
                                unsigned most, struct plumb_base_text *out)
{
    struct callers c = { .own = explore_trace_place(n, i),
                         .out = out,
                         .left = most };
    if (most && c.own->line)
        walk(n, i, write_caller, &c);
}

/* ---- words ---- */

static void write_place(const struct binary_symbol_place *place,
                        struct plumb_base_text *out)
{
    if (place->line)
        plumb_base_text_printf(out, "%s:%u", place->file, place->line);
    else if (place->function[0])
        plumb_base_text_printf(out, "%s()", place->function);
}

void explore_trace_place_text(const struct explore_trace_names *n, uint32_t i,
                              struct plumb_base_text *out)
{
    if (i < n->count)
        write_place(explore_trace_place(n, i), out);
}

/* The name of the function is left out where it does not fit. */
void explore_trace_call_text(const struct explore_trace_names *n, uint32_t i,
                             struct plumb_base_text *out)
{
    struct caller c = { .line = 0 };
    explore_trace_place_text(n, i, out);
    if (i >= n->count || !explore_trace_place(n, i)->line)
        return;
    walk(n, i, find_caller, &c);
    if (!c.line)
        return;
    const size_t before = out->size;
    if (c.function[0])
        plumb_base_text_printf(out, " in %s", c.function);
    plumb_base_text_printf(out, ", %s:%u", c.file, c.line);
    if (out->broken ||
        plumb_base_utf8_columns(out->data, out->size) <= PLUMB_MOST_PLACE)
        return;
    out->size = before;
    plumb_base_text_printf(out, ", %s:%u", c.file, c.line);
}

void explore_trace_code_text(const struct explore_trace_names *n, uint64_t pc,
                             struct plumb_base_text *out)
{
    write_place(explore_trace_code_place(n, pc), out);
}
