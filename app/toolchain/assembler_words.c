/* assembler_words.c - see assembler_words.h.
 *
 * The program that stands in front has to know the assembler behind it, which
 * differs between compilers for other machines.  It is told by a variable. */
#include "assembler_words.h"

#include "app/console/install_paths.h"
#include "app/console/say.h"
#include "toolchain.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void name_assembler(enum toolchain_language language)
{
    static const struct toolchain_recipe plain = { "", false };
    struct console_wordlist words = { .count = 0 };
    struct plumb_base_text answer = { 0 };
    console_wordlist_add(&words, "-print-prog-name=as");
    if (toolchain_try(&plain, language, &words, NULL, &answer)) {
        char path[PATH_MAX];
        const char *const text = plumb_base_text_string(&answer);
        snprintf(path, sizeof path, "%.*s", (int)strcspn(text, "\n"), text);
        setenv("PLUMB_ASSEMBLER", path, 1);
    }
    console_wordlist_release(&words);
    plumb_base_text_release(&answer);
}

bool toolchain_assembler_add_words(struct console_wordlist *words,
                                   enum toolchain_language language,
                                   enum toolchain_family family)
{
    static const char *const clang[] = { "--start-no-unused-arguments",
                                         "-fno-integrated-as",
                                         "--end-no-unused-arguments" };
    char directory[PATH_MAX], program[PATH_MAX + 8];
    console_install_paths_assembler(directory);
    snprintf(program, sizeof program, "%s/as", directory);
    if (family == FAMILY_UNKNOWN)
        return true;
    if (access(program, X_OK) != 0)
        return console_fails("%s: plumb's assembler not found: %s", program,
                             console_reason());
    name_assembler(language);
    snprintf(program, sizeof program, "-B%s/", directory);
    console_wordlist_add(words, program);
    for (size_t i = 0;
         family == FAMILY_CLANG && i < sizeof clang / sizeof *clang; i++)
        console_wordlist_add(words, clang[i]);
    return true;
}
