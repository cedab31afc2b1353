/* event_names.h - how models name what an operation answers.
 *
 * deq() = ok(x) by client i is the event deq_res.i.x, and deq() = empty() the
 * event deq_empty.i: csp/states/object_source.c. */
#ifndef PLUMB_SPEC_EVENT_NAMES_H
#define PLUMB_SPEC_EVENT_NAMES_H

#include "base/text.h"
#include "shape.h"

/* OP_res.CLIENT.x, OP_empty.CLIENT; the operation's name has `length`. */
void plumb_spec_answer_event(const struct plumb_spec_row *row, unsigned term,
                             const char *op, size_t length, const char *client,
                             struct plumb_base_text *out);

#endif
