/* schedules.c - try every schedule of a small scenario of an object.
 *
 *     schedules OBJECT.so --scenario 'enq(1) deq() | deq()' [--init OPS]
 *               [--final OPS] [--preemptions N|all | --serial] [--limit N]
 *               [--spec SPEC] [--all] [--again]
 *
 * OBJECT.so as build.sh makes it; --init and --final replace its own.  One
 * line tells what was found:
 *
 *     executions 4, histories 3, stuck 0, dead 0: all linearizable
 *
 * `dead` counts executions that used freed memory; `leaking`, if there are
 * any, those that did not free all in the end.  A violation ends the search,
 * unless --all, and is printed with its schedule: who ran, and before which
 * line it was stopped.  With --again the object is set up again after each
 * execution, and else loaded afresh.  The status is 0 if all is well, 1 for a
 * violation, 4 if some execution is stuck, 3 if the limit ended the search, 2
 * for an error. */
#include "image.h"
#include "judge.h"
#include "scheduler.h"

#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GOOD, VIOLATED, ERROR, INCOMPLETE, HANGS };

struct settings {
    const char *path, *init, *scenario, *final, *spec;
    uint32_t preemptions;
    bool serial, all, again;
    uint64_t limit;
};

struct counts {
    uint64_t executions, violations, stuck, blocked, dead, leaking, steps;
    bool complete;
};

/* ---- the command line ---- */

static bool read_number(const char *text, uint64_t *number)
{
    char *end;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end;
}

static bool set_option(struct settings *s, int option, const char *value)
{
    uint64_t number = ANY_NUMBER;
    switch (option) {
    case 'i':
        s->init = value;
        return true;
    case 's':
        s->scenario = value;
        return true;
    case 'f':
        s->final = value;
        return true;
    case 'S':
        s->spec = value;
        return true;
    case 'r':
        s->serial = true;
        return true;
    case 'a':
        s->all = true;
        return true;
    case 'g':
        s->again = true;
        return true;
    case 'l':
        return read_number(value, &s->limit);
    case 'p':
        if (strcmp(value, "all") && !read_number(value, &number))
            return false;
        s->preemptions = (uint32_t)number;
        return true;
    }
    return false;
}

static bool read_settings(struct settings *s, int argc, char **argv)
{
    static const struct option options[] = {
        { "init", required_argument, NULL, 'i' },
        { "scenario", required_argument, NULL, 's' },
        { "final", required_argument, NULL, 'f' },
        { "preemptions", required_argument, NULL, 'p' },
        { "serial", no_argument, NULL, 'r' },
        { "limit", required_argument, NULL, 'l' },
        { "spec", required_argument, NULL, 'S' },
        { "all", no_argument, NULL, 'a' },
        { "again", no_argument, NULL, 'g' },
        { NULL, 0, NULL, 0 },
    };
    int option;
    *s = (struct settings){ .limit = 1000000 };
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
        if (!set_option(s, option, optarg))
            return false;
    if (optind + 1 != argc || !s->scenario)
        return false;
    s->path = argv[optind];
    return true;
}

/* ---- telling ---- */

/* "stack.c:31" for an address in the object. */
static void print_place(const struct settings *s, const void *where)
{
    char command[512], line[512] = "";
    if (!where) {
        printf(" to the end of an operation\n");
        return;
    }
    /* A return address: the call is before it. */
    snprintf(command, sizeof command, "addr2line -s -e '%s' 0x%" PRIxPTR,
             s->path, image_offset(where) - 1);
    FILE *const pipe = popen(command, "r");
    if (pipe && !fgets(line, sizeof line, pipe))
        *line = '\0';
    if (pipe)
        pclose(pipe);
    printf(", stopped before %s", *line ? line : "?\n");
}

static void print_run(const struct settings *s, struct judge *j,
                      const struct run *run)
{
    static const char *const ending[] = { "complete", "blocked", "stuck",
                                          "endless" };
    printf("schedule (%u preemptions, %s):\n", run->preemptions,
           ending[run->ending]);
    for (unsigned i = 0; i < run->stretches && i < MAX_STRETCHES; i++) {
        printf("  P%u runs", run->stretch[i].process + 1);
        print_place(s, run->stretch[i].where);
    }
    if (run->dead_accesses) {
        printf("  freed memory is used");
        print_place(s, run->dead_where);
    }
    printf("history:\n");
    judge_print(j, run, stdout);
}

