/* explore_answers.c - the scenario of a job and what was answered. */
#include "app/explore/trace/explore_interleaving.h"

#include "app/explore/trace/trace_names.h"
#include "app/explore/trace/trace_rows.h"
#include "report/answers.h"
#include <stdlib.h>

enum { INDENT = 2 };

/* What is not trusted: counts are cut to what there can be. */
struct bounds {
    unsigned scenario, init, final, processes;
};

static unsigned at_most(unsigned count, unsigned most)
{
    return count < most ? count : most;
}

static struct bounds bounds_of(const struct job_description *d)
{
    struct bounds b = { .scenario = at_most(d->scenario, JOB_OPERATIONS),
                        .processes = at_most(d->processes, JOB_PROCESSES) };
    b.init = at_most(d->init_count, b.scenario);
    b.final = at_most(d->final_count, b.scenario - b.init);
    return b;
}

/* Without an answer if it gave none, and in brackets if it was not called. */
static void write_operation(const struct job *job,
                            const struct job_finding *finding, unsigned op,
                            struct plumb_base_text *out)
{
    const struct plumb_record_entry *const e = &finding->entry[op];
    const bool returned =
        atomic_load_explicit(&e->ret, memory_order_relaxed) != 0;
    const bool called = e->call != 0 || returned;
    if (!called)
        plumb_base_text_add(out, "(");
    explore_trace_operation_text(job, finding, op, returned, out);
    if (!called)
        plumb_base_text_add(out, ")");
}

static enum plumb_report_part part_of(const struct bounds *b, unsigned op)
{
    return op < b->init                  ? PLUMB_PART_INIT
           : op < b->scenario - b->final ? PLUMB_PART_PROCESS
                                         : PLUMB_PART_FINAL;
}

void explore_show_scenario(const struct job *job,
                           const struct job_finding *finding,
                           const struct plumb_report_style *style,
                           struct plumb_base_text *out)
{
    const struct bounds b = bounds_of(&job->target);
    struct plumb_report_answered operation[JOB_OPERATIONS];
    struct plumb_base_text text[JOB_OPERATIONS];
    char name[JOB_PROCESSES][TRACE_THREAD_NAME];
    const char *process[JOB_PROCESSES];
    for (unsigned p = 0; p < b.processes; p++)
        process[p] =
            explore_trace_thread(job, p + (job->target.leader == 1), name[p]);
    for (unsigned op = 0; op < b.scenario; op++) {
        plumb_base_text_init(&text[op], NULL);
        write_operation(job, finding, op, &text[op]);
        operation[op] = (struct plumb_report_answered){
            .part = part_of(&b, op),
            .process = job->target.process[op],
            .text = plumb_base_text_string(&text[op]),
        };
    }
    const struct plumb_report_answers what = { .process = process,
                                               .processes = b.processes,
                                               .operation = operation,
                                               .count = b.scenario };
    plumb_report_answers_text(&what, style, INDENT, out);
    for (unsigned op = 0; op < b.scenario; op++) {
        out->broken |= text[op].broken;
        plumb_base_text_release(&text[op]);
    }
}
