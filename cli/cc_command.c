/* cc_command.c - plumb cc, plumb c++: compilers that call our hooks.
 *
 * They are the user's compiler with a few more words in front, and become it:
 * status, messages and files are its own.  The trouble is the last step.  Who
 * is told -fsanitize=thread links the library of that sanitizer; we want our
 * hooks instead, in programs.  Shared objects get neither: whoever loads them
 * has the hooks.
 *
 * gcc is told by "specs", by which it composes the commands it runs: only the
 * compiler proper gets to see the flags, and the linker's words depend on what
 * is linked.  They are a file, which lives in memory and is inherited.
 *
 * clang knows a flag against the library, but the rest depends on the command
 * line (linking.c). */
#include "app/console/install_paths.h"
#include "app/console/say.h"
#include "app/console/wordlist.h"
#include "app/toolchain/assembler_words.h"
#include "app/toolchain/instrument.h"
#include "app/toolchain/linking.h"
#include "app/toolchain/toolchain.h"
#include "cli.h"
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NOT_RUN = 127 }; /* as of a shell that finds no such program */

static void add_headers(struct console_wordlist *words)
{
    char path[PATH_MAX];
    console_wordlist_add(words, "-idirafter"); /* hide nothing of the user's */
    console_wordlist_add(words, console_install_paths_headers(path));
}

static void hooks_archive(char archive[PATH_MAX + 32])
{
    char path[PATH_MAX];
    snprintf(archive, PATH_MAX + 32, "%s/libplumb-hooks.a",
             console_install_paths_hooks(path));
}

/* ---- gcc ---- */

/* What means something in specs loses that by a backslash. */
static void write_escaped(FILE *to, const char *path)
{
    for (; *path; path++) {
        if (!isalnum((unsigned char)*path) && !strchr("/._-", *path))
            putc('\\', to);
        putc(*path, to);
    }
}

/* "+" adds to the specs that are there.  The whole archive: something that is
 * loaded later may want hooks that the program itself does not. */
static void write_specs(FILE *to)
{
    char archive[PATH_MAX + 32];
    hooks_archive(archive);
    fputs("*cc1_options:\n+", to);
    for (const char *const *f = toolchain_instrument_family_flags(FAMILY_GCC);
         *f; f++)
        fprintf(to, " %s", *f);
    fputs("\n\n*link:\n+ %{!shared:%{!r:--whole-archive ", to);
    write_escaped(to, archive);
    fputs(" --no-whole-archive}}\n\n*lib:\n+ %{shared:-z undefs}\n\n", to);
}

static bool add_gcc_words(struct console_wordlist *words)
{
    char option[64];
    const int fd = memfd_create("plumb.specs", 0); /* stays open */
    FILE *const to = fd < 0 ? NULL : fdopen(dup(fd), "w");
    if (!to)
        return false;
    write_specs(to);
    if (fclose(to) != 0)
        return false;
    snprintf(option, sizeof option, "-specs=/proc/self/fd/%d", fd);
    console_wordlist_add(words, option);
    add_headers(words);
    return true;
}

/* ---- clang ---- */

static void add_for_linker(struct console_wordlist *words, const char *word)
{
    console_wordlist_add(words, "-Xlinker");
    console_wordlist_add(words, word);
}

static void add_clang_words(struct console_wordlist *words,
                            const struct toolchain_linking *l)
{
    char archive[PATH_MAX + 32];
    hooks_archive(archive);
    for (const char *const *f = toolchain_instrument_family_flags(FAMILY_CLANG);
         *f; f++)
        console_wordlist_add(words, *f);
    console_wordlist_add(words, "--start-no-unused-arguments");
    console_wordlist_add(words, "-fno-sanitize-link-runtime");
    add_headers(words);
    if (l->inputs && !l->partial) {
        add_for_linker(words, "--whole-archive");
        add_for_linker(words, archive);
        add_for_linker(words, "--no-whole-archive");
    }
    console_wordlist_add(words, "--end-no-unused-arguments");
}

/* Behind the user's words, of which the last would count. */
static void add_last_clang_words(struct console_wordlist *words,
                                 const struct toolchain_linking *l)
{
    if (!l->partial || !l->complete)
        return;
    add_for_linker(words, "-z");
    add_for_linker(words, "undefs");
}

/* ---- both ---- */

static bool any_word(int argc, const char **argv, bool (*is)(const char *word))
{
    for (int i = 1; i < argc; i++)
        if (is(argv[i]))
            return true;
    return false;
}

