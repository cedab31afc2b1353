/* instrument.c - how a compiler is told to call our hooks before every access.
 *
 * Why each flag is there:
 *
 * - volatile accesses get hooks of their own, as atomics do;
 * - gcc warns of fences, which its own sanitizer does not understand; ours has
 *   nothing to understand;
 * - sources that ask __SANITIZE_THREAD__ would avoid fences, or announce their
 *   locks: what is tested should be what is shipped;
 * - clang leaves out the hook of a read if a write to the same place follows:
 *   then nothing could come between the two halves of x++;
 * - clang calls libatomic for 16 bytes unless the processor is known to have
 *   an instruction for them, and no hook is in there;
 * - an index outside of an array whose size is known reaches other memory, which
 *   no hook of an access can tell;
 * - and clang complains of flags that a step, such as assembling, has no use
 *   for. */
#include "instrument.h"

#include "base/spelling.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const any_flags[] = { "-fsanitize=thread", NULL };

static const char *const gcc_flags[] = {
    "-fsanitize=thread", "--param=tsan-distinguish-volatile=1",
    "-Wno-tsan",         "-U__SANITIZE_THREAD__",
    "-fsanitize=bounds", NULL
};

static const char *const clang_flags[] = {
    "--start-no-unused-arguments",
    "-fsanitize=thread",
    "-mllvm",
    "-tsan-instrument-read-before-write=1",
    "-mllvm",
    "-tsan-distinguish-volatile=1",
    "-fsanitize=array-bounds",
#ifdef __x86_64__
    "-mcx16",
#endif
    "--end-no-unused-arguments",
    NULL
};

/* ---- which compiler ---- */

/* The word at the end of a path that begins at `*text`; skips it. */
static size_t next_word(const char **text, const char **word)
{
    static const char blank[] = " \t\n";
    const char *const begin = *text + strspn(*text, blank);
    const size_t length = strcspn(begin, blank);
    *text = begin + length;
    *word = begin;
    for (const char *c = begin; c < begin + length; c++)
        if (*c == '/')
            *word = c + 1;
    return (size_t)(*text - *word);
}

/* A file, whatever blanks its path has. */
static bool is_plumb_itself(const char *command)
{
    const char *const slash = strrchr(command, '/');
    return slash && strcmp(slash, "/plumb") == 0 && access(command, X_OK) == 0;
}

/* `plumb cc`, `/opt/bin/plumb c++`, `ccache plumb cc`, ...; and `plumb` alone,
 * which is what CMake makes of it. */
static bool is_ourselves(const char *command)
{
    const char *word;
    bool first = true, after_plumb = false;
    if (is_plumb_itself(command))
        return true;
    for (size_t length; (length = next_word(&command, &word)) > 0;) {
        const bool plumb = plumb_base_is_word(word, length, "plumb");
        if (first && plumb)
            return true;
        if (after_plumb && (plumb_base_is_word(word, length, "cc") ||
                            plumb_base_is_word(word, length, "c++")))
            return true;
        first = false;
        after_plumb = plumb;
    }
    return false;
}

const char *toolchain_instrument_compiler(enum toolchain_language language)
{
    const bool cxx = language == LANGUAGE_CXX;
    const char *const given = getenv(cxx ? "CXX" : "CC");
    if (given && given[strspn(given, " \t\n")] && !is_ourselves(given))
        return given;
    return cxx ? "c++" : "cc";
}

const char *const *toolchain_instrument_family_flags(
    enum toolchain_family family)
{
    static const char *const *const flags[] = { [FAMILY_UNKNOWN] = any_flags,
                                                [FAMILY_GCC] = gcc_flags,
                                                [FAMILY_CLANG] = clang_flags };
    return flags[family];
}
