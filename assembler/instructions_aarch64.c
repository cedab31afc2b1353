/* instructions_aarch64.c - see instructions.h.
 *
 *     ldaxr   x0, [x1]
 *     adrp    x0, 20000 <count>
 *     ldr     w0, [x0, #152]
 *
 * Memory is between brackets.  The first operand is written, unless it is
 * stored or compared.  A variable's address is made in two steps, of which the
 * second may be part of the access.
 *
 * A thread-local's address is asked of a function that lies in a descriptor,
 * and that gets the descriptor in x0:
 *
 *     adrp    x0, 1f000
 *     ldr     x1, [x0, #4000]
 *     add     x0, x0, #0xfa0
 *     blr     x1 */
#include "instructions.h"

#include <stdlib.h>
#include <string.h>

/* ---- operands ---- */

/* The number of the register that is named there, in any size; -1 if none. */
static int register_at(const char *text)
{
    char *end;
    if ((*text != 'x' && *text != 'w') || text[1] < '0' || text[1] > '9')
        return -1;
    const long number = strtol(text + 1, &end, 10);
    return number < INSTRUCTION_REGISTERS ? (int)number : -1;
}

/* What comes after the next comma; "" if nothing. */
static const char *next_operand(const char *text)
{
    const char *const comma = strchr(text, ',');
    return comma ? comma + 1 + strspn(comma + 1, " ") : "";
}

/* The bracket of a memory operand.  That of "v0.s[1]" has no space before. */
static const char *memory_operand(const struct assembler_instruction *i)
{
    const char *const open = strstr(i->operands, " [");
    return open && !assembler_starts_with(i->name, "prfm") ? open + 2 : NULL;
}

/* The address that "[x0, #152]" is, if it is known. */
static bool known_address(const struct assembler_registers *r,
                          const char *memory, uint64_t *at)
{
    const int base = register_at(memory);
    const size_t end = strcspn(memory, "],");
    if (base < 0 || !r->is_known[base])
        return false;
    *at = r->value[base];
    if (memory[end] == ']')
        return true;
    const char *const offset = next_operand(memory);
    if (*offset != '#')
        return false;
    *at += (uint64_t)strtoll(offset + 1, NULL, 0);
    return true;
}

/* ---- what it does ---- */

static bool asks_for_thread_local(const struct assembler_registers *r,
                                  int called)
{
    return called >= 0 && r->is_loaded[called] && r->is_known[0] &&
           r->value[called] == r->value[0];
}

static bool is_call(const struct assembler_registers *r,
                    const struct assembler_instruction *i)
{
    if (assembler_starts_with(i->name, "blr"))
        return !asks_for_thread_local(r, register_at(i->operands));
    return strcmp(i->name, "bl") == 0;
}

static bool is_jump(const struct assembler_instruction *i)
{
    return strcmp(i->name, "b") == 0;
}

/* Clocks and chance are registers of the system. */
static bool reads_the_world(const struct assembler_instruction *i)
{
    static const char *const registers[] = { "cntvct", "cntpct",      "pmccntr",
                                             "rndr",   "s3_3_c2_c4_", NULL };
    return strcmp(i->name, "mrs") == 0 &&
           assembler_instruction_starts(next_operand(i->operands), registers);
}

static bool is_foreign(const struct assembler_instruction *i)
{
    static const char *const names[] = { "svc", "tstart", NULL };
    static const char *const starts[] = {
        "ldxr",   "ldaxr",  "ldxp",   "ldaxp",  "stxr",  "stlxr",  "stxp",
        "stlxp",  "ldar",   "ldapr",  "ldapur", "stlr",  "stlur",  "cas",
        "swp",    "ldadd",  "ldclr",  "ldeor",  "ldset", "ldsmax", "ldsmin",
        "ldumax", "ldumin", "stadd",  "stclr",  "steor", "stset",  "stsmax",
        "stsmin", "stumax", "stumin", NULL
    };
    return assembler_instruction_is(i->name, names) ||
           assembler_instruction_starts(i->name, starts) || reads_the_world(i);
}

/* Two words are read by a loop that stores them as they were. */
static bool is_left_behind(const struct assembler_instruction *i, bool wide)
{
    static const char *const load[] = { "ldar", "ldapr", "ldapur", NULL };
    static const char *const two[] = { "ldxp",  "ldaxp", "stxp",
                                       "stlxp", "casp",  NULL };
    return assembler_instruction_starts(i->name, load) ||
           (wide && assembler_instruction_starts(i->name, two));
}

static bool uses_argument(const struct assembler_registers *r,
                          const struct assembler_instruction *i)
{
    const char *const memory = memory_operand(i);
    const int base = memory ? register_at(memory) : -1;
    return base >= 0 && r->argument[base];
}

