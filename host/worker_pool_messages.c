/* worker_pool_messages.c - what workers send to their leader, and how it waits for it. */
#include "worker_pool_state.h"

#include "runtime/common/wait.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- a worker ---- */

static void tell(const void *what, size_t size)
{
    for (const char *at = what; size > 0;) {
        const ssize_t n = write(host_pool.to_leader, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            _exit(0); /* nobody listens */
        at += n;
        size -= (size_t)n;
    }
}

void host_pool_send(uint64_t portion, const void *what, size_t size,
                    const void *more, size_t more_size)
{
    const struct host_pool_head head = { .portion = portion,
                                         .size = size + more_size };
    tell(&head, sizeof head);
    tell(what, size);
    tell(more, more_size);
}

/* ---- the leader ---- */

static uint64_t executions_of_all(void)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < host_pool.workers; i++)
        sum += atomic_load_explicit(&host_pool.board->of[i].executions,
                                    memory_order_relaxed);
    return sum;
}

bool host_pool_is_over(struct host_pool_waiting *wait)
{
    wait->stopped =
        wait->stopped || !wait->goes_on(wait->context, executions_of_all());
    return wait->stopped;
}

/* False: it is no more, or there is no time. */
static bool wait_for(struct host_pool_worker *w, struct host_pool_waiting *wait)
{
    struct pollfd p = { .fd = w->pipe, .events = POLLIN };
    w->last_change = 0;
    while (poll(&p, 1, POOL_PATIENCE) <= 0)
        if (host_pool_is_over(wait) || host_pool_has_stalled(w))
            return false;
    return true;
}

bool host_pool_read_some(int file, char **at, size_t *size)
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

static bool receive(struct host_pool_worker *w, void *to, size_t size,
                    struct host_pool_waiting *wait)
{
    for (char *at = to; size > 0;)
        if (!wait_for(w, wait) || !host_pool_read_some(w->pipe, &at, &size))
            return false;
    return true;
}

bool host_pool_make_room(size_t size)
{
    if (size <= host_pool.room)
        return true;
    void *const more = realloc(host_pool.received, size);
    if (!more)
        return false;
    host_pool.received = more;
    host_pool.room = size;
    return true;
}

bool host_pool_receive_portion(struct host_pool_worker *w, uint64_t portion,
                               struct host_pool_head *head,
                               struct host_pool_waiting *wait)
{
    do {
        if (!receive(w, head, sizeof *head, wait) ||
            !host_pool_make_room(head->size) ||
            !receive(w, host_pool.received, head->size, wait))
            return false;
    } while (head->portion < portion);
    return head->portion == portion;
}

/* NULL: it is nobody's, and there is nobody, or no time. */
static struct host_pool_worker *find_worker(uint64_t portion,
                                            struct host_pool_waiting *wait)
{
    const _Atomic uint64_t *const slot =
        &host_pool.board->slot[portion % POOL_CLAIMS];
    const uint64_t began = runtime_nanoseconds_now();
    for (unsigned naps = 1;; naps++) {
        const uint64_t claim = atomic_load_explicit(slot, memory_order_relaxed);
        if (claim >> POOL_WORKER_BITS == portion + 1)
            return &host_pool.worker[claim & ((1 << POOL_WORKER_BITS) - 1)];
        if (!host_pool_is_anybody_there())
            return NULL;
        runtime_take_a_nap();
        if (naps % 64 != 0)
            continue;
        if (runtime_nanoseconds_now() - began >
                POOL_STALLED * UINT64_C(1000000) ||
            host_pool_is_over(wait))
            return NULL;
        host_pool_look_who_is_there(); /* and at the slot once more */
    }
}

enum host_pool_answer host_pool_receive(uint64_t portion, const void **what,
                                        size_t *size,
                                        bool (*goes_on)(void *, uint64_t),
                                        void *context)
{
    struct host_pool_waiting wait = { .goes_on = goes_on, .context = context };
    struct host_pool_head head;
    struct host_pool_worker *const w = find_worker(portion, &wait);
    if (w && w->pid && host_pool_receive_portion(w, portion, &head, &wait)) {
        *what = host_pool.received;
        *size = head.size;
        return POOL_DONE;
    }
    if (w && !wait.stopped)
        host_pool_dismiss(w);
    return wait.stopped ? POOL_STOPPED : POOL_NOBODY;
}
