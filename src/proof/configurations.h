/* configurations.h - the configurations of a certificate, compared exactly.
 *
 * A configuration is a set of operations and the states that they may leave.
 * It is a row of numbers: `upto`, how many operations are missing and how many
 * states there are, then the missing operations, then the states, both
 * ascending.  The operations are those before `upto` but for the missing ones,
 * which are few if few operations overlap. */
#ifndef PLUMB_PROOF_CONFIGURATIONS_H
#define PLUMB_PROOF_CONFIGURATIONS_H

#include "base/index.h"
#include "core.h"
#include <string.h>

enum { ROW_UPTO, ROW_MISSING, ROW_STATES, ROW_HEADER };

static inline size_t plumb_proof_row_size(const uint32_t *row)
{
    return ROW_HEADER + (size_t)row[ROW_MISSING] + row[ROW_STATES];
}

static inline const uint32_t *plumb_proof_row_missing(const uint32_t *row)
{
    return row + ROW_HEADER;
}

static inline const uint32_t *plumb_proof_row_states(const uint32_t *row)
{
    return row + ROW_HEADER + row[ROW_MISSING];
}

static inline bool plumb_proof_row_has_same_states(const uint32_t *a,
                                                   const uint32_t *b)
{
    return a[ROW_STATES] == b[ROW_STATES] &&
           memcmp(plumb_proof_row_states(a), plumb_proof_row_states(b),
                  a[ROW_STATES] * sizeof *a) == 0;
}

/* Are the states of a among those of b? */
bool plumb_proof_row_has_only_states_of(const uint32_t *a, const uint32_t *b);

bool plumb_proof_row_has_operation(const uint32_t *row, uint32_t i);

struct plumb_proof_numbers {
    uint32_t *at;
    size_t count, capacity;
};

struct plumb_proof_configurations {
    struct plumb_proof_plain *p;
    struct plumb_proof_numbers pool; /* all rows, each once             */
    size_t *row;                     /* by number: where in the pool    */
    uint32_t rows;                   /* equal ones counted              */
    size_t row_capacity;
    struct plumb_base_index row_index;
    size_t *distinct; /* rows, by their number in the index             */
    uint32_t distincts;
    size_t distinct_capacity;
    struct plumb_proof_plain_state **state; /* all of them, by number   */
    uint64_t *state_hash;
    uint32_t states;
    size_t state_capacity, hash_capacity;
    struct plumb_base_index state_index;
    /* The configuration that is being made: its row and its states. */
    struct plumb_proof_numbers next;
    struct plumb_proof_plain_set set;
};

static inline const uint32_t *plumb_proof_row_at(
    const struct plumb_proof_configurations *c, uint32_t number)
{
    return c->pool.at + c->row[number];
}

void plumb_proof_configurations_init(struct plumb_proof_configurations *c,
                                     struct plumb_proof_plain *p);
void plumb_proof_configurations_release(struct plumb_proof_configurations *c);

/* Make the initial configuration, or the one behind the step by operation i
 * (whose call it is) from `row`.  The states are in c->set (none: they do not
 * allow the step) and not yet in c->next.  The budget's status, or
 * PLUMB_EMEMORY. */
enum plumb_status plumb_proof_configurations_begin(
    struct plumb_proof_configurations *c);
enum plumb_status plumb_proof_configurations_step(
    struct plumb_proof_configurations *c, const uint32_t *row, uint32_t i,
    const struct plumb_proof_plain_call *call);

/* Then complete it and number it: c->rows + 1, even if there is one like it.
 * False when memory is used up. */
bool plumb_proof_configurations_add(struct plumb_proof_configurations *c);

/* Or complete it for a look only: states that none has get the number
 * UINT32_MAX.  False when memory is used up. */
bool plumb_proof_configurations_complete(struct plumb_proof_configurations *c);

/* Is there one like it?  At least one has been added. */
bool plumb_proof_configurations_has(const struct plumb_proof_configurations *c,
                                    const uint32_t *row);

/* ---- the rule *spare*: configurations with operations too many ---- */

struct plumb_proof_spare;

/* Make the rule ready for a table to which no more configurations are added.
 * *spare is NULL where no operation of the core is spare.  False when memory
 * is used up. */
bool plumb_proof_spare_new(const struct plumb_proof_core *core,
                           const struct plumb_proof_configurations *c,
                           struct plumb_proof_spare **spare);
void plumb_proof_spare_free(struct plumb_proof_spare *s);

/* Does the table have a configuration with the states of `row`, and its
 * operations but for spare ones? */
bool plumb_proof_spare_covers(const struct plumb_proof_spare *s,
                              const uint32_t *row);

#endif
