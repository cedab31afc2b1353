/* imports.c - see imports.h.
 *
 * Only the file is read.  Libraries that the target brings are looked for where
 * the dynamic linker would look first; they must have hooks, too, and are
 * checked like the target. */
#include "imports.h"

#include "runtime/common/elf_file.h"
#include "system_library.h"
#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMED = 5, LIBRARIES = 16 };

/* What was found to be wrong, and where we are. */
struct check {
    char refused[400]; /* "poll(), epoll_wait()" */
    const char *reason;
    unsigned count;
    bool variable; /* one of them is no function */
    /* "the undefined function f()" */
    char undefined[400];
    unsigned undefineds;
    char library[LIBRARIES][PATH_MAX]; /* to look at; [0] is the target */
    unsigned libraries;
    bool foreign;                /* something in it is called as it is */
    char unseen[IMPORTS_UNSEEN]; /* ... and writes into its memory */
    bool chance;                 /* it asks for random numbers */
    char *why;
    size_t size;
};

static bool fail(struct check *c, const char *path, const char *what)
{
    if (path == c->library[0])
        snprintf(c->why, c->size, "%s", what);
    else
        snprintf(c->why, c->size, "needs the library %s, which %s", path, what);
    return false;
}

/* ---- who has it ---- */

bool target_imports_is_modelled(const char *name)
{
    Dl_info ours, its;
    void *const at = dlsym(RTLD_DEFAULT, name);
    bool (*const self)(const char *) = target_imports_is_modelled;
    const void *here;
    memcpy(&here, &self, sizeof here);
    return at && dladdr(here, &ours) && dladdr(at, &its) &&
           ours.dli_fbase == its.dli_fbase;
}

static bool defines(const struct runtime_elf *f, const char *name,
                    bool *function)
{
    struct runtime_elf_table table;
    struct runtime_elf_symbol s;
    if (!runtime_elf_table_of(f, SHT_DYNSYM, &table))
        return false;
    for (size_t i = 0; runtime_elf_symbol_at(f, &table, i, &s); i++)
        if (s.defined && strcmp(s.name, name) == 0) {
            *function = runtime_elf_is_function(&s);
            return true;
        }
    return false;
}

static bool file_defines(const char *path, const char *name, bool *function)
{
    struct runtime_elf f;
    if (!runtime_elf_open_shared(&f, path))
        return false;
    const bool found = defines(&f, name, function);
    runtime_elf_close(&f);
    return found;
}

/* Another part of the target; those are all in library[]. */
static bool is_brought(const struct check *c, const char *name)
{
    bool function;
    for (unsigned i = 0; i < c->libraries; i++)
        if (file_defines(c->library[i], name, &function))
            return true;
    return false;
}

/* Every shared object has it, to be called when it is unloaded. */
static bool is_of_linker(const char *name)
{
    return strcmp(name, "__cxa_finalize") == 0;
}

/* Once each; what does not fit is left out. */
static void note_unseen(struct check *c, const char *name)
{
    const size_t used = strlen(c->unseen);
    size_t length;
    char word[64];
    name = target_writes_unseen(name, &length);
    if (!name || length + 2 > sizeof word ||
        used + length + 2 > sizeof c->unseen)
        return;
    snprintf(word, sizeof word, "%.*s ", (int)length, name);
    for (const char *at = c->unseen; *at; at += strcspn(at, " ") + 1)
        if (strncmp(at, word, length + 1) == 0)
            return;
    memcpy(c->unseen + used, word, length + 2);
}

