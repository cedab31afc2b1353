/* ck.h - Concurrency Kit's headers as they are.
 *
 * With CK_ASSEMBLY that is all: on x86 the library is written in inline
 * assembly.  Else CK_USE_CC_BUILTINS has it use __sync built-ins and volatile
 * accesses instead, which are instrumented.  What these lack is added here as the machine
 * has it: a swap of two words, without which the library leaves out whatever
 * needs one; an exchange that is not a loop; loads and stores of pointers, which
 * are meant to be volatile there but are accesses to pointers to volatile.
 *
 * The fences of x86 are hints to the compiler, and say nothing about order to
 * whoever looks for data races.  Unless CK_AS_ON_X86 is defined we ask for those
 * of a machine that needs them all. */
#ifndef TARGETS_CK_H
#define TARGETS_CK_H

#ifdef CK_ASSEMBLY
#include <ck_pr.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#else
#define CK_USE_CC_BUILTINS 1
#define CK_F_PR_FAS_PTR
#define CK_F_PR_FAS_UINT
#define CK_F_PR_FAS_8

#include <ck_md.h>
#ifndef CK_AS_ON_X86
#undef CK_MD_TSO
#define CK_MD_RMO
#endif
#include <ck_cc.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline void *ck_pr_fas_ptr(void *target, void *value)
{
    return __atomic_exchange_n((void **)target, value, __ATOMIC_SEQ_CST);
}

static inline unsigned ck_pr_fas_uint(unsigned *target, unsigned value)
{
    return __atomic_exchange_n(target, value, __ATOMIC_SEQ_CST);
}

static inline uint8_t ck_pr_fas_8(uint8_t *target, uint8_t value)
{
    return __atomic_exchange_n(target, value, __ATOMIC_SEQ_CST);
}

#include <ck_pr.h>

#undef ck_pr_load_ptr
#define ck_pr_load_ptr(from) __atomic_load_n(from, __ATOMIC_RELAXED)
#undef ck_pr_store_ptr
#define ck_pr_store_ptr(to, value)                                             \
    __atomic_store_n(to, (__typeof__(*(to)))(value), __ATOMIC_RELAXED)
#undef ck_pr_store_ptr_unsafe
#define ck_pr_store_ptr_unsafe(to, value)                                      \
    __atomic_store_n((void **)(to), value, __ATOMIC_RELAXED)

#define CK_F_PR_CAS_PTR_2
#define CK_F_PR_CAS_PTR_2_VALUE

__extension__ typedef unsigned __int128 ck_two_words __attribute__((may_alias));

static inline bool ck_pr_cas_ptr_2_value(void *target, void *compare, void *set,
                                         void *value)
{
    ck_two_words expected, desired;
    memcpy(&expected, compare, sizeof expected);
    memcpy(&desired, set, sizeof desired);
    const ck_two_words seen =
        __sync_val_compare_and_swap((ck_two_words *)target, expected, desired);
    memcpy(value, &seen, sizeof seen);
    return seen == expected;
}

static inline bool ck_pr_cas_ptr_2(void *target, void *compare, void *set)
{
    ck_two_words seen;
    return ck_pr_cas_ptr_2_value(target, compare, set, &seen);
}
#endif

/* Cells for one operation each; one of a process that was given back is the
 * next that it gets. */
enum { CK_PROCESSES = 4, CK_CELLS = 8 };

#endif
