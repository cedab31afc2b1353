/* host_main.c - plumb-host FD: the process in which a target is explored.
 *
 * FD is the memory of a struct job.  It does what the request says, writes
 * what came of it, and ends with 0; what it cannot do is in job->message. */
#include "app/objects/plugin.h"
#include "app/objects/target.h"
#include "exploring.h"
#include "findings.h"
#include "record/script.h"
#include "refusal.h"
#include "replaying.h"
#include "runtime/common/wait.h"
#include "runtime/explore/hooks/unfollowed.h"
#include "runtime/explore/hooks/weak_orders.h"
#include "runtime/explore/memory/heap.h"
#include "runtime/explore/memory/image.h"
#include "runtime/explore/scheduler/fiber.h"
#include "runtime/explore/shims/output_capture.h"
#include "runtime/explore/shims/shims.h"
#include "runtime/explore/target/imports.h"
#include "serial_phase.h"
#include <plumb/budget.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static struct job *map_job(const char *number)
{
    char *end;
    const long fd = strtol(number, &end, 10);
    if (*end || fd < 0)
        return NULL;
    void *const at = mmap(NULL, sizeof(struct job), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_NORESERVE, (int)fd, 0);
    return at == MAP_FAILED ? NULL : at;
}

/* As much as fits. */
static void copy(char *to, size_t size, const char *from)
{
    const size_t length = from ? strnlen(from, size - 1) : 0;
    if (length)
        memcpy(to, from, length);
    to[length] = '\0';
}

/* All of it: what is told of an object is what tests are made of. */
static bool copy_all(struct job *job, const char *what, char *to, size_t size,
                     const char *from)
{
    copy(to, size, from);
    return !from || strlen(from) < size ||
           host_complain(job, "%s is longer than %zu bytes: %.60s...", what,
                         size - 1, from);
}

static bool describe_operation(struct job *job, unsigned i,
                               const struct plumb_operation *op)
{
    struct job_description *const d = &job->target;
    if (!copy_all(job, "the name of an operation", d->operation[i].name,
                  sizeof d->operation[i].name, op->name))
        return false;
    d->operation[i].arity = plumb_record_operation_arity(op);
    d->operation[i].weight = op->weight;
    d->operation[i].by = op->by;
    for (unsigned k = 0; k < d->operation[i].arity; k++) {
        d->operation[i].args[k] = op->args[k];
        d->operation[i].args[k].words = NULL;
        if (!copy_all(job, "a PLUMB_ONE_OF", d->operation[i].words[k],
                      sizeof d->operation[i].words[k], op->args[k].words))
            return false;
    }
    return true;
}

static bool describe(struct job *job, const struct plumb_object *o)
{
    struct job_description *const d = &job->target;
    d->object = o != NULL;
    copy(d->build_id, sizeof d->build_id, memory_image_build_id());
    copy(d->unseen, sizeof d->unseen, target_imports_unseen());
    d->chance = target_imports_chance();
    job->memory.base = (uint64_t)(uintptr_t)memory_image_base();
    if (!o)
        return true;
    copy(d->name, sizeof d->name, o->name);
    d->threads = o->version > 2 ? o->threads : 0;
    d->operations = plumb_record_object_size(o);
    for (unsigned i = 0; i < d->operations; i++)
        if (!describe_operation(job, i, &o->operations[i]))
            return false;
    return copy_all(job, "its .spec", d->spec, sizeof d->spec, o->spec) &&
           copy_all(job, "its .init", d->init, sizeof d->init, o->init) &&
           copy_all(job, "its .final", d->final, sizeof d->final, o->final) &&
           copy_all(job, "its .sequences", d->sequences, sizeof d->sequences,
                    o->version > 1 ? o->sequences : NULL);
}

static void describe_scenario(struct job *job, const struct host_driver *p)
{
    struct job_description *const d = &job->target;
    d->scenario = p->operations;
    d->init_count = p->init;
    d->final_count = p->final;
    d->processes = p->processes;
    d->own_processes = p->own_processes;
    d->leader = p->leader;
    for (unsigned op = 0; op < p->operations; op++) {
        d->process[op] = (uint8_t)p->operation[op].process;
        d->own[op] = (uint8_t)p->operation[op].own;
    }
}

/* An object is looked at as the simulator does: what is wrong with it is said
 * there. */
