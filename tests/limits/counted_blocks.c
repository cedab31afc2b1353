/* counted_blocks.c - see counted_blocks.h.  One thread counts. */
#include "counted_blocks.h"

#include <stdbool.h>
#include <stddef.h>

static struct {
    uint64_t blocks, last, most, questions;
    struct plumb_budget *to_stop;
    uint64_t stop_at, stopped;
    bool is_stopped;
} count;

/* Called by the library, at the beginning of each block. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    count.blocks++;
}

static void note_gap(void)
{
    const uint64_t gap = count.blocks - count.last;
    if (gap > count.most)
        count.most = gap;
    count.last = count.blocks;
}

static void note_question(void)
{
    note_gap();
    if (++count.questions != count.stop_at || !count.to_stop)
        return;
    plumb_budget_stop(count.to_stop);
    count.stopped = count.blocks;
    count.is_stopped = true;
}

/* The linker has everybody call these instead of the library's. */
enum plumb_status __real_plumb_budget_state(const struct plumb_budget *budget);
enum plumb_status __wrap_plumb_budget_state(const struct plumb_budget *budget);
enum plumb_status __wrap_plumb_budget_state(const struct plumb_budget *budget)
{
    note_question();
    return __real_plumb_budget_state(budget);
}

bool __real_plumb_base_budget_is_tight(const struct plumb_budget *budget);
bool __wrap_plumb_base_budget_is_tight(const struct plumb_budget *budget);
bool __wrap_plumb_base_budget_is_tight(const struct plumb_budget *budget)
{
    note_question();
    return __real_plumb_base_budget_is_tight(budget);
}

void blocks_begin_to_stop(struct plumb_budget *budget, uint64_t questions)
{
    count.blocks = count.last = count.most = count.questions = 0;
    count.to_stop = budget;
    count.stop_at = questions;
    count.is_stopped = false;
}

void blocks_begin(void)
{
    blocks_begin_to_stop(NULL, 0);
}

uint64_t blocks_questions(void)
{
    return count.questions;
}

uint64_t blocks_most(void)
{
    note_gap();
    return count.most;
}

uint64_t blocks_since_stop(void)
{
    return count.is_stopped ? count.blocks - count.stopped : 0;
}
