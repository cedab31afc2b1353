/* domains.c - the operations of every specification over two values. */
#include "generate.h"

#define QUEUE_CORE "enq(1|2)=ok() deq()=ok(1|2),empty() peek()=ok(1|2),empty()"
#define QUEUE_MORE "put(1|2)=ok() poll()=ok(1|2),empty() take()=ok(1|2)"
/* Among two values hardly anything is out of order by two. */
#define QUEUE_THIRD "enq(3)=ok() deq()=ok(3) poll()=ok(3) take()=ok(3)"
#define BOUNDED     "enq(1|2)=full()"

#define STACK_CORE "push(1|2)=ok() pop()=ok(1|2),empty() peek()=ok(1|2),empty()"
#define STACK_MORE "put(1|2)=ok() try_pop()=ok(1|2),empty() take()=ok(1|2)"

#define DEQUE_CORE                                                             \
    "push_front(1|2)=ok() push_back(1|2)=ok() "                                \
    "pop_front()=ok(1|2),empty() pop_back()=ok(1|2),empty()"
#define DEQUE_MORE "peek_front()=ok(1|2),empty() peek_back()=ok(1|2),empty()"

#define HEAP_CORE                                                              \
    "insert(1|2)=ok() delmin()=ok(1|2),empty() min()=ok(1|2),empty()"
#define HEAP_MORE "take()=ok(1|2) insert(1,a|b)=ok() delmin()=ok(1,a|b)"
#define HEAP_REST                                                              \
    "insert(2,a|b)=ok() delmin()=ok(2,a|b) min()=ok(1|2,a|b) "                 \
    "take()=ok(1|2,a|b)"

#define SET_CORE                                                               \
    "insert(1|2)=ok(true|false) delete(1|2)=ok(true|false) "                   \
    "member(1|2)=ok(true|false)"

#define MULTISET_CORE                                                          \
    "insert(1|2)=ok() delete(1|2)=ok(true|false) count(1)=ok(0|1|2)"
#define MULTISET_MORE "member(1|2)=ok(true|false) count(2)=ok(0|1|2)"

#define BAG_CORE                                                               \
    "insert(1|2)=ok() take()=ok(1|2),empty() delete(1)=ok(true|false)"
#define BAG_MORE "delete(2)=ok(true|false) " MULTISET_MORE
#define BAG_REST "count(1)=ok(0|1|2)"

#define MAP_CORE                                                               \
    "put(a,1|2)=ok() get(a)=ok(1|2),none() remove(a)=ok(1|2),none() "          \
    "put(b,1)=ok()"
#define MAP_MORE                                                               \
    "get(b)=ok(1),none() insert(a,1|2)=ok(true|false) append(a,1)=ok() "       \
    "get(a)=ok('1'|'11') member(a)=ok(true|false)"
#define MAP_REST                                                               \
    "put(b,2)=ok() append(a,2)=ok() append(b,1|2)=ok() "                       \
    "insert(b,1|2)=ok(true|false) get(b)=ok(2|'1'|'2'|'12') "                  \
    "get(a)=ok('2'|'12'|'21'|'22') remove(a)=ok('1'|'12') "                    \
    "remove(b)=ok(1|2|'2'),none() member(b)=ok(true|false)"

#define REGISTER_CORE                                                          \
    "write(1|2)=ok() read()=ok(nil|1|2) cas(1,2)=ok(true|false)"
#define REGISTER_MORE                                                          \
    "swap(1|2)=ok(nil|1|2) cas(1,1)=ok(true|false) cas(2,1|2)=ok(true|false)"

#define COUNTER_CORE "inc()=ok() dec()=ok() get()=ok(-1|0|1|2)"
#define COUNTER_MORE "add(0|2)=ok() fetch_inc()=ok(-1|0|1)"
#define COUNTER_REST                                                           \
    "fetch_add(0|2)=ok(-1|0|1|2) fetch_inc()=ok(2|3) get()=ok(-2|3)"

#define SEMAPHORE "acquire()=ok() try_acquire()=ok(true|false) release()=ok()"
#define MUTEX     "lock()=ok() try_lock()=ok(true|false) unlock()=ok()"

