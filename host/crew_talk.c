/* crew_talk.c - what workers send to their leader, and how it waits for it. */
#include "crew_state.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- a worker ---- */

static void tell(const void *what, size_t size)
{
    for (const char *at = what; size > 0;) {
        const ssize_t n = write(crew.to_leader, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            _exit(0); /* nobody listens */
        at += n;
        size -= (size_t)n;
    }
}

void crew_send(uint64_t portion, const void *what, size_t size,
               const void *more, size_t more_size)
{
    const struct crew_head head = { .portion = portion,
                                    .size = size + more_size };
    tell(&head, sizeof head);
    tell(what, size);
    tell(more, more_size);
}

/* ---- the leader ---- */

static uint64_t executions_of_all(void)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < crew.workers; i++)
        sum += atomic_load_explicit(&crew.board->of[i].executions,
                                    memory_order_relaxed);
    return sum;
}

bool crew_is_over(struct crew_waiting *wait)
{
    wait->stopped =
        wait->stopped || !wait->goes_on(wait->context, executions_of_all());
    return wait->stopped;
}

/* False: it is no more, or there is no time. */
static bool wait_for(struct crew_worker *w, struct crew_waiting *wait)
{
    struct pollfd p = { .fd = w->pipe, .events = POLLIN };
    w->last_change = 0;
    while (poll(&p, 1, CREW_PATIENCE) <= 0)
        if (crew_is_over(wait) || crew_has_stalled(w))
            return false;
    return true;
}

bool crew_read_some(int file, char **at, size_t *size)
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

static bool receive(struct crew_worker *w, void *to, size_t size,
                    struct crew_waiting *wait)
{
    for (char *at = to; size > 0;)
        if (!wait_for(w, wait) || !crew_read_some(w->pipe, &at, &size))
            return false;
    return true;
}

bool crew_make_room(size_t size)
{
    if (size <= crew.room)
        return true;
    void *const more = realloc(crew.received, size);
    if (!more)
        return false;
    crew.received = more;
    crew.room = size;
    return true;
}

bool crew_receive_portion(struct crew_worker *w, uint64_t portion,
                          struct crew_head *head, struct crew_waiting *wait)
{
    do {
        if (!receive(w, head, sizeof *head, wait) ||
            !crew_make_room(head->size) ||
            !receive(w, crew.received, head->size, wait))
            return false;
    } while (head->portion < portion);
    return head->portion == portion;
}

/* NULL: it is nobody's, and there is nobody, or no time. */
static struct crew_worker *find_worker(uint64_t portion,
                                       struct crew_waiting *wait)
{
    const _Atomic uint64_t *const slot =
        &crew.board->slot[portion % CREW_CLAIMS];
    const uint64_t began = crew_milliseconds();
    for (unsigned naps = 1;; naps++) {
        const uint64_t claim = atomic_load_explicit(slot, memory_order_relaxed);
        if (claim >> CREW_WORKER_BITS == portion + 1)
            return &crew.worker[claim & ((1 << CREW_WORKER_BITS) - 1)];
        if (!crew_is_anybody_there())
            return NULL;
        crew_nap();
        if (naps % 64 != 0)
            continue;
        if (crew_milliseconds() - began > CREW_STALLED || crew_is_over(wait))
            return NULL;
        crew_look_who_is_there(); /* and at the slot once more */
    }
}

enum crew_answer crew_receive(uint64_t portion, const void **what, size_t *size,
                              bool (*goes_on)(void *, uint64_t), void *context)
{
    struct crew_waiting wait = { .goes_on = goes_on, .context = context };
    struct crew_head head;
    struct crew_worker *const w = find_worker(portion, &wait);
    if (w && w->pid && crew_receive_portion(w, portion, &head, &wait)) {
        *what = crew.received;
        *size = head.size;
        return CREW_DONE;
    }
    if (w && !wait.stopped)
        crew_dismiss(w);
    return wait.stopped ? CREW_STOPPED : CREW_NOBODY;
}
