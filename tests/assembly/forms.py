#!/usr/bin/env python3
"""forms.py SEED [COUNT] - functions with one instruction of inline assembly each, in C.

Each form that assembler/steps_x86_64.c claims to follow is written COUNT times,
with random registers and addresses, and with what the hook must be told of it:
an effect (step_codes.h) and a size.  PREFIX is put before each name, so that the
same functions can be compiled twice, with hooks and without."""
import random
import sys

SIZES = {1: "b", 2: "w", 4: "l", 8: "q"}
NAMES = {
    8: "rax rbx rcx rdx rbp r9 r10 r11 r13 r14 r15",
    4: "eax ebx ecx edx ebp r9d r10d r11d r13d r14d r15d",
    2: "ax bx cx dx bp r9w r10w r11w r13w r14w r15w",
    1: "al bl cl dl bpl r9b r10b r11b r13b r14b r15b",
}
# What holds: rdi, rsi and r12 point into memory, r8 is 0 to 3.
PLACES = [
    "(%rdi)", "24(%rsi)", "-8(%r12)", "(%rdi,%r8,8)", "16(%rdi,%r8)",
    "-16(%r12,%r8,4)", "8 + 8(%rsi)", "assembly_memory(%rip)",
    "16+assembly_memory(%rip)", "-64(%rsp)", "-48(%rsp)", "8(%rsp)", "(%rsp)",
    "(%rsp,%r8,8)", "0x10(%rsp)", "-60(%rsp,%r8,2)",
]
EFFECTS = {"none": 0, "read": 2, "write": 3, "modify": 4, "atomic": 5,
           "copy": 6, "fill": 7, "fetch": 8, "fence": 9, "pause": 10, "scan": 12, "match": 13}
forms = []


def form(text, effect, size, setup=""):
    forms.append((text, EFFECTS[effect], size, setup))


def sized(name, operands, effect, sizes=(1, 2, 4, 8), bare=True, setup=""):
    """`operands` may hold M for memory and R for a register of that size."""
    for size in sizes:
        text = operands.replace("R", "R%d" % size)
        form("%s%s %s" % (name, SIZES[size], text), effect, size, setup)
        if bare and "R" in operands:
            form("%s %s" % (name, text), effect, size, setup)


def moves():
    sized("mov", "R, M", "write")
    sized("mov", "M, R", "read")
    sized("mov", "$-7, M", "write")
    sized("movnti", "R, M", "write", (4, 8))
    sized("movbe", "M, R", "read", (2, 4, 8))
    sized("movbe", "R, M", "write", (2, 4, 8))
    for name, size, to in (("movzbw", 1, 2), ("movzbl", 1, 4), ("movzbq", 1, 8),
                           ("movsbw", 1, 2), ("movsbl", 1, 4), ("movsbq", 1, 8),
                           ("movzwl", 2, 4), ("movzwq", 2, 8), ("movswl", 2, 4),
                           ("movswq", 2, 8), ("movslq", 4, 8), ("movsb", 1, 4)):
        form("%s M, R%d" % (name, to), "read", size)
    for condition in "e ne l b be s o p le g".split():
        sized("cmov" + condition, "M, R", "read", (2, 4, 8), False)
        for size in (2, 4, 8):
            form("cmov%s M, R%d" % (condition, size), "read", size)
        form("set%s M" % condition, "write", 1)
    form("pushq M; popq R8", "read", 8)
    form("push M; pop R8", "read", 8)
    form("pushw M; popw R2", "read", 2)
    form("pushq R8; popq M", "write", 8)
    form("pushw R2; popw M", "write", 2)


