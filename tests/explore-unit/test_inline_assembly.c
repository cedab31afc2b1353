/* test_inline_assembly.c - what can touch memory is found in the assembly that
 * compilers pass on, with its place, and has a hook before it or is noted. */
#include "assembler/rewriting.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct found {
    unsigned count;
    char text[8][320];
};

/* What the assembler would get; as_written: all that the hooks would be told of
 * is in the list instead. */
static char *rewritten(const char *text, const struct assembler_processor *p,
                       bool as_written)
{
    char *result = NULL;
    size_t size;
    FILE *const to = open_memstream(&result, &size);
    assert_non_null(to);
    assert_true(assembler_rewrite(to, text, "given.s", p, as_written));
    fclose(to);
    return result;
}

/* "\040" is how a blank may be written. */
static void unquote(char *to, size_t size, const char *from)
{
    size_t used = 0;
    for (; *from && *from != '"' && used + 1 < size; from++) {
        if (strncmp(from, "\\040", 4) == 0) {
            to[used++] = ' ';
            from += 3;
        } else
            to[used++] = *from;
    }
    to[used] = '\0';
}

static struct found list_of(const char *text,
                            const struct assembler_processor *p,
                            bool as_written)
{
    static const char string[] = "\t.string \"";
    struct found f = { .count = 0 };
    char *const all = rewritten(text, p, as_written);
    char *const end = strstr(all, ".section .rodata.plumb");
    if (end)
        *end = '\0';
    const char *at = strstr(all, "\t.string \"looked\"");
    assert_non_null(at);
    while ((at = strstr(at + 1, string))) {
        if (f.count < 8)
            unquote(f.text[f.count], sizeof f.text[0], at + strlen(string));
        f.count++;
    }
    free(all);
    return f;
}

static struct found scan(const char *text, const struct assembler_processor *p)
{
    return list_of(text, p, true);
}

/* One statement of inline assembly, as gcc would pass it on. */
static bool touches(const char *statement, const struct assembler_processor *p)
{
    char text[512];
    snprintf(text, sizeof text,
             "\t.file\t\"a.c\"\n#APP\n# 7 \"a.c\" 1\n\t%s\n# 0 \"\" 2\n"
             "#NO_APP\n\t.ident\t\"GCC\"\n",
             statement);
    const struct found f = scan(text, p);
    if (f.count > 0)
        assert_memory_equal(f.text[0], "a.c:7: ", 7);
    return f.count > 0;
}

static void all_touch(const char *const *statements,
                      const struct assembler_processor *p, bool expected)
{
    for (; *statements; statements++)
        if (touches(*statements, p) != expected)
            fail_msg("%s: %s", *statements, expected ? "missed" : "told");
}

static void what_can_touch_memory_is_told(void **state)
{
    static const char *const statements[] = {
        "movq (%rdi), %rax",
        "movq\tcount(%rip), %rax",
        "incl count",
        "movl %eax, count",
        "incq 8(%rax,%rbx,4)",
        "addq $1, -8(%rsp)",
        "lock; xaddq %rax, (%rdi)",
        "lock\n\tincl (%rdi)",
        "xchg %rax, (%rdi)",
        "1: movl %fs:0, %eax",
        "rep; movsb",
        "rep stosq",
        "cld; lodsb",
        "jmp *(%rax)",
        "syscall",
        "int $0x80",
        "rdtsc",
        ".byte 0xf0, 0xff, 0x07",
        ".string \"letters as code\"",
        ".include \"other.s\"",
        "mov eax, [rdi]",
        "nop; nop; /* a remark; */ incl (%rax)",
        "nop /* two\nlines */; incl (%rax)",
        "cmpxchg16b (%rsi)",
        "movdqa %xmm0, (%rax)",
        "pushq (%rax)",
        "addl $1, (%rsp)",
        "lock; addl $1, (%rsp)",
        ".pushsection .note,\"\"; .long 1; .popsection; .long 1",
        NULL
    };
    (void)state;
    all_touch(statements, &assembler_processor_x86_64, true);
}

static void what_cannot_is_not(void **state)
{
    static const char *const statements[] = {
        "",
        "# incl (%rax)",
        "/* incl (%rax) */",
        "pause",
        "rep; nop",
        "rep\n\tnop",
        "nop",
        "nopw 0(%rax,%rax,1)",
        "mfence",
        "lfence; sfence",
        "lock; addl $0,0(%rsp)",
        "lock orq $0x0, (%rsp)",
        "movl $5, %eax",
        "movq %rax, %xmm0",
        "fadd %st(1), %st",
        "bsrl %eax, %ebx",
        "leaq 8(%rdi), %rax",
        "prefetcht0 (%rax)",
        "clflush (%rdi)",
        "cpuid",
        "xchgq %rbx, %rsi",
        "1: dec %eax; jnz 1b",
        "jmp label",
        "call function", /* which has hooks */
        "call *%rax",
        "pushfq; popq %rax",
        ".p2align 4",
        ".globl symbol",
        "ud2",
        "nop; .pushsection .note.probe,\"\",\"note\"; .long 1; .popsection",
        NULL
    };
    (void)state;
    all_touch(statements, &assembler_processor_x86_64, false);
}

