/* tally.c - see tally.h. */
#include "tally.h"
#include <stdio.h>

void tally_add(struct tally *t, const struct draft *d, bool linearizable)
{
    t->histories++;
    t->linearizable += linearizable;
    for (unsigned i = 0; i < d->count; i++) {
        const struct draft_op *const o = &d->op[i];
        const bool ok = o->outcome == PLUMB_OUTCOME_OK;
        const unsigned instance =
            ok ? alphabet_find(t->alphabet, o->call, &o->answer) : 0;
        if (!ok)
            t->pending[o->call] += o->outcome != PLUMB_OUTCOME_FAIL;
        else if (instance < t->alphabet->instances)
            t->instance[instance]++;
    }
}

void tally_add_other(struct tally *t)
{
    t->other++;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

double tally_linearizable(const struct tally *t)
{
    return percent(t->linearizable, t->histories);
}

double tally_other(const struct tally *t)
{
    return percent(t->other, t->linearizable);
}

static bool missing(const struct tally *t, unsigned call, const char *what)
{
    fprintf(stderr, "%s: call %u, %s, was never %s\n",
            t->alphabet->domain->spec, call, t->alphabet->call[call].name,
            what);
    return false;
}

bool tally_covers(const struct tally *t)
{
    for (unsigned i = 0; i < t->alphabet->calls; i++)
        if (!t->pending[i])
            return missing(t, i, "pending");
    for (unsigned i = 0; i < t->alphabet->instances; i++)
        if (!t->instance[i])
            return missing(t, t->alphabet->instance[i].call,
                           "given one of its answers");
    return true;
}
