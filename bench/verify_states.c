/* verify_states.c - how fast `plumb verify` makes states, and how large they
 * are: no refinement in what is measured.
 *
 *     verify_states MODEL.csp [none|local|dynamic] [compile] [-jN]
 *                   [NAME=VALUE ...]
 *
 * All states of both processes of the first assertion are made.  For each:
 * states, edges, seconds of the clock and of user time, million states per
 * second of user time, bytes per state (all that was allocated but the edges)
 * and per edge.  With `compile` moves are compiled after some thousand
 * states; the compiler's time is not in what is measured. */
#include "base/memory.h"
#include "refine/judge.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SETTINGS = 32 };

struct request {
    const char *file;
    enum plumb_csp_reduction reduction;
    bool compile;
    unsigned threads;
    struct plumb_csp_setting setting[MOST_SETTINGS];
    size_t settings;
};

static void fail(const struct plumb_error *err)
{
    fprintf(stderr, "verify_states: %u:%u: %s\n", (unsigned)err->line,
            (unsigned)err->column, err->message);
    exit(1);
}

static char *read_text(const char *file, size_t *size)
{
    enum { MOST = 1 << 20 };
    char *const text = malloc(MOST);
    FILE *const f = fopen(file, "r");
    if (!text || !f) {
        perror(file);
        exit(1);
    }
    *size = fread(text, 1, MOST, f);
    fclose(f);
    return text;
}

static void take_word(struct request *r, char *word)
{
    static const char *const rule[] = { "none", "local", "dynamic" };
    char *const sign = strchr(word, '=');
    for (unsigned i = 0; !sign && i < 3; i++)
        if (strcmp(word, rule[i]) == 0) {
            r->reduction = (enum plumb_csp_reduction)i;
            return;
        }
    if (strcmp(word, "compile") == 0) {
        r->compile = true;
        return;
    }
    if (strncmp(word, "-j", 2) == 0) {
        r->threads = (unsigned)atoi(word + 2);
        return;
    }
    if (!sign || r->settings == MOST_SETTINGS) {
        fprintf(stderr, "verify_states: %s?\n", word);
        exit(2);
    }
    *sign = '\0';
    r->setting[r->settings++] =
        (struct plumb_csp_setting){ .name = word, .value = atoi(sign + 1) };
}

static void print(const char *name, const struct plumb_refine_side *side,
                  double clock, double seconds, size_t charged)
{
    const double states = plumb_csp_graph_states(side->graph);
    const uint64_t edges = plumb_csp_graph_edge_count(side->graph);
    const double edge_bytes = 8.0 * (double)edges, bytes = (double)charged;
    printf("%-14s %10.0f states %10" PRIu64
           " edges %7.3f s  %7.3f s  %6.3f M/s  "
           "%5.1f bytes/state, 8 per edge\n",
           name, states, edges, clock, seconds, states / seconds / 1e6,
           (bytes - edge_bytes) / states);
}

static double user_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6;
}

static double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void measure(const char *name, struct plumb_csp_world *world,
                    const struct plumb_csp_process *process,
                    enum plumb_csp_reduction reduction)
{
    struct plumb_refine_side side = { NULL };
    struct plumb_error err = { 0 };
    const size_t before = plumb_budget_used(world->budget);
    if (plumb_refine_side_open(&side, world, process, reduction, false, &err))
        fail(&err);
    const double begin = user_seconds(), from = clock_seconds();
    if (plumb_csp_graph_complete(side.graph, 0, &err))
        fail(&err);
    print(name, &side, clock_seconds() - from, user_seconds() - begin,
          plumb_budget_used(world->budget) - before);
    plumb_refine_side_close(&side);
}

/* As app/verify/verify_native.c does, with less care. */
static const struct plumb_csp_native_entry *compile(void *context,
                                                    const char *text)
{
    char file[64], command[256];
    snprintf(file, sizeof file, "/tmp/verify_states_%d_%d", (int)getpid(),
             ++*(int *)context);
    snprintf(command, sizeof command,
             "cc -O2 -fPIC -shared -w -x c -o %s.so - && exit 0", file);
    FILE *const cc = popen(command, "w");
    if (!cc)
        return NULL;
    fputs(text, cc);
    pclose(cc);
    snprintf(command, sizeof command, "%s.so", file);
    void *const handle = dlopen(command, RTLD_NOW | RTLD_LOCAL);
    unlink(command);
    return handle ? dlsym(handle, "plumb_native_table") : NULL;
}

static void measure_model(const struct request *r)
{
    struct plumb_error err = { 0 };
    struct plumb_csp_model *model;
    size_t size;
    char *const text = read_text(r->file, &size);
    const struct plumb_csp_reading reading = { .name = r->file,
                                               .text = text,
                                               .size = size,
                                               .setting = r->setting,
                                               .settings = r->settings };
    if (plumb_csp_model_read(&reading, &model, &err))
        fail(&err);
    struct plumb_csp_world world;
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    if (plumb_csp_world_open(&world, model, PLUMB_COUNT_PAT3, budget, &err))
        fail(&err);
    const struct plumb_csp_assertion *const a = &model->assertion[0];
    int compiled = 0;
    const struct plumb_csp_native native = { &compiled, 10000, compile };
    world.native = r->compile ? &native : NULL;
    world.threading =
        (struct plumb_csp_threading){ .threads = r->threads, .after = 4096 };
    measure("implementation", &world, a->process, r->reduction);
    if (a->specification)
        measure("specification", &world, a->specification, r->reduction);
    plumb_csp_world_close(&world);
    plumb_csp_model_free(model);
    plumb_budget_free(budget);
    free(text);
}

int main(int argc, char **argv)
{
    struct request r = { .reduction = PLUMB_REDUCE_LOCAL };
    if (argc < 2) {
        fputs("usage: verify_states MODEL.csp [none|local|dynamic] [compile] "
              "[-jN] [NAME=VALUE ...]\n",
              stderr);
        return 2;
    }
    r.file = argv[1];
    mallopt(M_MMAP_THRESHOLD, 1 << 20); /* as app/verify/verify_run.c does */
    for (int i = 2; i < argc; i++)
        take_word(&r, argv[i]);
    measure_model(&r);
    return 0;
}
