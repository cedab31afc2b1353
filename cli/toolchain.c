/* toolchain.c - running the C compiler on a specification.
 *
 * The shell splits $CC into words, as make does, and gets everything else as
 * arguments, so that no file name needs quoting. */
#include "toolchain.h"

#include "say.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127, MAX_WORDS = 24 };

static const char *const flags[] = { "-std=c17", "-O2", "-shared", "-fPIC",
                                     NULL };

static bool has_header(const char *directory)
{
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/plumb/spec.h", directory);
    return access(path, R_OK) == 0;
}

/* Where <plumb/spec.h> is: beside the program's own directory if it was
 * installed (wherever that tree was moved to), else in the source tree. */
static const char *include_directory(char path[PATH_MAX])
{
    char program[PATH_MAX];
    const ssize_t length =
        readlink("/proc/self/exe", program, sizeof program - 1);
    program[length < 0 ? 0 : length] = '\0';
    for (int up = 0; up < 2; up++) {
        char *const slash = strrchr(program, '/');
        if (!slash)
            return PLUMB_INCLUDE_DIR;
        *slash = '\0';
    }
    const int size = snprintf(path, PATH_MAX, "%s/include", program);
    return size < PATH_MAX && has_header(path) ? path : PLUMB_INCLUDE_DIR;
}

static bool read_all(int fd, struct plumb_text *out)
{
    char buffer[65536];
    ssize_t got;
    while ((got = read(fd, buffer, sizeof buffer)) != 0) {
        if (got > 0)
            plumb_text_bytes(out, buffer, (size_t)got);
        else if (errno != EINTR)
            return false;
    }
    return true;
}

struct run {
    char *words[MAX_WORDS];
    size_t count;
    bool silent; /* nobody wants to see its stderr */
};

/* posix_spawn's argv is not const, though it does not write to it. */
static void add_word(struct run *r, const char *word)
{
    union {
        const char *read;
        char *write;
    } w = { word };
    r->words[r->count++] = w.write;
}

static void begin_run(struct run *r)
{
    *r = (struct run){ .count = 0 };
    add_word(r, "sh");
    add_word(r, "-c");
    add_word(r, "exec ${CC:-cc} \"$@\"");
    add_word(r, "sh");
}

static int start(struct run *r, int out, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (r->silent)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
                                         O_WRONLY, 0);
    const int error =
        posix_spawn(pid, "/bin/sh", &actions, NULL, r->words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Its exit status, NOT_FOUND included; its stdout is appended to `out`. */
static int run(struct run *r, struct plumb_text *out)
{
    int ends[2], status = 0;
    pid_t pid;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NOT_FOUND;
    const int error = start(r, ends[1], &pid);
    close(ends[1]);
    const bool whole = !error && read_all(ends[0], out);
    close(ends[0]);
    while (!error && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (error)
        return NOT_FOUND;
    return whole && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

bool toolchain_version(const char *file, struct plumb_text *out)
{
    struct run r;
    begin_run(&r);
    add_word(&r, "--version");
    r.silent = true;
    const int status = run(&r, out);
    for (size_t i = 0; flags[i]; i++) {
        plumb_text_add(out, flags[i]);
        plumb_text_add(out, "\n");
    }
    if (status == 0)
        return true;
    const char *const cc = getenv("CC");
    say("%s: no compiler to make it ready: `%s --version` fails; install gcc "
        "or "
        "clang, set CC, or give a shared object (.so)",
        file, cc && *cc ? cc : "cc");
    return false;
}

static bool compiler_accepts(const char *file, const char *const *extra,
                             struct plumb_text *out)
{
    char path[PATH_MAX], plain[PATH_MAX + 2];
    struct run r;
    begin_run(&r);
    for (size_t i = 0; flags[i]; i++)
        add_word(&r, flags[i]);
    add_word(&r, "-I");
    add_word(&r, include_directory(path));
    for (size_t i = 0; extra[i]; i++)
        add_word(&r, extra[i]);
    /* A name that begins with a dash is not an option. */
    snprintf(plain, sizeof plain, "%s%s", file[0] == '-' ? "./" : "", file);
    add_word(&r, plain);
    return run(&r, out) == 0;
}

bool toolchain_preprocess(const char *file, struct plumb_text *out)
{
    static const char *const extra[] = { "-E", NULL };
    if (compiler_accepts(file, extra, out))
        return true;
    say("%s: could not be compiled; the compiler's messages are above", file);
    return false;
}

bool toolchain_compile(const char *file, const char *object)
{
    const char *const extra[] = { "-o", object, NULL };
    struct plumb_text ignored;
    plumb_text_init(&ignored, NULL);
    const bool done = compiler_accepts(file, extra, &ignored);
    plumb_text_release(&ignored);
    return done;
}