static bool optimises_at_link(const char *word)
{
    return strncmp(word, "-flto", 5) == 0;
}

/* For which clang's own assembler has a use for words that others have not. */
static bool is_assembly(const char *word)
{
    const size_t length = strlen(word);
    return length > 2 && strcmp(word + length - 2, ".s") == 0;
}

static bool add_words(struct console_wordlist *words,
                      enum toolchain_language language,
                      enum toolchain_family family, int argc, const char **argv)
{
    struct toolchain_linking l = { .inputs = false };
    if (!toolchain_assembler_add_words(words, language, family))
        return false;
    if (family == FAMILY_CLANG && any_word(argc, argv, is_assembly))
        console_wordlist_add(words, "-Qunused-arguments");
    if (family == FAMILY_GCC && !add_gcc_words(words))
        return false;
    if (family == FAMILY_CLANG) {
        toolchain_linking_read(&l, argc - 1, argv + 1);
        add_clang_words(words, &l);
    }
    for (int i = 1; i < argc; i++)
        console_wordlist_add(words, argv[i]);
    if (family == FAMILY_CLANG)
        add_last_clang_words(words, &l);
    if (family != FAMILY_UNKNOWN && any_word(argc, argv, optimises_at_link))
        console_wordlist_add(words, "-fno-lto");
    return !words->broken;
}

/* The shell splits the compiler into words. */
static void become(const char *compiler, const struct console_wordlist *words)
{
    struct console_wordlist all = { .count = 0 };
    console_wordlist_add(&all, "sh");
    console_wordlist_add(&all, "-c");
    console_wordlist_add(&all, "cc=$1; shift; " INSTRUMENT_EXEC("\"$@\""));
    console_wordlist_add(&all, "sh");
    console_wordlist_add(&all, compiler);
    console_wordlist_add_all(&all, words);
    if (!all.broken) {
        signal(SIGPIPE, SIG_DFL);
        execv("/bin/sh", all.word);
    }
    console_wordlist_release(&all);
}

/* $CC may be a script that runs `plumb cc` again, without our seeing it.  That
 * one is told by a variable to be the plain compiler. */
static bool is_inner(void)
{
    static const char inner[] = "PLUMB_CC_INNER";
    return getenv(inner) || setenv(inner, "1", 1) != 0;
}

static enum console_status run(enum toolchain_language language,
                               const char *plain, int argc, const char **argv)
{
    const bool inner = is_inner();
    const char *const compiler =
        inner ? plain : toolchain_instrument_compiler(language);
    const enum toolchain_family family =
        inner ? FAMILY_UNKNOWN : toolchain_family_of(language);
    if (!inner && family == FAMILY_UNKNOWN)
        return console_error(
            "plumb %s: `%s` does not answer to --version as gcc or clang do",
            argv[0], compiler);
    struct console_wordlist words = { .count = 0 };
    if (add_words(&words, language, family, argc, argv))
        become(compiler, &words);
    console_say("plumb %s: could not run `%s`: %s", argv[0], compiler,
                console_reason());
    exit(NOT_RUN);
}

static enum console_status compile_c(int argc, const char **argv)
{
    return run(LANGUAGE_C, "cc", argc, argv);
}

static enum console_status compile_cxx(int argc, const char **argv)
{
    return run(LANGUAGE_CXX, "c++", argc, argv);
}

static const char about[] =
    "Run the compiler, $CC or $CXX, so that the compiled code calls "
    "Plumbline's hooks before every access to memory.  All arguments are the "
    "compiler's.  These commands are for projects that have their own build "
    "system.";
static const char examples[] = "  make CC='plumb cc' CXX='plumb c++'\n"
                               "  ./configure CC='plumb cc'\n";
static const char status[] =
    "  That of the compiler; 2 if it is neither gcc nor clang.\n";

const struct console_command cli_cc = {
    .name = "cc",
    .summary = "compile C with hooks: make CC='plumb cc'",
    .arguments = "[ARGUMENT...]",
    .about = about,
    .examples = examples,
    .status = status,
    .names = NAMES_FILES,
    .main = compile_c,
};
const struct console_command cli_cxx = {
    .name = "c++",
    .summary = "compile C++ with hooks: make CXX='plumb c++'",
    .arguments = "[ARGUMENT...]",
    .about = about,
    .examples = examples,
    .status = status,
    .names = NAMES_FILES,
    .main = compile_cxx,
};
