// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// What allocates, beside malloc(): contents and alignment.  A block that has
// moved is freed where it was.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *unused)
{
    char *grown = realloc(NULL, 8);
    memcpy(grown, "1234567", 8);
    grown = realloc(grown, 4000);
    assert(!strcmp(grown, "1234567"));
    grown = realloc(grown, 4);
    assert(!memcmp(grown, "1234", 4));
    char *const copy = strndup(grown, 3);
    assert(!strcmp(copy, "123"));
    int *const zeros = calloc(10, sizeof *zeros);
    assert(!zeros[0] && !zeros[9]);
    void *const aligned = aligned_alloc(256, 512);
    assert((uintptr_t)aligned % 256 == 0);
    void *other;
    assert(posix_memalign(&other, 64, 100) == 0);
    assert((uintptr_t)other % 64 == 0);
    free(other);
    free(aligned);
    free(zeros);
    free(copy);
    free(grown);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
