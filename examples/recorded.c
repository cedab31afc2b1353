/* recorded.c - a program that records what its threads do to a queue.
 *
 *     cc recorded.c $(pkg-config --cflags --libs plumb) -o recorded
 *     ./recorded && plumb check --spec queue queue.rec
 *
 * With an argument the taker does not lock, and the check says so. */
#include <plumb/record.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, OPERATIONS = 2000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t item[THREADS * OPERATIONS + 1];
static volatile unsigned first, behind;
static int is_hasty;

static void put(int64_t x)
{
    pthread_mutex_lock(&lock);
    item[behind++] = x;
    pthread_mutex_unlock(&lock);
}

static int take(int64_t *x)
{
    if (!is_hasty)
        pthread_mutex_lock(&lock);
    const int found = first < behind;
    if (found)
        *x = item[first++];
    if (!is_hasty)
        pthread_mutex_unlock(&lock);
    return found;
}

static plumb_recorder *recorder;

static void *work(void *number)
{
    for (int64_t i = 0; i < OPERATIONS; i++) {
        int64_t x = *(int64_t *)number * 1000000 + i; /* nobody else's */
        if (i % 2 == 0) {
            plumb_record_begin(recorder, "Q", "enq", &x, 1);
            put(x);
            plumb_record_end(recorder, NULL, NULL, 0);
        } else {
            plumb_record_begin(recorder, "Q", "deq", NULL, 0);
            const int found = take(&x);
            plumb_record_end(recorder, found ? NULL : "empty", &x,
                             found ? 1 : 0);
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    int64_t number[THREADS];
    (void)argv;
    is_hasty = argc > 1;
    recorder = plumb_record_open("queue.rec");
    if (!recorder) {
        perror("queue.rec");
        return 1;
    }
    for (int i = 0; i < THREADS; i++) {
        number[i] = i + 1;
        pthread_create(&thread[i], NULL, work, &number[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return plumb_record_close(recorder) == 0 ? 0 : 1;
}
