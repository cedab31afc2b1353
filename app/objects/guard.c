/* guard.c - running code of the user's in a child process that is watched.
 *
 * Parent and child share a page with one slot per thread.  A slot's counter is
 * odd while its thread is inside the plug-in, so a counter that is odd and
 * stays the same for five seconds is one step that does not return; no clock
 * is read on the way.  Time in which the child lacks a processor does not count
 * (standstill.h).  Once the run should have ended, by its time limit or Ctrl-C,
 * a step has a fraction of a second left.  The parent also holds the reading end
 * of a pipe that nobody writes to: it wakes up when the child is gone. */
#include "guard.h"

#include "app/console/say.h"
#include "runtime/common/wait.h"
#include "standstill.h"
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    SLOTS = 256,
    NAMES = 64,
    LONGEST_NAME = 48,
    DESCRIPTION = LONGEST_NAME + 16,
    IN_INIT = 0xffff,
    TICK = 100,       /* milliseconds */
    LONGEST_STEP = 5, /* seconds */
    GRACE = 300       /* milliseconds, for a step after the end */
};

struct slot {
    _Alignas(64) atomic_ulong count; /* odd: inside the plug-in */
    atomic_uint op;                  /* which operation         */
    atomic_int taken;
};

struct page {
    atomic_int done;    /* the child came to its end by itself */
    atomic_int crashed; /* the slot that got the signal, + 1   */
    atomic_int differs; /* the slot whose step said two things, + 1 */
    char name[NAMES][LONGEST_NAME];
    struct slot slot[SLOTS];
};

/* Set before any thread starts, the same in parent and child. */
static struct page *page;
static const struct plumb_user_spec *real;
static struct plumb_user_spec watched;
static pthread_key_t slot_key;
static _Thread_local struct slot *mine;
static volatile sig_atomic_t child_pid;
static volatile sig_atomic_t interrupted;

/* ---- in the child ---- */

static void leave_slot(void *slot)
{
    /* release: pairs with the acquire in take_slot() */
    atomic_store_explicit(&((struct slot *)slot)->taken, 0,
                          memory_order_release);
}

/* A stack of its own, so that a step that overflows its stack can be named. */
static void use_signal_stack(void)
{
    static _Thread_local char stack[16384];
    const stack_t s = { .ss_sp = stack, .ss_size = sizeof stack };
    sigaltstack(&s, NULL);
}

static struct slot *take_slot(void)
{
    for (int i = 0; i < SLOTS; i++) {
        int nobody = 0;
        /* acquire: pairs with the release in leave_slot() */
        if (!atomic_compare_exchange_strong_explicit(
                &page->slot[i].taken, &nobody, 1, memory_order_acquire,
                memory_order_relaxed))
            continue;
        mine = &page->slot[i];
        pthread_setspecific(slot_key, mine);
        use_signal_stack();
        return mine;
    }
    return NULL; /* more threads than slots: this one is not watched */
}

/* Relaxed: the parent looks at single counters, and after a crash there is
 * nobody left to race with. */
static struct slot *enter(unsigned op)
{
    struct slot *const s = mine ? mine : take_slot();
    if (!s)
        return NULL;
    atomic_store_explicit(&s->op, op, memory_order_relaxed);
    atomic_fetch_add_explicit(&s->count, 1, memory_order_relaxed);
    return s;
}

static void leave(struct slot *s)
{
    if (s)
        atomic_fetch_add_explicit(&s->count, 1, memory_order_relaxed);
}

/* ---- asking again ----
 *
 * A step has to say the same whenever it is asked: it is a function of the state,
 * the call and the choices.  The first steps of each thread are asked twice, and
 * then one of many. */

enum { MOST_CHOICES = 64, ALWAYS = 64, NOW_AND_THEN = 61 };

struct repetition {
    const struct plumb_call *call;
    unsigned chosen[MOST_CHOICES], of[MOST_CHOICES];
    unsigned count, at;
    bool again, differs;
};

static unsigned choose_as_before(void *chooser, unsigned n)
{
    struct repetition *const r = chooser;
    const unsigned i = r->at++;
    if (!r->again) {
        const unsigned chosen = r->call->choose(r->call->chooser, n);
        if (i < MOST_CHOICES) {
            r->chosen[i] = chosen;
            r->of[i] = n;
        }
        r->count = r->at;
        return chosen;
    }
    r->differs |= i >= r->count || (i < MOST_CHOICES && r->of[i] != n);
    return i < MOST_CHOICES && !r->differs ? r->chosen[i] : 0;
}

static bool same_reply(const struct plumb_reply *a, const struct plumb_reply *b)
{
    if (a->nres != b->nres ||
        strcmp(a->term ? a->term : "ok", b->term ? b->term : "ok") != 0)
        return false;
    for (unsigned i = 0; i < a->nres && i < PLUMB_MAX_RESULTS; i++)
        if (!plumb_value_equal(a->res[i], b->res[i]))
            return false;
    return true;
}

