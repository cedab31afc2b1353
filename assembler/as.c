/* as.c - a program in front of the assembler.
 *
 * The compiler runs it as `as` (-B).  It looks for inline assembly that can
 * touch memory, then becomes the assembler, which gets one more input: a
 * section that lists what was found, so that whoever has the object, years
 * later and elsewhere, knows (app/binary/assembly_notes.h).
 *
 *     .section .plumb.assembly,"MS",@progbits,1
 *     .string "looked"
 *     .string "queue.c:12: movq (%rdi), %rax"
 *
 * $PLUMB_ASSEMBLER is the assembler; else `as` is searched for. */
#include "inline_assembly.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int fail(const char *what)
{
    fprintf(stderr, "plumb: assembler: %s: %s\n", what, strerror(errno));
    return 1;
}

/* ---- reading ---- */

/* All that there is, and a zero; NULL if it cannot be read. */
static char *read_whole(int fd, size_t *length)
{
    size_t room = 1 << 16, used = 0;
    char *text = malloc(room);
    while (text) {
        const ssize_t got = read(fd, text + used, room - used - 1);
        if (got == 0)
            break;
        if (got < 0 && errno != EINTR) {
            free(text);
            return NULL;
        }
        used += got > 0 ? (size_t)got : 0;
        if (room - used > 1)
            continue;
        char *const larger = realloc(text, room *= 2);
        if (!larger)
            free(text);
        text = larger;
    }
    if (text)
        text[ *length = used] = '\0';
    return text;
}

static char *read_path(const char *path)
{
    size_t length;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *const text = fd < 0 ? NULL : read_whole(fd, &length);
    if (fd >= 0)
        close(fd);
    return text;
}

/* ---- the list ---- */

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

static void put_finding(void *context, const char *where, const char *statement)
{
    FILE *const to = context;
    char shorter[64];
    snprintf(shorter, sizeof shorter, "%s", statement);
    fputs("\t.string \"", to);
    put_string(to, where);
    fputs(": ", to);
    put_string(to, shorter);
    fputs("\"\n", to);
}

static void put_list(FILE *to, const char *text, const char *source)
{
#ifdef __aarch64__
    const struct assembler_processor *const p = &assembler_processor_aarch64;
#else
    const struct assembler_processor *const p = &assembler_processor_x86_64;
#endif
    fputs("\n\t.section .plumb.assembly,\"MS\",@progbits,1\n"
          "\t.string \"looked\"\n",
          to);
    assembler_inline_assembly_scan(text, source, p, put_finding, to);
}

/* A file without a name, which stays open for the assembler; -1: failed. */
static int make_list(const char *before, size_t length, const char *text,
                     const char *source)
{
    const int fd = memfd_create("plumb-assembly", 0);
    FILE *const to = fd < 0 ? NULL : fdopen(dup(fd), "w");
    if (!to)
        return -1;
    fwrite(before, 1, length, to);
    put_list(to, text, source);
    const bool failed = ferror(to);
    return fclose(to) == 0 && !failed && lseek(fd, 0, SEEK_SET) == 0 ? fd : -1;
}

/* ---- words ---- */

static bool takes_a_word(const char *option)
{
    static const char *const options[] = { "-o",   "-I",  "--defsym",
                                           "--MD", "-MD", NULL };
    return assembler_instruction_is(option, options);
}

struct inputs {
    int count;
    const char *path;
    bool nothing; /* it only asks for the version, or the like */
};

static struct inputs find_inputs(int argc, char **argv)
{
    struct inputs found = { 0 };
    for (int i = 1; i < argc; i++) {
        const char *const word = argv[i];
        if (takes_a_word(word))
            i++;
        else if (strncmp(word, "--version", 9) == 0 ||
                 strncmp(word, "--help", 6) == 0 || word[0] == '@')
            found.nothing = true;
        else if (word[0] != '-') {
            found.count++;
            found.path = word;
        }
    }
    return found;
}

static int become_assembler(char **argv)
{
    const char *const given = getenv("PLUMB_ASSEMBLER");
    const char *const program = given && *given ? given : "as";
    execvp(program, argv);
    return fail(program);
}

/* ---- the two ways to get at the text ---- */

static int assemble_stdin(char **argv)
{
    size_t length;
    char *const text = read_whole(STDIN_FILENO, &length);
    const int fd = text ? make_list(text, length, text, "standard input") : -1;
    if (fd < 0 || dup2(fd, STDIN_FILENO) < 0)
        return fail("standard input");
    return become_assembler(argv);
}

static int assemble_file(int argc, char **argv, const char *path)
{
    char list[64];
    char **const words = calloc((size_t)argc + 2, sizeof *words);
    char *const text = words ? read_path(path) : NULL;
    const int fd = text ? make_list("", 0, text, path) : -1;
    if (fd < 0)
        return fail(path);
    memcpy(words, argv, (size_t)argc * sizeof *words);
    snprintf(list, sizeof list, "/proc/self/fd/%d", fd);
    words[argc] = list;
    return become_assembler(words);
}

/* Several files, or a file of options, which no compiler writes, get no list:
 * what they hold is unknown. */
int main(int argc, char **argv)
{
    const struct inputs found = find_inputs(argc, argv);
    if (found.nothing || found.count > 1)
        return become_assembler(argv);
    return found.count ? assemble_file(argc, argv, found.path)
                       : assemble_stdin(argv);
}