/* Those of shim_random.c and shim_verifier.c. */
static bool is_chance(const char *name)
{
    static const char *const names[] = {
        "rand",       "rand_r",
        "random",     "lrand48",
        "mrand48",    "drand48",
        "arc4random", "arc4random_uniform",
        "getrandom",  "arc4random_buf",
        "getentropy", "_ZNSt13random_device9_M_getvalEv",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return strncmp(name, "__VERIFIER_nondet_", 18) == 0;
}

static bool can_be_followed(struct check *c, const struct runtime_elf_symbol *s)
{
    c->chance |= is_chance(s->name);
    if (target_imports_is_modelled(s->name))
        return true;
    if (s->weak && !dlsym(RTLD_DEFAULT, s->name))
        return true; /* and nobody has it: it is not called */
    c->foreign |= !is_of_linker(s->name);
    if (!target_is_stateless(s->name))
        return is_brought(c, s->name);
    note_unseen(c, s->name);
    return true;
}

/* ---- libraries ---- */

static bool add_library(struct check *c, const char *path)
{
    for (unsigned i = 0; i < c->libraries; i++)
        if (strcmp(c->library[i], path) == 0)
            return true;
    if (c->libraries == LIBRARIES)
        return false;
    snprintf(c->library[c->libraries++], PATH_MAX, "%s", path);
    return true;
}

/* $ORIGIN is where `from` is. */
static bool look_in(const char *from, const char *directory, size_t length,
                    const char *name, char path[PATH_MAX])
{
    static const char origin[] = "$ORIGIN";
    const size_t skip = sizeof origin - 1;
    const char *const slash = strrchr(from, '/');
    const int own = slash ? (int)(slash - from) : 1;
    int n;
    if (length >= skip && strncmp(directory, origin, skip) == 0)
        n = snprintf(path, PATH_MAX, "%.*s%.*s/%s", own, slash ? from : ".",
                     (int)(length - skip), directory + skip, name);
    else
        n = snprintf(path, PATH_MAX, "%.*s/%s", (int)length, directory, name);
    return n > 0 && n < PATH_MAX && access(path, R_OK) == 0;
}

/* Directories with colons between them. */
static bool look_along(const char *from, const char *list, const char *name,
                       char path[PATH_MAX])
{
    while (list && *list) {
        const size_t length = strcspn(list, ":");
        if (length && look_in(from, list, length, name, path))
            return true;
        list += length + (list[length] == ':');
    }
    return false;
}

static bool find_library(const struct runtime_elf *f, const char *from,
                         const char *name, char path[PATH_MAX])
{
    static const char standard[] =
        "/usr/local/lib:/lib:/usr/lib:/lib64:/usr/lib64:"
        "/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:"
        "/lib/aarch64-linux-gnu:/usr/lib/aarch64-linux-gnu";
    if (strchr(name, '/'))
        return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX &&
               access(path, R_OK) == 0;
    return look_along(from, runtime_elf_run_path(f), name, path) ||
           look_along(from, getenv("LD_LIBRARY_PATH"), name, path) ||
           look_along(from, standard, name, path);
}

static bool find_libraries(struct check *c, const struct runtime_elf *f,
                           const char *path)
{
    const char *name;
    char text[PATH_MAX], library[PATH_MAX];
    for (size_t i = 0; (name = runtime_elf_needed(f, i)); i++) {
        if (target_is_system_library(name) ||
            (find_library(f, path, name, library) && add_library(c, library)))
            continue;
        snprintf(text, sizeof text, "needs %s, which was not found", name);
        return fail(c, path, text);
    }
    return true;
}

/* ---- naming ---- */

/* _ZSt4cout is std::cout; other names of C++ stay as they are. */
static void spell(const char *name, bool function, char *text, size_t size)
{
    static const char standard[] = "_ZSt";
    const size_t skip = sizeof standard - 1;
    if (strncmp(name, standard, skip) == 0) {
        char *end;
        const size_t length = strtoul(name + skip, &end, 10);
        if (end != name + skip && length == strlen(end)) {
            snprintf(text, size, "std::%s", end);
            return;
        }
    }
    snprintf(text, size, "%s%s", name,
             function && strncmp(name, "_Z", 2) != 0 ? "()" : "");
}

/* The name that comes next in a list; no more than NAMED of them. */
static void add_name(char *list, size_t size, unsigned *count, const char *name)
{
    const size_t used = strlen(list);
    if ((*count)++ < NAMED)
        snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
}

enum definition { NOBODY_HAS_IT, IS_FUNCTION, IS_VARIABLE, IS_UNKNOWN };

/* In the libraries that the target needs. */
static enum definition find_definition(const struct runtime_elf *f,
                                       const char *path, const char *name)
{
    const char *needed;
    char library[PATH_MAX];
    bool function, all = true;
    for (size_t i = 0; (needed = runtime_elf_needed(f, i)); i++) {
        if (!find_library(f, path, needed, library))
            all = false;
        else if (file_defines(library, name, &function))
            return function ? IS_FUNCTION : IS_VARIABLE;
    }
    return all && !dlsym(RTLD_DEFAULT, name) ? NOBODY_HAS_IT : IS_UNKNOWN;
}

/* Symbol `i`, which is not defined in it. */
static void refuse(struct check *c, const struct runtime_elf *f,
                   const char *path, size_t i,
                   const struct runtime_elf_symbol *s)
{
    const enum definition has = find_definition(f, path, s->name);
    const bool function =
        has == NOBODY_HAS_IT ? runtime_elf_calls(f, i) : has != IS_VARIABLE;
    char name[128], text[192];
    spell(s->name, function, name, sizeof name);
    if (has == NOBODY_HAS_IT) {
        snprintf(text, sizeof text, "the undefined %s %s",
                 function ? "function" : "variable (or function)", name);
        add_name(c->undefined, sizeof c->undefined, &c->undefineds, text);
        return;
    }
    if (!c->reason)
        c->reason = target_why_not_stateless(s->name);
    c->variable |= !function;
    add_name(c->refused, sizeof c->refused, &c->count, name);
}

static void tell_more(unsigned count, char more[32])
{
    more[0] = '\0';
    if (count > NAMED)
        snprintf(more, 32, " and %u more", count - NAMED);
}

static bool tell_undefined(struct check *c, const char *path)
{
    char more[32], text[700];
    const bool one = c->undefineds == 1;
    if (c->undefineds == 0)
        return true;
    tell_more(c->undefineds, more);
    snprintf(text, sizeof text, "uses %s%s; add the source %s after `--`",
             c->undefined, more,
             one ? "file that defines it" : "files that define them");
    return fail(c, path, text);
}

static bool tell_refused(struct check *c, const char *path)
{
    char more[32], text[700];
    if (c->count == 0)
        return true;
    tell_more(c->count, more);
    if (c->reason)
        snprintf(text, sizeof text, "uses %s%s: %s", c->refused, more,
                 c->reason);
    else
        snprintf(text, sizeof text,
                 "%s %s%s, which the explorer does not model",
                 c->variable ? "uses" : "calls", c->refused, more);
    return fail(c, path, text);
}

/* ---- checking ---- */

/* Names the host has would take the place of the target's own. */
static bool defines_none_of_ours(struct check *c, const struct runtime_elf *f,
                                 const char *path)
{
    struct runtime_elf_table table;
    struct runtime_elf_symbol s;
    char text[256];
    if (!runtime_elf_table_of(f, SHT_DYNSYM, &table))
        return true;
    for (size_t i = 0; runtime_elf_symbol_at(f, &table, i, &s); i++) {
        if (!s.defined || !*s.name || !target_imports_is_modelled(s.name) ||
            strcmp(s.name, "main") == 0 || s.name[0] == '_')
            continue;
        snprintf(text, sizeof text,
                 "defines %s(), but the explorer would call its own %s()",
                 s.name, s.name);
        return fail(c, path, text);
    }
    return true;
}

static bool check_symbols(struct check *c, const struct runtime_elf *f,
                          const char *path)
{
    struct runtime_elf_table table;
    struct runtime_elf_symbol s;
    if (!runtime_elf_table_of(f, SHT_DYNSYM, &table) ||
        !runtime_elf_imports(f, "__tsan_"))
        return fail(
            c, path,
            "was compiled without hooks, so none of its memory accesses would "
            "be seen; compile it with -fsanitize=thread");
    for (size_t i = 0; runtime_elf_symbol_at(f, &table, i, &s); i++)
        if (!s.defined && *s.name && !can_be_followed(c, &s))
            refuse(c, f, path, i, &s);
    return tell_undefined(c, path) && tell_refused(c, path) &&
           defines_none_of_ours(c, f, path);
}

/* Visit library[i] with `visit`, for all i, also those that are added. */
static bool for_each(struct check *c,
                     bool (*visit)(struct check *, const struct runtime_elf *,
                                   const char *))
{
    struct runtime_elf f;
    assert(c->libraries > 0 && c->libraries <= LIBRARIES);
    for (unsigned i = 0; i < c->libraries; i++) {
        if (!runtime_elf_open_shared(&f, c->library[i])) {
            snprintf(c->why, c->size, "%s: %s", c->library[i],
                     errno == ENOEXEC ? "not a shared object for this machine"
                                      : strerror(errno));
            return false;
        }
        const bool good = visit(c, &f, c->library[i]);
        runtime_elf_close(&f);
        if (!good)
            return false;
    }
    return true;
}

static struct check last; /* too large for a stack */

bool target_imports_only_ours(void)
{
    return !last.foreign && last.libraries == 1;
}

bool target_imports_chance(void)
{
    return last.chance;
}

const char *target_imports_unseen(void)
{
    return last.unseen;
}

bool target_imports_check(const char *path, char *why, size_t size)
{
    last = (struct check){ .why = why, .size = size, .libraries = 1 };
    const int n = snprintf(last.library[0], PATH_MAX, "%s", path);
    if (n < 0 || n >= PATH_MAX) {
        snprintf(why, size, "the file name is too long");
        return false;
    }
    return for_each(&last, find_libraries) && for_each(&last, check_symbols);
}
