/* steps_x86_64.c - see assembly_steps.h.
 *
 *     lock xaddq %rax, 8(%rdi)      one atomic step of 8 bytes
 *     incq count(%rip)              two: it reads, then writes
 *     rep stosb                     one over all of its range
 *
 * A table of mnemonics says what becomes of a memory operand.  Its size is that
 * of a register beside it, or what the last letter says.  What is in no table
 * and has a memory operand is unknown; without one it does no harm, unless it
 * is known to touch memory silently. */
#include "assembly_steps.h"
#include "operands_x86_64.h"

#include <stdatomic.h>
#include <stdlib.h>

enum role {
    READS,
    WRITES,
    MOVES,    /* writes its last operand, reads others           */
    UPDATES,  /* changes its last operand, reads others          */
    MODIFIES, /* changes its last operand, which must be memory  */
    EXCHANGES /* atomically, whatever operand memory is          */
};

enum { BY_WORD = 0, BY_VECTOR = 255 }; /* else a number of bytes */

struct row {
    const char *names;
    enum role role;
    unsigned size;
};

/* Names without the letter for the size. */
static const struct row sized[] = {
    { " mov movnti movbe ", MOVES, BY_WORD },
    { " add or adc sbb and sub xor ", UPDATES, BY_WORD },
    { " inc dec neg not shl sal shr sar rol ror rcl rcr shld shrd bts btr btc "
      "xadd cmpxchg ",
      MODIFIES, BY_WORD },
    { " xchg ", EXCHANGES, BY_WORD },
    { " cmp test bt mul imul div idiv bsf bsr tzcnt lzcnt popcnt crc32 push "
      "adcx adox mulx andn bextr blsi blsr blsmsk bzhi pdep pext rorx sarx "
      "shlx "
      "shrx ",
      READS, BY_WORD },
    { " pop ", WRITES, BY_WORD },
    { " cvtsi2sd cvtsi2ss vcvtsi2sd vcvtsi2ss ", READS, BY_WORD },
};

static const struct row whole[] = {
    { " movzb movsb movzbw movsbw movzbl movsbl movzbq movsbq ", READS, 1 },
    { " movzw movsw movzwl movswl movzwq movswq ", READS, 2 },
    { " movsl movslq movsxd ", READS, 4 },
    { " cmpxchg8b ", MODIFIES, 8 },
    { " cmpxchg16b ", MODIFIES, 16 },
    { " fldcw ", READS, 2 },
    { " fnstcw fnstsw ", WRITES, 2 },
    { " ldmxcsr vldmxcsr flds fildl fadds fmuls fsubs fdivs ", READS, 4 },
    { " stmxcsr vstmxcsr fsts fstps fistl fistpl ", WRITES, 4 },
    { " fldl fildll fildq faddl fmull fsubl fdivl ", READS, 8 },
    { " fstl fstpl fistpll fistpq ", WRITES, 8 },
    { " fldt ", READS, 10 },
    { " fstpt ", WRITES, 10 },
    { " movd movss vmovd vmovss ", MOVES, 4 },
    { " movq movsd vmovq vmovsd movlps movlpd movhps movhpd vmovlps vmovlpd "
      "vmovhps vmovhpd ",
      MOVES, 8 },
    { " movdqa movdqu movaps movapd movups movupd movntdq movntps movntpd "
      "vmovdqa vmovdqu vmovaps vmovapd vmovups vmovupd vmovntdq vmovntps "
      "vmovntpd vmovdqa32 vmovdqa64 vmovdqu8 vmovdqu16 vmovdqu32 vmovdqu64 ",
      MOVES, BY_VECTOR },
    { " movntdqa vmovntdqa lddqu vlddqu ", READS, BY_VECTOR },
    { " addss subss mulss divss sqrtss maxss minss ucomiss comiss cvtss2sd "
      "cvtss2si cvttss2si ",
      READS, 4 },
    { " addsd subsd mulsd divsd sqrtsd maxsd minsd ucomisd comisd cvtsd2ss "
      "cvtsd2si cvttsd2si movddup ",
      READS, 8 },
    { " addps addpd subps subpd mulps mulpd divps divpd andps andpd andnps "
      "andnpd orps orpd xorps xorpd maxps maxpd minps minpd paddb paddw paddd "
      "paddq psubb psubw psubd psubq pmuludq pmulld pmullw pmulhw pand pandn "
      "por pxor pcmpeqb pcmpeqw pcmpeqd pcmpeqq pcmpgtb pcmpgtw pcmpgtd pshufd "
      "pshufb shufps shufpd ptest pminub pmaxub vpaddb vpaddw vpaddd vpaddq "
      "vpsubb vpsubw vpsubd vpsubq vpand vpandn vpor vpxor vpcmpeqb vpcmpeqw "
      "vpcmpeqd vpcmpeqq vptest ",
      READS, BY_VECTOR },
};

