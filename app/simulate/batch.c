/* batch.c - deciding many histories of the ring on all processors. */
#include "batch.h"

#include "app/objects/object_spec.h"
#include "ring_history.h"
#include <assert.h>

static bool is_linearizable(const struct simulate_batch *b,
                            const struct plumb_history *h)
{
    const struct plumb_check_options options = { .budget = b->budget,
                                                 .no_core = true };
    struct plumb_answer answer;
    struct plumb_error err;
    object_spec_forget(); /* if it is one, there are no helpers */
    if (plumb_check(h, b->spec, &options, &answer, &err) != PLUMB_OK)
        return false;
    const bool is = answer.verdict == PLUMB_LINEARIZABLE;
    plumb_answer_release(&answer);
    return is;
}

static void decide_one(struct simulate_batch *b, uint32_t i,
                       struct plumb_builder *builder)
{
    struct plumb_history h;
    struct plumb_error err;
    b->linearizable[i] = false;
    if (simulate_ring_history(b->worker, b->first + i, builder, &h, &err) !=
        PLUMB_OK)
        return;
    b->linearizable[i] = is_linearizable(b, &h);
    b->operations[i] = h.count;
    plumb_history_release(&h);
}

/* Until none is left that nobody has begun. */
static void decide_some(struct simulate_batch *b, struct plumb_builder *builder)
{
    uint32_t i;
    while ((i = atomic_fetch_add_explicit(&b->claimed, 1,
                                          memory_order_relaxed)) < b->count)
        decide_one(b, i, builder);
}

static void *help(void *context)
{
    struct simulate_batch_helper *const helper = context;
    struct simulate_batch *const b = helper->batch;
    for (uint32_t n = 1;; n++) {
        runtime_gate_await(&b->begun, n);
        if (b->closing)
            return NULL;
        decide_some(b, helper->builder);
        runtime_gate_raise(&b->done, b->helpers);
    }
}

void simulate_batch_open(struct simulate_batch *b,
                         const struct simulate_worker_process *worker,
                         const struct plumb_spec *spec,
                         struct plumb_budget *budget, unsigned helpers)
{
    *b = (struct simulate_batch){ .worker = worker,
                                  .spec = spec,
                                  .budget = budget };
    if (helpers > BATCH_HELPERS)
        helpers = BATCH_HELPERS;
    for (; b->helpers < helpers; b->helpers++) {
        struct simulate_batch_helper *const h = &b->helper[b->helpers];
        h->batch = b;
        h->builder = plumb_builder_new(budget);
        if (!h->builder)
            return;
        if (pthread_create(&h->thread, NULL, help, h) != 0) {
            plumb_builder_free(h->builder);
            return;
        }
    }
}

static void begin(struct simulate_batch *b)
{
    runtime_gate_reset(&b->done);
    runtime_gate_set(&b->begun, atomic_load(&b->begun.number) + 1);
}

void simulate_batch_close(struct simulate_batch *b)
{
    b->closing = true;
    begin(b);
    for (unsigned i = 0; i < b->helpers; i++) {
        pthread_join(b->helper[i].thread, NULL);
        plumb_builder_free(b->helper[i].builder);
    }
    b->helpers = 0;
}

void simulate_batch_decide(struct simulate_batch *b, uint64_t first,
                           uint32_t count, struct plumb_builder *builder)
{
    assert(count <= BATCH_MOST);
    b->first = first;
    b->count = count;
    atomic_store_explicit(&b->claimed, 0, memory_order_relaxed);
    begin(b);
    decide_some(b, builder);
    runtime_gate_await(&b->done, b->helpers);
}
