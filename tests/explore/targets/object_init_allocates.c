// explore: --init 'push(1) push(2)' --test 'pop() | pop()' --no-minimise
// expect: use after free
// says: ^    push\(2\) of init allocated it \(object_init_allocates.c:
// explore: --init 'push(1)' --test 'pop() | pop()' -- -DEACH_TIME
// expect: use after free
// says: ^    push\(1\) of init allocated it at step
// explore: --init 'push(1)' --test 'pop() | pop()' -- -DEACH_TIME
// expect: use after free
// says: malloc node#1 [^(]*$
// explore: --test 'peek() | push(1)' -- -DFREED
// expect: use after free
// says: ^    setup allocated it \(object_init_allocates.c:
// explore: --test 'push(1) | push(2)' --final 'pop() peek()' --races ignore
// expect: use after free
// says: ^    pop\(\) of final freed it at step

// A stack that frees what others may look at.  Who allocated it is the setup, an
// operation before all threads, or one of them.  EACH_TIME: a setup that every
// execution begins with, as it may come out in several ways.
#include <plumb/object.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
    int64_t value;
};

static _Atomic(struct node *) top, last;

static void add(int64_t value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    struct node *t = top;
    do
        n->next = t;
    while (!atomic_compare_exchange_weak(&top, &t, n));
}

static void setup(void)
{
    top = NULL;
#if defined(EACH_TIME)
    last = malloc(sizeof(struct node));
    if (rand() > 1)
        abort();
#elif defined(FREED)
    last = malloc(sizeof(struct node));
    free(last);
#endif
}

static void push(plumb_invocation *i)
{
    add(plumb_arg(i, 0));
}

static void pop(plumb_invocation *i)
{
    struct node *t = top;
    do
        if (!t) {
            plumb_term(i, "empty");
            return;
        }
    while (!atomic_compare_exchange_weak(&top, &t, t->next));
    plumb_return(i, t->value);
    last = t;
    free(t);
}

static void peek(plumb_invocation *i)
{
    plumb_return(i, last->value);
}

PLUMB_OBJECT(.name = "stack", .spec = "stack", .setup = setup,
             .operations = { { "push", push, { PLUMB_FRESH } },
                             { "pop", pop },
                             { "peek", peek } });