static _Noreturn void say_that_it_differs(const struct slot *s)
{
    atomic_store_explicit(&page->differs, (int)(s - page->slot) + 1,
                          memory_order_relaxed);
    _exit(STATUS_ERROR);
}

/* The second answer is forgotten, if it is the same. */
static bool step_twice(const struct slot *s, void *state,
                       const struct plumb_call *call, struct plumb_reply *reply,
                       void *copy, struct plumb_reply *other)
{
    struct repetition r = { .call = call };
    struct plumb_call asked = *call;
    asked.choose = choose_as_before;
    asked.chooser = &r;
    memcpy(copy, state, real->state_size);
    const bool returns = real->step(state, &asked, reply);
    r.at = 0;
    r.again = true;
    const bool again = real->step(copy, &asked, other);
    if (r.count > MOST_CHOICES)
        return returns;
    r.differs |= r.at != r.count || again != returns;
    if (returns && !r.differs)
        r.differs = !same_reply(reply, other) ||
                    memcmp(copy, state, real->state_size) != 0;
    if (r.differs)
        say_that_it_differs(s);
    return returns;
}

static bool is_asked_twice(const struct slot *s)
{
    const unsigned long steps =
        s ? atomic_load_explicit(&s->count, memory_order_relaxed) / 2 : 0;
    return s && (steps < ALWAYS || steps % NOW_AND_THEN == 0);
}

static bool watched_step(void *state, const struct plumb_call *call,
                         struct plumb_reply *reply)
{
    struct slot *const s = enter(call->op);
    const bool twice = is_asked_twice(s);
    void *const copy = twice ? malloc(real->state_size + 1) : NULL;
    struct plumb_reply *const other = twice ? calloc(1, sizeof *other) : NULL;
    const bool returns = copy && other
                             ? step_twice(s, state, call, reply, copy, other)
                             : real->step(state, call, reply);
    free(copy);
    free(other);
    leave(s);
    return returns;
}

static void watched_init(void *state)
{
    struct slot *const s = enter(IN_INIT);
    real->init(state);
    leave(s);
}

