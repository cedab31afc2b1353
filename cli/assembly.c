/* assembly.c - see assembly.h.
 *
 * One pass over the lines of `objdump -h -d`: the sections, then function by
 * function their instructions.
 *
 *      22 .data         00000010  0000000000004048  0000000000004048  ...
 *     00000000000011e3 <inc_asm>:
 *         11e8:   lock xadd %rax,(%rdi)
 *
 * Doubt goes two ways.  An instruction is named even if it does no harm.  A
 * function is named only if it is sure to do something that hooks would have
 * told: a call (functions with calls have hooks), an access to a variable by
 * its name, or one through a pointer it was given.  Constant tables and a
 * function's own array look alike otherwise, and have no hooks. */
#include "assembly.h"

#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { ARGUMENTS = 6, SECTIONS = 2 };

/* What is known of the function that is being read. */
struct function {
    char name[ASSEMBLY_TEXT];
    uint64_t start;
    bool hooked, acts;
    bool argument[ARGUMENTS]; /* still has what it was called with */
    unsigned wide_load;       /* instructions since a hook for 16 bytes */
};

struct reader {
    struct assembly *found;
    struct function f;
    struct {
        uint64_t at, size;
    } variables[SECTIONS]; /* .data and .bss */
    unsigned sections;
    bool disassembles;
};

static bool starts_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- functions ---- */