def arithmetic():
    for name in "add or adc sbb and sub xor".split():
        sized(name, "R, M", "modify")
        sized(name, "M, R", "read")
        sized(name, "$5, M", "modify")
        sized("lock " + name, "R, M", "atomic")
        sized("lock; " + name, "$3, M", "atomic")
    for name in "cmp test".split():
        sized(name, "R, M", "read")
        sized(name, "$5, M", "read")
    sized("cmp", "M, R", "read")
    for name in "inc dec neg not".split():
        sized(name, "M", "modify")
        sized("lock\\n\\t" + name, "M", "atomic")
    for name in "shl sal shr sar rol ror rcl rcr".split():
        sized(name, "M", "modify")
        sized(name, "$3, M", "modify")
        sized(name, "%cl, M", "modify")
    for name in "shld shrd".split():
        sized(name, "$3, R, M", "modify", (2, 4, 8))
        sized(name, "%cl, R, M", "modify", (4, 8), False)
    sized("xadd", "R, M", "modify")
    sized("lock xadd", "R, M", "atomic")
    for name, effect in (("xchg", "atomic"), ("lock; xchg", "atomic")):
        sized(name, "R, M", effect)
        sized(name, "M, R", effect)
    for setup in ("", "same"):
        sized("cmpxchg", "R, M", "modify", setup=setup)
        sized("lock cmpxchg", "R, M", "atomic", setup=setup)
        form("cmpxchg8b M", "modify", 8, setup)
        form("lock; cmpxchg8b M", "atomic", 8, setup)
        form("lock cmpxchg16b A", "atomic", 16, setup)
        form("cmpxchg16b A", "modify", 16, setup)
    sized("mul", "M", "read")
    sized("imul", "M", "read")
    sized("imul", "M, R", "read", (2, 4, 8))
    sized("imul", "$6, M, R", "read", (2, 4, 8))
    sized("div", "M", "read", (2, 4, 8), setup="divide")
    sized("idiv", "M", "read", (2, 4, 8), setup="divide")


def bits():
    for name, effect in (("bt", "read"), ("bts", "modify"), ("btr", "modify"),
                         ("btc", "modify")):
        sized(name, "$5, M", effect, (2, 4, 8))
        sized(name, "R, W", effect, (2, 4, 8), setup="bits")
        if effect == "modify":
            sized("lock " + name, "$9, M", "atomic", (2, 4, 8))
            sized("lock; " + name, "R, W", "atomic", (2, 4, 8), setup="bits")
    sized("bsf", "M, R", "read", (2, 4, 8))
    sized("bsr", "M, R", "read", (2, 4, 8))
    sized("popcnt", "M, R", "read", (2, 4, 8))
    for size in (1, 2, 4, 8):
        form("crc32%s M, R%d" % (SIZES[size], 8 if size == 8 else 4), "read",
             size)


def newer():
    sized("tzcnt", "M, R", "read", (2, 4, 8))
    sized("lzcnt", "M, R", "read", (2, 4, 8))
    for name in "mulx pdep pext andn".split():
        sized(name, "M, R, R", "read", (4, 8), name != "andn")
    for name in "bextr bzhi sarx shlx shrx".split():
        sized(name, "R, M, R", "read", (4, 8), False)
    for name in "blsi blsr blsmsk".split():
        sized(name, "M, R", "read", (4, 8), False)
    sized("rorx", "$7, M, R", "read", (4, 8), False)
    sized("adcx", "M, R", "read", (4, 8), False)
    sized("adox", "M, R", "read", (4, 8), False)
    for name in "vmovdqu vmovups vmovupd".split():
        form(name + " M, X", "read", 16)
        form(name + " X, M", "write", 16)
        form(name + " M, Y", "read", 32)
        form(name + " Y, M", "write", 32)
    form("vmovq M, X", "read", 8)
    form("vmovq X, M", "write", 8)
    form("vmovd M, X", "read", 4)
    form("vpaddd M, X, X", "read", 16)
    form("vpxor M, Y, Y", "read", 32)


