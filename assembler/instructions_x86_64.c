/* instructions_x86_64.c - see instructions.h.
 *
 *     lock xadd %rax,(%rdi)
 *     mov    0x2f15(%rip),%eax        # 4060 <count>
 *
 * The last operand is written, unless it is compared.  Where nothing is
 * optimised, arguments are kept on the stack, and fetched from there. */
#include "instructions.h"

#include "assembly_steps.h"
#include "operands_x86_64.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Arguments first; two more would be, on other processors. */
static const char *const register_name[][2] = {
    { "%rdi", "%edi" },   { "%rsi", "%esi" },   { "%rdx", "%edx" },
    { "%rcx", "%ecx" },   { "%r8", "%r8d" },    { "%r9", "%r9d" },
    { "%none", "%none" }, { "%none", "%none" }, { "%rax", "%eax" },
    { "%rbx", "%ebx" },   { "%r10", "%r10d" },  { "%r11", "%r11d" },
    { "%r12", "%r12d" },  { "%r13", "%r13d" },  { "%r14", "%r14d" },
    { "%r15", "%r15d" },
};

enum { NAMES = sizeof register_name / sizeof *register_name };

/* That for the address of a thread-local is none. */
static bool is_call(const struct assembler_registers *r,
                    const struct assembler_instruction *i)
{
    (void)r;
    return assembler_starts_with(i->name, "call") &&
           !strstr(i->operands, "<__tls_get_addr@plt>");
}

static bool is_jump(const struct assembler_instruction *i)
{
    return assembler_starts_with(i->name, "jmp");
}

static bool has_memory_operand(const char *operands)
{
    return strpbrk(operands, "(:[") != NULL;
}

/* Nothing is added to the top of the own stack: a fence. */
static bool is_fence_on_stack(const struct assembler_instruction *i)
{
    static const char *const names[] = { "addl", "addq", "add", "orl",
                                         "orq",  "or",   NULL };
    static const char *const zeros[] = { "$0,", "$0x0,", NULL };
    const char *const operand = operand_next(i->operands);
    char *end;
    if (!assembler_instruction_is(i->name, names) ||
        !assembler_instruction_starts(i->operands, zeros))
        return false;
    strtol(operand, &end, 0);
    return strcmp(end, "(%rsp)") == 0 || strcmp(end, "(%esp)") == 0;
}

/* "lock addl $0x0,(%rsp)" */
static bool is_locked_fence(const struct assembler_instruction *i)
{
    struct assembler_instruction rest;
    assembler_instruction_split(i->operands, &rest);
    return strcmp(i->name, "lock") == 0 && is_fence_on_stack(&rest);
}

static bool is_foreign(const struct assembler_instruction *i)
{
    static const char *const names[] = { "lock",   "syscall", "sysenter",
                                         "rdtsc",  "rdtscp",  "rdrand",
                                         "rdseed", "xbegin",  NULL };
    if (is_locked_fence(i))
        return false;
    return assembler_instruction_is(i->name, names) ||
           (strcmp(i->name, "int") == 0 &&
            assembler_starts_with(i->operands, "$0x80")) ||
           (assembler_starts_with(i->name, "xchg") &&
            has_memory_operand(i->operands));
}

/* A compare-and-swap that changes nothing. */
static bool is_left_behind(const struct assembler_instruction *i, bool wide)
{
    return wide && assembler_starts_with(i->operands, "cmpxchg16b");
}

static bool only_computes(const struct assembler_instruction *i)
{
    static const char *const names[] = { "cs", "data16", "endbr64", NULL };
    static const char *const starts[] = { "lea",     "nop",  "prefetch",
                                          "clflush", "clwb", NULL };
    return assembler_instruction_is(i->name, names) ||
           assembler_instruction_starts(i->name, starts);
}

/* The number of the register that the text is; -1 if it is none of them. */
static int register_at(const char *text, size_t length)
{
    for (int n = 0; n < NAMES; n++)
        for (unsigned size = 0; size < 2; size++)
            if (strlen(register_name[n][size]) == length &&
                memcmp(register_name[n][size], text, length) == 0)
                return n;
    return -1;
}

