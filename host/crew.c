/* crew.c - see crew.h.
 *
 * Who runs a portion is decided by a compare-and-swap of its slot, which holds
 * the number of the portion and of the worker; slots are used again, and nobody
 * claims a portion that is a whole round of them ahead of the leader.  A worker
 * claims in order, so what it sends is in order, too. */
#include "crew.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    CLAIMS = 1024,
    WORKER_BITS = 8, /* of a slot */
    MEETINGS = 64,
    EPOCHS = 1 << 16,
    PATIENCE = 20,  /* milliseconds until a waiting leader looks around */
    STALLED = 3000, /* ... until it does itself what a worker does not   */
    PIPE = 1 << 20
};

/* Memory that all share. */
struct board {
    _Atomic uint64_t reached; /* portions that the leader has come to   */
    _Atomic uint64_t executions;
    _Atomic uint64_t last; /* portion, as it seems; or UINT64_MAX        */
    uint32_t said[MEETINGS];
    uint64_t most[EPOCHS];
    _Atomic uint64_t slot[CLAIMS];
    struct {
        _Alignas(64) _Atomic uint64_t executions, claimed;
    } of[CREW_MOST];
};

struct worker {
    pid_t pid; /* 0: it is no more, or not wanted any more  */
    bool ended;
    bool busy; /* with what was given to it, under this number */
    unsigned number;
    int pipe, work;
    struct job *job;
    /* For noticing that nothing happens any more. */
    uint64_t last_executions, last_change;
    uint32_t last_length;
};

static struct {
    struct board *board;
    const struct job *leaders;
    struct worker worker[CREW_MOST];
    unsigned workers;
    unsigned self; /* of a worker, plus 1 */
    unsigned met;
    int to_leader, from_leader;
    struct worker *waited_for;
    struct job *kept; /* of a worker that is no more and had a finding */
    char *received;
    size_t room;
} crew;

bool crew_is_there(void)
{
    return crew.workers > 0;
}

bool crew_is_worker(void)
{
    return crew.self > 0;
}

const struct job *crew_leaders_job(void)
{
    return crew.leaders;
}

static uint64_t milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void nap(void)
{
    const struct timespec t = { .tv_nsec = 100000 };
    nanosleep(&t, NULL);
}

/* ---- a worker ---- */

uint64_t crew_executions(void)
{
    return atomic_load_explicit(&crew.board->executions, memory_order_relaxed);
}

void crew_count(uint64_t executions)
{
    atomic_store_explicit(&crew.board->of[crew.self - 1].executions, executions,
                          memory_order_relaxed);
}

/* acquire: pairs with the release in crew_reach(). */
static void wait_for_leader(uint64_t portion)
{
    while (atomic_load_explicit(&crew.board->reached, memory_order_acquire) <=
           portion)
        nap();
}

void crew_foresee_end(uint64_t portion)
{
    _Atomic uint64_t *const last = &crew.board->last;
    uint64_t before = atomic_load_explicit(last, memory_order_relaxed);
    while (portion < before && !atomic_compare_exchange_weak_explicit(
                                   last, &before, portion, memory_order_relaxed,
                                   memory_order_relaxed))
        ;
}

/* What comes after the last portion is not needed, unless the leader finds that
 * it was not the last. */
static void wait_whether_it_is_needed(uint64_t portion)
{
    while (portion >
           atomic_load_explicit(&crew.board->last, memory_order_relaxed))
        nap();
}

static bool has_passed(uint64_t portion)
{
    return atomic_load_explicit(&crew.board->reached, memory_order_relaxed) >
           portion + 1;
}

bool crew_claim(uint64_t portion)
{
    _Atomic uint64_t *const slot = &crew.board->slot[portion % CLAIMS];
    const uint64_t mine = (portion + 1) << WORKER_BITS | (crew.self - 1);
    if (portion >= CLAIMS)
        wait_for_leader(portion - CLAIMS);
    wait_whether_it_is_needed(portion);
    uint64_t before = atomic_load_explicit(slot, memory_order_relaxed);
    if (before >> WORKER_BITS > portion || has_passed(portion) ||
        !atomic_compare_exchange_strong_explicit(
            slot, &before, mine, memory_order_relaxed, memory_order_relaxed))
        return false;
    atomic_store_explicit(&crew.board->of[crew.self - 1].claimed, portion,
                          memory_order_relaxed);
    return true;
}

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

struct head {
    uint64_t portion, size;
};

void crew_send(uint64_t portion, const void *what, size_t size,
               const void *more, size_t more_size)
{
    const struct head head = { .portion = portion, .size = size + more_size };
    tell(&head, sizeof head);
    tell(what, size);
    tell(more, more_size);
}

