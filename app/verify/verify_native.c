/* verify_native.c - the moves of a model, compiled and loaded.
 *
 * It is never needed: without a compiler, or if anything goes wrong, states are
 * made by bytecode as before.  What was compiled is kept for the next run, and
 * what is loaded stays until the program ends. */
#include "verify_native.h"

#include "app/console/say.h"
#include "app/toolchain/cache.h"
#include "app/toolchain/toolchain.h"
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

static const char subject[] = "compiled transitions of the model";

static const struct toolchain_recipe recipe = {
    "-std=gnu17 -O2 -fPIC -shared -w", false
};

static bool write_source(const char *path, const char *text)
{
    FILE *const f = fopen(path, "w");
    if (!f)
        return false;
    const bool written = fputs(text, f) >= 0;
    return fclose(f) == 0 && written;
}

/* What is compiled, and how long that may take. */
struct making {
    const char *text;
    const struct plumb_budget *budget;
};

static bool run_compiler(const char *source, const char *object,
                         const struct plumb_budget *budget)
{
    struct console_wordlist words = { .count = 0 };
    struct plumb_base_text ignored;
    plumb_base_text_init(&ignored, NULL);
    console_wordlist_add(&words, "-o");
    console_wordlist_add(&words, object);
    console_wordlist_add(&words, source);
    const bool done = !words.broken && toolchain_try(&recipe, LANGUAGE_C,
                                                     &words, budget, &ignored);
    console_wordlist_release(&words);
    plumb_base_text_release(&ignored);
    return done;
}

static bool make(const void *context, const char *part)
{
    const struct making *const m = context;
    char source[PATH_MAX + 32];
    snprintf(source, sizeof source, "%s.c", part);
    const bool made =
        write_source(source, m->text) && run_compiler(source, part, m->budget);
    unlink(source);
    return made;
}

static const struct plumb_csp_native_entry *load(
    const struct plumb_base_text *key, const struct making *making)
{
    char object[PATH_MAX];
    bool temporary;
    void *handle = NULL;
    if (!toolchain_cache_locate(subject, key, true, object, &temporary))
        return NULL;
    if (toolchain_cache_has(object) ||
        toolchain_cache_fill(subject, object, make, making))
        handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    toolchain_cache_discard(object, &temporary);
    return handle ? dlsym(handle, "plumb_native_table") : NULL;
}

/* There will be more texts: the compiler is not tried again. */
static void give_up(struct verify_native *n, bool there)
{
    n->hopeless = true;
    if (n->telling)
        console_note(
            "`%s%s` failed; states are computed by bytecode, not by compiled C",
            toolchain_instrument_compiler(LANGUAGE_C),
            there ? "" : " --version");
}

static const struct plumb_csp_native_entry *compile(void *context,
                                                    const char *text)
{
    struct verify_native *const n = context;
    const struct making making = { text, n->budget };
    const struct plumb_csp_native_entry *table = NULL;
    struct plumb_base_text key;
    if (n->hopeless)
        return NULL;
    plumb_base_text_init(&key, NULL);
    const bool there = toolchain_version(NULL, LANGUAGE_C, &key);
    plumb_base_text_printf(&key, "%s\n%s", recipe.flags, text);
    if (there && !key.broken)
        table = load(&key, &making);
    plumb_base_text_release(&key);
    if (!table && plumb_budget_state(n->budget) == PLUMB_OK)
        give_up(n, there);
    return table;
}

const struct plumb_csp_native *verify_native(struct verify_native *n,
                                             enum verify_native_when when,
                                             bool verbose,
                                             const struct plumb_budget *budget)
{
    enum { MANY = 1000000, FEW = 16 };
    *n = (struct verify_native){
        .native = { .context = n,
                    .threshold = when == NATIVE_ALWAYS ? FEW : MANY,
                    .compile = compile },
        .budget = budget,
        .telling = verbose || when == NATIVE_ALWAYS
    };
    return when == NATIVE_NEVER ? NULL : &n->native;
}
