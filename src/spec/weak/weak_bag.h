/* weak_bag.h - bags and semiqueues that answer `empty` or `full` weakly: what
 * the two types share. */
#ifndef PLUMB_SPEC_WEAK_WEAK_BAG_H
#define PLUMB_SPEC_WEAK_WEAK_BAG_H

#include "weakness.h"

/* How a type's parameters and operations are to be read. */
struct plumb_spec_weak_bag {
    uint64_t cap; /* UINT64_MAX: none */
    enum plumb_spec_weakness weakness;
    unsigned blocking; /* place of that parameter */
};

bool plumb_spec_weak_bag_open(struct plumb_spec_space *space);
void plumb_spec_weak_bag_close(struct plumb_spec_space *space);
plumb_spec_state plumb_spec_weak_bag_initial(struct plumb_spec_space *space);
void plumb_spec_weak_bag_show(const struct plumb_spec_space *space,
                              plumb_spec_state s, struct plumb_base_text *out);

/* How often a value is there, and how many items are. */
uint32_t plumb_spec_weak_bag_count(const struct plumb_spec_space *space,
                                   plumb_spec_state s, plumb_spec_vid value);
uint32_t plumb_spec_weak_bag_total(const struct plumb_spec_space *space,
                                   plumb_spec_state s);

/* Steps.  An addition of a->arg[0]; a removal of any item, a->res[0] if that is
 * known; and one of an item with this value, of which there is one. */
bool plumb_spec_weak_bag_add(struct plumb_spec_space *space,
                             const struct plumb_spec_weak_bag *b,
                             plumb_spec_state s,
                             const struct plumb_spec_action *a,
                             struct plumb_spec_states *out);
bool plumb_spec_weak_bag_take(struct plumb_spec_space *space,
                              const struct plumb_spec_weak_bag *b,
                              plumb_spec_state s,
                              const struct plumb_spec_action *a,
                              struct plumb_spec_states *out);
bool plumb_spec_weak_bag_delete(struct plumb_spec_space *space,
                                const struct plumb_spec_weak_bag *b,
                                plumb_spec_state s, uint32_t whose,
                                plumb_spec_vid value,
                                struct plumb_spec_states *out);

/* Calls and returns. */
bool plumb_spec_weak_bag_called(struct plumb_spec_space *space,
                                const struct plumb_spec_weak_bag *b,
                                plumb_spec_state s,
                                const struct plumb_spec_action *a,
                                struct plumb_spec_states *out);
bool plumb_spec_weak_bag_returned(struct plumb_spec_space *space,
                                  const struct plumb_spec_weak_bag *b,
                                  plumb_spec_state s,
                                  const struct plumb_spec_action *a,
                                  struct plumb_spec_states *out);

#endif
