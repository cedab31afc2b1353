// explore: --keep-going --test 'enq(1) deq() | enq(2)'
// expect: not linearizable
// says: yet returned empty
// explore: --keep-going --init 'enq(1) enq(2)' --test 'enq(3) | deq()'
// expect: not linearizable
// says: although 1 was ahead of it and still in the queue
// explore: --keep-going --init 'enq(1) enq(2)' --test 'deq() enq(3) deq() | deq()'
// expect: not linearizable
// says: both dequeued 3, but only
// explore: --keep-going --init 'enq(1) enq(2)' --test 'deq() enq(3) deq() | deq()'
// expect: not linearizable
// says: although 1 was ahead of it and still in the queue

// A ring that answers empty or full while another is in the midst of it, and
// that gives a slot away before it has read it: an item is overtaken, or comes
// out twice.  One fault does not hide the other.
#include <plumb/object.h>
#include <stdatomic.h>

enum { SLOTS = 2 };

static atomic_uint head, tail;
static struct {
    atomic_uint turn;
    _Atomic int64_t value;
} slot[SLOTS];

static void setup(void)
{
    head = tail = 0;
    for (unsigned i = 0; i < SLOTS; i++)
        slot[i].turn = 0;
}

static void enq(plumb_invocation *i)
{
    unsigned t = tail;
    for (;;) {
        const unsigned at = t % SLOTS, round = 2 * (t / SLOTS);
        if (slot[at].turn != round) {
            const unsigned before = t;
            t = tail;
            if (t == before) {
                plumb_term(i, "full");
                return;
            }
        } else if (atomic_compare_exchange_weak(&tail, &t, t + 1)) {
            slot[at].value = plumb_arg(i, 0);
            slot[at].turn = round + 1;
            return;
        }
    }
}

static void deq(plumb_invocation *i)
{
    unsigned h = head;
    for (;;) {
        const unsigned at = h % SLOTS, round = 2 * (h / SLOTS);
        if (slot[at].turn != round + 1) {
            const unsigned before = h;
            h = head;
            if (h == before) {
                plumb_term(i, "empty");
                return;
            }
        } else if (atomic_compare_exchange_weak(&head, &h, h + 1)) {
            slot[at].turn = round + 2;
            plumb_return(i, slot[at].value);
            return;
        }
    }
}

PLUMB_OBJECT(.name = "ring", .spec = "queue:cap=2", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
