/* target.c - an object under test: from its name to a shared object. */
#include "target.h"

#include "app/toolchain/assembler_words.h"
#include "app/binary/assembly_notes.h"
#include "app/toolchain/build.h"
#include "app/toolchain/cache.h"
#include "app/binary/exports.h"
#include "app/toolchain/instrument.h"
#include "library.h"
#include "runtime/explore/shims/wrapped.h"
#include "app/console/say.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is tried for a name without an ending, in this order. */
static const char *const endings[] = { ".so", ".o",   ".c", ".cpp",
                                       ".cc", ".cxx", ".C", NULL };

/* With hooks every access is to stay what it is; without, somebody measures. */
static const struct recipe hooked_recipe = { "-O1 -g -fPIC -fno-tree-vectorize",
                                             true };
static const struct recipe plain_recipe = { "-O2 -g -fPIC", true };

/* ---- which file ---- */

bool target_file(const char *name, char path[PATH_MAX])
{
    for (size_t i = 0; endings[i]; i++) {
        const int size = snprintf(path, PATH_MAX, "%s%s", name, endings[i]);
        if (size < PATH_MAX && access(path, F_OK) == 0)
            return true;
    }
    return false;
}

static bool is_loadable(enum file_kind kind)
{
    return kind != FILE_OTHER && kind != FILE_ARCHIVE;
}

static bool find_by_path(const char *name, char path[PATH_MAX])
{
    const int size = snprintf(path, PATH_MAX, "%s", name);
    if (size < PATH_MAX && is_loadable(kind_of_file(name)))
        return true;
    if (target_file(name, path))
        return true;
    if (access(name, F_OK) == 0)
        say("%s: not a kind of file that can be an object: .c .cc .cpp .cxx .C "
            ".o .so",
            name);
    else
        say("%s: there is no such file, nor one that ends in .so .o .c .cpp "
            ".cc .cxx .C",
            name);
    return false;
}

static bool not_found(const struct library *l, const char *name)
{
    const char *const near = library_nearest(l, name);
    say("%s: not in the object library (see `plumb list objects`%s%s%s), and "
        "there is no %s.so .o .c .cpp here",
        name, near ? "; did you mean " : "", near ? near : "", near ? "?" : "",
        name);
    return false;
}

static void note_file_of_that_name(const char *name)
{
    char path[PATH_MAX];
    if (target_file(name, path))
        note("%s is the one of the object library; the file here is ./%s", name,
             path);
}

/* The library first, then a file of that name here. */
static bool find_by_name(const struct library *l, const char *name,
                         const struct library_object **found,
                         char path[PATH_MAX])
{
    *found = library_find(l, name);
    if (!*found)
        return target_file(name, path) || not_found(l, name);
    note_file_of_that_name(name);
    snprintf(path, PATH_MAX, "%s", (*found)->source);
    return true;
}

/* ---- what it is called ---- */

/* The file's name without folders and ending. */
static void set_label(struct target *t, const char *path)
{
    const char *const slash = strrchr(path, '/');
    const char *const base = slash ? slash + 1 : path;
    const char *const dot = strrchr(base, '.');
    const size_t length =
        dot && dot > base ? (size_t)(dot - base) : strlen(base);
    snprintf(t->label, sizeof t->label, "%.*s", (int)length, base);
}

/* ---- building ---- */

static void add_last_words(struct wordlist *words, enum language language,
                           enum family family)
{
    assembler_add_words(words, language, family);
    wordlist_add(words, "-fno-lto");
}

static void add_hooks(struct build *b, enum target_use use)
{
    for (unsigned l = LANGUAGE_C; l <= LANGUAGE_CXX; l++) {
        const enum language language = (enum language)l;
        const enum family family =
            instrument_family(instrument_compiler(language));
        b->hooks[l] = instrument_family_flags(family);
        if (use == TARGET_EXPLORED)
            add_last_words(&b->last[l], language, family);
    }
}

