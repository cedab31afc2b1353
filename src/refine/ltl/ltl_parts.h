/* ltl_parts.h - a formula taken apart: negations at atoms alone.
 *
 * Parts are numbered, equal ones have equal numbers, and what a part is made
 * of has smaller numbers.  [] a is false R a, <> a is true U a. */
#ifndef PLUMB_REFINE_LTL_LTL_PARTS_H
#define PLUMB_REFINE_LTL_LTL_PARTS_H

#include "ltl.h"

enum plumb_refine_ltl_part_kind {
    PLUMB_PART_TRUE,  /* number 0 */
    PLUMB_PART_FALSE, /* number 1 */
    PLUMB_PART_ATOM,  /* left: which */
    PLUMB_PART_NO_ATOM,
    PLUMB_PART_AND,
    PLUMB_PART_OR,
    PLUMB_PART_NEXT,
    PLUMB_PART_UNTIL, /* until: which of them it is */
    PLUMB_PART_RELEASE
};

struct plumb_refine_ltl_part {
    enum plumb_refine_ltl_part_kind kind;
    uint32_t left, right, until;
};

enum { PLUMB_MOST_PARTS = 256, PLUMB_MOST_UNTILS = 64 };

struct plumb_refine_ltl_parts {
    struct plumb_refine_ltl_part part[PLUMB_MOST_PARTS];
    uint32_t parts, untils;
    uint32_t root; /* the whole, negated */
};

/* PLUMB_EINPUT if it has too many. */
enum plumb_status plumb_refine_ltl_parts(
    struct plumb_refine_ltl_parts *p,
    const struct plumb_refine_formula *formula, struct plumb_budget *budget,
    struct plumb_error *err);

#endif
