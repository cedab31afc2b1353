/* assembly.c - see assembly.h.
 *
 * One pass over the lines of `objdump -h -T -R` and `objdump -d`: the sections,
 * the variables that others may see, and where their addresses are kept; then
 * function by function the instructions.
 *
 *      22 .data         00000010  0000000000004048  0000000000004048  ...
 *     0000000000004060 g    DO .bss   0000000000000004  Base        count
 *     0000000000003fd0 R_X86_64_GLOB_DAT  count@@Base
 *     00000000000011e3 <inc_asm>:
 *         11e8:   lock xadd %rax,(%rdi)
 *
 * Doubt goes two ways.  An instruction is named even if it does no harm.  A
 * function is named only if it is sure to do something that hooks would have
 * told: a call (functions with calls have hooks), an access to a variable, by
 * its name or by where its address is kept, or one through a pointer it was
 * given.  Constant tables and a
 * function's own array look alike otherwise, and have no hooks. */
#include "assembly.h"

#include "assembler/instructions.h"
#include "assembler/step_codes.h"
#include "base/hash.h"
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    SECTIONS = 2,
    SEEN = 4096, /* variables of which it is known that others may see them */
    NEAR = 12,   /* instructions: so far may a load be from its hook */
    STEP = 4,    /* ... and inline assembly from the code before it */
    BLOCK = 24   /* ... that is not followed, and says so when it is run */
};

/* What is known of the function that is being read. */
struct function {
    char name[ASSEMBLY_TEXT];
    uint64_t start;
    bool hooked, acts;
    struct assembler_registers registers;
    unsigned since_load; /* instructions since the hook of an atomic load */
    bool wide_load;      /* of 16 bytes */
    unsigned told; /* so many instructions are inline assembly that tells */
    bool notes;    /* the code before it tells that it is not followed */
};

struct reader {
    struct binary_assembly *found;
    const struct assembler_processor *processor; /* NULL: not one of ours */
    struct function f;
    struct {
        uint64_t at, size;
    } variables[SECTIONS]; /* .data and .bss */
    unsigned sections;
    uint64_t seen[SEEN]; /* hashes of their names */
    uint64_t kept[SEEN]; /* where addresses of them are */
    unsigned seens, kepts;
    uint64_t step[2]; /* where the addresses of hooks for assembly are */
    unsigned steps;
    bool disassembles;
};

/* ---- functions ---- */

/* What compilers and the start-up files add has no hooks, and needs none. */
static bool is_added(const char *name)
{
    static const char names[] =
        " _init _fini _start deregister_tm_clones register_tm_clones "
        "__do_global_dtors_aux frame_dummy __tls_init __clang_call_terminate "
        "call_weak_fn init_have_lse_atomics ";
    static const char *const starts[] = { "_ZTH",       "_ZTW", "_ZTh",
                                          "_ZTv",       "_ZTc", "__x86",
                                          "__aarch64_", ".",    "tsan.",
                                          "_sub_I_",    NULL };
    return assembler_is_word_of(names, name) ||
           assembler_instruction_starts(name, starts) || strstr(name, "@plt") ||
           strstr(name, ".cold");
}

static void end_function(struct reader *r)
{
    struct function *const f = &r->f;
    if (*f->name && f->acts && !f->hooked && !is_added(f->name) &&
        r->found->functions++ < ASSEMBLY_KEPT)
        memcpy(r->found->function[r->found->functions - 1], f->name,
               sizeof f->name);
    *f = (struct function){ .since_load = NEAR };
}

/* "00000000000011e3 <inc_asm>:" */
static bool begin_function(struct reader *r, const char *line)
{
    char *end;
    const uint64_t start = strtoull(line, &end, 16);
    const size_t length = strlen(end);
    if (end == line || !assembler_starts_with(end, " <") || length < 4 ||
        strcmp(end + length - 2, ">:") != 0)
        return false;
    end_function(r);
    r->f.start = start;
    snprintf(r->f.name, sizeof r->f.name, "%.*s", (int)length - 4, end + 2);
    for (unsigned i = 0; i < INSTRUCTION_ARGUMENTS; i++)
        r->f.registers.argument[i] = true;
    return true;
}

