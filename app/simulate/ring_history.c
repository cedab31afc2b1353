/* ring_history.c - a history out of the ring that a worker fills. */
#include "ring_history.h"

#include "record/log_history.h"

enum plumb_status simulate_ring_history(const struct simulate_worker_process *w,
                                        uint64_t number,
                                        struct plumb_builder *builder,
                                        struct plumb_history *h,
                                        struct plumb_error *err)
{
    struct worker_shared *const s = w->s;
    const char *operation[PLUMB_MAX_OPERATIONS];
    struct plumb_record_process_log log[PLUMB_MAX_PROCESSES];
    for (unsigned p = 0; p < s->with.processes; p++) {
        /* acquire: with the count come the entries */
        const uint32_t count = atomic_load_explicit(
            worker_shared_count(s, number, p), memory_order_acquire);
        if (count > s->with.most)
            return plumb_record_log_is_damaged(err);
        log[p] = (struct plumb_record_process_log){
            .entry = worker_shared_entries(s, number, p),
            .count = count,
        };
    }
    for (unsigned i = 0; i < w->object.operations; i++)
        operation[i] = w->object.operation[i];
    const struct plumb_record_recording recording = {
        .object = w->object.name,
        .operation = operation,
        .operations = w->object.operations,
        .process = log,
        .processes = s->with.processes,
    };
    return plumb_record_log_history(&recording, builder, h, err);
}
