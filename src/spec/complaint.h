/* complaint.h - what is wrong with an operation that cannot be bound. */
#ifndef PLUMB_SPEC_COMPLAINT_H
#define PLUMB_SPEC_COMPLAINT_H

#include "shape.h"

struct plumb_spec_complaint {
    const struct plumb_history *h;
    uint32_t op;
    const struct plumb_spec_type *type;
    const struct plumb_spec_row *row; /* of the type */
    struct plumb_budget *budget;
    struct plumb_error *err;
};

/* All return PLUMB_EINPUT, with a message that names the type or what it
 * wants, at the place of the call or of the response; or PLUMB_EMEMORY. */

/* The type has no operation of that name. */
enum plumb_status plumb_spec_complain_operation(
    const struct plumb_spec_complaint *c);

/* None of the rows of its name, `row` being the first, takes as many. */
enum plumb_status plumb_spec_complain_arity(
    const struct plumb_spec_complaint *c, unsigned row);

enum plumb_status plumb_spec_complain_term(
    const struct plumb_spec_complaint *c);

/* The term is known, the number of results is not one of it. */
enum plumb_status plumb_spec_complain_results(
    const struct plumb_spec_complaint *c, unsigned row);

/* An argument, or with `response` a result, is not `wanted`. */
enum plumb_status plumb_spec_complain_value(
    const struct plumb_spec_complaint *c, bool response, struct plumb_value v,
    const char *wanted);

#endif