uint32_t crew_meet(uint64_t portion, uint32_t says)
{
    uint32_t *const said = &crew.board->said[crew.met++ % MEETINGS];
    if (crew.self)
        wait_for_leader(portion);
    else
        *said = says;
    return *said;
}

/* The first two epochs are as the leader is at the beginning.  There are only
 * so many: the last one has no end. */
uint64_t crew_agree(uint64_t portion, uint64_t most)
{
    const uint64_t all = portion / EPOCH;
    const uint64_t epoch = all < EPOCHS ? all : EPOCHS - 1;
    uint64_t *const agreed = crew.board->most;
    if (crew.self && epoch > 0)
        wait_for_leader((epoch - 1) * EPOCH);
    if (!crew.self && portion == 0)
        agreed[0] = most;
    if (!crew.self && portion == all * EPOCH && epoch + 1 < EPOCHS)
        agreed[epoch + 1] = most;
    return crew.self && portion < EPOCH ? most : agreed[epoch];
}

/* ---- starting ---- */

static void *share_memory(size_t size)
{
    void *const at = mmap(NULL, size, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

/* What is shared can be mapped once more, where workers find it. */
static bool has_memory(struct job *job)
{
    if (!crew.board)
        crew.board = share_memory(sizeof *crew.board);
    if (!crew.leaders) {
        const void *const again = mremap(job, 0, sizeof *job, MREMAP_MAYMOVE);
        crew.leaders = again == MAP_FAILED ? NULL : again;
    }
    return crew.board && crew.leaders;
}

static bool has_job(struct worker *w, const struct job *job)
{
    if (!w->job)
        w->job = share_memory(sizeof *w->job);
    if (!w->job)
        return false;
    w->job->request = job->request;
    w->job->target = job->target;
    w->job->memory.base = job->memory.base;
    w->job->coverage = job->coverage;
    w->job->output_before = job->output_before;
    w->job->findings = w->job->steps = 0;
    w->job->message[0] = '\0';
    w->job->too_many_points = false;
    atomic_store_explicit(&w->job->now.length, 0, memory_order_relaxed);
    return true;
}

/* Timers are not inherited. */
static void become_worker(unsigned i, struct job *job, pid_t leader,
                          const struct itimerval *timer)
{
    const size_t size = sizeof *job;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != leader)
        _exit(1);
    crew.self = i + 1;
    for (unsigned k = 0; k < CREW_MOST; k++)
        if (k != i && crew.worker[k].pid) {
            close(crew.worker[k].pipe);
            close(crew.worker[k].work);
        }
    if (mremap(crew.worker[i].job, size, size, MREMAP_MAYMOVE | MREMAP_FIXED,
               job) == MAP_FAILED ||
        setitimer(ITIMER_VIRTUAL, timer, NULL) != 0)
        _exit(1);
}

/* From a worker: results, of which many may wait.  To it: work. */
static bool open_ways(int from[2], int to[2])
{
    if (pipe2(from, O_CLOEXEC) != 0)
        return false;
    fcntl(from[1], F_SETPIPE_SZ, PIPE);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, to) == 0)
        return true;
    close(from[0]);
    close(from[1]);
    return false;
}

/* False, in the leader: there is no such worker. */
static bool start_one(unsigned i, struct job *job)
{
    struct worker *const w = &crew.worker[i];
    struct itimerval timer;
    int from[2], to[2];
    if (!has_job(w, job) || getitimer(ITIMER_VIRTUAL, &timer) != 0 ||
        !open_ways(from, to))
        return false;
    const pid_t leader = getpid();
    w->pid = fork();
    if (w->pid == 0) {
        close(from[0]);
        close(to[0]);
        crew.to_leader = from[1];
        crew.from_leader = to[1];
        become_worker(i, job, leader, &timer);
        return true;
    }
    close(from[1]);
    close(to[1]);
    w->pipe = from[0];
    w->work = to[0];
    w->ended = w->busy = false;
    if (w->pid < 0) {
        w->pid = 0;
        close(from[0]);
        close(to[0]);
    }
    return w->pid != 0;
}

static void forget_kept(void)
{
    if (crew.kept)
        munmap(crew.kept, sizeof *crew.kept);
    crew.kept = NULL;
}

