/* sequences.h - what is in a channel, as one number.
 *
 * A sequence of messages, each a few values; equal sequences have equal
 * numbers, 0 is the empty one.  So a channel is one slot of the state however
 * much it holds. */
#ifndef PLUMB_CSP_TERMS_SEQUENCES_H
#define PLUMB_CSP_TERMS_SEQUENCES_H

#include <plumb/budget.h>
#include <stdint.h>

enum { PLUMB_MOST_MESSAGE = 64 }; /* values */

struct plumb_csp_sequences;

struct plumb_csp_sequences *plumb_csp_sequences_new(
    struct plumb_budget *budget);
void plumb_csp_sequences_free(struct plumb_csp_sequences *s);

/* UINT32_MAX when memory is refused. */
uint32_t plumb_csp_sequence_append(struct plumb_csp_sequences *s,
                                   uint32_t sequence, const int32_t *value,
                                   uint32_t count);
uint32_t plumb_csp_sequence_rest(struct plumb_csp_sequences *s,
                                 uint32_t sequence);
uint32_t plumb_csp_sequence_length(const struct plumb_csp_sequences *s,
                                   uint32_t sequence);
/* The index-th message, from the first on; valid until one is appended. */
const int32_t *plumb_csp_sequence_message(const struct plumb_csp_sequences *s,
                                          uint32_t sequence, uint32_t index,
                                          uint32_t *count);

#endif
