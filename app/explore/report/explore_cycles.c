/* explore_cycles.c - see explore_cycles.h. */
#include "explore_cycles.h"

#include "app/explore/trace/explore_interleaving.h"
#include "base/spelling.h"
#include "explore_words.h"
#include "report/json.h"
#include <inttypes.h>
#include <string.h>

enum { MOST_CONFLICTS = 4 };

void explore_cycles_add(struct job_cycles *sum, const struct job_cycles *c)
{
    sum->executions += c->executions;
    sum->cyclic += c->cyclic;
    for (unsigned i = 0; i < PLUMB_MAX_OPERATIONS; i++)
        for (unsigned k = 0; k < PLUMB_MAX_OPERATIONS; k++) {
            struct job_conflict *const to = &sum->conflict[i][k];
            const struct job_conflict *const from = &c->conflict[i][k];
            if (!to->count)
                *to = *from;
            else
                to->count += from->count;
        }
}

/* The next conflict that there is, from `*at` on. */
static const struct job_conflict *next_conflict(const struct exploration *e,
                                                const struct job_cycles *c,
                                                unsigned *at)
{
    const unsigned operations = e->what.operations;
    for (; *at < operations * operations; ++*at) {
        const struct job_conflict *const conflict =
            &c->conflict[*at / operations][*at % operations];
        if (conflict->count)
            return conflict;
    }
    return NULL;
}

/* "push before pop: push (stack.c:21), pop (stack.c:33)" */
static void add_conflict(const struct exploration *e,
                         const struct job_conflict *c, unsigned at,
                         struct plumb_base_text *out)
{
    const unsigned operations = e->what.operations;
    plumb_report_label_line(e->what.operation[at / operations].name, out);
    plumb_base_text_add(out, " before ");
    plumb_report_label_line(e->what.operation[at % operations].name, out);
    plumb_base_text_add(out, ": ");
    explore_show_place(e->target->object, c->place[0], out);
    plumb_base_text_add(out, ", ");
    explore_show_place(e->target->object, c->place[1], out);
}

static void add_conflicts(const struct exploration *e,
                          const struct job_cycles *c,
                          struct plumb_base_text *out)
{
    const struct job_conflict *conflict;
    unsigned told = 0, left = 0;
    for (unsigned at = 0; (conflict = next_conflict(e, c, &at)); at++) {
        if (told == MOST_CONFLICTS && !e->with->verbose) {
            left++;
            continue;
        }
        plumb_base_text_add(out, "    ");
        add_conflict(e, conflict, at, out);
        plumb_base_text_add(out, "\n");
        told++;
    }
    if (left)
        plumb_base_text_printf(out, "    and %u more (--verbose)\n", left);
}

void explore_add_cycles(const struct exploration *e, const struct job_cycles *c,
                        struct plumb_base_text *out)
{
    if (!e->with->also)
        return;
    if (!c->cyclic) {
        plumb_base_text_printf(out,
                               "  also: %" PRIu64 " schedule%s, all "
                               "conflict-serializable\n",
                               c->executions, plumb_base_plural(c->executions));
        return;
    }
    plumb_base_text_printf(out,
                           "  also: %" PRIu64 " of %" PRIu64
                           " schedules not conflict-serializable\n",
                           c->cyclic, c->executions);
    add_conflicts(e, c, out);
}

static void json_place(const struct exploration *e, const char *key,
                       uint64_t offset, struct plumb_base_text *out)
{
    struct plumb_base_text place;
    plumb_base_text_init(&place, NULL);
    explore_show_place(e->target->object, offset, &place);
    plumb_report_json_text(key, plumb_base_text_string(&place), out);
    plumb_base_text_release(&place);
}

void explore_json_cycles(const struct exploration *e,
                         const struct job_cycles *c,
                         struct plumb_base_text *out)
{
    const unsigned operations = e->what.operations;
    const struct job_conflict *conflict;
    bool any = false;
    if (!e->with->also)
        return;
    plumb_base_text_printf(out,
                           ",\"serializability\":{\"schedules\":%" PRIu64
                           ",\"not_serializable\":%" PRIu64 ",\"conflicts\":[",
                           c->executions, c->cyclic);
    for (unsigned at = 0; (conflict = next_conflict(e, c, &at)); at++) {
        plumb_base_text_printf(out, "%s{\"count\":%" PRIu64, any ? "," : "",
                               conflict->count);
        plumb_report_json_text("before",
                               e->what.operation[at / operations].name, out);
        json_place(e, "before_at", conflict->place[0], out);
        plumb_report_json_text("after", e->what.operation[at % operations].name,
                               out);
        json_place(e, "after_at", conflict->place[1], out);
        plumb_base_text_add(out, "}");
        any = true;
    }
    plumb_base_text_add(out, "]}");
}
