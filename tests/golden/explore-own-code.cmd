# What a library does is one line, and every step is at a line of the program.
command -v cc >/dev/null && command -v c++ >/dev/null || exit 77
cat >pool.cpp <<'E'
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
    std::mutex lock;
    std::condition_variable more;
    std::deque<std::function<void()>> tasks;
    std::vector<std::thread> threads;
    bool ends = false;

    void work()
    {
        for (;;) {
            std::function<void()> task;
            {
                std::unique_lock<std::mutex> held(lock);
                if (tasks.empty() && !ends)
                    more.wait(held);
                if (tasks.empty())
                    return;
                task = std::move(tasks.front());
                tasks.pop_front();
            }
            task();
        }
    }

public:
    explicit Pool(unsigned count)
    {
        for (unsigned i = 0; i < count; i++)
            threads.emplace_back([this] { work(); });
    }
    void add(std::function<void()> task)
    {
        std::lock_guard<std::mutex> held(lock);
        tasks.push_back(std::move(task));
        more.notify_one();
    }
    ~Pool()
    {
        { std::lock_guard<std::mutex> held(lock); ends = true; }
        more.notify_one(); /* all are to end */
        for (auto &t : threads)
            t.join();
    }
};

int main()
{
    int done = 0;
    std::mutex counting;
    {
        Pool pool(2);
        pool.add([&] { std::lock_guard<std::mutex> held(counting); done++; });
    }
    assert(done == 1);
}
E
plumb explore pool.cpp -- -O1 >report
echo "exit $?"
sed -n '/deadlock: no/,/another thread/p' report
test "$(wc -l <report)" -le 80 || wc -l <report
sed -n '/step  T0/,/Replay/p' report | grep -v -e '↳' -e step -e Replay |
    grep -v 'pool.cpp:[0-9]*$' | grep .
grep -o -e '[0-9]* steps in std::deque::push_back' -e 'done@T0 ← 1' \
    -e 'join T1 .*' report | tr -s ' '

# A step in another file of the program is told with the line that calls it.
cat >ring.h <<'E'
#include <stdatomic.h>
struct ring { _Atomic int head; };
static int ring_next(struct ring *r)
{
    const int now = atomic_load(&r->head);
    atomic_store(&r->head, now + 1);
    return now;
}
E
cat >main.c <<'E'
#include "ring.h"
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *take(void *ring)
{
    ring_next(ring);
    return 0;
}
static void *wait(void *unused)
{
    pthread_mutex_lock(&lock);
    return unused;
}
int main(void)
{
    pthread_t a, b, c;
    struct ring mine = { 0 };
    pthread_mutex_lock(&lock);
    pthread_create(&a, 0, take, &mine);
    pthread_create(&b, 0, take, &mine);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (mine.head == 2)
        return 0;
    pthread_create(&c, 0, wait, 0);
    pthread_join(c, 0);
}
E
plumb explore main.c -- -O1 | sed 's/-[0-9a-f]*.schedule/.schedule/'