/* Calls of these are turned into calls of __wrap_NAME, which the host has:
 * gcc and clang 14 see nothing of what libc does to memory.  They have to stay
 * calls, and under that name.  And a schedule names the build that it is for. */
static void add_wraps(struct build *b)
{
#define KEEP_CALL(name) wordlist_add(&b->compile, "-fno-builtin-" #name);
    WRAPPED(KEEP_CALL)
#undef KEEP_CALL
    wordlist_add(&b->compile, "-U_FORTIFY_SOURCE");
#define ADD_WRAP(name) wordlist_add(&b->link, "-Wl,--wrap=" #name);
    WRAPPED(ADD_WRAP)
#undef ADD_WRAP
    wordlist_add(&b->link, "-Wl,--build-id=sha1");
}

/* Is there an object among what is linked that our program did not assemble? */
static bool links_unread(const struct build *b)
{
    for (size_t i = 0; i < b->link.count; i++) {
        const enum file_kind kind = kind_of_file(b->link.word[i]);
        if ((kind == FILE_OBJECT || kind == FILE_ARCHIVE) &&
            !assembly_notes_are_in(b->link.word[i]))
            return true;
    }
    return false;
}

static bool compile(struct target *t, const char *path, const char *flags,
                    enum target_use use, const char *const *extra,
                    size_t nextra)
{
    struct build b = { .subject = t->given,
                       .recipe = use == TARGET_PLAIN ? &plain_recipe
                                                     : &hooked_recipe };
    if (kind_of_file(path) == FILE_OBJECT)
        wordlist_add(&b.link, path);
    else
        wordlist_add(&b.sources, path);
    wordlist_split(&b.compile, flags);
    bool done = build_add_words(&b, extra, nextra);
    if (use != TARGET_PLAIN)
        add_hooks(&b, use);
    if (use == TARGET_EXPLORED)
        add_wraps(&b);
    done = done && build_shared_object(&b, t->object, &t->temporary);
    t->unread = links_unread(&b);
    build_release(&b);
    return done;
}

static bool take_shared(struct target *t, const char *path, size_t nextra)
{
    if (nextra > 0)
        say("%s: a shared object is complete: nothing may follow --", t->given);
    else if (!realpath(path, t->object))
        say("%s: cannot read it: %s", t->given, reason());
    else {
        t->unread = !assembly_notes_are_in(t->object);
        return true;
    }
    return false;
}

static bool build(struct target *t, const char *path, const char *flags,
                  enum target_use use, const char *const *extra, size_t nextra)
{
    set_label(t, path);
    return kind_of_file(path) == FILE_SHARED
               ? take_shared(t, path, nextra)
               : compile(t, path, flags, use, extra, nextra);
}

static bool build_by_name(struct target *t, enum target_use use,
                          const char *const *extra, size_t nextra)
{
    const struct library_object *found;
    char path[PATH_MAX];
    struct library l;
    if (!library_open(&l))
        return false;
    const bool done = find_by_name(&l, t->given, &found, path) &&
                      build(t, path, found && found->flags ? found->flags : "",
                            use, extra, nextra);
    if (found)
        snprintf(t->label, sizeof t->label, "%s", found->name);
    library_close(&l);
    return done;
}

bool target_build(struct target *t, const char *name, enum target_use use,
                  const char *const *extra, size_t nextra)
{
    char path[PATH_MAX];
    *t = (struct target){ .given = name };
    if (!*name) {
        say("the name of the object is empty");
        return false;
    }
    if (!strchr(name, '/') && !is_loadable(kind_of_file(name)))
        return build_by_name(t, use, extra, nextra);
    return find_by_path(name, path) && build(t, path, "", use, extra, nextra);
}

bool target_is_object(const struct target *t)
{
    return exports(t->object, PLUMB_OBJECT_SYMBOL);
}

void target_release(struct target *t)
{
    cache_discard(t->object, &t->temporary);
}
