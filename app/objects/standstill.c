/* standstill.c - how long a process has done nothing, though it could have.
 *
 * The scheduler counts how long each thread ran and how long it waited for a
 * processor (/proc/PID/task/TID/schedstat), the latter when the wait is over:
 * of a thread that is ready to run only what it ran is certain.  But one that
 * yields in a loop hardly ever runs where others do not yield.  It is known by
 * its many short turns, in each of which it could have gone on. */
#include "standstill.h"

#include "runtime/common/wait.h"
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MANY_TURNS = 50, SHORT_TURN = 20000 /* nanoseconds */ };

/* A short file of a thread, as a text; false if there is none. */
static bool read_file(pid_t pid, pid_t id, const char *name, char *text,
                      size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/%s", (int)pid, (int)id, name);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? -1 : read(file, text, size - 1);
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = '\0';
    return got > 0;
}

/* False: the system does not count, or the thread has ended. */
static bool look(pid_t pid, struct objects_standstill_thread *t)
{
    char text[128];
    return read_file(pid, t->id, "schedstat", text, sizeof text) &&
           sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &t->ran, &t->waited,
                  &t->turns) == 3;
}

/* Behind its name in brackets, which may hold anything. */
static bool is_ready_to_run(pid_t pid, pid_t id)
{
    char text[256];
    if (!read_file(pid, id, "stat", text, sizeof text))
        return false;
    const char *const name_ends = strrchr(text, ')');
    return name_ends && strncmp(name_ends, ") R", 3) == 0;
}

static struct objects_standstill_thread as_it_was(
    const struct objects_standstill *s, pid_t id)
{
    for (unsigned i = 0; i < s->threads; i++)
        if (s->thread[i].id == id)
            return s->thread[i];
    return (struct objects_standstill_thread){ .id = id }; /* it is new */
}

/* How much of the time had this thread a processor, or wanted none? */
static uint64_t part_of(const struct objects_standstill *s, pid_t id,
                        uint64_t time)
{
    const struct objects_standstill_thread before = as_it_was(s, id);
    struct objects_standstill_thread now = { .id = id };
    if (!look(s->pid, &now))
        return time;
    const uint64_t ran = now.ran - before.ran;
    const uint64_t waited = now.waited - before.waited;
    const uint64_t turns = now.turns - before.turns;
    if (turns >= MANY_TURNS && ran / turns < SHORT_TURN)
        return time;
    if (is_ready_to_run(s->pid, id))
        return ran < time ? ran : time;
    return waited < time ? time - waited : 0;
}

static DIR *open_threads(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    return opendir(path);
}

/* The number of the next one, or 0. */
static pid_t next_thread(DIR *threads)
{
    const struct dirent *d;
    while ((d = readdir(threads)))
        if (d->d_name[0] != '.')
            return (pid_t)atoi(d->d_name);
    return 0;
}

void objects_standstill_begin(struct objects_standstill *s, pid_t pid)
{
    DIR *const threads = open_threads(pid);
    pid_t id;
    s->pid = pid;
    s->since = runtime_nanoseconds_now();
    s->threads = 0;
    while (threads && s->threads < STANDSTILL_THREADS &&
           (id = next_thread(threads)) != 0) {
        s->thread[s->threads] = (struct objects_standstill_thread){ .id = id };
        s->threads += look(pid, &s->thread[s->threads]);
    }
    if (threads)
        closedir(threads);
}

uint64_t objects_standstill_length(const struct objects_standstill *s)
{
    const uint64_t time = runtime_nanoseconds_now() - s->since;
    DIR *const threads = open_threads(s->pid);
    uint64_t least = time;
    pid_t id;
    for (unsigned n = 0;
         threads && n < STANDSTILL_THREADS && (id = next_thread(threads)) != 0;
         n++) {
        const uint64_t part = part_of(s, id, time);
        least = part < least ? part : least;
    }
    if (threads)
        closedir(threads);
    return least;
}
