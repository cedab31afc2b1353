/* rewriting.c - see rewriting.h.
 *
 * The text is read twice.  The first time it is found out for each block
 * whether it can be followed.  The second time it is written.
 *
 * What is put before an instruction stands on its line: debuggers, and the
 * assembler's messages, count lines. */
#include "rewriting.h"

#include "assembly_steps.h"
#include "inline_assembly.h"

#include <stdlib.h>

enum { FRAMES = 8 };

struct rewriting {
    FILE *to;
    const struct assembler_processor *p;
    bool as_written;
    bool intel; /* the syntax of the moment */
    struct assembler_place place;
    struct { /* of .cfi_remember_state */
        bool by_stack[FRAMES];
        unsigned count;
    } kept;
    char prefixes[STEP_PREFIXES]; /* of the next instruction */
    unsigned char *unknown;       /* per block: it is not followed */
    size_t blocks, room;          /* in it */
    size_t block;                 /* the next one */
    size_t steps;
    bool failed;
    /* of the line that is written */
    bool verbatim, begun;
    /* the list, and texts for notes at run time */
    FILE *list, *texts;
    size_t notes;
    bool noted; /* this block */
};

/* ---- what a statement is ---- */

static bool is_intel(struct rewriting *r, const char *text)
{
    if (assembler_starts_with(text, ".intel_syntax"))
        r->intel = true;
    else if (assembler_starts_with(text, ".att_syntax"))
        r->intel = false;
    return r->intel;
}

static void understand(struct rewriting *r, const struct assembler_statement *s,
                       const char **text, struct assembler_step *step)
{
    struct assembler_instruction i;
    const bool labelled = s->labels_length > 0 && *r->prefixes;
    *step = (struct assembler_step){ .effect = EFFECT_NONE };
    *text = s->text;
    if (is_intel(r, s->text) && !s->is_data && *s->text) {
        assembler_instruction_split(s->text, &i);
        if (*i.operands || s->is_directive)
            step->effect = EFFECT_UNKNOWN;
        return;
    }
    if (s->is_directive || s->is_data) {
        step->effect = s->is_data ? EFFECT_NONE : EFFECT_UNKNOWN;
        return;
    }
    if (!r->p->steps) {
        assembler_instruction_split(s->text, &i);
        if (*s->text && r->p->can_touch(&i))
            step->effect = EFFECT_UNKNOWN;
        return;
    }
    if (r->p->steps->take_prefixes(r->prefixes, text))
        return;
    r->p->steps->find(r->prefixes, *text, step);
    if (labelled)
        step->effect = EFFECT_UNKNOWN;
}

/* ---- reading ---- */

static void next_block(void *context)
{
    struct rewriting *const r = context;
    if (r->blocks == r->room) {
        const size_t room = r->room ? 2 * r->room : 256;
        unsigned char *const larger = realloc(r->unknown, room);
        r->failed |= !larger;
        if (!larger)
            return;
        r->unknown = larger;
        r->room = room;
    }
    r->unknown[r->blocks++] = false;
}

static bool is_remark(const char *text)
{
    text += strspn(text, " \t");
    return *text == '#' || *text == '/';
}

static void read_line(void *context, const char *text, size_t length,
                      enum assembler_line kind)
{
    struct rewriting *const r = context;
    (void)length;
    if (kind == LINE_OF_COMPILER && !is_remark(text)) {
        *r->prefixes = '\0';
        is_intel(r, text + strspn(text, " \t"));
    }
}

static void read_statement(void *context, const struct assembler_statement *s)
{
    struct rewriting *const r = context;
    struct assembler_step step;
    const char *text;
    understand(r, s, &text, &step);
    if (*text)
        *r->prefixes = '\0';
    r->steps += step.effect != EFFECT_NONE && step.effect != EFFECT_UNKNOWN;
    if (step.effect == EFFECT_UNKNOWN && r->blocks)
        r->unknown[r->blocks - 1] = true;
}

static void end_nothing(void *context)
{
    (void)context;
}

/* ---- notes ---- */

static void put_string(FILE *to, const char *text)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < ' ' || c == '"' || c == '\\' || c > '~')
            fprintf(to, "\\%03o", c == '\t' ? ' ' : c);
        else
            putc(c, to);
    }
}

