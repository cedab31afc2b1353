/* transfer.c - a program with a fault, for `plumb explore examples/transfer.c`.
 *
 * Each transfer locks the two accounts, the one it takes from first.  Two that
 * go opposite ways may wait for each other. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct account {
    pthread_mutex_t lock;
    long balance;
};

static struct account savings = { PTHREAD_MUTEX_INITIALIZER, 50 },
                      checking = { PTHREAD_MUTEX_INITIALIZER, 50 };

static void transfer(struct account *from, struct account *to, long amount)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *pay_back(void *unused)
{
    transfer(&checking, &savings, 10);
    return unused;
}

int main(void)
{
    pthread_t other;
    if (pthread_create(&other, NULL, pay_back, NULL) != 0)
        return 1;
    transfer(&savings, &checking, 10);
    pthread_join(other, NULL);
    assert(savings.balance + checking.balance == 100);
    return 0;
}
