/* differential.c - instructions with hooks end as they do without.
 *
 * The hooks here are hostile: they change every register and flag that a
 * function may, look at what they were told, and put back what an instruction
 * that reads and writes has read, as the explorer does.
 *
 *     differential ROUNDS [SEED] */
#include "runtime/common/assembly_thunks.h"
#include "state.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct assembly_form plain_forms[], hooked_forms[];
struct assembly_state assembly_state;
unsigned char assembly_memory[MEMORY] __attribute__((aligned(64)));
uint64_t assembly_kept[8];
uint64_t assembly_parts;

/* Offsets: reg 0, flags 128, red 136, above 168, vector 256. */
_Static_assert(offsetof(struct assembly_state, flags) == 128, "assembly_load");
_Static_assert(offsetof(struct assembly_state, red) == 136, "assembly_load");
_Static_assert(offsetof(struct assembly_state, above) == 168, "assembly_load");
_Static_assert(offsetof(struct assembly_state, vector) == 256, "assembly_load");

/* Of the caller's stack pointer 8 is ours.  Flags come last: nothing after that
 * changes them. */
__asm__(".text\n"
        ".globl assembly_load\n"
        "assembly_load:\n"
        "    movq %rbx, assembly_kept(%rip)\n"
        "    movq %rbp, 8+assembly_kept(%rip)\n"
        "    movq %r12, 16+assembly_kept(%rip)\n"
        "    movq %r13, 24+assembly_kept(%rip)\n"
        "    movq %r14, 32+assembly_kept(%rip)\n"
        "    movq %r15, 40+assembly_kept(%rip)\n"
        "    fxsave64 assembly_floats(%rip)\n"
        "    leaq assembly_state(%rip), %rbx\n"
        "    movl assembly_parts(%rip), %eax\n"
        "    movl 4+assembly_parts(%rip), %edx\n"
        "    xrstor64 256(%rbx)\n"
        "    .set n, 0\n"
        "    .rept 4\n"
        "    movq 136+n(%rbx), %rax\n"
        "    movq %rax, -56+n(%rsp)\n"
        "    .set n, n + 8\n"
        "    .endr\n"
        "    .set n, 0\n"
        "    .rept 8\n"
        "    movq 168+n(%rbx), %rax\n"
        "    movq %rax, 8+n(%rsp)\n"
        "    .set n, n + 8\n"
        "    .endr\n"
        "    pushq 128(%rbx)\n"
        "    popfq\n"
        "    movq (%rbx), %rax; movq 8(%rbx), %rcx; movq 16(%rbx), %rdx\n"
        "    movq 40(%rbx), %rbp; movq 48(%rbx), %rsi; movq 56(%rbx), %rdi\n"
        "    movq 64(%rbx), %r8; movq 72(%rbx), %r9; movq 80(%rbx), %r10\n"
        "    movq 88(%rbx), %r11; movq 96(%rbx), %r12; movq 104(%rbx), %r13\n"
        "    movq 112(%rbx), %r14; movq 120(%rbx), %r15; movq 24(%rbx), %rbx\n"
        "    ret\n"
        ".globl assembly_store\n"
        "assembly_store:\n"
        "    movq %rbx, 24+assembly_state(%rip)\n"
        "    leaq assembly_state(%rip), %rbx\n"
        "    movq %rax, (%rbx); movq %rcx, 8(%rbx); movq %rdx, 16(%rbx)\n"
        "    movq %rbp, 40(%rbx); movq %rsi, 48(%rbx); movq %rdi, 56(%rbx)\n"
        "    movq %r8, 64(%rbx); movq %r9, 72(%rbx); movq %r10, 80(%rbx)\n"
        "    movq %r11, 88(%rbx); movq %r12, 96(%rbx); movq %r13, 104(%rbx)\n"
        "    movq %r14, 112(%rbx); movq %r15, 120(%rbx)\n"
        "    pushfq\n"
        "    popq 128(%rbx)\n"
        "    cld\n"
        "    .set n, 0\n"
        "    .rept 4\n"
        "    movq -56+n(%rsp), %rax\n"
        "    movq %rax, 136+n(%rbx)\n"
        "    .set n, n + 8\n"
        "    .endr\n"
        "    .set n, 0\n"
        "    .rept 8\n"
        "    movq 8+n(%rsp), %rax\n"
        "    movq %rax, 168+n(%rbx)\n"
        "    .set n, n + 8\n"
        "    .endr\n"
        "    movl assembly_parts(%rip), %eax\n"
        "    movl 4+assembly_parts(%rip), %edx\n"
        "    xsave64 256(%rbx)\n"
        "    fxrstor64 assembly_floats(%rip)\n"
        "    movq assembly_kept(%rip), %rbx\n"
        "    movq 8+assembly_kept(%rip), %rbp\n"
        "    movq 16+assembly_kept(%rip), %r12\n"
        "    movq 24+assembly_kept(%rip), %r13\n"
        "    movq 32+assembly_kept(%rip), %r14\n"
        "    movq 40+assembly_kept(%rip), %r15\n"
        "    ret\n"
        ".local assembly_floats\n"
        ".comm assembly_floats, 512, 64\n");

