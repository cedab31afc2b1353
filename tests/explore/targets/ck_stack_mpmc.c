// explore: --races interleave --spec batch_stack_spec.c --init 'push(1) push(2)' --test 'pop() | pop_all() push(3)' --final 'pop()' -- -mcx16
// expect: not linearizable
// needs: ck_stack.h
// explore: --races interleave --spec batch_stack_spec.c --init 'push(1) push(2)' --test 'pop() | pop_all() push(3)' --final 'pop()' --preemptions 0 -- -mcx16
// expect: no violation
// needs: ck_stack.h
// explore: --races interleave --spec batch_stack_spec.c --init 'push(1) push(2)' --test 'pop() | pop_all() push(3)' --final 'pop()' -- -mcx16 -DNO_REUSE
// expect: no violation
// needs: ck_stack.h
// explore: --races interleave --spec batch_stack_spec.c --init 'push(1) push(2)' --test 'pop() | pop() pop() push(3)' --final 'pop() pop()' -- -mcx16
// expect: no violation
// needs: ck_stack.h
// explore: --races interleave --spec stack --init 'push(1) push(2)' --test 'pop() | pop() pop() push(3)' --final 'pop() pop()' -- -mcx16 -DUPMC
// expect: not linearizable
// needs: ck_stack.h
// explore: --races interleave --spec stack --init 'push(1) push(2)' --test 'pop() | pop() pop() push(3)' --final 'pop() pop()' -- -mcx16 -DUPMC -DNO_REUSE
// expect: no violation
// needs: ck_stack.h
// explore: --races interleave --spec stack --init 'push(1) push(2)' --test 'pop() | pop() pop() push(3)' --final 'pop() pop()' -- -mcx16 -DUPMC -DCK_ASSEMBLY
// expect: not linearizable
// needs: ck_stack.h
// machine: x86_64
// explore: --races interleave --spec stack --init 'push(1) push(2)' --test 'pop() | pop() pop() push(3)' --final 'pop() pop()' -- -mcx16 -DUPMC -DNO_REUSE -DCK_ASSEMBLY
// expect: no violation
// needs: ck_stack.h
// machine: x86_64
// label: full

/* ck_stack: pop_mpmc guards the top by a count that every pop raises, but
 * batch_pop_mpmc does not raise it.  A pop that has read top and link is held
 * up; another takes everything and pushes the same cell again: the pop succeeds
 * and puts a cell back on the stack that was taken.  UPMC has no count at all,
 * and is only for cells that are never used again. */
#include "ck.h"

#include <ck_stack.h>
#include <plumb/object.h>

struct item {
    ck_stack_entry_t link; /* first: an entry is an item */
    int64_t value;
};

static ck_stack_t stack CK_CC_ALIGN(16);
static struct item item[CK_PROCESSES][CK_CELLS];
static struct item *spare[CK_PROCESSES];
static unsigned used[CK_PROCESSES];

static void setup(void)
{
    ck_stack_init(&stack);
}

static struct item *get_item(unsigned process)
{
    struct item *const it = spare[process];
    spare[process] = NULL;
    return it ? it : &item[process][used[process]++];
}

/* The first that a process has popped is used again. */
static void give_back(plumb_invocation *i, struct item *it)
{
    plumb_return(i, it->value);
#ifndef NO_REUSE
    if (!spare[plumb_process(i)])
        spare[plumb_process(i)] = it;
#endif
}

static void push(plumb_invocation *i)
{
    struct item *const it = get_item(plumb_process(i));
    it->value = plumb_arg(i, 0);
#ifdef UPMC
    ck_stack_push_upmc(&stack, &it->link);
#else
    ck_stack_push_mpmc(&stack, &it->link);
#endif
}

static void pop(plumb_invocation *i)
{
#ifdef UPMC
    ck_stack_entry_t *const entry = ck_stack_pop_upmc(&stack);
#else
    ck_stack_entry_t *const entry = ck_stack_pop_mpmc(&stack);
#endif
    if (entry)
        give_back(i, (struct item *)(void *)entry);
    else
        plumb_term(i, "empty");
}

static void pop_all(plumb_invocation *i)
{
    ck_stack_entry_t *entry = ck_stack_batch_pop_mpmc(&stack);
    if (!entry)
        plumb_term(i, "empty");
    while (entry) {
        ck_stack_entry_t *const below = CK_STACK_NEXT(entry);
        give_back(i, (struct item *)(void *)entry);
        entry = below;
    }
}

PLUMB_OBJECT(.name = "S", .setup = setup,
             .operations = { { "push", push, { PLUMB_FRESH } },
                             { "pop", pop },
                             { "pop_all", pop_all } });
