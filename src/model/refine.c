/* refine.c - which engine, and what to do when it gives up. */
#include "model/refine.h"

#include "base/fail.h"
#include "base/memory.h"
#include "model/product.h"
#include <assert.h>

static enum plumb_status by_product(struct plumb_graph *impl,
                                    struct plumb_graph *spec,
                                    const struct plumb_refine_options *options,
                                    struct plumb_arena *arena,
                                    struct plumb_refinement *r,
                                    struct plumb_error *err)
{
    struct plumb_product p;
    struct plumb_offending o;
    plumb_product_init(&p, impl, spec, options, arena->budget);
    enum plumb_status status = plumb_product_run(&p, UINT64_MAX, &o, err);
    plumb_product_count(&p, r);
    if (status == PLUMB_OK && o.offence != PLUMB_OFFENCE_NONE)
        status = plumb_product_path(&p, &o, arena, r, err);
    if (status == PLUMB_OK) {
        r->decided = true;
        r->refines = o.offence == PLUMB_OFFENCE_NONE;
    }
    plumb_product_release(&p);
    return status;
}

enum plumb_status plumb_refine(struct plumb_graph *impl,
                               struct plumb_graph *spec,
                               const struct plumb_refine_options *options,
                               struct plumb_arena *arena,
                               struct plumb_refinement *r,
                               struct plumb_error *err)
{
    *r = (struct plumb_refinement){ .engine = options->engine };
    const enum plumb_status status =
        by_product(impl, spec, options, arena, r, err);
    r->impl_states = plumb_graph_states(impl);
    r->spec_states = plumb_graph_states(spec);
    return status;
}