static bool uses_address(const struct assembler_registers *r,
                         const struct assembler_instruction *i, uint64_t *at)
{
    const char *const memory = memory_operand(i);
    return memory && known_address(r, memory, at);
}

static bool uses_loaded(const struct assembler_registers *r,
                        const struct assembler_instruction *i, uint64_t *from)
{
    const char *const memory = memory_operand(i);
    const int base = memory ? register_at(memory) : -1;
    if (base < 0 || !r->is_loaded[base])
        return false;
    *from = r->value[base];
    return true;
}

/* ---- inline assembly ---- */

/* Memory stands between brackets, but for "ldr x0, label"; "v0.s[1]" has no
 * blank before its bracket. */
static bool can_touch(const struct assembler_instruction *i)
{
    static const char *const starts[] = { "ld",  "st",     "cas", "swp", "bl",
                                          "svc", "hvc",    "smc", "dc",  "cpy",
                                          "set", "tstart", NULL };
    static const char *const only_compute[] = { "blt", "ble", "bls", NULL };
    if (assembler_instruction_is(i->name, only_compute) ||
        assembler_starts_with(i->name, "prfm"))
        return false;
    return assembler_instruction_starts(i->name, starts) ||
           reads_the_world(i) || memory_operand(i) ||
           strstr(i->operands, ",[") || assembler_starts_with(i->operands, "[");
}

/* ---- what registers have ---- */

static void forget(struct assembler_registers *r, int number)
{
    if (number < 0)
        return;
    r->is_known[number] = r->is_loaded[number] = r->argument[number] = false;
}

static void set(struct assembler_registers *r, int number, uint64_t value)
{
    if (number < 0)
        return;
    r->is_known[number] = true;
    r->value[number] = value;
}

static bool only_reads(const struct assembler_instruction *i)
{
    static const char *const starts[] = { "st",   "cmp", "cmn", "tst",
                                          "ccm",  "cb",  "tb",  "b",
                                          "prfm", "ret", NULL };
    static const char *const not_branches[] = { "bf", "bic", NULL };
    return assembler_instruction_starts(i->name, starts) &&
           !assembler_instruction_starts(i->name, not_branches);
}

/* "[x0, #8]!" and "[x0], #8" change x0. */
static void follow_base(struct assembler_registers *r, const char *memory)
{
    const char *const close = strchr(memory, ']');
    if (close && (close[1] == '!' || close[1] == ','))
        forget(r, register_at(memory));
}

/* An address that is made of constants. */
static bool computes(const struct assembler_registers *r,
                     const struct assembler_instruction *i, uint64_t *value)
{
    const char *const second = next_operand(i->operands);
    const int from = register_at(second);
    if (assembler_starts_with(i->name, "adr")) {
        *value = strtoull(second, NULL, 16);
        return true;
    }
    if (from < 0 || !r->is_known[from])
        return false;
    *value = r->value[from];
    if (strcmp(i->name, "mov") == 0)
        return true;
    const char *const third = next_operand(second);
    *value += strtoull(third + (*third == '#'), NULL, 0);
    return strcmp(i->name, "add") == 0 && *third == '#' && !strchr(third, ',');
}

static void follow(struct assembler_registers *r,
                   const struct assembler_instruction *i)
{
    static const char *const ends[] = { "b", "br", "ret", NULL };
    const char *const memory = memory_operand(i);
    const int to = register_at(i->operands);
    uint64_t at = 0;
    if (assembler_instruction_is(i->name,
                                 ends)) /* who comes next jumped there */
        memset(r->is_known, 0, sizeof r->is_known);
    if (only_reads(i)) {
        if (memory)
            follow_base(r, memory);
        return;
    }
    const bool is_known = !memory && computes(r, i, &at);
    const bool is_loaded = memory && known_address(r, memory, &at);
    if (memory)
        follow_base(r, memory);
    forget(r, to);
    if (assembler_starts_with(i->name, "ldp"))
        forget(r, register_at(next_operand(i->operands)));
    else if (is_known)
        set(r, to, at);
    else if (is_loaded && to >= 0) {
        r->is_loaded[to] = true;
        r->value[to] = at;
    }
}

const struct assembler_processor assembler_processor_aarch64 = {
    .format = "elf64-littleaarch64",
    .comment = "//",
    .can_touch = can_touch,
    .is_call = is_call,
    .is_jump = is_jump,
    .is_foreign = is_foreign,
    .is_left_behind = is_left_behind,
    .uses_argument = uses_argument,
    .uses_address = uses_address,
    .uses_loaded = uses_loaded,
    .follow = follow,
};