static const struct row *row_in(const struct row *rows, size_t count,
                                const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (assembler_is_word_of(rows[i].names, name))
            return &rows[i];
    return NULL;
}
#define ROW_IN(rows, name) row_in(rows, sizeof(rows) / sizeof *(rows), name)

/* ---- prefixes ---- */

static bool is_prefix(const char *name)
{
    static const char *const names[] = { "lock",     "rep",      "repe",
                                         "repz",     "repne",    "repnz",
                                         "data16",   "notrack",  "bnd",
                                         "xacquire", "xrelease", NULL };
    return assembler_instruction_is(name, names);
}

static bool take_prefixes(char prefixes[STEP_PREFIXES], const char **text)
{
    for (;;) {
        struct assembler_instruction i;
        const size_t used = strlen(prefixes);
        assembler_instruction_split(*text, &i);
        if (!is_prefix(i.name) || used + strlen(i.name) + 2 > STEP_PREFIXES)
            return !**text;
        snprintf(prefixes + used, STEP_PREFIXES - used, "%s ", i.name);
        *text = i.operands;
    }
}

static bool has_prefix(const char *prefixes, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = prefixes; (at = strstr(at, name)); at++)
        if ((at == prefixes || at[-1] == ' ') && at[length] == ' ')
            return true;
    return false;
}

/* ---- what is no memory operand ---- */

/* Memory that no operand names, or the world outside. */
static bool touches_silently(const struct assembler_instruction *i)
{
    static const char *const names[] = {
        "syscall",  "sysenter", "int",    "rdrand",  "rdseed", "xbegin",
        "wrfsbase", "wrgsbase", "xlat",   "xlatb",   "wrpkru", "rdpkru",
        "xsetbv",   "swapgs",   "umwait", "monitor", "mwait",  "umonitor",
        "monitorx", "mwaitx",   NULL
    };
    static const char *const starts[] = { "lcall", "ljmp",    "lret",
                                          "iret",  "maskmov", "vmaskmov",
                                          "in",    "out",     NULL };
    static const char *const harmless[] = { "inc", "int3", "insertps",
                                            "invpcid", NULL };
    return assembler_instruction_is(i->name, names) ||
           (assembler_instruction_starts(i->name, starts) &&
            !assembler_instruction_starts(i->name, harmless));
}

/* A memory operand of these is no access. */
static bool only_names_it(const struct assembler_instruction *i)
{
    static const char *const starts[] = { "lea",  "nop",      "prefetch",
                                          "clwb", "cldemote", "clflush",
                                          NULL };
    return assembler_instruction_starts(i->name, starts);
}

static bool branches(const struct assembler_instruction *i)
{
    static const char *const starts[] = { "j", "call", NULL };
    return assembler_instruction_starts(i->name, starts);
}

