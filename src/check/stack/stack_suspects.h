/* stack_suspects.h - a few values of a stack that cannot be right. */
#ifndef PLUMB_CHECK_STACK_STACK_SUSPECTS_H
#define PLUMB_CHECK_STACK_STACK_SUSPECTS_H

#include "stack_peel.h"

/* `s` cannot be peeled.  Marks values (by slot, all false before) that are a
 * violation by themselves, unless pending pops have taken some; together with
 * operation `empty` if there is one, which found nothing.  False if memory is
 * used up, or there would be many. */
bool plumb_check_stack_suspect(const struct plumb_check_stack *s,
                               uint32_t empty, struct plumb_base_arena *arena,
                               bool *marked);

/* The first to return of those that found nothing and have no point, or
 * PLUMB_NO_OP. */
uint32_t plumb_check_stack_first_stuck(const struct plumb_check_stack *s);

#endif
