/* ring.h - a small queue with room for RING_ROOM numbers. */
#ifndef RING_H
#define RING_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RING_ROOM = 4 };

void ring_clear(void);
bool ring_put(int64_t x);   /* false: full  */
bool ring_take(int64_t *x); /* false: empty */

#ifdef __cplusplus
}
#endif

#endif