/* These cannot jump far: code between one and its aim is too much. */
static bool jumps_near(const struct assembler_instruction *i)
{
    static const char *const starts[] = { "loop", "jrcxz", "jecxz", "jcxz",
                                          NULL };
    return assembler_instruction_starts(i->name, starts);
}

/* ---- operands ---- */

struct operands {
    const char *at[4];
    unsigned count;
    int memory;                          /* which one; -1: none; -2: several */
    bool odd;                            /* a register that is not known here */
    unsigned register_size, vector_size; /* of the first of each, or 0 */
    int source; /* the number of the first operand if it is a register, or -1 */
};

static void note_register(struct operands *o, const char *text, size_t length)
{
    struct operand_register r;
    if (!operand_is_register(text, length, &r)) {
        o->odd = true;
        return;
    }
    unsigned *const size = r.vector ? &o->vector_size : &o->register_size;
    *size = *size ? *size : r.size;
    if (o->count == 0 && !r.vector && text[2] != 'h')
        o->source = (int)r.number;
}

/* False if there are too many. */
static bool read_operands(const char *text, struct operands *o)
{
    *o = (struct operands){ .memory = -1, .source = -1 };
    for (; *text; text = operand_next(text)) {
        const size_t length = operand_length(text);
        if (o->count == 4)
            return false;
        o->at[o->count] = text;
        o->odd |= memchr(text, '{', length) || memchr(text, '[', length);
        if (*text == '%' && !memchr(text, ':', length))
            note_register(o, text, length);
        else if (*text != '$')
            o->memory = o->memory == -1 ? (int)o->count : -2;
        o->count++;
    }
    return true;
}

/* Can its address be computed before, and is it of everybody's memory? */
static bool is_plain_memory(const char *text)
{
    static const char *const stack[] = { "%esp", "%sp", "%riz", "%eiz", NULL };
    for (const char *const *s = stack; *s; s++)
        if (strstr(text, *s))
            return false;
    return !strpbrk(text, ":@*\"'{\\") && text[0] != '.';
}

/* ---- one instruction ---- */

static bool is_stack_top(const char *operand)
{
    return strstr(operand, "(%rsp)") || strstr(operand, "(%esp)");
}

/* "lock addl $0, (%rsp)" */
static bool is_locked_fence(const char *prefixes,
                            const struct assembler_instruction *i)
{
    static const char names[] = " add addl addq or orl orq ";
    static const char *const zeros[] = { "$0,", "$0x0,", NULL };
    return has_prefix(prefixes, "lock") &&
           assembler_is_word_of(names, i->name) &&
           assembler_instruction_starts(i->operands, zeros) &&
           is_stack_top(operand_next(i->operands));
}

static void set(struct assembler_step *step, enum assembler_effect effect,
                unsigned size, unsigned flags)
{
    step->effect = effect;
    step->code = assembler_step_code(effect, size, 0, flags);
}

/* No memory operand, and yet a step. */
static bool is_special(const char *prefixes,
                       const struct assembler_instruction *i,
                       struct assembler_step *step)
{
    static const struct {
        const char *name;
        enum assembler_effect effect;
        unsigned size;
    } special[] = { { "mfence", EFFECT_FENCE, memory_order_seq_cst },
                    { "lfence", EFFECT_FENCE, memory_order_acquire },
                    { "sfence", EFFECT_FENCE, memory_order_release },
                    { "pause", EFFECT_PAUSE, 0 },
                    { "tpause", EFFECT_PAUSE, 0 },
                    { "rdtsc", EFFECT_CLOCK, 8 },
                    { "rdtscp", EFFECT_CLOCK, 12 } };
    for (size_t n = 0; n < sizeof special / sizeof *special; n++)
        if (strcmp(i->name, special[n].name) == 0) {
            set(step, special[n].effect, special[n].size, 0);
            return true;
        }
    if (is_locked_fence(prefixes, i))
        set(step, EFFECT_FENCE, memory_order_seq_cst, 0);
    else if (strcmp(i->name, "nop") == 0 && has_prefix(prefixes, "rep"))
        set(step, EFFECT_PAUSE, 0, 0);
    else
        return false;
    return true;
}

