/* kept_histories.c - see kept_histories.h. */
#include "kept_histories.h"

#include <assert.h>
#include <string.h>

/* Of the histories that are kept; they live as long as the process. */
static struct plumb_infer_answers answers;

enum {
    HEAD = sizeof(struct job_kept) / sizeof(uint32_t),
    OPERATION = sizeof(struct job_kept_operation) / sizeof(uint32_t)
};
_Static_assert(sizeof(struct job_step) * 2 == sizeof(uint32_t), "half a word");

void host_kept_forget(struct job *job)
{
    job->keeps = job->kept_words = 0;
    job->more_kept = false;
}

static bool all_have_returned(const struct host_driver *p)
{
    for (unsigned op = 0; op < p->operations; op++)
        if (!(p->returned >> op & 1))
            return false;
    return true;
}

/* UINT32_MAX: there is no memory; PLUMB_INFER_ANSWERS: no room. */
static uint32_t number_answer(const struct host_driver *p, unsigned op,
                              struct plumb_budget *budget)
{
    if (!answers.store)
        plumb_infer_answers_open(&answers, &p->job->serial, budget);
    return plumb_infer_answer(&answers, &p->entry[op]);
}

/* Where chance chooses, strategies do not know the steps: they are in job->now. */
static void keep_schedule(struct job *job,
                          const struct plumb_strategies_execution *x,
                          uint32_t *to)
{
    struct job_step *const step = (struct job_step *)(void *)to;
    const struct job_kept head = {
        .length = x->length,
        .points = scheduler_adapter_points(),
        .preemptions =
            x->step && x->length ? x->step[x->length - 1].preemptions : 0,
        .executions = (uint32_t)atomic_load_explicit(&job->progress.executions,
                                                     memory_order_relaxed),
    };
    memcpy(job->kept + job->kept_words, &head, sizeof head);
    for (uint32_t i = 0; i < x->length; i++)
        step[i] =
            x->step ? (struct job_step){ x->step[i].thread, x->step[i].option }
                    : job->now.step[i];
}

bool host_kept_add(const struct host_driver *p,
                   const struct plumb_strategies_execution *x,
                   struct plumb_budget *budget)
{
    struct job *const job = p->job;
    const uint32_t words =
        HEAD + p->operations * (uint32_t)OPERATION + (x->length + 1) / 2;
    uint32_t *at = job->kept + job->kept_words + HEAD;
    if (!all_have_returned(p))
        return true;
    assert(x->length <= JOB_STEPS);
    job->more_kept |= words > JOB_KEPT - job->kept_words;
    for (unsigned op = 0; op < p->operations && !job->more_kept;
         op++, at += OPERATION) {
        const struct job_kept_operation o = {
            .answer = number_answer(p, op, budget),
            .before = { (uint32_t)p->before[op],
                        (uint32_t)(p->before[op] >> 32) },
        };
        if (o.answer == UINT32_MAX)
            return false;
        job->more_kept |= o.answer == PLUMB_INFER_ANSWERS;
        memcpy(at, &o, sizeof o);
    }
    if (job->more_kept)
        return true;
    keep_schedule(job, x, at);
    job->kept_words += words;
    job->keeps++;
    return true;
}
