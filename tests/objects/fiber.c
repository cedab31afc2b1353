/* fiber.c - see fiber.h. */
#include "fiber.h"

#include <asm/prctl.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STACK_SIZE = 256 * 1024, GUARD_SIZE = 4096 };

/* fiber_swap_stacks(&from->sp, to->sp): what a function must preserve is
 * pushed on the old stack and popped from the new one. */
void fiber_swap_stacks(void **from, void *to);
__asm__(".text\n"
        ".globl fiber_swap_stacks\n"
        ".type fiber_swap_stacks, @function\n"
        "fiber_swap_stacks:\n"
        "    push %rbp\n"
        "    push %rbx\n"
        "    push %r12\n"
        "    push %r13\n"
        "    push %r14\n"
        "    push %r15\n"
        "    mov %rsp, (%rdi)\n"
        "    mov %rsi, %rsp\n"
        "    pop %r15\n"
        "    pop %r14\n"
        "    pop %r13\n"
        "    pop %r12\n"
        "    pop %rbx\n"
        "    pop %rbp\n"
        "    ret\n"
        ".size fiber_swap_stacks, . - fiber_swap_stacks\n"
        ".section .note.GNU-stack, \"\", @progbits\n"
        ".text\n");

static uintptr_t thread_pointer(void)
{
    uintptr_t p; /* by the ABI, the word at the thread pointer is itself */
    __asm__ volatile("mov %%fs:0, %0" : "=r"(p));
    return p;
}

static void set_thread_pointer(uintptr_t p)
{
    static int direct = -1;
    if (direct < 0)
        direct = (getauxval(AT_HWCAP2) & 2) != 0; /* FSGSBASE is enabled */
    if (direct)
        __asm__ volatile("wrfsbase %0" : : "r"(p) : "memory");
    else
        syscall(SYS_arch_prctl, ARCH_SET_FS, p);
}

void fiber_adopt(struct fiber *f)
{
    *f = (struct fiber){ .thread_pointer = thread_pointer() };
}

struct lender {
    uintptr_t thread_pointer;
    sem_t ready;
};

static _Noreturn void *lend(void *argument)
{
    struct lender *const l = argument;
    l->thread_pointer = thread_pointer();
    sem_post(&l->ready);
    for (;;)
        pause();
}

static bool borrow_thread_pointer(struct fiber *f)
{
    struct lender l = { .thread_pointer = 0 };
    pthread_t thread;
    sem_init(&l.ready, 0, 0);
    if (pthread_create(&thread, NULL, lend, &l))
        return false;
    while (sem_wait(&l.ready))
        ;
    f->thread_pointer = l.thread_pointer;
    return true;
}

bool fiber_make(struct fiber *f)
{
    char *const memory =
        mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    mprotect(memory, GUARD_SIZE, PROT_NONE);
    f->stack = memory;
    f->stack_end = memory + STACK_SIZE;
    return borrow_thread_pointer(f);
}

void fiber_start(struct fiber *f, void (*entry)(void))
{
    /* Six registers, the address to return to, and one that a caller would
     * have left: so the stack is aligned as at the start of a function. */
    void **const top = (void **)(void *)f->stack_end - 8;
    memset(top, 0, 8 * sizeof *top);
    memcpy(&top[6], &entry, sizeof entry);
    f->sp = top;
}

void fiber_switch(struct fiber *from, const struct fiber *to)
{
    set_thread_pointer(to->thread_pointer);
    fiber_swap_stacks(&from->sp, to->sp);
}
