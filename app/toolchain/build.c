/* build.c - from sources and objects to one shared object. */
#include "build.h"

#include "app/console/input.h"
#include "app/console/install_paths.h"
#include "app/console/interrupt.h"
#include "app/console/say.h"
#include "cache.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum toolchain_language language_of(const char *source)
{
    return toolchain_kind_of_file(source) == FILE_CXX ? LANGUAGE_CXX
                                                      : LANGUAGE_C;
}

/* A name that begins with a dash is not an option. */
static void add_file(struct console_wordlist *words, const char *path)
{
    char plain[PATH_MAX + 2];
    snprintf(plain, sizeof plain, "%s%s", path[0] == '-' ? "./" : "", path);
    console_wordlist_add(words, plain);
}

/* ---- the steps ---- */

static void add_compile_words(const struct toolchain_build *b,
                              const char *source,
                              struct console_wordlist *words)
{
    char path[PATH_MAX];
    const char *const *hook = b->hooks[language_of(source)];
    console_wordlist_add(words, "-I");
    console_wordlist_add(words, console_install_paths_headers(path));
    console_wordlist_add_all(words, &b->compile);
    while (hook && *hook)
        console_wordlist_add(words, *hook++);
    console_wordlist_add_all(words, &b->last[language_of(source)]);
    add_file(words, source);
}

/* Warnings are for when it is compiled, so the first try is silent. */
static bool preprocess(const struct toolchain_build *b, const char *source,
                       struct plumb_base_text *out)
{
    struct console_wordlist words = { .count = 0 };
    console_wordlist_add(&words, "-E");
    add_compile_words(b, source, &words);
    const bool done =
        toolchain_try(b->recipe, language_of(source), &words, NULL, out) ||
        toolchain_run(b->recipe, language_of(source), &words, out);
    console_wordlist_release(&words);
    if (!done)
        console_say("%s: compilation failed; the compiler's messages are above",
                    b->subject);
    return done;
}

/* What the compiler prints to stdout is nobody's result. */
static bool run_compiler(const struct toolchain_build *b,
                         enum toolchain_language language,
                         const struct console_wordlist *words)
{
    struct plumb_base_text ignored = { 0 };
    const bool done = toolchain_run(b->recipe, language, words, &ignored);
    plumb_base_text_release(&ignored);
    return done;
}

static bool compile(const struct toolchain_build *b, const char *source,
                    const char *object)
{
    struct console_wordlist words = { .count = 0 };
    console_wordlist_add(&words, "-c");
    console_wordlist_add(&words, "-o");
    console_wordlist_add(&words, object);
    add_compile_words(b, source, &words);
    const bool done = run_compiler(b, language_of(source), &words);
    console_wordlist_release(&words);
    if (!done && !console_interrupts_held_one())
        console_say("%s: compilation failed; the compiler's messages are above",
                    b->subject);
    return done;
}

static bool holds_any(const char *path, const char *const *texts)
{
    struct plumb_error err;
    struct console_input f;
    bool found = false;
    if (console_input_open(&f, path, NULL, &err) != PLUMB_OK)
        return false;
    for (; f.size > 0 && *texts && !found; texts++)
        found = memmem(f.data, f.size, *texts, strlen(*texts)) != NULL;
    console_input_close(&f);
    return found;
}

/* Objects do not say what they were compiled from, but what they call does. */
static bool is_cxx_object(const char *path)
{
    static const char *const signs[] = { "__gxx_personality_v0", "_Znw", "_Zdl",
                                         "_ZSt", NULL };
    return holds_any(path, signs);
}

static bool is_object(const char *word)
{
    const enum toolchain_file_kind kind = toolchain_kind_of_file(word);
    return kind == FILE_OBJECT || kind == FILE_ARCHIVE;
}

/* The C++ compiler links what holds C++: it knows the library. */
static enum toolchain_language linker_of(const struct toolchain_build *b)
{
    for (size_t i = 0; i < b->sources.count; i++)
        if (language_of(b->sources.word[i]) == LANGUAGE_CXX)
            return LANGUAGE_CXX;
    for (size_t i = 0; i < b->link.count; i++)
        if (is_object(b->link.word[i]) && is_cxx_object(b->link.word[i]))
            return LANGUAGE_CXX;
    return LANGUAGE_C;
}

bool toolchain_build_uses(const struct toolchain_build *b,
                          enum toolchain_language language)
{
    for (size_t i = 0; i < b->sources.count; i++)
        if (language_of(b->sources.word[i]) == language)
            return true;
    return linker_of(b) == language;
}

static bool link_objects(const struct toolchain_build *b,
                         const struct console_wordlist *objects,
                         const char *part)
{
    struct console_wordlist words = { .count = 0 };
    console_wordlist_add(&words, "-shared");
    console_wordlist_add(&words, "-o");
    console_wordlist_add(&words, part);
    console_wordlist_add_all(&words, objects);
    console_wordlist_add_all(&words, &b->link);
    console_wordlist_add_all(&words, &b->last[linker_of(b)]);
    const bool done = run_compiler(b, linker_of(b), &words);
    console_wordlist_release(&words);
    if (!done && !console_interrupts_held_one())
        console_say("%s: linking failed; the linker's messages are above "
                    "(objects must be compiled with -fPIC)",
                    b->subject);
    return done;
}

/* ---- all of them ---- */

static bool compile_all(const struct toolchain_build *b, const char *part,
                        struct console_wordlist *objects)
{
    char object[PATH_MAX + 32];
    for (size_t i = 0; i < b->sources.count; i++) {
        snprintf(object, sizeof object, "%s.%zu.o", part, i);
        console_wordlist_add(objects, object);
        if (objects->broken || !compile(b, b->sources.word[i], object))
            return false;
    }
    return true;
}