static unsigned size_of_letter(char letter)
{
    return letter == 'b'   ? 1
           : letter == 'w' ? 2
           : letter == 'l' ? 4
           : letter == 'q' ? 8
                           : 0;
}

/* "rep stosq" */
static bool is_string(const char *prefixes,
                      const struct assembler_instruction *i,
                      struct assembler_step *step)
{
    static const struct {
        const char *name;
        enum assembler_effect effect;
    } strings[] = { { "movs", EFFECT_COPY },
                    { "stos", EFFECT_FILL },
                    { "lods", EFFECT_FETCH },
                    { "scas", EFFECT_SCAN },
                    { "cmps", EFFECT_MATCH } };
    const size_t length = strlen(i->name);
    if (*i->operands || length != 5)
        return false;
    for (size_t n = 0; n < sizeof strings / sizeof *strings; n++) {
        const char last = i->name[4] == 'd' ? 'l' : i->name[4];
        if (strncmp(i->name, strings[n].name, 4) != 0 || !size_of_letter(last))
            continue;
        set(step, strings[n].effect, size_of_letter(last),
            (strstr(prefixes, "rep") ? STEP_REPEATS : 0u) |
                (strstr(prefixes, "repn") ? STEP_UNEQUAL : 0u));
        return true;
    }
    return false;
}

/* What the table says of a name, and a letter that it ends with, or 0. */
static const struct row *find_row(const char *name, char *letter)
{
    static const struct row condition = { "", READS, BY_WORD },
                            outcome = { "", WRITES, 1 };
    char stem[16];
    const size_t length = strlen(name);
    *letter = '\0';
    if (assembler_starts_with(name, "cmov"))
        return &condition;
    if (assembler_starts_with(name, "set"))
        return &outcome;
    const struct row *row = ROW_IN(whole, name);
    if (!row)
        row = ROW_IN(sized, name);
    if (row || length < 3 || !size_of_letter(name[length - 1]))
        return row;
    snprintf(stem, sizeof stem, "%.*s", (int)length - 1, name);
    *letter = name[length - 1];
    return ROW_IN(sized, stem);
}

/* A register beside it that is no measure: a count, a result. */
static bool says_no_size(const char *name)
{
    static const char names[] =
        " shl sal shr sar rol ror rcl rcr crc32 cvtsi2sd cvtsi2ss vcvtsi2sd "
        "vcvtsi2ss ";
    return assembler_is_word_of(names, name);
}

static unsigned size_of(const struct row *row, const char *name, char letter,
                        const struct operands *o)
{
    if (row->size == BY_VECTOR)
        return o->vector_size;
    if (row->size != BY_WORD)
        return row->size;
    if (letter)
        return size_of_letter(letter);
    if (strcmp(name, "push") == 0 || strcmp(name, "pop") == 0)
        return 8;
    return says_no_size(name) ? 0 : o->register_size;
}

static enum assembler_effect effect_of(enum role role, bool is_last,
                                       bool locked)
{
    const enum assembler_effect change = locked ? EFFECT_ATOMIC : EFFECT_MODIFY;
    switch (role) {
    case EXCHANGES:
        return EFFECT_ATOMIC;
    case UPDATES:
        return is_last ? change : locked ? EFFECT_UNKNOWN : EFFECT_READ;
    case MODIFIES:
        return is_last ? change : EFFECT_UNKNOWN;
    case MOVES:
        return locked ? EFFECT_UNKNOWN : is_last ? EFFECT_WRITE : EFFECT_READ;
    case WRITES:
        return locked ? EFFECT_UNKNOWN : EFFECT_WRITE;
    case READS:
        break;
    }
    return locked ? EFFECT_UNKNOWN : EFFECT_READ;
}