static void put_place(FILE *to, const char *mark,
                      const struct assembler_statement *s, const char *text)
{
    char shorter[64];
    snprintf(shorter, sizeof shorter, "%s", text);
    fprintf(to, "\t.string \"%s", mark);
    put_string(to, s->where);
    fputs(": ", to);
    put_string(to, shorter);
    fputs("\"\n", to);
}

/* What follows says that it is run. */
static void put_note(struct rewriting *r, const struct assembler_statement *s)
{
    char label[32];
    snprintf(label, sizeof label, ".Lplumb_note_%zu", r->notes++);
    put_place(r->list, "?", s, s->text);
    fprintf(r->texts, "%s:\n", label);
    put_place(r->texts, "", s, s->text);
    if (r->intel)
        fputs(".att_syntax prefix; ", r->to);
    r->p->steps->put_unseen(r->to, label, &r->place);
    if (r->intel)
        fputs(".intel_syntax noprefix; ", r->to);
}

/* ---- frames ---- */

/* "7, 8", "%rsp": as debuggers and people name the stack pointer. */
static bool is_stack_pointer(const char *text)
{
    text += strspn(text, " \t");
    return assembler_starts_with(text, "%rsp") ||
           (*text == '7' && !(text[1] >= '0' && text[1] <= '9'));
}

/* A directive of those that say where a debugger finds the frame. */
static void follow_frame(struct rewriting *r, const char *text)
{
    struct assembler_instruction i;
    bool *const by_stack = &r->place.by_stack;
    text += strspn(text, " \t");
    if (!assembler_starts_with(text, ".cfi_"))
        return;
    assembler_instruction_split(text + 5, &i);
    if (strcmp(i.name, "startproc") == 0) {
        *by_stack = true;
        r->kept.count = 0;
    } else if (strcmp(i.name, "endproc") == 0)
        *by_stack = false;
    else if (strcmp(i.name, "def_cfa") == 0 ||
             assembler_starts_with(i.name, "def_cfa_regist"))
        *by_stack = is_stack_pointer(i.operands);
    else if (strcmp(i.name, "remember_state") == 0 && r->kept.count < FRAMES)
        r->kept.by_stack[r->kept.count++] = *by_stack;
    else if (strcmp(i.name, "restore_state") == 0 && r->kept.count)
        *by_stack = r->kept.by_stack[--r->kept.count];
}

/* ---- writing ---- */

static void write_block(void *context)
{
    struct rewriting *const r = context;
    r->block++;
    r->noted = false;
}

static bool is_left(const struct rewriting *r)
{
    return r->block && r->unknown[r->block - 1];
}

static const char *hook_called(const char *text, size_t length)
{
    const char *const hook = memmem(text, length, "__tsan_", 7);
    text += strspn(text, " \t");
    return assembler_starts_with(text, "call") ? hook : NULL;
}

static void write_compiled(struct rewriting *r, const char *text, size_t length)
{
    char hook[64], line[64];
    const char *const called = hook_called(text, length);
    if (*r->prefixes && !is_remark(text)) {
        fprintf(r->to, "%s\n", r->prefixes);
        *r->prefixes = '\0';
    }
    if (!is_remark(text))
        is_intel(r, text + strspn(text, " \t"));
    fprintf(r->to, "%.*s\n", (int)length, text);
    snprintf(line, sizeof line, "%.*s", (int)length, text);
    follow_frame(r, line);
    if (called && r->steps && !r->as_written && !r->intel) {
        snprintf(hook, sizeof hook, "%.*s", (int)strcspn(called, " \t\n@"),
                 called);
        r->p->steps->put_forget(r->to, hook, &r->place);
    }
}

/* A line of a block that is left as it is: what stands before it depends on its
 * first statement, so it is written later. */
static void write_line(void *context, const char *text, size_t length,
                       enum assembler_line kind)
{
    struct rewriting *const r = context;
    r->begun = false;
    r->verbatim = kind == LINE_TOO_LONG || r->as_written || !r->p->steps;
    if (kind == LINE_OF_COMPILER)
        write_compiled(r, text, length);
    else if (r->verbatim)
        fprintf(r->to, "%.*s", (int)length, text);
}

static void write_text(struct rewriting *r, const char *text)
{
    fprintf(r->to, "%s%s", r->prefixes, text);
    *r->prefixes = '\0';
}

static void write_unknown(struct rewriting *r,
                          const struct assembler_statement *s, const char *text)
{
    if (s->is_directive && !s->in_function)
        put_place(r->list, "", s, s->text);
    else if (!r->noted || !s->in_function)
        put_note(r, s);
    r->noted = true;
    write_text(r, text);
}

