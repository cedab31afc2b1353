/* vector.h - an array, how many are in it and how many fit.
 *
 *     PLUMB_VECTOR(struct hop) path = { 0 };         a type of its own
 *     if (!PLUMB_PUSH(budget, &path, (struct hop){ from, to }))
 *         return PLUMB_EMEMORY;
 *     for (size_t i = 0; i < path.count; i++)
 *         visit(path.at + i);
 *     PLUMB_VECTOR_RELEASE(budget, &path);
 *
 * An empty one is all zeroes.  Whoever refuses memory leaves a vector as it
 * was.  `v` points to a vector and is evaluated more than once.  Where a count
 * of 32 bits is part of a format or of a hot structure, the array stands by
 * itself: PLUMB_GROW of memory.h. */
#ifndef PLUMB_BASE_VECTOR_H
#define PLUMB_BASE_VECTOR_H

#include "memory.h"
#include <assert.h>

#define PLUMB_VECTOR(type)                                                     \
    struct {                                                                   \
        type *at;                                                              \
        size_t count, capacity;                                                \
    }

/* Room for `need` in all. */
#define PLUMB_RESERVE(budget, v, need)                                         \
    PLUMB_GROW(budget, (v)->at, (v)->capacity, need)

/* Append a value; false when memory is refused. */
#define PLUMB_PUSH(budget, v, ...)                                             \
    PLUMB_APPEND(budget, (v)->at, (v)->count, (v)->capacity, __VA_ARGS__)

/* The last one, which there is, and no longer is. */
#define PLUMB_POP(v) (assert((v)->count), (v)->at[--(v)->count])

#define PLUMB_VECTOR_RELEASE(budget, v)                                        \
    (PLUMB_RELEASE(budget, (v)->at, (v)->capacity), (v)->at = NULL,            \
     (v)->count = (v)->capacity = 0)

#endif
