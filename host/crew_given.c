/* crew_given.c - a crew whose leader gives each worker its work. */
#include "crew_state.h"

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
        if (!crew_read_some(crew.from_leader, &at, &size))
            return false;
    return true;
}

bool crew_take(const void **what, size_t *size)
{
    uint64_t length;
    if (!receive_work(&length, sizeof length) || !crew_make_room(length) ||
        !receive_work(crew.received, length))
        return false;
    *what = crew.received;
    *size = length;
    return true;
}

bool crew_is_idle(void)
{
    for (unsigned i = 0; i < crew.workers; i++)
        if (!crew.worker[i].busy)
            return true;
    return false;
}

/* The one that is not busy, alive if possible. */
static struct crew_worker *idle_worker(void)
{
    struct crew_worker *idle = NULL;
    for (unsigned i = 0; i < crew.workers; i++) {
        struct crew_worker *const w = &crew.worker[i];
        if (!w->busy && (!idle || (w->pid && !idle->pid)))
            idle = w;
    }
    return idle;
}

static bool is_there(struct crew_worker *w, struct job *job)
{
    if (w->pid)
        return true;
    crew_keep_finding(w);
    return crew_start_one((unsigned)(w - crew.worker), job) && !crew.self;
}

bool crew_give(struct job *job, unsigned number, const void *what, size_t size)
{
    const uint64_t length = size;
    struct crew_worker *const w = idle_worker();
    if (!w || !is_there(w, job))
        return false;
    if (!send_all(w->work, &length, sizeof length) ||
        !send_all(w->work, what, size)) {
        crew_dismiss(w);
        return false;
    }
    w->busy = true;
    w->number = number;
    w->last_change = 0;
    return true;
}

static struct crew_worker *find_stalled(void)
{
    for (unsigned i = 0; i < crew.workers; i++)
        if (crew.worker[i].busy && crew_has_stalled(&crew.worker[i]))
            return &crew.worker[i];
    return NULL;
}

/* Who has something to say; NULL: not for a while. */
static struct crew_worker *find_talking(void)
{
    struct pollfd p[CREW_MOST];
    for (unsigned i = 0; i < crew.workers; i++) {
        const struct crew_worker *const w = &crew.worker[i];
        p[i] =
            (struct pollfd){ .fd = w->busy ? w->pipe : -1, .events = POLLIN };
    }
    const int talk = poll(p, crew.workers, CREW_PATIENCE);
    for (unsigned i = 0; talk > 0 && i < crew.workers; i++)
        if (p[i].revents)
            return &crew.worker[i];
    return NULL;
}

enum crew_answer crew_wait(unsigned *number, const void **what, size_t *size,
                           bool (*goes_on)(void *, uint64_t), void *context)
{
    struct crew_waiting wait = { .goes_on = goes_on, .context = context };
    struct crew_worker *stalled = NULL, *w = NULL;
    struct crew_head head;
    while (!w && !crew_is_over(&wait) && !stalled) {
        w = find_talking();
        stalled = find_stalled();
    }
    if (!w && !stalled)
        return CREW_STOPPED;
    crew.waited_for = w ? w : stalled;
    *number = crew.waited_for->number;
    if (w && crew_receive_portion(w, 0, &head, &wait)) {
        w->busy = false;
        *what = crew.received;
        *size = head.size;
        return CREW_DONE;
    }
    if (wait.stopped)
        return CREW_STOPPED;
    crew_dismiss(crew.waited_for);
    return CREW_NOBODY;
}

void crew_let_go(void)
{
    crew_dismiss(crew.waited_for);
}