bool crew_start(struct job *job, unsigned workers)
{
    if (!has_memory(job))
        return false;
    memset(crew.board, 0, sizeof *crew.board);
    atomic_store_explicit(&crew.board->last, UINT64_MAX, memory_order_relaxed);
    crew.met = 0;
    forget_kept();
    for (unsigned i = 0; i < workers && i < CREW_MOST; i++) {
        crew.workers = i + 1; /* this one knows it, too */
        if (!start_one(i, job)) {
            crew.workers = i;
            break;
        }
        if (crew.self)
            break;
    }
    return crew_is_there();
}

/* ---- ending ---- */

static void dismiss(struct worker *w)
{
    if (!w->pid)
        return;
    if (!w->ended)
        kill(w->pid, SIGKILL);
    while (!w->ended && waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    close(w->pipe);
    close(w->work);
    w->pid = 0;
    w->busy = false;
}

void crew_end(void)
{
    for (unsigned i = 0; i < crew.workers && !crew.self; i++)
        dismiss(&crew.worker[i]);
    crew.workers = 0;
}

const struct job *crew_first_finding(void)
{
    const struct worker *first = NULL;
    uint64_t portion = UINT64_MAX;
    for (unsigned i = 0; i < crew.workers; i++) {
        const uint64_t claimed = atomic_load_explicit(
            &crew.board->of[i].claimed, memory_order_relaxed);
        if (crew.worker[i].job && crew.worker[i].job->findings &&
            claimed < portion) {
            first = &crew.worker[i];
            portion = claimed;
        }
    }
    return first ? first->job : crew.kept;
}

/* ---- the leader ---- */

/* release: pairs with the acquire in wait_for_leader(). */
void crew_reach(uint64_t portion, uint64_t executions)
{
    if (portion > atomic_load_explicit(&crew.board->last, memory_order_relaxed))
        atomic_store_explicit(&crew.board->last, UINT64_MAX,
                              memory_order_relaxed);
    atomic_store_explicit(&crew.board->executions, executions,
                          memory_order_relaxed);
    atomic_store_explicit(&crew.board->reached, portion + 1,
                          memory_order_release);
}

static uint64_t executions_of_all(void)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < crew.workers; i++)
        sum += atomic_load_explicit(&crew.board->of[i].executions,
                                    memory_order_relaxed);
    return sum;
}

static bool is_anybody_there(void)
{
    for (unsigned i = 0; i < crew.workers; i++)
        if (crew.worker[i].pid && !crew.worker[i].ended)
            return true;
    return false;
}

/* What those that have ended sent before can still be received. */
static void look_who_is_there(void)
{
    for (unsigned i = 0; i < crew.workers; i++) {
        struct worker *const w = &crew.worker[i];
        if (w->pid && !w->ended)
            w->ended = waitpid(w->pid, NULL, WNOHANG) == w->pid;
    }
}

static bool has_stalled(struct worker *w)
{
    const uint64_t now = milliseconds();
    const uint64_t executions = atomic_load_explicit(
        &crew.board->of[w - crew.worker].executions, memory_order_relaxed);
    const uint32_t length =
        atomic_load_explicit(&w->job->now.length, memory_order_relaxed);
    if (!w->last_change || executions != w->last_executions ||
        length != w->last_length) {
        w->last_executions = executions;
        w->last_length = length;
        w->last_change = now;
    }
    return now - w->last_change > STALLED;
}

struct waiting {
    bool (*goes_on)(void *, uint64_t);
    void *context;
    bool stopped;
};

static bool is_over(struct waiting *wait)
{
    wait->stopped =
        wait->stopped || !wait->goes_on(wait->context, executions_of_all());
    return wait->stopped;
}

/* False: it is no more, or there is no time. */
static bool wait_for(struct worker *w, struct waiting *wait)
{
    struct pollfd p = { .fd = w->pipe, .events = POLLIN };
    w->last_change = 0;
    while (poll(&p, 1, PATIENCE) <= 0)
        if (is_over(wait) || has_stalled(w))
            return false;
    return true;
}

/* False: there was an error, or it is no more. */
static bool read_some(int file, char **at, size_t *size)
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

static bool receive(struct worker *w, void *to, size_t size,
                    struct waiting *wait)
{
    for (char *at = to; size > 0;)
        if (!wait_for(w, wait) || !read_some(w->pipe, &at, &size))
            return false;
    return true;
}

static bool make_room(size_t size)
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

/* Portions that were run by the leader are not asked for. */
static bool receive_portion(struct worker *w, uint64_t portion,
                            struct head *head, struct waiting *wait)
{
    do {
        if (!receive(w, head, sizeof *head, wait) || !make_room(head->size) ||
            !receive(w, crew.received, head->size, wait))
            return false;
    } while (head->portion < portion);
    return head->portion == portion;
}