/* One with a memory operand. */
static void find_access(const char *prefixes,
                        const struct assembler_instruction *i,
                        const struct operands *o, struct assembler_step *step)
{
    char letter;
    const struct row *const row = find_row(i->name, &letter);
    const char *const memory = o->at[o->memory];
    const size_t length = operand_length(memory);
    const bool locked = has_prefix(prefixes, "lock");
    const bool compares = assembler_starts_with(i->name, "cmpxchg");
    const bool bits = assembler_starts_with(i->name, "bt") && o->source >= 0;
    snprintf(step->operand, sizeof step->operand, "%.*s", (int)length, memory);
    if (!row || length >= sizeof step->operand ||
        !is_plain_memory(step->operand) ||
        (strstr(prefixes, "rep") && !assembler_starts_with(i->name, "bs")) ||
        has_prefix(prefixes, "data16"))
        return;
    const unsigned size = size_of(row, i->name, letter, o);
    const enum assembler_effect effect =
        effect_of(row->role, (unsigned)o->memory == o->count - 1, locked);
    if (!size)
        return;
    set(step, effect, size,
        (compares ? STEP_COMPARES : 0u) | (bits ? STEP_BITS : 0u) |
            (compares && o->count == 1 ? STEP_PAIR : 0u) |
            (compares && o->source >= 0 ? STEP_SOURCE : 0u));
    if (o->source >= 0)
        step->code |= assembler_step_code(0, 0, (unsigned)o->source, 0);
    step->pops = assembler_starts_with(i->name, "pop") &&
                 !assembler_starts_with(i->name, "popcnt");
}

/* "call *8(%rax)"; nothing is read of "jmp 1f" and "call *%rax". */
static void find_jump(const char *operands, struct assembler_step *step)
{
    step->effect = EFFECT_NONE;
    if (*operands != '*')
        return;
    operands += 1 + strspn(operands + 1, " \t");
    if ((*operands == '%' && !strchr(operands, ':')) ||
        strstr(operands, "@GOT"))
        return;
    snprintf(step->operand, sizeof step->operand, "%s", operands);
    set(step, EFFECT_READ, 8, 0);
    if (strlen(operands) >= sizeof step->operand || !is_plain_memory(operands))
        step->effect = EFFECT_UNKNOWN;
}

/* Of an address in the code that is counted from here. */
static bool counts_from_here(const char *operands)
{
    for (const char *at = operands; (at = strchr(at, '.')); at++)
        if ((at == operands || strchr(" \t,-+(*$", at[-1])) &&
            strchr(" \t,-+)", at[1]))
            return true;
    return false;
}

static void find(const char *prefixes, const char *text,
                 struct assembler_step *step)
{
    struct assembler_instruction i;
    struct operands o;
    *step = (struct assembler_step){ .effect = EFFECT_UNKNOWN };
    assembler_instruction_split(text, &i);
    if (is_special(prefixes, &i, step) || is_string(prefixes, &i, step))
        return;
    if (touches_silently(&i) || jumps_near(&i) ||
        counts_from_here(i.operands) || strchr(i.name, '\\'))
        return;
    if (*i.operands == '=') { /* "size = 8" */
        step->effect = EFFECT_NONE;
        return;
    }
    if (branches(&i)) {
        find_jump(i.operands, step);
        return;
    }
    if (!read_operands(i.operands, &o))
        return;
    if (only_names_it(&i) || o.memory == -1)
        step->effect = has_prefix(prefixes, "lock") && *i.name ? EFFECT_UNKNOWN
                                                               : EFFECT_NONE;
    else if (o.memory >= 0 && strstr(o.at[o.memory], "@GOT"))
        step->effect = EFFECT_NONE; /* it never changes */
    else if (o.memory >= 0 && !o.odd)
        find_access(prefixes, &i, &o, step);
}

/* ---- the code before it ---- */