static void write_step(struct rewriting *r, const char *text,
                       const struct assembler_step *step)
{
    r->p->steps->put(r->to, step, &r->place);
    if (step->effect != EFFECT_CLOCK) /* which the hook answers */
        write_text(r, text);
    *r->prefixes = '\0';
}

/* The first of a block that can do anything. */
static void list_statement(struct rewriting *r,
                           const struct assembler_statement *s,
                           const char *text, const struct assembler_step *step)
{
    const bool harmless = step->effect == EFFECT_NONE ||
                          step->effect == EFFECT_FENCE ||
                          step->effect == EFFECT_PAUSE;
    if (*text)
        *r->prefixes = '\0';
    if (!harmless && !r->noted) {
        put_place(r->list, "", s, s->text);
        r->noted = true;
    }
}

/* Of a block of the compiler's all is left if one statement is unknown: of
 * other assembly, only that. */
static void write_statement(void *context, const struct assembler_statement *s)
{
    struct rewriting *const r = context;
    struct assembler_step step;
    const char *text;
    understand(r, s, &text, &step);
    if (r->verbatim) {
        list_statement(r, s, text, &step);
        return;
    }
    if (r->begun)
        fputs("; ", r->to);
    r->begun = true;
    fprintf(r->to, "\t%.*s", s->labels_length, s->labels);
    if (!*text)
        return;
    follow_frame(r, text);
    if (is_left(r) && s->in_function)
        step.effect = r->noted ? EFFECT_NONE : EFFECT_UNKNOWN;
    if (step.effect == EFFECT_UNKNOWN)
        write_unknown(r, s, text);
    else if (step.effect == EFFECT_NONE)
        write_text(r, text);
    else
        write_step(r, text, &step);
}

static void write_end(void *context)
{
    struct rewriting *const r = context;
    putc('\n', r->to);
}

/* ---- both ---- */

static void read_first(struct rewriting *r, const char *text,
                       const char *source)
{
    const struct assembler_visitor visitor = { .context = r,
                                               .block = next_block,
                                               .line = read_line,
                                               .statement = read_statement,
                                               .end_line = end_nothing };
    assembler_inline_assembly_visit(text, source, r->p, &visitor);
    *r->prefixes = '\0';
    r->intel = false;
}

static void write_then(struct rewriting *r, const char *text,
                       const char *source)
{
    const struct assembler_visitor visitor = { .context = r,
                                               .block = write_block,
                                               .line = write_line,
                                               .statement = write_statement,
                                               .end_line = write_end };
    assembler_inline_assembly_visit(text, source, r->p, &visitor);
    if (*r->prefixes)
        fprintf(r->to, "%s\n", r->prefixes);
}

static void write_lists(struct rewriting *r, char **list, char **texts)
{
    if (r->intel)
        fputs("\t.att_syntax prefix\n", r->to);
    fflush(r->list);
    fflush(r->texts);
    fprintf(r->to,
            "\n\t.section .plumb.assembly,\"MS\",@progbits,1\n"
            "\t.string \"looked\"\n%s",
            *list);
    if (r->notes)
        fprintf(r->to, "\t.section .rodata.plumb,\"a\",@progbits\n%s", *texts);
}

/* Who calls what no compiler wrote may have a convention of its own. */
static bool may_use_vectors(const struct assembler_steps *steps,
                            const char *text)
{
    return steps->uses_vectors(text) ||
           !assembler_inline_assembly_is_compiled(text);
}

bool assembler_rewrite(FILE *to, const char *text, const char *source,
                       const struct assembler_processor *p, bool as_written)
{
    char *list = NULL, *texts = NULL;
    size_t size[2];
    struct rewriting r = { .to = to,
                           .p = p,
                           .as_written = as_written,
                           .place.vectors =
                               p->steps && may_use_vectors(p->steps, text),
                           .list = open_memstream(&list, &size[0]),
                           .texts = open_memstream(&texts, &size[1]) };
    if (r.list && r.texts) {
        read_first(&r, text, source);
        if (!r.failed)
            write_then(&r, text, source);
        write_lists(&r, &list, &texts);
        fclose(r.list);
        fclose(r.texts);
    } else
        r.failed = true;
    free(list);
    free(texts);
    free(r.unknown);
    return !r.failed;
}
