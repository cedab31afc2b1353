/* workers.c - see workers.h. */
#include "workers.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct work {
    plumb_base_task *task;
    void *context;
    uint32_t tasks;
    atomic_uint next, last; /* the first that answered false */
};

struct worker {
    struct work *work;
    unsigned number;
    pthread_t thread;
    bool started;
};

unsigned plumb_base_workers_size(unsigned jobs, uint32_t tasks)
{
    if (jobs > tasks)
        jobs = tasks;
    if (jobs > PLUMB_MOST_WORKERS)
        jobs = PLUMB_MOST_WORKERS;
    return jobs ? jobs : 1;
}

static void end_at(struct work *c, uint32_t task)
{
    unsigned last = atomic_load(&c->last);
    while (task < last && !atomic_compare_exchange_weak(&c->last, &last, task))
        ;
}

static void *work(void *context)
{
    struct worker *const m = context;
    struct work *const c = m->work;
    for (;;) {
        const uint32_t i = atomic_fetch_add(&c->next, 1);
        if (i >= c->tasks || i > atomic_load(&c->last))
            return NULL;
        if (!c->task(c->context, m->number, i))
            end_at(c, i);
    }
}

uint32_t plumb_base_workers_run(unsigned jobs, uint32_t tasks,
                                plumb_base_task *task, void *context)
{
    assert(task);
    struct work c = { .task = task, .context = context, .tasks = tasks };
    struct worker member[PLUMB_MOST_WORKERS];
    const unsigned size = plumb_base_workers_size(jobs, tasks);
    atomic_init(&c.next, 0);
    atomic_init(&c.last, tasks);
    for (unsigned j = 0; j < size; j++)
        member[j] = (struct worker){ .work = &c, .number = j };
    for (unsigned j = 1; j < size; j++)
        member[j].started =
            !pthread_create(&member[j].thread, NULL, work, member + j);
    work(member);
    for (unsigned j = 1; j < size; j++)
        if (member[j].started)
            pthread_join(member[j].thread, NULL);
    return atomic_load(&c.last);
}
