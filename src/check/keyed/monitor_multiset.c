/* monitor_multiset.c - multisets: the state of a key is how often it is there.
 *
 * Inserts of a key all do the same, and so do deletes that found one: small_state.c
 * takes the one that returns first, so the configurations of a key are about as
 * many as its open inserts times its open deletes.  (Waiting, as in a set, does
 * not suffice: an insert that returns may have to stand behind a delete and a
 * read of zero which are still open.) */
#include "small_state.h"

/* clang-format off */
#define ONE_MORE { .any = 1, .stays = PLUMB_SMALL_ALL, .plus = 1 }
#define ONE_LESS { .unless = 1, .stays = PLUMB_SMALL_ALL, .plus = UINT32_MAX }
/* clang-format on */

static const struct plumb_check_small_state_rules rules = {
    .nothing = 0,
    .rule = {
        [PLUMB_ROLE_INSERT] = { ONE_MORE, ONE_MORE },
        [PLUMB_ROLE_DELETE] = { PLUMB_SMALL_IF_NOTHING, ONE_LESS },
        [PLUMB_ROLE_MEMBER] = { PLUMB_SMALL_IF_NOTHING, PLUMB_SMALL_IF_SOMETHING },
        [PLUMB_ROLE_COUNT] = { PLUMB_SMALL_IF_WORD, PLUMB_SMALL_IF_WORD },
    },
};

static uint32_t step(uint32_t count, const struct plumb_check_input_op *o,
                     bool pending)
{
    uint32_t next;
    if (!pending)
        return plumb_check_small_state_apply(&rules, o, count, &next)
                   ? next
                   : PLUMB_SMALL_REFUSED;
    if (o->role == PLUMB_ROLE_INSERT)
        return count + 1;
    return o->role == PLUMB_ROLE_DELETE && count ? count - 1
                                                 : PLUMB_SMALL_REFUSED;
}

static bool reads(const struct plumb_check_input_op *o, bool pending)
{
    switch (o->role) {
    case PLUMB_ROLE_INSERT:
        return false;
    case PLUMB_ROLE_DELETE:
        return !pending && !o->word[1];
    default:
        return true;
    }
}

static const struct plumb_check_small_state_type counts = { .step = step,
                                                            .reads = reads,
                                                            .rules = &rules };

bool plumb_check_monitor_multiset(struct plumb_check_monitoring *m)
{
    return plumb_check_monitor_small_state(m, &counts,
                                           "too many concurrent operations");
}
