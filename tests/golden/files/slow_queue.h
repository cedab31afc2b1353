/* slow_queue.h - a queue in two files, behind a lock. */
#ifndef SLOW_QUEUE_H
#define SLOW_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void slow_queue_clear(void);
void slow_queue_put(int64_t x);
bool slow_queue_get(int64_t *x);

#ifdef __cplusplus
}
#endif
#endif
