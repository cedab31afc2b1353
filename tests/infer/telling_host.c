/* telling_host.c - a plumb-host that also writes down every execution.
 *
 * Linked with the host's own objects and --wrap=host_ending_is_wrong.  For each
 * execution of phase 2 it appends a line of JSON to the file $TELL_EXECUTIONS:
 * how the execution ended, what the host made of it, and for each operation
 *
 *     [process, name, [argument...], call, return, term, [result...]]
 *
 * where a call at c comes after the returns up to c, and a return of 0 is none.
 * Likewise, with --wrap=host_driver_is_justified, for each history in which
 * operations wait while others have yet to be called: its ending is "prefix".
 * So a checker that knows nothing of the host can judge all that it saw. */
#include "host/endings.h"
#include "host/stuck_prefix.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool __real_host_ending_is_wrong(struct host_driver *p,
                                 struct plumb_budget *budget,
                                 const struct plumb_strategies_execution *x);
bool __wrap_host_ending_is_wrong(struct host_driver *p,
                                 struct plumb_budget *budget,
                                 const struct plumb_strategies_execution *x);
bool __real_host_driver_is_justified(struct host_driver *p,
                                     struct plumb_budget *budget);
bool __wrap_host_driver_is_justified(struct host_driver *p,
                                     struct plumb_budget *budget);

/* ---- a line ---- */

static char line[1 << 18];
static size_t used;

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int size = vsnprintf(line + used, sizeof line - used, format, list);
    va_end(list);
    if (size < 0 || (size_t)size >= sizeof line - used)
        abort();
    used += (size_t)size;
}

static void add_text(const char *text)
{
    add("\"");
    for (; *text; text++)
        if (*text < ' ' || *text > '~' || *text == '"' || *text == '\\')
            add("\\u%04x", (unsigned char)*text);
        else
            add("%c", *text);
    add("\"");
}

static void add_values(const struct plumb_record_entry *e, unsigned from,
                       unsigned count)
{
    add("[");
    for (unsigned i = from; i < from + count; i++) {
        const struct plumb_value v = e->value[i];
        add(i > from ? "," : "");
        if (v.tag == PLUMB_STR)
            add_text(e->text + v.bits);
        else if (v.tag == PLUMB_BOOL)
            add(v.bits ? "true" : "false");
        else
            add("%" PRId64, (int64_t)v.bits);
    }
    add("]");
}

static void add_operation(const struct host_driver *p, unsigned op)
{
    const struct plumb_record_entry *const e = &p->entry[op];
    const uint64_t ret = atomic_load(&e->ret);
    add("[%u,", p->operation[op].process);
    add_text(p->object->operations[p->operation[op].call.operation].name);
    add(",");
    add_values(&p->operation[op].call, 0, p->operation[op].call.nargs);
    add(",%" PRIu64 ",%" PRIu64 ",", e->call, ret);
    add_text(ret ? e->term : "");
    add(",");
    add_values(e, e->nargs, ret ? e->nres : 0);
    add("]");
}

static void add_test(const struct job_request *r)
{
    add("\"test\":[");
    add_text(r->init);
    add(",");
    add_text(r->test);
    add(",");
    add_text(r->final);
    add("],\"nondet\":");
    add_text(r->nondet);
    add(",\"async\":");
    add_text(r->async);
    add(",\"spec\":");
    add_text(r->spec);
}

static void add_schedule(const struct plumb_strategies_execution *x)
{
    add("\"schedule\":\"");
    for (uint32_t i = 0; x->step && i < x->length; i++)
        add("%c", '0' + x->step[i].thread);
    add("\",");
}

static void add_execution(const struct host_driver *p, const char *ending,
                          const struct plumb_strategies_execution *x, int fault,
                          bool wrong)
{
    bool any = false;
    used = 0;
    add("{\"ending\":\"%s\",\"fault\":%d,\"history\":%s,\"wrong\":%s,", ending,
        fault, fault == FAULT_HISTORY ? "true" : "false",
        wrong ? "true" : "false");
    if (x)
        add_schedule(x);
    add_test(&p->job->request);
    add(",\"operations\":[");
    for (unsigned op = 0; op < p->operations; op++)
        if (p->entry[op].call) {
            add(any ? "," : "");
            add_operation(p, op);
            any = true;
        }
    add("]}\n");
}

/* A worker has files of its own. */
static void tell(void)
{
    static int file = -1;
    static pid_t of;
    const char *const name = getenv("TELL_EXECUTIONS");
    if (of != getpid() && name)
        file = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    of = getpid();
    if (file >= 0 && write(file, line, used) != (ssize_t)used)
        abort();
}

bool __wrap_host_ending_is_wrong(struct host_driver *p,
                                 struct plumb_budget *budget,
                                 const struct plumb_strategies_execution *x)
{
    static const char *const ending[] = { "complete", "deadlock", "asleep",
                                          "cut",      "seen",     "endless" };
    const int fault = (int)scheduler_adapter_finding()->fault;
    const bool is_prefix =
        p->shortened ||
        (x->outcome == PLUMB_ENDLESS && host_stuck_prefix_has_calls_left(p));
    const bool wrong = __real_host_ending_is_wrong(p, budget, x);
    if (p->object && p->job->request.mode == JOB_EXPLORE && !is_prefix) {
        add_execution(p, ending[x->outcome], x, fault, wrong);
        tell();
    }
    return wrong;
}

bool __wrap_host_driver_is_justified(struct host_driver *p,
                                     struct plumb_budget *budget)
{
    const bool justified = __real_host_driver_is_justified(p, budget);
    if (p->job->request.mode == JOB_EXPLORE && host_stuck_prefix_is_here(p)) {
        add_execution(p, "prefix", NULL, 0, !justified);
        tell();
    }
    return justified;
}
