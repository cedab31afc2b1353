/* inline_assembly.c - see inline_assembly.h.
 *
 * One pass over the lines.  Outside of marked blocks only directives that say
 * where we are count: sections, .file and .loc.  Inside, each line is split
 * into statements. */
#include "inline_assembly.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NESTED = 16, FILES = 1024, NAME = 256, LINE = 8192 };

struct scan {
    const struct assembler_visitor *visitor;
    const char *comment; /* what begins one */
    bool inside;         /* of a marked block */
    bool all;            /* no compiler wrote this file */
    bool in_function;    /* of the compiler's */
    bool in_data;        /* a section that is not run */
    bool was_data;       /* the one before, for .previous */
    bool in_remark;      /* a comment that goes on in the next line */
    unsigned depth;
    bool outer[NESTED]; /* what .popsection comes back to */
    char source[NAME];  /* what is compiled */
    char file[NAME];
    unsigned long line; /* 0: not known */
    unsigned long base; /* of a file that is all assembly: the line of ... */
    size_t base_number; /* ... this line of the text */
    const char *text;   /* the line that is read */
    const char *copy;   /* ... where it may be changed */
    const char *name[FILES]; /* of .file, in the text: `"dir" "name"` */
};

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t\r");
}

static void begin_block(struct scan *s)
{
    s->visitor->block(s->visitor->context);
}

/* ---- where it stands ---- */

/* The text between the next two quotes; what follows them, or NULL. */
static const char *read_quoted(const char *text, char *to, size_t size)
{
    size_t used = 0;
    if (*text != '"')
        return NULL;
    for (text++; *text && *text != '"' && *text != '\n'; text++) {
        if (*text == '\\' && text[1])
            text++;
        if (used + 1 < size)
            to[used++] = *text;
    }
    to[used] = '\0';
    return *text == '"' ? text + 1 : NULL;
}

/* `"name"` or `"directory" "name"`, as .file has it. */
static void read_file_name(const char *text, char to[NAME])
{
    char first[NAME], second[NAME] = "";
    const char *const rest = read_quoted(text, first, sizeof first);
    if (!rest)
        return;
    const bool two = read_quoted(skip_blanks(rest), second, sizeof second);
    if (!two || second[0] == '/')
        snprintf(to, NAME, "%s", two ? second : first);
    else
        snprintf(to, NAME, "%.*s/%s", NAME / 2, first, second);
}

/* `.file 1 "queue.c"`, `.file "queue.c"` */
static void read_file(struct scan *s, const char *text)
{
    char *end;
    const unsigned long number = strtoul(text, &end, 10);
    if (end == text)
        read_file_name(text, s->source);
    else if (number < FILES)
        s->name[number] = s->text + (skip_blanks(end) - s->copy);
}

/* `.loc 1 12 3` */
static void read_place(struct scan *s, const char *text)
{
    char *end;
    const unsigned long number = strtoul(text, &end, 10);
    s->line = strtoul(end, NULL, 10);
    if (number < FILES && s->name[number])
        read_file_name(s->name[number], s->file);
    else
        s->line = 0;
}

/* `12 "queue.c" 1`, in comments of gcc and of preprocessors; `0 "" 2` ends a
 * block of gcc. */
static void read_line_marker(struct scan *s, const char *text, size_t number)
{
    char *end, name[NAME];
    const unsigned long line = strtoul(text, &end, 10);
    if (end == text || !read_quoted(skip_blanks(end), name, sizeof name))
        return;
    begin_block(s);
    if (!*name)
        return;
    snprintf(s->file, sizeof s->file, "%s", name);
    s->line = s->base = line;
    s->base_number = number + 1;
}

/* ---- sections ---- */

static void enter_section(struct scan *s, bool is_data)
{
    s->was_data = s->in_data;
    s->in_data = is_data;
}

/* `.section .text.hot,"ax",@progbits`: code, unless its flags say otherwise. */
static bool is_data_section(const char *text)
{
    const char *const flags = strchr(text, '"');
    if (assembler_starts_with(text, ".text") ||
        assembler_starts_with(text, ".init") ||
        assembler_starts_with(text, ".fini"))
        return false;
    return !flags || !memchr(flags + 1, 'x', strcspn(flags + 1, "\"\n"));
}

static void push_section(struct scan *s, bool is_data)
{
    if (s->depth < NESTED)
        s->outer[s->depth] = s->in_data;
    s->depth++;
    enter_section(s, is_data);
}

static void pop_section(struct scan *s)
{
    if (s->depth > 0)
        s->depth--;
    s->in_data = s->depth < NESTED && s->outer[s->depth];
}

