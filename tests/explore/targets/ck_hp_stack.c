// explore: --races interleave --init 'push(1) push(2)' --test 'pop() | pop() pop() push(3)' --final 'pop() pop()'
// expect: no violation
// needs: ck_hp_stack.h
// explore: --races interleave --init 'push(1) push(2)' --test 'pop() | pop() pop() push(3)' --final 'pop() pop()' -- -DNO_HAZARDS
// expect: not linearizable
// needs: ck_hp_stack.h

/* ck_hp_stack, whose cells are used again as soon as nobody has declared them
 * hazardous; NO_HAZARDS: without asking. */
#include "ck.h"

#include <ck_hp.h>
#include <ck_hp_stack.h>
#include <plumb/object.h>

struct item {
    ck_stack_entry_t link;
    int64_t value;
};

static ck_stack_t stack CK_CC_ALIGN(16);
static ck_hp_t hazards = { .degree = CK_HP_STACK_SLOTS_COUNT };
static void *slot[CK_PROCESSES];
static ck_hp_record_t record[CK_PROCESSES];
static struct item item[CK_PROCESSES][CK_CELLS];
static struct item *spare[CK_PROCESSES];
static unsigned used[CK_PROCESSES];

static void setup(void)
{
    ck_stack_init(&stack);
    for (unsigned p = 0; p < CK_PROCESSES; p++) {
        record[p].global = &hazards;
        record[p].pointers = &slot[p];
    }
}

static bool is_hazardous(const void *c)
{
#ifdef NO_HAZARDS
    (void)c;
    return false;
#else
    for (unsigned p = 0; p < CK_PROCESSES; p++)
        if (ck_pr_load_ptr(&slot[p]) == c)
            return true;
    return false;
#endif
}

static struct item *get_item(unsigned process)
{
    struct item *const it = spare[process];
    if (!it || is_hazardous(it))
        return &item[process][used[process]++];
    spare[process] = NULL;
    return it;
}

static void push(plumb_invocation *i)
{
    struct item *const it = get_item(plumb_process(i));
    it->value = plumb_arg(i, 0);
    ck_hp_stack_push_mpmc(&stack, &it->link);
}

static void pop(plumb_invocation *i)
{
    const unsigned process = plumb_process(i);
    ck_stack_entry_t *const entry =
        ck_hp_stack_pop_mpmc(&record[process], &stack);
    ck_hp_clear(&record[process]);
    if (!entry) {
        plumb_term(i, "empty");
        return;
    }
    struct item *const it = (struct item *)(void *)entry;
    plumb_return(i, it->value);
    if (!spare[process])
        spare[process] = it;
}

PLUMB_OBJECT(.name = "S", .spec = "stack", .setup = setup,
             .operations = { { "push", push, { PLUMB_FRESH } },
                             { "pop", pop } });
