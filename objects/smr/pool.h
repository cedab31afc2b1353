/* pool.h - nodes that are used again, and stay mapped until teardown.
 *
 * Counted pointers need it: a late thread may read a node that is long out of
 * the structure, and must find memory there.  The faulty objects use it, too:
 * their mistake then shows as a wrong answer, and not as a crash.
 *
 * What was given back first is handed out first, to whichever thread asks.  A
 * lock protects the pool.  It stands for malloc(), which has locks as well, and
 * is no part of the algorithms. */
#ifndef PLUMB_OBJECTS_POOL_H
#define PLUMB_OBJECTS_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* Lies before every node; as large as the strictest alignment asks. */
struct pool_header {
    _Alignas(max_align_t) struct pool_header *next_made;
    struct pool_header *next_free;
    bool is_free;
};

static struct {
    pthread_mutex_t lock;
    struct pool_header *made; /* all, for pool_drain() */
    struct pool_header *oldest, *newest;
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER };

static inline struct pool_header *pool_oldest(void)
{
    struct pool_header *const h = pool.oldest;
    pool.oldest = h->next_free;
    h->is_free = false;
    return h;
}

static inline struct pool_header *pool_make(size_t size)
{
    struct pool_header *const h = calloc(1, sizeof *h + size);
    if (!h)
        abort();
    h->next_made = pool.made;
    pool.made = h;
    return h;
}

/* A node of `size` bytes, always the same size.  A new one is all zeros; one
 * that was used before is as it was left. */
static inline void *pool_take(size_t size)
{
    pthread_mutex_lock(&pool.lock);
    struct pool_header *const h = pool.oldest ? pool_oldest() : pool_make(size);
    pthread_mutex_unlock(&pool.lock);
    return h + 1;
}

/* Giving a node back twice, as a faulty object may, does nothing. */
static inline void pool_give(void *node)
{
    struct pool_header *const h = (struct pool_header *)node - 1;
    pthread_mutex_lock(&pool.lock);
    if (!h->is_free) {
        h->is_free = true;
        h->next_free = NULL;
        if (pool.oldest)
            pool.newest->next_free = h;
        else
            pool.oldest = h;
        pool.newest = h;
    }
    pthread_mutex_unlock(&pool.lock);
}

/* In teardown: free all nodes, given back or not. */
static inline void pool_drain(void)
{
    while (pool.made) {
        struct pool_header *const next = pool.made->next_made;
        free(pool.made);
        pool.made = next;
    }
    pool.oldest = pool.newest = NULL;
}

#endif