/* The same if it is all of the register: an address. */
static int whole_register(const char *text)
{
    const int n = register_at(text, strlen(text));
    return n >= 0 && strcmp(register_name[n][0], text) == 0 ? n : -1;
}

/* The register of a memory operand, if it is accessed; or -1. */
static int base_of(const struct assembler_instruction *i)
{
    const char *const open = strchr(i->operands, '(');
    return open && !only_computes(i)
               ? register_at(open + 1, strcspn(open + 1, ",)"))
               : -1;
}

static bool uses_argument(const struct assembler_registers *r,
                          const struct assembler_instruction *i)
{
    const int base = base_of(i);
    return base >= 0 && r->argument[base];
}

static bool uses_loaded(const struct assembler_registers *r,
                        const struct assembler_instruction *i, uint64_t *from)
{
    const int base = base_of(i);
    if (base < 0 || !r->is_loaded[base])
        return false;
    *from = r->value[base];
    return true;
}

static bool uses_address(const struct assembler_registers *r,
                         const struct assembler_instruction *i, uint64_t *at)
{
    const char *const comment = strstr(i->operands, "# ");
    (void)r;
    if (!strstr(i->operands, "(%rip)") || !comment || only_computes(i))
        return false;
    *at = strtoull(comment + 2, NULL, 16);
    return true;
}

/* ---- what registers have ---- */

/* A place on the stack: "-0x8(%rbp)", "0x10(%rsp)". */
static bool is_on_stack(const char *operand)
{
    return strstr(operand, "(%rbp)") || strstr(operand, "(%rsp)");
}

static char *find_slot(struct assembler_registers *r, const char *operand)
{
    for (unsigned n = 0; n < INSTRUCTION_SLOTS; n++)
        if (strcmp(r->slot[n], operand) == 0)
            return r->slot[n];
    return NULL;
}

static void keep_in_slot(struct assembler_registers *r, const char *operand,
                         bool argument)
{
    char *const known = find_slot(r, operand);
    char *const room = argument && !known ? find_slot(r, "") : NULL;
    if (known && !argument)
        *known = '\0';
    if (room)
        snprintf(room, sizeof r->slot[0], "%.*s", (int)sizeof r->slot[0] - 1,
                 operand);
}

static void move(struct assembler_registers *r, const char *from, int to,
                 const struct assembler_instruction *i)
{
    const int n = whole_register(from);
    uint64_t at = 0;
    r->argument[to] =
        n >= 0 ? r->argument[n] : is_on_stack(from) && find_slot(r, from);
    r->is_loaded[to] = n >= 0 ? r->is_loaded[n] : uses_address(r, i, &at);
    r->value[to] = n >= 0 ? r->value[n] : at;
}

static void follow(struct assembler_registers *r,
                   const struct assembler_instruction *i)
{
    static const char *const reads[] = { "cmp", "test", "push", NULL };
    char text[128];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(i->operands, " #<"),
             i->operands);
    char *const last = strrchr(text, ',');
    const char *const to = last ? last + 1 : text;
    const int n = register_at(to, strlen(to));
    const bool moves = last && strcmp(i->name, "mov") == 0;
    if (assembler_instruction_starts(i->name, reads))
        return;
    if (last)
        *last = '\0';
    const int from = moves ? whole_register(text) : -1;
    if (moves && n >= 0 && whole_register(to) >= 0)
        move(r, text, n, i);
    else if (n >= 0)
        r->argument[n] = r->is_loaded[n] = false;
    else if (is_on_stack(to))
        keep_in_slot(r, to, from >= 0 && r->argument[from]);
}

const struct assembler_processor assembler_processor_x86_64 = {
    .format = "elf64-x86-64",
    .comment = "#",
    .steps = &assembler_steps_x86_64,
    .is_call = is_call,
    .is_jump = is_jump,
    .is_foreign = is_foreign,
    .is_left_behind = is_left_behind,
    .uses_argument = uses_argument,
    .uses_address = uses_address,
    .uses_loaded = uses_loaded,
    .follow = follow,
};