/* ---- the hooks ---- */

RUNTIME_ASSEMBLY_VECTORS
RUNTIME_ASSEMBLY_THUNKS("hostile_hook");

static bool between;
static unsigned told; /* hooks between the two fences */
static unsigned told_code;
static uintptr_t told_address;
void __tsan_assembly_forget(void);

static void spoil(void)
{
    __asm__ volatile("fninit\n\tfldpi\n\tstd\n\tcld\n\t"
                     "movq $0x5a5a5a5a5a5a5a5a, %%rax\n\t"
                     "movq %%rax, %%rcx; movq %%rax, %%rdx\n\t"
                     "movq %%rax, %%rsi; movq %%rax, %%rdi\n\t"
                     "movq %%rax, %%r8; movq %%rax, %%r9\n\t"
                     "movq %%rax, %%r10; movq %%rax, %%r11\n\t"
                     "addq %%rax, %%rax"
                     :
                     :
                     : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10",
                       "r11", "cc", "memory");
    __tsan_assembly_forget();
}

/* Others write there between the two steps of one that is not atomic. */
static void disturb(void *at, unsigned size)
{
    unsigned char was[16];
    memcpy(was, at, size);
    memset(at, 0xee, size);
    memcpy(at, was, size);
}

void hostile_hook(struct runtime_assembly_frame *f);
void hostile_hook(struct runtime_assembly_frame *f)
{
    const unsigned code = (unsigned)f->code;
    const enum assembler_effect effect = assembler_step_effect(code);
    if (effect == EFFECT_FENCE && assembler_step_size(code) == 3)
        between = false;
    else if (between) {
        told++;
        told_code = code;
        told_address = f->reg[REGISTER_ADDRESS];
        if (effect == EFFECT_MODIFY && !(code & STEP_BITS))
            disturb((void *)told_address, assembler_step_size(code));
    }
    if (effect == EFFECT_FENCE && assembler_step_size(code) == 2)
        between = true;
    spoil();
}

/* ---- states ---- */

static uint64_t seed;
static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * 0x2545F4914F6CDD1Du;
}

static uint64_t draw_word(void)
{
    static const uint64_t words[] = { 0,          1,
                                      UINT64_MAX, 0x8000000080008080u,
                                      0x7f,       0x100000001u };
    return draw() % 3 ? draw() : words[draw() % 6];
}

/* Flags: carry, parity, adjust, zero, sign, overflow. */
enum { ARITHMETIC = 0x8d5, ALWAYS = 0x202, DOWN = 0x400 };