def vectors():
    for name in "movdqu movups movupd".split():
        form(name + " M, X", "read", 16)
        form(name + " X, M", "write", 16)
    for name in "movdqa movaps movapd movntdq".split():
        if name != "movntdq":
            form(name + " A, X", "read", 16)
        form(name + " X, A", "write", 16)
    for name, size in (("movd", 4), ("movss", 4), ("movq", 8), ("movsd", 8),
                       ("movlps", 8), ("movhps", 8), ("movlpd", 8)):
        form("%s M, X" % name, "read", size)
        form("%s X, M" % name, "write", size)
    for name in "paddb paddw paddd paddq pand pandn por pxor pcmpeqd".split():
        form(name + " A, X", "read", 16)
    form("pshufd $27, A, X", "read", 16)
    for name in "cvtsi2sdl cvtsi2ssl".split():
        form(name + " M, X", "read", 4)
    form("cvtsi2sdq M, X", "read", 8)
    form("stmxcsr M", "write", 4)
    form("fnstcw M", "write", 2)


def strings():
    for size, letter in SIZES.items():
        for direction in ("", "down"):
            form("movs" + letter, "copy", size, "string " + direction)
            form("stos" + letter, "fill", size, "string " + direction)
            form("lods" + letter, "fetch", size, "string " + direction)
            for prefix in ("", "repe ", "repne ", "repz; ", "repnz "):
                form(prefix + "scas" + letter, "scan", size,
                     "string " + direction)
                form(prefix + "cmps" + letter, "match", size,
                     "string " + direction)
            for prefix in ("rep ", "rep; "):
                form(prefix + "movs" + letter, "copy", size,
                     "string " + direction)
                form(prefix + "stos" + letter, "fill", size,
                     "string " + direction)


def others():
    form("mfence", "fence", 5)
    form("lock addl $0, (%rsp)", "fence", 5)
    form("lock; orq $0x0, -8(%rsp)", "fence", 5)
    form("pause", "pause", 0)
    form("rep; nop", "pause", 0)
    form("leaq M, R8", "none", 0)
    form("nop", "none", 0)
    form("prefetcht0 M", "none", 0)
    form("xchg R8, R8", "none", 0)
    form("addq R8, R8", "none", 0)
    form("jmp 77f; 77: nop", "none", 0)
    form("leaq 77f(%rip), %rax; jmp *%rax; 77: nop", "none", 0)
    form("clflush M", "none", 0)


def fill(text, choose):
    """Registers and addresses for R8, M, A (aligned), W (wide), X and Y."""
    out = ""
    at = 0
    while at < len(text):
        c = text[at]
        alone = (at == 0 or text[at - 1] in " *") and \
            (at + 1 == len(text) or text[at + 1] in ",; ")
        if c == "R" and text[at + 1:at + 2].isdigit():
            out += "%" + choose.choice(NAMES[int(text[at + 1])].split())
            at += 2
            continue
        if alone and c == "M":
            out += choose.choice(PLACES)
        elif alone and c == "A":
            out += choose.choice(["(%rdi)", "16(%rdi)", "assembly_memory(%rip)",
                                  "-64(%rsp)", "16(%rsp)"])
        elif alone and c == "W":
            out += choose.choice(["(%rdi)", "8(%rdi)", "-8(%r12)"])
        elif alone and c == "X":
            out += "%%xmm%d" % choose.randrange(16)
        elif alone and c == "Y":
            out += "%%ymm%d" % choose.randrange(16)
        else:
            out += c
        at += 1
    return out


def write(number, text, effect, size, setup, choose):
    text = fill(text, choose)
    if setup == "bits":  # its number of a bit must not be too large
        for names in NAMES.values():
            for name in names.split():
                text = text.replace("%" + name + ",", "%r9" + {
                    "8": "", "4": "d", "2": "w"}[str(size)] + ",")
    print("FORM(%d, \"%s\", %d, %d, \"%s\")" %
          (number, text.replace("%", "%%"), effect, size, setup.strip()))


def main():
    choose = random.Random(int(sys.argv[1]))
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    flags = open("/proc/cpuinfo").read()
    moves()
    arithmetic()
    bits()
    vectors()
    strings()
    others()
    if " avx2 " in flags and " bmi2 " in flags and " adx " in flags:
        newer()
    number = 0
    for text, effect, size, setup in forms:
        for _ in range(count):
            write(number, text, effect, size, setup, choose)
            number += 1


main()
