/* test_inline_assembly.c - what can touch memory is found in the assembly that
 * compilers pass on, with its place; what cannot is not. */
#include "assembler/inline_assembly.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct found {
    unsigned count;
    char text[8][320];
};

static void keep(void *context, const char *where, const char *statement)
{
    struct found *const f = context;
    if (f->count < 8)
        snprintf(f->text[f->count], sizeof f->text[0], "%s: %s", where,
                 statement);
    f->count++;
}

static struct found scan(const char *text, const struct assembler_processor *p)
{
    struct found f = { .count = 0 };
    assembler_inline_assembly_scan(text, "given.s", p, keep, &f);
    return f;
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
        "call function",
        "call *%rax",
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
    assert_string_equal(f.text[0], "a.c: movq\t(%rdi), %rax");
    assert_string_equal(f.text[1], "/opt/b.h:5: incl\t(%rax)");
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