static void the_same_holds_on_aarch64(void **state)
{
    static const char *const touching[] = {
        "ldr x0, [x1]",       "str w0, [x1, #8]",
        "1: ldaxr x0, [x1]",  "ldr x0, =sym",
        "stlxr w2, x0,[x1]",  "casal x0, x1, [x2]",
        "bl function",        "svc #0",
        "mrs x0, cntvct_el0", "dc zva, x0",
        ".inst 0xd503201f",   NULL
    };
    static const char *const not [] = { "",
                                        "// ldr x0, [x1]",
                                        "dmb ish",
                                        "yield",
                                        "isb; nop",
                                        "mov x0, #5",
                                        "add v0.4s, v1.4s, v2.s[1]",
                                        "prfm pldl1keep, [x0]",
                                        "b.lt 1f",
                                        "cbnz w0, 1b",
                                        "tst x0, x1",
                                        NULL };
    (void)state;
    all_touch(touching, &assembler_processor_aarch64, true);
    all_touch(not, &assembler_processor_aarch64, false);
}

static void blocks_of_gcc_have_their_lines(void **state)
{
    const struct found f =
        scan("\t.file\t\"a.c\"\n\t.text\n\t.file 1 \"a.c\"\n"
             "\t.loc 1 3 4\n\tmovq (%rdi), %rax\n#APP\n# 5 \"b.h\" 1\n\tnop\n"
             "# 0 \"\" 2\n# 9 \"b.h\" 1\n\tincl (%rax)\n\tincl (%rbx)\n"
             "# 0 \"\" 2\n.LVL1:\n# 12 \"a.c\" 1\n\tincl (%rax)\n# 0 \"\" 2\n"
             "#NO_APP\n\tmovq (%rdi), %rax\n\t.ident\t\"GCC\"\n",
             &assembler_processor_x86_64);
    (void)state;
    assert_int_equal(f.count, 2);
    assert_string_equal(f.text[0], "b.h:9: incl (%rax)");
    assert_string_equal(f.text[1], "a.c:12: incl (%rax)");
}

static void blocks_of_clang_have_their_lines(void **state)
{
    const struct found f =
        scan("\t.text\n\t.file\t\"a.c\"\n"
             "                 # Start of file scope inline assembly\n"
             "f:\n\tmovq\t(%rdi), %rax\n\tretq\n\n"
             "                 # End of file scope inline assembly\n"
             "\t.file\t0 \"/home/me\" \"a.c\" md5 0x01\n"
             "\t.file\t1 \"/opt\" \"b.h\" md5 0x02\n"
             "\t.loc\t1 5 3    # b.h:5:3\n\t#APP\n\n\tincl\t(%rax)\n\n"
             "\t#NO_APP\n\t.ident\t\"clang\"\n",
             &assembler_processor_x86_64);
    (void)state;
    assert_int_equal(f.count, 2);
    assert_string_equal(f.text[0], "a.c: movq (%rdi), %rax");
    assert_string_equal(f.text[1], "/opt/b.h:5: incl (%rax)");
}

static void what_no_compiler_wrote_is_read_whole(void **state)
{
    const struct found plain =
        scan("f:\n\tnop\n\tincl (%rdi)\n\tret\n", &assembler_processor_x86_64);
    const struct found from_macros =
        scan("# 1 \"f.S\"\n# 1 \"<built-in>\"\n# 1 \"f.S\"\n# 20 \"f.S\"\n"
             "f:\n\tnop\n\tincl (%rdi)\n",
             &assembler_processor_x86_64);
    (void)state;
    assert_int_equal(plain.count, 1);
    assert_string_equal(plain.text[0], "given.s:3: incl (%rdi)");
    assert_int_equal(from_macros.count, 1);
    assert_string_equal(from_macros.text[0], "f.S:22: incl (%rdi)");
}

static void odd_texts_end(void **state)
{
    static char longer[40000];
    (void)state;
    assert_int_equal(scan("", &assembler_processor_x86_64).count, 0);
    scan(".file 1 \"", &assembler_processor_x86_64);
    scan("\t.ident\t\n.file 5 \"\\", &assembler_processor_x86_64);
    scan("\t.ident\t\n.loc 5 7\n.loc 99999999999999 1\n.popsection\n#APP",
         &assembler_processor_x86_64);
    memset(longer, 'x', sizeof longer - 1);
    assert_int_equal(scan(longer, &assembler_processor_x86_64).count, 1);
}

/* ---- what becomes of it ---- */

/* A block of gcc's, in a function. */
static char *block(const char *statement, bool in_function)
{
    char text[600];
    snprintf(text, sizeof text,
             "\t.file\t\"a.c\"\n%sf:\n#APP\n# 7 \"a.c\" 1\n\t%s\n# 0 \"\" 2\n"
             "#NO_APP\n\tret\n%s\t.ident\t\"GCC\"\n",
             in_function ? "\t.type\tf, @function\n" : "", statement,
             in_function ? "\t.size\tf, .-f\n" : "");
    return rewritten(text, &assembler_processor_x86_64, false);
}