/* Remember whose fault it was, then die of the signal after all. */
static void on_crash(int number)
{
    if (mine)
        atomic_store_explicit(&page->crashed, (int)(mine - page->slot) + 1,
                              memory_order_relaxed);
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_crashes(void)
{
    static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    struct sigaction action = { .sa_flags = SA_ONSTACK };
    action.sa_handler = on_crash;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

static void copy_names(const struct plumb_user_spec *user)
{
    for (int i = 0; i < NAMES && user->ops[i]; i++)
        snprintf(page->name[i], LONGEST_NAME, "%.*s",
                 (int)strcspn(user->ops[i], "/"), user->ops[i]);
}

const struct plumb_user_spec *objects_guard_spec(
    const struct plumb_user_spec *user)
{
    real = user;
    watched = *user;
    watched.step = watched_step;
    if (user->init)
        watched.init = watched_init;
    copy_names(user);
    return &watched;
}

static _Noreturn void be_the_child(enum console_status (*work)(void *),
                                   void *context, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || pthread_key_create(&slot_key, leave_slot) != 0)
        _exit(STATUS_ERROR);
    catch_crashes();
    enum console_status status = work(context);
    if (!console_close_results())
        status = STATUS_ERROR;
    if (console_reader_is_gone()) {
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    atomic_store_explicit(&page->done, 1, memory_order_relaxed);
    _exit((int)status);
}

/* ---- in the parent ---- */

/* Ctrl-C reaches the child too.  A signal sent to us alone is passed on. */
static void on_interrupt(int number, siginfo_t *info, void *unused)
{
    (void)unused;
    interrupted = 1;
    if (info->si_code != SI_KERNEL && child_pid > 0)
        kill((pid_t)child_pid, number);
}

static void pass_on_interrupts(void)
{
    struct sigaction action = { .sa_flags = SA_SIGINFO | SA_RESTART |
                                            (int)SA_RESETHAND };
    action.sa_sigaction = on_interrupt;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* What is being done in the slot; `nobody` if that is NULL. */
static const char *describe(const struct slot *s, const char *nobody,
                            char text[DESCRIPTION])
{
    if (!s)
        return nobody;
    const unsigned op = atomic_load_explicit(&s->op, memory_order_relaxed);
    if (op == IN_INIT)
        return "init()";
    snprintf(text, DESCRIPTION, "step of %s()",
             op < NAMES ? page->name[op] : "?");
    return text;
}

static bool is_inside(const struct slot *s)
{
    return atomic_load_explicit(&s->count, memory_order_relaxed) & 1;
}

/* The slot that is inside the plug-in, the one that crashed first of all. */
static const struct slot *culprit(void)
{
    const int crashed =
        atomic_load_explicit(&page->crashed, memory_order_relaxed);
    if (crashed)
        return is_inside(&page->slot[crashed - 1]) ? &page->slot[crashed - 1]
                                                   : NULL;
    for (int i = 0; i < SLOTS; i++)
        if (is_inside(&page->slot[i]))
            return &page->slot[i];
    return NULL;
}

struct watch {
    uint64_t deadline; /* nanoseconds; 0: none */
    unsigned long seen[SLOTS];
    uint64_t time[SLOTS]; /* in that step, nanoseconds */
};

static bool is_over(const struct watch *w)
{
    return interrupted ||
           (w->deadline && runtime_nanoseconds_now() > w->deadline);
}

/* The slot that has been in the same step for too long, `time` more now. */
static const struct slot *find_stuck(struct watch *w, uint64_t time)
{
    const uint64_t longest = is_over(w) ? GRACE * UINT64_C(1000000)
                                        : LONGEST_STEP * UINT64_C(1000000000);
    for (int i = 0; i < SLOTS; i++) {
        const unsigned long count =
            atomic_load_explicit(&page->slot[i].count, memory_order_relaxed);
        const bool same = (count & 1) && count == w->seen[i];
        w->time[i] = same ? w->time[i] + time : 0;
        w->seen[i] = count;
        if (w->time[i] >= longest)
            return &page->slot[i];
    }
    return NULL;
}

static bool child_is_gone(int fd)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    return poll(&p, 1, TICK) == 1;
}

static void wait_for(pid_t child, int *status)
{
    while (waitpid(child, status, 0) < 0 && errno == EINTR)
        ;
}

static enum console_status end_of_stuck(const struct objects_target *plugin,
                                        pid_t child, const struct watch *w,
                                        const struct slot *stuck)
{
    const bool over = is_over(w);
    char text[DESCRIPTION];
    const char *const what = describe(stuck, NULL, text);
    int status;
    kill(child, SIGKILL);
    wait_for(child, &status);
    if (!over)
        return console_error("%s: %s did not return within %d s", plugin->given,
                             what, LONGEST_STEP);
    console_say("%s: undecided (%s): %s does not return", plugin->given,
                interrupted ? "interrupted" : "time", what);
    return STATUS_UNDECIDED;
}

static bool is_a_request_to_end(int number)
{
    return number == SIGINT || number == SIGTERM || number == SIGPIPE ||
           number == SIGHUP;
}

static enum console_status end_by_signal(const struct objects_target *plugin,
                                         int number)
{
    char what[DESCRIPTION], name[64];
    if (is_a_request_to_end(number)) {
        signal(number, SIG_DFL);
        raise(number);
    }
    /* As the system names it, but beginning in lower case. */
    snprintf(name, sizeof name, "%s", strsignal(number));
    name[0] = (char)tolower((unsigned char)name[0]);
    return console_error("%s: %s crashed (%s)", plugin->given,
                         describe(culprit(), "the check", what), name);
}

static enum console_status end_of(const struct objects_target *plugin,
                                  int status)
{
    const int differs =
        atomic_load_explicit(&page->differs, memory_order_relaxed);
    char step[DESCRIPTION];
    if (differs)
        return console_error(
            "%s: %s gave another answer when asked again: it must depend on "
            "the state, the arguments and plumb_call_choose() alone",
            plugin->given, describe(&page->slot[differs - 1], NULL, step));
    if (WIFSIGNALED(status))
        return end_by_signal(plugin, WTERMSIG(status));
    if (atomic_load_explicit(&page->done, memory_order_relaxed))
        return (enum console_status)WEXITSTATUS(status);
    char what[DESCRIPTION];
    return console_error("%s: %s ended the process", plugin->given,
                         describe(culprit(), "the specification", what));
}

static enum console_status watch_child(const struct objects_target *plugin,
                                       pid_t child, int fd, uint64_t deadline)
{
    struct watch watch = { .deadline = deadline };
    struct objects_standstill tick;
    int status = 0;
    objects_standstill_begin(&tick, child);
    while (!child_is_gone(fd)) {
        const struct slot *const stuck =
            find_stuck(&watch, objects_standstill_length(&tick));
        if (stuck)
            return end_of_stuck(plugin, child, &watch, stuck);
        objects_standstill_begin(&tick, child);
    }
    wait_for(child, &status);
    return end_of(plugin, status);
}

static bool share_page(void)
{
    page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return page != MAP_FAILED;
}

enum console_status objects_guard_run(
    const struct objects_target *plugin, uint64_t milliseconds,
    enum console_status (*work)(void *context), void *context)
{
    const uint64_t deadline =
        milliseconds
            ? runtime_nanoseconds_now() + milliseconds * UINT64_C(1000000)
            : 0;
    int ends[2];
    const pid_t self = getpid();
    if (!share_page() || pipe(ends) != 0)
        return console_error("%s: cannot run it: %s", plugin->given,
                             console_reason());
    fflush(NULL);
    pass_on_interrupts();
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        be_the_child(work, context, self);
    }
    close(ends[1]);
    if (child < 0)
        return console_error("%s: cannot run it: %s", plugin->given,
                             console_reason());
    child_pid = child;
    const enum console_status status =
        watch_child(plugin, child, ends[0], deadline);
    close(ends[0]);
    return status;
}
