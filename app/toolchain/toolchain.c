/* toolchain.c - running the compilers.
 *
 * The shell splits $CC and $CFLAGS into words, as make does (but for a $CC that
 * is a file as it stands), and gets everything else as arguments, so that no
 * file name needs quoting. */
#include "toolchain.h"

#include "app/console/interrupt.h"
#include "app/console/say.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
    const char *name, *flags;
} variable[] = {
    [LANGUAGE_C] = { "CC", "CFLAGS" },
    [LANGUAGE_CXX] = { "CXX", "CXXFLAGS" },
};

/* How a compiler runs. */
struct running {
    bool silent;
    const struct plumb_budget *budget; /* or NULL */
};

/* Until there is something to read; false if the budget ends it first. */
static bool wait_for(int fd, const struct plumb_budget *budget)
{
    enum { NAP = 20 }; /* milliseconds */
    struct pollfd p = { .fd = fd, .events = POLLIN };
    while (budget && poll(&p, 1, NAP) <= 0)
        if (plumb_budget_state(budget) != PLUMB_OK)
            return false;
    return true;
}

static bool read_all(int fd, const struct plumb_budget *budget,
                     struct plumb_base_text *out)
{
    char buffer[65536];
    ssize_t got = 1;
    while (got) {
        if (!wait_for(fd, budget))
            return false;
        got = read(fd, buffer, sizeof buffer);
        if (got > 0)
            plumb_base_text_bytes(out, buffer, (size_t)got);
        else if (got < 0 && errno != EINTR)
            return false;
    }
    return true;
}

/* What may be ended is a group of its own: a compiler starts others. */
static int start(char *const *words, int out, const struct running *how,
                 pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (how->silent)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
                                         O_WRONLY, 0);
    if (how->budget)
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const int error =
        posix_spawn(pid, "/bin/sh", &actions, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

/* Did it end with status 0?  Its stdout is appended to `out`. */
static bool spawn(char *const *words, const struct running *how,
                  struct plumb_base_text *out)
{
    int ends[2], status = 0;
    pid_t pid;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    const int error = start(words, ends[1], how, &pid);
    close(ends[1]);
    console_interrupts_pass_to(error ? 0 : pid);
    const bool whole = !error && read_all(ends[0], how->budget, out);
    close(ends[0]);
    if (!error && !whole && how->budget)
        kill(-pid, SIGTERM);
    while (!error && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    console_interrupts_pass_to(0);
    return whole && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool run(const struct toolchain_recipe *recipe,
                enum toolchain_language language,
                const struct console_wordlist *words, const struct running *how,
                struct plumb_base_text *out)
{
    char script[1024];
    struct console_wordlist all = { .count = 0 };
    const char *const flags =
        recipe->user_flags ? variable[language].flags : "none";
    snprintf(script, sizeof script,
             "%scc=$1 none=; shift; " INSTRUMENT_EXEC("%s $%s \"$@\""),
             how->silent ? "export LC_ALL=C; " : "", recipe->flags, flags,
             recipe->flags, flags);
    console_wordlist_add(&all, "sh");
    console_wordlist_add(&all, "-c");
    console_wordlist_add(&all, script);
    console_wordlist_add(&all, "sh");
    console_wordlist_add(&all, toolchain_instrument_compiler(language));
    console_wordlist_add_all(&all, words);
    const bool done = !all.broken && spawn(all.word, how, out);
    console_wordlist_release(&all);
    return done;
}

bool toolchain_run(const struct toolchain_recipe *recipe,
                   enum toolchain_language language,
                   const struct console_wordlist *words,
                   struct plumb_base_text *out)
{
    const struct running how = { .silent = false };
    return run(recipe, language, words, &how, out);
}

bool toolchain_try(const struct toolchain_recipe *recipe,
                   enum toolchain_language language,
                   const struct console_wordlist *words,
                   const struct plumb_budget *budget,
                   struct plumb_base_text *out)
{
    const struct running how = { .silent = true, .budget = budget };
    return run(recipe, language, words, &how, out);
}

/* What a compiler answered to --version.  Starting clang takes longer than
 * many an exploration, so each compiler is asked once. */
struct known_version {
    char command[PATH_MAX];
    bool there;
    struct plumb_base_text text;
};

static void learn_version(enum toolchain_language language,
                          struct known_version *v)
{
    static const struct toolchain_recipe plain = { "", false };
    struct console_wordlist words = { .count = 0 };
    plumb_base_text_release(&v->text);
    plumb_base_text_init(&v->text, NULL);
    console_wordlist_add(&words, "--version");
    v->there = toolchain_try(&plain, language, &words, NULL, &v->text);
    console_wordlist_release(&words);
}

static bool ask_version(enum toolchain_language language,
                        struct plumb_base_text *out)
{
    static struct known_version known[2];
    struct known_version *const v = &known[language];
    const char *const command = toolchain_instrument_compiler(language);
    if (!v->there || strcmp(v->command, command) != 0) {
        learn_version(language, v);
        v->there &= strlen(command) < sizeof v->command;
        snprintf(v->command, sizeof v->command, "%s", command);
    }
    plumb_base_text_add(out, plumb_base_text_string(&v->text));
    return v->there;
}

enum toolchain_family toolchain_family_of(enum toolchain_language language)
{
    struct plumb_base_text text = { 0 };
    ask_version(language, &text);
    const char *const version = plumb_base_text_string(&text);
    const enum toolchain_family family =
        strstr(version, "clang")                      ? FAMILY_CLANG
        : strstr(version, "Free Software Foundation") ? FAMILY_GCC
                                                      : FAMILY_UNKNOWN;
    plumb_base_text_release(&text);
    return family;
}

bool toolchain_version(const char *subject, enum toolchain_language language,
                       struct plumb_base_text *out)
{
    const char *const command = toolchain_instrument_compiler(language);
    const char *const flags = getenv(variable[language].flags);
    const bool there = ask_version(language, out);
    plumb_base_text_printf(out, "%s\n%s\n", command, flags ? flags : "");
    if (there)
        return true;
    if (subject)
        console_say("%s: no working compiler: `%s --version` fails; install "
                    "gcc or clang, set %s, or give a shared object (.so)",
                    subject, command, variable[language].name);
    return false;
}
