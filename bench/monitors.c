/* monitors.c - how long monitors take, and how much memory.
 *
 *     monitors [-s SECONDS] [-r REST] TYPE OPERATIONS [THREADS [wrong]]
 *     monitors [-s SECONDS] -f FILE TYPE
 *     monitors [-r REST] -o FILE TYPE OPERATIONS [THREADS [wrong]]
 *
 * of a history that is made up (long_history.h), or is read from FILE, as one
 * recorded.  With -r, threads rest every REST operations, and it is emptied;
 * with -o it is written to FILE, in binary form, and that is all.  Prints TYPE, the operations and how many are open at a time, on
 * the average; then seconds of processor time, the best of three: reading the
 * tape; deciding (the tape included); verifying the answer; with -s, what the
 * search takes to decide and verify, or - if not within SECONDS and 1 GB; bytes
 * per operation that deciding needs beyond the history; and the verdict, with
 * the rank of the event that made it a violation. */
#include "long_history.h"

#include "check/input/monitor.h"
#include <errno.h>
#include <fcntl.h>
#include <plumb/plumb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 3 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static _Noreturn void give_up(const char *what, const char *why)
{
    fprintf(stderr, "monitors: %s: %s\n", what, why);
    exit(1);
}

/* ---- where the history is from ---- */

/* The file stays mapped: a history may refer to it. */
static void read_history(const char *name, struct plumb_history *h)
{
    struct plumb_reader *reader;
    struct plumb_error err;
    struct stat st;
    const int fd = open(name, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) < 0)
        give_up(name, strerror(errno));
    void *const data =
        mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (data == MAP_FAILED)
        give_up(name, strerror(errno));
    if (plumb_reader_open(&reader, data, (size_t)st.st_size, PLUMB_FORMAT_AUTO,
                          PLUMB_TIES_OF_FORMAT, NULL, &err) != PLUMB_OK)
        give_up(name, err.message);
    err.message[0] = '\0';
    if (plumb_reader_next(reader, h, &err) != PLUMB_OK ||
        plumb_reader_validate(reader, h, &err) != PLUMB_OK)
        give_up(name, err.message[0] ? err.message : "no history");
    plumb_reader_close(reader);
}

static void make_history(char **argument, int arguments, uint32_t rest,
                         struct plumb_history *h)
{
    struct long_history_plan plan = {
        .type = argument[0],
        .operations = (uint32_t)strtoul(argument[1], NULL, 10),
        .threads = arguments > 2 ? (unsigned)atoi(argument[2]) : 8,
        .seed = 1,
        .rest = rest,
    };
    if (arguments > 3 && strcmp(argument[3], "wrong") == 0)
        plan.wrong_at = plan.operations - plan.operations / 100;
    if (!long_history(&plan, h))
        give_up(argument[0], "no such history, or no memory for it");
}

static int put(void *context, const void *data, size_t size)
{
    return fwrite(data, 1, size, context) != size;
}

static void write_history(const char *name, const struct plumb_history *h)
{
    FILE *const f = fopen(name, "wb");
    uint64_t losses[PLUMB_LOSSES] = { 0 };
    struct plumb_error err;
    if (!f)
        give_up(name, strerror(errno));
    const struct plumb_sink sink = { put, f };
    if (plumb_history_write(h, PLUMB_FORMAT_BINARY, 0, &sink, losses, &err) !=
            PLUMB_OK ||
        fclose(f) != 0)
        give_up(name, "cannot be written");
}

/* How many operations are open between two events, on the average. */
static double mean_open(const struct plumb_history *h)
{
    double open = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        const uint32_t ret = plumb_op_ret(&h->op[i]);
        open += (ret == PLUMB_NEVER ? h->events : ret) - h->op[i].call;
    }
    return h->events ? open / h->events : 0;
}

/* ---- what is measured ---- */

struct measured {
    double tape, decided, verified, bytes;
    enum plumb_verdict verdict;
    char declined[64];
    uint32_t sure;
};

static void keep_least(double *least, double took, bool first)
{
    if (first || took < *least)
        *least = took;
}

static double time_tape(const struct plumb_history *h,
                        const struct plumb_spec *spec)
{
    struct plumb_base_arena arena;
    struct plumb_check_inputs tapes;
    plumb_base_arena_init(&arena, NULL);
    const double began = now();
    if (!plumb_check_inputs_make(h, spec, &arena, &tapes))
        give_up("tape", "no memory");
    if (tapes.declined)
        give_up("tape", tapes.declined);
    const double took = now() - began;
    plumb_base_arena_release(&arena);
    return took;
}

