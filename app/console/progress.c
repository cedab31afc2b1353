/* progress.c - one line, rewritten five times a second by a thread.
 *
 * The line is on the terminal only while `lock` is free: whoever prints takes
 * the lock, erases the line, prints, and lets go. */
#include "progress.h"

#include "say.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static struct {
    pthread_t thread;
    bool running; /* of the main thread's knowledge */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool stop, shown;
    const struct plumb_budget *budget;
    struct timespec begin;
    atomic_ulong decided;
    const char *unit;   /* NULL: "decided" */
    uint64_t done, all; /* what is left is estimated from these */
    char line[128];     /* "": the number of those is what there is to say */
} p = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void erase(void)
{
    if (!p.shown)
        return;
    fputs("\r\033[K", stderr);
    p.shown = false;
}

/* The columns of the terminal, of which the last stays free: a line that ends
 * there may go on below, and could not be erased. */
static int columns(void)
{
    struct winsize size;
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0;
    return known && size.ws_col > 1 ? size.ws_col - 1 : 79;
}

/* ", about 20 s left", once that is more than a guess. */
static void estimate(long seconds, char text[32])
{
    text[0] = '\0';
    if (seconds < 2 || !p.done || p.done >= p.all)
        return;
    const double left =
        (double)seconds * (double)(p.all - p.done) / (double)p.done;
    if (left < 90)
        snprintf(text, 32, ", about %.0f s left", left);
    else if (left < 5400)
        snprintf(text, 32, ", about %.0f min left", left / 60);
    else if (left < 864000)
        snprintf(text, 32, ", about %.0f h left", left / 3600);
}

static void draw(const struct timespec *now)
{
    const long seconds = (long)(now->tv_sec - p.begin.tv_sec);
    const double megabytes = (double)plumb_budget_used(p.budget) / 1048576.0;
    char line[sizeof p.line + 96], left[32];
    estimate(seconds, left);
    if (p.line[0])
        snprintf(line, sizeof line, "%ld s, %s%s (Ctrl-C to stop)", seconds,
                 p.line, left);
    else
        snprintf(line, sizeof line,
                 "%ld s, %.0f MiB, %lu %s%s (Ctrl-C to stop)", seconds,
                 megabytes,
                 atomic_load_explicit(&p.decided, memory_order_relaxed),
                 p.unit ? p.unit : "decided", left);
    fprintf(stderr, "\r\033[K%.*s", columns(), line);
    fflush(stderr);
    p.shown = true;
}

static void add_milliseconds(struct timespec *t, long milliseconds)
{
    t->tv_nsec += milliseconds * 1000000;
    t->tv_sec += t->tv_nsec / 1000000000;
    t->tv_nsec %= 1000000000;
}

static void *run(void *unused)
{
    struct timespec next = p.begin;
    add_milliseconds(&next, 1000);
    pthread_mutex_lock(&p.lock);
    while (!p.stop) {
        if (pthread_cond_timedwait(&p.wake, &p.lock, &next) != ETIMEDOUT)
            continue;
        draw(&next);
        add_milliseconds(&next, 200);
    }
    erase();
    pthread_mutex_unlock(&p.lock);
    return unused;
}

static bool stderr_is_a_terminal(void)
{
    const char *const term = getenv("TERM");
    return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

void console_progress_start(const struct plumb_budget *budget)
{
    pthread_condattr_t attributes;
    if (!stderr_is_a_terminal() || pthread_condattr_init(&attributes) != 0)
        return;
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&p.wake, &attributes);
    pthread_condattr_destroy(&attributes);
    clock_gettime(CLOCK_MONOTONIC, &p.begin);
    p.budget = budget;
    p.running = pthread_create(&p.thread, NULL, run, NULL) == 0;
}

void console_progress_stop(void)
{
    if (!p.running)
        return;
    pthread_mutex_lock(&p.lock);
    p.stop = true;
    pthread_cond_signal(&p.wake);
    pthread_mutex_unlock(&p.lock);
    pthread_join(p.thread, NULL);
    p.running = false;
}

void console_progress_count(void)
{
    atomic_fetch_add_explicit(&p.decided, 1, memory_order_relaxed);
}

void console_progress_unit(const char *what)
{
    p.unit = what;
}

void console_progress_line(const char *text)
{
    pthread_mutex_lock(&p.lock);
    snprintf(p.line, sizeof p.line, "%s", text);
    pthread_mutex_unlock(&p.lock);
}

void console_progress_share(uint64_t done, uint64_t all)
{
    pthread_mutex_lock(&p.lock);
    p.done = done;
    p.all = all;
    pthread_mutex_unlock(&p.lock);
}

void console_progress_hide(void)
{
    pthread_mutex_lock(&p.lock);
    erase();
}

void console_progress_show(void)
{
    pthread_mutex_unlock(&p.lock);
}

void console_progress_print(const struct plumb_base_text *result)
{
    console_progress_hide();
    if (result->size)
        fwrite(result->data, 1, result->size, stdout);
    console_progress_show();
    console_flush_results();
}