/* ---- instructions ---- */

static void note_instruction(struct reader *r, uint64_t at,
                             const struct assembler_instruction *i)
{
    const unsigned n = r->found->instructions++;
    const char *const comment = strstr(i->operands, "  ");
    const size_t length = comment ? (size_t)(comment - i->operands) : 32;
    if (n >= ASSEMBLY_KEPT)
        return;
    snprintf(r->found->instruction[n], ASSEMBLY_TEXT,
             "%.50s+%#" PRIx64 ": %.15s %.*s", r->f.name, at - r->f.start,
             i->name, (int)(length < 32 ? length : 32), i->operands);
}

static bool has(const uint64_t *list, unsigned count, uint64_t wanted)
{
    for (unsigned n = 0; n < count; n++)
        if (list[n] == wanted)
            return true;
    return false;
}

static bool uses_variable(const struct reader *r,
                          const struct assembler_instruction *i)
{
    uint64_t at;
    if (r->processor->uses_loaded(&r->f.registers, i, &at) &&
        has(r->kept, r->kepts, at))
        return true;
    if (!r->processor->uses_address(&r->f.registers, i, &at))
        return false;
    for (unsigned n = 0; n < r->sections; n++)
        if (at - r->variables[n].at < r->variables[n].size)
            return true;
    return false;
}

static void read_call(struct function *f, const char *operands)
{
    const char *const hook = strstr(operands, "<__tsan_");
    if (hook)
        f->hooked = true;
    else
        f->acts = true;
    if (hook && assembler_starts_with(hook, "<__tsan_atomic") &&
        strstr(hook, "_load")) {
        f->since_load = 0;
        f->wide_load = assembler_starts_with(hook, "<__tsan_atomic128");
    }
}

static bool is_left_behind(const struct reader *r,
                           const struct assembler_instruction *i)
{
    return r->f.since_load < NEAR &&
           r->processor->is_left_behind(i, r->f.wide_load);
}

/* "call *0x2f0a(%rip)  # 3ff0", before an instruction of inline assembly */
static bool tells_of_step(const struct reader *r,
                          const struct assembler_instruction *i)
{
    uint64_t at;
    return assembler_starts_with(i->name, "call") &&
           (strstr(i->operands, "<__tsan_assembly_") ||
            (r->processor->uses_address(&r->f.registers, i, &at) &&
             has(r->step, r->steps, at)));
}

/* "push $0xe00": what follows is not followed, and the hook is told so. */
static bool begins_note(const struct assembler_instruction *i)
{
    const unsigned code = assembler_step_code(EFFECT_UNSEEN, 0, 0, 0);
    char text[16];
    snprintf(text, sizeof text, "$%#x", code);
    return strcmp(i->name, "push") == 0 && strcmp(i->operands, text) == 0;
}

static void read_instruction(struct reader *r, uint64_t at, const char *text)
{
    const struct assembler_processor *const p = r->processor;
    struct function *const f = &r->f;
    struct assembler_instruction i;
    assembler_instruction_split(text, &i);
    if (f->since_load < NEAR)
        f->since_load++;
    if (f->told)
        f->told--;
    if (tells_of_step(r, &i)) {
        f->hooked = true;
        f->told = f->notes ? BLOCK : STEP;
    } else if (p->is_call(&f->registers, &i))
        read_call(f, i.operands);
    else if (p->is_jump(&i) && strstr(i.operands, "<__tsan_"))
        f->hooked = true;
    else if (p->is_foreign(&i)) {
        if (!strstr(f->name, "@plt") && !is_left_behind(r, &i) && !f->told)
            note_instruction(r, at, &i);
    } else if (p->uses_argument(&f->registers, &i) || uses_variable(r, &i))
        f->acts = true;
    f->notes = begins_note(&i);
    p->follow(&f->registers, &i);
}

/* ---- lines ---- */