static void print_counts(const struct counts *c, const struct judge *j)
{
    printf("executions %" PRIu64 ", histories %zu, stuck %" PRIu64
           ", dead %" PRIu64,
           c->executions, judge_distinct(j), c->stuck, c->dead);
    if (c->blocked)
        printf(", blocked %" PRIu64, c->blocked);
    if (c->leaking)
        printf(", leaking %" PRIu64, c->leaking);
    printf(": ");
}

static int report(const struct settings *s, const struct counts *c,
                  struct judge *j, const struct run *shown)
{
    print_counts(c, j);
    if (c->violations)
        printf("violation at %u preemptions", shown->preemptions);
    else
        printf("%s linearizable", c->complete ? "all" : "limit reached, all");
    if (s->all && c->violations)
        printf(" (%" PRIu64 " executions)", c->violations);
    printf("\n");
    if (shown)
        print_run(s, j, shown);
    if (c->violations)
        return VIOLATED;
    if (c->stuck)
        return HANGS;
    return c->complete ? GOOD : INCOMPLETE;
}

/* ---- exploring ---- */

static void count(struct counts *c, const struct run *run)
{
    c->executions++;
    if (run->ending == STUCK || run->ending == ENDLESS)
        c->stuck++;
    if (run->ending == BLOCKED)
        c->blocked++;
    if (run->dead_accesses)
        c->dead++;
    if (run->left)
        c->leaking++;
    c->steps += run->steps;
}

/* Is it worse than what would be shown so far?  A violation is worse than an
 * execution that is stuck, and with fewer preemptions it is plainer. */
static bool is_worth_showing(bool violation, const struct run *run,
                             const struct counts *c, const struct run *shown)
{
    if (violation)
        return c->violations == 1 || run->preemptions < shown->preemptions;
    if (c->violations || shown)
        return false;
    return run->ending == STUCK || run->ending == ENDLESS || run->dead_accesses;
}

static int explore(const struct settings *s, struct judge *j)
{
    static struct run kept;
    struct counts c = { .complete = false };
    const struct run *run, *shown = NULL;
    while (c.executions < s->limit) {
        if (!scheduler_next(&run)) {
            c.complete = true;
            break;
        }
        count(&c, run);
        const bool violation = !judge_accepts(j, run);
        c.violations += violation;
        if (is_worth_showing(violation, run, &c, shown)) {
            kept = *run;
            shown = &kept;
        }
        if (violation && !s->all)
            break;
    }
    if (!c.steps) { /* else all would look well */
        fprintf(stderr, "schedules: no operation accesses memory\n");
        return ERROR;
    }
    return report(s, &c, j, shown);
}

static void crashed(int signal)
{
    static const char text[] = "schedules: the object crashed\n";
    (void)signal;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(ERROR);
    _exit(ERROR);
}

/* On a stack of its own: the object's may be used up. */
static void watch_for_crashes(void)
{
    static char stack[65536];
    const stack_t alternative = { .ss_sp = stack, .ss_size = sizeof stack };
    struct sigaction action = { .sa_handler = crashed, .sa_flags = SA_ONSTACK };
    sigaltstack(&alternative, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    sigaction(SIGILL, &action, NULL);
}

int main(int argc, char **argv)
{
    struct settings s;
    struct scenario scenario;
    if (!read_settings(&s, argc, argv)) {
        fprintf(stderr, "usage: schedules OBJECT.so --scenario OPS|OPS...\n");
        return ERROR;
    }
    const struct plumb_object *const object = image_load(s.path);
    if (!object)
        return ERROR;
    const char *const spec = s.spec ? s.spec : object->spec;
    if (!spec) {
        fprintf(stderr, "schedules: the object names no specification\n");
        return ERROR;
    }
    if (!scenario_parse(&scenario, object, s.init ? s.init : object->init,
                        s.scenario, s.final ? s.final : object->final))
        return ERROR;
    const struct plan plan = { .object = object,
                               .scenario = &scenario,
                               .preemptions = s.preemptions,
                               .serial = s.serial,
                               .again = s.again };
    struct judge *const j = judge_new(object, &scenario, spec);
    if (!j || !scheduler_init(&plan))
        return ERROR;
    watch_for_crashes();
    const int status = explore(&s, j);
    judge_free(j);
    fflush(stdout);
    _exit(status);
}
