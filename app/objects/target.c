/* target.c - an object under test: from its name to a shared object. */
#include "target.h"

#include "app/binary/assembly_notes.h"
#include "app/binary/exports.h"
#include "app/console/say.h"
#include "app/toolchain/assembler_words.h"
#include "app/toolchain/build.h"
#include "app/toolchain/cache.h"
#include "app/toolchain/instrument.h"
#include "library.h"
#include "runtime/explore/shims/wrapped.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is tried for a name without an ending, in this order. */
static const char *const endings[] = { ".so", ".o",   ".c", ".cpp",
                                       ".cc", ".cxx", ".C", NULL };

/* With hooks every access is to stay what it is; without, somebody measures. */
static const struct toolchain_recipe hooked_recipe = {
    "-O1 -g -fPIC -fno-tree-vectorize", true
};
static const struct toolchain_recipe plain_recipe = { "-O2 -g -fPIC", true };

/* ---- which file ---- */

bool objects_target_file(const char *name, char path[PATH_MAX])
{
    for (size_t i = 0; endings[i]; i++) {
        const int size = snprintf(path, PATH_MAX, "%s%s", name, endings[i]);
        if (size < PATH_MAX && access(path, F_OK) == 0)
            return true;
    }
    return false;
}

static bool is_loadable(enum toolchain_file_kind kind)
{
    return kind != FILE_OTHER && kind != FILE_ARCHIVE;
}

static bool find_by_path(const char *name, char path[PATH_MAX])
{
    const int size = snprintf(path, PATH_MAX, "%s", name);
    if (size < PATH_MAX && is_loadable(toolchain_kind_of_file(name)))
        return true;
    if (objects_target_file(name, path))
        return true;
    if (access(name, F_OK) == 0)
        console_say("%s: unsupported kind of file; an object is a .c .cc .cpp "
                    ".cxx .C .o or .so file",
                    name);
    else
        console_say(
            "%s: no such file, with or without .so .o .c .cpp .cc .cxx .C",
            name);
    return false;
}

static bool not_found(const struct objects_library *l, const char *name)
{
    const char *const near = objects_library_nearest(l, name);
    return console_fails(
        "%s: not in the object library (see `plumb list objects`%s%s%s), and "
        "there is no %s.so .o .c .cpp here",
        name, near ? "; did you mean " : "", near ? near : "", near ? "?" : "",
        name);
}

static void note_file_of_that_name(const char *name)
{
    char path[PATH_MAX];
    if (objects_target_file(name, path))
        console_note("%s names the object of the library; for the file in this "
                     "folder, write ./%s",
                     name, path);
}

/* The library first, then a file of that name here. */
static bool find_by_name(const struct objects_library *l, const char *name,
                         const struct objects_library_object **found,
                         char path[PATH_MAX])
{
    *found = objects_library_find(l, name);
    if (!*found)
        return objects_target_file(name, path) || not_found(l, name);
    note_file_of_that_name(name);
    snprintf(path, PATH_MAX, "%s", (*found)->source);
    return true;
}

/* ---- what it is called ---- */

/* The file's name without folders and ending. */
static void set_label(struct objects_target *t, const char *path)
{
    const char *const slash = strrchr(path, '/');
    const char *const base = slash ? slash + 1 : path;
    const char *const dot = strrchr(base, '.');
    const size_t length =
        dot && dot > base ? (size_t)(dot - base) : strlen(base);
    snprintf(t->label, sizeof t->label, "%.*s", (int)length, base);
}

/* ---- building ---- */

static bool add_last_words(struct console_wordlist *words,
                           enum toolchain_language language,
                           enum toolchain_family family)
{
    console_wordlist_add(words, "-fno-lto");
    return toolchain_assembler_add_words(words, language, family);
}

static bool add_hooks(struct toolchain_build *b, enum objects_target_use use)
{
    for (unsigned l = LANGUAGE_C; l <= LANGUAGE_CXX; l++) {
        const enum toolchain_language language = (enum toolchain_language)l;
        if (!toolchain_build_uses(b, language))
            continue;
        const enum toolchain_family family = toolchain_family_of(language);
        b->hooks[l] = toolchain_instrument_family_flags(family);
        if (use == TARGET_EXPLORED &&
            !add_last_words(&b->last[l], language, family))
            return false;
    }
    return true;
}