/* NULL: it is nobody's, and there is nobody, or no time. */
static struct worker *find_worker(uint64_t portion, struct waiting *wait)
{
    const _Atomic uint64_t *const slot = &crew.board->slot[portion % CLAIMS];
    const uint64_t began = milliseconds();
    for (unsigned naps = 1;; naps++) {
        const uint64_t claim = atomic_load_explicit(slot, memory_order_relaxed);
        if (claim >> WORKER_BITS == portion + 1)
            return &crew.worker[claim & ((1 << WORKER_BITS) - 1)];
        if (!is_anybody_there())
            return NULL;
        nap();
        if (naps % 64 != 0)
            continue;
        if (milliseconds() - began > STALLED || is_over(wait))
            return NULL;
        look_who_is_there(); /* and at the slot once more */
    }
}

enum crew_answer crew_receive(uint64_t portion, const void **what, size_t *size,
                              bool (*goes_on)(void *, uint64_t), void *context)
{
    struct waiting wait = { .goes_on = goes_on, .context = context };
    struct head head;
    struct worker *const w = find_worker(portion, &wait);
    if (w && w->pid && receive_portion(w, portion, &head, &wait)) {
        *what = crew.received;
        *size = head.size;
        return CREW_DONE;
    }
    if (w && !wait.stopped)
        dismiss(w);
    return wait.stopped ? CREW_STOPPED : CREW_NOBODY;
}

/* ---- work that is given ---- */

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
        if (!read_some(crew.from_leader, &at, &size))
            return false;
    return true;
}

bool crew_take(const void **what, size_t *size)
{
    uint64_t length;
    if (!receive_work(&length, sizeof length) || !make_room(length) ||
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

/* What it has found is for who has no time to find it again. */
static void keep_finding(struct worker *w)
{
    if (!w->job || !w->job->findings || crew.kept)
        return;
    crew.kept = w->job;
    w->job = NULL;
}

/* The one that is not busy, alive if possible. */
static struct worker *idle_worker(void)
{
    struct worker *idle = NULL;
    for (unsigned i = 0; i < crew.workers; i++) {
        struct worker *const w = &crew.worker[i];
        if (!w->busy && (!idle || (w->pid && !idle->pid)))
            idle = w;
    }
    return idle;
}

static bool is_there(struct worker *w, struct job *job)
{
    if (w->pid)
        return true;
    keep_finding(w);
    return start_one((unsigned)(w - crew.worker), job) && !crew.self;
}

bool crew_give(struct job *job, unsigned number, const void *what, size_t size)
{
    const uint64_t length = size;
    struct worker *const w = idle_worker();
    if (!w || !is_there(w, job))
        return false;
    if (!send_all(w->work, &length, sizeof length) ||
        !send_all(w->work, what, size)) {
        dismiss(w);
        return false;
    }
    w->busy = true;
    w->number = number;
    w->last_change = 0;
    return true;
}

static struct worker *find_stalled(void)
{
    for (unsigned i = 0; i < crew.workers; i++)
        if (crew.worker[i].busy && has_stalled(&crew.worker[i]))
            return &crew.worker[i];
    return NULL;
}

/* Who has something to say; NULL: not for a while. */
static struct worker *find_talking(void)
{
    struct pollfd p[CREW_MOST];
    for (unsigned i = 0; i < crew.workers; i++) {
        const struct worker *const w = &crew.worker[i];
        p[i] =
            (struct pollfd){ .fd = w->busy ? w->pipe : -1, .events = POLLIN };
    }
    const int talk = poll(p, crew.workers, PATIENCE);
    for (unsigned i = 0; talk > 0 && i < crew.workers; i++)
        if (p[i].revents)
            return &crew.worker[i];
    return NULL;
}

enum crew_answer crew_wait(unsigned *number, const void **what, size_t *size,
                           bool (*goes_on)(void *, uint64_t), void *context)
{
    struct waiting wait = { .goes_on = goes_on, .context = context };
    struct worker *stalled = NULL, *w = NULL;
    struct head head;
    while (!w && !is_over(&wait) && !stalled) {
        w = find_talking();
        stalled = find_stalled();
    }
    if (!w && !stalled)
        return CREW_STOPPED;
    crew.waited_for = w ? w : stalled;
    *number = crew.waited_for->number;
    if (w && receive_portion(w, 0, &head, &wait)) {
        w->busy = false;
        *what = crew.received;
        *size = head.size;
        return CREW_DONE;
    }
    if (wait.stopped)
        return CREW_STOPPED;
    dismiss(crew.waited_for);
    return CREW_NOBODY;
}

void crew_let_go(void)
{
    dismiss(crew.waited_for);
}
