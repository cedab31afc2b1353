/* fake_host.c - a host that runs nothing: for tests of those who start one.
 *
 * It says that the target is a queue, and does with a job what $FAKE names.
 * By default there is an assertion that fails in every test with two deq() at
 * least, if one preemption is allowed. */
#include "runtime/explore/job/job.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* It is to die as told, whatever it was compiled with. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0:handle_segv=0:handle_abort=0:handle_sigill=0";
}

static const char *fake = "";

static bool is(const char *name)
{
    return strcmp(fake, name) == 0;
}

/* ---- what it is ---- */

static void describe(struct job_description *d)
{
    *d = (struct job_description){ .object = true, .operations = 2 };
    strcpy(d->name, "Q");
    if (!is("no-spec"))
        strcpy(d->spec, "queue");
    strcpy(d->build_id, is("other-build") ? "bbbb" : "aaaa");
    strcpy(d->operation[0].name, "enq");
    d->operation[0].arity = 1;
    d->operation[0].args[0].kind = PLUMB_DOMAIN_FRESH;
    strcpy(d->operation[1].name, "deq");
}

static unsigned count(const char *text, const char *word)
{
    unsigned n = 0;
    while ((text = strstr(text, word))) {
        text += strlen(word);
        n++;
    }
    return n;
}

static unsigned count_all(const struct job_request *r, const char *word)
{
    return count(r->init, word) + count(r->test, word) + count(r->final, word);
}

/* All in the order of the text: a history without overlaps. */
static void tell_entries(struct job *job, struct job_finding *f, bool wrong)
{
    const char *at = job->request.test;
    unsigned process = 0, n = 0;
    job->target.processes = job->target.own_processes = 1 + count(at, "|");
    for (; *at && n < JOB_OPERATIONS; at++) {
        process += *at == '|';
        if (*at != 'q' || at[1] != '(')
            continue;
        const bool deq = at[-1] == 'e' && at[-2] == 'd';
        struct plumb_record_entry *const e = &f->entry[n];
        *e = (struct plumb_record_entry){ .call = n + 1, .operation = deq };
        if (!deq) {
            e->nargs = 1;
            e->value[0] = plumb_int(atoi(at + 2));
        } else if (wrong) {
            e->nres = 1;
            e->value[0] = plumb_int(99);
        } else {
            strcpy(e->term, "empty");
        }
        atomic_store(&e->ret, n + 2);
        job->target.process[n] = job->target.own[n] = (uint8_t)process;
        n++;
    }
    job->target.scenario = n;
}

/* ---- what it does ---- */

static struct job_finding *find(struct job *job, enum scheduler_fault fault,
                                const char *text, uint32_t preemptions)
{
    struct job_finding *const f = &job->finding[job->findings++];
    *f = (struct job_finding){ .preemptions = preemptions, .executions = 3 };
    f->what.fault = fault;
    strcpy(f->what.text, text);
    if (job->request.mode == JOB_EXPLORE) {
        static const struct job_step steps[] = {
            { 1, 0 }, { 1, 0 }, { 2, 0 }, { 2, 3 }, { 1, 0 }
        };
        memcpy(job->step, steps, sizeof steps);
        f->length = 5;
        job->steps = 5;
    }
    return f;
}

static void fail_assertion(struct job *job)
{
    const struct job_request *const r = &job->request;
    const bool allowed = !r->bounded || r->preemptions >= 1;
    if (count_all(r, "deq(") >= 2 && allowed)
        find(job, FAULT_ASSERTION, "assertion `head' failed", 1);
}

static void cover(struct job *job)
{
    struct job_coverage *const c = &job->coverage;
    c->returned[0] = count_all(&job->request, "enq(") > 0;
    c->returned[1] = count_all(&job->request, "deq(") > 0 && !is("no-return");
    c->overlaps[0][1] = 1;
    c->preempted = !is("no-preemption");
    c->interruptible = true;
    c->instrumented = !is("no-hooks");
    c->failed_swaps = 2;
    c->places = 1;
    c->place[0].offset = 0x1234;
}

/* Whoever waits for it finds a file of the name in $BEGUN. */
static void tell_that_it_has_begun(void)
{
    const char *const name = getenv("BEGUN");
    FILE *const file = name ? fopen(name, "w") : NULL;
    if (file)
        fclose(file);
}

static void wait_for_stop(struct job *job)
{
    tell_that_it_has_begun();
    while (!atomic_load(&job->stop) || is("hang")) {
        atomic_fetch_add(&job->progress.executions, 1);
        usleep(1000);
    }
    job->end = JOB_STOPPED;
    _exit(0);
}

/* Executed as it was told to be; what `mode` it is does not matter here. */
static void execute(struct job *job)
{
    struct job_finding *f;
    atomic_store(&job->progress.executions, 10);
    cover(job);
    job->histories = 4;
    job->stats.states = 7;
    job->exhausted = !is("incomplete");
    atomic_store(&job->now.length, 2);
    if (is("die"))
        raise(SIGSEGV);
    if (is("exit"))
        _exit(7);
    if (is("hang") || is("endless"))
        wait_for_stop(job);
    if (is("judging")) { /* in a specification that does not return */
        job->judging = true;
        for (;;)
            pause();
    }
    if (is("memory"))
        job->end = JOB_MEMORY;
    if (is("wrong") || is("mistaken")) {
        f = find(job, FAULT_HISTORY, "", 0);
        tell_entries(job, f, is("wrong"));
    } else if (is("unmodelled")) {
        find(job, FAULT_UNMODELLED, "calls epoll_wait()", 0);
    } else if (!is("pass") && !is("no-hooks") && !is("no-return") &&
               !is("no-preemption") && !is("incomplete") && !is("memory")) {
        fail_assertion(job);
    }
}

static void run(struct job *job)
{
    job->end = JOB_DONE;
    describe(&job->target);
    if (job->request.mode == JOB_DESCRIBE)
        return;
    if (job->request.mode == JOB_REPLAY && is("diverge")) {
        atomic_store(&job->now.length, 3);
        job->end = JOB_DIVERGED;
        return;
    }
    if (job->request.mode == JOB_REPLAY && is("forget"))
        return;
    if (is("error")) {
        job->end = JOB_ERROR;
        strcpy(job->message, "it is too large");
        return;
    }
    if (is("garbage"))
        memset((char *)job + sizeof job->request, 0xff,
               offsetof(struct job, trace) - sizeof job->request);
    else
        execute(job);
}

int main(int argc, char **argv)
{
    const char *const given = getenv("FAKE");
    struct job *const job = mmap(NULL, sizeof *job, PROT_READ | PROT_WRITE,
                                 MAP_SHARED, argc == 2 ? atoi(argv[1]) : -1, 0);
    if (job == MAP_FAILED)
        return 2;
    fake = given ? given : "";
    run(job);
    return 0;
}
