/* kept_history.c - see kept_history.h. */
#include "kept_history.h"

#include <string.h>

static bool take_words(const struct job *job, uint32_t *at, void *to,
                       size_t bytes)
{
    const uint32_t used =
        job->kept_words < JOB_KEPT ? job->kept_words : JOB_KEPT;
    const size_t words = bytes / sizeof *job->kept;
    if (*at > used || words > used - *at)
        return false;
    if (to)
        memcpy(to, job->kept + *at, bytes);
    *at += (uint32_t)words;
    return true;
}

bool explore_kept_next(const struct job *job, uint32_t *at,
                       struct explore_kept *k)
{
    const unsigned operations = job->target.scenario;
    if (operations > JOB_OPERATIONS ||
        !take_words(job, at, &k->head, sizeof k->head))
        return false;
    for (unsigned i = 0; i < operations; i++)
        if (!take_words(job, at, &k->operation[i], sizeof k->operation[i]) ||
            k->operation[i].answer >= job->serial.answers ||
            k->operation[i].answer >= PLUMB_INFER_ANSWERS)
            return false;
    k->step = (const struct job_step *)(const void *)(job->kept + *at);
    return k->head.length <= JOB_STEPS &&
           take_words(job, at, NULL,
                      (k->head.length + (size_t)1) / 2 * sizeof *job->kept);
}

uint64_t explore_kept_before(const struct job_kept_operation *o)
{
    return o->before[0] | (uint64_t)o->before[1] << 32;
}

/* The interval order as time stamps: what returned before a call has stamps
 * that are no larger. */
static void stamp(const struct job *job, const struct explore_kept *k,
                  struct job_finding *f)
{
    const unsigned operations = job->target.scenario;
    for (unsigned i = 0; i < operations; i++) {
        const uint64_t before = explore_kept_before(&k->operation[i]);
        memcpy(&f->entry[i], &job->serial.answer[k->operation[i].answer],
               sizeof f->entry[i]);
        f->entry[i].call = 1 + (uint64_t)__builtin_popcountll(before);
    }
    for (unsigned i = 0; i < operations; i++) {
        uint64_t ret = operations + (uint64_t)2;
        for (unsigned j = 0; j < operations; j++)
            if (explore_kept_before(&k->operation[j]) >> i & 1 &&
                f->entry[j].call < ret)
                ret = f->entry[j].call;
        atomic_store(&f->entry[i].ret, ret);
    }
}

void explore_kept_finding(const struct job *job, const struct explore_kept *k,
                          struct job_finding *f)
{
    *f = (struct job_finding){ .what.fault = FAULT_HISTORY,
                               .preemptions = k->head.preemptions,
                               .points = k->head.points,
                               .executions = k->head.executions,
                               .length = k->head.length };
    stamp(job, k, f);
}
