/* event_numbers.h - numbers for events: a name and its data.
 *
 * One table per run, shared by both sides of a refinement.  PLUMB_TAU and
 * PLUMB_TICK are there from the beginning. */
#ifndef PLUMB_CSP_TERMS_EVENT_NUMBERS_H
#define PLUMB_CSP_TERMS_EVENT_NUMBERS_H

#include "base/read_gate.h"
#include "base/text.h"
#include "csp/language/model.h"
#include "csp/states/graph.h"

struct plumb_csp_event_numbers;

struct plumb_csp_event_numbers *plumb_csp_event_numbers_new(
    const struct plumb_csp_model *model, struct plumb_budget *budget);
void plumb_csp_event_numbers_free(struct plumb_csp_event_numbers *events);

/* UINT32_MAX when memory is refused. */
uint32_t plumb_csp_event_number(struct plumb_csp_event_numbers *events,
                                enum plumb_csp_event_kind kind, uint32_t name,
                                const int32_t *data, uint32_t count);
/* What is seen where sender and receiver meet: c.5.3 is the same event, whether
 * a channel or nothing but its name makes it.  UINT32_MAX as above. */
uint32_t plumb_csp_event_meeting(struct plumb_csp_event_numbers *events,
                                 uint32_t event);
/* The same, with nothing numbered: UINT32_MAX if it has none. */
uint32_t plumb_csp_event_find(const struct plumb_csp_event_numbers *events,
                              enum plumb_csp_event_kind kind, uint32_t name,
                              const int32_t *data, uint32_t count);
/* Close it before an event is numbered. */
void plumb_csp_event_numbers_guard(struct plumb_csp_event_numbers *events,
                                   struct plumb_base_gate *gate);
uint32_t plumb_csp_event_numbers_count(
    const struct plumb_csp_event_numbers *events);
/* "tau", "terminate", "push_inv.0.1", "c!5". */
void plumb_csp_event_numbers_text(const struct plumb_csp_event_numbers *events,
                                  uint32_t event, struct plumb_base_text *out);
/* Is it something that a channel does: of an array the index-th, or any of them
 * if the index is UINT32_MAX? */
bool plumb_csp_event_is_of_channel(const struct plumb_csp_event_numbers *events,
                                   uint32_t event, uint32_t channel,
                                   uint32_t index);
/* Its parts, for reports. */
enum plumb_csp_event_kind plumb_csp_event_numbers_parts(
    const struct plumb_csp_event_numbers *events, uint32_t event,
    uint32_t *name, const int32_t **data, uint32_t *count);

#endif
