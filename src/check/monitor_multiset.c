/* monitor_multiset.c - multisets: the state of a key is how often it is there.
 *
 * Inserts of a key all do the same, and so do deletes that found one: few.c
 * takes the one that returns first, so the configurations of a key are about as
 * many as its open inserts times its open deletes.  (Waiting, as in a set, does
 * not suffice: an insert that returns may have to stand behind a delete and a
 * read of zero which are still open.) */
#include "check/keyed_few.h"

static uint32_t step(uint32_t count, const struct plumb_tape_op *o,
                     bool pending)
{
    switch (o->role) {
    case PLUMB_ROLE_INSERT:
        return count + 1;
    case PLUMB_ROLE_DELETE:
        if (pending ? !count : o->word[1] != (count > 0))
            return PLUMB_FEW_REFUSED;
        return count ? count - 1 : count;
    case PLUMB_ROLE_MEMBER:
        return o->word[1] == (count > 0) ? count : PLUMB_FEW_REFUSED;
    default:
        return o->word[1] == count ? count : PLUMB_FEW_REFUSED;
    }
}

static bool reads(const struct plumb_tape_op *o, bool pending)
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

static const struct plumb_few_type counts = { .step = step, .reads = reads };

bool plumb_monitor_multiset(struct plumb_monitoring *m)
{
    return plumb_monitor_few(m, &counts, "counts");
}