static bool is_followed(const char *statement)
{
    char *const text = block(statement, true);
    const bool noted = strstr(text, "\t.string \"?a.c:7: ");
    assert_true(noted == (strstr(text, ".Lplumb_note_0:") != NULL));
    free(text);
    return !noted;
}

static void what_is_not_understood_says_so_when_it_is_run(void **state)
{
    static const char *const unknown[] = {
        "movl %fs:0, %eax",
        "movq %gs:(%rdi), %rax",
        ".byte 0x0f, 0x0b",
        "syscall",
        "rdrand %rax",
        "xbegin 1f; 1:",
        "vpgatherdd %ymm0, (%rax,%ymm1,4), %ymm2",
        "vmovdqa32 (%rdi), %zmm0{%k1}",
        "1: decl (%rdi); loop 1b",
        "movq (%rdi), %rax; jrcxz 1f; 1:",
        "frobnicate (%rdi)",
        "incl .+4(%rip)",
        "inc (%rdi)", /* of what size? */
        "lock movl %eax, (%rdi)",
        "rep addl %eax, (%rdi)",
        "data16 addl %eax, (%rdi)",
        "addq %rax, count@TPOFF(%rdx)",
        "movabs 0x1122334455667788, %al",
        ".intel_syntax noprefix; inc dword ptr [rdi]; .att_syntax prefix",
        "mov\\size (%rdi), %rax",
        "lock; 1: incl (%rdi)",
        NULL
    };
    (void)state;
    for (const char *const *s = unknown; *s; s++)
        if (is_followed(*s))
            fail_msg("%s is followed", *s);
}

static void assert_becomes(const char *statement, const char *expected)
{
    char *const text = block(statement, true);
    if (!strstr(text, expected))
        fail_msg("%s\nbecomes\n%s", statement, text);
    free(text);
}

static void a_step_stands_before_its_instruction(void **state)
{
#define BEGIN "\tleaq -128(%rsp), %rsp; pushq %rdi; "
#define CALL                                                                   \
    "call *__tsan_assembly_step@GOTPCREL(%rip); popq %rdi; "                   \
    "leaq 128(%rsp), %rsp; "
    (void)state;
    assert_becomes("movq 8(%rax), %rbx",
                   BEGIN "leaq 8(%rax), %rdi; pushq $520; " CALL
                         "movq 8(%rax), %rbx\n");
    assert_becomes("lock\n\tincl -4(%rsp) # all",
                   BEGIN "leaq 136-4(%rsp), %rdi; pushq $1284; " CALL
                         "lock incl -4(%rsp)\n");
    assert_becomes("popq (%rsp)", BEGIN
                   "leaq 144(%rsp), %rdi; pushq $776; " CALL "popq (%rsp)\n");
    assert_becomes("nop; 1: rep; stosb; jmp 1b",
                   "\tnop; \t1: ; \tleaq -128(%rsp), %rsp; pushq %rdi; pushq "
                   "$263937; " CALL "rep stosb; \tjmp 1b\n");
    assert_becomes("rdtsc", BEGIN "pushq $2824; " CALL "\n");
#undef BEGIN
#undef CALL
}

/* A table between functions has no code before it. */
static void other_assembly_is_noted_by_the_instruction(void **state)
{
    char *const text =
        block("table: .byte 1, 2; g: incl (%rdi); syscall", false);
    (void)state;
    assert_non_null(strstr(text, "\ttable: .byte 1, 2; \tg: leaq -128"));
    assert_non_null(strstr(text, "\t.string \"a.c:7: .byte"));
    assert_non_null(strstr(text, "\t.string \"?a.c:7: syscall\""));
    free(text);
}

static void what_needs_no_hook_is_left_alone(void **state)
{
    static const char text[] =
        "\t.file\t\"a.c\"\n\tcall\t__tsan_read8@PLT\n\tmovq\t(%rdi), %rax\n"
        "\t.ident\t\"GCC\"\n";
    char *const result = rewritten(text, &assembler_processor_x86_64, false);
    (void)state;
    assert_memory_equal(result, text, strlen(text));
    free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_can_touch_memory_is_told),
        cmocka_unit_test(what_cannot_is_not),
        cmocka_unit_test(the_same_holds_on_aarch64),
        cmocka_unit_test(blocks_of_gcc_have_their_lines),
        cmocka_unit_test(blocks_of_clang_have_their_lines),
        cmocka_unit_test(what_no_compiler_wrote_is_read_whole),
        cmocka_unit_test(odd_texts_end),
        cmocka_unit_test(what_is_not_understood_says_so_when_it_is_run),
        cmocka_unit_test(a_step_stands_before_its_instruction),
        cmocka_unit_test(other_assembly_is_noted_by_the_instruction),
        cmocka_unit_test(what_needs_no_hook_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
