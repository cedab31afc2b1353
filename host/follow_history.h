/* follow_history.h - the history of a test, followed while it happens: calls and
 * returns in their order, and the live configurations after each.
 *
 * The functions with a `context` are what the machine adapter calls back
 * (scheduler_adapter_play); the context is the test driver. */
#ifndef PLUMB_HOST_FOLLOW_HISTORY_H
#define PLUMB_HOST_FOLLOW_HISTORY_H

#include "test_driver.h"

struct memory_tape;

/* Value `i` of an entry, as configurations take it. */
struct plumb_check_configurations_word host_followed_word(
    const struct plumb_record_entry *e, unsigned i);

/* False: no order explains the history any more. */
bool host_follow(struct host_driver *p, unsigned op, bool returned);

bool host_follow_told(void *context, unsigned op, bool returned);
uint64_t host_follow_hash(void *context);
uint32_t host_follow_class(void *context);
bool host_follow_covers(void *context, uint32_t narrow, uint32_t wide);
void host_follow_begun(void *context);
void host_follow_pass(void *context, struct memory_tape *tape);

#endif
