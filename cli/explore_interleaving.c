/* explore_interleaving.c - an execution, told step by step. */
#include "explore_interleaving.h"

#include <inttypes.h>

static const char *const kind_name[] = {
    [TRACE_READ] = "reads",      [TRACE_WRITE] = "writes",
    [TRACE_LOAD] = "loads",      [TRACE_STORE] = "stores",
    [TRACE_MODIFY] = "modifies", [TRACE_CAS] = "compares and swaps",
    [TRACE_FENCE] = "fence",     [TRACE_SYNC] = "calls",
    [TRACE_CHOICE] = "chooses",  [TRACE_YIELD] = "gives way",
    [TRACE_SPAWN] = "starts",    [TRACE_JOIN] = "joins",
    [TRACE_END] = "ends",        [TRACE_CALL] = "begins operation",
    [TRACE_RETURN] = "returns",  [TRACE_ENTER] = "enters",
    [TRACE_LEAVE] = "leaves",    [TRACE_ALLOCATE] = "allocates",
    [TRACE_FREE] = "frees",      [TRACE_OUTPUT] = "prints",
};

static bool is_worth_telling(const struct trace_record *r, bool all)
{
    if (r->kind > TRACE_OUTPUT)
        return false;
    return all || (r->kind != TRACE_READ && r->kind != TRACE_WRITE &&
                   r->kind != TRACE_ENTER && r->kind != TRACE_LEAVE);
}

static void tell(const struct job *job, const struct trace_record *r,
                 struct plumb_text *out)
{
    plumb_text_printf(out, "  %6" PRIu32 "  T%-2u %s", r->step, r->thread,
                      kind_name[r->kind]);
    if (r->kind == TRACE_SYNC || r->kind == TRACE_CHOICE)
        plumb_text_printf(out, " %.*s", (int)sizeof r->name, r->name);
    if (r->kind == TRACE_CALL || r->kind == TRACE_RETURN)
        plumb_text_printf(out, " %" PRIu64, r->after + 1);
    else if (r->known)
        plumb_text_printf(out, " %" PRIu64 " -> %" PRIu64, r->before, r->after);
    if (r->pc >= job->memory.base)
        plumb_text_printf(out, " at +0x%" PRIx64, r->pc - job->memory.base);
    plumb_text_add(out, "\n");
}

void explore_show_interleaving(const struct job *replayed, const char *object,
                               const struct plumb_style *style, bool all,
                               struct plumb_text *out)
{
    (void)object;
    (void)style;
    for (uint32_t i = 0; i < replayed->trace.count && i < JOB_TRACE; i++)
        if (is_worth_telling(&replayed->record[i], all))
            tell(replayed, &replayed->record[i], out);
}

void explore_show_place(const char *object, uint64_t offset,
                        struct plumb_text *out)
{
    (void)object;
    plumb_text_printf(out, "+0x%" PRIx64, offset);
}