/* What compilers and the start-up files add has no hooks, and needs none. */
static bool is_added(const char *name)
{
    static const char *const names[] = {
        "_init",
        "_fini",
        "_start",
        "deregister_tm_clones",
        "register_tm_clones",
        "__do_global_dtors_aux",
        "frame_dummy",
        "__tls_init",
        "__clang_call_terminate",
    };
    static const char *const starts[] = { "_ZTH", "_ZTW",  "_ZTh",
                                          "_ZTv", "_ZTc",  "__x86",
                                          ".",    "tsan.", "_sub_I_" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (starts_with(name, starts[i]))
            return true;
    return strstr(name, "@plt") || strstr(name, ".cold");
}

static void end_function(struct reader *r)
{
    struct function *const f = &r->f;
    if (*f->name && f->acts && !f->hooked && !is_added(f->name) &&
        r->found->functions++ < ASSEMBLY_KEPT)
        memcpy(r->found->function[r->found->functions - 1], f->name,
               sizeof f->name);
    *f = (struct function){ .wide_load = UINT32_MAX };
}

/* "00000000000011e3 <inc_asm>:" */
static bool begin_function(struct reader *r, const char *line)
{
    char *end;
    const uint64_t start = strtoull(line, &end, 16);
    const size_t length = strlen(end);
    if (end == line || !starts_with(end, " <") || length < 4 ||
        strcmp(end + length - 2, ">:") != 0)
        return false;
    end_function(r);
    r->f.start = start;
    snprintf(r->f.name, sizeof r->f.name, "%.*s", (int)length - 4, end + 2);
    for (unsigned i = 0; i < ARGUMENTS; i++)
        r->f.argument[i] = true;
    return true;
}

/* ---- instructions ---- */

static bool has_memory_operand(const char *operands)
{
    return strchr(operands, '(') || strchr(operands, ':') ||
           strchr(operands, '[');
}

/* What cannot be followed: atomic, a system call, a clock, chance. */
static bool is_foreign(const char *name, const char *operands)
{
    static const char *const names[] = {
        "lock",   "syscall", "sysenter", "rdtsc", "rdtscp",
        "rdrand", "rdseed",  "xbegin",   "svc",
    };
    static const char *const starts[] = { "ldxr",  "ldaxr", "ldxp",  "ldaxp",
                                          "stxr",  "stlxr", "stxp",  "stlxp",
                                          "cas",   "swp",   "ldadd", "ldclr",
                                          "ldset", "ldeor" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
#if defined(__aarch64__)
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (starts_with(name, starts[i]))
            return true;
#else
    (void)starts;
#endif
    return (strcmp(name, "int") == 0 && starts_with(operands, "$0x80")) ||
           (starts_with(name, "xchg") && has_memory_operand(operands));
}

/* clang leaves the access of an atomic load behind the hook for it; of 16 bytes
 * that is a compare-and-swap that changes nothing. */
static bool is_left_behind(const struct function *f, const char *operands)
{
    return f->wide_load < 12 && starts_with(operands, "cmpxchg16b");
}

static void note_instruction(struct reader *r, uint64_t at, const char *text)
{
    const unsigned i = r->found->instructions++;
    if (i < ASSEMBLY_KEPT)
        snprintf(r->found->instruction[i], ASSEMBLY_TEXT,
                 "%.60s+%#" PRIx64 ": %.40s", r->f.name, at - r->f.start, text);
}

static const char *const argument_names[ARGUMENTS][2] = {
    { "%rdi", "%edi" }, { "%rsi", "%esi" }, { "%rdx", "%edx" },
    { "%rcx", "%ecx" }, { "%r8", "%r8d" },  { "%r9", "%r9d" },
};

/* Is the memory operand's base an argument as it was given? */
static bool uses_given_pointer(const struct function *f, const char *operands)
{
    const char *const open = strchr(operands, '(');
    if (!open)
        return false;
    for (unsigned i = 0; i < ARGUMENTS; i++) {
        const char *const name = argument_names[i][0];
        const char after = open[1 + strlen(name)];
        if (f->argument[i] && starts_with(open + 1, name) &&
            (after == ')' || after == ','))
            return true;
    }
    return false;
}

/* "0x2f15(%rip)        # 4060 <count>" */
static bool uses_variable(const struct reader *r, const char *operands)
{
    const char *const comment = strstr(operands, "# ");
    if (!strstr(operands, "(%rip)") || !comment)
        return false;
    const uint64_t at = strtoull(comment + 2, NULL, 16);
    for (unsigned i = 0; i < r->sections; i++)
        if (at - r->variables[i].at < r->variables[i].size)
            return true;
    return false;
}

/* The last operand is written, if anything is; a call writes them all. */
static void forget_arguments(struct function *f, const char *operands)
{
    char text[ASSEMBLY_TEXT];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(operands, "#<"), operands);
    char *const last = strrchr(text, ',');
    const char *const to = last ? last + 1 : text;
    for (unsigned i = 0; i < ARGUMENTS; i++)
        if (starts_with(to, argument_names[i][0]) ||
            starts_with(to, argument_names[i][1]))
            f->argument[i] = false;
}

static bool only_computes(const char *name)
{
    return starts_with(name, "lea") || starts_with(name, "nop") ||
           starts_with(name, "prefetch") || strcmp(name, "cs") == 0 ||
           strcmp(name, "data16") == 0 || strcmp(name, "endbr64") == 0;
}

static void read_call(struct function *f, const char *operands)
{
    if (strstr(operands, "<__tsan_"))
        f->hooked = true;
    else
        f->acts = true;
    if (strstr(operands, "<__tsan_atomic128_load"))
        f->wide_load = 0;
}

static void read_instruction(struct reader *r, uint64_t at, char *text)
{
    struct function *const f = &r->f;
    char name[16] = "";
    const size_t length = strcspn(text, " \t");
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    const char *const operands = text + length + strspn(text + length, " \t");
    if (f->wide_load != UINT32_MAX)
        f->wide_load++;
    if (starts_with(name, "call") || strcmp(name, "bl") == 0)
        read_call(f, operands);
    else if (starts_with(name, "jmp") && strstr(operands, "<__tsan_"))
        f->hooked = true;
    else if (is_foreign(name, operands)) {
        if (!strstr(f->name, "@plt") && !is_left_behind(f, operands))
            note_instruction(r, at, text);
    } else if (!only_computes(name) &&
               (uses_given_pointer(f, operands) || uses_variable(r, operands)))
        f->acts = true;
    forget_arguments(f, operands);
}

/* ---- lines ---- */

/* "  22 .data  00000010  0000000000004048 ..." */
static void read_section(struct reader *r, const char *line)
{
    char name[32];
    uint64_t size, at;
    if (sscanf(line, " %*u %31s %" SCNx64 " %" SCNx64, name, &size, &at) == 3 &&
        (strcmp(name, ".data") == 0 || strcmp(name, ".bss") == 0) &&
        r->sections < SECTIONS) {
        r->variables[r->sections].at = at;
        r->variables[r->sections++].size = size;
    }
}

static void read_line(struct reader *r, char *line)
{
    line[strcspn(line, "\n")] = 0;
    if (starts_with(line, "Disassembly of ")) {
        r->disassembles = true;
        return;
    }
    if (!r->disassembles) {
        read_section(r, line);
        return;
    }
    if (begin_function(r, line))
        return;
    char *end;
    const uint64_t at = strtoull(line, &end, 16);
    if (end != line && *end == ':' && *r->f.name)
        read_instruction(r, at, end + 1 + strspn(end + 1, " \t"));
}

static void read_lines(struct reader *r, FILE *in)
{
    char line[4096];
    bool whole = true;
    while (fgets(line, sizeof line, in)) {
        const bool rest = !whole; /* of a line that is too long */
        whole = strchr(line, '\n') != NULL;
        if (!rest)
            read_line(r, line);
    }
    end_function(r);
}

/* ---- objdump ---- */

static bool start_objdump(const char *path, int out, pid_t *pid)
{
    const char *const words[] = {
        "objdump", "-h", "-d", "-w", "--no-show-raw-insn", "--", path, NULL
    };
    union {
        const char *const *read;
        char *const *write; /* posix_spawn's argv is not written to */
    } argv = { words };
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    const int failed =
        posix_spawnp(pid, words[0], &actions, NULL, argv.write, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed == 0;
}

static bool has_ended_well(pid_t pid)
{
    int status;
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

bool assembly_look(const char *path, struct assembly *found)
{
    struct reader r = { .found = found, .f.wide_load = UINT32_MAX };
    int ends[2];
    pid_t pid;
    *found = (struct assembly){ .instructions = 0 };
    if (pipe2(ends, O_CLOEXEC))
        return false;
    const bool started = start_objdump(path, ends[1], &pid);
    close(ends[1]);
    FILE *const in = fdopen(ends[0], "r");
    if (started && in)
        read_lines(&r, in);
    if (in)
        fclose(in);
    else
        close(ends[0]);
    return started && has_ended_well(pid) && in && r.disassembles;
}
