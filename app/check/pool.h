/* pool.h - deciding several subjects at once.
 *
 * Subjects are decided in the order they are submitted and waited for in the
 * same order.  With one thread nothing runs beside the caller: the work is done
 * when it is waited for. */
#ifndef PLUMB_APP_CHECK_POOL_H
#define PLUMB_APP_CHECK_POOL_H

#include "check_subject.h"
#include <pthread.h>

struct check_pool {
    void (*work)(void *context, struct check_subject *s);
    void *context;
    pthread_t *thread;
    unsigned threads; /* 0: in the caller */
    size_t room;      /* subjects that may be under way */
    struct check_subject **ring;
    size_t next, end; /* to be taken by a thread: ring[next % room] ... */
    bool closing;
    pthread_mutex_t lock;
    pthread_cond_t more, decided;
};

/* False when memory is used up.  Fewer threads than asked for are no error. */
bool check_pool_open(struct check_pool *p, unsigned threads,
                     void (*work)(void *context, struct check_subject *s),
                     void *context);
void check_pool_close(struct check_pool *p);

/* At most `room` subjects may be submitted and not yet waited for. */
void check_pool_submit(struct check_pool *p, struct check_subject *s);
void check_pool_wait(struct check_pool *p, struct check_subject *s);

#endif
