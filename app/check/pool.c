/* pool.c - deciding several subjects at once. */
#include "pool.h"

#include <assert.h>
#include <stdlib.h>

static struct check_subject *take(struct check_pool *p)
{
    struct check_subject *s = NULL;
    pthread_mutex_lock(&p->lock);
    while (p->next == p->end && !p->closing)
        pthread_cond_wait(&p->more, &p->lock);
    if (p->next < p->end)
        s = p->ring[p->next++ % p->room];
    pthread_mutex_unlock(&p->lock);
    return s;
}

static void *run(void *context)
{
    struct check_pool *const p = context;
    struct check_subject *s;
    while ((s = take(p))) {
        p->work(p->context, s);
        pthread_mutex_lock(&p->lock);
        s->done = true;
        pthread_cond_signal(&p->decided);
        pthread_mutex_unlock(&p->lock);
    }
    return NULL;
}

bool check_pool_open(struct check_pool *p, unsigned threads,
                     void (*work)(void *context, struct check_subject *s),
                     void *context)
{
    *p = (struct check_pool){ .work = work,
                              .context = context,
                              .room = threads > 1 ? 2 * (size_t)threads : 1 };
    p->ring = calloc(p->room, sizeof(struct check_subject *));
    p->thread = calloc(threads, sizeof *p->thread);
    if (!p->ring || !p->thread) {
        free(p->ring);
        free(p->thread);
        return false;
    }
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->more, NULL);
    pthread_cond_init(&p->decided, NULL);
    while (threads > 1 && p->threads < threads &&
           pthread_create(&p->thread[p->threads], NULL, run, p) == 0)
        p->threads++;
    return true;
}

void check_pool_close(struct check_pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->closing = true;
    pthread_cond_broadcast(&p->more);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < p->threads; i++)
        pthread_join(p->thread[i], NULL);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->more);
    pthread_cond_destroy(&p->decided);
    free(p->ring);
    free(p->thread);
}

void check_pool_submit(struct check_pool *p, struct check_subject *s)
{
    if (p->threads == 0)
        return;
    pthread_mutex_lock(&p->lock);
    assert(p->end - p->next < p->room);
    p->ring[p->end++ % p->room] = s;
    pthread_cond_signal(&p->more);
    pthread_mutex_unlock(&p->lock);
}

void check_pool_wait(struct check_pool *p, struct check_subject *s)
{
    if (p->threads == 0) {
        p->work(p->context, s);
        return;
    }
    pthread_mutex_lock(&p->lock);
    while (!s->done)
        pthread_cond_wait(&p->decided, &p->lock);
    pthread_mutex_unlock(&p->lock);
}