static bool make(const void *context, const char *part)
{
    const struct toolchain_build *const b = context;
    struct console_wordlist objects = { .count = 0 };
    const bool done =
        compile_all(b, part, &objects) && link_objects(b, &objects, part);
    for (size_t i = 0; i < objects.count; i++)
        unlink(objects.word[i]);
    console_wordlist_release(&objects);
    return done;
}

/* ---- the key ---- */

static void describe_words(const struct console_wordlist *words,
                           struct plumb_base_text *out)
{
    for (size_t i = 0; i < words->count; i++)
        plumb_base_text_printf(out, "%s\n", words->word[i]);
    plumb_base_text_add(out, "\n");
}

static bool describe_compilers(const struct toolchain_build *b,
                               struct plumb_base_text *out)
{
    for (unsigned l = LANGUAGE_C; l <= LANGUAGE_CXX; l++) {
        const enum toolchain_language language = (enum toolchain_language)l;
        if (toolchain_build_uses(b, language) &&
            !toolchain_version(b->subject, language, out))
            return false;
    }
    return true;
}

static bool describe_file(const char *path, struct plumb_base_text *out)
{
    struct plumb_error err = { .message = "out of memory" };
    struct console_input f;
    if (console_input_open(&f, path, NULL, &err) != PLUMB_OK)
        return console_fails("%s: %s", path, err.message);
    if (f.size > 0)
        plumb_base_text_bytes(out, f.data, f.size);
    console_input_close(&f);
    return true;
}

static bool describe_source(const struct toolchain_build *b, const char *source,
                            struct plumb_base_text *out)
{
    const char *const *hook = b->hooks[language_of(source)];
    while (hook && *hook)
        plumb_base_text_printf(out, "%s\n", *hook++);
    return preprocess(b, source, out);
}

/* An object, or what else the linker is given: assembly, a script. */
static bool is_linked_file(const char *word)
{
    return is_object(word) || (word[0] != '-' && access(word, R_OK) == 0);
}

static bool describe_contents(const struct toolchain_build *b,
                              struct plumb_base_text *out)
{
    for (size_t i = 0; i < b->sources.count; i++)
        if (!describe_source(b, b->sources.word[i], out))
            return false;
    for (size_t i = 0; i < b->link.count; i++)
        if (is_linked_file(b->link.word[i]) &&
            !describe_file(b->link.word[i], out))
            return false;
    return true;
}

/* The program in front of the assembler: what it makes of inline assembly has to
 * fit the hooks. */
static bool describe_assembler(const struct console_wordlist *last,
                               struct plumb_base_text *out)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < last->count; i++) {
        if (strncmp(last->word[i], "-B", 2) != 0)
            continue;
        snprintf(path, sizeof path, "%sas", last->word[i] + 2);
        if (access(path, R_OK) == 0 && !describe_file(path, out))
            return false;
    }
    return true;
}

/* Everything the result depends on. */
static bool describe(const struct toolchain_build *b,
                     struct plumb_base_text *out)
{
    plumb_base_text_printf(out, PLUMB_VERSION "\n%s\n", b->recipe->flags);
    describe_words(&b->sources, out);
    describe_words(&b->compile, out);
    describe_words(&b->link, out);
    for (unsigned l = LANGUAGE_C; l <= LANGUAGE_CXX; l++) {
        describe_words(&b->last[l], out);
        if (!describe_assembler(&b->last[l], out))
            return false;
    }
    if (!describe_compilers(b, out) || !describe_contents(b, out))
        return false;
    if (!out->broken)
        return true;
    return console_fails("%s: out of memory", b->subject);
}

static bool files_are_there(const struct toolchain_build *b)
{
    for (size_t i = 0; i < b->sources.count; i++) {
        const char *const path = b->sources.word[i];
        if (access(path, R_OK) != 0)
            return console_fails("%s: cannot read it: %s", path,
                                 console_reason());
    }
    return true;
}

static bool words_are_whole(const struct toolchain_build *b)
{
    if (!b->sources.broken && !b->compile.broken && !b->link.broken &&
        !b->last[LANGUAGE_C].broken && !b->last[LANGUAGE_CXX].broken)
        return true;
    return console_fails("%s: out of memory", b->subject);
}

/* Interrupted, it leaves nothing behind. */
static bool fill(const struct toolchain_build *b, char object[PATH_MAX],
                 bool *temporary)
{
    console_interrupts_hold();
    const bool done = toolchain_cache_fill(b->subject, object, make, b);
    if (!done)
        toolchain_cache_discard(object, temporary);
    console_interrupts_release();
    if (!done && console_interrupts_held_one())
        console_say("%s: interrupted during compilation", b->subject);
    return done;
}

bool toolchain_build_shared_object(const struct toolchain_build *b,
                                   char object[PATH_MAX], bool *temporary)
{
    struct plumb_base_text key = { 0 };
    *temporary = false;
    if (!words_are_whole(b) || !files_are_there(b))
        return false;
    const bool located =
        describe(b, &key) &&
        toolchain_cache_locate(b->subject, &key, !b->unseen, object, temporary);
    plumb_base_text_release(&key);
    return located &&
           (toolchain_cache_has(object) || fill(b, object, temporary));
}

void toolchain_build_release(struct toolchain_build *b)
{
    console_wordlist_release(&b->sources);
    console_wordlist_release(&b->compile);
    console_wordlist_release(&b->link);
    for (unsigned l = LANGUAGE_C; l <= LANGUAGE_CXX; l++)
        console_wordlist_release(&b->last[l]);
}