const struct domain domains[] = {
    { "queue", QUEUE_CORE, QUEUE_MORE, "", 95 },
    { "queue:cap=1", QUEUE_CORE " " BOUNDED, QUEUE_MORE, "", 80 },
    { "queue:cap=2", QUEUE_CORE " " BOUNDED, QUEUE_MORE, "", 80 },
    { "queue:blocking", QUEUE_CORE, QUEUE_MORE, "", 95 },
    { "queue:k=1", QUEUE_CORE, QUEUE_MORE, "", 95 },
    { "queue:k=2", QUEUE_CORE, QUEUE_MORE, QUEUE_THIRD, 95 },
    { "queue:early=1", QUEUE_CORE, QUEUE_MORE, QUEUE_THIRD, 95 },
    { "queue:late=1,cap=2", QUEUE_CORE " " BOUNDED, QUEUE_MORE, "", 80 },
    { "queue:segment=2", QUEUE_CORE, QUEUE_MORE, QUEUE_THIRD, 95 },
    { "queue:empty=1,blocking", QUEUE_CORE, QUEUE_MORE, "", 95 },
    { "semiqueue", QUEUE_CORE, QUEUE_MORE, "", 95 },
    { "semiqueue:cap=2,blocking", QUEUE_CORE " " BOUNDED, QUEUE_MORE, "", 80 },
    { "stuttering-queue", QUEUE_CORE, QUEUE_MORE, "", 95 },
    { "stuttering-queue:j=2", QUEUE_CORE, QUEUE_MORE, "", 95 },
    { "stack", STACK_CORE, STACK_MORE, "", 95 },
    { "stack:cap=2,blocking", STACK_CORE " push(1|2)=full()", STACK_MORE, "",
      80 },
    { "stack:k=1", STACK_CORE, STACK_MORE, "", 95 },
    { "stack:k=1,late=1,empty=1", STACK_CORE, STACK_MORE, "", 95 },
    { "stack:late=1,cap=2", STACK_CORE " push(1|2)=full()", STACK_MORE, "",
      80 },
    { "deque", DEQUE_CORE, DEQUE_MORE, "", 95 },
    { "deque:cap=1", DEQUE_CORE,
      DEQUE_MORE " push_front(1|2)=full() push_back(1|2)=full()", "", 80 },
    { "deque:blocking", DEQUE_CORE, DEQUE_MORE, "", 95 },
    { "priority-queue", HEAP_CORE, HEAP_MORE, HEAP_REST, 95 },
    { "priority-queue:max", HEAP_CORE, HEAP_MORE, HEAP_REST, 95 },
    { "priority-queue:cap=2,blocking", HEAP_CORE " insert(1|2)=full()",
      HEAP_MORE, HEAP_REST " insert(1|2,a|b)=full()", 80 },
    { "priority-queue:k=1", HEAP_CORE, HEAP_MORE, HEAP_REST, 95 },
    { "priority-queue:max,late=1,empty=1", HEAP_CORE, HEAP_MORE, HEAP_REST,
      95 },
    { "set", SET_CORE, "", "", 80 },
    { "multiset", MULTISET_CORE, MULTISET_MORE, "", 80 },
    { "bag", BAG_CORE, BAG_MORE, BAG_REST, 80 },
    { "bag:blocking", BAG_CORE, BAG_MORE, BAG_REST, 80 },
    { "map", MAP_CORE, MAP_MORE, MAP_REST, 80 },
    { "map:init=1", MAP_CORE, MAP_MORE, MAP_REST, 80 },
    { "register", REGISTER_CORE, REGISTER_MORE, "", 80 },
    { "cas-register:init=1", REGISTER_CORE, REGISTER_MORE, "", 80 },
    { "counter", COUNTER_CORE, COUNTER_MORE, COUNTER_REST, 80 },
    { "counter:init=-1", COUNTER_CORE, COUNTER_MORE, COUNTER_REST, 80 },
    { "semaphore", SEMAPHORE, "", "", 100 },
    { "semaphore:n=2", SEMAPHORE, "", "", 100 },
    { "mutex", MUTEX, "", "", 100 },
};

const unsigned domain_count = sizeof domains / sizeof *domains;
