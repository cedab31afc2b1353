/* worker_pool_messages.c - what workers send to their leader, and how it waits for it. */
#include "worker_pool_state.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- a worker ---- */

static void tell(const void *what, size_t size)
{
    for (const char *at = what; size > 0;) {
        const ssize_t n = write(host_worker_pool.to_leader, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            _exit(0); /* nobody listens */
        at += n;
        size -= (size_t)n;
    }
}

void host_worker_pool_send(uint64_t portion, const void *what, size_t size,
                           const void *more, size_t more_size)
{
    const struct host_worker_pool_head head = { .portion = portion,
                                                .size = size + more_size };
    tell(&head, sizeof head);
    tell(what, size);
    tell(more, more_size);
}

/* ---- the leader ---- */

static uint64_t executions_of_all(void)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < host_worker_pool.workers; i++)
        sum += atomic_load_explicit(&host_worker_pool.board->of[i].executions,
                                    memory_order_relaxed);
    return sum;
}

bool host_worker_pool_is_over(struct host_worker_pool_waiting *wait)
{
    wait->stopped =
        wait->stopped || !wait->goes_on(wait->context, executions_of_all());
    return wait->stopped;
}

/* False: it is no more, or there is no time. */
static bool wait_for(struct host_worker_pool_worker *w,
                     struct host_worker_pool_waiting *wait)
{
    struct pollfd p = { .fd = w->pipe, .events = POLLIN };
    w->last_change = 0;
    while (poll(&p, 1, CREW_PATIENCE) <= 0)
        if (host_worker_pool_is_over(wait) || host_worker_pool_has_stalled(w))
            return false;
    return true;
}

bool host_worker_pool_read_some(int file, char **at, size_t *size)
{
    const ssize_t n = read(file, *at, *size);
    if (n < 0 && errno == EINTR)
        return true;
    if (n <= 0)
        return false;
    *at += n;
    *size -= (size_t)n;
    return true;
}

static bool receive(struct host_worker_pool_worker *w, void *to, size_t size,
                    struct host_worker_pool_waiting *wait)
{
    for (char *at = to; size > 0;)
        if (!wait_for(w, wait) ||
            !host_worker_pool_read_some(w->pipe, &at, &size))
            return false;
    return true;
}

bool host_worker_pool_make_room(size_t size)
{
    if (size <= host_worker_pool.room)
        return true;
    void *const more = realloc(host_worker_pool.received, size);
    if (!more)
        return false;
    host_worker_pool.received = more;
    host_worker_pool.room = size;
    return true;
}

bool host_worker_pool_receive_portion(struct host_worker_pool_worker *w,
                                      uint64_t portion,
                                      struct host_worker_pool_head *head,
                                      struct host_worker_pool_waiting *wait)
{
    do {
        if (!receive(w, head, sizeof *head, wait) ||
            !host_worker_pool_make_room(head->size) ||
            !receive(w, host_worker_pool.received, head->size, wait))
            return false;
    } while (head->portion < portion);
    return head->portion == portion;
}

/* NULL: it is nobody's, and there is nobody, or no time. */
static struct host_worker_pool_worker *find_worker(
    uint64_t portion, struct host_worker_pool_waiting *wait)
{
    const _Atomic uint64_t *const slot =
        &host_worker_pool.board->slot[portion % CREW_CLAIMS];
    const uint64_t began = host_worker_pool_milliseconds();
    for (unsigned naps = 1;; naps++) {
        const uint64_t claim = atomic_load_explicit(slot, memory_order_relaxed);
        if (claim >> CREW_WORKER_BITS == portion + 1)
            return &host_worker_pool
                        .worker[claim & ((1 << CREW_WORKER_BITS) - 1)];
        if (!host_worker_pool_is_anybody_there())
            return NULL;
        host_worker_pool_nap();
        if (naps % 64 != 0)
            continue;
        if (host_worker_pool_milliseconds() - began > CREW_STALLED ||
            host_worker_pool_is_over(wait))
            return NULL;
        host_worker_pool_look_who_is_there(); /* and at the slot once more */
    }
}

enum host_worker_pool_answer host_worker_pool_receive(
    uint64_t portion, const void **what, size_t *size,
    bool (*goes_on)(void *, uint64_t), void *context)
{
    struct host_worker_pool_waiting wait = { .goes_on = goes_on,
                                             .context = context };
    struct host_worker_pool_head head;
    struct host_worker_pool_worker *const w = find_worker(portion, &wait);
    if (w && w->pid &&
        host_worker_pool_receive_portion(w, portion, &head, &wait)) {
        *what = host_worker_pool.received;
        *size = head.size;
        return CREW_DONE;
    }
    if (w && !wait.stopped)
        host_worker_pool_dismiss(w);
    return wait.stopped ? CREW_STOPPED : CREW_NOBODY;
}
