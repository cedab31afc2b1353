/* whole_graphs.h - random models and those of files, all of their graph as a
 * text, with moves as bytecode or compiled. */
#ifndef TESTS_WHOLE_GRAPHS_H
#define TESTS_WHOLE_GRAPHS_H

#include "random_process.h"

#include "csp/terms/compiled_moves.h"
#include "systems.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void write_random(struct plumb_base_text *out, uint64_t seed)
{
    struct writer w = { .out = out,
                        .several = seed % 2,
                        .channels = seed % 3 == 0 };
    plumb_base_rng_seed(&w.rng, seed);
    write_model(&w, 3, w.several && pick(&w, 2) ? " || " : " ||| ");
}

static uint32_t tables, objects; /* an object is loaded once by its name */

static inline const struct plumb_csp_native_entry *compile_text(
    const char *text)
{
    char object[64], command[160];
    snprintf(object, sizeof object, "/tmp/plumb-moves-%d-%u.so", (int)getpid(),
             (unsigned)objects++);
    snprintf(command, sizeof command,
             "cc -Wall -Werror -Wno-unused -fPIC -shared -x c -o %s -", object);
    FILE *const cc = popen(command, "w");
    assert_non_null(cc);
    fputs(text, cc);
    assert_int_equal(pclose(cc), 0);
    void *const handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(handle);
    unlink(object);
    return dlsym(handle, "plumb_native_table");
}

/* What was compiled not long ago is not compiled again. */
static inline const struct plumb_csp_native_entry *compile(void *context,
                                                           const char *text)
{
    enum { KEPT = 4 };
    static struct {
        char *text;
        const struct plumb_csp_native_entry *table;
    } kept[KEPT];
    static unsigned next;
    (void)context;
    for (unsigned i = 0; i < KEPT; i++)
        if (kept[i].text && strcmp(kept[i].text, text) == 0)
            return kept[i].table;
    const unsigned at = next++ % KEPT;
    free(kept[at].text);
    kept[at].text = strdup(text);
    kept[at].table = compile_text(text);
    tables += kept[at].table->go != NULL;
    return kept[at].table;
}

static const struct plumb_csp_native early = { .threshold = 8,
                                               .compile = compile };

static inline void require_compiler(void)
{
    if (system("cc --version >/dev/null 2>&1") != 0)
        skip();
}

/* The whole graph, or the error. */
static inline void write_all(const char *text, const struct lab_options *o,
                             struct plumb_base_text *out)
{
    struct lab lab;
    const enum plumb_status status = lab_open(&lab, text, o);
    if (status == PLUMB_OK)
        write_graph(&lab, out);
    else
        plumb_base_text_printf(out, "%d, %lu:%lu: %s, %u states", (int)status,
                               (unsigned long)lab.err.line,
                               (unsigned long)lab.err.column, lab.err.message,
                               (unsigned)plumb_csp_graph_states(lab.graph));
    lab_close(&lab);
}

static inline char *read_file(const char *path)
{
    enum { LARGEST = 1 << 16 };
    char *const text = calloc(1, LARGEST);
    FILE *const f = fopen(path, "r");
    assert_true(text && f);
    assert_true(fread(text, 1, LARGEST - 1, f) > 0);
    fclose(f);
    return text;
}

#endif
