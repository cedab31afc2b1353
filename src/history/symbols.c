/* symbols.c - interning strings. */
#include "symbols.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/pace.h"
#include <assert.h>
#include <string.h>

const char *plumb_symbol_text(const struct plumb_symbols *symbols,
                              uint32_t symbol, size_t *length)
{
    assert(symbol < symbols->count);
    const uint32_t from = symbols->start[symbol];
    if (length)
        *length = symbols->start[symbol + 1] - from - 1;
    return symbols->text + from;
}

static bool is_text(const struct plumb_symbols *s, uint32_t symbol,
                    const char *text, size_t length)
{
    size_t have;
    const char *const there = plumb_symbol_text(s, symbol, &have);
    return have == length && memcmp(there, text, length) == 0;
}

static uint64_t hash_of(const void *context, uint32_t symbol)
{
    size_t length;
    const char *const text = plumb_symbol_text(context, symbol, &length);
    return plumb_base_hash_bytes(text, length);
}

static uint32_t find(const struct plumb_symbols *s,
                     const struct plumb_base_index *ix, const char *text,
                     size_t length, struct plumb_base_probe *p)
{
    *p = plumb_base_index_probe(ix, plumb_base_hash_bytes(text, length));
    PLUMB_FOR_CANDIDATES(ix, p, n)
        if (is_text(s, n, text, length))
            return n;
    return PLUMB_ABSENT;
}

uint32_t plumb_symbol_find(const struct plumb_symbols *s, const char *text,
                           size_t length)
{
    assert(text || !length);
    struct plumb_base_probe p;
    if (s->index.slots)
        return find(s, &s->index, text, length, &p);
    for (uint32_t i = 0; i < s->count; i++) /* mapped: no index */
        if (is_text(s, i, text, length))
            return i;
    return UINT32_MAX;
}

bool plumb_history_symbols_are_distinct(const struct plumb_symbols *s,
                                        uint32_t *twin)
{
    struct plumb_base_index index;
    bool distinct = true;
    *twin = UINT32_MAX;
    plumb_base_index_init(&index, s->budget);
    for (uint32_t i = 0; distinct && i < s->count; i++) {
        size_t length;
        struct plumb_base_probe p;
        const char *const text = plumb_symbol_text(s, i, &length);
        distinct = plumb_base_in_time(s->budget, i) &&
                   plumb_base_index_room(&index, hash_of, s);
        if (distinct && find(s, &index, text, length, &p) != PLUMB_ABSENT) {
            *twin = i;
            distinct = false;
        }
        if (distinct)
            plumb_base_index_put(&index, &p, i);
    }
    plumb_base_index_release(&index);
    return distinct;
}

bool plumb_history_symbols_init(struct plumb_symbols *s,
                                struct plumb_budget *budget)
{
    *s = (struct plumb_symbols){ .budget = budget };
    plumb_base_index_init(&s->index, budget);
    if (plumb_history_symbols_intern(s, "", 0) == 0)
        return true;
    plumb_history_symbols_release(s);
    return false;
}

void plumb_history_symbols_release(struct plumb_symbols *s)
{
    if (s->text_capacity || s->start_capacity) { /* built here, not mapped */
        union {
            const void *read;
            void *write;
        } text = { s->text }, start = { s->start };
        plumb_base_release(s->budget, text.write, s->text_capacity);
        plumb_base_release(s->budget, start.write,
                           s->start_capacity * sizeof *s->start);
    }
    plumb_base_index_release(&s->index);
    *s = (struct plumb_symbols){ .budget = s->budget, .index = s->index };
}

static bool append(struct plumb_symbols *s, const char *text, size_t length)
{
    union {
        const char *read;
        char *write;
    } chars = { s->text };
    union {
        const uint32_t *read;
        uint32_t *write;
    } starts = { s->start };

    if (length >= UINT32_MAX - s->text_size || s->count >= UINT32_MAX - 2)
        return false;
    const bool grown = PLUMB_GROW(s->budget, chars.write, s->text_capacity,
                                  s->text_size + length + 1) &&
                       PLUMB_GROW(s->budget, starts.write, s->start_capacity,
                                  (size_t)s->count + 2);
    s->text = chars.read;
    s->start = starts.read;
    if (!grown)
        return false;

    char *const to = chars.write + s->text_size;
    memcpy(to, text, length);
    to[length] = '\0';
    starts.write[s->count] = s->text_size;
    s->text_size += (uint32_t)length + 1;
    starts.write[++s->count] = s->text_size;
    return true;
}

uint32_t plumb_history_symbols_intern(struct plumb_symbols *s, const char *text,
                                      size_t length)
{
    struct plumb_base_probe p;
    if (!plumb_base_index_room(&s->index, hash_of, s))
        return UINT32_MAX;
    const uint32_t found = find(s, &s->index, text, length, &p);
    if (found != PLUMB_ABSENT)
        return found;
    if (!append(s, text, length))
        return UINT32_MAX;
    plumb_base_index_put(&s->index, &p, s->count - 1);
    return s->count - 1;
}

bool plumb_history_symbols_copy(const struct plumb_symbols *from,
                                const bool *needed, struct plumb_symbols *to,
                                uint32_t *symbol)
{
    bool room = plumb_history_symbols_init(to, from->budget);
    for (uint32_t i = 0; i < from->count && room; i++) {
        size_t length;
        const char *const text = plumb_symbol_text(from, i, &length);
        symbol[i] =
            needed[i] ? plumb_history_symbols_intern(to, text, length) : 0;
        room = symbol[i] != UINT32_MAX;
    }
    return room;
}