/* "libqueue.so:     file format elf64-x86-64" */
static bool read_format(struct reader *r, const char *line)
{
    static const struct assembler_processor *const all[] = {
        &assembler_processor_x86_64, &assembler_processor_aarch64
    };
    static const char words[] = "file format ";
    const char *const format = strstr(line, words);
    for (unsigned i = 0; format && i < sizeof all / sizeof *all; i++)
        if (strcmp(format + sizeof words - 1, all[i]->format) == 0)
            r->processor = all[i];
    return format;
}

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

static uint64_t hash_of(const char *name)
{
    uint64_t hash = 0;
    for (; *name && !strchr("@+", *name); name++)
        hash = plumb_base_mix1(hash ^ (unsigned char)*name);
    return hash;
}

/* "0000000000004060 g    DO .bss  0000000000000004  Base        count" */
static void read_variable(struct reader *r, const char *line)
{
    const char *const object = strstr(line, " DO ");
    const char *const name = strrchr(line, ' ');
    if (object && name && r->seens < SEEN &&
        (assembler_starts_with(object + 4, ".data\t") ||
         assembler_starts_with(object + 4, ".bss\t")))
        r->seen[r->seens++] = hash_of(name + 1);
}

/* "0000000000003fd0 R_X86_64_GLOB_DAT  count@@Base" */
static void read_relocation(struct reader *r, const char *line)
{
    char kind[48], name[512];
    uint64_t at;
    if (sscanf(line, "%" SCNx64 " %47s %511s", &at, kind, name) == 3 &&
        strstr(kind, "_GLOB_DAT")) {
        if (assembler_starts_with(name, "__tsan_assembly_") && r->steps < 2 &&
            strstr(name, "step"))
            r->step[r->steps++] = at;
        else if (r->kepts < SEEN && has(r->seen, r->seens, hash_of(name)))
            r->kept[r->kepts++] = at;
    }
}

static void read_line(struct reader *r, char *line)
{
    line[strcspn(line, "\n")] = 0;
    if (assembler_starts_with(line, "Disassembly of ")) {
        r->disassembles = true;
        return;
    }
    if (!r->disassembles) {
        if (read_format(r, line))
            return;
        read_section(r, line);
        read_variable(r, line);
        read_relocation(r, line);
        return;
    }
    if (!r->processor || begin_function(r, line))
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

static bool start_objdump(const char *const words[], int out, pid_t *pid)
{
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

static bool read_objdump(struct reader *r, const char *const words[])
{
    int ends[2];
    pid_t pid;
    if (pipe2(ends, O_CLOEXEC))
        return false;
    const bool started = start_objdump(words, ends[1], &pid);
    close(ends[1]);
    FILE *const in = fdopen(ends[0], "r");
    if (in) {
        read_lines(r, in);
        fclose(in);
    } else
        close(ends[0]);
    return started && has_ended_well(pid) && in;
}

static struct reader *new_reader(struct binary_assembly *found)
{
    struct reader *const r = calloc(1, sizeof *r);
    *found = (struct binary_assembly){ .instructions = 0 };
    if (r)
        *r = (struct reader){ .found = found, .f.since_load = NEAR };
    return r;
}

/* With -d in the same breath, -R would have no table. */
bool binary_assembly_look(const char *path, struct binary_assembly *found)
{
    const char *const tables[] = { "objdump", "-h", "-T", "-R",
                                   "-w",      "--", path, NULL };
    const char *const code[] = { "objdump", "-d", "-w", "--no-show-raw-insn",
                                 "--",      path, NULL };
    struct reader *const r = new_reader(found);
    const bool known = r && read_objdump(r, tables) && read_objdump(r, code) &&
                       r->processor && r->disassembles;
    free(r);
    return known;
}

bool binary_assembly_read(FILE *in, struct binary_assembly *found)
{
    struct reader *const r = new_reader(found);
    if (r)
        read_lines(r, in);
    const bool known = r && r->processor && r->disassembles;
    free(r);
    return known;
}
