// explore: --preemptions all
// expect: after it was freed|after free|freed
// explore: --preemptions all --strategy dpor
// expect: after it was freed|after free|freed
// explore: --strategy dfs
// expect: after it was freed|after free|freed
//
// A mutex is unlocked by the last user and freed, while another unlocks it.
#include <pthread.h>
#include <stdlib.h>

struct box {
    pthread_mutex_t mutex;
    int users;
};

static void leave(struct box *b)
{
    pthread_mutex_lock(&b->mutex);
    const int left = --b->users;
    if (left == 0)
        free(b); /* before it is unlocked */
    pthread_mutex_unlock(&b->mutex);
}

static void *other(void *box)
{
    leave(box);
    return NULL;
}

int main(void)
{
    struct box *const b = malloc(sizeof *b);
    pthread_t t;
    pthread_mutex_init(&b->mutex, NULL);
    b->users = 2;
    pthread_create(&t, NULL, other, b);
    leave(b);
    pthread_join(t, NULL);
    return 0;
}