/* Calls of these are turned into calls of __wrap_NAME, which the host has:
 * gcc and clang 14 see nothing of what libc does to memory.  They have to stay
 * calls, and under that name.  And a schedule names the build that it is for. */
static void add_wraps(struct toolchain_build *b)
{
#define KEEP_CALL(name)                                                        \
    console_wordlist_add(&b->compile, "-fno-builtin-" #name);
    WRAPPED(KEEP_CALL)
#undef KEEP_CALL
    console_wordlist_add(&b->compile, "-U_FORTIFY_SOURCE");
#define ADD_WRAP(name) console_wordlist_add(&b->link, "-Wl,--wrap=" #name);
    WRAPPED(ADD_WRAP)
#undef ADD_WRAP
    console_wordlist_add(&b->link, "-Wl,--build-id=sha1");
}

/* Is there an object among what is linked that our program did not assemble? */
static bool links_unread(const struct toolchain_build *b)
{
    for (size_t i = 0; i < b->link.count; i++) {
        const enum toolchain_file_kind kind =
            toolchain_kind_of_file(b->link.word[i]);
        if ((kind == FILE_OBJECT || kind == FILE_ARCHIVE) &&
            !binary_assembly_notes_are_in(b->link.word[i]))
            return true;
    }
    return false;
}

static bool compile(struct objects_target *t, const char *path,
                    const char *flags, enum objects_target_use use,
                    const char *const *extra, size_t nextra)
{
    struct toolchain_build b = { .subject = t->given,
                                 .recipe = use == TARGET_PLAIN
                                               ? &plain_recipe
                                               : &hooked_recipe };
    if (toolchain_kind_of_file(path) == FILE_OBJECT)
        console_wordlist_add(&b.link, path);
    else
        console_wordlist_add(&b.sources, path);
    console_wordlist_split(&b.compile, flags);
    bool done = toolchain_build_add_words(&b, extra, nextra);
    if (use != TARGET_PLAIN)
        done = done && add_hooks(&b, use);
    if (use == TARGET_EXPLORED)
        add_wraps(&b);
    done = done && toolchain_build_shared_object(&b, t->object, &t->temporary);
    t->unread =
        done && (links_unread(&b) || !binary_assembly_notes_are_in(t->object));
    toolchain_build_release(&b);
    return done;
}

static bool take_shared(struct objects_target *t, const char *path,
                        size_t nextra)
{
    if (nextra > 0)
        console_say(
            "%s: a shared object is already linked; nothing may follow --",
            t->given);
    else if (!realpath(path, t->object))
        console_say("%s: cannot read it: %s", t->given, console_reason());
    else {
        t->unread = !binary_assembly_notes_are_in(t->object);
        return true;
    }
    return false;
}

static bool build(struct objects_target *t, const char *path, const char *flags,
                  enum objects_target_use use, const char *const *extra,
                  size_t nextra)
{
    set_label(t, path);
    return toolchain_kind_of_file(path) == FILE_SHARED
               ? take_shared(t, path, nextra)
               : compile(t, path, flags, use, extra, nextra);
}

static bool build_by_name(struct objects_target *t, enum objects_target_use use,
                          const char *const *extra, size_t nextra)
{
    const struct objects_library_object *found;
    char path[PATH_MAX];
    struct objects_library l;
    if (!objects_library_open(&l))
        return false;
    const bool done = find_by_name(&l, t->given, &found, path) &&
                      build(t, path, found && found->flags ? found->flags : "",
                            use, extra, nextra);
    if (found)
        snprintf(t->label, sizeof t->label, "%s", found->name);
    objects_library_close(&l);
    return done;
}

bool objects_target_build(struct objects_target *t, const char *name,
                          enum objects_target_use use, const char *const *extra,
                          size_t nextra)
{
    char path[PATH_MAX];
    *t = (struct objects_target){ .given = name };
    if (!*name)
        return console_fails("the name of the object is empty");
    if (!strchr(name, '/') && !is_loadable(toolchain_kind_of_file(name)))
        return build_by_name(t, use, extra, nextra);
    return find_by_path(name, path) && build(t, path, "", use, extra, nextra);
}

bool objects_target_is_object(const struct objects_target *t)
{
    return binary_exports(t->object, PLUMB_OBJECT_SYMBOL);
}

void objects_target_release(struct objects_target *t)
{
    toolchain_cache_discard(t->object, &t->temporary);
}
