/* as.c - a program in front of the assembler.
 *
 * The compiler runs it as `as` (-B).  It puts calls of hooks into inline
 * assembly (rewriting.h) and has the assembler assemble that, with a section
 * that lists what is not followed, so that whoever has the object, years later
 * and elsewhere, knows (app/binary/assembly_notes.h).
 *
 * A build never fails by this: what the assembler refuses it gets as it was
 * written, with a longer list.  $PLUMB_ASSEMBLER is the assembler; else `as` is
 * searched for. */
#include "inline_assembly.h"
#include "rewriting.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int fail(const char *what)
{
    fprintf(stderr, "plumb: assembler: %s: %s\n", what, strerror(errno));
    return 1;
}

/* ---- reading ---- */

/* Comments may contain zero bytes: clang 14 explains an operand of 0 by that
 * character.  Text is what ends with a zero byte, so blanks stand in for them;
 * compilers write those of strings as numbers. */
static void blank_zeros(char *text, size_t length)
{
    char *at = text;
    while ((at = memchr(at, '\0', length - (size_t)(at - text))))
        *at = ' ';
}

/* All that there is, and a zero; NULL if it cannot be read. */
static char *read_whole(int fd)
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
    if (text) {
        blank_zeros(text, used);
        text[used] = '\0';
    }
    return text;
}

static char *read_path(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *const text = fd < 0 ? NULL : read_whole(fd);
    if (fd >= 0)
        close(fd);
    return text;
}

/* ---- writing ---- */

static const struct assembler_processor *processor(void)
{
#ifdef __aarch64__
    return &assembler_processor_aarch64;
#else
    return &assembler_processor_x86_64;
#endif
}

/* A file without a name, which stays open for the assembler; -1: failed. */
static int rewrite(const char *text, const char *source, bool as_written)
{
    const int fd = memfd_create("plumb-assembly", 0);
    FILE *const to = fd < 0 ? NULL : fdopen(dup(fd), "w");
    if (!to)
        return -1;
    if (!assembler_inline_assembly_is_compiled(text)) /* as debuggers name it */
        fprintf(to, "# 1 \"%s\"\n", source);
    const bool done =
        assembler_rewrite(to, text, source, processor(), as_written) &&
        !ferror(to);
    return fclose(to) == 0 && done && lseek(fd, 0, SEEK_SET) == 0 ? fd : -1;
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
    char **path;
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
            found.path = &argv[i];
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

/* Where the assembler finds its text: fd, as its standard input or as the word
 * that named the file. */
static void give(int fd, char **word)
{
    static char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    if (word)
        *word = name;
    else
        dup2(fd, STDIN_FILENO);
}

/* Did it work?  What it says on the way is only said if it did. */
static bool try_assembler(char **argv)
{
    char line[512];
    int status = -1;
    FILE *const said = tmpfile();
    const pid_t child = said ? fork() : -1;
    if (child == 0) {
        dup2(fileno(said), STDERR_FILENO);
        _exit(become_assembler(argv));
    }
    const bool done = child > 0 && waitpid(child, &status, 0) == child &&
                      WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (said)
        rewind(said);
    while (done && fgets(line, sizeof line, said))
        fputs(line, stderr);
    if (said)
        fclose(said);
    return done;
}

/* Several files, or a file of options, which no compiler writes, are left
 * alone: what they hold is unknown. */
int main(int argc, char **argv)
{
    const struct inputs found = find_inputs(argc, argv);
    if (found.nothing || found.count > 1)
        return become_assembler(argv);
    const char *const name = found.count ? *found.path : "standard input";
    char *const text = found.count ? read_path(name) : read_whole(STDIN_FILENO);
    int fd = text ? rewrite(text, name, false) : -1;
    if (fd < 0)
        return fail(name);
    give(fd, found.path);
    if (try_assembler(argv))
        return 0;
    fd = rewrite(text, name, true);
    if (fd < 0)
        return fail(name);
    give(fd, found.path);
    return become_assembler(argv);
}
