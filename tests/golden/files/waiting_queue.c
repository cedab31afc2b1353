// The queue of Line-Up's Figure 7: take() waits, try_take() does not.  With BUSY
// it gives up if the lock is taken.
#include <plumb/object.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t added = PTHREAD_COND_INITIALIZER;
static int64_t item[64];
static int head, tail;

static void setup(void)
{
    head = tail = 0;
}

static void add(plumb_invocation *i)
{
    pthread_mutex_lock(&lock);
    item[tail++] = plumb_arg(i, 0);
    pthread_cond_signal(&added);
    pthread_mutex_unlock(&lock);
}

static void take(plumb_invocation *i)
{
    pthread_mutex_lock(&lock);
    while (head == tail)
        pthread_cond_wait(&added, &lock);
    plumb_return(i, item[head++]);
    pthread_mutex_unlock(&lock);
}

static void try_take(plumb_invocation *i)
{
#ifdef BUSY
    if (pthread_mutex_trylock(&lock)) {
        plumb_term(i, "Fail");
        return;
    }
#else
    pthread_mutex_lock(&lock);
#endif
    if (head == tail)
        plumb_term(i, "Fail");
    else
        plumb_return(i, item[head++]);
    pthread_mutex_unlock(&lock);
}

static void name(plumb_invocation *i)
{
    plumb_return_text(i, "a<b & \"c\" \x01 --> \xc3\xbc");
    plumb_return(i, -1);
}

PLUMB_OBJECT(.name = "waiting_queue", .setup = setup,
             .operations = { { "add", add, { PLUMB_FRESH } },
                             { "take", take },
                             { "try_take", try_take },
                             { "name", name } });
