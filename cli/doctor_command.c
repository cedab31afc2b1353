/* doctor_command.c - plumb doctor: what works here, and how to get the rest. */
#include "app/archive/archive.h"
#include "app/console/say.h"
#include "app/toolchain/toolchain.h"
#include "cli.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct console_option rows[] = { OPTIONS_END };

/* "yes  C compiler: gcc 12.2"; of what is missing, what it is for and how to get
 * it. */
static void tell(bool works, const char *what, const char *detail)
{
    printf("%s  %s: %s\n", works ? "yes" : "no ", what, detail);
}

static void tell_remedy(const char *remedy)
{
    printf("     %s\n", remedy);
}

/* ---- compilers ---- */

static bool examine_compiler(enum toolchain_language language, const char *what,
                             const char *remedy)
{
    struct plumb_base_text version = { 0 };
    char line[200];
    const bool works = toolchain_version(NULL, language, &version);
    const char *const text = plumb_base_text_string(&version);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
    tell(works, what, works && line[0] ? line : "not found");
    if (!works)
        tell_remedy(remedy);
    plumb_base_text_release(&version);
    return works;
}

/* ---- explore ---- */

/* In a child, so that nothing of it is seen but its first complaint. */
static void run_explore(int complaint)
{
    const char *words[] = { "explore",   "treiber", "--test", "push(1) | pop()",
                            "--timeout", "60",      "--quiet" };
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0 || dup2(nowhere, 1) < 0 || dup2(complaint, 2) < 0)
        _exit(STATUS_ERROR);
    const enum console_status status =
        console_run(&cli_explore, sizeof words / sizeof *words, words);
    fflush(NULL);
    _exit((int)status);
}

/* The first line that is read; the rest is read, too. */
static void read_line(int from, char line[], size_t size)
{
    size_t length = 0;
    char c;
    bool first = true;
    while (read(from, &c, 1) == 1) {
        first = first && c != '\n';
        if (first && length + 1 < size)
            line[length++] = c;
    }
    line[length] = '\0';
}

static bool examine_explore(void)
{
    char line[300] = "";
    int ends[2], status = -1;
    fflush(NULL);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return console_fails("plumb doctor: %s", console_reason());
    const pid_t child = fork();
    if (child == 0)
        run_explore(ends[1]);
    close(ends[1]);
    if (child > 0) {
        read_line(ends[0], line, sizeof line);
        waitpid(child, &status, 0);
    }
    close(ends[0]);
    const bool works =
        child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == STATUS_HOLDS;
    tell(works, "plumb explore",
         works     ? "compiled a stack with hooks, and ran a small test"
         : line[0] ? line
                   : "a small test of a stack of the library did not pass");
    if (!works)
        tell_remedy("plumb explore treiber --test 'push(1) | pop()' says more");
    return works;
}

/* ---- what else is used ---- */

static bool is_on_path(const char *program)
{
    const char *at = getenv("PATH");
    char path[4096];
    for (; at && *at; at += strcspn(at, ":"), at += *at == ':') {
        const int length = (int)strcspn(at, ":");
        snprintf(path, sizeof path, "%.*s/%s", length, at, program);
        if (access(path, X_OK) == 0)
            return true;
    }
    return false;
}

static void examine_gdb(void)
{
    const bool works = is_on_path("gdb");
    tell(works, "gdb", works ? "plumb replay FILE --gdb=STEP" : "not found");
    if (!works)
        tell_remedy("for plumb replay --gdb; apt install gdb");
}

/* At most 2 lets everybody count what own programs do in user space. */
static void examine_perf(void)
{
    enum { OWN_PROGRAMS = 2 };
    int level = -1;
    FILE *const file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
    const bool known = file && fscanf(file, "%d", &level) == 1;
    if (file)
        fclose(file);
    const bool works = known && (level <= OWN_PROGRAMS || geteuid() == 0);
    tell(works, "perf",
         works   ? "profiles of plumb simulate and of your own programs"
         : known ? "kernel.perf_event_paranoid does not permit it"
                 : "this kernel has no performance events");
    if (!works && known)
        tell_remedy(
            "to profile an object; sysctl kernel.perf_event_paranoid=2");
}

static void examine_symbols(void)
{
    tell(HAS_DEBUG_INFORMATION, "source lines in reports",
         HAS_DEBUG_INFORMATION ? "read from debug information"
                               : "built without libdw");
    if (!HAS_DEBUG_INFORMATION)
        tell_remedy("apt install libdw-dev, and build plumb again");
}

static void examine_archive(enum archive_kind kind, const char *what,
                            const char *remedy)
{
    struct archive *archive = NULL;
    struct plumb_error err = { 0 };
    const bool works =
        archive_new(&archive, kind, NULL, &err) == PLUMB_OK && archive;
    if (archive)
        archive_free(archive);
    tell(works, what, works ? "read as they are" : "built without the library");
    if (!works)
        tell_remedy(remedy);
}

static enum console_status run(const struct console_options *o, void *settings)
{
    (void)settings;
    if (o->nargs) {
        console_usage_fails(o, "there are no arguments");
        return STATUS_ERROR;
    }
    examine_compiler(LANGUAGE_C, "C compiler",
                     "for objects and specifications in C; apt install gcc, "
                     "or set CC");
    examine_compiler(LANGUAGE_CXX, "C++ compiler",
                     "for objects in C++; apt install g++, or set CXX");
    const bool works = examine_explore();
    examine_symbols();
    examine_gdb();
    examine_perf();
    examine_archive(ARCHIVE_GZIP, "histories in .gz",
                    "apt install zlib1g-dev, and build plumb again");
    examine_archive(ARCHIVE_ZSTD, "histories in .zst",
                    "apt install libzstd-dev, and build plumb again");
    return works ? STATUS_HOLDS : STATUS_ERROR;
}

const struct console_command cli_doctor = {
    .name = "doctor",
    .summary = "show what works on this machine, and how to get the rest",
    .arguments = "[options]",
    .about = "Look for compilers, gdb and permission for perf, build an object "
             "of the library and explore it, and say for everything that does "
             "not work what it is for and which command installs it.",
    .examples = "  plumb doctor\n",
    .status = "  0  plumb explore works\n"
              "  2  it does not\n",
    .options = rows,
    .run = run,
};