static bool load(struct job *job, const struct plumb_object **object)
{
    char why[256];
    if (!target_imports_check(job->request.target, why, sizeof why) ||
        !memory_image_load(job->request.target, why, sizeof why))
        return host_complain(job, "%s", why);
    scheduler_fiber_anonymous =
        target_imports_only_ours() && !memory_image_thread_locals_size();
    *object = NULL;
    if (!memory_image_symbol(PLUMB_OBJECT_SYMBOL))
        return true;
    struct objects_target t = { .given = job->request.given };
    copy(t.object, sizeof t.object, job->request.target);
    copy(t.label, sizeof t.label, job->request.target);
    *object = objects_target_load(&t);
    return *object || host_complain(job, "the target cannot be used");
}

static bool find_spec(struct job *job, struct plumb_spec **spec)
{
    const struct job_request *const r = &job->request;
    struct plumb_error err = { 0 };
    enum plumb_status status = PLUMB_OK;
    *spec = NULL;
    if (*r->plugin) {
        struct objects_target plugin = { .given = r->plugin };
        copy(plugin.object, sizeof plugin.object, r->plugin);
        const struct plumb_user_spec *const user = objects_plugin_load(&plugin);
        if (!user)
            return host_complain(job, "cannot load the specification");
        status = plumb_spec_from_user(user, spec, &err);
    } else if (*r->spec) {
        status = plumb_spec_parse(r->spec, spec, &err);
    }
    return status == PLUMB_OK || host_complain(job, "%s", err.message);
}

static uint64_t milliseconds_left(uint64_t deadline)
{
    const uint64_t now = runtime_nanoseconds_now();
    if (!deadline)
        return 0;
    return now < deadline ? (deadline - now) / 1000000 + 1 : 1;
}

/* Phase 1, unless its outcome is known.  False: there is no phase 2. */
static bool find_serial_spec(struct host_driver *p, struct plumb_budget *budget,
                             struct plumb_spec **spec)
{
    struct job *const job = p->job;
    if (job->request.spec_from == JOB_SPEC_INFERRED &&
        !host_serial_phase(p, budget))
        return false;
    if (job->serial.end == PLUMB_INFER_DETERMINISTIC) {
        *spec = host_serial_spec(p, NULL, budget);
        if (!*spec)
            return false;
    }
    return host_driver_judge_by(p, *spec, budget);
}

static bool work(struct job *job)
{
    static struct host_driver play;
    struct plumb_spec *spec;
    struct plumb_budget *const budget = plumb_budget_new(
        milliseconds_left(job->request.deadline), job->request.memory);
    if (!budget ||
        !memory_heap_init((enum memory_heap_reuse)job->request.reuse))
        return host_complain(job, "out of memory");
    hooks_unfollowed_tell(job->unfollowed);
    hooks_weak_orders_tell(job->weak_order);
    shims_output_begin(job->printed, sizeof job->printed, &job->output);
    if (!load(job, &play.object))
        return false;
    const uint32_t loaded = job->output; /* by constructors */
    shims_init();
    shims_random_range(job->request.random);
    shims_verifier_init(job->request.strategy == PLUMB_DPOR);
    if (!describe(job, play.object))
        return false;
    if (job->request.mode == JOB_DESCRIBE) {
        job->end = JOB_DONE;
        return true;
    }
    if (!find_spec(job, &spec))
        return false;
    play.spec = spec;
    if (!scheduler_adapter_open())
        return host_complain(job,
                             "cannot get threads or memory from the system");
    if (job->request.mode == JOB_REPLAY)
        host_replay_listen(job);
    if (!host_driver_open(&play, job, budget))
        return false;
    job->output_before = play.often ? loaded : job->output;
    describe_scenario(job, &play);
    if (job->request.spec_from != JOB_SPEC_GIVEN &&
        !find_serial_spec(&play, budget, &spec))
        return job->end != JOB_RUNNING;
    host_findings_add_points(job);
    if (job->request.mode == JOB_EXPLORE)
        host_explore_test(&play, budget);
    else
        host_replay_play(&play);
    host_driver_close(&play);
    plumb_spec_free(spec);
    return true;
}

int main(int argc, char **argv)
{
    struct job *const job = argc == 2 ? map_job(argv[1]) : NULL;
    if (!job || job->request.version != JOB_VERSION) {
        fprintf(stderr, "plumb-host: run plumb explore instead, which starts "
                        "this program\n");
        return 2;
    }
    unsetenv("LD_BIND_NOW"); /* it is not the target's */
    if (!work(job) && job->end == JOB_RUNNING)
        job->end = JOB_ERROR;
    fflush(NULL);
    _Exit(0); /* the target's destructors are not ours to run */
}
