/* livelock_replay.c - do these steps lead back to where they began?
 *
 * States are compared after rounds of which no trace is recorded: what recording
 * leaves behind on the stacks of threads is another each time. */
#include "livelock_replay.h"

struct round {
    uint64_t moved, always_ready;
};

static bool go(const struct plumb_strategies_machine *m,
               const struct job_step *step, uint32_t cycle, struct round *r)
{
    struct plumb_strategies_event ignored;
    for (uint32_t i = 0; i < cycle; i++) {
        const uint64_t ready = m->ready(m->context);
        const unsigned thread = step[i].thread;
        if (thread >= PLUMB_MAX_THREADS || !(ready >> thread & 1))
            return false;
        r->always_ready &= ready;
        r->moved |= (uint64_t)1 << thread;
        m->step(m->context, thread, step[i].option, &ignored);
    }
    return true;
}

bool host_livelock_replay(const struct plumb_strategies_machine *m,
                          const struct job_step *step, uint32_t cycle)
{
    struct round r = { .always_ready = UINT64_MAX };
    uint64_t before[2], after[2];
    if (!m->fingerprint || !go(m, step, cycle, &r))
        return false;
    m->fingerprint(m->context, before);
    if (!go(m, step, cycle, &r))
        return false;
    m->fingerprint(m->context, after);
    return before[0] == after[0] && before[1] == after[1] &&
           !(r.always_ready & ~r.moved);
}
