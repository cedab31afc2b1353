/* samples.h - the oracle's random histories of every built-in type.
 *
 * Two values, up to four threads, sometimes two objects, pending and failed
 * operations; about half of them are linearizable. */
#ifndef PLUMB_TESTS_SAMPLES_H
#define PLUMB_TESTS_SAMPLES_H

#include "cases.h"

#include "generate.h"
#include "oracle.h"
#include "weaken.h"

struct sample {
    const char *spec;
    struct plumb_history h;
    struct plumb_builder *builder; /* for parts of it */
    void *context;                 /* the claim's own */
};

/* Make the claim of `each` histories per type, of up to `most` operations. */
static inline void claim_of_samples(unsigned each, unsigned most,
                                    void (*claim)(struct sample *s),
                                    void *context)
{
    static struct alphabet alphabet;
    struct plumb_builder *const b = plumb_builder_new(NULL);
    for (unsigned d = 0; d < domain_count; d++) {
        alphabet_init(&alphabet, domains + d);
        for (uint64_t seed = 0; seed < each; seed++) {
            struct sample s = { .spec = domains[d].spec,
                                .builder = b,
                                .context = context };
            struct draft draft;
            random_draft_of(&alphabet, seed, most, &draft);
            draft_build(&alphabet, &draft, b, &s.h);
            claim(&s);
            plumb_history_release(&s.h);
        }
    }
    plumb_builder_free(b);
}

/* Is what happened before rank `cut` linearizable?  By definition. */
static inline bool prefix_is_linearizable(struct sample *s, uint32_t cut)
{
    const struct weakening w = { .kept = UINT32_MAX, .cut = cut };
    struct plumb_history part;
    weaken(&s->h, &w, s->builder, &part);
    const bool linearizable = oracle_linearizable(&part, s->spec);
    plumb_history_release(&part);
    return linearizable;
}

/* The sample's history stays its own; `r` is released by forget_sample(). */
static inline void ready_sample(struct ready *r, const struct sample *s,
                                bool whole)
{
    make_ready(r, s->spec, s->h, whole);
}

static inline void forget_sample(struct ready *r)
{
    r->h = (struct plumb_history){ .owner = NULL };
    release_ready(r);
}

#endif