static void draw_vectors(struct assembly_state *s)
{
    static const struct {
        unsigned at, size;
    } parts[] = { { 160, 256 },  /* xmm */
                  { 576, 256 },  /* ymm, high */
                  { 1088, 64 },  /* masks */
                  { 1152, 512 }, /* zmm 0-15, high */
                  { 1664, 1024 },
                  /* zmm 16-31 */ };
    const uint64_t in_use = assembly_parts & 0xe7;
    memset(s->vector, 0, sizeof s->vector);
    for (unsigned p = 0; p < 5; p++)
        for (unsigned i = 0; i < parts[p].size; i += 8) {
            const uint64_t word = draw();
            memcpy(s->vector + parts[p].at + i, &word, 8);
        }
    s->vector[0] = 0x7f; /* as after fninit */
    s->vector[1] = 0x03;
    s->vector[24] = 0x80;
    s->vector[25] = 0x1f; /* mxcsr */
    memcpy(s->vector + 512, &in_use, 8);
}

/* Mostly equal elements, and few of them. */
static void draw_string(struct assembly_state *s)
{
    const unsigned odd = MIDDLE - 64 + (unsigned)(draw() % 128);
    s->reg[1] = draw() % 20;
    if (draw() % 2)
        return;
    s->reg[0] = draw() % 2 ? 0 : draw();
    memset(s->memory, (int)(s->reg[0] & 0xff), MEMORY);
    s->memory[odd] ^= 1;
}

static void draw_state(struct assembly_state *s, const char *setup)
{
    const uint64_t memory = (uint64_t)(uintptr_t)assembly_memory;
    const uint64_t one = draw_word(), other = draw_word();
    for (unsigned i = 0; i < 16; i++)
        s->reg[i] = draw_word();
    s->flags = (draw() & ARITHMETIC) | ALWAYS;
    for (unsigned i = 0; i < MEMORY; i += 8) {
        const uint64_t word = draw_word();
        memcpy(s->memory + i, &word, 8);
    }
    for (unsigned i = 0; i < 4; i++)
        s->red[i] = draw_word();
    for (unsigned i = 0; i < 8; i++)
        s->above[i] = draw_word();
    s->reg[7] = memory + MIDDLE + 16 * (draw() % 4);
    s->reg[6] = memory + MIDDLE + draw() % 64;
    s->reg[12] = memory + MIDDLE + draw() % 64;
    s->reg[8] = draw() % 4;
    draw_vectors(s);
    if (strcmp(setup, "same") == 0) { /* what is compared is everywhere */
        for (unsigned i = 0; i < MEMORY; i += 16) {
            memcpy(s->memory + i, &one, 8);
            memcpy(s->memory + i + 8, &one, 8);
        }
        for (unsigned i = 0; i < 8; i++)
            s->above[i] = one;
        for (unsigned i = 0; i < 4; i++)
            s->red[i] = one;
        s->reg[0] = one;
        s->reg[2] = draw() % 2 ? one : draw() % 2 ? one >> 32 : other;
    }
    if (strcmp(setup, "divide") == 0) { /* neither by zero nor too large */
        for (unsigned i = 0; i < MEMORY; i += 8)
            memset(s->memory + i, 0x35, 8);
        memset(s->red, 0x41, sizeof s->red);
        memset(s->above, 0x53, sizeof s->above);
        s->reg[0] &= 0x7fff;
        s->reg[2] = 0;
    }
    if (strcmp(setup, "bits") == 0)
        s->reg[9] =
            (draw() & ~(uint64_t)0xffff) | (uint16_t)(draw() % 4000 - 2000);
    if (strcmp(setup, "bits") == 0 && draw() % 2)
        s->reg[9] = (uint64_t)((int64_t)(draw() % 3000) - 1500);
    if (strncmp(setup, "string", 6) == 0)
        draw_string(s);
    if (strstr(setup, "down"))
        s->flags |= DOWN;
}

/* Numbers of bits that are 4 or 8 bytes wide must be small altogether. */
static void mend_bits(struct assembly_state *s, const struct assembly_form *f)
{
    if (strcmp(f->setup, "bits") != 0)
        return;
    const int64_t small = (int16_t)s->reg[9];
    if (f->size == 4)
        s->reg[9] = (s->reg[9] & ~(uint64_t)0xffffffff) | (uint32_t)small;
    if (f->size == 8)
        s->reg[9] = (uint64_t)small;
}

