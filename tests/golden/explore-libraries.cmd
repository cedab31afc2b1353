# What others wrote folds into the line of the program that calls it.
command -v cc >/dev/null && command -v c++ >/dev/null || exit 77
[ "$(uname -m)" = x86_64 ] || exit 77
echo '#include <ck_fifo.h>' | cc -E - >/dev/null 2>&1 || exit 77
echo '#include <boost/lockfree/queue.hpp>' | c++ -x c++ -E - >/dev/null 2>&1 ||
    exit 77
cat >kit.c <<'E'
#include <ck_fifo.h>
#include <plumb/object.h>
#include <stdlib.h>

static ck_fifo_mpmc_t queue;

static void setup(void)
{
    ck_fifo_mpmc_init(&queue, malloc(sizeof(ck_fifo_mpmc_entry_t)));
}

static void enq(plumb_invocation *call)
{
    ck_fifo_mpmc_entry_t *const entry = malloc(sizeof *entry);
    ck_fifo_mpmc_enqueue(&queue, entry, (void *)plumb_arg(call, 0));
}

static void deq(plumb_invocation *call)
{
    void *value;
    ck_fifo_mpmc_entry_t *old;
    if (!ck_fifo_mpmc_dequeue(&queue, &value, &old)) {
        plumb_term(call, "empty");
        return;
    }
    plumb_return(call, (int64_t)value);
    free(old); /* which another one may be reading */
}

PLUMB_OBJECT(.name = "Q", .spec = "queue", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
E
cat >boost.cpp <<'E'
#include <boost/lockfree/queue.hpp>
#include <plumb/object.h>

static boost::lockfree::queue<int64_t> *queue;

static void setup() { queue = new boost::lockfree::queue<int64_t>(4); }

static void enq(plumb_invocation *call)
{
    queue->push(plumb_arg(call, 0));
}

static void deq(plumb_invocation *call)
{
    int64_t value = 0;
    if (queue->empty()) {
        plumb_term(call, "empty");
        return;
    }
    queue->pop(value); /* another one may have taken it */
    plumb_return(call, value);
}

PLUMB_OBJECT(.name = "Q", .spec = "queue", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
E
for object in kit.c boost.cpp; do
    plumb explore $object --races ignore --preemptions 1 -- -mcx16 >report
    echo "$object: exit $?"
    test "$(wc -l <report)" -le 80 || wc -l <report
    # Steps that are at no line of the object:
    sed -n '/step  P1/,/Replay/p' report | grep '^ *[0-9][0-9]* .*[│✗]' |
        grep -v -e "$object:[0-9]*\$" -e '\(enq\|deq\)()$'
    sed -n -e '/use after free/p' -e '/freed it/p' -e 's/.*\(cas .*\)/\1/p' \
        report | sed 's/  *[a-z]*[.][cp]*:.*//'
done
