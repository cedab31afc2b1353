/* worker_process.c - the parent's side of the process that runs an object. */
#include "worker_process.h"

#include "app/console/say.h"
#include "record/script.h"
#include "worker_scripts.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <plumb/spec.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_UNUSABLE = 2, EXIT_THREADLESS = 3 };

#define MILLISECOND    UINT64_C(1000000)
#define STUCK_AFTER    (100 * MILLISECOND)
#define SLOW_AFTER     (500 * MILLISECOND)
#define HANGS_AFTER    (5000 * MILLISECOND)
#define A_MOMENT       (10 * MILLISECOND)
#define LOADING_NAP_NS 200000

/* ---- in the worker ---- */

/* As much of a text as there is room for. */
static void keep(char *to, size_t size, const char *text)
{
    const size_t length = strnlen(text, size - 1);
    memcpy(to, text, length);
    to[length] = '\0';
}

static void describe(struct worker_description *d,
                     const struct objects_target *t,
                     const struct plumb_object *o)
{
    keep(d->name, sizeof d->name, o->name ? o->name : t->label);
    keep(d->spec, sizeof d->spec, o->spec ? o->spec : "");
    d->lacks_setup = !o->setup;
    d->operations = plumb_record_object_size(o);
    for (unsigned i = 0; i < d->operations; i++)
        keep(d->operation[i], SHARED_NAME, o->operations[i].name);
}

/* Ctrl-C is the parent's business, and answers are for the parent to read.
 * What the object prints must not mix with results, nor wait in a buffer: the
 * worker will be killed. */
static void leave_the_terminal(void)
{
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); /* what the object forks ends with it */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    if (nothing > 0) {
        dup2(nothing, STDIN_FILENO);
        close(nothing);
    }
    dup2(STDERR_FILENO, STDOUT_FILENO);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}

/* The object may write where it should not, but not there.  It is no matter if
 * pages are too large for that. */
static void protect_parents_part(struct worker_shared *s)
{
    if (sysconf(_SC_PAGESIZE) == SHARED_PAGE)
        mprotect(s, offsetof(struct worker_shared, object), PROT_READ);
    madvise(s, s->size, MADV_DONTFORK); /* nor a process that it forks */
}

/* An operation may overwrite the description: not before it was read. */
static void await_beginning(const struct worker_shared *s)
{
    const struct timespec nap = { .tv_nsec = LOADING_NAP_NS };
    while (!atomic_load_explicit(&s->begin, memory_order_acquire))
        nanosleep(&nap, NULL);
}

/* Until the parent kills it. */
static _Noreturn void wait_for_the_end(void)
{
    for (;;)
        pause();
}

/* What the object should be, unless that is a file of somebody's. */
static const char *known_spec(const struct plumb_object *object)
{
    struct plumb_spec *spec;
    struct plumb_error err;
    if (!object->spec ||
        plumb_spec_parse(object->spec, &spec, &err) != PLUMB_OK)
        return NULL;
    plumb_spec_free(spec);
    return object->spec;
}

/* Returns if no thread can be made. */
static void record_and_wait(const struct simulate_worker_process *w,
                            const struct plumb_object *object,
                            const struct simulate_worker_scripts *scripts)
{
    const struct worker_long_run run = { .s = w->s,
                                         .object = object,
                                         .init = scripts->init,
                                         .final = scripts->final,
                                         .path = w->recording,
                                         .spec = known_spec(object) };
    int error = 0;
    switch (worker_long_run(&run, &error)) {
    case LONG_RUN_OVER:
        wait_for_the_end();
    case LONG_RUN_UNWRITTEN:
        console_say("%s: cannot write it: %s", w->recording, strerror(error));
        break;
    case LONG_RUN_FLAWED:
        console_say("%s: a result is too long, or an operation asks for an "
                    "argument that it does not have",
                    w->target->given);
        break;
    case LONG_RUN_THREADLESS:
        return;
    }
    worker_set_phase(w->s, PHASE_REFUSED);
    _exit(EXIT_UNUSABLE);
}

static _Noreturn void be_the_worker(struct simulate_worker_process *w)
{
    struct simulate_worker_scripts scripts;
    leave_the_terminal();
    protect_parents_part(w->s);
    const struct plumb_object *const object = objects_target_load(w->target);
    if (!object || !simulate_worker_scripts_read(&scripts, w->target, object)) {
        worker_set_phase(w->s, PHASE_REFUSED);
        _exit(EXIT_UNUSABLE);
    }
    describe(&w->s->object, w->target, object);
    worker_set_phase(w->s, PHASE_READY);
    await_beginning(w->s);
    if (w->recording)
        record_and_wait(w, object, &scripts);
    else if (!w->s->with.measures)
        worker_run(w->s, object, scripts.init, scripts.final);
    else if (worker_measure_run(w->s, object, scripts.init))
        wait_for_the_end();
    _exit(EXIT_THREADLESS);
}

