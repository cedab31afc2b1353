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

/* The slot that holds `text`, or the free one where it belongs. */
static uint32_t *find_slot(const struct plumb_symbols *s, const char *text,
                           size_t length)
{
    const uint32_t mask = s->slots - 1;
    uint32_t i = (uint32_t)plumb_base_hash_bytes(text, length) & mask;
    while (s->slot[i] && !is_text(s, s->slot[i] - 1, text, length))
        i = (i + 1) & mask;
    return s->slot + i;
}

uint32_t plumb_symbol_find(const struct plumb_symbols *s, const char *text,
                           size_t length)
{
    if (s->slot) {
        const uint32_t found = *find_slot(s, text, length);
        return found ? found - 1 : UINT32_MAX;
    }
    for (uint32_t i = 0; i < s->count; i++) /* mapped: no index */
        if (is_text(s, i, text, length))
            return i;
    return UINT32_MAX;
}

/* Fill the empty table with all symbols.  False at the first one whose text is
 * there already, which is the `*twin`; or, if that is UINT32_MAX, when the
 * budget ends the run. */
static bool fill_slots(struct plumb_symbols *s, uint32_t *twin)
{
    *twin = UINT32_MAX;
    for (uint32_t i = 0; i < s->count; i++) {
        size_t length;
        const char *const text = plumb_symbol_text(s, i, &length);
        uint32_t *const slot = find_slot(s, text, length);
        if (*slot) {
            *twin = i;
            return false;
        }
        if (!plumb_base_in_time(s->budget, i))
            return false;
        *slot = i + 1;
    }
    return true;
}

static bool resize_slots(struct plumb_symbols *s, uint32_t slots)
{
    struct plumb_symbols larger = *s;
    uint32_t ignored;
    larger.slots = slots;
    larger.slot =
        plumb_base_alloc_zeroed(s->budget, slots * sizeof *larger.slot);
    if (!larger.slot)
        return false;
    if (!fill_slots(&larger, &ignored)) {
        PLUMB_RELEASE(s->budget, larger.slot, slots);
        return false;
    }
    PLUMB_RELEASE(s->budget, s->slot, s->slots);
    *s = larger;
    return true;
}

/* At most half of the table is in use.  2^31 slots are the most there can be,
 * so 2^30 symbols are. */
static bool make_room(struct plumb_symbols *s)
{
    if (s->count < s->slots / 2)
        return true;
    if (s->slots > UINT32_MAX / 2)
        return false;
    return resize_slots(s, s->slots ? s->slots * 2 : 64);
}

bool plumb_history_symbols_are_distinct(const struct plumb_symbols *s,
                                        uint32_t *twin)
{
    struct plumb_symbols index = *s;
    index.slots = 64;
    *twin = UINT32_MAX;
    while (index.slots / 2 < s->count) {
        if (index.slots > UINT32_MAX / 2)
            return false;
        index.slots *= 2;
    }
    const size_t size = index.slots * sizeof *index.slot;
    index.slot = plumb_base_alloc_zeroed(s->budget, size);
    if (!index.slot)
        return false;
    const bool distinct = fill_slots(&index, twin);
    plumb_base_release(s->budget, index.slot, size);
    return distinct;
}

bool plumb_history_symbols_init(struct plumb_symbols *s,
                                struct plumb_budget *budget)
{
    *s = (struct plumb_symbols){ .budget = budget };
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
    PLUMB_RELEASE(s->budget, s->slot, s->slots);
    *s = (struct plumb_symbols){ .budget = s->budget };
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
    if (!make_room(s))
        return UINT32_MAX;
    uint32_t *const slot = find_slot(s, text, length);
    if (*slot)
        return *slot - 1;
    if (!append(s, text, length))
        return UINT32_MAX;
    *slot = s->count;
    return s->count - 1;
}
