/* spare.c - configurations that another one can stand for.
 *
 * Operations that are pending and not read-only are spare: nobody waits for
 * them, and a configuration may do without those that left no trace in its
 * states (certificate.c says why).  Rows that differ in spare operations only
 * have the same hash here; those with the same one are chained, and each that
 * is found is compared with the row asked for. */
#include "configurations.h"

#include "base/hash.h"
#include "base/memory.h"

struct plumb_proof_spare {
    const struct plumb_proof_core *core;
    const struct plumb_proof_configurations *configurations;
    uint64_t *settled; /* by length: the hash of the first operations */
    uint32_t *head;    /* by hash: number of a row + 1, or 0          */
    uint32_t *chain;   /* by row: the next one, likewise              */
    size_t heads;
};

static bool is_spare(const struct plumb_proof_core *core, uint32_t i)
{
    const struct plumb_proof_core_op *const o = core->op + i;
    return plumb_proof_core_op_is_pending(o) && !o->reads;
}

/* Does `row` have at most spare operations more than `less`, and its states? */
static bool does_without(const struct plumb_proof_core *core,
                         const uint32_t *row, const uint32_t *less)
{
    if (less[ROW_UPTO] > row[ROW_UPTO] ||
        !plumb_proof_row_has_same_states(less, row))
        return false;
    for (uint32_t n = 0; n < row[ROW_MISSING]; n++)
        if (plumb_proof_row_has_operation(less,
                                          plumb_proof_row_missing(row)[n]))
            return false;
    for (uint32_t n = 0; n < less[ROW_MISSING]; n++) {
        const uint32_t i = plumb_proof_row_missing(less)[n];
        if (!is_spare(core, i) && plumb_proof_row_has_operation(row, i))
            return false;
    }
    for (uint32_t i = less[ROW_UPTO]; i < row[ROW_UPTO]; i++)
        if (!is_spare(core, i) && plumb_proof_row_has_operation(row, i))
            return false;
    return true;
}

/* The exclusive or of a word per operation that is not spare, and the states.
 */
static uint64_t hash_settled(const struct plumb_proof_spare *s,
                             const uint32_t *row)
{
    uint64_t h = s->settled[row[ROW_UPTO]];
    for (uint32_t n = 0; n < row[ROW_MISSING]; n++)
        if (!is_spare(s->core, plumb_proof_row_missing(row)[n]))
            h ^= plumb_base_mix1(plumb_proof_row_missing(row)[n]);
    return plumb_base_mix(h,
                          plumb_base_hash_bytes(plumb_proof_row_states(row),
                                                row[ROW_STATES] * sizeof *row));
}

static uint32_t *head_of(const struct plumb_proof_spare *s, const uint32_t *row)
{
    return s->head + (hash_settled(s, row) & (s->heads - 1));
}

bool plumb_proof_spare_covers(const struct plumb_proof_spare *s,
                              const uint32_t *row)
{
    if (!s)
        return false;
    for (uint32_t n = *head_of(s, row); n; n = s->chain[n - 1]) {
        const uint32_t *const less =
            plumb_proof_row_at(s->configurations, n - 1);
        s->core->p->work += 1 + (row[ROW_MISSING] + less[ROW_MISSING]) / 16;
        if (does_without(s->core, row, less))
            return true;
    }
    return false;
}

/* ---- making it ready ---- */

static bool allocate(struct plumb_proof_spare *s)
{
    struct plumb_budget *const b = s->core->p->budget;
    const size_t rows = s->configurations->rows;
    for (s->heads = 64; s->heads < rows; s->heads *= 2)
        ;
    s->settled =
        plumb_base_alloc(b, ((size_t)s->core->count + 1) * sizeof *s->settled);
    s->head = plumb_base_alloc_zeroed(b, s->heads * sizeof *s->head);
    s->chain = plumb_base_alloc(b, rows * sizeof *s->chain);
    return s->settled && s->head && s->chain;
}

static void chain_rows(struct plumb_proof_spare *s)
{
    s->settled[0] = 0;
    for (uint32_t i = 0; i < s->core->count; i++)
        s->settled[i + 1] =
            s->settled[i] ^ (is_spare(s->core, i) ? 0 : plumb_base_mix1(i));
    for (uint32_t n = 0; n < s->configurations->rows; n++) {
        uint32_t *const head =
            head_of(s, plumb_proof_row_at(s->configurations, n));
        s->chain[n] = *head;
        *head = n + 1;
    }
}

static bool has_spares(const struct plumb_proof_core *core)
{
    for (uint32_t i = 0; i < core->count; i++)
        if (is_spare(core, i))
            return true;
    return false;
}

bool plumb_proof_spare_new(const struct plumb_proof_core *core,
                           const struct plumb_proof_configurations *c,
                           struct plumb_proof_spare **spare)
{
    *spare = NULL;
    if (!has_spares(core))
        return true;
    struct plumb_proof_spare *const s =
        plumb_base_alloc_zeroed(core->p->budget, sizeof *s);
    if (!s)
        return false;
    s->core = core;
    s->configurations = c;
    if (!allocate(s)) {
        plumb_proof_spare_free(s);
        return false;
    }
    chain_rows(s);
    *spare = s;
    return true;
}

void plumb_proof_spare_free(struct plumb_proof_spare *s)
{
    if (!s)
        return;
    struct plumb_budget *const b = s->core->p->budget;
    PLUMB_RELEASE(b, s->settled, ((size_t)s->core->count + 1));
    PLUMB_RELEASE(b, s->head, s->heads);
    PLUMB_RELEASE(b, s->chain, s->configurations->rows);
    plumb_base_release(b, s, sizeof *s);
}
