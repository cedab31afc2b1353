/* values.h - values as text: what the parts of src/spec/ share. */
#ifndef PLUMB_SPEC_VALUES_H
#define PLUMB_SPEC_VALUES_H

#include "spec.h"

/* nil, true, false or an integer of 64 bits; false: it is none of these. */
bool plumb_spec_value_constant(const char *text, size_t length,
                               struct plumb_value *v);

/* Make a boolean of true, false, t, f, 1 and 0, as the sources of histories
 * write them.  False: it is none of these. */
bool plumb_spec_value_as_boolean(const struct plumb_history *h,
                                 struct plumb_value *v);

/* The parameter of `spec` that is a value, if one was given: `init`.  Of a string,
 * `*text` is its text and its bits mean nothing; else that is NULL. */
bool plumb_spec_value(const struct plumb_spec *spec, struct plumb_value *v,
                      const char **text);

/* Letters, digits, '_', '-' and '.', and nothing that is read as another
 * type of value. */
bool plumb_spec_string_is_word(const char *text, size_t length);

/* Bare if it is a word, else quoted. */
void plumb_spec_string_show(const char *text, size_t length,
                            struct plumb_base_text *out);

/* The text of a string value, the foreign one included. */
const char *plumb_spec_vid_string(const struct plumb_spec_space *space,
                                  plumb_spec_vid v, size_t *length);

/* Fill in bound->rank by the order nil < false < true < integers < strings
 * byte by byte.  False when memory is used up. */
bool plumb_spec_rank_values(struct plumb_spec_bound *bound);

#endif
