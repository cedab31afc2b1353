/* plain_operations.h - the operations of types that have a relaxed kind, too. */
#ifndef PLUMB_PROOF_PLAIN_OPERATIONS_H
#define PLUMB_PROOF_PLAIN_OPERATIONS_H

#include "plain.h"

enum {
    QUEUE_ENQ,
    QUEUE_PUT,
    QUEUE_DEQ,
    QUEUE_POLL,
    QUEUE_TAKE,
    QUEUE_PEEK,
    PLAIN_QUEUE_OPERATIONS
};
extern const struct plumb_proof_plain_operation
    plumb_proof_queue_operations[PLAIN_QUEUE_OPERATIONS];

enum {
    STACK_PUSH,
    STACK_PUT,
    STACK_POP,
    STACK_TRY_POP,
    STACK_TAKE,
    STACK_PEEK,
    PLAIN_STACK_OPERATIONS
};
extern const struct plumb_proof_plain_operation
    plumb_proof_stack_operations[PLAIN_STACK_OPERATIONS];

enum {
    PRIORITY_INSERT,
    PRIORITY_DELMIN,
    PRIORITY_TAKE,
    PRIORITY_MIN,
    PLAIN_PRIORITY_OPERATIONS
};
extern const struct plumb_proof_plain_operation
    plumb_proof_priority_operations[PLAIN_PRIORITY_OPERATIONS];

/* nil < false < true < integers by size < strings byte by byte. */
int plumb_proof_priority_compare(const struct plumb_proof_plain *p,
                                 struct plumb_value a, struct plumb_value b);

#endif
