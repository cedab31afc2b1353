/* worker_pool_work.c - a worker pool whose leader gives each worker its work. */
#include "worker_pool_state.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

static bool send_all(int socket, const void *what, size_t size)
{
    for (const char *at = what; size > 0;) {
        const ssize_t n = send(socket, at, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static bool receive_work(void *to, size_t size)
{
    for (char *at = to; size > 0;)
        if (!host_pool_read_some(host_pool.from_leader, &at, &size))
            return false;
    return true;
}

bool host_pool_take(const void **what, size_t *size)
{
    uint64_t length;
    if (!receive_work(&length, sizeof length) || !host_pool_make_room(length) ||
        !receive_work(host_pool.received, length))
        return false;
    *what = host_pool.received;
    *size = length;
    return true;
}

bool host_pool_is_idle(void)
{
    for (unsigned i = 0; i < host_pool.workers; i++)
        if (!host_pool.worker[i].busy)
            return true;
    return false;
}

/* The one that is not busy, alive if possible. */
static struct host_pool_worker *idle_worker(void)
{
    struct host_pool_worker *idle = NULL;
    for (unsigned i = 0; i < host_pool.workers; i++) {
        struct host_pool_worker *const w = &host_pool.worker[i];
        if (!w->busy && (!idle || (w->pid && !idle->pid)))
            idle = w;
    }
    return idle;
}

static bool is_there(struct host_pool_worker *w, struct job *job)
{
    if (w->pid)
        return true;
    host_pool_keep_finding(w);
    return host_pool_start_one((unsigned)(w - host_pool.worker), job) &&
           !host_pool.self;
}

bool host_pool_give(struct job *job, unsigned number, const void *what,
                    size_t size)
{
    const uint64_t length = size;
    struct host_pool_worker *const w = idle_worker();
    if (!w || !is_there(w, job))
        return false;
    if (!send_all(w->work, &length, sizeof length) ||
        !send_all(w->work, what, size)) {
        host_pool_dismiss(w);
        return false;
    }
    w->busy = true;
    w->number = number;
    w->last_change = 0;
    return true;
}

static struct host_pool_worker *find_stalled(void)
{
    for (unsigned i = 0; i < host_pool.workers; i++)
        if (host_pool.worker[i].busy &&
            host_pool_has_stalled(&host_pool.worker[i]))
            return &host_pool.worker[i];
    return NULL;
}

/* Who has something to say; NULL: not for a while. */
static struct host_pool_worker *find_talking(void)
{
    struct pollfd p[POOL_MOST];
    for (unsigned i = 0; i < host_pool.workers; i++) {
        const struct host_pool_worker *const w = &host_pool.worker[i];
        p[i] =
            (struct pollfd){ .fd = w->busy ? w->pipe : -1, .events = POLLIN };
    }
    const int talk = poll(p, host_pool.workers, POOL_PATIENCE);
    for (unsigned i = 0; talk > 0 && i < host_pool.workers; i++)
        if (p[i].revents)
            return &host_pool.worker[i];
    return NULL;
}

enum host_pool_answer host_pool_wait(unsigned *number, const void **what,
                                     size_t *size,
                                     bool (*goes_on)(void *, uint64_t),
                                     void *context)
{
    struct host_pool_waiting wait = { .goes_on = goes_on, .context = context };
    struct host_pool_worker *stalled = NULL, *w = NULL;
    struct host_pool_head head;
    while (!w && !host_pool_is_over(&wait) && !stalled) {
        w = find_talking();
        stalled = find_stalled();
    }
    if (!w && !stalled)
        return POOL_STOPPED;
    host_pool.waited_for = w ? w : stalled;
    *number = host_pool.waited_for->number;
    if (w && host_pool_receive_portion(w, 0, &head, &wait)) {
        w->busy = false;
        *what = host_pool.received;
        *size = head.size;
        return POOL_DONE;
    }
    if (wait.stopped)
        return POOL_STOPPED;
    host_pool_dismiss(host_pool.waited_for);
    return POOL_NOBODY;
}

void host_pool_let_go(void)
{
    host_pool_dismiss(host_pool.waited_for);
}
