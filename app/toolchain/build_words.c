/* build_words.c - what stands behind `--`: for the compiler, for the linker,
 * or for both?
 *
 * Compilers warn of words that mean nothing in a step, so each step gets what
 * concerns it.  A word that is in no table is for both. */
#include "build.h"

#include "app/console/say.h"
#include <string.h>

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n > m && strcmp(text + n - m, ending) == 0;
}

enum toolchain_file_kind toolchain_kind_of_file(const char *path)
{
    static const struct {
        const char *ending;
        enum toolchain_file_kind kind;
    } known[] = {
        { ".c", FILE_C },       { ".cc", FILE_CXX },    { ".cpp", FILE_CXX },
        { ".cxx", FILE_CXX },   { ".C", FILE_CXX },     { ".o", FILE_OBJECT },
        { ".a", FILE_ARCHIVE }, { ".so", FILE_SHARED },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (ends_with(path, known[i].ending))
            return known[i].kind;
    return FILE_OTHER;
}

enum step { COMPILE = 1, LINK = 2, BOTH = COMPILE | LINK };

/* Options that begin with these words.  `apart`: the argument is the next word
 * if nothing follows; `exact`: nothing may follow. */
static const struct option {
    const char *word;
    enum step step;
    bool apart, exact;
} options[] = {
    { "-include", COMPILE, true, true },
    { "-imacros", COMPILE, true, true },
    { "-isystem", COMPILE, true, false },
    { "-iquote", COMPILE, true, false },
    { "-idirafter", COMPILE, true, false },
    { "-iprefix", COMPILE, true, false },
    { "-isysroot", BOTH, true, false },
    { "-I", COMPILE, true, false },
    { "-D", COMPILE, true, false },
    { "-U", COMPILE, true, false },
    { "-std=", COMPILE, false, false },
    { "-Wl,", LINK, false, false },
    { "-Wp,", COMPILE, false, false },
    { "-Wa,", COMPILE, false, false },
    { "-W", COMPILE, false, false },
    { "-w", COMPILE, false, true },
    { "-pedantic", COMPILE, false, false },
    { "-Xlinker", LINK, true, true },
    { "-Xpreprocessor", COMPILE, true, true },
    { "-Xassembler", COMPILE, true, true },
    { "-Xclang", COMPILE, true, true },
    { "-mllvm", COMPILE, true, true },
    { "--param", COMPILE, true, true },
    { "-target", BOTH, true, true },
    { "-arch", BOTH, true, true },
    { "-l", LINK, true, false },
    { "-L", LINK, true, false },
    { "-T", LINK, true, false },
    { "-u", LINK, true, true },
    { "-z", LINK, true, true },
    { "-rdynamic", LINK, false, true },
    { "-static-lib", LINK, false, false },
    { "-shared-lib", LINK, false, false },
};

static const struct option *option_of(const char *word)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const struct option *const o = options + i;
        const size_t length = strlen(o->word);
        if (strncmp(word, o->word, length) == 0 &&
            (!o->exact || word[length] == '\0'))
            return o;
    }
    return NULL;
}

static void add(struct toolchain_build *b, enum step step, const char *word)
{
    if (step & COMPILE)
        console_wordlist_add(&b->compile, word);
    if (step & LINK)
        console_wordlist_add(&b->link, word);
}

static void add_file(struct toolchain_build *b, const char *word)
{
    const enum toolchain_file_kind kind = toolchain_kind_of_file(word);
    if (kind == FILE_C || kind == FILE_CXX)
        console_wordlist_add(&b->sources, word);
    else
        console_wordlist_add(&b->link, word);
}

/* It names files that nobody looks into: a library may have changed. */
static bool hides_files(const char *word)
{
    return word[0] == '@' || strncmp(word, "-l", 2) == 0 ||
           strncmp(word, "-T", 2) == 0 || strncmp(word, "-Wl,", 4) == 0 ||
           strcmp(word, "-Xlinker") == 0;
}

bool toolchain_build_add_words(struct toolchain_build *b,
                               const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *const word = words[i];
        b->unseen |= hides_files(word);
        if (word[0] != '-' && word[0] != '@') {
            add_file(b, word);
            continue;
        }
        const struct option *const o = option_of(word);
        const enum step step = o ? o->step : BOTH;
        add(b, step, word);
        if (!o || !o->apart || word[strlen(o->word)] != '\0')
            continue;
        if (++i == count)
            return console_fails("%s: %s needs a value", b->subject, word);
        add(b, step, words[i]);
    }
    return true;
}
