/* plain_lock.c - semaphore and mutex.
 *
 * number: how often it can be acquired before that blocks.  A mutex is a
 * semaphore of 1 whose release blocks where it is not locked. */
#include "plain.h"

enum { ACQUIRE, TRY, RELEASE, UNLOCK };

static const struct plumb_proof_plain_operation semaphore[] = {
    { "acquire wait p down", ACQUIRE, 0, 0, "ok/0", PLAIN_WRITES, PLAIN_TO_NONE,
      false, false },
    { "try_acquire try_wait try_down", TRY, 0, 0, "ok/1", PLAIN_READS_FALSE,
      PLAIN_TO_NONE, false, false },
    { "release post signal v up", RELEASE, 0, 0, "ok/0", PLAIN_WRITES,
      PLAIN_TO_NONE, false, false },
};

static const struct plumb_proof_plain_operation mutex[] = {
    { "lock acquire", ACQUIRE, 0, 0, "ok/0", PLAIN_WRITES, PLAIN_TO_NONE, false,
      false },
    { "try_lock try_acquire", TRY, 0, 0, "ok/1", PLAIN_READS_FALSE,
      PLAIN_TO_NONE, false, false },
    { "unlock release", UNLOCK, 0, 0, "ok/0", PLAIN_WRITES, PLAIN_TO_NONE,
      false, false },
};

static bool init_semaphore(struct plumb_proof_plain *p,
                           struct plumb_proof_plain_state *s)
{
    s->number = p->with.n;
    return true;
}

static bool init_mutex(struct plumb_proof_plain *p,
                       struct plumb_proof_plain_state *s)
{
    (void)p;
    s->number = 1;
    return true;
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    (void)p;
    const bool is_free = s->number > 0;
    switch (c->operation->kind) {
    case ACQUIRE:
        if (!is_free)
            return PLAIN_BLOCKS;
        s->number--;
        return plumb_proof_plain_answer(r, "ok");
    case TRY:
        if (is_free)
            s->number--;
        return plumb_proof_plain_answer_truth(r, is_free);
    case UNLOCK:
        if (is_free)
            return PLAIN_BLOCKS;
        s->number++;
        return plumb_proof_plain_answer(r, "ok");
    default:
        s->number++;
        return plumb_proof_plain_answer(r, "ok");
    }
}

const struct plumb_proof_plain_type plumb_proof_plain_semaphore = {
    .names = "semaphore",
    .parameters = "n",
    PLAIN_TABLE(semaphore),
    .closed = false,
    .init = init_semaphore,
    .perform = perform,
};

const struct plumb_proof_plain_type plumb_proof_plain_mutex = {
    .names = "mutex",
    .parameters = "",
    PLAIN_TABLE(mutex),
    .closed = false,
    .init = init_mutex,
    .perform = perform,
};
