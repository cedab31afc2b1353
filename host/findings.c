/* findings.c - see findings.h. */
#include "findings.h"

#include "runtime/explore/memory/image.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

static bool new_points;
static const struct job *known;

void host_findings_know(const struct job *others)
{
    known = others;
}

bool host_findings_has_new_points(void)
{
    return new_points;
}

bool host_findings_new_points(void)
{
    const bool there_were = new_points;
    new_points = false;
    return there_were;
}

static uint64_t offset_of(const void *pc)
{
    return memory_image_has_code(pc) ? memory_image_offset(pc) : 0;
}

/* What tells one finding from another. */
struct mark {
    enum scheduler_fault fault;
    uint64_t offset, other, kind;
};

static bool is_like(const struct job_finding *f, const struct mark *m)
{
    return f->what.fault == m->fault && f->kind == m->kind &&
           ((f->offset == m->offset && f->other == m->other) ||
            (m->fault == FAULT_RACE && f->offset == m->other &&
             f->other == m->offset));
}

static bool has_one_like(const struct job *job, const struct mark *m)
{
    for (uint32_t i = 0; i < job->findings && i < JOB_FINDINGS; i++)
        if (is_like(&job->finding[i], m))
            return true;
    return false;
}

/* Others have one like it; or no room, and have said so. */
static bool is_no_news(const struct job *others, const struct mark *m)
{
    return others->more_findings || has_one_like(others, m);
}

static struct job_finding *new_finding(struct host_driver *p,
                                       const struct mark *m, uint32_t length)
{
    struct job *const job = p->job;
    if (has_one_like(job, m) || (known && is_no_news(known, m)))
        return NULL;
    if (job->findings == JOB_FINDINGS || length > JOB_STEPS - job->steps) {
        job->more_findings = true;
        return NULL;
    }
    struct job_finding *const f = &job->finding[job->findings++];
    *f = (struct job_finding){ .offset = m->offset,
                               .other = m->other,
                               .kind = m->kind,
                               .first = job->steps,
                               .length = length };
    f->points = scheduler_adapter_points();
    f->executions =
        atomic_load_explicit(&job->progress.executions, memory_order_relaxed);
    memcpy(f->entry, p->entry, sizeof p->entry);
    job->steps += length;
    atomic_store_explicit(&job->progress.findings, job->findings,
                          memory_order_relaxed);
    return f;
}

/* By its own steps it came back to where it was: others go on, as is fair. */
static bool came_round(const struct plumb_strategies_step *step)
{
    return step->gave_way && !step->yielded;
}

/* In job->switched, for who replays the finding. */
static void keep_rounds(struct job *job, const struct job_finding *f,
                        const struct plumb_strategies_step *step)
{
    for (uint32_t i = 0; i < f->length; i++)
        job->switched[f->first + i] =
            i > 0 && step[i].thread != step[i - 1].thread &&
                    came_round(&step[i - 1])
                ? JOB_SWITCH_SPINS
                : JOB_SWITCH_UNKNOWN;
}

struct job_finding *host_findings_add(struct host_driver *p,
                                      const struct scheduler_finding *w,
                                      const struct plumb_strategies_step *step,
                                      uint32_t length)
{
    assert(step || !length);
    const struct mark m = { .fault = w->fault,
                            .offset = offset_of(w->pc),
                            .kind = w->fault == FAULT_HISTORY ? p->kind : 0 };
    struct job_finding *const f = new_finding(p, &m, length);
    if (!f)
        return NULL;
    f->what = *w;
    f->preemptions = length ? step[length - 1].preemptions : 0;
    for (uint32_t i = 0; i < length; i++)
        p->job->step[f->first + i] =
            (struct job_step){ step[i].thread, step[i].option };
    keep_rounds(p->job, f, step);
    return f;
}

static void keep_schedule_so_far(struct job *job, const struct job_finding *f)
{
    memcpy(job->step + f->first, job->now.step,
           f->length * sizeof *job->now.step);
}

/* Of code that is not the target's there would be no telling it. */
static void add_point(struct job *job, const void *pc)
{
    struct job_request *const r = &job->request;
    if (!memory_image_has_code(pc))
        return;
    job->too_many_points |= r->points >= JOB_POINTS;
    if (r->points >= JOB_POINTS || !scheduler_adapter_interleave(pc))
        return;
    r->point[r->points++] = (uint32_t)memory_image_offset(pc);
    new_points = true;
}

void host_findings_add_points(const struct job *job)
{
    const struct job_request *const r = &job->request;
    for (uint32_t i = 0; i < r->points && i < JOB_POINTS; i++)
        scheduler_adapter_interleave(
            (const void *)(memory_image_base() + r->point[i]));
}

/* Both places become events, so that the race is run both ways. */
void host_findings_suspect(void *play, const struct race *race)
{
    const struct host_driver *const p = play;
    new_points |= !race;
    for (unsigned i = 0; race && i < 2; i++)
        if (!race->atomic[i])
            add_point(p->job, race->pc[i]);
}

void host_findings_race(void *play, const struct race *race)
{
    struct host_driver *const p = play;
    struct job *const job = p->job;
    const uint32_t length =
        atomic_load_explicit(&job->now.length, memory_order_relaxed);
    host_findings_suspect(play, race);
    if (job->request.races != JOB_RACES_REPORT)
        return;
    const struct mark m = { .fault = FAULT_RACE,
                            .offset = offset_of(race->pc[1]),
                            .other = offset_of(race->pc[0]) };
    struct job_finding *const f = new_finding(p, &m, length);
    if (!f)
        return;
    f->what = (struct scheduler_finding){ .fault = FAULT_RACE,
                                          .thread = race->thread[1],
                                          .pc = race->pc[1],
                                          .at = race->at };
    f->other_thread = race->thread[0];
    f->executions++; /* this one counts when it has ended */
    snprintf(f->what.text, sizeof f->what.text,
             "%s%s of %u and %s%s of %u bytes are not ordered",
             race->atomic[1] ? "an atomic " : "a ",
             race->writes[1] ? "write" : "read", race->size[1],
             race->atomic[0] ? "an atomic " : "a ",
             race->writes[0] ? "write" : "read", race->size[0]);
    keep_schedule_so_far(job, f);
}

void host_findings_count_preemptions(struct job *job,
                                     const struct plumb_strategies_execution *x,
                                     uint32_t *counted)
{
    for (; *counted < job->findings; ++*counted) {
        struct job_finding *const f = &job->finding[*counted];
        if (f->what.fault != FAULT_RACE || !x->step || !f->length ||
            f->length > x->length)
            continue;
        f->preemptions = x->step[f->length - 1].preemptions;
        keep_rounds(job, f, x->step);
    }
}
