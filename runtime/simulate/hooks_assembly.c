/* hooks_assembly.c - inline assembly: a pause may come before each step.
 *
 * Threads are real here, so an instruction is as atomic as it is. */
#include "runtime/common/assembly_thunks.h"

#if PLUMB_HOOKS && defined(__x86_64__)

static uint64_t time_stamp(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

void worker_hook_assembly(struct runtime_assembly_frame *f);
void worker_hook_assembly(struct runtime_assembly_frame *f)
{
    const unsigned code = (unsigned)f->code;
    runtime_hook_point();
    if (assembler_step_effect(code) != EFFECT_CLOCK)
        return;
    const uint64_t time = time_stamp();
    f->reg[REGISTER_A] = (uint32_t)time;
    f->reg[REGISTER_D] = time >> 32;
    if (assembler_step_size(code) > 8)
        f->reg[REGISTER_C] = 0; /* the number of the processor */
}

RUNTIME_ASSEMBLY_VECTORS
RUNTIME_ASSEMBLY_THUNKS("worker_hook_assembly");

#endif
