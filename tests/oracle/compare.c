/* compare.c - see compare.h. */
#include "compare.h"
#include "oracle.h"
#include "weaken.h"
#include <string.h>

static const struct way {
    const char *name;
    struct plumb_check_options options;
} ways[] = {
    { "search", { .algorithm = PLUMB_ALGORITHM_SEARCH, .no_core = true } },
    { "search of the whole",
      { .algorithm = PLUMB_ALGORITHM_SEARCH, .no_core = true, .whole = true } },
    { "wing-gong",
      { .algorithm = PLUMB_ALGORITHM_WING_GONG, .no_core = true } },
    { "auto with two jobs",
      { .algorithm = PLUMB_ALGORITHM_AUTO, .no_core = true, .jobs = 2 } },
};

static const struct way ways_with_core[] = {
    { "search with core", { .algorithm = PLUMB_ALGORITHM_SEARCH } },
    { "wing-gong with core", { .algorithm = PLUMB_ALGORITHM_WING_GONG } },
    { "search of the whole with core and two jobs",
      { .algorithm = PLUMB_ALGORITHM_SEARCH, .whole = true, .jobs = 2 } },
};

static bool differ(char why[512], const struct way *way, const char *how)
{
    snprintf(why, 512, "%s: %s", way->name, how);
    return false;
}

static bool check_verdict(const struct plumb_answer *a, bool linearizable,
                          const struct way *way, char why[512])
{
    if (a->verdict == PLUMB_UNDECIDED)
        return differ(why, way, "undecided without a limit");
    if ((a->verdict == PLUMB_LINEARIZABLE) != linearizable)
        return differ(why, way,
                      linearizable ? "says it is not linearizable, but it is"
                                   : "says it is linearizable, but it is not");
    return true;
}

/* Different ways find the same core of a history: brute force need not judge
 * it each time. */
static bool was_judged(struct comparison *c, const struct plumb_answer *a)
{
    uint64_t h = 1469598103934665603u ^ a->core.cut ^ a->minimal;
    for (uint32_t i = 0; i < a->core.count; i++)
        h = (h ^ (2 * (uint64_t)a->core.op[i] + a->core.forgotten[i])) *
            1099511628211u;
    const bool same = h == c->judged;
    c->judged = h;
    return same;
}

/* An answer that is not shrunk is a violation because the history is. */
static bool check_core(struct comparison *c, const struct plumb_history *h,
                       const struct plumb_answer *a, const struct way *way,
                       char why[512])
{
    if (way->options.no_core || was_judged(c, a))
        return true;
    const char *const fault =
        core_fault(h, c->spec_text, plumb_spec_user(c->spec) != NULL, &a->core,
                   a->minimal, c->builder);
    if (fault) {
        char text[256];
        int n =
            snprintf(text, sizeof text, "core (cut %u;", (unsigned)a->core.cut);
        for (uint32_t i = 0; i < a->core.count; i++)
            n += snprintf(text + n, sizeof text - (size_t)n, " %u%s",
                          (unsigned)a->core.op[i],
                          a->core.forgotten[i] ? "?" : "");
        snprintf(text + n, sizeof text - (size_t)n, "): %s", fault);
        return differ(why, way, text);
    }
    c->cores++;
    c->minimal += a->minimal;
    return true;
}

static bool check_answer(struct comparison *c, const struct plumb_history *h,
                         const struct plumb_answer *a, bool linearizable,
                         const struct way *way, char why[512])
{
    if (!check_verdict(a, linearizable, way, why))
        return false;
    if (!linearizable)
        return check_core(c, h, a, way, why);
    if (!oracle_is_witness(h, c->spec_text, a->order, a->order_count))
        return differ(why, way, "the witness is not a linearization");
    return true;
}