/* Below the red zone, and two words of ours. */
enum { RED_ZONE = 128, MOVED = RED_ZONE + 8 };

static void put_address(FILE *to, const struct assembler_step *step)
{
    const char *const stack = strstr(step->operand, "(%rsp");
    const int moved = MOVED + (step->pops ? 8 : 0);
    if (stack)
        fprintf(to, "leaq %d%s%s, %%rdi; ", moved,
                strchr("(-", step->operand[0]) ? "" : "+", step->operand);
    else
        fprintf(to, "leaq %s, %%rdi; ", step->operand);
}

/* Where debuggers find the frame: that far away. */
static void put_moved(FILE *to, const struct assembler_place *place, int bytes)
{
    if (place->by_stack)
        fprintf(to, ".cfi_adjust_cfa_offset %d; ", bytes);
}

static void put_begin(FILE *to, const struct assembler_place *place)
{
    fprintf(to, "leaq -%d(%%rsp), %%rsp; ", RED_ZONE);
    put_moved(to, place, RED_ZONE);
    fputs("pushq %rdi; ", to);
    put_moved(to, place, 8);
}

/* The hook takes the code from the stack. */
static void put_end(FILE *to, unsigned code,
                    const struct assembler_place *place)
{
    fprintf(to, "pushq $%u; ", code);
    put_moved(to, place, 8);
    fprintf(to, "call *__tsan_assembly_%s@GOTPCREL(%%rip); ",
            place->vectors ? "vector_step" : "step");
    put_moved(to, place, -8);
    fputs("popq %rdi; ", to);
    put_moved(to, place, -8);
    fprintf(to, "leaq %d(%%rsp), %%rsp; ", RED_ZONE);
    put_moved(to, place, -RED_ZONE);
}

static void put(FILE *to, const struct assembler_step *step,
                const struct assembler_place *place)
{
    put_begin(to, place);
    if (*step->operand)
        put_address(to, step);
    put_end(to, step->code, place);
}

static void put_unseen(FILE *to, const char *label,
                       const struct assembler_place *place)
{
    put_begin(to, place);
    fprintf(to, "leaq %s(%%rip), %%rdi; ", label);
    put_end(to, assembler_step_code(EFFECT_UNSEEN, 0, 0, 0), place);
}

/* Registers that keep their values while a thread stands are part of its state.
 * What hooks happen to leave in them would make two states of one. */
static void put_forget(FILE *to, const char *hook,
                       const struct assembler_place *place)
{
    static const char *const silent[] = {
        "__tsan_read", "__tsan_write",    "__tsan_func_",
        "__tsan_vptr", "__tsan_volatile", "__tsan_unaligned",
        NULL
    };
    if (assembler_instruction_starts(hook, silent) || strstr(hook, "_store"))
        fputs("xorl %eax, %eax; xorl %edx, %edx; ", to);
    fputs("xorl %ecx, %ecx; xorl %esi, %esi; xorl %edi, %edi; "
          "xorl %r8d, %r8d; xorl %r9d, %r9d; xorl %r10d, %r10d; "
          "xorl %r11d, %r11d",
          to);
    if (place->vectors)
        fputs("; call *__tsan_assembly_forget@GOTPCREL(%rip)", to);
    putc('\n', to);
}

/* The unit for floating point, too. */
static bool uses_vectors(const char *text)
{
    static const char *const signs[] = { "%xmm", "%ymm", "%zmm",  "%mm",
                                         "%st",  "%k",   "\n\tf", NULL };
    for (const char *const *s = signs; *s; s++)
        if (strstr(text, *s))
            return true;
    return false;
}

const struct assembler_steps assembler_steps_x86_64 = {
    .take_prefixes = take_prefixes,
    .find = find,
    .put = put,
    .put_unseen = put_unseen,
    .put_forget = put_forget,
    .uses_vectors = uses_vectors,
};
