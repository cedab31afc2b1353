/* verify_reason.c - why, in a line. */
#include "verify_reason.h"

#include "base/spelling.h"
#include "verify_record.h"
#include <inttypes.h>
#include <string.h>

bool verify_is_ambiguous(const struct plumb_refine_judgement *j)
{
    return j->decided && !j->holds &&
           j->assertion->kind == PLUMB_ASSERT_DETERMINISTIC;
}

/* The steps are told below, unless there are none. */
static void add_when(const struct plumb_refine_judgement *j,
                     struct plumb_base_text *out)
{
    plumb_base_text_add(out, j->length ? "  after these steps "
                                       : "  in the initial state ");
}

static void add_offence(struct plumb_refine_judgement *j,
                        struct plumb_base_text *out)
{
    switch (j->refinement.offence) {
    case PLUMB_OFFENCE_EVENT:
        verify_allowed(j, out);
        verify_excuse(j, j->world.budget, out);
        break;
    case PLUMB_OFFENCE_REFUSAL:
        add_when(j, out);
        plumb_base_text_add(out, "the process refuses events that the "
                                 "specification cannot refuse\n");
        break;
    default:
        plumb_base_text_add(out, "  the process can take hidden steps for ever "
                                 "(diverge), and the specification cannot\n");
    }
}

/* Which event it is: that of both edges. */
static void add_ambiguity(struct plumb_refine_judgement *j,
                          struct plumb_base_text *out)
{
    const struct plumb_refine_examination *const x = &j->examination;
    struct plumb_error err;
    add_when(j, out);
    const struct plumb_csp_outgoing edges =
        plumb_csp_graph_edges(j->impl.graph, x->final, &err);
    if (edges.status != PLUMB_OK) {
        plumb_base_text_add(out, "an event leads to different states\n");
    } else if (edges.edge[x->edge[0]].event == PLUMB_TAU) {
        plumb_base_text_add(out, "hidden steps lead to different states\n");
    } else {
        plumb_csp_event_numbers_text(j->world.events,
                                     edges.edge[x->edge[0]].event, out);
        plumb_base_text_add(out, " leads to different states\n");
    }
}

static void add_run(const struct plumb_refine_judgement *j,
                    struct plumb_base_text *out)
{
    plumb_base_text_add(
        out, j->cycle < j->length ? "  this infinite run violates the formula\n"
             : j->length
                 ? "  this run stops and violates the formula\n"
                 : "  no step is possible, which violates the formula\n");
    if (plumb_csp_system_has_split(j->impl.system))
        plumb_base_text_add(out, "  fairness treats a process that later "
                                 "splits by ||| as one process\n");
}

static void add_reached(const struct plumb_refine_judgement *j,
                        struct plumb_base_text *out)
{
    if (!j->holds)
        plumb_base_text_add(
            out, "  the condition is false in all of these states\n");
    else if (j->length == 0)
        plumb_base_text_add(out,
                            "  the condition is true in the initial state\n");
}

/* Of a search for one state: whether the way there is a shortest one. */
static void add_distance(const struct plumb_refine_judgement *j,
                         struct plumb_base_text *out)
{
    const struct plumb_refine_examination *const x = &j->examination;
    if (!x->visited_broad && !x->visited_deep)
        return;
    if (j->length && x->shortest)
        plumb_base_text_printf(out,
                               "  a shortest way there: %" PRIu32 " step%s\n",
                               j->length, plumb_base_plural(j->length));
    else if (j->length)
        plumb_base_text_printf(out,
                               "  a way there: %" PRIu32
                               " step%s; --search breadth finds a "
                               "shortest one\n",
                               j->length, plumb_base_plural(j->length));
}

void verify_operation(const struct plumb_refine_judgement *j,
                      struct plumb_base_text *out)
{
    const char *const call = j->model->name[j->progress.operation];
    plumb_base_text_bytes(out, call, strlen(call) - strlen("_inv"));
}

static void add_steppers(uint64_t clients, struct plumb_base_text *out)
{
    const bool several = clients & (clients - 1);
    plumb_base_text_add(out, several ? "clients " : "client ");
    for (uint64_t left = clients; left; left &= left - 1)
        plumb_base_text_printf(out, "%s%d",
                               left == clients     ? ""
                               : left & (left - 1) ? ", "
                                                   : " and ",
                               __builtin_ctzll(left));
    plumb_base_text_add(out, several ? " take" : " takes");
}

static void add_livelock(const struct plumb_refine_judgement *j,
                         struct plumb_base_text *out)
{
    const struct plumb_refine_progress *const x = &j->progress;
    plumb_base_text_add(out, "  ");
    if (j->assertion->kind == PLUMB_ASSERT_LOCKFREE) {
        add_steppers(x->steppers, out);
        plumb_base_text_add(out, " steps for ever, and no operation returns\n");
        return;
    }
    plumb_base_text_printf(
        out, "client %u takes steps for ever%s, and its ", (unsigned)x->client,
        j->assertion->kind == PLUMB_ASSERT_WAITFREE ? "" : " alone");
    verify_operation(j, out);
    plumb_base_text_add(out, " never returns\n");
}

static void add_progress(const struct plumb_refine_judgement *j,
                         struct plumb_base_text *out)
{
    const struct plumb_refine_progress *const x = &j->progress;
    if (x->offence == PLUMB_PROGRESS_LIVELOCK) {
        add_livelock(j, out);
        return;
    }
    plumb_base_text_printf(out, "  client %u is blocked: in its ",
                           (unsigned)x->client);
    verify_operation(j, out);
    plumb_base_text_add(out, x->cycle < x->length
                                 ? ", it waits for ever for atomic steps of "
                                   "other processes\n"
                                 : ", it can take no step by itself\n");
}

void verify_reason(struct plumb_refine_judgement *j,
                   struct plumb_base_text *out)
{
    switch (j->assertion->kind) {
    case PLUMB_ASSERT_DEADLOCKFREE:
        add_when(j, out);
        plumb_base_text_add(out, j->length ? "no step is possible any more\n"
                                           : "no step is possible\n");
        add_distance(j, out);
        break;
    case PLUMB_ASSERT_NONTERMINATING:
        add_when(j, out);
        plumb_base_text_add(out, "the process has terminated\n");
        break;
    case PLUMB_ASSERT_DIVERGENCEFREE:
        plumb_base_text_add(
            out, "  the process can take hidden steps for ever (diverge)\n");
        break;
    case PLUMB_ASSERT_DETERMINISTIC:
        add_ambiguity(j, out);
        break;
    case PLUMB_ASSERT_LTL:
        add_run(j, out);
        break;
    case PLUMB_ASSERT_REACHES:
        add_reached(j, out);
        add_distance(j, out);
        break;
    case PLUMB_ASSERT_LOCKFREE:
    case PLUMB_ASSERT_WAITFREE:
    case PLUMB_ASSERT_OBSTRUCTIONFREE:
        add_progress(j, out);
        break;
    default:
        add_offence(j, out);
    }
}