static void run(const struct assembly_form *f,
                const struct assembly_state *from, struct assembly_state *to)
{
    assembly_state = *from;
    memcpy(assembly_memory, from->memory, MEMORY);
    f->run();
    *to = assembly_state;
    memcpy(to->memory, assembly_memory, MEMORY);
}

/* ---- comparing ---- */

static bool fail(const struct assembly_form *f, const char *what)
{
    fprintf(stderr, "%s: %s\n", f->text, what);
    return false;
}

/* The address that code has behind "leaq ...(%rip), %rax" differs between the
 * two, as that is where they are: such a register is left out. */
static bool are_equal(const struct assembly_form *f,
                      const struct assembly_state *a,
                      const struct assembly_state *b)
{
    const bool has_place = strstr(f->text, "77f(");
    for (unsigned i = 0; i < 16; i++)
        if (i != 4 && a->reg[i] != b->reg[i] && !has_place)
            return fail(f, "a register differs");
    if (a->flags != b->flags)
        return fail(f, "flags differ");
    if (memcmp(a->memory, b->memory, MEMORY) != 0 ||
        memcmp(a->red, b->red, sizeof a->red) != 0 ||
        memcmp(a->above, b->above, sizeof a->above) != 0)
        return fail(f, "memory differs");
    /* Where the last instruction of the x87 was is not compared. */
    if (memcmp(a->vector + 24, b->vector + 24, sizeof a->vector - 24) != 0)
        return fail(f, "a vector register differs");
    return true;
}

/* Bytes of memory that were changed are those that the hook was told. */
static bool is_where(const struct assembly_form *f,
                     const struct assembly_state *a,
                     const struct assembly_state *b)
{
    const uintptr_t base = (uintptr_t)assembly_memory;
    if (assembler_step_effect(told_code) > EFFECT_ATOMIC ||
        told_code & STEP_BITS)
        return true;
    for (uintptr_t i = 0; i < MEMORY; i++)
        if (a->memory[i] != b->memory[i] &&
            base + i - told_address >= assembler_step_size(told_code))
            return fail(f, "it writes where the hook does not know");
    return true;
}

static bool is_told(const struct assembly_form *f)
{
    char what[100];
    const unsigned effect = told ? assembler_step_effect(told_code) : 0;
    const unsigned size = told ? assembler_step_size(told_code) : 0;
    if (told == (f->effect != 0) && effect == f->effect && size == f->size)
        return true;
    snprintf(what, sizeof what,
             "%u hooks, effect %u size %u; expected effect %u size %u", told,
             effect, size, f->effect, f->size);
    return fail(f, what);
}

static bool compare(const struct assembly_form *plain,
                    const struct assembly_form *hooked, unsigned rounds)
{
    static struct assembly_state before, a, b;
    for (unsigned round = 0; round < rounds; round++) {
        draw_state(&before, plain->setup);
        mend_bits(&before, plain);
        run(plain, &before, &a);
        told = 0;
        run(hooked, &before, &b);
        if (!is_told(hooked) || !are_equal(hooked, &a, &b) ||
            !is_where(hooked, &before, &b))
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    const unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    unsigned forms = 0, failed = 0;
    seed = (argc > 2 ? strtoull(argv[2], NULL, 0) : 1) * 0x9E3779B97F4A7C15u;
    assembly_parts = runtime_assembly_vectors.parts;
    if (!runtime_assembly_vectors.size ||
        runtime_assembly_vectors.size > sizeof assembly_state.vector)
        assembly_parts &= 7;
    for (; plain_forms[forms].run; forms++)
        failed += !compare(&plain_forms[forms], &hooked_forms[forms], rounds);
    printf("%u forms, %u differ\n", forms, failed);
    return failed != 0;
}
