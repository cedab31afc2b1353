/* instructions_x86_64.c - see instructions.h.
 *
 *     lock xadd %rax,(%rdi)
 *     mov    0x2f15(%rip),%eax        # 4060 <count>
 *
 * The last operand is written, if any is. */
#include "instructions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS = 6 };

static const char *const argument_names[ARGUMENTS][2] = {
    { "%rdi", "%edi" }, { "%rsi", "%esi" }, { "%rdx", "%edx" },
    { "%rcx", "%ecx" }, { "%r8", "%r8d" },  { "%r9", "%r9d" },
};

static bool starts_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* That for the address of a thread-local is none. */
static bool is_call(const struct registers *r, const struct instruction *i)
{
    (void)r;
    return starts_with(i->name, "call") &&
           !strstr(i->operands, "<__tls_get_addr@plt>");
}

static bool is_jump(const struct instruction *i)
{
    return starts_with(i->name, "jmp");
}

static bool has_memory_operand(const char *operands)
{
    return strpbrk(operands, "(:[") != NULL;
}

static bool is_foreign(const struct instruction *i)
{
    static const char *const names[] = { "lock",   "syscall", "sysenter",
                                         "rdtsc",  "rdtscp",  "rdrand",
                                         "rdseed", "xbegin",  NULL };
    return instruction_is(i->name, names) ||
           (strcmp(i->name, "int") == 0 && starts_with(i->operands, "$0x80")) ||
           (starts_with(i->name, "xchg") && has_memory_operand(i->operands));
}

/* A compare-and-swap that changes nothing. */
static bool is_left_behind(const struct instruction *i, bool wide)
{
    return wide && starts_with(i->operands, "cmpxchg16b");
}

static bool only_computes(const struct instruction *i)
{
    static const char *const names[] = { "cs", "data16", "endbr64", NULL };
    static const char *const starts[] = { "lea", "nop", "prefetch", NULL };
    return instruction_is(i->name, names) ||
           instruction_starts(i->name, starts);
}

static bool uses_argument(const struct registers *r,
                          const struct instruction *i)
{
    const char *const open = strchr(i->operands, '(');
    if (!open || only_computes(i))
        return false;
    for (unsigned n = 0; n < ARGUMENTS; n++) {
        const char *const name = argument_names[n][0];
        const char *const after = open + 1 + strlen(name);
        if (r->argument[n] && starts_with(open + 1, name) &&
            (*after == ')' || *after == ','))
            return true;
    }
    return false;
}

static bool uses_address(const struct registers *r, const struct instruction *i,
                         uint64_t *at)
{
    const char *const comment = strstr(i->operands, "# ");
    (void)r;
    if (!strstr(i->operands, "(%rip)") || !comment || only_computes(i))
        return false;
    *at = strtoull(comment + 2, NULL, 16);
    return true;
}

static void follow(struct registers *r, const struct instruction *i)
{
    char text[128];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(i->operands, "#<"),
             i->operands);
    char *const last = strrchr(text, ',');
    const char *const to = last ? last + 1 : text;
    for (unsigned n = 0; n < ARGUMENTS; n++)
        if (starts_with(to, argument_names[n][0]) ||
            starts_with(to, argument_names[n][1]))
            r->argument[n] = false;
}

const struct processor processor_x86_64 = {
    .format = "elf64-x86-64",
    .is_call = is_call,
    .is_jump = is_jump,
    .is_foreign = is_foreign,
    .is_left_behind = is_left_behind,
    .uses_argument = uses_argument,
    .uses_address = uses_address,
    .follow = follow,
};
