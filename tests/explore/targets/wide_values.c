// explore: -- -latomic
// expect: assertion
// says: store pair ← \{3,4\}
// explore: -- -latomic
// expect: assertion
// says: cas pair \{3,5\}→\{6,7\} failed \(was \{3,4\}\)
// explore: -- -mcx16 -DWORD
// expect: assertion
// says: 0x30000000000000005→0x60000000
// explore: -- -DASSEMBLY
// expect: assertion
// says: cas pair \{3,5\}→\{6,7\} failed
// machine: x86_64

/* Values of 16 bytes are told whole: here only the second half is another than
 * was expected. */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "threads.h"

#ifdef WORD
__extension__ typedef unsigned __int128 wide;
static _Alignas(16) wide pair = (wide)3 << 64 | 4;

static bool change(void)
{
    return __sync_bool_compare_and_swap(&pair, (wide)3 << 64 | 5,
                                        (wide)6 << 64 | 7);
}
#elif defined ASSEMBLY
static struct {
    _Alignas(16) uint64_t first;
    uint64_t second;
} pair = { 3, 4 };

static bool change(void)
{
    uint64_t first = 3, second = 5;
    bool same;
    __asm__ volatile("lock cmpxchg16b %1; setz %0"
                     : "=q"(same), "+m"(pair), "+a"(first), "+d"(second)
                     : "b"((uint64_t)6), "c"((uint64_t)7)
                     : "memory", "cc");
    return same;
}
#else
struct pair {
    uint64_t first, second;
};
static _Atomic struct pair pair;

static bool change(void)
{
    struct pair from = { 3, 5 };
    atomic_store(&pair, ((struct pair){ 3, 4 }));
    return atomic_compare_exchange_strong(&pair, &from,
                                          ((struct pair){ 6, 7 }));
}
#endif

static void *try(void *unused)
{
    assert(!change());
    return unused;
}

int main(void)
{
    RUN_TWO(try, try);
    assert(change());
}