/* Is it one of the directives that change sections?  `text`: its operands. */
static bool follow_section(struct scan *s, const char *name, const char *text)
{
    if (strcmp(name, ".text") == 0)
        enter_section(s, false);
    else if (strcmp(name, ".data") == 0 || strcmp(name, ".bss") == 0)
        enter_section(s, true);
    else if (strcmp(name, ".section") == 0)
        enter_section(s, is_data_section(text));
    else if (strcmp(name, ".pushsection") == 0)
        push_section(s, is_data_section(text));
    else if (strcmp(name, ".popsection") == 0)
        pop_section(s);
    else if (strcmp(name, ".previous") == 0)
        enter_section(s, s->was_data);
    else
        return false;
    return true;
}

/* ---- statements ---- */

/* Directives that make no code, whatever follows them. */
static bool makes_no_code(const char *name)
{
    static const char names[] =
        " .globl .global .local .weak .hidden .type .size .internal "
        ".protected .set .equ .file .loc .ident .symver .comm .lcomm .rept "
        ".endr .endm .if .else .endif .endfunc .func .arch .cpu .code64 "
        ".att_syntax .subsection .macro .purgem .align .balign .p2align .org "
        ".skip .zero .space .warning .ifdef .ifndef .elseif .error "
        ".arch_extension .option .extern .line .loc_mark_labels ";
    return assembler_is_word_of(names, name) ||
           assembler_starts_with(name, ".cfi_");
}

/* Does the directive put code where code is run? */
static bool directive_makes_code(struct scan *s, const char *name,
                                 const char *operands)
{
    if (follow_section(s, name, operands))
        return false;
    if (strcmp(name, ".loc") == 0)
        read_place(s, operands);
    return !makes_no_code(name) && !s->in_data;
}

/* Behind labels: "1: lock; incl (%rdi)". */
static char *skip_labels(char *text)
{
    for (;;) {
        char *at = text + strspn(text, " \t\r");
        char *end = at;
        while (isalnum((unsigned char)*end) || (*end && strchr("_.$", *end)))
            end++;
        if (end == at || *end != ':')
            return at;
        text = end + 1;
    }
}

static void trim(char *text)
{
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
}

static void say_where(const struct scan *s, char where[ASSEMBLER_WHERE])
{
    const char *const file = s->line ? s->file : s->source;
    if (s->line)
        snprintf(where, ASSEMBLER_WHERE, "%s:%lu", file, s->line);
    else
        snprintf(where, ASSEMBLER_WHERE, "%s", *file ? file : "assembly");
}

static void read_statement(struct scan *s, char *text)
{
    char *const labels = text + strspn(text, " \t\r");
    struct assembler_instruction i;
    struct assembler_statement found = { .in_function = s->in_function };
    text = skip_labels(text);
    trim(text);
    assembler_instruction_split(text, &i);
    if (*text == '.')
        found.is_data = !directive_makes_code(s, i.name, i.operands);
    else
        found.is_data = s->in_data;
    found.is_directive = *text == '.';
    found.labels = labels;
    found.labels_length = (int)(text - labels);
    found.text = text;
    say_where(s, found.where);
    s->visitor->statement(s->visitor->context, &found);
}

/* ---- lines ---- */

/* Take comments out.  A string may hold whatever begins one. */
static void strip_comments(struct scan *s, char *line)
{
    char *to = line;
    bool quoted = false;
    for (const char *at = line; *at; at++) {
        if (s->in_remark) {
            s->in_remark = !assembler_starts_with(at, "*/");
            at += !s->in_remark;
            continue;
        }
        if (!quoted && assembler_starts_with(at, "/*")) {
            s->in_remark = true;
            at++;
            continue;
        }
        if (!quoted && assembler_starts_with(at, s->comment))
            break;
        if (*at == '\\' && quoted && at[1])
            *to++ = *at++;
        quoted ^= *at == '"';
        *to++ = *at;
    }
    *to = '\0';
}

static void read_statements(struct scan *s, char *line)
{
    bool quoted = false;
    char *begin = line;
    strip_comments(s, line);
    for (char *at = line;; at++) {
        quoted ^= *at == '"';
        if (*at && (*at != ';' || quoted))
            continue;
        const bool last = !*at;
        *at = '\0';
        read_statement(s, begin);
        begin = at + 1;
        if (last)
            return;
    }
}

/* What a comment of a compiler says; NULL if this is no comment. */
static const char *remark_of(const char *line)
{
    line = skip_blanks(line);
    if (*line != '#' && !assembler_starts_with(line, "//"))
        return NULL;
    return skip_blanks(line + strspn(line, "#/"));
}