static bool ask(struct comparison *c, const struct plumb_history *h,
                bool linearizable, const struct way *way, char why[512])
{
    struct plumb_answer answer;
    struct plumb_error err;
    if (plumb_check(h, c->spec, &way->options, &answer, &err) != PLUMB_OK)
        return differ(why, way, err.message);
    const bool agrees = check_answer(c, h, &answer, linearizable, way, why);
    plumb_answer_release(&answer);
    return agrees;
}

bool compare(struct comparison *c, const struct plumb_history *h,
             bool linearizable, bool with_core, char why[512])
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (!ask(c, h, linearizable, &ways[i], why))
            return false;
    c->judged = 0;
    const size_t more = sizeof ways_with_core / sizeof *ways_with_core;
    for (size_t i = 0; with_core && i < more; i++)
        if (!ask(c, h, linearizable, &ways_with_core[i], why))
            return false;
    return true;
}

/* ---- showing a difference ---- */

static void print_value(const struct plumb_history *h, struct plumb_value v,
                        FILE *out)
{
    if (v.tag == PLUMB_NIL)
        fputs("nil", out);
    else if (v.tag == PLUMB_BOOL)
        fputs(v.bits ? "true" : "false", out);
    else if (v.tag == PLUMB_INT)
        fprintf(out, "%lld", (long long)v.bits);
    else
        fprintf(out, "\"%s\"",
                plumb_symbol_text(h->symbols, (uint32_t)v.bits, NULL));
}

static void print_event(const struct plumb_history *h, const struct plumb_op *o,
                        bool is_return, FILE *out)
{
    static const char *const outcomes[] = { "ok", "fail", "info", "open" };
    const struct plumb_value *const v =
        is_return ? plumb_op_results(h, o) : plumb_op_args(h, o);
    const unsigned count = is_return ? o->nres : o->nargs;
    const char *const name =
        plumb_symbol_text(h->symbols, is_return ? o->term : o->name, NULL);
    fprintf(out, "%s %s(",
            plumb_symbol_text(h->symbols, h->object[o->object], NULL),
            *name ? name : outcomes[o->outcome]);
    for (unsigned i = 0; i < count; i++) {
        fputs(i ? "," : "", out);
        print_value(h, v[i], out);
    }
    fprintf(out, ") %s\n",
            plumb_symbol_text(h->symbols, h->thread[o->thread], NULL));
}

static void print_history(const struct plumb_history *h, FILE *out)
{
    for (uint32_t rank = 0; rank < h->events; rank++)
        for (uint32_t i = 0; i < h->count; i++) {
            if (h->op[i].call == rank)
                print_event(h, &h->op[i], false, out);
            if (h->op[i].resp == rank)
                print_event(h, &h->op[i], true, out);
        }
}

static bool part_differs(struct comparison *c, const struct plumb_history *h,
                         const struct weakening *w, bool with_core, FILE *out)
{
    struct plumb_history part;
    char why[512];
    weaken(h, w, c->builder, &part);
    const bool verdict = oracle_linearizable(&part, c->spec_text);
    const bool differs = !compare(c, &part, verdict, with_core, why);
    if (differs && out) {
        fprintf(out, "the part that matters, %s by definition (%s):\n",
                verdict ? "linearizable" : "not linearizable", why);
        print_history(&part, out);
    }
    plumb_history_release(&part);
    return differs;
}

void print_smallest_difference(struct comparison *c,
                               const struct plumb_history *h, bool with_core,
                               FILE *out)
{
    struct weakening w = { .kept = (1u << h->count) - 1, .cut = h->events };
    print_history(h, out);
    if (!part_differs(c, h, &w, with_core, NULL))
        return; /* it takes the processes or FAIL operations of `h` */
    for (uint32_t i = 0; i < h->count; i++) {
        struct weakening less = w;
        less.kept &= ~(1u << i);
        if (less.kept == w.kept || !part_differs(c, h, &less, with_core, NULL))
            continue;
        w = less;
        i = UINT32_MAX; /* again from the start */
    }
    part_differs(c, h, &w, with_core, out);
}