/* ---- in the parent ---- */

bool simulate_worker_prepare(struct simulate_worker_process *w,
                             const struct objects_target *target,
                             const struct worker_conditions *with)
{
    const size_t size = worker_shared_size(with);
    void *const map = mmap(NULL, size, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *w = (struct simulate_worker_process){ .target = target };
    if (map == MAP_FAILED)
        return console_fails(
            "plumb simulate: no memory for %u processes with up to %u "
            "operations: %s",
            with->processes, with->most, console_reason());
    madvise(map, size, MADV_DONTDUMP); /* a crash is noticed sooner */
    w->s = map;
    w->s->with = *with;
    w->s->size = size;
    return true;
}

void simulate_worker_release(struct simulate_worker_process *w)
{
    simulate_worker_end(w);
    if (w->s)
        munmap(w->s, w->s->size);
    w->s = NULL;
}

static int phase_of(const struct simulate_worker_process *w)
{
    return atomic_load_explicit(&w->s->phase, memory_order_acquire);
}

static bool fork_worker(struct simulate_worker_process *w, uint64_t first)
{
    assert(w->s && w->pid == 0);
    w->s->first = first;
    atomic_store_explicit(&w->s->begin, false, memory_order_relaxed);
    atomic_store_explicit(&w->s->phase, PHASE_LOADING, memory_order_relaxed);
    fflush(NULL);
    w->pid = fork();
    if (w->pid == 0)
        be_the_worker(w);
    if (w->pid > 0)
        return true;
    w->pid = 0;
    return console_fails("plumb simulate: cannot start a process: %s",
                         console_reason());
}

static const char *ending(int how, char text[64])
{
    if (WIFSIGNALED(how))
        snprintf(text, 64, "%s", strsignal(WTERMSIG(how)));
    else
        snprintf(text, 64, "exit status %d", WEXITSTATUS(how));
    return text;
}

static bool say_why_not_loaded(const struct simulate_worker_process *w,
                               enum simulate_worker_news news, int how)
{
    char text[64];
    if (news == WORKER_DIED)
        console_say("%s: ended its process while it was loaded: %s",
                    w->target->given, ending(how, text));
    else if (news == WORKER_HANGS)
        console_say(
            "%s: not loaded after 5 seconds; a constructor does not return",
            w->target->given);
    return false;
}

static void learn_description(struct simulate_worker_process *w)
{
    struct worker_description *const d = &w->object;
    if (d->operations)
        return;
    *d = w->s->object;
    /* Unless it is damaged already, all of this is so. */
    d->name[SHARED_NAME - 1] = d->spec[SHARED_SPEC - 1] = '\0';
    if (d->operations > PLUMB_MAX_OPERATIONS)
        d->operations = PLUMB_MAX_OPERATIONS;
    for (unsigned i = 0; i < d->operations; i++)
        d->operation[i][SHARED_NAME - 1] = '\0';
}

static bool load(struct simulate_worker_process *w, uint64_t first)
{
    const struct timespec nap = { .tv_nsec = LOADING_NAP_NS };
    int how = 0;
    if (!fork_worker(w, first))
        return false;
    w->last_change = runtime_nanoseconds_now();
    w->still.since = 0;
    w->last_phase = PHASE_LOADING;
    enum simulate_worker_news news = WORKER_RUNS;
    while (phase_of(w) != PHASE_READY && news == WORKER_RUNS) {
        news = simulate_worker_look(w, &how);
        nanosleep(&nap, NULL);
    }
    if (news == WORKER_RUNS) {
        learn_description(w);
        return true;
    }
    simulate_worker_end(w);
    return say_why_not_loaded(w, news, how);
}

bool simulate_worker_start(struct simulate_worker_process *w, uint64_t first)
{
    if (!load(w, first))
        return false;
    atomic_store_explicit(&w->s->begin, true, memory_order_release);
    return true;
}

bool simulate_worker_learn(const struct objects_target *target,
                           struct worker_description *object)
{
    const struct worker_conditions few = { .processes = 1,
                                           .most = 1,
                                           .slots = 1 };
    struct simulate_worker_process w;
    const bool known = simulate_worker_prepare(&w, target, &few) && load(&w, 0);
    *object = w.object;
    simulate_worker_release(&w);
    return known;
}

bool simulate_worker_end(struct simulate_worker_process *w)
{
    if (w->pid <= 0)
        return true;
    const pid_t group = -w->pid;
    kill(w->pid, SIGKILL);
    kill(group, SIGKILL);
    while (waitpid(w->pid, &w->how, 0) < 0 && errno == EINTR)
        ;
    w->pid = 0;
    w->end = WORKER_DIED;
    return WIFSIGNALED(w->how) && WTERMSIG(w->how) == SIGKILL;
}

static enum simulate_worker_news kind_of_end(
    const struct simulate_worker_process *w, int how)
{
    const int status = WIFEXITED(how) ? WEXITSTATUS(how) : 0;
    if (status == EXIT_UNUSABLE && phase_of(w) == PHASE_REFUSED)
        return WORKER_UNUSABLE;
    if (status == EXIT_THREADLESS && phase_of(w) == PHASE_READY)
        return WORKER_THREADLESS;
    return WORKER_DIED;
}

/* A number that changes when operations return.  The clock stands still while
 * an object is measured, but then every process counts for itself. */
static uint64_t operations_done(struct worker_shared *s)
{
    uint64_t done = atomic_load_explicit(&s->clock, memory_order_relaxed);
    for (unsigned p = 0; s->with.measures && p < s->with.processes; p++)
        done += atomic_load_explicit(worker_shared_count(s, 0, p),
                                     memory_order_relaxed);
    return done;
}

/* Has anything happened since the last look? */
static bool moves(struct simulate_worker_process *w)
{
    struct worker_shared *const s = w->s;
    const uint64_t clock = operations_done(s);
    const uint64_t finished =
        atomic_load_explicit(&s->finished, memory_order_relaxed);
    const int phase = phase_of(w);
    if (clock == w->last_clock && finished == w->last_finished &&
        phase == w->last_phase)
        return false;
    w->last_clock = clock;
    w->last_finished = finished;
    w->last_phase = phase;
    return true;
}

/* Has nothing happened for so long, though it could have?  A worker that gets
 * no processor is not stuck; so that is looked at once it has been quiet for a
 * moment, and then from there on. */
static bool stands_still(struct simulate_worker_process *w, uint64_t time,
                         uint64_t limit)
{
    if (time - w->last_change < A_MOMENT)
        return false;
    if (w->still.since == 0)
        objects_standstill_begin(&w->still, w->pid);
    return time > w->still.since && time - w->still.since > limit &&
           objects_standstill_length(&w->still) > limit;
}

/* While an object is measured the answer must not be wrong, since the
 * measurement would be. */
static bool is_stuck(struct simulate_worker_process *w, uint64_t time)
{
    return stands_still(w, time,
                        w->s->with.measures ? SLOW_AFTER : STUCK_AFTER);
}

enum simulate_worker_news simulate_worker_look(
    struct simulate_worker_process *w, int *how)
{
    if (w->pid > 0 && waitpid(w->pid, &w->how, WNOHANG) == w->pid) {
        kill(-w->pid, SIGKILL); /* what the object forked */
        w->end = kind_of_end(w, w->how);
        w->pid = 0;
    }
    if (w->pid == 0) {
        *how = w->how;
        return w->end;
    }
    const uint64_t time = runtime_nanoseconds_now();
    if (moves(w) || w->last_phase == PHASE_IDLE ||
        w->last_phase == PHASE_OVER) {
        w->last_change = time;
        w->still.since = 0;
        return WORKER_RUNS;
    }
    if (w->last_phase == PHASE_RUNNING)
        return is_stuck(w, time) ? WORKER_STUCK : WORKER_RUNS;
    return stands_still(w, time, HANGS_AFTER) ? WORKER_HANGS : WORKER_RUNS;
}

void simulate_worker_complain(const struct simulate_worker_process *w,
                              enum simulate_worker_news news)
{
    if (news == WORKER_HANGS)
        console_say("%s: %s has not returned for 5 seconds", w->target->given,
                    w->last_phase == PHASE_SETUP ? "setup" : "teardown");
    else if (news == WORKER_THREADLESS)
        console_say("plumb simulate: cannot create %u threads",
                    w->s->with.processes);
}

enum simulate_worker_news simulate_worker_await(
    struct simulate_worker_process *w, const struct plumb_budget *budget,
    bool (*is_to_end)(void *context), void *context)
{
    const struct timespec nap = { .tv_nsec = (long)MILLISECOND };
    enum simulate_worker_news news = WORKER_RUNS;
    int how;
    while (news == WORKER_RUNS && plumb_budget_state(budget) != PLUMB_ESTOP) {
        if (is_to_end(context))
            atomic_store_explicit(&w->s->over, true, memory_order_relaxed);
        nanosleep(&nap, NULL);
        news = phase_of(w) == PHASE_OVER ? WORKER_OVER
                                         : simulate_worker_look(w, &how);
    }
    simulate_worker_complain(w, news);
    return news;
}

uint32_t simulate_worker_open_operations(
    const struct simulate_worker_process *w)
{
    uint32_t open = 0;
    for (unsigned p = 0; p < w->s->with.processes; p++) {
        const struct plumb_record_entry *const e =
            worker_shared_entries(w->s, 0, p);
        if (atomic_load_explicit(&e->ret, memory_order_relaxed) == 0 &&
            e->operation < w->object.operations)
            open |= UINT32_C(1) << e->operation;
    }
    return open;
}