static bool is_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    return assembler_starts_with(text, word) &&
           !text[length + strspn(text + length, " \t\r\n")];
}

/* The marks of gcc and clang. */
static void read_remark(struct scan *s, const char *text, size_t number)
{
    if (s->all)
        read_line_marker(s, text, number);
    else if (is_word(text, "APP") ||
             is_word(text, "Start of file scope inline assembly")) {
        s->inside = true;
        begin_block(s);
    } else if (is_word(text, "NO_APP") ||
               is_word(text, "End of file scope inline assembly"))
        s->inside = false;
    else if (s->inside)
        read_line_marker(s, text, number);
}

/* What the compiler itself wrote. */
static void read_outside(struct scan *s, char *line)
{
    struct assembler_instruction i;
    line = line + strspn(line, " \t");
    if (*line != '.')
        return;
    assembler_instruction_split(line, &i);
    if (strcmp(i.name, ".file") == 0)
        read_file(s, i.operands);
    else if (strcmp(i.name, ".loc") == 0)
        read_place(s, i.operands);
    else if (strcmp(i.name, ".cfi_endproc") == 0)
        s->line = 0; /* what follows is of no line */
    else if (strcmp(i.name, ".type") == 0)
        s->in_function = strstr(i.operands, "function");
    else if (strcmp(i.name, ".size") == 0)
        s->in_function = false;
    else
        follow_section(s, i.name, i.operands);
}

static void show_line(struct scan *s, size_t length, enum assembler_line kind)
{
    s->visitor->line(s->visitor->context, s->text, length, kind);
}

/* As if it were a block of its own. */
static void read_intrinsic(struct scan *s, char *line)
{
    begin_block(s);
    show_line(s, strlen(line), LINE_OF_ASSEMBLY);
    read_statements(s, line);
    s->visitor->end_line(s->visitor->context);
}

static bool is_intrinsic(const char *line)
{
    static const char *const names[] = { "rdtsc", "rdrand",  "rdseed", "xbegin",
                                         "pause", "rep nop", NULL };
    return assembler_instruction_starts(skip_blanks(line), names);
}

static void read_line(struct scan *s, char *line, size_t number)
{
    const size_t length = strlen(line);
    const char *const remark = s->in_remark ? NULL : remark_of(line);
    if (remark) {
        show_line(s, length, LINE_OF_COMPILER);
        read_remark(s, remark, number);
        return;
    }
    if (!s->inside && !s->all && is_intrinsic(line)) {
        read_intrinsic(s, line);
        return;
    }
    if (!s->inside && !s->all) {
        show_line(s, length, LINE_OF_COMPILER);
        read_outside(s, line);
        return;
    }
    if (s->all) {
        s->line = s->base + (number - s->base_number);
        begin_block(s);
    }
    show_line(s, length, LINE_OF_ASSEMBLY);
    read_statements(s, line);
    s->visitor->end_line(s->visitor->context);
}

/* Compilers say who they are, or call hooks. */
bool assembler_inline_assembly_is_compiled(const char *text)
{
    return strstr(text, "\t.ident\t") || strstr(text, "__tsan_");
}

/* A line too long to be looked at may hold anything. */
static void read_long_line(struct scan *s, size_t length)
{
    struct assembler_statement found = { .is_directive = true,
                                         .labels = "",
                                         .text = "a very long line" };
    if (!s->inside && !s->all) {
        show_line(s, length, LINE_OF_COMPILER);
        return;
    }
    show_line(s, length, LINE_TOO_LONG);
    say_where(s, found.where);
    s->visitor->statement(s->visitor->context, &found);
    s->visitor->end_line(s->visitor->context);
}

static void scan_lines(struct scan *s, const char *text)
{
    char line[LINE];
    for (size_t number = 1; *text; number++) {
        const size_t length = strcspn(text, "\n");
        s->text = text;
        s->copy = line;
        if (length < sizeof line) {
            memcpy(line, text, length);
            line[length] = '\0';
            read_line(s, line, number);
        } else
            read_long_line(s, length);
        text += length + (text[length] == '\n');
    }
}

void assembler_inline_assembly_visit(const char *text, const char *source,
                                     const struct assembler_processor *p,
                                     const struct assembler_visitor *visitor)
{
    struct scan s = { .visitor = visitor,
                      .comment = p->comment,
                      .all = !assembler_inline_assembly_is_compiled(text),
                      .base = 1,
                      .base_number = 1 };
    snprintf(s.source, sizeof s.source, "%s", source);
    snprintf(s.file, sizeof s.file, "%s", source);
    scan_lines(&s, text);
}
