/* worker_pool.c - the processes of a worker pool: forked, looked after, ended. */
#include "worker_pool_state.h"

#include "runtime/common/wait.h"
#include "runtime/explore/hooks/weak_orders.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIPE = 1 << 20 };

struct host_pool host_pool;

bool host_pool_is_there(void)
{
    return host_pool.workers > 0;
}

bool host_pool_is_worker(void)
{
    return host_pool.self > 0;
}

const struct job *host_pool_leaders_job(void)
{
    return host_pool.leaders;
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
    if (!host_pool.board)
        host_pool.board = share_memory(sizeof *host_pool.board);
    if (!host_pool.leaders) {
        void *const again = mremap(job, 0, sizeof *job, MREMAP_MAYMOVE);
        host_pool.leaders = again == MAP_FAILED ? NULL : again;
    }
    return host_pool.board && host_pool.leaders;
}

static bool has_job(struct host_pool_worker *w, const struct job *job)
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
    plumb_infer_store_copy(&job->serial, &w->job->serial);
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
    host_pool.self = i + 1;
    for (unsigned k = 0; k < POOL_MOST; k++)
        if (k != i && host_pool.worker[k].pid) {
            close(host_pool.worker[k].pipe);
            close(host_pool.worker[k].work);
        }
    if (mremap(host_pool.worker[i].job, size, size,
               MREMAP_MAYMOVE | MREMAP_FIXED, job) == MAP_FAILED ||
        setitimer(ITIMER_VIRTUAL, timer, NULL) != 0)
        _exit(1);
    if (host_pool.leaders)
        hooks_weak_orders_tell(host_pool.leaders->weak_order);
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

bool host_pool_start_one(unsigned i, struct job *job)
{
    assert(i < POOL_MOST && !host_pool.self);
    struct host_pool_worker *const w = &host_pool.worker[i];
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
        host_pool.to_leader = from[1];
        host_pool.from_leader = to[1];
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
    if (host_pool.kept)
        munmap(host_pool.kept, sizeof *host_pool.kept);
    host_pool.kept = NULL;
}

bool host_pool_start(struct job *job, unsigned workers)
{
    if (!has_memory(job))
        return false;
    memset(host_pool.board, 0, sizeof *host_pool.board);
    atomic_store_explicit(&host_pool.board->last, UINT64_MAX,
                          memory_order_relaxed);
    host_pool.met = 0;
    forget_kept();
    for (unsigned i = 0; i < workers && i < POOL_MOST; i++) {
        host_pool.workers = i + 1; /* this one knows it, too */
        if (!host_pool_start_one(i, job)) {
            host_pool.workers = i;
            break;
        }
        if (host_pool.self)
            break;
    }
    return host_pool_is_there();
}

/* ---- looking after ---- */

bool host_pool_is_anybody_there(void)
{
    for (unsigned i = 0; i < host_pool.workers; i++)
        if (host_pool.worker[i].pid && !host_pool.worker[i].ended)
            return true;
    return false;
}

void host_pool_look_who_is_there(void)
{
    for (unsigned i = 0; i < host_pool.workers; i++) {
        struct host_pool_worker *const w = &host_pool.worker[i];
        if (w->pid && !w->ended)
            w->ended = waitpid(w->pid, NULL, WNOHANG) == w->pid;
    }
}

bool host_pool_has_stalled(struct host_pool_worker *w)
{
    const uint64_t now = runtime_nanoseconds_now();
    const uint64_t executions = atomic_load_explicit(
        &host_pool.board->of[w - host_pool.worker].executions,
        memory_order_relaxed);
    const uint32_t length =
        atomic_load_explicit(&w->job->now.length, memory_order_relaxed);
    if (!w->last_change || executions != w->last_executions ||
        length != w->last_length) {
        w->last_executions = executions;
        w->last_length = length;
        w->last_change = now;
    }
    return now - w->last_change > POOL_STALLED * UINT64_C(1000000);
}

/* ---- ending ---- */

void host_pool_dismiss(struct host_pool_worker *w)
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

void host_pool_end(void)
{
    for (unsigned i = 0; i < host_pool.workers && !host_pool.self; i++)
        host_pool_dismiss(&host_pool.worker[i]);
    host_pool.workers = 0;
}

const struct job *host_pool_first_finding(void)
{
    const struct host_pool_worker *first = NULL;
    uint64_t portion = UINT64_MAX;
    for (unsigned i = 0; i < host_pool.workers; i++) {
        const uint64_t claimed = atomic_load_explicit(
            &host_pool.board->of[i].claimed, memory_order_relaxed);
        if (host_pool.worker[i].job && host_pool.worker[i].job->findings &&
            claimed < portion) {
            first = &host_pool.worker[i];
            portion = claimed;
        }
    }
    return first ? first->job : host_pool.kept;
}

void host_pool_keep_finding(struct host_pool_worker *w)
{
    if (!w->job || !w->job->findings || host_pool.kept)
        return;
    host_pool.kept = w->job;
    w->job = NULL;
}