static double time_verifier(const struct plumb_history *h,
                            const struct plumb_spec *spec,
                            const struct plumb_check_monitored *m)
{
    struct plumb_error err;
    const struct plumb_spec_ref ref = { plumb_spec_text(spec), NULL };
    if (m->verdict != PLUMB_LINEARIZABLE)
        return 0;
    const double began = now();
    if (plumb_verify_witness(h, ref, m->order, m->order_count, NULL, &err) !=
        PLUMB_OK)
        give_up("the verifier rejects it", err.message);
    return now() - began;
}

static void run_once(const struct plumb_history *h,
                     const struct plumb_spec *spec, bool first,
                     struct measured *out)
{
    struct plumb_check_monitored m;
    struct plumb_base_arena arena;
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    keep_least(&out->tape, time_tape(h, spec), first);
    plumb_base_arena_init(&arena, budget);
    const double began = now();
    if (!plumb_check_monitor_history(h, spec, 1, &arena, &m))
        give_up("monitor", "no memory");
    keep_least(&out->decided, now() - began, first);
    keep_least(&out->verified, time_verifier(h, spec, &m), first);
    out->bytes = (double)plumb_budget_peak(budget) / (h->count ? h->count : 1);
    out->verdict = m.verdict;
    out->sure = m.sure;
    snprintf(out->declined, sizeof out->declined, "%s",
             m.declined ? m.declined : "");
    plumb_base_arena_release(&arena);
    plumb_budget_free(budget);
}

/* Negative: not within the time, or not within the memory. */
static double time_search(const struct plumb_history *h,
                          const struct plumb_spec *spec, double seconds)
{
    const size_t memory = (size_t)1 << 30;
    const double long_enough = 0.5; /* that once will do */
    double least = -1;
    for (int i = 0; i < RUNS && least < long_enough; i++) {
        struct plumb_answer answer;
        struct plumb_error err;
        struct plumb_budget *const budget =
            plumb_budget_new((uint64_t)(seconds * 1000), memory);
        const struct plumb_check_options options = { .algorithm =
                                                         PLUMB_ALGORITHM_SEARCH,
                                                     .no_core = true,
                                                     .budget = budget };
        const double began = now();
        if (plumb_check(h, spec, &options, &answer, &err) != PLUMB_OK)
            give_up("search", err.message);
        const double took = now() - began;
        const bool decided = answer.verdict != PLUMB_UNDECIDED;
        plumb_answer_release(&answer);
        plumb_budget_free(budget);
        if (!decided)
            break;
        keep_least(&least, took, least < 0);
    }
    return least;
}

static void print_verdict(const struct measured *m)
{
    if (m->verdict == PLUMB_NOT_LINEARIZABLE)
        printf("  not linearizable after event %u\n", m->sure);
    else
        printf("  %s\n",
               m->verdict == PLUMB_LINEARIZABLE ? "linearizable" : m->declined);
}

static void measure(const char *type, const struct plumb_history *h,
                    double seconds)
{
    struct plumb_spec *spec;
    struct plumb_error err;
    struct measured m = { 0 };
    if (plumb_spec_parse(type, &spec, &err) != PLUMB_OK)
        give_up(type, err.message);
    if (!plumb_check_monitor_of(spec))
        give_up(type, "there is no monitor");
    for (int i = 0; i < RUNS; i++)
        run_once(h, spec, i == 0, &m);
    printf("%s %u  open %.1f  tape %.6f  decided %.6f  verified %.6f", type,
           h->count, mean_open(h), m.tape, m.decided, m.verified);
    if (seconds > 0) {
        const double search = time_search(h, spec, seconds);
        if (search < 0)
            printf("  search -");
        else
            printf("  search %.6f", search);
    }
    printf("  %.1f bytes", m.bytes);
    print_verdict(&m);
    plumb_spec_free(spec);
}

int main(int argc, char **argv)
{
    struct plumb_history h;
    const char *file = NULL, *out = NULL;
    uint32_t rest = 0;
    double seconds = 0;
    int option;
    while ((option = getopt(argc, argv, "f:o:r:s:")) != -1) {
        if (option == 'f')
            file = optarg;
        else if (option == 'o')
            out = optarg;
        else if (option == 'r')
            rest = (uint32_t)strtoul(optarg, NULL, 10);
        else if (option == 's')
            seconds = strtod(optarg, NULL);
        else
            return 2;
    }
    const int left = argc - optind;
    if (left < (file ? 1 : 2))
        return 2;
    if (file)
        read_history(file, &h);
    else
        make_history(argv + optind, left, rest, &h);
    if (out)
        write_history(out, &h);
    else
        measure(argv[optind], &h, seconds);
    plumb_history_release(&h);
    return 0;
}
