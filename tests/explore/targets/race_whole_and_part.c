// explore: --keep-going
// expect: data race
// says: also: data race
// explore: --preemptions all --keep-going --no-minimise -j 2
// expect: data race
// says: also: data race
// explore: --strategy dfs --preemptions all --keep-going
// expect: data race
// says: also: data race
// explore: --strategy dpor --preemptions all --keep-going
// expect: data race
// says: also: data race

/* One access of the whole races with two of its parts: each of these races is
 * replayed by itself, and is not the other. */
#include <stdint.h>

#include "threads.h"

union {
    uint32_t whole;
    uint16_t half[2];
    uint8_t part[4];
} word;
int seen;

static void *by_halves(void *unused)
{
    word.half[1] = 1;
    return unused;
}

static void *wholly(void *unused)
{
    word.whole = 2;
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    pthread_create(&thread[0], NULL, by_halves, NULL);
    pthread_create(&thread[1], NULL, wholly, NULL);
    seen = word.part[3];
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    return 0;
}
