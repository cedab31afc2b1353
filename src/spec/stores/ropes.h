/* ropes.h - strings that a map's append() makes, never written out.
 *
 * A rope is known by its length and fingerprint (modular.h); the same text has
 * the same number, whether it was made by appending or stands in the history.
 * Appending takes time in the length of the suffix, once per suffix. */
#ifndef PLUMB_SPEC_STORES_ROPES_H
#define PLUMB_SPEC_STORES_ROPES_H

#include "modular.h"
#include "spec/spec.h"

/* `before` and then the text of `suffix`: one way to make it. */
struct plumb_spec_rope {
    struct plumb_spec_print print;
    uint64_t length;
    uint32_t before;
    plumb_spec_vid suffix;
};

struct plumb_spec_ropes {
    struct plumb_budget *budget;
    struct plumb_spec_rope *rope;
    size_t count, capacity;
    struct plumb_base_index index;
    struct plumb_spec_known_rope *known; /* ropes of values, found by value */
    size_t known_count, known_capacity;
    struct plumb_base_index known_index;
};

#define PLUMB_NO_ROPE UINT32_MAX
enum { PLUMB_EMPTY_ROPE = 0 };

/* False when memory is used up; PLUMB_NO_ROPE likewise below. */
bool plumb_spec_ropes_init(struct plumb_spec_ropes *r,
                           struct plumb_budget *budget);
void plumb_spec_ropes_release(struct plumb_spec_ropes *r);

/* The text of a value: its digits, true, false, its characters; of nil "". */
uint32_t plumb_spec_rope_of(struct plumb_spec_ropes *r,
                            const struct plumb_spec_space *space,
                            plumb_spec_vid v);
uint32_t plumb_spec_rope_append(struct plumb_spec_ropes *r,
                                const struct plumb_spec_space *space,
                                uint32_t rope, plumb_spec_vid suffix);

/* As plumb_string_show(). */
void plumb_spec_rope_show(const struct plumb_spec_ropes *r,
                          const struct plumb_spec_space *space, uint32_t rope,
                          struct plumb_base_text *out);

#endif
