/* ropes.h - strings that a map's append() makes, never written out.
 *
 * A rope is known by its length and fingerprint (modular.h); the same text has
 * the same number, whether it was made by appending or stands in the history.
 * Appending takes time in the length of the suffix, once per suffix. */
#ifndef PLUMB_SPEC_ROPES_H
#define PLUMB_SPEC_ROPES_H

#include "modular.h"
#include "spec/spec.h"

/* `before` and then the text of `suffix`: one way to make it. */
struct plumb_rope {
    struct plumb_print print;
    uint64_t length;
    uint32_t before;
    plumb_vid suffix;
};

struct plumb_ropes {
    struct plumb_budget *budget;
    struct plumb_rope *rope;
    size_t count, capacity;
    struct plumb_slots index;
    struct plumb_known_rope *known; /* ropes of values, found by value */
    size_t known_count, known_capacity;
    struct plumb_slots known_index;
};

#define PLUMB_NO_ROPE UINT32_MAX
enum { PLUMB_EMPTY_ROPE = 0 };

/* False when memory is used up; PLUMB_NO_ROPE likewise below. */
bool plumb_ropes_init(struct plumb_ropes *r, struct plumb_budget *budget);
void plumb_ropes_release(struct plumb_ropes *r);

/* The text of a value: its digits, true, false, its characters; of nil "". */
uint32_t plumb_rope_of(struct plumb_ropes *r, const struct plumb_space *space,
                       plumb_vid v);
uint32_t plumb_rope_append(struct plumb_ropes *r,
                           const struct plumb_space *space, uint32_t rope,
                           plumb_vid suffix);

/* As plumb_string_show(). */
void plumb_rope_show(const struct plumb_ropes *r,
                     const struct plumb_space *space, uint32_t rope,
                     struct plumb_text *out);

#endif
