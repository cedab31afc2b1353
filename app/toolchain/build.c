/* build.c - from sources and objects to one shared object. */
#include "build.h"

#include "cache.h"
#include "app/console/input.h"
#include "app/console/interrupt.h"
#include "app/console/say.h"
#include "app/console/tree.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum language language_of(const char *source)
{
    return kind_of_file(source) == FILE_CXX ? LANGUAGE_CXX : LANGUAGE_C;
}

/* A name that begins with a dash is not an option. */
static void add_file(struct wordlist *words, const char *path)
{
    char plain[PATH_MAX + 2];
    snprintf(plain, sizeof plain, "%s%s", path[0] == '-' ? "./" : "", path);
    wordlist_add(words, plain);
}

/* ---- the steps ---- */

static void add_compile_words(const struct build *b, const char *source,
                              struct wordlist *words)
{
    char path[PATH_MAX];
    const char *const *hook = b->hooks[language_of(source)];
    wordlist_add(words, "-I");
    wordlist_add(words, tree_headers(path));
    wordlist_add_all(words, &b->compile);
    while (hook && *hook)
        wordlist_add(words, *hook++);
    wordlist_add_all(words, &b->last[language_of(source)]);
    add_file(words, source);
}

/* Warnings are for when it is compiled, so the first try is silent. */
static bool preprocess(const struct build *b, const char *source,
                       struct plumb_text *out)
{
    struct wordlist words = { .count = 0 };
    wordlist_add(&words, "-E");
    add_compile_words(b, source, &words);
    const bool done =
        toolchain_try(b->recipe, language_of(source), &words, NULL, out) ||
        toolchain_run(b->recipe, language_of(source), &words, out);
    wordlist_release(&words);
    if (!done)
        say("%s: could not be compiled; the compiler's messages are above",
            b->subject);
    return done;
}

/* What the compiler prints to stdout is nobody's result. */
static bool run_compiler(const struct build *b, enum language language,
                         const struct wordlist *words)
{
    struct plumb_text ignored;
    plumb_text_init(&ignored, NULL);
    const bool done = toolchain_run(b->recipe, language, words, &ignored);
    plumb_text_release(&ignored);
    return done;
}

static bool compile(const struct build *b, const char *source,
                    const char *object)
{
    struct wordlist words = { .count = 0 };
    wordlist_add(&words, "-c");
    wordlist_add(&words, "-o");
    wordlist_add(&words, object);
    add_compile_words(b, source, &words);
    const bool done = run_compiler(b, language_of(source), &words);
    wordlist_release(&words);
    if (!done && !interrupts_held_one())
        say("%s: could not be compiled; the compiler's messages are above",
            b->subject);
    return done;
}

static bool holds_any(const char *path, const char *const *texts)
{
    struct plumb_error err;
    struct input f;
    bool found = false;
    if (input_open(&f, path, NULL, &err) != PLUMB_OK)
        return false;
    for (; f.size > 0 && *texts && !found; texts++)
        found = memmem(f.data, f.size, *texts, strlen(*texts)) != NULL;
    input_close(&f);
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
    const enum file_kind kind = kind_of_file(word);
    return kind == FILE_OBJECT || kind == FILE_ARCHIVE;
}

/* The C++ compiler links what holds C++: it knows the library. */
static enum language linker_of(const struct build *b)
{
    for (size_t i = 0; i < b->sources.count; i++)
        if (language_of(b->sources.word[i]) == LANGUAGE_CXX)
            return LANGUAGE_CXX;
    for (size_t i = 0; i < b->link.count; i++)
        if (is_object(b->link.word[i]) && is_cxx_object(b->link.word[i]))
            return LANGUAGE_CXX;
    return LANGUAGE_C;
}

static bool link_objects(const struct build *b, const struct wordlist *objects,
                         const char *part)
{
    struct wordlist words = { .count = 0 };
    wordlist_add(&words, "-shared");
    wordlist_add(&words, "-o");
    wordlist_add(&words, part);
    wordlist_add_all(&words, objects);
    wordlist_add_all(&words, &b->link);
    wordlist_add_all(&words, &b->last[linker_of(b)]);
    const bool done = run_compiler(b, linker_of(b), &words);
    wordlist_release(&words);
    if (!done && !interrupts_held_one())
        say("%s: could not be linked; the messages are above (objects must be "
            "compiled with -fPIC)",
            b->subject);
    return done;
}

/* ---- all of them ---- */

static bool compile_all(const struct build *b, const char *part,
                        struct wordlist *objects)
{
    char object[PATH_MAX + 32];
    for (size_t i = 0; i < b->sources.count; i++) {
        snprintf(object, sizeof object, "%s.%zu.o", part, i);
        wordlist_add(objects, object);
        if (objects->broken || !compile(b, b->sources.word[i], object))
            return false;
    }
    return true;
}

