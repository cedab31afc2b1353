# One long run is recorded, and decided afterwards: right, and wrong.
recorded()
{
    plumb simulate --record "$@" 2>said
    sed -E 's/[0-9.]+/N/g' said
}
recorded right.rec -c queue-coarse -p 3 -n 3000
plumb check right.rec

cat >swaps.c <<'END'
/* A queue with a lock that gives an item long before its turn, once. */
#include <plumb/object.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t item[100000];
static int first, behind;
static void setup(void) { first = behind = 0; }
static void enq(plumb_invocation *i)
{
    pthread_mutex_lock(&lock);
    item[behind++] = plumb_arg(i, 0);
    pthread_mutex_unlock(&lock);
}
static void deq(plumb_invocation *i)
{
    pthread_mutex_lock(&lock);
    if (first == 500 && behind > 600) {
        const int64_t x = item[500];
        item[500] = item[600];
        item[600] = x;
    }
    if (first < behind)
        plumb_return(i, item[first++]);
    else
        plumb_term(i, "empty");
    pthread_mutex_unlock(&lock);
}
PLUMB_OBJECT(.name = "Q", .spec = "queue", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_RANGE(1, 3) }, .weight = 2 },
                             { "deq", deq } });
END
recorded wrong.rec -c swaps.c -p 2 -n 2000 --unique
plumb check -q wrong.rec
echo "status $?"

# What is recorded is one history, of which each value is unique.
plumb convert wrong.rec wrong.jsonl
head -1 wrong.jsonl
grep -o '"f":"enq","args":\[[0-9]*\]' wrong.jsonl | sort | uniq -d | wc -l
grep -c '"f":"enq","args":\[[123]00[12]00[0-9]*\]' wrong.jsonl |
    sed 's/^[0-9][0-9]*$/some/'

# The file is damaged.
printf 'x' | dd of=right.rec bs=1 seek=131172 conv=notrunc 2>/dev/null
plumb check -q right.rec
echo "status $?"
head -c 70000 right.rec >short.rec
plumb check -q short.rec
echo "status $?"

plumb simulate --record x.rec
plumb simulate --record x.rec -c queue-coarse -s queue
plumb simulate --record x.rec --compare queue-coarse
plumb simulate --unique -c queue-coarse -d
plumb simulate --record /nowhere/x.rec -c queue-coarse -n 1
