/* measure.c - processor time and memory of one step, without the program
 * around it.
 *
 *     measure read FILE...               events per second
 *     measure open FILE...               milliseconds until the first history
 *     measure decide SPEC FILE...        milliseconds per history
 *     measure core SPEC FILE...          the same, violations shrunk as well
 *     measure core-whole SPEC FILE...    and nothing split by key
 *
 * One thread, one process.  Each file is read into memory, and each page of it
 * touched, before the clock starts.  One line on stdout per run. */
#include <errno.h>
#include <fcntl.h>
#include <plumb/plumb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct file {
    const char *name;
    void *data;
    size_t size;
};

struct totals {
    uint64_t histories, operations, events;
    uint64_t verdict[3];
    double read, decide, worst; /* seconds of processor time */
    const char *worst_name;
};

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double peak_megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static bool complain(const char *name, const char *message)
{
    fprintf(stderr, "measure: %s: %s\n", name, message);
    return false;
}

static bool map_file(const char *name, struct file *f)
{
    struct stat st;
    const int fd = open(name, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) < 0)
        return complain(name, strerror(errno));
    void *const data = mmap(NULL, (size_t)st.st_size, PROT_READ,
                            MAP_PRIVATE | MAP_POPULATE, fd, 0);
    close(fd);
    if (data == MAP_FAILED)
        return complain(name, strerror(errno));
    *f = (struct file){ name, data, (size_t)st.st_size };
    return true;
}

static void unmap_file(const struct file *f)
{
    munmap(f->data, f->size);
}

/* ---- what may be done with one history ---- */

struct job {
    const struct plumb_spec *spec; /* NULL: read only */
    struct plumb_check_options options;
};

static bool decide(const struct job *job, const struct file *f,
                   const struct plumb_history *h, struct totals *t)
{
    struct plumb_answer answer;
    struct plumb_error err;
    const double start = cpu_seconds();
    if (plumb_check(h, job->spec, &job->options, &answer, &err) != PLUMB_OK)
        return complain(f->name, err.message);
    const double took = cpu_seconds() - start;
    t->verdict[answer.verdict]++;
    plumb_answer_release(&answer);
    t->decide += took;
    if (took > t->worst) {
        t->worst = took;
        t->worst_name = f->name;
    }
    return true;
}

static bool each_history(const struct job *job, const struct file *f,
                         struct totals *t)
{
    struct plumb_reader *reader;
    struct plumb_history h;
    struct plumb_error err;
    enum plumb_status s;
    bool good = true;
    double start = cpu_seconds();
    if (plumb_reader_open(&reader, f->data, f->size, PLUMB_FORMAT_AUTO,
                          PLUMB_TIES_OF_FORMAT, NULL, &err) != PLUMB_OK)
        return complain(f->name, err.message);
    while (good && (s = plumb_reader_next(reader, &h, &err)) != PLUMB_END) {
        t->read += cpu_seconds() - start;
        if (s != PLUMB_OK) {
            good = complain(f->name, err.message);
            break;
        }
        t->histories++;
        t->operations += h.count;
        t->events += h.events;
        good = !job->spec || decide(job, f, &h, t);
        start = cpu_seconds();
        plumb_history_release(&h);
    }
    plumb_reader_close(reader);
    return good;
}

static void print_totals(const struct job *job, const struct totals *t)
{
    const double n = t->histories ? (double)t->histories : 1;
    printf("%llu histories, %llu operations: read %.3f ms each, "
           "%.1f million events/s",
           (unsigned long long)t->histories, (unsigned long long)t->operations,
           t->read / n * 1e3,
           t->read > 0 ? (double)t->events / t->read * 1e-6 : 0);
    if (job->spec)
        printf("; decided %.3f ms each, at most %.3f ms (%s); "
               "%llu linearizable, %llu not, %llu undecided",
               t->decide / n * 1e3, t->worst * 1e3,
               t->worst_name ? t->worst_name : "-",
               (unsigned long long)t->verdict[PLUMB_LINEARIZABLE],
               (unsigned long long)t->verdict[PLUMB_NOT_LINEARIZABLE],
               (unsigned long long)t->verdict[PLUMB_UNDECIDED]);
    printf("; %.1f MB at most\n", peak_megabytes());
}

static int run_job(const struct job *job, char **names)
{
    struct totals t = { 0 };
    for (; *names; names++) {
        struct file f;
        if (!map_file(*names, &f))
            return 2;
        const bool good = each_history(job, &f, &t);
        unmap_file(&f);
        if (!good)
            return 2;
    }
    print_totals(job, &t);
    return 0;
}

static int check_files(const char *mode, char **arguments)
{
    struct plumb_error err;
    struct plumb_spec *spec = NULL;
    if (plumb_spec_parse(arguments[0], &spec, &err) != PLUMB_OK) {
        complain(arguments[0], err.message);
        return 2;
    }
    const struct job job = { .spec = spec,
                             .options = {
                                 .algorithm = PLUMB_ALGORITHM_SEARCH,
                                 .whole = strcmp(mode, "core-whole") == 0,
                                 .no_core = strcmp(mode, "decide") == 0 } };
    const int status = run_job(&job, arguments + 1);
    plumb_spec_free(spec);
    return status;
}

/* Wall time, since opening a mapped file waits rather than computes. */
static int open_files(char **names)
{
    for (; *names; names++) {
        struct timespec start, end;
        struct plumb_reader *reader;
        struct plumb_history h;
        struct plumb_error err;
        struct file f;
        if (!map_file(*names, &f))
            return 2;
        clock_gettime(CLOCK_MONOTONIC, &start);
        if (plumb_reader_open(&reader, f.data, f.size, PLUMB_FORMAT_AUTO,
                              PLUMB_TIES_OF_FORMAT, NULL, &err) != PLUMB_OK ||
            plumb_reader_next(reader, &h, &err) != PLUMB_OK) {
            complain(*names, err.message);
            return 2;
        }
        clock_gettime(CLOCK_MONOTONIC, &end);
        printf("%u operations, %.1f MB: opened in %.3f ms\n", h.count,
               (double)f.size * 1e-6,
               (double)(end.tv_sec - start.tv_sec) * 1e3 +
                   (double)(end.tv_nsec - start.tv_nsec) * 1e-6);
        plumb_history_release(&h);
        plumb_reader_close(reader);
        unmap_file(&f);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct job reading = { 0 };
    const char *const mode = argc > 2 ? argv[1] : "";
    if (strcmp(mode, "read") == 0)
        return run_job(&reading, argv + 2);
    if (strcmp(mode, "open") == 0)
        return open_files(argv + 2);
    if (strcmp(mode, "decide") == 0 || strcmp(mode, "core") == 0 ||
        strcmp(mode, "core-whole") == 0)
        return check_files(mode, argv + 2);
    fputs("usage: measure read|open FILE...\n"
          "       measure decide|core|core-whole SPEC FILE...\n",
          stderr);
    return 2;
}