static bool make(const void *context, const char *part)
{
    const struct build *const b = context;
    struct wordlist objects = { .count = 0 };
    const bool done =
        compile_all(b, part, &objects) && link_objects(b, &objects, part);
    for (size_t i = 0; i < objects.count; i++)
        unlink(objects.word[i]);
    wordlist_release(&objects);
    return done;
}

/* ---- the key ---- */

static void describe_words(const struct wordlist *words, struct plumb_text *out)
{
    for (size_t i = 0; i < words->count; i++)
        plumb_text_printf(out, "%s\n", words->word[i]);
    plumb_text_add(out, "\n");
}

static bool describe_compilers(const struct build *b, struct plumb_text *out)
{
    bool used[] = { [LANGUAGE_C] = false, [LANGUAGE_CXX] = false };
    used[linker_of(b)] = true;
    for (size_t i = 0; i < b->sources.count; i++)
        used[language_of(b->sources.word[i])] = true;
    for (unsigned l = LANGUAGE_C; l <= LANGUAGE_CXX; l++)
        if (used[l] && !toolchain_version(b->subject, (enum language)l, out))
            return false;
    return true;
}

static bool describe_file(const char *path, struct plumb_text *out)
{
    struct plumb_error err = { .message = "out of memory" };
    struct input f;
    if (input_open(&f, path, NULL, &err) != PLUMB_OK) {
        say("%s: %s", path, err.message);
        return false;
    }
    if (f.size > 0)
        plumb_text_bytes(out, f.data, f.size);
    input_close(&f);
    return true;
}

static bool describe_source(const struct build *b, const char *source,
                            struct plumb_text *out)
{
    const char *const *hook = b->hooks[language_of(source)];
    while (hook && *hook)
        plumb_text_printf(out, "%s\n", *hook++);
    return preprocess(b, source, out);
}

/* An object, or what else the linker is given: assembly, a script. */
static bool is_linked_file(const char *word)
{
    return is_object(word) || (word[0] != '-' && access(word, R_OK) == 0);
}

static bool describe_contents(const struct build *b, struct plumb_text *out)
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

/* Everything the result depends on. */
static bool describe(const struct build *b, struct plumb_text *out)
{
    plumb_text_printf(out, PLUMB_VERSION "\n%s\n", b->recipe->flags);
    describe_words(&b->sources, out);
    describe_words(&b->compile, out);
    describe_words(&b->link, out);
    for (unsigned l = LANGUAGE_C; l <= LANGUAGE_CXX; l++)
        describe_words(&b->last[l], out);
    if (!describe_compilers(b, out) || !describe_contents(b, out))
        return false;
    if (!out->broken)
        return true;
    say("%s: out of memory", b->subject);
    return false;
}

static bool files_are_there(const struct build *b)
{
    for (size_t i = 0; i < b->sources.count; i++) {
        const char *const path = b->sources.word[i];
        if (access(path, R_OK) != 0) {
            say("%s: cannot read it: %s", path, reason());
            return false;
        }
    }
    return true;
}

static bool words_are_whole(const struct build *b)
{
    if (!b->sources.broken && !b->compile.broken && !b->link.broken &&
        !b->last[LANGUAGE_C].broken && !b->last[LANGUAGE_CXX].broken)
        return true;
    say("%s: out of memory", b->subject);
    return false;
}

/* Interrupted, it leaves nothing behind. */
static bool fill(const struct build *b, char object[PATH_MAX], bool *temporary)
{
    interrupts_hold();
    const bool done = cache_fill(b->subject, object, make, b);
    if (!done)
        cache_discard(object, temporary);
    interrupts_release();
    if (!done && interrupts_held_one())
        say("%s: interrupted while it was compiled", b->subject);
    return done;
}

bool build_shared_object(const struct build *b, char object[PATH_MAX],
                         bool *temporary)
{
    struct plumb_text key;
    *temporary = false;
    if (!words_are_whole(b) || !files_are_there(b))
        return false;
    plumb_text_init(&key, NULL);
    const bool located =
        describe(b, &key) &&
        cache_locate(b->subject, &key, !b->unseen, object, temporary);
    plumb_text_release(&key);
    return located && (cache_has(object) || fill(b, object, temporary));
}

void build_release(struct build *b)
{
    wordlist_release(&b->sources);
    wordlist_release(&b->compile);
    wordlist_release(&b->link);
    for (unsigned l = LANGUAGE_C; l <= LANGUAGE_CXX; l++)
        wordlist_release(&b->last[l]);
}
