/* ropes.c - fingerprints of growing strings.
 *
 * Fingerprint of the bytes b1 .. bn: the sum of (bi + 1) * base^(n - i), so
 * that of two strings joined is the first's times base^length + the second's.
 */
#include "ropes.h"

#include "base/memory.h"
#include "spec/values.h"
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct plumb_spec_known_rope {
    plumb_spec_vid value;
    uint32_t rope;
};

enum { NUMBER_SIZE = 24 }; /* the longest has 20 characters */

static uint64_t hash_of(const struct plumb_spec_rope *r)
{
    return plumb_base_mix(r->print.h[0] ^ r->length, r->print.h[1]);
}

static uint64_t hash_of_rope(const void *context, uint32_t number)
{
    const struct plumb_spec_ropes *const r = context;
    return hash_of(r->rope + number);
}

static uint64_t hash_of_known(const void *context, uint32_t number)
{
    const struct plumb_spec_ropes *const r = context;
    return plumb_base_mix1(r->known[number].value);
}

static uint32_t intern(struct plumb_spec_ropes *r,
                       const struct plumb_spec_rope *wanted)
{
    if (r->count >= INT32_MAX ||
        !plumb_base_index_room(&r->index, hash_of_rope, r) ||
        !PLUMB_GROW(r->budget, r->rope, r->capacity, r->count + 1))
        return PLUMB_NO_ROPE;
    struct plumb_base_probe p =
        plumb_base_index_probe(&r->index, hash_of(wanted));
    PLUMB_FOR_CANDIDATES(&r->index, &p, n)
        if (r->rope[n].length == wanted->length &&
            plumb_spec_print_equal(r->rope[n].print, wanted->print))
            return n;
    r->rope[r->count] = *wanted;
    plumb_base_index_put(&r->index, &p, (uint32_t)r->count);
    return (uint32_t)r->count++;
}

bool plumb_spec_ropes_init(struct plumb_spec_ropes *r,
                           struct plumb_budget *budget)
{
    const struct plumb_spec_rope empty = { .suffix = PLUMB_VID_NIL };
    *r = (struct plumb_spec_ropes){ .budget = budget };
    plumb_base_index_init(&r->index, budget);
    plumb_base_index_init(&r->known_index, budget);
    return intern(r, &empty) == PLUMB_EMPTY_ROPE;
}

void plumb_spec_ropes_release(struct plumb_spec_ropes *r)
{
    struct plumb_budget *const b = r->budget;
    PLUMB_RELEASE(b, r->rope, r->capacity);
    PLUMB_RELEASE(b, r->known, r->known_capacity);
    plumb_base_index_release(&r->index);
    plumb_base_index_release(&r->known_index);
    *r = (struct plumb_spec_ropes){ .budget = b };
}

static const char *text_of(const struct plumb_spec_space *space,
                           plumb_spec_vid v, char number[NUMBER_SIZE],
                           size_t *length)
{
    const struct plumb_value value = plumb_spec_vid_value(space, v);
    const char *text = number;
    if (value.tag == PLUMB_STR)
        return plumb_spec_vid_string(space, v, length);
    if (value.tag == PLUMB_INT)
        snprintf(number, NUMBER_SIZE, "%" PRId64, (int64_t)value.bits);
    else if (value.tag == PLUMB_BOOL)
        text = value.bits ? "true" : "false";
    else
        text = "";
    *length = strlen(text);
    return text;
}

static struct plumb_spec_rope rope_of_text(const char *text, size_t length,
                                           plumb_spec_vid v)
{
    const struct plumb_spec_print base = plumb_spec_print_base();
    struct plumb_spec_print sum = { { 0, 0 } };
    for (size_t i = 0; i < length; i++) {
        const uint64_t c = (uint64_t)(unsigned char)text[i] + 1;
        sum = plumb_spec_print_add(plumb_spec_print_mul(sum, base),
                                   (struct plumb_spec_print){ { c, c } });
    }
    return (struct plumb_spec_rope){ sum, length, PLUMB_EMPTY_ROPE, v };
}

static bool know(struct plumb_spec_ropes *r, const struct plumb_base_probe *p,
                 plumb_spec_vid v, uint32_t rope)
{
    if (!PLUMB_APPEND(r->budget, r->known, r->known_count, r->known_capacity,
                      (struct plumb_spec_known_rope){ v, rope }))
        return false;
    plumb_base_index_put(&r->known_index, p, (uint32_t)r->known_count - 1);
    return true;
}

uint32_t plumb_spec_rope_of(struct plumb_spec_ropes *r,
                            const struct plumb_spec_space *space,
                            plumb_spec_vid v)
{
    char number[NUMBER_SIZE];
    size_t length;
    if (!plumb_base_index_room(&r->known_index, hash_of_known, r))
        return PLUMB_NO_ROPE;
    struct plumb_base_probe p =
        plumb_base_index_probe(&r->known_index, plumb_base_mix1(v));
    PLUMB_FOR_CANDIDATES(&r->known_index, &p, n)
        if (r->known[n].value == v)
            return r->known[n].rope;
    const char *const text = text_of(space, v, number, &length);
    const struct plumb_spec_rope fresh = rope_of_text(text, length, v);
    const uint32_t rope = intern(r, &fresh);
    if (rope == PLUMB_NO_ROPE || !know(r, &p, v, rope))
        return PLUMB_NO_ROPE;
    return rope;
}

uint32_t plumb_spec_rope_append(struct plumb_spec_ropes *r,
                                const struct plumb_spec_space *space,
                                uint32_t rope, plumb_spec_vid suffix)
{
    const uint32_t end = plumb_spec_rope_of(r, space, suffix);
    assert(rope < r->count);
    if (end == PLUMB_NO_ROPE)
        return PLUMB_NO_ROPE;
    const struct plumb_spec_rope *const a = r->rope + rope, *const b =
                                                                r->rope + end;
    const struct plumb_spec_print shift =
        plumb_spec_print_power(plumb_spec_print_base(), b->length);
    const struct plumb_spec_rope fresh = {
        plumb_spec_print_add(plumb_spec_print_mul(a->print, shift), b->print),
        a->length + b->length, rope, suffix
    };
    return intern(r, &fresh);
}

void plumb_spec_rope_show(const struct plumb_spec_ropes *r,
                          const struct plumb_spec_space *space, uint32_t rope,
                          struct plumb_base_text *out)
{
    const size_t length = (size_t)r->rope[rope].length;
    char *const text = plumb_base_alloc(r->budget, length + 1);
    char number[NUMBER_SIZE];
    if (!text) {
        out->broken = true;
        return;
    }
    for (size_t end = length; rope != PLUMB_EMPTY_ROPE;) {
        size_t size;
        const char *const suffix =
            text_of(space, r->rope[rope].suffix, number, &size);
        end -= size;
        memcpy(text + end, suffix, size);
        rope = r->rope[rope].before;
    }
    plumb_spec_string_show(text, length, out);
    plumb_base_release(r->budget, text, length + 1);
}
