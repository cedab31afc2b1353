/* threads.h - run functions as threads, and wait for all of them. */
#ifndef TARGETS_THREADS_H
#define TARGETS_THREADS_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

typedef void *thread_body(void *number);

enum { MOST_THREADS = 8 };

/* Thread i runs body[i], with its number i as the argument. */
static inline void run_each(unsigned count, thread_body *const *body)
{
    pthread_t thread[MOST_THREADS];
    for (unsigned i = 0; i < count; i++)
        pthread_create(&thread[i], NULL, body[i], (void *)(uintptr_t)i);
    for (unsigned i = 0; i < count; i++)
        pthread_join(thread[i], NULL);
}

#define RUN_TWO(first, second)                                                 \
    run_each(2, (thread_body *const[]){ (first), (second) })
#define RUN_THREE(first, second, third)                                        \
    run_each(3, (thread_body *const[]){ (first), (second), (third) })

/* All of them run the same. */
static inline void run_same(unsigned count, thread_body *body)
{
    thread_body *each[MOST_THREADS];
    for (unsigned i = 0; i < count; i++)
        each[i] = body;
    run_each(count, each);
}

static inline unsigned number_of(void *argument)
{
    return (unsigned)(uintptr_t)argument;
}

#endif
